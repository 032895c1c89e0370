/* SPDX-License-Identifier: BSD-3-Clause
 * Thousands of models that were damaged at random, in an editor: see editor_fuzz.c. */
#include "fuzz/damage.h"
#include "fuzz/editor_fuzz.c"

static void an_editor_survives_damaged_models(void **state) {
  (void)state;
  damage_by_chance(20261120, ROUNDS / 4);
}

static void so_do_the_models_of_the_gallery(void **state) {
  (void)state;
  damage_gallery(30);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_editor_survives_damaged_models),
      cmocka_unit_test(so_do_the_models_of_the_gallery),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
