/* SPDX-License-Identifier: BSD-3-Clause
 * What a model is made of, asked by a program; and the same model with other values. */
#include "support/programs.h"
#include "support/simulated.h"

static void every_part_of_a_model_can_be_listed(void **state) {
  (void)state;
  HbgModel *model = simulated_model(PROGRAM_BALL);
  const HbgModelSize size = hbg_model_size(model);
  assert_int_equal(size.elements, 4);
  assert_int_equal(size.junctions, 2);
  const struct {
    const char *name, *kind;
    int32_t machine, bond_count;
  } nodes[] = {{"air", "R", -1, 1},    {"ball", "I", -1, 1},    {"contact", "0", 0, 2},
               {"motion", "1", -1, 4}, {"rebound", "Sf", -1, 1}, {"weight", "Se", -1, 1}};
  for (int32_t at = 0; at < 6; at++) {
    const HbgNodeInfo node = hbg_model_node(model, at);
    assert_string_equal(node.name, nodes[at].name);
    assert_string_equal(node.kind, nodes[at].kind);
    assert_int_equal(node.machine, nodes[at].machine);
    assert_int_equal(node.bond_count, nodes[at].bond_count);
    assert_int_equal(node.is_junction, node.bond_count > 1);
  }
  assert_int_equal(size.bonds, 5);
  assert_string_equal(hbg_model_bond(model, 0).name, "motion -> air");
  assert_string_equal(hbg_model_bond(model, 0).tail, "motion");
  assert_string_equal(hbg_model_bond(model, 0).head, "air");

  assert_int_equal(size.stored_quantities + size.integrators, 2);
  assert_string_equal(hbg_model_stored(model, 0).name, "ball.p");
  assert_string_equal(hbg_model_stored(model, 0).node, "ball");
  assert_false(hbg_model_stored(model, 0).is_integrator);
  assert_true(hbg_model_stored(model, 1).is_integrator);
  CHECK_NEAR(hbg_model_stored(model, 1).start, 0.1, 0);

  assert_int_equal(size.signals, 2);
  assert_string_equal(hbg_model_signal(model, 0).name, "height");
  assert_string_equal(hbg_model_signal(model, 0).unit, "m");
  assert_true(hbg_model_signal(model, 1).is_boolean);

  assert_int_equal(size.machines, 1);
  const HbgMachineInfo machine = hbg_model_machine(model, 0);
  assert_string_equal(machine.name, "contact");
  assert_string_equal(machine.type, "Impact");
  assert_int_equal(machine.state_count, 2);
  bool is_on = false;
  assert_string_equal(hbg_model_machine_state(model, 0, machine.initial, NULL), "free");
  assert_string_equal(hbg_model_machine_state(model, 0, 1, &is_on), "touching");
  assert_true(is_on);
  assert_string_equal(hbg_model_text(model), PROGRAM_BALL);
  hbg_model_free(model);
}

static void what_is_not_there_has_no_name(void **state) {
  (void)state;
  HbgModel *wrong = NULL;
  assert_int_equal(hbg_model_load("model Wrong {", 13, NULL, &wrong), HBG_MODEL_WRONG);
  HbgModel *right = simulated_model(PROGRAM_BALL);
  const HbgModel *const models[] = {wrong, right, NULL};
  for (int which = 0; which < 3; which++) {
    for (int32_t index = -1; index < 100; index += 100) {
      assert_string_equal(hbg_model_parameter(models[which], index).name, "");
      assert_string_equal(hbg_model_node(models[which], index).name, "");
      assert_string_equal(hbg_model_bond(models[which], index).tail, "");
      assert_string_equal(hbg_model_stored(models[which], index).node, "");
      assert_string_equal(hbg_model_signal(models[which], index).name, "");
      assert_string_equal(hbg_model_machine(models[which], index).type, "");
      assert_string_equal(hbg_model_machine_state(models[which], index, 0, NULL), "");
      assert_string_equal(hbg_model_diagnostic(models[which], index), "");
    }
    assert_string_equal(hbg_model_machine_state(models[which], 0, 2, NULL), "");
  }
  assert_int_equal(hbg_model_size(wrong).bonds, 0);
  assert_int_equal(hbg_model_size(NULL).bonds, 0);
  assert_string_equal(hbg_model_name(NULL), "");
  assert_string_equal(hbg_model_text(NULL), "");
  assert_int_equal(hbg_model_diagnostic_count(NULL) + hbg_model_error_count(NULL) + hbg_model_suppressed_count(NULL), 0);
  hbg_model_free(wrong);
  hbg_model_free(right);
}

static double parameter(const HbgModel *model, const char *name, const char **unit) {
  for (int32_t at = 0; at < hbg_model_size(model).parameters; at++) {
    const HbgParameterInfo info = hbg_model_parameter(model, at);
    if (unit) *unit = info.unit;
    if (!strcmp(info.name, name)) return info.value;
  }
  fail_msg("there is no parameter %s", name);
  return 0;
}

static void settings_make_another_model_of_the_same_text(void **state) {
  (void)state;
  const char *text = "model Mass {\n param m = 2 [g], twice = 2*m, k = 1\n I body(m) start p = twice; 1 v; v -> body; R r(k); v -> r\n stop 1\n}";
  const HbgModelSetting first[] = {{"m", "3"}, {"k", "7"}}, second[] = {{"m", "5 [kg]"}};
  HbgModelOptions options = hbg_model_options();
  options.settings = first;
  options.setting_count = 2;
  HbgModel *model = NULL, *other = NULL;
  const char *unit = NULL;
  assert_int_equal(hbg_model_load(text, strlen(text), &options, &model), HBG_OK);
  CHECK_NEAR(parameter(model, "m", &unit), 0.003, 1e-18);
  assert_string_equal(unit, "g");
  assert_int_equal(hbg_model_with_settings(model, second, 1, &other), HBG_OK);
  CHECK_NEAR(parameter(model, "twice", NULL), 0.006, 1e-18);
  hbg_model_free(model); // the second one owes it nothing
  CHECK_NEAR(parameter(other, "m", NULL), 5, 0);
  CHECK_NEAR(parameter(other, "k", NULL), 7, 0);
  CHECK_NEAR(hbg_model_stored(other, 0).start, 10, 0);
  hbg_model_free(other);
}

/* What is shown is what a bare number given from outside would be. */
static void a_parameter_is_also_told_in_its_own_unit(void **state) {
  (void)state;
  const char *text = "model Mass {\n param m = 250 [g], t = 20 [degC], angle = 45 [deg], k = 3\n I body(m); R r(k); 1 v; v -> body; v -> r\n signal s = t, u = angle\n stop 1\n}";
  HbgModel *model = NULL;
  assert_int_equal(hbg_model_load(text, strlen(text), NULL, &model), HBG_OK);
  const double expected[] = {250, 20, 45, 3};
  for (int32_t at = 0; at < 4; at++) CHECK_CLOSE(hbg_model_parameter(model, at).shown, expected[at], 1e-12);
  CHECK_NEAR(hbg_model_parameter(model, 0).value, 0.25, 1e-15);
  hbg_model_free(model);
}

static void a_setting_that_does_not_fit_is_reported(void **state) {
  (void)state;
  HbgModel *model = simulated_model(PROGRAM_BALL), *other = NULL;
  const HbgModelSetting unknown[] = {{"restitutoin", "1"}};
  assert_int_equal(hbg_model_with_settings(model, unknown, 1, &other), HBG_MODEL_WRONG);
  assert_non_null(strstr(hbg_model_diagnostic(other, 0), "restitutoin"));
  hbg_model_free(other);
  const HbgModelSetting missing[] = {{"restitution", NULL}};
  assert_int_equal(hbg_model_with_settings(model, missing, 1, &other), HBG_ARGUMENT);
  assert_null(other);
  assert_int_equal(hbg_model_with_settings(model, NULL, 1, &other), HBG_ARGUMENT);
  assert_int_equal(hbg_model_with_settings(model, NULL, -1, &other), HBG_ARGUMENT);
  assert_int_equal(hbg_model_with_settings(NULL, NULL, 0, &other), HBG_ARGUMENT);
  assert_int_equal(hbg_model_with_settings(model, NULL, 0, NULL), HBG_ARGUMENT);
  hbg_model_free(model);
}

static void *refuse(size_t size, void *user) {
  (void)size;
  (void)user;
  return NULL;
}

static void options_that_do_not_come_from_their_maker_are_refused(void **state) {
  (void)state;
  HbgModel *model = (HbgModel *)1;
  HbgModelOptions model_options = {.name = "mine"};
  assert_int_equal(hbg_model_load(PROGRAM_BALL, strlen(PROGRAM_BALL), &model_options, &model), HBG_ARGUMENT);
  assert_null(model);
  model_options = hbg_model_options();
  model_options.allocate = refuse; // without its counterpart
  assert_int_equal(hbg_model_load(PROGRAM_BALL, strlen(PROGRAM_BALL), &model_options, &model), HBG_ARGUMENT);
  model_options = hbg_model_options();
  model_options.setting_count = 1;
  assert_int_equal(hbg_model_load(PROGRAM_BALL, strlen(PROGRAM_BALL), &model_options, &model), HBG_ARGUMENT);

  model = simulated_model(PROGRAM_BALL);
  HbgRun *run = (HbgRun *)1;
  const char *message = NULL;
  const HbgRunOptions run_options = {.stop = 1};
  assert_int_equal(hbg_run_create(model, &run_options, &run, &message), HBG_ARGUMENT);
  assert_null(run);
  assert_non_null(strstr(message, "hbg_run_options()"));
  HbgRunOptions no_times = hbg_run_options();
  no_times.time_count = 3;
  assert_int_equal(hbg_run_create(model, &no_times, &run, &message), HBG_ARGUMENT);
  assert_non_null(strstr(message, "times"));
  assert_int_equal(hbg_run_create(NULL, NULL, &run, &message), HBG_ARGUMENT);
  assert_int_equal(hbg_run_create(model, NULL, NULL, &message), HBG_ARGUMENT);
  assert_int_equal(hbg_model_causality(model, NULL, NULL), HBG_ARGUMENT);
  hbg_causality_free(NULL);
  hbg_model_free(model);
}

static void the_library_that_is_built_in_can_be_read(void **state) {
  (void)state;
  assert_true(hbg_library_count() >= 4);
  for (int32_t i = 0; i < hbg_library_count(); i++) {
    assert_non_null(strstr(hbg_library_name(i), ".hbg"));
    assert_non_null(strstr(hbg_library_text(i), "submodel "));
    if (i) assert_true(strcmp(hbg_library_name(i - 1), hbg_library_name(i)) < 0);
  }
  assert_string_equal(hbg_library_name(-1), "");
  assert_string_equal(hbg_library_text(hbg_library_count()), "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_part_of_a_model_can_be_listed),
      cmocka_unit_test(what_is_not_there_has_no_name),
      cmocka_unit_test(settings_make_another_model_of_the_same_text),
      cmocka_unit_test(a_parameter_is_also_told_in_its_own_unit),
      cmocka_unit_test(a_setting_that_does_not_fit_is_reported),
      cmocka_unit_test(options_that_do_not_come_from_their_maker_are_refused),
      cmocka_unit_test(the_library_that_is_built_in_can_be_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
