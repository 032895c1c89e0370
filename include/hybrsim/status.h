/* SPDX-License-Identifier: BSD-3-Clause
 * HyBrSim: what an operation answers, and which library answers. */
#ifndef HYBRSIM_STATUS_H
#define HYBRSIM_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define HBG_API __attribute__((visibility("default")))
#else
#define HBG_API
#endif

/* Every status with the sentence that explains it. */
#define HBG_STATUS_LIST(X)                                                        \
  X(OK, "done")                                                                   \
  X(END, "the run has reached its end")                                           \
  X(ARGUMENT, "an argument is missing or out of range")                           \
  X(MEMORY, "the allocator refused memory")                                       \
  X(MODEL_WRONG, "the model has mistakes; see the report")                        \
  X(STOPPED, "the simulation could not go on; see the failure of the run")        \
  X(SINK, "the sink of the results took no more")

#define HBG_STATUS_ENUM(name, text) HBG_##name,
typedef enum HbgStatus { HBG_STATUS_LIST(HBG_STATUS_ENUM) HBG_STATUS_COUNT } HbgStatus;

/* The version of the library, "0.1.0"; a constant. HBG_VERSION is that of the headers a program was compiled with. */
HBG_API const char *hbg_version(void);
/* The sentence that explains a status; a constant, never NULL. */
HBG_API const char *hbg_status_text(HbgStatus status);

#ifdef __cplusplus
}
#endif
#endif
