/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/tally.h"

#include <math.h>
#include <string.h>

#include "hybrid/local_parts.h"

/* ---- its motion ---- */

/* Rates of the guests, and behind them the inputs of the program. */
static bool find_rows(HbgSim *sim, const HbgRegion *region, const HbgProgram *program, HbgRates *rates) {
  for (int32_t guest = 0; guest < region->guest_count; guest++)
    if (!hbg_rates_add_guest(sim, rates, guest, region->guests[guest])) return false;
  for (int32_t at = 0; at < program->input_count; at++)
    if (!hbg_rates_add_leaf(sim, rates, region->guest_count + at, &program->inputs[at].leaf, 1)) return false;
  return true;
}

/* Over guests and those functions of time that drive them: constant and weights, input by input. */
static double *find_forms(const HbgRates *rates, const HbgDriven *driven, int32_t input_count, HbgArena *arena) {
  const int32_t width = 1 + rates->count + driven->count;
  double *forms = ARENA_NEW(arena, double, input_count *width);
  for (int32_t at = 0; at < input_count; at++) {
    const double *row = &rates->matrix[(rates->count + at) * rates->width];
    double *form = &forms[at * width];
    form[0] = rates->drive[rates->count + at];
    for (int32_t state = 0; state < rates->count; state++) form[1 + state] = row[state];
    for (int32_t of = 0; of < driven->count; of++) form[1 + rates->count + of] = row[rates->count + driven->column[of]];
  }
  return forms;
}

static HbgMotion *make_motion(HbgSim *sim, const HbgProbe *probe, const HbgMotion *guests, const double *forms) {
  static const double nothing = 0;
  HbgArena *arena = &sim->local->arena;
  HbgTally *tally = ARENA_NEW(arena, HbgTally, 1);
  *tally = (HbgTally){.guests = guests,
                      .program = &probe->program,
                      .registers = probe->registers,
                      .sizes = ARENA_NEW(arena, double, probe->program.register_count),
                      .output = probe->outputs[0],
                      .forms = forms};
  tally->kinks = hbg_tally_kinks(sim, probe, guests, forms, &tally->kink_count);
  HbgMotion *motion = ARENA_NEW(arena, HbgMotion, 1);
  *motion = (HbgMotion){.count = 1, .is_known = true, .matrix = &nothing, .drive = &nothing, .speed = guests->speed, .driven = guests->driven, .tally = tally};
  motion->number = -1 - sim->local->known_tallies.count;
  return motion;
}

/* The motion of what adds up the same over the same motion of guests, wherever that has been met. */
static const HbgMotion *motion_for(HbgSim *sim, int32_t state, const HbgMotion *guests, const double *forms, int32_t numbers) {
  HbgProbe *probe = hbg_local_integrator(sim, state);
  const HbgShape *shape = hbg_shape_of_integrator(sim, &sim->local->shapes, state);
  HbgKey key = hbg_key(&sim->scratch);
  hbg_key_add(&key, shape ? shape->number : -1 - state);
  hbg_key_add(&key, probe->program.input_count);
  hbg_key_add(&key, guests->number);
  for (int32_t at = 0; at < numbers; at++) hbg_key_add_number(&key, forms[at]);
  HbgMotion *motion = hbg_key_table_find(&sim->local->known_tallies, key.list, key.count);
  if (motion) return motion;
  double *kept = ARENA_NEW(&sim->local->arena, double, numbers);
  if (numbers) memcpy(kept, forms, (size_t)numbers * sizeof *kept);
  hbg_probe_load(probe, &sim->now); // what is constant in its registers
  motion = make_motion(sim, probe, guests, kept);
  hbg_key_table_add(&sim->local->known_tallies, hbg_key_keep(&key, &sim->local->arena), key.count, motion);
  return motion;
}

const HbgMotion *hbg_tally_motion(HbgSim *sim, HbgRegion *region) {
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  const HbgProgram *program = &hbg_local_integrator(sim, region->states[0])->program;
  const int32_t rows = region->guest_count + program->input_count;
  const HbgMotion *motion = NULL;
  HbgRates rates = hbg_rates(region->guests, region->guest_count, rows, sim->time, &sim->scratch);
  if (find_rows(sim, region, program, &rates)) {
    const HbgDriven driven = hbg_motion_driven(&rates, rows);
    const HbgMotion *guests = hbg_motion(sim, &rates, &driven, &region->waits_for_motion);
    const double *forms = guests ? find_forms(&rates, &driven, program->input_count, &sim->scratch) : NULL;
    if (guests) motion = motion_for(sim, region->states[0], guests, forms, program->input_count * (1 + guests->count));
  }
  hbg_arena_rewind(&sim->scratch, mark);
  return motion;
}

/* ---- its guests ---- */

/* x(s) = x + (A x + b) s + A (A x + b) s^2/2. */
static void start_parabolas(const HbgMotion *motion, HbgTrack *tracks) {
  for (int32_t row = 0; row < motion->count; row++) {
    tracks[row].b = motion->drive[row];
    for (int32_t at = motion->start[row]; at < motion->start[row + 1]; at++) tracks[row].b += motion->terms[at].factor * tracks[motion->terms[at].column].a;
  }
  for (int32_t row = 0; row < motion->count; row++) {
    tracks[row].c = 0;
    for (int32_t at = motion->start[row]; at < motion->start[row + 1]; at++) tracks[row].c += 0.5 * motion->terms[at].factor * tracks[motion->terms[at].column].b;
  }
}

void hbg_tally_start(HbgRegion *region) {
  const HbgMotion *guests = region->motion->tally->guests;
  if (guests->is_parabola) start_parabolas(guests, region->tracks + region->count);
  region->course->has_begun = false;
}

/* They, and what drives them, so long behind the start. */
static void read_guests(const HbgMotion *guests, const HbgTrack *tracks, double s, double *x) {
  if (guests->flow && s > 0) hbg_flow_go_from(guests->flow, &tracks->a, HBG_TRACK_STRIDE, s, x);
  else if (guests->flow)
    for (int32_t at = 0; at < guests->count; at++) x[at] = tracks[at].a;
  else
    for (int32_t at = 0; at < guests->count; at++) x[at] = tracks[at].a + s * (tracks[at].b + s * tracks[at].c);
}

/* ---- its value ---- */

static double rate_at(double s, void *user) {
  const HbgRegion *region = user;
  const HbgTally *tally = region->motion->tally;
  const HbgProgram *program = tally->program;
  const int32_t count = tally->guests->count;
  const double *form = tally->forms;
  double x[HBG_REGION_MOST_STATES];
  read_guests(tally->guests, region->tracks + region->count, region->course->start + s, x);
  for (int32_t at = 0; at < program->input_count; at++, form += 1 + count) {
    double sum = form[0];
    for (int32_t state = 0; state < count; state++) sum += form[1 + state] * x[state];
    tally->registers[program->inputs[at].target] = sum;
  }
  hbg_execute(program->main, 0, program->main_count, tally->registers);
  return tally->registers[tally->output];
}

/* How large what an input consists of is when the region starts: whoever asks later gets the same. */
static double size_of_input(const HbgRegion *region, const double *form) {
  const HbgTrack *tracks = region->tracks + region->count;
  double size = fabs(form[0]);
  for (int32_t at = 0; at < region->motion->tally->guests->count; at++) size += fabs(form[1 + at] * tracks[at].a);
  return size;
}

/* Of what else it may be computed by, sizes say little that is true far from the values at hand. */
static bool is_of_polynomials(HbgOperation op) {
  return op == HBG_OP_ADD || op == HBG_OP_SUB || op == HBG_OP_MUL || op == HBG_OP_NEG || op == HBG_OP_POW || op == HBG_OP_ABS || op == HBG_OP_MIN || op == HBG_OP_MAX;
}

double hbg_tally_noise(const HbgProgram *program, double *registers, double *sizes, int32_t output, const double *input_sizes) {
  for (int32_t at = 0; at < program->main_count; at++)
    if (!is_of_polynomials((HbgOperation)program->main[at].op)) return 0;
  for (int32_t at = 0; at < program->register_count; at++) sizes[at] = fabs(registers[at]); // of constants
  for (int32_t at = 0; at < program->input_count; at++) registers[program->inputs[at].target] = sizes[program->inputs[at].target] = input_sizes[at];
  hbg_execute(program->main, 0, program->main_count, registers);
  hbg_execute_sizes(program->main, 0, program->main_count, registers, sizes);
  return HBG_GUARD_BAND * sizes[output];
}

static double noise_of(const HbgRegion *region) {
  const HbgTally *tally = region->motion->tally;
  double sizes[HBG_TALLY_MOST_INPUTS];
  for (int32_t at = 0; at < tally->program->input_count; at++) sizes[at] = size_of_input(region, &tally->forms[at * (1 + tally->guests->count)]);
  return hbg_tally_noise(tally->program, tally->registers, tally->sizes, tally->output, sizes);
}

/* Goes on from `start` [s] behind that of the region, where the integral is `base`. */
static void go_on(const HbgRegion *region, double start, double base) {
  const HbgTally *tally = region->motion->tally;
  const double radian = tally->guests->flow ? 1 / tally->guests->speed : (double)INFINITY;
  HbgTallyCourse *course = region->course;
  course->start = start;
  course->base = base;
  course->turn = hbg_tally_next_turn(tally->kinks, tally->kink_count, tally->guests, region->tracks + region->count, start);
  course->integral = hbg_running_integral(radian, course->noise);
}

double hbg_tally_value(const HbgRegion *region, double t) {
  HbgTallyCourse *course = region->course;
  void *user = (void *)(uintptr_t)region;
  const double s = t - region->origin;
  if (!(s > 0)) return region->tracks[0].a;
  if (!course->has_begun) course->noise = noise_of(region);
  if (!course->has_begun || s < course->start) go_on(region, 0, 0);
  course->has_begun = true;
  while (course->turn <= s) {
    const double turn = course->turn;
    go_on(region, turn, course->base + hbg_running_integral_to(&course->integral, rate_at, user, turn - course->start));
  }
  return region->tracks[0].a + course->base + hbg_running_integral_to(&course->integral, rate_at, user, s - course->start);
}
