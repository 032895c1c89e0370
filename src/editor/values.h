/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers, units and variables behind the names of a text, as far as the model is right. */
#ifndef EDITOR_VALUES_H
#define EDITOR_VALUES_H

#include "editor/view.h"

/* The text of a node with blanks folded, cut where it is long. */
const char *hbg_source_excerpt(const HbgView *view, HbgTreeNode node);
/* `view` for what is declared in `scope`: of what stands in a submodel there may be many, and none has the values of the model. */
const HbgView *hbg_view_of_scope(const HbgView *view, int32_t scope);
/* Is `flat`, a name of the flat model ("ball[3]", "ball[3].p"), `name` or a part of it? */
bool hbg_is_part_of(const char *flat, const HbgName *name);
/* The first node of the model that `name` stands for, NULL. */
const HbgNode *hbg_view_node(const HbgView *view, const HbgName *name);
/* What can be read of an element, junction, bond: "e", "f", "p"; empty of all else. */
const char *const *hbg_members_of(const HbgView *view, const HbgName *name, int32_t *count);
/* What a letter of a bond or an element means: "effort"; NULL. */
const char *hbg_letter_meaning(const char *letter, uint32_t length);
/* The unit of a variable of the model, "bullet.e"; NULL when it is not known. */
const char *hbg_view_unit(const HbgView *view, const char *variable);
/* The value of an expression that is a constant of the model. */
bool hbg_view_constant(const HbgView *view, const char *expression, double *value);
/* An SI value in the unit it was given in, "250 [g] = 0.25 in SI". */
const char *hbg_quantity(const HbgView *view, double value, const char *unit);
/* "20 [g] = 0.02 kg"; NULL when `unit` is none. */
const char *hbg_in_si(const HbgView *view, const char *number, const char *unit, uint32_t length);

#endif
