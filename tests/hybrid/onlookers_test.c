/* SPDX-License-Identifier: BSD-3-Clause
 * Gaps as integrals of relative velocities tie nobody together: they look on. */
#include <math.h>

#include "hybrid/local_parts.h"
#include "support/begun.h"
#include "support/clocks_many.h"

#define CONTACT                                                                                                                      \
  " machine Contact(gap, approach) { off free initial; on touching; free -> touching when gap <= 0 and approach > 0\n"                \
  "  touching -> free when pre(approach) < 0 }\n"

/* Balls of 1 kg, 1 m apart, with velocities sin(7.7 i), between two walls. */
static const char balls[] =
    "model Balls(N = 20) {\n for i in 1..N { 1 v[i]; I m[i](1) start f = sin(7.7*i); v[i] -> m[i] }\n"
    " for i in 1..N-1 { signal gap[i] = integral(v[i+1].f - v[i].f, start = 1); 0 c[i] by Contact(gap[i], v[i].f - v[i+1].f)\n"
    "  Sf r[i](pre(v[i].f - v[i+1].f)); v[i] -> c[i] -> v[i+1]; r[i] -> c[i] }\n"
    " 0 a by Contact(integral(v[1].f, start = 1), -v[1].f); Sf ra(-pre(v[1].f)); a -> v[1]; ra -> a\n"
    " 0 z by Contact(integral(-v[N].f, start = 1), v[N].f); Sf rz(pre(v[N].f)); v[N] -> z; rz -> z\n" CONTACT " stop 30\n}";

static void count_onlookers(const HbgSim *sim, void *user) {
  int32_t *most = user, count = 0;
  for (int32_t state = sim->first_integrator; sim->is_local && state < sim->model->state_count; state++) {
    const HbgRegion *region = hbg_is_onlooker(sim, state) ? sim->local->region_of[state] : NULL;
    if (region && region->count == 1 && !region->island_count && region->guest_count) count++;
  }
  if (count > *most) *most = count;
}

static HbgSimOptions options_of(double stop) {
  return (HbgSimOptions){.stop = stop, .interval = stop / 7, .tolerance = 1e-11, .method = HBG_METHOD_AUTOMATIC, .sliding = true, .zeno_continue = true};
}

/* Where a ball that nobody stops would be between the walls at 0 and `length`. */
static double folded(double x, double length) {
  const double twice = 2 * length, y = x - twice * floor(x / twice);
  return y < length ? y : twice - y;
}

static void sort(double *x, int count) {
  for (int i = 1; i < count; i++)
    for (int j = i; j > 0 && x[j] < x[j - 1]; j--) {
      const double kept = x[j];
      x[j] = x[j - 1];
      x[j - 1] = kept;
    }
}

/* Balls of equal mass exchange their velocities: as if each went through all others. */
static void gaps_in_a_gas_are_those_of_free_flights(void **state) {
  (void)state;
  enum { COUNT = 20 };
  double x[COUNT];
  for (int i = 0; i < COUNT; i++) x[i] = folded(1 + i + 30 * sin(7.7 * (i + 1)), COUNT + 1);
  sort(x, COUNT);
  Ride run;
  int32_t onlookers = 0;
  ride_try(&run, balls, options_of(30), RIDE_TRAJECTORY, count_onlookers, &onlookers);
  assert_int_equal(run.end, HBG_END);
  assert_int_equal(onlookers, COUNT - 1); // none of them is tied to its balls
  const double *last = run.values[run.count - 1];
  int met = 0;
  for (int32_t column = 0; column < run.columns; column++) {
    int i;
    if (sscanf(hbg_sim_column(run.sim, column)->column.name, "gap[%d]", &i) != 1) continue;
    CHECK_NEAR(last[column], x[i] - x[i - 1], 1e-12);
    met++;
  }
  assert_int_equal(met, COUNT - 1);
  ride_end(&run);
}

static void an_integral_that_a_law_reads_is_no_onlooker(void **state) {
  (void)state;
  // a magnet that holds by the gap: its force is of the equations
  char text[2000];
  snprintf(text, sizeof text, "%.*s Se pull[1](-0.01*gap[1]); pull[1] -> v[1]\n stop 30\n}", (int)(strstr(balls, " stop 30") - balls), balls);
  Ride run;
  int32_t onlookers = 0;
  ride_try(&run, text, options_of(3), RIDE_TRAJECTORY, count_onlookers, &onlookers);
  assert_int_equal(run.end, HBG_END);
  assert_true(onlookers < 19);
  ride_end(&run);
}

static void few_bodies_move_with_their_gaps_as_one(void **state) {
  (void)state;
  char text[2000];
  snprintf(text, sizeof text, "model Balls(N = 3)%s", strchr(balls, '{') - 1);
  Ride run;
  int32_t onlookers = 0;
  ride_try(&run, text, options_of(30), RIDE_TRAJECTORY, count_onlookers, &onlookers);
  assert_int_equal(run.end, HBG_END);
  assert_int_equal(onlookers, 0);
  ride_end(&run);
}

/* ---- random chains ---- */

/* A body with a weight, a drag, a spring to the ground, an engine that goes on and off or a force that follows the time or, by way of two integrals, the body before it; or nothing of that. */
static void write_body(HbgText *text, Random *random, int i) {
  const double mass = 0.5 + random_real(random), velocity = 2 * random_real(random) - 1, a = 0.1 + 0.5 * random_real(random), b = 0.2 + random_real(random);
  hbg_text_add(text, " 1 v%d; I m%d(%.6g) start f = %.6g; v%d -> m%d\n", i, i, mass, velocity, i, i);
  switch (random_below(random, 11)) {
    case 5: hbg_text_add(text, " Se w%d(%.6g*sin(%.6g*time)); w%d -> v%d\n", i, a, 1 + 2 * b, i, i); break;
    case 6: hbg_text_add(text, " Se t%d(%.6g - %.6g*time); t%d -> v%d\n", i, 0.3 * a, 0.1 * a, i, i); break;
    case 0: hbg_text_add(text, " Se g%d(%.6g); g%d -> v%d\n", i, a - 0.3, i, i); break;
    case 1: hbg_text_add(text, " R d%d(%.6g); v%d -> d%d\n", i, 0.3 * a, i, i); break;
    case 2: hbg_text_add(text, " C s%d(%.6g); v%d -> s%d\n", i, 2 * b, i, i); break;
    case 3: hbg_text_add(text, " Se e%d(if pulse(%.6g, 0.4, 1.1) > 0.5 then %.6g else -0.1); e%d -> v%d\n", i, a, a, i, i); break;
    case 4: hbg_text_add(text, " machine B%d = Back(v%d.f); Se e%d(if B%d in low then %.6g else %.6g); e%d -> v%d\n", i, i, i, i, a, -b, i, i); break;
    case 7:
      if (i > 1) hbg_text_add(text, " Se far%d(-%.6g*integral(integral(v%d.f))); far%d -> v%d\n", i, 0.3 * a, i - 1, i, i);
      break;
    default: break;
  }
}

/* What happens between body i and the next one: a blow, a latch that holds, a brake that rubs when they are close. Little is lost in blows: where
 * several accumulate at once, runs differ by those that are lower than round-off of the gaps. */
static void write_between(HbgText *text, Random *random, int i) {
  const double gap = 0.3 + random_real(random), a = 0.2 + 0.8 * random_real(random);
  hbg_text_add(text, " signal gap%d = integral(v%d.f - v%d.f, start = %.6g)\n", i, i + 1, i, gap);
  switch (random_below(random, 6)) {
    case 0: hbg_text_add(text, " 0 c%d by Latch(gap%d, v%d.f - v%d.f); v%d -> c%d -> v%d\n", i, i, i, i + 1, i, i, i + 1); break;
    case 1: hbg_text_add(text, " 0 n%d by Near(gap%d); R rub%d(%.6g); v%d -> n%d -> v%d; n%d -> rub%d\n", i, i, i, a, i, i, i + 1, i, i);
    /* fall through */ // a blow as well
    default:
      hbg_text_add(text, " 0 c%d by Contact(gap%d, v%d.f - v%d.f); Sf r%d(%.6g*pre(v%d.f - v%d.f)); v%d -> c%d -> v%d; r%d -> c%d\n", i, i, i, i + 1, i, 0.8 + 0.2 * a, i, i + 1, i, i, i + 1, i, i);
  }
  if (random_chance(random, 0.3))
    hbg_text_add(text, " 1 count%d by Near(gap%d - %.6g); Se idle%d(1); R load%d(1); idle%d -> count%d -> load%d\n", i, i, a, i, i, i, i, i);
}

static void write_chain(HbgText *text, Random *random, long seed) {
  const int count = 7 + random_below(random, 6);
  hbg_text_add(text, "// seed %ld\nmodel Chain {\n%s", seed,
               CONTACT " machine Latch(gap, approach) { off free initial; on held; free -> held when gap <= 0 and approach > 0 }\n"
                       " machine Near(gap) { off far initial; on near; far -> near when gap < 0.2; near -> far when gap > 0.25 }\n"
                       " machine Back(v) { off low initial; off high; low -> high when v > 0.5; high -> low when v < -0.5 }\n");
  for (int i = 1; i <= count; i++) {
    write_body(text, random, i);
    if (i < count) write_between(text, random, i);
  }
  hbg_text_add(text, " Sf piston(0.2*sin(2.1*time)); 1 rod; piston -> rod\n"
                     " 0 left by Contact(integral(v1.f - rod.f, start = 1), rod.f - v1.f); Sf rl(0.9*pre(rod.f - v1.f)); rod -> left -> v1; rl -> left\n"
                     " 0 right by Contact(integral(-v%d.f, start = 1), v%d.f); Sf rr(0.9*pre(v%d.f)); v%d -> right; rr -> right\n stop 6\n}",
               count, count, count, count);
}

static void chains_do_the_same_with_onlookers_and_as_a_whole(void **state) {
  (void)state;
  const ClocksMany many = {write_chain, options_of(6), count_onlookers, "with onlookers"};
  clocks_compare_many(&many, seeds_of(40), 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gaps_in_a_gas_are_those_of_free_flights),
      cmocka_unit_test(an_integral_that_a_law_reads_is_no_onlooker),
      cmocka_unit_test(few_bodies_move_with_their_gaps_as_one),
      cmocka_unit_test(chains_do_the_same_with_onlookers_and_as_a_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
