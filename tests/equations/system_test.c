/* SPDX-License-Identifier: BSD-3-Clause
 * The implicit systems: their size, their linearity, and that their Jacobians are the derivatives of their residuals. */
#include "equations/system.h"

#include <stdio.h>

#include "support/room.h"

static const HbgEquations *equations_of(Room *room, HbgEquationsKind kind) {
  return hbg_island_equations(room->program, &room->laws, room->arena, kind);
}

/* Residuals and entries at some values of inputs and unknowns. */
static double *evaluate(Room *room, const HbgEquations *equations, const double *unknowns) {
  const HbgProgram *program = &equations->program;
  double *registers = ARENA_NEW(room->arena, double, program->register_count);
  hbg_program_load_constants(program, registers);
  for (int32_t at = 0; at < program->input_count; at++) {
    const HbgExprNode *leaf = &program->inputs[at].leaf;
    double value = 0.3 + 0.1 * leaf->index;
    if (hbg_is_slot(leaf, HBG_SLOT_CONSTANT)) value = room->binding.constants[leaf->index];
    registers[program->inputs[at].target] = value;
  }
  for (int32_t at = 0; at < equations->system.unknown_count; at++)
    if (equations->unknown_register[at] >= 0) registers[equations->unknown_register[at]] = unknowns[at];
  hbg_execute(program->prepare, 0, program->prepare_count, registers);
  hbg_execute(program->main, 0, equations->residual_end, registers);
  return registers;
}

/* The entries agree with central differences of the residuals. */
static void check_jacobian(Room *room, const HbgEquations *equations) {
  const HbgSystem *system = &equations->system;
  double unknowns[200];
  assert_true(system->unknown_count <= 200);
  for (int32_t at = 0; at < system->unknown_count; at++) unknowns[at] = 0.7 + 0.05 * at;
  const double *here = evaluate(room, equations, unknowns);
  for (int32_t column = 0; column < system->unknown_count; column++) {
    const double step = 1e-5, kept = unknowns[column];
    unknowns[column] = kept + step;
    const double *above = evaluate(room, equations, unknowns);
    unknowns[column] = kept - step;
    const double *below = evaluate(room, equations, unknowns);
    unknowns[column] = kept;
    for (int32_t row = 0; row < system->row_count; row++) {
      const int32_t target = equations->residual_register[row];
      double entry = 0;
      for (int32_t at = 0; at < system->entry_count; at++)
        if (system->entries[at].row == row && system->entries[at].column == column)
          entry += here[equations->entry_register[at]];
      CHECK_NEAR(entry, (above[target] - below[target]) / (2 * step), 1e-6 * fmax(1, fabs(entry)));
    }
  }
}

static const char *const divider = "model Divider {\n Se u(1); R a(1), b(2); 1 n; u -> n; n -> a; n -> b\n stop 1\n}";
static const char *const cubic = "model Cubic {\n Se u(1); R a: e = f + f^3; R b: e = f*abs(f) + 2*f; 1 n; u -> n; n -> a; n -> b; I m(4); 1 k; R c: e + exp(e) = f + exp(f); 0 z; n -> z -> k -> m; z -> c\n stop 1\n}";
static const char *const tied = "model Tied {\n I a(1), b(2), c(3); 1 n, k; TF t(3); n -> a; n -> b; n -> t -> k -> c; Se u(sin(time)); u -> n; R r(1); k -> r\n stop 1\n}";
static const char *const swinging = "model Swing {\n I x(2), y(2); 1 rotation, h, v; MTF lx(cos(angle)); MTF ly(sin(angle)); rotation -> lx -> h -> x; rotation -> ly -> v -> y\n signal angle = integral(rotation.f, start = 1)\n stop 1\n}";
static const char *const curved = "model Curved {\n I a: f = tanh(p); I b(1); 1 n; n -> a; n -> b\n stop 1\n}";

static void a_system_of_an_explicit_mode_is_empty(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model RC {\n C c(1); R r(1); 0 n; n -> c; n -> r\n stop 1\n}", "");
  const HbgEquations *plain = equations_of(&room, HBG_INSTANT_PLAIN);
  assert_int_equal(plain->system.unknown_count, 0);
  assert_int_equal(plain->system.row_count, 0);
  room_end(&room);
}

static void linear_laws_make_a_linear_system(void **state) {
  (void)state;
  Room room;
  room_begin(&room, divider, "");
  const HbgEquations *plain = equations_of(&room, HBG_INSTANT_PLAIN);
  assert_int_equal(plain->system.unknown_count, 1);
  assert_int_equal(plain->system.row_count, 1);
  assert_true(plain->system.is_linear);
  assert_true(plain->entries_are_constant);
  room_end(&room);
  room_begin(&room, cubic, "");
  assert_false(equations_of(&room, HBG_INSTANT_PLAIN)->system.is_linear);
  room_end(&room);
}

static void a_stacked_system_has_each_unknown_and_its_rate(void **state) {
  (void)state;
  Room room;
  room_begin(&room, tied, "");
  const HbgSystem *plain = &equations_of(&room, HBG_INSTANT_PLAIN)->system, *stacked = &equations_of(&room, HBG_INSTANT_STACKED)->system;
  assert_int_equal(stacked->unknown_count, 2 * plain->unknown_count);
  assert_int_equal(stacked->row_count, 2 * plain->row_count);
  room_end(&room);
}

static void jacobians_are_derivatives(void **state) {
  (void)state;
  const char *const texts[] = {divider, cubic, tied, swinging, curved};
  const HbgEquationsKind kinds[] = {HBG_INSTANT_PLAIN, HBG_INSTANT_STACKED, HBG_INSTANT_JUMP};
  for (int which = 0; which < 5; which++) {
    for (int kind = 0; kind < 3; kind++) {
      Room room;
      room_begin(&room, texts[which], "");
      check_jacobian(&room, equations_of(&room, kinds[kind]));
      room_end(&room);
    }
  }
}

/* N capacitors on one rail, which is fed through a resistance: one of them takes what the others leave. */
static void of_many_that_are_tied_rows_have_few_terms(void **state) {
  (void)state;
  const int counts[] = {6, 60};
  for (int which = 0; which < 2; which++) {
    Room room;
    char text[300];
    snprintf(text, sizeof text, "model Bank {\n Se u(1); R r(1); 1 feed; 0 rail; u -> feed -> rail; feed -> r; for i in 1..%d { C c[i](i); rail -> c[i] }\n stop 1\n}", counts[which]);
    room_begin(&room, text, "");
    const HbgEquationsKind kinds[] = {HBG_INSTANT_STACKED, HBG_INSTANT_JUMP};
    for (int kind = 0; kind < 2; kind++) {
      const HbgEquations *equations = equations_of(&room, kinds[kind]);
      const HbgSystem *system = &equations->system;
      const bool are_many = which == 1;
      assert_int_equal(system->shared_count, are_many);
      assert_int_equal(system->unknown_count, system->area_count + (kind ? 1 : 2) * system->finite_count + system->shared_count);
      assert_true(system->is_linear);
      if (are_many) assert_true(system->entry_count <= 4 * counts[which]);
      check_jacobian(&room, equations);
    }
    room_end(&room);
  }
}

/* The same of what bends: Newton's method solves for few unknowns at a time, and has none of its own. */
static void of_many_that_bend_none_is_shared(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model Bank {\n Se u(1); R r(1); 1 feed; 0 rail; u -> feed -> rail; feed -> r; for i in 1..40 { C c[i]: e = q^3; rail -> c[i] }\n stop 1\n}", "");
  assert_false(equations_of(&room, HBG_INSTANT_JUMP)->system.is_linear);
  assert_int_equal(equations_of(&room, HBG_INSTANT_JUMP)->system.shared_count, 0);
  room_end(&room);
}

static void a_jump_speaks_of_the_nodes_its_rows_come_from(void **state) {
  (void)state;
  Room room;
  room_begin(&room, tied, "");
  const HbgEquations *jump = equations_of(&room, HBG_INSTANT_JUMP);
  assert_true(jump->system.row_count > 0);
  for (int32_t row = 0; row < jump->system.row_count; row++)
    assert_true(jump->system.row_origin[row] >= -1 && jump->system.row_origin[row] < room.graph.node_count);
  room_end(&room);
}

static bool note_reads(HbgExprPool *pool, HbgExpr expr, void *user) {
  bool *reads = user;
  const HbgOperation op = hbg_expr_node(pool, expr)->op;
  reads[0] = reads[0] || op == HBG_OP_STATE;
  reads[1] = reads[1] || op == HBG_OP_TIME;
  return true;
}

/* What rows are said to read is what stands in them, whoever shares it. */
static void check_reads(Room *room, const HbgEquations *equations) {
  bool any_reads_time = false;
  for (int32_t row = 0; row < equations->system.row_count; row++) {
    bool reads[2] = {false, false};
    hbg_expr_visit(&room->laws.pool, equations->system.residuals[row], note_reads, reads);
    assert_int_equal(equations->system.row_reads_state[row], reads[0]);
    any_reads_time = any_reads_time || reads[1];
  }
  assert_int_equal(equations->system.reads_time, any_reads_time);
}

/* Twelve wheels, some of whose laws bend, with junctions that hold neighbours together: rows that read many unknowns. */
static void rows_of_many_unknowns_have_the_same_derivatives(void **state) {
  (void)state;
  Room room;
  room_begin(&room,
             "model Wheels {\n Se motor(sin(time)); motor -> shaft[1]\n"
             " for i in 1..12 { 1 shaft[i]; I wheel[i]: f = p/(1 + 0.1*i) + (if i > 6 then 0.1*p^3 else 0); R bearing[i](0.05); shaft[i] -> wheel[i]; shaft[i] -> bearing[i] }\n"
             " for i in 1..11 { 0 clutch[i]; shaft[i] -> clutch[i] -> shaft[i+1] }\n stop 1\n}", "");
  static const HbgEquationsKind kinds[] = {HBG_INSTANT_PLAIN, HBG_CONTINUOUS_STACKED, HBG_INSTANT_JUMP};
  int32_t most = 0;
  for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
    const HbgEquations *equations = equations_of(&room, kinds[kind]);
    check_jacobian(&room, equations);
    check_reads(&room, equations);
    for (int32_t row = 0; row < equations->system.row_count; row++) {
      int32_t entries = 0;
      for (int32_t at = 0; at < equations->system.entry_count; at++) entries += equations->system.entries[at].row == row;
      if (entries > most) most = entries;
    }
  }
  assert_true(most > 8);
  room_end(&room);
}

static void a_jump_reads_the_time_where_a_constraint_does_and_not_where_a_force_does(void **state) {
  (void)state;
  Room room;
  room_begin(&room, tied, "");
  assert_true(room.program->reads_time);
  assert_true(equations_of(&room, HBG_INSTANT_JUMP)->system.row_count > 0);
  assert_false(equations_of(&room, HBG_INSTANT_JUMP)->system.reads_time);
  room_end(&room);
  room_begin(&room, "model Shaken {\n Sf v(sin(time)); I a(2); 1 n; v -> n; n -> a\n stop 1\n}", "");
  assert_true(equations_of(&room, HBG_INSTANT_JUMP)->system.reads_time);
  room_end(&room);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_system_of_an_explicit_mode_is_empty),
      cmocka_unit_test(linear_laws_make_a_linear_system),
      cmocka_unit_test(a_stacked_system_has_each_unknown_and_its_rate),
      cmocka_unit_test(jacobians_are_derivatives),
      cmocka_unit_test(of_many_that_are_tied_rows_have_few_terms),
      cmocka_unit_test(of_many_that_bend_none_is_shared),
      cmocka_unit_test(a_jump_speaks_of_the_nodes_its_rows_come_from),
      cmocka_unit_test(rows_of_many_unknowns_have_the_same_derivatives),
      cmocka_unit_test(a_jump_reads_the_time_where_a_constraint_does_and_not_where_a_force_does),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
