/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/batches.h"

#include <string.h>

#include "hybrid/island_parts.h"

/* Fewer islands of one program are evaluated one by one, until there is machine code: loops over them would cost as much. */
enum { FEW = 4 };

HbgBatches hbg_batches(HbgIslandSolver *solver, HbgArena *arena) {
  return (HbgBatches){.solver = solver, .arena = arena, .known = hbg_key_table(arena)};
}

/* ---- which islands go together ---- */

/* Nothing to solve, and nothing that only islands themselves know of. */
static bool is_plain(const HbgIslandSolver *solver, const HbgIslandProgram *program, const HbgEquations *equations) {
  return !solver->relaxation && !program->template.pre_count && !equations->system.unknown_count && !equations->system.row_count;
}

static HbgIslandBatch *new_batch(HbgBatches *self, const int32_t *key, int32_t count) {
  HbgIslandBatch *batch = ARENA_NEW(self->arena, HbgIslandBatch, 1);
  batch->number = self->count;
  hbg_key_table_add(&self->known, key, count, batch);
  ARENA_PUSH(self->arena, self->list, self->count, self->capacity) = batch;
  return batch;
}

static HbgIslandBatch *batch_for(HbgBatches *self, HbgIsland *island) {
  const int32_t last = island->program->batch; // somebody else may have batches, too
  if (last < self->count && self->list[last]->program == island->program) return self->list[last];
  HbgIslandBatch *batch = hbg_key_table_find(&self->known, &island->program->number, 1);
  if (batch) {
    island->program->batch = batch->number;
    return batch;
  }
  batch = new_batch(self, &island->program->number, 1);
  island->program->batch = batch->number;
  batch->program = island->program;
  const HbgEquations *equations = hbg_equations_run(self->solver, island, HBG_CONTINUOUS_PLAIN)->equations;
  if (!is_plain(self->solver, island->program, equations)) return batch;
  batch->equations = equations;
  batch->batch = hbg_batch(self->arena, &equations->program, equations->rates_end);
  return batch;
}

/* 0 + a - b + ...: the terms are registers 0 and following. */
static HbgProgram *sum_program(HbgArena *arena, const int32_t *signs, int32_t count) {
  HbgProgram *program = ARENA_NEW(arena, HbgProgram, 1);
  ARENA_PUSH(arena, program->constants, program->constant_count, program->constant_capacity) = (HbgProgramConstant){0, count};
  for (int32_t term = 0; term < count; term++) {
    const HbgOperation op = signs[term] > 0 ? HBG_OP_ADD : HBG_OP_SUB;
    ARENA_PUSH(arena, program->main, program->main_count, program->main_capacity) =
        (HbgInstruction){.op = (int32_t)op, .target = count + 1 + term, .a = count + term, .b = term};
  }
  program->register_count = 2 * count + 1;
  return program;
}

/* NULL where a storage receives more terms than many of its like can have in common. */
static HbgIslandBatch *batch_for_storage(HbgBatches *self, const HbgIsland *island) {
  enum { MOST = 8 };
  const HbgDeliveries *deliveries = self->solver->deliveries;
  const int32_t first = deliveries->start[island->delivery], count = deliveries->start[island->delivery + 1] - first;
  if (count > MOST) return NULL;
  int32_t key[MOST + 1] = {-1};
  for (int32_t term = 0; term < count; term++) key[term + 1] = deliveries->factor[first + term] > 0 ? 1 : -1;
  HbgIslandBatch *batch = hbg_key_table_find(&self->known, key, count + 1);
  if (batch) return batch;
  int32_t *kept = ARENA_NEW(self->arena, int32_t, count + 1);
  memcpy(kept, key, (size_t)(count + 1) * sizeof *kept);
  batch = new_batch(self, kept, count + 1);
  batch->sum = sum_program(self->arena, kept + 1, count);
  batch->batch = hbg_batch(self->arena, batch->sum, count);
  return batch;
}

/* Does an integrator read what a hanging source gives or takes? Else continuous time goes on without it. */
static bool is_read(const HbgBatches *self, const HbgIsland *island) {
  const HbgLaws *laws = self->solver->laws;
  const int32_t bond = island->graph.bonds[0].bond;
  return laws->is_demanded[hbg_effort_of(bond)] || laws->is_demanded[hbg_flow_of(bond)];
}

static void add_other(HbgBatches *self, HbgIsland *island) {
  ARENA_PUSH(self->arena, self->others, self->other_count, self->other_capacity) = island;
}

static void add_lone(HbgBatches *self, HbgIsland *island) {
  if (!island->is_storage) add_other(self, island);
  else ARENA_PUSH(self->arena, self->storages, self->storage_count, self->storage_capacity) = island;
}

static void add_to(HbgBatches *self, HbgIslandBatch *batch, HbgIsland *island) {
  ARENA_PUSH(self->arena, batch->coming, batch->coming_count, batch->coming_capacity) = island;
}

static void sort_out_storage(HbgBatches *self, HbgIsland *island) {
  if (island->is_demanded) add_other(self, island);
  HbgIslandBatch *batch = batch_for_storage(self, island);
  if (batch) add_to(self, batch, island);
  else add_lone(self, island);
}

static void sort_out(HbgBatches *self, HbgIsland *island) {
  if (island->is_storage) {
    sort_out_storage(self, island);
  } else if (island->is_hanging) {
    if (self->solver->relaxation || is_read(self, island)) add_other(self, island);
  } else {
    HbgIslandBatch *batch = batch_for(self, island);
    if (batch->equations) add_to(self, batch, island);
    else add_other(self, island);
  }
}

/* ---- making a batch ---- */

/* Room for the indices of everything that the batch reads and writes. */
static void make_room_for_lists(HbgBatches *self, HbgIslandBatch *batch) {
  const HbgIslandProgram *program = batch->program;
  const int32_t rows = program ? batch->equations->program.input_count + program->template.state_count +
                                     2 * program->template.graph.bond_count
                               : batch->sum->main_count + 1;
  const int32_t needed = rows * batch->count;
  if (needed <= batch->list_capacity) return;
  hbg_arena_give_back(self->arena, batch->lists);
  batch->lists = hbg_arena_enlarge(self->arena, NULL, 0, 2 * needed, sizeof *batch->lists);
  batch->list_capacity = 2 * needed;
}

/* What an input that stays through continuous time is to an island. */
static double fixed_value(const HbgIsland *island, const HbgExprNode *leaf, const HbgValues *values) {
  switch ((HbgSlotKind)leaf->other) {
    case HBG_SLOT_CONSTANT: return island->binding.constants[leaf->index];
    case HBG_SLOT_TICK: return values->tick[island->binding.ticks[leaf->index]];
    case HBG_SLOT_DISCRETE: return values->discrete[island->binding.discrete[leaf->index]];
    default: return 0;
  }
}

static void set_input(HbgIslandBatch *batch, const HbgProgramInput *input, const HbgValues *values, double *fixed,
                      int32_t **list) {
  if (input->leaf.op == HBG_OP_TIME) {
    hbg_batch_set_time(&batch->batch, input->target);
  } else if (input->leaf.op == HBG_OP_STATE) {
    for (int32_t at = 0; at < batch->count; at++) (*list)[at] = batch->islands[at]->binding.states[input->leaf.index];
    hbg_batch_set_indices(&batch->batch, input->target, HBG_PLACE_STATE, *list);
    *list += batch->count;
  } else {
    for (int32_t at = 0; at < batch->count; at++) fixed[at] = fixed_value(batch->islands[at], &input->leaf, values);
    hbg_batch_set_values(&batch->batch, input->target, fixed);
  }
}

static void add_outputs(HbgIslandBatch *batch, int32_t **list) {
  const HbgTemplate *template = &batch->program->template;
  for (int32_t state = 0; state < template->state_count; state++) {
    if (template->state_node[state] < 0) continue;
    for (int32_t at = 0; at < batch->count; at++) (*list)[at] = batch->islands[at]->binding.states[state];
    hbg_batch_add_output(&batch->batch, batch->equations->state_register[state], HBG_PLACE_RATE, *list);
    *list += batch->count;
  }
  for (int32_t variable = 0; variable < template->graph.bond_count * 2; variable++) {
    if (!template->is_demanded[variable]) continue;
    for (int32_t at = 0; at < batch->count; at++) (*list)[at] = hbg_island_variable(batch->islands[at], variable);
    hbg_batch_add_output(&batch->batch, batch->equations->variable_register[variable], HBG_PLACE_VARIABLE, *list);
    *list += batch->count;
  }
}

static void set_islands(HbgBatches *self, HbgIslandBatch *batch, const HbgValues *values) {
  const HbgProgram *program = &batch->equations->program;
  const HbgArenaMark mark = hbg_arena_mark(self->solver->scratch);
  double *fixed = ARENA_NEW(self->solver->scratch, double, batch->count);
  int32_t *list = batch->lists;
  for (int32_t at = 0; at < program->input_count; at++) set_input(batch, &program->inputs[at], values, fixed, &list);
  add_outputs(batch, &list);
  batch->renewals = batch->program->renewals;
  hbg_arena_rewind(self->solver->scratch, mark);
}

static void set_storages(const HbgBatches *self, HbgIslandBatch *batch) {
  const HbgDeliveries *deliveries = self->solver->deliveries;
  const int32_t terms = batch->sum->main_count;
  int32_t *list = batch->lists;
  for (int32_t term = 0; term < terms; term++, list += batch->count) {
    for (int32_t at = 0; at < batch->count; at++)
      list[at] = deliveries->variable[deliveries->start[batch->islands[at]->delivery] + term];
    hbg_batch_set_indices(&batch->batch, term, HBG_PLACE_VARIABLE, list);
  }
  for (int32_t at = 0; at < batch->count; at++) list[at] = deliveries->state[batch->islands[at]->delivery];
  hbg_batch_add_output(&batch->batch, 2 * terms, HBG_PLACE_RATE, list);
}

/* For the islands at hand, with the values of scheduled conditions and discrete variables of now. */
static void make(HbgBatches *self, HbgIslandBatch *batch, const HbgValues *values) {
  make_room_for_lists(self, batch);
  hbg_batch_begin(&batch->batch, batch->count);
  if (batch->program) set_islands(self, batch, values);
  else set_storages(self, batch);
  hbg_batch_compile(&batch->batch);
  hbg_native_renew(&batch->native, &batch->batch);
  batch->is_made = true;
  const int32_t room = hbg_batch_room(&batch->batch);
  if (room <= self->room_count) return;
  hbg_arena_give_back(self->arena, self->room);
  self->room = hbg_arena_enlarge(self->arena, NULL, 0, room, sizeof *self->room);
  self->room_count = room;
}

/* ---- the islands of a mode ---- */

static bool is_unchanged(const HbgIslandBatch *batch) {
  if (batch->coming_count != batch->count) return false;
  return !batch->count || memcmp(batch->coming, batch->islands, (size_t)batch->count * sizeof *batch->islands) == 0;
}

/* The islands that have come are those of the batch from now on; it is made when first evaluated. */
static void take_islands(HbgIslandBatch *batch) {
  HbgIsland **islands = batch->islands;
  const int32_t capacity = batch->capacity;
  batch->islands = batch->coming;
  batch->capacity = batch->coming_capacity;
  batch->count = batch->coming_count;
  batch->coming = islands;
  batch->coming_capacity = capacity;
  batch->is_made = false;
}

void hbg_batches_set(HbgBatches *self, HbgIsland *const *islands, int32_t count) {
  self->other_count = self->storage_count = self->active_count[0] = self->active_count[1] = 0;
  for (int32_t at = 0; at < self->count; at++) self->list[at]->coming_count = 0;
  for (int32_t at = 0; at < count; at++) sort_out(self, islands[at]);
  for (int32_t at = 0; at < self->count; at++) {
    HbgIslandBatch *batch = self->list[at];
    if (batch->coming_count < FEW && !(self->solver->compile && batch->program)) {
      for (int32_t which = 0; which < batch->coming_count; which++) add_lone(self, batch->coming[which]);
      batch->coming_count = 0;
    }
    if (!is_unchanged(batch)) take_islands(batch);
    const int kind = batch->program ? 0 : 1;
    if (batch->count)
      ARENA_PUSH(self->arena, self->active[kind], self->active_count[kind], self->active_capacity[kind]) = batch;
  }
}

/* One more evaluation, which may be the occasion to get machine code. */
static void count(HbgBatches *self, HbgIslandBatch *batch) {
  HbgIslandSolver *solver = self->solver;
  HbgNative *native = &batch->native;
  if (!solver->compile || !hbg_native_count(native, &batch->batch)) return;
  hbg_compiling_begin(solver);
  hbg_native_ask(native, &batch->batch, solver->compile, solver->compile_user);
  hbg_compiling_end(solver);
}

static bool run_one_by_one(HbgBatches *self, HbgIsland *const *islands, int32_t island_count, HbgValues *values, double *rate) {
  for (int32_t at = 0; at < island_count; at++)
    if (!hbg_island_rates(self->solver, islands[at], values, rate)) return false;
  return true;
}

static bool run_batch(HbgBatches *self, HbgIslandBatch *batch, HbgValues *values, double *rate) {
  if (!batch->is_made || (batch->program && batch->renewals != batch->program->renewals)) make(self, batch, values);
  count(self, batch);
  if (!batch->batch.code && batch->program && batch->count < FEW)
    return run_one_by_one(self, batch->islands, batch->count, values, rate);
  double *place[HBG_PLACE_COUNT] = {[HBG_PLACE_TEMPORARY] = self->room, [HBG_PLACE_STATE] = values->state,
                                    [HBG_PLACE_RATE] = rate, [HBG_PLACE_VARIABLE] = values->variable};
  hbg_batch_run(&batch->batch, values->time, place);
  return true;
}

static bool run_batches(HbgBatches *self, int kind, HbgValues *values, double *rate) {
  for (int32_t at = 0; at < self->active_count[kind]; at++)
    if (!run_batch(self, self->active[kind][at], values, rate)) return false;
  return true;
}

bool hbg_batches_rates(HbgBatches *self, HbgValues *values, double *rate) {
  const HbgDeliveries *deliveries = self->solver->deliveries;
  if (!run_batches(self, 0, values, rate) || !run_one_by_one(self, self->others, self->other_count, values, rate) ||
      !run_batches(self, 1, values, rate))
    return false;
  for (int32_t at = 0; at < self->storage_count; at++) {
    const int32_t which = self->storages[at]->delivery;
    rate[deliveries->state[which]] = hbg_delivery_sum(deliveries, which, values->variable);
  }
  return true;
}
