/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/batches.h"

#include <string.h>

#include "hybrid/island_parts.h"
#include "hybrid/island_weights.h"

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
  batch->active_place = -1;
  hbg_key_table_add(&self->known, key, count, batch);
  ARENA_PUSH(self->arena, self->list, self->count, self->capacity) = batch;
  return batch;
}

/* Once for all, or by weights. */
static bool is_solved_for(const HbgIslandBatch *batch) { return batch->forms || batch->by_weights; }

/* That of its program; without code where each of its islands must be solved. */
static HbgIslandBatch *batch_of_program(HbgBatches *self, HbgIsland *island) {
  const int32_t last = island->program->batch; // somebody else may have batches, too
  if (last < self->count && self->list[last]->program == island->program && !is_solved_for(self->list[last])) return self->list[last];
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
  batch->code = &equations->program;
  batch->state_register = equations->state_register;
  batch->variable_register = equations->variable_register;
  batch->batch = hbg_batch(self->arena, batch->code, equations->rates_end);
  return batch;
}

static HbgIslandBatch *new_batch_of_forms(HbgBatches *self, const HbgIsland *island, const HbgIslandForms *forms, const HbgKey *key) {
  HbgIslandBatch *batch = new_batch(self, hbg_key_keep(key, self->arena), key->count);
  batch->program = island->program;
  batch->forms = hbg_form_program(island, forms, self->arena);
  batch->code = &batch->forms->program;
  batch->state_register = batch->forms->state_register;
  batch->variable_register = batch->forms->variable_register;
  batch->batch = hbg_batch(self->arena, batch->code, batch->code->main_count);
  return batch;
}

/* Of what has been solved once for all. NULL: its equations are not affine. */
static HbgIslandBatch *batch_of_forms(HbgBatches *self, HbgIsland *island, const HbgValues *values) {
  const HbgIslandForms *forms = hbg_island_rates_forms(self->solver, island, values);
  if (!forms) return NULL;
  HbgArena *scratch = self->solver->scratch;
  const HbgArenaMark mark = hbg_arena_mark(scratch);
  const HbgKey key = hbg_form_key(island, forms, scratch);
  HbgIslandBatch *batch = hbg_key_table_find(&self->known, key.list, key.count);
  if (!batch) batch = new_batch_of_forms(self, island, forms, &key);
  hbg_arena_rewind(scratch, mark);
  return batch;
}

/* Of what bends, and is solved for by weights. NULL: it is not. */
static HbgIslandBatch *batch_of_weights(HbgBatches *self, HbgIsland *island, const HbgValues *values) {
  const HbgIslandWeights *weights = hbg_island_rates_weights(self->solver, island, values);
  if (!weights) return NULL;
  const int32_t key[] = {-3, island->program->number, island->needs_stacked[0]};
  enum { KEYS = sizeof key / sizeof *key };
  HbgIslandBatch *batch = hbg_key_table_find(&self->known, key, KEYS);
  if (batch) return batch;
  int32_t *kept = ARENA_NEW(self->arena, int32_t, KEYS);
  memcpy(kept, key, sizeof key);
  batch = new_batch(self, kept, KEYS);
  batch->program = island->program;
  batch->by_weights = true;
  batch->code = &weights->rates->program;
  batch->state_register = weights->rates->state_register;
  batch->variable_register = weights->rates->variable_register;
  batch->batch = hbg_batch(self->arena, batch->code, batch->code->main_count);
  return batch;
}

/* NULL: it is evaluated by itself. */
static HbgIslandBatch *batch_for(HbgBatches *self, HbgIsland *island, const HbgValues *values) {
  HbgIslandBatch *batch = batch_of_program(self, island);
  if (!batch->code) batch = batch_of_forms(self, island, values);
  return batch ? batch : batch_of_weights(self, island, values);
}

/* a - b + ...: the terms are registers 0 and following. The register of the sum in `*sum`. */
static HbgProgram *sum_program(HbgArena *arena, const int32_t *signs, int32_t count, int32_t *sum) {
  HbgProgram *program = ARENA_NEW(arena, HbgProgram, 1);
  program->register_count = count + 1; // and a zero
  ARENA_PUSH(arena, program->constants, program->constant_count, program->constant_capacity) = (HbgProgramConstant){0, count};
  *sum = count == 0 ? count : signs[0] > 0 ? 0 : hbg_program_add(program, arena, HBG_OP_NEG, 0, 0);
  for (int32_t term = 1; term < count; term++)
    *sum = hbg_program_add(program, arena, signs[term] > 0 ? HBG_OP_ADD : HBG_OP_SUB, *sum, term);
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

/* Has it nothing to evaluate in continuous time? A resistor at a port that is off has neither states nor readers, and what its own instant
 * has solved for stays as it is. In a run compatible with HYBRSIM the step looks at everything. */
static bool is_still(const HbgBatches *self, const HbgIsland *island) {
  const HbgTemplate *template = &island->program->template;
  if (self->solver->relaxation || template->state_count || template->pre_count || island->program->reads_time) return false;
  for (int32_t variable = 0; variable < template->graph.bond_count * 2; variable++)
    if (template->is_demanded[variable]) return false;
  return true;
}

/* ---- islands that come and go ---- */

static HbgBatchMeans means_of(HbgBatches *self) { return (HbgBatchMeans){self->solver, self->arena, &self->delivered}; }

static HbgBatchSeat *seat_of(HbgBatches *self, const HbgIsland *island) {
  if (island->number >= self->seat_count) {
    const int32_t count = island->number + 1 > 2 * self->seat_count ? island->number + 1 : 2 * self->seat_count;
    self->seats = hbg_arena_enlarge(self->arena, self->seats, self->seat_count, count, sizeof *self->seats);
    for (int32_t at = self->seat_count; at < count; at++) self->seats[at] = (HbgBatchSeat){.batch = -1, .other_place = -1};
    self->seat_count = count;
  }
  return &self->seats[island->number];
}

static int kind_of(const HbgIslandBatch *batch) { return batch->program ? 0 : 1; }

static void activate(HbgBatches *self, HbgIslandBatch *batch) {
  const int kind = kind_of(batch);
  if (batch->active_place >= 0) return;
  batch->active_place = self->active_count[kind];
  ARENA_PUSH(self->arena, self->active[kind], self->active_count[kind], self->active_capacity[kind]) = batch;
}

static void deactivate(HbgBatches *self, HbgIslandBatch *batch) {
  const int kind = kind_of(batch);
  HbgIslandBatch *last = self->active[kind][--self->active_count[kind]];
  self->active[kind][batch->active_place] = last;
  last->active_place = batch->active_place;
  batch->active_place = -1;
}

static void put_into(HbgBatches *self, HbgIslandBatch *batch, HbgIsland *island, const HbgValues *values) {
  HbgBatchSeat *seat = seat_of(self, island);
  const HbgBatchMeans means = means_of(self);
  seat->batch = batch->number;
  seat->place = batch->count;
  hbg_island_batch_put_in(batch, &means, island, values);
  activate(self, batch);
}

static void add_other(HbgBatches *self, HbgIsland *island) {
  seat_of(self, island)->other_place = self->other_count;
  ARENA_PUSH(self->arena, self->others, self->other_count, self->other_capacity) = island;
}

static void add_alone(HbgBatches *self, HbgIsland *storage) {
  HbgBatchSeat *seat = seat_of(self, storage);
  seat->batch = HBG_SEAT_ALONE;
  seat->place = self->storage_count;
  ARENA_PUSH(self->arena, self->storages, self->storage_count, self->storage_capacity) = storage;
}

static void put_in_storage(HbgBatches *self, HbgIsland *island, const HbgValues *values) {
  if (island->is_demanded) add_other(self, island);
  if (self->storage_of) self->storage_of[island->delivery] = island;
  HbgIslandBatch *batch = batch_for_storage(self, island);
  if (batch) put_into(self, batch, island, values);
  else add_alone(self, island);
}

static void put_in(HbgBatches *self, HbgIsland *island, const HbgValues *values) {
  seat_of(self, island)->is_in = true;
  if (island->is_storage) {
    put_in_storage(self, island, values);
  } else if (island->is_hanging) {
    if (self->solver->relaxation || is_read(self, island)) add_other(self, island);
  } else if (!is_still(self, island)) {
    HbgIslandBatch *batch = batch_for(self, island, values);
    if (batch) put_into(self, batch, island, values);
    else add_other(self, island);
  }
}

static void take_out(HbgBatches *self, HbgIsland *island) {
  HbgBatchSeat *seat = seat_of(self, island);
  if (seat->batch >= 0) {
    HbgIslandBatch *batch = self->list[seat->batch];
    hbg_island_batch_take_out(batch, seat->place);
    if (seat->place < batch->count) self->seats[batch->islands[seat->place]->number].place = seat->place;
    if (!batch->count) deactivate(self, batch);
  } else if (seat->batch == HBG_SEAT_ALONE) {
    HbgIsland *last = self->storages[--self->storage_count];
    self->storages[seat->place] = last;
    self->seats[last->number].place = seat->place;
  }
  if (seat->other_place >= 0) {
    HbgIsland *last = self->others[--self->other_count];
    self->others[seat->other_place] = last;
    self->seats[last->number].other_place = seat->other_place;
  }
  *seat = (HbgBatchSeat){.batch = -1, .other_place = -1};
}

/* Those that the last call has not listed. */
static void take_out_stale(HbgBatches *self, HbgIsland *const *list, int32_t count) {
  for (int32_t at = count - 1; at >= 0; at--) // the last one takes the place of one that goes
    if (seat_of(self, list[at])->stamp != self->stamp) take_out(self, list[at]);
}

static void begin_again(HbgBatches *self) {
  self->few = FEW;
  self->evaluations = 0;
}

/* Behind an accumulation it has other forms. */
static bool has_come_to_rest(HbgBatches *self, const HbgIsland *island) {
  const HbgBatchSeat *seat = seat_of(self, island);
  return island->is_resting && seat->batch >= 0 && self->list[seat->batch]->forms;
}

void hbg_batches_set(HbgBatches *self, HbgIsland *const *islands, int32_t count, const HbgValues *values) {
  self->stamp++;
  for (int32_t at = 0; at < count; at++) seat_of(self, islands[at])->stamp = self->stamp;
  for (int32_t at = 0; at < self->count; at++) take_out_stale(self, self->list[at]->islands, self->list[at]->count);
  take_out_stale(self, self->others, self->other_count);
  take_out_stale(self, self->storages, self->storage_count);
  for (int32_t at = 0; at < count; at++) {
    if (has_come_to_rest(self, islands[at])) take_out(self, islands[at]);
    if (!seat_of(self, islands[at])->is_in) put_in(self, islands[at], values);
  }
  begin_again(self);
}

void hbg_batches_change(HbgBatches *self, HbgIsland *const *islands, int32_t count, const HbgValues *values) {
  for (int32_t at = 0; at < count; at++)
    if (islands[at]->place < 0 && seat_of(self, islands[at])->is_in) take_out(self, islands[at]);
  for (int32_t at = 0; at < count; at++)
    if (islands[at]->place >= 0 && !seat_of(self, islands[at])->is_in) put_in(self, islands[at], values);
  begin_again(self);
}

/* ---- what is delivered elsewhere from now on ---- */

static void list_terms(HbgBatches *self) {
  const HbgDeliveries *deliveries = self->solver->deliveries;
  const int32_t count = deliveries->start[deliveries->count];
  self->terms = ARENA_NEW(self->arena, HbgBatchTerm, count + 1);
  self->first_term = ARENA_NEW(self->arena, int32_t, self->delivered.variable_count);
  self->storage_of = ARENA_NEW(self->arena, HbgIsland *, deliveries->count);
  for (int32_t variable = 0; variable < self->delivered.variable_count; variable++) self->first_term[variable] = -1;
  for (int32_t which = 0; which < deliveries->count; which++)
    for (int32_t term = deliveries->start[which]; term < deliveries->start[which + 1]; term++) {
      self->terms[term] = (HbgBatchTerm){which, self->first_term[deliveries->variable[term]]};
      self->first_term[deliveries->variable[term]] = term;
    }
  for (int32_t at = 0; at < self->active_count[1]; at++)
    for (int32_t which = 0; which < self->active[1][at]->count; which++) {
      HbgIsland *storage = self->active[1][at]->islands[which];
      self->storage_of[storage->delivery] = storage;
    }
}

static void move_term(HbgBatches *self, int32_t term) {
  const int32_t delivery = self->terms[term].delivery;
  const HbgIsland *storage = self->storage_of[delivery];
  const HbgBatchSeat *seat = storage ? seat_of(self, storage) : NULL;
  if (!seat || seat->batch < 0) return;
  const HbgBatchMeans means = means_of(self);
  hbg_island_batch_move_term(self->list[seat->batch], &means, seat->place, term - self->solver->deliveries->start[delivery]);
}

static void follow_moves(HbgBatches *self) {
  HbgDelivered *delivered = &self->delivered;
  if (!delivered->moved_count) return;
  if (!self->terms) list_terms(self);
  for (int32_t at = 0; at < delivered->moved_count; at++)
    for (int32_t term = self->first_term[delivered->moved[at]]; term >= 0; term = self->terms[term].next) move_term(self, term);
  delivered->moved_count = 0;
}

/* ---- other forms than before ---- */

static void seat_again(HbgBatches *self, HbgIslandBatch *batch, const HbgValues *values) {
  HbgArena *scratch = self->solver->scratch;
  const HbgArenaMark mark = hbg_arena_mark(scratch);
  const int32_t count = batch->count;
  HbgIsland **islands = ARENA_NEW(scratch, HbgIsland *, count);
  memcpy(islands, batch->islands, (size_t)count * sizeof *islands);
  for (int32_t at = 0; at < count; at++) take_out(self, islands[at]);
  batch->is_made = false;
  for (int32_t at = 0; at < count; at++) put_in(self, islands[at], values);
  hbg_arena_rewind(scratch, mark);
}

/* Where they may be zero elsewhere, or solved for in another way, islands belong to another batch. */
static void renew_forms(HbgBatches *self, const HbgValues *values) {
  for (int32_t at = 0; at < self->active_count[0];) {
    HbgIslandBatch *batch = self->active[0][at++];
    if (!is_solved_for(batch) || !hbg_island_batch_is_renewed(batch)) continue;
    seat_again(self, batch, values);
    at = 0;
  }
}

/* ---- evaluating ---- */

static bool is_alone(const HbgBatches *self, const HbgIslandBatch *batch) {
  return batch->count < self->few && !batch->batch.code;
}

/* What hangs may read any state. */
static void find_readers(HbgBatches *self) {
  self->reads_values = false;
  for (int32_t at = 0; at < self->other_count && !self->reads_values; at++) self->reads_values = self->others[at]->is_hanging;
}

bool hbg_batches_read_values(HbgBatches *self) {
  if (self->evaluations == 0) find_readers(self);
  return self->reads_values;
}

/* Islands that have proved to stay are worth a batch, however few they are, and one that does without lists. */
static void note_evaluation(HbgBatches *self) {
  if (self->evaluations > PROVED || ++self->evaluations <= PROVED) return;
  self->few = 1;
  for (int kind = 0; kind < 2; kind++)
    for (int32_t at = 0; at < self->active_count[kind]; at++) {
      HbgIslandBatch *batch = self->active[kind][at];
      if (!batch->is_loose || batch->batch.code) continue;
      hbg_island_batch_tighten(batch);
      for (int32_t place = 0; place < batch->count; place++) self->seats[batch->islands[place]->number].place = place;
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

static void take_states(const HbgIsland *island, const double *state, HbgValues *values) {
  for (int32_t at = 0; !island->is_hanging && at < island->program->template.state_count; at++) {
    const int32_t own = island->binding.states[at];
    values->state[own] = state[own];
  }
}

/* What an island has written to its variables, for the storages: to places of their own, unless the island's batch has chosen them. */
static void deliver_variables(HbgBatches *self, const HbgIsland *island, bool has_batch, const double *value) {
  const HbgTemplate *template = &island->program->template;
  for (int32_t variable = 0; variable < template->graph.bond_count * 2; variable++) {
    const int32_t own = hbg_island_variable(island, variable);
    if (!template->is_demanded[variable] || !hbg_delivered_is_wanted(&self->delivered, own)) continue;
    const int32_t place = has_batch ? hbg_delivered_place(&self->delivered, own) : hbg_delivered_own(&self->delivered, own);
    self->delivered.value[place] = value[own];
  }
}

static bool run_one_by_one(HbgBatches *self, HbgIsland *const *islands, int32_t island_count, bool has_batch,
                           const double *state, HbgValues *values, double *rate) {
  for (int32_t at = 0; at < island_count; at++) {
    if (state != values->state) take_states(islands[at], state, values);
    if (!hbg_island_rates(self->solver, islands[at], values, rate)) return false;
    if (self->delivered.own && !islands[at]->is_hanging) deliver_variables(self, islands[at], has_batch, values->variable);
  }
  return true;
}

static void sum_one_by_one(HbgBatches *self, HbgIsland *const *storages, int32_t storage_count, double *rate) {
  const HbgDeliveries *deliveries = self->solver->deliveries;
  for (int32_t at = 0; at < storage_count; at++) {
    const int32_t which = storages[at]->delivery;
    rate[deliveries->state[which]] = hbg_delivered_sum(&self->delivered, deliveries, which);
  }
}

static void make_room(HbgBatches *self, const HbgIslandBatch *batch) {
  const int32_t room = hbg_batch_room(&batch->batch);
  if (room <= self->room_count) return;
  hbg_arena_give_back(self->arena, self->room);
  self->room = hbg_arena_enlarge(self->arena, NULL, 0, room, sizeof *self->room);
  self->room_count = room;
}

/* Makes it, where it is not; false: its islands are better off alone. */
static bool prepare(HbgBatches *self, HbgIslandBatch *batch, const HbgValues *values) {
  const bool may_compile = self->solver->compile && batch->program;
  if (!may_compile && is_alone(self, batch)) return false;
  const HbgBatchMeans means = means_of(self);
  hbg_island_batch_update(batch, &means, values);
  make_room(self, batch);
  count(self, batch);
  return !is_alone(self, batch);
}

static bool run_batch(HbgBatches *self, HbgIslandBatch *batch, const double *state, HbgValues *values, double *rate) {
  batch->batch.threads = self->solver->threads;
  if (!prepare(self, batch, values)) {
    if (batch->program) return run_one_by_one(self, batch->islands, batch->count, batch->is_made, state, values, rate);
    sum_one_by_one(self, batch->islands, batch->count, rate);
    return true;
  }
  // a batch writes to no state
  double *place[HBG_PLACE_COUNT] = {[HBG_PLACE_TEMPORARY] = self->room, [HBG_PLACE_STATE] = (double *)state,
                                    [HBG_PLACE_RATE] = rate, [HBG_PLACE_VARIABLE] = values->variable,
                                    [HBG_PLACE_DELIVERED] = self->delivered.value};
  hbg_batch_run(&batch->batch, values->time, place);
  hbg_batch_run_still(&batch->batch, place);
  return true;
}

static bool run_batches(HbgBatches *self, int kind, const double *state, HbgValues *values, double *rate) {
  for (int32_t at = 0; at < self->active_count[kind]; at++)
    if (!run_batch(self, self->active[kind][at], state, values, rate)) return false;
  return true;
}

bool hbg_batches_rates(HbgBatches *self, const double *state, HbgValues *values, double *rate) {
  renew_forms(self, values);
  if (!run_batches(self, 0, state, values, rate) || !run_one_by_one(self, self->others, self->other_count, false, state, values, rate))
    return false;
  follow_moves(self);
  if (!run_batches(self, 1, state, values, rate)) return false;
  sum_one_by_one(self, self->storages, self->storage_count, rate);
  note_evaluation(self);
  return true;
}

void hbg_batches_show_delivered(const HbgBatches *self, HbgValues *values) {
  hbg_delivered_show(&self->delivered, values->variable);
}
