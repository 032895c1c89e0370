/* SPDX-License-Identifier: BSD-3-Clause
 * Sets of states with clocks of their own, where storages hang, do what a run as a whole does: random chains of masses and springs, of capacitors
 * and coils, with blocks that stick, contacts, relays, fuses and switches by the clock, are run in both ways and must have the same rows. */
#include "hybrid/coupled.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "hybrid/local_parts.h"
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
  int32_t coupled_rows; /* handed out while sets had clocks of their own */
  int32_t most_sets;
} Course;

static int32_t count_sets(const HbgSim *sim) {
  int32_t count = 0;
  for (int32_t state = 0; state < sim->model->state_count; state++)
    if (sim->local->coupled->states[state].set->states[0] == state) count++;
  return count;
}

static void note_sets(Course *course) {
  const HbgSim *sim = course->sim;
  if (!sim->is_local || !sim->local->is_coupled) return;
  course->coupled_rows++;
  const int32_t sets = count_sets(sim);
  if (sets > course->most_sets) course->most_sets = sets;
}

static HbgStatus run(void *user) {
  Course *course = user;
  HbgRow row;
  HbgSim *sim = course->sim = hbg_sim_create(&course->model->flat, &course->options, &course->arena);
  hbg_sim_add_default_columns(sim, HBG_COLUMNS_TRAJECTORY);
  for (int32_t variable = 0; course->shows_variables && variable < 2 * sim->model->bond_count; variable++)
    hbg_sim_add_column(sim, (HbgColumnInfo){.column = {.name = "z"}}, hbg_variable(hbg_sim_pool(sim), variable));
  const size_t size = (size_t)hbg_sim_column_count(sim) * sizeof(double);
  while ((course->end = hbg_sim_next(sim, &row)) == HBG_OK) {
    double *values = ARENA_NEW(&course->arena, double, hbg_sim_column_count(sim));
    memcpy(values, hbg_sim_values(sim), size);
    int32_t count = course->count;
    ARENA_PUSH(&course->arena, course->values, count, course->value_capacity) = values;
    ARENA_PUSH(&course->arena, course->rows, course->count, course->capacity) = row;
    note_sets(course);
  }
  return HBG_OK;
}

typedef enum Way { AS_A_WHOLE, IN_SETS, AS_IS_BEST } Way;

static Course course(const HbgModel *model, double stop, Way way, bool shows_variables) {
  Course made = {.model = model,
                 .shows_variables = shows_variables,
                 .options = {.stop = stop, .interval = stop / 30, .tolerance = 1e-10, .method = HBG_METHOD_AUTOMATIC, .sliding = true,
                             .cut_above = way == AS_A_WHOLE ? -1 : 1, .as_a_whole = way == AS_A_WHOLE, .in_sets = way == IN_SETS},
                 .arena = hbg_arena((HbgAllocator){0})};
  assert_int_equal(hbg_guarded(&made.arena, run, &made), HBG_OK);
  return made;
}

static void end(Course *course) {
  hbg_sim_free(course->sim);
  hbg_arena_release_all(&course->arena);
}

/* ---- comparing ---- */

/* A run that ends in chattering has as many rows there as round-off makes of it: only what was before counts. */
static void forget_chattering(Course *course) {
  const double last = course->count ? course->rows[course->count - 1].time : 0;
  while (course->end == HBG_STOPPED && course->count && course->rows[course->count - 1].time > last - 1e-6 * course->options.stop) course->count--;
}

static void check_same(Course *own, Course *whole, const char *text) {
  forget_chattering(own);
  forget_chattering(whole);
  if (own->end != whole->end || own->count != whole->count)
    fail_msg("%d rows and status %d in sets, %d and %d as a whole: %s", own->count, own->end, whole->count, whole->end, text);
  for (int32_t column = 0; column < hbg_sim_column_count(own->sim); column++) {
    double most = 1e-3;
    for (int32_t row = 0; row < own->count; row++) most = fmax(most, fabs(whole->values[row][column]));
    for (int32_t row = 0; row < own->count; row++) {
      const HbgRow *a = &own->rows[row], *b = &whole->rows[row];
      if (fabs(a->time - b->time) > 1e-7 * whole->options.stop || a->eps != b->eps || a->n != b->n || a->kind != b->kind)
        fail_msg("row %d at %.17g s in sets, at %.17g s as a whole: %s", row, a->time, b->time, text);
      if (!(fabs(own->values[row][column] - whole->values[row][column]) <= 1e-6 * most))
        fail_msg("row %d at %g s, column %d: %.17g in sets, %.17g as a whole: %s", row, a->time, column, own->values[row][column],
                 whole->values[row][column], text);
    }
  }
}

static HbgModel *load(const char *text) {
  HbgModel *model = NULL;
  if (hbg_model_load(text, strlen(text), NULL, &model) != HBG_OK) fail_msg("%s: %s", hbg_model_diagnostic(model, 0), text);
  return model;
}

typedef struct Met {
  int32_t coupled_rows, most_sets, events;
} Met;

/* Runs a model in both ways, and answers what has been met in sets. */
static Met compare(const char *text, double stop, bool shows_variables) {
  HbgModel *model = load(text);
  Course own = course(model, stop, IN_SETS, shows_variables), whole = course(model, stop, AS_A_WHOLE, shows_variables);
  check_same(&own, &whole, text);
  const Met met = {own.coupled_rows, own.most_sets, (int32_t)hbg_sim_statistics(own.sim).events};
  end(&own);
  end(&whole);
  hbg_model_free(model);
  return met;
}

/* ---- models ---- */

static const char belt[] =
    "model Belt(N = 6) {\n param V = 0.5\n"
    " for i in 1..N { 1 v[i]; I block[i](1) start f = V; v[i] -> block[i]; C spring[i](1) start q = 0.2*sin(1.7*i); v[i] -> spring[i]\n"
    "  0 grip[i] by Stick(S[i], slip[i]); Sf ride[i](V); v[i] -> grip[i] -> ride[i]\n"
    "  Se friction[i](if grip[i] in ahead then -1 else if grip[i] in behind then 1 else 0); friction[i] -> v[i]\n"
    "  signal slip[i] = v[i].f - V, S[i] = -spring[i].e + pull[i] }\n"
    " for i in 1..N-1 { 0 f[i]; C spread[i](2); v[i] -> f[i] -> v[i+1]; f[i] -> spread[i] }\n"
    " signal pull[1] = -spread[1].e, pull[N] = spread[N-1].e\n for i in 2..N-1 { signal pull[i] = spread[i-1].e - spread[i].e }\n"
    " machine Stick(S, slip) { on stuck initial; off ahead; off behind\n"
    "  stuck -> ahead when S > 1.5; stuck -> behind when S < -1.5\n"
    "  ahead -> stuck when slip < 0 and S >= -1.5; ahead -> behind when slip < 0 and S < -1.5\n"
    "  behind -> stuck when slip > 0 and S <= 1.5; behind -> ahead when slip > 0 and S > 1.5 }\n stop 40\n}";

static void blocks_between_blocks_that_stick_are_sets_of_their_own(void **state) {
  (void)state;
  const Met met = compare(belt, 40, false);
  assert_true(met.events > 30);
  assert_true(met.coupled_rows > met.events);
  assert_true(met.most_sets > 6);
}

static void efforts_and_flows_are_shown_as_they_are(void **state) {
  (void)state;
  assert_true(compare(belt, 15, true).coupled_rows > 0);
}

/* Blocks on a belt that neither machines nor rows can tell apart from their mirror image. */
static void what_happens_on_both_sides_at_once_is_one_instant(void **state) {
  (void)state;
  char mirrored[sizeof belt + 64];
  const char *from = strstr(belt, "0.2*sin(1.7*i)");
  const int before = (int)(from - belt);
  snprintf(mirrored, sizeof mirrored, "%.*s%s%s", before, belt, "0.1*(2*i - N - 1)^2*0.2", from + strlen("0.2*sin(1.7*i)"));
  const Met met = compare(mirrored, 40, false);
  assert_true(met.events > 10);
  assert_true(met.coupled_rows > met.events);
}

/* Friction without a breakaway force: a block that is as fast as the belt slides on the surface between both directions. */
static void machines_slide_where_sets_had_clocks_of_their_own(void **state) {
  (void)state;
  const char text[] =
      "model Belt(N = 4) {\n param V = 0.5\n"
      " for i in 1..N { 1 v[i]; I block[i](1) start f = 0.1*i; v[i] -> block[i]; C spring[i](1) start q = 0.2*sin(1.7*i)\n"
      "  v[i] -> spring[i]; Se friction[i](if way[i] in ahead then -1 else 1); friction[i] -> v[i]; machine way[i] = Way(v[i].f - V) }\n"
      " for i in 1..N-1 { 0 f[i]; C spread[i](2); v[i] -> f[i] -> v[i+1]; f[i] -> spread[i] }\n"
      " machine Way(slip) { off behind initial; off ahead; behind -> ahead when slip > 0; ahead -> behind when slip < 0 }\n stop 20\n}";
  assert_true(compare(text, 20, false).events > 3);
}

static int32_t count_rows_in_sets(const char *text, double stop) {
  HbgModel *model = load(text);
  Course own = course(model, stop, AS_IS_BEST, false);
  assert_int_equal(own.end, HBG_END);
  const int32_t count = own.coupled_rows;
  assert_true(count < own.count);
  end(&own);
  hbg_model_free(model);
  return count;
}

static void what_is_one_set_goes_on_as_a_whole(void **state) {
  (void)state;
  const char text[] = "model Chain(N = 30) {\n for i in 1..N { 1 v[i]; I m[i](1) start f = sin(i); v[i] -> m[i]; R b[i](0.01); v[i] -> b[i] }\n"
                      " for i in 1..N-1 { 0 n[i]; C k[i](1); v[i] -> n[i] -> v[i+1]; n[i] -> k[i] }\n"
                      " 0 brake by B(v[1].f); R r(3); v[1] -> brake -> r\n"
                      " machine B(f) { on open initial; off closed; open -> closed when f > 0.9 }\n stop 20\n}";
  assert_int_equal(count_rows_in_sets(text, 20), 0);
}

static void sets_that_are_quicker_than_all_that_happens_are_given_up(void **state) {
  (void)state;
  // two stiff chains, and nothing happens: series of so many terms would cost more than steps
  const char text[] = "model Chains(N = 15) {\n for i in 1..N { 1 v[i], w[i]; I m[i](1) start f = sin(i), l[i](1); v[i] -> m[i]; w[i] -> l[i] }\n"
                      " for i in 1..N-1 { 0 n[i], o[i]; C s[i](1e-7), t[i](1e-7); v[i] -> n[i] -> v[i+1]; n[i] -> s[i]; w[i] -> o[i] -> w[i+1]; o[i] -> t[i] }\n"
                      " 0 brake by B(v[1].f); R r(3); v[1] -> brake -> r\n"
                      " machine B(f) { off open initial; on closed; open -> closed when f > 900 }\n stop 6\n}";
  assert_true(count_rows_in_sets(text, 6) > 0);
}

/* ---- random chains ---- */

static long read_number(const char *name, long otherwise) {
  const char *text = getenv(name);
  return text && *text ? strtol(text, NULL, 10) : otherwise;
}

static const char machines[] =
    " machine Stick(S, slip) { on stuck initial; off ahead; off behind\n"
    "  stuck -> ahead when S > 0.6; stuck -> behind when S < -0.6\n"
    "  ahead -> stuck when slip < 0 and S >= -0.6; ahead -> behind when slip < 0 and S < -0.6\n"
    "  behind -> stuck when slip > 0 and S <= 0.6; behind -> ahead when slip > 0 and S > 0.6 }\n"
    " machine Above(x, y) { off below initial; on above; below -> above when x > y + 0.15; above -> below when x < y + 0.05 }\n"
    " machine Fuse(x) { on whole initial; off blown; whole -> blown when x > 0.4 or x < -0.4 }\n"
    " machine Clock(a, b) { on closed initial; off open; closed -> open when time >= a and time < b; open -> closed when time >= b }\n"
    " machine Wall(x) { off free initial; on hit; free -> hit when x > 0.3; hit -> free when x < 0.25 }\n";

static void add(HbgText *text, const char *format, int i, double a, double b) {
  for (const char *at = format; *at; at++) {
    if (*at == '#') hbg_text_add(text, "%d", i);
    else if (*at == '@') hbg_text_add(text, "%.6g", a);
    else if (*at == '~') hbg_text_add(text, "%.6g", b);
    else hbg_text_add(text, "%c", *at);
  }
}

/* A mass of a chain, with what is on it. */
static void write_mass(HbgText *text, Random *random, int i) {
  add(text, " 1 v#; I m#(@) start p = ~; v# -> m#\n", i, 0.5 + random_real(random), random_real(random) - 0.5);
  const double a = 0.3 + random_real(random), b = random_real(random) - 0.5;
  switch (random_below(random, 7)) {
    case 0: add(text, " C s#(@) start q = ~; v# -> s#; R d#(0.1); v# -> d#\n", i, a, b); break;
    case 1: add(text, " R d#(@); v# -> d#\n", i, a, b); break;
    case 2:
      add(text, " C s#(@) start q = ~; v# -> s#; 0 g# by Stick(k#.e - s#.e, v#.f - 0.3); Sf ride#(0.3); v# -> g# -> ride#\n"
                " Se fr#(if g# in ahead then -0.4 else if g# in behind then 0.4 else 0); fr# -> v#\n", i, a, b);
      break;
    case 3: add(text, " 1 w# by Wall(m#.f); Se stop#(-1); 0 c#; v# -> c#; C s#(@); c# -> s#; stop# -> w#; R rw#(1); w# -> rw#\n", i, a, b); break;
    case 4: add(text, " C s#(@) start q = ~; v# -> s#; 0 b# by Clock(@, 1.2); R r#(~ + 1); v# -> b# -> r#\n", i, a, b); break;
    case 5: add(text, " Se weight#(~); weight# -> v#; C s#(@); v# -> s#\n", i, a, b); break;
    default: break;
  }
}

/* What is between mass i and the next one. */
static void write_spring(HbgText *text, Random *random, int i, bool is_last) {
  add(text, " 0 n#; C k#(@) start q = ~; v# -> n# -> k#\n", i, 0.5 + random_real(random), 0.4 * random_real(random) - 0.2);
  if (!is_last) hbg_text_add(text, " n%d -> v%d\n", i, i + 1);
  const double a = 0.2 + random_real(random);
  switch (random_below(random, 5)) {
    case 0: add(text, " 1 f# by Fuse(k#.e); R q#(@); n# -> f# -> q#\n", i, a, 0); break;
    case 1: add(text, " 1 l# by Above(k#.e, ~); R q#(@); n# -> l# -> q#\n", i, a, 0.1); break;
    case 2: add(text, " R q#(@); n# -> q#\n", i, a, 0); break;
    default: break;
  }
}

static void write_chain(HbgText *text, Random *random) {
  const int count = 2 + random_below(random, 7);
  hbg_text_add(text, "model Chain {\n%s", machines);
  for (int i = 1; i <= count; i++) {
    write_mass(text, random, i);
    write_spring(text, random, i, i == count);
  }
  hbg_text_add(text, " stop 6\n}");
}

static void chains_in_which_much_switches_do_the_same_in_sets(void **state) {
  (void)state;
  const long first = read_number("HYBRSIM_SEED", 1), count = read_number("HYBRSIM_GRAPHS", 60);
  int32_t in_sets = 0, events = 0;
  for (long seed = first; seed < first + count; seed++) {
    Random random = {(uint64_t)seed};
    HbgArena arena = hbg_arena((HbgAllocator){0});
    HbgText text = hbg_text(&arena);
    write_chain(&text, &random);
    const Met met = compare(text.bytes, 6, random_chance(&random, 0.3));
    in_sets += met.coupled_rows > 0;
    events += met.events;
    hbg_arena_release_all(&arena);
  }
  if (count > 20) assert_true(in_sets > count / 2 && events > count); // or it would say nothing
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_between_blocks_that_stick_are_sets_of_their_own),
      cmocka_unit_test(efforts_and_flows_are_shown_as_they_are),
      cmocka_unit_test(what_happens_on_both_sides_at_once_is_one_instant),
      cmocka_unit_test(machines_slide_where_sets_had_clocks_of_their_own),
      cmocka_unit_test(what_is_one_set_goes_on_as_a_whole),
      cmocka_unit_test(sets_that_are_quicker_than_all_that_happens_are_given_up),
      cmocka_unit_test(chains_in_which_much_switches_do_the_same_in_sets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
