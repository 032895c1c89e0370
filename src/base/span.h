/* SPDX-License-Identifier: BSD-3-Clause
 * A place in a model's text. */
#ifndef BASE_SPAN_H
#define BASE_SPAN_H
#include <stdint.h>

/* Bytes [begin, end) of the source; {0, 0} when there is no place to show. Line and column are found on demand. */
typedef struct HbgSpan {
  uint32_t begin, end;
} HbgSpan;

#endif
