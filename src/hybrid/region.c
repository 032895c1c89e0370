/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/region.h"

#include <math.h>
#include <string.h>

#include "equations/affine.h"
#include "hybrid/island_forms.h"
#include "hybrid/local_parts.h"
#include "numerics/dense.h"

/* ---- A and b ---- */

/* Where a state of the model lies in the region; -1. */
static int32_t place_of(const HbgRegion *region, int32_t state) {
  for (int32_t at = 0; at < region->count; at++)
    if (region->states[at] == state) return at;
  return -1;
}

/* row := row + factor form, of an island. False where it reads a state of another region. */
static bool add_form(const HbgRegion *region, HbgMotion *motion, int32_t row, const HbgIsland *island, const double *form, double factor) {
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

static bool assemble_island(HbgSim *sim, const HbgRegion *region, HbgMotion *motion, HbgIsland *island) {
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

/* What an integrator adds up, as a form over its leaves, each of which is a form over the region's states. */
static bool assemble_integrator(HbgSim *sim, const HbgRegion *region, HbgMotion *motion, int32_t row) {
  HbgProbe *probe = hbg_local_integrator(sim, region->states[row]);
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  hbg_probe_load(probe, &sim->now);
  HbgAffine affine = hbg_affine(probe->program.register_count, probe->program.input_count, probe->registers, &sim->scratch);
  for (int32_t at = 0; at < probe->program.input_count; at++) {
    const HbgExprNode *leaf = &probe->program.inputs[at].leaf;
    if (leaf->op == HBG_OP_STATE || hbg_variable_of(leaf) >= 0) hbg_affine_set_input(&affine, probe->program.inputs[at].target, at);
    if (leaf->op == HBG_OP_TIME) return false;
  }
  hbg_affine_execute(&affine, probe->program.main, 0, probe->program.main_count);
  bool is_known = hbg_affine_is_known(&affine, probe->outputs[0]);
  const double *form = hbg_affine_form(&affine, probe->outputs[0]);
  if (is_known) motion->drive[row] += form[0];
  for (int32_t at = 0; is_known && at < probe->program.input_count; at++) {
    const HbgExprNode *leaf = &probe->program.inputs[at].leaf;
    const int32_t variable = hbg_variable_of(leaf);
    if (form[1 + at] >= 0 && form[1 + at] <= 0) continue;
    if (leaf->op == HBG_OP_STATE) {
      motion->matrix[row * region->count + place_of(region, leaf->index)] += form[1 + at];
      continue;
    }
    HbgIsland *island = sim->island_of[variable / 2];
    const HbgIslandForms *forms = hbg_island_forms(&sim->solver, island, &sim->now);
    is_known = forms && add_form(region, motion, row, island, hbg_island_form_of(island, forms, variable), form[1 + at]);
  }
  hbg_arena_rewind(&sim->scratch, mark);
  return is_known;
}

static bool assemble(HbgSim *sim, const HbgRegion *region, HbgMotion *motion) {
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
static bool is_quadratic(const HbgMotion *motion, int32_t n) {
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

static HbgMotion new_motion(int32_t n, HbgArena *arena) {
  return (HbgMotion){.matrix = ARENA_NEW(arena, double, n *n), .drive = ARENA_NEW(arena, double, n)};
}

static bool is_same(const HbgMotion *a, const HbgMotion *b, int32_t n) {
  return memcmp(a->drive, b->drive, (size_t)n * sizeof(double)) == 0 &&
         memcmp(a->matrix, b->matrix, (size_t)n * (size_t)n * sizeof(double)) == 0;
}

static void copy_motion(HbgMotion *to, const HbgMotion *from, int32_t n) {
  memcpy(to->drive, from->drive, (size_t)n * sizeof(double));
  memcpy(to->matrix, from->matrix, (size_t)n * (size_t)n * sizeof(double));
}

/* How fast it moves at most [1/s], whatever the units of its states. */
static double fastest(const HbgMotion *motion, int32_t n) {
  double rate = 0;
  for (int32_t row = 0; row < n; row++)
    for (int32_t column = 0; column <= row; column++)
      rate = fmax(rate, sqrt(fabs(motion->matrix[row * n + column])) * sqrt(fabs(motion->matrix[column * n + row])));
  return rate;
}

/* Round-off in the matrix shifts the slow modes of a system by that of its fast ones: does it stay within the tolerance to the end? */
static bool is_precise(const HbgSim *sim, const HbgMotion *motion, int32_t n) {
  return 1e-15 * fastest(motion, n) * sim->options.stop <= sim->options.tolerance;
}

/* The motion of that A and b, which may have been met before; NULL where it has no closed form. */
static HbgMotion *motion_for(HbgSim *sim, HbgRegion *region, const HbgMotion *found) {
  const int32_t n = region->count;
  for (HbgMotion *known = region->motions; known; known = known->next)
    if (!n || is_same(known, found, n)) return known;
  HbgArena *arena = &sim->local->arena;
  const bool is_parabola = !n || is_quadratic(found, n);
  HbgFlow *flow = !is_parabola && is_precise(sim, found, n) ? hbg_flow(arena, n, found->matrix, found->drive) : NULL;
  if (!is_parabola && !flow) return NULL;
  HbgMotion *motion = ARENA_NEW(arena, HbgMotion, 1);
  *motion = new_motion(n, arena);
  if (n) copy_motion(motion, found, n);
  motion->flow = flow;
  motion->number = sim->local->motion_count++;
  motion->next = region->motions;
  region->motions = motion;
  return motion;
}

void hbg_region_assemble(HbgSim *sim, HbgRegion *region) {
  region->motion = NULL;
  region->is_assembled = true;
  region->is_stepped = false;
  if (region->count > HBG_REGION_MOST_STATES || region->prefers_steps) return;
  if (!region->tracks) region->tracks = ARENA_NEW(&sim->local->arena, HbgTrack, region->count);
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  HbgMotion found = new_motion(region->count, &sim->scratch);
  if (assemble(sim, region, &found)) region->motion = motion_for(sim, region, &found);
  hbg_arena_rewind(&sim->scratch, mark);
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

void hbg_region_values(const HbgRegion *region, double t, double *values) {
  if (region->is_stepped) {
    hbg_stepper_dense(region->stepper, hbg_stepper_theta(region->stepper, t), values);
    return;
  }
  if (!region->motion->flow) {
    for (int32_t at = 0; at < region->count; at++) values[at] = hbg_region_value(region, at, t);
    return;
  }
  double start[HBG_REGION_MOST_STATES];
  double *const at_origin = t > region->origin ? start : values;
  for (int32_t at = 0; at < region->count; at++) at_origin[at] = region->tracks[at].a;
  if (t > region->origin) hbg_flow_go(region->motion->flow, start, t - region->origin, values);
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

void hbg_region_enter(HbgSim *sim, HbgRegion *region) {
  for (int32_t at = 0; at < region->count; at++) {
    sim->local->region_of[region->states[at]] = region;
    sim->local->place_of[region->states[at]] = at;
  }
  for (int32_t at = 0; at < region->island_count; at++) region->islands[at]->region = region;
  hbg_region_start(sim, region, sim->time);
}
