/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/model.h"

#include <string.h>

#include "support/check.h"

static void check_before(const char *a, const char *b) {
  assert_true(hbg_name_compare(a, b) < 0);
  assert_true(hbg_name_compare(b, a) > 0);
}

static void indices_are_ordered_by_value(void **state) {
  (void)state;
  check_before("a[2]", "a[10]");
  check_before("a[9]", "a[10]");
  check_before("a[2][10]", "a[10][2]");
  check_before("a[1][2]", "a[1][10]");
  check_before("a[99999999999999999999]", "a[100000000000000000000]");
  assert_int_equal(hbg_name_compare("a[12]", "a[12]"), 0);
}

static void other_names_are_ordered_by_byte(void **state) {
  (void)state;
  check_before("a10", "a2"); /* digits outside of brackets are letters */
  check_before("B", "a");
  check_before("a", "ab");
  check_before("a", "a[1]");
  check_before("a[2].p", "a[10].p");
  check_before("", "a");
}

static void the_table_says_what_an_element_is(void **state) {
  (void)state;
  assert_string_equal(hbg_element_info[HBG_ELEMENT_SE].name, "Se");
  assert_int_equal(hbg_element_info[HBG_ELEMENT_GY].ports, 2);
  assert_int_equal(hbg_element_info[HBG_ELEMENT_C].stored, HBG_STORED_Q);
  assert_int_equal(hbg_element_info[HBG_ELEMENT_I].stored, HBG_STORED_P);
  assert_int_equal(hbg_element_info[HBG_ELEMENT_ONE].causality, HBG_CAUSALITY_COMMON_FLOW);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(indices_are_ordered_by_value),
      cmocka_unit_test(other_names_are_ordered_by_byte),
      cmocka_unit_test(the_table_says_what_an_element_is),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
