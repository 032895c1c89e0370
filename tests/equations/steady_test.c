/* SPDX-License-Identifier: BSD-3-Clause
 * Programs of islands whose rates are sums of states times numbers, found out once. */
#include "equations/steady.h"

#include "support/room.h"

static bool is_steady(const char *text) {
  Room room;
  room_begin(&room, text, "");
  const bool first = hbg_program_is_steady(room.program, &room.laws, room.arena);
  const int32_t size = room.laws.pool.count;
  assert_int_equal(hbg_program_is_steady(room.program, &room.laws, room.arena), first);
  assert_int_equal(room.laws.pool.count, size);
  room_end(&room);
  return first;
}

static void linear_laws_make_steady_rates(void **state) {
  (void)state;
  assert_true(is_steady("model RC {\n C c(1); R r(1); 0 n; n -> c; n -> r\n stop 1\n}"));
  assert_true(is_steady("model Driven {\n Se u(2); 1 v; I m(3); C k(1); R d(0.1); u -> v; v -> m; v -> k; v -> d\n stop 1\n}"));
}

static void laws_that_bend_read_the_time_or_must_be_solved_for_do_not(void **state) {
  (void)state;
  assert_false(is_steady("model Bent {\n C c(1); R r: f = e^3; 0 n; n -> c; n -> r\n stop 1\n}"));
  assert_false(is_steady("model Timed {\n Se u(sin(time)); 1 v; I m(3); u -> v; v -> m\n stop 1\n}"));
  assert_false(is_steady("model Loop {\n C c(1); R a(1), b(2), d(3); 0 n, k; 1 s; n -> c; n -> s -> k; s -> a; k -> b; k -> d\n stop 1\n}"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear_laws_make_steady_rates),
      cmocka_unit_test(laws_that_bend_read_the_time_or_must_be_solved_for_do_not),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
