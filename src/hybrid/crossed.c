/* SPDX-License-Identifier: BSD-3-Clause
 * Differences that were located at zero in an instant. */
#include "hybrid/crossed.h"

#include <math.h>

static const HbgPair *difference_pair(const HbgConjunction *conjunction, int32_t which) {
  return hbg_probe_pair(&conjunction->probe, 1 + which);
}

static bool is_within_band(const HbgPair *difference) {
  return fabs(difference->area) <= HBG_AREA_BAND * difference->area_size &&
         fabs(difference->value) <= HBG_GUARD_BAND * difference->value_size;
}

void hbg_crossed_note(HbgCrossed *crossed, const HbgConjunction *conjunction, const HbgValues *now,
                      const HbgValues *before, HbgArena *arena) {
  hbg_probe_run_pairs((HbgProbe *)(uintptr_t)&conjunction->probe, now, before); /* its registers are work space */
  for (int32_t which = 0; which < conjunction->difference_count; which++) {
    const HbgOperation relation = conjunction->relations[which];
    const HbgPair *difference = difference_pair(conjunction, which);
    if ((relation != HBG_OP_LESS && relation != HBG_OP_GREATER) || !is_within_band(difference)) continue;
    ARENA_PUSH(arena, crossed->list, crossed->count, crossed->capacity) =
        (HbgCrossedDifference){conjunction->sides[2 * which], conjunction->sides[2 * which + 1], difference->value,
                               relation == HBG_OP_GREATER ? 1 : -1};
  }
}

static bool is_same(double a, double b) { return a >= b && a <= b; }

/* The sign that was located of the difference `which`; 0 where none was, or where it is another number by now. */
static int located_sign(const HbgCrossed *crossed, const HbgConjunction *conjunction, int32_t which) {
  const HbgExpr a = conjunction->sides[2 * which], b = conjunction->sides[2 * which + 1];
  const double value = difference_pair(conjunction, which)->value;
  for (int32_t at = 0; at < crossed->count; at++) {
    const HbgCrossedDifference *known = &crossed->list[at];
    if (known->a == a && known->b == b && is_same(known->value, value)) return known->sign;
    if (known->a == b && known->b == a && is_same(known->value, -value)) return -known->sign;
  }
  return 0;
}

bool hbg_crossed_contradict(const HbgCrossed *crossed, const HbgConjunction *conjunction) {
  if (!crossed->count) return false;
  for (int32_t which = 0; which < conjunction->difference_count; which++) {
    const HbgOperation relation = conjunction->relations[which];
    if ((relation != HBG_OP_LESS_EQUAL && relation != HBG_OP_GREATER_EQUAL) ||
        !is_within_band(difference_pair(conjunction, which)))
      continue;
    const int sign = located_sign(crossed, conjunction, which);
    if (sign && !hbg_conjunction_allows(conjunction, which, sign)) return true;
  }
  return false;
}
