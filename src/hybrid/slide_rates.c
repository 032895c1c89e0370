/* SPDX-License-Identifier: BSD-3-Clause
 * The dynamics along surfaces. The differences h of a group's guards have the rates
 *
 *   h' = a + M d,     a: along F_here, and by time itself,     M_ij: along F_there,j - F_here,
 *
 * and M d = -a gives the shares d. The derivatives of h along these directions are central differences of fourth order; for a
 * surface that is linear in the states they are exact but for round-off. */
#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "hybrid/near.h"
#include "hybrid/slide_line.h"
#include "hybrid/slide_lists.h"
#include "numerics/least_squares.h"

#define DEPENDENT 1e-6 /* of the largest singular value: what is left where a row is made of others */
#define UNRESOLVED 1e-12 /* of the time: what moves by all that it has ever been in less has been round-off so far, as a body that has never left its surface */
#define LEAST_REACH 1e-7 /* of the time: behind an instant steps may be so short that nothing moves in them by as much as its last digit */
#define NOISE 1e-14    /* of what two slides do to themselves */

/* ---- rates on both sides ---- */

void hbg_island_receive(HbgSim *sim, const HbgIsland *island) {
  const HbgDeliveries *deliveries = &sim->cuts.deliveries;
  if (island->is_storage)
    sim->slides.rate[deliveries->state[island->delivery]] = hbg_delivery_sum(deliveries, island->delivery, sim->now.variable);
}

/* What hangs reads what the others give, so it comes last. */
bool hbg_islands_run(HbgSim *sim, const HbgIslandList *islands) {
  for (int hanging = 0; hanging < 2; hanging++)
    for (int32_t at = 0; at < islands->count; at++) {
      HbgIsland *island = islands->list[at];
      if (island->is_hanging != (hanging == 1)) continue;
      if (!hbg_island_rates(&sim->solver, island, &sim->now, sim->slides.rate)) return false;
      hbg_island_receive(sim, island);
    }
  return true;
}

/* Storages that are cut off on both sides receive what the islands of the other side send. */
static void receive_there(HbgSim *sim, const HbgSlideGroup *group, const HbgSlide *slide) {
  for (int32_t at = 0; at < group->islands.count; at++)
    if (group->islands.list[at]->is_storage && !hbg_islands_have(&slide->here, group->islands.list[at]))
      hbg_island_receive(sim, group->islands.list[at]);
}

void hbg_slide_group_integrate(HbgSim *sim, HbgSlideGroup *group) {
  if (!group->integrators.count) return;
  hbg_probe_run(&group->inputs, &sim->now);
  for (int32_t at = 0; at < group->integrators.count; at++)
    sim->slides.rate[group->integrators.list[at]] = hbg_probe_value(&group->inputs, at);
}

static void set_phi(HbgSim *sim, const HbgSurface *surface, bool is_there) {
  for (int32_t at = 0; at < surface->count; at++)
    sim->now.phi[surface->machines[at]] = is_there ? surface->there[at] : surface->here[at];
}

static void take_rates(const HbgSim *sim, const HbgSlideGroup *group, double *into) {
  for (int32_t at = 0; at < group->relevant.count; at++) into[at] = sim->slides.rate[group->relevant.list[at]];
}

/* Islands on the other side are not present, so nobody told them when a scheduled condition or a variable became something else. */
static void wake_other_side(HbgSim *sim, HbgSlide *slide) {
  if (slide->schedule_changes == sim->schedule_changes) return;
  slide->schedule_changes = sim->schedule_changes;
  for (int32_t at = 0; at < slide->there.count; at++) {
    HbgIsland *island = slide->there.list[at];
    if (island->place < 0) hbg_island_reschedule(island);
  }
}

static void take_places(HbgSim *sim, HbgSlideGroup *group) {
  for (int32_t at = 0; at < group->relevant.count; at++) {
    sim->slides.place[group->relevant.list[at]] = at;
    group->saved[at] = sim->now.state[group->relevant.list[at]];
  }
}

/* The same everywhere. */
static void take_change(const HbgSim *sim, HbgSlideGroup *group, int32_t which) {
  const struct HbgSlideLine *line = group->slides[which]->line;
  double *change = &group->change[which * group->relevant.count];
  memset(change, 0, (size_t)group->relevant.count * sizeof *change);
  for (int32_t at = 0; at < line->change_count; at++) change[sim->slides.place[line->changes[at].state]] = line->changes[at].weight;
}

/* What slide `which` changes when its machines are wholly on the other side. Leaves everything as it was here. */
static bool find_change(HbgSim *sim, HbgSlideGroup *group, int32_t which) {
  HbgSlide *slide = group->slides[which];
  double *change = &group->change[which * group->relevant.count];
  wake_other_side(sim, slide);
  set_phi(sim, slide->surface, true);
  const bool is_done = hbg_islands_run(sim, &slide->there);
  if (is_done) {
    receive_there(sim, group, slide);
    hbg_slide_group_integrate(sim, group);
  }
  set_phi(sim, slide->surface, false);
  if (!is_done) return false;
  take_rates(sim, group, change);
  for (int32_t at = 0; at < group->relevant.count; at++) {
    change[at] -= group->base[at];
    sim->slides.rate[group->relevant.list[at]] = group->base[at];
  }
  // what integrators read of these islands
  return hbg_islands_run(sim, &slide->here);
}

static bool find_sides(HbgSim *sim, HbgSlideGroup *group) {
  if (group->reads_everything && !hbg_evaluate_here(sim)) return false;
  if (!hbg_islands_run(sim, &group->islands)) return false;
  hbg_slide_group_integrate(sim, group);
  take_rates(sim, group, group->base);
  take_places(sim, group);
  for (int32_t at = 0; at < group->count; at++) {
    if (group->are_bent) take_change(sim, group, at);
    else if (!find_change(sim, group, at)) return false;
  }
  return true;
}

/* ---- derivatives of the surfaces ---- */

/* How far one may go along `direction` so that no state that the surface needs moves by more than a thousandth of its size. */
static double reach(const HbgSim *sim, const HbgSlide *slide, const double *direction, bool in_time) {
  double most = (double)INFINITY;
  for (int32_t at = 0; at < slide->needed.count; at++) {
    const int32_t state = slide->needed.list[at];
    const double speed = fabs(direction[sim->slides.place[state]]);
    const double size = fmax(sim->scale[state], fabs(sim->now.state[state])), own = 1e-3 * size / speed;
    if (speed > 0 && own > UNRESOLVED * fabs(sim->now.time)) most = fmin(most, own);
  }
  const double step = sim->stepper && sim->stepper->next_h > 0 ? sim->stepper->next_h : sim->options.stop * 1e-6;
  const bool is_free = isinf(most);
  const double least = LEAST_REACH * fmax(fabs(sim->now.time), 1e-3 * sim->options.stop);
  if (is_free || (in_time && slide->reads_time)) most = fmin(most, fmax(0.05 * step, least));
  return most;
}

static double difference_at(HbgSim *sim, const HbgSlide *slide) {
  for (int32_t at = 0; at < slide->read.count; at++)
    if (!hbg_island_variables(&sim->solver, slide->read.list[at], &sim->now, false)) return (double)NAN;
  HbgProbe *probe = (HbgProbe *)(uintptr_t)&slide->surface->to->probe; /* its registers are work space */
  hbg_probe_run(probe, &sim->now);
  return slide->surface->sign * hbg_probe_value(probe, 1 + slide->surface->which);
}

static void go_along(HbgSim *sim, const HbgSlideGroup *group, const HbgSlide *slide, const double *direction, double far) {
  for (int32_t at = 0; at < slide->needed.count; at++) {
    const int32_t state = slide->needed.list[at], place = sim->slides.place[state];
    sim->now.state[state] = group->saved[place] + far * direction[place];
  }
}

static bool is_still(const HbgSim *sim, const HbgSlide *slide, const double *direction) {
  for (int32_t at = 0; at < slide->needed.count; at++) {
    const double speed = direction[sim->slides.place[slide->needed.list[at]]];
    if (speed < 0 || speed > 0) return false;
  }
  return true;
}

/* Needs take_places(). */
static double along(HbgSim *sim, const HbgSlideGroup *group, int32_t which, const double *direction, bool in_time) {
  static const struct { double place, weight; } stencil[] = {{-2, 1}, {-1, -8}, {1, 8}, {2, -1}};
  const HbgSlide *slide = group->slides[which];
  const bool moves = in_time && slide->reads_time;
  if (!moves && is_still(sim, slide, direction)) return 0;
  const double step = reach(sim, slide, direction, in_time), time = sim->now.time;
  double sum = 0;
  for (int at = 0; at < 4; at++) {
    const double far = stencil[at].place * step;
    go_along(sim, group, slide, direction, far);
    if (moves) sim->now.time = time + far;
    sum += stencil[at].weight * difference_at(sim, slide);
  }
  go_along(sim, group, slide, direction, 0);
  sim->now.time = time;
  return sum / (12 * step);
}

/* Each surface is a combination of states and functions of time, and follows its own slide only. */
static void find_diagonal(const HbgSim *sim, HbgSlideGroup *group) {
  memset(group->matrix, 0, (size_t)group->count * (size_t)group->count * sizeof *group->matrix);
  for (int32_t row = 0; row < group->count; row++) {
    const struct HbgSlideLine *line = group->slides[row]->line;
    group->matrix[row * group->count + row] = line->along;
    group->approach[row] = hbg_linear_at(&line->carried, &sim->now);
    for (int32_t at = 0; at < line->surface.count; at++)
      group->approach[row] += line->surface.terms[at].weight * group->base[sim->slides.place[line->surface.terms[at].state]];
  }
}

/* What differences leave of nothing would pass for what one slide does to another. */
static void drop_noise(HbgSlideGroup *group) {
  const int32_t count = group->count;
  for (int32_t row = 0; row < count; row++)
    for (int32_t column = 0; column < count; column++) {
      const double size = sqrt(fabs(group->matrix[row * count + row]) * fabs(group->matrix[column * count + column]));
      if (fabs(group->matrix[row * count + column]) <= NOISE * size) group->matrix[row * count + column] = 0;
    }
}

/* Is a row of the matrix made of others? */
static bool is_made_of_others(HbgSim *sim, const HbgSlideGroup *group) {
  HbgLeastSquares system = hbg_least_squares(&sim->scratch, group->count, group->count);
  return hbg_least_squares_factor(&system, group->matrix, DEPENDENT) && system.rank < group->count;
}

static bool are_dependent(HbgSim *sim, HbgSlideGroup *group) {
  if (group->count == 1 || group->knows_dependence) return group->are_dependent;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  group->are_dependent = is_made_of_others(sim, group);
  group->knows_dependence = true;
  hbg_arena_rewind(&sim->scratch, mark);
  return group->are_dependent;
}

/* Two bodies that rest on the floor rest on each other, too: with what force, nothing tells. Of all that is possible what lies nearest to the middle of both sides is taken
 * (Tikhonov's regularisation), which leaves a rate of a billionth of the forces, and the surfaces are put back. */
static void choose_the_middle(HbgSlideGroup *group) {
  for (int32_t row = 0; row < group->count; row++) {
    double *own = &group->matrix[row * group->count + row];
    const double little = HBG_SLIDE_LITTLE * *own;
    group->approach[row] -= 0.5 * little;
    *own += little;
  }
}

/* Behind find_sides(). */
static void find_matrix(HbgSim *sim, HbgSlideGroup *group) {
  if (group->are_bent) {
    find_diagonal(sim, group);
    return;
  }
  for (int32_t row = 0; row < group->count; row++) {
    group->approach[row] = along(sim, group, row, group->base, true);
    for (int32_t column = 0; column < group->count; column++)
      group->matrix[row * group->count + column] =
          along(sim, group, row, &group->change[column * group->relevant.count], false);
    // others may read the variables that went along
    if (group->slides[row]->read.count) difference_at(sim, group->slides[row]);
  }
  drop_noise(group);
  if (are_dependent(sim, group)) choose_the_middle(group);
}

double hbg_slide_along(HbgSim *sim, HbgSlideGroup *group, int32_t which, const double *direction, bool in_time) {
  take_places(sim, group);
  return along(sim, group, which, direction, in_time);
}

/* ---- along the surfaces ---- */

static void combine(HbgSlideGroup *group) {
  const int32_t relevant = group->relevant.count;
  memcpy(group->rate, group->base, (size_t)relevant * sizeof *group->rate);
  for (int32_t which = 0; which < group->count; which++)
    for (int32_t at = 0; at < relevant; at++)
      group->rate[at] += group->share[which] * group->change[which * relevant + at];
}

bool hbg_slide_group_divide(HbgSlideGroup *group, double *right) {
  if (group->count == 1 || group->are_bent) {
    bool are_finite = true;
    for (int32_t at = 0; at < group->count; at++) {
      right[at] /= group->matrix[at * group->count + at];
      are_finite = are_finite && isfinite(right[at]);
    }
    return are_finite;
  }
  if (!hbg_lu_factor(&group->lu, group->matrix)) return false;
  hbg_lu_solve(&group->lu, right);
  return true;
}

static bool are_all_within(const double *share, int32_t count) {
  for (int32_t at = 0; at < count; at++)
    if (!(share[at] >= 0 && share[at] <= 1)) return false;
  return true;
}

/* Rates go on along all surfaces until one of them is left; guards are told which. Where several shares are possible, those are taken that are
 * within limits. */
static bool tell_shares(HbgSim *sim, HbgSlideGroup *group) {
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  double *told = ARENA_NEW(&sim->scratch, double, group->count);
  for (int32_t at = 0; at < group->count; at++) {
    if (!isfinite(group->share[at])) return false;
    told[at] = group->share[at];
  }
  if (!are_all_within(told, group->count) && group->count > 1 && !hbg_slide_group_limit(&sim->scratch, group, told))
    memcpy(told, group->share, (size_t)group->count * sizeof *told);
  if (group->are_dependent && are_all_within(told, group->count)) memcpy(group->share, told, (size_t)group->count * sizeof *told);
  for (int32_t at = 0; at < group->count; at++) sim->now.share[group->slides[at]->surface->machines[0]] = told[at];
  hbg_arena_rewind(&sim->scratch, mark);
  return true;
}

static bool is_held(const HbgSlideGroup *group, int32_t row) {
  if (!hbg_is_zero(group->approach[row])) return false;
  for (int32_t column = 0; column < group->count; column++)
    if (!hbg_is_zero(group->matrix[row * group->count + column])) return false;
  return true;
}

/* No share moves a surface on which a junction that is off holds the state, as it does a block with dry friction that hangs on nothing else: of
 * forces that are all possible, the one in the middle of both sides is the least. */
static void share_what_is_held(HbgSlideGroup *group) {
  for (int32_t row = 0; row < group->count; row++) {
    if (!is_held(group, row)) continue;
    group->matrix[row * group->count + row] = 1;
    group->share[row] = 0.5;
  }
}

bool hbg_slide_group_is_held(const HbgSlideGroup *group, int32_t row) {
  const double own = group->matrix[row * group->count + row];
  return hbg_is_zero(group->approach[row]) && own >= 1 && own <= 1; // as share_what_is_held() has left it
}

/* What choose_the_middle() has left of the rates along the surfaces is taken away (iterated Tikhonov regularisation: Engl, Hanke and Neubauer,
 * "Regularization of Inverse Problems", 1996, 5.1). */
static bool correct_for_middle(HbgSim *sim, HbgSlideGroup *group) {
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  double *rest = ARENA_NEW(&sim->scratch, double, group->count);
  for (int32_t row = 0; row < group->count; row++) {
    const double own = group->matrix[row * group->count + row], little = own * HBG_SLIDE_LITTLE / (1 + HBG_SLIDE_LITTLE);
    rest[row] = group->approach[row] + little * (0.5 - group->share[row]);
    for (int32_t column = 0; column < group->count; column++) rest[row] += group->matrix[row * group->count + column] * group->share[column];
  }
  const bool is_done = hbg_slide_group_divide(group, rest);
  for (int32_t at = 0; is_done && at < group->count; at++) group->share[at] -= rest[at];
  hbg_arena_rewind(&sim->scratch, mark);
  return is_done;
}

bool hbg_slide_group_solve(HbgSim *sim, HbgSlideGroup *group) {
  if (!find_sides(sim, group)) return false;
  find_matrix(sim, group);
  for (int32_t at = 0; at < group->count; at++) group->share[at] = -group->approach[at];
  share_what_is_held(group);
  if (!hbg_slide_group_divide(group, group->share)) return false;
  if (group->are_dependent && !correct_for_middle(sim, group)) return false;
  combine(group); // with these, which are exact; told are those within limits
  return tell_shares(sim, group);
}

/* By the rates of those islands alone that they follow from. */
static bool find_line_shares(HbgSim *sim, HbgSlideGroup *group) {
  for (int32_t which = 0; which < group->count; which++) {
    if (!hbg_islands_run(sim, &group->slides[which]->line->homes)) return false;
    hbg_slide_line_share(sim, group, which, sim->slides.rate, NULL);
  }
  return true;
}

bool hbg_slide_group_find_shares(HbgSim *sim, HbgSlideGroup *group) {
  return hbg_slide_group_is_known(group) ? find_line_shares(sim, group) : hbg_slide_group_solve(sim, group);
}

bool hbg_slides_rates(HbgSim *sim, double *rate) {
  for (int32_t at = 0; at < sim->slides.group_count; at++) {
    HbgSlideGroup *group = sim->slides.groups[at];
    if (hbg_slide_group_is_known(group)) {
      hbg_slide_group_go_along(sim, group, rate, NULL);
      continue;
    }
    if (!hbg_slide_group_solve(sim, group)) return false;
    for (int32_t which = 0; which < group->relevant.count; which++)
      rate[group->relevant.list[which]] = group->rate[which];
  }
  return true;
}

/* ---- means ---- */

static bool run_variables(HbgSim *sim, const HbgIslandList *islands) {
  for (int hanging = 0; hanging < 2; hanging++)
    for (int32_t at = 0; at < islands->count; at++)
      if (islands->list[at]->is_hanging == (hanging == 1) &&
          !hbg_island_variables(&sim->solver, islands->list[at], &sim->now, true))
        return false;
  return true;
}

static int32_t variable_count(const HbgIslandList *islands) {
  int32_t count = 0;
  for (int32_t at = 0; at < islands->count; at++) count += 2 * islands->list[at]->graph.bond_count;
  return count;
}

/* The variable of the model that is number `at` of an island. */
static int32_t variable_of(const HbgIsland *island, int32_t at) { return 2 * island->graph.bonds[at / 2].bond + at % 2; }

static void take_variables(const HbgSim *sim, const HbgIslandList *islands, double *into) {
  for (int32_t at = 0; at < islands->count; at++)
    for (int32_t which = 0; which < 2 * islands->list[at]->graph.bond_count; which++)
      *into++ = sim->now.variable[variable_of(islands->list[at], which)];
}

static void put_variables(HbgSim *sim, const HbgIslandList *islands, const double *from) {
  for (int32_t at = 0; at < islands->count; at++)
    for (int32_t which = 0; which < 2 * islands->list[at]->graph.bond_count; which++)
      sim->now.variable[variable_of(islands->list[at], which)] = *from++;
}

/* Adds to `sum` what slide `which` changes, by its share. `here`: what the variables are here. */
static bool add_change(HbgSim *sim, const HbgSlideGroup *group, int32_t which, const double *here, double *sum) {
  HbgSlide *slide = group->slides[which];
  const int32_t count = variable_count(&slide->here);
  double *there = ARENA_NEW(&sim->scratch, double, count);
  wake_other_side(sim, slide);
  set_phi(sim, slide->surface, true);
  const bool is_done = run_variables(sim, &slide->there);
  set_phi(sim, slide->surface, false);
  if (!is_done) return false;
  take_variables(sim, &slide->here, there);
  for (int32_t at = 0; at < count; at++) sum[at] += group->share[which] * (there[at] - here[at]);
  return true;
}

static bool are_all_zero(const double *list, int32_t count) {
  for (int32_t at = 0; at < count; at++)
    if (!hbg_is_zero(list[at])) return false;
  return true;
}

/* Rates may be the same where something holds the state: then efforts are not. */
static bool changes_nothing(HbgSim *sim, HbgSlideGroup *group, int32_t which) {
  const HbgSlide *slide = group->slides[which];
  const int32_t count = variable_count(&slide->here);
  double *here = ARENA_NEW(&sim->scratch, double, count), *change = ARENA_NEW(&sim->scratch, double, count);
  if (!find_sides(sim, group) || !are_all_zero(&group->change[which * group->relevant.count], group->relevant.count)) return false;
  if (!run_variables(sim, &slide->here)) return false;
  take_variables(sim, &slide->here, here);
  group->share[which] = 1;
  return add_change(sim, group, which, here, change) && are_all_zero(change, count);
}

bool hbg_slide_is_void(HbgSim *sim, HbgSlide *slide, bool *leads_there) {
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  const bool is_void = changes_nothing(sim, slide->group, slide->place);
  if (is_void) *leads_there = along(sim, slide->group, slide->place, slide->group->base, true) > 0;
  hbg_arena_rewind(&sim->scratch, mark);
  return is_void;
}

bool hbg_slide_repels(HbgSim *sim, HbgSlide *slide, bool *leads_there) {
  HbgSlideGroup *group = slide->group;
  if (group->count > 1 || (slide->line && slide->line->along < 0) || !hbg_slide_group_find_shares(sim, group)) return false;
  if (!slide->line && (!(group->matrix[0] > 0) || hbg_slide_group_is_held(group, 0))) return false;
  if (!(group->share[0] > 0 && group->share[0] < 1)) return false; // one side leads through it
  *leads_there = group->share[0] < 0.5; // as approach + matrix is more than -approach
  return true;
}

static bool blend(HbgSim *sim, HbgSlideGroup *group) {
  for (int32_t which = 0; which < group->count; which++)
    if (!run_variables(sim, &group->slides[which]->here)) return false;
  for (int32_t which = 0; which < group->count; which++) {
    const HbgSlide *slide = group->slides[which];
    const int32_t count = variable_count(&slide->here);
    double *values = ARENA_NEW(&sim->scratch, double, count), *means = ARENA_NEW(&sim->scratch, double, count);
    take_variables(sim, &slide->here, means);
    // islands that several slides change: each adds its own change to what the others have made of them
    if (!run_variables(sim, &slide->here)) return false;
    take_variables(sim, &slide->here, values);
    if (!add_change(sim, group, which, values, means)) return false;
    put_variables(sim, &slide->here, means);
  }
  for (int32_t at = 0; at < group->islands.count; at++)
    if (group->islands.list[at]->is_storage)
      hbg_delivery_write(&sim->cuts.deliveries, group->islands.list[at]->delivery, &sim->now);
  return true;
}

bool hbg_slide_group_blend(HbgSim *sim, HbgSlideGroup *group) {
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  const bool is_done = hbg_slide_group_find_shares(sim, group) && blend(sim, group);
  hbg_arena_rewind(&sim->scratch, mark);
  return is_done;
}

/* Once for all that asks at a time; what it reads is brought to an instant that is near. */
static bool blend_once(HbgSim *sim, HbgSlideGroup *group) {
  if (!group || group->blended == sim->slides.blend) return true;
  group->blended = sim->slides.blend;
  hbg_near_know_states(sim, &group->states);
  return hbg_slide_group_blend(sim, group);
}

/* Of machines in the scope, and of islands. */
static bool blend_scope(HbgSim *sim) {
  const HbgScope *scope = &sim->scope;
  for (int32_t at = 0; at < scope->machines.count; at++) {
    const HbgSurface *surface = sim->slides.of_machine[scope->machines.list[at]];
    if (surface && surface->slide && !blend_once(sim, surface->slide->group)) return false;
  }
  for (int32_t at = 0; at < scope->bonds.count; at++)
    if (!blend_once(sim, sim->island_of[scope->bonds.list[at]]->sliding)) return false;
  return true;
}

bool hbg_slides_blend(HbgSim *sim) {
  if (!sim->slides.group_count) return true;
  sim->slides.blend++;
  if (!sim->scope.is_everything && sim->is_near) return blend_scope(sim);
  for (int32_t at = 0; at < sim->slides.group_count; at++)
    if (!hbg_slide_group_blend(sim, sim->slides.groups[at])) return false;
  return true;
}

static bool reads(const HbgSim *sim, const HbgProbe *probe, const HbgSurface *surface) {
  for (int32_t at = 0; at < probe->program.input_count; at++) {
    const HbgExprNode *leaf = &probe->program.inputs[at].leaf;
    if (hbg_leaf_is_of_machine(leaf) && sim->slides.of_machine[leaf->index] == surface) return true;
  }
  return false;
}

static bool reads_any(const HbgSim *sim, const HbgProbe *probe) {
  for (int32_t at = 0; at < probe->program.input_count; at++) {
    const HbgExprNode *leaf = &probe->program.inputs[at].leaf;
    if (hbg_leaf_is_of_machine(leaf) && sim->slides.of_machine[leaf->index]) return true;
  }
  return false;
}

double hbg_slides_add_mean(HbgSim *sim, HbgProbe *probe) {
  double sum = 0;
  if (!reads_any(sim, probe)) return 0;
  for (int32_t at = 0; at < sim->slides.count; at++) {
    const HbgSurface *surface = sim->slides.active[at];
    if (!reads(sim, probe, surface)) continue;
    hbg_probe_run_pairs(probe, &sim->now, &sim->before);
    const double here = hbg_probe_pair(probe, 0)->value;
    set_phi(sim, surface, true);
    hbg_probe_run_pairs(probe, &sim->now, &sim->before);
    set_phi(sim, surface, false);
    sum += sim->now.share[surface->machines[0]] * (hbg_probe_pair(probe, 0)->value - here);
  }
  return sum;
}
