/* SPDX-License-Identifier: BSD-3-Clause
 * Taking bonds out of chains: of `a -> b -> c -> d` without `b -> c` the chains `a -> b` and `c -> d` are left. */
#include <string.h>

#include "editor/edit_insertion.h"

/* A part of a chain that is left: from one end to another, with at least one arrow. */
typedef struct Run {
  HbgTreeNode first, last; /* BOND_END */
  HbgTreeNode arrow;       /* the last */
} Run;

static HbgTreeNode next_of(const HbgTree *tree, HbgTreeNode node) { return tree->nodes[node].next_sibling; }

/* Behind the end of an arrow, and the name of the bond where it has one. */
static uint32_t behind_arrow(const HbgTree *tree, HbgTreeNode arrow, HbgTreeNode end) {
  const HbgTreeNode name = tree->nodes[arrow].first_child;
  return name ? hbg_tree_span(tree, name).end : hbg_tree_span(tree, end).end;
}

static void cut(HbgEditing *editing, uint32_t begin, uint32_t end, const char *text) {
  if (begin < end || *text) hbg_edit_replace(editing, (HbgSpan){begin, end}, text);
}

/* What stands between two chains that were one. */
static const char *separator(const HbgEditing *editing, HbgTreeNode chain) {
  const HbgTree *tree = editing->tree;
  const uint32_t at = hbg_tree_span(tree, chain).begin, line = hbg_edit_line_begin(tree, at);
  if (!hbg_edit_begins_line(tree, at)) return "; ";
  return hbg_print(editing->arena, "%s%.*s", editing->line_end, (int)(at - line), tree->text + line);
}

void hbg_edit_cut_chain(HbgEditing *editing, HbgTreeNode chain) {
  const HbgTree *tree = editing->tree;
  uint32_t kept = hbg_tree_span(tree, chain).begin; /* up to here is done */
  bool has_run = false;
  HbgTreeNode from = tree->nodes[chain].first_child;
  for (HbgTreeNode arrow = next_of(tree, from); arrow;) {
    HbgTreeNode to = next_of(tree, arrow);
    if (editing->is_cut[arrow]) {
      from = to;
      arrow = next_of(tree, to);
      continue;
    }
    Run run = {from, to, arrow};
    for (arrow = next_of(tree, to); arrow && !editing->is_cut[arrow]; arrow = next_of(tree, to)) {
      to = next_of(tree, arrow);
      run.last = to;
      run.arrow = arrow;
    }
    cut(editing, kept, hbg_tree_span(tree, run.first).begin, has_run ? separator(editing, chain) : "");
    // the name of the bond that led to the first end is gone with it
    const HbgTreeNode second = next_of(tree, run.first);
    const uint32_t end = hbg_tree_span(tree, run.first).end;
    for (HbgTreeNode before = tree->nodes[chain].first_child; before != run.first; before = next_of(tree, before))
      if (next_of(tree, before) == run.first && hbg_tree_kind(tree, before) == HBG_NODE_BOND_ARROW && second)
        cut(editing, end, behind_arrow(tree, before, run.first), "");
    kept = behind_arrow(tree, run.arrow, run.last);
    has_run = true;
    from = to;
  }
  cut(editing, kept, hbg_tree_span(tree, chain).end, "");
}
