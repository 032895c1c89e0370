/* SPDX-License-Identifier: BSD-3-Clause
 * Columns that are expressions, computed together: each is what its parts say to the last bit, as if it were computed alone. */
#include "support/ride.h"

enum { COUNT = 40 };

/* The columns x[1], total[1], x[2], total[2] ... of every row: each total is the one before and its own x. */
static int32_t check_totals(const char *text, double stop) {
  Ride ride;
  const HbgSimOptions options = {.stop = stop, .interval = stop / 20, .tolerance = 1e-8, .method = HBG_METHOD_AUTOMATIC, .sliding = true};
  ride_begin(&ride, text, options, RIDE_TRAJECTORY);
  int32_t x[COUNT], total[COUNT], found = 0;
  for (int32_t column = 0; column < ride.columns; column++) {
    int place;
    const char *name = hbg_sim_column(ride.sim, column)->column.name;
    if (sscanf(name, "x[%d]", &place) == 1) x[place - 1] = column, found++;
    if (sscanf(name, "total[%d]", &place) == 1) total[place - 1] = column, found++;
  }
  assert_int_equal(found, 2 * COUNT);
  for (int32_t row = 0; row < ride.count; row++) {
    double sum = 0;
    for (int at = 0; at < COUNT; at++) {
      sum = at ? sum + ride.values[row][x[at]] : ride.values[row][x[0]];
      CHECK_NEAR(ride.values[row][total[at]], sum, 0);
    }
  }
  const int32_t rows = ride.count;
  assert_int_equal(ride.sim->sheet.count > COUNT / 2, true);
  ride_end(&ride);
  return rows;
}

static void running_totals_are_sums_to_the_last_bit(void **state) {
  (void)state;
  assert_true(check_totals("model Totals(N = 40) {\n for i in 1..N { 0 a[i]; C c[i](1 + 0.1*sin(i)); R r[i](1); Sf s[i](if time > 0.01*i then 1 else 0)\n"
                           "  s[i] -> a[i] -> c[i]; a[i] -> r[i]; signal x[i] = a[i].e; signal total[i] = if i = 1 then x[1] else total[i-1] + x[i] }\n stop 1\n}",
                           1) > 40);
}

static void so_are_those_of_what_slides(void **state) {
  (void)state;
  assert_true(check_totals("model Rubbing(N = 40) {\n for i in 1..N { 1 v[i]; I m[i](1); R rub[i]: e = sign(f); Se pull[i](1.5*sin(3*time + i))\n"
                           "  pull[i] -> v[i] -> m[i]; v[i] -> rub[i]; signal x[i] = rub[i].e; signal total[i] = if i = 1 then x[1] else total[i-1] + x[i] }\n"
                           " stop 2\n}",
                           2) > 40);
}

/* A ball that bounces, with columns of every kind beside each other. */
static const char BALL[] = "model Ball { I ball(1); 1 motion; Se weight(-9.81); 0 floor by Impact(x, motion.f); Sf rebound(-0.8*pre(motion.f))\n"
                           " motion -> ball; weight -> motion; floor -> motion; rebound -> floor\n"
                           " signal x = integral(motion.f, start = 1); signal v = 1*motion.f\n"
                           " signal bends = v*v - 3*x; signal low = x < 0.5; signal before = pre(motion.f)\n"
                           " signal blow = impulse(floor.e); signal way = sign(motion.f); signal mixed = (if x < 0.5 then 2*x else pre(motion.f)) + 1\n"
                           " machine Impact(gap, speed) { off free initial; on touching; free -> touching when gap <= 0 and speed < 0\n"
                           "  touching -> free when pre(speed) > 0 }\n stop 2\n}";

static double value_named(const Ride *ride, int32_t row, const char *name) {
  for (int32_t column = 0; column < ride->columns; column++)
    if (!strcmp(hbg_sim_column(ride->sim, column)->column.name, name)) return ride->values[row][column];
  fail_msg("no column %s", name);
  return NAN;
}

static void what_compares_and_what_is_impulsive_stands_beside_what_does_not(void **state) {
  (void)state;
  Ride ride;
  const HbgSimOptions options = {.stop = 2, .interval = 0.01, .tolerance = 1e-8, .method = HBG_METHOD_AUTOMATIC, .sliding = true};
  ride_begin(&ride, BALL, options, RIDE_TRAJECTORY);
  int32_t blows = 0;
  double committed = 0;  // the speed at the last commitment
  for (int32_t row = 0; row < ride.count; row++) {
    const double x = value_named(&ride, row, "x"), v = value_named(&ride, row, "v"), before = value_named(&ride, row, "before");
    CHECK_NEAR(value_named(&ride, row, "bends"), v*v - 3*x, 0);
    CHECK_NEAR(value_named(&ride, row, "low"), x < 0.5, 0);
    if (row > 0) CHECK_NEAR(value_named(&ride, row, "way"), v < 0 ? -1 : 1, 0);
    CHECK_NEAR(value_named(&ride, row, "mixed"), (x < 0.5 ? 2*x : before) + 1, 0);
    const bool is_before = ride.rows[row].kind == HBG_ROW_BEFORE;
    if (is_before) committed = v;
    const double blow = value_named(&ride, row, "blow");
    if (fabs(blow) > 0) {
      CHECK_NEAR(before, committed, 0);
      CHECK_NEAR(blow, v - committed, 1e-14);
      CHECK_NEAR(v, -0.8*committed, 1e-14);
      blows++;
    }
  }
  assert_int_equal(blows, 3);
  assert_true(ride.sim->sheet.pair_count > 3 && ride.sim->sheet.pair_count < ride.sim->sheet.count);
  ride_end(&ride);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(running_totals_are_sums_to_the_last_bit),
      cmocka_unit_test(so_are_those_of_what_slides),
      cmocka_unit_test(what_compares_and_what_is_impulsive_stands_beside_what_does_not),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
