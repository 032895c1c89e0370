/* SPDX-License-Identifier: BSD-3-Clause
 * Changing what a declaration is made of, machines, and making submodels of what is there. Each answers with what has to change. */
#ifndef EDITOR_PARTS_H
#define EDITOR_PARTS_H

#include "editor/edit.h"
#include "hybrsim/editing.h"

/* What the declaration `name` in the body is made of (part_places.c). */
void hbg_view_parts(HbgEditing *editing, const char *name, HbgPartText parts[HBG_PART_COUNT]);
/* Writes one of its parts anew, "" takes it away (edit_parts.c). */
void hbg_view_set_part(HbgEditing *editing, const char *name, HbgPart part, const char *text);

/* Makes a submodel of what is selected (edit_extract.c). */
void hbg_view_extract(HbgEditing *editing, const char *const *names, int32_t count, const char *name);

/* What declares `name` in the body, or sets it; 0 without. */
HbgTreeNode hbg_part_owner(const HbgEditing *editing, const char *name);

/* Where a part stands, or would stand. */
typedef struct HbgPartPlace {
  bool is_possible, is_there, is_needed; /* needed: it cannot be taken away */
  HbgSpan whole;  /* with what introduces it: its parentheses, the colon, `start` */
  HbgSpan inner;  /* what is shown */
  uint32_t at;    /* where it goes when it is not there */
  const char *before, *after; /* what it stands between */
} HbgPartPlace;
HbgPartPlace hbg_part_place(const HbgTree *tree, HbgTreeNode node, HbgPart part);
/* "the value in parentheses". */
const char *hbg_part_name(HbgPart part);
/* Why `text` is not one such part of `node`, and nothing more; NULL when it is (part_texts.c). */
const char *hbg_part_refusal(const HbgView *view, HbgTreeNode node, HbgPart part, const char *text);
/* Why `text` between `before` and `after` is not one statement that `fits` (NULL: one setting), called `what` in the reason; NULL when it is. */
const char *hbg_piece_refusal(const HbgView *view, const char *before, const char *text, const char *after, const char *what,
                              bool (*fits)(const HbgTree *tree, HbgTreeNode statement));

#endif
