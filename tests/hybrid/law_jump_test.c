/* SPDX-License-Identifier: BSD-3-Clause
 * Which laws jump: kinks do not, nor does what round-off leaves; brakes that come later do. */
#include "support/simulated.h"

static Simulated run_model(const char *text, const char *columns) {
  HbgRunOptions options = hbg_run_options();
  options.interval = 0.25;
  return simulated(text, columns, &options);
}

static void a_kink_is_no_jump(void **state) {
  (void)state;
  // a law that bends, and one whose jump is multiplied by zero: bit for bit as they are without sliding
  const char *kinks = "model Kinks {\n I mass(1) start f = 1; C spring(1); 1 motion; R bends: e = if f > 0 then f else 2*f\n"
                      " R turbulent: e = f^2*sign(f)\n motion -> mass; motion -> spring; motion -> bends; motion -> turbulent\n stop 10\n}";
  HbgRunOptions options = hbg_run_options();
  options.sliding = HBG_SLIDING_OFF;
  Simulated with = simulated(kinks, "mass.f", NULL), without = simulated(kinks, "mass.f", &options);
  assert_int_equal(with.row_count, without.row_count);
  for (int at = 0; at < with.row_count; at++) CHECK_NEAR(with.rows[at].values[0], without.rows[at].values[0], 0);
  simulated_end(&with);
  simulated_end(&without);
}

/* A block of 1 kg with 10 m/s and a push of 2 N is braked by 5 N from 1 s on: it stops at 5 s. */
#define BRAKED(level, more) \
  "model Braked {\n I block(1) start f = 10; 1 motion; Se push(2); R brake: e = (" level ")*sign(f)\n push -> motion -> block; motion -> brake\n " more "\n stop 9\n}"

static void a_brake_that_is_put_on_later_holds_whatever_puts_it_on(void **state) {
  (void)state;
  static const char *const models[] = {
      BRAKED("5*step(1)", ""),
      BRAKED("if on_ in put then 5 else 0", "machine on_ = M; machine M { off off_ initial; on put; off_ -> put after 1 }"),
      BRAKED("5*level.v", "machine level = M; machine M { var v = 0; off off_ initial; on put; off_ -> put after 1 do v := 1 }"),
      BRAKED("T(time)", "table T = [[0, 0], [1, 0], [1, 5], [9, 5]]"),
      BRAKED("sample(5*step(0.95), ck)", "clock ck = every(0.5)"),
      BRAKED("if time < 1 then 0 else if block.f > 100 then 7 else 5", ""),
      BRAKED("max(0, min(5, 5e9*(time - 1)))", ""),
      BRAKED("if y > 1 then 5 else 0", "signal y = integral(1)"),
  };
  for (size_t at = 0; at < sizeof models / sizeof *models; at++) {
    Simulated run = run_model(models[at], "block.f; brake.e");
    CHECK_NEAR(simulated_time_of(&run, "slide entered on brake"), 5, 1e-6);
    for (int row = 0; row < run.row_count; row++) {
      const double t = run.rows[row].row.time;
      if (t > 1.01 && t < 4.99) CHECK_NEAR(simulated_value(&run, row, "block.f"), 12 - 3 * (t - 1), 1e-6);
      if (t > 5.01) CHECK_NEAR(simulated_value(&run, row, "brake.e"), 2, 1e-9);
    }
    simulated_end(&run);
  }
}

static void of_several_conditions_that_rest_all_combinations_count(void **state) {
  (void)state;
  // it jumps in one state of two machines only, which both come into much later
  Simulated run = run_model("model Rare { signal x = integral(if a in go and not (b in go) then (if x < 7 then 3 else -1) else 2)\n"
                            " machine a = M(1); machine b = M(5); machine M(T) { off stopped initial; on go; stopped -> go after T } stop 6\n}", "x");
  CHECK_NEAR(simulated_time_of(&run, "slide entered on x"), 1 + 5.0 / 3, 1e-9);
  for (int row = 0; row < run.row_count; row++) {
    const double t = run.rows[row].row.time;
    if (t > 2.7 && t < 5) CHECK_NEAR(simulated_value(&run, row, "x"), 7, 1e-9);
    if (t > 5) CHECK_NEAR(simulated_value(&run, row, "x"), 7 + 2 * (t - 5), 1e-9);
  }
  simulated_end(&run);
}

/* Bit for bit as it is without sliding. */
static void check_no_jump(const char *text, const char *column) {
  HbgRunOptions options = hbg_run_options();
  options.sliding = HBG_SLIDING_OFF;
  Simulated with = simulated(text, column, NULL), without = simulated(text, column, &options);
  assert_int_equal(with.row_count, without.row_count);
  for (int at = 0; at < with.row_count; at++) CHECK_NEAR(with.rows[at].values[0], without.rows[at].values[0], 0);
  simulated_end(&with);
  simulated_end(&without);
}

static void what_round_off_leaves_of_a_root_is_no_jump(void **state) {
  (void)state;
  // gas between a bottle and a room: at equal pressures sqrt(1 - r^2) is nothing, but for round-off in r; the pressure cannot be solved for in one step
  check_no_jump("model Gas { function flow(a, b) = if a > b then sqrt(max(0, 1 - ((b/a - 0.3)/0.7)^2)) else -sqrt(max(0, 1 - ((a/b - 0.3)/0.7)^2))\n"
                " signal m = integral(-flow(p, 1e5), start = 30), V = 2e-3 + 1e-3*x, x = integral(1), p = m*287*293/(V*1e3); stop 1\n}", "m");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_kink_is_no_jump),
      cmocka_unit_test(a_brake_that_is_put_on_later_holds_whatever_puts_it_on),
      cmocka_unit_test(of_several_conditions_that_rest_all_combinations_count),
      cmocka_unit_test(what_round_off_leaves_of_a_root_is_no_jump),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
