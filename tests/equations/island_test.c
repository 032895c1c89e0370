/* SPDX-License-Identifier: BSD-3-Clause
 * Programs of islands: made once, divided into groups, and known to be able to jump or not. */
#include "support/random_graph.h"
#include "support/room.h"
#include "support/seeds.h"

static const HbgEquations *equations_of(Room *room, HbgEquationsKind kind) {
  return hbg_island_equations(room->program, &room->laws, room->arena, kind);
}

static void equations_are_compiled_once(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model RC {\n C c(1); R r(1); 0 n; n -> c; n -> r\n stop 1\n}", "");
  const HbgEquations *first = equations_of(&room, HBG_INSTANT_PLAIN);
  const int32_t size = room.laws.pool.count;
  assert_ptr_equal(first, equations_of(&room, HBG_INSTANT_PLAIN));
  assert_int_equal(room.laws.pool.count, size);
  assert_int_equal(room.cache.programs.count, 1);
  room_end(&room);
}

static void without_a_priori_values_continuous_time_and_instants_share_their_code(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model RC {\n C c(1); R r(1); 0 n; n -> c; n -> r\n stop 1\n}", "");
  assert_ptr_equal(equations_of(&room, HBG_CONTINUOUS_PLAIN), equations_of(&room, HBG_INSTANT_PLAIN));
  room_end(&room);
  room_begin(&room, "model P {\n I m(1); 1 v; v -> m; Se w(-pre(v.f)); w -> v\n stop 1\n}", "");
  assert_ptr_not_equal(equations_of(&room, HBG_CONTINUOUS_PLAIN), equations_of(&room, HBG_INSTANT_PLAIN));
  room_end(&room);
}

static void loops_that_do_not_meet_are_groups_of_their_own(void **state) {
  (void)state;
  Room room;
  // two dividers on one source
  room_begin(&room, "model Two {\n Se u(1); 0 top; R a(1), b(2), c(3), d(4); 1 n, k; u -> top; top -> n; n -> a; n -> b; top -> k; k -> c; k -> d\n stop 1\n}", "");
  const HbgEquations *plain = equations_of(&room, HBG_INSTANT_PLAIN);
  assert_int_equal(plain->group_count, 2);
  for (int32_t at = 0; at < 2; at++) {
    assert_int_equal(plain->groups[at].row_count, 1);
    assert_int_equal(plain->groups[at].column_count, 1);
  }
  room_end(&room);
}

/* All but rates that no row reads: of what ties storages, the rate of what holds them together is asked for by nobody. */
static void groups_hold_every_row_column_and_entry_once(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model Many(N = 12) {\n Se u(1); 0 top; u -> top\n for i in 1..N { R a[i](1), b[i](2); I m[i](1), k[i](1); 1 n[i], v[i]; top -> n[i]; n[i] -> a[i]; n[i] -> b[i]; top -> v[i]; v[i] -> m[i]; v[i] -> k[i] }\n stop 1\n}", "");
  const HbgEquations *stacked = equations_of(&room, HBG_INSTANT_STACKED);
  bool *is_there = ARENA_NEW(room.arena, bool, stacked->system.unknown_count), *is_read = ARENA_NEW(room.arena, bool, stacked->system.unknown_count);
  for (int32_t at = 0; at < stacked->system.entry_count; at++) is_read[stacked->system.entries[at].column] = true;
  int32_t rows = 0, columns = 0, entries = 0, idle = 0, of_rows_alone = 0;
  for (int32_t at = 0; at < stacked->group_count; at++) {
    rows += stacked->groups[at].row_count;
    of_rows_alone += !stacked->groups[at].column_count;
    for (int32_t column = 0; column < stacked->groups[at].column_count; column++) is_there[stacked->groups[at].columns[column]] = true;
    columns += stacked->groups[at].column_count;
    entries += stacked->groups[at].entry_count;
    for (int32_t entry = 0; entry < stacked->groups[at].entry_count; entry++) {
      assert_true(stacked->groups[at].entry_row[entry] < stacked->groups[at].row_count);
      assert_true(stacked->groups[at].entry_column[entry] < stacked->groups[at].column_count);
    }
  }
  for (int32_t column = 0; column < stacked->system.unknown_count; column++) {
    assert_int_equal(is_there[column], is_read[column] || column < stacked->system.finite_count);
    idle += !is_there[column];
  }
  assert_int_equal(idle, 12);
  assert_int_equal(of_rows_alone, 1);
  assert_int_equal(rows, stacked->system.row_count);
  assert_int_equal(columns, stacked->system.unknown_count - idle);
  assert_int_equal(entries, stacked->system.entry_count);
  assert_true(stacked->group_count >= 24);
  room_end(&room);
}

/* Where laws bend: after a change of its unknowns, the code of a group gives its rows and entries as all of the program would. */
static void the_code_of_a_group_is_what_its_unknowns_change(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model Bent(N = 12) {\n Se u(3); 0 top; u -> top\n for i in 1..N { R a[i](i), b[i]: f = e*i + e^3; C c[i](1); 1 n[i]; top -> n[i]; n[i] -> a[i]; n[i] -> b[i]; n[i] -> c[i] }\n stop 1\n}", "");
  const HbgEquations *plain = equations_of(&room, HBG_INSTANT_PLAIN);
  const HbgProgram *program = &plain->program;
  assert_int_equal(plain->group_count, 12);
  double *part = ARENA_NEW(room.arena, double, program->register_count), *whole = ARENA_NEW(room.arena, double, program->register_count);
  hbg_program_load_constants(program, part);
  for (int32_t at = 0; at < program->input_count; at++) part[program->inputs[at].target] = 0.1 + 0.01 * at;
  hbg_execute(program->prepare, 0, program->prepare_count, part);
  hbg_execute(program->main, 0, plain->residual_end, part);
  int32_t instructions = 0;
  for (int32_t at = 0; at < plain->group_count; at++) {
    const HbgGroup *group = &plain->groups[at];
    assert_true(group->code_count > 0);
    instructions += group->code_count;
    for (int32_t column = 0; column < group->column_count; column++) part[plain->unknown_register[group->columns[column]]] = -0.3 * at;
    memcpy(whole, part, (size_t)program->register_count * sizeof *part);
    hbg_execute(group->code, 0, group->code_count, part);
    hbg_execute(program->main, 0, plain->residual_end, whole);
    for (int32_t target = 0; target < program->register_count; target++) CHECK_NEAR(part[target], whole[target], 0);
  }
  assert_true(instructions <= plain->residual_end);
  room_end(&room);
}

static void only_a_mode_with_something_overruled_may_jump(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model RC {\n C c(1); R r(1); 0 n; n -> c; n -> r\n stop 1\n}", "");
  assert_false(room.program->may_jump);
  room_end(&room);
  const char *bodies = "model B {\n I a(1), b(1); 1 va, vb; 0 contact by M; va -> a; vb -> b; va -> contact -> vb\n machine M { on joined initial; off apart }\n stop 1\n}";
  room_begin(&room, bodies, "");
  assert_true(room.program->may_jump);
  room_end(&room);
  room_begin(&room, bodies, "contact");
  assert_false(room.program->may_jump);
  room_end(&room);
}

/* Areas need not be sorted to know that there are none: not where nothing is open but loops through resistors. */
static void a_mode_may_jump_where_areas_are_unknown(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(1500);
  int jumping = 0, told_apart = 0;
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    Random random = {(uint64_t)seed};
    HbgArena arena = hbg_arena((HbgAllocator){0});
    HbgText text = hbg_text(&arena);
    const RandomGraph graph = random_graph(&random, (RandomTaste){.elements_most = 20, .nonlinear = seed % 2, .modulated = seed % 3 == 0, .sources = true, .redundant = seed % 5 == 0, .decades = 1});
    random_graph_write(&graph, NULL, &text);
    Room room;
    room_begin(&room, text.bytes, "");
    const bool may_jump = room.program->may_jump;
    told_apart += !may_jump && !room.program->areas && room.program->finite[0]->unknown_count > 0;
    (void)equations_of(&room, HBG_INSTANT_JUMP); // which sorts them
    if (may_jump != (room.program->areas->unknown_count > 0)) fail_msg("seed %ld: a jump %s told of\n%s", seed, may_jump ? "is" : "is not", text.bytes);
    jumping += may_jump;
    room_end(&room);
    hbg_arena_release_all(&arena);
  }
  if (!(jumping > seeds.count / 20 && told_apart > seeds.count / 100)) fail_msg("of %ld only %d jump and %d are told apart", seeds.count, jumping, told_apart);
}

static void every_state_and_variable_has_a_register(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model Mix {\n Se u(1); C c(1); I l(1), m(2); R r(1); GY g(3); 1 n, k; u -> n; n -> c; n -> l; n -> g -> k -> m; k -> r\n stop 1\n}", "");
  const HbgEquations *plain = equations_of(&room, HBG_INSTANT_PLAIN);
  for (int32_t variable = 0; variable < room.graph.bond_count * 2; variable++) {
    assert_true(plain->variable_register[variable] >= 0);
    assert_true(plain->variable_register[variable] < plain->program.register_count);
  }
  for (int32_t at = 0; at < room.template.state_count; at++) assert_true(plain->state_register[at] >= 0);
  assert_true(plain->residual_end <= plain->rates_end && plain->rates_end <= plain->all_end);
  room_end(&room);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equations_are_compiled_once),
      cmocka_unit_test(without_a_priori_values_continuous_time_and_instants_share_their_code),
      cmocka_unit_test(loops_that_do_not_meet_are_groups_of_their_own),
      cmocka_unit_test(groups_hold_every_row_column_and_entry_once),
      cmocka_unit_test(the_code_of_a_group_is_what_its_unknowns_change),
      cmocka_unit_test(only_a_mode_with_something_overruled_may_jump),
      cmocka_unit_test(a_mode_may_jump_where_areas_are_unknown),
      cmocka_unit_test(every_state_and_variable_has_a_register),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
