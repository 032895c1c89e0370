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

/* What stands behind `at` in its line, past blanks, `;` and comments: the end of the line or of the text, or the next token. Answers
 * where that is. */
uint32_t hbg_edit_rest_of_line(const HbgTree *tree, uint32_t at);
/* The first byte of the line that holds `at`. */
uint32_t hbg_edit_line_begin(const HbgTree *tree, uint32_t at);
/* Does `at` stand behind nothing but blanks in its line? */
bool hbg_edit_begins_line(const HbgTree *tree, uint32_t at);
static inline bool edit_is_line_end(const HbgTree *tree, uint32_t at) { return at >= tree->length || tree->text[at] == '\n'; }
/* The `{` of `block`: its token; -1 without. */
int32_t hbg_edit_opening(const HbgTree *tree, HbgTreeNode block);
/* Cuts the arrows that are taken away out of BOND_CHAIN `chain`, of which some are left (edit_chains.c). */
void hbg_edit_cut_chain(HbgEditing *editing, HbgTreeNode chain);
/* Is `node` a statement of a block? Its comment, heading and list items are none. */
bool hbg_edit_is_statement(const HbgTree *tree, HbgTreeNode node);

#endif
