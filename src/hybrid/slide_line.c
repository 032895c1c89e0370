/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/slide_line.h"

#include <math.h>

#include "base/numbers.h"
#include "hybrid/island_forms.h"
#include "hybrid/sim.h"
#include "hybrid/slide_lists.h"

typedef struct HbgSlideLine Line;

/* ---- where it is possible ---- */

static bool has_fixed_forms(HbgSim *sim, HbgIsland *island) {
  const HbgTemplate *template = island->is_hanging ? NULL : &island->program->template;
  if (!template || template->discrete_count || template->pre_count ||
      hbg_constraints_may_drift(sim, island))
    return false;
  return hbg_island_forms_in_time(&sim->solver, island, &sim->now) != NULL;
}

static bool have_fixed_forms(HbgSim *sim, const HbgIslandList *islands) {
  for (int32_t at = 0; at < islands->count; at++)
    if (!has_fixed_forms(sim, islands->list[at])) return false;
  return true;
}

/* Nothing but states, variables, the time and scheduled conditions, so that it stays what it is while the slide does. */
static bool reads_motion_only(const HbgConjunction *guard) {
  for (int32_t at = 0; at < guard->probe.program.input_count; at++) {
    const HbgProgramInput *input = &guard->probe.program.inputs[at];
    if (input->is_pre || !(hbg_moves(&input->leaf) || input->leaf.op == HBG_OP_TIME || input->leaf.op == HBG_OP_TICK)) return false;
  }
  return true;
}

/* ---- what switching changes ---- */

static const HbgFormRow *find_row(const HbgIslandList *islands, const HbgFormRow *like, const HbgIslandForms **forms) {
  for (int32_t at = 0; at < islands->count; at++) {
    *forms = islands->list[at]->forms;
    for (int32_t row = 0; row < (*forms)->row_count; row++)
      if ((*forms)->rows[row].is_rate == like->is_rate && (*forms)->rows[row].target == like->target)
        return &(*forms)->rows[row];
  }
  return NULL;
}

static bool is_same(double a, double b) { return a >= b && a <= b; }

/* What follows the time in a row. */
static bool add_time(HbgSim *sim, HbgLinear *sum, const HbgIslandForms *forms, const HbgFormRow *row, double factor) {
  return !forms->time || hbg_linear_add_time(sum, sim->arena, forms->time, &row->form[1 + forms->state_count], factor);
}

/* What is left of a sum where both sides are the same; powers about other times differ by round-off. */
static double without_cancelled(double a, double b) {
  const double sum = a + b;
  return fabs(sum) <= 1e-13 * (fabs(a) + fabs(b)) ? 0 : sum;
}

/* By which number row `of_b` is more than row `of_a`, as far as the states do not tell. False: by a function of the time. */
static bool find_change(HbgSim *sim, const HbgIslandForms *a, const HbgFormRow *of_a, const HbgIslandForms *b, const HbgFormRow *of_b, double *change) {
  HbgTimePart of_own = {0}, of_other;
  HbgLinear own = {.constant = of_a->constant, .time = &of_own}, other = {.constant = of_b->constant, .time = &of_other};
  if (!add_time(sim, &own, a, of_a, 1)) return false;
  if (own.follows_time) {  // over the same functions
    other.follows_time = true;
    of_other = (HbgTimePart){.columns = of_own.columns};
  }
  if (!add_time(sim, &other, b, of_b, 1) || own.follows_time != other.follows_time) return false;
  for (int32_t column = 0; own.follows_time && column < HBG_TIME_COLUMNS; column++)
    if (!hbg_is_zero(without_cancelled(own.time->row[column], -other.time->row[column]))) return false;
  *change = own.follows_time ? without_cancelled(other.constant, -own.constant) : other.constant - own.constant;
  return true;
}

static bool have_same_terms(const HbgIslandForms *a, const HbgFormRow *of_a, const HbgIslandForms *b, const HbgFormRow *of_b) {
  if (of_a->count != of_b->count) return false;
  for (int32_t at = 0; at < of_a->count; at++) {
    const HbgFormTerm *x = &a->terms[of_a->first + at], *y = &b->terms[of_b->first + at];
    if (x->state != y->state || !is_same(x->weight, y->weight)) return false;
  }
  return true;
}

static int32_t count_rows(const HbgIslandList *islands) {
  int32_t count = 0;
  for (int32_t at = 0; at < islands->count; at++) count += islands->list[at]->forms->row_count;
  return count;
}

/* Constants in rates, and in nothing else that is asked for. */
static bool find_changes(HbgSim *sim, const HbgSlide *slide, Line *line) {
  if (count_rows(&slide->here) != count_rows(&slide->there)) return false;
  for (int32_t at = 0; at < slide->here.count; at++) {
    const HbgIslandForms *here = slide->here.list[at]->forms, *there;
    for (int32_t which = 0; which < here->row_count; which++) {
      const HbgFormRow *own = &here->rows[which], *other = find_row(&slide->there, own, &there);
      double change;
      if (!other || !have_same_terms(here, own, there, other) || !find_change(sim, here, own, there, other, &change)) return false;
      if (hbg_is_zero(change)) continue;
      if (!own->is_rate) return false;
      ARENA_PUSH(sim->arena, line->changes, line->change_count, line->change_capacity) = (HbgLinearTerm){own->target, change};
    }
  }
  return line->change_count > 0;
}

/* ---- the share ---- */

static bool add_row(HbgSim *sim, HbgLinear *sum, HbgIsland *island, bool is_rate, int32_t target, double factor) {
  if (!has_fixed_forms(sim, island)) return false;
  const HbgIslandList alone = {&island, 1, 1};
  const HbgIslandForms *forms;
  const HbgFormRow *row = find_row(&alone, &(HbgFormRow){.is_rate = is_rate, .target = target}, &forms);
  if (!row) return false;
  sum->constant += factor * row->constant;
  sum->size += fabs(factor * row->constant);
  for (int32_t term = row->first; term < row->first + row->count; term++)
    hbg_linear_add(sum, sim->arena, forms->terms[term].state, factor * forms->terms[term].weight);
  return add_time(sim, sum, forms, row, factor);
}

/* Adds `factor` times the rate of a state here. */
static bool add_rate(HbgSim *sim, HbgLinear *sum, int32_t state, double factor) {
  const HbgFlatModel *model = sim->model;
  const HbgDeliveries *deliveries = &sim->cuts.deliveries;
  const int32_t node = model->states[state].node;
  if (node < 0) return false;
  HbgIsland *island = sim->island_of[hbg_port(model, &model->nodes[node], 0)->bond];
  if (!island->is_storage) return add_row(sim, sum, island, true, state, factor);
  for (int32_t term = deliveries->start[island->delivery]; term < deliveries->start[island->delivery + 1]; term++) {
    const int32_t variable = deliveries->variable[term];
    if (!add_row(sim, sum, sim->island_of[variable / 2], false, variable, factor * deliveries->factor[term]))
      return false;
  }
  return true;
}

static double change_of(const Line *line, int32_t state) {
  for (int32_t at = 0; at < line->change_count; at++)
    if (line->changes[at].state == state) return line->changes[at].weight;
  return 0;
}

static bool find_along(Line *line) {
  double along = 0, size = 0;
  for (int32_t at = 0; at < line->surface.count; at++) {
    const double change = line->surface.terms[at].weight * change_of(line, line->surface.terms[at].state);
    along += change;
    size += fabs(change);
  }
  line->along = along;
  return fabs(along) > 1e-9 * size;
}

static bool find_share(HbgSim *sim, Line *line) {
  for (int32_t at = 0; at < line->surface.count; at++)
    if (!add_rate(sim, &line->share, line->surface.terms[at].state, -line->surface.terms[at].weight / line->along))
      return false;
  return hbg_linear_add_linear(&line->share, sim->arena, &line->carried, -1 / line->along);
}

/* ---- rates along the surface ---- */

/* What a rate is here, and `weight` times the share. */
static HbgLinear sum_of(HbgSim *sim, const HbgLinear *here, const HbgLinear *share, double weight) {
  HbgLinear sum = {.constant = without_cancelled(here->constant, weight * share->constant)};
  for (int32_t at = 0; at < here->count; at++) {
    const int32_t state = here->terms[at].state;
    const double total = without_cancelled(here->terms[at].weight, weight * hbg_linear_weight(share, state));
    if (total < 0 || total > 0) hbg_linear_add(&sum, sim->arena, state, total);
  }
  for (int32_t at = 0; at < share->count; at++) {
    const double by = weight * share->terms[at].weight;
    if (!(hbg_linear_weight(here, share->terms[at].state) < 0 || hbg_linear_weight(here, share->terms[at].state) > 0) && (by < 0 || by > 0))
      hbg_linear_add(&sum, sim->arena, share->terms[at].state, by);
  }
  return sum;
}

static bool find_rates(HbgSim *sim, Line *line) {
  line->rates = ARENA_NEW(sim->arena, HbgLinear, line->change_count);
  for (int32_t at = 0; at < line->change_count; at++) {
    HbgLinear here = {0};
    if (!add_rate(sim, &here, line->changes[at].state, 1)) return false;
    line->rates[at] = sum_of(sim, &here, &line->share, line->changes[at].weight);
  }
  return true;
}

static bool is_state_of(const HbgIslandList *islands, int32_t state) {
  for (int32_t at = 0; at < islands->count; at++)
    for (int32_t which = 0; which < islands->list[at]->program->template.state_count; which++)
      if (islands->list[at]->binding.states[which] == state) return true;
  return false;
}

static bool is_near(const HbgSlide *slide, const Line *line) {
  for (int32_t at = 0; at < line->share.count; at++)
    if (!is_state_of(&slide->here, line->share.terms[at].state)) return false;
  return true;
}

/* The same of a share that bends. */
static bool is_at_home(const HbgSlide *slide, const Line *line) {
  for (int32_t at = 0; at < line->homes.count; at++)
    if (line->homes.list[at]->is_storage || !hbg_islands_have(&slide->here, line->homes.list[at])) return false;
  return true;
}

const HbgLinear *hbg_slide_group_rate(const HbgSlideGroup *group, int32_t state) {
  for (int32_t which = 0; which < group->count; which++) {
    const Line *line = group->slides[which]->line;
    for (int32_t at = 0; at < line->change_count; at++)
      if (line->changes[at].state == state) return &line->rates[at];
  }
  return NULL;
}

bool hbg_slide_group_has_rates(const HbgSlideGroup *group) {
  for (int32_t which = 0; which < group->count; which++)
    if (group->slides[which]->line->is_bent || group->slides[which]->line->share.follows_time) return false;
  return true;
}

static void note_states(HbgSim *sim, HbgStateList *states, const HbgLinearTerm *terms, int32_t count) {
  for (int32_t at = 0; at < count; at++)
    ARENA_PUSH(sim->arena, states->list, states->count, states->capacity) = terms[at].state;
}

/* ---- all ---- */

/* Guards follow it over steps. */
static bool add_giver(HbgSim *sim, Line *line, int32_t variable, double weight) {
  HbgIsland *island = sim->island_of[variable / 2];
  if (island->is_hanging) return false;
  hbg_islands_push(sim->arena, &line->homes, island);
  ARENA_PUSH(sim->arena, line->givers, line->giver_count, line->giver_capacity) = (HbgLinearTerm){variable, weight};
  hbg_guards_read_variable(&sim->guards, variable);
  return true;
}

/* What gives the rate of a state here, `weight` times. False: that may be anything. */
static bool add_givers(HbgSim *sim, Line *line, int32_t state, double weight) {
  const HbgFlatModel *model = sim->model;
  const HbgDeliveries *deliveries = &sim->cuts.deliveries;
  if (model->states[state].node < 0) return false;
  const HbgNode *node = &model->nodes[model->states[state].node];
  const int32_t bond = hbg_port(model, node, 0)->bond;
  HbgIsland *island = sim->island_of[bond];
  if (!island->is_storage) return add_giver(sim, line, node->kind == HBG_ELEMENT_I ? hbg_effort_of(bond) : hbg_flow_of(bond), weight);
  hbg_islands_push(sim->arena, &line->homes, island);
  for (int32_t term = deliveries->start[island->delivery]; term < deliveries->start[island->delivery + 1]; term++)
    if (!add_giver(sim, line, deliveries->variable[term], weight * deliveries->factor[term])) return false;
  return true;
}

static bool find_givers(HbgSim *sim, Line *line) {
  for (int32_t at = 0; at < line->surface.count; at++)
    if (!add_givers(sim, line, line->surface.terms[at].state, -line->surface.terms[at].weight / line->along)) return false;
  hbg_islands_sort(&line->homes);
  return true;
}

static bool has_fixed_sides(HbgSim *sim, const HbgSlide *slide, Line *line) {
  if (have_fixed_forms(sim, &slide->here) && have_fixed_forms(sim, &slide->there)) return find_changes(sim, slide, line);
  line->is_bent = true;
  return hbg_slide_find_constant_changes(sim, slide, line);
}

struct HbgSlideLine *hbg_slide_line(HbgSim *sim, const HbgSlide *slide) {
  const HbgSurface *surface = slide->surface;
  if (!sim->local || sim->options.as_a_whole || slide->reads_everything) return NULL;
  if (hbg_surface_is_integrated(sim, surface)) return NULL;
  Line *line = ARENA_NEW(sim->arena, Line, 1);
  if (!reads_motion_only(surface->to) || !hbg_linear_difference(sim, surface->to, surface->which, &line->surface)) return NULL;
  hbg_linear_scale(&line->surface, surface->sign);
  line->carried = hbg_linear_rate_in_time(&line->surface, sim->arena);
  if (!has_fixed_sides(sim, slide, line)) return NULL;
  if (!find_along(line) || (line->is_bent ? !find_givers(sim, line) : !find_share(sim, line) || !find_rates(sim, line))) return NULL;
  line->is_near = line->is_bent ? is_at_home(slide, line) : is_near(slide, line);
  note_states(sim, &line->changed, line->changes, line->change_count);
  note_states(sim, &line->needed, line->surface.terms, line->surface.count);
  return line;
}

struct HbgSlideLine *hbg_slide_of(const HbgSim *sim, int32_t machine) {
  const HbgSurface *surface = sim->slides.of_machine[machine];
  const HbgSlideGroup *group = surface && surface->slide ? surface->slide->group : NULL;
  return group && hbg_slide_group_is_known(group) ? surface->slide->line : NULL;
}

const struct HbgSlideLine *hbg_slide_line_of(const HbgSim *sim, int32_t machine) {
  const struct HbgSlideLine *line = hbg_slide_of(sim, machine);
  return line && sim->slides.of_machine[machine]->slide->group->are_lines ? line : NULL;
}

static int32_t place_of(const int32_t *at, int32_t state) { return at ? at[state] : state; }

static double bent_share(const HbgSim *sim, const Line *line, const double *rate, const int32_t *at) {
  double approach = hbg_linear_at(&line->carried, &sim->now);
  for (int32_t term = 0; term < line->surface.count; term++)
    approach += line->surface.terms[term].weight * rate[place_of(at, line->surface.terms[term].state)];
  return -approach / line->along;
}

double hbg_slide_line_share(HbgSim *sim, HbgSlideGroup *group, int32_t which, const double *rate, const int32_t *at) {
  const HbgSlide *slide = group->slides[which];
  group->share[which] = slide->line->is_bent ? bent_share(sim, slide->line, rate, at) : hbg_linear_at(&slide->line->share, &sim->now);
  return sim->now.share[slide->surface->machines[0]] = group->share[which];
}

void hbg_slide_group_go_along(HbgSim *sim, HbgSlideGroup *group, double *rate, const int32_t *at) {
  for (int32_t which = 0; which < group->count; which++) {
    const Line *line = group->slides[which]->line;
    const double share = hbg_slide_line_share(sim, group, which, rate, at);
    for (int32_t change = 0; change < line->change_count; change++)
      rate[place_of(at, line->changes[change].state)] += share * line->changes[change].weight;
  }
}

bool hbg_slides_are_lines(const HbgSim *sim) { return sim->slides.are_known && !sim->slides.bent_count; }
