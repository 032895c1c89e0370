/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/shown.h"

#include <math.h>
#include <string.h>

#include "hybrid/present.h"
#include "hybrid/slide_line.h"
#include "hybrid/vicinity.h"

typedef struct Marks {
  uint8_t *states, *bonds;
  bool everything, a_priori, machines, variables, compares;
} Marks;

static bool is_at_source(const HbgFlatModel *model, int32_t bond) {
  const HbgElementKind tail = model->nodes[model->bonds[bond].tail].kind, head = model->nodes[model->bonds[bond].head].kind;
  return tail == HBG_ELEMENT_SE || tail == HBG_ELEMENT_SF || head == HBG_ELEMENT_SE || head == HBG_ELEMENT_SF;
}

/* May it belong to a source that hangs in some mode? What that delivers, and what its law reads, may be anything; otherwise it is of an
 * island like any other element. */
static bool may_hang(const HbgSim *sim, int32_t bond) {
  const HbgBond *ends = &sim->model->bonds[bond];
  if (!is_at_source(sim->model, bond) || sim->laws.is_read[bond]) return false;
  return sim->model->nodes[ends->tail].machine >= 0 || sim->model->nodes[ends->head].machine >= 0 ||
         sim->cuts.source_of[ends->tail] == ends->head || sim->cuts.source_of[ends->head] == ends->tail;
}

/* What a source receives by way of a feeder hangs on all that it feeds. */
static bool may_be_received(const HbgSim *sim, int32_t variable) {
  const HbgFeeder *feeder = hbg_cut_feeder_of(&sim->cuts, variable / 2);
  return feeder && variable % 2 == (sim->model->nodes[feeder->junction].kind == HBG_ELEMENT_ZERO);
}

static bool is_comparison(HbgOperation op) { return op >= HBG_OP_LESS && op <= HBG_OP_GREATER; }

static bool compares(const HbgProbe *probe) {
  for (int32_t at = 0; at < probe->program.main_count; at++)
    if (is_comparison((HbgOperation)probe->program.main[at].op)) return true;
  return false;
}

static bool may_be_anything(const HbgSim *sim, int32_t variable) { return may_hang(sim, variable / 2) || may_be_received(sim, variable); }

static void mark(const HbgSim *sim, const HbgProbe *probe, Marks *marks) {
  marks->compares = marks->compares || compares(probe);
  for (int32_t at = 0; at < probe->program.input_count; at++) {
    const HbgExprNode *leaf = &probe->program.inputs[at].leaf;
    const int32_t variable = hbg_variable_of(leaf);
    if (probe->program.inputs[at].is_pre) marks->a_priori = true;
    if (hbg_leaf_is_of_machine(leaf)) marks->machines = true;
    if (leaf->op == HBG_OP_VARIABLE) marks->variables = true;
    if (leaf->op == HBG_OP_STATE) marks->states[leaf->index] = 1;
    if (variable < 0) continue;
    marks->bonds[variable / 2] |= (uint8_t)(1 << variable % 2);
    if (may_be_anything(sim, variable)) marks->everything = true;
  }
}

static bool are_plain(const HbgSim *sim) {
  for (int32_t column = 0; column < sim->column_count; column++)
    if (!hbg_row_source_is_plain(&sim->column_sources[column])) return false;
  for (int32_t reader = 0; reader < sim->reader_count; reader++)
    if (!hbg_row_source_is_plain(&sim->readers[reader].source)) return false;
  return true;
}

/* NULL: it has to be looked up. */
static const double *place_of(const HbgSim *sim, const HbgRowSource *source) {
  switch (source->kind) {
    case HBG_FROM_STATE: return &sim->now.state[source->index];
    case HBG_FROM_VARIABLE: return &sim->now.variable[source->index];
    case HBG_FROM_DISCRETE: return &sim->now.discrete[source->index];
    case HBG_FROM_SHEET: return hbg_column_sheet_place(&sim->sheet, source->index);
    default: return NULL;
  }
}

static void find_place(const HbgSim *sim, HbgShown *shown, int32_t at, const HbgRowSource *source) {
  static const uint8_t DETERMINED = 0;
  static const double NOTHING = 0;
  const double *place = place_of(sim, source);
  shown->places[at] = place ? place : &NOTHING;
  shown->marks[at] = source->kind == HBG_FROM_VARIABLE ? &sim->now.undetermined[source->index] : &DETERMINED;
  if (source->kind == HBG_FROM_IS_ON) shown->switches[shown->switch_count++] = (HbgShownSwitch){at, &sim->now.phi[source->index], source->on};
  else if (!place) shown->others[shown->other_count++] = at;
}

static bool reads_machines(const HbgSim *sim, const HbgRowSource *source, const HbgProbe *probe) {
  if (source->kind == HBG_FROM_SHEET) return sim->sheet.reads_machines[source->index];
  for (int32_t at = 0; at < probe->program.input_count; at++)
    if (hbg_leaf_is_of_machine(&probe->program.inputs[at].leaf)) return true;
  return false;
}

static void find_what_reads_machines(const HbgSim *sim, HbgShown *shown, HbgArena *arena) {
  const int32_t columns = sim->column_count, readers = sim->reader_count;
  shown->of_machines = ARENA_NEW(arena, int32_t, columns + readers);
  for (int32_t at = 0; at < columns; at++)
    if (reads_machines(sim, &sim->column_sources[at], &sim->columns[at])) shown->of_machines[shown->of_machine_count++] = at;
  for (int32_t at = 0; at < readers; at++)
    if (reads_machines(sim, &sim->readers[at].source, &sim->readers[at].probe)) shown->of_machines[shown->of_machine_count++] = columns + at;
}

static void find_places(const HbgSim *sim, HbgShown *shown, HbgArena *arena) {
  const int32_t columns = sim->column_count, readers = sim->reader_count;
  shown->places = ARENA_NEW(arena, const double *, columns + readers);
  shown->marks = ARENA_NEW(arena, const uint8_t *, columns + readers);
  shown->switches = ARENA_NEW(arena, HbgShownSwitch, columns + readers);
  shown->others = ARENA_NEW(arena, int32_t, columns + readers);
  for (int32_t at = 0; at < columns; at++) find_place(sim, shown, at, &sim->column_sources[at]);
  for (int32_t at = 0; at < readers; at++) find_place(sim, shown, columns + at, &sim->readers[at].source);
}

static int32_t *list(const uint8_t *marks, int32_t count, bool all, HbgArena *arena, int32_t *found) {
  int32_t *members = ARENA_NEW(arena, int32_t, count);
  *found = 0;
  for (int32_t at = 0; at < count; at++)
    if (all || marks[at]) members[(*found)++] = at;
  return members;
}

/* Laws of sources may read the others, and what is received at a junction is the sum of these. */
typedef enum Turn { PLAIN, OF_A_SOURCE, RECEIVES, TURNS } Turn;

static Turn turn_of(const HbgSim *sim, int32_t bond) {
  const HbgBond *ends = &sim->model->bonds[bond];
  const HbgCuts *cuts = &sim->cuts;
  if (cuts->source_of[ends->tail] == ends->head || cuts->source_of[ends->head] == ends->tail) return RECEIVES;
  if (hbg_cut_feeder_of(cuts, bond)) return RECEIVES;
  return is_at_source(sim->model, bond) ? OF_A_SOURCE : PLAIN;
}

static void put_in_turn(const HbgSim *sim, int32_t *bonds, int32_t count, HbgArena *arena) {
  int32_t *sorted = ARENA_NEW(arena, int32_t, count), end = 0;
  for (Turn turn = PLAIN; turn < TURNS; turn++)
    for (int32_t at = 0; at < count; at++)
      if (turn_of(sim, bonds[at]) == turn) sorted[end++] = bonds[at];
  for (int32_t at = 0; at < count; at++) bonds[at] = sorted[at];
}

static HbgShown find_shown(const HbgSim *sim, HbgArena *arena) {
  const HbgFlatModel *model = sim->model;
  Marks marks = {.states = ARENA_NEW(arena, uint8_t, model->state_count), .bonds = ARENA_NEW(arena, uint8_t, model->bond_count)};
  for (int32_t column = 0; column < sim->column_count; column++) mark(sim, &sim->columns[column], &marks);
  mark(sim, &sim->sheet.values, &marks);
  for (int32_t reader = 0; reader < sim->reader_count; reader++) mark(sim, &sim->readers[reader].probe, &marks);
  uint8_t *reads_bond = ARENA_NEW(arena, uint8_t, model->bond_count);
  if (model->bond_count) memcpy(reads_bond, marks.bonds, (size_t)model->bond_count);
  HbgShown shown = {.shows_state = marks.states, .shows_bond = marks.bonds, .reads_bond = reads_bond};
  if (marks.everything && model->state_count) memset(marks.states, 1, (size_t)model->state_count);
  if (marks.everything && model->bond_count) memset(marks.bonds, 3, (size_t)model->bond_count);
  shown.states = list(marks.states, model->state_count, marks.everything, arena, &shown.state_count);
  shown.bonds = list(marks.bonds, model->bond_count, marks.everything, arena, &shown.bond_count);
  put_in_turn(sim, shown.bonds, shown.bond_count, arena);
  shown.reads_a_priori = marks.a_priori;
  shown.everything = marks.everything;
  shown.reads_machines = marks.machines;
  shown.reads_variables = marks.variables;
  shown.compares = marks.compares;
  shown.is_plain = are_plain(sim);
  find_places(sim, &shown, arena);
  find_what_reads_machines(sim, &shown, arena);
  for (int32_t at = 0; at < shown.bond_count && !shown.is_plain; at++) marks.bonds[shown.bonds[at]] = 3;
  return shown;
}

const HbgShown *hbg_shown_anew(HbgSim *sim) {
  hbg_column_sheet_make(sim);
  sim->shown = ARENA_NEW(sim->arena, HbgShown, 1);
  *sim->shown = find_shown(sim, sim->arena);
  sim->shown_columns = sim->column_count;
  sim->shown_readers = sim->reader_count;
  return sim->shown;
}

/* ---- what is read beside rows ---- */

static void add_once(int32_t *list, int32_t *count, int32_t member) {
  for (int32_t at = 0; at < *count; at++)
    if (list[at] == member) return;
  list[(*count)++] = member;
}

HbgShown *hbg_shown_by(HbgSim *sim, const HbgProbe *probe, uint8_t *shows_bond) {
  const int32_t count = probe->program.input_count;
  HbgShown *shown = ARENA_NEW(sim->arena, HbgShown, 1);
  *shown = (HbgShown){.states = ARENA_NEW(sim->arena, int32_t, count), .bonds = ARENA_NEW(sim->arena, int32_t, count), .shows_bond = shows_bond, .compares = compares(probe)};
  for (int32_t at = 0; at < count; at++) {
    const HbgExprNode *leaf = &probe->program.inputs[at].leaf;
    const int32_t variable = hbg_variable_of(leaf);
    if (leaf->op == HBG_OP_STATE) add_once(shown->states, &shown->state_count, leaf->index);
    if (variable < 0) continue;
    add_once(shown->bonds, &shown->bond_count, variable / 2);
    shows_bond[variable / 2] = 3;
    shown->everything = shown->everything || may_be_anything(sim, variable);
  }
  put_in_turn(sim, shown->bonds, shown->bond_count, sim->arena);
  return shown;
}

/* ---- a sample ---- */

/* A walk over the states that a row reads. */
typedef struct Walk {
  HbgSim *sim;
  double theta;          /* where to read them; NAN: they are listed */
  int32_t *list, count, capacity; /* in the run's arena */
} Walk;

static void take_state(Walk *walk, int32_t state) {
  HbgSim *sim = walk->sim;
  if (isnan(walk->theta)) ARENA_PUSH(sim->arena, walk->list, walk->count, walk->capacity) = state;
  else sim->now.state[state] = hbg_stepper_dense_one(sim->stepper, walk->theta, state);
}

static void take_island(Walk *walk, const HbgIsland *island) {
  for (int32_t at = 0; island->sliding && at < island->sliding->states.count; at++)
    take_state(walk, island->sliding->states.list[at]);
  for (int32_t at = 0; at < island->program->template.state_count; at++) take_state(walk, island->binding.states[at]);
}

/* A storage that is cut off shows what its neighbours deliver, if that is shown. */
static void take_bond(Walk *walk, int32_t bond, const uint8_t *shows) {
  const HbgIsland *island = walk->sim->island_of[bond];
  const HbgDeliveries *deliveries = &walk->sim->cuts.deliveries;
  if (!island->is_storage) {
    take_island(walk, island);
    return;
  }
  take_state(walk, deliveries->state[island->delivery]);
  if (!hbg_evaluate_is_received_read(island, shows)) return;
  for (int32_t term = deliveries->start[island->delivery]; term < deliveries->start[island->delivery + 1]; term++)
    take_island(walk, walk->sim->island_of[deliveries->variable[term] / 2]);
}

static void take_all(Walk *walk, const HbgShown *shown) {
  for (int32_t at = 0; at < shown->state_count; at++) take_state(walk, shown->states[at]);
  for (int32_t at = 0; at < shown->bond_count; at++) take_bond(walk, shown->bonds[at], shown->shows_bond);
}

/* Where nothing ever switches, what is read stays, and so does what that hangs on. */
static void find_near(HbgSim *sim, HbgShown *shown) {
  shown->has_near = true;
  if (sim->model->machine_count) return;
  Walk walk = {.sim = sim, .theta = (double)NAN};
  take_all(&walk, shown);
  shown->read = walk.list;
  shown->read_count = walk.count;
  shown->near = hbg_vicinity(sim, walk.list, walk.count);
}

/* Where it is most of them, all at once. */
static void go_for_states(HbgSim *sim, double theta, HbgShown *shown) {
  if (4 * (shown->state_count + shown->bond_count) > sim->model->state_count) {
    hbg_stepper_dense(sim->stepper, theta, sim->now.state);
    return;
  }
  if (!shown->has_near) find_near(sim, shown);
  if (shown->near) hbg_stepper_dense_near(sim->stepper, theta, shown->near, shown->read, shown->read_count, sim->now.state);
  else take_all(&(Walk){.sim = sim, .theta = theta}, shown);
}

static bool evaluate(HbgSim *sim, const HbgShown *shown) {
  if (!shown->compares) return hbg_evaluate_bonds(sim, shown->bonds, shown->bond_count, shown->shows_bond);
  for (int32_t at = 0; at < shown->bond_count; at++)
    if (!hbg_island_variables(&sim->solver, sim->island_of[shown->bonds[at]], &sim->now, true)) return false;
  return true;
}

/* Islands whose values hang on more than their states, and sums of storages that are compared, are seen to with all the rest. */
static bool may_go(HbgSim *sim, const HbgShown *shown) {
  if (sim->slides.count && (shown->compares || shown->reads_machines || !hbg_slides_are_lines(sim))) return false;
  if (shown->everything || sim->solver.relaxation) return false;
  for (int32_t at = 0; at < shown->bond_count; at++) {
    const HbgIsland *island = sim->island_of[shown->bonds[at]];
    if (island->is_storage ? shown->compares : island->is_hanging) return false;
  }
  return true;
}

/* What must agree at all times is looked at, too. */
static bool is_consistent(HbgSim *sim, double theta) {
  const HbgPresentList *timed = &sim->present.timed;
  for (int32_t at = 0; sim->solver.any_needs_check && at < timed->count; at++) {
    if (!timed->islands[at]->needs_stacked[0]) continue;
    take_island(&(Walk){.sim = sim, .theta = theta}, timed->islands[at]);
    if (!hbg_island_check(&sim->solver, timed->islands[at], &sim->now)) return false;
  }
  return true;
}

bool hbg_shown_go(HbgSim *sim, double t, bool *is_done) {
  hbg_shown_now(sim);
  return hbg_shown_go_for(sim, sim->shown, t, is_done);
}

bool hbg_shown_go_for(HbgSim *sim, HbgShown *shown, double t, bool *is_done) {
  const double theta = hbg_stepper_theta(sim->stepper, t);
  *is_done = may_go(sim, shown);
  if (!*is_done) return true;
  go_for_states(sim, theta, shown);
  sim->now.time = t; // not before: the stepper may have to go elsewhere for it
  if (!is_consistent(sim, theta)) return false;
  return 2 * shown->bond_count > sim->model->bond_count ? hbg_evaluate_variables(sim, false) : evaluate(sim, shown);
}
