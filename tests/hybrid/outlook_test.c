/* SPDX-License-Identifier: BSD-3-Clause
 * What is certain of a guard over boxes of states. */
#include "hybrid/outlook.h"

#include "support/begun.h"

static double box_middle, box_rise, box_radius;

static HbgBox box_of(HbgSim *sim, int32_t state) {
  (void)sim, (void)state;
  return (HbgBox){box_middle, box_rise, box_radius};
}

typedef struct Look {
  Begun run;
  HbgBoxAnswer answer;
} Look;

static HbgStatus look(void *user) {
  Look *self = user;
  HbgSim *sim = self->run.sim;
  int32_t count, number = 0;
  const HbgConjunction *leaving = hbg_guards_leaving(&sim->guards, 0, sim->now.phi[0], &count);
  self->answer = hbg_outlook_over_boxes(sim, &leaving[0], box_of, &number);
  return HBG_OK;
}

/* Of the guard `when`, over a spring whose force is q + q^3. */
static HbgBoxAnswer answer_of(const char *when, double middle, double rise, double radius) {
  Look self;
  char text[400];
  snprintf(text, sizeof text,
           "model Spring {\n 1 v; I m(1); C c: e = q + q^3; Se s(0); 1 gate by M; R r(1)\n v -> m; v -> c; s -> gate -> r\n"
           " machine M { off no initial; on yes; no -> yes when %s }\n}",
           when);
  begun(&self.run, text, 1);
  box_middle = middle;
  box_rise = rise;
  box_radius = radius;
  assert_int_equal(hbg_guarded(&self.run.arena, look, &self), HBG_OK);
  begun_end(&self.run);
  return self.answer;
}

static void a_box_excludes_what_bends_as_far_as_its_ends_do(void **state) {
  (void)state;
  // 1 + 1 = 2 at q = 1; products of numbers with bounds are a little wider than what they stand for
  assert_int_equal(answer_of("c.e > 2", 0, 0, 0.99), HBG_BOX_EXCLUDED);
  assert_int_equal(answer_of("c.e > 2", 0, 0, 1.01), HBG_BOX_OPEN);
  assert_int_equal(answer_of("c.e > 2", 0.9, 0, 0.05), HBG_BOX_EXCLUDED);
  assert_int_equal(answer_of("c.e > 2", 0.9, 0, 0.11), HBG_BOX_OPEN);
}

static void what_moves_together_is_told_apart_on_lines_and_not_in_boxes(void **state) {
  (void)state;
  // q + q^3 > q (1 + q^2) + 0.01: never, but only along a line does what it reads cancel
  assert_int_equal(answer_of("c.e > c.q + c.q^3 + 0.01", 0, 0, 0.5), HBG_BOX_OPEN);
  assert_int_equal(answer_of("c.e > c.q + c.q^3 + 0.01", 0, 0.5, 1e-4), HBG_BOX_EXCLUDED);
}

static void boxes_say_nothing_of_what_follows_the_time(void **state) {
  (void)state;
  assert_int_equal(answer_of("c.e > 2 + sin(time)", 0, 0, 0.1), HBG_BOX_BLIND);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_box_excludes_what_bends_as_far_as_its_ends_do),
      cmocka_unit_test(what_moves_together_is_told_apart_on_lines_and_not_in_boxes),
      cmocka_unit_test(boxes_say_nothing_of_what_follows_the_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
