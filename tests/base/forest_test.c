/* SPDX-License-Identifier: BSD-3-Clause
 * Who belongs together, against labels that are written anew for each tie. */
#include "base/forest.h"

#include <stdlib.h>

#include "support/check.h"

static void two_have_one_root_just_where_ties_lead_from_one_to_the_other(void **state) {
  (void)state;
  enum { COUNT = 40 };
  srand(7);
  for (int forest = 0; forest < 200; forest++) {
    int32_t parent[COUNT], label[COUNT];
    for (int32_t at = 0; at < COUNT; at++) parent[at] = label[at] = at;
    for (int tie = 0; tie < COUNT; tie++) {
      const int a = rand() % COUNT, b = rand() % COUNT, from = label[b];
      parent[hbg_forest_root(parent, a)] = hbg_forest_root(parent, b);
      for (int32_t at = 0; at < COUNT; at++)
        if (label[at] == from) label[at] = label[a];
      for (int32_t at = 0; at < COUNT; at++)
        for (int32_t other = 0; other < COUNT; other++)
          assert_int_equal(hbg_forest_root(parent, at) == hbg_forest_root(parent, other), label[at] == label[other]);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_have_one_root_just_where_ties_lead_from_one_to_the_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
