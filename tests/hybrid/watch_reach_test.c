/* SPDX-License-Identifier: BSD-3-Clause
 * How far ahead guards on exact flows are looked for. */
#include "hybrid/watch_parts.h"

#include "support/waiting.h"

/* A machine that reads a flow, in its first state. */
static void wait(Begun *run) {
  begun(run, "model Discharge {\n C c(0.5) start e = 8; R w(2); 0 n; n -> c; n -> w\n"
             " machine M { off no initial; on yes; no -> yes when n.e < 3 }\n" LAMP, 10);
}

static void what_was_never_left_is_looked_for_to_the_end(void **state) {
  (void)state;
  Begun run;
  wait(&run);
  CHECK_NEAR(hbg_watch_reach(&run.sim->local->watches, 0, 7), 7, 0);
  begun_end(&run);
}

static void what_was_left_is_looked_for_a_little_longer_than_it_lasted(void **state) {
  (void)state;
  Begun run;
  wait(&run);
  HbgWatches *watches = &run.sim->local->watches;
  watches->asked[0] = (HbgAsked){.reads_flows = true, .state = 0, .since = 0, .until = (double)INFINITY};
  run.sim->time = 0.5;
  hbg_watch_note_asked(run.sim, watches, 0);
  CHECK_NEAR(hbg_watch_reach(watches, 0, 7), 1.25 * 0.5, 1e-15);
  begun_end(&run);
}

static void what_lasts_longer_is_looked_for_four_times_as_long(void **state) {
  (void)state;
  Begun run;
  wait(&run);
  HbgWatches *watches = &run.sim->local->watches;
  watches->asked[0] = (HbgAsked){.reads_flows = true, .state = 0, .since = 0, .until = 0.5};
  run.sim->time = 0.5;
  hbg_watch_note_asked(run.sim, watches, 0);
  CHECK_NEAR(hbg_watch_reach(watches, 0, 7), 4 * 0.5, 1e-15);
  begun_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_was_never_left_is_looked_for_to_the_end),
      cmocka_unit_test(what_was_left_is_looked_for_a_little_longer_than_it_lasted),
      cmocka_unit_test(what_lasts_longer_is_looked_for_four_times_as_long),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
