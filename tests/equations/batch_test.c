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

/* Some of the instances, in a loose batch. */
typedef struct Loose {
  Batched *random;
  HbgBatch batch;
  int32_t member[INSTANCES], count;
  int32_t source[2][INSTANCES], goal[2][INSTANCES]; /* lists in the order of the members */
} Loose;

static void list_member(Loose *self, int32_t place) {
  for (int which = 0; which < 2; which++) {
    self->source[which][place] = self->random->source[which][self->member[place]];
    self->goal[which][place] = self->random->goal[which][self->member[place]];
  }
}

static void make_loose(Loose *self) {
  Batched *random = self->random;
  double values[INSTANCES];
  hbg_batch_begin_loose(&self->batch, self->count, INSTANCES);
  for (int32_t place = 0; place < self->count; place++) list_member(self, place);
  for (int32_t at = 0; at < random->program.input_count; at++) {
    const HbgProgramInput *input = &random->program.inputs[at];
    if (input->leaf.op == HBG_OP_TIME) hbg_batch_set_time(&self->batch, input->target);
    else if (input->leaf.op == HBG_OP_STATE)
      hbg_batch_set_indices(&self->batch, input->target, HBG_PLACE_STATE, self->source[input->leaf.index]);
    else {
      for (int32_t place = 0; place < self->count; place++) values[place] = random->constant[input->leaf.index][self->member[place]];
      hbg_batch_set_values(&self->batch, input->target, values);
    }
  }
  hbg_batch_add_output(&self->batch, random->result[0], HBG_PLACE_RATE, self->goal[0]);
  hbg_batch_add_output(&self->batch, random->result[1], HBG_PLACE_VARIABLE, self->goal[1]);
  hbg_batch_compile(&self->batch);
}

static void go(Loose *self, int32_t place) {
  self->member[place] = self->member[--self->count];
  list_member(self, place);
  hbg_batch_take_out(&self->batch, place);
}

static bool fits(Loose *self) {
  for (int32_t at = 0; at < self->random->program.input_count; at++) {
    const HbgProgramInput *input = &self->random->program.inputs[at];
    if (input->leaf.op == HBG_OP_TIME) continue;
    const int32_t member = self->member[self->count - 1];
    if (input->leaf.op != HBG_OP_STATE) {
      if (!hbg_batch_put_value(&self->batch, input->target, self->random->constant[input->leaf.index][member])) return false;
    } else if (hbg_batch_is_shared(&self->batch, input->target) &&
               self->random->source[input->leaf.index][member] != self->source[input->leaf.index][0]) {
      return false;
    }
  }
  return true;
}

static void come(Loose *self, int32_t member) {
  self->member[self->count++] = member;
  list_member(self, self->count - 1);
  hbg_batch_put_in(&self->batch);
  if (fits(self)) hbg_batch_prepare_last(&self->batch);
  else make_loose(self);
}

static void check_members(Loose *self, double time) {
  batched_run_batch(self->random, &self->batch, time);
  for (int32_t place = 0; place < self->count; place++) {
    double alone[2];
    batched_run_alone(self->random, time, self->member[place], alone);
    assert_true(batched_is_same(self->random->rate[self->goal[0][place]], alone[0]));
    assert_true(batched_is_same(self->random->variable[self->goal[1][place]], alone[1]));
  }
}

static void instances_of_a_loose_batch_come_and_go(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    Batched random;
    Loose loose = {.random = &random, .batch = batched_random(&random, seed), .count = 3};
    bool is_in[INSTANCES] = {true, true, true};
    for (int32_t at = 0; at < 3; at++) loose.member[at] = at;
    make_loose(&loose);
    for (int turn = 0; turn < 60; turn++) {
      const int32_t member = (int32_t)batched_draw(&random, 40);
      if (!is_in[member]) {
        come(&loose, member);
        is_in[member] = true;
      } else if (loose.count > 1) {
        int32_t place = 0;
        while (loose.member[place] != member) place++;
        go(&loose, place);
        is_in[member] = false;
      }
      check_members(&loose, 0.1 * turn);
    }
    batched_end(&random);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_batch_gives_what_byte_code_gives_each_instance),
      cmocka_unit_test(a_batch_can_be_made_again_for_other_instances),
      cmocka_unit_test(what_all_instances_share_is_computed_once),
      cmocka_unit_test(instances_of_a_loose_batch_come_and_go),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
