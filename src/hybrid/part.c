/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/part.h"

#include <math.h>
#include <string.h>

#include "base/key.h"
#include "hybrid/explicit.h"
#include "hybrid/island_parts.h"
#include "hybrid/island_slopes.h"
#include "hybrid/local.h"
#include "hybrid/slide_line.h"
#include "hybrid/steady.h"
#include "numerics/noise.h"
#include "numerics/sdirk.h"
#include "numerics/stiffness.h"

/* ---- rates ---- */

static void go_to(const HbgPart *part, double t, const double *y) {
  part->sim->now.time = t;
  for (int32_t at = 0; at < part->count; at++) part->sim->now.state[part->states[at]] = y[at];
}

static bool has_integrators(const HbgPart *part) {
  return part->count && part->states[part->count - 1] >= part->sim->first_integrator;
}

/* The rates along surfaces, of the slides in the part. */
static bool slide(const HbgPart *part, double *dy) {
  HbgSim *sim = part->sim;
  for (int32_t at = 0; at < sim->slides.group_count; at++) {
    HbgSlideGroup *group = sim->slides.groups[at];
    if (!group->states.count || part->place_of[group->states.list[0]] < 0) continue;
    if (hbg_slide_group_is_known(group)) {
      hbg_slide_group_go_along(sim, group, dy, part->place_of);
      continue;
    }
    if (!hbg_slide_group_solve(sim, group)) return false;
    for (int32_t which = 0; which < group->relevant.count; which++)
      dy[part->place_of[group->relevant.list[which]]] = group->rate[which];
  }
  return true;
}

/* Storages that are cut off receive what the others have given. */
static bool rates_one_by_one(const HbgPart *part) {
  HbgSim *sim = part->sim;
  const HbgDeliveries *deliveries = &sim->cuts.deliveries;
  for (int32_t at = 0; at < part->island_count; at++)
    if (!part->islands[at]->is_storage && !hbg_island_rates(&sim->solver, part->islands[at], &sim->now, sim->rate)) return false;
  for (int32_t at = 0; at < part->island_count; at++) {
    HbgIsland *island = part->islands[at];
    if (!island->is_storage) continue;
    sim->rate[deliveries->state[island->delivery]] = hbg_delivery_sum(deliveries, island->delivery, sim->now.variable);
    if (island->is_demanded && !hbg_island_rates(&sim->solver, island, &sim->now, sim->rate)) return false;
  }
  return true;
}

/* Each integrator by itself where the part has few of all. */
static void read_rates(const HbgPart *part, double *dy) {
  HbgSim *sim = part->sim;
  if (has_integrators(part) && !sim->input_sums && !part->is_alone) hbg_probe_run(&sim->inputs, &sim->now);
  for (int32_t at = 0; at < part->count; at++) {
    const int32_t integrator = part->states[at] - sim->first_integrator;
    if (integrator < 0) dy[at] = sim->rate[part->states[at]];
    else if (sim->input_sums) dy[at] = hbg_input_sum(sim->input_sums, integrator, &sim->now);
    else dy[at] = part->is_alone ? hbg_local_integrand(sim, part->states[at]) : hbg_probe_value(&sim->inputs, integrator);
  }
}

int hbg_part_rates(double t, const double *y, double *dy, void *user) {
  HbgPart *part = user;
  HbgSim *sim = part->sim;
  if (part->is_everything) return hbg_evaluate_rates(t, y, dy, sim);
  go_to(part, t, y);
  if (!(part->goes_one_by_one ? rates_one_by_one(part) : hbg_batches_rates(&part->batches, sim->now.state, &sim->now, sim->rate))) return 1;
  if (!part->goes_one_by_one && !sim->slides.are_known) hbg_batches_show_delivered(&part->batches, &sim->now);
  read_rates(part, dy);
  return slide(part, dy) ? 0 : 1;
}

static void round_off(double t, const double *y, double *uncertain, void *user) {
  const HbgPart *part = user;
  HbgSim *sim = part->sim;
  go_to(part, t, y);
  for (int32_t at = 0; at < part->count; at++) sim->rate[part->states[at]] = uncertain[at];
  for (int32_t at = 0; at < part->island_count; at++)
    hbg_island_round_off(&sim->solver, part->islands[at], &sim->now, sim->rate);
  for (int32_t at = 0; at < part->island_count; at++)
    if (part->islands[at]->is_storage)
      hbg_delivery_round_off(&sim->cuts.deliveries, part->islands[at]->delivery, sim->solver.demanded_size, sim->rate);
  for (int32_t at = 0; at < part->count; at++) uncertain[at] = sim->rate[part->states[at]];
}

static int project(double t, double *y, void *user) {
  const HbgPart *part = user;
  HbgSim *sim = part->sim;
  go_to(part, t, y);
  for (int32_t at = 0; at < part->island_count; at++)
    if (hbg_constraints_may_drift(sim, part->islands[at]) && !hbg_evaluate_projection_of(sim, part->islands[at], false)) return 1;
  for (int32_t at = 0; at < part->count; at++) y[at] = sim->now.state[part->states[at]];
  return 0;
}

/* ---- entries of the Jacobian ---- */

/* Goes through all entries, with values or (value 0) before there are any. */
typedef struct Entries {
  HbgPart *part;
  bool with_values;
  void (*take)(struct Entries *self, int32_t row, int32_t column, double value);
  double *value;    /* to be summed up into */
  int32_t *list, count, capacity; /* pairs column, row that the pattern lacks */
} Entries;

/* The place of an entry in the pattern; -1. */
static int32_t find_entry(const HbgPart *part, int32_t row, int32_t column) {
  int32_t low = part->column[column], high = part->column[column + 1];
  while (low < high) {
    const int32_t middle = low + (high - low) / 2;
    if (part->row[middle] < row) low = middle + 1;
    else high = middle;
  }
  return low < part->column[column + 1] && part->row[low] == row ? low : -1;
}

static void add_value(Entries *self, int32_t row, int32_t column, double value) {
  const int32_t place = find_entry(self->part, row, column);
  // an island that is singular for a moment has other entries then; Newton's iteration forgives that
  if (place >= 0) self->value[place] += value;
}

static void note_missing(Entries *self, int32_t row, int32_t column, double value) {
  (void)value;
  if (find_entry(self->part, row, column) >= 0) return;
  HbgArena *scratch = &self->part->sim->scratch;
  ARENA_PUSH(scratch, self->list, self->count, self->capacity) = column;
  ARENA_PUSH(scratch, self->list, self->count, self->capacity) = row;
}

/* One output of an island, times `factor`, into `row`. */
static void visit_output(Entries *self, const HbgIsland *island, int32_t output, int32_t row, double factor) {
  const HbgIslandSlopes *slopes = island->last_slopes;
  if (!slopes) return; // it cannot be solved, which the first step will tell
  for (int32_t at = slopes->made->column_start[output]; at < slopes->made->column_start[output + 1]; at++) {
    const int32_t column = self->part->place_of[island->binding.states[slopes->made->column[at]]];
    self->take(self, row, column, self->with_values ? factor * slopes->value[at] : 0);
  }
}

static void visit_island(Entries *self, const HbgIsland *island) {
  const HbgTemplate *template = &island->program->template;
  for (int32_t state = 0; state < template->state_count; state++)
    if (template->state_node[state] >= 0)
      visit_output(self, island, state, self->part->place_of[island->binding.states[state]], 1);
}

/* A storage that is cut off has what its neighbours send it. */
static void visit_storage(Entries *self, const HbgIsland *storage) {
  const HbgSim *sim = self->part->sim;
  const HbgDeliveries *deliveries = &sim->cuts.deliveries;
  const int32_t which = storage->delivery, row = self->part->place_of[deliveries->state[which]];
  for (int32_t term = deliveries->start[which]; term < deliveries->start[which + 1]; term++) {
    const int32_t variable = deliveries->variable[term];
    const HbgIsland *island = sim->island_of[variable / 2];
    const int32_t output = 2 * hbg_graph_find_bond(&island->graph, variable / 2) + variable % 2;
    visit_output(self, island, island->program->template.state_count + output, row, deliveries->factor[term]);
  }
}

/* What an integrator reads of an island it has the slopes of that island by. The law of a hanging source is left out: its
 * slopes would only speed up an iteration that goes without. */
static void visit_integrator(Entries *self, int32_t row) {
  HbgSim *sim = self->part->sim;
  const HbgInputs *inputs = self->part->inputs;
  const int32_t integrator = self->part->states[row] - sim->first_integrator;
  for (int32_t at = inputs->slope_start[integrator]; at < inputs->slope_start[integrator + 1]; at++) {
    const HbgInputLeaf *leaf = &inputs->slopes[at];
    const double slope = self->with_values ? hbg_probe_value(&inputs->probe, at) : 0;
    if (leaf->is_state) {
      self->take(self, row, self->part->place_of[leaf->index], slope);
      continue;
    }
    const HbgIsland *island = sim->island_of[leaf->index / 2];
    if (island->is_storage)
      self->take(self, row, self->part->place_of[sim->cuts.deliveries.state[island->delivery]],
                 self->with_values ? slope * hbg_probe_value(island->pre, 1) : 0);
    if (island->is_hanging) continue;
    const int32_t variable = 2 * hbg_graph_find_bond(&island->graph, leaf->index / 2) + leaf->index % 2;
    visit_output(self, island, island->program->template.state_count + variable, row, slope);
  }
}

static void visit_all(Entries *self) {
  const HbgPart *part = self->part;
  for (int32_t at = 0; at < part->island_count; at++)
    if (part->islands[at]->is_storage) visit_storage(self, part->islands[at]);
    else if (!part->islands[at]->is_hanging) visit_island(self, part->islands[at]);
  for (int32_t row = 0; row < part->count; row++)
    if (part->states[row] >= part->sim->first_integrator) visit_integrator(self, row);
}

/* ---- values ---- */

static bool fill(HbgPart *part, double *value) {
  HbgSim *sim = part->sim;
  const HbgProbe *slopes = &part->inputs->probe;
  const bool needs_variables = has_integrators(part) && slopes->program.input_count;
  for (int32_t at = 0; at < part->island_count; at++) {
    HbgIsland *island = part->islands[at];
    if ((needs_variables || island->is_hanging) && !hbg_island_rates(&sim->solver, island, &sim->now, sim->rate)) return false;
    if (!island->is_hanging && !hbg_island_slopes(&sim->solver, island, &sim->now)) return false;
  }
  if (has_integrators(part)) hbg_probe_run((HbgProbe *)(uintptr_t)slopes, &sim->now); /* its registers are work space */
  for (int32_t at = 0; at < part->entry_count; at++) value[at] = 0;
  visit_all(&(Entries){.part = part, .with_values = true, .take = add_value, .value = value});
  return true;
}

static bool all_are_finite(const HbgPart *part, const double *value) {
  double finite = 0; // stays 0, or becomes NAN and stays so
  for (int32_t at = 0; at < part->entry_count; at++) finite += 0 * value[at];
  return !isnan(finite);
}

/* Where a law has no slope, as a root at zero, that of a place nearby does: what follows from a Jacobian needs no more. */
static bool fill_nearby(HbgPart *part, double *value, double far) {
  HbgSim *sim = part->sim;
  double *here = ARENA_NEW(&sim->scratch, double, part->count), *there = ARENA_NEW(&sim->scratch, double, part->count);
  double *scale = ARENA_NEW(&sim->scratch, double, part->count);
  for (int32_t at = 0; at < part->count; at++) {
    here[at] = there[at] = sim->now.state[part->states[at]];
    scale[at] = sim->scale[part->states[at]];
  }
  hbg_step_aside(part->count, there, scale, far);
  go_to(part, sim->now.time, there);
  const bool is_done = fill(part, value);
  go_to(part, sim->now.time, here);
  return is_done;
}

/* At the states at hand, or next to them on the one side or the other. */
static bool fill_with_numbers(HbgPart *part, double *value) {
  static const double NEARBY = 1e-6;
  if (fill(part, value) && all_are_finite(part, value)) return true;
  const HbgArenaMark mark = hbg_arena_mark(&part->sim->scratch);
  const bool is_above = fill_nearby(part, value, NEARBY) && all_are_finite(part, value), is_done = is_above || fill_nearby(part, value, -NEARBY);
  hbg_arena_rewind(&part->sim->scratch, mark);
  return is_done;
}

static HbgSparsity sparsity_of(const HbgPart *part) { return (HbgSparsity){part->column, part->row}; }

static void find_speeds(HbgPart *part, const double *value, const double *scale) {
  const HbgSparsity sparsity = sparsity_of(part);
  hbg_spectral_radius(part->count, &sparsity, value, scale, part->cluster_of, part->cluster_count, part->speed,
                      &part->sim->scratch);
}

/* Are the entries others than when this was asked last? */
static bool has_changed(HbgPart *part, const double *value) {
  bool has = !part->seen;
  if (!part->seen) part->seen = ARENA_FULL(&part->arena, double, part->entry_count);
  for (int32_t at = 0; at < part->entry_count; at++) {
    has = has || !(part->seen[at] <= value[at] && part->seen[at] >= value[at]);
    part->seen[at] = value[at];
  }
  return has;
}

int hbg_part_jacobian(double t, const double *y, const double *dy, double *value, void *user) {
  (void)dy;
  HbgPart *part = user;
  go_to(part, t, y);
  if (part->entries_stand) {
    if (part->entry_count) memcpy(value, part->seen, (size_t)part->entry_count * sizeof *value);
    return 0;
  }
  if (!fill_with_numbers(part, value)) return 1;
  if (part->sim->options.method != HBG_METHOD_AUTOMATIC) return 0;
  if (has_changed(part, value)) find_speeds(part, value, part->stepper->scale);
  part->entries_stand = part->linearity == HBG_STEADY;
  return 0;
}

/* ---- the pattern ---- */

/* The pattern with the entries it lacks. */
static void extend(HbgPart *part, const Entries *missing) {
  HbgArena *arena = &part->arena;
  const int32_t most = part->entry_count + missing->count / 2;
  int32_t *start = ARENA_NEW(arena, int32_t, part->count + 1), *row = ARENA_FULL(arena, int32_t, most);
  int32_t *next = ARENA_NEW(&part->sim->scratch, int32_t, part->count + 1);
  for (int32_t at = 0; at < missing->count; at += 2) next[missing->list[at] + 1]++;
  for (int32_t j = 0; j < part->count; j++) next[j + 1] += next[j] + part->column[j + 1] - part->column[j];
  int32_t *fill_at = ARENA_NEW(&part->sim->scratch, int32_t, part->count);
  for (int32_t j = 0; j < part->count; j++) {
    fill_at[j] = next[j];
    for (int32_t k = part->column[j]; k < part->column[j + 1]; k++) row[fill_at[j]++] = part->row[k];
  }
  for (int32_t at = 0; at < missing->count; at += 2) row[fill_at[missing->list[at]]++] = missing->list[at + 1];
  int32_t count = 0;
  for (int32_t j = 0; j < part->count; j++) {
    if (next[j + 1] > next[j]) hbg_key_sort(&row[next[j]], next[j + 1] - next[j]);
    for (int32_t k = next[j]; k < next[j + 1]; k++)
      if (k == next[j] || row[k] != row[k - 1]) row[count++] = row[k];
    start[j + 1] = count;
  }
  part->column = start;
  part->row = row;
  part->entry_count = count;
  part->seen = NULL;
}

/* Brings the pattern up to the present mode; true when it lacked something. */
static bool update_pattern(HbgPart *part) {
  HbgSim *sim = part->sim;
  for (int32_t at = 0; at < part->island_count; at++)
    if (!part->islands[at]->is_hanging) hbg_island_linearise(&sim->solver, part->islands[at], &sim->now);
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  Entries missing = {.part = part, .take = note_missing};
  visit_all(&missing);
  if (missing.count) extend(part, &missing);
  hbg_arena_rewind(&sim->scratch, mark);
  return missing.count > 0;
}

/* ---- life ---- */

void hbg_part_make(HbgPart *part, HbgSim *sim, const HbgInputs *inputs, const int32_t *states, int32_t count,
                   bool is_implicit) {
  const HbgArena arena = hbg_arena(sim->arena->allocator);
  *part = (HbgPart){.sim = sim, .inputs = inputs, .arena = arena, .is_implicit = is_implicit, .count = count};
  part->arena.on_failure = sim->arena->on_failure;
  part->states = ARENA_NEW(&part->arena, int32_t, count);
  part->place_of = ARENA_NEW(&part->arena, int32_t, sim->model->state_count);
  part->column = ARENA_NEW(&part->arena, int32_t, count + 1);
  part->cluster_of = ARENA_NEW(&part->arena, int32_t, count);
  part->speed = ARENA_NEW(&part->arena, double, count);
  part->gain = ARENA_NEW(&part->arena, double, count);
  for (int32_t state = 0; state < sim->model->state_count; state++) part->place_of[state] = -1;
  for (int32_t at = 0; at < count; at++) {
    part->states[at] = states[at];
    part->place_of[states[at]] = at;
  }
}

/* Those with states in the part; those that hang, where an integrator reads one. */
static void number_clusters(HbgPart *part, const HbgClusters *clusters) {
  if (clusters->count > part->local_capacity) {
    part->local = ARENA_NEW(&part->arena, int32_t, clusters->count);
    part->local_capacity = clusters->count;
  }
  for (int32_t cluster = 0; cluster < clusters->count; cluster++) part->local[cluster] = -1;
  part->cluster_count = 0;
  for (int32_t at = 0; at < part->count; at++) {
    int32_t *number = &part->local[clusters->of_state[part->states[at]]];
    if (*number < 0) *number = part->cluster_count++;
    part->cluster_of[at] = *number;
  }
}

static void find_islands(HbgPart *part, const HbgClusters *clusters) {
  HbgSim *sim = part->sim;
  number_clusters(part, clusters);
  part->island_count = 0;
  for (int32_t at = 0; at < sim->island_count; at++) {
    const int32_t cluster = clusters->of_island[at];
    if (sim->islands[at]->is_hanging && !sim->islands[at]->is_storage ? clusters->read_hanging : cluster >= 0 && part->local[cluster] >= 0)
      ARENA_PUSH(&part->arena, part->islands, part->island_count, part->island_capacity) = sim->islands[at];
  }
}

static bool may_drift(const HbgPart *part) {
  for (int32_t at = 0; at < part->island_count; at++)
    if (hbg_constraints_may_drift(part->sim, part->islands[at])) return true;
  return false;
}

static HbgStepper *new_stepper(HbgPart *part) {
  const HbgSparsity sparsity = sparsity_of(part);
  if (!part->is_implicit) {
    HbgStepper *stepper = hbg_explicit_stepper(part->sim, &part->arena, part->count, hbg_part_rates, part);
    stepper->reads_between = true; // by the parts that are not as far
    return stepper;
  }
  if (part->sim->options.method == HBG_METHOD_BDF)
    return hbg_bdf(&part->arena, part->count, &sparsity, hbg_part_rates, hbg_part_jacobian, part);
  return hbg_sdirk(&part->arena, part->count, &sparsity, hbg_part_rates, hbg_part_jacobian, part);
}

static void make_stepper(HbgPart *part) {
  HbgStepper *old = part->stepper;
  part->stepper = new_stepper(part);
  if (part->stepper) {
    hbg_stepper_set_tolerance(part->stepper, part->sim->options.tolerance);
    part->stepper->round_off = round_off;
    if (old) part->stepper->counts = old->counts;
    if (old) part->stepper->next_h = old->next_h;
  }
  hbg_stepper_free(old);
}

/* What can be said of the part's rates until it is entered again. */
static HbgLinearity linearity_of(const HbgPart *part) {
  if (has_integrators(part) && !part->inputs->are_affine) return HBG_NONLINEAR;
  HbgLinearity linearity = has_integrators(part) ? HBG_AFFINE : HBG_STEADY;
  for (int32_t at = 0; at < part->island_count; at++) {
    const HbgIsland *island = part->islands[at];
    if (island->is_storage && !island->is_demanded && !island->sliding) continue; // it receives a sum of what islands give
    if (island->is_hanging || island->sliding || !island->last_slopes || !island->last_slopes->made->is_affine) return HBG_NONLINEAR;
    if (hbg_island_reads_pieces(part->sim, island)) return HBG_NONLINEAR;
    if (island->program->reads_time) linearity = HBG_AFFINE;
  }
  return linearity;
}

/* The batches of its islands; where all states are in it, those of the run do. */
static void set_batches(HbgPart *part) {
  part->is_everything = part->count == part->sim->model->state_count;
  if (part->is_everything || part->goes_one_by_one) return;
  if (!part->batches.solver) part->batches = hbg_batches(&part->sim->solver, &part->arena);
  hbg_batches_set(&part->batches, part->islands, part->island_count, &part->sim->now);
}

static void set_linearity(HbgPart *part) {
  part->linearity = part->is_implicit && part->sim->options.method != HBG_METHOD_BDF ? linearity_of(part) : HBG_NONLINEAR;
  part->entries_stand = part->is_surveyed && part->linearity == HBG_STEADY;
  if (part->is_implicit && part->sim->options.method != HBG_METHOD_BDF) hbg_sdirk_set_linearity(part->stepper, part->linearity);
}

/* Its islands are known. */
static bool enter(HbgPart *part) {
  set_batches(part);
  if (part->is_implicit && !part->is_surveyed && update_pattern(part)) part->has_grown = true;
  if (part->has_grown || !part->stepper) make_stepper(part);
  part->has_grown = false;
  if (part->stepper) set_linearity(part);
  part->is_surveyed = false;
  if (part->stepper) part->stepper->project = part->is_implicit && may_drift(part) ? project : NULL;
  return part->stepper != NULL;
}

bool hbg_part_enter(HbgPart *part, const HbgClusters *clusters) {
  part->arena.on_failure = part->sim->arena->on_failure;
  find_islands(part, clusters);
  return enter(part);
}

bool hbg_part_enter_alone(HbgPart *part, HbgIsland *const *islands, int32_t count) {
  enum { FEW = 32 };
  part->arena.on_failure = part->sim->arena->on_failure;
  part->cluster_count = 1;
  part->is_alone = true;
  part->goes_one_by_one = count <= FEW;
  part->island_count = 0;
  for (int32_t at = 0; at < count; at++) ARENA_PUSH(&part->arena, part->islands, part->island_count, part->island_capacity) = islands[at];
  return enter(part);
}

bool hbg_part_survey(HbgPart *part, const HbgClusters *clusters) {
  HbgArena *scratch = &part->sim->scratch;
  find_islands(part, clusters);
  if (update_pattern(part)) part->has_grown = true;
  double *value = ARENA_FULL(scratch, double, part->entry_count), *scale = ARENA_NEW(scratch, double, part->count);
  for (int32_t at = 0; at < part->count; at++) scale[at] = part->sim->scale[part->states[at]];
  if (!fill_with_numbers(part, value)) return false;
  has_changed(part, value);
  find_speeds(part, value, scale);
  part->is_surveyed = true;
  return true;
}

void hbg_part_release(HbgPart *part) {
  hbg_stepper_free(part->stepper);
  hbg_arena_release_all(&part->arena);
  *part = (HbgPart){0};
}
