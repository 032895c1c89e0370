/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/values.h"

#include "support/elaborated.h"

typedef struct Sides {
  Elaborated made;
  jmp_buf nowhere;
  HbgValues now, before;
} Sides;

static void sides_begin(Sides *self) {
  elaborated_begin(&self->made, "model P {\n Se s(1); 1 j; R r(1); s -> j -> r\n stop 1\n}");
  self->made.arena.on_failure = &self->nowhere;
  self->now = hbg_values(&self->made.model, &self->made.arena);
  self->before = hbg_values(&self->made.model, &self->made.arena);
}

static void set_area(HbgValues *values, int32_t variable, double area) {
  values->area[variable] = values->area_size[variable] = area;
  *values->has_areas = true;
}

static void areas_are_copied_and_cleared_where_there_are_some(void **state) {
  (void)state;
  Sides self;
  sides_begin(&self);
  set_area(&self.now, 1, 3);
  hbg_values_copy(&self.made.model, &self.before, &self.now);
  CHECK_NEAR(self.before.area[1], 3, 0);
  CHECK_NEAR(self.before.area_size[1], 3, 0);
  hbg_values_clear_areas(&self.made.model, &self.now);
  CHECK_NEAR(self.now.area[1], 0, 0);
  assert_false(*self.now.has_areas);
  assert_true(*self.before.has_areas);
  elaborated_end(&self.made);
}

static void a_copy_of_values_without_areas_has_none_whatever_it_had_before(void **state) {
  (void)state;
  Sides self;
  sides_begin(&self);
  set_area(&self.before, 2, 5);
  self.now.variable[2] = 7;
  hbg_values_copy(&self.made.model, &self.before, &self.now);
  CHECK_NEAR(self.before.variable[2], 7, 0);
  CHECK_NEAR(self.before.area[2], 0, 0);
  CHECK_NEAR(self.before.area_size[2], 0, 0);
  assert_false(*self.before.has_areas);
  elaborated_end(&self.made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(areas_are_copied_and_cleared_where_there_are_some),
      cmocka_unit_test(a_copy_of_values_without_areas_has_none_whatever_it_had_before),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
