/* SPDX-License-Identifier: BSD-3-Clause
 * Do machines that have just switched on a surface begin to slide on it? They do when the dynamics of both sides lead to the
 * surface; of several surfaces at once, when those of all their sides do. */
#include <math.h>
#include <string.h>

#include "hybrid/departure.h"
#include "hybrid/island_wide.h"
#include "hybrid/local_parts.h"
#include "hybrid/near.h"
#include "hybrid/slide_line.h"
#include "hybrid/transcript.h"

/* Guards that may be the two sides of one surface. */
typedef struct Candidate {
  const HbgConjunction *to, *back;
  int32_t which, back_which;
  int32_t surface; /* the first candidate about the same one */
} Candidate;

typedef struct Entry {
  HbgSim *sim;
  const int32_t *first_phi;
  int32_t *there;      /* states the machines have switched to (machine_count) */
  uint8_t *is_first;   /* it was switched by a located guard (machine_count) */
  int32_t *changed;    /* machines that have switched, those of candidates first */
  int32_t changed_count;
  Candidate *candidates;
  int32_t count, capacity;
  HbgSurface **surfaces; int32_t surface_count; /* on which they may slide */
  int32_t *first_of;   /* the candidate of each */
  HbgSurface **crossed; int32_t crossed_count;  /* that are crossed after all */
} Entry;

/* ---- candidates ---- */

static HbgProbe *probe_of(const HbgConjunction *guard) {
  return (HbgProbe *)(uintptr_t)&guard->probe; /* its registers are work space */
}

static bool is_zero(const HbgConjunction *guard, int32_t which) {
  const HbgPair *difference = hbg_probe_pair(&guard->probe, 1 + which);
  return fabs(difference->value) <= HBG_GUARD_BAND * difference->value_size &&
         fabs(difference->area) <= HBG_AREA_BAND * difference->area_size;
}

/* States as they are for now, and what they are again then. */
typedef struct Exchanged {
  HbgSim *sim;
  int32_t *states; int32_t count, capacity;
  double *values; int32_t value_capacity;
  double time;
} Exchanged;

static void exchange(Exchanged *self, int32_t state, double value) {
  HbgSim *sim = self->sim;
  int32_t count = self->count;
  ARENA_PUSH(&sim->scratch, self->values, count, self->value_capacity) = sim->now.state[state];
  ARENA_PUSH(&sim->scratch, self->states, self->count, self->capacity) = state;
  sim->now.state[state] = value;
}

static bool is_zero_exchanged(Exchanged *self, const HbgConjunction *guard, int32_t which) {
  HbgSim *sim = self->sim;
  hbg_guard_measure(sim, guard);
  const bool is_nothing = is_zero(guard, which);
  while (self->count--) sim->now.state[self->states[self->count]] = self->values[self->count];
  sim->now.time = self->time;
  hbg_guard_measure(sim, guard);
  return is_nothing;
}

/* All states that a guard may follow, one by one. */
static void exchange_for(Exchanged *self, const HbgConjunction *guard, void (*exchange_one)(Exchanged *self, int32_t state)) {
  HbgSim *sim = self->sim;
  for (int32_t at = 0; at < guard->state_count; at++) exchange_one(self, guard->states[at]);
  for (int32_t at = 0; at < guard->bond_count; at++) {
    const HbgIsland *island = sim->island_of[guard->bonds[at]];
    for (int32_t own = 0; !island->is_hanging && own < island->program->template.state_count; own++)
      exchange_one(self, island->binding.states[own]);
  }
}

static void exchange_unprojected(Exchanged *self, int32_t state) { exchange(self, state, self->sim->slides.unprojected[state]); }

/* Is it on the state as it was integrated? Crossings are located there, and to put that back on other surfaces may move this difference by more
 * than its round-off. */
static bool is_zero_unprojected(HbgSim *sim, const HbgConjunction *guard, int32_t which) {
  if (!sim->slides.unprojected) return false;
  Exchanged self = {.sim = sim, .time = sim->now.time};
  exchange_for(&self, guard, exchange_unprojected);
  return is_zero_exchanged(&self, guard, which);
}

/* Where a step has just begun, as far as times within it can be told apart: the state with which it did. */
static void exchange_beginning(Exchanged *self, int32_t state) {
  HbgSim *sim = self->sim;
  const HbgRegion *region = sim->local->region_of[state];
  if (!region || !region->is_stepped) return;
  const HbgStepper *step = region->stepper;
  if (self->time - step->t0 > 1e-15 * (step->t1 - step->t0)) return;
  for (int32_t at = 0; at < region->count; at++)
    if (region->states[at] == state) exchange(self, state, step->y0[at]);
  sim->now.time = step->t0;
}

/* Was it where the step began at whose very beginning the crossing is? From 0 on any time is long, and every value something. */
static bool is_zero_at_beginning(HbgSim *sim, const HbgConjunction *guard, int32_t which) {
  if (!sim->is_local || sim->local->is_coupled) return false;
  Exchanged self = {.sim = sim, .time = sim->now.time};
  exchange_for(&self, guard, exchange_beginning);
  return self.count > 0 && is_zero_exchanged(&self, guard, which);
}

/* The one inequality of a guard whose difference is nothing, while everything else holds; -1. */
static int32_t vanishing(HbgSim *sim, const HbgConjunction *guard) {
  hbg_guard_measure(sim, guard);
  int32_t found = -1;
  for (int32_t which = 0; which < guard->difference_count; which++) {
    const HbgOperation relation = guard->relations[which];
    if (!is_zero(guard, which) && !is_zero_unprojected(sim, guard, which) && !is_zero_at_beginning(sim, guard, which)) {
      const double value = hbg_probe_pair(&guard->probe, 1 + which)->value;
      if (!hbg_conjunction_allows(guard, which, value > 0 ? 1 : -1)) return -1;
      continue;
    }
    if (found >= 0 || relation == HBG_OP_EQUAL || relation == HBG_OP_NOT) return -1;
    found = which;
  }
  return found;
}

/* Everything but its inequalities: conditions that do not change on the surface. */
static bool other_conditions_hold(HbgSim *sim, const HbgConjunction *guard) {
  for (int32_t at = 0; at < guard->atom_count; at++) {
    bool is_difference = false;
    for (int32_t difference = 0; difference < guard->difference_count; difference++)
      if (guard->factor_of[difference] == at) is_difference = true;
    if (is_difference) continue;
    HbgProbe probe = hbg_probe(sim->model, &sim->laws.pool, &guard->factors[at], 1, &sim->scratch);
    hbg_probe_run(&probe, &sim->now);
    if (!(hbg_probe_value(&probe, 0) > 0.5)) return false;
  }
  return true;
}

static bool acts(const HbgSim *sim, const HbgConjunction *guard) {
  return sim->model->machines[guard->machine].transitions[guard->transition].action_count > 0;
}

static bool find_way_back(Entry *self, const HbgConjunction *to, Candidate *candidate) {
  HbgSim *sim = self->sim;
  // what is done at every switching would be done without end
  if (acts(sim, to)) return false;
  const int32_t which = vanishing(sim, to);
  if (which < 0 || to->reads_a_priori) return false;
  int32_t count;
  const HbgConjunction *leaving = hbg_guards_leaving(&sim->guards, to->machine, to->to, &count);
  for (int32_t at = 0; at < count; at++) {
    if (leaving[at].to != to->from || leaving[at].reads_a_priori || acts(sim, &leaving[at])) continue;
    const int32_t back_which = vanishing(sim, &leaving[at]);
    if (back_which < 0 || !other_conditions_hold(sim, &leaving[at])) continue;
    *candidate = (Candidate){.to = to, .back = &leaving[at], .which = which, .back_which = back_which};
    return true;
  }
  return false;
}

/* Every machine that was switched by a located guard must have a way back; the others follow these. */
static bool find_candidates(Entry *self, const HbgConjunction *const *located, int32_t located_count) {
  HbgSim *sim = self->sim;
  self->is_first = ARENA_NEW(&sim->scratch, uint8_t, sim->model->machine_count);
  for (int32_t at = 0; at < located_count; at++) {
    const HbgConjunction *to = located[at];
    if (to->surface) return false;
    if (self->first_phi[to->machine] != to->from || sim->now.phi[to->machine] != to->to || self->is_first[to->machine]) continue;
    Candidate candidate;
    if (!find_way_back(self, to, &candidate)) return false;
    self->is_first[to->machine] = 1;
    ARENA_PUSH(&sim->scratch, self->candidates, self->count, self->capacity) = candidate;
  }
  return self->count > 0;
}

/* ---- do two differences follow the same states? ---- */

/* Islands of more states than this have no forms that anybody knows. */
static int32_t most_states(const HbgSim *sim) {
  return sim->is_local && sim->local->is_coupled ? HBG_WIDE_MOST_STATES : HBG_FORMS_MOST_STATES;
}

/* Does `variable` follow `state`? Where its island says nothing more of it, by all that this reads. */
static bool follows(HbgSim *sim, int32_t variable, int32_t state) {
  HbgIsland *island = sim->island_of[variable / 2];
  if (island->is_hanging) return !island->is_storage || sim->cuts.deliveries.state[island->delivery] == state;
  HbgForm form;
  if (hbg_island_variable_form(&sim->solver, island, &sim->now, variable, most_states(sim), &form)) {
    for (int32_t at = 0; at < form.count; at++)
      if (form.terms[at].state == state) return true;
    return false;
  }
  for (int32_t at = 0; at < island->program->template.state_count; at++)
    if (island->binding.states[at] == state) return true;
  return false;
}

static bool leaf_follows(HbgSim *sim, const HbgExprNode *leaf, int32_t state) {
  const int32_t variable = hbg_variable_of(leaf);
  if (variable >= 0) return follows(sim, variable, state);
  return leaf->op == HBG_OP_STATE && leaf->index == state;
}

/* The leaves that a difference reads. */
typedef struct Leaves {
  HbgSim *sim;
  HbgExprNode *list; int32_t count, capacity;
} Leaves;

static HbgExpr note_leaf(HbgExprPool *pool, HbgExpr leaf, void *user) {
  Leaves *leaves = user;
  ARENA_PUSH(&leaves->sim->scratch, leaves->list, leaves->count, leaves->capacity) = *hbg_expr_node(pool, leaf);
  return 0;
}

static Leaves leaves_of(HbgSim *sim, const HbgConjunction *guard, int32_t which) {
  Leaves leaves = {.sim = sim};
  for (int side = 0; side < 2; side++) hbg_expr_replace(&sim->laws.pool, guard->sides[2 * which + side], note_leaf, &leaves);
  return leaves;
}

static bool any_follows(HbgSim *sim, const Leaves *leaves, int32_t state) {
  for (int32_t at = 0; at < leaves->count; at++)
    if (leaf_follows(sim, &leaves->list[at], state)) return true;
  return false;
}

static bool are_same_sides(const Candidate *candidate) {
  const HbgExpr *a = &candidate->to->sides[2 * candidate->which], *b = &candidate->back->sides[2 * candidate->back_which];
  return (a[0] == b[0] && a[1] == b[1]) || (a[0] == b[1] && a[1] == b[0]);
}

/* A source that hangs, whose law is neither a number nor a function of time. */
static bool may_read_anything(HbgSim *sim, HbgIsland *island) {
  return !hbg_island_hanging_forms_in_time(&sim->solver, island, &sim->now);
}

static bool leaf_follows_time(HbgSim *sim, const HbgExprNode *leaf) {
  const int32_t variable = hbg_variable_of(leaf);
  if (variable < 0) return leaf->op == HBG_OP_TIME;
  HbgIsland *island = sim->island_of[variable / 2];
  HbgForm form;
  if (!hbg_island_variable_form(&sim->solver, island, &sim->now, variable, most_states(sim), &form)) return true;
  for (int32_t at = 0; form.time && at < HBG_TIME_COLUMNS; at++)
    if (form.time_row[at] > 0 || form.time_row[at] < 0) return true;
  return false;
}

static bool back_follows_time(HbgSim *sim, const Leaves *back) {
  for (int32_t at = 0; at < back->count; at++)
    if (leaf_follows_time(sim, &back->list[at])) return true;
  return false;
}

/* What follows different states vanishes on different surfaces, however they meet here. */
static bool may_share_surface(HbgSim *sim, const Candidate *candidate) {
  if (are_same_sides(candidate)) return true;
  const Leaves to = leaves_of(sim, candidate->to, candidate->which);
  const Leaves back = leaves_of(sim, candidate->back, candidate->back_which);
  for (int32_t at = 0; at < to.count; at++) {
    const HbgExprNode *leaf = &to.list[at];
    const int32_t variable = hbg_variable_of(leaf);
    if (variable < 0) {
      if (leaf->op == HBG_OP_TIME || (leaf->op == HBG_OP_STATE && any_follows(sim, &back, leaf->index))) return true;
      continue;
    }
    HbgIsland *island = sim->island_of[variable / 2];
    if (island->is_hanging && !island->is_storage && (may_read_anything(sim, island) || back_follows_time(sim, &back))) return true;
    if (island->is_hanging && any_follows(sim, &back, sim->cuts.deliveries.state[island->delivery])) return true;
    for (int32_t which = 0; !island->is_hanging && which < island->program->template.state_count; which++) {
      const int32_t state = island->binding.states[which];
      if (follows(sim, variable, state) && any_follows(sim, &back, state)) return true;
    }
  }
  return false;
}

/* In the mode that it has switched to, what leads back becomes false. */
static bool leaves(HbgSim *sim, const Candidate *candidate) {
  HbgDeparture *departure = ARENA_NEW(&sim->scratch, HbgDeparture, 1);
  const int side = hbg_departure(sim, candidate->back, candidate->back_which, departure);
  if (!side || hbg_conjunction_allows(candidate->back, candidate->back_which, side)) return false;
  hbg_transcript_departure(sim, departure);
  return true;
}

bool hbg_slides_may_begin(HbgSim *sim, const HbgConjunction *const *located, int32_t located_count) {
  Entry self = {.sim = sim, .first_phi = sim->scope.first_phi};
  Candidate candidate;
  bool may_begin = false;
  for (int32_t at = 0; sim->slides.is_allowed && at < located_count; at++) {
    const HbgConjunction *to = located[at];
    if (to->surface) return false;
    if (self.first_phi[to->machine] != to->from || sim->now.phi[to->machine] != to->to) continue;
    if (hbg_slide_is_out(sim, to)) return false;
    if (!find_way_back(&self, to, &candidate) || !may_share_surface(sim, &candidate) || leaves(sim, &candidate)) return false;
    may_begin = true;
  }
  return may_begin;
}

static bool list_changed(Entry *self) {
  HbgSim *sim = self->sim;
  const int32_t machines = sim->model->machine_count;
  self->changed = ARENA_NEW(&sim->scratch, int32_t, machines);
  self->there = ARENA_NEW(&sim->scratch, int32_t, machines);
  for (int32_t at = 0; at < self->count; at++) self->changed[self->changed_count++] = self->candidates[at].to->machine;
  int32_t count;
  const int32_t *list = hbg_scope_machines(sim, &count); // no other has switched
  for (int32_t at = 0; at < count; at++) {
    const int32_t machine = list[at];
    self->there[machine] = sim->now.phi[machine];
    if (sim->now.phi[machine] == self->first_phi[machine]) continue;
    if (sim->slides.left[machine] >= sim->now.time) continue; // it follows nobody: it was on a surface of its own
    if (sim->slides.of_machine[machine]) return false;
    if (!self->is_first[machine]) self->changed[self->changed_count++] = machine;
  }
  return true;
}

/* Candidates about one difference switch together; one may be written the other way round. */
static void find_surfaces(Entry *self) {
  for (int32_t at = 0; at < self->count; at++) {
    Candidate *candidate = &self->candidates[at];
    const HbgExpr *own = &candidate->to->sides[2 * candidate->which];
    candidate->surface = at;
    for (int32_t other = 0; other < at && candidate->surface == at; other++) {
      const HbgExpr *sides = &self->candidates[other].to->sides[2 * self->candidates[other].which];
      if ((own[0] == sides[0] && own[1] == sides[1]) || (own[0] == sides[1] && own[1] == sides[0]))
        candidate->surface = self->candidates[other].surface;
    }
    if (candidate->surface == at) self->surface_count++;
  }
}

/* ---- do those that follow come back, too? ---- */

static int32_t count_followers(const Entry *self) { return self->changed_count - self->count; }

/* The state a guard that holds now leads a machine to, which has not been among those of the surface. */
static int32_t next_state(HbgSim *sim, int32_t machine) {
  int32_t count;
  const HbgConjunction *leaving = hbg_guards_leaving(&sim->guards, machine, sim->now.phi[machine], &count);
  for (int32_t at = 0; at < count; at++) {
    if (!leaving[at].is_a_posteriori) continue;
    hbg_probe_run_pairs(probe_of(&leaving[at]), &sim->now, &sim->before);
    if (hbg_probe_pair(&leaving[at].probe, 0)->value > 0.5) return leaving[at].to;
  }
  return sim->now.phi[machine];
}

static bool follow(Entry *self) {
  HbgSim *sim = self->sim;
  bool has_moved = false;
  int32_t *next = ARENA_NEW(&sim->scratch, int32_t, self->changed_count);
  for (int32_t at = self->count; at < self->changed_count; at++) next[at] = next_state(sim, self->changed[at]);
  for (int32_t at = self->count; at < self->changed_count; at++) {
    if (sim->now.phi[self->changed[at]] != next[at]) has_moved = true;
    sim->now.phi[self->changed[at]] = next[at];
  }
  return has_moved;
}

static bool enter(Entry *self) {
  HbgSim *sim = self->sim;
  bool jumped = false;
  hbg_mode_enter(sim, self->changed, self->changed_count);
  return hbg_evaluate_instant(sim, &jumped) && !jumped;
}

static void set_phi(Entry *self, const int32_t *phi) {
  for (int32_t at = 0; at < self->changed_count; at++) self->sim->now.phi[self->changed[at]] = phi[self->changed[at]];
}

/* From there the machines of the surface go back; do the others then, by their guards? */
static bool followers_return(Entry *self) {
  HbgSim *sim = self->sim;
  if (!count_followers(self)) return true;
  for (int32_t at = 0; at < self->count; at++) sim->now.phi[self->changed[at]] = self->first_phi[self->changed[at]];
  for (int32_t round = 0; round <= count_followers(self); round++)
    if (!enter(self) || !follow(self)) break;
  for (int32_t at = 0; at < self->changed_count; at++)
    if (sim->now.phi[self->changed[at]] != self->first_phi[self->changed[at]]) return false;
  return true;
}

/* ---- surfaces ---- */

/* The surface of candidate `first`, with the machines of all candidates about it; of a single surface, also with those that follow. */
static HbgSurface *make_surface(Entry *self, int32_t first) {
  HbgSim *sim = self->sim;
  HbgSurface wanted = {.to = self->candidates[first].to, .back = self->candidates[first].back, .which = self->candidates[first].which,
                       .back_which = self->candidates[first].back_which};
  wanted.machines = ARENA_NEW(&sim->scratch, int32_t, self->changed_count);
  wanted.here = ARENA_NEW(&sim->scratch, int32_t, self->changed_count);
  wanted.there = ARENA_NEW(&sim->scratch, int32_t, self->changed_count);
  for (int32_t at = 0; at < self->changed_count; at++) {
    if (at < self->count && self->candidates[at].surface != first) continue;
    const int32_t machine = self->changed[at];
    wanted.machines[wanted.count] = machine;
    wanted.here[wanted.count] = self->first_phi[machine];
    wanted.there[wanted.count++] = self->there[machine];
  }
  return hbg_surface(sim, &wanted);
}

/* ---- does everything lead there? ---- */

/* Whatever the others of its group do, one side leads to the surface `row`, and so does the other. */
static bool is_attractive(const HbgSlideGroup *group, int32_t row) {
  const double *matrix = &group->matrix[row * group->count];
  double least = group->approach[row], most = group->approach[row];
  for (int32_t column = 0; column < group->count; column++) {
    if (column == row) continue;
    least += fmin(0, matrix[column]);
    most += fmax(0, matrix[column]);
  }
  return least > 0 && most + matrix[row] < 0;
}

/* With the others where they slide, or leave their surfaces at once: the side it comes from leads to it, so the other one does when a share
 * lies between them. */
static bool is_attractive_with_others(const HbgSim *sim, const HbgSurface *surface) {
  const double share = sim->now.share[surface->machines[0]];
  return share > 0 && share < 1;
}

/* Is what several slides do to each other such that exactly one choice of who slides is possible? It is where each does most to its own surface, in some
 * measure of surfaces: then all principal minors of -M are positive (H-matrices: Berman and Plemmons 1994), as with friction in a row. */
static bool is_one_choice(HbgSim *sim, const HbgSlideGroup *group) {
  const int32_t count = group->count;
  double *comparison = ARENA_NEW(&sim->scratch, double, count * count), *measure = ARENA_NEW(&sim->scratch, double, count);
  for (int32_t row = 0; row < count; row++) {
    const double own = -group->matrix[row * count + row];
    if (!(own > 0)) return false;
    for (int32_t column = 0; column < count; column++)
      comparison[row * count + column] = row == column ? own : -fabs(group->matrix[row * count + column]);
    measure[row] = own;
  }
  HbgLu lu = hbg_lu(&sim->scratch, count);
  if (!hbg_lu_factor(&lu, comparison)) return false;
  hbg_lu_solve(&lu, measure);
  for (int32_t row = 0; row < count; row++)
    if (!(measure[row] > 0)) return false;
  return true;
}

/* Of several that are reached at once, with some that slide already: does it slide in the one choice that is possible? */
static bool is_chosen(HbgSim *sim, const HbgSlideGroup *group, int32_t row) {
  double *share = ARENA_NEW(&sim->scratch, double, group->count);
  return is_one_choice(sim, group) && hbg_slide_group_limit(&sim->scratch, group, share) && share[row] > 0 && share[row] < 1;
}

/* Do two guards that ask for one and the same difference, perhaps written the other way round, ask for its two sides? */
static bool ask_for_both_sides(const Candidate *candidate) {
  const HbgConjunction *to = candidate->to, *back = candidate->back;
  const bool goes_back = hbg_conjunction_allows(to, candidate->which, 1) != hbg_conjunction_allows(back, candidate->back_which, 1);
  return goes_back == (to->sides[2 * candidate->which] == back->sides[2 * candidate->back_which]);
}

/* Is the guard that leads back about the very same surface? */
static bool is_same_surface(HbgSim *sim, HbgSlideGroup *group, int32_t which, const Candidate *candidate) {
  const HbgConjunction *back = candidate->back;
  if (are_same_sides(candidate)) return ask_for_both_sides(candidate);
  // else by the derivatives along both sides
  HbgSlide other = *group->slides[which];
  HbgSurface surface = *other.surface;
  surface.to = back;
  surface.which = candidate->back_which;
  surface.sign = hbg_conjunction_allows(back, candidate->back_which, 1) ? -1 : 1;
  other.surface = &surface;
  for (int32_t at = 0; at < back->state_count; at++) {
    bool is_needed = false;
    for (int32_t state = 0; state < other.needed.count; state++) is_needed = is_needed || other.needed.list[state] == back->states[at];
    if (!is_needed) return false;
  }
  HbgSlide *own = group->slides[which];
  group->slides[which] = &other;
  const double here = hbg_slide_along(sim, group, which, group->base, true);
  const double change = hbg_slide_along(sim, group, which, &group->change[which * group->relevant.count], false);
  group->slides[which] = own;
  const double cross = here * group->matrix[which * group->count + which] - change * group->approach[which];
  return here > 0 && change < 0 && fabs(cross) <= 1e-6 * fabs(here * group->matrix[which * group->count + which]);
}

/* ---- is there a motion on the surface at all? ---- */

static bool has_constraints(const HbgIslandList *islands) {
  for (int32_t at = 0; at < islands->count; at++)
    if (!islands->list[at]->is_hanging && islands->list[at]->program->may_jump) return true;
  return false;
}

/* Would `islands` let their states go along `direction`, or jump at once? */
static bool let_go(HbgSim *sim, const HbgSlideGroup *group, const HbgIslandList *islands, const double *direction) {
  if (!has_constraints(islands)) return true;
  double far = (double)INFINITY;
  for (int32_t at = 0; at < group->relevant.count; at++) {
    const int32_t state = group->relevant.list[at];
    const double size = fmax(sim->scale[state], fabs(sim->now.state[state]));
    if (size > 0) far = fmin(far, 1e-6 * size / fabs(direction[at]));
  }
  double *state = ARENA_NEW(&sim->scratch, double, group->relevant.count);
  for (int32_t at = 0; at < group->relevant.count; at++) {
    state[at] = sim->now.state[group->relevant.list[at]];
    sim->now.state[group->relevant.list[at]] += isinf(far) ? 0 : far * direction[at];
  }
  bool is_possible = true, jumped = false;
  for (int32_t at = 0; at < islands->count; at++)
    if (!islands->list[at]->is_hanging && !hbg_island_jump(&sim->solver, islands->list[at], &sim->now, &sim->before, &jumped))
      is_possible = false;
  for (int32_t at = 0; at < group->relevant.count; at++) {
    const int32_t own = group->relevant.list[at];
    const double moved = sim->now.state[own] - state[at] - (isinf(far) ? 0 : far * direction[at]);
    if (fabs(moved) > 1e-9 * fmax(sim->scale[own], fabs(state[at]))) is_possible = false;
    sim->now.state[own] = state[at];
  }
  hbg_values_clear_areas(sim->model, &sim->now);
  return is_possible;
}

/* Where one side ties storages together and the other one does not, every switching is a jump, and there is no motion between. */
static bool both_let_go(HbgSim *sim, HbgSlideGroup *group, int32_t which) {
  const HbgSlide *slide = group->slides[which];
  const double *change = &group->change[which * group->relevant.count];
  double *there = ARENA_NEW(&sim->scratch, double, group->relevant.count);
  for (int32_t at = 0; at < group->relevant.count; at++) there[at] = group->base[at] + change[at];
  if (let_go(sim, group, &slide->there, group->base) && let_go(sim, group, &slide->here, there)) return true;
  sim->slides.refusal[slide->surface->machines[0]] =
      "it cannot slide: one of its states ties stored quantities together that the other one lets go, so that every "
      "switching is a jump";
  return false;
}

/* ---- all ---- */

/* Does the line of a slide tell all of it? */
static bool is_plain(const HbgSlideGroup *group, const Candidate *candidate) {
  return group->are_lines && group->count == 1 && are_same_sides(candidate) && !has_constraints(&group->slides[0]->here) &&
         !has_constraints(&group->slides[0]->there);
}

/* One side leads to the surface, and so does the other: then the share lies between them. */
static bool leads_by_line(HbgSim *sim, HbgSlideGroup *group) {
  const double share = hbg_slide_line_share(sim, group, 0);
  return group->slides[0]->line->along < 0 && share > 0 && share < 1;
}

static bool leads_there(Entry *self, const HbgSurface *surface, const Candidate *candidate) {
  HbgSim *sim = self->sim;
  HbgSlideGroup *group = surface->slide->group;
  const int32_t place = surface->slide->place;
  if (sim->is_near) hbg_near_know_states(sim, &group->states);
  if (is_plain(group, candidate)) return ask_for_both_sides(candidate) && leads_by_line(sim, group);
  if (!hbg_slide_group_solve(sim, group) || !is_same_surface(sim, group, place, candidate)) return false;
  const bool is_alone = self->surface_count == 1;
  if (!is_attractive(group, place) && !(is_alone ? is_attractive_with_others(sim, surface) : is_chosen(sim, group, place))) return false;
  return both_let_go(sim, group, place);
}

static void cross(Entry *self) {
  HbgSim *sim = self->sim;
  for (int32_t at = 0; at < self->crossed_count; at++) {
    HbgSurface *surface = self->crossed[at];
    hbg_surface_end(sim, surface, true);
    sim->slides.disarmed[surface->machines[0]] = (HbgDisarmed){0};
    hbg_mode_enter(sim, surface->machines, surface->count);
  }
  self->crossed_count = 0;
}

/* Several that are reached at once must each be attractive whatever the others do, or slide in the only choice that there is; those that do not are
 * crossed. */
static bool settle_on_surfaces(Entry *self) {
  HbgSim *sim = self->sim;
  set_phi(self, self->first_phi);
  hbg_mode_enter(sim, self->changed, self->changed_count);
  for (int32_t at = 0; at < self->surface_count; at++) hbg_surface_activate(sim, self->surfaces[at]);
  while (self->surface_count) {
    if (!hbg_slides_renew(sim)) return false;
    int32_t kept = 0;
    for (int32_t at = 0; at < self->surface_count; at++) {
      if (leads_there(self, self->surfaces[at], &self->candidates[self->first_of[at]])) {
        self->surfaces[kept] = self->surfaces[at];
        self->first_of[kept++] = self->first_of[at];
      } else {
        self->crossed[self->crossed_count++] = self->surfaces[at];
      }
    }
    if (kept == self->surface_count) return true;
    self->surface_count = kept;
    cross(self);
  }
  return false;
}

static const char *text_of(Entry *self) {
  HbgSim *sim = self->sim;
  HbgText text = hbg_text(&sim->scratch);
  for (int32_t at = 0; at < self->surface_count && at < 4; at++) {
    const HbgSurface *surface = self->surfaces[at];
    hbg_text_add(&text, "%sslide entered on %s: %s", at ? "; " : "", hbg_surface_name(sim, surface),
                 hbg_conjunction_text(sim, surface->to));
    if (surface->machines[0] < sim->implied.first) hbg_text_add(&text, ", and back by %s", hbg_conjunction_text(sim, surface->back));
  }
  if (self->surface_count > 4) hbg_text_add(&text, "; and %d more", self->surface_count - 4);
  return text.bytes;
}

/* To the states the machines have switched to. */
static HbgStatus leave_it(Entry *self) {
  HbgSim *sim = self->sim;
  bool jumped = false;
  set_phi(self, self->there);
  hbg_mode_enter(sim, self->changed, self->changed_count);
  return hbg_slides_renew(sim) && hbg_evaluate_instant(sim, &jumped) ? HBG_OK : HBG_STOPPED;
}

HbgStatus hbg_slides_enter(HbgSim *sim, const HbgConjunction *const *located, int32_t located_count,
                           const int32_t *first_phi, const char **text) {
  Entry self = {.sim = sim, .first_phi = first_phi};
  *text = NULL;
  if (!sim->slides.is_allowed || !find_candidates(&self, located, located_count) || !list_changed(&self)) return HBG_OK;
  find_surfaces(&self);
  if (self.surface_count > 1 && count_followers(&self)) return HBG_OK;
  self.surfaces = ARENA_NEW(&sim->scratch, HbgSurface *, self.surface_count);
  self.crossed = ARENA_NEW(&sim->scratch, HbgSurface *, self.surface_count);
  self.first_of = ARENA_NEW(&sim->scratch, int32_t, self.surface_count);
  if (!followers_return(&self)) return leave_it(&self);
  set_phi(&self, self.first_phi);
  if (!enter(&self)) return leave_it(&self);
  int32_t made = 0;
  for (int32_t at = 0; at < self.count; at++) {
    if (self.candidates[at].surface != at) continue;
    self.first_of[made] = at;
    self.surfaces[made++] = make_surface(&self, at);
  }
  if (!settle_on_surfaces(&self)) return leave_it(&self);
  *text = text_of(&self);
  for (int32_t at = 0; at < self.surface_count; at++) TRY(hbg_slide_group_check(sim, self.surfaces[at]->slide->group));
  return HBG_OK;
}
