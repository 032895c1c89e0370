/* SPDX-License-Identifier: BSD-3-Clause
 * Expressions over the whole model, at one time and at the two sides of an instant. */
#include "hybrid/probe.h"

#include "support/elaborated.h"

typedef struct Probed {
  Elaborated made;
  jmp_buf nowhere;
  HbgExprPool pool;
  HbgValues now, before;
  int32_t effort, flow; /* variables of the bond of r */
} Probed;

/* State x is 2 (before: 1); the bond of r has e = 5 with an impulse of 3, f = 7 (before: e = 4, f = 6). */
static void probed_begin(Probed *self) {
  elaborated_begin(&self->made, "model P {\n Se s(1); 1 g by M; R r(1); s -> g -> r\n signal x = integral(1)\n machine M { off a initial; on b; a -> b when time >= 1 }\n stop 1\n}");
  self->made.arena.on_failure = &self->nowhere;
  self->pool = hbg_expr_pool_copy(&self->made.model.pool, &self->made.arena);
  self->now = hbg_values(&self->made.model, &self->made.arena);
  self->before = hbg_values(&self->made.model, &self->made.arena);
  const int32_t bond = (int32_t)(elaborated_bond(&self->made, "g -> r") - self->made.model.bonds);
  self->effort = hbg_effort_of(bond);
  self->flow = hbg_flow_of(bond);
  self->now.time = self->before.time = 9;
  self->now.state[0] = 2, self->before.state[0] = 1;
  self->now.variable[self->effort] = 5, self->before.variable[self->effort] = 4;
  self->now.variable[self->flow] = 7, self->before.variable[self->flow] = 6;
  self->now.area[self->effort] = self->now.area_size[self->effort] = 3;
  self->now.phi[0] = 1;
}

static void probed_end(Probed *self) { elaborated_end(&self->made); }

static HbgProbe probe(Probed *self, const char *text) {
  HbgDiagnostics diagnostics = hbg_diagnostics(&self->made.arena);
  const HbgExpr expr = hbg_model_expression(&self->made.model, &self->pool, text, &diagnostics);
  if (!expr) fail_msg("%s makes no sense", text);
  return hbg_probe(&self->made.model, &self->pool, &expr, 1, &self->made.arena);
}

static double at_one_time(Probed *self, const char *text) {
  HbgProbe made = probe(self, text);
  hbg_probe_run(&made, &self->now);
  return hbg_probe_value(&made, 0);
}

static double at_an_instant(Probed *self, const char *text) {
  HbgProbe made = probe(self, text);
  hbg_probe_run_pairs(&made, &self->now, &self->before);
  return hbg_probe_pair(&made, 0)->value;
}

static void in_continuous_time_both_sides_agree(void **state) {
  (void)state;
  Probed self;
  probed_begin(&self);
  CHECK_NEAR(at_one_time(&self, "r.e + 10*r.f"), 75, 0);
  CHECK_NEAR(at_one_time(&self, "pre(r.e)"), 5, 0);
  CHECK_NEAR(at_one_time(&self, "impulse(r.e)"), 0, 0);
  CHECK_NEAR(at_one_time(&self, "finite(r.e)"), 5, 0);
  CHECK_NEAR(at_one_time(&self, "x + time"), 11, 0);
  CHECK_NEAR(at_one_time(&self, "if g in b then 1 else 2"), 1, 0);
  probed_end(&self);
}

static void at_an_instant_each_reading_takes_its_side(void **state) {
  (void)state;
  Probed self;
  probed_begin(&self);
  CHECK_NEAR(at_an_instant(&self, "x - pre(x)"), 1, 0);
  CHECK_NEAR(at_an_instant(&self, "pre(r.f)"), 6, 0);
  CHECK_NEAR(at_an_instant(&self, "pre(r.e + r.f)"), 10, 0);
  CHECK_NEAR(at_an_instant(&self, "r.e"), 5, 0);
  CHECK_NEAR(at_an_instant(&self, "impulse(2*r.e + r.f)"), 6, 0);
  CHECK_NEAR(at_an_instant(&self, "finite(2*r.e + r.f)"), 17, 0);
  CHECK_NEAR(at_an_instant(&self, "impulse(r.f)"), 0, 0);
  probed_end(&self);
}

static void a_state_near_zero_may_be_measured_against_its_history(void **state) {
  (void)state;
  Probed self;
  probed_begin(&self);
  self.now.state[0] = 1e-16;
  CHECK_NEAR(at_an_instant(&self, "if x > 0 then 1 else 0"), 1, 0);
  const double scale[1] = {10};
  self.now.state_scale = scale;
  CHECK_NEAR(at_an_instant(&self, "if x > 0 then 1 else 0"), 0, 0);
  probed_end(&self);
}

static void an_undetermined_variable_is_told_where_it_is_read(void **state) {
  (void)state;
  Probed self;
  probed_begin(&self);
  HbgProbe reads = probe(&self, "r.e + 1"), does_not = probe(&self, "r.f + x");
  assert_int_equal(hbg_probe_undetermined(&reads, &self.now), -1);
  self.now.undetermined[self.effort] = 1;
  assert_int_equal(hbg_probe_undetermined(&reads, &self.now), self.effort);
  assert_int_equal(hbg_probe_undetermined(&does_not, &self.now), -1);
  probed_end(&self);
}

static void a_product_of_impulses_is_noted(void **state) {
  (void)state;
  Probed self;
  probed_begin(&self);
  HbgProbe square = probe(&self, "r.e*r.e");
  assert_true(hbg_probe_run_pairs(&square, &self.now, &self.before).is_undefined);
  HbgProbe decided = probe(&self, "if r.e > 1e9 then 1 else 0");
  assert_true(hbg_probe_run_pairs(&decided, &self.now, &self.before).by_impulse);
  probed_end(&self);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(in_continuous_time_both_sides_agree),
      cmocka_unit_test(at_an_instant_each_reading_takes_its_side),
      cmocka_unit_test(a_state_near_zero_may_be_measured_against_its_history),
      cmocka_unit_test(an_undetermined_variable_is_told_where_it_is_read),
      cmocka_unit_test(a_product_of_impulses_is_noted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
