/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/region.h"

#include <math.h>
#include <string.h>

#include "equations/affine.h"
#include "equations/combination.h"
#include "hybrid/island_forms.h"
#include "hybrid/local_parts.h"
#include "numerics/dense.h"

/* ---- A and b ---- */

/* A (n, n) and behind it b (n). */
typedef struct Affine {
  int32_t n;
  double *matrix, *drive;
} Affine;

/* Where a state of the model lies in the region; -1. */
static int32_t place_of(const HbgRegion *region, int32_t state) {
  for (int32_t at = 0; at < region->count; at++)
    if (region->states[at] == state) return at;
  return -1;
}

/* row := row + factor form, of an island. False where it reads a state of another region. */
static bool add_form(const HbgRegion *region, Affine *motion, int32_t row, const HbgIsland *island, const double *form, double factor) {
  const int32_t states = island->program->template.state_count;
  motion->drive[row] += factor * form[0];
  for (int32_t state = 0; state < states; state++) {
    if (form[1 + state] >= 0 && form[1 + state] <= 0) continue;
    const int32_t column = place_of(region, island->binding.states[state]);
    if (column < 0) return false;
    motion->matrix[row * region->count + column] += factor * form[1 + state];
  }
  return true;
}

static bool assemble_island(HbgSim *sim, const HbgRegion *region, Affine *motion, HbgIsland *island) {
  const HbgIslandForms *forms = hbg_island_forms(&sim->solver, island, &sim->now);
  const HbgTemplate *template = &island->program->template;
  if (!forms) return false;
  for (int32_t state = 0; state < template->state_count; state++) {
    if (template->state_node[state] < 0) continue;
    const int32_t row = place_of(region, island->binding.states[state]);
    if (!add_form(region, motion, row, island, &forms->rate[state * forms->width], 1)) return false;
  }
  return true;
}

/* What an integrator reads, times `factor`. */
static bool add_leaf(HbgSim *sim, const HbgRegion *region, Affine *motion, int32_t row, const HbgExprNode *leaf, double factor) {
  const int32_t variable = hbg_variable_of(leaf);
  if (factor >= 0 && factor <= 0) return true;
  if (leaf->op == HBG_OP_STATE) {
    motion->matrix[row * region->count + place_of(region, leaf->index)] += factor;
    return true;
  }
  HbgIsland *island = sim->island_of[variable / 2];
  const HbgIslandForms *forms = hbg_island_forms(&sim->solver, island, &sim->now);
  return forms && add_form(region, motion, row, island, hbg_island_form_of(island, forms, variable), factor);
}

/* What an integrator adds up, as a form over its leaves, each of which is a form over the region's states. */
static bool assemble_by_program(HbgSim *sim, const HbgRegion *region, Affine *motion, int32_t row) {
  HbgProbe *probe = hbg_local_integrator(sim, region->states[row]);
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  hbg_probe_load(probe, &sim->now);
  HbgAffine affine = hbg_affine(probe->program.register_count, probe->program.input_count, probe->registers, &sim->scratch);
  for (int32_t at = 0; at < probe->program.input_count; at++) {
    const HbgExprNode *leaf = &probe->program.inputs[at].leaf;
    if (hbg_moves(leaf)) hbg_affine_set_input(&affine, probe->program.inputs[at].target, at);
    if (leaf->op == HBG_OP_TIME) return false;
  }
  hbg_affine_execute(&affine, probe->program.main, 0, probe->program.main_count);
  bool is_known = hbg_affine_is_known(&affine, probe->outputs[0]);
  const double *form = hbg_affine_form(&affine, probe->outputs[0]);
  if (is_known) motion->drive[row] += form[0];
  for (int32_t at = 0; is_known && at < probe->program.input_count; at++)
    is_known = add_leaf(sim, region, motion, row, &probe->program.inputs[at].leaf, form[1 + at]);
  hbg_arena_rewind(&sim->scratch, mark);
  return is_known;
}

static bool assemble_integrator(HbgSim *sim, const HbgRegion *region, Affine *motion, int32_t row) {
  const HbgExprPool *pool = &sim->laws.pool;
  HbgCombination input;
  if (!hbg_combination(pool, sim->model->states[region->states[row]].input, &input)) return assemble_by_program(sim, region, motion, row);
  motion->drive[row] += input.constant;
  for (int32_t at = 0; at < input.count; at++)
    if (!add_leaf(sim, region, motion, row, hbg_expr_node(pool, input.terms[at].leaf), input.terms[at].weight)) return false;
  return true;
}

static bool assemble(HbgSim *sim, const HbgRegion *region, Affine *motion) {
  for (int32_t at = 0; at < region->island_count; at++)
    if (!assemble_island(sim, region, motion, region->islands[at])) return false;
  for (int32_t row = 0; row < region->count; row++)
    if (region->states[row] >= sim->first_integrator && !assemble_integrator(sim, region, motion, row)) return false;
  return true;
}

/* ---- polynomials ---- */

static bool is_zero(const double *x, int32_t n) {
  for (int32_t at = 0; at < n; at++)
    if (!(x[at] >= 0 && x[at] <= 0)) return false;
  return true;
}

/* Is A^3 = 0 and A^2 b = 0, exactly? Then all is over with the square of the time. */
static bool is_quadratic(const Affine *motion) {
  const int32_t n = motion->n;
  double once[HBG_REGION_MOST_STATES] = {0}, twice[HBG_REGION_MOST_STATES], thrice[HBG_REGION_MOST_STATES];
  for (int32_t column = -1; column < n; column++) {
    for (int32_t row = 0; row < n; row++) once[row] = column < 0 ? motion->drive[row] : motion->matrix[row * n + column];
    hbg_dense_multiply(n, n, motion->matrix, once, twice);
    hbg_dense_multiply(n, n, motion->matrix, twice, thrice);
    if (!is_zero(thrice, n)) return false;
  }
  return true;
}

HbgRegion *hbg_region(HbgSim *sim, HbgIsland *const *islands, int32_t island_count, const int32_t *states, int32_t count) {
  HbgRegion *region = ARENA_NEW(sim->arena, HbgRegion, 1);
  *region = (HbgRegion){.islands = ARENA_NEW(sim->arena, HbgIsland *, island_count),
                        .island_count = island_count,
                        .states = ARENA_NEW(sim->arena, int32_t, count),
                        .count = count,
                        .synced = (double)NAN,
                        .shown = (double)NAN};
  if (island_count) memcpy(region->islands, islands, (size_t)island_count * sizeof(HbgIsland *));
  if (count) memcpy(region->states, states, (size_t)count * sizeof *states);
  for (int32_t at = 0; at < count; at++)
    if (states[at] >= sim->first_integrator && sim->local->inputs.reads_mode[states[at] - sim->first_integrator]) region->reads_mode = true;
  return region;
}

/* How fast it moves at most [1/s], whatever the units of its states. */
static double fastest(const Affine *motion) {
  const int32_t n = motion->n;
  double rate = 0;
  for (int32_t row = 0; row < n; row++)
    for (int32_t column = 0; column <= row; column++)
      rate = fmax(rate, sqrt(fabs(motion->matrix[row * n + column])) * sqrt(fabs(motion->matrix[column * n + row])));
  return rate;
}

/* Round-off in the matrix shifts the slow modes of a system by that of its fast ones: does it stay within the tolerance to the end? */
static bool is_precise(const HbgSim *sim, const Affine *motion) {
  return 1e-15 * fastest(motion) * sim->options.stop <= sim->options.tolerance;
}

static HbgMotion *make_motion(HbgSim *sim, const Affine *found, const double *kept) {
  HbgArena *arena = &sim->local->arena;
  const int32_t n = found->n;
  const bool is_parabola = !n || is_quadratic(found);
  HbgMotion *motion = ARENA_NEW(arena, HbgMotion, 1);
  *motion = (HbgMotion){.matrix = kept, .drive = kept + n * n, .number = sim->local->known_motions.count};
  if (!is_parabola && is_precise(sim, found)) motion->flow = hbg_flow(arena, n, found->matrix, found->drive);
  motion->is_known = is_parabola || motion->flow;
  return motion;
}

/* The motion of that A and b, which may have been met before, in whatever region; NULL where it has no closed form. */
static const HbgMotion *motion_for(HbgSim *sim, const Affine *found) {
  HbgKeyTable *known = &sim->local->known_motions;
  const int32_t doubles = found->n * (found->n + 1), words = (int32_t)(sizeof(double) / sizeof(int32_t)) * doubles;
  const int32_t *key = (const void *)found->matrix;
  HbgMotion *motion = hbg_key_table_find(known, key, words);
  if (!motion) {
    double *kept = ARENA_NEW(&sim->local->arena, double, doubles);
    if (doubles) memcpy(kept, found->matrix, (size_t)doubles * sizeof *kept);
    motion = make_motion(sim, found, kept);
    hbg_key_table_add(known, (const void *)kept, words, motion);
  }
  return motion->is_known ? motion : NULL;
}

int64_t hbg_region_edition(const HbgRegion *region) {
  int64_t edition = 0;
  for (int32_t at = 0; at < region->island_count; at++)
    if (region->islands[at]->forms) edition += region->islands[at]->forms->edition;
  return edition;
}

/* NULL where it has to be integrated. */
static const HbgMotion *motion_of(HbgSim *sim, HbgRegion *region) {
  if (region->count > HBG_REGION_MOST_STATES || region->prefers_steps) return NULL;
  if (!region->tracks) region->tracks = ARENA_NEW(&sim->local->arena, HbgTrack, region->count);
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  Affine found = {.n = region->count, .matrix = ARENA_NEW(&sim->scratch, double, region->count * (region->count + 1))};
  found.drive = found.matrix + found.n * found.n;
  const HbgMotion *motion = assemble(sim, region, &found) ? motion_for(sim, &found) : NULL;
  hbg_arena_rewind(&sim->scratch, mark);
  return motion;
}

void hbg_region_assemble(HbgSim *sim, HbgRegion *region) {
  region->motion = motion_of(sim, region);
  region->is_assembled = true;
  region->is_stepped = false;
  region->edition = hbg_region_edition(region);
}

/* ---- motion ---- */

/* x(s) = x + (A x + b) s + A (A x + b) s^2/2. */
void hbg_region_start(HbgSim *sim, HbgRegion *region, double t) {
  const int32_t n = region->count;
  const HbgMotion *motion = region->motion;
  HbgTrack *tracks = region->tracks;
  region->origin = region->synced = t;
  region->shown = (double)NAN;
  if (region->is_stepped) {
    hbg_region_begin_steps(sim, region, t);
    return;
  }
  for (int32_t row = 0; row < n; row++) tracks[row].a = sim->now.state[region->states[row]];
  if (motion->flow) return;
  for (int32_t row = 0; row < n; row++) {
    double rate = motion->drive[row], size = fabs(rate);
    for (int32_t column = 0; column < n; column++) {
      const double factor = motion->matrix[row * n + column];
      rate += factor * tracks[column].a;
      size += fabs(factor) * sim->scale[region->states[column]];
    }
    tracks[row].b = rate;
    tracks[row].b_size = size;
  }
  for (int32_t row = 0; row < n; row++) {
    double sum = 0, size = 0;
    for (int32_t column = 0; column < n; column++) {
      sum += motion->matrix[row * n + column] * tracks[column].b;
      size += fabs(motion->matrix[row * n + column]) * tracks[column].b_size;
    }
    tracks[row].c = 0.5 * sum;
    tracks[row].c_size = 0.5 * size;
  }
}

void hbg_region_values_later(const HbgRegion *region, double t, double *values) {
  if (region->is_stepped) {
    hbg_stepper_dense(region->stepper, hbg_stepper_theta(region->stepper, t), values);
    return;
  }
  if (!region->motion->flow) {
    for (int32_t at = 0; at < region->count; at++) values[at] = hbg_region_value(region, at, t);
    return;
  }
  double start[HBG_REGION_MOST_STATES];
  const double elapsed = t - region->origin;
  for (int32_t at = 0; at < region->count; at++) (elapsed > 0 ? start : values)[at] = region->tracks[at].a;
  if (elapsed > 0) hbg_flow_go(region->motion->flow, start, elapsed, values);
}

void hbg_region_sync(HbgSim *sim, HbgRegion *region, double t) {
  if (region->synced >= t && region->synced <= t) return;
  double few[HBG_REGION_MOST_STATES];
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  double *values = region->count <= HBG_REGION_MOST_STATES ? few : ARENA_NEW(&sim->scratch, double, region->count);
  hbg_region_values(region, t, values);
  for (int32_t at = 0; at < region->count; at++) sim->now.state[region->states[at]] = values[at];
  hbg_arena_rewind(&sim->scratch, mark);
  region->synced = t;
}

void hbg_region_take_states(HbgSim *sim, HbgRegion *region) {
  for (int32_t at = 0; at < region->count; at++) {
    sim->local->region_of[region->states[at]] = region;
    sim->local->place_of[region->states[at]] = at;
  }
}

void hbg_region_enter(HbgSim *sim, HbgRegion *region) {
  hbg_region_take_states(sim, region);
  for (int32_t at = 0; at < region->island_count; at++) region->islands[at]->region = region;
  hbg_region_start(sim, region, sim->time);
}
