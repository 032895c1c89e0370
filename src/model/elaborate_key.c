/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: a name with its indices, "ball[3]", is one key, and what is declared by it a symbol. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/elaborator.h"

enum { LONGEST_KEY = 256, MOST_INDICES = 8 };
static const double LARGEST_INDEX = 9e15; /* beyond 2^53 doubles are no longer every integer */

/* Sums of whole numbers and variables of loops, as nearly all indices are, without an expression of the pool for each. */
static bool read_index(const HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int64_t *out) {
  enum { MOST_DIGITS = 15 };
  const HbgTree *tree = place->tree;
  uint32_t length;
  const char *text = hbg_tree_text(tree, node, &length);
  const HbgTreeNode left = tree_first(tree, node), right = left ? tree_next(tree, left) : 0;
  *out = 0;
  switch (hbg_tree_kind(tree, node)) {
    case HBG_NODE_NUMBER:
      for (uint32_t at = 0; at < length; at++) {
        if (text[at] < '0' || text[at] > '9') return false;
        *out = 10 * *out + (text[at] - '0');
      }
      return !left && length <= MOST_DIGITS;
    case HBG_NODE_NAME: {
      const HbgFrame *frame = left ? NULL : hbg_frame_find(place->frame, text, length);
      if (!frame || !frame->value || !hbg_expr_is_constant(elaborator->pool, frame->value)) return false;
      const HbgExprNode *value = hbg_expr_node(elaborator->pool, frame->value);
      if (value->is_boolean || !(fabs(value->value) < LARGEST_INDEX)) return false;
      *out = (int64_t)value->value;
      return (double)*out >= value->value && (double)*out <= value->value;
    }
    case HBG_NODE_BINARY: {
      int64_t a, b;
      if (!right || length != 1 || (*text != '+' && *text != '-')) return false;
      if (!read_index(elaborator, place, left, &a) || !read_index(elaborator, place, right, &b)) return false;
      *out = *text == '+' ? a + b : a - b;
      return fabs((double)*out) < LARGEST_INDEX;
    }
    default: return false;
  }
}

bool hbg_elaborate_index(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const char *what, int64_t *out) {
  if (read_index(elaborator, place, node, out)) return true;
  HbgPlace here = *place;
  here.constant = what;
  here.element = -1;
  here.field = NULL;
  double value;
  if (!hbg_elaborate_constant(elaborator, &here, node, &value)) return false;
  // counts like 3 * (1/3) are integers in all but their last bits
  const double whole = round(value);
  if (fabs(value - whole) <= 1e-12 * fabs(whole) && fabs(whole) < LARGEST_INDEX) {
    *out = (int64_t)whole;
    return true;
  }
  if (fabs(whole) >= LARGEST_INDEX) {
    if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_TOO_LARGE, hbg_tree_span(place->tree, node),
                              "'%s' is %.15g, which is too large for %s",
                              hbg_tree_excerpt(place->tree, node, elaborator->arena), value, what))
      HELP(elaborator, "integers reach to 9e15");
    return false;
  }
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_NOT_INTEGER, hbg_tree_span(place->tree, node),
                            "%s must be an integer, but '%s' is %.15g", what,
                            hbg_tree_excerpt(place->tree, node, elaborator->arena), value))
    HELP(elaborator, "round it, as in floor(%s)", hbg_tree_excerpt(place->tree, node, elaborator->arena));
  return false;
}

/* A name while it is being written: in `small` as long as it fits. */
typedef struct Key {
  HbgArena *arena;
  char small[LONGEST_KEY], *bytes;
  size_t length, size;
} Key;

static void add_to_key(Key *key, const char *text, size_t length) {
  if (key->length + length > key->size) {
    key->size = 2 * (key->length + length);
    char *more = ARENA_NEW(key->arena, char, key->size);
    memcpy(more, key->bytes, key->length);
    key->bytes = more;
  }
  if (length) memcpy(key->bytes + key->length, text, length);
  key->length += length;
}

/* The indices of `node`; false when one is wrong, which is told, or not known yet. */
static bool write_indices(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, Key *key) {
  int index_count = 0;
  for (HbgTreeNode child = tree_first(place->tree, node); child; child = tree_next(place->tree, child)) {
    if (hbg_tree_kind(place->tree, child) != HBG_NODE_INDEX) continue;
    const HbgTreeNode expression = hbg_tree_first_expression(place->tree, child);
    int64_t index;
    if (!expression || !hbg_elaborate_index(elaborator, place, expression, "an index", &index)) return false;
    char digits[22] = "[";
    const int length = hbg_digits(index, digits + 1);
    digits[length + 1] = ']';
    add_to_key(key, digits, (size_t)length + 2);
    index_count++;
  }
  if (index_count <= MOST_INDICES) return true;
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_TOO_LARGE, hbg_tree_span(place->tree, node),
                            "a name has at most %d indices, not %d", MOST_INDICES, index_count))
    HELP(elaborator, "make one index of several, as in a[10*i + j]");
  return false;
}

/* "cell[3]", or "cell[3].left" where `node` is a MEMBER or has PARTs. */
static bool write_key(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, Key *key) {
  uint32_t length;
  const char *name = hbg_tree_text(place->tree, node, &length);
  if (hbg_tree_kind(place->tree, node) == HBG_NODE_MEMBER) {
    const HbgTreeNode owner = hbg_tree_first_expression(place->tree, node);
    if (!owner || !write_key(elaborator, place, owner, key)) return false;
    add_to_key(key, ".", 1);
  }
  add_to_key(key, name, length);
  if (!write_indices(elaborator, place, node, key)) return false;
  for (HbgTreeNode part = tree_first(place->tree, node); part; part = tree_next(place->tree, part)) {
    if (hbg_tree_kind(place->tree, part) != HBG_NODE_PART) continue;
    add_to_key(key, ".", 1);
    if (!write_key(elaborator, place, part, key)) return false;
  }
  return true;
}

const char *hbg_elaborate_key(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  Key key = {.arena = elaborator->arena, .size = LONGEST_KEY};
  key.bytes = key.small;
  add_to_key(&key, place->frame->instance->prefix, place->frame->instance->prefix_length);
  return write_key(elaborator, place, node, &key) ? hbg_arena_text(elaborator->arena, key.bytes, key.length) : NULL;
}

/* "line 12", or "line 12 of parts.hbg". */
static const char *line_of(const HbgElaborator *elaborator, HbgSpan span) {
  const HbgSource *source = hbg_source_at(elaborator->sources, elaborator->file_count, span.begin);
  int line = 1;
  for (uint32_t i = 0; i < span.begin - source->base && i < source->length; i++) line += source->text[i] == '\n';
  return source == elaborator->sources ? hbg_print(elaborator->arena, "line %d", line)
                                       : hbg_print(elaborator->arena, "line %d of %s", line, source->name);
}

void hbg_elaborate_tell_twice(HbgElaborator *elaborator, const char *name, int32_t symbol, HbgSpan span) {
  const HbgScopeSymbol *first = &elaborator->scope.symbols[symbol];
  // what else seems to be wrong with the name comes from the wrong one of the two being meant
  const uint32_t base = (uint32_t)strcspn(name, "[");
  if (hbg_scope_find(&elaborator->unread, name, base) < 0)
    hbg_scope_add(&elaborator->unread, hbg_arena_text(elaborator->arena, name, base), first->kind, symbol, span);
  if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_TWO_OF_ONE_NAME, span,
                            first->kind == HBG_SCOPE_ARRAY ? "'%s' is the name of an array already"
                                                            : "'%s' is declared already", name))
    HELP(elaborator, "%s of that name stands at %s; give one of them another name",
         hbg_elaborate_what(elaborator, first), line_of(elaborator, first->span));
}

/* How much of "d[1].ball[3][2]" is "d[1].ball". */
static uint32_t array_length(const char *key) {
  const char *last = strrchr(key, '.');
  return (uint32_t)(last ? (size_t)(last - key) + strcspn(last, "[") : strcspn(key, "["));
}

/* The name in front of the indices of `key` becomes a symbol too: it knows which indices there are. */
static bool declare_array(HbgElaborator *elaborator, const char *key, int64_t index, int index_count, HbgSpan span) {
  const uint32_t length = array_length(key);
  int32_t symbol = hbg_scope_find(&elaborator->scope, key, length);
  if (symbol < 0) {
    const char *name = hbg_arena_text(elaborator->arena, key, length);
    symbol = hbg_scope_add_array(&elaborator->scope, name, index_count, index, span);
  }
  HbgScopeSymbol *array = &elaborator->scope.symbols[symbol];
  if (array->kind != HBG_SCOPE_ARRAY) {
    hbg_elaborate_tell_twice(elaborator, array->name, symbol, span);
    return false;
  }
  HbgIndexRange *range = hbg_scope_range(&elaborator->scope, array);
  if (index < range->lowest) range->lowest = index;
  if (index > range->highest) range->highest = index;
  return true;
}

/* Adds a symbol of that name; -1 when there is one already, which is told. */
static int32_t declare(HbgElaborator *elaborator, const char *name, HbgScopeKind kind, int32_t index, HbgSpan span) {
  const uint32_t length = (uint32_t)strlen(name);
  const char *last = strrchr(name, '.') ? strrchr(name, '.') + 1 : name;
  if (hbg_elaborate_is_reserved(last, (uint32_t)strlen(last))) {
    if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_RESERVED_NAME, span, "'%s' is a word of the language",
                              last))
      HELP(elaborator, "use another name, for instance '%s_'", last);
    return -1;
  }
  const int32_t known = hbg_scope_find(&elaborator->scope, name, length);
  if (known >= 0) {
    hbg_elaborate_tell_twice(elaborator, name, known, span);
    return -1;
  }
  return hbg_scope_add(&elaborator->scope, name, kind, index, span);
}

int32_t hbg_elaborate_declare(HbgElaborator *elaborator, const char *key, HbgScopeKind kind, int32_t index, HbgSpan span) {
  const char *indices = key + array_length(key);
  int index_count = 0;
  for (const char *at = indices; *at; at++) index_count += *at == '[';
  if (index_count && !declare_array(elaborator, key, strtoll(strrchr(indices, '[') + 1, NULL, 10), index_count, span)) return -1;
  elaborator->declared++;
  return declare(elaborator, key, kind, index, span);
}

int32_t hbg_elaborate_declare_node(HbgElaborator *elaborator, HbgTreeNode node, const HbgFrame *frame, HbgScopeKind kind,
                            int32_t index) {
  const HbgPlace place = place_in(elaborator, frame, NULL);
  const char *name = hbg_elaborate_key(elaborator, &place, node);
  return name ? hbg_elaborate_declare(elaborator, name, kind, index, hbg_tree_token_span(place.tree, node)) : -1;
}
