/* SPDX-License-Identifier: BSD-3-Clause
 * The graph of an island: a junction that is off becomes one zero source for each of its ports (semantics R1). */
#include "support/room.h"

static const char *const bodies =
    "model Bodies {\n I a(1), b(1); 1 va, vb; 0 contact by M; va -> a; vb -> b; va -> contact -> vb\n"
    " machine M { on joined initial; off apart }\n stop 1\n}";

static void a_junction_that_is_on_is_one_node(void **state) {
  (void)state;
  Room room;
  room_begin(&room, bodies, "");
  assert_int_equal(room.graph.node_count, 5);
  assert_int_equal(room.graph.bond_count, 4);
  const HbgGraphNode *contact = &room.graph.nodes[room_graph_node(&room, "contact")];
  assert_int_equal(contact->kind, HBG_ELEMENT_ZERO);
  assert_int_equal(contact->port_count, 2);
  room_end(&room);
}

static void a_0_junction_that_is_off_is_a_zero_effort_on_each_port(void **state) {
  (void)state;
  Room room;
  room_begin(&room, bodies, "contact");
  assert_int_equal(room.graph.node_count, 6);
  int sources = 0;
  for (int32_t at = 0; at < room.graph.node_count; at++) {
    const HbgGraphNode *node = &room.graph.nodes[at];
    if (!node->is_off_port) continue;
    sources++;
    assert_int_equal(node->kind, HBG_ELEMENT_SE);
    assert_int_equal(node->port_count, 1);
    assert_int_equal(node->node, room_node(&room, "contact"));
  }
  assert_int_equal(sources, 2);
  room_end(&room);
}

static void a_1_junction_that_is_off_is_a_zero_flow_on_each_port(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model Wire {\n Se s(1); R r(1); 1 w by M; s -> w -> r\n machine M { on closed initial; off open }\n stop 1\n}", "w");
  assert_int_equal(room.graph.node_count, 4);
  for (int32_t at = 0; at < room.graph.node_count; at++)
    if (room.graph.nodes[at].is_off_port) assert_int_equal(room.graph.nodes[at].kind, HBG_ELEMENT_SF);
  room_end(&room);
}

static void ports_keep_the_sense_of_their_half_arrows(void **state) {
  (void)state;
  Room room;
  room_begin(&room, bodies, "contact");
  for (int32_t at = 0; at < room.graph.node_count; at++) {
    const HbgGraphNode *node = &room.graph.nodes[at];
    for (int32_t which = 0; which < node->port_count; which++) {
      const HbgPort *port = &room.graph.ports[node->first_port + which];
      const HbgGraphBond *bond = &room.graph.bonds[port->bond];
      assert_int_equal(port->sign > 0 ? bond->head : bond->tail, at);
    }
  }
  room_end(&room);
}

static void a_part_of_the_model_is_numbered_on_its_own(void **state) {
  (void)state;
  Room room;
  room_begin(&room, bodies, "contact");
  const int32_t bonds[2] = {room_bond(&room, "va -> a"), room_bond(&room, "va -> contact")};
  uint8_t is_on[5] = {1, 1, 1, 1, 1};
  is_on[room_node(&room, "contact")] = 0;
  const int32_t sorted[2] = {bonds[0] < bonds[1] ? bonds[0] : bonds[1], bonds[0] < bonds[1] ? bonds[1] : bonds[0]};
  const HbgGraph part = hbg_graph_make(&room.maker, sorted, 2, is_on, room.arena);
  assert_int_equal(part.node_count, 3); // a, va, and the port of the contact
  assert_int_equal(part.bond_count, 2);
  for (int32_t at = 0; at < 2; at++) assert_int_equal(part.bonds[at].bond, sorted[at]);
  room_end(&room);
}

static void two_bonds_between_two_nodes_stay_two(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model Twice {\n Se s(1); R r(1), q(1); 0 a; 1 b; s -> a; a -> b : one; a -> b : two; b -> r; a -> q\n stop 1\n}", "");
  assert_int_equal(room.graph.bond_count, 5);
  assert_int_equal(room.graph.nodes[room_graph_node(&room, "a")].port_count, 4);
  room_end(&room);
}

static void a_junction_that_a_source_fixes_is_that_source_on_each_other_port(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model Bus {\n Se u(1); 0 n; R a(1), b(1); u -> n; n -> a; n -> b\n stop 1\n}", "");
  int32_t *fixed_by = ARENA_NEW(room.arena, int32_t, room.model->node_count);
  const uint8_t is_on[4] = {1, 1, 1, 1};
  for (int32_t node = 0; node < room.model->node_count; node++) fixed_by[node] = -1;
  fixed_by[room_node(&room, "n")] = room_node(&room, "u");
  room.maker.fixed_by = fixed_by;
  const int32_t bond = room_bond(&room, "n -> a"), own = room_bond(&room, "u -> n");
  const HbgGraph branch = hbg_graph_make(&room.maker, &bond, 1, is_on, room.arena);
  assert_int_equal(branch.node_count, 2);
  assert_int_equal(branch.nodes[1].kind, HBG_ELEMENT_SE);
  assert_int_equal(branch.nodes[1].node, room_node(&room, "u"));
  assert_true(branch.nodes[1].is_source_port && !branch.nodes[1].is_off_port);
  assert_int_equal(branch.nodes[1].port_count, 1);
  const HbgGraph source = hbg_graph_make(&room.maker, &own, 1, is_on, room.arena);
  assert_int_equal(source.nodes[0].node, room_node(&room, "u"));
  assert_true(source.nodes[1].is_off_port);
  room_end(&room);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_junction_that_is_on_is_one_node),
      cmocka_unit_test(a_0_junction_that_is_off_is_a_zero_effort_on_each_port),
      cmocka_unit_test(a_1_junction_that_is_off_is_a_zero_flow_on_each_port),
      cmocka_unit_test(ports_keep_the_sense_of_their_half_arrows),
      cmocka_unit_test(a_part_of_the_model_is_numbered_on_its_own),
      cmocka_unit_test(a_junction_that_a_source_fixes_is_that_source_on_each_other_port),
      cmocka_unit_test(two_bonds_between_two_nodes_stay_two),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
