/* SPDX-License-Identifier: BSD-3-Clause
 * The models of the gallery behave as their pages say: against the data beside them, and against closed forms for
 * other parameters. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/command.h"
#include "support/expectations.h"

#ifndef HBG_PROGRAM
#define HBG_PROGRAM "build/hybrsim"
#define HBG_SOURCE_FOLDER "."
#endif
#define MODELS HBG_SOURCE_FOLDER "/models"

/* The event table of a model with some options; the exit status has to be `status`. */
__attribute__((format(printf, 3, 4))) static Table events(const char *model, int status, const char *format, ...) {
  char options[1024], arguments[2048];
  va_list list;
  va_start(list, format);
  vsnprintf(options, sizeof options, format, list);
  va_end(list);
  snprintf(arguments, sizeof arguments, "events '" MODELS "/%s/%s.hbg' --format csv --quiet %s", model, model, options);
  Outcome outcome = command_run(arguments);
  if (outcome.status != status) fail_msg("hybrsim %s: exit status %d\n%s", arguments, outcome.status, outcome.errors);
  const Table table = table_read(outcome.output);
  outcome_free(&outcome);
  return table;
}

static void check_near(const Table *table, int row, const char *column, double expected, double tolerance) {
  const double actual = table_number(table, row, column);
  if (fabs(actual - expected) <= tolerance * fmax(1, fabs(expected))) return;
  fail_msg("row %d: %s should be %.17g and is %.17g (difference %.3g)", row + 1, column, expected, actual,
           actual - expected);
}

static void check_word(const Table *table, int row, const char *column, const char *expected) {
  assert_string_equal(table_text(table, row, column), expected);
}

/* --- The data beside the models ------------------------------------------------------------------------------------ */

#define GALLERY(X)                                                              \
  X(the_bullet_stays_in_the_wood, "bullet-wood")                                \
  X(bodies_part_with_their_restitution, "elastic-collision")                    \
  X(the_cradle_repeats_both_tables, "newtons-cradle")                           \
  X(a_force_breaks_stiction_and_the_printed_guards_loop, "breakaway")           \
  X(capacitors_share_charge_and_lose_energy, "two-capacitors")                  \
  X(the_diode_takes_the_current_over, "diode-inductor")                         \
  X(the_ball_bounces_until_the_bounces_accumulate, "bouncing-ball")             \
  X(the_last_touching_ball_takes_all, "touching-cradle")                        \
  X(the_second_valve_opens_with_the_first, "tank-valves")                       \
  X(the_rod_sticks_or_slides, "falling-rod")                                    \
  X(the_disc_conserves_energy, "disc-and-rope")                                 \
  X(wagons_couple_one_after_the_other, "shunting")                              \
  X(the_charger_goes_through_its_stages, "battery-charger") \
  X(the_converter_holds_its_current, "sliding-converter")

#define GALLERY_TEST(name, folder)                                        \
  static void name(void **state) {                                        \
    (void)state;                                                          \
    check_expectations(MODELS "/" folder, "expected.txt", folder ".hbg"); \
  }
GALLERY(GALLERY_TEST)
#undef GALLERY_TEST

/* --- Closed forms for other parameters ----------------------------------------------------------------------------- */

/* Bounce k (1, 2, ...) of a ball dropped from h: t1 (1 + 2 (r + ... + r^(k-1))), t1 = sqrt(2 h/g). */
static void sixty_bounces_follow_the_closed_form(void **state) {
  (void)state;
  const double first = sqrt(2 / 9.81), speed = sqrt(2 * 9.81), restitution = 0.8;
  Table table = events("bouncing-ball", 3, "%s", "");
  int bounces = 0;
  double time = first, factor = restitution;
  for (int row = 0; row < table.row_count; row++) {
    if (strcmp(table_text(&table, row, "kind"), "pinnacle") != 0) continue;
    check_near(&table, row, "time", time, 1e-9);
    check_near(&table, row, "ball.p", factor * speed, 1e-7);
    time += 2 * first * factor;
    factor *= restitution;
    bounces++;
  }
  assert_in_range(bounces, 60, 1000);
  table_free(&table);
}

static void the_last_ball_takes_all_in_any_row(void **state) {
  (void)state;
  for (int count = 2; count <= 30; count += count == 2 ? 3 : 25) {
    Table table = events("touching-cradle", 0, "--set N=%d", count);
    const int last = table.row_count - 1;
    for (int ball = 1; ball <= count; ball++) {
      char column[32];
      snprintf(column, sizeof column, "ball[%d].p", ball);
      check_near(&table, last, column, ball == count ? 1 : 0, 1e-12);
    }
    check_near(&table, last, "time", 0, 0);
    check_near(&table, last, "eps", count - 1, 0);
    table_free(&table);
  }
}

typedef struct Cradle {
  double m1, m2, m3, v1, restitution, limit, threshold;
} Cradle;

static void check_cradle_row(const Table *table, int row, const char *kind, const char *f13, const char *f23,
                             const double p[3]) {
  check_word(table, row, "kind", kind);
  check_word(table, row, "F13", f13);
  check_word(table, row, "F23", f23);
  check_near(table, row, "body1.p", p[0], 1e-12);
  check_near(table, row, "body2.p", p[1], 1e-12);
  check_near(table, row, "body3.p", p[2], 1e-12);
}

/* Body 1 against bodies 2 and 3 as one; when the impulse from 3 to 2 is too much, against body 3 alone. */
static void check_cradle(const Cradle *c) {
  const double before[3] = {c->m1 * c->v1, 0, 0};
  const double both = (1 + c->restitution) * c->m1 * c->v1 / (c->m1 + c->m2 + c->m3);
  const double together[3] = {c->m1 * c->v1 - (c->m2 + c->m3) * both, c->m2 * both, c->m3 * both};
  const double alone = (1 + c->restitution) * c->m1 * c->v1 / (c->m1 + c->m3);
  const double broken[3] = {c->m1 * c->v1 - c->m3 * alone, 0, c->m3 * alone};
  const bool breaks = c->m2 * both > c->limit, loops = breaks && alone < c->threshold;

  Table table = events("newtons-cradle", loops ? 3 : 0,
                       "--set m1=%.17g --set m2=%.17g --set m3=%.17g --set v1=%.17g --set restitution=%.17g"
                       " --set F_th=%.17g --set v_th=%.17g",
                       c->m1, c->m2, c->m3, c->v1, c->restitution, c->limit, c->threshold);
  if (!loops) {
    int row = 0;
    check_near(&table, 0, "time", 0.2 / c->v1, 1e-12);
    check_cradle_row(&table, row++, "before", "off", "on", before);
    check_cradle_row(&table, row++, breaks ? "mythical" : "pinnacle", "on", "on", together);
    if (breaks) check_cradle_row(&table, row++, "pinnacle", "on", "off", broken);
    check_cradle_row(&table, row++, "continuous", "off", breaks ? "off" : "on", breaks ? broken : together);
    assert_int_equal(table.row_count, row);
  }
  table_free(&table);
}

static void the_cradle_is_right_for_other_masses_restitutions_and_thresholds(void **state) {
  (void)state;
  static const Cradle cradles[] = {
      {1, 1, 1, 1, 0.8, 0.95, 0.3},     {1, 1, 1, 1, 0.8, 0.5, 0.3},      {2, 1, 1, 1, 1, 0.9, 0.3},
      {3, 0.5, 2, 2, 0.3, 0.8, 0.2},    {0.1, 2, 3, 5, 0.9, 0.2, 0.1},    {1, 1e-3, 1, 1, 0.5, 1e-4, 0.3},
      {1, 1000, 1, 1, 0.5, 1, 0.3},     {1, 1000, 1, 1, 0.5, 2, 0.3},     {1e-3, 1, 1, 300, 0.7, 10, 0.3},
      {1, 1, 1, 0.84, 0.8, 0.5, 0.3},   {1, 1, 1, 0.82, 0.8, 0.5, 0.3},   {1, 1, 1, 1, 0.8, 0.5, 0.91},
      {5, 1, 0.2, 1.5, 0.05, 1.2, 0.3}, {5, 1, 0.2, 1.5, 0.05, 1.4, 0.3},
  };
  for (size_t i = 0; i < sizeof cradles / sizeof *cradles; i++) check_cradle(&cradles[i]);
}

static void charge_is_shared_by_any_two_capacitors(void **state) {
  (void)state;
  static const double sets[][4] = {
      {2, 1, 3, 0}, {1e-6, 1e-3, 5, -5}, {1, 1, 1, -1}, {0.3, 7, -2, 11}, {1e-12, 1, 400, 0.1}};
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    const double *s = sets[i], voltage = (s[0] * s[2] + s[1] * s[3]) / (s[0] + s[1]);
    Table table = events("two-capacitors", 0, "--set C1=%.17g --set C2=%.17g --set v1=%.17g --set v2=%.17g", s[0], s[1],
                         s[2], s[3]);
    const int last = table.row_count - 1;
    const double scale = fmax(fabs(s[0] * s[2]), fabs(s[1] * s[3]));
    assert_true(fabs(table_number(&table, last, "left.q") - s[0] * voltage) <= 1e-12 * scale);
    assert_true(fabs(table_number(&table, last, "right.q") - s[1] * voltage) <= 1e-12 * scale);
    table_free(&table);
  }
}

/* Impulses of the floor on a uniform rod of mass 1 and half length 1 that falls with velocity 1: stuck, when friction
 * can hold it, else sliding; see models/falling-rod/README.md. */
static void check_rod(double degrees, double friction) {
  const double theta = degrees * (acos(-1) / 180), s = sin(theta), c = cos(theta);
  const bool slides = 3 * s * c / (1 + 3 * s * s) > friction;
  const double up = slides ? 1 / (1 + 3 * c * c - 3 * friction * s * c) : (1 + 3 * s * s) / 4;
  const double aside = slides ? -friction * up : -3 * s * c / 4;
  Table table = events("falling-rod", 0, "--set 'theta=%.17g [deg]' --set mu=%.17g", degrees, friction);
  int row = 0;
  while (row < table.row_count - 1 && strcmp(table_text(&table, row, "kind"), "pinnacle") != 0) row++;
  check_word(&table, row, "kind", "pinnacle");
  check_near(&table, row, "time", 0.1, 1e-10);
  check_word(&table, row, "stick.state", slides ? "slide_right" : "stuck");
  check_near(&table, row, "x.p", aside, 1e-10);
  check_near(&table, row, "y.p", up - 1, 1e-10);
  check_near(&table, row, "spin.p", c * up + s * aside, 1e-10);
  table_free(&table);
}

static void the_rod_is_right_at_any_inclination(void **state) {
  (void)state;
  static const double degrees[] = {10, 26.5, 45, 60, 85}, frictions[] = {0, 0.2, 0.5, 0.7, 1};
  for (int i = 0; i < 5; i++) {
    for (int k = 0; k < 5; k++) check_rod(degrees[i], frictions[k]);
  }
}

/* --- main ---------------------------------------------------------------------------------------------------------- */

int main(void) {
  command_setup(HBG_PROGRAM);
  const struct CMUnitTest tests[] = {
#define GALLERY_ENTRY(name, folder) cmocka_unit_test(name),
      GALLERY(GALLERY_ENTRY)
#undef GALLERY_ENTRY
      cmocka_unit_test(sixty_bounces_follow_the_closed_form),
      cmocka_unit_test(the_last_ball_takes_all_in_any_row),
      cmocka_unit_test(the_cradle_is_right_for_other_masses_restitutions_and_thresholds),
      cmocka_unit_test(charge_is_shared_by_any_two_capacitors),
      cmocka_unit_test(the_rod_is_right_at_any_inclination),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
