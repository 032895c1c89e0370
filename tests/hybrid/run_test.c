/* SPDX-License-Identifier: BSD-3-Clause
 * Continuous time: closed forms by all methods, conservation, samples, and independence of the order of declarations. */
#include "support/simulated.h"

static HbgRunOptions with_method(int method, double tolerance) {
  HbgRunOptions options = hbg_run_options();
  options.method = method;
  options.tolerance = tolerance;
  return options;
}

/* Runs by the adaptive methods; `column` ends at `expected` to `factor` times the tolerance. */
static void check_end(const char *text, const char *column, double expected, double factor) {
  const int methods[] = {HBG_METHOD_AUTOMATIC, HBG_METHOD_DP5, HBG_METHOD_BDF, HBG_METHOD_DP8};
  const double tolerances[] = {1e-8, 1e-8, 1e-8, 1e-8, 1e-11, 1e-11, 1e-10, 1e-11};
  for (int at = 0; at < 8; at++) {
    const HbgRunOptions options = with_method(methods[at % 4], tolerances[at]);
    // a multi-step method adds up the errors of its many steps
    const double share = methods[at % 4] == HBG_METHOD_BDF ? 100 : 1;
    Simulated run = simulated(text, column, &options);
    CHECK_NEAR(simulated_last(&run, column), expected, share * factor * tolerances[at]);
    simulated_end(&run);
  }
}

/* ---- linear circuits ---- */

static void a_capacitor_discharges(void **state) {
  (void)state;
  check_end("model RC {\n C c(2) start e = 3; R r(0.5); 0 n; n -> c; n -> r\n stop 2\n}", "c.q", 6 * exp(-2), 20);
}

static void an_oscillator_comes_back(void **state) {
  (void)state;
  // ten periods of L = 0.25, C = 4: w = 1
  check_end("model LC {\n C c(4) start e = 1; I l(0.25); 1 loop; loop -> c; loop -> l\n stop 20*pi\n}", "c.q", 4, 400);
  check_end("model LC {\n C c(4) start e = 1; I l(0.25); 1 loop; loop -> c; loop -> l\n stop 20*pi\n}", "l.p", 0, 400);
}

static void a_series_circuit_rings_down(void **state) {
  (void)state;
  // q'' + 0.2 q' + q = 0, q(0) = 1
  const double d = 0.1, w = sqrt(1 - 0.01), t = 5;
  check_end("model RLC {\n C c(1) start q = 1; I l(1); R r(0.2); 1 loop; loop -> c; loop -> l; loop -> r\n stop 5\n}", "c.q",
            exp(-d * t) * (cos(w * t) + d / w * sin(w * t)), 100);
}

static void a_motor_settles(void **state) {
  (void)state;
  // R i + r w = V, J w' = r i - b w: w = w1 (1 - exp(-t/T))
  const double r = 0.5, R = 2, J = 0.1, b = 0.05, V = 12;
  const double final = r * V / (r * r + b * R), T = J * R / (r * r + b * R);
  check_end("model Motor {\n Se v(12); 1 loop, shaft; R r(2), b(0.05); GY k(0.5); I j(0.1); v -> loop -> r; loop -> k -> shaft -> j; shaft -> b\n stop 1\n}",
            "shaft.f", final * (1 - exp(-1 / T)), 200);
}

/* ---- dependent storages ---- */

static void masses_on_a_lever_oscillate_as_one(void **state) {
  (void)state;
  // m1 + n^2 m2 on a spring: w^2 = k/(m1 + n^2 m2)
  const double w = sqrt(8.0 / (1 + 9 * 0.5));
  check_end("model Lever {\n I m1(1) start f = 1, m2(0.5) start f = 3; TF lever(3); C k(1/8); 1 a, b; a -> m1; a -> k; a -> lever -> b -> m2\n stop 3\n}",
            "a.f", cos(w * 3), 100);
}

static void capacitors_in_parallel_share_from_the_start(void **state) {
  (void)state;
  check_end("model Parallel {\n C a(1) start e = 2, b(3) start e = 2; R r(1); 0 n; n -> a; n -> b; n -> r\n stop 2\n}", "b.q", 6 * exp(-0.5), 20);
}

static void a_source_that_fixes_a_capacitor_delivers_the_derivative(void **state) {
  (void)state;
  // i = C u' = 2 * 3 cos(3 t)
  Simulated run = simulated("model Bound {\n Se u(sin(3*time)); C c(2); 0 n; u -> n -> c\n stop 1\n}", "u.f; c.q", NULL);
  for (int at = 0; at < run.row_count; at++) {
    const double t = run.rows[at].row.time;
    CHECK_NEAR(simulated_value(&run, at, "u.f"), 6 * cos(3 * t), 1e-12);
    CHECK_NEAR(simulated_value(&run, at, "c.q"), 2 * sin(3 * t), 1e-6);
  }
  simulated_end(&run);
}

static void a_pendulum_keeps_its_energy_and_its_rod(void **state) {
  (void)state;
  const HbgRunOptions options = with_method(HBG_METHOD_DP5, 1e-10);
  Simulated run = simulated("model Pendulum {\n I x(2), y(2); 1 rotation, horizontal, vertical; MTF lx(1.5*cos(angle)); MTF ly(1.5*sin(angle)); Se g(-2*9.81)\n"
                            " rotation -> lx -> horizontal -> x; rotation -> ly -> vertical -> y; g -> vertical\n"
                            " signal angle = integral(rotation.f, start = 1)\n"
                            " signal energy = (x.p^2 + y.p^2)/4 - 2*9.81*1.5*cos(angle)\n"
                            " signal along = x.p*sin(angle) - y.p*cos(angle)\n stop 20\n}",
                            "energy; along", &options);
  const double energy = -2 * 9.81 * 1.5 * cos(1);
  for (int at = 0; at < run.row_count; at++) {
    CHECK_NEAR(simulated_value(&run, at, "energy"), energy, 1e-6);
    CHECK_NEAR(simulated_value(&run, at, "along"), 0, 1e-6);
  }
  simulated_end(&run);
}

static void the_stiff_method_keeps_a_rod_without_starting_anew_at_each_step(void **state) {
  (void)state;
  const HbgRunOptions options = with_method(HBG_METHOD_BDF, 1e-8);
  Simulated run = simulated("model Pendulum {\n I x(2), y(2); 1 rotation, horizontal, vertical; MTF lx(1.5*cos(angle)); MTF ly(1.5*sin(angle)); Se g(-2*9.81)\n"
                            " rotation -> lx -> horizontal -> x; rotation -> ly -> vertical -> y; g -> vertical\n"
                            " signal angle = integral(rotation.f, start = 1)\n"
                            " signal energy = (x.p^2 + y.p^2)/4 - 2*9.81*1.5*cos(angle)\n stop 5\n}",
                            "energy", &options);
  CHECK_CLOSE(simulated_last(&run, "energy"), -2 * 9.81 * 1.5 * cos(1), 1e-5);
  assert_true(hbg_run_statistics(run.run).steps < 3000);
  simulated_end(&run);
}

/* ---- nonlinear ---- */

static void a_nonlinear_oscillator_keeps_its_energy(void **state) {
  (void)state;
  const HbgRunOptions options = with_method(HBG_METHOD_DP5, 1e-11);
  Simulated run = simulated("model Duffing {\n C c: e = q + q^3 start q = 1; I l: f = p/sqrt(1 + p^2); 1 n; n -> c; n -> l\n"
                            " signal energy = c.q^2/2 + c.q^4/4 + sqrt(1 + l.p^2)\n stop 30\n}",
                            "energy", &options);
  for (int at = 0; at < run.row_count; at++) CHECK_NEAR(simulated_value(&run, at, "energy"), 1.75, 1e-8);
  simulated_end(&run);
}

static void nonlinear_bodies_share_their_momentum(void **state) {
  (void)state;
  // f = tanh(p) and f = p: joined at t = 1, tanh(p1) = p2, p1 + p2 = 1
  Simulated run = simulated("model Plastic {\n I a: f = tanh(p) start p = 1; I b(1); 1 va, vb; va -> a; vb -> b; 0 contact by M; va -> contact -> vb\n"
                            " machine M { off apart initial; on joined; apart -> joined when time >= 1 }\n stop 3\n}",
                            "a.p; b.p; va.f - vb.f; a.p + b.p", NULL);
  const double p = simulated_at(&run, 1, "a.p");
  CHECK_NEAR(tanh(p), 1 - p, 1e-12);
  CHECK_NEAR(simulated_at(&run, 1, "a.p + b.p"), 1, 1e-14);
  CHECK_NEAR(simulated_last(&run, "va.f - vb.f"), 0, 1e-12);
  CHECK_NEAR(simulated_last(&run, "a.p + b.p"), 1, 1e-13);
  simulated_end(&run);
}

static void a_nearly_redundant_loop_of_gyrators_empties_an_inertia(void **state) {
  (void)state;
  // two gyrators between the same junctions, 3 % apart: e = r1 f and e = r2 f leave e = f = 0, so p = 0. Areas of 40 and -41
  // do it; none of them is open, though what the finite values leave open must not look as if they were
  Simulated run = simulated("model Loop {\n 0 z\n 1 a, b\n I i(1.2) start p = 1\n GY g(1.624*(1 + 0.5*sin(time + 1))), h(1.575*(1 + 0.5*sin(time + 1))), k(-0.8)\n"
                            " z -> a -> b\n z -> g -> a\n z -> h -> b\n z -> k -> i\n stop 0.01\n}",
                            "i.p", NULL);
  CHECK_NEAR(run.rows[0].values[0], 0, 1e-13);
  CHECK_NEAR(simulated_last(&run, "i.p"), 0, 1e-13);
  simulated_end(&run);
}

static void a_start_that_allows_no_efforts_is_projected(void **state) {
  (void)state;
  // an empty capacitor behind a gyrator that turns: 0 = r f(p) cannot be, so q = r f(p) with p + r q = 4
  Simulated run = simulated("model Start {\n C c(1)\n I i: f = p + 0.66*p*abs(p) start p = 4\n GY g(0.25*(1 + 0.5*sin(w)))\n 0 n\n n -> c\n n -> g -> i\n"
                            " signal w = integral(i.f, start = 0.3)\n stop 1e-6\n}",
                            "i.p; c.q", NULL);
  const double r = 0.25 * (1 + 0.5 * sin(0.3)), a = 0.66 * r * r, b = 1 + r * r;
  const double p = (sqrt(b * b + 16 * a) - b) / (2 * a);
  CHECK_NEAR(run.rows[0].values[0], p, 1e-13);
  CHECK_NEAR(run.rows[0].values[1], r * (p + 0.66 * p * p), 1e-13);
  assert_true(simulated_warns(&run, "not consistent"));
  simulated_end(&run);
}

static void resistive_loops_are_solved(void **state) {
  (void)state;
  // a bridge of resistors 1, 2, 3, 4 with 5 across, 10 V: node voltages from Kirchhoff
  Simulated run = simulated("model Bridge {\n Se u(10); 0 top, left, right; 1 a, b, c, d, x; R r1(1), r2(2), r3(3), r4(4), r5(5)\n u -> top\n"
                            " top -> a -> left; a -> r1; top -> b -> right; b -> r2; left -> c; c -> r3; right -> d; d -> r4; left -> x -> right; x -> r5\n stop 1\n}",
                            "left.e; right.e; u.f", NULL);
  // (10 - L)/1 = L/3 + (L - R)/5; (10 - R)/2 + (L - R)/5 = R/4
  const double a = 1 + 1.0 / 3 + 0.2, b = 0.5 + 0.25 + 0.2, det = a * b - 0.04;
  const double left = (10 * b + 5 * 0.2) / det, right = (5 * a + 10 * 0.2) / det;
  CHECK_NEAR(simulated_last(&run, "left.e"), left, 1e-13);
  CHECK_NEAR(simulated_last(&run, "right.e"), right, 1e-13);
  CHECK_NEAR(simulated_last(&run, "u.f"), (10 - left) + (10 - right) / 2, 1e-12);
  simulated_end(&run);
}

static void implicit_laws_of_resistors_are_solved(void **state) {
  (void)state;
  // e + e^3 = f and the source fixes f; and the other way round
  Simulated run = simulated("model Implicit {\n Sf j(10); R r: e + e^3 = f; 0 n; j -> n -> r\n Se u(2); R s: e + f^3 = f + e^2 - 2; 1 m; u -> m -> s\n stop 1\n}",
                            "r.e; s.f", NULL);
  CHECK_NEAR(simulated_last(&run, "r.e"), 2, 1e-12);
  const double f = simulated_last(&run, "s.f");
  CHECK_NEAR(2 + f * f * f, f + 4 - 2, 1e-12);
  simulated_end(&run);
}

static void a_diode_law_is_solved_over_many_decades(void **state) {
  (void)state;
  // f = 1e-12 (exp(e/0.025) - 1) in series with 1 Ohm and u volts
  Simulated run = simulated("model Diode {\n Se u(5*sin(time)); R d: f = 1e-12*(exp(e/0.025) - 1); R r(1); 1 n; u -> n -> d; n -> r\n stop 6\n}", "d.e; d.f; u.e", NULL);
  for (int at = 0; at < run.row_count; at++) {
    const double e = simulated_value(&run, at, "d.e"), f = simulated_value(&run, at, "d.f");
    CHECK_NEAR(e + f, simulated_value(&run, at, "u.e"), 1e-12);
    CHECK_NEAR(f, 1e-12 * expm1(e / 0.025), 1e-11 * fmax(fabs(f), 1e-3));
  }
  simulated_end(&run);
}

/* ---- methods ---- */

static void euler_is_euler(void **state) {
  (void)state;
  HbgRunOptions options = with_method(HBG_METHOD_EULER, 1e-8);
  options.step = 0.125;
  Simulated run = simulated("model RC {\n C c(1) start q = 1; R r(1); 0 n; n -> c; n -> r\n stop 1\n}", "c.q", &options);
  CHECK_NEAR(simulated_last(&run, "c.q"), pow(0.875, 8), 1e-15);
  simulated_end(&run);
}

static void a_stiff_circuit_is_cheap_by_default(void **state) {
  (void)state;
  // time constants 1e-6 s and 1 s
  HbgRunOptions options = hbg_run_options();
  options.events_only = true;
  Simulated run = simulated("model Stiff {\n C slow(1) start e = 1, fast(1e-6); R link(1), load(1); 0 a, b; 1 w; a -> slow; a -> w -> b; w -> link; b -> fast; b -> load\n stop 10\n}",
                            NULL, &options);
  const HbgRunStatistics statistics = hbg_run_statistics(run.run);
  assert_true(statistics.steps < 3000);
  simulated_end(&run);
  options.events_only = false;
  run = simulated("model Stiff {\n C slow(1) start e = 1, fast(1e-6); R link(1), load(1); 0 a, b; 1 w; a -> slow; a -> w -> b; w -> link; b -> fast; b -> load\n stop 2\n}",
                  "slow.q", &options);
  CHECK_NEAR(simulated_last(&run, "slow.q"), exp(-1), 1e-6);
  simulated_end(&run);
}

static void a_quantity_that_explodes_is_told(void **state) {
  (void)state;
  // x' = x^2 has a pole at t = 1
  Simulated run = simulated_try("model Pole {\n signal x = integral(x^2, start = 1)\n stop 2\n}", "x", NULL);
  assert_int_equal(run.status, HBG_STOPPED);
  assert_non_null(strstr(hbg_run_failure(run.run), "t = "));
  assert_true(run.rows[run.row_count - 1].row.time < 1.0001);
  simulated_end(&run);
}

/* ---- samples ---- */

static const char *const decay = "model RC {\n C c(1) start q = 1; R r(1); 0 n; n -> c; n -> r\n stop 1\n}";

static void samples_stand_at_the_interval_and_at_the_end(void **state) {
  (void)state;
  HbgRunOptions options = hbg_run_options();
  options.interval = 0.3;
  Simulated run = simulated(decay, "c.q", &options);
  const double times[] = {0, 0.3, 0.6, 0.9, 1};
  assert_int_equal(run.row_count, 5);
  for (int at = 0; at < 5; at++) {
    CHECK_NEAR(run.rows[at].row.time, times[at], 1e-15);
    CHECK_NEAR(run.rows[at].values[0], exp(-times[at]), 1e-7);
    assert_int_equal(run.rows[at].row.kind, HBG_ROW_SAMPLE);
  }
  simulated_end(&run);
}

static void samples_stand_exactly_at_given_times(void **state) {
  (void)state;
  const double times[] = {0, 1e-9, 0.1, 1.0 / 3, 0.7};
  HbgRunOptions options = hbg_run_options();
  options.times = times;
  options.time_count = 5;
  Simulated run = simulated(decay, "c.q", &options);
  assert_int_equal(run.row_count, 6); // and the end
  for (int at = 0; at < 5; at++) {
    CHECK_NEAR(run.rows[at].row.time, times[at], 0);
    CHECK_NEAR(run.rows[at].values[0], exp(-times[at]), 1e-7);
  }
  CHECK_NEAR(run.rows[5].row.time, 1, 0);
  simulated_end(&run);
}

static void a_jump_has_a_row_on_both_sides_among_samples(void **state) {
  (void)state;
  HbgRunOptions options = hbg_run_options();
  options.interval = 0.5;
  Simulated run = simulated("model Switch {\n C c(1) start q = 1; R r(1); 0 n; n -> c; 1 g by M; n -> g -> r\n"
                            " machine M { off open initial; on closed; open -> closed when time >= 0.5 }\n stop 1\n}",
                            "c.q; g", &options);
  assert_int_equal(run.row_count, 4); // 0, before, after, 1
  assert_int_equal(run.rows[1].row.kind, HBG_ROW_BEFORE);
  assert_int_equal(run.rows[2].row.kind, HBG_ROW_CONTINUOUS);
  CHECK_NEAR(run.rows[1].row.time, 0.5, 0);
  simulated_end(&run);
}

static void a_model_of_signals_alone_runs(void **state) {
  (void)state;
  Simulated run = simulated("model Waves {\n signal x = integral(-y, start = 1), y = integral(x)\n stop pi\n}", "x; y", NULL);
  CHECK_NEAR(simulated_last(&run, "x"), -1, 1e-6);
  simulated_end(&run);
  run = simulated("model Nothing {\n signal x = time^2\n stop 3\n}", "x", NULL);
  CHECK_NEAR(simulated_last(&run, "x"), 9, 0);
  simulated_end(&run);
}

/* ---- determinism ---- */

/* Two texts that differ in the order of their declarations give the same rows to the last bit. */
static void check_same_rows(const char *a, const char *b, const char *columns) {
  Simulated one = simulated(a, columns, NULL), other = simulated(b, columns, NULL);
  assert_int_equal(one.row_count, other.row_count);
  for (int at = 0; at < one.row_count; at++) {
    const double s = one.rows[at].row.time, t = other.rows[at].row.time;
    assert_memory_equal(&s, &t, sizeof s);
    assert_int_equal(one.rows[at].row.kind, other.rows[at].row.kind);
    assert_memory_equal(one.rows[at].values, other.rows[at].values, (size_t)one.column_count * sizeof(double));
  }
  simulated_end(&one);
  simulated_end(&other);
}

static void the_order_of_declarations_does_not_matter(void **state) {
  (void)state;
  check_same_rows("model A {\n I a(1) start f = 1, b(2), c(0.7); 1 va, vb, vc; va -> a; vb -> b; vc -> c\n R d(0.3); va -> d\n"
                  " 0 ab by M(xb - xa), bc by M(xc - xb); va -> ab -> vb -> bc -> vc\n Se g(-0.1); g -> vc\n"
                  " signal xa = integral(va.f), xb = integral(vb.f, start = 0.3), xc = integral(vc.f, start = 0.5)\n"
                  " machine M(gap) { off apart initial; on joined; apart -> joined when gap <= 0 }\n stop 3\n}",
                  "model A {\n stop 3\n machine M(gap) { on joined; off apart initial; apart -> joined when gap <= 0 }\n"
                  " signal xc = integral(vc.f, start = 0.5); signal xb = integral(vb.f, start = 0.3); signal xa = integral(va.f)\n"
                  " g -> vc; bc -> vc; vb -> bc; ab -> vb; va -> ab; va -> d; vc -> c; vb -> b; va -> a\n"
                  " 0 bc by M(xc - xb); 0 ab by M(xb - xa); Se g(-0.1); R d(0.3); 1 vc; 1 vb; 1 va\n I c(0.7); I b(2); I a(1) start f = 1\n}",
                  "a.p; b.p; c.p; xa; xb; xc; ab.e; bc.e; d.e");
}

static void runs_of_one_model_do_not_disturb_each_other(void **state) {
  (void)state;
  HbgModel *model = simulated_model(decay);
  HbgRun *a = NULL, *b = NULL;
  assert_int_equal(hbg_run_create(model, NULL, &a, NULL), HBG_OK);
  assert_int_equal(hbg_run_create(model, NULL, &b, NULL), HBG_OK);
  assert_int_equal(hbg_run_add_default_columns(a, HBG_COLUMNS_TRAJECTORY), HBG_OK);
  assert_int_equal(hbg_run_add_column(b, "c.q", NULL), HBG_OK);
  HbgRow row;
  while (hbg_run_next(a, &row) == HBG_OK) {
    assert_int_equal(hbg_run_next(b, &row), HBG_OK);
    CHECK_NEAR(hbg_run_value(a, 0), hbg_run_value(b, 0), 0);
  }
  hbg_run_free(a);
  hbg_run_free(b);
  hbg_model_free(model);
}

static void half_arrows_may_be_turned_round(void **state) {
  (void)state;
  const char *columns = "a.p; b.p";
  Simulated one = simulated("model A {\n I a(1) start f = 1, b(2); 1 va, vb; va -> a; vb -> b; 0 n; C k(0.1); R d(0.3); va -> n -> vb; n -> k; va -> d\n stop 2\n}", columns, NULL);
  Simulated other = simulated("model A {\n I a(1) start f = 1, b(2); 1 va, vb; va -> a; vb -> b; 0 n; C k(0.1); R d(0.3); va <- n <- vb; n -> k; va -> d\n stop 2\n}", columns, NULL);
  for (int at = 0; at < 2; at++)
    CHECK_NEAR(one.rows[one.row_count - 1].values[at], other.rows[other.row_count - 1].values[at], 1e-7);
  simulated_end(&one);
  simulated_end(&other);
}

static void scaling_time_and_mass_scales_the_answer(void **state) {
  (void)state;
  // masses times 1e-12, times by 1e-6: the same events at 1e-6 of the time
  Simulated one = simulated_events("model A {\n I a(1) start f = 1, b(2); 1 va, vb; va -> a; vb -> b; C k(0.1); 0 n by M; va -> n -> vb; n -> k\n signal gap = integral(vb.f - va.f, start = 0.2)\n"
                                   " machine M { off apart initial; on joined; apart -> joined when gap <= 0 and vb.f < va.f; joined -> apart when n.e < 0 }\n stop 2\n}");
  Simulated other = simulated_events("model A {\n I a(1e-12) start f = 1e6, b(2e-12); 1 va, vb; va -> a; vb -> b; C k(0.1); 0 n by M; va -> n -> vb; n -> k\n signal gap = integral(vb.f - va.f, start = 0.2)\n"
                                     " machine M { off apart initial; on joined; apart -> joined when gap <= 0 and vb.f < va.f; joined -> apart when n.e < 0 }\n stop 2e-6\n}");
  assert_int_equal(simulated_instants(&one), simulated_instants(&other));
  assert_true(simulated_instants(&one) >= 2);
  for (int at = 0; at < simulated_instants(&one); at++)
    CHECK_CLOSE(simulated_instant(&other, at), 1e-6 * simulated_instant(&one, at), 1e-7);
  simulated_end(&one);
  simulated_end(&other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_capacitor_discharges),
      cmocka_unit_test(an_oscillator_comes_back),
      cmocka_unit_test(a_series_circuit_rings_down),
      cmocka_unit_test(a_motor_settles),
      cmocka_unit_test(masses_on_a_lever_oscillate_as_one),
      cmocka_unit_test(capacitors_in_parallel_share_from_the_start),
      cmocka_unit_test(a_source_that_fixes_a_capacitor_delivers_the_derivative),
      cmocka_unit_test(a_pendulum_keeps_its_energy_and_its_rod),
      cmocka_unit_test(the_stiff_method_keeps_a_rod_without_starting_anew_at_each_step),
      cmocka_unit_test(a_nonlinear_oscillator_keeps_its_energy),
      cmocka_unit_test(nonlinear_bodies_share_their_momentum),
      cmocka_unit_test(a_nearly_redundant_loop_of_gyrators_empties_an_inertia),
      cmocka_unit_test(a_start_that_allows_no_efforts_is_projected),
      cmocka_unit_test(resistive_loops_are_solved),
      cmocka_unit_test(implicit_laws_of_resistors_are_solved),
      cmocka_unit_test(a_diode_law_is_solved_over_many_decades),
      cmocka_unit_test(euler_is_euler),
      cmocka_unit_test(a_stiff_circuit_is_cheap_by_default),
      cmocka_unit_test(a_quantity_that_explodes_is_told),
      cmocka_unit_test(samples_stand_at_the_interval_and_at_the_end),
      cmocka_unit_test(samples_stand_exactly_at_given_times),
      cmocka_unit_test(a_jump_has_a_row_on_both_sides_among_samples),
      cmocka_unit_test(a_model_of_signals_alone_runs),
      cmocka_unit_test(the_order_of_declarations_does_not_matter),
      cmocka_unit_test(runs_of_one_model_do_not_disturb_each_other),
      cmocka_unit_test(half_arrows_may_be_turned_round),
      cmocka_unit_test(scaling_time_and_mass_scales_the_answer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
