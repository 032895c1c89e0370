/* SPDX-License-Identifier: BSD-3-Clause
 * What each variable is, given the strokes; unknowns where a demand was overruled, and the same for impulses (semantics 4). */
#include "equations/definitions.h"

#include "support/room.h"

typedef struct Sets {
  HbgDefinitions finite, areas;
} Sets;

static Sets define(Room *room) {
  const HbgStrokes *strokes = &room->program->strokes;
  return (Sets){hbg_define_finite(&room->template, strokes, false, &room->laws.pool, room->arena),
                hbg_define_areas(&room->template, strokes, &room->laws.pool, room->arena)};
}

static int32_t count_reason(const HbgDefinitions *set, HbgUnknownReason reason) {
  int32_t count = 0;
  for (int32_t at = 0; at < set->unknown_count; at++) count += set->unknowns[at].reason == reason;
  return count;
}

/* Every variable is defined or unknown, and not both. */
static void check_complete(const Room *room, const HbgDefinitions *set) {
  for (int32_t variable = 0; variable < room->graph.bond_count * 2; variable++)
    assert_true((set->definition[variable] != 0) != (set->unknown_of[variable] >= 0));
  for (int32_t at = 0; at < set->unknown_count; at++) assert_true(set->unknowns[at].residual != 0);
}

static void an_explicit_circuit_has_no_unknowns(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model RC {\n Se u(1); R r(1); C c(1); 1 n; u -> n; n -> r; n -> c\n stop 1\n}", "");
  const Sets sets = define(&room);
  check_complete(&room, &sets.finite);
  check_complete(&room, &sets.areas);
  assert_int_equal(sets.finite.unknown_count, 0);
  assert_int_equal(sets.areas.unknown_count, 0);
  room_end(&room);
}

static void a_dependent_storage_is_unknown_in_both_sets(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model Two {\n I a(1), b(2); 1 n; n -> a; n -> b\n stop 1\n}", "");
  const Sets sets = define(&room);
  check_complete(&room, &sets.finite);
  check_complete(&room, &sets.areas);
  assert_int_equal(count_reason(&sets.finite, HBG_UNKNOWN_DERIVATIVE), 1);
  assert_int_equal(count_reason(&sets.areas, HBG_UNKNOWN_DERIVATIVE), 1);
  assert_int_equal(sets.finite.unknowns[0].variable, hbg_effort_of(room_bond(&room, "n -> b")));
  room_end(&room);
}

static void a_source_that_is_overruled_is_unknown(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model F {\n Sf u(1), v(2); R r(1); 1 n; u -> n; v -> n; n -> r\n stop 1\n}", "");
  const Sets sets = define(&room);
  check_complete(&room, &sets.finite);
  assert_int_equal(count_reason(&sets.finite, HBG_UNKNOWN_SOURCE), 1);
  room_end(&room);
}

static void a_law_without_a_form_is_unknown(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model R {\n Se u(1); R c: e + exp(e) = f + exp(f); u -> c\n stop 1\n}", "");
  const Sets sets = define(&room);
  check_complete(&room, &sets.finite);
  assert_int_equal(count_reason(&sets.finite, HBG_UNKNOWN_LAW), 1);
  assert_int_equal(sets.areas.unknown_count, 0);
  room_end(&room);
}

static void a_varying_ratio_that_must_be_divided_by_is_unknown(void **state) {
  (void)state;
  Room room;
  // both ends fix flows: the ratio cannot be multiplied by
  room_begin(&room, "model T {\n Sf a(1); MTF t(sin(time)); I m(1); 1 n; t -> n -> m; 1 k; a -> k; R r(1); k -> r; k -> t\n stop 1\n}", "");
  const Sets sets = define(&room);
  check_complete(&room, &sets.finite);
  assert_true(sets.finite.unknown_count >= 1);
  room_end(&room);
}

static void resistors_must_not_carry_impulses(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model R {\n I a(1), b(2); 1 n; R r(1); n -> a; n -> b; n -> r\n stop 1\n}", "");
  const Sets sets = define(&room);
  assert_int_equal(sets.areas.condition_count, 1);
  assert_int_equal(sets.areas.condition_nodes[0], room_graph_node(&room, "r"));
  assert_int_equal(sets.finite.condition_count, 0);
  room_end(&room);
}

static void a_junction_without_a_determining_bond_is_unknown(void **state) {
  (void)state;
  Room room;
  // a 0-junction between flow sources alone: the effort follows from nothing
  room_begin(&room, "model J {\n Sf a(1), b(1); 0 n; a -> n; n -> b\n stop 1\n}", "");
  const Sets sets = define(&room);
  check_complete(&room, &sets.finite);
  assert_int_equal(count_reason(&sets.finite, HBG_UNKNOWN_JUNCTION) + count_reason(&sets.finite, HBG_UNKNOWN_SOURCE), 1);
  room_end(&room);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_explicit_circuit_has_no_unknowns),
      cmocka_unit_test(a_dependent_storage_is_unknown_in_both_sets),
      cmocka_unit_test(a_source_that_is_overruled_is_unknown),
      cmocka_unit_test(a_law_without_a_form_is_unknown),
      cmocka_unit_test(a_varying_ratio_that_must_be_divided_by_is_unknown),
      cmocka_unit_test(resistors_must_not_carry_impulses),
      cmocka_unit_test(a_junction_without_a_determining_bond_is_unknown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
