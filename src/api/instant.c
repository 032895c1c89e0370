/* SPDX-License-Identifier: BSD-3-Clause
 * The public door to what a run tells of an instant: energies of storages, transitions that fired, impulses. */
#include <math.h>

#include "api/api.h"
#include "hybrid/energy.h"
#include "hybrid/reasons.h"

/* ---- energies ---- */

typedef struct Call {
  HbgRun *run;
  int32_t stored;
} Call;

static HbgStatus make_energy(void *user) {
  const Call *call = user;
  HbgRun *run = call->run;
  if (!run->energies) run->energies = ARENA_NEW(&run->arena, HbgEnergy *, run->model->flat.state_count);
  run->energies[call->stored] = hbg_energy(run->sim, &run->model->flat, call->stored);
  hbg_run_remember(run, (HbgDeed){.kind = HBG_DEED_ENERGY, .index = call->stored});
  return HBG_OK;
}

/* Made when it is asked for first; NULL: there is nothing of that index, or no memory. */
static const HbgEnergy *energy_of(HbgRun *run, int32_t stored) {
  if (!run || run->status == HBG_MEMORY || stored < 0 || stored >= run->model->flat.state_count) return NULL;
  if (run->energies && run->energies[stored]) return run->energies[stored];
  const HbgStatus status = hbg_guarded(&run->arena, make_energy, &(Call){run, stored});
  if (status == HBG_MEMORY) run->status = HBG_MEMORY;
  return status == HBG_OK ? run->energies[stored] : NULL;
}

double hbg_run_energy(HbgRun *run, int32_t stored) {
  const HbgEnergy *energy = energy_of(run, stored);
  return energy ? hbg_energy_now(run->sim, energy) : (double)NAN;
}

const char *hbg_run_energy_reason(HbgRun *run, int32_t stored) {
  const HbgEnergy *energy = energy_of(run, stored);
  return energy ? hbg_energy_reason(energy) : "there is no such stored quantity";
}

/* ---- reasons ---- */

int32_t hbg_run_fired_count(const HbgRun *run) { return run ? hbg_sim_reasons(run->sim)->fired_count : 0; }

HbgFiredTransition hbg_run_fired(const HbgRun *run, int32_t index) {
  return index >= 0 && index < hbg_run_fired_count(run) ? hbg_sim_reasons(run->sim)->fired[index]
                                                        : (HbgFiredTransition){.guard = ""};
}

int32_t hbg_run_impulse_count(const HbgRun *run) { return run ? hbg_sim_reasons(run->sim)->impulse_count : 0; }

HbgImpulse hbg_run_impulse(const HbgRun *run, int32_t index) {
  return index >= 0 && index < hbg_run_impulse_count(run) ? hbg_sim_reasons(run->sim)->impulses[index]
                                                          : (HbgImpulse){0};
}
