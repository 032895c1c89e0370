/* SPDX-License-Identifier: BSD-3-Clause
 * Private to edit_*.c: a piece of text that comes in place of others. */
#ifndef EDITOR_EDIT_INSERTION_H
#define EDITOR_EDIT_INSERTION_H

#include "editor/edit.h"
#include "language/lexer.h"

struct HbgTextInsertion {
  HbgSpan span;            /* that it comes in place of */
  const char *text;
  HbgStatementSort sort;   /* decides which comes first of those at one place */
  const char *indentation; /* what its lines begin with; NULL: it is not laid out */
  int32_t depth;           /* braces around it */
  int32_t order;
};

void hbg_edit_note(HbgEditing *editing, HbgTextInsertion insertion);

/* The first byte of the line that holds `at`. */
uint32_t hbg_edit_line_begin(const HbgTree *tree, uint32_t at);
static inline bool edit_is_line_end(const HbgTree *tree, uint32_t at) { return at >= tree->length || tree->text[at] == '\n'; }
/* Cuts the arrows that are taken away out of BOND_CHAIN `chain`, of which some are left (edit_chains.c). */
void hbg_edit_cut_chain(HbgEditing *editing, HbgTreeNode chain);
/* Changes in order of place and apart, and behind them those that lay the changed text out as a whole, as changes of the text (edit_layout.c). */
HbgTextChanges hbg_edit_laid_out(const HbgTree *tree, const HbgTextChanges *changes, HbgArena *arena);
/* The same changes without the bytes that stay what they are. */
HbgTextChanges hbg_edit_smallest(const HbgTree *tree, const HbgTextChanges *changes, HbgArena *arena);

#endif
