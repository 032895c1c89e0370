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

const char **hbg_elaborate_keys(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int32_t *count) {
  uint32_t length;
  const char *text = hbg_tree_text(place->tree, node, &length);
  const char **names = ARENA_NEW(elaborator->arena, const char *, 1);
  names[0] = hbg_print(elaborator->arena, "%s%.*s", place->frame->instance->prefix, (int)length, text);
  *count = 1;
  for (HbgTreeNode child = tree_first(place->tree, node); child; child = tree_next(place->tree, child)) {
    int64_t first, last;
    if (hbg_tree_kind(place->tree, child) != HBG_NODE_INDEX) continue;
    if (!range_of(elaborator, place, child, &first, &last)) return NULL;
    const int64_t times = last < first ? 0 : last - first + 1;
    if (hbg_elaborate_too_large(elaborator, hbg_tree_span(place->tree, child), times * *count)) return NULL;
    names = with_indices(elaborator, names, *count, first, last);
    *count *= (int32_t)times;
  }
  return names;
}

