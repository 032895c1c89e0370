/* SPDX-License-Identifier: BSD-3-Clause
 * Which end sets the effort: textbook graphs, dependent storages, choices, and demands that cannot be met. */
#include "support/room.h"

static void sources_have_it_their_way(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model S {\n Se u(1); Sf j(1); R a(1), b(1); u -> a; j -> b\n stop 1\n}", "");
  assert_true(room_sets_effort(&room, "u", "u -> a"));
  assert_false(room_sets_effort(&room, "j", "j -> b"));
  room_end(&room);
}

static void storages_are_integral_where_nothing_ties_them(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model LC {\n C c(1); I l(1); R r(1); 1 n; n -> c; n -> l; n -> r\n stop 1\n}", "");
  assert_true(room_is_preferred(&room, "c"));
  assert_true(room_is_preferred(&room, "l"));
  assert_true(room_sets_effort(&room, "c", "n -> c"));
  assert_false(room_sets_effort(&room, "l", "n -> l"));
  // the coil determines the flow of the junction, so the resistor receives it
  assert_true(room_sets_effort(&room, "r", "n -> r"));
  room_end(&room);
}

static void of_two_tied_storages_the_later_name_depends(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model Two {\n I zebra(1), ape(2); 1 n; n -> zebra; n -> ape\n stop 1\n}", "");
  assert_true(room_is_preferred(&room, "ape"));
  assert_false(room_is_preferred(&room, "zebra"));
  room_end(&room);
}

static void a_joined_contact_makes_one_body_dependent_and_an_open_one_none(void **state) {
  (void)state;
  const char *text = "model B {\n I a(1), b(1); 1 va, vb; 0 contact by M; va -> a; vb -> b; va -> contact -> vb\n"
                     " machine M { on joined initial; off apart }\n stop 1\n}";
  Room room;
  room_begin(&room, text, "");
  assert_true(room_is_preferred(&room, "a") != room_is_preferred(&room, "b"));
  room_end(&room);
  room_begin(&room, text, "contact");
  assert_true(room_is_preferred(&room, "a"));
  assert_true(room_is_preferred(&room, "b"));
  room_end(&room);
}

static void a_storage_on_a_junction_that_is_off_is_emptied(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model E {\n C c(1); R r(1); 0 n by M; n -> c; n -> r\n machine M { on whole initial; off cut }\n stop 1\n}", "n");
  assert_false(room_is_preferred(&room, "c"));
  room_end(&room);
}

static void a_source_makes_a_storage_dependent(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model S {\n Se u(1); C c(1); 0 n; u -> n -> c\n stop 1\n}", "");
  assert_true(room_is_preferred(&room, "u"));
  assert_false(room_is_preferred(&room, "c"));
  room_end(&room);
}

static void two_sources_that_contradict_leave_one_overruled(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model F {\n Sf u(1), v(2); 1 n; R r(1); u -> n; v -> n; n -> r\n stop 1\n}", "");
  assert_true(room_is_preferred(&room, "u"));
  assert_false(room_is_preferred(&room, "v"));
  const HbgUnknown *unknown = &room.program->finite[0]->unknowns[0];
  assert_int_equal(room.program->finite[0]->unknown_count, 1);
  assert_int_equal(unknown->reason, HBG_UNKNOWN_SOURCE);
  assert_int_equal(unknown->node, room_graph_node(&room, "v"));
  room_end(&room);
}

static void a_transformer_passes_causality_on_and_a_gyrator_turns_it_round(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model T {\n Se u(1); TF t(2); R r(1); u -> t -> r\n stop 1\n}", "");
  assert_true(room_sets_effort(&room, "t", "t -> r"));
  room_end(&room);
  room_begin(&room, "model G {\n Se u(1); GY g(2); R r(1); u -> g -> r\n stop 1\n}", "");
  assert_false(room_sets_effort(&room, "g", "g -> r"));
  room_end(&room);
}

static void a_resistive_loop_is_a_choice(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model L {\n Se u(1); R a(1), b(1); 1 n; u -> n; n -> a; n -> b\n stop 1\n}", "");
  assert_int_equal(room.program->strokes.is_choice[room_graph_node(&room, "a")], 1);
  assert_int_equal(room.program->strokes.is_choice[room_graph_node(&room, "b")], 0);
  room_end(&room);
}

static void resistors_of_one_form_are_asked_before_the_others(void **state) {
  (void)state;
  Room room;
  // e = f + f^3 can only give e
  room_begin(&room, "model L {\n Se u(1); R a(1); R z: e = f + f^3; 1 n; u -> n; n -> a; n -> z\n stop 1\n}", "");
  assert_true(room_sets_effort(&room, "z", "n -> z"));
  assert_false(room_sets_effort(&room, "a", "n -> a"));
  room_end(&room);
}

/* Every bond has causality, and every junction one determining bond where sources do not contradict. */
static void check_determining_bonds(const Room *room) {
  for (int32_t at = 0; at < room->graph.node_count; at++) {
    const HbgGraphNode *node = &room->graph.nodes[at];
    if (node->kind != HBG_ELEMENT_ZERO && node->kind != HBG_ELEMENT_ONE) continue;
    int32_t determining = 0;
    for (int32_t which = 0; which < node->port_count; which++) {
      const int32_t bond = room->graph.ports[node->first_port + which].bond;
      assert_true(room->program->strokes.effort_from_tail[bond] <= 1);
      const bool sets = hbg_sets_effort(&room->graph, room->program->strokes.effort_from_tail, at, bond);
      determining += sets == (node->kind == HBG_ELEMENT_ONE);
    }
    assert_int_equal(determining, 1);
  }
}

static void every_junction_has_one_determining_bond(void **state) {
  (void)state;
  const char *text = "model Chain(N = 50) {\n Se push(1); push -> v[1]\n for i in 1..N { I m[i](1); 1 v[i]; v[i] -> m[i]; R d[i](1); v[i] -> d[i] }\n"
                     " for i in 1..N-1 { C s[i](1); 0 f[i] by M; 1 w[i]; R r[i](1); v[i] -> f[i] -> v[i+1]; f[i] -> w[i]; w[i] -> s[i]; w[i] -> r[i] }\n"
                     " machine M { on joined initial; off apart }\n stop 1\n}";
  const char *const off[] = {"", "f[3]", "f[1] f[2] f[49] f[25]"};
  for (int at = 0; at < 3; at++) {
    Room room;
    room_begin(&room, text, off[at]);
    check_determining_bonds(&room);
    for (int32_t node = 0; node < room.graph.node_count; node++)
      if (!room.graph.nodes[node].is_off_port && hbg_is_storage(&room.model->nodes[room.graph.nodes[node].node]))
        assert_true(hbg_strokes_are_preferred(&room.graph, &room.program->strokes, node));
    room_end(&room);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sources_have_it_their_way),
      cmocka_unit_test(storages_are_integral_where_nothing_ties_them),
      cmocka_unit_test(of_two_tied_storages_the_later_name_depends),
      cmocka_unit_test(a_joined_contact_makes_one_body_dependent_and_an_open_one_none),
      cmocka_unit_test(a_storage_on_a_junction_that_is_off_is_emptied),
      cmocka_unit_test(a_source_makes_a_storage_dependent),
      cmocka_unit_test(two_sources_that_contradict_leave_one_overruled),
      cmocka_unit_test(a_transformer_passes_causality_on_and_a_gyrator_turns_it_round),
      cmocka_unit_test(a_resistive_loop_is_a_choice),
      cmocka_unit_test(resistors_of_one_form_are_asked_before_the_others),
      cmocka_unit_test(every_junction_has_one_determining_bond),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
