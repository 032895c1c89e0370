/* SPDX-License-Identifier: BSD-3-Clause
 * Many instances at once: bit by bit the numbers that byte code gives for each alone. */
#include "support/batched.h"

static void a_batch_gives_what_byte_code_gives_each_instance(void **state) {
  (void)state;
  Batched random;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    const HbgBatch batch = batched_random(&random, seed);
    for (int time = 0; time < 3; time++) {
      batched_run_batch(&random, &batch, 0.25 * time);
      batched_check_all(&random, 0.25 * time);
    }
    batched_end(&random);
  }
}

static void a_batch_can_be_made_again_for_other_instances(void **state) {
  (void)state;
  Batched random;
  HbgBatch batch = batched_random(&random, 7);
  for (int turn = 0; turn < 5; turn++) {
    batched_draw_values(&random);
    batched_set(&random, &batch);
    batched_run_batch(&random, &batch, turn);
    batched_check_all(&random, turn);
  }
  batched_end(&random);
}

static void what_all_instances_share_is_computed_once(void **state) {
  (void)state;
  Batched random;
  batched_begin(&random, 3);
  HbgExprPool *pool = &random.pool;
  const HbgExpr time = hbg_expr_leaf(pool, HBG_OP_TIME, 0, 0), x = hbg_expr_leaf(pool, HBG_OP_STATE, 0, 0);
  const HbgExpr shared = hbg_expr_unary(pool, HBG_OP_SIN, hbg_expr_binary(pool, HBG_OP_MUL, time, time));
  batched_emit(&random, hbg_expr_binary(pool, HBG_OP_MUL, shared, x), hbg_expr_binary(pool, HBG_OP_ADD, shared, x));
  batched_draw_values(&random);
  for (int which = 0; which < 2; which++)
    for (int32_t at = 0; at < INSTANCES; at++) random.source[which][at] = random.goal[which][at] = at;
  const HbgBatch batch = batched_make_batch(&random);
  assert_int_equal(batch.common_count, 2);
  assert_int_equal(batch.step_count, 2);
  assert_int_equal(batch.temporary_count, 0);
  batched_end(&random);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_batch_gives_what_byte_code_gives_each_instance),
      cmocka_unit_test(a_batch_can_be_made_again_for_other_instances),
      cmocka_unit_test(what_all_instances_share_is_computed_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
