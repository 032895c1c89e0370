/* SPDX-License-Identifier: BSD-3-Clause
 * Models that were damaged at random, drawn upon: see editing_fuzz.c. */
#define _POSIX_C_SOURCE 200809L /* glob, strdup */
#include <glob.h>

#include "fuzz/damage.h"
#include "fuzz/editing_fuzz.c"

static void drawing_survives_damaged_models(void **state) {
  (void)state;
  const char *chosen = getenv("HYBRSIM_SEED");
  uint64_t seed = chosen ? strtoull(chosen, NULL, 10) : 20261122;
  print_message("seed %llu (HYBRSIM_SEED chooses another)\n", (unsigned long long)seed);
  Sample *sample = load(NULL);
  damage_and_check(sample, &seed, ROUNDS / 8);
  test_free(sample);
}

static void so_do_the_models_of_the_gallery(void **state) {
  (void)state;
  uint64_t seed = 42;
  glob_t found = {0};
  if (glob(HBG_SOURCE_FOLDER "/models/*/*.hbg", 0, NULL, &found) == 0)
    for (size_t i = 0; i < found.gl_pathc; i++) {
      Sample *sample = load(found.gl_pathv[i]);
      damage_and_check(sample, &seed, 8);
      test_free(sample);
    }
  globfree(&found);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(drawing_survives_damaged_models),
      cmocka_unit_test(so_do_the_models_of_the_gallery),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
