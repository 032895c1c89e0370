/* SPDX-License-Identifier: BSD-3-Clause
 * What a graphical editor does to a text, one function each: hybrsim/editing.h says what. They collect what has to change, or note a reason. */
#ifndef EDITOR_EDITS_H
#define EDITOR_EDITS_H

#include "editor/edit.h"
#include "hybrsim/editing.h"

/* edit_place.c */
void hbg_edit_place(HbgEditing *editing, const HbgPlacement *places, int32_t count);
/* The same; names may be those of what is just being added when `are_new`. */
void hbg_edit_places(HbgEditing *editing, const HbgPlacement *places, int32_t count, bool are_new);

/* edit_remove.c */
void hbg_edit_remove(HbgEditing *editing, const char *const *names, int32_t name_count, const HbgRange *arrows, int32_t arrow_count);
/* Turns a half arrow round. */
void hbg_edit_reverse(HbgEditing *editing, HbgRange arrow);

/* edit_copy.c: the statements; NULL when there is a reason */
const char *hbg_edit_copy(HbgEditing *editing, const char *const *names, int32_t count);

/* edit_add.c */
void hbg_edit_add(HbgEditing *editing, const char *statements, const HbgPlacement *places, int32_t count);

/* edit_connect.c */
void hbg_edit_connect(HbgEditing *editing, const char *tail, const char *head);

#endif
