/* SPDX-License-Identifier: BSD-3-Clause
 * Thousands of models that were damaged at random: every tree keeps what parse_fuzz.c asks of it. */
#include "fuzz/damage.h"
#include "fuzz/parse_fuzz.c"

static void damaged_models_keep_their_text_and_give_sound_trees(void **state) {
  (void)state;
  damage_by_chance(20130101, ROUNDS);
}

static void so_do_the_models_of_the_gallery(void **state) {
  (void)state;
  damage_gallery(100);
}

static void random_bytes_do_no_harm(void **state) {
  (void)state;
  uint64_t seed = 7;
  uint8_t bytes[400];
  for (int round = 0; round < ROUNDS; round++) {
    const size_t length = below(&seed, sizeof bytes);
    const bool is_printable = round % 2;
    for (size_t i = 0; i < length; i++)
      bytes[i] = (uint8_t)(is_printable ? 32 + below(&seed, 95) : 1 + below(&seed, 255));
    LLVMFuzzerTestOneInput(bytes, length);
  }
}

static void the_embedded_model_has_no_mistake(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgDiagnostics diagnostics = hbg_diagnostics(&arena);
  jmp_buf refused;
  arena.on_failure = &refused;
  if (setjmp(refused)) fail();
  hbg_parse(embedded, sizeof embedded - 1, &arena, &diagnostics);
  if (diagnostics.count) fail_msg("%s", diagnostics.list[0].message);
  hbg_arena_release_all(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_embedded_model_has_no_mistake),
      cmocka_unit_test(damaged_models_keep_their_text_and_give_sound_trees),
      cmocka_unit_test(so_do_the_models_of_the_gallery),
      cmocka_unit_test(random_bytes_do_no_harm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
