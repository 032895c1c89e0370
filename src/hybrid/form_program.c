/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/form_program.h"

#include "hybrid/island_parts.h"

/* Which state of the island the model's `state` is. */
static int32_t own_state(const HbgIsland *island, int32_t state) {
  int32_t own = 0;
  while (island->binding.states[own] != state) own++;
  return own;
}

HbgKey hbg_form_key(const HbgIsland *island, const HbgIslandForms *forms, HbgArena *arena) {
  HbgKey key = hbg_key(arena);
  hbg_key_add(&key, -2);
  hbg_key_add(&key, island->program->number);
  for (int32_t row = 0; row < forms->row_count; row++) {
    const HbgFormRow *at = &forms->rows[row];
    hbg_key_add(&key, at->count);
    for (int32_t term = 0; term < at->count; term++)
      hbg_key_add(&key, own_state(island, forms->terms[at->first + term].state));
  }
  return key;
}

static void add_input(HbgFormProgram *self, HbgArena *arena, HbgExprNode leaf, int32_t target) {
  HbgProgram *program = &self->program;
  ARENA_PUSH(arena, program->inputs, program->input_count, program->input_capacity) =
      (HbgProgramInput){.leaf = leaf, .target = target};
}

static int32_t add_coefficient(HbgFormProgram *self, HbgArena *arena, int32_t row, int32_t term) {
  const int32_t target = self->program.register_count++;
  const HbgExprNode leaf = {.op = HBG_OP_SLOT, .index = self->coefficient_count, .other = HBG_SLOT_CONSTANT};
  add_input(self, arena, leaf, target);
  ARENA_PUSH(arena, self->coefficients, self->coefficient_count, self->coefficient_capacity) =
      (HbgFormCoefficient){row, term};
  return target;
}

/* In the order of hbg_island_rates_by_forms(), so that the numbers are the same. The registers of states are the first ones. */
static int32_t add_row(HbgFormProgram *self, const HbgIsland *island, const HbgIslandForms *forms, int32_t row,
                       HbgArena *arena) {
  const HbgFormRow *at = &forms->rows[row];
  int32_t sum = add_coefficient(self, arena, row, -1);
  for (int32_t term = 0; term < at->count; term++) {
    const int32_t weight = add_coefficient(self, arena, row, term);
    const int32_t state = own_state(island, forms->terms[at->first + term].state);
    sum = hbg_program_add(&self->program, arena, HBG_OP_ADD, sum, hbg_program_add(&self->program, arena, HBG_OP_MUL, weight, state));
  }
  return sum;
}

HbgFormProgram *hbg_form_program(const HbgIsland *island, const HbgIslandForms *forms, HbgArena *arena) {
  const HbgTemplate *template = &island->program->template;
  HbgFormProgram *self = ARENA_NEW(arena, HbgFormProgram, 1);
  self->state_register = ARENA_NEW(arena, int32_t, template->state_count);
  self->variable_register = ARENA_NEW(arena, int32_t, template->graph.bond_count * 2);
  self->program.register_count = template->state_count;
  for (int32_t state = 0; state < template->state_count; state++)
    add_input(self, arena, (HbgExprNode){.op = HBG_OP_STATE, .index = state}, state);
  int32_t row = 0;  // they are in this order
  for (int32_t state = 0; state < template->state_count; state++)
    self->state_register[state] = template->state_node[state] >= 0 ? add_row(self, island, forms, row++, arena) : -1;
  for (int32_t variable = 0; variable < template->graph.bond_count * 2; variable++)
    self->variable_register[variable] =
        template->is_demanded[variable] ? add_row(self, island, forms, row++, arena) : -1;
  return self;
}

double hbg_form_coefficient(const HbgFormProgram *self, const HbgIslandForms *forms, int32_t index) {
  const HbgFormCoefficient *at = &self->coefficients[index];
  const HbgFormRow *row = &forms->rows[at->row];
  return at->term < 0 ? row->constant : forms->terms[row->first + at->term].weight;
}
