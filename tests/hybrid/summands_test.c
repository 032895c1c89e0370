/* SPDX-License-Identifier: BSD-3-Clause
 * Integrals of long sums are integrals of their terms: which ones, what they are, and that nobody sees it. Numbers are closed forms. */
#include "hybrid/summands.h"

#include "support/elaborated.h"
#include "support/in_parts.h"
#include "support/seeds.h"
#include "support/random_graph.h"
#include "support/simulated.h"

/* ---- which ---- */

static void check_count(const char *text, int32_t expected) {
  Elaborated made;
  elaborated_begin(&made, text);
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgSummands summands;
  const HbgFlatModel *apart = hbg_summands_apart(&made.model, &summands, &arena);
  if (summands.count != expected) fail_msg("%d integrals more, not %d: %s", summands.count, expected, text);
  assert_int_equal(apart->state_count, made.model.state_count + expected);
  assert_int_equal(apart == &made.model, expected == 0);
  hbg_arena_release_all(&arena);
  elaborated_end(&made);
}

/* Six capacitors that discharge, what their resistors turn into heat altogether as `P[6]`, and `rest`. */
static void check_sum(const char *rest, int32_t expected) {
  char text[900];
  snprintf(text, sizeof text, "model Heat {\n signal P[0] = 0\n for i in 1..6 { 0 n[i]; C c[i](1) start e = 1; R r[i](i); n[i] -> c[i]; n[i] -> r[i]; signal P[i] = P[i-1] + n[i].e*r[i].f }\n%s }", rest);
  check_count(text, expected);
}

static void long_sums_are_taken_apart(void **state) {
  (void)state;
  check_sum(" signal Q = integral(P[6])\n", 5);
  check_sum(" signal Q = integral(-0.5*(P[6] - 1))\n", 5);
  check_sum(" signal Q = integral(P[6]), U = integral(2 - P[5] - P[6])\n", 5 + 5);
}

static void short_ones_and_what_is_read_are_not(void **state) {
  (void)state;
  check_sum(" signal Q = integral(P[4])\n", 0);
  check_sum(" signal Q = integral(P[6]); for i in 1..5 { 1 t[i]; R x[i](1); n[i] -> t[i] -> n[i+1]; t[i] -> x[i] }\n", 0); // one part
  check_sum(" signal Q = integral(P[6]); for i in 1..5 { 1 t[i]; MR x[i](1 + n[1].e); I y[i](1); t[i] -> x[i]; t[i] -> y[i] }; signal U = integral(P[6] + n[1].e*n[2].e)\n", 5 + 4);
  check_sum(" signal Q = integral(sqrt(P[6]))\n", 0);
  check_sum(" signal Q = integral(P[6]*n[1].e)\n", 0);
  check_sum(" signal Q = integral(P[6]), U = integral(Q)\n", 0);
  check_sum(" signal Q = integral(P[6]); MSf s(Q); 0 a; C b(1); R d(1); s -> a; a -> b; a -> d\n", 0);
  check_sum(" signal Q = integral(P[6])\n machine m = M(Q)\n machine M(x) { off no initial; on yes; no -> yes when x > 1 }\n", 0);
  check_sum(" signal Q = integral(P[6]), D = delay(Q, 1)\n", 0);
}

static void sums_that_double_each_other_do_not_take_for_ever(void **state) {
  (void)state;
  check_count("model Twice {\n C c(1) start e = 1; R r(1); 0 n; n -> c; n -> r\n signal s[0] = sin(n.e)\n for i in 1..60 { signal s[i] = s[i-1] + cos(s[i-1]) + s[i-1] }\n signal Q = integral(s[60])\n}", 0);
}

/* ---- what they are ---- */

static const char lossy[] =
    "model Heat(N = 9) {\n signal P[0] = 0\n"
    " for i in 1..N { 0 n[i]; C c[i](1) start e = 1; R r[i](0.5 + 0.1*i); n[i] -> c[i]; n[i] -> r[i]; signal P[i] = P[i-1] + n[i].e*r[i].f; machine m[i] = M(n[i].e) }\n"
    " signal Q = integral(P[N], start = 3), R2 = integral(1 - 2*P[N])\n"
    " machine M(x) { off high initial; on low; high -> low when x < 0.5 }\n stop 2\n}";

static double heat(double t) {
  double sum = 0;
  for (int i = 1; i <= 9; i++) sum += 0.5 * (1 - exp(-2 * t / (0.5 + 0.1 * i)));
  return sum;
}

static void they_are_what_the_integral_of_the_sum_is(void **state) {
  (void)state;
  Simulated run = simulated(lossy, "Q; R2; Q + R2", NULL);
  assert_int_equal(hbg_run_statistics(run.run).events, 9);
  for (int at = 0; at < run.row_count; at++) {
    const double t = run.rows[at].row.time, *values = run.rows[at].values;
    CHECK_NEAR(values[0], 3 + heat(t), 1e-9);
    CHECK_NEAR(values[1], t - 2 * heat(t), 1e-9);
    CHECK_NEAR(values[2], 3 + t - heat(t), 1e-9);
  }
  simulated_end(&run);
}

static void an_integral_that_is_set_goes_on_from_there(void **state) {
  (void)state;
  HbgModel *model = simulated_model(lossy);
  HbgRun *run = simulated_start(model);
  const int32_t quantity = simulated_find(run, "Q"), other = simulated_find(run, "R2");
  HbgRow row;
  while (hbg_run_next(run, &row) == HBG_OK && row.time < 1) {}
  const double t = row.time;
  assert_int_equal(hbg_run_set(run, &(HbgStoredValue){"Q", -7}, 1, NULL), HBG_OK);
  while (hbg_run_next(run, &row) == HBG_OK) {
    CHECK_NEAR(hbg_run_read(run, quantity), -7 + heat(row.time) - heat(t), 1e-9);
    CHECK_NEAR(hbg_run_read(run, other), row.time - 2 * heat(row.time), 1e-9);
  }
  hbg_run_free(run);
  hbg_model_free(model);
}

/* ---- random parts ---- */

static void add_part(HbgText *text, Random *random, int i) {
  const double r = 0.2 + random_real(random), c = 0.2 + random_real(random);
  hbg_text_add(text, " 1 a%d by Relay(b%d.e); 0 b%d; C c%d(%g) start e = %g; R r%d(%g), l%d(%g); Se u%d(%s); u%d -> a%d -> b%d; a%d -> r%d; b%d -> c%d; b%d -> l%d\n", i, i, i, i, c, random_real(random), i, r, i, 3 * r, i,
               random_chance(random, 0.5) ? "1" : "1 + 0.1*sin(3*time)", i, i, i, i, i, i, i, i, i);
  hbg_text_add(text, " signal p%d = p%d + %s\n", i, i - 1, random_chance(random, 0.5) ? "1 - time" : "0");
}

static void sums_over_random_parts_do_the_same_in_parts_as_they_do_as_a_whole(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(20);
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    Random random = {(uint64_t)seed};
    HbgArena arena = hbg_arena((HbgAllocator){0});
    HbgText text = hbg_text(&arena);
    const int parts = 3 + random_below(&random, 6);
    hbg_text_add(&text, "model Sum {\n signal p0 = 0\n");
    for (int i = 1; i <= parts; i++) add_part(&text, &random, i);
    hbg_text_add(&text, " signal Q = integral(p%d", parts);
    for (int i = 1; i <= parts; i++) hbg_text_add(&text, " %c %sa%d.f*r%d.e", random_chance(&random, 0.7) ? '+' : '-', random_chance(&random, 0.3) ? "2*" : "", i, i);
    hbg_text_add(&text, ")\n machine Relay(e) { on charging initial; off resting; charging -> resting when e > 0.6; resting -> charging when e < 0.4 }\n}");
    in_parts_compare_about(text.bytes, 3, false, 10);
    hbg_arena_release_all(&arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(long_sums_are_taken_apart),
      cmocka_unit_test(short_ones_and_what_is_read_are_not),
      cmocka_unit_test(sums_that_double_each_other_do_not_take_for_ever),
      cmocka_unit_test(they_are_what_the_integral_of_the_sum_is),
      cmocka_unit_test(an_integral_that_is_set_goes_on_from_there),
      cmocka_unit_test(sums_over_random_parts_do_the_same_in_parts_as_they_do_as_a_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
