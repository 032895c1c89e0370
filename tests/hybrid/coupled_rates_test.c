/* SPDX-License-Identifier: BSD-3-Clause
 * Rates of states that hang together as sums of states, and when guards on them come to hold, against closed forms. */
#include "hybrid/coupled.h"
#include "support/begun.h"

/* Masses of 1 to 4 kg in a row, each with a damper of 0.1 to 0.4 N s/m to the ground, between them springs of 0.5, 1 and 1.5 m/N with a leak of
 * 0.25 s/kg; a brake at the first one. */
static const char masses[] =
    "model Masses(N = 4) {\n for i in 1..N { 1 v[i]; I m[i](i) start f = sin(i); R b[i](0.1*i); v[i] -> m[i]; v[i] -> b[i] }\n"
    " for i in 1..N-1 { 0 n[i]; C k[i](0.5*i); R g[i](4); v[i] -> n[i] -> v[i+1]; n[i] -> k[i]; n[i] -> g[i] }\n"
    " 0 brake by B(v[1].f); R r(3); v[1] -> brake -> r\n"
    " machine B(f) { on open initial; off closed; open -> closed when f > 1000 }\n stop 1\n}";

static const HbgRateRow *row_of(const HbgSim *sim, int32_t state) { return &sim->local->coupled->states[state].row; }

static double weight_of(const HbgSim *sim, const char *state, const char *of) {
  const HbgRateRow *row = row_of(sim, begun_state(sim, state));
  const int32_t column = begun_state(sim, of);
  double sum = 0;
  for (int32_t at = 0; at < row->count; at++)
    if (row->terms[at].column == column) sum += row->terms[at].weight;
  return sum;
}

static void rates_of_what_hangs_are_balances_of_its_neighbours(void **state) {
  (void)state;
  Begun run;
  begun_in_sets(&run, masses, 1);
  const HbgSim *sim = run.sim;
  // m[2]' = k[1]/0.5 - k[2] - 0.2 m[2]/2
  CHECK_CLOSE(weight_of(sim, "m[2].p", "k[1].q"), 2, 1e-14);
  CHECK_CLOSE(weight_of(sim, "m[2].p", "k[2].q"), -1, 1e-14);
  CHECK_CLOSE(weight_of(sim, "m[2].p", "m[2].p"), -0.1, 1e-14);
  CHECK_NEAR(weight_of(sim, "m[2].p", "m[1].p"), 0, 0);
  CHECK_NEAR(weight_of(sim, "m[2].p", "k[3].q"), 0, 0);
  // k[2]' is the flow that comes, less what goes and what leaks
  CHECK_CLOSE(weight_of(sim, "k[2].q", "m[2].p"), 0.5, 1e-14);
  CHECK_CLOSE(weight_of(sim, "k[2].q", "m[3].p"), -1.0 / 3, 1e-14);
  CHECK_CLOSE(weight_of(sim, "k[2].q", "k[2].q"), -0.25, 1e-14);
  CHECK_NEAR(weight_of(sim, "k[2].q", "m[1].p"), 0, 0);
  begun_end(&run);
}

static void integrals_of_signals_are_sums_of_states_like_others(void **state) {
  (void)state;
  char text[2000];
  snprintf(text, sizeof text, "%.*s signal way = integral(2*v[2].f - v[3].f + 5), sum = integral(way - k[1].e)\n stop 1\n}", (int)(strstr(masses, " stop 1") - masses), masses);
  Begun run;
  begun_in_sets(&run, text, 1);
  // v[2] = m[2]/2, v[3] = m[3]/3; k[1].e = 2 k[1]
  CHECK_CLOSE(weight_of(run.sim, "way", "m[2].p"), 1, 1e-14);
  CHECK_CLOSE(weight_of(run.sim, "way", "m[3].p"), -1.0 / 3, 1e-14);
  CHECK_CLOSE(row_of(run.sim, begun_state(run.sim, "way"))->drive, 5, 1e-14);
  CHECK_CLOSE(weight_of(run.sim, "sum", "way"), 1, 0);
  CHECK_CLOSE(weight_of(run.sim, "sum", "k[1].q"), -2, 1e-14);
  begun_end(&run);
}

typedef struct Watch {
  HbgSim *sim;
  double time;
  bool is_possible;
} Watch;

static HbgStatus watch(void *user) {
  Watch *self = user;
  self->time = hbg_coupled_watch(self->sim, 0, &self->is_possible);
  return HBG_OK;
}

/* Two masses of 1 kg that part at 1 m/s each, a spring of 2 m/N and dampers of 0.2 N s/m: the velocity of the first one is
 * exp(-b t/2) (cos w t - b/(2 w) sin w t) with w^2 = 1 - b^2/4. */
static void a_guard_on_a_set_comes_to_hold_when_the_closed_form_says(void **state) {
  (void)state;
  static const char pattern[] =
      "model Two {\n for i in 1..2 { 1 v[i]; I m[i](1) start f = 3 - 2*i; R b[i](0.2); v[i] -> m[i]; v[i] -> b[i] }\n"
      " 0 n; C k(2); v[1] -> n -> v[2]; n -> k\n"
      " 0 brake by B(v[1].f); R r(3); v[1] -> brake -> r\n"
      " machine B(f) { off open initial; on closed; open -> closed when f < %g }\n stop %g\n}";
  const double w = sqrt(1 - 0.01), zero = atan(w / 0.1) / w;
  char text[1000];
  for (int never = 0; never < 2; never++) {
    snprintf(text, sizeof text, pattern, never ? -1000.0 : 0.0, 10.0);
    Begun run;
    begun_in_sets(&run, text, 10);
    Watch self = {.sim = run.sim, .is_possible = true};
    begun_do(&run, watch, &self);
    assert_true(self.is_possible);
    if (never) assert_true(isinf(self.time));
    else CHECK_CLOSE(self.time, zero, 1e-12);
    begun_end(&run);
  }
}

/* Two masses of 1 kg and a spring between them that is never stretched: the velocity of both is the integral of the force. */
static void a_guard_on_a_set_that_follows_the_time_comes_to_hold_when_the_closed_form_says(void **state) {
  (void)state;
  static const char pattern[] =
      "model Two {\n for i in 1..2 { 1 v[i]; I m[i](1); Se push[i](%s); v[i] -> m[i]; push[i] -> v[i] }\n"
      " 0 n; C k(2); v[1] -> n -> v[2]; n -> k\n"
      " 0 brake by B(v[1].f - (%s)); R r(3); v[1] -> brake -> r\n"
      " machine B(f) { off open initial; on closed; open -> closed when f > 0 }\n stop 10\n}";
  static const struct {
    const char *force, *level;
    double time;
  } cases[] = {
      {"3*time^2", "8", 2},                          // t^3 = 8
      {"sin(2*time)", "0.5", 0.785398163397448310},  // (1 - cos 2t)/2 = 1/2
      {"1", "2*time + 3", (double)INFINITY},
      {"2*time", "3*time", 3},
      {"1 + cos(time)", "time - sin(time) + 1", 0.523598775598298873}, // 2 sin t = 1
  };
  for (size_t at = 0; at < sizeof cases / sizeof *cases; at++) {
    char text[1000];
    snprintf(text, sizeof text, pattern, cases[at].force, cases[at].level);
    Begun run;
    begun_in_sets(&run, text, 10);
    Watch self = {.sim = run.sim, .is_possible = true};
    begun_do(&run, watch, &self);
    assert_true(self.is_possible);
    if (isinf(cases[at].time)) assert_true(isinf(self.time));
    else CHECK_CLOSE(self.time, cases[at].time, 1e-12);
    begun_end(&run);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rates_of_what_hangs_are_balances_of_its_neighbours),
      cmocka_unit_test(integrals_of_signals_are_sums_of_states_like_others),
      cmocka_unit_test(a_guard_on_a_set_comes_to_hold_when_the_closed_form_says),
      cmocka_unit_test(a_guard_on_a_set_that_follows_the_time_comes_to_hold_when_the_closed_form_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
