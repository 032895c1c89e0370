/* SPDX-License-Identifier: BSD-3-Clause
 * What registers grow by with others: against executing the slice for each cause by itself. */
#include "equations/program_gains.h"

#include "support/check.h"
#include "support/random_graph.h"
#include "support/seeds.h"

enum { CAUSES = 7, GIVEN = 6, STEPS = 40, EFFECTS = 9, REGISTERS = CAUSES + GIVEN + STEPS };

typedef struct Bench {
  HbgArena arena, scratch;
  jmp_buf nowhere;
  HbgInstruction code[STEPS];
  HbgSlice slice;
  int32_t causes[CAUSES], effects[EFFECTS];
  double registers[REGISTERS];
} Bench;

static void bench_begin(Bench *bench) {
  *bench = (Bench){.arena = hbg_arena((HbgAllocator){0}), .scratch = hbg_arena((HbgAllocator){0})};
  bench->arena.on_failure = bench->scratch.on_failure = &bench->nowhere;
  bench->slice = (HbgSlice){.code = bench->code};
  for (int32_t at = 0; at < CAUSES; at++) bench->causes[at] = at;
}

static void bench_end(Bench *bench) {
  hbg_arena_release_all(&bench->arena);
  hbg_arena_release_all(&bench->scratch);
}

/* Answers its register. */
static int32_t add(Bench *bench, HbgOperation op, int32_t a, int32_t b) {
  const int32_t target = CAUSES + GIVEN + bench->slice.count;
  bench->code[bench->slice.count++] = (HbgInstruction){.op = (int32_t)op, .target = target, .a = a, .b = b};
  return target;
}

static const HbgGains *gains_of(Bench *bench, int64_t most) {
  return hbg_gains(&bench->slice, REGISTERS, bench->causes, CAUSES, bench->effects, EFFECTS, most, &bench->arena, &bench->scratch);
}

/* A step of which each cause is a term or a factor of what is given. */
static void add_linear(Bench *bench, Random *random, bool *moves) {
  static const HbgOperation ops[] = {HBG_OP_ADD, HBG_OP_SUB, HBG_OP_NEG, HBG_OP_MUL, HBG_OP_DIV};
  const int32_t count = CAUSES + GIVEN + bench->slice.count, a = random_below(random, count), b = random_below(random, count);
  HbgOperation op = ops[random_below(random, 5)];
  if ((op == HBG_OP_MUL && moves[a] && moves[b]) || (op == HBG_OP_DIV && b - CAUSES >= GIVEN) || (op == HBG_OP_DIV && moves[b])) op = HBG_OP_SUB;
  moves[add(bench, op, a, b)] = moves[a] || (op != HBG_OP_NEG && moves[b]);
}

static void random_slice(Bench *bench, Random *random) {
  bool moves[REGISTERS] = {false};
  for (int32_t at = 0; at < CAUSES; at++) moves[at] = true;
  for (int32_t at = 0; at < GIVEN; at++) bench->registers[CAUSES + at] = 0.5 + random_real(random);
  while (bench->slice.count < STEPS) add_linear(bench, random, moves);
  for (int32_t at = 0; at < EFFECTS; at++) bench->effects[at] = random_below(random, REGISTERS);
  if (random_chance(random, 0.5)) bench->causes[random_below(random, CAUSES)] = -1; // nothing reads it
}

static void execute_with(Bench *bench, int32_t cause, double *effects) {
  for (int32_t at = 0; at < CAUSES; at++) bench->registers[at] = at == cause;
  hbg_execute(bench->code, 0, bench->slice.count, bench->registers);
  for (int32_t at = 0; at < EFFECTS; at++) effects[at] = bench->registers[bench->effects[at]];
}

static void check_against_execution(Bench *bench, const HbgGains *gains, const double *found) {
  double without[EFFECTS], with[EFFECTS], expected[EFFECTS];
  execute_with(bench, -1, without);
  for (int32_t cause = 0; cause < CAUSES; cause++) {
    if (bench->causes[cause] < 0) {
      assert_int_equal(gains->entry_start[cause], gains->entry_start[cause + 1]);
      continue;
    }
    execute_with(bench, cause, with);
    for (int32_t at = 0; at < EFFECTS; at++) expected[at] = with[at] - without[at];
    for (int32_t entry = gains->entry_start[cause]; entry < gains->entry_start[cause + 1]; entry++) {
      const int32_t effect = gains->entry_effect[entry];
      CHECK_NEAR(found[entry], expected[effect], 1e-12 * (1 + fabs(with[effect]) + fabs(without[effect])));
      expected[effect] = 0; // has been told of
    }
    for (int32_t at = 0; at < EFFECTS; at++) CHECK_NEAR(expected[at], 0, 1e-12 * (1 + fabs(with[at]) + fabs(without[at])));
  }
}

static void gains_are_what_executing_finds(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(2000);
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    Random random = {(uint64_t)seed};
    Bench bench;
    bench_begin(&bench);
    random_slice(&bench, &random);
    const HbgGains *gains = gains_of(&bench, EFFECTS * STEPS);
    if (!gains) fail_msg("seed %ld: gains are not found", seed);
    double rest[REGISTERS] = {0}, found[EFFECTS * CAUSES], nothing[EFFECTS];
    execute_with(&bench, -1, nothing);
    hbg_gains_find(gains, bench.registers, rest, found);
    for (int32_t at = 0; at < REGISTERS; at++) CHECK_NEAR(rest[at], 0, 0);
    check_against_execution(&bench, gains, found);
    bench_end(&bench);
  }
}

static void what_is_not_linear_has_none(void **state) {
  (void)state;
  static const HbgOperation ops[] = {HBG_OP_MUL, HBG_OP_DIV, HBG_OP_ABS, HBG_OP_MIN, HBG_OP_SELECT};
  for (int32_t at = 0; at < 5; at++) {
    Bench bench;
    bench_begin(&bench);
    add(&bench, ops[at], 1, 0);
    bench.code[0].c = CAUSES;
    assert_null(gains_of(&bench, 100));
    bench_end(&bench);
  }
}

/* Each effect is the sum of all that is before it. */
static void nor_has_what_is_too_much(void **state) {
  (void)state;
  Bench bench;
  bench_begin(&bench);
  int32_t sum = 0;
  for (int32_t at = 0; at < EFFECTS; at++) bench.effects[at] = sum = add(&bench, HBG_OP_ADD, sum, at % CAUSES);
  enum { ALL = EFFECTS * (EFFECTS + 1) / 2 };
  assert_null(gains_of(&bench, ALL - 1));
  assert_non_null(gains_of(&bench, ALL));
  bench_end(&bench);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gains_are_what_executing_finds),
      cmocka_unit_test(what_is_not_linear_has_none),
      cmocka_unit_test(nor_has_what_is_too_much),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
