/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"

#include "support/check.h"

static void every_status_has_a_sentence(void **state) {
  (void)state;
  for (int status = 0; status < HBG_STATUS_COUNT; status++) assert_true(hbg_status_text((HbgStatus)status)[0] != '\0');
  assert_string_equal(hbg_status_text(HBG_OK), "done");
}

static void what_is_no_status_has_one_too(void **state) {
  (void)state;
  assert_string_equal(hbg_status_text((HbgStatus)HBG_STATUS_COUNT), "an unknown status");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_status_has_a_sentence),
      cmocka_unit_test(what_is_no_status_has_one_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
