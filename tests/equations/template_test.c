/* SPDX-License-Identifier: BSD-3-Clause
 * Templates: what may differ between islands of one structure is taken out, and nothing else. */
#include "base/key.h"
#include "support/room.h"

/* The template of the bonds in `names` ("a -> b; c -> d"). */
static HbgTemplate part(Room *room, const char *names, HbgBinding *binding) {
  int32_t bonds[16], count = 0;
  char copy[400];
  snprintf(copy, sizeof copy, "%s", names);
  for (char *name = strtok(copy, ";"); name; name = strtok(NULL, ";")) {
    while (*name == ' ') name++;
    char trimmed[100];
    snprintf(trimmed, sizeof trimmed, "%s", name);
    for (size_t end = strlen(trimmed); end && trimmed[end - 1] == ' '; end--) trimmed[end - 1] = '\0';
    bonds[count++] = room_bond(room, trimmed);
  }
  for (int32_t at = 1; at < count; at++)
    for (int32_t to = at; to > 0 && bonds[to] < bonds[to - 1]; to--) {
      const int32_t moved = bonds[to];
      bonds[to] = bonds[to - 1];
      bonds[to - 1] = moved;
    }
  uint8_t *is_on = ARENA_NEW(room->arena, uint8_t, room->model->node_count);
  for (int32_t node = 0; node < room->model->node_count; node++) is_on[node] = 1;
  int32_t *phi = ARENA_NEW(room->arena, int32_t, room->model->machine_count);
  const HbgGraph graph = hbg_graph_make(&room->maker, bonds, count, is_on, room->arena);
  HbgTemplate made;
  hbg_template_make(&room->laws, &graph, phi, room->arena, &made, binding);
  return made;
}

static bool same(const HbgTemplate *a, const HbgTemplate *b) {
  return hbg_key_equal(a->key, a->key_length, b->key, b->key_length);
}

static const char *const many =
    "model Many {\n for i in 1..3 { param R[i] = 10 + i; C c[i](7*i); R r[i](R[i]); 0 n[i]; n[i] -> c[i]; n[i] -> r[i] }\n"
    " C c4(9); R r4: e = 5*f^3; 0 n4; n4 -> c4; n4 -> r4\n"
    " C c5(9); R r5(5); 0 n5; n5 -> c5; r6 <- n5; R r6(8); n5 -> r5\n stop 1\n}";

static void islands_that_differ_in_numbers_share_a_template(void **state) {
  (void)state;
  Room room;
  room_begin(&room, many, "");
  HbgBinding one, two;
  const HbgTemplate a = part(&room, "n[1] -> c[1]; n[1] -> r[1]", &one), b = part(&room, "n[2] -> c[2]; n[2] -> r[2]", &two);
  assert_true(same(&a, &b));
  assert_ptr_equal(hbg_program_for(&room.cache, &room.laws, &a, room.assignment),
                   hbg_program_for(&room.cache, &room.laws, &b, room.assignment));
  // ... and bring their own
  assert_int_equal(a.constant_count, b.constant_count);
  double sum_one = 0, sum_two = 0;
  for (int32_t at = 0; at < a.constant_count; at++) sum_one += one.constants[at], sum_two += two.constants[at];
  assert_true(sum_one < sum_two);
  assert_int_not_equal(one.states[0], two.states[0]);
  room_end(&room);
}

static void what_is_kept_outlives_the_template(void **state) {
  (void)state;
  Room room;
  room_begin(&room, many, "");
  HbgBinding binding;
  const HbgArenaMark mark = hbg_arena_mark(room.arena);
  const HbgTemplate made = part(&room, "n[1] -> c[1]; n[1] -> r[1]", &binding);
  HbgArena own = hbg_arena((HbgAllocator){0});
  own.on_failure = room.arena->on_failure;
  HbgTemplate kept = hbg_template_keep(&made, &own);
  kept.graph = hbg_graph_keep(&made.graph, &own);
  const HbgBinding kept_binding = hbg_binding_keep(&binding, &made, &own);
  hbg_arena_rewind(room.arena, mark);
  HbgBinding again;
  const HbgTemplate anew = part(&room, "n[1] -> c[1]; n[1] -> r[1]", &again);
  assert_true(same(&kept, &anew));
  assert_int_equal(kept.graph.bond_count, anew.graph.bond_count);
  assert_memory_equal(kept.graph.nodes, anew.graph.nodes, (size_t)anew.graph.node_count * sizeof *anew.graph.nodes);
  assert_memory_equal(kept_binding.constants, again.constants, (size_t)anew.constant_count * sizeof *again.constants);
  assert_memory_equal(kept_binding.states, again.states, (size_t)anew.state_count * sizeof *again.states);
  hbg_arena_release_all(&own);
  room_end(&room);
}

/* Laws of some operations within each other, in numbers of their own: sums, quotients and functions. */
static void deep_laws_share_a_template_too(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model Deep {\n for i in 1..2 { param k[i] = 10 + i; C c[i](7*i); 0 n[i]; n[i] -> c[i]\n"
                    " R r[i]: e = k[i]*(f + k[i]*f^3*abs(f/(k[i] + 4) + exp(-k[i]*f*f)))/(5 + k[i])\n n[i] -> r[i] }\n stop 1\n}", "");
  HbgBinding one, two;
  const HbgTemplate a = part(&room, "n[1] -> c[1]; n[1] -> r[1]", &one), b = part(&room, "n[2] -> c[2]; n[2] -> r[2]", &two);
  assert_true(same(&a, &b));
  assert_int_equal(a.constant_count, b.constant_count);
  assert_true(a.constant_count >= 4);
  room_end(&room);
}

static void islands_that_differ_in_laws_or_shape_do_not(void **state) {
  (void)state;
  Room room;
  room_begin(&room, many, "");
  HbgBinding binding;
  const HbgTemplate linear = part(&room, "n[1] -> c[1]; n[1] -> r[1]", &binding);
  const HbgTemplate cubic = part(&room, "n4 -> c4; n4 -> r4", &binding);
  const HbgTemplate larger = part(&room, "n5 -> c5; n5 -> r5; n5 -> r6", &binding);
  assert_false(same(&linear, &cubic));
  assert_false(same(&linear, &larger));
  room_end(&room);
}

static void a_junction_that_is_off_makes_another_structure(void **state) {
  (void)state;
  const char *text = "model B {\n I a(1), b(1); 1 va, vb; 0 contact by M; va -> a; vb -> b; va -> contact -> vb\n machine M { on joined initial; off apart }\n stop 1\n}";
  Room on, off;
  room_begin(&on, text, "");
  room_begin(&off, text, "contact");
  assert_false(same(&on.template, &off.template));
  room_end(&on);
  room_end(&off);
}

static void a_priori_values_and_ticks_become_slots(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model P {\n I m(1) start f = 1; 1 v; v -> m; Sf w(-0.8*pre(v.f) + step(1)); 0 n; v -> n <- w\n stop 2\n}", "");
  assert_int_equal(room.template.pre_count, 1);
  assert_int_equal(room.template.tick_count, 1);
  assert_int_equal(room.binding.ticks[0], 0);
  assert_int_equal(room.template.state_count, 1);
  room_end(&room);
}

static void a_law_is_specialised_to_the_states_of_machines(void **state) {
  (void)state;
  const char *text = "model S {\n machine key = Key; Se u(if key in on then 5 else 6*time); R r(1); u -> r\n machine Key { %s }\n stop 1\n}";
  char on_text[300], off_text[300];
  snprintf(on_text, sizeof on_text, text, "on closed initial; off open");
  snprintf(off_text, sizeof off_text, text, "on closed; off open initial");
  Room on, off;
  room_begin(&on, on_text, "");
  room_begin(&off, off_text, "");
  assert_false(on.program->reads_time);
  assert_true(off.program->reads_time);
  room_end(&on);
  room_end(&off);
}

static void a_ratio_that_a_machine_sets_has_another_causality_than_a_constant_one(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model G {\n machine key = Key; R a1(4), b1(6), a2(4), b2(6); TF t1(if key in on then 5 else 2), t2(5); 1 v1, v2\n"
                    " v1 -> a1; v1 -> t1 -> b1; v2 -> a2; v2 -> t2 -> b2\n"
                    " machine Key { on closed initial; off open }\n stop 1\n}", "");
  assert_true(room_sets_effort(&room, "t1", "v1 -> t1")); // it may vary, and asks for its side
  assert_false(room_sets_effort(&room, "t2", "v2 -> t2"));
  HbgBinding binding;
  const HbgTemplate shifted = part(&room, "v1 -> a1; v1 -> t1; t1 -> b1", &binding);
  const HbgTemplate fixed = part(&room, "v2 -> a2; v2 -> t2; t2 -> b2", &binding);
  assert_false(same(&shifted, &fixed));
  room_end(&room);
}

/* Two of three branches at a rail, whose elements have numbers and names of their own, with the template of what hangs together. */
static void which_of_equal_branches_are_off_does_not_matter(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model Rail {\n Se s(5); 0 rail; R wire(2); 1 line; s -> line -> rail; line -> wire\n"
                    " for i in 1..3 { 1 b[i] by M; C c[i](i*7); rail -> b[i] -> c[i] }\n machine M { on joined initial; off apart }\n stop 1\n}", "");
  static const char *const branch[] = {"b[1]", "b[2]", "b[3]"}, *const own[] = {"b[1] -> c[1]", "b[2] -> c[2]", "b[3] -> c[3]"};
  HbgTemplate made[3];
  for (int off = 0; off < 3; off++) {
    uint8_t *is_on = ARENA_NEW(room.arena, uint8_t, room.model->node_count);
    int32_t *phi = ARENA_NEW(room.arena, int32_t, room.model->machine_count), *bonds = ARENA_NEW(room.arena, int32_t, room.model->bond_count), count = 0;
    for (int32_t node = 0; node < room.model->node_count; node++) is_on[node] = node != room_node(&room, branch[off]);
    for (int32_t bond = 0; bond < room.model->bond_count; bond++)
      if (bond != room_bond(&room, own[off])) bonds[count++] = bond;
    const HbgGraph graph = hbg_graph_make(&room.maker, bonds, count, is_on, room.arena);
    HbgBinding binding;
    hbg_template_make(&room.laws, &graph, phi, room.arena, &made[off], &binding);
    for (int32_t at = 0; at < count; at++) assert_true(graph.bonds[hbg_graph_find_bond(&graph, bonds[at])].bond == bonds[at]);
    assert_int_equal(hbg_graph_find_bond(&graph, room_bond(&room, own[off])), -1);
  }
  assert_true(same(&made[0], &made[1]) && same(&made[1], &made[2]));
  room_end(&room);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(islands_that_differ_in_numbers_share_a_template),
      cmocka_unit_test(what_is_kept_outlives_the_template),
      cmocka_unit_test(deep_laws_share_a_template_too),
      cmocka_unit_test(islands_that_differ_in_laws_or_shape_do_not),
      cmocka_unit_test(a_junction_that_is_off_makes_another_structure),
      cmocka_unit_test(which_of_equal_branches_are_off_does_not_matter),
      cmocka_unit_test(a_priori_values_and_ticks_become_slots),
      cmocka_unit_test(a_law_is_specialised_to_the_states_of_machines),
      cmocka_unit_test(a_ratio_that_a_machine_sets_has_another_causality_than_a_constant_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
