/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/recipe_crossed.h"

#include "base/numbers.h"
#include "hybrid/local_parts.h"

static bool is_nothing(const HbgRecipeForms *forms, const double *form) {
  for (int32_t at = 0; at < forms->width; at++)
    if (!hbg_is_zero(form[at])) return false;
  return true;
}

static bool is_strict(HbgOperation relation) { return relation == HBG_OP_GREATER || relation == HBG_OP_LESS; }
static bool includes_equality(HbgOperation relation) { return relation == HBG_OP_GREATER_EQUAL || relation == HBG_OP_LESS_EQUAL; }

/* Has `other` a condition that may hold by equality where one of `guard` has just been located? */
static bool is_complement(const HbgConjunction *guard, const HbgConjunction *other) {
  for (int32_t which = 0; which < guard->difference_count; which++) {
    const HbgExpr a = guard->sides[2 * which], b = guard->sides[2 * which + 1];
    if (!is_strict(guard->relations[which])) continue;
    for (int32_t at = 0; at < other->difference_count; at++) {
      const HbgExpr c = other->sides[2 * at], d = other->sides[2 * at + 1];
      if (includes_equality(other->relations[at]) && ((a == c && b == d) || (a == d && b == c))) return true;
    }
  }
  return false;
}

/* Does any guard of the instant's machines ask? */
static bool is_asked(const HbgSim *sim, const HbgConjunction *located) {
  const HbgGuards *guards = &sim->guards;
  for (int32_t at = 0; at < sim->scope.machines.count; at++) {
    const int32_t machine = sim->scope.machines.list[at];
    for (int32_t guard = guards->first[guards->start[machine]]; guard < guards->first[guards->start[machine + 1]]; guard++)
      if (is_complement(located, &guards->list[guard])) return true;
  }
  return false;
}

static void note(HbgRecipeCrossed *self, HbgRecipeForms *forms, const HbgConjunction *guard) {
  HbgFormPair differences[HBG_RECIPE_MOST_DIFFERENCES];
  if (!is_asked(forms->sim, guard) || !hbg_recipe_differences(forms, guard, HBG_PHASE_LOCATED, differences)) return;
  for (int32_t which = 0; which < guard->difference_count; which++) {
    const bool is_above = guard->relations[which] == HBG_OP_GREATER;
    if (!is_strict(guard->relations[which]) || !is_nothing(forms, differences[which].area)) continue;
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
  if (!includes_equality(guard->relations[which]) || !is_nothing(forms, form->area)) return false;
  const bool is_above = guard->relations[which] == HBG_OP_GREATER_EQUAL;
  for (int32_t at = 0; at < crossed->count; at++) {
    const HbgRecipeCrossedDifference *known = &crossed->list[at];
    const bool is_turned = known->a == b && known->b == a;
    if (!is_turned && !(known->a == a && known->b == b)) continue;
    const int turn = is_turned ? -1 : 1;
    if (turn * known->side != (is_above ? 1 : -1) && are_same(forms, form->value, known->form.value, turn)) return true;
  }
  return false;
}
