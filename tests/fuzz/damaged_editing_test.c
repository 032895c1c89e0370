/* SPDX-License-Identifier: BSD-3-Clause
 * Models that were damaged at random, drawn upon: see editing_fuzz.c. */
#include "fuzz/damage.h"
#include "fuzz/editing_fuzz.c"

static void drawing_survives_damaged_models(void **state) {
  (void)state;
  damage_by_chance(20261122, ROUNDS / 8);
}

static void so_do_the_models_of_the_gallery(void **state) {
  (void)state;
  damage_gallery(8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(drawing_survives_damaged_models),
      cmocka_unit_test(so_do_the_models_of_the_gallery),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
