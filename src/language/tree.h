/* SPDX-License-Identifier: BSD-3-Clause
 * The lossless syntax tree: every byte of the text belongs to exactly one token (or to the blanks and comments before
 * it), so that an untouched tree gives back the identical file. Nodes are typed; children are in the order of the text.
 *
 * Node kinds and their children are one table, nodes.def, which docs/language.md explains in grammar form. */
#ifndef LANGUAGE_TREE_H
#define LANGUAGE_TREE_H

#include "base/diagnostics.h"
#include "language/token.h"

typedef enum HbgNodeKind {
#define NODE(kind, children) HBG_NODE_##kind,
#include "language/nodes.def"
#undef NODE
  HBG_NODE_KIND_COUNT
} HbgNodeKind;

typedef int32_t HbgTreeNode; /* index; 0 is "none" */

typedef struct HbgTreeNodeData {
  HbgNodeKind kind;
  int32_t first_token, last_token; /* inclusive; an empty node has last < first */
  int32_t token;                   /* the token that says which: operator, keyword or name; -1 without */
  HbgTreeNode parent, first_child, next_sibling;
} HbgTreeNodeData;

typedef struct HbgTree {
  const char *text; /* borrowed; must outlive the tree */
  uint32_t length;
  uint32_t base; /* added to every span that is handed out: all files of a model lie in one row of bytes */
  HbgToken *tokens;       int32_t token_count, token_capacity; /* the last is END */
  HbgTreeNodeData *nodes; int32_t node_count, node_capacity;   /* nodes[0] unused */
  HbgTreeNode root;
} HbgTree;

/* Parses `text`; never fails: what is wrong is reported and kept in ERROR nodes. From `arena`. */
HbgTree hbg_parse(const char *text, uint32_t length, HbgArena *arena, HbgDiagnostics *diagnostics);
/* The same of a file that others import: it need not hold a model. `base` is added to all places. */
HbgTree hbg_parse_import_file(const char *text, uint32_t length, uint32_t base, HbgArena *arena, HbgDiagnostics *diagnostics);
/* Parses `text` as the value of a parameter (for --set). root is a PARAMETER without a name: the value, and the unit behind it
 * where there is one; or an ERROR node. */
HbgTree hbg_parse_setting(const char *text, uint32_t length, HbgArena *arena, HbgDiagnostics *diagnostics);
/* Parses `text` as one expression (for columns). root is the expression, or an ERROR node. */
HbgTree hbg_parse_expression(const char *text, uint32_t length, HbgArena *arena, HbgDiagnostics *diagnostics);
/* What a statement that begins with `node`, the name of no submodel, was probably meant to be; NULL when there is no idea. */
const char *hbg_tree_statement_hint(const HbgTree *tree, HbgTreeNode node, HbgArena *arena);
/* The text the tree stands for; equal to the text it was made from. */
const char *hbg_unparse(const HbgTree *tree, HbgArena *arena);

/* Where the blanks and comments before token `at` begin. */
static inline uint32_t hbg_tree_blank(const HbgTree *tree, int32_t at) { return at ? tree->tokens[at - 1].span.end : 0; }
static inline HbgNodeKind hbg_tree_kind(const HbgTree *tree, HbgTreeNode node) { return tree->nodes[node].kind; }
/* Child `which` (from 0), 0 when there is none. */
HbgTreeNode hbg_tree_child(const HbgTree *tree, HbgTreeNode node, int32_t which);
int32_t hbg_tree_child_count(const HbgTree *tree, HbgTreeNode node);
/* The text of the node's own token (a name, an operator); not NUL-terminated. */
const char *hbg_tree_text(const HbgTree *tree, HbgTreeNode node, uint32_t *length);
/* The bytes between the ends of a span of this tree; not NUL-terminated. */
const char *hbg_tree_bytes(const HbgTree *tree, HbgSpan span);
/* The bytes of the node without the blanks before it. */
HbgSpan hbg_tree_span(const HbgTree *tree, HbgTreeNode node);
/* The bytes of the node's own token. */
HbgSpan hbg_tree_token_span(const HbgTree *tree, HbgTreeNode node);

#endif
