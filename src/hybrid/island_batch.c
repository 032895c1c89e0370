/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/island_batch.h"

#include <stdlib.h>
#include <string.h>

#include "hybrid/island_parts.h"
#include "hybrid/island_weights.h"

/* ---- what each island has where ---- */

/* Does somebody read the variable where variables are? */
static bool is_read_as_variable(const HbgBatchMeans *means, const HbgIsland *island, int32_t variable) {
  const int32_t own = hbg_island_variable(island, variable);
  return means->solver->laws->is_demanded[own] || !hbg_delivered_is_wanted(means->delivered, own);
}

/* Does a storage receive it? */
static bool is_received(const HbgBatchMeans *means, const HbgIsland *island, int32_t variable) {
  return hbg_delivered_is_wanted(means->delivered, hbg_island_variable(island, variable));
}

typedef bool Asked(const HbgBatchMeans *means, const HbgIsland *island, int32_t variable);

/* Islands of one program may differ in that. */
static bool any_is(const HbgIslandBatch *self, const HbgBatchMeans *means, Asked *asked, int32_t variable) {
  for (int32_t at = 0; at < self->count; at++)
    if (asked(means, self->islands[at], variable)) return true;
  return false;
}

static int32_t storage_term(const HbgBatchMeans *means, const HbgIsland *storage, int32_t term) {
  const HbgDeliveries *deliveries = means->solver->deliveries;
  return deliveries->variable[deliveries->start[storage->delivery] + term];
}

/* Where `island` has what the row is about, from now on. */
static int32_t index_of(const HbgIslandBatch *self, const HbgBatchMeans *means, const HbgBatchRow *row,
                        const HbgIsland *island) {
  switch (row->kind) {
    case HBG_ROW_READ_STATE: return island->binding.states[row->index];
    case HBG_ROW_READ_DELIVERED: return hbg_delivered_place(means->delivered, storage_term(means, island, row->index));
    case HBG_ROW_WRITE_RATE:
      return self->program ? island->binding.states[row->index] : means->solver->deliveries->state[island->delivery];
    case HBG_ROW_WRITE_VARIABLE: return hbg_island_variable(island, row->index);
    case HBG_ROW_DELIVER: return hbg_delivered_own(means->delivered, hbg_island_variable(island, row->index));
    default:
      return hbg_delivered_share(means->delivered, hbg_island_variable(island, row->index),
                                 hbg_island_variable(island, row->other));
  }
}

/* ---- its rows ---- */

static void add_row(HbgIslandBatch *self, HbgArena *arena, HbgBatchRow row) {
  ARENA_PUSH(arena, self->rows, self->row_count, self->row_capacity) = row;
}

static const HbgBatchRow *find_row(const HbgIslandBatch *self, HbgBatchRowKind kind, int32_t index) {
  for (int32_t at = 0; at < self->row_count; at++)
    if (self->rows[at].kind == kind && self->rows[at].index == index) return &self->rows[at];
  return NULL;
}

/* Where another variable is the same number and is delivered, too, this one shares its place. */
static void add_delivered(HbgIslandBatch *self, HbgArena *arena, int32_t variable) {
  const int32_t *source = self->variable_register;
  for (int32_t at = 0; at < self->row_count; at++) {
    const HbgBatchRow *row = &self->rows[at];
    if (row->kind != HBG_ROW_DELIVER || source[row->index] != source[variable]) continue;
    add_row(self, arena, (HbgBatchRow){HBG_ROW_SHARE, variable, row->index, source[variable]});
    return;
  }
  add_row(self, arena, (HbgBatchRow){HBG_ROW_DELIVER, variable, -1, source[variable]});
}

static void list_rows_of_islands(HbgIslandBatch *self, const HbgBatchMeans *means) {
  const HbgTemplate *template = &self->program->template;
  const HbgProgram *program = self->code;
  for (int32_t at = 0; at < program->input_count; at++)
    if (program->inputs[at].leaf.op == HBG_OP_STATE)
      add_row(self, means->arena,
              (HbgBatchRow){HBG_ROW_READ_STATE, program->inputs[at].leaf.index, -1, program->inputs[at].target});
  for (int32_t state = 0; state < template->state_count; state++)
    if (template->state_node[state] >= 0)
      add_row(self, means->arena, (HbgBatchRow){HBG_ROW_WRITE_RATE, state, -1, self->state_register[state]});
  for (int32_t variable = 0; variable < template->graph.bond_count * 2; variable++) {
    if (!template->is_demanded[variable]) continue;
    if (any_is(self, means, is_received, variable)) add_delivered(self, means->arena, variable);
    if (any_is(self, means, is_read_as_variable, variable))
      add_row(self, means->arena,
              (HbgBatchRow){HBG_ROW_WRITE_VARIABLE, variable, -1, self->variable_register[variable]});
  }
}

static void list_rows_of_storages(HbgIslandBatch *self, HbgArena *arena) {
  for (int32_t term = 0; term < self->term_count; term++)
    add_row(self, arena, (HbgBatchRow){HBG_ROW_READ_DELIVERED, term, -1, term});
  add_row(self, arena, (HbgBatchRow){HBG_ROW_WRITE_RATE, 0, -1, self->sum_register});
}

/* Room for the indices of everything that the batch reads and writes. */
static void make_room_for_lists(HbgIslandBatch *self, HbgArena *arena) {
  self->room = self->is_loose ? self->count + self->count / 2 + 4 : self->count;
  const int32_t needed = self->row_count * self->room;
  if (needed <= self->list_capacity) return;
  hbg_arena_give_back(arena, self->lists);
  self->lists = hbg_arena_enlarge(arena, NULL, 0, 2 * needed, sizeof *self->lists);
  self->list_capacity = 2 * needed;
}

static int32_t *list_of(const HbgIslandBatch *self, int32_t row) { return &self->lists[(ptrdiff_t)row * self->room]; }

static void set_row(HbgIslandBatch *self, const HbgBatchMeans *means, int32_t which) {
  const HbgBatchRow *row = &self->rows[which];
  int32_t *list = list_of(self, which);
  for (int32_t at = 0; at < self->count; at++) list[at] = index_of(self, means, row, self->islands[at]);
  switch (row->kind) {
    case HBG_ROW_READ_STATE: hbg_batch_set_indices(&self->batch, row->target, HBG_PLACE_STATE, list); break;
    case HBG_ROW_READ_DELIVERED: hbg_batch_set_indices(&self->batch, row->target, HBG_PLACE_DELIVERED, list); break;
    case HBG_ROW_WRITE_RATE: hbg_batch_add_output(&self->batch, row->target, HBG_PLACE_RATE, list); break;
    case HBG_ROW_WRITE_VARIABLE: hbg_batch_add_output(&self->batch, row->target, HBG_PLACE_VARIABLE, list); break;
    case HBG_ROW_DELIVER: hbg_batch_add_output(&self->batch, row->target, HBG_PLACE_DELIVERED, list); break;
    case HBG_ROW_SHARE: break;
  }
}

/* ---- its values ---- */

static bool is_fixed(const HbgProgramInput *input) {
  return input->leaf.op != HBG_OP_TIME && input->leaf.op != HBG_OP_STATE;
}

/* What an input that stays through continuous time is to an island. */
static double fixed_value(const HbgIslandBatch *self, const HbgIsland *island, const HbgExprNode *leaf,
                          const HbgValues *values) {
  if (self->forms) return hbg_form_coefficient(self->forms, island->forms, leaf->index);
  switch ((HbgSlotKind)leaf->other) {
    case HBG_SLOT_CONSTANT: return island->binding.constants[leaf->index];
    case HBG_SLOT_TICK: return values->tick[island->binding.ticks[leaf->index]];
    case HBG_SLOT_DISCRETE: return values->discrete[island->binding.discrete[leaf->index]];
    case HBG_SLOT_WEIGHT: return island->weights->list[leaf->index];
    default: return 0;
  }
}

static void set_values(HbgIslandBatch *self, const HbgBatchMeans *means, const HbgValues *values) {
  const HbgProgram *program = self->code;
  const HbgArenaMark mark = hbg_arena_mark(means->solver->scratch);
  double *fixed = ARENA_NEW(means->solver->scratch, double, self->count);
  for (int32_t which = 0; which < program->input_count; which++) {
    const HbgProgramInput *input = &program->inputs[which];
    if (input->leaf.op == HBG_OP_TIME) hbg_batch_set_time(&self->batch, input->target);
    if (!is_fixed(input)) continue;
    for (int32_t at = 0; at < self->count; at++) fixed[at] = fixed_value(self, self->islands[at], &input->leaf, values);
    hbg_batch_set_values(&self->batch, input->target, fixed);
  }
  hbg_arena_rewind(means->solver->scratch, mark);
}

/* ---- making it ---- */

static void make(HbgIslandBatch *self, const HbgBatchMeans *means, const HbgValues *values) {
  self->row_count = 0;
  if (self->program)
    list_rows_of_islands(self, means);
  else
    list_rows_of_storages(self, means->arena);
  make_room_for_lists(self, means->arena);
  if (self->is_loose)
    hbg_batch_begin_loose(&self->batch, self->count, self->room);
  else
    hbg_batch_begin(&self->batch, self->count);
  if (self->program) set_values(self, means, values);
  for (int32_t row = 0; row < self->row_count; row++) set_row(self, means, row);
  hbg_batch_compile(&self->batch);
  hbg_native_renew(&self->native, &self->batch);
  self->is_made = true;
  if (self->program) self->renewals = self->program->renewals;
}

bool hbg_island_batch_is_renewed(const HbgIslandBatch *self) {
  return self->program && self->renewals != self->program->renewals;
}

void hbg_island_batch_update(HbgIslandBatch *self, const HbgBatchMeans *means, const HbgValues *values) {
  if (!self->is_made || hbg_island_batch_is_renewed(self)) make(self, means, values);
}

static int by_number(const void *a, const void *b) {
  const int32_t left = (*(HbgIsland *const *)a)->number, right = (*(HbgIsland *const *)b)->number;
  return (left > right) - (left < right);
}

void hbg_island_batch_tighten(HbgIslandBatch *self) {
  qsort(self->islands, (size_t)self->count, sizeof *self->islands, by_number);
  self->is_made = self->is_loose = false;
}

/* ---- islands that come and go ---- */

/* Does everything that is wanted of the island have its row? */
static bool has_rows_for(const HbgIslandBatch *self, const HbgBatchMeans *means, const HbgIsland *island) {
  const HbgTemplate *template = &self->program->template;
  for (int32_t variable = 0; variable < template->graph.bond_count * 2; variable++) {
    if (!template->is_demanded[variable]) continue;
    if (is_received(means, island, variable) && !find_row(self, HBG_ROW_DELIVER, variable) &&
        !find_row(self, HBG_ROW_SHARE, variable))
      return false;
    if (is_read_as_variable(means, island, variable) && !find_row(self, HBG_ROW_WRITE_VARIABLE, variable)) return false;
  }
  return true;
}

static bool put_values(HbgIslandBatch *self, const HbgIsland *island, const HbgValues *values) {
  const HbgProgram *program = self->code;
  for (int32_t which = 0; which < program->input_count; which++) {
    const HbgProgramInput *input = &program->inputs[which];
    if (is_fixed(input) &&
        !hbg_batch_put_value(&self->batch, input->target, fixed_value(self, island, &input->leaf, values)))
      return false;
  }
  hbg_batch_prepare_last(&self->batch);
  return true;
}

static bool is_input(const HbgBatchRow *row) {
  return row->kind == HBG_ROW_READ_STATE || row->kind == HBG_ROW_READ_DELIVERED;
}

static bool put_indices(HbgIslandBatch *self, const HbgBatchMeans *means, const HbgIsland *island) {
  for (int32_t which = 0; which < self->row_count; which++) {
    const HbgBatchRow *row = &self->rows[which];
    int32_t *list = list_of(self, which);
    list[self->count - 1] = index_of(self, means, row, island);
    if (is_input(row) && hbg_batch_is_shared(&self->batch, row->target) && list[self->count - 1] != list[0])
      return false;
  }
  return true;
}

/* False: it has to be made again. */
static bool fit_in(HbgIslandBatch *self, const HbgBatchMeans *means, const HbgIsland *island, const HbgValues *values) {
  if (!self->is_made || !self->is_loose || self->count > self->room) return false;
  if (self->program && !has_rows_for(self, means, island)) return false;
  hbg_batch_put_in(&self->batch);
  return put_indices(self, means, island) && (!self->program || put_values(self, island, values));
}

void hbg_island_batch_put_in(HbgIslandBatch *self, const HbgBatchMeans *means, HbgIsland *island,
                             const HbgValues *values) {
  if (!self->count && self->program && !self->is_made) self->renewals = self->program->renewals;
  ARENA_PUSH(means->arena, self->islands, self->count, self->capacity) = island;
  if (fit_in(self, means, island, values)) return;
  if (self->is_made) self->is_loose = true;
  self->is_made = false;
}

void hbg_island_batch_take_out(HbgIslandBatch *self, int32_t place) {
  const int32_t last = --self->count;
  self->islands[place] = self->islands[last];
  if (!self->is_made) return;
  if (!self->is_loose) {
    self->is_made = false;
    self->is_loose = true;
    return;
  }
  for (int32_t row = 0; row < self->row_count; row++) list_of(self, row)[place] = list_of(self, row)[last];
  hbg_batch_take_out(&self->batch, place);
}

void hbg_island_batch_move_term(HbgIslandBatch *self, const HbgBatchMeans *means, int32_t place, int32_t term) {
  if (!self->is_made) return;
  if (self->is_loose && !hbg_batch_is_shared(&self->batch, term))
    list_of(self, term)[place] = hbg_delivered_place(means->delivered, storage_term(means, self->islands[place], term));
  else
    self->is_made = false;
  self->is_loose = true;
}
