/* SPDX-License-Identifier: BSD-3-Clause
 * Models made by calls: the same as their text, and every mistake told in terms of the call. */
#include "support/meter.h"
#include "support/simulated.h"

static HbgBuilder *new_builder(const char *name) {
  HbgBuilder *builder = NULL;
  assert_int_equal(hbg_builder_create(name, NULL, &builder), HBG_OK);
  return builder;
}

/* One call, refused calls shown. */
#define ADD(call) \
  if ((call) != HBG_OK) fail_msg("%s", hbg_builder_message(b))

static HbgBuilder *bullet_and_wood(void) {
  HbgBuilder *b = new_builder("BulletWood");
  ADD(hbg_builder_add_parameter_number(b, "m", 2000, "g"));
  ADD(hbg_builder_add_parameter(b, "v", "m/(1 [kg])*0.5 [m/s]"));
  ADD(hbg_builder_add_element(b, HBG_KIND_I, "bullet", "m"));
  ADD(hbg_builder_set_start(b, "bullet", 'f', "v"));
  ADD(hbg_builder_add_element_number(b, HBG_KIND_I, "wood", 2));
  ADD(hbg_builder_add_element(b, HBG_KIND_R, "ground", NULL));
  ADD(hbg_builder_set_law(b, "ground", "e = 0.1*f*abs(f)"));
  ADD(hbg_builder_add_junction(b, HBG_KIND_ONE, "a", NULL));
  ADD(hbg_builder_add_junction(b, HBG_KIND_ONE, "b", NULL));
  ADD(hbg_builder_add_junction(b, HBG_KIND_ZERO, "contact", "Contact(gap)"));
  ADD(hbg_builder_add_bond(b, "a", "bullet", NULL));
  ADD(hbg_builder_add_bond(b, "a", "contact", NULL));
  ADD(hbg_builder_add_bond(b, "contact", "b", "link"));
  ADD(hbg_builder_add_bond(b, "b", "wood", NULL));
  ADD(hbg_builder_add_bond(b, "b", "ground", NULL));
  ADD(hbg_builder_add_signal(b, "gap", "integral(b.f - a.f, start = 0.2)", "m"));
  ADD(hbg_builder_add_machine_type(b, "Contact", "gap_left"));
  ADD(hbg_builder_add_state(b, "Contact", "apart", false, true));
  ADD(hbg_builder_add_state(b, "Contact", "joined", true, false));
  ADD(hbg_builder_add_transition(b, "Contact", "apart", "joined", "gap_left <= 0"));
  ADD(hbg_builder_set_default(b, "stop", "1 [s]"));
  return b;
}

static HbgModel *built(HbgBuilder *b) {
  HbgModel *model = NULL;
  if (hbg_builder_build(b, &model) != HBG_OK) fail_msg("%s", hbg_model_diagnostic(model, 0));
  hbg_builder_free(b);
  return model;
}

static double last(const HbgModel *model, const char *expression) {
  HbgRun *run = NULL;
  HbgRow row;
  int32_t variable;
  assert_int_equal(hbg_run_create(model, NULL, &run, NULL), HBG_OK);
  assert_int_equal(hbg_run_find(run, expression, &variable, NULL), HBG_OK);
  while (hbg_run_next(run, &row) == HBG_OK) continue;
  assert_string_equal(hbg_run_failure(run), "");
  const double value = hbg_run_read(run, variable);
  hbg_run_free(run);
  return value;
}

static void a_model_made_by_calls_is_the_model_of_its_text(void **state) {
  (void)state;
  HbgBuilder *b = bullet_and_wood();
  const char *text = NULL;
  assert_int_equal(hbg_builder_text(b, &text), HBG_OK);
  HbgModel *read = simulated_model(text), *made = built(b);
  assert_string_equal(hbg_model_text(made), hbg_model_text(read));
  const HbgModelSize expected = {.elements = 3, .junctions = 3, .switched_junctions = 1, .bonds = 5, .stored_quantities = 2,
                                 .integrators = 1, .signals = 1, .machines = 1, .parameters = 2};
  const HbgModelSize size = hbg_model_size(made);
  assert_memory_equal(&size, &expected, sizeof size);
  CHECK_NEAR(last(made, "bullet.p"), last(read, "bullet.p"), 0);
  assert_string_equal(hbg_model_signal(made, 0).unit, "m");
  assert_string_equal(hbg_model_parameter(made, 0).unit, "g");
  CHECK_NEAR(hbg_model_parameter(made, 0).value, 2, 0);
  hbg_model_free(made);
  hbg_model_free(read);
}

static void its_behaviour_is_that_of_the_physics(void **state) {
  (void)state;
  // after the impact both move with half the velocity and are braked: m_total v' = -0.1 v^2, v = v0/(1 + 0.1 v0 t/m_total)
  HbgModel *model = built(bullet_and_wood());
  const double t = 1 - 0.2 / 1, v = 0.5 / (1 + 0.1 * 0.5 * t / 4);
  CHECK_CLOSE(last(model, "wood.f"), v, 1e-8);
  CHECK_CLOSE(last(model, "bullet.f"), v, 1e-8);
  hbg_model_free(model);
}

static void names_may_have_indices_and_machines_may_be_shared(void **state) {
  (void)state;
  HbgBuilder *b = new_builder("Shared");
  char name[20], store[20], resistor[20];
  ADD(hbg_builder_add_machine_type(b, "Timer", NULL));
  ADD(hbg_builder_add_transition(b, "Timer", "on", "off", "time >= 0.5"));
  ADD(hbg_builder_add_machine(b, "timer", "Timer"));
  for (int at = 1; at <= 3; at++) {
    snprintf(name, sizeof name, "line[%d]", at);
    snprintf(store, sizeof store, "tank[%d]", at);
    snprintf(resistor, sizeof resistor, "valve[%d]", at);
    ADD(hbg_builder_add_junction(b, HBG_KIND_ONE, name, "timer"));
    ADD(hbg_builder_add_element_number(b, HBG_KIND_C, store, at));
    ADD(hbg_builder_set_start(b, store, 'q', "1"));
    ADD(hbg_builder_add_element(b, HBG_KIND_R, resistor, "1"));
    ADD(hbg_builder_add_bond(b, name, store, NULL));
    ADD(hbg_builder_add_bond(b, name, resistor, NULL));
  }
  ADD(hbg_builder_set_default(b, "stop", "2"));
  HbgModel *model = built(b);
  assert_int_equal(hbg_model_size(model).machines, 1);
  for (int at = 1; at <= 3; at++) {
    snprintf(store, sizeof store, "tank[%d].q", at);
    CHECK_CLOSE(last(model, store), exp(-0.5 / at), 1e-7);
  }
  hbg_model_free(model);
}

static void a_builder_grows_on_after_a_model_was_built(void **state) {
  (void)state;
  HbgBuilder *b = bullet_and_wood();
  HbgModel *first = NULL, *second = NULL;
  assert_int_equal(hbg_builder_build(b, &first), HBG_OK);
  ADD(hbg_builder_add_signal(b, "energy", "bullet.p^2/2/m", NULL));
  assert_int_equal(hbg_builder_build(b, &second), HBG_OK);
  hbg_builder_free(b);
  assert_int_equal(hbg_model_size(first).signals, 1);
  assert_int_equal(hbg_model_size(second).signals, 2);
  hbg_model_free(first);
  const HbgModelSetting light = {"m", "1"};
  HbgModel *third = NULL;
  assert_int_equal(hbg_model_with_settings(second, &light, 1, &third), HBG_OK);
  CHECK_NEAR(hbg_model_parameter(third, 0).value, 0.001, 1e-18);
  hbg_model_free(second);
  hbg_model_free(third);
}

/* ---- calls that are refused ---- */

static void refused(HbgBuilder *b, HbgStatus status, const char *call, const char *reason) {
  assert_int_equal(status, HBG_ARGUMENT);
  const char *message = hbg_builder_message(b);
  if (!strstr(message, call) || !strstr(message, reason)) fail_msg("`%s` lacks `%s` or `%s`", message, call, reason);
}

static void setting_again_replaces(void **state) {
  (void)state;
  HbgBuilder *b = new_builder("Again");
  ADD(hbg_builder_add_element(b, HBG_KIND_C, "spring", "2"));
  ADD(hbg_builder_add_element(b, HBG_KIND_R, "damper", NULL));
  ADD(hbg_builder_set_law(b, "damper", "e = f"));
  ADD(hbg_builder_set_start(b, "spring", 'e', "1"));
  ADD(hbg_builder_set_default(b, "tolerance", "1e-9"));
  ADD(hbg_builder_set_default(b, "stop", "1 [s]"));
  ADD(hbg_builder_add_junction(b, HBG_KIND_ZERO, "node", NULL));
  ADD(hbg_builder_add_bond(b, "node", "spring", NULL));
  ADD(hbg_builder_add_bond(b, "node", "damper", NULL));
  ADD(hbg_builder_set_start(b, "spring", 'q', "6"));
  ADD(hbg_builder_set_law(b, "damper", "e = 3*f"));
  ADD(hbg_builder_set_default(b, "stop", "4 [s]"));
  HbgModel *model = built(b);
  CHECK_NEAR(hbg_model_stored(model, 0).start, 6, 0);
  HbgRun *run = NULL;
  HbgRow row;
  int32_t flow;
  assert_int_equal(hbg_run_create(model, NULL, &run, NULL), HBG_OK);
  CHECK_NEAR(hbg_run_statistics(run).stop, 4, 0);
  assert_int_equal(hbg_run_find(run, "damper.f", &flow, NULL), HBG_OK);
  assert_int_equal(hbg_run_next(run, &row), HBG_OK);
  CHECK_NEAR(hbg_run_read(run, flow), 6.0 / 2 / 3, 1e-15);
  hbg_run_free(run);
  hbg_model_free(model);
}

static void a_call_that_makes_no_sense_is_refused_at_once(void **state) {
  (void)state;
  HbgBuilder *b = bullet_and_wood();
  const char *before = NULL, *after = NULL;
  assert_int_equal(hbg_builder_text(b, &before), HBG_OK);
  refused(b, hbg_builder_add_element(b, HBG_KIND_I, "bullet", "1"), "hbg_builder_add_element(I, bullet)", "already");
  refused(b, hbg_builder_add_element(b, HBG_KIND_I, "2x", "1"), "(I, 2x)", "no name");
  refused(b, hbg_builder_add_element(b, HBG_KIND_I, "a.b", "1"), "(I, a.b)", "no name");
  refused(b, hbg_builder_add_element(b, HBG_KIND_I, "x // y", "1"), "(I, x // y)", "no name");
  refused(b, hbg_builder_add_element(b, HBG_KIND_I, "x\n", "1"), "(I, x", "no name");
  refused(b, hbg_builder_add_element(b, HBG_KIND_I, "x [1]", "1"), "(I, x [1])", "no name");
  refused(b, hbg_builder_add_element(b, HBG_KIND_I, "if", "1"), "(I, if)", "no name");
  refused(b, hbg_builder_add_element(b, HBG_KIND_I, NULL, "1"), "(I, NULL)", "missing");
  refused(b, hbg_builder_add_element(b, HBG_KIND_I, "x", "1 +"), "(I, x)", "1 +");
  refused(b, hbg_builder_add_element(b, HBG_KIND_I, "x", "1); R y(2"), "(I, x)", "1); R y(2");
  refused(b, hbg_builder_add_element(b, HBG_KIND_I, "x", "1 // one"), "(I, x)", "comments");
  refused(b, hbg_builder_add_element(b, HBG_KIND_I, "x", "1\n"), "(I, x)", "one line");
  refused(b, hbg_builder_add_bond(b, "a", "wod", NULL), "hbg_builder_add_bond(a, wod)", "did you mean 'wood'?");
  refused(b, hbg_builder_add_bond(b, "a", "zzzzzz", NULL), "(a, zzzzzz)", "add it first");
  refused(b, hbg_builder_add_bond(b, "a", "gap", NULL), "(a, gap)", "no node");
  refused(b, hbg_builder_add_bond(b, "a", "b", "link"), "(a, b)", "already from hbg_builder_add_bond(contact, b)");
  refused(b, hbg_builder_set_law(b, "a", "e = f"), "hbg_builder_set_law(a)", "no element");
  refused(b, hbg_builder_set_start(b, "wood", 'f', NULL), "hbg_builder_set_start(wood, f)", "missing");
  refused(b, hbg_builder_add_state(b, "contact", "x", true, false), "hbg_builder_add_state(contact, x)", "type of machines");
  refused(b, hbg_builder_add_transition(b, "Contact", "joined", "apart", "gap > > 0"), "(Contact, joined, apart)", "gap > > 0");
  refused(b, hbg_builder_add_machine(b, "x", "1 + 2"), "hbg_builder_add_machine(x)", "Type(arguments)");
  refused(b, hbg_builder_add_junction(b, HBG_KIND_ONE, "x", "2"), "hbg_builder_add_junction(1, x)", "no machine");
  refused(b, hbg_builder_add_machine_type(b, "X", "a) {"), "hbg_builder_add_machine_type(X)", "names");
  refused(b, hbg_builder_add_signal(b, "x", "1", "m]"), "hbg_builder_add_signal(x)", "no unit");
  refused(b, hbg_builder_set_default(b, "end", "1"), "hbg_builder_set_default(end)", "stop");
  assert_int_equal(hbg_builder_text(b, &after), HBG_OK);
  assert_string_equal(before, after);
  ADD(hbg_builder_set_default(b, "tolerance", "1e-9"));
  assert_string_equal(hbg_builder_message(b), "");
  hbg_builder_free(b);
}

static void arguments_out_of_range_are_refused(void **state) {
  (void)state;
  HbgBuilder *b = (HbgBuilder *)1;
  HbgModel *model = (HbgModel *)1;
  const HbgModelOptions forgotten = {.name = "x"};
  assert_int_equal(hbg_builder_create("1x", NULL, &b), HBG_ARGUMENT);
  assert_null(b);
  assert_int_equal(hbg_builder_create(NULL, NULL, &b), HBG_ARGUMENT);
  assert_int_equal(hbg_builder_create("X", &forgotten, &b), HBG_ARGUMENT);
  assert_int_equal(hbg_builder_create("X", NULL, NULL), HBG_ARGUMENT);
  b = new_builder("X");
  refused(b, hbg_builder_add_element(b, HBG_KIND_ONE, "x", "1"), "hbg_builder_add_element", "hbg_builder_add_junction()");
  refused(b, hbg_builder_add_element(b, HBG_KIND_COUNT, "x", "1"), "hbg_builder_add_element", "no kind");
  refused(b, hbg_builder_add_junction(b, HBG_KIND_R, "x", NULL), "hbg_builder_add_junction", "HBG_KIND_ONE");
  refused(b, hbg_builder_add_element_number(b, HBG_KIND_R, "x", (double)NAN), "element", "finite");
  refused(b, hbg_builder_add_parameter_number(b, "x", (double)INFINITY, NULL), "parameter", "finite");
  refused(b, hbg_builder_set_start(b, "x", 'z', "1"), "hbg_builder_set_start", "'f' of an I");
  refused(b, hbg_builder_text(b, NULL), "argument", "missing");
  assert_int_equal(hbg_builder_add_bond(NULL, "a", "b", NULL), HBG_ARGUMENT);
  assert_int_equal(hbg_builder_add_element_number(NULL, HBG_KIND_R, "x", 1), HBG_ARGUMENT);
  assert_int_equal(hbg_builder_build(NULL, &model), HBG_ARGUMENT);
  assert_null(model);
  assert_int_equal(hbg_builder_build(b, NULL), HBG_ARGUMENT);
  assert_int_equal(hbg_builder_text(b, NULL), HBG_ARGUMENT);
  assert_string_equal(hbg_builder_message(NULL), "");
  hbg_builder_free(NULL);
  hbg_builder_free(b);
}

static void numbers_come_back_exactly(void **state) {
  (void)state;
  const double values[] = {0.1, -9.81, 1e-300, 3e300, 5e-324, 12345678901234567.0, -0.0};
  HbgBuilder *b = new_builder("Numbers");
  char name[20];
  for (int at = 0; at < 7; at++) {
    snprintf(name, sizeof name, "x%d", at);
    ADD(hbg_builder_add_parameter_number(b, name, values[at], NULL));
  }
  HbgModel *model = built(b);
  for (int at = 0; at < 7; at++) CHECK_NEAR(hbg_model_parameter(model, at).value, values[at], 0);
  hbg_model_free(model);
}

/* ---- graphs that are wrong as a whole ---- */

static void mistakes_of_the_whole_name_the_call_and_no_line(void **state) {
  (void)state;
  HbgBuilder *b = new_builder("Wrong");
  ADD(hbg_builder_add_element(b, HBG_KIND_I, "mass", "-1"));
  ADD(hbg_builder_add_element(b, HBG_KIND_R, "lost", "k"));
  ADD(hbg_builder_add_element(b, HBG_KIND_R, "lawless", NULL));
  ADD(hbg_builder_add_junction(b, HBG_KIND_ONE, "v", "Nothing"));
  ADD(hbg_builder_add_bond(b, "mass", "v", NULL));
  ADD(hbg_builder_add_bond(b, "v", "lawless", NULL));
  ADD(hbg_builder_add_signal(b, "x", "mas.f", NULL));
  ADD(hbg_builder_add_machine_type(b, "M", NULL));
  ADD(hbg_builder_add_transition(b, "M", "on", "gone", "x > 0"));
  HbgModel *model = NULL;
  assert_int_equal(hbg_builder_build(b, &model), HBG_MODEL_WRONG);
  const char *const calls[] = {"hbg_builder_add_element(I, mass)", "hbg_builder_add_element(R, lost)", "hbg_builder_add_element(R, lawless)",
                               "hbg_builder_add_junction(1, v)", "hbg_builder_add_bond(mass, v)", "hbg_builder_add_signal(x)",
                               "hbg_builder_add_transition(M, on, gone)"};
  for (size_t which = 0; which < sizeof calls / sizeof *calls; which++) {
    bool is_told = false;
    for (int32_t at = 0; at < hbg_model_diagnostic_count(model); at++) {
      if (strcmp(hbg_model_diagnostic_call(model, at), calls[which]) != 0) continue;
      is_told = true;
      assert_non_null(strstr(hbg_model_diagnostic(model, at), calls[which]));
      assert_null(strstr(hbg_model_diagnostic(model, at), " | ")); // no line of a text that nobody wrote
    }
    if (!is_told) fail_msg("nothing is said of %s", calls[which]);
  }
  assert_string_equal(hbg_model_diagnostic_call(model, 99), "");
  assert_string_equal(hbg_model_diagnostic_call(NULL, 0), "");
  hbg_model_free(model);
  hbg_builder_free(b);
}

static void a_run_that_fails_names_the_call(void **state) {
  (void)state;
  HbgBuilder *b = new_builder("Endless");
  ADD(hbg_builder_add_element(b, HBG_KIND_SE, "push", "1"));
  ADD(hbg_builder_add_element(b, HBG_KIND_R, "brake", "1"));
  ADD(hbg_builder_add_junction(b, HBG_KIND_ONE, "line", "Flip"));
  ADD(hbg_builder_add_bond(b, "push", "line", NULL));
  ADD(hbg_builder_add_bond(b, "line", "brake", NULL));
  ADD(hbg_builder_add_machine_type(b, "Flip", NULL));
  ADD(hbg_builder_add_transition(b, "Flip", "on", "off", "line.f > 0.5"));
  ADD(hbg_builder_add_transition(b, "Flip", "off", "on", "line.f < 0.5"));
  ADD(hbg_builder_set_default(b, "stop", "1"));
  HbgModel *model = built(b);
  HbgRun *run = NULL;
  HbgRow row;
  assert_int_equal(hbg_run_create(model, NULL, &run, NULL), HBG_OK);
  HbgStatus status;
  do status = hbg_run_next(run, &row);
  while (status == HBG_OK);
  assert_int_equal(status, HBG_STOPPED);
  assert_non_null(strstr(hbg_run_failure(run), "hbg_builder_add_"));
  hbg_run_free(run);
  hbg_model_free(model);
}

/* ---- memory ---- */

/* A chain, long enough to need several blocks. */
static HbgStatus build_chain(HbgBuilder *b) {
  HbgStatus status = HBG_OK;
  char name[20], mass[20];
  for (int at = 1; at <= 60 && status == HBG_OK; at++) {
    snprintf(name, sizeof name, "v[%d]", at);
    snprintf(mass, sizeof mass, "m[%d]", at);
    status = hbg_builder_add_junction(b, HBG_KIND_ONE, name, NULL);
    if (status == HBG_OK) status = hbg_builder_add_element_number(b, HBG_KIND_I, mass, at);
    if (status == HBG_OK) status = hbg_builder_add_bond(b, name, mass, NULL);
  }
  const char *text = NULL;
  if (status == HBG_OK) status = hbg_builder_text(b, &text);
  HbgModel *model = NULL;
  if (status == HBG_OK) status = hbg_builder_build(b, &model);
  hbg_model_free(model);
  return status;
}

static void every_refusal_of_memory_is_survived(void **state) {
  (void)state;
  HbgStatus status = HBG_MEMORY;
  long budget = 0;
  for (; status != HBG_OK; budget++) {
    Meter meter = {.budget = budget};
    HbgModelOptions options = hbg_model_options();
    options.allocate = meter_take;
    options.release = meter_give_back;
    options.user = &meter;
    HbgBuilder *b = NULL;
    status = hbg_builder_create("Chain", &options, &b);
    if (status == HBG_OK) status = build_chain(b);
    if (b && status == HBG_MEMORY) assert_true(hbg_builder_add_machine_type(b, "X", NULL) != HBG_ARGUMENT);
    hbg_builder_free(b);
    assert_true(status == HBG_OK || status == HBG_MEMORY);
    assert_int_equal(meter.live_blocks, 0);
  }
  assert_true(budget > 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_model_made_by_calls_is_the_model_of_its_text),
      cmocka_unit_test(its_behaviour_is_that_of_the_physics),
      cmocka_unit_test(names_may_have_indices_and_machines_may_be_shared),
      cmocka_unit_test(a_builder_grows_on_after_a_model_was_built),
      cmocka_unit_test(setting_again_replaces),
      cmocka_unit_test(a_call_that_makes_no_sense_is_refused_at_once),
      cmocka_unit_test(arguments_out_of_range_are_refused),
      cmocka_unit_test(numbers_come_back_exactly),
      cmocka_unit_test(mistakes_of_the_whole_name_the_call_and_no_line),
      cmocka_unit_test(a_run_that_fails_names_the_call),
      cmocka_unit_test(every_refusal_of_memory_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
