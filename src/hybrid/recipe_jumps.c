/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/recipe_jumps.h"

#include <math.h>
#include <string.h>

#include "equations/range.h"
#include "hybrid/local_parts.h"

/* So little of its scale, and a place is nothing. */
#define NOTHING 1e-14

typedef struct Giver {
  const HbgRecipeForms *self;
  const HbgIsland *island;
  HbgEquationsRun *run;
  const HbgAffine *registers;
  const double *states; /* forms before the jump */
  double *place;        /* where the solution takes each state (state_count) */
  double *gain;         /* what a unit of the unknown at hand changes of them */
} Giver;

static double change_of(const Giver *self, int32_t state) {
  return self->run->registers[self->run->equations->state_register[state]];
}

static void note_places(const Giver *self) {
  const HbgSim *sim = self->self->sim;
  for (int32_t state = 0; state < self->island->program->template.state_count; state++) {
    const int32_t origin = self->island->binding.states[state];
    const double place = sim->now.state[origin] + change_of(self, state);
    self->place[state] = fabs(place) <= NOTHING * sim->scale[origin] ? 0 : place;
  }
}

static void execute_with(const Giver *self, int32_t unknown, double value) {
  memset(self->run->unknowns, 0, (size_t)self->run->equations->system.unknown_count * sizeof *self->run->unknowns);
  self->run->unknowns[unknown] = value;
  hbg_equations_put_unknowns(self->run);
  hbg_execute(self->run->equations->program.main, 0, self->run->equations->rates_end, self->run->registers);
}

static void find_gains(const Giver *self, int32_t unknown) {
  const int32_t count = self->island->program->template.state_count;
  execute_with(self, unknown, 0);
  for (int32_t state = 0; state < count; state++) self->gain[state] = -change_of(self, state);
  execute_with(self, unknown, 1);
  for (int32_t state = 0; state < count; state++) self->gain[state] += change_of(self, state);
}

/* Does the only equation of a group follow its only unknown one way only, whatever the states are? Then it has no other solution. */
static bool is_monotonic(const Giver *self, const HbgGroup *group) {
  const HbgEquations *equations = self->run->equations;
  if (group->column_count != 1 || group->row_count != 1 || group->entry_count != 1) return false;
  const HbgRange slope = hbg_program_range(&equations->program, self->run->registers, equations->residual_end,
                                           equations->entry_register[group->entries[0]], &self->self->sim->scratch);
  return (slope.low > 0 || slope.high < 0) && slope.low < slope.high;
}

static void give(const Giver *self, int32_t unknown, double *form) {
  const HbgTemplate *template = &self->island->program->template;
  find_gains(self, unknown);
  for (int32_t state = 0; state < template->state_count; state++) {
    const int32_t input = hbg_recipe_input(self->self, self->island->binding.states[state]);
    if (template->state_node[state] < 0 || input < 0 || !(fabs(self->gain[state]) > 0)) continue;
    for (int32_t at = 0; at < self->registers->width; at++)
      form[at] = -self->states[input * self->registers->width + at] / self->gain[state];
    form[0] += self->place[state] / self->gain[state];
    return;
  }
}

const double *hbg_recipe_given_jumps(const HbgRecipeForms *forms, HbgIsland *island, HbgEquationsRun *run,
                                     const HbgAffine *registers, const double *states) {
  HbgArena *scratch = &forms->sim->scratch;
  const HbgEquations *equations = run->equations;
  const int32_t state_count = island->program->template.state_count, count = equations->system.unknown_count;
  Giver self = {forms,
                island,
                run,
                registers,
                states,
                ARENA_NEW(scratch, double, state_count),
                ARENA_NEW(scratch, double, state_count)};
  double *given = ARENA_NEW(scratch, double, count * registers->width);
  hbg_equations_execute_all(run);
  note_places(&self);
  for (int32_t unknown = 0; unknown < count; unknown++) given[unknown * registers->width] = (double)NAN;
  for (int32_t group = 0; group < equations->group_count; group++)
    if (is_monotonic(&self, &equations->groups[group]))
      give(&self, equations->groups[group].columns[0], &given[equations->groups[group].columns[0] * registers->width]);
  return given;
}
