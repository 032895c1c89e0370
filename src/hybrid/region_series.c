/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/region_series.h"

#include <math.h>
#include <string.h>

#include "equations/program_slice.h"
#include "equations/program_taylor.h"
#include "hybrid/island_parts.h"
#include "hybrid/local_parts.h"
#include "hybrid/watch_parts.h"

enum { STRIDE = HBG_TAYLOR_STRIDE, ORDER = HBG_TAYLOR_ORDER, NONE = -1 };

/* ---- making ---- */

/* A program of the model's, whose registers become those of ours. */
typedef struct Source {
  const HbgProgram *program;
  const double *registers;
  int32_t *map;
} Source;

typedef struct Maker {
  HbgSim *sim;
  HbgRegion *region;
  HbgRegionSeries *made;
  HbgArena *arena;    /* of what is made, for the time being */
  Source *islands;    /* their programs (island_count) */
} Maker;

static Source begin_source(Maker *self, const HbgProgram *program, const double *registers) {
  Source source = {program, registers, ARENA_NEW(self->arena, int32_t, program->register_count)};
  for (int32_t at = 0; at < program->register_count; at++) source.map[at] = NONE;
  return source;
}

static void take_constant(Maker *self, Source *source, int32_t target) {
  HbgRegionSeries *made = self->made;
  if (source->map[target] >= 0) return;
  source->map[target] = hbg_taylor_input(&made->program, true);
  int32_t count = made->constant_count;
  ARENA_PUSH(self->arena, made->sources, count, made->source_capacity) = &source->registers[target];
  ARENA_PUSH(self->arena, made->constants, made->constant_count, made->constant_capacity) = source->map[target];
}

static int32_t place_of(const HbgRegion *region, int32_t state) {
  for (int32_t at = 0; at < region->count; at++)
    if (region->states[at] == state) return at;
  return NONE;
}

/* What a constant is for as long as the equations are the same; NAN: it may hang on scheduled conditions. */
static double lasting_value(const Source *source, int32_t target) {
  const HbgProgram *program = source->program;
  for (int32_t at = 0; at < program->constant_count; at++)
    if (program->constants[at].target == target) return program->constants[at].value;
  for (int32_t at = 0; at < program->input_count; at++)
    if (program->inputs[at].target == target && hbg_is_slot(&program->inputs[at].leaf, HBG_SLOT_CONSTANT)) return source->registers[target];
  return (double)NAN;
}

/* What is known already is not computed again. False: something in it has no series. */
static bool take_code(Maker *self, Source *source, const HbgInstruction *code, int32_t count) {
  for (int32_t at = 0; at < count; at++) {
    const HbgInstruction *i = &code[at];
    const HbgOperation op = (HbgOperation)i->op;
    const int32_t arguments = hbg_operation_info[op].arguments;
    if (source->map[i->target] >= 0) continue;
    if (hbg_operation_has_table(op)) return false;
    const int32_t a = source->map[i->a], b = arguments > 1 ? source->map[i->b] : 0, c = arguments > 2 ? source->map[i->c] : 0;
    if (a < 0 || b < 0 || c < 0) return false;
    const double exponent = op == HBG_OP_POW ? lasting_value(source, i->b) : (double)NAN;
    source->map[i->target] = hbg_taylor_emit(&self->made->program, op, a, b, c, exponent);
    if (source->map[i->target] < 0) return false;
  }
  return true;
}

static int32_t time_register(const Maker *self) { return self->region->count; }

/* ---- islands ---- */

/* Registers that rates and integrators need. */
static int32_t list_roots(const Maker *self, const HbgIsland *island, const HbgEquations *equations, int32_t *roots) {
  const HbgTemplate *template = &island->program->template;
  const HbgInputs *inputs = &self->sim->local->inputs;
  int32_t count = 0;
  for (int32_t state = 0; state < template->state_count; state++)
    if (template->state_node[state] >= 0) roots[count++] = equations->state_register[state];
  for (int32_t variable = 0; variable < 2 * template->graph.bond_count; variable++)
    if (inputs->count && template->is_demanded[variable]) roots[count++] = equations->variable_register[variable];
  return count;
}

static bool take_inputs(Maker *self, const HbgIsland *island, Source *source, const HbgSlice *slice) {
  for (int32_t at = 0; at < slice->constant_count; at++) take_constant(self, source, slice->constants[at]);
  for (int32_t at = 0; at < slice->input_count; at++) {
    const HbgExprNode *leaf = &slice->inputs[at].leaf;
    const int32_t target = slice->inputs[at].target;
    if (leaf->op == HBG_OP_TIME) source->map[target] = time_register(self);
    else if (leaf->op == HBG_OP_STATE) source->map[target] = place_of(self->region, island->binding.states[leaf->index]);
    else if (hbg_is_still_slot(leaf)) take_constant(self, source, target);
    else return false;
    if (source->map[target] < 0) return false;
  }
  return true;
}

/* All that `roots` (count) of an island need. */
static bool take_slice(Maker *self, int32_t which, const int32_t *roots, int32_t count) {
  const HbgProgram *program = self->islands[which].program;
  const HbgSlice slice = hbg_program_slice(program, roots, count, false, program->main_count, &self->sim->local->arena, self->arena);
  Source *source = &self->islands[which];
  return take_inputs(self, self->region->islands[which], source, &slice) && take_code(self, source, slice.code, slice.count);
}

static bool take_island(Maker *self, int32_t which) {
  HbgSim *sim = self->sim;
  HbgIsland *island = self->region->islands[which];
  const HbgTemplate *template = &island->program->template;
  const HbgEquationsRun *run = hbg_island_solve_finite(&sim->solver, island, &sim->now, NULL);
  if (!run || run->equations->system.unknown_count || template->pre_count) return false;
  self->made->runs[which] = run;
  self->islands[which] = begin_source(self, &run->equations->program, run->registers);
  int32_t *roots = ARENA_NEW(self->arena, int32_t, template->state_count + 2 * template->graph.bond_count);
  const int32_t root_count = list_roots(self, island, run->equations, roots);
  if (!take_slice(self, which, roots, root_count)) return false;
  for (int32_t state = 0; state < template->state_count; state++)
    if (template->state_node[state] >= 0)
      self->made->rates[place_of(self->region, island->binding.states[state])] = self->islands[which].map[run->equations->state_register[state]];
  return true;
}

/* ---- integrators ---- */

/* The register of a variable of the region, made if need be; NONE. */
static int32_t variable_register(Maker *self, int32_t variable) {
  const HbgIsland *island = self->sim->island_of[variable / 2];
  for (int32_t which = 0; which < self->region->island_count; which++) {
    if (self->region->islands[which] != island) continue;
    const HbgEquations *equations = self->made->runs[which]->equations;
    const int32_t root = equations->variable_register[2 * hbg_graph_find_bond(&island->graph, variable / 2) + variable % 2];
    return take_slice(self, which, &root, 1) ? self->islands[which].map[root] : NONE;
  }
  return NONE;
}

/* The registers of its outputs from `first` on. False: something in it has no series, or moves elsewhere. */
static bool take_probe(Maker *self, HbgProbe *probe, int32_t first, int32_t count, int32_t *outputs) {
  const HbgProgram *program = &probe->program;
  hbg_probe_load(probe, &self->sim->now);
  const HbgSlice slice = hbg_program_slice(program, &probe->outputs[first], count, false, program->main_count, &self->sim->local->arena, self->arena);
  Source source = begin_source(self, program, probe->registers);
  for (int32_t at = 0; at < slice.constant_count; at++) take_constant(self, &source, slice.constants[at]);
  for (int32_t at = 0; at < slice.input_count; at++) {
    const HbgExprNode *leaf = &slice.inputs[at].leaf;
    const int32_t target = slice.inputs[at].target, variable = hbg_variable_of(leaf);
    if (leaf->op == HBG_OP_TIME) source.map[target] = time_register(self);
    else if (leaf->op == HBG_OP_STATE) source.map[target] = place_of(self->region, leaf->index);
    else if (variable >= 0) source.map[target] = variable_register(self, variable);
    else take_constant(self, &source, target);
    if (source.map[target] < 0) return false;
  }
  if (!take_code(self, &source, slice.code, slice.count)) return false;
  for (int32_t at = 0; at < count; at++) outputs[at] = source.map[probe->outputs[first + at]];
  return true;
}

static bool take_integrator(Maker *self, int32_t place) {
  return take_probe(self, hbg_local_integrator(self->sim, self->region->states[place]), 0, 1, &self->made->rates[place]);
}

/* ---- guards ---- */

/* Do all of its differences read nothing but what moves? */
static bool is_plain(HbgSim *sim, const HbgConjunction *guard, int32_t number) {
  const HbgWatch *watch = &sim->local->watches.list[number];
  return guard->difference_count && !guard->is_opaque && !guard->reads_a_priori && watch->gates_stand_still && !watch->is_volatile &&
         hbg_watch_has_inequalities(guard);
}

/* One that has no series, or bends, is looked at by other ways. */
static void take_guard(Maker *self, int32_t number) {
  HbgSim *sim = self->sim;
  HbgRegionSeries *made = self->made;
  HbgConjunction *guard = &sim->guards.list[number];
  const int32_t bottom = made->program.count, kinks = made->program.kink_count;
  if (!is_plain(sim, guard, number)) return;
  int32_t *outputs = ARENA_NEW(self->arena, int32_t, guard->difference_count);
  const bool is_taken = take_probe(self, &guard->probe, 1, guard->difference_count, outputs);
  if (!is_taken || made->program.kink_count > kinks) {
    made->program.count = bottom;
    made->program.kink_count = kinks;
    made->has_gap = true; // what it has left in the maps is not computed
    return;
  }
  ARENA_PUSH(self->arena, made->guards, made->guard_count, made->guard_capacity) = (HbgSeriesGuard){number, made->target_count, guard->difference_count};
  for (int32_t at = 0; at < guard->difference_count; at++)
    ARENA_PUSH(self->arena, made->targets, made->target_count, made->target_capacity) = outputs[at];
}

static void take_guards(Maker *self) {
  const HbgRegion *region = self->region;
  const HbgGuards *guards = &self->sim->guards;
  for (int32_t at = 0; at < region->machine_count; at++) {
    const int32_t machine = region->machines[at], states = self->sim->model->machines[machine].state_count;
    for (int32_t state = 0; state < states; state++) {
      int32_t count;
      const HbgConjunction *leaving = hbg_guards_leaving(guards, machine, state, &count);
      for (int32_t which = 0; which < count && !self->made->has_gap; which++) take_guard(self, (int32_t)(&leaving[which] - guards->list));
    }
  }
}

/* ---- expanding ---- */

static double *room_for(HbgSim *sim, int32_t registers, signed char **signs, int32_t kinks) {
  HbgLocal *local = sim->local;
  if (registers * STRIDE > local->series_room) {
    local->series_room = 2 * registers * STRIDE;
    local->series = ARENA_NEW(&local->arena, double, local->series_room);
  }
  if (kinks > local->sign_room) {
    local->sign_room = 2 * kinks;
    local->signs = ARENA_NEW(&local->arena, signed char, local->sign_room);
  }
  *signs = local->signs;
  return local->series;
}

static void load(const HbgRegion *region, double t, const double *y, double *series) {
  const HbgRegionSeries *made = region->series;
  for (int32_t at = 0; at < region->count; at++) series[at * STRIDE] = y[at];
  double *time = &series[region->count * STRIDE];
  memset(time, 0, STRIDE * sizeof *time);
  time[0] = t;
  time[1] = 1;
  for (int32_t at = 0; at < made->constant_count; at++) {
    double *to = &series[made->constants[at] * STRIDE];
    memset(to, 0, STRIDE * sizeof *to);
    to[0] = made->numbers[at];
  }
}

static void set_coefficients(const HbgRegion *region, double *series, int32_t k) {
  for (int32_t at = 0; at < region->count; at++) series[at * STRIDE + k] = series[region->series->rates[at] * STRIDE + k - 1] / k;
}

/* Decides which branches are meant just behind t, by coefficients up to `order`. Answers whether they are those that were meant. */
static bool decide(const HbgTaylorProgram *program, const double *series, double lag, int32_t order, signed char *signs) {
  bool is_same = true;
  for (int32_t at = 0; at < program->kink_count; at++) {
    const int sign = hbg_taylor_sign(&program->kinks[at], series, lag, order);
    is_same = is_same && sign == signs[at];
    signs[at] = (signed char)sign;
  }
  return is_same;
}

static void expand_from(const HbgRegion *region, double *series, signed char *signs, int32_t from, int32_t to) {
  for (int32_t k = from; k <= to; k++) {
    if (k) set_coefficients(region, series, k);
    hbg_taylor_execute(&region->series->program, 0, region->series->rate_end, series, signs, k);
  }
}

static const double *expand(double t, const double *y, double lag, void *user) {
  enum { MOST_ROUNDS = 4 };
  const HbgRegion *region = user;
  const HbgTaylorProgram *program = &region->series->program;
  signed char *signs;
  double *series = room_for(region->sim, program->register_count, &signs, program->kink_count);
  load(region, t, y, series);
  if (program->kink_count) memset(signs, HBG_TAYLOR_UNDECIDED, (size_t)program->kink_count);
  expand_from(region, series, signs, 0, 1);
  if (!decide(program, series, lag, 1, signs)) expand_from(region, series, signs, 0, 1);
  expand_from(region, series, signs, 2, ORDER);
  for (int32_t round = 0; !decide(program, series, lag, ORDER, signs); round++) {
    if (round == MOST_ROUNDS) return NULL;
    expand_from(region, series, signs, 0, ORDER);
  }
  return series;
}

const double *hbg_region_series_at(HbgSim *sim, const HbgRegion *region, double t, const double *y) {
  const HbgTaylorProgram *program = &region->series->program;
  signed char *signs;
  double *series = room_for(sim, program->register_count, &signs, program->kink_count);
  load(region, t, y, series);
  if (program->kink_count) memset(signs, HBG_TAYLOR_UNDECIDED, (size_t)program->kink_count);
  expand_from(region, series, signs, 0, 1);
  for (int32_t k = 0; k <= 1; k++) hbg_taylor_execute(program, region->series->rate_end, program->count, series, signs, k);
  return series;
}

static double holds_for(double lag, double length, void *user) {
  const HbgRegion *region = user;
  const HbgTaylorProgram *program = &region->series->program;
  for (int32_t at = 0; at < program->kink_count; at++)
    length = fmin(length, hbg_taylor_turn(&program->kinks[at], region->sim->local->series, lag, length));
  return length;
}

/* ---- all ---- */

static bool make(Maker *self) {
  HbgRegion *region = self->region;
  for (int32_t at = 0; at <= region->count; at++) hbg_taylor_input(&self->made->program, false);
  for (int32_t at = 0; at < region->island_count; at++)
    if (!take_island(self, at)) return false;
  for (int32_t place = 0; place < region->count; place++)
    if (region->states[place] >= self->sim->first_integrator && !take_integrator(self, place)) return false;
  for (int32_t place = 0; place < region->count; place++)
    if (self->made->rates[place] < 0) return false;
  self->made->rate_end = self->made->program.count;
  take_guards(self);
  return true;
}

static void describe_list(HbgKey *key, const int32_t *list, int32_t count) {
  hbg_key_add(key, count);
  for (int32_t at = 0; at < count; at++) hbg_key_add(key, list[at]);
}

/* Equal where the lists are that regions may share. */
static HbgKey describe(const Maker *self) {
  const HbgRegionSeries *made = self->made;
  const HbgTaylorProgram *program = &made->program;
  HbgKey key = hbg_key(self->arena);
  hbg_key_add(&key, program->register_count);
  hbg_key_add(&key, made->rate_end);
  describe_list(&key, made->rates, self->region->count);
  describe_list(&key, made->constants, made->constant_count);
  describe_list(&key, made->targets, made->target_count);
  hbg_key_add(&key, program->kink_count);
  for (int32_t at = 0; at < program->kink_count; at++) {
    hbg_key_add(&key, program->kinks[at].a);
    hbg_key_add(&key, program->kinks[at].b);
    hbg_key_add_number(&key, program->kinks[at].reach);
  }
  for (int32_t at = 0; at < program->count; at++) {
    const HbgTaylorInstruction *i = &program->code[at];
    const int32_t parts[] = {i->op, i->target, i->a, i->b, i->c};
    for (int part = 0; part < 5; part++) hbg_key_add(&key, parts[part]);
  }
  return key;
}

/* The lists that regions which are alike have in common: with the first of them they move from the scratch arena to the local one. */
static const HbgRegionSeries *shared_lists(const Maker *self) {
  HbgKeyTable *known = &self->sim->local->known_series;
  HbgArena *arena = &self->sim->local->arena;
  const HbgRegionSeries *made = self->made;
  const HbgKey key = describe(self);
  HbgRegionSeries *shared = hbg_key_table_find(known, key.list, key.count);
  if (shared) return shared;
  shared = hbg_arena_copy(arena, made, 1, sizeof *made);
  shared->program.arena = NULL;
  shared->program.code = hbg_arena_copy(arena, made->program.code, made->program.count, sizeof *made->program.code);
  shared->program.kinks = hbg_arena_copy(arena, made->program.kinks, made->program.kink_count, sizeof *made->program.kinks);
  shared->program.is_constant = NULL;
  shared->program.is_linear = hbg_arena_copy(arena, made->program.is_linear, made->program.register_count, sizeof *made->program.is_linear);
  shared->targets = hbg_arena_copy(arena, made->targets, made->target_count, sizeof *made->targets);
  shared->constants = hbg_arena_copy(arena, made->constants, made->constant_count, sizeof *made->constants);
  shared->rates = hbg_arena_copy(arena, made->rates, self->region->count, sizeof *made->rates);
  hbg_key_table_add(known, hbg_key_keep(&key, arena), key.count, shared);
  return shared;
}

static void take_numbers(HbgRegionSeries *made) {
  for (int32_t at = 0; at < made->constant_count; at++) made->numbers[at] = *made->sources[at];
}

/* Does nothing that it is made of change at instants? Where nothing has to be solved for, its equations stay then, too. */
static bool is_steady(const HbgRegion *region) {
  for (int32_t at = 0; at < region->island_count; at++)
    if (region->islands[at]->program->template.tick_count || region->islands[at]->program->template.discrete_count) return false;
  return !region->reads_mode;
}

static HbgRegionSeries *keep_all(const Maker *self) {
  HbgArena *arena = &self->sim->local->arena;
  const HbgRegionSeries *made = self->made;
  HbgRegionSeries *kept = hbg_arena_copy(arena, shared_lists(self), 1, sizeof *made);
  kept->guards = hbg_arena_copy(arena, made->guards, made->guard_count, sizeof *made->guards);
  kept->guard_count = made->guard_count;
  kept->has_gap = made->has_gap;
  kept->differences = ARENA_NEW(arena, double, made->target_count * STRIDE);
  kept->sources = hbg_arena_copy(arena, made->sources, made->constant_count, sizeof *made->sources);
  kept->numbers = ARENA_NEW(arena, double, made->constant_count);
  kept->runs = hbg_arena_copy(arena, made->runs, self->region->island_count, sizeof *made->runs);
  kept->is_steady = is_steady(self->region);
  take_numbers(kept);
  return kept;
}

/* What is made once and stays, by others. */
static void make_ready(HbgSim *sim, const HbgRegion *region) {
  for (int32_t at = 0; at < region->count; at++)
    if (region->states[at] >= sim->first_integrator) hbg_local_integrator(sim, region->states[at]);
  for (int32_t at = 0; at < region->machine_count; at++) {
    const HbgMachine *machine = &sim->model->machines[region->machines[at]];
    for (int32_t state = 0; state < machine->state_count; state++) {
      int32_t count;
      const HbgConjunction *leaving = hbg_guards_leaving(&sim->guards, region->machines[at], state, &count);
      for (int32_t which = 0; which < count; which++) {
        HbgWatch *watch = &sim->local->watches.list[&leaving[which] - sim->guards.list];
        if (!watch->is_made) hbg_watch_make(sim, &leaving[which], watch);
      }
    }
  }
}

static HbgRegionSeries *series_of(HbgSim *sim, HbgRegion *region) {
  HbgArena *arena = &sim->local->arena;
  make_ready(sim, region);
  const HbgArenaMark bottom = hbg_arena_mark(&sim->scratch), mark = hbg_arena_mark(arena);
  Maker self = {.sim = sim, .region = region, .made = ARENA_NEW(&sim->scratch, HbgRegionSeries, 1), .arena = &sim->scratch};
  self.made->program = hbg_taylor_program(&sim->scratch);
  self.made->rates = ARENA_NEW(&sim->scratch, int32_t, region->count);
  self.made->runs = ARENA_NEW(&sim->scratch, const HbgEquationsRun *, region->island_count);
  self.islands = ARENA_NEW(&sim->scratch, Source, region->island_count);
  for (int32_t at = 0; at < region->count; at++) self.made->rates[at] = NONE;
  const bool is_known = make(&self);
  hbg_arena_rewind(arena, mark); // slices were for the time being
  HbgRegionSeries *kept = is_known ? keep_all(&self) : NULL;
  hbg_arena_rewind(&sim->scratch, bottom);
  return kept;
}

HbgStepper *hbg_region_series(HbgSim *sim, HbgRegion *region) {
  region->sim = sim;
  region->series = series_of(sim, region);
  if (!region->series) return NULL;
  const HbgTaylorSource source = {expand, holds_for, region};
  return hbg_taylor(&sim->local->arena, region->count, &source);
}

bool hbg_region_series_renew(HbgSim *sim, HbgRegion *region) {
  if (region->series->is_steady) return true;
  for (int32_t at = 0; at < region->island_count; at++)
    if (hbg_island_solve_finite(&sim->solver, region->islands[at], &sim->now, NULL) != region->series->runs[at]) return false;
  for (int32_t at = 0; at < region->count; at++)
    if (region->states[at] >= sim->first_integrator) hbg_probe_load(hbg_local_integrator(sim, region->states[at]), &sim->now);
  take_numbers(region->series);
  return true;
}
