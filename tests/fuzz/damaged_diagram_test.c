/* SPDX-License-Identifier: BSD-3-Clause
 * Thousands of models that were damaged at random, as diagrams: see diagram_fuzz.c. */
#include "fuzz/damage.h"
#include "fuzz/diagram_fuzz.c"

static void damaged_models_have_diagrams_as_far_as_they_go(void **state) {
  (void)state;
  damage_by_chance(20261122, ROUNDS / 8);
}

static void so_have_the_models_of_the_gallery(void **state) {
  (void)state;
  damage_gallery(20);
}

/* As it is while somebody is typing: the text ends anywhere. */
static void check_beginnings(const Sample *sample, uint64_t *seed, int step) {
  (void)seed;
  for (size_t length = 0; length < sample->length; length += (size_t)step) LLVMFuzzerTestOneInput((const uint8_t *)sample->text, length);
}

static void so_has_every_beginning_of_a_model(void **state) {
  (void)state;
  visit_files(HBG_SOURCE_FOLDER "/models/*/*.hbg", check_beginnings, 23);
}

static void check_whole(const Sample *sample, uint64_t *seed, int rounds) {
  (void)seed, (void)rounds;
  LLVMFuzzerTestOneInput((const uint8_t *)sample->text, sample->length);
}

static void so_has_every_wrong_model_of_the_tests(void **state) {
  (void)state;
  visit_files(HBG_SOURCE_FOLDER "/tests/broken/*.hbg", check_whole, 1);
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
