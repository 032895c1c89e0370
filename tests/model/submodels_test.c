/* SPDX-License-Identifier: BSD-3-Clause
 * Submodels: an instance is as if its text stood in the model itself. */
#include <math.h>

#include "support/simulated.h"

static double last(const Simulated *made, const char *column) { return simulated_value(made, made->row_count - 1, column); }

/* Both texts must give the same numbers in these columns, at all times. */
static void check_same(const char *text, const char *columns, const char *flat, const char *flat_columns) {
  Simulated a = simulated(text, columns, NULL), b = simulated(flat, flat_columns, NULL);
  assert_int_equal(a.column_count, b.column_count);
  for (int column = 0; column < a.column_count; column++) {
    const double x = a.rows[a.row_count - 1].values[column], y = b.rows[b.row_count - 1].values[column];
    if (fabs(x - y) > 1e-7 * (1 + fabs(y)))
      fail_msg("column %d ends with %.15g, written out with %.15g", column, x, y);
  }
  simulated_end(&a);
  simulated_end(&b);
}

static void an_instance_is_as_if_its_text_stood_in_the_model(void **state) {
  (void)state;
  check_same("submodel Cell(port left, port right, param R = 1, param C = 1) {\n"
             "  1 line; 0 node; R r(R); C c(C)\n"
             "  left -> line -> node -> right; line -> r; node -> c }\n"
             "submodel Ladder(port start, port end, N = 2) {\n"
             "  for i in 1..N { Cell cell[i](C = 1/i) }\n"
             "  start -> cell[1].left\n"
             "  for i in 1..N-1 { cell[i].right -> cell[i+1].left }\n"
             "  cell[N].right -> end }\n"
             "model M { Se u(1); Ladder l(N = 3); R load(2); u -> l -> load; stop 2 [s] }",
             "l.cell[1].c.q; l.cell[2].c.q; l.cell[3].c.q; load.f",
             "model M { Se u(1); R load(2)\n"
             "  for i in 1..3 { 1 line[i]; 0 node[i]; R r[i](1); C c[i](1/i); line[i] -> node[i]; line[i] -> r[i]; node[i] -> c[i] }\n"
             "  u -> line[1]; node[1] -> line[2]; node[2] -> line[3]; node[3] -> load; stop 2 [s] }",
             "c[1].q; c[2].q; c[3].q; load.f");
}

static void a_port_may_lead_straight_to_another_through_any_number_of_submodels(void **state) {
  (void)state;
  check_same("submodel Wire(port a, port b) { a -> b }\n"
             "submodel Twice(port a, port b) { Wire first, second; a -> first -> second -> b }\n"
             "model M { Se u(3); Twice t, s; 1 j; I i(2); R r(1); u -> t -> j -> s -> i; j -> r; stop 1 }",
             "i.f; t.a.e; s.second.b.e",
             "model M { Se u(3); 1 j; I i(2); R r(1); u -> j -> i : out; j -> r; stop 1 }", "i.f; u.e; out.e");
}

static void arrows_through_ports_may_point_outwards(void **state) {
  (void)state;
  Simulated made = simulated("submodel Source(port pole, in value) { Se e(value); e -> pole }\n"
                             "model M { Source s(value = 2 + step(0.5)); 1 j; I i(1); R r(4); s -> j -> i; j -> r; stop 10 }",
                             "i.f; s.pole.f; s.value", NULL);
  assert_true(fabs(last(&made, "i.f") - 0.75) < 1e-7); /* 3/4, long after the step */
  assert_true(fabs(last(&made, "s.pole.f") - 0.75) < 1e-7);
  assert_true(fabs(last(&made, "s.value") - 3) < 1e-12);
  simulated_end(&made);
}

static void a_junction_that_is_a_port_takes_any_number_of_bonds(void **state) {
  (void)state;
  Simulated made = simulated("submodel Node(port 0 pin) { C c(2); pin -> c }\n"
                             "model M { Node n; Sf a(1), b(2); R r(1); a -> n; b -> n.pin; n.pin -> r; stop 40 }", "n.pin.e; n.c.q",
                             NULL);
  assert_true(fabs(last(&made, "n.pin.e") - 3) < 1e-6); /* 3 A through 1 Ohm */
  assert_true(fabs(last(&made, "n.c.q") - 6) < 1e-5);
  simulated_end(&made);
}

static void arguments_are_read_where_the_instance_stands(void **state) {
  (void)state;
  Simulated made = simulated("submodel Gain(in x, param k = 2, out y) { param a = 100; signal y = k*x }\n"
                             "model M { param a = 3; signal x = 5; Gain g(x = x + a, k = a); Gain h(a, 7); Gain d(1)\n"
                             "  I i(1); 1 j; j -> i; stop 1 }",
                             "g.y; h.y; d.y", NULL);
  assert_true(fabs(last(&made, "g.y") - 24) < 1e-12);
  assert_true(fabs(last(&made, "h.y") - 21) < 1e-12);
  assert_true(fabs(last(&made, "d.y") - 2) < 1e-12);
  simulated_end(&made);
}

static void a_bare_argument_counts_in_the_declared_unit_and_another_unit_is_converted(void **state) {
  (void)state;
  Simulated made = simulated("submodel Body(port a, m = 250 [g]) { I i(m); a -> i }\n"
                             "model M { param heavy = 2 [kg]; 1 j; Se e(0)\n"
                             "  Body b, c(m = 500), d(3 [kg]), f(m = heavy); e -> j; j -> b; j -> c; j -> d; j -> f; stop 1 }",
                             "b.m; c.m; d.m; f.m", NULL);
  assert_true(fabs(last(&made, "b.m") - 0.25) < 1e-15 && fabs(last(&made, "c.m") - 0.5) < 1e-15);
  assert_true(fabs(last(&made, "d.m") - 3) < 1e-15 && fabs(last(&made, "f.m") - 2) < 1e-15);
  simulated_end(&made);
}

static void arrays_are_handed_over_by_name_or_as_a_list(void **state) {
  (void)state;
  Simulated made = simulated("submodel Sum(param w = [1, 2], out y, N = 2) { signal part[0] = 0\n"
                             "  for i in 1..N { signal part[i] = part[i-1] + w[i] }\n  signal y = part[N] }\n"
                             "model M { Sum a, b(w = v, N = 3), c(w = [10, 20, 30, 40], N = 4); param v = [4, 5, 6]; I i(1); 1 j; j -> i\n"
                             "  stop 1 }",
                             "a.y; b.y; c.y", NULL);
  assert_true(fabs(last(&made, "a.y") - 3) < 1e-12 && fabs(last(&made, "b.y") - 15) < 1e-12);
  assert_true(fabs(last(&made, "c.y") - 100) < 1e-12);
  simulated_end(&made);
}

static const char switching[] =
    "machine Above(x, level) { off low initial; on high; low -> high when x >= level; high -> low when x < level }\n"
    "submodel Trip(port 1 wire, in x, level = 1) { 1 path by Above(x, level); wire -> path; R r(1); path -> r\n"
    "  signal tripped = path in high }\n"
    "model M { signal x = time; Se e(1); Trip t[1..2](x = x), u(x = 2*x, level = 3); e -> t[1].wire -> t[2].wire -> u.wire\n"
    "  signal all = t[1].path in on and t[2].tripped and u.path in high; stop 2 }";

static void machines_of_instances_are_their_own(void **state) {
  (void)state;
  Simulated made = simulated(switching, "t[1].path; t[2].path; u.path; u.tripped; all", NULL);
  for (int row = 0; row < made.row_count; row++) {
    if (made.rows[row].row.time > 1 && made.rows[row].row.time < 1.5) {
      assert_true(made.rows[row].values[0] > 0.5 && made.rows[row].values[1] > 0.5 && made.rows[row].values[2] < 0.5);
      assert_true(made.rows[row].values[4] < 0.5);
    }
  }
  assert_true(last(&made, "u.tripped") > 0.5 && last(&made, "all") > 0.5);
  simulated_end(&made);
}

static HbgModel *with_settings(const char *text, const HbgModelSetting *settings, int32_t count) {
  HbgModelOptions options = hbg_model_options();
  options.settings = settings;
  options.setting_count = count;
  HbgModel *model = NULL;
  if (hbg_model_load(text, strlen(text), &options, &model) != HBG_OK) fail_msg("%s", hbg_model_diagnostic(model, 0));
  return model;
}

static const char replaceable[] =
    "submodel Soft(port a) { R r(2); a -> r }\n"
    "submodel Stiff(port a) { R r(8); a -> r }\n"
    "submodel Car(submodel Brake = Soft) { 1 j; I m(1); Se f(8); f -> j -> m; Brake brake; j -> brake }\n"
    "model M(submodel Both = Soft) { Car a, b(Brake = Stiff), c(Brake = Both); stop 20 }";

static void a_part_can_be_replaced_by_argument_and_from_outside(void **state) {
  (void)state;
  Simulated made = simulated(replaceable, "a.m.f; b.m.f; c.m.f", NULL);
  assert_true(fabs(last(&made, "a.m.f") - 4) < 1e-6 && fabs(last(&made, "b.m.f") - 1) < 1e-6);
  assert_true(fabs(last(&made, "c.m.f") - 4) < 1e-6);
  simulated_end(&made);
  const HbgModelSetting settings[] = {{"a.Brake", "Stiff"}, {"Both", "Stiff"}};
  made = simulated_from(with_settings(replaceable, settings, 2), "a.m.f; b.m.f; c.m.f", NULL);
  assert_true(fabs(last(&made, "a.m.f") - 1) < 1e-6 && fabs(last(&made, "c.m.f") - 1) < 1e-6);
  simulated_end(&made);
}

static void parameters_inside_are_set_from_outside_by_their_path(void **state) {
  (void)state;
  const char *text = "submodel Body(port a, m = 1 [kg]) { param twice = 2*m; I i(m); a -> i }\n"
                     "model M { Se e(6); 1 j; Body body[1..2]; e -> j; j -> body[1]; j -> body[2]; stop 1 }";
  const HbgModelSetting settings[] = {{"body[2].m", "2000 [g]"}};
  Simulated made = simulated_from(with_settings(text, settings, 1), "body[1].i.f; body[2].twice", NULL);
  assert_true(fabs(last(&made, "body[1].i.f") - 2) < 1e-9);
  assert_true(fabs(last(&made, "body[2].twice") - 4) < 1e-12);
  simulated_end(&made);
}

static void descriptions_and_names_are_told(void **state) {
  (void)state;
  HbgModel *model = simulated_model("submodel Body(port a, m = 1 [kg] \"how heavy\") \"a body\" { I i(m); a -> i }\n"
                                    "model M \"all of it\" { param f = 2 \"a force\"; Se e(f); Body b; e -> b; stop 1 }");
  assert_string_equal(hbg_model_parameter(model, 0).name, "f");
  assert_string_equal(hbg_model_parameter(model, 0).description, "a force");
  assert_string_equal(hbg_model_parameter(model, 1).name, "b.m");
  assert_string_equal(hbg_model_parameter(model, 1).description, "how heavy");
  assert_string_equal(hbg_model_bond(model, 0).name, "e -> b.i");
  hbg_model_free(model);
}

static void loops_without_rounds_leave_parts_out(void **state) {
  (void)state;
  const char *text = "submodel Mass(port 1 v, friction = 0) { I i(1); v -> i\n"
                     "  for k in 1..(if friction > 0 then 1 else 0) { R r(friction); v -> r } }\n"
                     "model M { Se e(1), g(1); Mass free, braked(2); e -> free; g -> braked; stop 10 }";
  Simulated made = simulated(text, "free.i.f; braked.i.f", NULL);
  assert_true(fabs(last(&made, "free.i.f") - 10) < 1e-8 && fabs(last(&made, "braked.i.f") - 0.5) < 1e-7);
  simulated_end(&made);
}

static void ports_may_be_arrays_of_a_size_that_is_declared_later(void **state) {
  (void)state;
  Simulated made = simulated("submodel Star(port p[1..N], N = 3, out hot) { 0 c; R r(2)\n"
                             "  for i in 1..N { p[i] -> c : link[i] }\n  c -> r; signal hot = c.e > 1 }\n"
                             "model M { Star s(N = M); param M = 2; Se e1(3), e2(3); 1 a, b; R ra(1), rb(1)\n"
                             "  e1 -> a -> s.p[1]; e2 -> b; b -> s.p[2] : mine; a -> ra; b -> rb; stop 1 }",
                             "s.c.e; s.hot; mine.f; s.link[2].f; s.p[1].e", NULL);
  assert_true(fabs(last(&made, "s.c.e") - 2.4) < 1e-12); /* 2 (3 - e)/1 = e/2 */
  assert_true(last(&made, "s.hot") > 0.5);
  assert_true(fabs(last(&made, "mine.f") - 0.6) < 1e-12 && fabs(last(&made, "s.link[2].f") - 0.6) < 1e-12);
  assert_true(fabs(last(&made, "s.p[1].e") - 2.4) < 1e-12);
  simulated_end(&made);
}

static void a_unit_behind_an_argument_counts_for_the_whole_of_it(void **state) {
  (void)state;
  Simulated made = simulated("submodel Load(port a, in u, R = 1 [Ohm]) { R r(R); a -> r; signal v = u }\n"
                             "model M { param k = 2\n"
                             "  Se s((0.5*k) [kV]); 1 j; s -> j; I l((k/4) [mH])  start f = (2*k) [mA]; j -> l\n"
                             "  Load x(R = (2*k) [kOhm], u = (5*k) [mV]), y((10*k) [mV], R = (3000*k) [Ohm]); j -> x; j -> y\n"
                             "  stop (0.1*k) [us] }",
                             "x.R; y.R; x.v; y.v; l.f", NULL);
  assert_true(fabs(last(&made, "x.R") - 4000) < 1e-9 && fabs(last(&made, "y.R") - 6000) < 1e-9);
  assert_true(fabs(last(&made, "x.v") - 0.01) < 1e-15 && fabs(last(&made, "y.v") - 0.02) < 1e-15);
  assert_true(fabs(last(&made, "l.f") - (0.1 - 0.096*exp(-4))) < 1e-7); /* L/R = 50 ns, 1000 V/10 kOhm = 0.1 A */
  simulated_end(&made);
}

static void clocks_are_handed_over_through_any_number_of_submodels(void **state) {
  (void)state;
  Simulated made = simulated("submodel Hold(in x, clock ticks) { signal y = sample(x, ticks) }\n"
                             "submodel Outer(in x, clock c = every(0.4) \"how often\") { Hold h(x, c); Hold g(x, ticks = every(0.25)) }\n"
                             "model M { clock mine = every(0.2, offset = 0.1); Outer a(time), b(time, mine)\n"
                             "  signal same = sample(time, b.c), n = ticks(a.c); stop 1 }",
                             "a.h.y; b.h.y; b.g.y; same; n", NULL);
  assert_true(fabs(last(&made, "a.h.y") - 0.8) < 1e-15 && fabs(last(&made, "b.h.y") - 0.9) < 1e-15);
  assert_true(fabs(last(&made, "b.g.y") - 1) < 1e-15 && fabs(last(&made, "same") - 0.9) < 1e-15);
  assert_true(fabs(last(&made, "n") - 3) < 1e-15); /* 0, 0.4, 0.8 */
  simulated_end(&made);
}

static void functions_of_an_instance_are_called_by_its_name(void **state) {
  (void)state;
  Simulated made = simulated("submodel Coil(R = 2) { function drop(i, n = 1) = n*R*i; table grip = [[0, 1], [10, 3]] }\n"
                             "model M { Coil a, b(R = 5); signal x = a.drop(3) + b.drop(2, n = 4), y = b.grip(5); stop 1 }",
                             "x; y", NULL);
  assert_true(fabs(last(&made, "x") - 46) < 1e-12 && fabs(last(&made, "y") - 2) < 1e-12);
  simulated_end(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_instance_is_as_if_its_text_stood_in_the_model),
      cmocka_unit_test(a_port_may_lead_straight_to_another_through_any_number_of_submodels),
      cmocka_unit_test(arrows_through_ports_may_point_outwards),
      cmocka_unit_test(a_junction_that_is_a_port_takes_any_number_of_bonds),
      cmocka_unit_test(arguments_are_read_where_the_instance_stands),
      cmocka_unit_test(a_bare_argument_counts_in_the_declared_unit_and_another_unit_is_converted),
      cmocka_unit_test(arrays_are_handed_over_by_name_or_as_a_list),
      cmocka_unit_test(machines_of_instances_are_their_own),
      cmocka_unit_test(a_part_can_be_replaced_by_argument_and_from_outside),
      cmocka_unit_test(parameters_inside_are_set_from_outside_by_their_path),
      cmocka_unit_test(descriptions_and_names_are_told),
      cmocka_unit_test(loops_without_rounds_leave_parts_out),
      cmocka_unit_test(ports_may_be_arrays_of_a_size_that_is_declared_later),
      cmocka_unit_test(a_unit_behind_an_argument_counts_for_the_whole_of_it),
      cmocka_unit_test(clocks_are_handed_over_through_any_number_of_submodels),
      cmocka_unit_test(functions_of_an_instance_are_called_by_its_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
