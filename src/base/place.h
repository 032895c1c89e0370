/* SPDX-License-Identifier: BSD-3-Clause
 * Line and column of a byte, found on demand. */
#ifndef BASE_PLACE_H
#define BASE_PLACE_H

#include <stdint.h>

typedef struct HbgPlace {
  uint32_t line, column;         /* from 1; the column counts characters, a tab is one */
  uint32_t line_begin, line_end; /* bytes of the line, without its end mark */
} HbgPlace;

/* The place of byte `at` (at most `length`) of `source`. Walks the text: only for messages. */
HbgPlace hbg_place(const char *source, uint32_t length, uint32_t at);

#endif
