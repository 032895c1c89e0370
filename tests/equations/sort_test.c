/* SPDX-License-Identifier: BSD-3-Clause
 * Order, and loops torn where they close. */
#include "equations/sort.h"

#include "support/room.h"

static HbgExpr refuse_variable(HbgExprPool *pool, HbgExpr leaf, void *user) {
  (void)user;
  if (hbg_variable_of(hbg_expr_node(pool, leaf)) >= 0) fail_msg("a variable is left in a sorted equation");
  return 0;
}

/* Values and residuals read states, time and unknowns only. */
static void check_resolved(Room *room) {
  const HbgSorted *sorted = room->program->finite[0];
  for (int32_t variable = 0; variable < room->graph.bond_count * 2; variable++) {
    assert_true(sorted->value[variable] != 0);
    hbg_expr_replace(&room->laws.pool, sorted->value[variable], refuse_variable, NULL);
  }
  for (int32_t at = 0; at < sorted->unknown_count; at++) {
    assert_true(sorted->unknowns[at].residual != 0);
    hbg_expr_replace(&room->laws.pool, sorted->unknowns[at].residual, refuse_variable, NULL);
  }
}

static int32_t unknowns_of(const char *text) {
  Room room;
  room_begin(&room, text, "");
  check_resolved(&room);
  const int32_t count = room.program->finite[0]->unknown_count;
  room_end(&room);
  return count;
}

static void an_explicit_circuit_needs_no_tear(void **state) {
  (void)state;
  assert_int_equal(unknowns_of("model RLC {\n Se u(1); R r(1); C c(1); I l(1); 1 n; u -> n; n -> r; n -> c; n -> l\n stop 1\n}"), 0);
  assert_int_equal(unknowns_of("model Motor {\n Se v(12); 1 loop, shaft; R r(2), b(0.05); GY k(0.5); I j(0.1); v -> loop -> r; loop -> k -> shaft -> j; shaft -> b\n stop 1\n}"), 0);
}

static void a_resistive_loop_is_torn_once(void **state) {
  (void)state;
  assert_int_equal(unknowns_of("model Divider {\n Se u(1); R a(1), b(2); 1 n; u -> n; n -> a; n -> b\n stop 1\n}"), 1);
}

static void a_bridge_is_torn_in_few_places(void **state) {
  (void)state;
  // five resistors; two node voltages would do, and no more than the free choices of causality are torn
  const int32_t count = unknowns_of("model Bridge {\n Se u(10); 0 top, left, right; 1 a, b, c, d, x; R r1(1), r2(2), r3(3), r4(4), r5(5)\n u -> top\n"
                                    " top -> a -> left; a -> r1; top -> b -> right; b -> r2; left -> c; c -> r3; right -> d; d -> r4; left -> x -> right; x -> r5\n stop 1\n}");
  assert_true(count >= 2 && count <= 3);
}

static void signals_between_elements_can_close_a_loop(void **state) {
  (void)state;
  assert_int_equal(unknowns_of("model Loop {\n MSe a(1 - 0.5*s.f); R r(1); a -> r; MSe b(r.f); R s(1); b -> s\n stop 1\n}"), 1);
}

static void an_expression_of_signals_is_resolved(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model RC {\n C c(4); R r(2); 0 n; n -> c; n -> r\n stop 1\n}", "");
  HbgExprPool *pool = &room.laws.pool;
  const HbgExpr power = hbg_expr_binary(pool, HBG_OP_MUL, hbg_variable(pool, hbg_effort_of(room_bond(&room, "n -> r"))),
                                        hbg_variable(pool, hbg_flow_of(room_bond(&room, "n -> r"))));
  const HbgExpr made = hbg_sorted_expr(room.program->finite[0], pool, power);
  hbg_expr_replace(pool, made, refuse_variable, NULL);
  assert_true(hbg_expr_depends(pool, made, hbg_expr_leaf(pool, HBG_OP_STATE, 0, 0)));
  room_end(&room);
}

static void long_chains_are_sorted_without_recursion(void **state) {
  (void)state;
  assert_int_equal(unknowns_of("model Ladder(N = 3000) {\n Se u(1); u -> v[1]\n for i in 1..N { I m[i](1); 1 v[i]; v[i] -> m[i] }\n"
                               " for i in 1..N-1 { C s[i](1); 0 f[i]; v[i] -> f[i] -> v[i+1]; f[i] -> s[i] }\n stop 1\n}"), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_explicit_circuit_needs_no_tear),
      cmocka_unit_test(a_resistive_loop_is_torn_once),
      cmocka_unit_test(a_bridge_is_torn_in_few_places),
      cmocka_unit_test(signals_between_elements_can_close_a_loop),
      cmocka_unit_test(an_expression_of_signals_is_resolved),
      cmocka_unit_test(long_chains_are_sorted_without_recursion),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
