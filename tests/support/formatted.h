/* SPDX-License-Identifier: BSD-3-Clause
 * Layout in tests: what a text becomes, and what must be so of every layout. Also for entries of libFuzzer: no cmocka here. */
#ifndef TESTS_SUPPORT_FORMATTED_H
#define TESTS_SUPPORT_FORMATTED_H

#include <stdlib.h>

#include "editor/format.h"
#include "editor/layout.h"

typedef struct Formatted {
  HbgArena arena;
  const char *source;
  uint32_t length;
  HbgTree tree;
  bool is_right;    /* it can be read */
  HbgLayout pieces; /* of the source */
  HbgText text;     /* the layout */
} Formatted;

static inline HbgStatus formatted_make(void *user) {
  Formatted *self = user;
  HbgDiagnostics diagnostics = hbg_diagnostics(&self->arena);
  self->tree = hbg_parse(self->source, self->length, &self->arena, &diagnostics);
  self->is_right = diagnostics.error_count == 0;
  self->pieces = hbg_layout_pieces(&self->tree, &self->arena);
  const HbgTextChanges changes = hbg_format_changes(&self->tree, &self->arena);
  self->text = hbg_changes_apply(&self->tree, &changes, &self->arena);
  return HBG_OK;
}

static inline void formatted_begin(Formatted *self, const char *source, uint32_t length) {
  *self = (Formatted){.arena = hbg_arena((HbgAllocator){0}), .source = source, .length = length};
  if (hbg_guarded(&self->arena, formatted_make, self) != HBG_OK) abort();
}

static inline void formatted_end(Formatted *self) { hbg_arena_release_all(&self->arena); }

static inline bool same_bytes(const HbgTree *a, HbgSpan x, const HbgTree *b, HbgSpan y) {
  return x.end - x.begin == y.end - y.begin && memcmp(a->text + x.begin, b->text + y.begin, x.end - x.begin) == 0;
}

/* Do both texts have the same tokens? Where a line ends a statement counts, what it ends with does not. */
static inline bool same_tokens(const HbgTree *a, const HbgTree *b) {
  if (a->token_count != b->token_count) return false;
  for (int32_t i = 0; i < a->token_count; i++) {
    const HbgToken *x = &a->tokens[i], *y = &b->tokens[i];
    if (x->kind != y->kind || (x->kind != HBG_TOKEN_NEWLINE && !same_bytes(a, x->span, b, y->span))) return false;
  }
  return true;
}

/* Tokens and comments. */
static inline bool same_pieces(const HbgLayout *a, const HbgLayout *b) {
  if (a->count != b->count) return false;
  for (int32_t i = 0; i < a->count; i++)
    if (!same_bytes(a->tree, a->pieces[i].span, b->tree, b->pieces[i].span)) return false;
  return true;
}

/* What must hold of every text: its layout has the same tokens and comments; and if it can be read, is its own layout (what a sign is
 * cannot be said in the middle of a mistake). NULL, or what does not hold. */
static inline const char *format_fault(const char *source, uint32_t length) {
  Formatted once, twice;
  const char *fault = NULL;
  formatted_begin(&once, source, length);
  formatted_begin(&twice, once.text.bytes, (uint32_t)once.text.length);
  if (once.is_right && (twice.text.length != once.text.length || memcmp(twice.text.bytes, once.text.bytes, (size_t)once.text.length) != 0))
    fault = "the layout of the layout is another one";
  else if (!same_tokens(&once.tree, &twice.tree))
    fault = "the layout has other tokens";
  else if (!same_pieces(&once.pieces, &twice.pieces))
    fault = "the layout has other comments";
  formatted_end(&twice);
  formatted_end(&once);
  return fault;
}

#endif
