/* SPDX-License-Identifier: BSD-3-Clause
 * Flows by normal modes: against the flow that any matrix may have, where that is small enough, and against closed forms. */
#include "numerics/flow_root.h"
#include "numerics/random.h"
#include "support/check.h"
#include "support/seeds.h"

static HbgArena arena, scratch;

static int begin(void **state) {
  (void)state;
  arena = hbg_arena((HbgAllocator){0});
  scratch = hbg_arena((HbgAllocator){0});
  return 0;
}

static int end(void **state) {
  (void)state;
  hbg_arena_release_all(&arena);
  hbg_arena_release_all(&scratch);
  return 0;
}

static double draw(long seed, int index) { return hbg_random_uniform((HbgRandomPlace){(uint64_t)seed, 7, (uint64_t)index}); }

/* ---- networks ---- */

enum { MOST = HBG_FLOW_MOST_STATES };

/* Efforts of capacities that resistances connect. */
typedef struct Network {
  int n;
  double capacity[MOST], a[MOST * MOST], b[MOST], x0[MOST];
} Network;

static Network network;

static void conduct(int i, int j, double conductance) {
  const int n = network.n;
  network.a[i * n + i] -= conductance / network.capacity[i];
  network.a[i * n + j] += conductance / network.capacity[i];
  network.a[j * n + j] -= conductance / network.capacity[j];
  network.a[j * n + i] += conductance / network.capacity[j];
}

static void clear(int n) {
  network.n = n;
  for (int i = 0; i < n * n; i++) network.a[i] = 0;
  for (int i = 0; i < n; i++) network.b[i] = 0, network.capacity[i] = 1;
}

/* Capacities over two decades; some networks fall apart, some are connected to the ground, some are not. */
static void make_network(long seed) {
  clear(2 + (int)(22 * draw(seed, 0)));
  const int n = network.n;
  for (int i = 0; i < n; i++) {
    network.capacity[i] = pow(10, 2 * draw(seed, 1 + i));
    network.x0[i] = 2 * draw(seed, 100 + i) - 1;
  }
  conduct(0, 1, 1); // something moves
  for (int link = 0; link < 2 * n; link++) {
    const int i = (int)(n * draw(seed, 200 + 3 * link)), j = (int)(n * draw(seed, 201 + 3 * link));
    if (i != j) conduct(i, j, pow(10, 2 * draw(seed, 202 + 3 * link)));
  }
  for (int i = 0; i < n; i++) {
    if (seed % 3 && draw(seed, 400 + i) < 0.3) network.a[i * n + i] -= draw(seed, 500 + i) / network.capacity[i];
    if (draw(seed, 600 + i) < 0.4) network.b[i] = draw(seed, 700 + i);
  }
}

static double largest(int n, const double *x) {
  double size = 1;
  for (int i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
  return size;
}

static HbgFlow *normal_flow(void) {
  HbgNormalModes *modes = hbg_normal_modes(&arena, network.n, network.a, &scratch);
  if (!modes) fail_msg("%d states have no normal modes", network.n);
  HbgFlow *flow = hbg_flow_normal(&arena, modes, network.b);
  assert_non_null(flow);
  return flow;
}

static void random_networks_flow_as_they_do_by_any_matrix(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(300);
  int compared = 0;
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    const HbgArenaMark mark = hbg_arena_mark(&arena);
    make_network(seed);
    const int n = network.n;
    HbgFlow *flow = normal_flow(), *other = hbg_flow(&arena, n, network.a, network.b);
    for (double h = 1000; other && h > 1e-7; h /= 7) {
      double x[MOST], second[MOST];
      hbg_flow_go(flow, network.x0, h, x);
      hbg_flow_go(other, network.x0, h, second);
      const double round_off = 1e-15 * (hbg_flow_amplifies(flow, h) + 1000);
      for (int i = 0; i < n; i++)
        if (!(fabs(x[i] - second[i]) <= round_off * largest(n, second))) fail_msg("seed %ld, h %g: state %d is %.17g, not %.17g", seed, h, i, x[i], second[i]);
      compared++;
    }
    hbg_arena_rewind(&arena, mark);
  }
  assert_true(compared > 8 * seeds.count);
}

/* ---- closed forms ---- */

/* A rod with its ends at 0, N pieces: sin(k pi i / (N + 1)) decays with 4 (N + 1)^2 sin^2(k pi / (2 (N + 1))). */
static double decay(int n, int k) {
  const double half = sin(k * 3.14159265358979323846 / (2 * (n + 1)));
  return 4. * (n + 1) * (n + 1) * half * half;
}

static double shape(int n, int k, int i) { return sin(k * 3.14159265358979323846 * (i + 1) / (n + 1)); }

static void make_rod(int n) {
  clear(n);
  for (int i = 0; i + 1 < n; i++) conduct(i, i + 1, (n + 1.) * (n + 1));
  network.a[0] -= (n + 1.) * (n + 1);
  network.a[n * n - 1] -= (n + 1.) * (n + 1);
}

static void a_long_rod_cools_by_the_modes_of_its_closed_form(void **state) {
  (void)state;
  for (int n = 30; n <= MOST; n += n < 200 ? 85 : 141) {
    make_rod(n);
    HbgFlow *flow = normal_flow();
    for (int i = 0; i < n; i++) network.x0[i] = shape(n, 1, i) + 0.5 * shape(n, 3, i);
    for (double h = 1e-6; h < 2; h *= 10) {
      double x[MOST];
      hbg_flow_go(flow, network.x0, h, x);
      for (int i = 0; i < n; i++) CHECK_NEAR(x[i], exp(-decay(n, 1) * h) * shape(n, 1, i) + 0.5 * exp(-decay(n, 3) * h) * shape(n, 3, i), 1e-11);
    }
  }
}

/* What nothing leaves is shared in the end by how much each holds, and what flows in for ever adds up. */
static void what_is_closed_keeps_what_it_holds_and_what_flows_in(void **state) {
  (void)state;
  enum { N = 100 };
  clear(N);
  double held = 0, room = 0;
  for (int i = 0; i < N; i++) {
    network.capacity[i] = 1 + i % 7;
    network.x0[i] = i % 5;
    held += network.capacity[i] * network.x0[i];
    room += network.capacity[i];
  }
  for (int i = 0; i + 1 < N; i++) conduct(i, i + 1, 1 + i % 3);
  network.b[3] = 2 / network.capacity[3];
  HbgFlow *flow = normal_flow();
  for (double h = 0.01; h < 1e7; h *= 100) {
    double x[N], sum = 0;
    hbg_flow_go(flow, network.x0, h, x);
    for (int i = 0; i < N; i++) sum += network.capacity[i] * x[i];
    CHECK_CLOSE(sum, held + 2 * h, 1e-11);
    if (h > 1e5) CHECK_CLOSE(x[N - 1], (held + 2 * h) / room, 0.1);
  }
}

/* ---- guards ---- */

static HbgFlowAnswer ask(const HbgFlow *flow, const double *w, const HbgFlowQuestion *question, double *t) {
  return hbg_flow_first_root(hbg_flow_guard(&arena, flow, w), network.x0, question, t);
}

static void random_guards_turn_when_they_do_by_any_matrix(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(600);
  int crossed = 0;
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    const HbgArenaMark mark = hbg_arena_mark(&arena);
    make_network(seed);
    const int n = network.n;
    HbgFlow *flow = normal_flow(), *other = hbg_flow(&arena, n, network.a, network.b);
    for (int which = 0; other && which < 6; which++) {
      double w[MOST] = {0}, t, second;
      for (int i = 0; i < n; i++)
        if (which < 2 ? i == (int)(n * draw(seed, 800 + which)) : draw(seed, 900 + which * n + i) < 0.3) w[i] = which < 2 ? 1 : 2 * draw(seed, 2000 + which * n + i) - 1;
      const HbgFlowQuestion question = {.constant = which % 2 ? 0.6 * draw(seed, 3000 + which) - 0.3 : 0, .slope = which == 5 ? 0.01 : 0, .from = which == 4 ? 0.3 : 0, .to = which == 3 ? (double)INFINITY : 50, .sense = which % 3 ? 1 : -1};
      if (question.to > 50 && question.constant == 0) continue; // what comes to nothing for ever is known to round-off only
      const HbgFlowAnswer answer = ask(flow, w, &question, &t), expected = ask(other, w, &question, &second);
      if (answer == HBG_FLOW_LATER || expected == HBG_FLOW_LATER) continue; // nothing yet
      if (answer != expected) fail_msg("seed %ld, guard %d: %d at %.17g, not %d at %.17g", seed, which, (int)answer, t, (int)expected, second);
      if (answer != HBG_FLOW_CROSSES) continue;
      if (!(fabs(t - second) <= 1e-9 * second + 1e-15)) fail_msg("seed %ld, guard %d: at %.17g, not %.17g", seed, which, t, second);
      crossed++;
    }
    hbg_arena_rewind(&arena, mark);
  }
  assert_true(crossed > seeds.count);
}

/* The middle of a rod falls below half of what it was when its first mode has. */
static void the_middle_of_a_rod_turns_in_closed_form(void **state) {
  (void)state;
  for (int n = 51; n <= MOST; n += 102) {
    make_rod(n);
    for (int i = 0; i < n; i++) network.x0[i] = shape(n, 1, i);
    double w[MOST] = {0}, t;
    w[n / 2] = 1;
    const HbgFlowQuestion question = {.constant = -0.5, .to = (double)INFINITY, .sense = -1};
    assert_int_equal(ask(normal_flow(), w, &question, &t), HBG_FLOW_CROSSES);
    CHECK_CLOSE(t, log(2) / decay(n, 1), 1e-11);
  }
}

static void what_has_come_to_rest_rests_and_what_mirrors_does_not_cross(void **state) {
  (void)state;
  enum { N = 64 };
  make_rod(N);
  double w[N] = {0}, t;
  w[10] = 1;
  for (int i = 0; i < N; i++) network.x0[i] = 0;
  const HbgFlow *flow = normal_flow();
  const HbgFlowQuestion question = {.to = (double)INFINITY, .sense = 1};
  assert_true(hbg_flow_rests(hbg_flow_guard(&arena, flow, w), network.x0, &question));
  for (int i = 0; i < N; i++) network.x0[i] = shape(N, 1, i) + 0.3 * shape(N, 5, i);
  assert_false(hbg_flow_rests(hbg_flow_guard(&arena, flow, w), network.x0, &question));
  w[N - 1 - 10] = -1; // one side is the other's mirror
  assert_true(hbg_flow_rests(hbg_flow_guard(&arena, flow, w), network.x0, &(HbgFlowQuestion){.to = 1, .sense = 1, .zero = 1e-14}));
  assert_int_equal(ask(flow, w, &question, &t), HBG_FLOW_NEVER);
}

/* ---- what has none ---- */

static void what_swings_or_gives_without_taking_has_no_normal_modes(void **state) {
  (void)state;
  assert_null(hbg_normal_modes(&arena, 2, (double[]){0, 1, -1, -0.1}, &scratch));
  assert_null(hbg_normal_modes(&arena, 2, (double[]){-1, 1, 0, -1}, &scratch));
  // round a ring of three, each way by itself could be measured the same
  assert_null(hbg_normal_modes(&arena, 3, (double[]){-3, 1, 2, 2, -3, 1, 1, 2, -3}, &scratch));
  assert_null(hbg_normal_modes(&arena, 2, (double[]){-1, (double)NAN, 1, -1}, &scratch));
  assert_null(hbg_normal_modes(&arena, 2, (double[]){0, 0, 0, 0}, &scratch)); // nothing moves
  clear(2);
  conduct(0, 1, 1);
  network.b[0] = (double)INFINITY;
  assert_null(hbg_flow_normal(&arena, hbg_normal_modes(&arena, 2, network.a, &scratch), network.b));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_networks_flow_as_they_do_by_any_matrix),
      cmocka_unit_test(a_long_rod_cools_by_the_modes_of_its_closed_form),
      cmocka_unit_test(what_is_closed_keeps_what_it_holds_and_what_flows_in),
      cmocka_unit_test(random_guards_turn_when_they_do_by_any_matrix),
      cmocka_unit_test(the_middle_of_a_rod_turns_in_closed_form),
      cmocka_unit_test(what_has_come_to_rest_rests_and_what_mirrors_does_not_cross),
      cmocka_unit_test(what_swings_or_gives_without_taking_has_no_normal_modes),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
