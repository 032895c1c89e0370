/* SPDX-License-Identifier: BSD-3-Clause
 * Bonds of what becomes a submodel. A chain falls into runs of arrows, those inside and those outside; an arrow that crosses belongs to
 * both, and ends at a port on each side: `a -> in -> b` is `a -> part.a` and `part.b -> b` outside, and `a -> in -> b` inside. */
#include <string.h>

#include "editor/extract.h"

typedef struct Chain {
  HbgExtract *extract;
  HbgTreeNode node, *ends, *arrows; /* ends: one more */
  int32_t count;                    /* arrows */
  const char **ports;               /* by arrow: NULL where it does not cross */
} Chain;

static bool is_inside(const Chain *chain, int32_t end) {
  return hbg_extract_is_inside(chain->extract, chain->ends[end]);
}
static bool crosses(const Chain *chain, int32_t arrow) {
  return is_inside(chain, arrow) != is_inside(chain, arrow + 1);
}

static Chain chain_of(HbgExtract *self, HbgTreeNode node) {
  const int32_t count = hbg_tree_child_count(self->tree, node) / 2;
  Chain chain = {.extract = self, .node = node, .count = count};
  chain.ends = ARENA_NEW(self->arena, HbgTreeNode, count + 1);
  chain.arrows = ARENA_NEW(self->arena, HbgTreeNode, count + 1);
  chain.ports = ARENA_NEW(self->arena, const char *, count + 1);
  HbgTreeNode child = self->tree->nodes[node].first_child;
  for (int32_t i = 0; child; i++, child = self->tree->nodes[child].next_sibling)
    *(i % 2 ? &chain.arrows[i / 2] : &chain.ends[i / 2]) = child;
  return chain;
}

static bool touches(const Chain *chain) {
  for (int32_t i = 0; i <= chain->count; i++)
    if (is_inside(chain, i)) return true;
  return false;
}

/* ---- loops ---- */

void hbg_extract_refuse_loops(HbgExtract *self, HbgTreeNode owner) {
  for (HbgTreeNode child = self->tree->nodes[owner].first_child; child; child = self->tree->nodes[child].next_sibling) {
    if (hbg_tree_kind(self->tree, child) == HBG_NODE_FOR) hbg_extract_refuse_loops(self, child);
    if (hbg_tree_kind(self->tree, child) != HBG_NODE_BOND_CHAIN || hbg_tree_kind(self->tree, owner) != HBG_NODE_FOR)
      continue;
    const Chain chain = chain_of(self, child);
    if (touches(&chain))
      hbg_edit_refuse(self->editing,
                      "a loop makes bonds of what is selected (`%s`): put the loop into a submodel by hand",
                      hbg_node_text(self->editing->view, child));
  }
}

/* ---- names ---- */

void hbg_extract_bond_names(HbgExtract *self) {
  for (HbgTreeNode child = self->tree->nodes[self->body].first_child; child;
       child = self->tree->nodes[child].next_sibling) {
    if (hbg_tree_kind(self->tree, child) != HBG_NODE_BOND_CHAIN) continue;
    const Chain chain = chain_of(self, child);
    for (int32_t i = 0; i < chain.count; i++) {
      const HbgTreeNode bond = hbg_names_child(self->tree, chain.arrows[i], HBG_NODE_BOND_NAME);
      const int32_t name = bond ? hbg_extract_own_name(self, bond) : -1;
      if (name >= 0 && is_inside(&chain, i) && is_inside(&chain, i + 1)) self->move[name] = HBG_MOVE_IN;
    }
  }
}

/* ---- ports ---- */

static void make_ports(Chain *chain) {
  HbgExtract *self = chain->extract;
  for (int32_t i = 0; i < chain->count; i++) {
    if (!crosses(chain, i)) continue;
    const HbgTreeNode outside = chain->ends[is_inside(chain, i) ? i + 1 : i];
    uint32_t length;
    if (*hbg_tree_text(self->tree, chain->arrows[i], &length) == '=') {
      hbg_edit_refuse(
          self->editing,
          "`%s` are several bonds at once, and some of them would lead out of the submodel: select both ends",
          hbg_node_text(self->editing->view, chain->node));
      return;
    }
    // called as what is outside, when that is not taken by something that is handed in
    const char *stem = hbg_node_word(self->editing->view, outside), *name = stem;
    bool is_taken = false;
    for (int32_t k = 0; k < self->formal_count; k++) is_taken = is_taken || !strcmp(self->formals[k].name, stem);
    if (is_taken || hbg_extract_is_inside(self, outside)) name = hbg_extract_free_name(self, stem);
    ARENA_PUSH(self->arena, self->formals, self->formal_count, self->formal_capacity) =
        (HbgExtractFormal){"port", name, NULL};
    chain->ports[i] = name;
  }
}

/* ---- runs ---- */

/* The end `end` of arrow `arrow` as it is written on one side. */
static const char *end_text(const Chain *chain, int32_t end, int32_t arrow, bool inside) {
  HbgExtract *self = chain->extract;
  if (is_inside(chain, end) == inside) return hbg_node_text(self->editing->view, chain->ends[end]);
  return inside ? chain->ports[arrow] : hbg_join(self->arena, self->instance, ".", chain->ports[arrow]);
}

static bool is_of_side(const Chain *chain, int32_t arrow, bool inside) {
  return is_inside(chain, arrow) == inside || is_inside(chain, arrow + 1) == inside;
}

/* The name of a bond that crosses stays outside. */
static void add_arrow(const Chain *chain, int32_t arrow, bool inside, HbgText *text) {
  HbgExtract *self = chain->extract;
  const HbgTreeNode bond = hbg_names_child(self->tree, chain->arrows[arrow], HBG_NODE_BOND_NAME);
  uint32_t length;
  const char *sign = hbg_tree_text(self->tree, chain->arrows[arrow], &length);
  hbg_text_add(text, " %.*s %s", (int)length, sign, end_text(chain, arrow + 1, arrow, inside));
  if (bond && !(inside && crosses(chain, arrow))) hbg_text_add(text, " : %s", hbg_node_text(self->editing->view, bond));
}

/* A run goes on through an end that is on this side. */
static void add_runs(const Chain *chain, bool inside, const char *between, HbgText *text) {
  bool goes_on = false;
  for (int32_t i = 0; i < chain->count; i++) {
    if (!is_of_side(chain, i, inside)) {
      goes_on = false;
      continue;
    }
    if (!goes_on) hbg_text_add(text, "%s%s", text->length ? between : "", end_text(chain, i, i, inside));
    add_arrow(chain, i, inside, text);
    goes_on = is_inside(chain, i + 1) == inside;
  }
}

static bool is_moved_whole(const Chain *chain) {
  for (int32_t i = 0; i <= chain->count; i++)
    if (!is_inside(chain, i)) return false;
  return true;
}

static void divide(Chain *chain) {
  HbgExtract *self = chain->extract;
  const bool has_lines = hbg_edit_ends_line(self->tree, hbg_tree_span(self->tree, chain->node).end);
  HbgText outside = hbg_text(self->arena), inside = hbg_text(self->arena);
  make_ports(chain);
  if (self->editing->reason) return;
  add_runs(chain, false, has_lines ? "\n" : "; ", &outside);
  add_runs(chain, true, "\n", &inside);
  hbg_edit_write(self->editing, hbg_tree_span(self->tree, chain->node), outside.bytes);
  hbg_text_add(&self->inside, "%s\n", inside.bytes);
}

void hbg_extract_chain(HbgExtract *self, HbgTreeNode node) {
  Chain chain = chain_of(self, node);
  if (is_moved_whole(&chain))
    hbg_extract_statement(self, node);
  else if (touches(&chain))
    divide(&chain);
}
