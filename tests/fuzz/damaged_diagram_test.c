/* SPDX-License-Identifier: BSD-3-Clause
 * Thousands of models that were damaged at random, as diagrams: see diagram_fuzz.c. */
#define _POSIX_C_SOURCE 200809L /* glob */
#include <glob.h>

#include "fuzz/damage.h"
#include "fuzz/diagram_fuzz.c"

static void damaged_models_have_diagrams_as_far_as_they_go(void **state) {
  (void)state;
  const char *chosen = getenv("HYBRSIM_SEED");
  uint64_t seed = chosen ? strtoull(chosen, NULL, 10) : 20261122;
  print_message("seed %llu (HYBRSIM_SEED chooses another)\n", (unsigned long long)seed);
  Sample *sample = load(NULL);
  damage_and_check(sample, &seed, ROUNDS / 8);
  test_free(sample);
}

static void so_have_the_models_of_the_gallery(void **state) {
  (void)state;
  uint64_t seed = 42;
  glob_t found = {0};
  if (glob(HBG_SOURCE_FOLDER "/models/*/*.hbg", 0, NULL, &found) == 0)
    for (size_t i = 0; i < found.gl_pathc; i++) {
      Sample *sample = load(found.gl_pathv[i]);
      damage_and_check(sample, &seed, 20);
      test_free(sample);
    }
  globfree(&found);
}

/* As it is while somebody is typing: the text ends anywhere. */
static void so_has_every_beginning_of_a_model(void **state) {
  (void)state;
  glob_t found = {0};
  if (glob(HBG_SOURCE_FOLDER "/models/*/*.hbg", 0, NULL, &found) == 0)
    for (size_t i = 0; i < found.gl_pathc; i++) {
      Sample *sample = load(found.gl_pathv[i]);
      for (size_t length = 0; length < sample->length; length += 23) LLVMFuzzerTestOneInput((const uint8_t *)sample->text, length);
      test_free(sample);
    }
  globfree(&found);
}

static void so_has_every_wrong_model_of_the_tests(void **state) {
  (void)state;
  glob_t found = {0};
  if (glob(HBG_SOURCE_FOLDER "/tests/broken/*.hbg", 0, NULL, &found) == 0)
    for (size_t i = 0; i < found.gl_pathc; i++) {
      Sample *sample = load(found.gl_pathv[i]);
      LLVMFuzzerTestOneInput((const uint8_t *)sample->text, sample->length);
      test_free(sample);
    }
  globfree(&found);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(damaged_models_have_diagrams_as_far_as_they_go),
      cmocka_unit_test(so_have_the_models_of_the_gallery),
      cmocka_unit_test(so_has_every_beginning_of_a_model),
      cmocka_unit_test(so_has_every_wrong_model_of_the_tests),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
