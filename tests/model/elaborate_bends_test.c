/* SPDX-License-Identifier: BSD-3-Clause
 * What bends or jumps over the time alone is scheduled: at the instants of the closed form, and what depends on it goes on as it must. */
#include "support/random_graph.h"
#include "support/simulated.h"

/* ---- instants ---- */

/* x is the integral of `value` until 4 s: what rows say of it, and when its rate bends or jumps. */
static Simulated integrate(const char *value, HbgMethod method) {
  char text[500];
  HbgRunOptions options = hbg_run_options();
  snprintf(text, sizeof text, "model Bent { signal x = integral(%s); stop 4\n}", value);
  options.method = method;
  return simulated(text, "x", &options);
}

/* Of a source that follows `value`. */
static void check_instants(const char *value, const double *times, int count) {
  char text[500];
  snprintf(text, sizeof text, "model Bent { Se source(%s); 1 line; I coil(1); R load(1); source -> line -> coil; line -> load; stop 4\n}", value);
  Simulated run = simulated(text, "coil.f", NULL);
  int at = 0;
  for (int row = 0; row < run.row_count; row++) {
    if (run.rows[row].row.kind != HBG_ROW_BEFORE) continue;
    assert_true(at < count);
    CHECK_NEAR(run.rows[row].row.time, times[at], 4e-15);
    at++;
  }
  assert_int_equal(at, count);
  simulated_end(&run);
}

static void bends_are_where_what_is_compared_is_equal(void **state) {
  (void)state;
  const double pi = acos(-1);
  check_instants("max(time, 5*time - 4)", (const double[]){1}, 1);
  check_instants("abs(3 - 2*time)", (const double[]){1.5}, 1);
  check_instants("min(time^2, 2)", (const double[]){sqrt(2)}, 1);
  check_instants("abs((time - 1)*(time - 3))", (const double[]){1, 3}, 2);
  check_instants("max(0, sin(2*time))", (const double[]){pi/2, pi}, 2);
  check_instants("abs(cos(time - 1))", (const double[]){1 + pi/2}, 1);
  check_instants("sign(3*sin(1 - 2*time) + 4*cos(1 - 2*time))", (const double[]){(1 + atan(4/3.0))/2, (1 + atan(4/3.0) + pi)/2}, 2);
  check_instants("limit(2*sin(time), -1, 1)", (const double[]){pi/6, 5*pi/6, 7*pi/6}, 3);
  check_instants("abs(sin(time)*cos(time))", (const double[]){pi/2, pi}, 2);
  check_instants("max(sin(time)^2, 0.5)", (const double[]){pi/4, 3*pi/4, 5*pi/4}, 3);
  check_instants("if sin(time) > 0.5 then 1 else 0", (const double[]){pi/6, 5*pi/6}, 2);
}

static void what_is_chosen_within_bends_where_the_choice_does(void **state) {
  (void)state;
  // the line is above 0.5 from 0.5 s to 1.5 s; where the other branch would cross is nobody's concern
  check_instants("max(if time > 1 then 2 - time else time, 0.5)", (const double[]){0.5, 1, 1.5}, 3);
  check_instants("abs(max(time, 2) - 3)", (const double[]){2, 3}, 2);
  check_instants("max(pulse(1, 1), 0.5)", (const double[]){1, 2}, 2);
}

static void what_never_bends_has_no_instants(void **state) {
  (void)state;
  static const char *const straight[] = {"max(sin(time), 1.5)", "abs(2 + cos(time))", "min(time^2 + 1, 0.5)", "max(time^2, -1)", "sign(time + 1)", "abs(time^2)"};
  for (size_t which = 0; which < sizeof straight / sizeof *straight; which++) check_instants(straight[which], NULL, 0);
}

/* What is only looked at is no matter of the run. */
static void a_signal_that_nobody_integrates_bends_without_instants(void **state) {
  (void)state;
  Simulated run = simulated("model Shown { signal y = abs(sin(3*time)); signal x = integral(1); stop 4\n}", "x; y", NULL);
  for (int row = 0; row < run.row_count; row++) {
    assert_true(run.rows[row].row.kind != HBG_ROW_BEFORE);
    CHECK_NEAR(simulated_value(&run, row, "y"), fabs(sin(3*run.rows[row].row.time)), 1e-15);
  }
  simulated_end(&run);
}

/* ---- any of them ---- */

typedef struct Wave {
  double size, frequency, phase, rest;
} Wave;

static double value_of(const Wave *wave, double t) { return wave->size*sin(wave->frequency*t + wave->phase) + wave->rest; }

/* The integral of the wave over [from, to]. */
static double area(const Wave *wave, double from, double to) {
  return wave->size/wave->frequency*(cos(wave->frequency*from + wave->phase) - cos(wave->frequency*to + wave->phase)) + wave->rest*(to - from);
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The integral of what is limited, until 4 s: between the instants at which the sine passes a limit it is the wave, or the limit. */
static double limited_area(const Wave *wave, double low, double high) {
  double border[200] = {0, 4};
  int count = 2;
  for (int which = 0; which < 2; which++) {
    const double level = ((which ? high : low) - wave->rest)/wave->size;
    if (fabs(level) >= 1) continue;
    for (int side = 0; side < 2; side++)
      for (int turn = -20; turn <= 20; turn++) {
        const double angle = (side ? acos(-1) - asin(level) : asin(level)) + 2*acos(-1)*turn, t = (angle - wave->phase)/wave->frequency;
        if (t > 0 && t < 4) border[count++] = t;
      }
  }
  qsort(border, (size_t)count, sizeof *border, compare);
  double sum = 0;
  for (int at = 0; at + 1 < count; at++) {
    const double middle = value_of(wave, (border[at] + border[at + 1])/2), length = border[at + 1] - border[at];
    sum += middle < low ? low*length : middle > high ? high*length : area(wave, border[at], border[at + 1]);
  }
  return sum;
}

static void a_limited_wave_has_the_integral_of_the_closed_form(void **state) {
  (void)state;
  static const HbgMethod methods[] = {HBG_METHOD_AUTOMATIC, HBG_METHOD_DP8, HBG_METHOD_SDIRK};
  Random random = {11};
  for (int which = 0; which < 60; which++) {
    const Wave wave = {0.5 + 2*random_real(&random), (random_chance(&random, 0.5) ? 1 : -1)*(0.5 + 8*random_real(&random)), 6*random_real(&random) - 3, random_real(&random) - 0.5};
    const double low = -1.5 + 1.5*random_real(&random), high = low + 0.1 + random_real(&random);
    char value[300];
    snprintf(value, sizeof value, "limit(%.17g*sin(%.17g*time + %.17g) + %.17g, %.17g, %.17g)", wave.size, wave.frequency, wave.phase, wave.rest, low, high);
    Simulated run = integrate(value, methods[which % 3]);
    CHECK_NEAR(simulated_last(&run, "x"), limited_area(&wave, low, high), which % 3 ? 1e-6 : 1e-10);
    simulated_end(&run);
  }
}

/* ---- what depends on it ---- */

static void a_block_is_left_behind_where_its_belt_bends(void **state) {
  (void)state;
  static const HbgMethod methods[] = {HBG_METHOD_AUTOMATIC, HBG_METHOD_DP5, HBG_METHOD_DP8, HBG_METHOD_SDIRK};
  static const char *const belts[] = {"max(time, 5*time - 4)", "3*time - 2 + 2*abs(time - 1)", "time + 4*max(0, time - 1)"};
  for (size_t method = 0; method < sizeof methods / sizeof *methods; method++)
    for (size_t belt = 0; belt < sizeof belts / sizeof *belts; belt++) {
      char text[400];
      HbgRunOptions options = hbg_run_options();
      options.method = methods[method];
      // friction of 2 N takes a block of 1 kg along at 1 m/s^2, and not at 5
      snprintf(text, sizeof text, "model Belt { I body(1); 1 mo; R fr: e = 2*sign(f - (%s)); mo -> fr; mo -> body; signal x = integral(mo.f)\n stop 3\n}", belts[belt]);
      Simulated run = simulated(text, "body.f; x", &options);
      CHECK_NEAR(simulated_time_of(&run, "slide left on"), 1, 1e-12);
      CHECK_NEAR(simulated_last(&run, "body.f"), 5, 1e-7);
      CHECK_NEAR(simulated_last(&run, "x"), 6.5, 1e-7);
      simulated_end(&run);
    }
}

static void a_rectified_source_is_exact(void **state) {
  (void)state;
  // L di/dt + R i = |V sin(w t)|: behind n half waves of length T, with q = exp(-R T/L), i is (1 - q^n)/(1 - q) times what the first one has left
  Simulated run = simulated("model Rectified { Se source(abs(10*sin(5*time))); 1 line; I coil(2); R load(3); source -> line -> coil; line -> load; stop 3.7699111843077517 }", "coil.f", NULL);
  const double w = 5, L = 2, R = 3, V = 10, T = acos(-1)/w, q = exp(-R*T/L), first = V*w*L/(R*R + w*w*L*L)*(1 + q);
  CHECK_NEAR(simulated_last(&run, "coil.f"), first*(1 - pow(q, 6))/(1 - q), 1e-12);
  simulated_end(&run);
}

/* ---- in guards ---- */

static void a_guard_that_reads_what_the_time_chooses_fires_at_the_instant_of_the_closed_form(void **state) {
  (void)state;
  const double rises = asin(0.22)/5, falls = (acos(-1) - asin(0.22))/5;
  static const char *const relations[] = {">", ">="};
  for (int which = 0; which < 2; which++) {
    char text[800];
    snprintf(text, sizeof text,
             "model Chosen {\n signal w = if sin(5*time) %s 0.22 then 1 else -1; machine m = S; signal hits = m.count, x = integral(if m in high then 1 else 0)\n"
             " machine S { var count = 0; off low initial; on high; low -> high when w > 0.5 do count := count + 1; high -> low when w < -0.5 }\n stop 1\n}",
             relations[which]);
    Simulated run = simulated(text, "hits; x", NULL);
    CHECK_NEAR(simulated_last(&run, "hits"), 1, 0);
    CHECK_NEAR(simulated_last(&run, "x"), falls - rises, 1e-15);
    simulated_end(&run);
  }
}

static void a_block_goes_with_a_belt_until_the_belt_jumps(void **state) {
  (void)state;
  const double caught = 0.04, left = (acos(-1) - asin(0.3))/13;
  // 2 N brake it from 0.38 m/s on, and again from where the belt runs backwards
  static const char text[] = "model Belt {\n 1 motion; I block(1) start p = 0.38; Se drag(if contact in forth then 3 else -3); Se push(1)\n"
                             " motion -> block; drag -> motion; push -> motion; machine contact = Friction((if sin(13*time) > 0.3 then 0.3 else -0.5) - motion.f)\n"
                             " machine Friction(v) { on forth initial; off back; forth -> back when v < 0; back -> forth when v > 0 }\n stop 0.4\n}";
  HbgRunOptions options = hbg_run_options();
  options.interval = 0.01;
  Simulated run = simulated(text, "block.p", &options);
  for (int row = 0; row < run.row_count; row++) {
    const double t = run.rows[row].row.time, exact = t < caught ? 0.38 - 2*t : t < left ? 0.3 : 0.3 - 2*(t - left);
    CHECK_NEAR(run.rows[row].values[0], exact, 1e-12);
  }
  simulated_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bends_are_where_what_is_compared_is_equal),
      cmocka_unit_test(what_is_chosen_within_bends_where_the_choice_does),
      cmocka_unit_test(what_never_bends_has_no_instants),
      cmocka_unit_test(a_signal_that_nobody_integrates_bends_without_instants),
      cmocka_unit_test(a_limited_wave_has_the_integral_of_the_closed_form),
      cmocka_unit_test(a_block_is_left_behind_where_its_belt_bends),
      cmocka_unit_test(a_rectified_source_is_exact),
      cmocka_unit_test(a_guard_that_reads_what_the_time_chooses_fires_at_the_instant_of_the_closed_form),
      cmocka_unit_test(a_block_goes_with_a_belt_until_the_belt_jumps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
