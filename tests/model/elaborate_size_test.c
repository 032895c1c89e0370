/* SPDX-License-Identifier: BSD-3-Clause
 * Large models: 10^5 elements, 10^5 names that need each other. What is quadratic in them would take minutes; the limit
 * leaves room for sanitizers and busy machines. */
#include <time.h>

#include "support/elaborated.h"

enum { MANY = 100000 };
static const double MOST_SECONDS = 20;

typedef struct Writer {
  HbgArena arena;
  HbgText text;
  HbgStatus (*write)(void *user);
} Writer;

static HbgStatus write_text(void *user) {
  Writer *writer = user;
  writer->text = hbg_text(&writer->arena);
  return writer->write(writer);
}

/* Writes a text, elaborates it within the limit, and leaves it to the caller. */
static void make(Elaborated *made, Writer *writer, HbgStatus (*write)(void *user)) {
  *writer = (Writer){.arena = hbg_arena((HbgAllocator){0}), .write = write};
  if (hbg_guarded(&writer->arena, write_text, writer) != HBG_OK) fail_msg("out of memory");
  const clock_t begin = clock();
  elaborated_try(made, writer->text.bytes, NULL, 0);
  const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
  if (seconds > MOST_SECONDS) fail_msg("took %.1f s", seconds);
}

static void end(Elaborated *made, Writer *writer) {
  elaborated_end(made);
  hbg_arena_release_all(&writer->arena);
}

static HbgStatus write_flat(void *user) {
  HbgText *text = &((Writer *)user)->text;
  hbg_text_add(text, "model Flat {\n");
  for (int i = 0; i < MANY / 2; i++) {
    hbg_text_add(text, "I mass_%d(%d [g]) start f = 2 [m/s]\n1 motion_%d\nmotion_%d -> mass_%d\n", i, i + 1, i, i, i);
    if (i) hbg_text_add(text, "0 joint_%d\nmotion_%d -> joint_%d -> motion_%d\n", i, i - 1, i, i);
  }
  hbg_text_add(text, "}\n");
  return HBG_OK;
}

static void a_flat_text_of_many_elements(void **state) {
  (void)state;
  Elaborated made;
  Writer writer;
  make(&made, &writer, write_flat);
  assert_int_equal(made.diagnostics.count, 0);
  assert_int_equal(made.model.node_count, 3 * (MANY / 2) - 1);
  assert_int_equal(made.model.bond_count, 3 * (MANY / 2) - 2);
  end(&made, &writer);
}

/* Elements and bonds go, and what lies between them stays. */
static HbgStatus write_mixed(void *user) {
  HbgText *text = &((Writer *)user)->text;
  hbg_text_add(text, "model Mixed {\n param a = 2\n function twice(x) = a*x\n");
  for (int i = 0; i < MANY / 10; i++)
    hbg_text_add(text, "I mass_%d(%d [g]) start f = 2 [m/s]\n1 motion_%d\nmotion_%d -> mass_%d\n", i, i + 1, i, i, i);
  hbg_text_add(text, "signal double = twice(motion_7.f)\nfunction thrice(x) = 3*x\nR brake(1 [N*s/m]); motion_0 -> brake\n}\n");
  return HBG_OK;
}

static void columns_of_a_model_whose_elements_are_no_text_any_more(void **state) {
  (void)state;
  Elaborated made;
  Writer writer;
  make(&made, &writer, write_mixed);
  assert_int_equal(made.diagnostics.count, 0);
  const char *const columns[] = {"mass_7.p", "motion_8.f - twice(mass_9.f)", "thrice(double)", "a*brake.e", "time"};
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
    if (!hbg_model_expression(&made.model, &made.model.pool, columns[i], &made.diagnostics)) fail_msg("%s", columns[i]);
  assert_int_equal(made.diagnostics.count, 0);
  assert_int_equal(hbg_model_expression(&made.model, &made.model.pool, "mass_7 in off", &made.diagnostics), 0);
  assert_string_equal(made.diagnostics.list[0].message, "'mass_7' is an I storage that no machine switches");
  end(&made, &writer);
}

static HbgStatus write_loop(void *user) {
  hbg_text_add(&((Writer *)user)->text,
               "model Row(N = %d) { 0 common; C c(1); common -> c\n"
               " for i in 1..N { I ball[i](i); 1 v[i]; v[i] -> ball[i]; common -> v[i]; signal x[i] = integral(v[i].f, start = i) }\n"
               " for i in 2..N { signal gap[i] = x[i] - x[i - 1] } }",
               MANY / 2);
  return HBG_OK;
}

static void a_loop_of_many_rounds(void **state) {
  (void)state;
  Elaborated made;
  Writer writer;
  make(&made, &writer, write_loop);
  assert_int_equal(made.diagnostics.count, 0);
  assert_int_equal(made.model.node_count, MANY + 2);
  assert_int_equal(made.model.state_count, MANY + 1);
  assert_int_equal(elaborated_node(&made, "common")->port_count, MANY / 2 + 1);
  end(&made, &writer);
}

/* Every name needs the next one: asked for from the far end. */
static HbgStatus write_chain(void *user) {
  HbgText *text = &((Writer *)user)->text;
  hbg_text_add(text, "model Chain {\n");
  for (int i = 0; i < MANY; i++) hbg_text_add(text, "param p%d = p%d + 1; signal s%d = s%d + p%d\n", i, i + 1, i, i + 1, i);
  hbg_text_add(text, "param p%d = 1; signal s%d = time\n}\n", MANY, MANY);
  return HBG_OK;
}

static void a_chain_of_names_needs_no_deep_stack(void **state) {
  (void)state;
  Elaborated made;
  Writer writer;
  make(&made, &writer, write_chain);
  assert_int_equal(made.diagnostics.count, 0);
  CHECK_NEAR(elaborated_parameter(&made, "p0")->value, MANY + 1, 0);
  end(&made, &writer);
}

static HbgStatus write_cycle(void *user) {
  HbgText *text = &((Writer *)user)->text;
  hbg_text_add(text, "model Cycle {\n");
  for (int i = 0; i < MANY; i++) hbg_text_add(text, "signal s%d = s%d + 1\n", i, i + 1);
  hbg_text_add(text, "signal s%d = s%d\n}\n", MANY, MANY / 2);
  return HBG_OK;
}

static void a_long_cycle_is_told_once(void **state) {
  (void)state;
  Elaborated made;
  Writer writer;
  make(&made, &writer, write_cycle);
  assert_int_equal(made.diagnostics.error_count, 1);
  assert_int_equal(made.diagnostics.list[0].code, HBG_DIAGNOSTIC_SIGNAL_CYCLE);
  end(&made, &writer);
}

static HbgStatus write_mistakes(void *user) {
  HbgText *text = &((Writer *)user)->text;
  hbg_text_add(text, "model Wrong {\n");
  for (int i = 0; i < MANY; i++) hbg_text_add(text, "I m(1); a%d -> b%d; signal s = x%d + m.q\n", i, i, i);
  hbg_text_add(text, "}\n");
  return HBG_OK;
}

static void many_mistakes_are_counted_quickly(void **state) {
  (void)state;
  Elaborated made;
  Writer writer;
  make(&made, &writer, write_mistakes);
  assert_true(made.diagnostics.error_count > MANY);
  assert_true(made.diagnostics.count < 200);
  end(&made, &writer);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_flat_text_of_many_elements),
      cmocka_unit_test(columns_of_a_model_whose_elements_are_no_text_any_more),
      cmocka_unit_test(a_loop_of_many_rounds),
      cmocka_unit_test(a_chain_of_names_needs_no_deep_stack),
      cmocka_unit_test(a_long_cycle_is_told_once),
      cmocka_unit_test(many_mistakes_are_counted_quickly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
