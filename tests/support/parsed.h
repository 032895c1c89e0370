/* SPDX-License-Identifier: BSD-3-Clause
 * Parsing in tests: a text with its tree, and the tree written as one line to compare with. */
#ifndef TESTS_SUPPORT_PARSED_H
#define TESTS_SUPPORT_PARSED_H

#include <string.h>

#include "base/text.h"
#include "language/tree.h"
#include "support/check.h"

typedef struct Parsed {
  HbgArena arena;
  HbgDiagnostics diagnostics;
  HbgTree tree;
  const char *text;
  uint32_t length;
  bool is_expression;
} Parsed;

static inline HbgStatus parsed_read(void *user) {
  Parsed *parsed = user;
  parsed->diagnostics = hbg_diagnostics(&parsed->arena);
  parsed->tree = (parsed->is_expression ? hbg_parse_expression : hbg_parse)(parsed->text, parsed->length,
                                                                            &parsed->arena, &parsed->diagnostics);
  hbg_diagnostics_sort(&parsed->diagnostics);
  return HBG_OK;
}

static inline void parsed_begin(Parsed *parsed, const char *text, uint32_t length, bool is_expression) {
  *parsed =
      (Parsed){.arena = hbg_arena((HbgAllocator){0}), .text = text, .length = length, .is_expression = is_expression};
  if (hbg_guarded(&parsed->arena, parsed_read, parsed) != HBG_OK) fail_msg("out of memory");
}

static inline void parsed_end(Parsed *parsed) { hbg_arena_release_all(&parsed->arena); }

static inline void shape_add(HbgText *text, const HbgTree *tree, HbgTreeNode node) {
  static const char *const kinds[] = {
#define NODE(kind, children) #kind,
#include "language/nodes.def"
#undef NODE
  };
  const HbgNodeKind kind = hbg_tree_kind(tree, node);
  uint32_t length;
  const char *own = hbg_tree_text(tree, node, &length);
  const bool is_leaf = !tree->nodes[node].first_child;
  const bool is_plain = kind == HBG_NODE_NAME || kind == HBG_NODE_NUMBER || kind == HBG_NODE_UNIT_OF;
  const bool is_operator = kind == HBG_NODE_BINARY || kind == HBG_NODE_UNARY;
  if (is_plain && is_leaf) {
    hbg_text_add(text, "%.*s", (int)length, own);
    return;
  }
  hbg_text_add(text, "(%s%s%.*s", is_operator ? "" : kinds[kind], !is_operator && length ? " " : "", (int)length, own);
  for (HbgTreeNode child = tree->nodes[node].first_child; child; child = tree->nodes[child].next_sibling) {
    hbg_text_add(text, " ");
    shape_add(text, tree, child);
  }
  hbg_text_add(text, ")");
}

typedef struct ShapeJob {
  Parsed *parsed;
  HbgTreeNode node;
  HbgText text;
} ShapeJob;

static inline HbgStatus shape_run(void *user) {
  ShapeJob *job = user;
  job->text = hbg_text(&job->parsed->arena);
  shape_add(&job->text, &job->parsed->tree, job->node);
  return HBG_OK;
}

/* The tree from `node` on in one line: "(+ a (* 2 b))", "(ELEMENT_LIST I (ELEMENT wood (ARGUMENTS m2)))". */
static inline const char *parsed_shape(Parsed *parsed, HbgTreeNode node) {
  ShapeJob job = {.parsed = parsed, .node = node};
  if (hbg_guarded(&parsed->arena, shape_run, &job) != HBG_OK) fail_msg("out of memory");
  return job.text.bytes;
}

typedef struct RenderJob {
  Parsed *parsed;
  int32_t which;
  const char *text;
} RenderJob;

static inline HbgStatus render_run(void *user) {
  RenderJob *job = user;
  const Parsed *parsed = job->parsed;
  job->text = hbg_diagnostic_render(&parsed->diagnostics.list[job->which], "model.hbg", parsed->text, parsed->length,
                                    false, &job->parsed->arena);
  return HBG_OK;
}

static inline const char *parsed_message(Parsed *parsed, int32_t which) {
  RenderJob job = {.parsed = parsed, .which = which};
  if (which >= parsed->diagnostics.count) return "";
  if (hbg_guarded(&parsed->arena, render_run, &job) != HBG_OK) fail_msg("out of memory");
  return job.text;
}

#endif
