/* SPDX-License-Identifier: BSD-3-Clause
 * Private to editing: collecting what has to change in a text, and finding where something belongs in it.
 *
 *   HbgEditing editing = hbg_edit_begin(view, where);
 *   hbg_edit_take_away(&editing, node);                              an item of a list, or a whole statement
 *   hbg_edit_add_statement(&editing, HBG_SORT_JUNCTIONS, "1 motion");
 *   hbg_edit_replace(&editing, span, "2");
 *   HbgTextChanges changes = hbg_edit_finish(&editing);              none when there is a reason
 *
 * Places are of the text as it is: no edit moves those of another. All else stays byte by byte. What is inserted is laid out like all
 * models, but indented like its neighbours, and ends its lines as the text does. A text that was laid out as a whole goes on to be so, and what
 * stands under each other with what is new moves along. */
#ifndef EDITOR_EDIT_H
#define EDITOR_EDIT_H

#include "editor/view.h"

/* The sorts of statements, in the order in which a body mostly has them. */
typedef enum HbgStatementSort {
  HBG_SORT_NONE, /* what could not be read */
  HBG_SORT_PARAMETERS,
  HBG_SORT_CALLABLES, /* functions, tables, data */
  HBG_SORT_CLOCKS,    /* and events */
  HBG_SORT_ELEMENTS,
  HBG_SORT_JUNCTIONS,
  HBG_SORT_INSTANCES,
  HBG_SORT_BONDS,
  HBG_SORT_SIGNALS,
  HBG_SORT_MACHINES,  /* types, and those with a name */
  HBG_SORT_CONDITIONS,
  HBG_SORT_SETTINGS,
  HBG_SORT_DRAWING
} HbgStatementSort;

typedef struct HbgTextInsertion HbgTextInsertion;

typedef struct HbgEditing {
  const HbgView *view;
  const HbgTree *tree;
  HbgArena *arena;
  HbgTreeNode body;     /* MODEL or SUBMODEL */
  int32_t scope;        /* of its names */
  const char *line_end; /* of the text */
  const char *reason;   /* why it cannot be; NULL as long as it can */
  HbgTextInsertion *insertions; int32_t insertion_count, insertion_capacity;
  bool *is_cut;         /* by node: is taken away */
  bool *is_bare;        /* by node: without the comment behind it */
  const char **names; int32_t name_count, name_capacity; /* of what is new */
} HbgEditing;

/* ---- edit_changes.c: the changes ---- */

/* Looks at the body of the submodel `where`, "" for the model; there may be none. */
HbgEditing hbg_edit_look(const HbgView *view, const char *where);
/* Is there a body? Else a reason is noted. */
bool hbg_edit_needs_body(HbgEditing *editing, const char *where);
/* Begins to edit the body of the submodel `where`, "" for the model. There is a reason when it is not there or cannot be read. */
HbgEditing hbg_edit_begin(const HbgView *view, const char *where);
/* Notes why it cannot be, a sentence with the cure; the first reason counts. Answers false. */
bool hbg_edit_refuse(HbgEditing *editing, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Puts `text` in place of `span`, as it is. */
void hbg_edit_replace(HbgEditing *editing, HbgSpan span, const char *text);
static inline HbgSpan hbg_edit_at(uint32_t at) { return (HbgSpan){at, at}; }
/* The same, but the text is laid out like all models. */
void hbg_edit_write(HbgEditing *editing, HbgSpan span, const char *text);
/* Notes a name of what is new. */
void hbg_edit_name(HbgEditing *editing, const char *name);
/* All changes, in order of place, none upon another. */
HbgTextChanges hbg_edit_finish(HbgEditing *editing);

/* ---- edit_insert.c: where something new belongs ---- */

/* The sort of a statement; of a loop that of its last statement. */
HbgStatementSort hbg_edit_sort_of(const HbgTree *tree, HbgTreeNode statement);
/* Inserts statements (a line each, or blocks of several lines; no layout needed) into the body, behind the last of their sort. */
void hbg_edit_add_statement(HbgEditing *editing, HbgStatementSort sort, const char *text);
/* Inserts statements into `block`, a node with braces of its own (MODEL, SUBMODEL, DRAWING, MACHINE, STATE, REGION), behind its statement
 * `behind`; 0: at its beginning. A line end at the beginning of `text` is a blank line before it. */
void hbg_edit_insert(HbgEditing *editing, HbgTreeNode block, HbgTreeNode behind, const char *text);

/* The `{` of `block`: its token; -1 without. */
int32_t hbg_edit_opening(const HbgTree *tree, HbgTreeNode block);
/* Does a line end behind the `{` of `block`? */
bool hbg_edit_has_lines(const HbgTree *tree, HbgTreeNode block);
/* Is `node` a statement of a block? Its comment, heading and list items are none. */
bool hbg_edit_is_statement(const HbgTree *tree, HbgTreeNode node);
/* What stands behind `at` in its line, past blanks, `;` and comments: the end of the line or of the text, or the next token. Answers
 * where that is. */
uint32_t hbg_edit_rest_of_line(const HbgTree *tree, uint32_t at);
/* Does the line end there? */
bool hbg_edit_ends_line(const HbgTree *tree, uint32_t at);
/* Does `at` stand behind nothing but blanks in its line? */
bool hbg_edit_begins_line(const HbgTree *tree, uint32_t at);

/* ---- edit_cut.c: taking away ---- */

/* Takes away one thing of a list (ELEMENT, SIGNAL, INSTANCE, STATE, ...: `1 a, b, c`), a BOND_ARROW of a chain, or a statement of a block, with
 * the line it stands in when it is alone there. A list, chain or drawing that loses all it holds goes, too. */
void hbg_edit_take_away(HbgEditing *editing, HbgTreeNode node);
/* The same, but the comment behind it stays. */
void hbg_edit_take_away_bare(HbgEditing *editing, HbgTreeNode node);
/* Turns what was taken away into changes; hbg_edit_finish() does it. */
void hbg_edit_cut(HbgEditing *editing);

/* ---- edit_find.c: what a name means ---- */

typedef enum HbgFinding {
  HBG_FOUND_NOTHING,
  HBG_FOUND_ONE,      /* the declaration is of this alone */
  HBG_FOUND_ARRAY,    /* `I ball[1..3]` for "ball": of all that have the name */
  HBG_FOUND_OF_ARRAY, /* the same for "ball[2]": of others, too */
  HBG_FOUND_IN_LOOP   /* a loop makes it */
} HbgFinding;
typedef struct HbgDeclared {
  HbgFinding finding;
  HbgTreeNode node;   /* ELEMENT, SIGNAL, INSTANCE, PORT, INPUT, OUTPUT, PARAMETER, MACHINE_INSTANCE, MACHINE, ... */
  HbgNameKind kind;
} HbgDeclared;
/* The declaration of `name` ("mass", "ball[3]") in the body. */
HbgDeclared hbg_edit_find(const HbgEditing *editing, const char *name);
/* The same, and it must be HBG_FOUND_ONE, or HBG_FOUND_ARRAY: else a reason is noted, and the node is 0. */
HbgDeclared hbg_edit_find_one(HbgEditing *editing, const char *name);
/* Does `node` (BOND_END, DRAWN, NAME), mean `name` or a part of it? Not when an index is no plain number. */
bool hbg_edit_means(const HbgEditing *editing, HbgTreeNode node, const char *name);
/* Does `node` (BOND_END without points) mean `name`, alone or among others: `ball[1..3]` for "ball[2]"? */
bool hbg_edit_covers(const HbgEditing *editing, HbgTreeNode node, const char *name);
/* What `node` names, with its indices without blanks: "ball[3]", "ball[1..3]", and its parts: "d.a". */
const char *hbg_edit_name_of(const HbgEditing *editing, HbgTreeNode node);
/* Does `node` stand in a loop? */
bool hbg_edit_is_in_loop(const HbgTree *tree, HbgTreeNode node);
/* The bytes of `node`, and of its own token, as a text. */
const char *hbg_node_text(const HbgView *view, HbgTreeNode node);
const char *hbg_node_word(const HbgView *view, HbgTreeNode node);
/* Why `text` is no name that could be given; NULL when it is (rename.c). */
const char *hbg_name_refusal(const HbgView *view, const char *text);
/* A name that is free in the body, and beside `taken` (NULL: nothing), made of `stem`. */
const char *hbg_edit_free_name(const HbgEditing *editing, const char *stem, const HbgScope *taken);

#endif
