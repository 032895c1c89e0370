/* SPDX-License-Identifier: BSD-3-Clause
 * Tables that are followed over time: what they drive is known in closed form from knot to knot, guards that read them meet what they meet, and parts of a model go on
 * by themselves whatever all of them read. HYBRSIM_SEED and HYBRSIM_GRAPHS choose the random ones. */
#include "support/in_parts.h"
#include "support/random_graph.h"
#include "support/seeds.h"
#include "support/simulated.h"

/* ---- closed forms ---- */

enum { KNOTS = 7 };
static const double knot[KNOTS] = {-1, 0.5, 1.25, 2, 2.75, 4, 7}, level[KNOTS] = {2, -1, 3, 3, 0.5, 4, 1};

static void write_table(char *text, size_t size, const char *way) {
  int length = snprintf(text, size, " table f(%s) = [", way);
  for (int at = 0; at < KNOTS; at++) length += snprintf(text + length, size - (size_t)length, "%s[%.17g, %.17g]", at ? ", " : "", knot[at], level[at]);
  snprintf(text + length, size - (size_t)length, "]\n");
}

/* T u' = f(t) - u over a line: u = line - slope T + rest e^(-t/T). */
static double tank_at(double u, double T, double end) {
  double t = 0;
  for (int at = 0; at + 1 < KNOTS && t < end; at++) {
    if (knot[at + 1] <= t) continue;
    const double slope = (level[at + 1] - level[at]) / (knot[at + 1] - knot[at]), to = fmin(knot[at + 1], end);
    const double before = level[at] + slope * (t - knot[at]), after = level[at] + slope * (to - knot[at]);
    u = after - slope * T + (u - before + slope * T) * exp((t - to) / T);
    t = to;
  }
  return u;
}

/* A tank behind a resistor, driven by the lines. */
static Simulated tank(const char *start, const char *interval) {
  char table[500], text[900];
  write_table(table, sizeof table, "linear");
  snprintf(text, sizeof text, "model M {\n%s Se push(f(time)); 1 j; R r(3); C c(0.2)%s; push -> j; j -> r; j -> c\n stop 6.3%s\n}", table, start, interval);
  return simulated(text, "c.e", NULL);
}

static void lines_drive_a_tank_in_closed_form(void **state) {
  (void)state;
  Simulated run = tank(" start e = 1.5", "");
  for (int row = 0; row < run.row_count; row++) CHECK_NEAR(simulated_value(&run, row, "c.e"), tank_at(1.5, 0.6, run.rows[row].row.time), 1e-13);
  assert_true(hbg_run_statistics(run.run).steps < 30);
  simulated_end(&run);
}

/* What goes on with a kink is no event, and has no rows of its own. */
static void a_kink_is_no_event(void **state) {
  (void)state;
  Simulated run = tank("", "; interval 0.63");
  assert_int_equal(hbg_run_statistics(run.run).events, 0);
  assert_int_equal(run.row_count, 11);
  simulated_end(&run);
}

/* A source that jumps takes a capacitor with it, by an impulse: q follows the table, whatever happens in between. */
static void a_jump_goes_through_what_it_drives(void **state) {
  (void)state;
  char table[500], text[900];
  write_table(table, sizeof table, "stepped");
  snprintf(text, sizeof text,
           "model M {\n%s Se push(f(time)); 0 j; C c(0.2); R r(2); push -> j; j -> c; j -> r\n signal charge = integral(push.f)\n stop 6.3\n}", table);
  Simulated run = simulated(text, "c.e; charge", NULL);
  double last = level[0], through = 0, from = 0;
  for (int row = 0; row < run.row_count; row++) {
    const HbgRow *at = &run.rows[row].row;
    int32_t piece = KNOTS - 1;
    while (piece > 0 && (at->kind == HBG_ROW_BEFORE ? knot[piece] >= at->time : knot[piece] > at->time)) piece--;
    CHECK_NEAR(simulated_value(&run, row, "c.e"), level[piece], 1e-15);
    through += last / 2 * (at->time - from); // through the resistor
    from = at->time;
    last = level[piece];
    if (at->kind != HBG_ROW_BEFORE) CHECK_NEAR(fabs(simulated_value(&run, row, "charge")), fabs(through + 0.2 * level[piece]), 1e-13);
  }
  assert_int_equal(hbg_run_statistics(run.run).events, 5);
  simulated_end(&run);
}

static double line_at(double t) {
  int32_t piece = KNOTS - 2;
  while (piece > 0 && knot[piece] > t) piece--;
  return level[piece] + (level[piece + 1] - level[piece]) * (t - knot[piece]) / (knot[piece + 1] - knot[piece]);
}

/* Steps end at knots, and the first slope behind one is another than the last before it. */
static void a_storage_that_a_table_holds_follows_its_kinks_by_all_methods(void **state) {
  (void)state;
  char table[500], text[900];
  write_table(table, sizeof table, "linear");
  snprintf(text, sizeof text, "model M {\n%s Se air(f(time)); 0 face; C skin(2); air -> face; face -> skin\n signal late = delay(air.e, 0.3), sum = integral(late)\n stop 6.3; interval 0.07\n}", table);
  static const int methods[] = {HBG_METHOD_AUTOMATIC, HBG_METHOD_DP5, HBG_METHOD_DP8, HBG_METHOD_SDIRK, HBG_METHOD_BDF};
  for (int which = 0; which < 5; which++) {
    HbgRunOptions options = hbg_run_options();
    options.method = methods[which];
    Simulated run = simulated(text, "skin.q; late", &options);
    for (int row = 0; row < run.row_count; row++) {
      const double t = run.rows[row].row.time;
      CHECK_NEAR(simulated_value(&run, row, "skin.q"), 2 * line_at(t), 1e-9);
      if (t > 0.3) CHECK_NEAR(simulated_value(&run, row, "late"), line_at(t - 0.3), 1e-9);
    }
    simulated_end(&run);
  }
}

/* A guard that compares a table with a table: lines cross where arithmetic says. */
static void lines_of_two_tables_cross_where_they_do(void **state) {
  (void)state;
  Simulated run = simulated("model M {\n table a = [[0, 0], [2, 4], [6, 0]]; table b = [[0, 3], [3, 1.5], [6, 3]]\n"
                            " machine m = M(a(time) > b(time))\n machine M(above) { off low initial; on high; low -> high when above; high -> low when not above }\n"
                            " stop 6; interval 9\n}",
                            "m", NULL);
  // 2t = 3 - t/2; behind 3, 6 - t = 1.5 + (t - 3)/2
  const double crossings[] = {1.2, 4};
  int count = 0;
  for (int row = 0; row < run.row_count; row++)
    if (run.rows[row].row.kind == HBG_ROW_BEFORE) CHECK_NEAR(run.rows[row].row.time, crossings[count++], 1e-14);
  assert_int_equal(count, 2);
  simulated_end(&run);
}

/* Parts that take steps begin them anew at every knot: where these come often, and nothing else happens, one step for all is better. */
static void where_kinks_come_often_parts_that_take_steps_go_together(void **state) {
  (void)state;
  for (int are_many = 0; are_many < 2; are_many++) {
    const int count = are_many ? 400 : 10;
    char text[9000];
    int length = snprintf(text, sizeof text, "model M {\n table f = [");
    for (int at = 0; at < count; at++) length += snprintf(text + length, sizeof text - (size_t)length, "%s[%.4f, %d]", at ? ", " : "", 10.0 * at / count, at % 3);
    snprintf(text + length, sizeof text - (size_t)length,
             "]\n for i in 1..3 { Se push[i](f(time)); 1 j[i]; R r[i]: e = f + f^3; C c[i](0.2*i); push[i] -> j[i]; j[i] -> r[i]; j[i] -> c[i] }\n stop 10\n}");
    Simulated run = simulated(text, "c[1].e", NULL);
    assert_int_equal(hbg_run_region_count(run.run), are_many ? 0 : 3);
    simulated_end(&run);
  }
}

/* ---- random models in parts ---- */

enum { STOP = 30 };

static void add_table(HbgText *text, Random *random, const char *name, const char *way, int32_t knots, double low, double high) {
  hbg_text_add(text, " table %s(%s%s) = [", name, way, random_chance(random, 0.2) ? ", outside = extend" : "");
  double at = -3 * random_real(random);
  for (int32_t which = 0; which < knots; which++) {
    hbg_text_add(text, "%s[%.6f, %.5f]", which ? ", " : "", at, low + (high - low) * random_real(random));
    at += 0.05 + 2 * STOP * random_real(random) / knots;
  }
  hbg_text_add(text, "]\n");
}

static const char *way_of(Random *random) {
  static const char *const ways[] = {"linear", "cubic", "stepped", "nearest"};
  return ways[random_below(random, 4)];
}

/* Houses in a common weather, each with its own hours, sun and shade, and walls that store. */
static void write_houses(HbgText *text, long seed) {
  Random random = {(uint64_t)seed};
  const int32_t count = 1 + random_below(&random, 4);
  const bool has_target = random_chance(&random, 0.5), has_wall = random_chance(&random, 0.5), has_sum = random_chance(&random, 0.4),
             reads_heat = random_chance(&random, 0.3), counts = random_chance(&random, 0.3), is_tied = random_chance(&random, 0.3);
  hbg_text_add(text, "model Houses {\n");
  add_table(text, &random, "weather", way_of(&random), 3 + random_below(&random, 30), 0, 10);
  add_table(text, &random, "wish", way_of(&random), 2 + random_below(&random, 8), 18, 22);
  for (int32_t i = 1; i <= count; i++) {
    char hours[60];
    snprintf(hours, sizeof hours, random_chance(&random, 0.3) ? "time - %d" : random_chance(&random, 0.2) ? "%d*time - 5" : "time", i);
    hbg_text_add(text, " 0 room%d\n C air%d(%.3f) start e = %.3f\n 1 wall%d\n R loss%d(%.3f)\n Se outside%d(weather(%s))\n", i, i, 8 + random_real(&random), 15 + random_real(&random),
             i, i, 2 + random_real(&random), i, hours);
    if (has_target) hbg_text_add(text, " machine t%d = Thermostat(room%d.e, wish(time))\n", i, i);
    else hbg_text_add(text, " machine t%d = Thermostat(room%d.e, %.4f)\n", i, i, 19.5 + random_real(&random));
    hbg_text_add(text, " Sf heat%d(if t%d in heating then %s else 0)\n", i, i, reads_heat ? "12 + wish(time)/5" : "15");
    hbg_text_add(text, " room%d -> air%d\n room%d -> wall%d\n wall%d -> loss%d\n wall%d -> outside%d\n heat%d -> room%d\n", i, i, i, i, i, i, i, i, i, i);
    if (has_wall) hbg_text_add(text, " 0 mass%d\n C stones%d(40) start e = 12\n 1 inner%d\n R film%d(1)\n room%d -> inner%d\n inner%d -> film%d\n inner%d -> mass%d\n mass%d -> stones%d\n", i, i, i, i,
                           i, i, i, i, i, i, i, i);
    if (is_tied) hbg_text_add(text, " C skin%d(2)\n 0 face%d\n Se air_of%d(weather(%s))\n air_of%d -> face%d\n face%d -> skin%d\n", i, i, i, hours, i, i, i, i);
    if (has_sum) hbg_text_add(text, " signal mean%d = integral(weather(%s) - 5 + 0.1*room%d.e)\n", i, hours, i);
  }
  if (counts) hbg_text_add(text, " machine cold = Cold(weather(time) < 4)\n machine Cold(is_cold) { var n = 0\n off mild initial; on hard; mild -> hard when is_cold do n := n + 1; hard -> mild when not is_cold }\n");
  hbg_text_add(text, " machine Thermostat(T, S) {\n off idle initial\n on heating\n idle -> heating when T < S - 1\n heating -> idle when T > S + 1\n }\n}\n");
}

static void houses_in_one_weather_do_the_same_in_parts(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(60);
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    HbgArena arena = hbg_arena((HbgAllocator){0});
    HbgText text = hbg_text(&arena);
    write_houses(&text, seed);
    in_parts_compare_about(text.bytes, STOP, seed % 2, 10);
    hbg_arena_release_all(&arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_drive_a_tank_in_closed_form),
      cmocka_unit_test(a_kink_is_no_event),
      cmocka_unit_test(a_jump_goes_through_what_it_drives),
      cmocka_unit_test(a_storage_that_a_table_holds_follows_its_kinks_by_all_methods),
      cmocka_unit_test(lines_of_two_tables_cross_where_they_do),
      cmocka_unit_test(where_kinks_come_often_parts_that_take_steps_go_together),
      cmocka_unit_test(houses_in_one_weather_do_the_same_in_parts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
