/* SPDX-License-Identifier: BSD-3-Clause
 * What an operation answers. The list is public: see include/hybrsim/status.h. */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H
#include "hybrsim/status.h"

/* Leaves the calling function with the status of `call` unless it is HBG_OK. */
#define TRY(call)                                   \
  do {                                              \
    const HbgStatus status_ = (call);               \
    if (status_ != HBG_OK) return status_;          \
  } while (0)

#endif
