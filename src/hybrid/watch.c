/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/watch.h"

#include <math.h>
#include <string.h>

#include "equations/affine.h"
#include "equations/combination.h"
#include "hybrid/island_forms.h"
#include "hybrid/local_parts.h"
#include "numerics/flow_root.h"

/* fmin() and fmax() are calls; these are not, and nothing here is a NaN. */
static inline double least(double a, double b) { return b < a ? b : a; }
static inline double greatest(double a, double b) { return b > a ? b : a; }

HbgWatches hbg_watches(const HbgGuards *guards, HbgArena *arena) {
  const int32_t machine_count = guards->model->machine_count, state_count = guards->start[machine_count];
  HbgWatches watches = {.list = ARENA_NEW(arena, HbgWatch, guards->count), .time = ARENA_NEW(arena, double, guards->count)};
  watches.asked = ARENA_NEW(arena, HbgAsked, machine_count);
  watches.reach = ARENA_NEW(arena, double, state_count);
  for (int32_t machine = 0; machine < machine_count; machine++) watches.asked[machine] = (HbgAsked){.state = -1, .until = (double)INFINITY};
  for (int32_t state = 0; state < state_count; state++) watches.reach[state] = (double)INFINITY;
  watches.begin = ARENA_NEW(arena, double, guards->count);
  watches.is_late = ARENA_NEW(arena, uint8_t, guards->count);
  watches.is_resolved = ARENA_NEW(arena, uint8_t, guards->count);
  for (int32_t at = 0; at < guards->count; at++) watches.time[at] = (double)INFINITY;
  return watches;
}

/* ---- forms ---- */

static bool may_move(const HbgExprNode *leaf) { return hbg_moves(leaf) || leaf->op == HBG_OP_TIME; }

static bool gates_stand_still(const HbgWatch *watch) {
  for (int32_t gate = 0; gate < watch->gate_count; gate++)
    for (int32_t at = 0; at < watch->gates[gate].program.input_count; at++)
      if (may_move(&watch->gates[gate].program.inputs[at].leaf)) return false;
  return true;
}

/* Are all differences short combinations of what moves? Then they need no program. */
static bool are_combinations(const HbgSim *sim, const HbgConjunction *guard, bool *stand_still) {
  HbgCombination difference;
  *stand_still = true;
  for (int32_t which = 0; which < guard->difference_count; which++) {
    if (!hbg_combination_of_difference(&sim->laws.pool, guard->sides[2 * which], guard->sides[2 * which + 1], &difference)) return false;
    if (difference.count) *stand_still = false;
  }
  return true;
}

static void make_differences(HbgSim *sim, const HbgConjunction *guard, HbgWatch *watch) {
  HbgArena *arena = &sim->local->arena;
  HbgExprPool *pool = &sim->laws.pool;
  HbgExpr *differences = ARENA_NEW(arena, HbgExpr, guard->difference_count);
  for (int32_t which = 0; which < guard->difference_count; which++)
    differences[which] = hbg_expr_binary(pool, HBG_OP_SUB, guard->sides[2 * which], guard->sides[2 * which + 1]);
  watch->differences = ARENA_NEW(arena, HbgProbe, 1);
  *watch->differences = hbg_probe(sim->model, pool, differences, guard->difference_count, arena);
  watch->stands_still = true;
  for (int32_t at = 0; at < watch->differences->program.input_count; at++) {
    if (!hbg_moves(&watch->differences->program.inputs[at].leaf)) watch->is_volatile = true;
    if (may_move(&watch->differences->program.inputs[at].leaf)) watch->stands_still = false;
  }
}

static bool is_difference(const HbgConjunction *guard, int32_t factor) {
  for (int32_t which = 0; which < guard->difference_count; which++)
    if (guard->factor_of[which] == factor) return true;
  return false;
}

static void make_gates(HbgSim *sim, const HbgConjunction *guard, HbgWatch *watch) {
  HbgArena *arena = &sim->local->arena;
  if (guard->difference_count < guard->atom_count) watch->gates = ARENA_NEW(arena, HbgProbe, guard->atom_count);
  for (int32_t factor = 0; factor < guard->atom_count; factor++)
    if (!is_difference(guard, factor))
      watch->gates[watch->gate_count++] = hbg_probe(sim->model, &sim->laws.pool, &guard->factors[factor], 1, arena);
  watch->gates_stand_still = gates_stand_still(watch);
}

static void make_watch(HbgSim *sim, const HbgConjunction *guard, HbgWatch *watch) {
  watch->is_made = true;
  if (!are_combinations(sim, guard, &watch->stands_still)) make_differences(sim, guard, watch);
  make_gates(sim, guard, watch);
  watch->stands_still = watch->stands_still && watch->gates_stand_still;
}

static HbgGuardForm *new_form(HbgSim *sim, const HbgConjunction *guard, const HbgWatch *watch) {
  HbgArena *arena = &sim->local->arena;
  HbgGuardForm *form = ARENA_NEW(arena, HbgGuardForm, 1);
  form->islands = ARENA_NEW(arena, HbgIsland *, guard->bond_count);
  form->editions = ARENA_NEW(arena, int32_t, guard->bond_count);
  form->start = ARENA_NEW(arena, int32_t, guard->difference_count + 1);
  form->constant = ARENA_NEW(arena, double, guard->difference_count);
  if (watch->differences) form->given = ARENA_NEW(arena, double, watch->differences->program.input_count);
  return form;
}

static void add_term(HbgSim *sim, HbgGuardForm *form, int32_t first, int32_t *count, int32_t state, double weight) {
  for (int32_t at = first; at < *count; at++) {
    if (form->terms[at].state != state) continue;
    form->terms[at].weight += weight;
    return;
  }
  ARENA_PUSH(&sim->local->arena, form->terms, *count, form->term_capacity) = (HbgGuardTerm){state, weight};
}

/* A leaf that moves, times `factor`. */
static bool add_leaf(HbgSim *sim, HbgGuardForm *form, int32_t which, int32_t *count, const HbgExprNode *leaf, double factor) {
  const int32_t variable = hbg_variable_of(leaf), first = form->start[which];
  if (factor >= 0 && factor <= 0) return true;
  if (variable < 0) {
    add_term(sim, form, first, count, leaf->index, factor);
    return true;
  }
  HbgIsland *island = sim->island_of[variable / 2];
  const HbgIslandForms *forms = sim->local->is_coupled && island->is_hanging ? hbg_island_hanging_forms(&sim->solver, island, &sim->now)
                                                                             : hbg_island_forms(&sim->solver, island, &sim->now);
  if (!forms) return false;
  const double *own = hbg_island_form_of(island, forms, variable);
  form->constant[which] += factor * own[0];
  for (int32_t state = 1; state < forms->width; state++)
    if (!(own[state] >= 0 && own[state] <= 0))
      add_term(sim, form, first, count, forms->states[state - 1], factor * own[state]);
  return true;
}

static bool relations_are_inequalities(const HbgConjunction *guard) {
  for (int32_t which = 0; which < guard->difference_count; which++)
    if (guard->relations[which] == HBG_OP_EQUAL || guard->relations[which] == HBG_OP_NOT) return false;
  return true;
}

/* Differences that are read off. */
static bool compute_by_combinations(HbgSim *sim, const HbgConjunction *guard, HbgGuardForm *form) {
  HbgCombination difference;
  int32_t count = 0;
  for (int32_t which = 0; which < guard->difference_count; which++) {
    if (!hbg_combination_of_difference(&sim->laws.pool, guard->sides[2 * which], guard->sides[2 * which + 1], &difference)) return false;
    form->start[which] = count;
    form->constant[which] = difference.constant;
    for (int32_t at = 0; at < difference.count; at++) {
      const HbgExprNode *leaf = hbg_expr_node(&sim->laws.pool, difference.terms[at].leaf);
      if (!add_leaf(sim, form, which, &count, leaf, difference.terms[at].weight)) return false;
    }
    form->start[which + 1] = count;
  }
  return true;
}

static bool compute_by_program(HbgSim *sim, const HbgConjunction *guard, const HbgWatch *watch, HbgGuardForm *form) {
  HbgProbe *probe = watch->differences;
  const HbgProgram *program = &probe->program;
  hbg_probe_load(probe, &sim->now);
  HbgAffine affine = hbg_affine(program->register_count, program->input_count, probe->registers, &sim->scratch);
  for (int32_t at = 0; at < program->input_count; at++) {
    const HbgExprNode *leaf = &program->inputs[at].leaf;
    if (leaf->op == HBG_OP_TIME) return false;
    if (hbg_moves(leaf)) hbg_affine_set_input(&affine, program->inputs[at].target, at);
  }
  hbg_affine_execute(&affine, program->main, 0, program->main_count);
  int32_t count = 0;
  for (int32_t which = 0; which < guard->difference_count; which++) {
    const int32_t target = probe->outputs[which];
    if (!hbg_affine_is_known(&affine, target)) return false;
    form->start[which] = count;
    form->constant[which] = *hbg_affine_form(&affine, target);
    for (int32_t at = 0; at < program->input_count; at++)
      if (!add_leaf(sim, form, which, &count, &program->inputs[at].leaf, hbg_affine_form(&affine, target)[1 + at])) return false;
    form->start[which + 1] = count;
  }
  return true;
}

static bool compute_form(HbgSim *sim, const HbgConjunction *guard, const HbgWatch *watch, HbgGuardForm *form) {
  if (!relations_are_inequalities(guard) || !watch->gates_stand_still) return false;
  return watch->differences ? compute_by_program(sim, guard, watch, form) : compute_by_combinations(sim, guard, form);
}

/* Are these the islands it reads, as they were then? */
static bool is_about(const HbgSim *sim, const HbgConjunction *guard, const HbgGuardForm *form) {
  for (int32_t at = 0; at < guard->bond_count; at++)
    if (form->islands[at] != sim->island_of[guard->bonds[at]]) return false;
  return true;
}

/* Are scheduled conditions and all else that turns at instants as they were? */
static bool is_given_the_same(const HbgSim *sim, const HbgProbe *probe, const HbgGuardForm *form) {
  for (int32_t at = 0; at < probe->program.input_count; at++) {
    const HbgExprNode *leaf = &probe->program.inputs[at].leaf;
    if (hbg_moves(leaf)) continue;
    const double value = hbg_leaf_value(sim->model, leaf, &sim->now);
    if (!(value >= form->given[at] && value <= form->given[at])) return false;
  }
  return true;
}

static void note_given(const HbgSim *sim, const HbgProbe *probe, HbgGuardForm *form) {
  for (int32_t at = 0; at < probe->program.input_count; at++)
    if (!hbg_moves(&probe->program.inputs[at].leaf)) form->given[at] = hbg_leaf_value(sim->model, &probe->program.inputs[at].leaf, &sim->now);
}

static bool is_up_to_date(const HbgSim *sim, const HbgConjunction *guard, const HbgWatch *watch, const HbgGuardForm *form) {
  if (watch->is_volatile && !is_given_the_same(sim, watch->differences, form)) return false;
  for (int32_t at = 0; at < guard->bond_count; at++)
    if (!form->islands[at]->has_forms || form->islands[at]->forms->edition != form->editions[at]) return false;
  return true;
}

static void note_editions(const HbgConjunction *guard, HbgGuardForm *form) {
  for (int32_t at = 0; at < guard->bond_count; at++)
    if (form->islands[at]->has_forms) form->editions[at] = form->islands[at]->forms->edition;
}

static HbgGuardForm *form_of(HbgSim *sim, const HbgConjunction *guard, HbgWatch *watch) {
  HbgGuardForm *form = watch->forms;
  while (form && !is_about(sim, guard, form)) form = form->next;
  if (form && is_up_to_date(sim, guard, watch, form)) return form;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  if (!form) {
    form = new_form(sim, guard, watch);
    for (int32_t at = 0; at < guard->bond_count; at++) form->islands[at] = sim->island_of[guard->bonds[at]];
    form->next = watch->forms;
    watch->forms = form;
  }
  form->readings = NULL; // terms are others now
  if (watch->differences) note_given(sim, watch->differences, form);
  form->is_affine = compute_form(sim, guard, watch, form);
  note_editions(guard, form);
  hbg_arena_rewind(&sim->scratch, mark);
  return form;
}

/* ---- readings ---- */

/* Regions that a guard reads together, as one flow. */
typedef struct Union {
  HbgFlow *flow; /* NULL: there is none */
  int32_t count; /* states */
  int32_t number; /* of all unions of the run */
} Union;

/* A term of a form by the region of its state. */
typedef struct ReadTerm {
  int32_t region, place; /* of the reading; in the region */
  double weight;
} ReadTerm;

/* A form in the regions that its states belong to now, as these move. Lists lie behind each other in one piece of memory. */
typedef struct HbgReading {
  int32_t region_count;
  bool is_curved;        /* some do not move in parabolas */
  ReadTerm *terms;       /* as those of the form */
  HbgRegion **regions; const HbgMotion **motions; int32_t *states; /* and a state of each */
  const Union *whole;    /* where it is curved */
  HbgFlowGuard **guards; /* of the differences on it (difference_count) */
  struct HbgReading *next;
} HbgReading;

enum { MOST_REGIONS = 8 };

typedef struct RegionSet {
  HbgRegion *list[MOST_REGIONS];
  int32_t state[MOST_REGIONS]; /* that brought it in */
  int32_t count, states;
  bool is_curved, is_stepped; /* some do not move in parabolas; are integrated */
} RegionSet;

static bool collect_regions(const HbgSim *sim, const HbgConjunction *guard, const HbgGuardForm *form, RegionSet *set) {
  set->count = set->states = 0;
  set->is_curved = set->is_stepped = false;
  for (int32_t at = 0; guard->difference_count && at < form->start[guard->difference_count]; at++) {
    HbgRegion *region = sim->local->region_of[form->terms[at].state];
    int32_t which = 0;
    while (which < set->count && set->list[which] != region) which++;
    if (which < set->count) continue;
    if (region->is_stepped) set->is_stepped = true;
    else if (region->motion->flow) set->is_curved = true;
    if (set->count == MOST_REGIONS) return false;
    set->state[set->count] = form->terms[at].state;
    set->list[set->count++] = region;
    set->states += region->count;
  }
  return !set->is_curved || set->states <= HBG_FLOW_STATES;
}

/* Block by block. */
static HbgFlow *flow_of(HbgSim *sim, const RegionSet *set) {
  const int32_t n = set->states;
  double *a = ARENA_NEW(&sim->scratch, double, n *n), *b = ARENA_NEW(&sim->scratch, double, n);
  int32_t first = 0;
  for (int32_t at = 0; at < set->count; at++) {
    const HbgMotion *motion = set->list[at]->motion;
    const int32_t count = set->list[at]->count;
    for (int32_t row = 0; row < count; row++) {
      b[first + row] = motion->drive[row];
      for (int32_t column = 0; column < count; column++) a[(first + row) * n + first + column] = motion->matrix[row * count + column];
    }
    first += count;
  }
  return hbg_flow(&sim->local->arena, n, a, b);
}

static const Union *union_of(HbgSim *sim, const RegionSet *set) {
  HbgLocal *local = sim->local;
  int32_t list[MOST_REGIONS];
  for (int32_t at = 0; at < set->count; at++) list[at] = set->list[at]->motion->number;
  Union *known = hbg_key_table_find(&local->known_unions, list, set->count);
  if (known) return known;
  known = ARENA_NEW(&local->arena, Union, 1);
  *known = (Union){set->count == 1 ? set->list[0]->motion->flow : flow_of(sim, set), set->states, local->known_unions.count};
  int32_t *kept = ARENA_NEW(&local->arena, int32_t, set->count);
  for (int32_t at = 0; at < set->count; at++) kept[at] = list[at];
  hbg_key_table_add(&local->known_unions, kept, set->count, known);
  return known;
}

/* The combination `w` of the states of a union, which may have been asked for before, in whatever regions. */
static HbgFlowGuard *flow_guard_for(HbgSim *sim, const Union *whole, const double *w) {
  HbgLocal *local = sim->local;
  const int32_t words = (int32_t)(sizeof(double) / sizeof(int32_t)) * whole->count;
  int32_t *key = ARENA_NEW(&sim->scratch, int32_t, words + 1);
  key[0] = whole->number;
  memcpy(key + 1, w, (size_t)words * sizeof *key);
  HbgFlowGuard *made = hbg_key_table_find(&local->known_flow_guards, key, words + 1);
  if (made) return made;
  int32_t *kept = ARENA_NEW(&local->arena, int32_t, words + 1);
  memcpy(kept, key, (size_t)(words + 1) * sizeof *kept);
  made = hbg_flow_guard(&local->arena, whole->flow, w);
  hbg_key_table_add(&local->known_flow_guards, kept, words + 1, made);
  return made;
}

/* Its differences on the flow of all regions that it reads. */
static void read_flow(HbgSim *sim, const HbgConjunction *guard, const HbgGuardForm *form, const RegionSet *set, HbgReading *reading) {
  reading->whole = union_of(sim, set);
  reading->guards = ARENA_NEW(&sim->local->arena, HbgFlowGuard *, guard->difference_count);
  int32_t first[MOST_REGIONS] = {0};
  for (int32_t at = 1; at < set->count; at++) first[at] = first[at - 1] + set->list[at - 1]->count;
  for (int32_t which = 0; reading->whole->flow && which < guard->difference_count; which++) {
    double *w = ARENA_NEW(&sim->scratch, double, set->states);
    for (int32_t at = form->start[which]; at < form->start[which + 1]; at++)
      w[first[reading->terms[at].region] + reading->terms[at].place] += reading->terms[at].weight;
    reading->guards[which] = flow_guard_for(sim, reading->whole, w);
  }
}

static HbgReading *allocate(HbgArena *arena, int32_t regions, int32_t terms) {
  HbgReading *made = ARENA_NEW(arena, HbgReading, 1);
  const size_t size = (size_t)terms * sizeof(ReadTerm) + (size_t)regions * (2 * sizeof(void *) + sizeof(int32_t));
  made->terms = hbg_arena_alloc(arena, size, 1, _Alignof(ReadTerm));
  made->regions = (void *)(made->terms + terms);
  made->motions = (void *)(made->regions + regions);
  made->states = (void *)(made->motions + regions);
  made->region_count = regions;
  return made;
}

static HbgReading *make_reading(HbgSim *sim, const HbgConjunction *guard, HbgGuardForm *form, const RegionSet *set) {
  const int32_t terms = guard->difference_count ? form->start[guard->difference_count] : 0;
  HbgReading *made = allocate(&sim->local->arena, set->count, terms);
  made->is_curved = set->is_curved;
  for (int32_t at = 0; at < set->count; at++) {
    made->regions[at] = set->list[at];
    made->motions[at] = set->list[at]->motion;
    made->states[at] = set->state[at];
  }
  for (int32_t at = 0; at < terms; at++) {
    const int32_t state = form->terms[at].state;
    ReadTerm *term = &made->terms[at];
    *term = (ReadTerm){.place = sim->local->place_of[state], .weight = form->terms[at].weight};
    while (set->list[term->region] != sim->local->region_of[state]) term->region++;
  }
  if (set->is_curved) read_flow(sim, guard, form, set, made);
  made->next = form->readings;
  form->readings = made;
  return made;
}

static bool is_current(const HbgSim *sim, const HbgReading *reading) {
  for (int32_t at = 0; at < reading->region_count; at++)
    if (sim->local->region_of[reading->states[at]] != reading->regions[at] || reading->regions[at]->motion != reading->motions[at]) return false;
  return true;
}

/* What an affine form reads now; NULL where that is integrated, or too much. */
static const HbgReading *reading_of(HbgSim *sim, const HbgConjunction *guard, HbgGuardForm *form) {
  for (HbgReading *known = form->readings; known; known = known->next)
    if (is_current(sim, known)) return known;
  RegionSet set;
  if (!collect_regions(sim, guard, form, &set) || set.is_stepped) return NULL;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  const HbgReading *made = make_reading(sim, guard, form, &set);
  hbg_arena_rewind(&sim->scratch, mark);
  return made;
}

/* ---- courses ---- */

/* A difference over time from now on, turned so that its relation holds where it is positive: g = a + b s + c s^2, with what round-off in
 * each is small against. */
typedef struct Course {
  HbgTrack track;
  double a_size;
  bool is_strict;
} Course;

static Course course_of(const HbgSim *sim, const HbgConjunction *guard, const HbgGuardForm *form, const HbgReading *reading, int32_t which) {
  const HbgOperation relation = guard->relations[which];
  const double sign = relation == HBG_OP_LESS || relation == HBG_OP_LESS_EQUAL ? -1 : 1;
  Course course = {.is_strict = relation == HBG_OP_LESS || relation == HBG_OP_GREATER};
  course.track.a = sign * form->constant[which];
  course.a_size = fabs(form->constant[which]);
  for (int32_t at = form->start[which]; at < form->start[which + 1]; at++) {
    const ReadTerm *term = &reading->terms[at];
    const HbgRegion *region = reading->regions[term->region];
    const HbgTrack *track = &region->tracks[term->place];
    const double weight = sign * term->weight, size = fabs(weight), s = sim->time - region->origin;
    course.track.a += weight * (track->a + s * (track->b + s * track->c));
    course.track.b += weight * (track->b + 2 * s * track->c);
    course.track.c += weight * track->c;
    course.a_size += size * sim->scale[region->states[term->place]];
    course.track.b_size += size * (track->b_size + 2 * s * track->c_size);
    course.track.c_size += size * track->c_size;
  }
  return course;
}

/* How clearly a coefficient is not nothing: its sign, or 0 within round-off. */
static int sign_of(double value, double size) { return fabs(value) <= HBG_GUARD_BAND * size ? 0 : value > 0 ? 1 : -1; }

/* The first s > 0 at which a + b s + c s^2 with a < 0 rises through zero; infinite. Where it only touches, as far as round-off tells: there,
 * if touching counts. */
static double first_rise(double a, double b, double c, double a_size, bool touching_counts) {
  if (!(b > 0) && !(c > 0)) return (double)INFINITY;
  if (c >= 0 && c <= 0) return -a / b;
  double discriminant = b * b - 4 * a * c;
  if (discriminant < 0) {
    const double peak = a - b * b / (4 * c); // c < 0 < b
    if (!touching_counts || !(b > 0) || peak < -HBG_GUARD_BAND * a_size) return (double)INFINITY;
    discriminant = 0;
  }
  const double root = sqrt(discriminant);
  return b > 0 ? -2 * a / (b + root) : (root - b) / (2 * c);
}

/* The first s >= from at which the relation holds; infinite. What is zero at `from` goes by where it is going: at the present instant, at
 * which everything that holds by its level has fired already, and behind it where the relation is strict. */
static double first_holding(const Course *course, double from) {
  const HbgTrack *track = &course->track;
  const double a = track->a + from * (track->b + from * track->c), b = track->b + 2 * from * track->c, c = track->c;
  const double a_size = course->a_size + from * (track->b_size + from * track->c_size);
  const int level = sign_of(a, a_size);
  if (level > 0) return from;
  if (level < 0) return from + first_rise(a, b, c, a_size, !course->is_strict);
  if (!course->is_strict && from > 0) return from;
  const int slope = sign_of(b, track->b_size + 2 * from * track->c_size), bend = sign_of(c, track->c_size);
  if (slope > 0 || (slope == 0 && bend > 0)) return from;
  return slope < 0 && bend > 0 ? from - b / c : (double)INFINITY;
}

enum { MOST_DIFFERENCES = 16, MOST_ROUNDS = 64 };

/* The first instant at which all differences hold at once: each round goes to the latest of the times at which one begins to. */
static double first_common(const Course *courses, int32_t count) {
  double s = 0;
  for (int round = 0; round < MOST_ROUNDS; round++) {
    double latest = s;
    for (int32_t which = 0; which < count; which++) {
      latest = greatest(latest, first_holding(&courses[which], s));
      if (isinf(latest)) return latest;
    }
    if (latest <= s) return s;
    s = latest;
  }
  return s;
}

/* Is a difference more than what round-off of its terms comes to, `s` from now? */
static bool shows(const HbgSim *sim, const HbgGuardForm *form, const HbgReading *reading, int32_t which, double s) {
  double sum = form->constant[which], size = fabs(sum);
  for (int32_t at = form->start[which]; at < form->start[which + 1]; at++) {
    const ReadTerm *term = &reading->terms[at];
    const double x = term->weight * hbg_region_value(reading->regions[term->region], term->place, sim->time + s);
    sum += x;
    size += fabs(x);
  }
  return fabs(sum) > HBG_GUARD_BAND * size;
}

/* Half way to the event, is every difference more than round-off that is nothing at it? */
static bool is_resolved(const HbgSim *sim, const HbgConjunction *guard, const HbgGuardForm *form, const HbgReading *reading, double s) {
  for (int32_t which = 0; which < guard->difference_count; which++)
    if (!shows(sim, form, reading, which, s) && !shows(sim, form, reading, which, 0.5 * s)) return false;
  return true;
}

/* Does it take some difference that is nothing at the time, and must be more? */
static bool is_late(const Course *courses, int32_t count, double s) {
  for (int32_t which = 0; which < count; which++) {
    const HbgTrack *track = &courses[which].track;
    if (courses[which].is_strict && sign_of(track->a + s * (track->b + s * track->c), courses[which].a_size) == 0) return true;
  }
  return false;
}

static bool gates_hold(HbgSim *sim, const HbgWatch *watch) {
  for (int32_t gate = 0; gate < watch->gate_count; gate++) {
    hbg_probe_run(&watch->gates[gate], &sim->now);
    if (!(hbg_probe_value(&watch->gates[gate], 0) > 0.5)) return false;
  }
  return true;
}

/* ---- flows ---- */

enum { MOST_QUESTIONS = 16 };
#define LEAST_REACH 1e-6 /* of the rest of the run */

/* What is asked of the flow, from the states now. */
typedef struct FlowSearch {
  const HbgConjunction *guard;
  const HbgGuardForm *form;
  const HbgReading *on;
  double horizon;  /* [s] from now: it is looked through so far */
  double pause;    /* until then nothing happens, but no more is known; infinite */
  double x[HBG_FLOW_STATES];
} FlowSearch;

/* What round-off in the states comes to in a difference: at an instant at which it has just become zero, its sign says nothing. */
static double round_off(const HbgSim *sim, const HbgGuardForm *form, int32_t which) {
  double size = fabs(form->constant[which]);
  for (int32_t at = form->start[which]; at < form->start[which + 1]; at++)
    size += fabs(form->terms[at].weight) * sim->scale[form->terms[at].state];
  return HBG_GUARD_BAND * size;
}

/* The first s >= from at which a difference's relation holds; infinite. A strict one does not hold where it is only touched. */
static double first_on_flow(const HbgSim *sim, FlowSearch *search, int32_t which, double from) {
  const HbgOperation relation = search->guard->relations[which];
  HbgFlowQuestion question = {.constant = search->form->constant[which], .from = from, .to = search->horizon,
                              .zero = round_off(sim, search->form, which)};
  question.sense = relation == HBG_OP_LESS || relation == HBG_OP_LESS_EQUAL ? -1 : 1;
  for (int32_t asked = 0; asked < MOST_QUESTIONS; asked++) {
    double t = question.from;
    switch (hbg_flow_first_root(search->on->guards[which], search->x, &question, &t)) {
      case HBG_FLOW_NEVER: return (double)INFINITY;
      case HBG_FLOW_CROSSES: return t;
      case HBG_FLOW_TOUCHES:
        if (relation == HBG_OP_LESS_EQUAL || relation == HBG_OP_GREATER_EQUAL) return t;
        question.from = greatest(t, nextafter(question.from, HUGE_VAL));
        break;
      case HBG_FLOW_LATER: question.from = t; break;
    }
    if (question.from >= search->horizon) return (double)INFINITY;
  }
  search->pause = least(search->pause, question.from);
  return question.from;
}

/* As first_common(). `*last`: the difference that comes to hold last. It is not asked again at its own time: a root of a flow that is
 * only touched has been told apart. */
static double first_common_on_flow(const HbgSim *sim, FlowSearch *search, int32_t *last) {
  double s = 0;
  int32_t holds = -1;
  for (int round = 0; round < MOST_ROUNDS; round++) {
    double latest = s;
    const int32_t skipped = holds;
    for (int32_t which = 0; which < search->guard->difference_count; which++) {
      if (which == skipped) continue;
      const double t = first_on_flow(sim, search, which, s);
      if (isinf(t)) return t;
      if (t > latest) *last = holds = which, latest = t;
    }
    if (latest <= s || search->guard->difference_count == 1) return latest;
    s = latest;
  }
  return s;
}

/* How far ahead the guards of a machine in its present state are looked for: they are asked again long before the run ends, mostly. */
static double reach_of(HbgWatches *watches, int32_t machine, double rest) {
  HbgAsked *asked = &watches->asked[machine];
  asked->reads_flows = true;
  const double reach = asked->state >= 0 ? watches->reach[asked->state] : rest;
  return reach < rest ? greatest(reach, LEAST_REACH * rest) : rest;
}

static double foretell_on_flow(HbgSim *sim, HbgWatches *watches, int32_t number, HbgGuardForm *form, const HbgReading *reading,
                               bool *is_possible) {
  const HbgConjunction *guard = &sim->guards.list[number];
  FlowSearch search; // of its states as many as there are
  search.guard = guard;
  search.form = form;
  search.on = reading;
  search.pause = (double)INFINITY;
  if (!search.on->whole->flow) {
    *is_possible = false;
    return (double)INFINITY;
  }
  double *next = search.x;
  for (int32_t at = 0; at < reading->region_count; at++) {
    hbg_region_values(reading->regions[at], sim->time, next);
    next += reading->regions[at]->count;
  }
  const double rest = 1.001 * (sim->options.stop - sim->time);
  search.horizon = reach_of(watches, guard->machine, rest);
  int32_t last = 0;
  const double s = first_common_on_flow(sim, &search, &last);
  if (isinf(s) && search.horizon < rest) search.pause = least(search.pause, search.horizon);
  const double t = sim->time + least(s, search.pause);
  // a motion that is much faster than the time can be told: integration says more about it
  if (search.pause <= s && search.pause < 1e-9 * rest) *is_possible = false;
  if (search.pause <= s) return t > sim->time ? t : nextafter(sim->time, HUGE_VAL);
  if (isinf(s)) return s;
  watches->begin[number] = sim->time;
  watches->is_late[number] = guard->relations[last] == HBG_OP_LESS || guard->relations[last] == HBG_OP_GREATER;
  watches->is_resolved[number] = true; // what is short against the motion is a parabola, and resolved as long as times are
  return watches->time[number] = t > sim->time ? t : nextafter(sim->time, HUGE_VAL);
}

/* ---- machines ---- */

/* The time itself, not before the next that can be told from the present one. */
static double foretell_parabolas(HbgSim *sim, HbgWatches *watches, int32_t number, const HbgGuardForm *form, const HbgReading *reading) {
  const HbgConjunction *guard = &sim->guards.list[number];
  Course courses[MOST_DIFFERENCES];
  for (int32_t which = 0; which < guard->difference_count; which++) courses[which] = course_of(sim, guard, form, reading, which);
  const double s = first_common(courses, guard->difference_count);
  if (isinf(s)) return s;
  watches->begin[number] = sim->time;
  watches->is_late[number] = is_late(courses, guard->difference_count, s);
  watches->is_resolved[number] = sim->rhythms[guard->machine].last < sim->time || is_resolved(sim, guard, form, reading, s);
  const double t = sim->time + s;
  return watches->time[number] = t > sim->time ? t : nextafter(sim->time, HUGE_VAL);
}

/* The region of the `at`th state or bond that a guard reads; NULL. */
static HbgRegion *read_by(const HbgSim *sim, const HbgConjunction *guard, int32_t at) {
  return at < guard->state_count ? sim->local->region_of[guard->states[at]] : sim->island_of[guard->bonds[at - guard->state_count]]->region;
}

/* What moves alike stays alike only where the steps are the same: a guard between two regions that are integrated would see the
 * difference of their errors. */
static bool steps_agree(const HbgSim *sim, const HbgConjunction *guard) {
  const HbgRegion *stepped = NULL;
  for (int32_t at = 0; at < guard->state_count + guard->bond_count; at++) {
    const HbgRegion *region = read_by(sim, guard, at);
    if (!region || !region->is_stepped || region == stepped) continue;
    if (stepped) return false;
    stepped = region;
  }
  return true;
}

/* A guard over exact motion that is no combination of states is looked for on steps. */
static bool all_are_polynomials(HbgSim *sim, const HbgConjunction *guard) {
  bool all = true;
  for (int32_t at = 0; at < guard->state_count + guard->bond_count; at++) {
    HbgRegion *region = read_by(sim, guard, at);
    if (!region || region->is_stepped || !region->motion->flow) continue;
    region->prefers_steps = true;
    region->is_assembled = false;
    all = false;
  }
  return all;
}

static double search(HbgSim *sim, HbgWatches *watches, int32_t number, bool *is_possible) {
  hbg_owed_pay_all(sim);
  const HbgConjunction *guard = &sim->guards.list[number];
  if (!relations_are_inequalities(guard) || !steps_agree(sim, guard) || !all_are_polynomials(sim, guard)) {
    *is_possible = false;
    return (double)INFINITY;
  }
  bool is_resolved = true;
  watches->begin[number] = sim->time;
  watches->is_late[number] = false;
  watches->time[number] = hbg_local_search(sim, guard, is_possible, &is_resolved);
  watches->is_resolved[number] = is_resolved;
  return watches->time[number];
}

static double foretell(HbgSim *sim, HbgWatches *watches, int32_t number, HbgGuardForm *form, bool *is_possible) {
  const HbgConjunction *guard = &sim->guards.list[number];
  if (!watches->list[number].gates_stand_still) return search(sim, watches, number, is_possible);
  // what does not move turns at instants only
  if (!guard->difference_count || !gates_hold(sim, &watches->list[number])) return (double)INFINITY;
  const HbgReading *reading = form->is_affine && guard->difference_count <= MOST_DIFFERENCES ? reading_of(sim, guard, form) : NULL;
  if (!reading) return search(sim, watches, number, is_possible);
  return reading->is_curved ? foretell_on_flow(sim, watches, number, form, reading, is_possible)
                            : foretell_parabolas(sim, watches, number, form, reading);
}

bool hbg_watch_gates_hold(HbgSim *sim, int32_t number) {
  HbgWatch *watch = &sim->local->watches.list[number];
  if (!watch->is_made) make_watch(sim, &sim->guards.list[number], watch);
  return gates_hold(sim, watch);
}

HbgGuardForm *hbg_watch_form(HbgSim *sim, int32_t number, bool *is_possible) {
  const HbgConjunction *guard = &sim->guards.list[number];
  HbgWatch *watch = &sim->local->watches.list[number];
  if (!watch->is_made) make_watch(sim, guard, watch);
  if (watch->stands_still) return NULL;
  if (!watch->gates_stand_still) *is_possible = false;
  else if (!guard->difference_count || !gates_hold(sim, watch)) return NULL;
  HbgGuardForm *form = *is_possible ? form_of(sim, guard, watch) : NULL;
  if (form && !form->is_affine) *is_possible = false;
  return form;
}

/* How long was the last answer good for? A little more than that is looked through the next time; when it turns out to be too
 * little, four times as much. */
static void note_asked(const HbgSim *sim, HbgWatches *watches, int32_t machine) {
  enum { LONGER = 4 };
  HbgAsked *asked = &watches->asked[machine];
  const int32_t state = sim->guards.start[machine] + sim->now.phi[machine];
  const double elapsed = sim->time - asked->since;
  if (asked->state == state && sim->time >= asked->until) {
    watches->reach[state] = LONGER * elapsed;
    return;
  }
  if (asked->state >= 0 && elapsed > 0) {
    double *reach = &watches->reach[asked->state];
    *reach = greatest(1.25 * elapsed, isinf(*reach) ? 0 : 0.9375 * *reach);
  }
  asked->state = state;
  asked->since = sim->time;
}

/* What all guards of a machine come to: the earliest time, and the earliest at which one of them holds. */
typedef struct Answer {
  double earliest, found;
} Answer;

static Answer begin_asking(const HbgSim *sim, HbgWatches *watches, int32_t machine) {
  if (watches->asked[machine].reads_flows) note_asked(sim, watches, machine);
  return (Answer){(double)INFINITY, (double)INFINITY};
}

static void ask(HbgSim *sim, HbgWatches *watches, int32_t number, HbgGuardForm *form, Answer *answer, bool *is_possible) {
  const double time = foretell(sim, watches, number, form, is_possible);
  if (time < answer->earliest) answer->earliest = time;
  if (watches->time[number] < answer->found) answer->found = watches->time[number];
}

static double end_asking(HbgWatches *watches, int32_t machine, const Answer *answer) {
  watches->asked[machine].until = answer->earliest < answer->found ? answer->earliest : (double)INFINITY;
  return answer->earliest;
}

double hbg_watch_machine(HbgSim *sim, HbgWatches *watches, int32_t machine, bool *is_possible) {
  hbg_owed_pay_all(sim); // forms ask which islands are present
  int32_t count;
  const HbgConjunction *leaving = hbg_guards_leaving(&sim->guards, machine, sim->now.phi[machine], &count);
  Answer answer = begin_asking(sim, watches, machine);
  for (int32_t at = 0; at < count; at++) {
    const int32_t number = (int32_t)(&leaving[at] - sim->guards.list);
    HbgWatch *watch = &watches->list[number];
    if (!watch->is_made) make_watch(sim, &leaving[at], watch);
    watches->time[number] = (double)INFINITY;
    if (!watch->stands_still) ask(sim, watches, number, form_of(sim, &leaving[at], watch), &answer, is_possible);
  }
  return end_asking(watches, machine, &answer);
}

/* ---- plans ---- */

/* Does nothing but the presence of its islands decide the form? */
static bool is_fixed(const HbgConjunction *guard, const HbgWatch *watch, const HbgGuardForm *form) {
  if (watch->is_volatile) return false;
  for (int32_t at = 0; at < guard->bond_count; at++) {
    const HbgIsland *island = form->islands[at];
    if (island->is_hanging || !island->has_forms || island->program->template.tick_count || island->program->template.discrete_count)
      return false;
  }
  return true;
}

HbgWatchPlan hbg_watch_plan(HbgSim *sim, const HbgWatches *watches, int32_t machine, HbgArena *arena) {
  HbgWatchPlan plan = {.machine = machine, .is_fixed = true};
  hbg_owed_pay_all(sim);
  int32_t count;
  const HbgConjunction *leaving = hbg_guards_leaving(&sim->guards, machine, sim->now.phi[machine], &count);
  plan.entries = ARENA_NEW(arena, HbgWatchEntry, count);
  for (int32_t at = 0; at < count; at++) {
    const int32_t number = (int32_t)(&leaving[at] - sim->guards.list);
    HbgWatch *watch = &sim->local->watches.list[number];
    if (watch->stands_still) continue;
    HbgGuardForm *form = form_of(sim, &leaving[at], watch);
    if (!is_fixed(&leaving[at], &watches->list[number], form)) plan.is_fixed = false;
    plan.entries[plan.count++] = (HbgWatchEntry){number, form};
  }
  return plan;
}

double hbg_watch_by_plan(HbgSim *sim, HbgWatches *watches, const HbgWatchPlan *plan, bool *is_possible) {
  if (!plan->is_fixed) return hbg_watch_machine(sim, watches, plan->machine, is_possible);
  Answer answer = begin_asking(sim, watches, plan->machine);
  for (int32_t at = 0; at < plan->count; at++) {
    watches->time[plan->entries[at].number] = (double)INFINITY;
    ask(sim, watches, plan->entries[at].number, plan->entries[at].form, &answer, is_possible);
  }
  return end_asking(watches, plan->machine, &answer);
}
