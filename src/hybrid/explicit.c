/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/explicit.h"

#include "numerics/dp5.h"
#include "numerics/dp8.h"

static HbgStepper *new_stepper(int method, HbgArena *arena, int32_t n, HbgRightHandSide rhs, void *user) {
  switch (method) {
    case HBG_METHOD_DP5: return hbg_dp5(arena, n, rhs, user);
    case HBG_METHOD_DP8: return hbg_dp8(arena, n, rhs, user);
    default: return hbg_dp5_dp8(arena, n, rhs, user);
  }
}

HbgStepper *hbg_explicit_stepper(const HbgSim *sim, HbgArena *arena, int32_t n, HbgRightHandSide rhs, void *user) {
  HbgStepper *stepper = new_stepper(sim->options.method, arena, n, rhs, user);
  hbg_stepper_set_tolerance(stepper, sim->options.tolerance);
  stepper->threads = sim->threads;
  return stepper;
}

bool hbg_explicit_is_read_between(const HbgSim *sim) { return sim->guards.count > 0 || sim->model->delay_count > 0; }
