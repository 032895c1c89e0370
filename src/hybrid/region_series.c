/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/region_series.h"

#include <math.h>
#include <string.h>

#include "equations/program_slice.h"
#include "equations/program_taylor.h"
#include "hybrid/island_parts.h"
#include "hybrid/local_parts.h"

enum { STRIDE = HBG_TAYLOR_STRIDE, ORDER = HBG_TAYLOR_ORDER, NONE = -1 };

/* A number that stands still between instants. */
typedef struct Constant {
  int32_t target;
  const double *from;
} Constant;

struct HbgRegionSeries {
  HbgTaylorProgram program; /* its first registers are the states, and behind them the time */
  int32_t *rates;           /* registers (count of the region) */
  Constant *constants; int32_t constant_count, constant_capacity;
  const HbgEquationsRun **runs; /* of the islands it was made of */
};

/* ---- making ---- */

typedef struct Maker {
  HbgSim *sim;
  HbgRegion *region;
  HbgRegionSeries *made;
  HbgArena *arena;    /* of what is made, for the time being */
  int32_t **variables; /* registers of the variables of each island (2 bond_count); NONE: not asked for */
} Maker;

/* A program of the model's, whose registers become those of ours. */
typedef struct Source {
  const HbgProgram *program;
  const double *registers;
  int32_t *map;
} Source;

static Source begin_source(Maker *self, const HbgProgram *program, const double *registers) {
  Source source = {program, registers, ARENA_NEW(self->arena, int32_t, program->register_count)};
  for (int32_t at = 0; at < program->register_count; at++) source.map[at] = NONE;
  return source;
}

static void take_constant(Maker *self, Source *source, int32_t target) {
  HbgRegionSeries *made = self->made;
  source->map[target] = hbg_taylor_input(&made->program, true);
  ARENA_PUSH(self->arena, made->constants, made->constant_count, made->constant_capacity) =
      (Constant){source->map[target], &source->registers[target]};
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

/* False: something in it has no series. */
static bool take_code(Maker *self, Source *source, const HbgInstruction *code, int32_t count) {
  for (int32_t at = 0; at < count; at++) {
    const HbgInstruction *i = &code[at];
    const HbgOperation op = (HbgOperation)i->op;
    const int32_t arguments = hbg_operation_info[op].arguments;
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
    const bool is_still = hbg_is_slot(leaf, HBG_SLOT_CONSTANT) || hbg_is_slot(leaf, HBG_SLOT_TICK) || hbg_is_slot(leaf, HBG_SLOT_DISCRETE);
    if (leaf->op == HBG_OP_TIME) source->map[target] = time_register(self);
    else if (leaf->op == HBG_OP_STATE) source->map[target] = place_of(self->region, island->binding.states[leaf->index]);
    else if (is_still) take_constant(self, source, target);
    else return false;
    if (source->map[target] < 0) return false;
  }
  return true;
}

static bool take_island(Maker *self, int32_t which) {
  HbgSim *sim = self->sim;
  HbgIsland *island = self->region->islands[which];
  const HbgTemplate *template = &island->program->template;
  const HbgEquationsRun *run = hbg_island_solve_finite(&sim->solver, island, &sim->now, NULL);
  if (!run || run->equations->system.unknown_count || template->pre_count) return false;
  self->made->runs[which] = run;
  const HbgEquations *equations = run->equations;
  int32_t *roots = ARENA_NEW(self->arena, int32_t, template->state_count + 2 * template->graph.bond_count);
  const int32_t root_count = list_roots(self, island, equations, roots);
  const HbgSlice slice = hbg_program_slice(&equations->program, roots, root_count, false, equations->program.main_count, &sim->local->arena, self->arena);
  Source source = begin_source(self, &equations->program, run->registers);
  if (!take_inputs(self, island, &source, &slice) || !take_code(self, &source, slice.code, slice.count)) return false;
  for (int32_t state = 0; state < template->state_count; state++)
    if (template->state_node[state] >= 0)
      self->made->rates[place_of(self->region, island->binding.states[state])] = source.map[equations->state_register[state]];
  self->variables[which] = ARENA_NEW(self->arena, int32_t, 2 * template->graph.bond_count);
  for (int32_t variable = 0; variable < 2 * template->graph.bond_count; variable++)
    self->variables[which][variable] = source.map[equations->variable_register[variable]];
  return true;
}

/* ---- integrators ---- */

static int32_t variable_register(const Maker *self, int32_t variable) {
  const HbgIsland *island = self->sim->island_of[variable / 2];
  for (int32_t which = 0; which < self->region->island_count; which++)
    if (self->region->islands[which] == island) return self->variables[which][2 * hbg_island_bond(island, variable / 2) + variable % 2];
  return NONE;
}

static bool take_integrator(Maker *self, int32_t place) {
  HbgProbe *probe = hbg_local_integrator(self->sim, self->region->states[place]);
  const HbgProgram *program = &probe->program;
  hbg_probe_load(probe, &self->sim->now);
  Source source = begin_source(self, program, probe->registers);
  for (int32_t at = 0; at < program->constant_count; at++) take_constant(self, &source, program->constants[at].target);
  for (int32_t at = 0; at < program->prepare_count; at++) take_constant(self, &source, program->prepare[at].target);
  for (int32_t at = 0; at < program->input_count; at++) {
    const HbgExprNode *leaf = &program->inputs[at].leaf;
    const int32_t target = program->inputs[at].target, variable = hbg_variable_of(leaf);
    if (leaf->op == HBG_OP_TIME) source.map[target] = time_register(self);
    else if (leaf->op == HBG_OP_STATE) source.map[target] = place_of(self->region, leaf->index);
    else if (variable >= 0) source.map[target] = variable_register(self, variable);
    else take_constant(self, &source, target);
    if (source.map[target] < 0) return false;
  }
  if (!take_code(self, &source, program->main, program->main_count)) return false;
  self->made->rates[place] = source.map[probe->outputs[0]];
  return true;
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
    double *to = &series[made->constants[at].target * STRIDE];
    memset(to, 0, STRIDE * sizeof *to);
    to[0] = *made->constants[at].from;
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
    hbg_taylor_execute(&region->series->program, series, signs, k);
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
  return true;
}

static void *keep(HbgArena *arena, const void *list, size_t size) {
  void *kept = hbg_arena_alloc(arena, size, 1, _Alignof(max_align_t));
  if (size) memcpy(kept, list, size);
  return kept;
}

/* From the scratch arena to the local one. */
static HbgRegionSeries *keep_all(const Maker *self) {
  HbgArena *arena = &self->sim->local->arena;
  const HbgRegionSeries *made = self->made;
  HbgRegionSeries *kept = keep(arena, made, sizeof *made);
  kept->program.arena = NULL;
  kept->program.code = keep(arena, made->program.code, (size_t)made->program.count * sizeof *made->program.code);
  kept->program.kinks = keep(arena, made->program.kinks, (size_t)made->program.kink_count * sizeof *made->program.kinks);
  kept->program.is_constant = NULL;
  kept->constants = keep(arena, made->constants, (size_t)made->constant_count * sizeof *made->constants);
  kept->rates = keep(arena, made->rates, (size_t)self->region->count * sizeof *made->rates);
  kept->runs = keep(arena, made->runs, (size_t)self->region->island_count * sizeof *made->runs);
  return kept;
}

static HbgRegionSeries *series_of(HbgSim *sim, HbgRegion *region) {
  HbgArena *arena = &sim->local->arena;
  for (int32_t at = 0; at < region->count; at++)
    if (region->states[at] >= sim->first_integrator) hbg_local_integrator(sim, region->states[at]);
  const HbgArenaMark bottom = hbg_arena_mark(&sim->scratch), mark = hbg_arena_mark(arena);
  Maker self = {.sim = sim, .region = region, .made = ARENA_NEW(&sim->scratch, HbgRegionSeries, 1), .arena = &sim->scratch};
  self.made->program = hbg_taylor_program(&sim->scratch);
  self.made->rates = ARENA_NEW(&sim->scratch, int32_t, region->count);
  self.made->runs = ARENA_NEW(&sim->scratch, const HbgEquationsRun *, region->island_count);
  self.variables = ARENA_NEW(&sim->scratch, int32_t *, region->island_count);
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
  for (int32_t at = 0; at < region->island_count; at++)
    if (hbg_island_solve_finite(&sim->solver, region->islands[at], &sim->now, NULL) != region->series->runs[at]) return false;
  for (int32_t at = 0; at < region->count; at++)
    if (region->states[at] >= sim->first_integrator) hbg_probe_load(hbg_local_integrator(sim, region->states[at]), &sim->now);
  return true;
}
