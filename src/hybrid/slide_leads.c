/* SPDX-License-Identifier: BSD-3-Clause
 * Do the dynamics of both sides lead to a surface? */
#include <float.h>
#include <math.h>

#include "base/numbers.h"
#include "hybrid/near.h"
#include "hybrid/slide_candidate.h"
#include "hybrid/slide_line.h"

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

/* Does each do most to its own surface, in some measure of surfaces? H-matrices: Berman and Plemmons 1994. As with friction in a row. */
static bool does_most_to_itself(HbgSim *sim, const HbgSlideGroup *group) {
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

/* By what the columns of -M are to be multiplied for it to be symmetric: found from neighbour to neighbour. */
static bool find_strengths(HbgSim *sim, const HbgSlideGroup *group, double *strength) {
  const int32_t count = group->count;
  int32_t *queue = ARENA_NEW(&sim->scratch, int32_t, count), known = 0;
  for (int32_t first = 0, at = 0; first < count; first++) {
    if (strength[first] > 0) continue;
    strength[first] = 1;
    for (queue[known++] = first; at < known; at++)
      for (int32_t row = queue[at], other = 0; other < count; other++) {
        const double there = group->matrix[row * count + other], back = group->matrix[other * count + row];
        if (strength[other] > 0 || (hbg_is_zero(there) && hbg_is_zero(back))) continue;
        if (!(there / back > 0)) return false;
        strength[other] = strength[row] * back / there;
        queue[known++] = other;
      }
  }
  return true;
}

/* Is a matrix symmetric, and positive definite? By Cholesky's factors, in place. */
static bool is_positive_definite(double *matrix, int32_t count) {
  enum { ROUND_OFF = 1000000 };
  for (int32_t row = 0; row < count; row++)
    for (int32_t column = 0; column < row; column++) {
      const double one = matrix[row * count + column], other = matrix[column * count + row];
      if (!(fabs(one - other) <= ROUND_OFF * DBL_EPSILON * (fabs(one) + fabs(other)))) return false;
    }
  for (int32_t row = 0; row < count; row++) {
    const double own = matrix[row * count + row];
    for (int32_t column = 0; column <= row; column++) {
      double sum = matrix[row * count + column];
      for (int32_t k = 0; k < column; k++) sum -= matrix[row * count + k] * matrix[column * count + k];
      if (column < row) matrix[row * count + column] = sum / matrix[column * count + column];
      else if (!(sum > ROUND_OFF * DBL_EPSILON * own)) return false;
      else matrix[row * count + row] = sqrt(sum);
    }
  }
  return true;
}

/* Is what one slide does to another what that does to it, but for how strong they are? As with friction between bodies, whoever rubs on whom. */
static bool acts_both_ways(HbgSim *sim, const HbgSlideGroup *group) {
  const int32_t count = group->count;
  double *strength = ARENA_NEW(&sim->scratch, double, count), *matrix = ARENA_NEW(&sim->scratch, double, count * count);
  if (!find_strengths(sim, group, strength)) return false;
  for (int32_t row = 0; row < count; row++)
    for (int32_t column = 0; column < count; column++) matrix[row * count + column] = -group->matrix[row * count + column] * strength[column];
  return is_positive_definite(matrix, count);
}

/* Is what several slides do to each other such that exactly one choice of who slides is possible? It is where all principal minors of -M are positive. */
static bool is_one_choice(HbgSim *sim, const HbgSlideGroup *group) { return does_most_to_itself(sim, group) || acts_both_ways(sim, group); }

/* Of several that are reached at once, with some that slide already: does it slide in the one choice that is possible? */
static bool is_chosen(HbgSim *sim, const HbgSlideGroup *group, int32_t row) {
  double *share = ARENA_NEW(&sim->scratch, double, group->count);
  return is_one_choice(sim, group) && hbg_slide_group_limit(&sim->scratch, group, share) && share[row] > 0 && share[row] < 1;
}

/* Do two guards that ask for one and the same difference, perhaps written the other way round, ask for its two sides? */
static bool ask_for_both_sides(const HbgSlideCandidate *candidate) {
  const HbgConjunction *to = candidate->to, *back = candidate->back;
  const bool goes_back = hbg_conjunction_allows(to, candidate->which, 1) != hbg_conjunction_allows(back, candidate->back_which, 1);
  return goes_back == (to->sides[2 * candidate->which] == back->sides[2 * candidate->back_which]);
}

/* Is the guard that leads back about the very same surface? */
static bool is_same_surface(HbgSim *sim, HbgSlideGroup *group, int32_t which, const HbgSlideCandidate *candidate) {
  const HbgConjunction *back = candidate->back;
  if (hbg_slide_has_same_sides(candidate)) return ask_for_both_sides(candidate);
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
static bool is_plain(const HbgSlideGroup *group, const HbgSlideCandidate *candidate) {
  return hbg_slide_group_is_known(group) && group->count == 1 && hbg_slide_has_same_sides(candidate) && !has_constraints(&group->slides[0]->here) &&
         !has_constraints(&group->slides[0]->there);
}

/* One side leads to the surface, and so does the other: then the share lies between them. */
static bool leads_by_line(HbgSim *sim, HbgSlideGroup *group) {
  if (!hbg_slide_group_find_shares(sim, group)) return false;
  const double share = group->share[0];
  return group->slides[0]->line->along < 0 && share > 0 && share < 1;
}

bool hbg_slide_leads_there(HbgSim *sim, const HbgSurface *surface, const HbgSlideCandidate *candidate, bool is_alone) {
  HbgSlideGroup *group = surface->slide->group;
  const int32_t place = surface->slide->place;
  if (sim->is_near) hbg_near_know_states(sim, &group->states);
  if (is_plain(group, candidate)) return ask_for_both_sides(candidate) && leads_by_line(sim, group);
  if (!hbg_slide_group_solve(sim, group) || hbg_slide_group_is_held(group, place) || !is_same_surface(sim, group, place, candidate)) return false;
  if (!is_attractive(group, place) && !(is_alone ? is_attractive_with_others(sim, surface) : is_chosen(sim, group, place))) return false;
  return both_let_go(sim, group, place);
}
