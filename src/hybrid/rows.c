/* SPDX-License-Identifier: BSD-3-Clause
 * The rows a run hands out: their columns, and what these are at one moment. */
#include <math.h>
#include <string.h>

#include "hybrid/shown.h"
#include "hybrid/sim.h"

/* ---- columns ---- */

HbgExprPool *hbg_sim_pool(HbgSim *sim) { return &sim->laws.pool; }

/* An expression over the model, over what a run has made of that. */
static HbgExpr as_it_is_here(const HbgSim *sim, HbgExprPool *pool, HbgExpr expr) {
  return hbg_summands_read(&sim->summands, pool, hbg_implied_read(&sim->implied, pool, hbg_simplified_read(&sim->simplified, pool, expr)));
}

void hbg_sim_add_column(HbgSim *sim, HbgColumnInfo info, HbgExpr expr) {
  if (!info.column.unit) info.column.unit = hbg_model_unit(sim->model, &sim->laws.pool, expr);
  expr = as_it_is_here(sim, &sim->laws.pool, expr);
  const bool is_state = info.column.kind == HBG_COLUMN_MACHINE, is_of_sheet = !is_state && hbg_column_sheet_wants(&sim->laws.pool, expr);
  const HbgProbe probe = is_of_sheet ? (HbgProbe){0} : hbg_probe(sim->model, &sim->laws.pool, &expr, 1, sim->arena);
  const HbgRowSource source = is_of_sheet ? (HbgRowSource){.kind = HBG_FROM_SHEET, .index = hbg_column_sheet_add(sim, expr)}
                                          : hbg_row_source(sim->model, &probe, is_state ? info.machine : -1);
  int32_t count = sim->column_count, sources = count;
  ARENA_PUSH(sim->arena, sim->column_info, count, sim->column_info_capacity) = info;
  ARENA_PUSH(sim->arena, sim->column_sources, sources, sim->column_source_capacity) = source;
  ARENA_PUSH(sim->arena, sim->columns, sim->column_count, sim->column_capacity) = probe;
}

static void add_number(HbgSim *sim, const char *name, const char *unit, HbgExpr expr) {
  const bool is_boolean = hbg_expr_node(&sim->laws.pool, expr)->is_boolean;
  const HbgColumn column = {name, is_boolean ? HBG_COLUMN_BOOLEAN : HBG_COLUMN_NUMBER, unit};
  hbg_sim_add_column(sim, (HbgColumnInfo){.column = column, .machine = -1}, expr);
}

static void add_signal(HbgSim *sim, const HbgSignal *signal) {
  const bool is_boolean = hbg_expr_node(&sim->laws.pool, signal->expr)->is_boolean;
  const HbgColumn column = {signal->name, is_boolean ? HBG_COLUMN_BOOLEAN : HBG_COLUMN_NUMBER, signal->unit};
  hbg_sim_add_column(sim, (HbgColumnInfo){.column = column, .machine = -1, .shown_unit = signal->shown_unit, .shown = signal->shown},
                     signal->expr);
}

static void add_machine_state(HbgSim *sim, int32_t machine, const char *owner) {
  const HbgColumn state = {hbg_print(sim->arena, "%s.state", owner), HBG_COLUMN_MACHINE, NULL};
  hbg_sim_add_column(sim, (HbgColumnInfo){.column = state, .machine = machine},
                     hbg_machine_state_expr(&sim->laws.pool, sim->model, machine));
}

static void add_junction(HbgSim *sim, const HbgNode *junction, bool with_state) {
  HbgExprPool *pool = &sim->laws.pool;
  const int32_t machine = junction->machine;
  const HbgColumn on = {junction->name, HBG_COLUMN_JUNCTION, NULL};
  hbg_sim_add_column(sim, (HbgColumnInfo){.column = on, .machine = machine}, hbg_expr_leaf(pool, HBG_OP_IS_ON, machine, 0));
  if (!with_state) return;
  add_machine_state(sim, machine, junction->name);
}

HbgExpr hbg_machine_state_expr(HbgExprPool *pool, const HbgFlatModel *model, int32_t machine) {
  HbgExpr index = hbg_expr_constant(pool, 0);
  for (int32_t state = 1; state < model->machines[machine].state_count; state++)
    index = hbg_expr_select(pool, hbg_expr_leaf(pool, HBG_OP_IN_STATE, machine, state),
                            hbg_expr_constant(pool, state), index);
  return index;
}

static void add_variable(HbgSim *sim, int32_t index) {
  const HbgVariable *variable = &sim->model->variables[index];
  add_number(sim, variable->name, variable->unit,
             hbg_expr_leaf(&sim->laws.pool, HBG_OP_VARIABLE, index, variable->is_boolean));
}

void hbg_sim_add_default_columns(HbgSim *sim, HbgColumnSet set) {
  const HbgFlatModel *model = sim->model;
  for (int32_t at = 0; at < model->shown_junction_count; at++)
    add_junction(sim, &model->nodes[model->shown_junctions[at]], set == HBG_COLUMNS_EVENTS);
  // what switches no junction has no column of its own otherwise
  for (int32_t machine = 0; machine < sim->implied.first && set == HBG_COLUMNS_EVENTS; machine++)
    if (!model->machines[machine].switches) add_machine_state(sim, machine, model->machines[machine].name);
  for (int32_t at = 0; at < model->shown_state_count; at++) {
    const int32_t state = model->shown_states[at];
    add_number(sim, model->states[state].name, NULL, hbg_expr_leaf(&sim->laws.pool, HBG_OP_STATE, state, 0));
  }
  for (int32_t at = 0; at < model->variable_count; at++)
    if (model->variables[at].is_shown) add_variable(sim, at);
  if (set == HBG_COLUMNS_EVENTS) return;
  for (int32_t at = 0; at < model->signal_count; at++)
    add_signal(sim, &model->signals[at]);
}

int32_t hbg_sim_column_count(const HbgSim *sim) { return sim->column_count; }
const HbgColumnInfo *hbg_sim_column(const HbgSim *sim, int32_t column) { return &sim->column_info[column]; }
const double *hbg_sim_values(const HbgSim *sim) { return sim->current < 0 ? NULL : sim->queue[sim->current].columns; }

/* ---- readers ---- */

HbgExprPool *hbg_sim_reader_pool(HbgSim *sim) {
  if (!sim->reader_pool) {
    sim->reader_pool = ARENA_NEW(sim->arena, HbgExprPool, 1);
    *sim->reader_pool = hbg_expr_pool_copy(&sim->model->pool, sim->arena);
    sim->reader_pool->tables = sim->laws.pool.tables;
  }
  return sim->reader_pool;
}

static double evaluate(HbgSim *sim, HbgProbe *probe) {
  hbg_probe_run_pairs(probe, &sim->now, &sim->before);
  return hbg_probe_pair(probe, 0)->value;
}

static double read_now(HbgSim *sim, HbgReader *reader) {
  const double value = evaluate(sim, &reader->probe) + hbg_slides_add_mean(sim, &reader->probe);
  if (reader->name) hbg_report_undetermined(sim, &reader->probe, reader->name);
  return value;
}

/* Room for one more value in every row of the queue. */
static void widen_rows(HbgSim *sim) {
  const int32_t old = sim->row_width;
  sim->row_width = old * 2 + 1;
  for (int32_t row = 0; row < sim->queue_capacity; row++) {
    double *wider = ARENA_NEW(sim->arena, double, sim->row_width);
    if (old) memcpy(wider, sim->queue[row].columns, (size_t)old * sizeof *wider);
    sim->queue[row].columns = wider;
  }
}

int32_t hbg_sim_add_reader(HbgSim *sim, const char *name, HbgExpr expr) {
  expr = as_it_is_here(sim, sim->reader_pool, expr);
  HbgReader reader = {.name = name, .probe = hbg_probe(sim->model, sim->reader_pool, &expr, 1, sim->arena)};
  reader.source = hbg_row_source(sim->model, &reader.probe, -1);
  const int32_t value = sim->column_count + sim->reader_count;
  if (sim->queue_capacity && value == sim->row_width) widen_rows(sim);
  for (int32_t row = 0; row < sim->queue_capacity; row++) sim->queue[row].columns[value] = (double)NAN;
  if (hbg_sim_complete_row(sim) == HBG_OK && sim->shows_now) sim->queue[sim->current].columns[value] = read_now(sim, &reader);
  ARENA_PUSH(sim->arena, sim->readers, sim->reader_count, sim->reader_capacity) = reader;
  return sim->reader_count - 1;
}

double hbg_sim_read(const HbgSim *sim, int32_t reader) {
  const double *values = hbg_sim_values(sim);
  return values && reader >= 0 && reader < sim->reader_count ? values[sim->column_count + reader] : (double)NAN;
}

/* ---- rows ---- */

void hbg_rows_warn_of_nan(HbgSim *sim, int32_t column, double t) {
  HbgColumnInfo *info = &sim->column_info[column];
  if (info->is_told) return;
  info->is_told = true;
  hbg_sim_warn(sim,
               "%s is not a number at t = %.9g s: a root or logarithm of a negative number, or infinite values that "
               "cancel",
               info->column.name, t);
}

static HbgProbe *probe_of(HbgSim *sim, int32_t column) {
  HbgProbe *probe = &sim->columns[column];
  if (!probe->model) *probe = hbg_probe(sim->model, &sim->laws.pool, &sim->sheet.exprs[sim->column_sources[column].index], 1, sim->arena);
  return probe;
}

/* A machine that slides is in none of its states: its column shows a number behind theirs. */
static double column_value(HbgSim *sim, int32_t column) {
  const HbgColumnInfo *info = &sim->column_info[column];
  const double value = evaluate(sim, probe_of(sim, column));
  if (info->column.kind == HBG_COLUMN_BOOLEAN || !sim->slides.count) return value;
  if (info->column.kind == HBG_COLUMN_MACHINE && sim->slides.of_machine[info->machine])
    return sim->model->machines[info->machine].state_count;
  return value + hbg_slides_add_mean(sim, probe_of(sim, column));
}

static void tell_of_undetermined(HbgSim *sim, int32_t at) {
  const HbgReader *reader = at < sim->column_count ? NULL : &sim->readers[at - sim->column_count];
  if (!reader) hbg_report_undetermined(sim, probe_of(sim, at), sim->column_info[at].column.name);
  else if (reader->name) hbg_report_undetermined(sim, &reader->probe, reader->name);
}

static const HbgRowSource *source_of(const HbgSim *sim, int32_t at) {
  return at < sim->column_count ? &sim->column_sources[at] : &sim->readers[at - sim->column_count].source;
}

/* By itself, and telling what there is to be told. */
static double value_alone(HbgSim *sim, int32_t at) {
  if (at >= sim->column_count) return read_now(sim, &sim->readers[at - sim->column_count]);
  const double value = column_value(sim, at);
  tell_of_undetermined(sim, at);
  return value;
}

/* Each as it is, without a word. True: what the mode leaves undetermined, or what is no number, is among them. */
static inline bool fill_from_places(const HbgShown *shown, int32_t count, double *values) {
  const double *const *places = shown->places;
  const uint8_t *const *marks = shown->marks;
  unsigned odd = 0;
  for (int32_t at = 0; at < count; at++) {
    const double value = *places[at];
    values[at] = value;
    odd |= (unsigned)isnan(value) | *marks[at];
  }
  return odd;
}

static void look_up_others(HbgSim *sim, const HbgShown *shown, double *values) {
  for (const HbgShownSwitch *one = shown->switches, *end = one + shown->switch_count; one < end; one++) values[one->at] = (double)(one->on >> *one->phi & 1);
  for (int32_t other = 0; other < shown->other_count; other++) {
    const int32_t at = shown->others[other];
    if (!hbg_row_source_value(source_of(sim, at), &sim->now, &values[at])) values[at] = value_alone(sim, at);
  }
}

/* What has not been told yet. */
__attribute__((noinline)) static void tell(HbgSim *sim, const HbgShown *shown, bool is_of_sheet, const double *values) {
  const int32_t columns = sim->column_count;
  for (int32_t at = 0; at < columns + sim->reader_count; at++) {
    const HbgRowSource *source = source_of(sim, at);
    const bool is_open = *shown->marks[at] && !sim->warned_undetermined[source->index];
    if (is_open || (is_of_sheet && source->kind == HBG_FROM_SHEET)) tell_of_undetermined(sim, at);
    if (at < columns && isnan(values[at])) hbg_rows_warn_of_nan(sim, at, sim->now.time);
  }
}

void hbg_rows_fill(HbgSim *sim, double *columns) {
  const HbgShown *shown = hbg_shown_now(sim);
  const bool is_of_sheet = hbg_column_sheet_run(sim), is_odd = fill_from_places(shown, sim->column_count + sim->reader_count, columns);
  look_up_others(sim, shown, columns);
  for (int32_t at = 0; sim->slides.count && at < shown->of_machine_count; at++) columns[shown->of_machines[at]] = value_alone(sim, shown->of_machines[at]);
  if (is_odd || is_of_sheet) tell(sim, shown, is_of_sheet, columns);
}

/* Where rows of several instants wait, so many are known to come, with those of the last instant; of wide ones some. */
static int32_t first_capacity(const HbgSim *sim) {
  enum { MOST_NUMBERS = 8192, OF_AN_INSTANT = 16 };
  if (!sim->options.rows_ahead) return 0;
  const int32_t most = MOST_NUMBERS / (sim->row_width + (int32_t)(sizeof(HbgTraceRow) / sizeof(double)));
  const int32_t wanted = sim->options.rows_ahead + OF_AN_INSTANT;
  return wanted < most ? wanted : most;
}

/* Rows are used again and again; only their number at one instant grows. */
static void enlarge_queue(HbgSim *sim) {
  const int32_t old = sim->queue_capacity;
  if (!old) sim->row_width = sim->column_count + sim->reader_count;
  if (!old) sim->queue_capacity = first_capacity(sim);
  if (!old && sim->queue_capacity) sim->queue = ARENA_NEW(sim->arena, HbgTraceRow, sim->queue_capacity);
  else sim->queue = hbg_arena_grow(sim->arena, sim->queue, &sim->queue_capacity, sizeof *sim->queue);
  double *columns = ARENA_NEW(sim->arena, double, (size_t)(sim->queue_capacity - old) * (size_t)sim->row_width);
  for (int32_t row = old; row < sim->queue_capacity; row++) {
    sim->queue[row].columns = columns + (size_t)(row - old) * (size_t)sim->row_width;
    sim->queue[row].phi = NULL;
    sim->queue[row].phi_count = sim->queue[row].phi_capacity = 0;
  }
}

/* Rows of several instants wait at once: what is said of them waits with them, until the first row of the next lot. */
static void begin_row_text(HbgSim *sim) {
  if (sim->has_row_text) hbg_arena_rewind(&sim->row_text, sim->row_text_bottom);
}

const char *hbg_rows_keep_cause(HbgSim *sim, const char *cause) {
  if (sim->options.without_causes) return "";
  if (!sim->options.rows_ahead) return cause;
  sim->row_text.on_failure = sim->arena->on_failure;
  if (!sim->has_row_text) {
    ARENA_NEW(&sim->row_text, char, 1); // a first block that stays, so that rewinding gives nothing back
    sim->row_text_bottom = hbg_arena_mark(&sim->row_text);
    sim->has_row_text = true;
  }
  return hbg_arena_text(&sim->row_text, cause, strlen(cause));
}

static void note_machines(HbgSim *sim, HbgTraceRow *row, HbgRowKind kind) {
  row->known.count = 0;
  row->phi_count = kind == HBG_ROW_SAMPLE ? 0 : 2 * sim->scope.machines.count;
  while (row->phi_capacity < row->phi_count) row->phi = hbg_arena_grow(sim->arena, row->phi, &row->phi_capacity, sizeof *row->phi);
  for (int32_t at = 0; at < row->phi_count; at += 2) {
    row->phi[at] = sim->scope.machines.list[at / 2];
    row->phi[at + 1] = sim->now.phi[row->phi[at]];
  }
}

const int32_t *hbg_sim_phi(const HbgSim *sim) {
  const HbgTraceRow *row = sim->current < 0 ? NULL : &sim->queue[sim->current];
  if (sim->model->machine_count) memcpy(sim->phi_view, sim->now.phi, (size_t)sim->model->machine_count * sizeof *sim->phi_view);
  // what came into the instant later had not changed until then
  for (int32_t at = 0; row && row->row.kind != HBG_ROW_SAMPLE && at < sim->scope.machines.count; at++)
    sim->phi_view[sim->scope.machines.list[at]] = sim->scope.first_phi[sim->scope.machines.list[at]];
  for (int32_t at = 0; row && at < row->phi_count; at += 2) sim->phi_view[row->phi[at]] = row->phi[at + 1];
  for (int32_t at = 0; row && at < row->known.count; at++) sim->phi_view[row->known.machines[at]] = row->known.phi[at];
  return sim->phi_view;
}

void hbg_rows_make_room(HbgSim *sim) {
  if (sim->queue_count == sim->queue_capacity) enlarge_queue(sim);
  if (!sim->queue_count) begin_row_text(sim);
}

void hbg_rows_add(HbgSim *sim, HbgHyperTime at, HbgRowKind kind, const char *cause) {
  HbgTraceRow *row = hbg_rows_next(sim);
  row->reasons = NULL;
  row->row = (HbgRow){.time = at.t, .eps = at.eps, .n = at.n, .kind = kind, .cause = sim->options.without_causes ? "" : cause};
  note_machines(sim, row, kind);
  // a recipe has taken scheduled conditions to where they turn before the first of its rows
  uint8_t *const now = sim->now.tick;
  if (kind == HBG_ROW_BEFORE) sim->now.tick = sim->before.tick;
  hbg_rows_fill(sim, row->columns);
  sim->now.tick = now;
}

void hbg_rows_add_of_instant(HbgSim *sim, HbgHyperTime at, HbgRowKind kind, const char *cause) {
  hbg_rows_add(sim, at, kind, "");
  sim->queue[sim->queue_count - 1].row.cause = hbg_rows_keep_cause(sim, cause);
}

double hbg_rows_end(const HbgSim *sim) { return sim->queue_count ? sim->queue[sim->queue_count - 1].row.time : sim->last_row_time; }
