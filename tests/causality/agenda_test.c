/* SPDX-License-Identifier: BSD-3-Clause
 * The agenda: whatever is put in, moved and taken out, the earliest comes first. */
#include "causality/agenda.h"
#include "support/check.h"
#include "support/random_graph.h"

enum { THINGS = 40, MANY = 1000 };

/* The same, the plain way. */
static HbgMoment earliest(const HbgMoment *moments, int count) {
  HbgMoment least = HBG_NEVER;
  for (int thing = 0; thing < count; thing++)
    if (moments[thing] < least) least = moments[thing];
  return least;
}

/* Puts in, moves, removes and takes as it happens, with what `moments` says from the beginning. */
static void use(HbgAgenda *agenda, HbgMoment *moments, int32_t count, int steps, Random *random) {
  for (int step = 0; step < steps; step++) {
    const int32_t thing = random_below(random, count);
    if (random_chance(random, 0.5)) {
      moments[thing] = random_below(random, 1000);
      hbg_agenda_put(agenda, thing, moments[thing]);
    } else if (random_chance(random, 0.3)) {
      moments[thing] = HBG_NEVER;
      hbg_agenda_remove(agenda, thing);
    } else {
      const HbgMoment least = earliest(moments, count);
      const int32_t taken = hbg_agenda_take(agenda);
      assert_true(taken < 0 ? least == HBG_NEVER : moments[taken] == least);
      if (taken >= 0) moments[taken] = HBG_NEVER;
    }
  }
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
  use(&agenda, moments, THINGS, 20000, &random);
  arena.on_failure = NULL;
  hbg_arena_release_all(&arena);
}

static void what_is_known_from_the_beginning_comes_in_its_order_among_the_rest(void **state) {
  (void)state;
  Random random = {7};
  for (int32_t count = 1; count <= MANY; count += count < 3 ? 1 : 333) {
    HbgArena arena = hbg_arena((HbgAllocator){0});
    jmp_buf nowhere;
    arena.on_failure = &nowhere;
    HbgAgenda agenda = hbg_agenda(count, &arena);
    HbgMoment moments[MANY];
    for (int32_t thing = 0; thing < count; thing++) {
      moments[thing] = ((int64_t)random_below(&random, 1000) << 32) + random_below(&random, 1 << 30);
      hbg_agenda_note(&agenda, thing, moments[thing]);
    }
    hbg_agenda_begin(&agenda);
    use(&agenda, moments, count, 2000, &random);
    for (int32_t taken = hbg_agenda_take(&agenda); taken >= 0; taken = hbg_agenda_take(&agenda)) {
      assert_true(moments[taken] == earliest(moments, count));
      moments[taken] = HBG_NEVER;
    }
    assert_true(earliest(moments, count) == HBG_NEVER);
    arena.on_failure = NULL;
    hbg_arena_release_all(&arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_earliest_comes_first_whatever_was_moved),
      cmocka_unit_test(what_is_known_from_the_beginning_comes_in_its_order_among_the_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
