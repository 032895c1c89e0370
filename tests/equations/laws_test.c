/* SPDX-License-Identifier: BSD-3-Clause
 * Laws made ready for causality: in every form they can be brought to, and who reads whom. */
#include "support/room.h"

/* The words of a law of the run's own pool, which has grown beyond the model's. */
static bool has_law(const Room *room, const HbgExpr *laws, const char *node) { return laws[room_node(room, node)] != 0; }

static void a_linear_resistor_has_both_forms_and_no_wish(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model R {\n Se u(1); R r(3); u -> r\n stop 1\n}", "");
  assert_true(has_law(&room, room.laws.effort_law, "r"));
  assert_true(has_law(&room, room.laws.flow_law, "r"));
  assert_int_equal(room.laws.wish[room_node(&room, "r")], HBG_WISH_NONE);
  room_end(&room);
}

/* The other form of the law of `r`, whose factor `by` is a number. */
static void check_proportional(const char *law, bool solves_flow, HbgOperation op, double by) {
  Room room;
  char text[200];
  snprintf(text, sizeof text, "model R {\n Se u(1); R r: %s; u -> r\n stop 1\n}", law);
  room_begin(&room, text, "");
  const HbgExprPool *pool = &room.laws.pool;
  const HbgExprNode form = *hbg_expr_node(pool, (solves_flow ? room.laws.flow_law : room.laws.effort_law)[room_node(&room, "r")]);
  assert_int_equal(form.op, op);
  assert_int_equal(hbg_expr_node(pool, form.a)->op, solves_flow ? HBG_OP_EFFORT : HBG_OP_FLOW);
  assert_true(hbg_expr_is(pool, form.b, by));
  // nobody will ask for the equation itself
  assert_false(has_law(&room, room.laws.implicit_law, "r"));
  room_end(&room);
}

static void a_proportional_law_is_divided_by_its_factor(void **state) {
  (void)state;
  check_proportional("e = 3*f", true, HBG_OP_DIV, 3);
  check_proportional("e = f*3", true, HBG_OP_DIV, 3);
  check_proportional("e = f/4", true, HBG_OP_DIV, 0.25);
  check_proportional("f = -5*e", false, HBG_OP_DIV, -5);
}

static void a_law_that_cannot_be_solved_wishes_for_the_form_it_has(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model R {\n Se u(1); 1 n; R a: e = f + f^3; R b: f = e + e^5; R c: e + exp(e) = f + exp(f); u -> n; n -> a; n -> b; n -> c\n stop 1\n}", "");
  assert_int_equal(room.laws.wish[room_node(&room, "a")], HBG_WISH_EFFORT_OUT);
  assert_false(has_law(&room, room.laws.flow_law, "a"));
  assert_int_equal(room.laws.wish[room_node(&room, "b")], HBG_WISH_FLOW_OUT);
  assert_false(has_law(&room, room.laws.effort_law, "b"));
  assert_int_equal(room.laws.wish[room_node(&room, "c")], HBG_WISH_NONE);
  assert_true(has_law(&room, room.laws.implicit_law, "c"));
  assert_false(has_law(&room, room.laws.effort_law, "c"));
  room_end(&room);
}

static void a_law_is_solved_only_where_that_holds_for_every_value(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model R {\n Se u(1); 1 n; R a: 2*e - 3 = 4*f; R b: f = exp(e) - 1; u -> n; n -> a; n -> b\n stop 1\n}", "");
  assert_true(has_law(&room, room.laws.effort_law, "a"));
  assert_true(has_law(&room, room.laws.flow_law, "a"));
  // the logarithm of a flow below -1 does not exist
  assert_false(has_law(&room, room.laws.effort_law, "b"));
  room_end(&room);
}

/* What a law wishes for that has both forms. */
static HbgWish wish_of(const char *law) {
  Room room;
  char text[200];
  snprintf(text, sizeof text, "model R {\n Se u(1); R r: %s; u -> r\n stop 1\n}", law);
  room_begin(&room, text, "");
  assert_true(has_law(&room, room.laws.effort_law, "r"));
  assert_true(has_law(&room, room.laws.flow_law, "r"));
  const HbgWish wish = room.laws.wish[room_node(&room, "r")];
  room_end(&room);
  return wish;
}

static void powers_are_solved_and_wish_for_the_form_without_a_root(void **state) {
  (void)state;
  assert_int_equal(wish_of("f = 0.5*sqrt(abs(e))*sign(e)"), HBG_WISH_EFFORT_OUT);
  assert_int_equal(wish_of("f = sign(e)*sqrt(abs(e))/3"), HBG_WISH_EFFORT_OUT);
  assert_int_equal(wish_of("f = -2*abs(e)^0.6*sign(e) + 1"), HBG_WISH_EFFORT_OUT);
  assert_int_equal(wish_of("f = 0.001*sign(e)*sqrt(abs(e)/10)"), HBG_WISH_EFFORT_OUT);
  assert_int_equal(wish_of("f = 0.6*sqrt(2*abs(e)/1000)*sign(e)"), HBG_WISH_EFFORT_OUT);
  assert_int_equal(wish_of("f = sqrt(abs(-2*e/1000))*sign(3*e)"), HBG_WISH_EFFORT_OUT);
  assert_int_equal(wish_of("f = (abs(e)/5)^0.6*sign(e)"), HBG_WISH_EFFORT_OUT);
  assert_int_equal(wish_of("e = 4*f*abs(f)"), HBG_WISH_EFFORT_OUT);
  assert_int_equal(wish_of("e = 4*f*abs(f/3)"), HBG_WISH_EFFORT_OUT);
  assert_int_equal(wish_of("e = 3*f^3"), HBG_WISH_EFFORT_OUT);
  assert_int_equal(wish_of("e = 3*f^2*sign(f)"), HBG_WISH_EFFORT_OUT);
  assert_int_equal(wish_of("f = abs(e)^1.5*sign(e)"), HBG_WISH_FLOW_OUT);
  assert_int_equal(wish_of("e = sqrt(abs(f))*sign(f)"), HBG_WISH_FLOW_OUT);
}

static void a_ratio_that_varies_wishes_to_be_multiplied_by(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model T {\n Se u(1); TF a(2), b(sin(time)); 0 n; R r(1), q(1); u -> n; n -> a -> r; n -> b -> q\n stop 1\n}", "");
  assert_int_equal(room.laws.wish[room_node(&room, "a")], HBG_WISH_NONE);
  assert_int_equal(room.laws.wish[room_node(&room, "b")], HBG_WISH_EFFORT_OUT);
  room_end(&room);
}

static bool is_linked(const Room *room, const char *bond, const char *other) {
  const int32_t a = room_bond(room, bond), b = room_bond(room, other);
  for (int32_t at = room->laws.link_start[a]; at < room->laws.link_start[a + 1]; at++)
    if ((room->laws.link_list[at].reader == a && room->laws.link_list[at].read == b) ||
        (room->laws.link_list[at].reader == b && room->laws.link_list[at].read == a))
      return true;
  return false;
}

static void who_reads_anothers_signal_is_linked_with_it(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model L {\n Se u(1); R r(1); C c(1); u -> r\n Sf follower(r.f); follower -> c\n Se z(c.q); R s(1); z -> s\n Se w(1); R v(1); w -> v\n stop 1\n}", "");
  assert_true(is_linked(&room, "follower -> c", "u -> r"));
  assert_true(is_linked(&room, "u -> r", "follower -> c"));
  assert_true(is_linked(&room, "z -> s", "follower -> c")); // through the stored quantity
  assert_false(is_linked(&room, "w -> v", "u -> r"));
  assert_true(room.laws.is_read[room_bond(&room, "u -> r")]);
  assert_false(room.laws.is_read[room_bond(&room, "w -> v")]);
  room_end(&room);
}

static void an_integral_links_to_what_it_integrates(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model L {\n Se u(1); I m(1); u -> m; signal x = integral(m.f)\n Se s(x); R r(1); s -> r\n stop 1\n}", "");
  assert_true(is_linked(&room, "s -> r", "u -> m"));
  assert_true(room.laws.is_demanded[hbg_flow_of(room_bond(&room, "u -> m"))]);
  assert_false(room.laws.is_demanded[hbg_effort_of(room_bond(&room, "u -> m"))]);
  room_end(&room);
}

/* Two masses with drags and a force between them as a law of their velocities; and a force on the first one. */
static const char coupler[] =
    "model C {\n for i in 1..2 { 1 v[i]%s; I m[i](1); R b[i](1); v[i] -> m[i]; v[i] -> b[i] }\n"
    " 0 k; v[1] -> k -> v[2]; Se f(%s); f -> k\n Se g(-2*v[1].f); g -> v[1]\n"
    " machine M { on closed initial; off open; closed -> open when time >= 1 }\n stop 1\n}";

static void begin_coupler(Room *room, const char *by, const char *law) {
  char text[1000];
  snprintf(text, sizeof text, coupler, by, law);
  room_begin(room, text, "");
}

static bool asks(Room *room, const char *element, const char *bond) {
  const HbgExpr leaf = hbg_expr_leaf(&room->laws.pool, HBG_OP_FLOW, room_bond(room, bond), 0);
  return hbg_expr_depends(&room->laws.pool, room->laws.effort_law[room_node(room, element)], leaf);
}

static void a_law_asks_the_nearest_of_the_bonds_that_share_a_flow(void **state) {
  (void)state;
  Room room;
  begin_coupler(&room, "", "v[1].f - v[2].f");
  assert_true(asks(&room, "f", "v[1] -> k") && asks(&room, "f", "k -> v[2]"));
  assert_true(asks(&room, "g", "g -> v[1]"));
  // nothing else is read, so that all masses may be cut off
  for (int32_t bond = 0; bond < room.model->bond_count; bond++)
    assert_int_equal(room.laws.is_read[bond], bond == room_bond(&room, "v[1] -> k") || bond == room_bond(&room, "k -> v[2]"));
  room_end(&room);
}

static void an_integral_that_a_law_reads_ties_it_to_the_nearest_bonds(void **state) {
  (void)state;
  Room room;
  begin_coupler(&room, "", "integral(v[1].f - v[2].f)");
  assert_true(is_linked(&room, "f -> k", "v[1] -> k") && is_linked(&room, "f -> k", "k -> v[2]"));
  assert_false(is_linked(&room, "f -> k", "v[1] -> m[1]") || is_linked(&room, "f -> k", "v[1] -> b[1]"));
  room_end(&room);
}

static void a_law_beyond_other_junctions_asks_the_bond_by_which_the_flow_is_reached_first(void **state) {
  (void)state;
  Room room;
  // a contact of a spring and a damper side by side: between the spring and the masses are two junctions
  room_begin(&room,
             "model C {\n for i in 1..2 { 1 v[i]; I m[i](1); R b[i](1); v[i] -> m[i]; v[i] -> b[i]; signal x[i] = integral(v[i].f) }\n"
             " 0 k by M(x[1] > x[2]); 1 s; v[1] -> k -> v[2]; Se f(x[1] - x[2]); R d(1); k -> s -> f; s -> d; Se far(v[1].f); 1 o; R w(1); far -> o -> w\n"
             " machine M(c) { on closed; off open initial; closed -> open when not c; open -> closed when c }\n stop 1\n}", "");
  assert_true(is_linked(&room, "s -> f", "v[1] -> k") && is_linked(&room, "s -> f", "k -> v[2]"));
  assert_false(is_linked(&room, "s -> f", "v[1] -> m[1]") || is_linked(&room, "s -> f", "v[1] -> b[1]"));
  // what hangs together with nothing reads some bond
  assert_int_equal(room.laws.link_start[room_bond(&room, "far -> o") + 1] - room.laws.link_start[room_bond(&room, "far -> o")], 1);
  room_end(&room);
}

static void what_is_looked_back_at_is_asked_for_where_it_stands(void **state) {
  (void)state;
  Room room;
  begin_coupler(&room, "", "pre(v[1].f) - v[2].f");
  assert_false(asks(&room, "f", "v[1] -> k"));
  assert_true(asks(&room, "f", "k -> v[2]"));
  room_end(&room);
}

static void a_junction_that_is_switched_is_not_asked_elsewhere(void **state) {
  (void)state;
  Room room;
  begin_coupler(&room, " by M", "m[1].f - m[2].f");
  assert_true(asks(&room, "f", "v[1] -> m[1]") && asks(&room, "f", "v[2] -> m[2]"));
  room_end(&room);
}

static void readers_and_switched_junctions_of_a_machine_are_listed(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model M {\n machine key = Key; Se u(if key in on then 1 else 2); 0 n; 1 a by key; 1 b by key; R r(1), q(1); u -> n; n -> a -> r; n -> b -> q\n"
                    " machine Key { on closed initial; off open; closed -> open when time >= 1 }\n stop 1\n}", "");
  assert_int_equal(room.laws.reader_start[1] - room.laws.reader_start[0], 1);
  assert_int_equal(room.laws.reader_list[0], room_node(&room, "u"));
  assert_int_equal(room.laws.switched_start[1] - room.laws.switched_start[0], 2);
  room_end(&room);
}

static void a_tick_is_an_input_only_where_a_law_reads_it(void **state) {
  (void)state;
  Room room;
  room_begin(&room, "model T {\n Se u(step(1)); R r(1); 1 g by M; u -> g -> r\n machine M { on a initial; off b; a -> b when time >= 2 }\n stop 3\n}", "");
  assert_int_equal(room.model->tick_count, 2);
  for (int32_t tick = 0; tick < 2; tick++)
    assert_int_equal(room.laws.turning_start[tick] < room.laws.turning_start[tick + 1], room.model->ticks[tick].start < 1.5);
  room_end(&room);
}

/* Where the branch changes at instants that are scheduled nothing has to be looked for. */
static void what_is_chosen_may_follow_the_time(void **state) {
  (void)state;
  static const struct { const char *law; bool branches; } laws[] = {
      {"min(100*time, 150)", false}, {"abs(sin(9*time))", false}, {"if time > 0.3 then time^2 else 1", false}, {"if sin(time) + sin(3*time) > 0 then 1 else 2", true}, {"max(sin(time) + sin(3*time), 0)", true}};
  for (size_t which = 0; which < sizeof laws / sizeof *laws; which++) {
    char text[200];
    Room room;
    snprintf(text, sizeof text, "model T {\n Se u(%s); R r(1); u -> r\n stop 1\n}", laws[which].law);
    room_begin(&room, text, "");
    assert_int_equal(room.laws.branch_on_time, laws[which].branches);
    room_end(&room);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_linear_resistor_has_both_forms_and_no_wish),
      cmocka_unit_test(a_proportional_law_is_divided_by_its_factor),
      cmocka_unit_test(a_law_that_cannot_be_solved_wishes_for_the_form_it_has),
      cmocka_unit_test(a_law_is_solved_only_where_that_holds_for_every_value),
      cmocka_unit_test(powers_are_solved_and_wish_for_the_form_without_a_root),
      cmocka_unit_test(a_ratio_that_varies_wishes_to_be_multiplied_by),
      cmocka_unit_test(who_reads_anothers_signal_is_linked_with_it),
      cmocka_unit_test(an_integral_links_to_what_it_integrates),
      cmocka_unit_test(a_law_asks_the_nearest_of_the_bonds_that_share_a_flow),
      cmocka_unit_test(an_integral_that_a_law_reads_ties_it_to_the_nearest_bonds),
      cmocka_unit_test(a_law_beyond_other_junctions_asks_the_bond_by_which_the_flow_is_reached_first),
      cmocka_unit_test(what_is_looked_back_at_is_asked_for_where_it_stands),
      cmocka_unit_test(a_junction_that_is_switched_is_not_asked_elsewhere),
      cmocka_unit_test(readers_and_switched_junctions_of_a_machine_are_listed),
      cmocka_unit_test(a_tick_is_an_input_only_where_a_law_reads_it),
      cmocka_unit_test(what_is_chosen_may_follow_the_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
