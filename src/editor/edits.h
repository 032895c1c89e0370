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

#endif
