/* SPDX-License-Identifier: BSD-3-Clause
 * Clocks that tick where regions have clocks of their own: what a tick reads, whom it concerns, and that nobody else notices. */
#include "hybrid/local_parts.h"
#include "support/begun.h"
#include "support/ride.h"
#include "support/simulated.h"

/* Two vessels that empty by themselves, c[i].e = exp(-t/2), the second one's from 2 on. */
#define VESSELS                                                                                                    \
  " for i in 1..2 { 0 n[i]; C c[i](1) start e = i; R r[i](2); n[i] -> c[i]; n[i] -> r[i] }\n clock slow = every(0.5)\n" \
  " Se on(1); 1 k by Full(c[2].e); R q(1); on -> k -> q; machine Full(x) { off no initial; on yes; no -> yes when x < -1 }\n"

enum { STOP = 4 };

/* What is computed at the tick at hand for the variable that is declared as number `which` of those that are new. */
static double fresh_value(const HbgSim *sim, int32_t which) {
  assert_true(which < sim->clocks.fresh_count);
  return sim->clocks.fresh[which].value;
}

/* The tick after the one at the beginning. */
static void compute_second_tick(HbgSim *sim) {
  assert_true(sim->is_local);
  CHECK_NEAR(hbg_queue_time(&sim->local->queue, hbg_local_clock_entry(sim)), 0.5, 0);
  sim->time = 0.5;
  assert_true(hbg_local_compute_clocks(sim));
}

static void in_a_run(const char *statements, HbgStatus (*act)(void *)) {
  char text[4000];
  snprintf(text, sizeof text, "model Vessels {\n" VESSELS " %s\n stop 4\n}", statements);
  Begun run;
  begun(&run, text, STOP);
  begun_do(&run, act, run.sim);
  begun_end(&run);
}

static const HbgRegion *region_of(const HbgSim *sim, const char *state) { return sim->local->region_of[begun_state(sim, state)]; }

/* ---- what is read ---- */

static HbgStatus check_that_only_the_first_is_read(void *user) {
  HbgSim *sim = user;
  compute_second_tick(sim);
  CHECK_CLOSE(fresh_value(sim, 0), exp(-0.25), 1e-14);
  CHECK_NEAR(region_of(sim, "c[1].q")->synced, 0.5, 0);
  assert_false(region_of(sim, "c[2].q")->synced >= 0.5);
  return HBG_OK;
}

static void a_tick_brings_what_it_reads_and_nothing_else(void **state) {
  (void)state;
  in_a_run("signal level = integral(1), seen = sample(c[1].e, slow)", check_that_only_the_first_is_read);
  in_a_run("signal level = integral(1), seen = sample(2*r[1].f, slow)", check_that_only_the_first_is_read);
}

static HbgStatus check_integral(void *user) {
  HbgSim *sim = user;
  compute_second_tick(sim);
  CHECK_CLOSE(fresh_value(sim, 0), 2 - 2 * exp(-0.25), 1e-13);
  return HBG_OK;
}

static void a_tick_reads_integrals_of_signals(void **state) {
  (void)state;
  in_a_run("signal loss = integral(2*r[1].f), seen = sample(loss, slow)", check_integral);
}

static HbgStatus check_source(void *user) {
  HbgSim *sim = user;
  compute_second_tick(sim);
  CHECK_CLOSE(fresh_value(sim, 0), 3 * exp(-0.25), 1e-13);
  CHECK_CLOSE(fresh_value(sim, 1), 7, 0);
  return HBG_OK;
}

/* Sources that several islands read hang by themselves. */
static void a_tick_reads_what_hangs(void **state) {
  (void)state;
  in_a_run("Se u(3*c[1].e), g(7); 0 rail, main; u -> rail; g -> main\n"
           " for i in 1..3 { 1 a[i], b[i]; R ra[i](1), rb[i](1); C ca[i](i), cb[i](i); rail -> a[i]; main -> b[i]; a[i] -> ra[i]; a[i] -> ca[i]; b[i] -> rb[i]; b[i] -> cb[i] }\n"
           " signal seen = sample(u.e, slow), given = sample(g.e, slow)",
           check_source);
}

/* ---- whom it concerns ---- */

static HbgStatus check_that_nobody_is_concerned(void *user) {
  HbgSim *sim = user;
  compute_second_tick(sim);
  assert_false(hbg_local_clocks_change_equations(sim));
  return HBG_OK;
}

static HbgStatus check_that_equations_are_concerned(void *user) {
  HbgSim *sim = user;
  compute_second_tick(sim);
  assert_true(hbg_local_clocks_change_equations(sim));
  return HBG_OK;
}

static void laws_and_integrators_are_concerned_by_what_they_read(void **state) {
  (void)state;
  in_a_run("signal seen = sample(c[1].e, slow); Se u(seen); 1 w; I m(1); u -> w -> m", check_that_equations_are_concerned);
  in_a_run("signal seen = sample(c[1].e, slow), sum = integral(seen)", check_that_equations_are_concerned);
}

static void neither_are_where_nothing_is_new_or_only_guards_read_it(void **state) {
  (void)state;
  in_a_run("signal seen = sample(if c[1].e > 0.5 then 1 else 0, slow); Se u(seen); 1 w; I m(1); u -> w -> m", check_that_nobody_is_concerned);
  in_a_run("signal seen = sample(c[1].e, slow); Se u(1); 1 w by W(seen); I m(1); u -> w -> m; machine W(x) { on a initial; off b; a -> b when x < 0.1 }",
           check_that_nobody_is_concerned);
}

/* ---- ticks that nobody feels ---- */

static HbgStatus tick_unfelt(void *user) {
  HbgSim *sim = user;
  const int32_t rows = sim->queue_count;
  const int64_t events = sim->statistics.events;
  compute_second_tick(sim);
  const int32_t seen = sim->clocks.fresh[0].variable;
  assert_int_equal(hbg_local_tick(sim), HBG_OK);
  CHECK_CLOSE(sim->now.discrete[seen], exp(-0.25), 1e-14);
  CHECK_NEAR(sim->before.discrete[seen], sim->now.discrete[seen], 0);
  CHECK_NEAR(hbg_queue_time(&sim->local->queue, hbg_local_clock_entry(sim)), 1, 0);
  CHECK_NEAR(region_of(sim, "c[1].q")->origin, 0, 0); // it has not started anew
  assert_int_equal(sim->queue_count, rows);
  assert_int_equal(sim->statistics.events, events);
  return HBG_OK;
}

static void a_tick_that_nobody_feels_is_no_event_and_has_no_row(void **state) {
  (void)state;
  in_a_run("signal seen = sample(c[1].e, slow)", tick_unfelt);
}

static void begin(Ride *ride, const char *statements, double interval) {
  char text[4000];
  snprintf(text, sizeof text, "model Vessels {\n" VESSELS " %s\n stop 4\n}", statements);
  ride_begin(ride, text, (HbgSimOptions){.stop = STOP, .interval = interval, .tolerance = 1e-10, .method = HBG_METHOD_AUTOMATIC, .sliding = true},
             RIDE_TRAJECTORY | RIDE_EVENTS);
  assert_true(ride->was_local);
}

/* Where a column of that name stands. */
static int32_t column_named(const Ride *ride, const char *name) {
  for (int32_t column = 0; column < ride->columns; column++)
    if (!strcmp(hbg_sim_column(ride->sim, column)->column.name, name)) return column;
  fail_msg("no column %s", name);
  return -1;
}

/* A clock that is slower than rows are: each of its ticks is seen, from both sides. */
static void ticks_of_slow_clocks_are_shown_with_the_old_value_and_the_new_one(void **state) {
  (void)state;
  Ride ride;
  begin(&ride, "signal seen = sample(c[1].e, slow)", 0.3);
  int before = 0, behind = 0;
  const int32_t seen = column_named(&ride, "seen");
  for (int32_t at = 0; at < ride.count; at++) {
    const HbgRow *row = &ride.rows[at];
    const double k = floor(2 * row->time + 1e-9);
    const bool is_before = row->kind == HBG_ROW_BEFORE;
    const double expected = row->time > 0 || !is_before ? exp(-0.25 * (is_before ? k - 1 : k)) : ride.values[at][seen];
    CHECK_NEAR(ride.values[at][seen], expected, 1e-13);
    if (row->time <= 0) continue;
    before += is_before;
    behind += !strcmp(row->cause, "tick");
  }
  assert_int_equal(before, 8);
  assert_int_equal(behind, 8);
  ride_end(&ride);
}

/* ---- ticks that machines feel ---- */

/* c[1].e is below 1/2 from 2 log 2 = 1.39 s on, which is seen at 1.5 s. */
static void a_machine_fires_at_the_tick_that_shows_it_why(void **state) {
  (void)state;
  Ride ride;
  begin(&ride, "signal seen = sample(c[1].e, slow); Se u(1); 1 w by W(seen); R rw(1); u -> w -> rw; machine W(x) { on a initial; off b; a -> b when x < 0.5 }", STOP);
  int fired = 0;
  for (int32_t at = 0; at < ride.count; at++) {
    if (!ride.rows[at].is_event) continue;
    CHECK_NEAR(ride.rows[at].time, 1.5, 0);
    fired++;
  }
  assert_true(fired > 0);
  assert_int_equal(hbg_sim_statistics(ride.sim).events, 1);
  ride_end(&ride);
}

/* x = t reaches 2.75 - floor(t)/4 at 2.25; a mass that nothing moves is asked first, though it stands second. */
static void a_clock_moves_the_limit_of_the_difference_that_reads_it(void **state) {
  (void)state;
  Simulated run = simulated_events(
      "model Limited {\n 1 v; I m(1) start f = 2; v -> m\n signal x = integral(1), limit = 2.75 - 0.25*sample(x, every(1))\n"
      " Se s(1); 1 gate by Over(x, limit, m.f); R r(1); s -> gate -> r\n"
      " machine Over(x, limit, f) { off no initial; on yes; no -> yes when x > limit and f > 1 }\n stop 4\n}");
  assert_int_equal(simulated_instants(&run), 1);
  CHECK_NEAR(simulated_instant(&run, 0), 2.25, 1e-14);
  simulated_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_tick_brings_what_it_reads_and_nothing_else),
      cmocka_unit_test(a_tick_reads_integrals_of_signals),
      cmocka_unit_test(a_tick_reads_what_hangs),
      cmocka_unit_test(laws_and_integrators_are_concerned_by_what_they_read),
      cmocka_unit_test(neither_are_where_nothing_is_new_or_only_guards_read_it),
      cmocka_unit_test(a_tick_that_nobody_feels_is_no_event_and_has_no_row),
      cmocka_unit_test(ticks_of_slow_clocks_are_shown_with_the_old_value_and_the_new_one),
      cmocka_unit_test(a_machine_fires_at_the_tick_that_shows_it_why),
      cmocka_unit_test(a_clock_moves_the_limit_of_the_difference_that_reads_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
