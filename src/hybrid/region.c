/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/region.h"

#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "equations/affine.h"
#include "equations/combination.h"
#include "hybrid/island_forms.h"
#include "hybrid/local_parts.h"
#include "hybrid/plausible.h"
#include "numerics/dense.h"

/* ---- A and b ---- */

/* Row by row of its states: what it takes of the states and of functions of time (count + HBG_TIME_COLUMNS), and b. */
typedef struct Rates {
  int32_t count, width;
  double *matrix, *drive;
  HbgTimeColumns columns;
} Rates;

/* A (n, n) and behind it b (n). */
typedef struct Affine {
  int32_t n;
  double *matrix, *drive;
} Affine;

/* Where a state of the model lies in the region, or behind its states as a guest; -1. */
static int32_t place_of(const HbgRegion *region, int32_t state) {
  for (int32_t at = 0; at < region->count; at++)
    if (region->states[at] == state) return at;
  for (int32_t at = 0; at < region->guest_count; at++)
    if (region->guests[at] == state) return region->count + at;
  return -1;
}

/* row := row + factor form, of an island. False where it reads a state of another region, or too many functions of time. */
static bool add_form(const HbgRegion *region, Rates *rates, int32_t row, const HbgIslandForms *forms, const double *form, double factor) {
  double *to = &rates->matrix[row * rates->width];
  rates->drive[row] += factor * form[0];
  for (int32_t state = 0; state < forms->state_count; state++) {
    if (form[1 + state] >= 0 && form[1 + state] <= 0) continue;
    const int32_t column = place_of(region, forms->states[state]);
    if (column < 0) return false;
    to[column] += factor * form[1 + state];
  }
  return !forms->time || hbg_time_add(&rates->columns, &rates->drive[row], &to[rates->count], forms->time, &form[1 + forms->state_count], factor);
}

static bool assemble_island(HbgSim *sim, const HbgRegion *region, Rates *rates, HbgIsland *island) {
  const HbgIslandForms *forms = hbg_island_some_forms(&sim->solver, island, &sim->now);
  const HbgTemplate *template = &island->program->template;
  if (!forms || !forms->has_rates) return false;
  for (int32_t state = 0; state < template->state_count; state++) {
    if (template->state_node[state] < 0) continue;
    const int32_t row = place_of(region, island->binding.states[state]);
    if (!add_form(region, rates, row, forms, &forms->rate[state * forms->width], 1)) return false;
  }
  return true;
}

/* What an integrator reads, times `factor`. */
static bool add_leaf(HbgSim *sim, const HbgRegion *region, Rates *rates, int32_t row, const HbgExprNode *leaf, double factor) {
  const int32_t variable = hbg_variable_of(leaf);
  if (factor >= 0 && factor <= 0) return true;
  if (leaf->op == HBG_OP_STATE) {
    rates->matrix[row * rates->width + place_of(region, leaf->index)] += factor;
    return true;
  }
  HbgIsland *island = sim->island_of[variable / 2];
  const HbgIslandForms *forms = hbg_island_forms_of_any(&sim->solver, island, &sim->now);
  const double *form = forms ? hbg_island_form_of(island, forms, variable) : NULL;
  return form && !isnan(form[0]) && add_form(region, rates, row, forms, form, factor);
}

/* What an integrator adds up, as a form over its leaves, each of which is a form over the region's states. */
static bool assemble_by_program(HbgSim *sim, const HbgRegion *region, Rates *rates, int32_t row) {
  HbgProbe *probe = hbg_local_integrator(sim, region->states[row]);
  const HbgProgram *program = &probe->program;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  hbg_probe_load(probe, &sim->now);
  HbgAffine affine = hbg_affine_in_time(program->register_count, program->input_count, probe->registers, &rates->columns, &sim->scratch);
  for (int32_t at = 0; at < program->input_count; at++) {
    const HbgExprNode *leaf = &program->inputs[at].leaf;
    if (hbg_moves(leaf)) hbg_affine_set_input(&affine, program->inputs[at].target, at);
    if (leaf->op == HBG_OP_TIME) hbg_affine_set_time(&affine, program->inputs[at].target);
  }
  hbg_affine_execute(&affine, program->main, 0, program->main_count);
  bool is_known = hbg_affine_is_known(&affine, probe->outputs[0]);
  const double *form = hbg_affine_form(&affine, probe->outputs[0]);
  if (is_known) rates->drive[row] += form[0];
  for (int32_t at = 0; is_known && at < HBG_TIME_COLUMNS; at++)
    rates->matrix[row * rates->width + rates->count + at] += hbg_affine_time_row(&affine, probe->outputs[0])[at];
  for (int32_t at = 0; is_known && at < program->input_count; at++)
    is_known = add_leaf(sim, region, rates, row, &program->inputs[at].leaf, form[1 + at]);
  hbg_arena_rewind(&sim->scratch, mark);
  return is_known;
}

static bool assemble_integrator(HbgSim *sim, const HbgRegion *region, Rates *rates, int32_t row) {
  const HbgExprPool *pool = &sim->laws.pool;
  HbgCombination input;
  if (!hbg_combination(pool, sim->model->states[region->states[row]].input, &input)) return assemble_by_program(sim, region, rates, row);
  rates->drive[row] += input.constant;
  for (int32_t at = 0; at < input.count; at++)
    if (!add_leaf(sim, region, rates, row, hbg_expr_node(pool, input.terms[at].leaf), input.terms[at].weight)) return false;
  return true;
}

/* A guest as it moves in its own region: what it takes of the states there, and of the functions of time that drive these. */
static bool assemble_guest(const HbgSim *sim, const HbgRegion *region, Rates *rates, int32_t guest) {
  const HbgRegion *home = sim->local->region_of[region->guests[guest]];
  const HbgDriven *driven = &home->motion->driven;
  const double *from = &home->motion->matrix[sim->local->place_of[region->guests[guest]] * home->motion->count];
  const int32_t row = region->count + guest;
  double *to = &rates->matrix[row * rates->width], time[HBG_TIME_COLUMNS] = {0};
  rates->drive[row] = home->motion->drive[sim->local->place_of[region->guests[guest]]];
  for (int32_t other = 0; other < home->count; other++) {
    if (hbg_is_zero(from[other])) continue;
    const int32_t column = place_of(region, home->states[other]);
    if (column < 0) return false;
    to[column] = from[other];
  }
  for (int32_t at = 0; at < driven->count; at++) time[driven->column[at]] = from[home->count + at];
  return !driven->count || hbg_time_add(&rates->columns, &rates->drive[row], &to[rates->count], &driven->columns, time, 1);
}

static bool assemble_guests(const HbgSim *sim, const HbgRegion *region, Rates *rates) {
  for (int32_t guest = 0; guest < region->guest_count; guest++)
    if (!assemble_guest(sim, region, rates, guest)) return false;
  return true;
}

static bool assemble(HbgSim *sim, const HbgRegion *region, Rates *rates) {
  for (int32_t at = 0; at < region->island_count; at++)
    if (!assemble_island(sim, region, rates, region->islands[at])) return false;
  for (int32_t row = 0; row < region->count; row++)
    if (region->states[row] >= sim->first_integrator && !assemble_integrator(sim, region, rates, row)) return false;
  return assemble_guests(sim, region, rates);
}

/* ---- functions of time as states ---- */

/* What clocks hold changes b from tick to tick, and nothing else: with b as what is held A is the same each time, and so is the flow. False:
 * there are too many rows. */
static bool hold(HbgRegion *region, Rates *rates) {
  int32_t count = 0;
  for (int32_t row = 0; row < rates->count; row++) {
    if (!(rates->drive[row] >= 0 && rates->drive[row] <= 0)) region->held_rows |= (uint32_t)1 << row;
    if (region->held_rows & (uint32_t)1 << row) count++;
  }
  if (count > HBG_TIME_HELD) return false;
  for (int32_t row = 0; row < rates->count; row++) {
    if (!(region->held_rows & (uint32_t)1 << row)) continue;
    rates->matrix[row * rates->width + rates->count + hbg_time_hold(&rates->columns, region->states[row], rates->drive[row])] = 1;
    rates->drive[row] = 0;
  }
  return true;
}

/* Where that leaves room for all of it in a flow. */
static void hold_where_possible(HbgRegion *region, Rates *rates) {
  if (region->is_held && rates->count + HBG_TIME_HELD <= HBG_REGION_MOST_STATES && !hold(region, rates)) region->is_held = false;
}

static HbgDriven driven_by(const Rates *rates) {
  bool is_needed[HBG_TIME_COLUMNS] = {0};
  for (int32_t row = 0; row < rates->count; row++) hbg_time_need(&rates->matrix[row * rates->width + rates->count], is_needed);
  return hbg_driven(&rates->columns, is_needed);
}

/* Behind A and b in keys: which functions of time the last of its states are. Their number is odd, and that of A and b even. */
enum { DRIVEN_NUMBERS = 2 + HBG_TIME_PAIRS };

/* States, and behind them those functions of time that are needed. */
static Affine complete(const Rates *rates, const HbgDriven *driven, HbgArena *scratch) {
  Affine motion = {.n = rates->count + driven->count};
  const int32_t n = motion.n;
  motion.matrix = ARENA_NEW(scratch, double, n * (n + 1) + DRIVEN_NUMBERS); // with room for keys
  motion.drive = motion.matrix + n * n;
  for (int32_t row = 0; row < rates->count; row++) {
    const double *from = &rates->matrix[row * rates->width];
    motion.drive[row] = rates->drive[row];
    for (int32_t column = 0; column < rates->count; column++) motion.matrix[row * n + column] = from[column];
    for (int32_t at = 0; at < driven->count; at++) motion.matrix[row * n + rates->count + at] = from[rates->count + driven->column[at]];
  }
  hbg_driven_rates(driven, n, motion.matrix, motion.drive);
  return motion;
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

/* Does a law or an integrator of it read a discrete variable? */
static bool reads_variables(const HbgRegion *region) {
  for (int32_t at = 0; at < region->island_count; at++)
    if (region->islands[at]->program->template.discrete_count) return true;
  return region->reads_mode;
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
  region->is_held = sim->model->clock_count && reads_variables(region);
  return region;
}

HbgRegion *hbg_region_of_onlooker(HbgSim *sim, int32_t state, const int32_t *guests, int32_t count) {
  HbgRegion *region = hbg_region(sim, NULL, 0, &state, 1);
  region->guests = ARENA_NEW(sim->arena, int32_t, count);
  region->guest_count = count;
  if (count) memcpy(region->guests, guests, (size_t)count * sizeof *guests);
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
static bool is_precise(const HbgSim *sim, double speed) { return 1e-15 * speed * sim->options.stop <= sim->options.tolerance; }

/* What is not nothing in A, row by row: most states of a parabola follow one other, or none. */
static void list_terms(HbgMotion *motion, HbgArena *arena) {
  const int32_t n = motion->count;
  HbgMotionTerm *terms = ARENA_NEW(arena, HbgMotionTerm, n * n);
  int32_t *start = ARENA_NEW(arena, int32_t, n + 1);
  for (int32_t row = 0; row < n; row++) {
    start[row + 1] = start[row];
    for (int32_t column = 0; column < n; column++) {
      const double factor = motion->matrix[row * n + column];
      if (factor < 0 || factor > 0) terms[start[row + 1]++] = (HbgMotionTerm){factor, column};
    }
  }
  motion->terms = terms;
  motion->start = start;
}

static HbgMotion *make_motion(HbgSim *sim, const Affine *found, const HbgDriven *driven, const double *kept) {
  HbgArena *arena = &sim->local->arena;
  const int32_t n = found->n;
  const bool is_parabola = !n || is_quadratic(found);
  HbgMotion *motion = ARENA_NEW(arena, HbgMotion, 1);
  *motion = (HbgMotion){.count = n, .matrix = kept, .drive = kept + n * n, .speed = fastest(found), .number = sim->local->known_motions.count};
  motion->driven = *driven;
  if (!is_parabola && is_precise(sim, motion->speed)) motion->flow = hbg_flow(arena, n, found->matrix, found->drive);
  motion->is_known = is_parabola || motion->flow;
  if (is_parabola) list_terms(motion, arena);
  return motion;
}

static void describe_driven(const HbgDriven *driven, double *to) {
  uint32_t columns = 0;
  for (int32_t at = 0; at < driven->count; at++) columns |= 1u << driven->column[at];
  *to++ = columns;
  *to++ = driven->columns.reference;
  for (int32_t pair = 0; pair < HBG_TIME_PAIRS; pair++) *to++ = pair < driven->columns.pair_count ? driven->columns.omega[pair] : 0;
}

/* The motion of that A and b, which may have been met before, in whatever region; NULL where it has no closed form. */
static const HbgMotion *motion_for(HbgSim *sim, const Affine *found, const HbgDriven *driven) {
  HbgKeyTable *known = &sim->local->known_motions;
  const int32_t doubles = found->n * (found->n + 1) + (driven->count ? DRIVEN_NUMBERS : 0);
  const int32_t words = (int32_t)(sizeof(double) / sizeof(int32_t)) * doubles;
  if (driven->count) describe_driven(driven, found->drive + found->n);
  const int32_t *key = (const void *)found->matrix;
  HbgMotion *motion = hbg_key_table_find(known, key, words);
  if (!motion) {
    double *kept = ARENA_NEW(&sim->local->arena, double, doubles);
    if (doubles) memcpy(kept, found->matrix, (size_t)doubles * sizeof *kept);
    motion = make_motion(sim, found, driven, kept);
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

static void make_room_for_tracks(HbgSim *sim, HbgRegion *region, int32_t count) {
  if (region->tracks && region->track_room >= count) return;
  region->tracks = ARENA_NEW(&sim->local->arena, HbgTrack, count);
  region->track_room = count;
}

/* Many regions share a motion, and each has held what its own clock has told. */
static void keep_held(HbgSim *sim, HbgRegion *region, const HbgDriven *driven) {
  if (!region->is_held) {
    region->held = NULL;
    return;
  }
  if (!region->held) region->held = ARENA_NEW(&sim->local->arena, HbgDriven, 1);
  *region->held = *driven;
}

const HbgDriven *hbg_region_driven(const HbgRegion *region) { return region->held ? region->held : &region->motion->driven; }

/* NULL where it has to be integrated. */
static const HbgMotion *motion_of(HbgSim *sim, HbgRegion *region) {
  if (region->count > HBG_REGION_MOST_STATES || region->prefers_steps) return NULL;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  const HbgMotion *motion = NULL;
  const int32_t count = hbg_region_width(region);
  Rates rates = {.count = count, .width = count + HBG_TIME_COLUMNS, .columns.reference = sim->time};
  rates.matrix = ARENA_NEW(&sim->scratch, double, rates.count * rates.width);
  rates.drive = ARENA_NEW(&sim->scratch, double, rates.count);
  if (assemble(sim, region, &rates)) {
    hold_where_possible(region, &rates);
    const HbgDriven driven = driven_by(&rates);
    const Affine found = complete(&rates, &driven, &sim->scratch);
    make_room_for_tracks(sim, region, found.n);
    keep_held(sim, region, &driven);
    motion = found.n > HBG_REGION_MOST_STATES ? NULL : motion_for(sim, &found, &driven);
  }
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

static void start_driven(HbgRegion *region, double t) {
  double values[HBG_TIME_COLUMNS];
  const HbgDriven *driven = hbg_region_driven(region);
  hbg_driven_values(driven, t, values);
  for (int32_t at = 0; at < driven->count; at++) region->tracks[hbg_region_width(region) + at].a = values[at];
}

#define AMPLY 4        /* so many times its scale a state may become */
#define ROUNDED 1.001  /* whatever the order of a sum */

/* The scales that rates come to, their sizes and those of their rates: raised to that. */
static double plausible_scale(double rate, double bend, double shortest) {
  return HBG_PLAUSIBLE * hbg_larger(fabs(bend) * shortest, fabs(rate)) * shortest;
}

/* No step shows how far states come between two events, which may both find them at zero: what they begin with tells, their rates and those
 * of these. */
static void note_scale(HbgSim *sim, const HbgRegion *region) {
  const HbgMotion *motion = region->motion;
  const int32_t n = motion->count;
  const double shortest = 1 / motion->speed;
  double rate[HBG_REGION_MOST_STATES];
  for (int32_t row = 0; row < n; row++) {
    rate[row] = motion->drive[row];
    for (int32_t column = 0; column < n; column++) rate[row] += motion->matrix[row * n + column] * region->tracks[column].a;
  }
  for (int32_t row = 0; row < region->count; row++) {
    double bend = 0;
    for (int32_t column = 0; column < n; column++) bend += motion->matrix[row * n + column] * rate[column];
    hbg_raise_scale(sim, region->states[row], plausible_scale(rate[row], bend, shortest));
  }
}

/* Whatever the states are, as long as they are no more than a few times their scales: are these ample for all that note_scale() would find? */
static bool scales_are_ample(const HbgSim *sim, const HbgRegion *region) {
  const HbgMotion *motion = region->motion;
  const int32_t n = motion->count;
  const double shortest = 1 / motion->speed;
  double rate[HBG_REGION_MOST_STATES];
  for (int32_t row = 0; row < n; row++) {
    rate[row] = fabs(motion->drive[row]);
    for (int32_t column = 0; column < n; column++) rate[row] += fabs(motion->matrix[row * n + column]) * AMPLY * sim->scale[region->states[column]];
  }
  for (int32_t row = 0; row < n; row++) {
    double bend = 0;
    for (int32_t column = 0; column < n; column++) bend += fabs(motion->matrix[row * n + column]) * rate[column];
    if (!(ROUNDED * plausible_scale(rate[row], bend, shortest) <= sim->scale[region->states[row]])) return false;
  }
  return true;
}

/* No size of a rate is negative, so that no parabola is taken for it. */
static inline double ample_for(const HbgMotion *motion) { return -1.0 - motion->number; }

/* Scales only grow, but where an instant is rehearsed: what is ample once stays so. */
static void note_what_is_ample(HbgSim *sim, HbgRegion *region) {
  if (sim->is_rehearsal || region->motion->count != region->count || region->ample_waited++ < region->ample_wait) return;
  region->ample_waited = 0;
  if (!scales_are_ample(sim, region)) {
    region->ample_wait = 2 * region->ample_wait + 1;
    return;
  }
  region->tracks[0].b_size = ample_for(region->motion);
  for (int32_t at = 0; at < region->count; at++) region->tracks[at].b = AMPLY * sim->scale[region->states[at]];
}

static inline bool is_ample(const HbgRegion *region) {
  const HbgTrack *tracks = region->tracks;
  const double motion = ample_for(region->motion);
  if (tracks[0].b_size > motion || tracks[0].b_size < motion) return false;
  for (int32_t at = 0; at < region->count; at++)
    if (!(fabs(tracks[at].a) <= tracks[at].b)) return false;
  return true;
}

/* What round-off in a track is small against. */
static double scale_of(const HbgSim *sim, const HbgRegion *region, int32_t place) {
  const int32_t guest = place - region->count;
  if (guest < 0) return sim->scale[region->states[place]];
  return guest < region->guest_count ? sim->scale[region->guests[guest]] : fabs(region->tracks[place].a);
}

/* x(s) = x + (A x + b) s + A (A x + b) s^2/2. */
static void start_parabolas(const HbgSim *sim, const HbgRegion *region) {
  const HbgMotion *motion = region->motion;
  const HbgMotionTerm *term = motion->terms, *const terms = term;
  const int32_t n = motion->count;
  HbgTrack *tracks = region->tracks;
  for (int32_t row = 0; row < n; row++) {
    double rate = motion->drive[row], size = fabs(rate);
    for (const HbgMotionTerm *end = terms + motion->start[row + 1]; term < end; term++) {
      rate += term->factor * tracks[term->column].a;
      size += fabs(term->factor) * scale_of(sim, region, term->column);
    }
    tracks[row].b = rate;
    tracks[row].b_size = size;
  }
  term = terms;
  for (int32_t row = 0; row < n; row++) {
    double sum = 0, size = 0;
    for (const HbgMotionTerm *end = terms + motion->start[row + 1]; term < end; term++) {
      sum += term->factor * tracks[term->column].b;
      size += fabs(term->factor) * tracks[term->column].b_size;
    }
    tracks[row].c = 0.5 * sum;
    tracks[row].c_size = 0.5 * size;
  }
}

void hbg_region_start(HbgSim *sim, HbgRegion *region, double t) {
  const HbgMotion *motion = region->motion;
  HbgTrack *tracks = region->tracks;
  region->origin = region->synced = t;
  region->shown = (double)NAN;
  if (region->is_stepped) {
    hbg_region_begin_steps(sim, region, t);
    return;
  }
  for (int32_t row = 0; row < region->count; row++) tracks[row].a = sim->now.state[region->states[row]];
  for (int32_t at = 0; at < region->guest_count; at++) tracks[region->count + at].a = sim->now.state[region->guests[at]];
  if (motion->driven.count) start_driven(region, t);
  if (motion->flow) {
    if (is_ample(region)) return;
    tracks[0].b_size = 0;
    note_scale(sim, region);
    note_what_is_ample(sim, region);
    return;
  }
  start_parabolas(sim, region);
  const double soon = hbg_soon(t); // a parabola has no time of its own
  for (int32_t row = 0; row < region->count; row++) hbg_raise_scale(sim, region->states[row], fabs(tracks[row].b) * soon);
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
  if (!(t > region->origin)) {
    for (int32_t at = 0; at < region->count; at++) values[at] = region->tracks[at].a;
    return;
  }
  const int32_t n = region->motion->count;
  double end[HBG_REGION_MOST_STATES];
  hbg_flow_go_from(region->motion->flow, &region->tracks[0].a, HBG_TRACK_STRIDE, t - region->origin, n > region->count ? end : values);
  for (int32_t at = 0; n > region->count && at < region->count; at++) values[at] = end[at];
}

void hbg_region_values_with_guests(const HbgRegion *region, double t, double *values) {
  const int32_t n = hbg_region_width(region);
  if (!region->guest_count || !region->motion->flow || !(t > region->origin)) {
    hbg_region_values(region, t, values);
    for (int32_t at = region->count; at < n; at++) values[at] = hbg_region_value(region, at, t);
    return;
  }
  double end[HBG_REGION_MOST_STATES];
  hbg_flow_go_from(region->motion->flow, &region->tracks[0].a, HBG_TRACK_STRIDE, t - region->origin, end);
  memcpy(values, end, (size_t)n * sizeof *values);
}

bool hbg_region_note_course(HbgSim *sim, const HbgRegion *region, double t) {
  double values[HBG_REGION_MOST_STATES];
  bool has_grown = false;
  if (region->is_stepped || !region->motion || !region->motion->driven.count || !(t > region->origin)) return false;
  hbg_region_values_later(region, 0.5 * (region->origin + t), values);
  for (int32_t at = 0; at < region->count; at++) {
    if (!(fabs(values[at]) > sim->scale[region->states[at]])) continue;
    hbg_raise_scale(sim, region->states[at], fabs(values[at]));
    has_grown = true;
  }
  return has_grown;
}

/* With room for its states. */
static void go_to(HbgSim *sim, HbgRegion *region, double t, double *values) {
  hbg_region_values(region, t, values);
  for (int32_t at = 0; at < region->count; at++) sim->now.state[region->states[at]] = values[at];
  region->synced = t;
}

void hbg_region_sync(HbgSim *sim, HbgRegion *region, double t) {
  if (region->synced >= t && region->synced <= t) return;
  double few[HBG_REGION_MOST_STATES];
  if (region->count > HBG_REGION_MOST_STATES) {
    const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
    go_to(sim, region, t, ARENA_NEW(&sim->scratch, double, region->count));
    hbg_arena_rewind(&sim->scratch, mark);
  } else {
    go_to(sim, region, t, few);
  }
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
