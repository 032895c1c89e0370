/* SPDX-License-Identifier: BSD-3-Clause
 * What guards rely on: who asks later than something was promised must not take it for a promise from now on. */
#include <math.h>

#include "hybrid/coupled.h"
#include "support/check.h"

/* One state, which goes on from `time` by a parabola. */
typedef struct One {
  HbgCoupledRun run;
  HbgStatePromise promise;
} One;

static void begin(One *one) {
  *one = (One){.promise = {.bend = -1}};
  one->run.promises = &one->promise;
}

static bool goes_on(One *one, double time, double value, double speed, double bend) {
  if (hbg_promise_is_kept(&one->promise, time, value, speed, bend)) return true;
  one->promise = (HbgStatePromise){.bend = -1};
  return false;
}

static HbgStatePromise ask(One *one, double time, double value, double speed, double bend) {
  const HbgStateMotion motion = {.time = time, .value = value, .speed = speed, .bend = bend};
  return hbg_promise_from(&one->promise, &motion);
}

static void a_speed_that_jumps_behind_who_asks_breaks_what_was_promised(void **state) {
  (void)state;
  One one;
  begin(&one);
  const double bend = ask(&one, 0, 0, 0, 1).bend;
  assert_true(bend >= 1);
  // x = 0 until 1 s, when somebody else asks: from then on a jump by as much as was allowed since 0 s is too much
  assert_true(goes_on(&one, 1, 0, 0, 1));
  const HbgStatePromise now = ask(&one, 1, 0, 0, 1);
  CHECK_NEAR(now.time, 1, 0);
  assert_true(now.bend <= bend);
  assert_false(goes_on(&one, 1.001, 0, 2 * bend, 1));
}

static void who_asks_where_it_bends_more_has_to_do_with_the_promise_of_before(void **state) {
  (void)state;
  One one;
  begin(&one);
  const HbgStatePromise first = ask(&one, 0, 0, 0, 1);
  // along the same series it may bend more than from its beginning on: that is not within what was promised
  const HbgStatePromise later = ask(&one, 1, 0, 0, 10 * first.bend);
  CHECK_NEAR(later.time, 0, 0);
  CHECK_NEAR(later.bend, first.bend, 0);
}

static void who_relies_on_a_series_gets_how_it_moves(void **state) {
  (void)state;
  One one;
  begin(&one);
  hbg_coupled_rely_on_series(&one.run, 0);
  const HbgStatePromise now = ask(&one, 2, 3, 4, 5);
  CHECK_NEAR(now.time, 2, 0);
  CHECK_NEAR(now.value, 3, 0);
  CHECK_NEAR(now.speed, 4, 0);
  CHECK_NEAR(now.bend, 5, 0);
  assert_false(goes_on(&one, 2.5, 3, 4, 5)); // it is asked again with the next one, whatever that is
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_speed_that_jumps_behind_who_asks_breaks_what_was_promised),
      cmocka_unit_test(who_asks_where_it_bends_more_has_to_do_with_the_promise_of_before),
      cmocka_unit_test(who_relies_on_a_series_gets_how_it_moves),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
