/* SPDX-License-Identifier: BSD-3-Clause
 * Slides in large coupled systems: where they are lines, instants touch what they are about and events redo what they can influence, and runs
 * have the rows of runs in which every instant is one of everything and shares are solved for. */
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
  while ((course->end = hbg_sim_next(course->sim, &row)) == HBG_OK)
    keep_row(course, row);
  course->patches = course->sim->influence ? course->sim->influence->patch_count : 0;
  return HBG_OK;
}

/* As a whole: every instant is one of everything, and shares are solved for. */
static Course course(const HbgModel *model, double stop, bool as_a_whole, bool shows_variables) {
  Course made = {.model = model,
                 .shows_variables = shows_variables,
                 .options = {.stop = stop, .interval = stop / 23, .tolerance = 1e-10, .method = HBG_METHOD_AUTOMATIC, .sliding = true,
                             .cut_above = 1, .patch_above = as_a_whole ? -1 : 1, .as_a_whole = as_a_whole, .in_sets = as_a_whole ? -1 : 0},
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

static void check_same(Course *parts, Course *whole, const char *text) {
  if (parts->end != whole->end || parts->count != whole->count)
    fail_msg("%d rows and status %d in parts, %d and %d as a whole: %s", parts->count, parts->end, whole->count, whole->end, text);
  const double *scale = scales_of(whole);
  for (int32_t row = 0; row < parts->count; row++) {
    const HbgRow *a = &parts->rows[row], *b = &whole->rows[row];
    if (!(fabs(a->time - b->time) <= 1e-8 * whole->options.stop) || a->eps != b->eps || a->n != b->n || a->kind != b->kind)
      fail_msg("row %d at %.17g s in parts, at %.17g s as a whole: %s", row, a->time, b->time, text);
    for (int32_t column = 0; column < parts->column_count; column++) {
      const double x = parts->values[row][column], y = whole->values[row][column];
      if (isnan(x) && isnan(y)) continue;
      if (!(fabs(x - y) <= 1e-7 * scale[column]))
        fail_msg("row %d at %g s, column %d: %.17g in parts, %.17g as a whole: %s", row, a->time, column, x, y, text);
    }
  }
}

/* Runs a model both ways; answers how many patches there were. */
static int64_t compare(const char *text, double stop, bool shows_variables) {
  HbgModel *model = NULL;
  if (hbg_model_load(text, strlen(text), NULL, &model) != HBG_OK) fail_msg("%s: %s", hbg_model_diagnostic(model, 0), text);
  Course parts = course(model, stop, false, shows_variables), whole = course(model, stop, true, shows_variables);
  check_same(&parts, &whole, text);
  const int64_t patches = parts.patches;
  end(&parts);
  end(&whole);
  hbg_model_free(model);
  return patches;
}

/* ---- models ---- */

static void a_row_of_blocks_on_a_rough_floor_comes_to_rest_in_parts_as_it_does_as_a_whole(void **state) {
  (void)state;
  assert_true(compare("model Row(N = 60) {\n for i in 1..N { 1 v[i]; I block[i](1) start f = 3*sin(2.3*i); R floor[i]: e = 0.7*sign(f)\n"
                      "  v[i] -> block[i]; v[i] -> floor[i]; signal place[i] = integral(v[i].f) }\n"
                      " for i in 1..N-1 { 0 f[i]; C s[i](0.5); v[i] -> f[i] -> v[i+1]; f[i] -> s[i] }\n stop 3\n}", 3, true) > 40);
}

static void integrators_follow_what_patches_change(void **state) {
  (void)state;
  // of a flow within an island, of what a storage imposes that hangs, of another integral
  assert_true(compare("model Ladder(N = 40) {\n Se source(1); 0 n[0]; source -> n[0]\n"
                      " for i in 1..N { 0 n[i]; 1 line[i]; I l[i](1) start p = sin(i); R w[i](0.05); C c[i](1) start q = cos(i)\n"
                      "  1 branch[i] by Switch(pulse(mod(0.618034*i, 1), 0.5, 1) > 0.5); R load[i](4)\n"
                      "  signal work[i] = integral(c[i].e - 0.5*w[i].f), twice[i] = integral(2*work[i] + 0.1)\n"
                      "  n[i-1] -> line[i] -> n[i] -> c[i]; line[i] -> l[i]; line[i] -> w[i]; n[i] -> branch[i] -> load[i] }\n"
                      " machine Switch(gate) { on closed; off open initial; closed -> open when not gate; open -> closed when gate }\n stop 1\n}", 1, true) > 20);
}

/* ---- random rows ---- */

static long read_number(const char *name, long otherwise) {
  const char *text = getenv(name);
  return text && *text ? strtol(text, NULL, 10) : otherwise;
}

static void write_block(HbgText *text, Random *random, int block) {
  hbg_text_add(text, " 1 v%d; I m%d(%g) start f = %g; v%d -> m%d\n", block, block, 0.5 + random_real(random), 4 * random_real(random) - 2, block, block);
  if (random_chance(random, 0.8)) hbg_text_add(text, " R floor%d: e = %g*sign(f); v%d -> floor%d\n", block, 0.2 + random_real(random), block, block);
  if (random_chance(random, 0.3)) hbg_text_add(text, " R air%d(%g); v%d -> air%d\n", block, 0.5 * random_real(random), block, block);
  if (random_chance(random, 0.1)) hbg_text_add(text, " R oil%d: e = 0.1*f^3; v%d -> oil%d\n", block, block, block);
  if (random_chance(random, 0.1)) hbg_text_add(text, " Se pull%d(%g*sin(%g*time)); pull%d -> v%d\n", block, random_real(random), 6 * random_real(random), block, block);
  if (random_chance(random, 0.3)) hbg_text_add(text, " signal x%d = integral(v%d.f)\n", block, block);
}

/* Blocks in a row with springs between them. (Where blocks rub on each other as well, round-off decides which of several surfaces that meet
 * is left a moment before the other.) */
static void write_row(HbgText *text, Random *random) {
  const int blocks = 6 + random_below(random, 25);
  hbg_text_add(text, "model Row {\n");
  for (int block = 0; block < blocks; block++) {
    write_block(text, random, block);
    if (!block) continue;
    hbg_text_add(text, " 0 f%d; v%d -> f%d -> v%d; C s%d(%g) start q = %g; f%d -> s%d\n", block, block - 1, block, block, block,
                 0.3 + random_real(random), random_real(random) - 0.5, block, block);
    if (random_chance(random, 0.1)) hbg_text_add(text, " signal y%d = integral(f%d.e)\n", block, block);
  }
  hbg_text_add(text, " stop 2\n}");
}

static void rows_of_blocks_on_rough_floors_do_the_same_in_parts_as_they_do_as_a_whole(void **state) {
  (void)state;
  const long first = read_number("HYBRSIM_SEED", 1), count = read_number("HYBRSIM_GRAPHS", 40);
  int64_t patches = 0;
  for (long seed = first; seed < first + count; seed++) {
    Random random = {(uint64_t)seed};
    HbgArena arena = hbg_arena((HbgAllocator){0});
    HbgText text = hbg_text(&arena);
    write_row(&text, &random);
    patches += compare(text.bytes, 2, seed % 2);
    hbg_arena_release_all(&arena);
  }
  if (count > 20) assert_true(patches > count); // or it would say nothing
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_row_of_blocks_on_a_rough_floor_comes_to_rest_in_parts_as_it_does_as_a_whole),
      cmocka_unit_test(integrators_follow_what_patches_change),
      cmocka_unit_test(rows_of_blocks_on_rough_floors_do_the_same_in_parts_as_they_do_as_a_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
