/* SPDX-License-Identifier: BSD-3-Clause
 * Which states share a column: none that meet anywhere, and what an output may follow is what stands in its expression. Random expressions;
 * HYBRSIM_SEED chooses them, HYBRSIM_GRAPHS how many. */
#include "equations/compression.h"

#include "support/check.h"
#include "support/random_graph.h"
#include "support/seeds.h"

enum { MOST_STATES = 200, MOST_OUTPUTS = 300 };

/* Equations of some states, and what their outputs are. */
typedef struct Fixture {
  HbgArena arena, scratch;
  jmp_buf nowhere;
  HbgExprPool pool;
  HbgEmitter emitter;
  HbgEquations equations;
  long seed; /* 0: none */
  int32_t states, variables;
  HbgExpr output[MOST_OUTPUTS]; /* rates, then variables */
} Fixture;

static void begin(Fixture *self, int32_t states, int32_t variables) {
  memset(self, 0, sizeof *self);
  self->arena = hbg_arena((HbgAllocator){0});
  self->scratch = hbg_arena((HbgAllocator){0});
  self->arena.on_failure = self->scratch.on_failure = &self->nowhere;
  self->pool = hbg_expr_pool(&self->arena);
  self->states = states;
  self->variables = variables;
  self->emitter = hbg_emitter(&self->equations.program, &self->pool, &self->arena);
  self->equations.state_register = ARENA_NEW(&self->arena, int32_t, states);
  self->equations.variable_register = ARENA_NEW(&self->arena, int32_t, variables);
}

static void end(Fixture *self) {
  hbg_arena_release_all(&self->arena);
  hbg_arena_release_all(&self->scratch);
}

static HbgExpr state_leaf(Fixture *self, int32_t state) { return hbg_expr_leaf(&self->pool, HBG_OP_STATE, state, 0); }
static HbgExpr unknown_leaf(Fixture *self, int32_t unknown) { return hbg_slot(&self->pool, HBG_SLOT_UNKNOWN, unknown); }
static HbgExpr sum(Fixture *self, HbgExpr a, HbgExpr b) { return hbg_expr_binary(&self->pool, HBG_OP_ADD, a, b); }

static void emit_outputs(Fixture *self) {
  for (int32_t at = 0; at < self->states; at++) self->equations.state_register[at] = hbg_emit(&self->emitter, self->output[at]);
  for (int32_t at = 0; at < self->variables; at++)
    self->equations.variable_register[at] = hbg_emit(&self->emitter, self->output[self->states + at]);
  self->equations.all_end = self->equations.program.main_count;
}

/* Unknowns are solved for two by two, from as many residuals. */
static void add_groups(Fixture *self) {
  HbgEquations *equations = &self->equations;
  for (int32_t first = 0; first < equations->system.unknown_count; first += 2) {
    HbgGroup *group = &equations->groups[equations->group_count++];
    group->rows = ARENA_NEW(&self->arena, int32_t, 2);
    group->columns = ARENA_NEW(&self->arena, int32_t, 2);
    for (int32_t at = first; at < first + 2 && at < equations->system.unknown_count; at++)
      group->rows[group->row_count++] = group->columns[group->column_count++] = at;
  }
}

static void emit_residuals(Fixture *self, const HbgExpr *residuals, int32_t count) {
  HbgEquations *equations = &self->equations;
  equations->system.unknown_count = equations->system.row_count = count;
  equations->unknown_register = ARENA_NEW(&self->arena, int32_t, count);
  equations->residual_register = ARENA_NEW(&self->arena, int32_t, count);
  equations->groups = ARENA_NEW(&self->arena, HbgGroup, count);
  for (int32_t at = 0; at < count; at++) {
    equations->residual_register[at] = hbg_emit(&self->emitter, residuals[at]);
    equations->unknown_register[at] = hbg_emit(&self->emitter, unknown_leaf(self, at));
  }
  equations->residual_end = equations->program.main_count;
  add_groups(self);
}

static const HbgCompression *compress(Fixture *self) {
  return hbg_compression(&self->equations, self->states, self->variables, HBG_COMPRESSION_PAYS, &self->arena, &self->scratch);
}

/* ---- what stands in an expression ---- */

typedef struct Set {
  bool has[MOST_STATES];
} Set;

/* `of_unknown`: what unknowns follow; NULL: there are none. */
static void add_states(const Fixture *self, HbgExpr expr, const Set *of_unknown, Set *set) {
  const HbgExprNode *node = hbg_expr_node(&self->pool, expr);
  const HbgExpr arguments[] = {node->a, node->b, node->c};
  if (node->op == HBG_OP_STATE) set->has[node->index] = true;
  for (int32_t state = 0; node->op == HBG_OP_SLOT && state < self->states; state++)
    if (of_unknown[node->index].has[state]) set->has[state] = true;
  for (int32_t at = 0; at < hbg_operation_info[node->op].arguments; at++) add_states(self, arguments[at], of_unknown, set);
}

static void check_apart(const HbgCompression *made, const Set *set, int32_t states) {
  bool is_taken[HBG_COMPRESSION_MOST] = {0};
  for (int32_t state = 0; state < states; state++) {
    if (!set->has[state]) continue;
    assert_in_range(made->column[state], 0, made->column_count - 1);
    assert_false(is_taken[made->column[state]]);
    is_taken[made->column[state]] = true;
  }
}

static void check(const Fixture *self, const HbgCompression *made, const Set *of_unknown) {
  assert_ptr_equal(made->equations, &self->equations);
  for (int32_t at = 0; at < self->equations.system.unknown_count; at++) check_apart(made, &of_unknown[at], self->states);
  for (int32_t output = 0; output < self->states + self->variables; output++) {
    Set set = {0};
    add_states(self, self->output[output], of_unknown, &set);
    check_apart(made, &set, self->states);
    int32_t at = made->start[output];
    for (int32_t state = 0; state < self->states; state++)
      if (set.has[state] && (at == made->start[output + 1] || made->states[at++] != state)) fail_msg("seed %ld, output %d: state %d is not listed", self->seed, output, state);
    assert_int_equal(at, made->start[output + 1]);
  }
}

/* ---- random expressions ---- */

static HbgExpr draw(Fixture *self, Random *random, int32_t unknowns, int depth) {
  static const HbgOperation operations[] = {HBG_OP_ADD, HBG_OP_SUB, HBG_OP_MUL, HBG_OP_MIN, HBG_OP_LESS};
  if (!depth || random_chance(random, 0.2)) {
    if (random_chance(random, 0.1)) return hbg_expr_constant(&self->pool, 1 + random_real(random));
    if (unknowns && random_chance(random, 0.3)) return unknown_leaf(self, random_below(random, unknowns));
    return state_leaf(self, random_below(random, self->states));
  }
  const HbgExpr a = draw(self, random, unknowns, depth - 1), b = draw(self, random, unknowns, depth - 1);
  if (random_chance(random, 0.15)) return hbg_expr_select(&self->pool, hbg_expr_binary(&self->pool, HBG_OP_LESS, a, b), a, draw(self, random, unknowns, depth - 1));
  if (random_chance(random, 0.2)) return hbg_expr_unary(&self->pool, HBG_OP_SIN, a);
  return hbg_expr_binary(&self->pool, operations[random_below(random, 4)], a, b);
}

static void try_random(long seed) {
  enum { MOST_UNKNOWNS = 6 };
  Random random = {(uint64_t)seed};
  Fixture self;
  Set of_unknown[MOST_UNKNOWNS] = {0};
  HbgExpr residuals[MOST_UNKNOWNS];
  begin(&self, 1 + random_below(&random, MOST_STATES), random_below(&random, 100));
  self.seed = seed;
  const int32_t unknowns = random_below(&random, MOST_UNKNOWNS + 1);
  for (int32_t at = 0; at < unknowns; at++) {
    residuals[at] = draw(&self, &random, 0, 3);
    if (at % 2) of_unknown[at] = of_unknown[at - 1];
    add_states(&self, residuals[at], NULL, &of_unknown[at]);
    if (at % 2) of_unknown[at - 1] = of_unknown[at];
    residuals[at] = sum(&self, residuals[at], unknown_leaf(&self, at));
  }
  const int32_t known = random_chance(&random, 0.5) ? unknowns : 0; // the others are read as they are, if at all
  for (int32_t at = 0; at < self.states + self.variables; at++) self.output[at] = draw(&self, &random, known, random_below(&random, 3));
  if (unknowns) self.output[0] = unknown_leaf(&self, unknowns - 1);
  emit_residuals(&self, residuals, unknowns);
  emit_outputs(&self);
  const HbgCompression *made = compress(&self);
  if (made) check(&self, made, of_unknown);
  end(&self);
}

static void states_that_meet_have_columns_of_their_own(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(300);
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    try_random(seed);
  }
}

/* ---- closed forms ---- */

static HbgExpr neighbours(Fixture *self, int32_t state) {
  HbgExpr rate = state_leaf(self, state);
  if (state) rate = sum(self, state_leaf(self, state - 1), rate);
  return state + 1 < self->states ? sum(self, rate, state_leaf(self, state + 1)) : rate;
}

/* Columns of three states in a row differ, and the fourth has that of the first: as for tridiagonal Jacobians. */
static void a_chain_of_any_length_has_three_columns(void **state) {
  (void)state;
  for (int32_t length = 3; length <= MOST_STATES; length += 50) {
    Fixture self;
    begin(&self, length, 0);
    for (int32_t at = 0; at < length; at++) self.output[at] = neighbours(&self, at);
    emit_outputs(&self);
    const HbgCompression *made = compress(&self);
    assert_int_equal(made->column_count, 3);
    for (int32_t at = 0; at < length; at++) assert_int_equal(made->column[at], at % 3);
    check(&self, made, NULL);
    end(&self);
  }
}

/* One variable follows so many states. */
static bool is_possible(int32_t states) {
  Fixture self;
  begin(&self, states, 1);
  HbgExpr all = state_leaf(&self, 0);
  for (int32_t at = 0; at < states; at++) {
    self.output[at] = hbg_expr_constant(&self.pool, 1);
    if (at) all = sum(&self, all, state_leaf(&self, at));
  }
  self.output[states] = all;
  emit_outputs(&self);
  const HbgCompression *made = compress(&self);
  if (made) assert_int_equal(made->column_count, states);
  end(&self);
  return made != NULL;
}

static void what_follows_too_many_states_has_no_columns(void **state) {
  (void)state;
  assert_true(is_possible(HBG_COMPRESSION_PAYS));
  assert_false(is_possible(HBG_COMPRESSION_PAYS + 1));
}

/* x' = y, z' = y, where y + x z + w = 0: what reads the unknown follows x, z and w, and nothing in the model else does. */
static void who_reads_an_unknown_follows_what_it_is_solved_from(void **state) {
  (void)state;
  Fixture self;
  begin(&self, 4, 0);
  const HbgExpr product = hbg_expr_binary(&self.pool, HBG_OP_MUL, state_leaf(&self, 0), state_leaf(&self, 1));
  const HbgExpr residual = sum(&self, sum(&self, unknown_leaf(&self, 0), product), state_leaf(&self, 2));
  self.output[0] = self.output[1] = unknown_leaf(&self, 0);
  self.output[2] = self.output[3] = state_leaf(&self, 3);
  emit_residuals(&self, &residual, 1);
  emit_outputs(&self);
  const HbgCompression *made = compress(&self);
  const Set follows = {{true, true, true}};
  const int32_t starts[] = {0, 3, 6, 7, 8}, states[] = {0, 1, 2, 0, 1, 2, 3, 3};
  assert_memory_equal(made->start, starts, sizeof starts);
  assert_memory_equal(made->states, states, sizeof states);
  check(&self, made, &follows);
  assert_int_equal(made->column_count, 3);
  assert_int_equal(made->column[3], 0); // it meets nobody
  end(&self);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(states_that_meet_have_columns_of_their_own),
      cmocka_unit_test(a_chain_of_any_length_has_three_columns),
      cmocka_unit_test(what_follows_too_many_states_has_no_columns),
      cmocka_unit_test(who_reads_an_unknown_follows_what_it_is_solved_from),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
