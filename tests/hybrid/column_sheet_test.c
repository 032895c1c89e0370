/* SPDX-License-Identifier: BSD-3-Clause
 * Columns that add up what others have, computed together: each is the sum of its parts to the last bit, as if it were computed alone. */
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(running_totals_are_sums_to_the_last_bit),
      cmocka_unit_test(so_are_those_of_what_slides),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
