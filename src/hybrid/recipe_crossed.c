/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/recipe_crossed.h"

#include "base/numbers.h"
#include "hybrid/local_parts.h"

static bool is_nothing(const HbgRecipeForms *forms, const double *form) {
  for (int32_t at = 0; at < forms->width; at++)
    if (!hbg_is_zero(form[at])) return false;
  return true;
}

static void note(HbgRecipeCrossed *self, HbgRecipeForms *forms, const HbgConjunction *guard) {
  HbgFormPair differences[HBG_RECIPE_MOST_DIFFERENCES];
  if (!hbg_recipe_differences(forms, guard, HBG_PHASE_LOCATED, differences)) return;
  for (int32_t which = 0; which < guard->difference_count; which++) {
    const bool is_above = guard->relations[which] == HBG_OP_GREATER, is_below = guard->relations[which] == HBG_OP_LESS;
    if (!(is_above || is_below) || !is_nothing(forms, differences[which].area)) continue;
    ARENA_PUSH(&forms->sim->scratch, self->list, self->count, self->capacity) =
        (HbgRecipeCrossedDifference){guard->sides[2 * which], guard->sides[2 * which + 1], is_above ? 1 : -1, differences[which]};
  }
}

HbgRecipeCrossed hbg_recipe_crossed(HbgRecipeForms *forms) {
  const HbgLocal *local = forms->sim->local;
  HbgRecipeCrossed self = {0};
  for (int32_t at = 0; at < local->located_count; at++) note(&self, forms, local->located[at]);
  return self;
}

/* a = sign b. */
static bool are_same(const HbgRecipeForms *forms, const double *a, const double *b, int sign) {
  for (int32_t at = 0; at < forms->width; at++)
    if (!hbg_is_zero(a[at] - sign * b[at])) return false;
  return true;
}

bool hbg_recipe_crossed_contradicts(const HbgRecipeCrossed *crossed, const HbgRecipeForms *forms, const HbgConjunction *guard, int32_t which,
                                    const HbgFormPair *form) {
  const HbgExpr a = guard->sides[2 * which], b = guard->sides[2 * which + 1];
  const bool is_above = guard->relations[which] == HBG_OP_GREATER_EQUAL, is_below = guard->relations[which] == HBG_OP_LESS_EQUAL;
  if (!(is_above || is_below) || !is_nothing(forms, form->area)) return false;
  for (int32_t at = 0; at < crossed->count; at++) {
    const HbgRecipeCrossedDifference *known = &crossed->list[at];
    const bool is_turned = known->a == b && known->b == a;
    if (!is_turned && !(known->a == a && known->b == b)) continue;
    const int turn = is_turned ? -1 : 1;
    if (turn * known->side != (is_above ? 1 : -1) && are_same(forms, form->value, known->form.value, turn)) return true;
  }
  return false;
}
