/* SPDX-License-Identifier: BSD-3-Clause
 * Where a state leads to where its laws have no solution, or only one that numbers cannot tell from others. The valve e = 1 + f^2 on a
 * capacitor of 1 with a leak of 3 has a solution as long as e >= 1; on the branch f > 0 a flow f is reached from 1 at
 *   t = 6 int_f^1 x/(x^2 + 3 x + 1) dx,   since e' = -f - e/3. */
#include "support/simulated.h"

static const int methods[] = {HBG_METHOD_AUTOMATIC, HBG_METHOD_DP5, HBG_METHOD_DP8, HBG_METHOD_SDIRK, HBG_METHOD_BDF};
enum { METHODS = sizeof methods / sizeof *methods };

static double antiderivative(double x) {
  const double root = sqrt(5);
  return 3 * log(x * x + 3 * x + 1) - 9 / root * log((2 * x + 3 - root) / (2 * x + 3 + root));
}

static double time_of(double flow) { return antiderivative(1) - antiderivative(flow); }

/* The time at which a run says that it cannot go on. */
static double end_of(const Simulated *run) {
  const char *at = strstr(hbg_run_failure(run->run), "t = ");
  assert_non_null(at);
  return strtod(at + 4, NULL);
}

static Simulated run_by(int method, const char *text, const char *columns) {
  HbgRunOptions options = hbg_run_options();
  options.method = method;
  options.tolerance = 1e-8;
  return simulated_try(text, columns, &options);
}

static const char one[] = "model Below {\n 0 node; C store(1) start e = 2; R valve: e = 1 + f^2; R leak(3)\n"
                          " node -> store; node -> valve; node -> leak\n stop 10\n}";
/* from nothing on, the flow that is found first is 0: by x = 1 - f the same */
static const char two[] = "model Below {\n 0 node; C store(0.5) start e = 2; C other(0.5) start e = 2; R valve: e = 1 + (1 - f)^2; R leak(3)\n"
                          " node -> store; node -> other; node -> valve; node -> leak\n stop 10\n}";

static void a_run_ends_where_no_flow_satisfies_a_law(void **state) {
  (void)state;
  for (int which = 0; which < METHODS; which++) {
    Simulated run = run_by(methods[which], one, "valve.f; store.e");
    assert_int_equal(run.status, HBG_STOPPED);
    // CVODE is not told why, and tries ever shorter steps
    if (methods[which] != HBG_METHOD_BDF) assert_non_null(strstr(hbg_run_failure(run.run), "R valve"));
    CHECK_NEAR(end_of(&run), time_of(0), 1e-3);
    simulated_end(&run);
  }
}

static void the_flow_stays_on_its_branch_until_then(void **state) {
  (void)state;
  for (int which = 0; which < METHODS; which++) {
    Simulated run = run_by(methods[which], one, "valve.f; store.e");
    assert_true(run.row_count > 20);
    for (int at = 0; at < run.row_count; at++) {
      const double f = run.rows[at].values[0], e = run.rows[at].values[1];
      assert_true(f > 0);
      CHECK_NEAR(e, 1 + f * f, 1e-9);
      CHECK_NEAR(run.rows[at].row.time, time_of(f), 1e-6 / f);
    }
    simulated_end(&run);
  }
}

static void storages_that_are_tied_end_there_as_well(void **state) {
  (void)state;
  // e' = -f - e/3 with e = 1 + x^2, f = 1 - x: t = 6 int_0^1 x/(x^2 - 3 x + 4) dx
  const double root = sqrt(7), end = 3 * log(2.0 / 4) + 18 / root * (atan(-1 / root) - atan(-3 / root));
  Simulated run = run_by(HBG_METHOD_AUTOMATIC, two, "valve.f; store.e");
  assert_int_equal(run.status, HBG_STOPPED);
  assert_non_null(strstr(hbg_run_failure(run.run), "R valve"));
  CHECK_NEAR(end_of(&run), end, 1e-3);
  for (int at = 0; at < run.row_count; at++) CHECK_NEAR(run.rows[at].values[1], 1 + pow(1 - run.rows[at].values[0], 2), 1e-7);
  simulated_end(&run);
}

/* A clamp that is driven far beyond what it tells by its last digit: e = tanh(100), which is 1. It is that, or the run ends when it is reached,
 *   t = C int_0^1 de/(0.1 - 0.001 artanh e),   of which the second term is (ln 2)/100 of the first, and the rest 1e-4. */
static void a_law_that_is_flat_to_the_last_digit_gives_what_it_says_or_ends_the_run(void **state) {
  (void)state;
  static const char *const stores[] = {"C store(1 [mF])\n node -> store", "C store(0.4 [mF]), other(0.6 [mF])\n node -> store; node -> other",
                                       "C store(0.5 [mF]), other(1 [mF]), third(1 [mF]); 1 w\n node -> store; node -> w -> other; w -> third"};
  for (size_t which = 0; which < sizeof stores / sizeof *stores; which++)
    for (int method = 0; method < METHODS; method++) {
      char text[400];
      snprintf(text, sizeof text, "model Clamp {\n Sf source(0.1 [A]); 0 node; R clamp: e = 1 [V]*tanh(f/1 [mA])\n source -> node -> clamp\n %s\n stop 0.1 [s]\n}",
               stores[which]);
      Simulated run = run_by(methods[method], text, "clamp.e; clamp.f");
      const double *last = run.rows[run.row_count - 1].values;
      if (run.status == HBG_STOPPED) {
        CHECK_NEAR(end_of(&run), 0.01 * (1 + log(2) / 100 + 1e-4), 2e-6);
      } else {
        CHECK_NEAR(last[0], 1, 1e-6);
        CHECK_NEAR(last[1], 0.1, 1e-3);
      }
      simulated_end(&run);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_run_ends_where_no_flow_satisfies_a_law),
      cmocka_unit_test(the_flow_stays_on_its_branch_until_then),
      cmocka_unit_test(storages_that_are_tied_end_there_as_well),
      cmocka_unit_test(a_law_that_is_flat_to_the_last_digit_gives_what_it_says_or_ends_the_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
