/* SPDX-License-Identifier: BSD-3-Clause
 * A change of a text that is being made: what is to be replaced, collected in any order, and laid out in the end. */
#ifndef EDITOR_CHANGING_H
#define EDITOR_CHANGING_H

#include "editor/view.h"

typedef struct HbgChanging {
  const HbgView *view;
  HbgTextChanges changes; /* as they come */
  const char *reason;     /* why it cannot be; NULL: it can */
  HbgTreeNode *removed; int32_t removed_count, removed_capacity; /* statements */
  const char **names; int32_t name_count, name_capacity; /* of what is new */
} HbgChanging;

/* ---- collecting (changing.c) ---- */

/* Replaces the bytes of `span` by `text`; lines in it end with "\n". */
void hbg_changing_replace(HbgChanging *changing, HbgSpan span, const char *text);
void hbg_changing_insert(HbgChanging *changing, uint32_t at, const char *text);
/* It cannot be, and why; the first reason counts. */
void hbg_changing_refuse(HbgChanging *changing, const char *format, ...) __attribute__((format(printf, 2, 3)));
void hbg_changing_name(HbgChanging *changing, const char *name);
/* What has to change: in order of place, what is new laid out like all models. None when there is a reason. Where the text was laid out
 * before, it is so afterwards; where it was not, all other bytes stay. */
HbgTextChanges hbg_changing_end(HbgChanging *changing);

/* Changes in order of place and apart, and behind them those that lay the changed text out as a whole: what a text needs that was laid out
 * before. */
HbgTextChanges hbg_changes_laid_out(const HbgTree *tree, const HbgTextChanges *changes, HbgArena *arena);

/* ---- statements (changing_statements.c) ---- */

/* The opening brace of what has a block; -1 without. */
int32_t hbg_changing_brace(const HbgTree *tree, HbgTreeNode owner);
/* Puts a statement behind that of `node`: in a line of its own, or behind `;` where the line goes on. */
void hbg_changing_add_behind(HbgChanging *changing, HbgTreeNode node, const char *statement);
/* Puts a statement behind the last of the block of `owner`, or before the first. */
void hbg_changing_add_last(HbgChanging *changing, HbgTreeNode owner, const char *statement);
void hbg_changing_add_first(HbgChanging *changing, HbgTreeNode owner, const char *statement);
/* Does the line end behind byte `at`, the end of a token? `*end` is where; comments may stand between. */
bool hbg_changing_line_ends(const HbgTree *tree, uint32_t at, uint32_t *end);
/* Takes a statement away, with its line where nothing else stands there. Comments stay. */
void hbg_changing_remove(HbgChanging *changing, HbgTreeNode node);
/* Does so at last, in the order of the text (for hbg_changing_end()). */
void hbg_changing_remove_statements(HbgChanging *changing);
/* Takes `node` out of the statement `list` that lists it with others by commas; the statement itself when it is alone. */
void hbg_changing_remove_items(HbgChanging *changing, HbgTreeNode list, HbgNodeKind kind, const HbgTreeNode *nodes, int32_t count); /* the same of several */
void hbg_changing_remove_from_list(HbgChanging *changing, HbgTreeNode list, HbgTreeNode node, HbgNodeKind kind);

/* ---- finding (changing_places.c) ---- */

/* The MODEL or SUBMODEL `where`; 0 and a reason when there is none. */
HbgTreeNode hbg_changing_body(HbgChanging *changing, const char *where);
/* The node that declares `name` ("ball", "ball[3]") in `body`: ELEMENT, SIGNAL, PORT, ..., a SETTING; 0 without. */
HbgTreeNode hbg_changing_declaration(const HbgTree *tree, HbgTreeNode body, const char *name);
/* Is `text` a name that could be given? Else why not; NULL when it is (rename.c). */
const char *hbg_name_refusal(const HbgView *view, const char *text);
/* The bytes of `node`, and of its own token, as a text. */
const char *hbg_node_text(const HbgView *view, HbgTreeNode node);
const char *hbg_node_word(const HbgView *view, HbgTreeNode node);

#endif
