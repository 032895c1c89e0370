/* SPDX-License-Identifier: BSD-3-Clause
 * When guards come to hold over a step by Taylor series, against closed forms: x' = -x^2 and y' = x y are x = 1/(1 + t) and y = 1 + t, so that
 * a x + b y > c is b s^2 - c s + a > 0, s = 1 + t. HYBRSIM_SEED chooses the guards, HYBRSIM_GRAPHS how many. */
#include "hybrid/region_series.h"

#include <stdlib.h>

#include "support/begun.h"
#include "support/random_graph.h"
#include "support/ride.h"
#include "support/seeds.h"

enum { MOST_CONDITIONS = 2 };

static const HbgSimOptions options = {.stop = 5, .tolerance = 1e-12, .interval = 5, .method = HBG_METHOD_AUTOMATIC, .sliding = true};

/* With that guard, and another region. */
static void begin(Begun *run, const char *guard) {
  char text[2000];
  snprintf(text, sizeof text,
           "model Curved {\n signal x = integral(-x*x, start = 1), y = integral(x*y, start = 1), other = integral(1)\n"
           " machine M { off no initial; on yes; no -> yes when %s }\n Se s(1); 1 j by M; R r(1); s -> j -> r\n stop 5\n}", guard);
  begun_with(run, text, options);
}

/* What is foretold from `from` on, and whether that is known. */
typedef struct Question {
  Begun run;
  double from, time;
  bool is_known;
} Question;

static HbgRegion *region_of(const HbgSim *sim) {
  HbgRegion *region = sim->local->region_of[begun_state(sim, "x")];
  assert_true(region->is_stepped && region->stepper == region->by_series);
  assert_int_equal(region->count, 2);
  return region;
}

static HbgStatus foresee(void *user) {
  Question *self = user;
  HbgSim *sim = self->run.sim;
  sim->time = self->from;
  self->time = hbg_region_foresee(sim, region_of(sim), 0, &self->is_known);
  return HBG_OK;
}

/* `from`: as a share of the first step. Its end is answered. */
static double ask(Question *self, const char *guard, double from) {
  *self = (Question){.time = (double)NAN};
  begin(&self->run, guard);
  assert_true(self->run.sim->is_local);
  const HbgStepper *stepper = region_of(self->run.sim)->stepper;
  assert_true(stepper->t1 > 0.01);
  self->from = from * stepper->t1;
  begun_do(&self->run, foresee, self);
  return stepper->t1;
}

static void end(Question *self) { begun_end(&self->run); }

/* How long the first step is. */
static double first_step(void) {
  Question question;
  const double length = ask(&question, "x > 1000", 0);
  end(&question);
  return length;
}

/* ---- conditions and conjunctions ---- */

typedef struct Condition {
  double a, b, c;
} Condition;

static double spare_of(const Condition *self, double t) { return self->a / (1 + t) + self->b * (1 + t) - self->c; }

/* Where it turns between 0 and `until`; answers how often. */
static int list_turns(const Condition *self, double until, double *turns) {
  const double under = self->c * self->c - 4 * self->a * self->b;
  int count = 0;
  if (under < 0) return 0;
  const double q = (self->c + copysign(sqrt(under), self->c)) / 2, roots[] = {q / self->b - 1, self->a / q - 1};
  for (int root = 0; root < 2; root++)
    if (roots[root] > 0 && roots[root] < until) turns[count++] = roots[root];
  return count;
}

static double spare(const Condition *conditions, int count, double t) {
  double least = (double)INFINITY;
  for (int at = 0; at < count; at++) least = fmin(least, spare_of(&conditions[at], t));
  return least;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The first time >= from from which on all hold for a while, before `until`; infinite. */
static double first_time(const Condition *conditions, int count, double from, double until) {
  double turns[2 * MOST_CONDITIONS + 1];
  int turn_count = 0;
  for (int at = 0; at < count; at++) turn_count += list_turns(&conditions[at], until, &turns[turn_count]);
  turns[turn_count++] = until;
  qsort(turns, (size_t)turn_count, sizeof *turns, ascending);
  for (int at = 0; at + 1 < turn_count; at++)
    if (turns[at] >= from && spare(conditions, count, (turns[at] + turns[at + 1]) / 2) > 0) return turns[at];
  return (double)INFINITY;
}

/* One that turns where something is going on. */
static Condition draw(Random *random, double step) {
  const double t = 1.3 * step * random_real(random);
  Condition made = {2 * random_real(random) - 1, 2 * random_real(random) - 1, 0};
  made.c = spare_of(&made, t);
  return made;
}

/* Is everything far enough from what round-off and the error of the step decide? */
static bool is_clear(const Condition *conditions, int count, double from, double until) {
  double turns[2 * MOST_CONDITIONS + 2] = {from, until};
  int turn_count = 2;
  for (int at = 0; at < count; at++) turn_count += list_turns(&conditions[at], 2 * until, &turns[turn_count]);
  for (int at = 0; at < turn_count; at++)
    for (int other = 0; other < at; other++)
      if (fabs(turns[at] - turns[other]) < 1e-3 * until) return false;
  return spare(conditions, count, 0) < 0 && spare(conditions, count, from) < -1e-6;
}

typedef struct Counts {
  int found, never;
} Counts;

static void try_guard(long seed, double step, Counts *counts) {
  Random random = {(uint64_t)seed};
  const int count = 1 + random_below(&random, MOST_CONDITIONS);
  const double from = random_chance(&random, 0.5) ? 0.5 * random_real(&random) : 0;
  Condition conditions[MOST_CONDITIONS];
  char guard[300] = "";
  for (int at = 0; at < count; at++) {
    conditions[at] = draw(&random, step);
    const Condition *own = &conditions[at];
    snprintf(guard + strlen(guard), sizeof guard - strlen(guard), "%s(%.17g)*x + (%.17g)*y > %.17g", at ? " and " : "", own->a, own->b, own->c);
  }
  if (!is_clear(conditions, count, from * step, step)) return;
  Question question;
  const double until = ask(&question, guard, from), expected = first_time(conditions, count, from * step, until);
  if (!question.is_known) fail_msg("seed %ld: nothing is known of %s", seed, guard);
  if (isinf(expected) ? !isinf(question.time) : !(fabs(question.time - expected) < 1e-10))
    fail_msg("seed %ld: %s comes to hold at %.17g s, and is foretold for %.17g s", seed, guard, expected, question.time);
  const HbgForetold *foretold = &question.run.sim->local->watches.foretold[0];
  if (!isinf(expected)) {
    CHECK_NEAR(foretold->time, question.time, 0);
    assert_true(foretold->is_late && foretold->is_resolved);
  }
  counts->found += !isinf(expected);
  counts->never += isinf(expected);
  end(&question);
}

static void sums_of_states_come_to_hold_when_closed_forms_say(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(300);
  const double step = first_step();
  Counts counts = {0};
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) try_guard(seed, step, &counts);
  if (seeds.count > 100) assert_true(counts.found > seeds.count / 8 && counts.never > seeds.count / 8);
}

/* ---- what is known ---- */

static void check_known(const char *guard, bool is_known, double time) {
  Question question;
  ask(&question, guard, 0);
  assert_int_equal(question.is_known, is_known);
  if (isinf(time)) assert_true(isinf(question.time));
  else CHECK_NEAR(question.time, time, 1e-11);
  end(&question);
}

/* x^2 = 1/(1 + t)^2. */
static void what_is_no_sum_is_known_where_it_stands_alone_or_cannot_hold(void **state) {
  (void)state;
  char guard[200];
  const double half = first_step() / 2, level = 1 / ((1 + half) * (1 + half));
  check_known("x*x > 2", true, (double)INFINITY);
  check_known("x*y < 0.5", true, (double)INFINITY); // it is one
  snprintf(guard, sizeof guard, "x*x < %.17g", level);
  check_known(guard, true, half);
  snprintf(guard, sizeof guard, "x*x < %.17g and y*y > 1.0001", level);
  check_known(guard, false, (double)INFINITY);
  // the other condition settles it
  check_known("x*x < 0.999 and y < 0.5", true, (double)INFINITY);
}

static void of_what_others_decide_as_well_nothing_is_known(void **state) {
  (void)state;
  check_known("x < 0.999 and other > 3", false, (double)INFINITY);
}

/* y = 1 + t. */
static void what_includes_zero_holds_at_the_time_and_what_does_not_just_behind_it(void **state) {
  (void)state;
  char guard[100];
  const double level = 1 + first_step() / 2;
  for (int includes = 0; includes < 2; includes++) {
    snprintf(guard, sizeof guard, "y >%s %.17g", includes ? "=" : "", level);
    Question question;
    ask(&question, guard, 0);
    CHECK_NEAR(question.time, level - 1, 1e-12);
    assert_int_equal(question.run.sim->local->watches.foretold[0].is_late, !includes);
    end(&question);
  }
}

/* ---- from step to step ---- */

static void a_guard_is_found_many_steps_later(void **state) {
  (void)state;
  Ride ride;
  ride_begin(&ride,
             "model Curved {\n signal x = integral(-x*x, start = 1), y = integral(x*y, start = 1), other = integral(1)\n"
             " machine M { off no initial; on yes; on done; no -> yes when x < 0.25 and y > 2; yes -> done when x + y > 5 }\n"
             " Se s(1); 1 j by M; R r(1); s -> j -> r\n stop 5\n}",
             options, RIDE_EVENTS);
  assert_true(ride.was_local);
  const double expected[] = {3, (5 + sqrt(21)) / 2 - 1}; // s + 1/s = 5
  int found = 0;
  for (int32_t at = 0; at < ride.count; at++)
    if (ride.rows[at].kind == HBG_ROW_BEFORE && ride.rows[at].time > 0) {
      assert_true(found < 2);
      CHECK_NEAR(ride.rows[at].time, expected[found], 1e-9);
      found++;
    }
  assert_int_equal(found, 2);
  ride_end(&ride);
}

static void a_run_that_is_over_as_it_begins_takes_no_step(void **state) {
  (void)state;
  HbgSimOptions none = options;
  none.stop = 0;
  Ride ride;
  ride_begin(&ride, "model Curved {\n signal x = integral(-x*x, start = 1)\n machine m = M\n machine M { off no initial; on yes; no -> yes when x < 0.5 }\n stop 5\n}", none, RIDE_TRAJECTORY);
  assert_int_equal(ride.count, 1);
  ride_end(&ride);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_of_states_come_to_hold_when_closed_forms_say),
      cmocka_unit_test(what_is_no_sum_is_known_where_it_stands_alone_or_cannot_hold),
      cmocka_unit_test(of_what_others_decide_as_well_nothing_is_known),
      cmocka_unit_test(what_includes_zero_holds_at_the_time_and_what_does_not_just_behind_it),
      cmocka_unit_test(a_guard_is_found_many_steps_later),
      cmocka_unit_test(a_run_that_is_over_as_it_begins_takes_no_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
