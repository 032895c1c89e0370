/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/doubt.h"

#include <math.h>
#include <string.h>

#include "hybrid/influence.h"
#include "hybrid/inside.h"
#include "hybrid/sim.h"

static bool is_within_band(const HbgPair *difference) { return fabs(difference->value) <= HBG_GUARD_BAND * difference->value_size; }

static const HbgPair *measure_at(HbgSim *sim, const HbgConjunction *guard, int32_t which, double t) {
  hbg_inside_go_for(sim, t, guard);
  hbg_inside_measure(sim, guard);
  return hbg_probe_pair(&guard->probe, 1 + which);
}

/* Does a difference that begins at zero exceed `error`, relative to its terms, as long as its guard holds? */
static bool is_clear(HbgSim *sim, const HbgConjunction *guard, int32_t which, double error) {
  enum { LOOKS = 16 };
  const double from = sim->crossing.time, length = sim->stepper->t1 - from;
  for (int look = LOOKS; look >= 0; look--) {
    const HbgPair *difference = measure_at(sim, guard, which, from + ldexp(length, -look));
    if (fabs(difference->value) > error * difference->value_size) return true;
    if (look < LOOKS && !(hbg_probe_pair(&guard->probe, 0)->value > 0.5)) return false;
  }
  return false;
}

/* A flight so short that it is less than what the rate with which dense output leaves may err by in that time. */
static bool is_lost(HbgSim *sim, const HbgConjunction *guard, int32_t which, double error) {
  const HbgStepper *stepper = sim->stepper;
  bool is_rough = false;
  for (int32_t at = 0; !is_rough && at < guard->state_count; at++) is_rough = hbg_stepper_leaves_roughly(sim->stepper, guard->states[at]);
  if (!is_rough) return false;
  const HbgPair *middle = measure_at(sim, guard, which, stepper->t0 + (sim->crossing.time - stepper->t0) / 2);
  return fabs(middle->value) <= error * hbg_stepper_theta(stepper, sim->crossing.time) * middle->value_size;
}

static bool is_doubtful_guard(HbgSim *sim, const HbgConjunction *guard, double error) {
  const double plain = fmax(error, HBG_GUARD_BAND);
  const double begin = sim->stepper->t0;
  if (guard->surface || sim->rhythms[guard->machine].last < begin) return false;
  for (int32_t which = 0; which < guard->difference_count; which++)
    if (is_within_band(measure_at(sim, guard, which, begin)) && (!is_clear(sim, guard, which, plain) || is_lost(sim, guard, which, error))) return true;
  return false;
}

static bool is_doubtful(HbgSim *sim, double error) {
  bool is_any = false;
  sim->now.state_scale = sim->scale;
  for (int32_t at = 0; !is_any && at < sim->crossing.count; at++) is_any = is_doubtful_guard(sim, sim->crossing.list[at], error);
  sim->now.state_scale = NULL;
  return is_any;
}

/* The step once more, as far as `end`. */
static HbgStatus repeat_until(HbgSim *sim, double end) {
  const HbgStepper *stepper = sim->stepper;
  const int32_t count = sim->model->state_count;
  const double begin = stepper->t0;
  double *from = ARENA_NEW(&sim->scratch, double, count);
  if (count) memcpy(from, stepper->y0, (size_t)count * sizeof *from);
  HbgStepResult result = hbg_stepper_restart(sim->stepper, begin, from);
  if (result == HBG_STEP_TAKEN) result = hbg_stepper_step(sim->stepper, end);
  if (result != HBG_STEP_TAKEN) return hbg_integrate_stop(sim, result);
  hbg_past_cut(sim, begin);
  return hbg_past_repeat_step(sim);
}

/* Where the polynomials of a long step are less exact than the step, what turns in it is looked for along one that ends just behind. */
static HbgStatus end_behind_crossing(HbgSim *sim) {
  enum { MOST_ROUNDS = 4 };
  static const double BEHIND = 1.0 / 64; // errors next to the end go with the square of how near it is
  for (int round = 0; round < MOST_ROUNDS && sim->crossing.found; round++) {
    const HbgStepper *stepper = sim->stepper;
    if (!hbg_stepper_is_rough(sim->stepper, hbg_stepper_theta(stepper, sim->crossing.time))) return HBG_OK;
    const double end = sim->crossing.time + BEHIND * (stepper->t1 - stepper->t0);
    if (!(end < stepper->t1)) return HBG_OK;
    TRY(repeat_until(sim, end));
    sim->crossing = hbg_influence_locate(sim);
  }
  return HBG_OK;
}

HbgStatus hbg_doubt_settle(HbgSim *sim) {
  enum { MOST_ROUNDS = 8 };
  static const double SHORTER = 0.125, BETTER = 1.0 / 512; // errors of a step go with a higher power of its length
  double error = sim->options.tolerance;
  if (!sim->crossing.found || sim->options.method == HBG_METHOD_EULER || hbg_influence_goes_on(sim)) return HBG_OK;
  TRY(end_behind_crossing(sim));
  for (int round = 0; round < MOST_ROUNDS && sim->crossing.found && is_doubtful(sim, error); round++) {
    const HbgStepper *stepper = sim->stepper;
    const double end = stepper->t0 + SHORTER * (stepper->t1 - stepper->t0);
    if (!(end > stepper->t0)) return HBG_OK;
    const HbgStatus status = repeat_until(sim, end);
    if (status != HBG_OK) return status;
    sim->crossing = hbg_influence_locate(sim);
    error *= BETTER;
  }
  return HBG_OK;
}
