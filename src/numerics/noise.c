/* SPDX-License-Identifier: BSD-3-Clause
 * Measuring round-off. */
#include "numerics/noise.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "numerics/dominant.h"

HbgNoise hbg_noise(HbgArena *arena, int32_t n) {
  double *vectors[7];
  for (int at = 0; at < 7; at++) vectors[at] = ARENA_NEW(arena, double, n);
  return (HbgNoise){vectors[0], vectors[1], vectors[2], vectors[3], vectors[4], vectors[5], vectors[6]};
}

bool hbg_noise_has_crawled(HbgPace *pace, double t, double t_max) {
  enum { STEPS = 20, PATIENCE = 25 };
  if (++pace->steps < STEPS) return false;
  pace->rounds = t - pace->from < 0.01 * (t_max - t) ? pace->rounds + 1 : 0;
  pace->from = t;
  pace->steps = 0;
  if (pace->rounds < PATIENCE) return false;
  pace->rounds = 0;
  return true;
}

double hbg_scatter(int32_t i) {
  const uint32_t mixed = ((uint32_t)i + 1) * 2654435761u;
  return (double)(mixed >> 8) * 0x1p-23 - 1;
}

void hbg_step_aside(int32_t n, double *x, const double *scale, double part) {
  double most = 0;
  for (int32_t i = 0; i < n; i++) most = fmax(most, fmax(fabs(x[i]), scale[i]));
  for (int32_t i = 0; i < n; i++) {
    const double own = fmax(fabs(x[i]), scale[i]), size = own > 0 ? own : most > 0 ? most : 1;
    x[i] += part * size * (1 + 0.5 * hbg_scatter(i));
  }
}

/* What has outgrown its noise is followed like any other state, and not known any less. What is less than is tolerated of it may be anything up to that, whoever has
 * said how large it counts. */
static bool is_noise(const HbgNoise *noise, const HbgStepper *stepper, int32_t i) {
  if (fabs(stepper->y1[i]) <= stepper->tolerance * stepper->scale[i]) return true;
  return noise->level[i] > 0 && stepper->scale[i] <= noise->level[i] && fabs(stepper->y1[i]) <= noise->level[i];
}

static bool evaluate(HbgStepper *stepper, double t, const double *y, double *dy) {
  stepper->counts.evaluations++;
  return stepper->rhs(t, y, dy, stepper->user) == 0;
}

/* The rates that become uncertain at (t, y), where they are `dy`, when all states change in their last digits, and those that hold only round-off by
 * what is tolerated of them. False when they cannot be computed. */
static bool measure_at(HbgNoise *noise, HbgStepper *stepper, double t, const double *y, const double *dy, double *rate, double *round_off) {
  const int32_t n = stepper->n;
  for (int32_t i = 0; i < n; i++) {
    const double digits = 16 * DBL_EPSILON * fmax(fabs(stepper->y1[i]), stepper->scale[i]);
    const double change = is_noise(noise, stepper, i) ? fmax(digits, stepper->tolerance * stepper->scale[i]) : digits;
    noise->state[i] = y[i] + change * hbg_scatter(i);
  }
  if (!evaluate(stepper, t, noise->state, rate)) return false;
  for (int32_t i = 0; i < n; i++) rate[i] = fabs(rate[i] - dy[i]);
  if (stepper->round_off) stepper->round_off(t, y, round_off, stepper->user); // last, as it may lie where `dy` does
  return true;
}

/* A root that begins has a rate without end, to which last digits are a lot; a little farther they are none. What is round-off is so there, too. */
static void compare_ahead(HbgNoise *noise, HbgStepper *stepper, const double *dy, double ahead) {
  const int32_t n = stepper->n;
  const double t = stepper->t1 + ahead;
  for (int32_t i = 0; i < n; i++) noise->way[i] = stepper->y1[i] + ahead * dy[i];
  if (!evaluate(stepper, t, noise->way, noise->ahead)) return;
  // what is astray is not needed yet, and those derivatives not any more
  if (!measure_at(noise, stepper, t, noise->way, noise->ahead, noise->astray, noise->ahead)) return;
  for (int32_t i = 0; i < n; i++) {
    noise->rate[i] = fmin(noise->rate[i], noise->astray[i]);
    if (stepper->round_off) noise->round_off[i] = fmin(noise->round_off[i], noise->ahead[i]);
  }
}

static bool measure(HbgNoise *noise, HbgStepper *stepper, const double *dy, double ahead) {
  if (!measure_at(noise, stepper, stepper->t1, stepper->y1, dy, noise->rate, noise->round_off)) return false;
  if (ahead > 0) compare_ahead(noise, stepper, dy, ahead);
  return true;
}

/* What uncertain rates add up to in a state that forgets as fast as `decay`, over tolerance. */
static double noise_size(const HbgNoise *noise, const HbgStepper *stepper, int32_t i, double h, double far, double decay) {
  const double time = h * decay > 1 ? 1 / decay : h;
  const double known = far * decay > 1 ? noise->round_off[i] / decay : far * noise->round_off[i];
  return fmax(time * noise->rate[i], known) / stepper->tolerance;
}

/* Would a state that had gone astray by `amplitude` be pulled back? Without the question a stiff state is taken for noise, its
 * own stiffness for more of it, and in a few passes nothing is followed any more. 0 where its rate does not tell. */
static double pull_back(HbgNoise *noise, HbgStepper *stepper, const double *dy, int32_t i, double amplitude) {
  memcpy(noise->state, stepper->y1, (size_t)stepper->n * sizeof(double));
  noise->state[i] += amplitude;
  if (!evaluate(stepper, stepper->t1, noise->state, noise->astray)) return 0;
  const double pull = dy[i] - noise->astray[i];
  return pull > 2 * fmax(noise->rate[i], noise->round_off[i]) ? pull / amplitude : 0;
}

static bool is_raised(const HbgStepper *stepper, int32_t i, double size) {
  return isfinite(size) && size > stepper->scale[i] && size > fabs(stepper->y1[i]);
}

/* The size of a state whose decay is not known, from what it is if nothing pulls it back: how fast something does is asked about where that size leads, and again where what comes of it leads. Of
 * a law that is steep over a short way, as of a diode that blocks, little is told from far outside that way. */
static double size_if_pulled_back(HbgNoise *noise, HbgStepper *stepper, const double *dy, int32_t i, double size, double h, double far) {
  enum { TIMES = 12 };
  for (int time = 0; time < TIMES && is_raised(stepper, i, size); time++) {
    const double found = pull_back(noise, stepper, dy, i, size * stepper->tolerance), next = noise_size(noise, stepper, i, h, far, found);
    if (!(next < 0.5 * size)) return next;
    size = next;
  }
  return size;
}

static bool raise_scales(HbgNoise *noise, HbgStepper *stepper, const double *dy, double h, double far, const double *decay) {
  bool raised = false;
  for (int32_t i = 0; i < stepper->n; i++) {
    double size = noise_size(noise, stepper, i, h, far, decay ? decay[i] : 0);
    if (!decay) size = size_if_pulled_back(noise, stepper, dy, i, size, h, far);
    if (!is_raised(stepper, i, size)) continue;
    stepper->scale[i] = noise->level[i] = size;
    raised = true;
  }
  return raised;
}

bool hbg_noise_forgive(HbgNoise *noise, HbgStepper *stepper, const double *dy, double ahead, double h, double far,
                       const double *decay) {
  // a state may follow one that is noise, and another one that: a few in a row
  int pass = 0;
  while (pass < 8 && measure(noise, stepper, dy, ahead) && raise_scales(noise, stepper, dy, h, far, decay)) pass++;
  return pass > 0;
}

bool hbg_noise_error_falls(double error, double h, double last_error, double last_h) {
  return isinf(last_error) || error <= last_error * pow(h / last_h, 1.25);
}

/* What a second projection changes, so soon behind the first that no state has moved, is the round-off of projecting. */
bool hbg_noise_forgive_projection(HbgStepper *stepper, const double *reach, double t_max, double *once, double *twice) {
  if (!stepper->project) return false;
  const size_t size = (size_t)stepper->n * sizeof *once;
  memcpy(once, stepper->y1, size);
  if (stepper->project(stepper->t1, once, stepper->user) != 0) return false;
  memcpy(twice, once, size);
  const double soon = stepper->t1 + 1e-4 * stepper->tolerance * (t_max - stepper->t1);
  if (stepper->project(soon, twice, stepper->user) != 0) return false;
  bool raised = false;
  for (int32_t i = 0; i < stepper->n; i++) {
    const double noise = 10 * fmax(fabs(twice[i] - once[i]), DBL_EPSILON * fabs(once[i])) / stepper->tolerance;
    const double size_once = fmax(fabs(once[i]), stepper->scale[i]);
    if (!(noise > (size_once > 0 ? size_once : reach[i]))) continue;
    stepper->scale[i] = noise;
    raised = true;
  }
  return raised;
}

/* ---- what has only begun to move ---- */

/* The rates `far` from (t1, y1) on a straight way. */
static bool rates_on_way(HbgNoise *noise, HbgStepper *stepper, const double *dy, double far, double *rate) {
  for (int32_t i = 0; i < stepper->n; i++) noise->state[i] = stepper->y1[i] + far * dy[i];
  return evaluate(stepper, stepper->t1 + far, noise->state, rate);
}

/* Rates half way, and behind a straight way of `far`; false where these answer to that faster, or cannot be computed. What is driven changes with the time as well,
 * which is no answer: they are held against those where nothing has moved by then. */
static bool look_behind(HbgNoise *noise, HbgStepper *stepper, const double *dy, double far) {
  if (!rates_on_way(noise, stepper, dy, 0.5 * far, noise->way) || !rates_on_way(noise, stepper, dy, far, noise->rate)) return false;
  if (!evaluate(stepper, stepper->t1 + far, stepper->y1, noise->ahead)) return false;
  const HbgNeighbours ends = {.state = noise->state, .other = stepper->y1, .rate = noise->rate, .other_rate = noise->ahead, .scale = stepper->scale};
  return far * hbg_dominant_rate(stepper->n, &ends) <= 1;
}

/* Is the rate on the way like a line, or like a root that begins? Behind a pole it is not. */
static bool is_even(const HbgNoise *noise, const double *dy, int32_t i) {
  return fabs(noise->rate[i] - 2 * noise->way[i] + dy[i]) <= 0.6 * fabs(noise->rate[i] - dy[i]);
}

bool hbg_noise_take_moves(HbgNoise *noise, HbgStepper *stepper, const double *dy, double far) {
  enum { TRIES = 12 };
  int tries = 0;
  for (; tries < TRIES && !look_behind(noise, stepper, dy, far); tries++) far *= 0.1;
  bool any = false;
  for (int32_t i = 0; tries < TRIES && i < stepper->n; i++) {
    const double moved = far * fabs(0.5 * (dy[i] + noise->rate[i]));
    if (!isfinite(moved) || stepper->tolerance * moved <= fmax(stepper->scale[i], fabs(stepper->y1[i])) || !is_even(noise, dy, i)) continue;
    stepper->scale[i] = moved;
    any = true;
  }
  return any;
}
