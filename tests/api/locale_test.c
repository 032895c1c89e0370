/* SPDX-License-Identifier: BSD-3-Clause
 * A program around the library that speaks German, where numbers have a comma. */
#define _POSIX_C_SOURCE 200809L
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "hybrsim/hybrsim.h"
#include "support/check.h"

static const char text[] =
    "model Decay(weight = 0.25 [kg]) {\n C c(0.5) start q = 1.5; R r(2.5); 0 n; n -> c; n -> r\n"
    " signal x = weight*c.q\n stop 0.5; interval 0.25\n}\n";

typedef struct File {
  char bytes[20000];
  size_t length;
} File;

static bool take(const char *bytes, size_t length, void *user) {
  File *file = user;
  assert_true(file->length + length < sizeof file->bytes);
  memcpy(file->bytes + file->length, bytes, length);
  file->length += length;
  return true;
}

static HbgModel *load(void) {
  HbgModel *model = NULL;
  if (hbg_model_load(text, strlen(text), NULL, &model) != HBG_OK) fail_msg("%s", hbg_model_diagnostic(model, 0));
  return model;
}

/* The results of the model, and a drawing of them. */
static void write_all(File *csv, File *svg) {
  HbgModel *model = load();
  HbgRun *run = NULL;
  HbgPlot *plot = NULL;
  assert_int_equal(hbg_run_create(model, NULL, &run, NULL), HBG_OK);
  assert_int_equal(hbg_run_add_default_columns(run, HBG_COLUMNS_TRAJECTORY), HBG_OK);
  HbgWriterOptions options = hbg_writer_options();
  options.sink = take;
  options.user = csv;
  assert_int_equal(hbg_run_write(run, &options), HBG_OK);
  assert_int_equal(hbg_plot_create(NULL, &plot, NULL), HBG_OK);
  if (hbg_plot_read(plot, "run", "run.csv", csv->bytes, csv->length) != HBG_OK) fail_msg("%s", hbg_plot_message(plot));
  assert_int_equal(hbg_plot_write(plot, HBG_PLOT_SVG, take, svg), HBG_OK);
  hbg_plot_free(plot);
  hbg_run_free(run);
  hbg_model_free(model);
}

static void assert_german(void) {
  char half[10];
  snprintf(half, sizeof half, "%.1f", 0.5);
  assert_string_equal(half, "0,5");
}

static File csv, svg, german_csv, german_svg;

static void the_locale_of_the_program_changes_no_byte_and_stays(void **state) {
  (void)state;
  write_all(&csv, &svg);
  if (!setlocale(LC_ALL, "de_DE.UTF-8")) skip(); // no localedef here
  assert_german();
  write_all(&german_csv, &german_svg);
  assert_string_equal(german_csv.bytes, csv.bytes);
  assert_string_equal(german_svg.bytes, svg.bytes);
  assert_german();
}

static void numbers_of_a_builder_have_a_point(void **state) {
  (void)state;
  if (!setlocale(LC_ALL, "de_DE.UTF-8")) skip();
  HbgBuilder *builder = NULL;
  const char *written;
  assert_int_equal(hbg_builder_create("Half", NULL, &builder), HBG_OK);
  assert_int_equal(hbg_builder_add_parameter_number(builder, "half", 0.5, NULL), HBG_OK);
  assert_int_equal(hbg_builder_text(builder, &written), HBG_OK);
  assert_non_null(strstr(written, "half = 0.5"));
  hbg_builder_free(builder);
}

static void *refuse(size_t size, void *user) {
  (void)size;
  (void)user;
  return NULL;
}

static void never(void *memory, size_t size, void *user) {
  (void)memory;
  (void)user;
  fail_msg("%zu bytes come back that were never given", size);
}

static void it_stays_too_when_memory_is_refused(void **state) {
  (void)state;
  if (!setlocale(LC_ALL, "de_DE.UTF-8")) skip();
  HbgModelOptions options = hbg_model_options();
  options.allocate = refuse;
  options.release = never;
  HbgModel *model = NULL;
  assert_int_equal(hbg_model_load(text, strlen(text), &options, &model), HBG_MEMORY);
  assert_german();
}

/* The locale is made here, since a system need not have it. */
static int make_german(void **state) {
  (void)state;
  static char folder[] = "/tmp/hybrsim-locale-XXXXXX";
  char command[200];
  if (!mkdtemp(folder)) return -1;
  snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 2>/dev/null", folder);
  if (system(command) == 0) setenv("LOCPATH", folder, 1);
  *state = folder;
  return 0;
}

static int remove_german(void **state) {
  char command[200];
  snprintf(command, sizeof command, "rm -r '%s'", (const char *)*state);
  return system(command);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_locale_of_the_program_changes_no_byte_and_stays),
      cmocka_unit_test(numbers_of_a_builder_have_a_point),
      cmocka_unit_test(it_stays_too_when_memory_is_refused),
  };
  return cmocka_run_group_tests(tests, make_german, remove_german);
}
