/* SPDX-License-Identifier: BSD-3-Clause
 * Integrals of products and of what bends look on: their parts keep their closed forms, and what they add up is right. */
#include "hybrid/tally.h"

#include <math.h>

#include "hybrid/local_parts.h"
#include "support/clocks_many.h"

static HbgSimOptions options_of(double stop, double interval) {
  return (HbgSimOptions){.stop = stop, .interval = interval, .tolerance = 1e-11, .method = HBG_METHOD_AUTOMATIC, .sliding = true, .zeno_continue = true};
}

static void count_tallies(const HbgSim *sim, void *user) {
  int32_t *most = user, count = 0;
  for (int32_t state = sim->first_integrator; sim->is_local && state < sim->model->state_count; state++)
    if (hbg_is_tally(sim, state) && sim->local->region_of[state]->course) count++;
  if (count > *most) *most = count;
}

static Ride ride_of(const char *text, HbgSimOptions options, int32_t *tallies) {
  Ride run;
  *tallies = 0;
  ride_try(&run, text, options, RIDE_TRAJECTORY, count_tallies, tallies);
  assert_int_equal(run.end, HBG_END);
  return run;
}

static double value_of(const Ride *run, int32_t row, const char *name) {
  for (int32_t column = 0; column < run->columns; column++)
    if (!strcmp(hbg_sim_column(run->sim, column)->column.name, name)) return run->values[row][column];
  fail_msg("there is no column %s", name);
  return 0;
}

/* ---- closed forms ---- */

static void what_a_resistor_takes_is_what_its_capacitor_has_lost(void **state) {
  (void)state;
  int32_t tallies;
  Ride run = ride_of("model M {\n 0 u; C c(2) start q = 6; R r(0.5); u -> c; u -> r\n"
                     " signal heat = integral(r.e*r.f), squares = integral(u.e^2), cubes = integral(u.e*u.e*r.f)\n"
                     " 1 s by Bell(time > 1.5); Se v(1); R x(1); v -> s -> x\n"
                     " machine Bell(g) { off a initial; on b; a -> b when g }\n stop 4\n}",
                     options_of(4, 0.05), &tallies);
  assert_int_equal(tallies, 3);
  int told = 0;
  for (int32_t at = hbg_sim_region_count(run.sim); at-- > 0;) told += hbg_sim_region(run.sim, at).motion == HBG_MOTION_QUADRATURE;
  assert_int_equal(told, 3);
  for (int32_t row = 0; row < run.count; row++) { // u = 3 e^-t
    const double t = run.rows[row].time;
    CHECK_NEAR(value_of(&run, row, "heat"), 9 * (1 - exp(-2 * t)), 2e-13);
    CHECK_NEAR(value_of(&run, row, "squares"), 4.5 * (1 - exp(-2 * t)), 2e-13);
    CHECK_NEAR(value_of(&run, row, "cubes"), 18 * (1 - exp(-3 * t)), 1e-12);
  }
  ride_end(&run);
}

/* Of the larger of 3 s - 5 s^2 and 0.2, which are equal at 0.3 -+ sqrt(0.05). */
static double integral_above(double s) {
  const double root = sqrt(0.05), one = 0.3 - root, other = 0.3 + root;
  double sum = 0.2 * fmin(s, one) + 0.2 * fmax(0, s - other);
  if (s > one) {
    const double end = fmin(s, other);
    sum += 1.5 * (end * end - one * one) - 5 * (end * end * end - one * one * one) / 3;
  }
  return sum;
}

/* A ball thrown up with 3 m/s under 10 m/s^2 that falls onto a ground without losses. */
static void energies_and_squares_of_a_ball(void **state) {
  (void)state;
  int32_t tallies;
  Ride run = ride_of("model M {\n 1 v; I m(2) start f = 3; Se w(-20); v -> m; w -> v\n"
                     " signal height = integral(v.f), squares = integral(height^2), work = integral(w.e*v.f), way = integral(abs(v.f)), rise = integral(max(v.f, 0)), above = integral(max(height, 0.2))\n"
                     " 0 c by Contact(height, v.f); Sf up(pre(v.f)); v -> c; up -> c\n"
                     " machine Contact(h, v) { off free initial; on touching; free -> touching when h <= 0 and v < 0; touching -> free when pre(v) > 0 }\n stop 3.1\n}",
                     options_of(3.1, 0.07), &tallies);
  assert_int_equal(tallies, 4); // what a source does is a number times a flow
  for (int32_t row = 0; row < run.count; row++) {
    const double t = run.rows[row].time, flights = floor(t / 0.6 + 1e-9), s = t - 0.6 * flights, h = 3 * s - 5 * s * s;
    CHECK_NEAR(value_of(&run, row, "work"), -20 * h, 1e-11);
    CHECK_NEAR(value_of(&run, row, "way"), flights * 0.9 + (s < 0.3 ? h : 0.9 - h), 1e-11);
    CHECK_NEAR(value_of(&run, row, "rise"), flights * 0.45 + (s < 0.3 ? h : 0.45), 1e-11);
    CHECK_NEAR(value_of(&run, row, "above"), flights * integral_above(0.6) + integral_above(s), 1e-11);
    // (3 s - 5 s^2)^2
    CHECK_NEAR(value_of(&run, row, "squares"), flights * 0.0648 + s * s * s * (3 - 7.5 * s + 5 * s * s), 1e-12);
  }
  ride_end(&run);
}

static void what_is_rectified_is_added_up_from_zero_to_zero(void **state) {
  (void)state;
  int32_t tallies;
  // u = cos t, i = -sin t
  Ride run = ride_of("model M {\n C c(1) start q = 1; I l(1); 1 j; j -> l; j -> c\n"
                     " signal sum = integral(abs(l.f)), power = integral(abs(c.e*l.f)), half = integral(max(0, c.e)^2)\n"
                     " 1 s by Bell(time > 9); Se v(1); R x(1); v -> s -> x; machine Bell(g) { off a initial; on b; a -> b when g }\n stop 40\n}",
                     options_of(40, 0.37), &tallies);
  assert_int_equal(tallies, 3);
  const double pi = acos(-1);
  for (int32_t row = 0; row < run.count; row++) {
    const double t = run.rows[row].time, halves = floor(t / pi), s = t - pi * halves, quarters = floor(2 * t / pi), r = t - pi / 2 * quarters;
    CHECK_NEAR(value_of(&run, row, "sum"), 2 * halves + 1 - cos(s), 1e-11);
    CHECK_NEAR(value_of(&run, row, "power"), 0.5 * quarters + 0.5 * sin(r) * sin(r), 1e-11);
    const double v = t + pi / 2, turns = floor(v / (2 * pi)), w = fmin(v - 2 * pi * turns, pi); // max(0, sin v)^2 from v = pi/2 on
    CHECK_NEAR(value_of(&run, row, "half"), turns * pi / 2 + w / 2 - sin(2 * w) / 4 - pi / 4, 1e-11);
  }
  ride_end(&run);
}

static const char converter[] =
    "model M(N = 3) {\n Se supply(12); 0 rail; supply -> rail\n for i in 1..N {\n"
    "  1 line[i]; I coil[i](47e-6); R wire[i](0.05); 0 node[i], output[i]; 1 switch[i] by Switch(pulse((i - 1)*1e-5/N, 5e-6, 1e-5) > 0.5); Se ground[i](0)\n"
    "  1 diode[i] by Diode(diode[i].f, node[i].e - output[i].e); C capacitor[i](47e-6); R load[i](400)\n"
    "  signal used[i] = integral(load[i].e*load[i].f), lost[i] = integral(wire[i].e*wire[i].f), drawn[i] = integral(rail.e*line[i].f)\n"
    "  signal stored[i] = coil[i].f^2*47e-6/2 + capacitor[i].e^2*47e-6/2, rest[i] = drawn[i] - lost[i] - used[i] - stored[i]\n"
    "  rail -> line[i] -> node[i] -> diode[i] -> output[i] -> capacitor[i]; line[i] -> coil[i]; line[i] -> wire[i]; node[i] -> switch[i] -> ground[i]; output[i] -> load[i]\n }\n"
    " machine Switch(gate) { on closed; off open initial; closed -> open when not gate; open -> closed when gate }\n"
    " machine Diode(current, voltage) { off blocking initial; on conducting; blocking -> conducting when voltage > 0; conducting -> blocking when current < 0 }\n"
    " stop 1e-3\n}";

static void converters_give_out_what_they_take(void **state) {
  (void)state;
  int32_t tallies;
  Ride run = ride_of(converter, options_of(1e-3, 1e-6), &tallies);
  assert_int_equal(tallies, 6); // and so is what it gives
  assert_true(run.count > 1600);
  for (int32_t row = 0; row < run.count; row++)
    for (int i = 1; i <= 3 && run.rows[row].kind == HBG_ROW_SAMPLE; i++) {
      char name[20];
      snprintf(name, sizeof name, "rest[%d]", i);
      CHECK_NEAR(value_of(&run, row, name), 0, 2e-15); // [J] of some 1e-2
    }
  ride_end(&run);
}

static void samples_in_between_change_nothing(void **state) {
  (void)state;
  int32_t tallies;
  Ride few = ride_of(converter, options_of(1e-3, 1e-3), &tallies), many = ride_of(converter, options_of(1e-3, 3e-7), &tallies);
  assert_true(many.count > few.count + 2000);
  for (int32_t column = 0; column < few.columns; column++) {
    const double a = few.values[few.count - 1][column], b = many.values[many.count - 1][column];
    assert_false(a < b || a > b);
  }
  ride_end(&few);
  ride_end(&many);
}

/* ---- who is none ---- */

static void what_looks_at_something_without_a_closed_form_moves_with_it(void **state) {
  (void)state;
  // from 1 s on the air takes part: v' = -(0.4 v + 0.2 v^2)/2, and a second body goes on by itself
  static const char text[] =
      "model M {\n 1 v; I m(2) start f = 3; R oil(0.4); 0 g by Gate(time > 1); R air: e = 0.2*f*abs(f)\n v -> m; v -> oil; v -> g -> air\n"
      " signal heat = integral(oil.e*oil.f)\n 1 w; I n(1) start f = 1; R b(0.1); w -> n; w -> b; signal other = integral(b.e*b.f)\n"
      " machine Gate(c) { off before initial; on after; before -> after when c }\n stop 2\n}";
  int32_t tallies;
  Ride run = ride_of(text, options_of(2, 0.5), &tallies);
  assert_int_equal(tallies, 2);
  const double c = 0.1, k = 0.2, at_1 = 3 * exp(-k), last = 1 / ((1 / at_1 + c / k) * exp(k) - c / k);
  CHECK_NEAR(value_of(&run, run.count - 1, "m.p"), 2 * last, 1e-9);
  // heat of the oil: the integral of 0.4 v^2 = 4 (v - ...) by v' = -(k v + c v^2): 0.4/c (-(v' + k v)), so 4 (v1 - v2) - 0.8 x, x = ln(1 + c/k v1 (1 - e^-kt))/c
  const double way = log(1 + c / k * at_1 * (1 - exp(-k))) / c;
  CHECK_NEAR(value_of(&run, run.count - 1, "heat"), 9 * (1 - exp(-2 * k)) + 4 * (at_1 - last) - 0.8 * way, 1e-9);
  CHECK_NEAR(value_of(&run, run.count - 1, "other"), 0.5 * (1 - exp(-0.4)), 1e-9);
  ride_end(&run);
}

/* Two of these have a flow together, three of them have none to full precision. */
static void three_that_are_alike_are_too_many_for_one_tally(void **state) {
  (void)state;
  int32_t tallies;
  Ride run = ride_of("model M {\n for i in 1..3 { 0 u[i]; C c[i](1) start q = i; R r[i](1); u[i] -> c[i]; u[i] -> r[i] }\n"
                     " signal two = integral(c[1].e*c[2].e), three = integral(c[1].e*c[2].e*c[3].e)\n"
                     " 1 s by Bell(time > 0.5); Se v(1); R x(1); v -> s -> x; machine Bell(g) { off a initial; on b; a -> b when g }\n stop 1\n}",
                     options_of(1, 0.1), &tallies);
  assert_true(run.was_local);
  const double last = exp(-1);
  CHECK_NEAR(value_of(&run, run.count - 1, "two"), 1 - last * last, 1e-9);
  CHECK_NEAR(value_of(&run, run.count - 1, "three"), 2 * (1 - last * last * last), 1e-9);
  ride_end(&run);
}

static void what_guards_or_laws_read_is_no_tally(void **state) {
  (void)state;
  int32_t tallies;
  Ride run = ride_of("model M {\n 0 u; C c(2) start q = 6; R r(0.5); u -> c; u -> r; signal heat = integral(r.e*r.f)\n"
                     " 1 s by Full(heat >= 4.5); Se v(1); R x(1); v -> s -> x\n machine Full(g) { off a initial; on b; a -> b when g }\n stop 1\n}",
                     options_of(1, 1), &tallies);
  assert_int_equal(tallies, 0);
  double turned = 0;
  for (int32_t row = 0; row < run.count; row++)
    if (run.rows[row].is_event) turned = run.rows[row].time;
  CHECK_NEAR(turned, 0.5 * log(2.0), 1e-9); // half of it is gone
  ride_end(&run);
  run = ride_of("model M {\n 0 u; C c(2) start q = 6; R r(0.5); u -> c; u -> r; signal heat = integral(r.e*r.f)\n"
                " Se v(heat); R x(1); v -> x; 0 a by On(time > 9); C d(1); R y(1); a -> d; a -> y; machine On(g) { off a initial; on b; a -> b when g }\n stop 1\n}",
                options_of(1, 1), &tallies);
  CHECK_NEAR(value_of(&run, run.count - 1, "heat"), 9 * (1 - exp(-2)), 1e-9);
  ride_end(&run);
}

/* ---- random models ---- */

/* What may be added up of the bonds of two elements. */
static void write_tallies(HbgText *text, Random *random, const char *element, const char *other, int i) {
  static const char *const rates[] = {"%s%d.e*%s%d.f", "%s%d.e^2 - 0.1*%s%d.f^2", "%s%d.f^3/(2 + %s%d.f^2)", "exp(-%s%d.f^2)*%s%d.e", "sin(%s%d.e + %s%d.f)",
                                      "abs(%s%d.e*%s%d.f)", "%s%d.f*max(0, %s%d.e)", "min(%s%d.e, 1 + 0.3*%s%d.f)^2", "sqrt(1 + %s%d.f^2)*%s%d.e"};
  enum { SMOOTH = sizeof rates / sizeof *rates - 1 }; // known to be, from kink to kink
  if (random_chance(random, 0.25)) return;
  char rate[200];
  snprintf(rate, sizeof rate, rates[random_chance(random, 0.03) ? SMOOTH : random_below(random, SMOOTH)], element, i, random_chance(random, 0.5) ? element : other, i);
  hbg_text_add(text, " signal tally_%s%d = integral(%s, start = %.3g)\n", element, i, rate, random_real(random) - 0.5);
}

/* A body that hops on a spring with a damper, or bounces. */
static void write_body(HbgText *text, Random *random, int i) {
  const double height = 0.3 + random_real(random), c = 0.001 + 0.01 * random_real(random), loss = 0.6 + 0.3 * random_real(random);
  hbg_text_add(text, " 1 v%d; I m%d(%.6g); Se w%d(%s); v%d -> m%d; w%d -> v%d; signal height%d = integral(v%d.f, start = %.6g)\n", i, i, 0.5 + random_real(random), i,
               random_chance(random, 0.3) ? "-9 + 2*sin(4*time)" : "-9", i, i, i, i, i, i, height);
  if (random_chance(random, 0.5)) {
    hbg_text_add(text, " 0 g%d by Stop(height%d, v%d.f, c%d.e); 1 f%d; C c%d(%.6g); R d%d(%.6g); v%d -> g%d -> f%d; f%d -> c%d; f%d -> d%d\n", i, i, i, i, i, i, c, i,
                 0.5 + 2 * random_real(random), i, i, i, i, i, i, i);
    write_tallies(text, random, "d", "w", i);
    write_tallies(text, random, "c", "d", i);
  } else {
    hbg_text_add(text, " 0 g%d by Contact(height%d, v%d.f); Sf up%d(%.6g*pre(v%d.f)); v%d -> g%d; up%d -> g%d\n", i, i, i, i, loss, i, i, i, i, i);
  }
  write_tallies(text, random, "m", "w", i);
  if (random_chance(random, 0.3)) hbg_text_add(text, " signal squares%d = integral((height%d - 0.2)^2)\n", i, i);
}

/* A part of a circuit with a switch and a diode. */
static void write_circuit(HbgText *text, Random *random, int i) {
  const double period = 0.2 + 0.3 * random_real(random);
  hbg_text_add(text, " Se u%d(%s); 1 j%d; I l%d(%.6g); R r%d(%.6g); 0 n%d; 1 s%d by Switch(pulse(%.6g, %.6g, %.6g) > 0.5); Se z%d(0)\n", i,
               random_chance(random, 0.3) ? "2 + sin(3*time)" : "2", i, i, 0.1 + 0.2 * random_real(random), i, 0.1 + 0.3 * random_real(random), i, i, random_real(random) * 0.1, 0.4 * period,
               period, i);
  hbg_text_add(text, " 1 d%d by Diode(d%d.f, n%d.e - o%d.e); 0 o%d; C c%d(%.6g); R x%d(%.6g)\n", i, i, i, i, i, i, 0.1 + 0.4 * random_real(random), i, 2 + 5 * random_real(random));
  hbg_text_add(text, " u%d -> j%d -> n%d -> d%d -> o%d -> c%d; j%d -> l%d; j%d -> r%d; n%d -> s%d -> z%d; o%d -> x%d\n", i, i, i, i, i, i, i, i, i, i, i, i, i, i, i);
  write_tallies(text, random, "x", "c", i);
  write_tallies(text, random, "r", "l", i);
  write_tallies(text, random, "u", "x", i);
  if (random_chance(random, 0.3)) hbg_text_add(text, " signal both%d = integral(c%d.e*l%d.f*c%d.e)\n", i, i, i, i);
}

static void write_model(HbgText *text, Random *random, long seed) {
  const int count = 2 + random_below(random, 5);
  hbg_text_add(text, "// seed %ld\nmodel M {\n%s", seed,
               " machine Switch(gate) { on closed; off open initial; closed -> open when not gate; open -> closed when gate }\n"
               " machine Diode(i, u) { off blocking initial; on conducting; blocking -> conducting when u > 0; conducting -> blocking when i < 0 }\n"
               " machine Contact(h, v) { off free initial; on touching; free -> touching when h <= 0 and v < 0; touching -> free when pre(v) > 0 }\n"
               " machine Stop(h, v, f) { off free initial; on touching; free -> touching when h <= 0 and v < 0; touching -> free when h > 0 and v > 0 }\n");
  for (int i = 1; i <= count; i++) {
    if (random_chance(random, 0.5)) write_body(text, random, i);
    else write_circuit(text, random, i);
    if (i > 1 && random_chance(random, 0.3)) hbg_text_add(text, " signal across%d = integral(%s)\n", i, random_chance(random, 0.5) ? "1/(1 + time)" : "time*sin(time)");
  }
  hbg_text_add(text, " stop 2\n}");
}

static void models_do_the_same_with_tallies_and_as_a_whole(void **state) {
  (void)state;
  const ClocksMany many = {write_model, options_of(2, 0.3), count_tallies, "with tallies"};
  clocks_compare_many(&many, seeds_of(40), 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_a_resistor_takes_is_what_its_capacitor_has_lost),
      cmocka_unit_test(energies_and_squares_of_a_ball),
      cmocka_unit_test(what_is_rectified_is_added_up_from_zero_to_zero),
      cmocka_unit_test(converters_give_out_what_they_take),
      cmocka_unit_test(samples_in_between_change_nothing),
      cmocka_unit_test(what_looks_at_something_without_a_closed_form_moves_with_it),
      cmocka_unit_test(three_that_are_alike_are_too_many_for_one_tally),
      cmocka_unit_test(what_guards_or_laws_read_is_no_tally),
      cmocka_unit_test(models_do_the_same_with_tallies_and_as_a_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
