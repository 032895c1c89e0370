/* SPDX-License-Identifier: BSD-3-Clause
 * Who relies on the states of sets (promise.h), and who does no more. */
#include "hybrid/coupled.h"
#include "hybrid/local_parts.h"

void hbg_coupled_forget_promises(HbgSim *sim) {
  for (int32_t state = 0; state < sim->model->state_count + HBG_COUPLED_TIMES; state++) sim->local->coupled->promises[state] = (HbgStatePromise){.bend = -1};
}

void hbg_coupled_rely_on_series(HbgCoupledRun *run, int32_t state) { run->promises[state].time = (double)NAN; }
