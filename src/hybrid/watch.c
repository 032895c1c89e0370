/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/watch.h"

#include <math.h>

#include "equations/affine.h"
#include "hybrid/island_forms.h"
#include "hybrid/local_parts.h"

HbgWatches hbg_watches(const HbgGuards *guards, HbgArena *arena) {
  HbgWatches watches = {.forms = ARENA_NEW(arena, HbgGuardForm, guards->count), .time = ARENA_NEW(arena, double, guards->count)};
  watches.begin = ARENA_NEW(arena, double, guards->count);
  watches.is_late = ARENA_NEW(arena, uint8_t, guards->count);
  watches.is_resolved = ARENA_NEW(arena, uint8_t, guards->count);
  for (int32_t at = 0; at < guards->count; at++) watches.time[at] = (double)INFINITY;
  return watches;
}

/* ---- forms ---- */

static void make_probes(HbgSim *sim, const HbgConjunction *guard, HbgGuardForm *form) {
  HbgArena *arena = &sim->local->arena;
  HbgExprPool *pool = &sim->laws.pool;
  HbgExpr *differences = ARENA_NEW(arena, HbgExpr, guard->difference_count);
  for (int32_t which = 0; which < guard->difference_count; which++)
    differences[which] = hbg_expr_binary(pool, HBG_OP_SUB, guard->sides[2 * which], guard->sides[2 * which + 1]);
  form->differences = ARENA_NEW(arena, HbgProbe, 1);
  *form->differences = hbg_probe(sim->model, pool, differences, guard->difference_count, arena);
  form->gates = ARENA_NEW(arena, HbgProbe, guard->atom_count);
  for (int32_t factor = 0; factor < guard->atom_count; factor++) {
    bool is_difference = false;
    for (int32_t which = 0; which < guard->difference_count; which++)
      if (guard->factor_of[which] == factor) is_difference = true;
    if (!is_difference) form->gates[form->gate_count++] = hbg_probe(sim->model, pool, &guard->factors[factor], 1, arena);
  }
  form->islands = ARENA_NEW(arena, HbgIsland *, guard->bond_count);
  form->start = ARENA_NEW(arena, int32_t, guard->difference_count + 1);
  form->constant = ARENA_NEW(arena, double, guard->difference_count);
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
  const HbgIslandForms *forms = hbg_island_forms(&sim->solver, island, &sim->now);
  if (!forms) return false;
  const double *own = hbg_island_form_of(island, forms, variable);
  form->constant[which] += factor * own[0];
  for (int32_t state = 1; state < forms->width; state++)
    if (!(own[state] >= 0 && own[state] <= 0))
      add_term(sim, form, first, count, island->binding.states[state - 1], factor * own[state]);
  return true;
}

static bool moves(const HbgExprNode *leaf) { return leaf->op == HBG_OP_STATE || hbg_variable_of(leaf) >= 0; }

static bool gates_stand_still(const HbgGuardForm *form) {
  for (int32_t gate = 0; gate < form->gate_count; gate++)
    for (int32_t at = 0; at < form->gates[gate].program.input_count; at++)
      if (moves(&form->gates[gate].program.inputs[at].leaf) || form->gates[gate].program.inputs[at].leaf.op == HBG_OP_TIME) return false;
  return true;
}

static bool relations_are_inequalities(const HbgConjunction *guard) {
  for (int32_t which = 0; which < guard->difference_count; which++)
    if (guard->relations[which] == HBG_OP_EQUAL || guard->relations[which] == HBG_OP_NOT) return false;
  return true;
}

static bool compute_form(HbgSim *sim, const HbgConjunction *guard, HbgGuardForm *form) {
  HbgProbe *probe = form->differences;
  const HbgProgram *program = &probe->program;
  if (!relations_are_inequalities(guard) || !gates_stand_still(form)) return false;
  hbg_probe_load(probe, &sim->now);
  HbgAffine affine = hbg_affine(program->register_count, program->input_count, probe->registers, &sim->scratch);
  for (int32_t at = 0; at < program->input_count; at++) {
    const HbgExprNode *leaf = &program->inputs[at].leaf;
    if (leaf->op == HBG_OP_TIME) return false;
    if (moves(leaf)) hbg_affine_set_input(&affine, program->inputs[at].target, at);
    else form->is_volatile = true;
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

static bool is_current(const HbgSim *sim, const HbgConjunction *guard, const HbgGuardForm *form) {
  if (!form->is_known || form->is_volatile) return false;
  for (int32_t at = 0; at < guard->bond_count; at++)
    if (form->islands[at] != sim->island_of[guard->bonds[at]] || !form->islands[at]->has_forms) return false;
  return true;
}

static const HbgGuardForm *form_of(HbgSim *sim, const HbgConjunction *guard, HbgGuardForm *form) {
  if (is_current(sim, guard, form)) return form;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  if (!form->differences) make_probes(sim, guard, form);
  for (int32_t at = 0; at < guard->bond_count; at++) form->islands[at] = sim->island_of[guard->bonds[at]];
  form->is_affine = compute_form(sim, guard, form);
  form->is_known = true;
  hbg_arena_rewind(&sim->scratch, mark);
  return form;
}

/* ---- courses ---- */

/* A difference over time from now on, turned so that its relation holds where it is positive: g = a + b s + c s^2, with what round-off in
 * each is small against. */
typedef struct Course {
  HbgTrack track;
  double a_size;
  bool is_strict;
} Course;

static Course course_of(const HbgSim *sim, const HbgConjunction *guard, const HbgGuardForm *form, int32_t which) {
  const HbgOperation relation = guard->relations[which];
  const double sign = relation == HBG_OP_LESS || relation == HBG_OP_LESS_EQUAL ? -1 : 1;
  Course course = {.is_strict = relation == HBG_OP_LESS || relation == HBG_OP_GREATER};
  course.track.a = sign * form->constant[which];
  course.a_size = fabs(form->constant[which]);
  for (int32_t at = form->start[which]; at < form->start[which + 1]; at++) {
    const HbgGuardTerm *term = &form->terms[at];
    const HbgRegion *region = sim->local->region_of[term->state];
    const HbgTrack *track = &region->tracks[sim->local->place_of[term->state]];
    const double weight = sign * term->weight, size = fabs(weight), s = sim->time - region->origin;
    course.track.a += weight * (track->a + s * (track->b + s * track->c));
    course.track.b += weight * (track->b + 2 * s * track->c);
    course.track.c += weight * track->c;
    course.a_size += size * sim->scale[term->state];
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
      latest = fmax(latest, first_holding(&courses[which], s));
      if (isinf(latest)) return latest;
    }
    if (latest <= s) return s;
    s = latest;
  }
  return s;
}

/* Is a difference more than what round-off of its terms comes to, `s` from now? */
static bool shows(const HbgSim *sim, const HbgGuardForm *form, int32_t which, double s) {
  double sum = form->constant[which], size = fabs(sum);
  for (int32_t at = form->start[which]; at < form->start[which + 1]; at++) {
    const HbgGuardTerm *term = &form->terms[at];
    const double x = term->weight * hbg_region_value(sim->local->region_of[term->state], sim->local->place_of[term->state], sim->time + s);
    sum += x;
    size += fabs(x);
  }
  return fabs(sum) > HBG_GUARD_BAND * size;
}

/* Half way to the event, is every difference more than round-off that is nothing at it? */
static bool is_resolved(const HbgSim *sim, const HbgConjunction *guard, const HbgGuardForm *form, double s) {
  for (int32_t which = 0; which < guard->difference_count; which++)
    if (!shows(sim, form, which, s) && !shows(sim, form, which, 0.5 * s)) return false;
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

static bool gates_hold(HbgSim *sim, const HbgGuardForm *form) {
  for (int32_t gate = 0; gate < form->gate_count; gate++) {
    hbg_probe_run(&form->gates[gate], &sim->now);
    if (!(hbg_probe_value(&form->gates[gate], 0) > 0.5)) return false;
  }
  return true;
}

bool hbg_watch_gates_hold(HbgSim *sim, int32_t number) {
  HbgGuardForm *form = &sim->local->watches.forms[number];
  if (!form->differences) make_probes(sim, &sim->guards.list[number], form);
  return gates_hold(sim, form);
}

/* The time itself, not before the next that can be told from the present one. */
static double foretell(HbgSim *sim, HbgWatches *watches, int32_t number, const HbgGuardForm *form) {
  const HbgConjunction *guard = &sim->guards.list[number];
  Course courses[MOST_DIFFERENCES];
  if (!gates_hold(sim, form)) return (double)INFINITY;
  for (int32_t which = 0; which < guard->difference_count; which++) courses[which] = course_of(sim, guard, form, which);
  if (!guard->difference_count) return (double)INFINITY; // what does not move turns at instants only
  const double s = first_common(courses, guard->difference_count);
  if (isinf(s)) return s;
  watches->begin[number] = sim->time;
  watches->is_late[number] = is_late(courses, guard->difference_count, s);
  watches->is_resolved[number] = sim->rhythms[guard->machine].last < sim->time || is_resolved(sim, guard, form, s);
  const double t = sim->time + s;
  return t > sim->time ? t : nextafter(sim->time, HUGE_VAL);
}

double hbg_watch_machine(HbgSim *sim, HbgWatches *watches, int32_t machine, bool *is_possible) {
  int32_t count;
  const HbgConjunction *leaving = hbg_guards_leaving(&sim->guards, machine, sim->now.phi[machine], &count);
  double earliest = (double)INFINITY;
  for (int32_t at = 0; at < count; at++) {
    const int32_t number = (int32_t)(&leaving[at] - sim->guards.list);
    const HbgGuardForm *form = form_of(sim, &leaving[at], &watches->forms[number]);
    watches->time[number] = (double)INFINITY;
    if (!form->is_affine || leaving[at].difference_count > MOST_DIFFERENCES) *is_possible = false;
    else watches->time[number] = foretell(sim, watches, number, form);
    earliest = fmin(earliest, watches->time[number]);
  }
  return earliest;
}
