/* SPDX-License-Identifier: BSD-3-Clause
 * Islands: what is connected by power or reads another belongs together; modes are made when entered, and kept. */
#include "support/simulated.h"

static int32_t islands(const char *text, const char *mode) {
  HbgModel *model = simulated_model(text);
  const HbgCausality *causality = NULL;
  const char *message = "";
  if (hbg_model_causality(model, mode, &causality, &message) != HBG_OK) fail_msg("%s", message);
  const int32_t count = causality->island_count;
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
      cmocka_unit_test(reading_a_signal_in_a_law_joins_islands),
      cmocka_unit_test(what_the_battery_gives_is_summed_up_afterwards),
      cmocka_unit_test(modes_are_kept_not_made_again),
      cmocka_unit_test(a_mode_of_many_machines_costs_only_what_is_at_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
