/* SPDX-License-Identifier: BSD-3-Clause
 * One layout for every model. Only what stands between tokens and comments changes: blanks, the ends of lines, and how many
 * of them are empty. The rules for people: docs/command-line.md. */
#ifndef EDITOR_FORMAT_H
#define EDITOR_FORMAT_H

#include "base/text.h"
#include "language/tree.h"

/* One change of a text: bytes [begin, end) are replaced. */
typedef struct HbgTextChange {
  HbgSpan span;
  const char *text; /* with a NUL behind */
} HbgTextChange;

typedef struct HbgTextChanges {
  HbgTextChange *list; int32_t count, capacity; /* in order of place, disjoint */
} HbgTextChanges;

/* What has to change in the text of `tree` so that it is laid out like all models; nothing when it is already. From `arena`.
 * Also of a text with mistakes, though it may then not look as meant. */
HbgTextChanges hbg_format_changes(const HbgTree *tree, HbgArena *arena);
/* The text of `tree` with `changes` made. From `arena`. */
HbgText hbg_changes_apply(const HbgTree *tree, const HbgTextChanges *changes, HbgArena *arena);

#endif
