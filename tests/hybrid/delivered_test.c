/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/delivered.h"

#include "support/check.h"

/* Storage 0 receives variables 2 and 4, a source variable 6. */
typedef struct Example {
  HbgArena arena;
  HbgDeliveries deliveries;
  int32_t state[2], start[3], variable[3];
  double factor[3];
} Example;

static HbgDelivered begin(Example *self) {
  *self = (Example){.arena = hbg_arena((HbgAllocator){0}),
                    .state = {0, -1},
                    .start = {0, 2, 3},
                    .variable = {2, 4, 6},
                    .factor = {-1, 1, 1}};
  self->deliveries = (HbgDeliveries){
      .count = 2, .state = self->state, .start = self->start, .variable = self->variable, .factor = self->factor};
  return hbg_delivered(&self->deliveries, 8, &self->arena);
}

static void only_what_storages_receive_is_wanted(void **state) {
  (void)state;
  Example example;
  const HbgDelivered delivered = begin(&example);
  for (int32_t variable = 0; variable < 8; variable++)
    assert_int_equal(hbg_delivered_is_wanted(&delivered, variable) != 0, variable == 2 || variable == 4);
  hbg_arena_release_all(&example.arena);
}

static void where_no_storage_is_cut_off_nothing_is_wanted(void **state) {
  (void)state;
  Example example;
  begin(&example);
  example.state[0] = -1;
  const HbgDelivered delivered = hbg_delivered(&example.deliveries, 8, &example.arena);
  assert_false(hbg_delivered_is_wanted(&delivered, 2));
  hbg_arena_release_all(&example.arena);
}

static void places_are_given_in_the_order_of_asking_and_stay(void **state) {
  (void)state;
  Example example;
  HbgDelivered delivered = begin(&example);
  assert_int_equal(hbg_delivered_own(&delivered, 4), 0);
  assert_int_equal(hbg_delivered_own(&delivered, 2), 1);
  assert_int_equal(hbg_delivered_own(&delivered, 4), 0);
  assert_int_equal(delivered.moves, 0);
  hbg_arena_release_all(&example.arena);
}

static void who_shares_a_place_and_leaves_it_has_moved(void **state) {
  (void)state;
  Example example;
  HbgDelivered delivered = begin(&example);
  const int32_t first = hbg_delivered_own(&delivered, 2);
  assert_int_equal(hbg_delivered_share(&delivered, 4, 2), first);
  assert_int_equal(hbg_delivered_place(&delivered, 4), first);
  assert_int_equal(delivered.moves, 0);
  assert_int_not_equal(hbg_delivered_own(&delivered, 4), first);
  assert_int_equal(delivered.moves, 1);
  hbg_delivered_share(&delivered, 4, 2);
  assert_int_equal(delivered.moves, 2);
  hbg_arena_release_all(&example.arena);
}

static void sums_and_variables_are_what_was_put(void **state) {
  (void)state;
  Example example;
  HbgDelivered delivered = begin(&example);
  const int32_t two = hbg_delivered_own(&delivered, 2), four = hbg_delivered_own(&delivered, 4);
  delivered.value[two] = 5;
  delivered.value[four] = 7;
  assert_true(hbg_delivered_sum(&delivered, &example.deliveries, 0) == 2);
  double variable[8] = {0};
  hbg_delivered_show(&delivered, variable);
  assert_true(variable[2] == 5 && variable[4] == 7 && variable[6] == 0);
  hbg_arena_release_all(&example.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(only_what_storages_receive_is_wanted),
      cmocka_unit_test(where_no_storage_is_cut_off_nothing_is_wanted),
      cmocka_unit_test(places_are_given_in_the_order_of_asking_and_stay),
      cmocka_unit_test(who_shares_a_place_and_leaves_it_has_moved),
      cmocka_unit_test(sums_and_variables_are_what_was_put),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
