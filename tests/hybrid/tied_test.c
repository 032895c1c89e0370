/* SPDX-License-Identifier: BSD-3-Clause
 * Tens and hundreds of storages that depend on each other: their equations have few terms each, whose sparse matrices are solved instead of full ones.
 * Against closed forms: what is tied moves as one storage of the sum of all. */
#include "support/ride.h"
#include "support/simulated.h"

/* N capacitors that one switch each connects to one rail, at one instant, behind a resistance. */
static const char *rail(HbgArena *arena, int count, const char *start) {
  return hbg_print(arena,
                   "model Rail(N = %d) { Se source(10); 1 feed; R wire(0.5); 0 rail; source -> feed -> rail; feed -> wire\n"
                   " for i in 1..N { 1 b[i] by Switch(1); C c[i](0.01*(1 + 0.5*sin(i)))  start e = %s\n  rail -> b[i] -> c[i] }\n"
                   " machine Switch(T) { off open initial; on closed; open -> closed after T }\n stop 3\n}",
                   count, start);
}

/* The sums over all of the capacity, and of what it holds at first. */
typedef struct Sums {
  double capacity, charge;
} Sums;

static double capacity_of(int i) { return 0.01 * (1 + 0.5 * sin(i)); }
static double voltage_of(int i) { return 4 * cos(3 * i) + 1; }

static Sums sums_of(int count) {
  Sums sums = {0};
  for (int i = 1; i <= count; i++) {
    sums.capacity += capacity_of(i);
    sums.charge += capacity_of(i) * voltage_of(i);
  }
  return sums;
}

/* Behind the instant at which all switches close: charge stays, and the voltage is the same everywhere. Then all charge as one. */
static void check_rail(int count) {
  HbgArena arena = hbg_arena((HbgAllocator){0});
  const Sums sums = sums_of(count);
  HbgRunOptions options = hbg_run_options();
  options.interval = 0.1;
  options.tolerance = 1e-9;
  Simulated run = simulated(rail(&arena, count, "4*cos(3*i) + 1"), hbg_print(&arena, "c[1].e; c[%d].e; c[%d].f; rail.e", count, count / 2), &options);
  const double shared = sums.charge / sums.capacity, constant = 0.5 * sums.capacity;
  int seen = 0;
  for (int at = simulated_row_at(&run, 1); at < run.row_count; at++, seen++) {
    const double *values = run.rows[at].values, voltage = 10 + (shared - 10) * exp(-(run.rows[at].row.time - 1) / constant);
    CHECK_CLOSE(values[0], voltage, 1e-8);
    CHECK_NEAR(values[1], values[0], 1e-14 * count); // they stay equal to the last digits
    CHECK_NEAR(values[2], capacity_of(count / 2) * (10 - voltage) / constant, 1e-8);
    CHECK_NEAR(values[3], values[0], 1e-14 * count);
  }
  assert_true(seen > 10);
  simulated_end(&run);
  hbg_arena_release_all(&arena);
}

static void capacitors_that_are_connected_charge_as_one(void **state) {
  (void)state;
  const int counts[] = {5, 30, 70, 300};
  for (size_t at = 0; at < sizeof counts / sizeof *counts; at++) check_rail(counts[at]);
}

/* N wheels that turn in oil, geared to one shaft each by its own ratio, and the shafts one behind the other: clutches close one after the other, from both ends. */
#define WHEELS \
    "model Wheels(N = %d) { for i in 1..N { 1 shaft[i], hub[i]; TF gear[i](1 + 0.3*cos(2*i)); I wheel[i](1 + 0.5*sin(i))  start f = sin(5*i)\n" \
    "   shaft[i] -> gear[i] -> hub[i] -> wheel[i] }\n" \
    " for i in 1..N-1 { 0 clutch[i] by Clutch(if i < N/2 then 0.01*i else 0.01*(N - i) + 0.003); shaft[i] -> clutch[i] -> shaft[i+1] }\n" \
    " machine Clutch(T) { off open initial; on closed; open -> closed after T }\n stop 2\n}"

/* A wheel behind a gear turns n times as fast as its shaft, where it is n^2 m and has the impulse n p. */
static double speed_of_all(int count) {
  double inertia = 0, impulse = 0;
  for (int i = 1; i <= count; i++) {
    const double ratio = 1 + 0.3 * cos(2 * i), m = 1 + 0.5 * sin(i);
    inertia += ratio * ratio * m;
    impulse += ratio * m * sin(5 * i);
  }
  return impulse / inertia;
}

static void wheels_whose_clutches_close_turn_as_one(void **state) {
  (void)state;
  const int counts[] = {4, 24, 60, 150};
  for (size_t at = 0; at < sizeof counts / sizeof *counts; at++) {
    HbgArena arena = hbg_arena((HbgAllocator){0});
    HbgRunOptions options = hbg_run_options();
    options.events_only = true;
    Simulated run = simulated(hbg_print(&arena, WHEELS, counts[at]), hbg_print(&arena, "shaft[1].f; shaft[%d].f; wheel[%d].f", counts[at], counts[at] / 2), &options);
    const double *values = run.rows[run.row_count - 1].values, speed = speed_of_all(counts[at]), half = 1 + 0.3 * cos(2 * (counts[at] / 2));
    CHECK_NEAR(values[0], speed, 1e-13);
    CHECK_NEAR(values[1], speed, 1e-13);
    CHECK_NEAR(values[2], half * speed, 1e-13);
    simulated_end(&run);
    hbg_arena_release_all(&arena);
  }
}

/* Behind two ideal switches side by side, nothing tells how a current is shared: it is shared evenly, and called open. */
#define DOUBLE \
    "model Double(N = %d) { Se source(10); 1 feed; R wire(0.5); 0 rail; source -> feed -> rail; feed -> wire\n" \
    " for i in 1..N { 1 one[i] by Switch(1); 1 two[i] by Switch(1); C c[i](0.01*(1 + 0.5*sin(i))); 0 n[i]; rail -> one[i] -> n[i]; rail -> two[i] -> n[i]; n[i] -> c[i] }\n" \
    " machine Switch(T) { off open initial; on closed; open -> closed after T }\n stop 1.05\n}"

static void what_is_open_among_many_is_shared_evenly(void **state) {
  (void)state;
  const int counts[] = {4, 60};
  for (size_t at = 0; at < sizeof counts / sizeof *counts; at++) {
    HbgArena arena = hbg_arena((HbgAllocator){0});
    HbgRunOptions options = hbg_run_options();
    options.interval = 0.01;
    Simulated run = simulated(hbg_print(&arena, DOUBLE, counts[at]), hbg_print(&arena, "one[3].f; two[3].f; c[3].f; c[%d].e", counts[at]), &options);
    const double *values = run.rows[run.row_count - 1].values;
    assert_true(values[2] > 1e-3 && values[3] > 0.1);
    CHECK_CLOSE(values[0], values[2] / 2, 1e-9);
    CHECK_CLOSE(values[1], values[2] / 2, 1e-9);
    simulated_end(&run);
    hbg_arena_release_all(&arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(capacitors_that_are_connected_charge_as_one),
      cmocka_unit_test(wheels_whose_clutches_close_turn_as_one),
      cmocka_unit_test(what_is_open_among_many_is_shared_evenly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
