/* SPDX-License-Identifier: BSD-3-Clause
 * Causality of a mode over all islands: complete, and in an order that does not depend on how it was found. */
#include "hybrid/inspect.h"

#include "support/elaborated.h"

static void every_bond_and_storage_is_in_the_picture(void **state) {
  (void)state;
  Elaborated made;
  jmp_buf nowhere;
  elaborated_begin(&made, "model All {\n Se u(1); C c(1); I l(1), m(2); R r(1); GY g(3); 1 n, k by M; u -> n; n -> c; n -> l; n -> g -> k -> m; k -> r\n machine M { on a initial; off b }\n stop 1\n}");
  made.arena.on_failure = &nowhere;
  for (int32_t mode = 0; mode < 2; mode++) {
    HbgCausality causality;
    assert_int_equal(hbg_inspect_mode(&made.model, &mode, &made.arena, &causality), HBG_OK);
    assert_int_equal(causality.stroke_count, made.model.bond_count);
    assert_int_equal(causality.storage_count, 3);
    for (int32_t at = 0; at < causality.stroke_count; at++) {
      assert_string_equal(causality.strokes[at].bond, made.model.bonds[at].name);
      assert_false(causality.strokes[at].is_conflict);
    }
    // off, the port of the junction forces the flow 0 into m
    assert_int_equal(causality.storages[2].is_integral, mode == 0);
  }
  elaborated_end(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_bond_and_storage_is_in_the_picture),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
