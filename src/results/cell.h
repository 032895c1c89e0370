/* SPDX-License-Identifier: BSD-3-Clause
 * What a table of results is made of: fields (its columns) and cells. Every format is written from these. */
#ifndef RESULTS_CELL_H
#define RESULTS_CELL_H

#include <stdint.h>

typedef struct HbgField {
  const char *name; /* "bullet.p" */
  const char *kind; /* "time", "count", "word", "number", "boolean", "junction", "machine" */
  const char *unit; /* NULL when there is none to tell */
} HbgField;

typedef enum HbgCellKind { HBG_CELL_NUMBER, HBG_CELL_TRUTH, HBG_CELL_WORD } HbgCellKind;

typedef struct HbgCell {
  HbgCellKind kind;
  double number;    /* of a NUMBER, and 0 or 1 of a TRUTH */
  const char *word; /* of a WORD */
} HbgCell;

#endif
