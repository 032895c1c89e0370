/* SPDX-License-Identifier: BSD-3-Clause
 * Values in the unit asked for, and units of expressions, as a program sees them. */
#include "support/simulated.h"

/* A warm room, at 20 degC for ever, and a mass at 36 km/h. */
static const char text[] =
    "model Show {\n"
    "  param m = 2 [kg], T = 20 [degC]\n"
    "  I mass(m)  start f = 36 [km/h]\n"
    "  1 motion\n"
    "  motion -> mass\n"
    "  signal x = integral(motion.f, start = 5 [mm])\n"
    "  signal gap = (x) [mm], speed = (motion.f) [km/h], T_room = (air.e) [degC], angle = 45 [deg], bare = 3\n"
    "  signal kinetic = m*motion.f^2/2, late = time >= 1\n"
    "  C room(1 [kJ/K])  start e = T\n"
    "  0 air\n"
    "  air -> room\n"
    "  stop 1 [s]\n"
    "}\n";

typedef struct Written {
  char bytes[8000];
  size_t length;
} Written;

static bool take(const char *bytes, size_t length, void *user) {
  Written *written = user;
  assert_true(written->length + length < sizeof written->bytes);
  memcpy(written->bytes + written->length, bytes, length);
  written->length += length;
  return true;
}

/* The rows at 0 and 1 s as a file, or a table. */
static Written write(HbgFormat format, const char *columns) {
  HbgModel *model = simulated_model(text);
  HbgRunOptions options = hbg_run_options();
  options.interval = 1;
  HbgRun *run = NULL;
  assert_int_equal(hbg_run_create(model, &options, &run, NULL), HBG_OK);
  if (columns) simulated_add_columns(run, columns);
  else assert_int_equal(hbg_run_add_default_columns(run, HBG_COLUMNS_TRAJECTORY), HBG_OK);
  static Written written;
  written = (Written){.length = 0};
  HbgWriterOptions writing = hbg_writer_options();
  writing.format = format;
  writing.sink = take;
  writing.user = &written;
  HbgWriter *writer = NULL;
  assert_int_equal(hbg_writer_create(run, &writing, &writer), HBG_OK);
  HbgRow row;
  while (hbg_run_next(run, &row) == HBG_OK) assert_int_equal(hbg_writer_add(writer), HBG_OK);
  assert_int_equal(hbg_writer_end(writer), HBG_OK);
  hbg_writer_free(writer);
  hbg_run_free(run);
  hbg_model_free(model);
  return written;
}

static void check_holds(const Written *written, const char *part) {
  if (!strstr(written->bytes, part)) fail_msg("'%s' is not in\n%s", part, written->bytes);
}

static void files_hold_si_whatever_a_signal_is_shown_in(void **state) {
  (void)state;
  const Written csv = write(HBG_FORMAT_CSV, NULL);
  check_holds(&csv, "time,mass.p,room.q,x,gap,speed,T_room,angle,bare,kinetic,late\n");
  check_holds(&csv, "\n0,20,293150,0.005,0.005,10,293.15,0.785");
  const Written json = write(HBG_FORMAT_JSON, NULL);
  check_holds(&json, "{\"name\": \"gap\", \"kind\": \"number\", \"unit\": \"m\"}");
  check_holds(&json, "{\"name\": \"speed\", \"kind\": \"number\", \"unit\": \"m/s\"}");
  check_holds(&json, "{\"name\": \"T_room\", \"kind\": \"number\", \"unit\": \"K\"}");
  check_holds(&json, "{\"name\": \"angle\", \"kind\": \"number\", \"unit\": \"rad\"}");
  check_holds(&json, "{\"name\": \"kinetic\", \"kind\": \"number\", \"unit\": \"N*m\"}");
  check_holds(&json, "{\"name\": \"bare\", \"kind\": \"number\", \"unit\": null}");
}

static void tables_show_the_unit_asked_for(void **state) {
  (void)state;
  const Written table = write(HBG_FORMAT_TABLE, "x; gap; speed; T_room; angle");
  check_holds(&table, "km/h");
  check_holds(&table, "degC");
  check_holds(&table, "0.005");
  check_holds(&table, "  5 ");
  check_holds(&table, " 36 ");
  check_holds(&table, " 20 ");
  check_holds(&table, " 45");
  check_holds(&table, "10005");
}

static void a_column_with_a_unit_is_converted_everywhere_and_says_so(void **state) {
  (void)state;
  static const char columns[] = "x [cm]; motion.f [mph]; room.e [degF]; gap [m]; mass.p*motion.f [kWh]";
  const Written csv = write(HBG_FORMAT_CSV, columns);
  check_holds(&csv, "time,x [cm],motion.f [mph],room.e [degF],gap [m],mass.p*motion.f [kWh]\n");
  check_holds(&csv, "\n0,0.5,22.369");

  check_holds(&csv, ",0.005,5.5555");
  const Written json = write(HBG_FORMAT_JSON, columns);
  check_holds(&json, "{\"name\": \"x [cm]\", \"kind\": \"number\", \"unit\": \"cm\"}");
  const Written table = write(HBG_FORMAT_TABLE, columns);
  check_holds(&table, "degF");
  check_holds(&table, " 68 ");
  assert_null(strstr(table.bytes, "["));
}

static void a_column_in_a_unit_that_does_not_fit_is_refused(void **state) {
  (void)state;
  static const char *const wrong[] = {"x [kg]", "x + motion.f", "x > motion.f", "late [s]", "exp(x)"};
  HbgModel *model = simulated_model(text);
  HbgRun *run = simulated_start(model);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const char *message = "";
    if (hbg_run_add_column(run, wrong[i], &message) != HBG_ARGUMENT) fail_msg("%s is a column", wrong[i]);
    assert_true(strlen(message) > 10);
  }
  hbg_run_free(run);
  hbg_model_free(model);
}

static void expressions_tell_their_unit(void **state) {
  (void)state;
  static const struct { const char *expression, *unit; } asked[] = {
      {"mass.p", "N*s"}, {"mass.e", "N"}, {"x", "m"}, {"gap", "m"}, {"x/time", "m/s"}, {"mass.p*motion.f", "N*m"},
      {"room.f", "W"}, {"kinetic/x", "N"}, {"bare", ""}, {"2.5*x", ""}, {"sin(angle)", ""}, {"x [ft]", "ft"}, {"late", ""}};
  HbgModel *model = simulated_model(text);
  char unit[20];
  for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
    assert_int_equal(hbg_model_unit_of(model, asked[i].expression, unit, sizeof unit), HBG_OK);
    if (strcmp(unit, asked[i].unit) != 0) fail_msg("%s is in [%s]", asked[i].expression, unit);
  }
  assert_int_equal(hbg_model_unit_of(model, "x + mass.p", unit, sizeof unit), HBG_ARGUMENT);
  assert_int_equal(hbg_model_unit_of(model, "nothing", unit, sizeof unit), HBG_ARGUMENT);
  assert_int_equal(hbg_model_unit_of(model, NULL, unit, sizeof unit), HBG_ARGUMENT);
  assert_int_equal(hbg_model_unit_of(NULL, "x", unit, sizeof unit), HBG_ARGUMENT);
  assert_int_equal(hbg_model_unit_of(model, "mass.p", unit, 3), HBG_OK);
  assert_string_equal(unit, "");
  hbg_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(files_hold_si_whatever_a_signal_is_shown_in),
      cmocka_unit_test(tables_show_the_unit_asked_for),
      cmocka_unit_test(a_column_with_a_unit_is_converted_everywhere_and_says_so),
      cmocka_unit_test(a_column_in_a_unit_that_does_not_fit_is_refused),
      cmocka_unit_test(expressions_tell_their_unit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
