/* SPDX-License-Identifier: BSD-3-Clause
 * The public door of models. */
#include "support/simulated.h"

static HbgStatus load(const char *text, const HbgModelOptions *options, HbgModel **out) {
  return hbg_model_load(text, strlen(text), options, out);
}

static void a_model_tells_its_name_and_size(void **state) {
  (void)state;
  HbgModel *model = simulated_model("model Size(N = 3) {\n for i in 1..N { I m[i](1); 1 v[i]; v[i] -> m[i] }\n 0 c by M; v[1] -> c -> v[2]; R r(1); v[3] -> r\n signal x = integral(v[1].f), y = x + 1\n machine M { off a; on b }\n stop 1\n}");
  assert_string_equal(hbg_model_name(model), "Size");
  const HbgModelSize size = hbg_model_size(model);
  assert_int_equal(size.elements, 4);
  assert_int_equal(size.junctions, 4);
  assert_int_equal(size.switched_junctions, 1);
  assert_int_equal(size.bonds, 6);
  assert_int_equal(size.stored_quantities, 3);
  assert_int_equal(size.integrators, 1);
  assert_int_equal(size.signals, 2);
  assert_int_equal(size.machines, 1);
  assert_int_equal(size.parameters, 1);
  hbg_model_free(model);
}

static void a_wrong_model_is_a_handle_with_a_report(void **state) {
  (void)state;
  HbgModel *model = NULL;
  HbgModelOptions options = hbg_model_options();
  options.name = "wrong.hbg";
  assert_int_equal(load("model Wrong {\n signal x = y + 1\n signal z = q\n stop 1\n}", &options, &model), HBG_MODEL_WRONG);
  assert_non_null(model);
  assert_int_equal(hbg_model_error_count(model), 2);
  assert_non_null(strstr(hbg_model_diagnostic(model, 0), "wrong.hbg:2:13"));
  const char *code, *message, *help;
  bool is_error;
  uint32_t begin, end;
  hbg_model_diagnostic_parts(model, 1, &code, &is_error, &begin, &end, &message, &help);
  assert_true(is_error);
  assert_int_equal(code[0], 'E');
  assert_true(end > begin);
  assert_non_null(strstr(message, "q"));
  assert_string_equal(hbg_model_diagnostic(model, 99), "");
  assert_string_equal(hbg_model_diagnostic(model, -1), "");
  hbg_model_diagnostic_parts(model, 99, NULL, NULL, NULL, NULL, NULL, NULL);
  hbg_model_free(model);
}

static void a_wrong_model_cannot_run(void **state) {
  (void)state;
  HbgModel *model = NULL;
  load("model Wrong {", NULL, &model);
  HbgRun *run = NULL;
  const char *message = NULL;
  assert_int_equal(hbg_run_create(model, NULL, &run, &message), HBG_ARGUMENT);
  assert_null(run);
  assert_true(*message != '\0');
  const HbgCausality *causality = NULL;
  assert_int_equal(hbg_model_causality(model, "", &causality), HBG_ARGUMENT);
  assert_null(causality);
  hbg_model_free(model);
}

static void arguments_are_checked(void **state) {
  (void)state;
  assert_string_equal(hbg_version(), HBG_VERSION);
  HbgModel *model = (HbgModel *)1;
  assert_int_equal(hbg_model_load(NULL, 5, NULL, &model), HBG_ARGUMENT);
  assert_null(model);
  assert_int_equal(hbg_model_load("x", 1, NULL, NULL), HBG_ARGUMENT);
  hbg_model_free(NULL);
  hbg_run_free(NULL);
}

static void the_text_may_go_away(void **state) {
  (void)state;
  char text[] = "model Copy {\n C c(1) start q = 1; R r(1); 0 n; n -> c; n -> r\n stop 1\n}";
  HbgModel *model = NULL;
  assert_int_equal(load(text, NULL, &model), HBG_OK);
  memset(text, 'x', sizeof text - 1);
  Simulated run = simulated_from(model, "c.q", NULL);
  CHECK_NEAR(simulated_last(&run, "c.q"), exp(-1), 1e-7);
  simulated_end(&run);
}

static void settings_replace_parameters(void **state) {
  (void)state;
  const HbgModelSetting settings[] = {{"m", "300"}, {"ball[2].k", "2"}, {"v", "3.6 [km/h]"}};
  HbgModelOptions options = hbg_model_options();
  options.settings = settings;
  options.setting_count = 1;
  HbgModel *model = NULL;
  const char *text = "model Set {\n param m = 250 [g], v = 2 [m/s]\n signal a = m, b = v\n stop 1\n}";
  assert_int_equal(load(text, &options, &model), HBG_OK);
  Simulated run = simulated_from(model, "a; b", NULL);
  CHECK_NEAR(simulated_last(&run, "a"), 0.3, 1e-15);
  simulated_end(&run);
  options.settings = &settings[2];
  assert_int_equal(load(text, &options, &model), HBG_OK);
  run = simulated_from(model, "a; b", NULL);
  CHECK_NEAR(simulated_last(&run, "b"), 1, 1e-15);
  simulated_end(&run);
  options.settings = &settings[1];
  assert_int_equal(load(text, &options, &model), HBG_MODEL_WRONG);
  hbg_model_free(model);
}

static void any_bytes_are_answered_with_a_report(void **state) {
  (void)state;
  static const char zeros[100];
  HbgModel *model = NULL;
  assert_int_equal(hbg_model_load(zeros, sizeof zeros, NULL, &model), HBG_MODEL_WRONG);
  hbg_model_free(model);
  assert_int_equal(hbg_model_load("", 0, NULL, &model), HBG_MODEL_WRONG);
  hbg_model_free(model);
  assert_int_equal(hbg_model_load("\xff\xfe\x80model", 8, NULL, &model), HBG_MODEL_WRONG);
  hbg_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_model_tells_its_name_and_size),
      cmocka_unit_test(a_wrong_model_is_a_handle_with_a_report),
      cmocka_unit_test(a_wrong_model_cannot_run),
      cmocka_unit_test(arguments_are_checked),
      cmocka_unit_test(the_text_may_go_away),
      cmocka_unit_test(settings_replace_parameters),
      cmocka_unit_test(any_bytes_are_answered_with_a_report),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
