/* SPDX-License-Identifier: BSD-3-Clause
 * What machines do together: events, priorities, nested states, memory, regions. */
#include "support/simulated.h"

#define HEAD "model M { event alarm, reset\n"

static void an_event_is_heard_in_the_next_examination_only(void **state) {
  (void)state;
  // b hears it at once; c listens from then on, too late
  Simulated run = simulated_events(HEAD " machine a = A; machine b = B; machine c = C\n"
                                   " machine A { off x initial; on y; x -> y after 1 send alarm }\n"
                                   " machine B { off x initial; on y; x -> y when alarm }\n"
                                   " machine C { off x initial, z; on y; x -> z when b in y; z -> y when alarm } stop 2 }");
  CHECK_STORY(&run, "1: before(-1,0) x x x | mythical(0,0) y x x | mythical(0,1) y y x | continuous(0,2) y y z");
  simulated_end(&run);
}

static void events_pass_through_arguments_and_several_at_once(void **state) {
  (void)state;
  Simulated run = simulated(HEAD " machine a = Button(alarm); machine b = Listener(alarm); machine c = Listener(reset)\n"
                            " machine Button(pressed) { off x initial; on y; x -> y after 1 send pressed, reset }\n"
                            " machine Listener(e) { var heard = 0; off x initial; x -> x when e do heard := heard + 1 } stop 2 }",
                            "b.heard; c.heard", NULL);
  CHECK_NEAR(simulated_last(&run, "b.heard"), 1, 0);
  CHECK_NEAR(simulated_last(&run, "c.heard"), 1, 0);
  simulated_end(&run);
}

static void events_to_and_fro_without_end_are_proven(void **state) {
  (void)state;
  Simulated run = simulated_try(HEAD " machine a = Player(alarm, reset, time >= 1); machine b = Player(reset, alarm, false)\n"
                                " machine Player(hears, says, begins) { var served = false; off x initial\n"
                                "  x -> x when hears send says; x -> x when begins and not served do served := true send says } stop 2 }",
                                NULL, NULL);
  assert_true(simulated_failed_with(&run, "endless loop"));
  simulated_end(&run);
}

static void the_smaller_priority_is_taken(void **state) {
  (void)state;
  Simulated run = simulated_events(HEAD " machine m = P; machine n = Q\n"
                                   " machine P { off x initial; on a, b, c; x -> a when time >= 1\n"
                                   "  x -> b when time >= 1 priority 2; x -> c when time >= 1 priority 1 }\n"
                                   " machine Q { off x initial; on a, b; x -> a when time >= 1 priority 3; x -> b when time >= 2 priority 1 } stop 2 }");
  CHECK_STORY(&run, "1: before(-1,0) x x | continuous(0,0) c a");
  assert_int_equal(hbg_run_warning_count(run.run), 0); // decided on purpose
  simulated_end(&run);
}

static void a_transition_of_the_outer_state_holds_for_all_inside_and_goes_first(void **state) {
  (void)state;
  Simulated run = simulated_events(HEAD " machine m = N; machine N { off idle initial\n"
                                   "  on working { off cold initial; on warm; cold -> warm after 1; warm -> cold after 1 }\n"
                                   "  idle -> working after 1; working -> idle after 2 } stop 6.5 }");
  // entered at 1, warm at 2; at 3 both want: the outer one; and again from 4 on
  CHECK_STORY(&run, "1: before(-1,0) idle | continuous(0,0) working.cold\n"
                    "2: before(-1,0) working.cold | continuous(0,0) working.warm\n"
                    "3: before(-1,0) working.warm | continuous(0,0) idle\n"
                    "4: before(-1,0) idle | continuous(0,0) working.cold\n"
                    "5: before(-1,0) working.cold | continuous(0,0) working.warm\n"
                    "6: before(-1,0) working.warm | continuous(0,0) idle");
  simulated_end(&run);
}

static void time_in_an_outer_state_goes_on_while_the_inner_one_changes(void **state) {
  (void)state;
  Simulated run = simulated(HEAD " machine m = N; machine N { off done\n"
                            "  on working initial { on a initial, b; a -> b after 0.3; b -> a after 0.3 }\n"
                            "  working -> done after 1 [s] } stop 2 }",
                            "m.state", NULL);
  CHECK_NEAR(simulated_instant(&run, simulated_instants(&run) - 1), 1, 0);
  assert_int_equal(simulated_instants(&run), 4);
  simulated_end(&run);
}

static void states_are_asked_for_at_every_level(void **state) {
  (void)state;
  Simulated run = simulated("model In { signal whole = if m in working then 1 else 0, part = if m in working.warm then 1 else 0,\n"
                            "   short = if m in warm then 1 else 0, type = if m in on then 1 else 0\n machine m = N\n"
                            " machine N { off idle; on working initial { off cold initial; on warm; cold -> warm after 1 }\n"
                            "  working -> idle after 2 } stop 3 }",
                            "whole; part; short; type", NULL);
  static const double expected[3][4] = {{1, 0, 0, 0}, {1, 1, 1, 1}, {0, 0, 0, 0}};
  static const char *const names[4] = {"whole", "part", "short", "type"};
  for (int i = 0; i < 3; i++)
    for (int column = 0; column < 4; column++)
      CHECK_NEAR(simulated_value(&run, simulated_row_at(&run, i + 0.5), names[column]), expected[i][column], 0);
  simulated_end(&run);
}

static void the_junction_follows_the_innermost_state(void **state) {
  (void)state;
  // a current of 1 A goes through the valve while it is warm, else nowhere: the charge is 1 C
  Simulated run = simulated("model V { Se u(1); 1 valve by N; R r(1); u -> valve -> r; signal charge = integral(r.f)\n"
                            " machine N { on working initial { off cold initial; on warm; cold -> warm after 1 }; off idle; working -> idle after 2 } stop 3 }",
                            "charge", NULL);
  CHECK_NEAR(simulated_last(&run, "charge"), 1, 1e-9);
  simulated_end(&run);
}

static void a_state_with_memory_goes_on_where_it_was_left(void **state) {
  (void)state;
  Simulated run = simulated_events("model Wash { machine m = Washer(pulse(1.5, 0.5)); machine Washer(press) { off paused\n"
                                   "  on running initial history { on filling initial, washing, spinning\n"
                                   "    filling -> washing after 1; washing -> spinning after 2 }\n"
                                   "  running -> paused when press > 0; paused -> running when press = 0 } stop 5 }");
  // the time in a state begins anew
  CHECK_STORY(&run, "1: before(-1,0) running.filling | continuous(0,0) running.washing\n"
                    "1.5: before(-1,0) running.washing | continuous(0,0) paused\n"
                    "2: before(-1,0) paused | continuous(0,0) running.washing\n"
                    "4: before(-1,0) running.washing | continuous(0,0) running.spinning");
  simulated_end(&run);
}

static void entering_and_leaving_act_from_the_outside_in_and_back(void **state) {
  (void)state;
  // the order is written as figures: entering 1 (outer) 2 (inner), leaving 3 (inner) 4 (outer)
  Simulated run = simulated("model Order { machine m = N; machine N { var entered = 0, left = 0, both = 0; off idle initial, rest\n"
                            "  on working { on a initial; enter a do entered := 2, both := 2; leave a do left := 3, both := 3 }\n"
                            "  enter working do both := 1; leave working do both := 4\n"
                            "  idle -> working after 1; working -> rest after 1 } stop 3 }",
                            "m.entered; m.left; m.both", NULL);
  CHECK_NEAR(simulated_at(&run, 1, "m.entered"), 2, 0);
  CHECK_NEAR(simulated_at(&run, 1, "m.both"), 2, 0); // the inner state is entered last
  CHECK_NEAR(simulated_at(&run, 2, "m.left"), 3, 0);
  CHECK_NEAR(simulated_at(&run, 2, "m.both"), 4, 0); // the outer state is left last
  simulated_end(&run);
}

static void regions_run_side_by_side_while_their_state_is_entered(void **state) {
  (void)state;
  Simulated run = simulated_events(HEAD " machine m = N; machine N { off idle initial\n"
                                   "  on working {\n"
                                   "   region fast { off x initial; on y; x -> y after 0.5; y -> x after 0.5 }\n"
                                   "   region slow { off x initial; on y; x -> y after 0.8 } }\n"
                                   "  idle -> working after 1; working -> idle after 1 } stop 3.6 }");
  CHECK_STORY(&run, "1: before(-1,0) idle none none | continuous(0,0) working x x\n"
                    "1.5: before(-1,0) working x x | continuous(0,0) working y x\n"
                    "1.8: before(-1,0) working y x | continuous(0,0) working y y\n"
                    "2: before(-1,0) working y y | continuous(0,0) idle none none\n"
                    "3: before(-1,0) idle none none | continuous(0,0) working x x\n"
                    "3.5: before(-1,0) working x x | continuous(0,0) working y x");
  simulated_end(&run);
}

static void regions_share_the_variables_and_arguments_of_their_machine(void **state) {
  (void)state;
  Simulated run = simulated("model Share { machine m = N(0.25); machine N(t) { var total = 0; on all initial\n"
                            "  region a { var own = 0; off x initial; x -> x after t do total := total + 1, own := own + 1 }\n"
                            "  region b { off x initial; on y; x -> y when total >= 3 } } stop 2.1 }",
                            "m.total; m.a.own; m.b.state", NULL);
  CHECK_NEAR(simulated_last(&run, "m.total"), 8, 0);
  CHECK_NEAR(simulated_last(&run, "m.a.own"), 8, 0);
  CHECK_NEAR(simulated_last(&run, "m.b.state"), 1, 0);
  simulated_end(&run);
}

static void a_traffic_light_keeps_its_times(void **state) {
  (void)state;
  // a round of 30 + 2 + 20 + 3 s
  Simulated run = simulated_events("model Light { machine m = Light; machine Light { on red initial, red_yellow, green, yellow\n"
                                   "  red -> red_yellow after 30; red_yellow -> green after 2; green -> yellow after 20; yellow -> red after 3 } stop 111 }");
  static const double first[4] = {30, 32, 52, 55};
  assert_int_equal(simulated_instants(&run), 8);
  for (int which = 0; which < 8; which++) CHECK_NEAR(simulated_instant(&run, which), first[which % 4] + 55 * (which / 4), 0);
  simulated_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_event_is_heard_in_the_next_examination_only),
      cmocka_unit_test(events_pass_through_arguments_and_several_at_once),
      cmocka_unit_test(events_to_and_fro_without_end_are_proven),
      cmocka_unit_test(the_smaller_priority_is_taken),
      cmocka_unit_test(a_transition_of_the_outer_state_holds_for_all_inside_and_goes_first),
      cmocka_unit_test(time_in_an_outer_state_goes_on_while_the_inner_one_changes),
      cmocka_unit_test(states_are_asked_for_at_every_level),
      cmocka_unit_test(the_junction_follows_the_innermost_state),
      cmocka_unit_test(a_state_with_memory_goes_on_where_it_was_left),
      cmocka_unit_test(entering_and_leaving_act_from_the_outside_in_and_back),
      cmocka_unit_test(regions_run_side_by_side_while_their_state_is_entered),
      cmocka_unit_test(regions_share_the_variables_and_arguments_of_their_machine),
      cmocka_unit_test(a_traffic_light_keeps_its_times),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
