/* SPDX-License-Identifier: BSD-3-Clause
 * Cutting the graph at storages changes how a mode is computed and nothing else: every model is run with all cuts that are allowed
 * and without any, and both runs must have the same rows. A third run goes through instants that are about what they touch (near.h),
 * a fourth one in sets of states that have clocks of their own (coupled.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "hybrid/sim.h"
#include "support/check.h"
#include "support/random_graph.h"

enum { ALWAYS = 1, NEVER = -1 };

/* All rows of a run. */
typedef struct Course {
  const HbgModel *model;
  HbgSimOptions options;
  HbgArena arena;
  HbgSim *sim;
  HbgStatus end;
  HbgRow *rows; int32_t count, capacity;
  double **values; int32_t value_capacity;
  int32_t column_count;
  int32_t most_hanging; /* storages that were cut off at once */
  int32_t most_islands;
} Course;

static void keep_row(Course *course, HbgRow row) {
  double *values = ARENA_NEW(&course->arena, double, course->column_count);
  memcpy(values, hbg_sim_values(course->sim), (size_t)course->column_count * sizeof *values);
  int32_t count = course->count;
  ARENA_PUSH(&course->arena, course->values, count, course->value_capacity) = values;
  ARENA_PUSH(&course->arena, course->rows, course->count, course->capacity) = row;
  const int32_t hanging = course->sim->cuts.deliveries.present_count;
  if (hanging > course->most_hanging) course->most_hanging = hanging;
  if (course->sim->island_count > course->most_islands) course->most_islands = course->sim->island_count;
}

/* All efforts and flows, and their impulses, as columns. */
static void add_variables(HbgSim *sim) {
  HbgExprPool *pool = hbg_sim_pool(sim);
  for (int32_t variable = 0; variable < 2 * sim->model->bond_count; variable++) {
    const HbgExpr leaf = hbg_variable(pool, variable);
    hbg_sim_add_column(sim, (HbgColumnInfo){.column = {.name = "z"}}, leaf);
    hbg_sim_add_column(sim, (HbgColumnInfo){.column = {.name = "Z"}}, hbg_expr_unary(pool, HBG_OP_IMPULSE, leaf));
  }
}

static HbgStatus run(void *user) {
  Course *course = user;
  HbgRow row;
  course->sim = hbg_sim_create(&course->model->flat, &course->options, &course->arena);
  hbg_sim_add_default_columns(course->sim, HBG_COLUMNS_TRAJECTORY);
  add_variables(course->sim);
  course->column_count = hbg_sim_column_count(course->sim);
  while ((course->end = hbg_sim_next(course->sim, &row)) == HBG_OK) keep_row(course, row);
  return HBG_OK;
}

static Course course_by(const HbgModel *model, double stop, int32_t cut_above, bool as_a_whole, bool in_sets) {
  Course made = {.model = model,
                 .options = {.stop = stop, .interval = stop / 20, .tolerance = 1e-10, .method = HBG_METHOD_AUTOMATIC, .sliding = true,
                             .cut_above = cut_above, .as_a_whole = as_a_whole, .in_sets = in_sets},
                 .arena = hbg_arena((HbgAllocator){0})};
  assert_int_equal(hbg_guarded(&made.arena, run, &made), HBG_OK);
  return made;
}

static Course course(const HbgModel *model, double stop, int32_t cut_above) { return course_by(model, stop, cut_above, true, false); }

static void end(Course *course) {
  hbg_sim_free(course->sim);
  hbg_arena_release_all(&course->arena);
}

/* ---- comparing ---- */

/* The largest value of each column, which the differences are small against. */
static double *scales_of(Course *course) {
  double *scale = ARENA_NEW(&course->arena, double, course->column_count);
  double most = 0;
  for (int32_t row = 0; row < course->count; row++)
    for (int32_t column = 0; column < course->column_count; column++) {
      scale[column] = fmax(scale[column], fabs(course->values[row][column]));
      if (isfinite(course->values[row][column])) most = fmax(most, fabs(course->values[row][column]));
    }
  for (int32_t column = 0; column < course->column_count; column++) scale[column] = fmax(scale[column], 1e-3 * most);
  return scale;
}

static bool are_same_rows(const HbgRow *a, const HbgRow *b, double stop) {
  return fabs(a->time - b->time) <= 1e-8 * stop && a->eps == b->eps && a->n == b->n && a->kind == b->kind;
}

static void check_same(Course *cut, Course *whole, double tolerance, const char *text) {
  if (cut->end != whole->end || cut->count != whole->count)
    fail_msg("%d rows and status %d with cuts, %d and %d without: %s", cut->count, cut->end, whole->count, whole->end, text);
  const double *scale = scales_of(whole);
  for (int32_t row = 0; row < cut->count; row++) {
    if (!are_same_rows(&cut->rows[row], &whole->rows[row], whole->options.stop))
      fail_msg("row %d at %.17g s with cuts, at %.17g s without: %s", row, cut->rows[row].time, whole->rows[row].time, text);
    for (int32_t column = 0; column < cut->column_count; column++) {
      const double a = cut->values[row][column], b = whole->values[row][column];
      if (isnan(a) && isnan(b)) continue;
      if (!(fabs(a - b) <= tolerance * scale[column]))
        fail_msg("row %d at %g s, column %d: %.17g with cuts, %.17g without: %s", row, cut->rows[row].time, column, a, b, text);
    }
  }
}

/* Runs a model both ways; answers how many storages were cut off at once. */
static int32_t compare(const char *text, double stop) {
  HbgModel *model = NULL;
  if (hbg_model_load(text, strlen(text), NULL, &model) != HBG_OK) fail_msg("%s: %s", hbg_model_diagnostic(model, 0), text);
  Course cut = course(model, stop, ALWAYS), whole = course(model, stop, NEVER);
  Course near = course_by(model, stop, ALWAYS, false, false), sets = course_by(model, stop, ALWAYS, false, true);
  check_same(&cut, &whole, 1e-7, text);
  check_same(&near, &cut, 1e-7, text);
  check_same(&sets, &cut, 1e-7, text);
  end(&near);
  end(&sets);
  const int32_t hanging = cut.most_hanging;
  assert_int_equal(whole.most_hanging, 0);
  end(&cut);
  end(&whole);
  hbg_model_free(model);
  return hanging;
}

/* ---- models ---- */

static void a_chain_of_masses_moves_as_one_system_does(void **state) {
  (void)state;
  assert_int_equal(compare("model Chain(N = 8) {\n for i in 1..N { 1 v[i]; I m[i](1 + i/10) start f = sin(i); v[i] -> m[i] }\n"
                           " for i in 1..N-1 { 0 n[i]; 1 s[i]; C k[i](1/i); R d[i](0.1); v[i] -> n[i] -> v[i+1]; n[i] -> s[i]; s[i] -> k[i]; s[i] -> d[i] }\n stop 5\n}", 5),
                   6); // at both ends two ports only
}

static void a_ladder_is_cut_at_its_capacitors_alone(void **state) {
  (void)state;
  assert_int_equal(compare("model Ladder(N = 6) {\n Se u(sin(time)); 1 a[0]; u -> a[0]\n"
                           " for i in 1..N { 0 n[i]; C c[i](0.1*i); a[i-1] -> n[i]; n[i] -> c[i]; 1 a[i]; I l[i](0.2); R r[i](0.1); n[i] -> a[i]; a[i] -> l[i]; a[i] -> r[i] }\n"
                           " I l0(0.3); a[0] -> l0\n stop 5\n}", 5),
                   6);
}

static void an_ideal_switch_between_capacitors_takes_both_in(void **state) {
  (void)state;
  // two capacitors become one, and their neighbours feel only what they share
  assert_true(compare("model Share {\n 0 a, b; C ca(1) start q = 2; C cb(2); a -> ca; b -> cb; 1 s by S; a -> s -> b\n"
                      " R ra(3), rb(4); a -> ra; b -> rb; 1 l; I i(1); R ri(1); a -> l; l -> i; l -> ri; 0 c; C cc(0.5) start q = 1; R rc(1); 1 w; R rw(2); b -> w -> c; w -> rw; c -> cc; c -> rc\n"
                      " machine S { off open initial; on closed; open -> closed when time >= 0.5; closed -> open when time >= 1.3 }\n stop 2\n}", 2) > 0);
}

static void a_stuck_mass_leaves_its_neighbours_alone(void **state) {
  (void)state;
  assert_true(compare("model Belt(N = 6) {\n param V = 0.5\n"
                      " for i in 1..N { 1 v[i]; I block[i](1) start f = V; v[i] -> block[i]; C spring[i](1) start q = 0.2*sin(1.7*i); v[i] -> spring[i]\n"
                      "  0 grip[i] by Stick(S[i], slip[i]); Sf ride[i](V); v[i] -> grip[i] -> ride[i]\n"
                      "  Se friction[i](if grip[i] in ahead then -1 else if grip[i] in behind then 1 else 0); friction[i] -> v[i]\n"
                      "  signal slip[i] = v[i].f - V, S[i] = -spring[i].e + pull[i] }\n"
                      " for i in 1..N-1 { 0 f[i]; C spread[i](2); v[i] -> f[i] -> v[i+1]; f[i] -> spread[i] }\n"
                      " signal pull[1] = -spread[1].e, pull[N] = spread[N-1].e\n for i in 2..N-1 { signal pull[i] = spread[i-1].e - spread[i].e }\n"
                      " machine Stick(S, slip) { on stuck initial; off ahead; off behind\n"
                      "  stuck -> ahead when S > 1.5; stuck -> behind when S < -1.5\n"
                      "  ahead -> stuck when slip < 0 and S >= -1.5; ahead -> behind when slip < 0 and S < -1.5\n"
                      "  behind -> stuck when slip > 0 and S <= 1.5; behind -> ahead when slip > 0 and S > 1.5 }\n stop 20\n}", 20) > 0);
}

static void a_stiff_rod_is_as_stiff_in_pieces(void **state) {
  (void)state;
  assert_true(compare("model Rod(N = 20) {\n for i in 1..N { C t[i](1) start q = sin(i); 0 n[i]; n[i] -> t[i] }\n"
                      " for i in 1..N-1 { 1 w[i]; R r[i](1e-4); n[i] -> w[i] -> n[i+1]; w[i] -> r[i] }\n R left(1e-4); n[1] -> left\n stop 1\n}", 1) > 0);
}

static void a_loop_of_resistors_between_storages_is_solved_apart(void **state) {
  (void)state;
  assert_true(compare("model Mesh(N = 4) {\n for i in 0..N { 0 n[i]; C c[i](1) start q = i; n[i] -> c[i]; R g[i](5); n[i] -> g[i] }\n"
                      " for i in 1..N { 1 a[i], b[i]; 0 m[i]; R ra[i](1), rb[i](2), rm[i](3); n[i-1] -> a[i] -> m[i] -> b[i] -> n[i]; a[i] -> ra[i]; b[i] -> rb[i]; m[i] -> rm[i] }\n stop 3\n}", 3) > 0);
}

static void a_relay_slides_on_what_springs_of_a_chain_give(void **state) {
  (void)state;
  assert_true(compare("model Slide(N = 4) {\n for i in 1..N { 0 n[i]; C c[i](1) start q = (if i = 1 then 0.5 else 0); n[i] -> c[i]; R g[i](4); n[i] -> g[i] }\n"
                      " for i in 1..N-1 { 1 w[i]; R r[i](1); n[i] -> w[i] -> n[i+1]; w[i] -> r[i] }\n"
                      " Sf pump(if (c[2].e > 0.2) then -1 else 1); pump -> n[2]\n stop 3\n}", 3) >= 0);
}

/* ---- random networks ---- */

static long read_number(const char *name, long otherwise) {
  const char *text = getenv(name);
  return text && *text ? strtol(text, NULL, 10) : otherwise;
}

/* Cells of a network, each a junction: a capacitor or a mass at most of them, and perhaps a resistor or a source. */
static void write_cell(HbgText *text, Random *random, int cell, bool is_zero) {
  const char *storage = is_zero ? "C c" : "I c";
  hbg_text_add(text, " %d n%d\n", is_zero ? 0 : 1, cell);
  if (random_chance(random, 0.75))
    hbg_text_add(text, " %s%d(%g) start %s = %g; n%d -> c%d\n", storage, cell, 0.5 + random_real(random), is_zero ? "q" : "p",
                 random_real(random) - 0.5, cell, cell);
  if (random_chance(random, 0.5)) hbg_text_add(text, " R r%d(%g); n%d -> r%d\n", cell, 0.5 + random_real(random), cell, cell);
  if (random_chance(random, 0.2))
    hbg_text_add(text, " %s u%d(%g*cos(%g*time)); u%d -> n%d\n", is_zero ? "Sf" : "Se", cell, random_real(random), 5 * random_real(random), cell, cell);
}

/* What joins two cells: a bond where their kinds differ, else a junction of the other kind with something on it, which may switch. */
static void write_edge(HbgText *text, Random *random, int edge, int from, int to, const bool *is_zero) {
  if (is_zero[from] != is_zero[to]) {
    hbg_text_add(text, " n%d -> n%d\n", from, to);
    return;
  }
  hbg_text_add(text, " %d w%d", is_zero[from] ? 1 : 0, edge);
  if (random_chance(random, 0.4))
    hbg_text_add(text, " by S(%g, %g)", 0.3 * random_real(random), 0.3 + 0.3 * random_real(random));
  hbg_text_add(text, "; n%d -> w%d -> n%d\n", from, edge, to);
  const int what = random_below(random, 4);
  if (what & 1) hbg_text_add(text, " R q%d(%g); w%d -> q%d\n", edge, 0.2 + random_real(random), edge, edge);
  if (what & 2) hbg_text_add(text, " %s l%d(%g); w%d -> l%d\n", is_zero[from] ? "I" : "C", edge, 0.2 + random_real(random), edge, edge);
}

static void write_network(HbgText *text, Random *random) {
  enum { MOST = 12 };
  bool is_zero[MOST];
  const int cells = 3 + random_below(random, MOST - 3);
  hbg_text_add(text, "model Network {\n machine S(a, b) { %s; open -> closed when time >= a; closed -> open when time >= b and time < 0.7 }\n",
               random_chance(random, 0.5) ? "off open initial; on closed" : "on closed initial; off open");
  for (int cell = 0; cell < cells; cell++) {
    is_zero[cell] = random_chance(random, 0.6);
    write_cell(text, random, cell, is_zero[cell]);
  }
  int edge = 0;
  for (int cell = 1; cell < cells; cell++) write_edge(text, random, edge++, random_below(random, cell), cell, is_zero);
  for (int loop = random_below(random, 3); loop > 0; loop--) {
    const int from = random_below(random, cells), to = random_below(random, cells);
    if (from != to) write_edge(text, random, edge++, from, to, is_zero);
  }
  hbg_text_add(text, " stop 0.8\n}");
}

static void networks_of_storages_and_switches_do_the_same_in_pieces(void **state) {
  (void)state;
  const long first = read_number("HYBRSIM_SEED", 1), count = read_number("HYBRSIM_GRAPHS", 200);
  int32_t with_cuts = 0;
  for (long seed = first; seed < first + count; seed++) {
    Random random = {(uint64_t)seed};
    HbgArena arena = hbg_arena((HbgAllocator){0});
    HbgText text = hbg_text(&arena);
    write_network(&text, &random);
    with_cuts += compare(text.bytes, 0.8) > 0;
    hbg_arena_release_all(&arena);
  }
  if (count > 20) assert_true(with_cuts > count / 2); // or it would say nothing
}

static void random_graphs_do_the_same_in_pieces(void **state) {
  (void)state;
  const RandomTaste taste = {.elements_most = 60, .sources = true, .guarded = true, .redundant = true, .pulsed = true, .modulated = true,
                             .nonlinear = true, .decades = 0.5};
  const long first = read_number("HYBRSIM_SEED", 1), count = read_number("HYBRSIM_GRAPHS", 100);
  for (long seed = first; seed < first + count; seed++) {
    Random random = {(uint64_t)seed};
    HbgArena arena = hbg_arena((HbgAllocator){0});
    const RandomGraph graph = random_graph(&random, taste);
    HbgText text = hbg_text(&arena);
    random_graph_write(&graph, NULL, &text);
    compare(text.bytes, 0.05);
    hbg_arena_release_all(&arena);
  }
}

/* ---- islands ---- */

static const char ladder[] =
    "model Ladder(N = 40) {\n for i in 0..N { 0 n[i]; C c[i](1) start q = i/40; n[i] -> c[i]; R g[i](5); n[i] -> g[i] }\n"
    " for i in 1..N { 1 s[i] by S(i); R r[i](1); n[i-1] -> s[i] -> n[i]; s[i] -> r[i] }\n"
    " machine S(i) { on closed initial; off open; closed -> open when time >= i/100 }\n stop 0.5\n}";

static void a_ladder_of_switches_shares_two_programs_a_cell(void **state) {
  (void)state;
  HbgModel *model = NULL;
  assert_int_equal(hbg_model_load(ladder, strlen(ladder), NULL, &model), HBG_OK);
  Course cut = course(model, 0.5, 0);
  assert_true(cut.most_hanging > 0);
  assert_true(hbg_sim_statistics(cut.sim).modes < 12); // instead of one for every length of what is left
  end(&cut);
  hbg_model_free(model);
}

static void what_is_connected_counts_as_one_island(void **state) {
  (void)state;
  HbgModel *model = NULL;
  assert_int_equal(hbg_model_load(ladder, strlen(ladder), NULL, &model), HBG_OK);
  Course cut = course(model, 0.005, ALWAYS), whole = course(model, 0.005, NEVER);
  assert_int_equal(hbg_sim_statistics(cut.sim).islands, 1);
  assert_int_equal(hbg_sim_statistics(whole.sim).islands, 1);
  assert_true(cut.most_islands > 40);
  end(&cut);
  end(&whole);
  cut = course(model, 0.055, ALWAYS), whole = course(model, 0.055, NEVER);
  assert_int_equal(hbg_sim_statistics(cut.sim).islands, hbg_sim_statistics(whole.sim).islands);
  end(&cut);
  end(&whole);
  hbg_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_chain_of_masses_moves_as_one_system_does),
      cmocka_unit_test(a_ladder_is_cut_at_its_capacitors_alone),
      cmocka_unit_test(an_ideal_switch_between_capacitors_takes_both_in),
      cmocka_unit_test(a_stuck_mass_leaves_its_neighbours_alone),
      cmocka_unit_test(a_stiff_rod_is_as_stiff_in_pieces),
      cmocka_unit_test(a_loop_of_resistors_between_storages_is_solved_apart),
      cmocka_unit_test(a_relay_slides_on_what_springs_of_a_chain_give),
      cmocka_unit_test(networks_of_storages_and_switches_do_the_same_in_pieces),
      cmocka_unit_test(random_graphs_do_the_same_in_pieces),
      cmocka_unit_test(a_ladder_of_switches_shares_two_programs_a_cell),
      cmocka_unit_test(what_is_connected_counts_as_one_island),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
