/* SPDX-License-Identifier: BSD-3-Clause
 * The two tables of Mosterman, Simko, Zander, "A Hyperdense Semantic Domain" (2013), as the instant view shows them, and what stands beside them:
 * guards, values, strokes, the ledger. */
#include "run_world.h"

static char *cradle(void) { return read_whole(HBG_SOURCE_FOLDER "/models/newtons-cradle/newtons-cradle.hbg"); }

static void run_cradle(Studio *studio, const char *threshold, char *name) {
  char *text = cradle();
  begin_run(studio, text, json_pack("{s:[{s:s, s:s}]}", "settings", "name", "F_th", "value", threshold), name);
  await(studio, name, "done");
  free(text);
}

static json_t *first_instant(Studio *studio, const char *name, int64_t total) {
  json_t *answer = ask(studio, studio_instants, json_pack("{s:s, s:i, s:i}", "run", name, "first", 0, "count", 10));
  assert_int_equal(integer_of(answer, "total"), total);
  json_t *instant = json_incref(json_array_get(json_object_get(answer, "instants"), 0));
  json_decref(answer);
  return instant;
}

typedef struct Line {
  int eps, n;
  const char *kind, *hit, *stick;  // states of F13 and F23
  double p1, p2, p3;
} Line;

static void check_row(Studio *studio, const char *name, const json_t *instant, size_t at, const Line *line) {
  const json_t *row = json_array_get(json_object_get(instant, "rows"), at);
  assert_non_null(row);
  assert_int_equal(integer_of(row, "eps"), line->eps);
  assert_int_equal(integer_of(row, "n"), line->n);
  assert_string_equal(text_of(row, "kind"), line->kind);
  const json_t *states = json_object_get(row, "states");
  assert_string_equal(json_string_value(json_array_get(states, 0)), line->hit);
  assert_string_equal(json_string_value(json_array_get(states, 1)), line->stick);
  json_t *values =
      ask(studio, studio_row, json_pack("{s:s, s:I}", "run", name, "row", (json_int_t)integer_of(row, "row")));
  CHECK_NEAR(number_of(json_object_get(values, "values"), "body1.p"), line->p1, 1e-12);
  CHECK_NEAR(number_of(json_object_get(values, "values"), "body2.p"), line->p2, 1e-12);
  CHECK_NEAR(number_of(json_object_get(values, "values"), "body3.p"), line->p3, 1e-12);
  assert_string_equal(text_of(values, "kind"), line->kind);
  assert_string_equal(text_of(json_object_get(values, "states"), "F13"), line->hit);
  assert_int_equal(integer_of(values, "instant"), 0);
  json_decref(values);
}

static void check_table(const char *threshold, const Line *lines, size_t count) {
  Studio *studio = world();
  char name[32];
  run_cradle(studio, threshold, name);
  json_t *instant = first_instant(studio, name, 1);
  CHECK_NEAR(number_of(instant, "time"), 0.2, 1e-12);
  assert_true(json_is_true(json_object_get(instant, "hasJump")));
  assert_int_equal(json_array_size(json_object_get(instant, "rows")), count);
  for (size_t at = 0; at < count; at++) check_row(studio, name, instant, at, &lines[at]);
  json_decref(instant);
  world_end(studio);
}

static void table_1_is_seen_row_by_row(void **state) {
  (void)state;
  const Line lines[] = {{-1, 0, "before", "free", "stuck", 1, 0, 0},
                        {0, 0, "pinnacle", "touching", "stuck", -0.2, 0.6, 0.6},
                        {1, 0, "continuous", "free", "stuck", -0.2, 0.6, 0.6}};
  check_table("0.95", lines, 3);
}

/* The paper has the momenta of the two other bodies exchanged in its last rows (see models/newtons-cradle/README.md): body 2 keeps its rest. */
static void table_2_is_seen_row_by_row(void **state) {
  (void)state;
  const Line lines[] = {{-1, 0, "before", "free", "stuck", 1, 0, 0},
                        {0, 0, "mythical", "touching", "stuck", -0.2, 0.6, 0.6},
                        {0, 1, "pinnacle", "touching", "sliding", 0.1, 0, 0.9},
                        {1, 0, "continuous", "free", "sliding", 0.1, 0, 0.9}};
  check_table("0.5", lines, 4);
}

static const json_t *value_named(const json_t *guard, const char *text) {
  size_t at;
  json_t *value;
  json_array_foreach(json_object_get(guard, "values"), at,
                     value) if (!strcmp(text_of(value, "text"), text)) return value;
  fail_msg("there is no value of %s", text);
  return NULL;
}

static void the_guards_that_led_to_a_row_are_told_with_their_values(void **state) {
  (void)state;
  Studio *studio = world();
  char name[32];
  run_cradle(studio, "0.5", name);
  json_t *instant = first_instant(studio, name, 1), *rows = json_object_get(instant, "rows");
  assert_int_equal(json_array_size(json_object_get(json_array_get(rows, 0), "guards")), 0);

  const json_t *guard = json_array_get(json_object_get(json_array_get(rows, 1), "guards"), 0);
  assert_string_equal(text_of(guard, "machine"), "F13");
  assert_string_equal(text_of(guard, "from"), "free");
  assert_string_equal(text_of(guard, "to"), "touching");
  CHECK_NEAR(number_of(value_named(guard, "position1 - position3"), "value"), 0, 1e-12);
  CHECK_NEAR(number_of(value_named(guard, "approach"), "value"), 1, 1e-12);
  assert_string_equal(text_of(value_named(guard, "approach"), "unit"), "m/s");

  guard = json_array_get(json_object_get(json_array_get(rows, 2), "guards"), 0);
  assert_string_equal(text_of(guard, "machine"), "F23");
  CHECK_NEAR(number_of(value_named(guard, "impulse(abs(F23.e))"), "value"), 0.6, 1e-12);

  guard = json_array_get(json_object_get(json_array_get(rows, 3), "guards"), 0);
  CHECK_NEAR(number_of(value_named(guard, "pre(approach)"), "value"), -0.8, 1e-12);
  assert_true(json_is_true(json_object_get(value_named(guard, "pre(approach)"), "isAPriori")));
  json_decref(instant);
  world_end(studio);
}

static const json_t *named(const json_t *list, const char *name) {
  size_t at;
  json_t *member;
  json_array_foreach(list, at, member) if (!strcmp(text_of(member, "name"), name)) return member;
  fail_msg("there is no %s", name);
  return NULL;
}

static void the_ledger_counts_impulses_momentum_and_energy(void **state) {
  (void)state;
  Studio *studio = world();
  char name[32];
  run_cradle(studio, "0.95", name);
  json_t *ledger = ask(studio, studio_ledger, json_pack("{s:s, s:i}", "run", name, "instant", 0));
  size_t at;
  json_t *impulse;
  bool has_seen = false;
  json_array_foreach(json_object_get(ledger, "impulses"), at, impulse) {
    if (strcmp(text_of(impulse, "tail"), "F13")) continue;
    has_seen = true;
    CHECK_NEAR(number_of(impulse, "effort"), 1.2, 1e-12);
    assert_string_equal(text_of(impulse, "unit"), "N*s");
  }
  assert_true(has_seen);
  const json_t *stored = named(json_object_get(ledger, "stored"), "body1.p");
  CHECK_NEAR(number_of(stored, "before"), 1, 1e-12);
  CHECK_NEAR(number_of(stored, "after"), -0.2, 1e-12);
  const json_t *sum = json_array_get(json_object_get(ledger, "sums"), 0);
  assert_string_equal(text_of(sum, "name"), "body1.p + body2.p + body3.p");
  CHECK_NEAR(number_of(sum, "before"), 1, 1e-12);
  CHECK_NEAR(number_of(sum, "after"), 1, 1e-12);
  CHECK_NEAR(number_of(named(json_object_get(ledger, "energies"), "body1"), "before"), 0.5, 1e-12);
  // 1/2 - (0.02 + 0.18 + 0.18)
  CHECK_NEAR(number_of(ledger, "lost"), 0.12, 1e-12);
  json_decref(ledger);
  refused(studio, studio_ledger, json_pack("{s:s, s:i}", "run", name, "instant", 1), "no instant");
  world_end(studio);
}

static void half_of_the_energy_of_equal_capacitors_is_lost(void **state) {
  (void)state;
  Studio *studio = world();
  char name[32];
  char *text = read_whole(HBG_SOURCE_FOLDER "/models/two-capacitors/two-capacitors.hbg");
  begin_run(studio, text, json_pack("{s:[{s:s, s:s}]}", "settings", "name", "C2", "value", "2 [F]"), name);
  await(studio, name, "done");
  json_t *ledger = ask(studio, studio_ledger, json_pack("{s:s, s:i}", "run", name, "instant", 0));
  CHECK_NEAR(number_of(ledger, "lost"), 4.5, 1e-12);  // of 2*3^2/2 = 9 J
  const json_t *sum = json_array_get(json_object_get(ledger, "sums"), 0);
  CHECK_NEAR(number_of(sum, "before"), number_of(sum, "after"), 1e-12);
  json_decref(ledger);
  free(text);
  world_end(studio);
}

static void an_instant_at_the_very_start_begins_with_what_is_given(void **state) {
  (void)state;
  Studio *studio = world();
  char name[32];
  char *text = read_whole(HBG_SOURCE_FOLDER "/models/touching-cradle/touching-cradle.hbg");
  begin_run(studio, text, NULL, name);
  await(studio, name, "done");
  json_t *ledger = ask(studio, studio_ledger, json_pack("{s:s, s:i}", "run", name, "instant", 0));
  const json_t *energies = json_object_get(ledger, "energies");
  CHECK_NEAR(number_of(named(energies, "ball[1]"), "before"), 0.5, 1e-12);
  CHECK_NEAR(number_of(named(energies, "ball[5]"), "after"), 0.5, 1e-12);  // it has gone through all of them
  assert_true(json_is_real(json_object_get(ledger, "lost")));
  CHECK_NEAR(number_of(ledger, "lost"), 0, 1e-12);
  json_decref(ledger);
  free(text);
  world_end(studio);
}

static const json_t *stroke_of(const json_t *row, const char *tail, const char *head) {
  size_t at;
  json_t *stroke;
  json_array_foreach(
      json_object_get(row, "strokes"), at,
      stroke) if (!strcmp(text_of(stroke, "tail"), tail) && !strcmp(text_of(stroke, "head"), head)) return stroke;
  fail_msg("there is no bond %s -> %s", tail, head);
  return NULL;
}

static void the_drawing_at_the_cursor_is_of_the_mode_of_the_row(void **state) {
  (void)state;
  Studio *studio = world();
  char name[32];
  run_cradle(studio, "0.95", name);
  json_t *row = ask(studio, studio_row, json_pack("{s:s, s:f}", "run", name, "time", 0.1));
  assert_string_equal(text_of(row, "mode"), "F13=free,F23=stuck");
  assert_string_equal(text_of(row, "kind"), "sample");
  assert_int_equal(integer_of(row, "instant"), -1);
  assert_int_equal(json_array_size(json_object_get(row, "off")), 1);
  assert_string_equal(json_string_value(json_array_get(json_object_get(row, "off"), 0)), "F13");
  assert_true(json_is_true(json_object_get(stroke_of(row, "motion1", "F13"), "isOff")));
  assert_false(json_is_true(json_object_get(stroke_of(row, "motion1", "body1"), "isDerivative")));
  CHECK_NEAR(number_of(json_object_get(row, "values"), "body1.f"), 1, 1e-12);
  CHECK_NEAR(number_of(json_object_get(row, "values"), "F13.e"), 0, 1e-12);
  CHECK_NEAR(number_of(json_object_get(row, "values"), "energy(body1)"), 0.5, 1e-12);
  json_decref(row);
  // before the first row, behind the last, and in between: the last one not behind the cursor
  row = ask(studio, studio_row, json_pack("{s:s, s:f}", "run", name, "time", -5.0));
  assert_int_equal(integer_of(row, "row"), 0);
  json_decref(row);
  row = ask(studio, studio_row, json_pack("{s:s, s:f}", "run", name, "time", 0.2));
  assert_string_equal(text_of(row, "kind"), "continuous");
  CHECK_NEAR(number_of(row, "time"), 0.2, 1e-12);
  json_decref(row);
  row = ask(studio, studio_row, json_pack("{s:s, s:f}", "run", name, "time", 99.0));
  CHECK_NEAR(number_of(row, "time"), 1, 0);
  json_decref(row);
  refused(studio, studio_row, json_pack("{s:s, s:i}", "run", name, "row", 100000), "rows");
  refused(studio, studio_row, json_pack("{s:s, s:s}", "run", name, "level", "nowhere"), "level");
  world_end(studio);
}

static void inside_of_a_submodel_bonds_have_names_and_strokes_too(void **state) {
  (void)state;
  Studio *studio = world();
  char name[32];
  begin_run(studio,
            "submodel Pull(port hitch, m) {\n 1 motion; I mass(m); R drag(1); hitch -> motion; motion -> mass; motion "
            "-> drag\n}\n"
            "model Train {\n Pull car(m = 2); Se engine(6); 1 coupling; engine -> coupling -> car.hitch\n stop 1\n}",
            NULL, name);
  await(studio, name, "done");
  json_t *row = ask(studio, studio_row, json_pack("{s:s, s:f, s:s}", "run", name, "time", 0.0, "level", "car"));
  assert_int_equal(json_array_size(json_object_get(row, "strokes")), 3);
  assert_string_equal(text_of(stroke_of(row, "motion", "mass"), "stroke"), "head");  // the mass is given the effort
  assert_string_equal(text_of(stroke_of(row, "motion", "drag"), "stroke"), "tail");
  CHECK_NEAR(number_of(json_object_get(row, "values"), "car.mass.e"), 6, 1e-12);
  CHECK_NEAR(number_of(json_object_get(row, "values"), "engine.e"), 6, 1e-12);
  json_decref(row);
  world_end(studio);
}

static void a_machine_that_slides_is_in_none_of_its_states(void **state) {
  (void)state;
  Studio *studio = world();
  char name[32];
  begin_run(studio,
            "model Slide { 1 gate by Side; Se a(3); R r(1); a -> gate -> r; signal y = integral(if gate in left then 1 "
            "else -1)\n"
            " machine Side { on left initial; off right; left -> right when y > 0.2; right -> left when y < 0.2 }\n "
            "stop 1\n}",
            NULL, name);
  await(studio, name, "done");
  json_t *row = ask(studio, studio_row, json_pack("{s:s, s:f}", "run", name, "time", 0.9));
  assert_string_equal(text_of(json_object_get(row, "states"), "gate"), "sliding");
  assert_non_null(strstr(text_of(row, "mode"), "gate="));
  json_decref(row);
  json_t *instant = first_instant(studio, name, 1);
  assert_true(json_array_size(json_object_get(instant, "rows")) >= 2);
  json_decref(instant);
  world_end(studio);
}

static void a_run_for_a_picture_stands_at_the_row_that_is_asked_for(void **state) {
  (void)state;
  Studio *studio = world();
  char name[32];
  run_cradle(studio, "0.5", name);
  json_t *instant = first_instant(studio, name, 1);
  const int64_t row = integer_of(json_array_get(json_object_get(instant, "rows"), 2), "row");
  json_decref(instant);
  StudioReply reply = {0};
  StudioRunAtRow at;
  assert_true(studio_run_take_at_row(studio, name, row, &at, &reply));
  assert_string_equal(hbg_run_mode(at.run), "F13=touching,F23=sliding");
  int32_t variable;
  HbgRow stands;
  assert_int_equal(hbg_run_current(at.run, &stands), HBG_OK);
  assert_int_equal(stands.kind, HBG_ROW_PINNACLE);
  assert_int_equal(hbg_run_find_bond(at.run, 0, false, &variable), HBG_OK);
  assert_true(isfinite(hbg_run_read(at.run, variable)));
  studio_run_release_at_row(studio, &at);
  assert_false(studio_run_take_at_row(studio, name, 100000, &at, &reply));
  assert_int_equal(reply.status, 404);
  json_decref(reply.error);
  world_end(studio);
}

static void many_bonds_are_told_of_and_left_out(void **state) {
  (void)state;
  Studio *studio = world();
  char name[32];
  begin_run(studio,
            "model Many { for i in 1..1400 { 1 n[i]; I m[i](1) start f = i; R r[i](1); Se u[i](0); u[i] -> n[i]; n[i] "
            "-> m[i]; n[i] -> r[i] } stop 0.01 }",
            NULL, name);
  await(studio, name, "done");
  json_t *info = ask(studio, studio_run_info, of_run(name));
  assert_int_equal(json_array_size(json_object_get(info, "columns")), 1400);
  assert_non_null(strstr(json_string_value(json_array_get(json_object_get(info, "warnings"), 0)), "4000 bonds"));
  json_decref(info);
  refused(studio, studio_ledger, json_pack("{s:s, s:i}", "run", name, "instant", 0), "no instant");
  world_end(studio);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(table_1_is_seen_row_by_row),
      cmocka_unit_test(table_2_is_seen_row_by_row),
      cmocka_unit_test(the_guards_that_led_to_a_row_are_told_with_their_values),
      cmocka_unit_test(the_ledger_counts_impulses_momentum_and_energy),
      cmocka_unit_test(half_of_the_energy_of_equal_capacitors_is_lost),
      cmocka_unit_test(an_instant_at_the_very_start_begins_with_what_is_given),
      cmocka_unit_test(the_drawing_at_the_cursor_is_of_the_mode_of_the_row),
      cmocka_unit_test(inside_of_a_submodel_bonds_have_names_and_strokes_too),
      cmocka_unit_test(a_machine_that_slides_is_in_none_of_its_states),
      cmocka_unit_test(a_run_for_a_picture_stands_at_the_row_that_is_asked_for),
      cmocka_unit_test(many_bonds_are_told_of_and_left_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
