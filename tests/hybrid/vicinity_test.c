/* SPDX-License-Identifier: BSD-3-Clause
 * Rows that show few states of many, between the ends of long steps. */
#include "support/simulated.h"

enum { MASSES = 90 };

/* Masses on springs that stiffen, with dampers: smooth enough for order 8. */
static const char chain[] = "model Chain {\n param n = 90\n Sf left(0), right(0)\n 1 motion[0], motion[n+1]\n left -> motion[0]\n right -> motion[n+1]\n"
                            " for i in 1..n {\n 1 motion[i]\n I mass[i](1) start f = sin(0.2*i)\n motion[i] -> mass[i]\n }\n"
                            " for i in 0..n {\n 0 link[i]\n 1 stretch[i]\n C spring[i]: e = q + q^3\n R damper[i](0.02)\n"
                            " motion[i] -> link[i] -> motion[i+1]\n link[i] -> stretch[i] -> spring[i]\n stretch[i] -> damper[i]\n }\n"
                            " stop 20\n tolerance 1e-6\n}";

static Simulated run_with(const char *columns) {
  HbgRunOptions options = hbg_run_options();
  options.interval = 0.05;
  return simulated(chain, columns, &options);
}

static void few_columns_show_the_same_bits_as_many(void **state) {
  (void)state;
  char all[2000] = "", word[32];
  for (int mass = 1; mass <= MASSES; mass++) {
    snprintf(word, sizeof word, "%smass[%d].p", mass > 1 ? "; " : "", mass);
    strcat(all, word);
  }
  Simulated many = run_with(all);
  for (int mass = 1; mass <= MASSES; mass += 11) {
    snprintf(word, sizeof word, "mass[%d].p", mass);
    Simulated few = run_with(word);
    assert_int_equal(few.row_count, many.row_count);
    for (int row = 0; row < few.row_count; row++) CHECK_NEAR(few.rows[row].values[0], many.rows[row].values[mass - 1], 0);
    simulated_end(&few);
  }
  simulated_end(&many);
}

static void what_a_cut_off_storage_receives_is_shown_as_well(void **state) {
  (void)state;
  // Newton's law between two links, from what the row shows alone
  Simulated run = run_with("mass[40].e; spring[39].e + damper[39].e - spring[40].e - damper[40].e");
  for (int row = 0; row < run.row_count; row++) CHECK_NEAR(run.rows[row].values[0], run.rows[row].values[1], 1e-14);
  simulated_end(&run);
}

static void few_columns_spare_the_evaluations_of_dense_output(void **state) {
  (void)state;
  Simulated few = run_with("mass[7].p"), many = run_with("mass[7].p; mass[1].p + mass[2].p + mass[3].p + mass[4].p + mass[5].p + mass[6].p + mass[20].p"
                                                         " + mass[30].p + mass[40].p + mass[50].p + mass[60].p + mass[70].p + mass[80].p + mass[90].p");
  const long long spared = (long long)(hbg_run_statistics(many.run).evaluations - hbg_run_statistics(few.run).evaluations);
  const long long steps = (long long)hbg_run_statistics(few.run).steps;
  assert_true(spared > steps && spared <= 3 * steps);
  simulated_end(&few);
  simulated_end(&many);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(few_columns_show_the_same_bits_as_many),
      cmocka_unit_test(what_a_cut_off_storage_receives_is_shown_as_well),
      cmocka_unit_test(few_columns_spare_the_evaluations_of_dense_output),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
