/* SPDX-License-Identifier: BSD-3-Clause
 * Guards in disjunctive normal form, each conjunction with its phase (semantics 6). */
#include "hybrid/guards.h"

#include "support/elaborated.h"

typedef struct Guarded {
  Elaborated made;
  jmp_buf nowhere;
  HbgExprPool pool;
  HbgGuards guards;
} Guarded;

static void guarded_make(Guarded *self, const char *text) {
  elaborated_begin(&self->made, text);
  self->made.arena.on_failure = &self->nowhere;
  self->pool = hbg_expr_pool_copy(&self->made.model.pool, &self->made.arena);
  self->guards = hbg_guards(&self->made.model, &self->pool, &self->made.arena);
}

/* A machine whose transition a -> b has `guard`, over signals x and y, a bond and time. */
static void guarded_begin(Guarded *self, const char *guard) {
  static char text[2000];
  snprintf(text, sizeof text,
           "model G {\n Se s(1); 1 g by M; R r(1); s -> g -> r; I m(1); Se u(1); u -> m\n signal x = integral(1), y = integral(2)\n"
           " machine M { off a initial; on b; a -> b when %s; b -> a when false }\n stop 1\n}",
           guard);
  guarded_make(self, text);
}

static void guarded_end(Guarded *self) { elaborated_end(&self->made); }

static const HbgConjunction *leaving(const Guarded *self, int32_t *count) {
  return hbg_guards_leaving(&self->guards, 0, 0, count);
}

static int32_t conjunctions(const char *guard) {
  Guarded self;
  guarded_begin(&self, guard);
  int32_t count;
  leaving(&self, &count);
  guarded_end(&self);
  return count;
}

static void or_makes_transitions_of_its_own(void **state) {
  (void)state;
  assert_int_equal(conjunctions("x > 1"), 1);
  assert_int_equal(conjunctions("x > 1 and y > 1"), 1);
  assert_int_equal(conjunctions("x > 1 or y > 1"), 2);
  assert_int_equal(conjunctions("(x > 1 or y > 1) and (x < 2 or y < 2)"), 4);
  assert_int_equal(conjunctions("not (x > 1 and y > 1)"), 2);
  assert_int_equal(conjunctions("not (x > 1 or not (y > 1 and x > 0))"), 1);
}

static bool waits(const char *guard) {
  Guarded self;
  guarded_begin(&self, guard);
  int32_t count;
  const bool does = leaving(&self, &count)[0].waits_for_jump;
  guarded_end(&self);
  return does;
}

static void what_asks_a_value_to_have_changed_its_sign_waits_for_a_jump(void **state) {
  (void)state;
  assert_true(waits("m.f < 0 and pre(m.f) > 0"));
  assert_true(waits("pre(m.f) > 1 and m.f <= 1"));
  assert_true(waits("pre(x - 2*y) < 3 and x - 2*y >= 3 and y > 0"));
  assert_false(waits("m.f < 0 and pre(m.f) > -1"));
  assert_false(waits("m.f < 0 and pre(m.f) < 0"));
  assert_false(waits("m.f <= 0 and pre(m.f) >= 0"));
  assert_false(waits("m.f < 0 and pre(x) > 0"));
  assert_false(waits("m.f < 0"));
}

static void a_guard_that_would_explode_stays_one_condition(void **state) {
  (void)state;
  char guard[1500] = "";
  for (int at = 0; at < 12; at++) {
    char factor[80];
    snprintf(factor, sizeof factor, "%s(x > %d or y > %d)", at ? " and " : "", at + 1, at + 1);
    strcat(guard, factor);
  }
  assert_int_equal(conjunctions(guard), 1);
}

static bool is_a_posteriori(const char *guard) {
  Guarded self;
  guarded_begin(&self, guard);
  int32_t count;
  const bool answer = leaving(&self, &count)[0].is_a_posteriori;
  guarded_end(&self);
  return answer;
}

static void a_conjunction_that_reads_anything_a_posteriori_is_inferred(void **state) {
  (void)state;
  assert_true(is_a_posteriori("x > 1"));
  assert_true(is_a_posteriori("m.f > 1"));
  assert_true(is_a_posteriori("time > 1"));
  assert_true(is_a_posteriori("x > 1 and pre(y) > 1"));
  assert_false(is_a_posteriori("pre(x) > 1"));
  assert_false(is_a_posteriori("pre(x) > 1 and pre(m.e) < 2"));
  assert_false(is_a_posteriori("pre(x - y) > 1"));
}

static void each_conjunction_has_its_own_phase(void **state) {
  (void)state;
  Guarded self;
  guarded_begin(&self, "pre(x) > 1 or y > 1");
  int32_t count;
  const HbgConjunction *list = leaving(&self, &count);
  assert_int_equal(count, 2);
  assert_true(list[0].is_a_posteriori != list[1].is_a_posteriori);
  guarded_end(&self);
}

static void relations_have_differences(void **state) {
  (void)state;
  Guarded self;
  guarded_begin(&self, "x > 1 and not (y <= x) and m.f = 3");
  int32_t count;
  const HbgConjunction *list = leaving(&self, &count);
  assert_int_equal(count, 1);
  assert_int_equal(list[0].atom_count, 3);
  assert_int_equal(list[0].difference_count, 3);
  guarded_end(&self);
}

static void what_guards_read_is_known(void **state) {
  (void)state;
  Guarded self;
  guarded_begin(&self, "m.f > 1 and pre(r.e) < 2");
  int32_t read = 0;
  for (int32_t variable = 0; variable < self.made.model.bond_count * 2; variable++) read += self.guards.is_read[variable];
  assert_int_equal(read, 2);
  guarded_end(&self);
}

static void transitions_are_found_by_the_state_they_leave_in_order_of_the_text(void **state) {
  (void)state;
  Elaborated made;
  jmp_buf nowhere;
  elaborated_begin(&made, "model T {\n Se s(1); 1 g by M; R r(1); s -> g -> r\n signal x = integral(1)\n"
                          " machine M { off a initial, b; on c; a -> c when x > 3; b -> c when x > 4; a -> b when x > 5; c -> a when x > 6 }\n stop 1\n}");
  made.arena.on_failure = &nowhere;
  HbgExprPool pool = hbg_expr_pool_copy(&made.model.pool, &made.arena);
  const HbgGuards guards = hbg_guards(&made.model, &pool, &made.arena);
  int32_t count;
  const HbgConjunction *list = hbg_guards_leaving(&guards, 0, 0, &count);
  assert_int_equal(count, 2);
  assert_int_equal(list[0].to, 2);
  assert_int_equal(list[1].to, 1);
  hbg_guards_leaving(&guards, 0, 1, &count);
  assert_int_equal(count, 1);
  hbg_guards_leaving(&guards, 0, 2, &count);
  assert_int_equal(count, 1);
  elaborated_end(&made);
}

/* The voltage of a rail is what its source gives, and no effort of anything else there. */
static void a_guard_compares_with_what_a_source_imposes(void **state) {
  (void)state;
  static const char *const sources[] = {"6", "10*sin(3*time)", "6 - 0.1*r[1].f"};
  for (int which = 0; which < 3; which++) {
    char text[600];
    snprintf(text, sizeof text,
             "model Rail {\n Se clamp(%s); 0 rail; clamp -> rail; for i in 1..2 { Sf u[i](9); 0 n[i]; R r[i](1); 1 g[i] by Diode(n[i].e - rail.e)\n"
             " u[i] -> n[i] -> g[i] -> rail; g[i] -> r[i] }\n machine Diode(v) { off blocks initial; on conducts; blocks -> conducts when v > 0; conducts -> blocks when v < 0 }\n stop 1\n}",
             sources[which]);
    Guarded self;
    guarded_make(&self, text);
    for (int32_t bond = 0; bond < self.made.model.bond_count; bond++) {
      const HbgBond *at = &self.made.model.bonds[bond];
      const bool is_at_rail = !strcmp(self.made.model.nodes[at->tail].name, "rail") || !strcmp(self.made.model.nodes[at->head].name, "rail");
      if (is_at_rail && which < 2) assert_false(self.guards.is_read[2 * bond]); // the third one is known with the currents only
    }
    int32_t read = 0;
    for (int32_t variable = 0; variable < self.made.model.bond_count * 2; variable++) read += self.guards.is_read[variable];
    assert_int_equal(read, which < 2 ? 2 : 3);
    guarded_end(&self);
  }
}

/* What it reads as it is now tells its phase, also where an ideal source imposes that. */
static void a_guard_that_looks_back_keeps_its_phase_beside_a_source(void **state) {
  (void)state;
  Guarded self;
  guarded_make(&self, "model Rail {\n Se clamp(6); 0 rail; C c(1); R r(1); 1 g by M(r.f, rail.e); clamp -> rail -> g; rail -> c; g -> r\n"
                      " machine M(f, e) { off a initial; on b; a -> b when pre(f) > 1 and e > 5; b -> a when pre(f) < 1 and pre(e) > 5 }\n stop 1\n}");
  int32_t count;
  assert_true(leaving(&self, &count)[0].is_a_posteriori);
  assert_false(hbg_guards_leaving(&self.guards, 0, 1, &count)[0].is_a_posteriori);
  guarded_end(&self);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(or_makes_transitions_of_its_own),
      cmocka_unit_test(what_asks_a_value_to_have_changed_its_sign_waits_for_a_jump),
      cmocka_unit_test(a_guard_that_would_explode_stays_one_condition),
      cmocka_unit_test(a_conjunction_that_reads_anything_a_posteriori_is_inferred),
      cmocka_unit_test(each_conjunction_has_its_own_phase),
      cmocka_unit_test(relations_have_differences),
      cmocka_unit_test(what_guards_read_is_known),
      cmocka_unit_test(transitions_are_found_by_the_state_they_leave_in_order_of_the_text),
      cmocka_unit_test(a_guard_that_looks_back_keeps_its_phase_beside_a_source),
      cmocka_unit_test(a_guard_compares_with_what_a_source_imposes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
