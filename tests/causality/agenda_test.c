/* SPDX-License-Identifier: BSD-3-Clause
 * The agenda: whatever is put in, moved and taken out, the earliest comes first. */
#include "causality/agenda.h"
#include "support/check.h"
#include "support/random_graph.h"

enum { THINGS = 40 };

/* The same, the plain way. */
static HbgMoment earliest(const HbgMoment *moments) {
  HbgMoment least = HBG_NEVER;
  for (int thing = 0; thing < THINGS; thing++)
    if (moments[thing] < least) least = moments[thing];
  return least;
}

static void the_earliest_comes_first_whatever_was_moved(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  jmp_buf nowhere;
  arena.on_failure = &nowhere;
  HbgAgenda agenda = hbg_agenda(THINGS, &arena);
  HbgMoment moments[THINGS];
  for (int thing = 0; thing < THINGS; thing++) moments[thing] = HBG_NEVER;
  Random random = {42};
  for (int step = 0; step < 20000; step++) {
    const int32_t thing = random_below(&random, THINGS);
    if (random_chance(&random, 0.6)) {
      moments[thing] = random_below(&random, 1000);
      hbg_agenda_put(&agenda, thing, moments[thing]);
    } else if (random_chance(&random, 0.5)) {
      moments[thing] = HBG_NEVER;
      hbg_agenda_remove(&agenda, thing);
    } else if (agenda.count) {
      const HbgMoment least = earliest(moments);
      const int32_t taken = hbg_agenda_take(&agenda);
      assert_true(moments[taken] == least);
      moments[taken] = HBG_NEVER;
    } else {
      assert_true(earliest(moments) == HBG_NEVER);
    }
  }
  arena.on_failure = NULL;
  hbg_arena_release_all(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_earliest_comes_first_whatever_was_moved)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
