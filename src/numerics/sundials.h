/* SPDX-License-Identifier: BSD-3-Clause
 * SUNDIALS from 6.4 to 7.x: what differs between the versions stands here and nowhere else. */
#ifndef NUMERICS_SUNDIALS_H
#define NUMERICS_SUNDIALS_H

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_config.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_types.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#if SUNDIALS_VERSION_MAJOR >= 7

#define SUNDIALS_NO_COMMUNICATOR SUN_COMM_NULL

/* The default handler prints; errors are values here. */
static void ignore_error(int line, const char *function, const char *file, const char *message, SUNErrCode code,
                         void *user, SUNContext context) {
  (void)line, (void)function, (void)file, (void)message, (void)code, (void)user, (void)context;
}

static void silence_context(SUNContext context) {
  SUNContext_ClearErrHandlers(context);
  SUNContext_PushErrHandler(context, ignore_error, NULL);
}

static void silence_cvode(void *cvode) { (void)cvode; }

#else

#define SUNDIALS_NO_COMMUNICATOR NULL

/* The default handler prints; errors are values here. */
static void ignore_error(int code, const char *module, const char *function, char *message, void *user) {
  (void)code, (void)module, (void)function, (void)message, (void)user;
}

static void silence_context(SUNContext context) { (void)context; }

static void silence_cvode(void *cvode) { CVodeSetErrHandlerFn(cvode, ignore_error, NULL); }

#endif
#endif
