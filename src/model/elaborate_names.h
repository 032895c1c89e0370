/* SPDX-License-Identifier: BSD-3-Clause
 * What the files that read names share: elaborate_names.c (a name by itself), elaborate_members.c (with a member), elaborate_unknown.c (what is
 * said of one that stands for nothing). */
#ifndef MODEL_ELABORATE_NAMES_H
#define MODEL_ELABORATE_NAMES_H

#include <string.h>

#include "model/elaborator.h"

/* The key of a name that was found: there are millions of them, and the symbol has the same text. */
static inline void forget_key(HbgElaborator *elaborator, const char *key) {
  hbg_arena_take_back(elaborator->arena, key, strlen(key) + 1);
}

/* ---- elaborate_names.c ---- */
/* The value that a symbol has by itself; 0: none, which is told. */
HbgExpr hbg_elaborate_symbol_value(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int32_t found);

/* ---- elaborate_members.c ---- */
/* The node of the flat model that a symbol has become. */
const HbgNode *hbg_elaborate_final_node(const HbgElaborator *elaborator, const HbgScopeSymbol *symbol);
/* "e, f and q" */
const char *hbg_elaborate_members(const HbgNode *node);
/* Of a variable of a machine, or an event, which can be read in few places. */
HbgExpr hbg_elaborate_variable_value(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode where, const HbgScopeSymbol *symbol);
/* The machine that a symbol is, or is switched by; -1. */
int32_t hbg_elaborate_machine(const HbgElaborator *elaborator, const HbgScopeSymbol *symbol);

/* ---- elaborate_unknown.c ---- */
/* "a resistor" */
const char *hbg_elaborate_element_word(HbgElementKind kind);
/* Tells that what must be known before the run hangs on `name`, which is `what`. 0. */
HbgExpr hbg_elaborate_not_constant(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const char *name, const char *what);

#endif
