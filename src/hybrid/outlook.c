/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/outlook.h"

#include <math.h>

#include "hybrid/reach.h"
#include "hybrid/sim.h"

/* What is certain of a difference over a part of the step. */
typedef struct Outlook {
  bool is_certain;  /* it keeps away from 0 */
  bool may_hold;    /* then: with its sign the relation may */
  bool is_resolved; /* it is known to within round-off */
} Outlook;

/* The code for the differences of a conjunction, without that for their comparisons. */
typedef struct HbgGuardWatch {
  HbgSlice slice;
  HbgReach reach;
  Outlook *outlooks; /* over the part that was looked at last (difference_count) */
} HbgGuardWatch;

/* ---- differences ---- */

static HbgGuardWatch *watch_of(HbgSim *sim, const HbgConjunction *conjunction) {
  if (conjunction->watch) return conjunction->watch;
  HbgGuardWatch *watch = ARENA_NEW(sim->arena, HbgGuardWatch, 1);
  const HbgProgram *program = &conjunction->probe.program;
  const int32_t first = conjunction->is_opaque ? 0 : 1; // behind the whole stand the differences
  watch->slice = hbg_program_slice(program, conjunction->probe.outputs + first, conjunction->difference_count + 1 - first, true,
                                   program->main_count, sim->arena, &sim->scratch);
  watch->reach = hbg_reach(sim, conjunction, &watch->slice);
  watch->outlooks = ARENA_NEW(sim->arena, Outlook, conjunction->difference_count);
  ((HbgConjunction *)(uintptr_t)conjunction)->watch = watch; /* made when first asked for */
  return watch;
}

const HbgPolynomial *hbg_outlook(HbgSim *sim, HbgStepWindow *window, const HbgConjunction *conjunction) {
  const HbgSlice *slice = &watch_of(sim, conjunction)->slice;
  HbgPolynomial *registers = hbg_window_registers(sim, &window->of_guard, conjunction->probe.program.register_count);
  for (int32_t at = 0; at < slice->constant_count; at++)
    hbg_polynomial_set(&registers[slice->constants[at]], conjunction->probe.registers[slice->constants[at]]);
  for (int32_t at = 0; at < slice->input_count; at++)
    hbg_window_leaf(sim, window, &slice->inputs[at].leaf, &registers[slice->inputs[at].target]);
  if (!window->is_hopeless) hbg_execute_polynomials(slice->code, 0, slice->count, registers);
  return registers;
}

/* ---- what is certain of them ---- */

/* 1 or -1 where the difference keeps its sign by more than round-off, else 0. */
static int certain_sign(const HbgPolynomial *d) {
  const double band = d->error + HBG_GUARD_BAND * d->size;
  double others = band;
  for (int32_t k = 1; k <= d->degree; k++) others += fabs(d->c[k]);
  if (fabs(d->c[0]) > others) return d->c[0] > 0 ? 1 : -1; // quick, and mostly enough
  const HbgRange range = hbg_polynomial_range(d);
  const double round_off = HBG_GUARD_BAND * d->size;
  return range.least > round_off ? 1 : range.most < -round_off ? -1 : 0;
}

static Outlook outlook(const HbgConjunction *conjunction, int32_t which, const HbgPolynomial *d) {
  const int sign = certain_sign(d);
  return (Outlook){.is_certain = sign != 0,
                   .may_hold = !sign || hbg_conjunction_allows(conjunction, which, sign),
                   .is_resolved = d->error <= 16 * HBG_GUARD_BAND * d->size};
}

/* Of a conjunction with a condition that is no relation: does the whole keep its truth? */
static bool is_certainly(const HbgConjunction *conjunction, const HbgPolynomial *registers, bool value) {
  const HbgPolynomial *whole = &registers[conjunction->probe.outputs[0]];
  return whole->degree == 0 && !(whole->error > 0) && (whole->c[0] > 0.5) == value;
}

bool hbg_outlook_cannot_hold(const HbgConjunction *conjunction, const HbgPolynomial *registers) {
  if (conjunction->is_opaque && is_certainly(conjunction, registers, false)) return true;
  bool cannot = false;
  for (int32_t which = 0; which < conjunction->difference_count; which++) {
    conjunction->watch->outlooks[which] = outlook(conjunction, which, hbg_outlook_difference(registers, conjunction, which));
    cannot = cannot || !conjunction->watch->outlooks[which].may_hold;
  }
  return cannot;
}

bool hbg_outlook_is_clear(const HbgConjunction *conjunction, const HbgPolynomial *registers) {
  if (conjunction->is_opaque) return is_certainly(conjunction, registers, true);
  for (int32_t which = 0; which < conjunction->difference_count; which++) {
    const Outlook *known = &conjunction->watch->outlooks[which];
    if (!known->is_resolved && !known->is_certain) return false;
  }
  return true;
}

bool hbg_outlook_may_vanish(const HbgConjunction *conjunction, int32_t which) {
  return !conjunction->watch->outlooks[which].is_certain;
}

bool hbg_outlook_may_hold_at(const HbgConjunction *conjunction, const HbgPolynomial *registers, double x) {
  for (int32_t which = 0; which < conjunction->difference_count; which++) {
    if (conjunction->watch->outlooks[which].is_certain) continue;
    const HbgPolynomial *d = hbg_outlook_difference(registers, conjunction, which);
    const double value = hbg_polynomial_at(d, x);
    if (fabs(value) > d->error + 2 * HBG_GUARD_BAND * d->size && !hbg_conjunction_allows(conjunction, which, value > 0 ? 1 : -1))
      return false;
  }
  return true;
}

/* ---- boxes ---- */

HbgBoxAnswer hbg_outlook_over_boxes(HbgSim *sim, const HbgConjunction *conjunction, HbgBoxOf *box_of, int32_t *number) {
  HbgStepWindow *window = hbg_window_of_boxes(sim, box_of, number);
  const HbgPolynomial *registers = hbg_outlook(sim, window, conjunction);
  if (!window->is_hopeless && hbg_outlook_cannot_hold(conjunction, registers)) return HBG_BOX_EXCLUDED;
  return window->is_hopeless || window->is_blind ? HBG_BOX_BLIND : HBG_BOX_OPEN;
}

/* ---- the whole step ---- */

bool hbg_outlook_is_far(HbgSim *sim, const HbgConjunction *conjunction) {
  return !conjunction->is_opaque && hbg_reach_is_out(sim, hbg_window(sim, 0, 1), &watch_of(sim, conjunction)->reach, conjunction);
}

bool hbg_ending_holds_soon(const HbgConjunction *conjunction, int32_t which, const HbgEnding *ending, double soon) {
  const HbgOperation relation = conjunction->relations[which];
  const bool is_strict = relation != HBG_OP_LESS_EQUAL && relation != HBG_OP_GREATER_EQUAL;
  const double band = HBG_GUARD_BAND * ending->size;
  if (is_strict && fabs(ending->value) <= band && fabs(ending->slope) * ending->length <= band) return false;
  if (hbg_conjunction_allows(conjunction, which, ending->value > 0 ? 1 : -1)) return true;
  return ending->value * ending->slope < 0 && fabs(ending->value) <= fabs(ending->slope) * soon;
}

bool hbg_outlook_holds_soon(HbgSim *sim, const HbgConjunction *conjunction, double soon) {
  const double length = sim->stepper->t1 - sim->stepper->t0;
  HbgStepWindow *window = hbg_window(sim, 0, 1);
  const HbgPolynomial *registers = hbg_outlook(sim, window, conjunction);
  if (window->is_hopeless || conjunction->is_opaque) return false;
  for (int32_t which = 0; which < conjunction->difference_count; which++) {
    const HbgPolynomial *d = hbg_outlook_difference(registers, conjunction, which);
    const HbgEnding ending = {hbg_polynomial_at(d, 1), hbg_polynomial_slope(d, 1) / length, length, d->size};
    if (!outlook(conjunction, which, d).is_resolved || !hbg_ending_holds_soon(conjunction, which, &ending, soon)) return false;
  }
  return conjunction->difference_count > 0;
}
