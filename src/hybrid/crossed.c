/* SPDX-License-Identifier: BSD-3-Clause
 * Differences that were located at zero in an instant. */
#include "hybrid/crossed.h"

#include <math.h>

static const HbgPair *difference_pair(const HbgConjunction *conjunction, int32_t which) {
  return hbg_probe_pair(&conjunction->probe, 1 + which);
}

static bool has_no_impulse(const HbgPair *difference) { return fabs(difference->area) <= HBG_AREA_BAND * difference->area_size; }

static bool is_within_band(const HbgPair *difference) { return fabs(difference->value) <= HBG_GUARD_BAND * difference->value_size; }

static bool is_inequality(HbgOperation relation) {
  return relation == HBG_OP_LESS || relation == HBG_OP_LESS_EQUAL || relation == HBG_OP_GREATER || relation == HBG_OP_GREATER_EQUAL;
}

static bool is_strict(HbgOperation relation) { return relation == HBG_OP_LESS || relation == HBG_OP_GREATER; }

/* The side on which an inequality holds. */
static int side_of(HbgOperation relation) { return relation == HBG_OP_GREATER || relation == HBG_OP_GREATER_EQUAL ? 1 : -1; }

#define PLAIN 1e-6 /* of what a difference consists of: where it was located, it is much less */

bool hbg_crossed_is_undone(const HbgConjunction *conjunction, const HbgValues *now, const HbgValues *before) {
  hbg_probe_run_pairs((HbgProbe *)(uintptr_t)&conjunction->probe, now, before); /* its registers are work space */
  for (int32_t which = 0; which < conjunction->difference_count; which++) {
    const HbgPair *difference = difference_pair(conjunction, which);
    if (!has_no_impulse(difference) || !(fabs(difference->value) > PLAIN * difference->value_size)) continue;
    if (!hbg_conjunction_allows(conjunction, which, difference->value > 0 ? 1 : -1)) return true;
  }
  return false;
}

void hbg_crossed_note(HbgCrossed *crossed, const HbgConjunction *conjunction, const HbgValues *now,
                      const HbgValues *before, HbgArena *arena) {
  hbg_probe_run_pairs((HbgProbe *)(uintptr_t)&conjunction->probe, now, before); /* its registers are work space */
  for (int32_t which = 0; which < conjunction->difference_count; which++) {
    const HbgOperation relation = conjunction->relations[which];
    const HbgPair *difference = difference_pair(conjunction, which);
    if (!is_inequality(relation) || !has_no_impulse(difference)) continue;
    const int side = side_of(relation);
    // what is located a last digit too early is beyond the band where nothing but itself tells its size
    const bool is_early = side * difference->value < 0;
    if (!is_early && !(is_strict(relation) && is_within_band(difference))) continue;
    ARENA_PUSH(arena, crossed->list, crossed->count, crossed->capacity) =
        (HbgCrossedDifference){conjunction->sides[2 * which], conjunction->sides[2 * which + 1], difference->value,
                               is_strict(relation) ? side : 0};
  }
}

static bool is_same(double a, double b) { return a >= b && a <= b; }

/* Was the difference `which` located, and is it still the same number? `*sign`: that it has. */
static bool is_located(const HbgCrossed *crossed, const HbgConjunction *conjunction, int32_t which, int *sign) {
  const HbgExpr a = conjunction->sides[2 * which], b = conjunction->sides[2 * which + 1];
  const double value = difference_pair(conjunction, which)->value;
  for (int32_t at = 0; at < crossed->count; at++) {
    const HbgCrossedDifference *known = &crossed->list[at];
    const bool is_turned = known->a == b && known->b == a;
    if (!is_turned && !(known->a == a && known->b == b)) continue;
    if (!is_same(is_turned ? -known->value : known->value, value)) continue;
    *sign = is_turned ? -known->sign : known->sign;
    return true;
  }
  return false;
}

bool hbg_crossed_contradict(const HbgCrossed *crossed, const HbgConjunction *conjunction) {
  if (!crossed->count) return false;
  for (int32_t which = 0; which < conjunction->difference_count; which++) {
    const HbgOperation relation = conjunction->relations[which];
    int sign;
    if (!is_inequality(relation) || !has_no_impulse(difference_pair(conjunction, which)) || !is_located(crossed, conjunction, which, &sign)) continue;
    if (sign ? sign != side_of(relation) : is_strict(relation)) return true;
  }
  return false;
}
