/* SPDX-License-Identifier: BSD-3-Clause
 * Semantics 11, with unknown states: they are found in the mode that machines begin in; the instant is gone through; where machines
 * have changed by then, it is all done again from the mode they have come to. */
#include "hybrid/initial.h"

#include <string.h>

/* What the first instant changes, and what is put back for another try. */
typedef struct Beginning {
  HbgSim *sim;
  HbgValues values;
  double *scale;
  int32_t warning_count;
  int32_t **modes, mode_count, mode_capacity; /* that have been tried: states of all machines */
} Beginning;

static bool any_unknown(const HbgFlatModel *model) {
  for (int32_t state = 0; state < model->state_count; state++)
    if (model->states[state].is_unknown) return true;
  return false;
}

static Beginning remember(HbgSim *sim) {
  Beginning made = {.sim = sim, .values = hbg_values(sim->model, &sim->scratch), .warning_count = sim->warning_count};
  made.scale = ARENA_NEW(&sim->scratch, double, sim->model->state_count);
  hbg_values_copy(sim->model, &made.values, &sim->now);
  memcpy(made.scale, sim->scale, (size_t)sim->model->state_count * sizeof *made.scale);
  return made;
}

/* As at the beginning, but for the machines, which are in the states they have come to. */
static void begin_again(Beginning *self, const int32_t *phi) {
  HbgSim *sim = self->sim;
  const HbgFlatModel *model = sim->model;
  hbg_values_copy(model, &sim->now, &self->values);
  hbg_values_copy(model, &sim->before, &self->values);
  memcpy(sim->scale, self->scale, (size_t)model->state_count * sizeof *self->scale);
  if (model->machine_count) memcpy(sim->now.phi, phi, (size_t)model->machine_count * sizeof *phi);
  sim->queue_count = 0;
  sim->statistics.events = 0;
  sim->warning_count = self->warning_count;
  hbg_mode_enter(sim, NULL, -1);
}

static bool same_mode(const HbgSim *sim, const int32_t *a, const int32_t *b) {
  return !sim->model->machine_count || memcmp(a, b, (size_t)sim->model->machine_count * sizeof *a) == 0;
}

static int32_t *keep_mode(Beginning *self) {
  const int32_t count = self->sim->model->machine_count;
  int32_t *phi = ARENA_NEW(&self->sim->scratch, int32_t, count);
  if (count) memcpy(phi, self->sim->now.phi, (size_t)count * sizeof *phi);
  ARENA_PUSH(&self->sim->scratch, self->modes, self->mode_count, self->mode_capacity) = phi;
  return phi;
}

static HbgStatus tell_circle(Beginning *self, int32_t first) {
  HbgSim *sim = self->sim;
  hbg_report_at(sim, HBG_DIAGNOSTIC_INITIAL_VALUES, sim->model->machines[0].span);
  hbg_report_stop(sim, "the initial values that each of these modes asks for lead to the next, and from the last to the first:");
  for (int32_t at = first; at < self->mode_count; at++)
    hbg_report_stop(sim, "    {%s}", hbg_report_mode(sim, self->modes[at], -1));
  return hbg_report_stop(sim, "  help: give initial values, or leave fewer of them open: no mode of these has such a start");
}

HbgStatus hbg_initial_settle(HbgSim *sim) {
  if (!any_unknown(sim->model)) return hbg_settle(sim, HBG_CAUSE_START, NULL, 0);
  Beginning self = remember(sim);
  for (;;) {
    const int32_t *phi = keep_mode(&self);
    TRY(hbg_initial_values(sim));
    TRY(hbg_settle(sim, HBG_CAUSE_START, NULL, 0));
    if (same_mode(sim, phi, sim->now.phi)) return HBG_OK;
    for (int32_t at = 0; at < self.mode_count; at++)
      if (same_mode(sim, self.modes[at], sim->now.phi)) return tell_circle(&self, at);
    int32_t *next = ARENA_NEW(&sim->scratch, int32_t, sim->model->machine_count);
    if (sim->model->machine_count) memcpy(next, sim->now.phi, (size_t)sim->model->machine_count * sizeof *next);
    begin_again(&self, next);
  }
}
