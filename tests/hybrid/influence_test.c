/* SPDX-License-Identifier: BSD-3-Clause
 * An event within a step of the whole redoes only what it can influence: runs with patches have the rows of runs in which every event ends
 * the step of everything. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "hybrid/influence_parts.h"
#include "support/check.h"
#include "support/random_graph.h"

/* All rows of a run. */
typedef struct Course {
  const HbgModel *model;
  HbgSimOptions options;
  bool shows_variables;
  HbgArena arena;
  HbgSim *sim;
  HbgStatus end;
  HbgRow *rows; int32_t count, capacity;
  double **values; int32_t value_capacity;
  int32_t column_count;
  int64_t patches;
} Course;

static void keep_row(Course *course, HbgRow row) {
  double *values = ARENA_NEW(&course->arena, double, course->column_count);
  memcpy(values, hbg_sim_values(course->sim), (size_t)course->column_count * sizeof *values);
  int32_t count = course->count;
  ARENA_PUSH(&course->arena, course->values, count, course->value_capacity) = values;
  ARENA_PUSH(&course->arena, course->rows, course->count, course->capacity) = row;
}

static void add_columns(const Course *course) {
  HbgSim *sim = course->sim;
  hbg_sim_add_default_columns(sim, HBG_COLUMNS_EVENTS);
  for (int32_t variable = 0; course->shows_variables && variable < 2 * sim->model->bond_count; variable++)
    hbg_sim_add_column(sim, (HbgColumnInfo){.column = {.name = "z"}}, hbg_variable(hbg_sim_pool(sim), variable));
}

static HbgStatus run(void *user) {
  Course *course = user;
  HbgRow row;
  course->sim = hbg_sim_create(&course->model->flat, &course->options, &course->arena);
  add_columns(course);
  course->column_count = hbg_sim_column_count(course->sim);
  while ((course->end = hbg_sim_next(course->sim, &row)) == HBG_OK) keep_row(course, row);
  course->patches = course->sim->influence ? course->sim->influence->patch_count : 0;
  return HBG_OK;
}

static Course course(const HbgModel *model, double stop, int32_t patch_above, bool shows_variables) {
  Course made = {.model = model,
                 .shows_variables = shows_variables,
                 .options = {.stop = stop, .interval = stop / 23, .tolerance = 1e-10, .method = HBG_METHOD_AUTOMATIC, .sliding = true,
                             .cut_above = 1, .patch_above = patch_above, .in_sets = -1},
                 .arena = hbg_arena((HbgAllocator){0})};
  assert_int_equal(hbg_guarded(&made.arena, run, &made), HBG_OK);
  return made;
}

static void end(Course *course) {
  hbg_sim_free(course->sim);
  hbg_arena_release_all(&course->arena);
}

static double *scales_of(Course *course) {
  double *scale = ARENA_NEW(&course->arena, double, course->column_count), most = 0;
  for (int32_t row = 0; row < course->count; row++)
    for (int32_t column = 0; column < course->column_count; column++) {
      scale[column] = fmax(scale[column], fabs(course->values[row][column]));
      if (isfinite(course->values[row][column])) most = fmax(most, fabs(course->values[row][column]));
    }
  for (int32_t column = 0; column < course->column_count; column++) scale[column] = fmax(scale[column], 1e-3 * most);
  return scale;
}

static void check_same(Course *patched, Course *whole, const char *text) {
  if (patched->end != whole->end || patched->count != whole->count)
    fail_msg("%d rows and status %d with patches, %d and %d without: %s", patched->count, patched->end, whole->count, whole->end, text);
  const double *scale = scales_of(whole);
  for (int32_t row = 0; row < patched->count; row++) {
    const HbgRow *a = &patched->rows[row], *b = &whole->rows[row];
    if (!(fabs(a->time - b->time) <= 1e-8 * whole->options.stop) || a->eps != b->eps || a->n != b->n || a->kind != b->kind)
      fail_msg("row %d at %.17g s with patches, at %.17g s without: %s", row, a->time, b->time, text);
    for (int32_t column = 0; column < patched->column_count; column++) {
      const double x = patched->values[row][column], y = whole->values[row][column];
      if (isnan(x) && isnan(y)) continue;
      if (!(fabs(x - y) <= 1e-7 * scale[column]))
        fail_msg("row %d at %g s, column %d: %.17g with patches, %.17g without: %s", row, a->time, column, x, y, text);
    }
  }
}

/* Runs a model both ways; answers how many patches there were. */
static int64_t compare_with(const char *text, double stop, bool shows_variables) {
  HbgModel *model = NULL;
  if (hbg_model_load(text, strlen(text), NULL, &model) != HBG_OK) fail_msg("%s: %s", hbg_model_diagnostic(model, 0), text);
  Course patched = course(model, stop, 1, shows_variables), whole = course(model, stop, -1, shows_variables);
  check_same(&patched, &whole, text);
  const int64_t patches = patched.patches;
  assert_int_equal(whole.patches, 0);
  end(&patched);
  end(&whole);
  hbg_model_free(model);
  return patches;
}

static int64_t compare(const char *text, double stop) {
  const int64_t patches = compare_with(text, stop, false);
  assert_int_equal(compare_with(text, stop, true), patches);
  return patches;
}

/* ---- models ---- */

static void a_ladder_whose_cells_are_switched_one_by_one_is_patched(void **state) {
  (void)state;
  assert_true(compare("model Ladder(N = 60) {\n Se source(1); 0 n[0]; source -> n[0]\n"
                      " for i in 1..N { 0 n[i]; 1 line[i]; I l[i](1) start p = sin(i); R w[i](0.05); C c[i](1) start q = cos(i)\n"
                      "  1 branch[i] by Switch(pulse(mod(0.618034*i, 1), 0.5, 1) > 0.5); R load[i](4)\n"
                      "  n[i-1] -> line[i] -> n[i] -> c[i]; line[i] -> l[i]; line[i] -> w[i]; n[i] -> branch[i] -> load[i] }\n"
                      " machine Switch(gate) { on closed; off open initial; closed -> open when not gate; open -> closed when gate }\n stop 2\n}", 2) > 100);
}

static void guards_on_states_of_a_patch_are_found_in_it(void **state) {
  (void)state;
  // a lamp lights where its capacitor has been charged far enough by what others have switched
  assert_true(compare("model Lamps(N = 40) {\n Se source(1); 0 n[0]; source -> n[0]\n"
                      " for i in 1..N { 0 n[i]; 1 line[i]; I l[i](0.5) start p = sin(3*i); R w[i](0.1); C c[i](0.3) start q = 0.4*cos(2*i)\n"
                      "  1 branch[i] by Lamp(n[i].e, 0.3 + 0.01*i); R load[i](0.7); n[i-1] -> line[i] -> n[i] -> c[i]; line[i] -> l[i]; line[i] -> w[i]; n[i] -> branch[i] -> load[i] }\n"
                      " machine Lamp(v, high) { off dark initial; on lit; dark -> lit when v > high; lit -> dark when v < 0.1 }\n stop 5\n}", 5) > 20);
}

static void blocks_that_stick_and_slip_are_patched(void **state) {
  (void)state;
  assert_true(compare("model Belt(N = 40) {\n param V = 0.5\n"
                      " for i in 1..N { 1 v[i]; I block[i](1) start f = V; v[i] -> block[i]; C spring[i](1) start q = 0.2*sin(1.7*i); v[i] -> spring[i]\n"
                      "  0 grip[i] by Stick(S[i], slip[i]); Sf ride[i](V); v[i] -> grip[i] -> ride[i]\n"
                      "  Se friction[i](if grip[i] in ahead then -1 else if grip[i] in behind then 1 else 0); friction[i] -> v[i]\n"
                      "  signal slip[i] = v[i].f - V, S[i] = -spring[i].e + pull[i] }\n"
                      " for i in 1..N-1 { 0 f[i]; C spread[i](2); v[i] -> f[i] -> v[i+1]; f[i] -> spread[i] }\n"
                      " signal pull[1] = -spread[1].e, pull[N] = spread[N-1].e\n for i in 2..N-1 { signal pull[i] = spread[i-1].e - spread[i].e }\n"
                      " machine Stick(S, slip) { on stuck initial; off ahead; off behind\n"
                      "  stuck -> ahead when S > 1.5; stuck -> behind when S < -1.5\n"
                      "  ahead -> stuck when slip < 0 and S >= -1.5; ahead -> behind when slip < 0 and S < -1.5\n"
                      "  behind -> stuck when slip > 0 and S <= 1.5; behind -> ahead when slip > 0 and S > 1.5 }\n stop 20\n}", 20) > 50);
}

static void laws_that_bend_are_evaluated_within_a_patch(void **state) {
  (void)state;
  assert_true(compare("model Bent(N = 40) {\n 0 n[0]; C c[0](1) start q = 1; n[0] -> c[0]\n"
                      " for i in 1..N { 0 n[i]; 1 line[i]; I l[i](1) start p = sin(i); R w[i]: e = 0.1*f + f^3; C c[i](1) start q = cos(i)\n"
                      "  1 branch[i] by Switch(pulse(mod(0.618034*i, 1), 0.5, 1) > 0.5); R load[i]: f = sinh(e)\n"
                      "  n[i-1] -> line[i] -> n[i] -> c[i]; line[i] -> l[i]; line[i] -> w[i]; n[i] -> branch[i] -> load[i] }\n"
                      " machine Switch(gate) { on closed; off open initial; closed -> open when not gate; open -> closed when gate }\n stop 2\n}", 2) > 50);
}

static void sources_that_are_pulsed_are_patched(void **state) {
  (void)state;
  assert_true(compare("model Pulsed(N = 40) {\n 0 n[0]; C c[0](1) start q = 1; n[0] -> c[0]\n"
                      " for i in 1..N { 0 n[i]; 1 line[i]; I l[i](1) start p = sin(i); R w[i](0.3); C c[i](1) start q = cos(i)\n"
                      "  Sf feed[i](pulse(mod(0.618034*i, 1), 0.3, 1)); feed[i] -> n[i]\n"
                      "  1 tap[i] by Tap(n[i].e); R drain[i](2); n[i] -> tap[i] -> drain[i]\n"
                      "  n[i-1] -> line[i] -> n[i] -> c[i]; line[i] -> l[i]; line[i] -> w[i] }\n"
                      " machine Tap(v) { off shut initial; on running; shut -> running when v > 1.2; running -> shut when v < 0.8 }\n stop 2\n}", 2) > 50);
}

/* ---- random networks ---- */

static long read_number(const char *name, long otherwise) {
  const char *text = getenv(name);
  return text && *text ? strtol(text, NULL, 10) : otherwise;
}

/* Cells in a row with some bonds across, each of which may have a switch on a clock or on its voltage, and a law that bends. */
static void write_network(HbgText *text, Random *random) {
  const int cells = 12 + random_below(random, 30);
  const double sources = random_chance(random, 0.3) ? 0.1 : 0;
  hbg_text_add(text, "model Network {\n machine Clocked(g) { on closed; off open initial; closed -> open when not g; open -> closed when g }\n"
                     " machine Limit(v, a, b) { off low initial; on high; low -> high when v > b; high -> low when v < a }\n 0 n0; C c0(1) start q = 1; n0 -> c0\n");
  for (int i = 1; i <= cells; i++) {
    const int from = random_chance(random, 0.85) ? i - 1 : random_below(random, i);
    hbg_text_add(text, " 0 n%d; 1 w%d; C c%d(%g) start q = %g; n%d -> w%d -> n%d -> c%d\n", i, i, i, 0.3 + random_real(random), random_real(random) - 0.5, from, i, i, i);
    if (random_chance(random, 0.6)) hbg_text_add(text, " I l%d(%g) start p = %g; w%d -> l%d\n", i, 0.3 + random_real(random), random_real(random) - 0.5, i, i);
    if (random_chance(random, 0.15)) hbg_text_add(text, " R r%d: e = %g*f + f^3; w%d -> r%d\n", i, 0.5 + random_real(random), i, i);
    else hbg_text_add(text, " R r%d(%g); w%d -> r%d\n", i, 0.3 + random_real(random), i, i);
    if (random_chance(random, sources)) hbg_text_add(text, " Sf u%d(%g*cos(%g*time)); u%d -> n%d\n", i, random_real(random), 5 * random_real(random), i, i);
    if (random_chance(random, 0.5))
      hbg_text_add(text, " 1 b%d by Clocked(pulse(%g, %g, %g) > 0.5); R d%d(%g); n%d -> b%d -> d%d\n", i, random_real(random), 0.1 + 0.2 * random_real(random),
                   0.4 + random_real(random), i, 0.5 + random_real(random), i, i, i);
    else if (random_chance(random, 0.5))
      hbg_text_add(text, " 1 b%d by Limit(n%d.e, %g, %g); R d%d(%g); n%d -> b%d -> d%d\n", i, random_chance(random, 0.8) ? i : i - 1,
                   -0.5 * random_real(random), 0.1 + random_real(random), i, 0.5 + random_real(random), i, i, i);
  }
  hbg_text_add(text, " stop 1.5\n}");
}

static void networks_in_which_much_switches_do_the_same_with_patches(void **state) {
  (void)state;
  const long first = read_number("HYBRSIM_SEED", 1), count = read_number("HYBRSIM_GRAPHS", 40);
  int64_t patches = 0;
  for (long seed = first; seed < first + count; seed++) {
    Random random = {(uint64_t)seed};
    HbgArena arena = hbg_arena((HbgAllocator){0});
    HbgText text = hbg_text(&arena);
    write_network(&text, &random);
    patches += compare_with(text.bytes, 1.5, seed % 2);
    hbg_arena_release_all(&arena);
  }
  if (count > 20) assert_true(patches > 3 * count); // or it would say nothing
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ladder_whose_cells_are_switched_one_by_one_is_patched),
      cmocka_unit_test(guards_on_states_of_a_patch_are_found_in_it),
      cmocka_unit_test(blocks_that_stick_and_slip_are_patched),
      cmocka_unit_test(laws_that_bend_are_evaluated_within_a_patch),
      cmocka_unit_test(sources_that_are_pulsed_are_patched),
      cmocka_unit_test(networks_in_which_much_switches_do_the_same_with_patches),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
