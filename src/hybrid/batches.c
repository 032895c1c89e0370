/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/batches.h"

#include <string.h>

#include "hybrid/island_parts.h"

/* Fewer islands of one program are evaluated one by one until they have proved to stay, or there is machine code: to make a batch
 * costs more than a few evaluations. */
enum { FEW = 4, PROVED = 32 };

HbgBatches hbg_batches(HbgIslandSolver *solver, HbgArena *arena) {
  return (HbgBatches){.solver = solver,
                      .arena = arena,
                      .known = hbg_key_table(arena),
                      .delivered = hbg_delivered(solver->deliveries, solver->laws->model->bond_count * 2, arena),
                      .few = FEW};
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

static int32_t add_operation(HbgProgram *program, HbgArena *arena, HbgOperation op, int32_t a, int32_t b) {
  const int32_t target = program->register_count++;
  ARENA_PUSH(arena, program->main, program->main_count, program->main_capacity) =
      (HbgInstruction){.op = (int32_t)op, .target = target, .a = a, .b = b};
  return target;
}

/* a - b + ...: the terms are registers 0 and following. The register of the sum in `*sum`. */
static HbgProgram *sum_program(HbgArena *arena, const int32_t *signs, int32_t count, int32_t *sum) {
  HbgProgram *program = ARENA_NEW(arena, HbgProgram, 1);
  program->register_count = count + 1; // and a zero
  ARENA_PUSH(arena, program->constants, program->constant_count, program->constant_capacity) = (HbgProgramConstant){0, count};
  *sum = count == 0 ? count : signs[0] > 0 ? 0 : add_operation(program, arena, HBG_OP_NEG, 0, 0);
  for (int32_t term = 1; term < count; term++)
    *sum = add_operation(program, arena, signs[term] > 0 ? HBG_OP_ADD : HBG_OP_SUB, *sum, term);
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
  batch->term_count = count;
  batch->sum = sum_program(self->arena, kept + 1, count, &batch->sum_register);
  batch->batch = hbg_batch(self->arena, batch->sum, batch->sum->main_count);
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
                                     4 * program->template.graph.bond_count
                               : batch->term_count + 1;
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

/* Does somebody read the variable where variables are? Islands of one program may differ in that. */
static bool is_read_as_variable(const HbgBatches *self, const HbgIslandBatch *batch, int32_t variable) {
  for (int32_t at = 0; at < batch->count; at++) {
    const int32_t own = hbg_island_variable(batch->islands[at], variable);
    if (self->solver->laws->is_demanded[own] || !hbg_delivered_is_wanted(&self->delivered, own)) return true;
  }
  return false;
}

/* Does a storage receive the variable of some of the islands? */
static bool is_received(const HbgBatches *self, const HbgIslandBatch *batch, int32_t variable) {
  for (int32_t at = 0; at < batch->count; at++)
    if (hbg_delivered_is_wanted(&self->delivered, hbg_island_variable(batch->islands[at], variable))) return true;
  return false;
}

/* The variable before this one that is the same number and is delivered, too; -1. */
static int32_t find_same(const HbgBatches *self, const HbgIslandBatch *batch, int32_t variable) {
  const int32_t *source = batch->equations->variable_register;
  for (int32_t other = 0; other < variable; other++)
    if (batch->program->template.is_demanded[other] && source[other] == source[variable] && is_received(self, batch, other))
      return other;
  return -1;
}

static void deliver(HbgBatches *self, HbgIslandBatch *batch, int32_t variable, int32_t **list) {
  const int32_t same = find_same(self, batch, variable);
  for (int32_t at = 0; at < batch->count; at++) {
    const int32_t own = hbg_island_variable(batch->islands[at], variable);
    (*list)[at] = same < 0 ? hbg_delivered_own(&self->delivered, own)
                           : hbg_delivered_share(&self->delivered, own, hbg_island_variable(batch->islands[at], same));
  }
  if (same >= 0) return;
  hbg_batch_add_output(&batch->batch, batch->equations->variable_register[variable], HBG_PLACE_DELIVERED, *list);
  *list += batch->count;
}

static void add_outputs(HbgBatches *self, HbgIslandBatch *batch, int32_t **list) {
  const HbgTemplate *template = &batch->program->template;
  for (int32_t state = 0; state < template->state_count; state++) {
    if (template->state_node[state] < 0) continue;
    for (int32_t at = 0; at < batch->count; at++) (*list)[at] = batch->islands[at]->binding.states[state];
    hbg_batch_add_output(&batch->batch, batch->equations->state_register[state], HBG_PLACE_RATE, *list);
    *list += batch->count;
  }
  for (int32_t variable = 0; variable < template->graph.bond_count * 2; variable++) {
    if (!template->is_demanded[variable]) continue;
    const bool is_variable = is_read_as_variable(self, batch, variable);
    if (is_received(self, batch, variable)) deliver(self, batch, variable, list);
    if (!is_variable) continue;
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
  add_outputs(self, batch, &list);
  batch->renewals = batch->program->renewals;
  hbg_arena_rewind(self->solver->scratch, mark);
}

static void set_storages(HbgBatches *self, HbgIslandBatch *batch) {
  const HbgDeliveries *deliveries = self->solver->deliveries;
  int32_t *list = batch->lists;
  for (int32_t term = 0; term < batch->term_count; term++, list += batch->count) {
    for (int32_t at = 0; at < batch->count; at++)
      list[at] = hbg_delivered_place(&self->delivered,
                                     deliveries->variable[deliveries->start[batch->islands[at]->delivery] + term]);
    hbg_batch_set_indices(&batch->batch, term, HBG_PLACE_DELIVERED, list);
  }
  for (int32_t at = 0; at < batch->count; at++) list[at] = deliveries->state[batch->islands[at]->delivery];
  hbg_batch_add_output(&batch->batch, batch->sum_register, HBG_PLACE_RATE, list);
  batch->moves = self->delivered.moves;
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

static void set(HbgBatches *self, HbgIsland *const *islands, int32_t count) {
  self->other_count = self->storage_count = self->active_count[0] = self->active_count[1] = 0;
  for (int32_t at = 0; at < self->count; at++) self->list[at]->coming_count = 0;
  for (int32_t at = 0; at < count; at++) sort_out(self, islands[at]);
  for (int32_t at = 0; at < self->count; at++) {
    HbgIslandBatch *batch = self->list[at];
    if (batch->coming_count < self->few && !(self->solver->compile && batch->program)) {
      for (int32_t which = 0; which < batch->coming_count; which++) add_lone(self, batch->coming[which]);
      batch->coming_count = 0;
    }
    if (!is_unchanged(batch)) take_islands(batch);
    const int kind = batch->program ? 0 : 1;
    if (batch->count)
      ARENA_PUSH(self->arena, self->active[kind], self->active_count[kind], self->active_capacity[kind]) = batch;
  }
}

void hbg_batches_set(HbgBatches *self, HbgIsland *const *islands, int32_t count) {
  self->few = FEW;
  self->evaluations = 0;
  self->islands = islands;
  self->island_count = count;
  set(self, islands, count);
}

/* Islands that have proved to stay are worth a batch, however few they are. */
static void note_evaluation(HbgBatches *self) {
  if (self->evaluations > PROVED || ++self->evaluations <= PROVED) return;
  self->few = 1;
  set(self, self->islands, self->island_count);
}

bool hbg_batches_read_values(const HbgBatches *self) {
  return self->other_count > 0 || (self->solver->compile && self->few > 1);
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

/* What an island has written to its variables, for the storages: to places of their own, unless the island's batch has chosen them. */
static void deliver_variables(HbgBatches *self, const HbgIsland *island, bool has_batch, const double *value) {
  const HbgTemplate *template = &island->program->template;
  for (int32_t variable = 0; variable < template->graph.bond_count * 2; variable++) {
    const int32_t own = hbg_island_variable(island, variable);
    if (template->is_demanded[variable] && hbg_delivered_is_wanted(&self->delivered, own)) {
      const int32_t place = has_batch ? hbg_delivered_place(&self->delivered, own) : hbg_delivered_own(&self->delivered, own);
      self->delivered.value[place] = value[own];
    }
  }
}

static bool run_one_by_one(HbgBatches *self, HbgIsland *const *islands, int32_t island_count, bool has_batch, HbgValues *values,
                           double *rate) {
  for (int32_t at = 0; at < island_count; at++) {
    if (!hbg_island_rates(self->solver, islands[at], values, rate)) return false;
    if (self->delivered.own && !islands[at]->is_hanging) deliver_variables(self, islands[at], has_batch, values->variable);
  }
  return true;
}

static bool is_current(const HbgBatches *self, const HbgIslandBatch *batch) {
  if (!batch->is_made) return false;
  return batch->program ? batch->renewals == batch->program->renewals : batch->moves == self->delivered.moves;
}

static bool run_batch(HbgBatches *self, HbgIslandBatch *batch, const double *state, HbgValues *values, double *rate) {
  batch->batch.threads = self->solver->threads;
  if (!is_current(self, batch)) make(self, batch, values);
  count(self, batch);
  if (!batch->batch.code && batch->program && batch->count < self->few)
    return run_one_by_one(self, batch->islands, batch->count, true, values, rate);
  // a batch writes to no state
  double *place[HBG_PLACE_COUNT] = {[HBG_PLACE_TEMPORARY] = self->room, [HBG_PLACE_STATE] = (double *)state,
                                    [HBG_PLACE_RATE] = rate, [HBG_PLACE_VARIABLE] = values->variable,
                                    [HBG_PLACE_DELIVERED] = self->delivered.value};
  hbg_batch_run(&batch->batch, values->time, place);
  return true;
}

static bool run_batches(HbgBatches *self, int kind, const double *state, HbgValues *values, double *rate) {
  for (int32_t at = 0; at < self->active_count[kind]; at++)
    if (!run_batch(self, self->active[kind][at], state, values, rate)) return false;
  return true;
}

bool hbg_batches_rates(HbgBatches *self, const double *state, HbgValues *values, double *rate) {
  const HbgDeliveries *deliveries = self->solver->deliveries;
  if (!run_batches(self, 0, state, values, rate) || !run_one_by_one(self, self->others, self->other_count, false, values, rate) ||
      !run_batches(self, 1, state, values, rate))
    return false;
  for (int32_t at = 0; at < self->storage_count; at++) {
    const int32_t which = self->storages[at]->delivery;
    rate[deliveries->state[which]] = hbg_delivered_sum(&self->delivered, deliveries, which);
  }
  note_evaluation(self);
  return true;
}

void hbg_batches_show_delivered(const HbgBatches *self, HbgValues *values) {
  hbg_delivered_show(&self->delivered, values->variable);
}
