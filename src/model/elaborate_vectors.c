/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: elements that are declared several at once, `I body[1..3](2)`, and bonds that join several at once,
 * `motion => body`. */
#include <string.h>

#include "base/text.h"
#include "model/elaborator.h"

/* ---- ranges ---- */

bool hbg_elaborate_has_range(const HbgTree *tree, HbgTreeNode node) {
  for (HbgTreeNode child = tree_first(tree, node); child; child = tree_next(tree, child))
    if (hbg_tree_kind(tree, child) == HBG_NODE_INDEX && hbg_tree_child_count(tree, child) == 2) return true;
  return false;
}

static bool range_of(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode index, int64_t *first, int64_t *last) {
  const HbgTreeNode begin = hbg_tree_first_expression(place->tree, index);
  const HbgTreeNode end = begin ? hbg_tree_next_expression(place->tree, begin) : 0;
  if (!begin || !hbg_elaborate_index(elaborator, place, begin, "an index", first)) return false;
  *last = *first;
  return !end || hbg_elaborate_index(elaborator, place, end, "an index", last);
}

/* Each of `count` names with each of the indices behind it. */
static const char **with_indices(HbgElaborator *elaborator, const char *const *names, int32_t count, int64_t first,
                                 int64_t last) {
  const int64_t times = last < first ? 0 : last - first + 1;
  const char **more = ARENA_NEW(elaborator->arena, const char *, count * times);
  for (int32_t i = 0; i < count; i++)
    for (int64_t k = 0; k < times; k++)
      more[i * times + k] = hbg_print(elaborator->arena, "%s[%lld]", names[i], (long long)(first + k));
  return more;
}

/* `names` with the indices of `node` behind them, and its parts: "body" becomes "body[1].v". NULL: told, or not known yet. */
static const char **go_on(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const char **names, int32_t *count) {
  for (HbgTreeNode child = tree_first(place->tree, node); child && names; child = tree_next(place->tree, child)) {
    int64_t first, last;
    if (hbg_tree_kind(place->tree, child) == HBG_NODE_PART) {
      const char *part = hbg_elaborate_word(elaborator, place->tree, child);
      for (int32_t i = 0; i < *count; i++) names[i] = hbg_print(elaborator->arena, "%s.%s", names[i], part);
      names = go_on(elaborator, place, child, names, count);
    }
    if (hbg_tree_kind(place->tree, child) != HBG_NODE_INDEX) continue;
    if (!range_of(elaborator, place, child, &first, &last)) return NULL;
    const int64_t times = last < first ? 0 : last - first + 1;
    if (hbg_elaborate_too_large(elaborator, hbg_tree_span(place->tree, child), times * *count)) return NULL;
    names = with_indices(elaborator, names, *count, first, last);
    *count *= (int32_t)times;
  }
  return names;
}

const char **hbg_elaborate_keys(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int32_t *count) {
  uint32_t length;
  const char *text = hbg_tree_text(place->tree, node, &length);
  const char **names = ARENA_NEW(elaborator->arena, const char *, 1);
  names[0] = hbg_print(elaborator->arena, "%s%.*s", place->frame->instance->prefix, (int)length, text);
  *count = 1;
  return go_on(elaborator, place, node, names, count);
}

/* ---- the ends of vector bonds ---- */

/* Declarations of the nodes that one end stands for, or -1 - index of ports of instances. */
typedef struct End {
  int32_t *nodes;
  int32_t count, capacity;
  bool is_wrong; /* told */
} End;

static void add_to_end(HbgElaborator *elaborator, End *end, int32_t declaration) {
  ARENA_PUSH(elaborator->arena, end->nodes, end->count, end->capacity) = declaration;
}

static void add_field(HbgElaborator *elaborator, End *end, const HbgFieldDeclaration *field, bool is_head) {
  const bool is_two_port = field->kind == HBG_ELEMENT_TF || field->kind == HBG_ELEMENT_GY;
  const int32_t first = is_two_port && !is_head ? field->columns : 0;
  const int32_t count = is_two_port && is_head ? field->columns : field->rows;
  for (int32_t i = 0; i < count; i++) add_to_end(elaborator, end, field->ports[first + i]);
}

/* The elements of an array, or of what is left of one behind some of its indices: "motion" or "motion[2]" of motion[2][3]. */
static void add_array(HbgElaborator *elaborator, End *end, const HbgScopeSymbol *array, const char *key) {
  const HbgIndexRange *range = hbg_scope_range(&elaborator->scope, array);
  for (int64_t i = range->lowest; i <= range->highest; i++) {
    const char *name = hbg_print(elaborator->arena, "%s[%lld]", key, (long long)i);
    const int32_t found = hbg_scope_find(&elaborator->scope, name, (uint32_t)strlen(name));
    const HbgScopeSymbol *symbol = found < 0 ? NULL : &elaborator->scope.symbols[found];
    if (symbol && symbol->kind == HBG_SCOPE_NODE) add_to_end(elaborator, end, symbol->index);
    else if (symbol && symbol->kind == HBG_SCOPE_PORT) add_to_end(elaborator, end, -1 - symbol->index);
  }
}

static const HbgScopeSymbol *array_of(const HbgElaborator *elaborator, const char *key) {
  const char *last = strrchr(key, '[');
  if (!last) return NULL;
  const int32_t found = hbg_scope_find(&elaborator->scope, key, (uint32_t)(strchr(strrchr(key, '.') ? strrchr(key, '.') : key, '[') - key));
  return found >= 0 && elaborator->scope.symbols[found].kind == HBG_SCOPE_ARRAY ? &elaborator->scope.symbols[found] : NULL;
}

static bool all_in_reach(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const char *key, const End *end,
                         int32_t first) {
  for (int32_t i = first; i < end->count; i++) {
    const bool is_port = end->nodes[i] < 0;
    const HbgNodeDeclaration *declaration = is_port ? NULL : &elaborator->nodes[end->nodes[i]];
    const HbgInstance *instance = is_port ? elaborator->power_ports[-1 - end->nodes[i]].instance : declaration->frame->instance;
    if (!hbg_elaborate_may_reach(elaborator, place, node, key, instance, is_port || declaration->is_port)) return false;
  }
  return true;
}

static void add_name(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const char *key, bool is_head,
                     End *end) {
  const int32_t found = hbg_elaborate_find(elaborator, place, key), before = end->count;
  const HbgScopeSymbol *symbol = found < 0 ? array_of(elaborator, key) : &elaborator->scope.symbols[found];
  const int32_t side = found < 0 ? hbg_elaborate_side(elaborator, key, is_head) : -1;
  if (side >= 0) add_to_end(elaborator, end, side);
  else if (symbol && symbol->kind == HBG_SCOPE_FIELD) add_field(elaborator, end, &elaborator->fields[symbol->index], is_head);
  else if (symbol && symbol->kind == HBG_SCOPE_NODE) add_to_end(elaborator, end, symbol->index);
  else if (symbol && symbol->kind == HBG_SCOPE_PORT) add_to_end(elaborator, end, -1 - symbol->index);
  else if (symbol && symbol->kind == HBG_SCOPE_ARRAY) add_array(elaborator, end, symbol, key);
  if (end->count > before) {
    end->is_wrong = !all_in_reach(elaborator, place, node, key, end, before);
    return;
  }
  end->is_wrong = true;
  if (!symbol) hbg_elaborate_unknown(elaborator, place, node, key, "array or field", 1u << HBG_SCOPE_ARRAY | 1u << HBG_SCOPE_FIELD);
  else if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_KIND, hbg_tree_span(place->tree, node),
                                 "'%s' is %s; vector bonds join arrays of elements and junctions, and fields", key,
                                 symbol->kind == HBG_SCOPE_ARRAY ? "an array of something else"
                                                                  : hbg_elaborate_what(elaborator, symbol)))
    HELP(elaborator, "declare the parts at once: 1 motion[1..3]");
}

static End find_end(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, bool is_head) {
  End end = {0};
  int32_t count;
  const char **keys = hbg_elaborate_keys(elaborator, place, node, &count);
  if (!keys || !count) end.is_wrong = true;
  for (int32_t i = 0; keys && i < count && !end.is_wrong; i++) add_name(elaborator, place, node, keys[i], is_head, &end);
  return end;
}

/* ---- the bonds ---- */

static void tell_sizes(HbgElaborator *elaborator, const HbgPlace *place, const HbgVectorBond *bond, const End *tail,
                       const End *head) {
  const HbgSpan span = {hbg_tree_span(place->tree, bond->tail).begin, hbg_tree_span(place->tree, bond->head).end};
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_VECTOR_SIZES, span,
                            "'%s' has %d part%s and '%s' %d: a vector bond joins as many of each",
                            hbg_tree_excerpt(place->tree, bond->tail, elaborator->arena), (int)tail->count,
                            tail->count == 1 ? "" : "s", hbg_tree_excerpt(place->tree, bond->head, elaborator->arena),
                            (int)head->count))
    HELP(elaborator, "join some of them with a range, as in: motion[1..2] => body");
}

static const char *name_of_part(HbgElaborator *elaborator, const HbgPlace *place, const HbgVectorBond *bond, int32_t part) {
  const char *base = bond->name ? hbg_elaborate_key(elaborator, place, bond->name) : NULL;
  if (!base) return NULL;
  const char *name = hbg_print(elaborator->arena, "%s[%d]", base, (int)part + 1);
  const int32_t symbol = hbg_elaborate_declare(elaborator, name, HBG_SCOPE_BOND, elaborator->bond_count,
                                               hbg_tree_token_span(place->tree, bond->name));
  return symbol < 0 ? NULL : elaborator->scope.symbols[symbol].name;
}

static void expand(HbgElaborator *elaborator, const HbgVectorBond *bond) {
  const HbgPlace place = place_in(elaborator, bond->frame, NULL);
  const End tail = find_end(elaborator, &place, bond->tail, false), head = find_end(elaborator, &place, bond->head, true);
  if (tail.is_wrong || head.is_wrong) {
    elaborator->has_lost_bonds = true;
    return;
  }
  if (tail.count != head.count) {
    elaborator->has_lost_bonds = true;
    tell_sizes(elaborator, &place, bond, &tail, &head);
    return;
  }
  for (int32_t i = 0; i < tail.count; i++) {
    const char *name = name_of_part(elaborator, &place, bond, i);
    ARENA_PUSH(elaborator->arena, elaborator->bonds, elaborator->bond_count, elaborator->bond_capacity) = (HbgBondDeclaration){
        .tail_declaration = tail.nodes[i], .head_declaration = head.nodes[i], .frame = bond->frame, .name = name,
        .span = {hbg_tree_span(place.tree, bond->tail).begin, hbg_tree_span(place.tree, bond->head).end},
        .order = elaborator->bond_count, .arrow = bond->arrow, .home = bond->frame};
  }
}

void hbg_elaborate_vector_bonds(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->vector_bond_count; i++) expand(elaborator, &elaborator->vector_bonds[i]);
}
