/* SPDX-License-Identifier: BSD-3-Clause
 * Islands: what is connected by power or reads another belongs together; modes are made when entered, and kept. */
#include "support/simulated.h"

static int32_t islands(const char *text, const char *mode) {
  HbgModel *model = simulated_model(text);
  const HbgCausality *causality = NULL;
  if (hbg_model_causality(model, mode, &causality) != HBG_OK) fail_msg("%s", causality ? causality->message : "refused");
  const int32_t count = causality->island_count;
  hbg_causality_free(causality);
  hbg_model_free(model);
  return count;
}

static const char *const chain =
    "model Chain(N = 10) {\n for i in 1..N { I m[i](1); 1 v[i]; v[i] -> m[i] }\n for i in 1..N-1 { 0 c[i] by M; v[i] -> c[i] -> v[i+1] }\n"
    " machine M { off apart initial; on joined }\n stop 1\n}";

static void junctions_that_are_off_divide_the_graph(void **state) {
  (void)state;
  assert_int_equal(islands(chain, ""), 10);
  assert_int_equal(islands(chain, "c[1]=on"), 9);
  assert_int_equal(islands(chain, "c[1]=on,c[2]=on,c[7]=on"), 7);
}

static int64_t modes_of(const char *text) {
  HbgRunOptions options = hbg_run_options();
  options.events_only = true;
  Simulated run = simulated(text, NULL, &options);
  const int64_t modes = hbg_run_statistics(run.run).modes;
  simulated_end(&run);
  return modes;
}

static void an_ideal_source_on_its_junction_divides_the_graph(void **state) {
  (void)state;
  // branches on one battery, and loads on one shaft: one island each, and the source's own bond
  assert_int_equal(islands("model Branches(N = 3) {\n Se u(1); 0 n; u -> n\n for i in 1..N { C c[i](1); R r[i](1); 1 b[i]; n -> b[i]; b[i] -> r[i]; b[i] -> c[i] }\n stop 1\n}", ""), 4);
  assert_int_equal(islands("model Loads(N = 3) {\n Sf w(sin(time)); 1 n; w -> n\n for i in 1..N { TF g[i](i); R r[i](1); n -> g[i] -> r[i] }\n stop 1\n}", ""), 4);
  // not where an equation needs what the source delivers, or the source follows what is not time
  assert_int_equal(islands("model Read {\n Se u(1); 0 n; u -> n; R a(1), b(1); n -> a; n -> b; MSe w(u.f); R c(1); w -> c\n stop 1\n}", ""), 1);
  assert_int_equal(islands("model Fed {\n MSe u(c.q); 0 n; u -> n; R a(1), b(1); n -> a; n -> b; C c(1); Sf j(1); j -> c\n stop 1\n}", ""), 1);
}

static void many_switches_on_one_battery_have_few_modes(void **state) {
  (void)state;
  // 8 switches at times of their own: up to 256 modes of the whole, a few of each branch
  const char *text = "model Switches(N = 8) {\n Se u(12); 0 bus; u -> bus\n"
                     " for k in 1..N { 1 sw[k] by S(pulse(k/9, k/7, 0.5 + k/5) > 0.5); 0 n[k]; R leak[k](1e3); 1 b[k]; I l[k](1); R r[k](1)\n"
                     "  bus -> sw[k] -> n[k] -> leak[k]; n[k] -> b[k] -> l[k]; b[k] -> r[k] }\n"
                     " machine S(c) { off open initial; on closed; open -> closed when c; closed -> open when not c }\n stop 20\n}";
  assert_true(modes_of(text) <= 8 * 4 + 1);
}

static void what_a_source_delivers_adds_up_impulses_too(void **state) {
  (void)state;
  Simulated run = simulated("model Charge {\n Se u(5); 0 n; u -> n; C a(2), b(3); 1 sa by M; 1 sb by M; 0 na, nb; n -> sa -> na -> a; n -> sb -> nb -> b; R r(10); n -> r\n"
                            " machine M { off open initial; on closed; open -> closed when time >= 1 }\n stop 2\n}",
                            "impulse(u.f); u.f; r.f", NULL);
  for (int at = 0; at < run.row_count; at++) {
    CHECK_NEAR(simulated_value(&run, at, "impulse(u.f)"), run.rows[at].row.kind == HBG_ROW_CONTINUOUS ? 25 : 0, 1e-13);
    CHECK_NEAR(simulated_value(&run, at, "u.f"), 0.5, 1e-13);
  }
  simulated_end(&run);
}

static void reading_a_signal_in_a_law_joins_islands(void **state) {
  (void)state;
  assert_int_equal(islands("model Two {\n Se u(1), w(2); R r(1), s(1); u -> r; w -> s\n stop 1\n}", ""), 2);
  assert_int_equal(islands("model Two {\n Se u(1); MSe w(r.f); R r(1), s(1); u -> r; w -> s\n stop 1\n}", ""), 1);
}

static void what_the_battery_gives_is_summed_up_afterwards(void **state) {
  (void)state;
  Simulated run = simulated("model Branches(N = 3) {\n Se u(6); 0 n; u -> n\n for i in 1..N { R r[i](i); 1 b[i] by M(i); n -> b[i] -> r[i] }\n"
                            " machine M(k) { off open initial; on closed; open -> closed when time >= k }\n stop 4\n}",
                            "u.f", NULL);
  CHECK_NEAR(simulated_value(&run, 0, "u.f"), 0, 0);
  CHECK_NEAR(simulated_at(&run, 1, "u.f"), 6, 1e-14);
  CHECK_NEAR(simulated_at(&run, 2, "u.f"), 9, 1e-14);
  CHECK_NEAR(simulated_at(&run, 3, "u.f"), 11, 1e-14);
  simulated_end(&run);
}

static void modes_are_kept_not_made_again(void **state) {
  (void)state;
  HbgRunOptions options = hbg_run_options();
  options.events_only = true;
  Simulated run = simulated("model Flip {\n Se u(1); 1 g by M; R r(1); C c(1); 0 n; u -> g -> n; n -> r; n -> c\n"
                            " machine M { off a initial; on b; a -> b when pulse(0.5, 0.5, 1) > 0.5; b -> a when pulse(0.5, 0.5, 1) < 0.5 }\n stop 500\n}",
                            NULL, &options);
  assert_true(hbg_run_statistics(run.run).modes < 20);
  assert_true(hbg_run_statistics(run.run).events >= 999);
  simulated_end(&run);
}

static double count_looks(void *user) { return ++*(int *)user; }

/* How often a run of `pairs` equal bodies, each of which meets another one at a time of its own, looks at the clock. */
static int looks_of(int pairs) {
  int looks = 0;
  char text[500];
  snprintf(text, sizeof text, "model Pairs(N = %d) {\n for i in 1..N { I a[i](i) start f = 1; I b[i](1); 1 v[i], w[i]; v[i] -> a[i]; w[i] -> b[i]; 0 c[i] by M(i/N); v[i] -> c[i] -> w[i] }\n"
                              " machine M(t) { off apart initial; on joined; apart -> joined when time >= t }\n stop 1\n}", pairs);
  HbgRunOptions options = hbg_run_options();
  options.events_only = true;
  options.processor_seconds = count_looks;
  options.user = &looks;
  Simulated run = simulated(text, "a[1].p", &options);
  const int instants = simulated_instants(&run);
  simulated_end(&run);
  return looks - 2 * instants; // two for each instant, around everything
}

static void only_what_is_compiled_is_timed(void **state) {
  (void)state;
  assert_int_equal(looks_of(50), looks_of(10));
}

static void a_mode_of_many_machines_costs_only_what_is_at_them(void **state) {
  (void)state;
  // 2000 pairs; each joins at its own time: 2000 different modes of the whole, few programs
  HbgRunOptions options = hbg_run_options();
  options.events_only = true;
  Simulated run = simulated("model Pairs(N = 2000) {\n for i in 1..N { I a[i](1) start f = 1; I b[i](1); 1 v[i], w[i]; v[i] -> a[i]; w[i] -> b[i]; 0 c[i] by M(i/N); v[i] -> c[i] -> w[i] }\n"
                            " machine M(t) { off apart initial; on joined; apart -> joined when time >= t }\n stop 1\n}",
                            "a[1].p; b[2000].p; a[1000].p", &options);
  assert_int_equal(simulated_instants(&run), 2000);
  CHECK_NEAR(simulated_last(&run, "a[1].p"), 0.5, 1e-14);
  CHECK_NEAR(simulated_last(&run, "b[2000].p"), 0.5, 1e-14);
  simulated_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(junctions_that_are_off_divide_the_graph),
      cmocka_unit_test(an_ideal_source_on_its_junction_divides_the_graph),
      cmocka_unit_test(many_switches_on_one_battery_have_few_modes),
      cmocka_unit_test(what_a_source_delivers_adds_up_impulses_too),
      cmocka_unit_test(reading_a_signal_in_a_law_joins_islands),
      cmocka_unit_test(what_the_battery_gives_is_summed_up_afterwards),
      cmocka_unit_test(modes_are_kept_not_made_again),
      cmocka_unit_test(only_what_is_compiled_is_timed),
      cmocka_unit_test(a_mode_of_many_machines_costs_only_what_is_at_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
