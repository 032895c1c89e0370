/* SPDX-License-Identifier: BSD-3-Clause
 * What a right text becomes. */
#include "model/elaborate.h"

#include <stdlib.h>
#include <string.h>

#include "hybrsim/run.h"
#include "support/elaborated.h"

static void check_value(const Elaborated *made, const char *name, double value) {
  CHECK_CLOSE(elaborated_parameter(made, name)->value, value, 1e-15);
}

static void check_law(Elaborated *made, const char *node, HbgLawForm form, const char *words) {
  const HbgNode *found = elaborated_node(made, node);
  assert_int_equal(found->law_form, form);
  assert_string_equal(elaborated_words(made, found->law), words);
}

static void check_signal(Elaborated *made, const char *name, const char *words) {
  assert_string_equal(elaborated_words(made, elaborated_signal(made, name)->expr), words);
}

static void check_start(const Elaborated *made, const char *state, double start) {
  CHECK_NEAR(elaborated_state(made, state)->start, start, 1e-14 * (1 + fabs(start)));
}

/* --- parameters ---------------------------------------------------------------------------------------------------- */

static void parameters_may_stand_in_any_order(void **state) {
  (void)state;
  Elaborated made;
  elaborated_begin(&made, "model M(c = b + 1) { param b = 2*a[2], a = [1, 10, 100] }");
  check_value(&made, "a[3]", 100);
  check_value(&made, "b", 20);
  check_value(&made, "c", 21);
  assert_string_equal(made.model.name, "M");
  assert_string_equal(made.model.parameters[0].name, "c"); /* in the order of the text */
  elaborated_end(&made);
}

static void units_become_si_at_once(void **state) {
  (void)state;
  Elaborated made;
  elaborated_begin(&made, "model M {\n param m = 1 [g], v = -36 [km/h], T = 20 [degC], l = [1, 2] [mm], area = (2*3) [cm^2]\n"
                          " param momentum = m*v, angle = 45 [deg] }");
  check_value(&made, "m", 1e-3);
  check_value(&made, "v", -10);
  check_value(&made, "T", 293.15);
  check_value(&made, "l[2]", 2e-3);
  check_value(&made, "area", 6e-4);
  check_value(&made, "momentum", -1e-2);
  check_value(&made, "angle", 0.78539816339744828);
  assert_string_equal(elaborated_parameter(&made, "v")->unit, "km/h");
  assert_string_equal(elaborated_parameter(&made, "l[1]")->unit, "mm");
  assert_null(elaborated_parameter(&made, "momentum")->unit);
  elaborated_end(&made);
}

static void a_bare_setting_is_in_the_declared_unit(void **state) {
  (void)state;
  Elaborated made;
  const HbgSetting settings[] = {{"m", "2"}, {"k", "2 [g]"}, {"angle", "pi"}, {"d", "2*m"}, {"N", "5"},
                                 {"l[2]", "7"}, {"on_ice", "true"}, {"N", "6"}};
  elaborated_begin_with(&made, "model M(N = 3) { param m = 1 [g], k = 1 [kg], angle = 45 [deg], d = 1 [g], on_ice = false\n"
                               " param l = [1, 2] [mm], twice = 2*N; for i in 1..N { param c[i] = i } }",
                        settings, 8);
  check_value(&made, "m", 2e-3);
  check_value(&made, "k", 2e-3);
  check_value(&made, "angle", 3.14159265358979323846 * 3.14159265358979323846 / 180);
  check_value(&made, "d", 4e-3); /* what reads parameters is in SI */
  check_value(&made, "twice", 12); /* the later of two settings */
  check_value(&made, "c[6]", 6);
  check_value(&made, "l[2]", 7e-3);
  check_value(&made, "on_ice", 1);
  elaborated_end(&made);
}

static void a_unit_behind_the_parentheses_of_a_setting_counts_for_all_of_it(void **state) {
  (void)state;
  Elaborated made;
  const HbgSetting settings[] = {{"m", "(1 + 2) [kg]"}, {"k", "2*(1 + 2) [g]"}, {"bare", "(4) [km]"}};
  elaborated_begin_with(&made, "model M { param m = 1 [g], k = 1 [kg], bare = 1, twice = 2*k }", settings, 3);
  check_value(&made, "m", 3);
  check_value(&made, "k", 6e-3);
  check_value(&made, "bare", 4000);
  check_value(&made, "twice", 12e-3);
  elaborated_end(&made);
}

/* --- loops --------------------------------------------------------------------------------------------------------- */

static const char chain[] =
    "model Chain(N = 12) {\n"
    "  param restitution = 0.8\n"
    "  for i in 1..N   { I ball[i](1 [kg]); 1 v[i];  v[i] -> ball[i];  signal x[i] = integral(v[i].f, start = i) }\n"
    "  for i in 1..N-1 {\n"
    "    signal gap[i] = x[i+1] - x[i],  approach[i] = v[i].f - v[i+1].f\n"
    "    0  contact[i] by Impact(gap[i], approach[i])\n"
    "    Sf bounce[i](restitution * pre(approach[i]))      // the same before and after\n"
    "    v[i] -> contact[i] -> v[i+1];  bounce[i] -> contact[i]\n"
    "  }\n"
    "  machine Impact(gap, approach) {\n"
    "    off free  initial\n"
    "    on  touching\n"
    "    free -> touching  when gap <= 0 and   // touching balls\n"
    "                           pre(approach) > 0\n"
    "    touching -> free  when pre(approach) < 0\n"
    "  }\n"
    "}\n";

static void loops_make_arrays(void **state) {
  (void)state;
  Elaborated made;
  elaborated_begin(&made, chain);
  const HbgFlatModel *model = &made.model;
  assert_int_equal(model->node_count, 12 + 12 + 11 + 11);
  assert_int_equal(model->bond_count, 12 + 3 * 11);
  assert_int_equal(model->state_count, 24);
  assert_int_equal(model->machine_count, 11);
  assert_int_equal(model->shown_junction_count, 11);
  assert_int_equal(model->shown_state_count, 12);

  // natural order: ball[2] before ball[10]; storages before integrators
  assert_string_equal(model->nodes[1].name, "ball[2]");
  assert_string_equal(model->nodes[11].name, "ball[12]");
  assert_string_equal(model->states[11].name, "ball[12].p");
  assert_string_equal(model->states[12].name, "x[1]");
  CHECK_NEAR(elaborated_state(&made, "x[12]")->start, 12, 0);
  assert_string_equal(elaborated_words(&made, elaborated_state(&made, "x[12]")->input), "f{v[12] -> ball[12]}");
  check_signal(&made, "gap[11]", "(- {x[12]} {x[11]})");
  elaborated_end(&made);
}

static void guards_are_made_of_their_arguments(void **state) {
  (void)state;
  Elaborated made;
  elaborated_begin(&made, chain);
  const HbgMachine *machine = elaborated_machine(&made, "contact[1]");
  assert_string_equal(machine->type, "Impact");
  assert_string_equal(machine->states[machine->initial].name, "free");
  assert_false(machine->states[0].is_on);
  assert_string_equal(machine->transitions[0].text, "gap <= 0 and pre(approach) > 0"); /* white space and comments folded */
  assert_string_equal(elaborated_words(&made, machine->transitions[0].guard),
                      "(and (<= (- {x[2]} {x[1]}) 0) (> (pre (- f{v[1] -> ball[1]} f{v[2] -> ball[2]})) 0))");
  assert_int_equal(elaborated_node(&made, "contact[1]")->machine, machine - made.model.machines);
  elaborated_end(&made);
}

static void bounds_and_indices_may_be_computed(void **state) {
  (void)state;
  Elaborated made;
  elaborated_begin(&made, "model M {\n"
                          "  for i in first..last { for j in i..2 { I m[i][j + offset[2]](i + j); 0 z[i][j]; z[i][j] -> m[i][j+5] } }\n"
                          "  for k in 1..2 { param offset[k] = 5*(k - 1) }\n"
                          "  param first = last - 1, last = 2 }");
  assert_int_equal(made.model.node_count, 6);
  assert_string_equal(made.model.nodes[2].name, "m[2][7]");
  elaborated_end(&made);
}

static void an_empty_loop_makes_nothing(void **state) {
  (void)state;
  Elaborated made;
  elaborated_begin(&made, "model M(N = 1) { for i in 1..N-1 { I m[i](1) } }");
  assert_int_equal(made.model.node_count, 0);
  elaborated_end(&made);
}

/* --- the graph ----------------------------------------------------------------------------------------------------- */

static const char bullet[] =
    "model BulletWood {\n"
    "  param m1 = 2 [kg], m2 = 1 [kg]\n"
    "  I bullet(m1)  start f = 3\n"
    "  I wood(m2)\n"
    "  1 bullet_motion, wood_motion\n"
    "  0 contact by Contact\n"
    "  bullet_motion -> bullet\n"
    "  bullet_motion -> contact : link -> wood_motion -> wood\n"
    "  signal gap = integral(wood_motion.f - bullet_motion.f, start = 0.2)\n"
    "  machine Contact { off apart initial; on joined; apart -> joined when gap <= 0 }\n"
    "  stop 1 [min]; tolerance 1e-9; method euler; step 1 [ms]; interval 0.1\n"
    "}\n";

static void bonds_are_ordered_by_name_and_ports_by_their_other_end(void **state) {
  (void)state;
  Elaborated made;
  elaborated_begin(&made, bullet);
  const HbgFlatModel *model = &made.model;
  assert_string_equal(model->bonds[0].name, "bullet_motion -> bullet");
  assert_string_equal(model->bonds[1].name, "link");
  assert_string_equal(model->bonds[2].name, "contact -> wood_motion");
  assert_string_equal(model->bonds[3].name, "wood_motion -> wood");
  const HbgNode *contact = elaborated_node(&made, "contact");
  assert_int_equal(contact->port_count, 2);
  assert_int_equal(hbg_port(model, contact, 0)->bond, 1);
  assert_int_equal(hbg_port(model, contact, 0)->sign, +1);
  assert_int_equal(hbg_port(model, contact, 1)->sign, -1);
  check_start(&made, "bullet.p", 6);
  CHECK_NEAR(model->defaults.stop, 60, 0);
  CHECK_NEAR(model->defaults.step, 1e-3, 0);
  assert_int_equal(model->defaults.method, HBG_METHOD_EULER);
  elaborated_end(&made);
}

static void the_order_of_statements_does_not_matter(void **state) {
  (void)state;
  Elaborated made, turned;
  elaborated_begin(&made, bullet);
  elaborated_begin(&turned,
                   "model BulletWood {\n"
                   "  machine Contact { off apart initial; on joined; apart -> joined when gap <= 0 }\n"
                   "  signal gap = integral(wood_motion.f - bullet_motion.f, start = 0.2)\n"
                   "  wood <- wood_motion <- contact; contact <- bullet_motion : link\n"
                   "  bullet_motion -> bullet\n"
                   "  0 contact by Contact; 1 wood_motion, bullet_motion\n"
                   "  I wood(m2); I bullet(m1)  start f = 3\n"
                   "  param m2 = 1 [kg], m1 = 2 [kg] }\n");
  assert_int_equal(made.model.node_count, turned.model.node_count);
  for (int32_t i = 0; i < made.model.node_count; i++) {
    assert_string_equal(made.model.nodes[i].name, turned.model.nodes[i].name);
    assert_int_equal(made.model.nodes[i].first_port, turned.model.nodes[i].first_port);
  }
  for (int32_t i = 0; i < made.model.bond_count; i++)
    assert_string_equal(made.model.bonds[i].name, turned.model.bonds[i].name);
  for (int32_t i = 0; i < made.model.state_count; i++)
    assert_string_equal(made.model.states[i].name, turned.model.states[i].name);
  assert_memory_equal(made.model.ports, turned.model.ports, (size_t)made.model.port_count * sizeof(HbgPort));
  elaborated_end(&made);
  elaborated_end(&turned);
}

/* --- laws ---------------------------------------------------------------------------------------------------------- */

static void linear_elements_have_their_law(void **state) {
  (void)state;
  Elaborated made;
  elaborated_begin(&made, "model M { param g = 9.81; signal u = 2*time; 1 j; 0 z\n"
                          " I i(2); C c(C = 4); R r(3); Se a(g); MSf b(u); TF t(2); MGY y: r = 1 + time\n"
                          " j -> i; z -> c; j -> r; a -> j; b -> z; j -> t -> z; z -> y -> j }");
  check_law(&made, "i", HBG_LAW_FLOW, "(/ {i.p} 2)");
  check_law(&made, "c", HBG_LAW_EFFORT, "(/ {c.q} 4)");
  check_law(&made, "r", HBG_LAW_EFFORT, "(* 3 f{j -> r})");
  check_law(&made, "a", HBG_LAW_VALUE, "9.81");
  check_law(&made, "b", HBG_LAW_VALUE, "(* 2 time)");
  check_law(&made, "t", HBG_LAW_VALUE, "2");
  check_law(&made, "y", HBG_LAW_VALUE, "(+ 1 time)");
  const HbgNode *t = elaborated_node(&made, "t");
  assert_int_equal(hbg_port(&made.model, t, 0)->sign, +1);
  assert_int_equal(hbg_port(&made.model, t, 1)->sign, -1);
  elaborated_end(&made);
}

static void laws_are_equations_in_the_letters_of_the_field(void **state) {
  (void)state;
  Elaborated made;
  elaborated_begin(&made, "model M { param k = 5; 1 j; 0 z\n"
                          " R a: e = k*f*abs(f); R b: f = e^3; R c: 2*e - f = 4; R d: e^2*f = f + e\n"
                          " C s: e = k*q + q^3; C s2: q = 2*e; I m: f = sinh(p); Se u: e = sin(time)\n"
                          " j -> a; j -> b; j -> c; j -> d; j -> m; u -> j; z -> s; z -> s2; j -> z }");
  check_law(&made, "a", HBG_LAW_EFFORT, "(* (* 5 f{j -> a}) (abs f{j -> a}))");
  check_law(&made, "b", HBG_LAW_FLOW, "(^ e{j -> b} 3)");
  assert_int_equal(elaborated_node(&made, "c")->law_form, HBG_LAW_EFFORT); /* solved for e */
  assert_int_equal(elaborated_node(&made, "d")->law_form, HBG_LAW_IMPLICIT);
  check_law(&made, "s", HBG_LAW_EFFORT, "(+ (* 5 {s.q}) (^ {s.q} 3))");
  check_law(&made, "m", HBG_LAW_FLOW, "(sinh {m.p})");
  check_law(&made, "u", HBG_LAW_VALUE, "(sin time)");
  assert_int_equal(elaborated_node(&made, "s2")->law_form, HBG_LAW_EFFORT);
  elaborated_end(&made);
}

static void start_values_may_be_efforts_and_flows(void **state) {
  (void)state;
  Elaborated made;
  elaborated_begin(&made, "model M { 1 j\n"
                          " I a(2) start p = 3; I b(2) start f = 3; C c(4) start e = -2; C d(4) start q = 1; I e0(1)\n"
                          " C cubic: e = q + q^3  start e = 10\n"           /* q = 2 */
                          " C soft: e = sinh(q)  start e = -3\n"            /* q = asinh(-3) */
                          " C late: e = exp(q) - 1 + time + step(2)  start e = -0.5\n" /* q = log(0.5), at time 0 */
                          " j -> a; j -> b; j -> c; j -> d; j -> e0; j -> cubic; j -> soft; j -> late }");
  check_start(&made, "a.p", 3);
  check_start(&made, "b.p", 6);
  check_start(&made, "c.q", -8);
  check_start(&made, "d.q", 1);
  check_start(&made, "e0.p", 0);
  check_start(&made, "cubic.q", 2);
  check_start(&made, "soft.q", asinh(-3));
  check_start(&made, "late.q", log(0.5));
  elaborated_end(&made);
}

static void a_law_that_reads_integrals_and_machines_starts_where_they_do(void **state) {
  (void)state;
  Elaborated made;
  elaborated_begin(&made, "model M { 1 j by T; R r(1); j -> r; 0 z; j -> z; machine T { on a; off b initial }\n"
                          " signal x = integral(z.e, start = 2)\n"
                          " C bent: e = q*(1 + x^2)  start e = 10\n"                           /* q = 10/(1 + 4) */
                          " C both: e = (if j in b then 3 else 1)*(q + q^3)  start e = 6\n"     /* q + q^3 = 2 */
                          " C open: e = (if j in on then 1 else 2)*q  start e = 6\n"
                          " z -> bent; z -> both; z -> open }");
  check_start(&made, "bent.q", 2);
  check_start(&made, "both.q", 1);
  check_start(&made, "open.q", 3);
  elaborated_end(&made);
}

/* --- signals ------------------------------------------------------------------------------------------------------- */

static void variables_are_read_by_name(void **state) {
  (void)state;
  Elaborated made;
  elaborated_begin(&made, "model M { 1 j; 0 z; I i(1); C c(1); R r(1); TF t(2); j -> i : li; z -> c; j -> t -> z; z -> r\n"
                          " signal a = j.f, b = z.e, c1 = i.e + i.f, d = i.p + c.q, g = li.e*li.f, h = t.e1 - t.e2, k = t.f1 + t.f2 }");
  check_signal(&made, "a", "f{li}");
  check_signal(&made, "b", "e{z -> c}"); /* the port whose other end comes first: c, r, t */
  check_signal(&made, "d", "(+ {i.p} {c.q})");
  check_signal(&made, "g", "(* e{li} f{li})");
  check_signal(&made, "h", "(- e{j -> t} e{t -> z})");
  check_signal(&made, "k", "(+ f{j -> t} f{t -> z})");
  elaborated_end(&made);
}

static void integrals_are_states(void **state) {
  (void)state;
  Elaborated made;
  elaborated_begin(&made, "model M { param x0 = 3; 1 j; I i(1); R r: e = f*integral(abs(f)); j -> i; j -> r\n"
                          " signal x = integral(j.f, start = 2*x0), y = 2 + integral(x) + integral(integral(x), start = 1)\n"
                          " signal decay = (integral(-decay, start = 1)) }");
  check_start(&made, "x", 6);
  check_signal(&made, "x", "{x}");
  check_signal(&made, "y", "(+ (+ 2 {y.integral}) {y.integral2})");
  check_start(&made, "y.integral2", 1);
  assert_string_equal(elaborated_words(&made, elaborated_state(&made, "y.integral2")->input), "{y.integral3}");
  assert_string_equal(elaborated_words(&made, elaborated_state(&made, "decay")->input), "(- {decay})");
  assert_string_equal(elaborated_words(&made, elaborated_state(&made, "r.integral")->input), "(abs f{j -> r})");
  assert_int_equal(elaborated_state(&made, "x")->node, -1);
  elaborated_end(&made);
}

static void conditions_on_time_are_scheduled(void **state) {
  (void)state;
  Elaborated made;
  elaborated_begin(&made, "model M { param t1 = 1\n"
                          " signal a = time >= t1, b = time < 1, c = 3 - 2*time <= 1, d = 2*time > time + 1\n"
                          " signal s = 3*step(t1), p = pulse(0.5, 0.1, 2), once = pulse(0.5, 0.1), e = sin(time) > 0 }");
  check_signal(&made, "a", "tick0");
  check_signal(&made, "b", "(not tick0)");
  check_signal(&made, "c", "tick0"); /* the same instant: one tick */
  check_signal(&made, "d", "tick0");
  check_signal(&made, "s", "(* 3 (if tick0 1 0))");
  check_signal(&made, "p", "(if tick1 1 0)");
  check_signal(&made, "once", "(if tick2 1 0)");
  check_signal(&made, "e", "(> (sin time) 0)"); /* searched for, not scheduled */
  assert_int_equal(made.model.tick_count, 3);
  CHECK_NEAR(made.model.ticks[1].start, 0.5, 0);
  CHECK_NEAR(made.model.ticks[1].width, 0.1, 0);
  CHECK_NEAR(made.model.ticks[1].period, 2, 0);
  assert_true(isinf(made.model.ticks[0].width) && isinf(made.model.ticks[2].period));
  elaborated_end(&made);
}

static void conditions_and_choices_are_of_one_kind(void **state) {
  (void)state;
  Elaborated made;
  elaborated_begin(&made, "model M { param icy = true, r = 0; 1 j; I i(1); j -> i\n"
                          " signal fast = j.f > 3, both = fast and not icy, same = fast = icy, u = if fast then 1 else j.f\n"
                          " signal safe = if r > 0 then 1/r else 7, near = limit(j.f, -1, 1), most = max(1, j.f, 3), was = pre(fast) }");
  check_signal(&made, "both", "false");
  check_signal(&made, "same", "(> f{j -> i} 3)");
  check_signal(&made, "u", "(if (> f{j -> i} 3) 1 f{j -> i})");
  check_signal(&made, "safe", "7"); /* the branch that is not taken may be impossible */
  check_signal(&made, "near", "(min (max f{j -> i} -1) 1)");
  check_signal(&made, "most", "(max (max 1 f{j -> i}) 3)");
  check_signal(&made, "was", "(pre (> f{j -> i} 3))");
  elaborated_end(&made);
}

/* --- machines ------------------------------------------------------------------------------------------------------ */

static void machines_begin_on_and_may_be_shared(void **state) {
  (void)state;
  Elaborated made;
  elaborated_begin(&made, "model M { 1 a by relay, b by relay, c by Stick; Se s(1); R r(1), r2(1); s -> a -> b -> c; c -> r; b -> r2\n"
                          " machine Simple(closed) { on -> off when not closed; off -> on when closed }\n"
                          " machine relay = Simple(closed = time < 1)\n"
                          " machine Stick { off left, right; on stuck; stuck -> left when c.f < 0; left -> stuck when relay in on }\n"
                          " signal state = if c in left then 1 else if c in off then 2 else 3, shut = relay in off }");
  const HbgMachine *relay = elaborated_machine(&made, "relay");
  assert_int_equal(relay->state_count, 2);
  assert_true(relay->states[relay->initial].is_on);
  assert_string_equal(elaborated_words(&made, relay->transitions[0].guard), "tick0");
  assert_int_equal(elaborated_node(&made, "a")->machine, elaborated_node(&made, "b")->machine);
  const HbgMachine *stick = elaborated_machine(&made, "c");
  assert_string_equal(stick->states[stick->initial].name, "stuck"); /* the first that is on */
  check_signal(&made, "state", "(if c.left 1 (if (not c.on) 2 3))");
  check_signal(&made, "shut", "relay.off");
  assert_int_equal(made.model.shown_junction_count, 3);
  elaborated_end(&made);
}

static void integrals_of_guards_belong_to_their_machine(void **state) {
  (void)state;
  Elaborated made;
  elaborated_begin(&made, "model M { Se s(1); R r(1); s -> a -> b -> r\n"
                          " 1 a by Timer(1), b by Timer(2)\n"
                          " machine Timer(rate) { on -> off when integral(rate) > 3 } }");
  assert_int_equal(made.model.state_count, 2);
  assert_string_equal(elaborated_words(&made, elaborated_state(&made, "b.integral")->input), "2");
  assert_string_equal(elaborated_words(&made, elaborated_machine(&made, "a")->transitions[0].guard), "(> {a.integral} 3)");
  elaborated_end(&made);
}

/* --- columns ------------------------------------------------------------------------------------------------------- */

static void columns_are_expressions_of_the_model(void **state) {
  (void)state;
  Elaborated made;
  elaborated_begin(&made, bullet);
  const int32_t ticks = made.model.tick_count;
  assert_string_equal(elaborated_column(&made, "gap"), "{gap}");
  assert_string_equal(elaborated_column(&made, "bullet.p/m1"), "(/ {bullet.p} 2)");
  assert_string_equal(elaborated_column(&made, "impulse(link.e)"), "(impulse e{link})");
  assert_string_equal(elaborated_column(&made, "contact"), "contact.on");
  assert_string_equal(elaborated_column(&made, "contact in joined"), "contact.joined");
  assert_string_equal(elaborated_column(&made, "time >= 1"), "(>= time 1)");
  assert_string_equal(elaborated_column(&made, "bulet.p"), "");
  assert_string_equal(elaborated_column(&made, "integral(gap)"), "");
  assert_string_equal(elaborated_column(&made, ")"), "");
  assert_int_equal(made.model.tick_count, ticks);
  elaborated_end(&made);
}

/* --- memory -------------------------------------------------------------------------------------------------------- */

typedef struct Budget {
  int left; /* allocations that will be granted */
  int64_t live;
} Budget;

static void *spend(size_t size, void *user) {
  Budget *budget = user;
  if (budget->left-- <= 0) return NULL;
  budget->live += (int64_t)size;
  return malloc(size);
}

static void give_back(void *memory, size_t size, void *user) {
  ((Budget *)user)->live -= (int64_t)size;
  free(memory);
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  HbgStatus status = HBG_MEMORY;
  for (int granted = 0; status != HBG_OK; granted++) {
    Budget budget = {.left = granted};
    Elaborated made = {.arena = hbg_arena((HbgAllocator){spend, give_back, &budget}), .text = chain};
    status = hbg_guarded(&made.arena, elaborated_make, &made);
    hbg_arena_release_all(&made.arena);
    assert_true(status == HBG_OK || status == HBG_MEMORY);
    assert_int_equal(budget.live, 0);
    assert_true(granted < 100);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parameters_may_stand_in_any_order),
      cmocka_unit_test(units_become_si_at_once),
      cmocka_unit_test(a_bare_setting_is_in_the_declared_unit),
      cmocka_unit_test(a_unit_behind_the_parentheses_of_a_setting_counts_for_all_of_it),
      cmocka_unit_test(loops_make_arrays),
      cmocka_unit_test(guards_are_made_of_their_arguments),
      cmocka_unit_test(bounds_and_indices_may_be_computed),
      cmocka_unit_test(an_empty_loop_makes_nothing),
      cmocka_unit_test(bonds_are_ordered_by_name_and_ports_by_their_other_end),
      cmocka_unit_test(the_order_of_statements_does_not_matter),
      cmocka_unit_test(linear_elements_have_their_law),
      cmocka_unit_test(laws_are_equations_in_the_letters_of_the_field),
      cmocka_unit_test(start_values_may_be_efforts_and_flows),
      cmocka_unit_test(a_law_that_reads_integrals_and_machines_starts_where_they_do),
      cmocka_unit_test(variables_are_read_by_name),
      cmocka_unit_test(integrals_are_states),
      cmocka_unit_test(conditions_on_time_are_scheduled),
      cmocka_unit_test(conditions_and_choices_are_of_one_kind),
      cmocka_unit_test(machines_begin_on_and_may_be_shared),
      cmocka_unit_test(integrals_of_guards_belong_to_their_machine),
      cmocka_unit_test(columns_are_expressions_of_the_model),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
