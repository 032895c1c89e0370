/* SPDX-License-Identifier: BSD-3-Clause
 * Small models that each witness one thing the engine has to do, with their results from closed forms: for every name
 * below there is NAME.hbg and NAME.txt in tests/models/witnesses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/command.h"
#include "support/expectations.h"

#ifndef HBG_PROGRAM
#define HBG_PROGRAM "build/hybrsim"
#define HBG_SOURCE_FOLDER "."
#endif

#define WITNESSES(X)                                                                     \
  X(a_source_fills_a_capacitor_at_once, "battery")                                       \
  X(a_coil_takes_no_part_in_a_jump_of_charge, "three-elements")                          \
  X(charge_and_momentum_are_exchanged_across_a_gyrator, "gyrator")                       \
  X(a_lever_weighs_the_momentum_that_passes, "lever")                                    \
  X(nonlinear_storages_share_what_they_store, "nonlinear-storage")                       \
  X(two_contacts_at_once_are_one_projection, "two-at-once")                              \
  X(an_impulse_exceeds_any_pressure_and_not_any_impulse, "relief-valve")                 \
  X(dry_friction_comes_to_rest_and_tears_off, "dry-friction")                            \
  X(a_contact_force_needs_the_derivative_of_a_source, "cam-follower")                    \
  X(a_pendulum_of_two_dependent_inertias_keeps_its_period, "pendulum")                   \
  X(two_tanks_come_to_their_steady_state, "two-tanks")                                   \
  X(a_rectifier_starts_and_stops_with_its_source, "rectifier")                           \
  X(pulses_are_hit_exactly, "pulses")                                                    \
  X(noise_is_the_same_by_another_hand, "noise")                                          \
  X(contradicting_sources_are_named, "contradiction")                                    \
  X(parallel_diodes_share_a_current_in_any_way, "parallel-diodes")                       \
  X(a_bridge_of_diodes_needs_no_bleeders, "bridge")                                      \
  X(a_boost_converter_infers_its_diode, "boost")                                         \
  X(converters_on_one_source_run_as_if_alone, "converters")                              \
  X(so_they_do_beside_what_bends, "beside-what-bends")                                   \
  X(a_block_on_a_belt_sticks_and_slips, "stick-slip")                                    \
  X(a_rod_leaves_its_cam_and_lands_again_in_every_turn, "cam-return")                    \
  X(two_balls_come_to_rest_one_after_the_other, "two-accumulations")                     \
  X(an_inelastic_collapse_ends_at_rest, "collapse")                                      \
  X(no_collision_of_a_line_of_balls_is_missed, "billiard")                               \
  X(a_ball_is_hit_from_two_sides_at_once, "two-sided-impact")                            \
  X(a_ball_stays_on_a_falling_table_while_it_can, "falling-table")                       \
  X(a_ball_rides_on_a_table_that_swings, "moving-table")                                \
  X(springs_by_stiffness_have_units, "stiffness")                                       \
  X(sensors_and_controllers_begin_at_rest, "at-rest")                                   \
  X(neither_order_nor_direction_matters, "order")

#define WITNESS_TEST(name, file)                                                          \
  static void name(void **state) {                                                        \
    (void)state;                                                                          \
    check_expectations(HBG_SOURCE_FOLDER "/tests/models/witnesses", file ".txt", file ".hbg"); \
  }
WITNESSES(WITNESS_TEST)
#undef WITNESS_TEST

int main(void) {
  command_setup(HBG_PROGRAM);
  const struct CMUnitTest tests[] = {
#define WITNESS_ENTRY(name, file) cmocka_unit_test(name),
      WITNESSES(WITNESS_ENTRY)
#undef WITNESS_ENTRY
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
