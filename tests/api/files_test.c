/* SPDX-License-Identifier: BSD-3-Clause
 * The files that a model names: where they come from, and what is said about them. */
#include <stdlib.h>
#include <string.h>

#include "hybrsim/hybrsim.h"
#include "support/check.h"

/* Files in memory, and how often they were asked for. */
typedef struct Shelf {
  const char *paths[4], *texts[4];
  int count, asked;
} Shelf;

static bool read_shelf(const char *path, const char **bytes, size_t *length, void *user) {
  Shelf *shelf = user;
  shelf->asked++;
  for (int i = 0; i < shelf->count; i++) {
    if (strcmp(shelf->paths[i], path) != 0) continue;
    *bytes = shelf->texts[i];
    *length = strlen(shelf->texts[i]);
    return true;
  }
  return false;
}

static HbgModelOptions options_of(Shelf *shelf) {
  HbgModelOptions options = hbg_model_options();
  options.name = "cars/car.hbg";
  options.read = read_shelf;
  options.user = shelf;
  return options;
}

static const char car[] = "import \"parts/wheel.hbg\"\nimport \"body.hbg\" as b\n"
                          "model Car { 1 v; Wheel w(r = 2); b.Body body; v -> w -> body; Se e(1); e -> v; stop 1 }";
static const char wheel[] = "import \"../body.hbg\"\nsubmodel Wheel(port a, port c, r = 1) { TF t(r); a -> t -> c }";
static const char body[] = "submodel Body(port a, m = 1) { I i(m); a -> i }";

static void files_come_from_the_program_relative_to_the_file_that_names_them(void **state) {
  (void)state;
  Shelf shelf = {{"cars/parts/wheel.hbg", "cars/body.hbg"}, {wheel, body}, 2, 0};
  HbgModelOptions options = options_of(&shelf);
  HbgModel *model = NULL;
  if (hbg_model_load(car, strlen(car), &options, &model) != HBG_OK) fail_msg("%s", hbg_model_diagnostic(model, 0));
  assert_int_equal(shelf.asked, 2);
  assert_int_equal(hbg_model_size(model).elements, 3);
  assert_string_equal(hbg_model_node(model, 0).name, "body.i");

  // the same model with another value is of the same files, though the program has them no more
  shelf.count = 0;
  const HbgModelSetting setting = {"body.m", "3"};
  HbgModel *other = NULL;
  assert_int_equal(hbg_model_with_settings(model, &setting, 1, &other), HBG_OK);
  assert_int_equal(shelf.asked, 2);
  hbg_model_free(model);
  bool found = false;
  for (int32_t i = 0; i < hbg_model_size(other).parameters; i++) {
    const HbgParameterInfo parameter = hbg_model_parameter(other, i);
    if (strcmp(parameter.name, "body.m") == 0) found = parameter.value > 2.5;
  }
  assert_true(found);
  hbg_model_free(other);
}

static void folders_are_looked_through_in_their_order_and_the_library_last(void **state) {
  (void)state;
  static const char *const folders[] = {"first", "second/"};
  static const char text[] = "import \"electrical.hbg\"\nimport \"body.hbg\"\nmodel M { Body b; Ground g; Se e(1); e -> b\n"
                             "  Se f(1); 1 j; R r(1); f -> j -> r; j -> g; stop 1 }";
  Shelf shelf = {{"second/body.hbg"}, {body}, 1, 0};
  HbgModelOptions options = options_of(&shelf);
  options.folders = folders;
  options.folder_count = 2;
  HbgModel *model = NULL;
  if (hbg_model_load(text, strlen(text), &options, &model) != HBG_OK) fail_msg("%s", hbg_model_diagnostic(model, 0));
  assert_int_equal(shelf.asked, 6); /* twice beside the model, in the first folder, in the second */
  hbg_model_free(model);
}

static void mistakes_are_told_with_the_file_they_are_in(void **state) {
  (void)state;
  static const char wrong[] = "// a wheel\nsubmodel Wheel(port a, port c, r = 1) { TF t(q); a -> t -> c }";
  Shelf shelf = {{"cars/parts/wheel.hbg", "cars/body.hbg"}, {wrong, body}, 2, 0};
  HbgModelOptions options = options_of(&shelf);
  HbgModel *model = NULL;
  assert_int_equal(hbg_model_load(car, strlen(car), &options, &model), HBG_MODEL_WRONG);
  assert_int_equal(hbg_model_error_count(model), 1);
  uint32_t begin = 0, end = 0;
  hbg_model_diagnostic_parts(model, 0, NULL, NULL, &begin, &end, NULL, NULL);
  assert_string_equal(hbg_model_diagnostic_file(model, 0), "cars/parts/wheel.hbg");
  assert_int_equal(end - begin, 1);
  assert_true(wrong[begin] == 'q');
  assert_non_null(strstr(hbg_model_diagnostic(model, 0), "cars/parts/wheel.hbg:2:46: "));
  assert_non_null(strstr(hbg_model_diagnostic(model, 0), "(in 'w')"));
  hbg_model_free(model);
}

static void a_mistake_in_the_text_itself_has_its_name(void **state) {
  (void)state;
  Shelf shelf = {.count = 0};
  HbgModelOptions options = options_of(&shelf);
  HbgModel *model = NULL;
  assert_int_equal(hbg_model_load(car, strlen(car), &options, &model), HBG_MODEL_WRONG);
  assert_int_equal(hbg_model_error_count(model), 2);
  assert_string_equal(hbg_model_diagnostic_file(model, 0), "cars/car.hbg");
  assert_non_null(strstr(hbg_model_diagnostic(model, 0), "looked for cars/parts/wheel.hbg, (built in)/parts/wheel.hbg"));
  assert_string_equal(hbg_model_diagnostic_file(model, 2), "");
  assert_string_equal(hbg_model_diagnostic_file(NULL, 0), "");
  hbg_model_free(model);
}

static void options_that_lack_a_folder_are_refused(void **state) {
  (void)state;
  static const char *const folders[] = {"a", NULL};
  HbgModelOptions options = hbg_model_options();
  HbgModel *model = NULL;
  options.folders = folders;
  options.folder_count = 2;
  assert_int_equal(hbg_model_load(car, strlen(car), &options, &model), HBG_ARGUMENT);
  options.folders = NULL;
  assert_int_equal(hbg_model_load(car, strlen(car), &options, &model), HBG_ARGUMENT);
  options.folder_count = -1;
  assert_int_equal(hbg_model_load(car, strlen(car), &options, &model), HBG_ARGUMENT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(files_come_from_the_program_relative_to_the_file_that_names_them),
      cmocka_unit_test(folders_are_looked_through_in_their_order_and_the_library_last),
      cmocka_unit_test(mistakes_are_told_with_the_file_they_are_in),
      cmocka_unit_test(a_mistake_in_the_text_itself_has_its_name),
      cmocka_unit_test(options_that_lack_a_folder_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
