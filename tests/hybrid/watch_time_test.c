/* SPDX-License-Identifier: BSD-3-Clause
 * When guards come to hold that follow the time, in several regions that functions of time drive, against closed forms of all of these. HYBRSIM_SEED
 * chooses them, HYBRSIM_GRAPHS how many. */
#include "hybrid/watch_parts.h"

#include "support/begun.h"
#include "support/random_graph.h"
#include "support/ride.h"
#include "support/seeds.h"

enum { REGIONS = 3, MOST_CONDITIONS = 2, STOP = 4, LOOKS = 1000 };

/* evenly' = a + b t + d cos(w t + phase); swinging' = d sin(w t) - l swinging; fading' = 1 - fading. */
typedef struct Motion {
  struct {
    double start, a, b, d, w, phase;
  } evenly;
  struct {
    double start, l, d, w;
  } swinging;
  double fading;
} Motion;

/* weights of the three, of the time, and of sin(w t + phase); their sum is to be above the level. */
typedef struct Condition {
  double weight[REGIONS], time, wave, w, phase, level;
} Condition;

typedef struct Case {
  Motion motion;
  Condition conditions[MOST_CONDITIONS];
  int count;
} Case;

static double between(Random *random, double from, double to) { return from + (to - from) * random_real(random); }

static void state_at(const Motion *self, double t, double *x) {
  x[0] = self->evenly.start + t * (self->evenly.a + t * self->evenly.b / 2) +
         self->evenly.d / self->evenly.w * (sin(self->evenly.w * t + self->evenly.phase) - sin(self->evenly.phase));
  const double l = self->swinging.l, w = self->swinging.w, part = self->swinging.d / (l * l + w * w);
  x[1] = (self->swinging.start + part * w) * exp(-l * t) + part * (l * sin(w * t) - w * cos(w * t));
  x[2] = 1 + (self->fading - 1) * exp(-t);
}

static double spare_of(const Condition *self, const Motion *motion, double t) {
  double x[REGIONS], sum = self->time * t + self->wave * sin(self->w * t + self->phase) - self->level;
  state_at(motion, t, x);
  for (int region = 0; region < REGIONS; region++) sum += self->weight[region] * x[region];
  return sum;
}

/* Of the least of the conditions. */
static double spare(const Case *self, double t) {
  double least = (double)INFINITY;
  for (int which = 0; which < self->count; which++) least = fmin(least, spare_of(&self->conditions[which], &self->motion, t));
  return least;
}

static Case draw(Random *random) {
  Case made = {.count = 1 + random_below(random, MOST_CONDITIONS)};
  const double common = between(random, 0.5, 6), other = random_chance(random, 0.4) ? common : between(random, 0.5, 6); // resonance is among them
  made.motion.evenly.start = between(random, -1, 1);
  made.motion.evenly.a = between(random, -1, 1);
  made.motion.evenly.b = random_chance(random, 0.5) ? between(random, -1, 1) : 0;
  made.motion.evenly.d = between(random, -2, 2);
  made.motion.evenly.w = common;
  made.motion.evenly.phase = between(random, -3, 3);
  made.motion.swinging.start = between(random, -1, 1);
  made.motion.swinging.l = between(random, 0.1, 3);
  made.motion.swinging.d = between(random, -2, 2);
  made.motion.swinging.w = other;
  made.motion.fading = between(random, -2, 3);
  for (int which = 0; which < made.count; which++) {
    Condition *own = &made.conditions[which];
    for (int region = 0; region < REGIONS; region++) own->weight[region] = random_chance(random, 0.6) ? between(random, -1, 1) : 0;
    own->weight[random_below(random, REGIONS)] = random_chance(random, 0.5) ? 1 : -1;
    own->time = random_chance(random, 0.5) ? between(random, -1, 1) : 0;
    own->wave = random_chance(random, 0.5) ? between(random, -1, 1) : 0;
    own->w = random_chance(random, 0.5) ? common : 2.5;
    own->phase = between(random, -3, 3);
    own->level = between(random, 0, 1.2);
  }
  return made;
}

enum { TEXT = 4000 };

static void write_case(const Case *self, char *text) {
  const Motion *m = &self->motion;
  size_t used = (size_t)snprintf(text, TEXT,
                                 "model Driven {\n signal x0 = integral((%.17g) + (%.17g)*time + (%.17g)*cos(%.17g*time + (%.17g)), start = %.17g)\n"
                                 " signal x1 = integral((%.17g)*sin(%.17g*time) - %.17g*x1, start = %.17g), x2 = integral(1 - x2, start = %.17g)\n"
                                 " machine M { off no initial; on yes; no -> yes when ",
                                 m->evenly.a, m->evenly.b, m->evenly.d, m->evenly.w, m->evenly.phase, m->evenly.start, m->swinging.d, m->swinging.w,
                                 m->swinging.l, m->swinging.start, m->fading);
  for (int which = 0; which < self->count; which++) {
    const Condition *own = &self->conditions[which];
    if (which) used += (size_t)snprintf(text + used, TEXT - used, " and ");
    for (int region = 0; region < REGIONS; region++)
      if (fabs(own->weight[region]) > 0) used += (size_t)snprintf(text + used, TEXT - used, "(%.17g)*x%d + ", own->weight[region], region);
    if (fabs(own->time) > 0) used += (size_t)snprintf(text + used, TEXT - used, "(%.17g)*time + ", own->time);
    if (fabs(own->wave) > 0) used += (size_t)snprintf(text + used, TEXT - used, "(%.17g)*sin(%.17g*time + (%.17g)) + ", own->wave, own->w, own->phase);
    used += (size_t)snprintf(text + used, TEXT - used, "0 > %.17g", own->level);
  }
  snprintf(text + used, TEXT - used, " }\n Se s(1); 1 j by M; R r(1); s -> j -> r\n stop %d\n}", STOP);
}

/* When the run says that it comes to hold; infinite; negative: it holds from the beginning. */
static double fired_at(const char *text) {
  Ride ride;
  double time = (double)INFINITY;
  ride_begin(&ride, text, (HbgSimOptions){.stop = STOP, .interval = STOP, .tolerance = 1e-6, .method = HBG_METHOD_AUTOMATIC, .sliding = true}, RIDE_EVENTS);
  assert_true(ride.was_local);
  for (int32_t at = 0; at < ride.count; at++)
    if (ride.rows[at].is_event && isinf(time)) time = ride.rows[at].time > 0 ? ride.rows[at].time : -1;
  for (int32_t state = 0; state < REGIONS; state++) assert_false(ride.sim->local->region_of[state]->is_stepped);
  ride_end(&ride);
  return time;
}

typedef struct Counts {
  int found, never;
} Counts;

static void try_case(long seed, Counts *counts) {
  Random random = {(uint64_t)seed};
  char text[TEXT];
  const Case drawn = draw(&random);
  if (spare(&drawn, 0) > -1e-3) return;
  write_case(&drawn, text);
  const double t = fired_at(text), end = fmin(t, STOP);
  for (int look = 0; look < LOOKS; look++) {
    const double before = end * look / LOOKS;
    if (spare(&drawn, before) > 1e-9) fail_msg("seed %ld: it holds at %.17g s, but fires at %.17g s\n%s", seed, before, t, text);
  }
  counts->never += isinf(t);
  counts->found += !isinf(t);
  if (isinf(t)) return;
  if (fabs(spare(&drawn, t)) > 1e-11) fail_msg("seed %ld: %.3g at %.17g s\n%s", seed, spare(&drawn, t), t, text);
  if (!(spare(&drawn, t + 1e-6) > 0)) fail_msg("seed %ld: it does not come to hold at %.17g s\n%s", seed, t, text);
}

static void guards_over_what_follows_the_time_hold_from_then_on_and_not_before(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(200);
  Counts counts = {0};
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) try_case(seed, &counts);
  if (seeds.count > 100) assert_true(counts.found > seeds.count / 8 && counts.never > seeds.count / 8);
}

/* ---- what is read ---- */

static HbgStatus measure(void *user) {
  HbgSim *sim = user;
  const HbgGuardForm *form = sim->local->watches.list[0].forms;
  assert_true(form->follows_time && form->readings && form->readings->time);
  CHECK_NEAR(form->time->reference, 0, 0);
  // 3 t, and 2 however small the sine is
  sim->time = 1.5;
  CHECK_CLOSE(hbg_watch_size_in_time(sim, form->readings, 0), 3 * 1.5 + 2, 1e-15);
  sim->time = 0;
  CHECK_CLOSE(hbg_watch_size_in_time(sim, form->readings, 0), 2, 1e-15);
  return HBG_OK;
}

static void waves_are_as_large_as_their_amplitude_wherever_they_are(void **state) {
  (void)state;
  Begun run;
  begun(&run, "model Size {\n signal x = integral(1 - x), other = integral(1)\n"
              " machine M { off no initial; on yes; no -> yes when x > 3*time + 2*sin(5*time) + 1 }\n Se s(1); 1 j by M; R r(1); s -> j -> r\n stop 4\n}", STOP);
  assert_true(run.sim->is_local);
  begun_do(&run, measure, run.sim);
  begun_end(&run);
}

static HbgStatus check_what_is_resolved(void *user) {
  const HbgSim *sim = user;
  const HbgReading *reading = sim->local->watches.list[0].forms->readings;
  const HbgReadTime *time = reading->time;
  double x[HBG_FLOW_STATES] = {0};
  assert_int_equal(time->states, 1);
  hbg_driven_values(&time->driven, 0, x + 1);
  assert_true(hbg_watch_is_resolved_in_time(reading, x, asin(0.5)));
  // where x is at its level, and nothing drives it
  const double still[HBG_FLOW_STATES] = {0.5};
  assert_false(hbg_watch_is_resolved_in_time(reading, still, asin(0.5)));
  return HBG_OK;
}

/* x = sin t comes to 1/2. */
static void what_moves_on_the_way_is_told_from_what_does_not(void **state) {
  (void)state;
  Begun run;
  begun(&run, "model Moves {\n signal x = integral(cos(time)), other = integral(1)\n machine M { off no initial; on yes; no -> yes when x > 0.5 }\n"
              " Se s(1); 1 j by M; R r(1); s -> j -> r\n stop 4\n}", STOP);
  begun_do(&run, check_what_is_resolved, run.sim);
  begun_end(&run);
}

/* Of four frequencies there is no room for the last: as a whole it is found all the same. (Each x by itself is 1 - cos.) */
static void more_frequencies_than_there_is_room_for_are_left_to_others(void **state) {
  (void)state;
  Ride ride;
  ride_begin(&ride,
             "model Many {\n for i in 1..5 { signal x[i] = integral(i*sin(i*time)) }\n"
             " machine M { off no initial; on yes; no -> yes when x[1] + x[2] + x[3] + x[4] + x[5] > 5 }\n Se s(1); 1 j by M; R r(1); s -> j -> r\n stop 4\n}",
             (HbgSimOptions){.stop = STOP, .interval = STOP, .tolerance = 1e-11, .method = HBG_METHOD_AUTOMATIC, .sliding = true}, RIDE_EVENTS);
  double t = 0, sum = 0;
  for (int32_t at = 0; at < ride.count; at++)
    if (ride.rows[at].is_event) t = ride.rows[at].time;
  assert_true(t > 0.1);
  for (int i = 1; i <= 5; i++) sum += 1 - cos(i * t);
  CHECK_NEAR(sum, 5, 1e-8);
  for (int look = 1; look < 100; look++) {
    double before = 0;
    for (int i = 1; i <= 5; i++) before += 1 - cos(i * t * look / 100);
    assert_true(before < 5);
  }
  ride_end(&ride);
}

/* x' = u - x where u = 3 (1 - x) is held for a tenth of a second: x[k + 1] = x[k] + (1 - exp(-1/10)) (u[k] - x[k]), and within it it is an exponential. */
static void what_is_held_is_as_it_is_since_the_last_tick(void **state) {
  (void)state;
  const double level = 0.7;
  double x = 0, t = 0, expected = 0;
  while (expected <= 0) {
    const double u = 3 * (1 - x), next = x + (1 - exp(-0.1)) * (u - x);
    if (next > level) expected = t + log((u - x) / (u - level));
    x = next;
    t += 0.1;
  }
  char text[1000];
  snprintf(text, sizeof text,
           "model Held {\n for i in 1..2 { Se s[i](u[i]); 1 j[i]; R r[i](1); C c[i](1); s[i] -> j[i]; j[i] -> r[i]; j[i] -> c[i]; signal u[i] = sample(3*(1 - c[i].e), every(0.1)) }\n"
           " machine M { off no initial; on yes; no -> yes when c[1].e + c[2].e > %.17g }\n Se t(1); 1 k by M; R q(1); t -> k -> q\n stop 4\n}", 2 * level);
  assert_true(fabs(expected - 0.1 * round(10 * expected)) > 0.01); // between two ticks
  Ride ride;
  ride_begin(&ride, text, (HbgSimOptions){.stop = STOP, .interval = STOP, .tolerance = 1e-6, .method = HBG_METHOD_AUTOMATIC, .sliding = true}, RIDE_EVENTS);
  double fired = 0;
  for (int32_t at = 0; at < ride.count; at++)
    if (ride.rows[at].is_event && ride.rows[at].kind == HBG_ROW_CONTINUOUS && fired <= 0) fired = strcmp(ride.rows[at].cause, "tick") ? ride.rows[at].time : 0;
  CHECK_NEAR(fired, expected, 1e-13);
  ride_end(&ride);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(guards_over_what_follows_the_time_hold_from_then_on_and_not_before),
      cmocka_unit_test(waves_are_as_large_as_their_amplitude_wherever_they_are),
      cmocka_unit_test(what_moves_on_the_way_is_told_from_what_does_not),
      cmocka_unit_test(more_frequencies_than_there_is_room_for_are_left_to_others),
      cmocka_unit_test(what_is_held_is_as_it_is_since_the_last_tick),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
