/* SPDX-License-Identifier: BSD-3-Clause
 * The check of units: what must hold at the start. */
#include "model/unit_check.h"

void hbg_check_condition_units(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->condition_node_count; i++) {
    const HbgDeferred *condition = &elaborator->condition_nodes[i];
    const HbgPlace place = place_in(elaborator, condition->frame, NULL);
    const HbgTreeNode left = hbg_tree_first_expression(place.tree, condition->node);
    const HbgTreeNode right = left ? hbg_tree_next_expression(place.tree, left) : 0;
    if (!right) continue;
    const HbgQuantity wanted = hbg_unit_of_expression(elaborator, &place, left);
    const HbgQuantity given = hbg_unit_of_expression(elaborator, &place, right);
    if (wanted.kind == HBG_QUANTITY_KNOWN)
      hbg_tell_unit_wanted(elaborator, &place, right, given, wanted.of, "the left side of the condition");
  }
}
