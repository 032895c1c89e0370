/* SPDX-License-Identifier: BSD-3-Clause
 * A run as HYBRSIM made it: forward Euler step by step, modulation one step late, events by bisection; and how it compares
 * with the exact methods on the gallery. */
#include "support/relaxed.h"

static HbgRunOptions with_step(double step) {
  HbgRunOptions options = hbg_run_options();
  options.compatible = HBG_COMPATIBLE_HYBRSIM;
  options.step = step;
  return options;
}

/* The value of `column` at the end of a run with `step`. */
static double end_of(const char *text, const char *column, double step) {
  const HbgRunOptions options = with_step(step);
  Simulated run = simulated(text, column, &options);
  const double value = simulated_last(&run, column);
  simulated_end(&run);
  return value;
}

/* ---- forward Euler ---- */

static void a_step_is_one_of_forward_euler(void **state) {
  (void)state;
  // q' = -q/(R C): every step multiplies by 1 - h/(R C)
  CHECK_CLOSE(end_of("model RC {\n C c(2) start e = 3; R r(0.5); 0 n; n -> c; n -> r\n stop 2\n}", "c.q", 0.01), 6 * pow(0.99, 200), 1e-12);
}

static void without_a_step_there_are_a_thousand(void **state) {
  (void)state;
  CHECK_CLOSE(end_of("model RC {\n C c(2) start e = 3; R r(0.5); 0 n; n -> c; n -> r\n stop 2\n}", "c.q", (double)NAN), 6 * pow(0.998, 1000), 1e-11);
}

static void guards_that_oscillate_do_not_shorten_the_step(void **state) {
  (void)state;
  // a step of a tenth of the run, although a guard reads the time
  CHECK_CLOSE(end_of("model RC {\n C c(2) start e = 3; R r(0.5); 0 n; n -> c; n -> r\n 0 g by G; R s(1), w(1); s <- g; g -> w\n"
                     " machine G { off a initial; on b; a -> b when sin(time) > 2 }\n stop 1\n}", "c.q", 0.1),
              6 * pow(0.9, 10), 1e-12);
}

/* The step leaves out what the dependent storage takes, and the relaxation behind it conserves: m1 + m2 move as one. */
static void dependent_storages_take_their_share_behind_the_step(void **state) {
  (void)state;
  const char *push_independent = "model Pushed {\n I a(1), b(0.5); Se f(3); 1 j; j -> a; j -> b; f -> j\n stop 1\n}";
  CHECK_CLOSE(end_of(push_independent, "b.p", 0.01), 1, 1e-7);
  // the force on the dependent side of a lever: v_b = 2 v_a, f on b; (1 + 4 * 0.5) a' = 2 * 3
  const char *push_dependent = "model Pushed {\n I a(1), b(0.5); Se f(3); TF t(2); 1 ja, jb; ja -> a; ja -> t -> jb -> b; f -> jb\n stop 1\n}";
  CHECK_CLOSE(end_of(push_dependent, "a.p", 0.01), 2, 1e-6);
  // and a damper: v' = -r v/(ma + mb)
  const char *damped = "model Damped {\n I a(1) start f = 1, b(0.5) start f = 1; R r(0.75); 1 j; j -> a; j -> b; j -> r\n stop 1\n}";
  CHECK_CLOSE(end_of(damped, "a.p", 0.01), pow(1 - 0.01 * 0.75 / 1.5, 100), 1e-6);
}

/* ---- modulation ---- */

static void modulation_is_one_step_late(void **state) {
  (void)state;
  // m v' = -k v by a modulated source: v[n+1] = v[n] - h k v[n-1]
  double v = 1, before = 1;
  for (int step = 0; step < 100; step++) {
    const double next = v - 0.01 * 2 * before;
    before = v;
    v = next;
  }
  CHECK_CLOSE(end_of("model Late {\n I m(1) start f = 1; MSe s(-2*j.f); 1 j; j -> m; s -> j\n stop 1\n}", "m.p", 0.01), v, 1e-12);
}

static void so_is_the_ratio_of_a_transformer(void **state) {
  (void)state;
  // m v' = F - R n^2 v, n = x one step late
  double v = 0, x = 1, before = 1;
  for (int step = 0; step < 100; step++) {
    const double next = v + 0.01 * (1 - 2 * before * before * v);
    before = x;
    x += 0.01 * v;
    v = next;
  }
  CHECK_CLOSE(end_of("model Late {\n I m(1); Se f(1); MTF t(x); R r(2); 1 j, k; signal x = integral(j.f, start = 1)\n f -> j -> m; j -> t -> k -> r\n stop 1\n}",
                     "m.p", 0.01), v, 1e-11);
}

static void time_modulation_is_not_late(void **state) {
  (void)state;
  double p = 0;
  for (int step = 0; step < 100; step++) p += 0.01 * 10 * (0.01 * step);
  CHECK_CLOSE(end_of("model Punctual {\n I m(1); Se f(10*time); 1 j; f -> j -> m\n stop 1\n}", "m.p", 0.01), p, 1e-11);
}

/* ---- events ---- */

static void an_event_is_located_by_bisection_to_a_margin(void **state) {
  (void)state;
  HbgRunOptions options = with_step(0.1);
  options.tolerance = 1e-3;
  options.events_only = true;
  Simulated run = simulated("model Ramp {\n I m(1) start f = 1; 1 j, k; j -> m; 0 g by G; R r(1); R s(1); k -> r; k -> g; g -> s; Se u(0); u -> k\n"
                            " signal x = integral(j.f)\n machine G { off low initial; on high; low -> high when x >= 0.3333333333 }\n stop 1\n}", NULL, &options);
  const double time = simulated_instant(&run, 0);
  // behind the crossing by no more than the margin, and not on the last double
  assert_true(time >= 0.3333333333 && time <= 0.3333333333 + 1e-3 * 0.1);
  assert_true(time > 0.3333333333 + 1e-9);
  simulated_end(&run);
}

static void an_even_number_of_crossings_in_a_step_is_missed(void **state) {
  (void)state;
  const char *text = "model Bump {\n I m(1) start f = 1; 1 j, k; j -> m; 0 g by G; R r(1), s(1); k -> r; k -> g; g -> s; Se u(0); u -> k\n"
                     " signal x = integral(j.f)\n machine G { off low initial; on high; low -> high when abs(x - 0.55) < 0.01 }\n stop 1\n}";
  HbgRunOptions options = with_step(0.1);
  options.events_only = true;
  Simulated original = simulated(text, NULL, &options), normal = simulated_events(text);
  assert_int_equal(simulated_instants(&original), 0);
  assert_int_equal(simulated_instants(&normal), 1);
  simulated_end(&original);
  simulated_end(&normal);
}

/* ---- options ---- */

static void check_refused(const HbgRunOptions *options, const char *words) {
  HbgModel *model = simulated_model("model M {\n I m(1); 1 j; j -> m\n stop 1\n}");
  HbgRun *run = NULL;
  const char *message = "";
  assert_int_equal(hbg_run_create(model, options, &run, &message), HBG_ARGUMENT);
  if (!strstr(message, words)) fail_msg("%s", message);
  hbg_model_free(model);
}

static void options_that_do_not_fit_are_refused(void **state) {
  (void)state;
  const double factors[] = {0, -0.4, 2, (double)INFINITY};
  for (int at = 0; at < 4; at++) {
    HbgRunOptions options = with_step(0.1);
    options.convergence_factor = factors[at];
    check_refused(&options, "more than 0 and less than 2");
  }
  HbgRunOptions options = with_step(0.1);
  options.method = HBG_METHOD_DP5;
  check_refused(&options, "forward Euler");
  options = hbg_run_options();
  options.convergence_factor = 0.4;
  check_refused(&options, "compatible with HYBRSIM");
  options.compatible = 7;
  check_refused(&options, "nothing of that name");
}

static void the_method_of_the_model_gives_way(void **state) {
  (void)state;
  CHECK_CLOSE(end_of("model RC {\n C c(2) start e = 3; R r(0.5); 0 n; n -> c; n -> r\n stop 2\n method bdf\n}", "c.q", 0.01), 6 * pow(0.99, 200), 1e-12);
}

/* ---- the gallery ---- */

static char *gallery_text(const char *name) {
  char path[500];
  snprintf(path, sizeof path, "%s/models/%s/%s.hbg", HBG_SOURCE_FOLDER, name, name);
  FILE *file = fopen(path, "rb");
  if (!file) fail_msg("cannot read %s", path);
  char *text = calloc(1, 20000);
  assert_non_null(text);
  assert_true(fread(text, 1, 19999, file) > 0);
  fclose(file);
  return text;
}

/* The error at the end is proportional to the step: halving it halves the error. */
static void the_error_is_of_first_order(void **state) {
  (void)state;
  static const struct {
    const char *name, *column;
  } cases[] = {{"diode-inductor", "coil.p"}, {"tank-valves", "tank.q"}, {"disc-and-rope", "mass.p"}};
  for (size_t at = 0; at < sizeof cases / sizeof *cases; at++) {
    char *text = gallery_text(cases[at].name);
    HbgRunOptions exact = hbg_run_options();
    exact.tolerance = 1e-11;
    Simulated run = simulated(text, cases[at].column, &exact);
    const double end = simulated_last(&run, cases[at].column), stop = hbg_run_statistics(run.run).stop;
    const double coarse = end_of(text, cases[at].column, stop / 10000) - end, fine = end_of(text, cases[at].column, stop / 20000) - end;
    if (!(fabs(fine) > 0) || fabs(coarse / fine - 2) > 0.05) fail_msg("%s: %g, then %g", cases[at].name, coarse, fine);
    simulated_end(&run);
    free(text);
  }
}

/* Both halves of the diode model in the closed form of forward Euler: 500 steps of charging, 500 of freewheeling. */
static void the_diode_is_off_by_what_euler_is_off(void **state) {
  (void)state;
  char *text = gallery_text("diode-inductor");
  const double kept = pow(1 - 0.002 * 2 / 0.5, 500); // h R/L
  CHECK_CLOSE(end_of(text, "i", 0.002), 5 * (1 - kept) * kept, 1e-9);
  free(text);
}

/* What happens, if not always when: the same machines in the same order. */
static void most_models_go_through_the_same_modes(void **state) {
  (void)state;
  static const char *const names[] = {"bullet-wood",    "two-capacitors", "elastic-collision", "diode-inductor", "tank-valves",
                                      "newtons-cradle", "breakaway",      "touching-cradle",   "disc-and-rope"};
  for (size_t at = 0; at < sizeof names / sizeof *names; at++) {
    char *text = gallery_text(names[at]);
    HbgRunOptions compatible = with_step((double)NAN);
    compatible.events_only = true;
    Simulated a = simulated_events(text), b = simulated(text, NULL, &compatible);
    assert_int_equal(a.row_count, b.row_count);
    for (int row = 0; row < a.row_count; row++) {
      assert_int_equal(a.rows[row].row.kind, b.rows[row].row.kind);
      for (int column = 0; column < a.column_count; column++)
        if (hbg_run_column(a.run, column).kind == HBG_COLUMN_MACHINE)
          CHECK_NEAR(b.rows[row].values[column], a.rows[row].values[column], 0);
    }
    simulated_end(&a);
    simulated_end(&b);
    free(text);
  }
}

/* The friction of the rod follows the normal force one step late, and that is no impulse yet: it slides without friction. */
static void late_friction_carries_no_impulse(void **state) {
  (void)state;
  char *text = gallery_text("falling-rod");
  HbgRunOptions options = with_step((double)NAN);
  options.events_only = true;
  Simulated run = simulated(text, "x.p; y.p; spin.f", &options);
  // without friction: J w = -a cos(theta) P, P = m v/(1 + 3 cos^2(theta)) = 0.4
  CHECK_NEAR(simulated_last(&run, "x.p"), 0, 1e-9);
  CHECK_NEAR(simulated_last(&run, "y.p"), -0.6, 1e-7);
  CHECK_NEAR(simulated_last(&run, "spin.f"), 3 * 0.4 * sqrt(0.5), 1e-7);
  simulated_end(&run);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_step_is_one_of_forward_euler),
      cmocka_unit_test(without_a_step_there_are_a_thousand),
      cmocka_unit_test(guards_that_oscillate_do_not_shorten_the_step),
      cmocka_unit_test(dependent_storages_take_their_share_behind_the_step),
      cmocka_unit_test(modulation_is_one_step_late),
      cmocka_unit_test(so_is_the_ratio_of_a_transformer),
      cmocka_unit_test(time_modulation_is_not_late),
      cmocka_unit_test(an_event_is_located_by_bisection_to_a_margin),
      cmocka_unit_test(an_even_number_of_crossings_in_a_step_is_missed),
      cmocka_unit_test(options_that_do_not_fit_are_refused),
      cmocka_unit_test(the_method_of_the_model_gives_way),
      cmocka_unit_test(the_error_is_of_first_order),
      cmocka_unit_test(the_diode_is_off_by_what_euler_is_off),
      cmocka_unit_test(most_models_go_through_the_same_modes),
      cmocka_unit_test(late_friction_carries_no_impulse),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
