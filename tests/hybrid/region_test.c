/* SPDX-License-Identifier: BSD-3-Clause
 * Regions: what belongs together, which kind of motion each has, and that A and b are the rates of the whole; how states move, against
 * matrix exponentials. */
#include "hybrid/region.h"

#include <stdlib.h>
#include <string.h>

#include "support/begun.h"
#include "support/matrix_exponential.h"

static double between(double from, double to) { return from + (to - from) * (double)rand() / RAND_MAX; }

/* ---- models: parts with numbers to be drawn; the digit of a part stands for # ---- */

static const char *const parts[] = {
    " I ball#(%g) start f = %g; 1 v#; Se weight#(-%g); v# -> ball#; weight# -> v#; signal height# = integral(v#.f, start = 1)\n",
    " Se u#(%g); I l#(%g) start f = 1; C c#(%g); R r#(0.3); 1 j#; u# -> j# -> l#; j# -> c#; j# -> r#\n",
    " Se u#(%g); R r#(%g); GY g#(%g); I j#(2); 1 a#; 1 s#; u# -> a# -> g# -> s# -> j#; a# -> r#; signal way# = integral(s#.f - way#)\n",
    " I a#(%g) start f = 2; I b#(%g); TF t#(%g); 1 v#; 1 w#; v# -> a#; v# -> t# -> w# -> b#; C k#(0.5); w# -> k#\n",
    " signal x#_0 = integral(%g*x#_1), x#_1 = integral(-%g*x#_0, start = %g), other# = integral(x#_0 - 2)\n",
    " signal a# = integral(b#, start = %g), b# = integral(c#, start = %g), c# = integral(%g)\n", // a cubic
};
enum { PARTS = sizeof parts / sizeof parts[0], TEXT = 4000, MOST_PARTS = 4 };

static size_t add_part(char *text, size_t used, int which, int number) {
  char pattern[600];
  size_t count = 0;
  for (const char *from = parts[which]; *from; from++) pattern[count++] = *from == '#' ? (char)('0' + number) : *from;
  pattern[count] = 0;
  return used + (size_t)snprintf(text + used, TEXT - used, pattern, between(0.3, 3), between(0.3, 3), between(0.3, 3));
}

/* ---- looking ---- */

typedef struct Look {
  Begun *run;
  int regions, states;
} Look;

/* A x + b at the states in sim->now, against the rates of the whole. */
static void check_rates(const HbgSim *sim, const HbgRegion *region, const double *rates) {
  for (int32_t row = 0; row < region->count; row++) {
    double sum = region->motion->drive[row], size = fabs(sum);
    for (int32_t column = 0; column < region->count; column++) {
      const double term = region->motion->matrix[row * region->count + column] * sim->now.state[region->states[column]];
      sum += term;
      size += fabs(term);
    }
    CHECK_NEAR(sum, rates[region->states[row]], 1e-12 * (1 + size));
  }
}

static void check_motion(const HbgRegion *region, const double *x0) {
  double own[HBG_REGION_MOST_STATES], expected[HBG_REGION_MOST_STATES], values[HBG_REGION_MOST_STATES];
  for (int32_t at = 0; at < region->count; at++) own[at] = x0[region->states[at]];
  for (double t = 1e-6; t < 3; t *= 7) {
    follow_by_exponential(region->count, region->motion->matrix, region->motion->drive, own, t, expected);
    hbg_region_values(region, t, values);
    for (int32_t at = 0; at < region->count; at++) CHECK_NEAR(values[at], expected[at], 1e-12 * (1 + fabs(expected[at])));
  }
}

static HbgStatus look(void *user) {
  Look *self = user;
  HbgSim *sim = self->run->sim;
  const int32_t count = sim->model->state_count;
  assert_true(sim->is_local);
  double *rates = ARENA_NEW(&sim->scratch, double, count), *x0 = ARENA_NEW(&sim->scratch, double, count);
  memcpy(x0, sim->now.state, (size_t)count * sizeof *x0);
  for (int32_t state = 0; state < count; state++) {
    const HbgRegion *region = hbg_local_region(sim, state);
    if (!region) continue;
    self->regions++;
    self->states += region->count;
    if (!region->motion) continue;
    check_motion(region, x0);
    for (int32_t at = 0; at < count; at++) sim->now.state[at] = between(-2, 2);
    assert_int_equal(hbg_evaluate_rates(0, sim->now.state, rates, sim), 0);
    check_rates(sim, region, rates);
    memcpy(sim->now.state, x0, (size_t)count * sizeof *x0);
  }
  return HBG_OK;
}

static void a_region_moves_by_the_rates_of_the_whole(void **state) {
  (void)state;
  srand(5);
  for (int round = 0; round < 60; round++) {
    char text[TEXT];
    size_t used = (size_t)snprintf(text, TEXT, "model Parts {\n");
    const int count = 2 + rand() % (MOST_PARTS - 1);
    for (int part = 0; part < count; part++) used = add_part(text, used, rand() % PARTS, part);
    snprintf(text + used, TEXT - used, " stop 3\n}");
    Begun run;
    begun(&run, text, 3);
    Look self = {.run = &run};
    begun_do(&run, look, &self);
    assert_true(self.regions >= count); // parts have nothing to do with each other
    assert_int_equal(self.states, run.made.model.state_count);
    begun_end(&run);
  }
}

/* ---- kinds ---- */

/* Of the region that has the state `name`: 's' steps, 'p' parabolas, 'f' a flow; and how many states it has. */
static char kind_of(const char *text, const char *name, int32_t *count) {
  Begun run;
  begun(&run, text, 1);
  assert_true(run.sim->is_local);
  const HbgRegion *region = NULL;
  for (int32_t state = 0; state < run.made.model.state_count; state++)
    if (!strcmp(run.made.model.states[state].name, name)) region = run.sim->local->region_of[state];
  assert_non_null(region);
  *count = region->count;
  const char kind = region->is_stepped ? 's' : region->motion->flow ? 'f' : 'p';
  begun_end(&run);
  return kind;
}

/* A second region, so that there is something to be apart from. */
#define BESIDE "\n signal beside = integral(1)\n stop 1\n}"

static void what_is_over_with_the_square_of_the_time_is_a_parabola(void **state) {
  (void)state;
  int32_t count;
  assert_int_equal(kind_of("model Fall {\n I m(1); 1 v; Se g(-9.81); g -> v -> m; signal h = integral(v.f)" BESIDE, "m.p", &count), 'p');
  assert_int_equal(count, 2);
  // a third integral makes a cubic, which is no parabola
  assert_int_equal(kind_of("model Fall {\n I m(1); 1 v; Se g(-9.81); g -> v -> m; signal h = integral(v.f), way = integral(h)" BESIDE, "m.p", &count), 'f');
  assert_int_equal(count, 3);
}

static void what_is_linear_and_small_is_a_flow(void **state) {
  (void)state;
  int32_t count;
  assert_int_equal(kind_of("model Decay {\n C c(1) start e = 1; R r(2); 0 n; n -> c; n -> r" BESIDE, "c.q", &count), 'f');
  assert_int_equal(count, 1);
  assert_int_equal(kind_of("model Chain {\n 1 v[1..10]; I m[1..10](1); 0 n[1..9]; C k[1..9](1)\n for i in 1..10 { v[i] -> m[i] }\n"
                           " for i in 1..9 { v[i] -> n[i] -> v[i + 1]; n[i] -> k[i] }" BESIDE, "m[1].p", &count), 's'); // too many states
  assert_int_equal(count, 19);
}

static void what_is_not_linear_in_states_or_follows_the_time_unevenly_is_integrated(void **state) {
  (void)state;
  int32_t count;
  assert_int_equal(kind_of("model Pendulum {\n signal a = integral(w, start = 1), w = integral(-9.81*sin(a))" BESIDE, "a", &count), 's');
  assert_int_equal(count, 2);
  assert_int_equal(kind_of("model Sweep {\n Se u(sin(314*time^2)); I l(1); R r(1); 1 j; u -> j -> l; j -> r" BESIDE, "l.p", &count), 's');
  assert_int_equal(count, 1);
}

static void what_a_sine_or_a_power_of_the_time_drives_is_a_flow(void **state) {
  (void)state;
  int32_t count;
  const char *const driven = "model Mains {\n Se u(%s); I l(1); R r(1); 1 j; u -> j -> l; j -> r" BESIDE;
  static const char *const laws[] = {"sin(314*time)", "3*time", "1 - time^3/4", "time*(2 - time) + 2*cos(5 - 3*time)"};
  char text[1000];
  for (size_t at = 0; at < sizeof laws / sizeof laws[0]; at++) {
    snprintf(text, sizeof text, driven, laws[at]);
    assert_int_equal(kind_of(text, "l.p", &count), 'f');
    assert_int_equal(count, 1);
  }
}

static void an_integral_of_two_parts_makes_one_region_of_them(void **state) {
  (void)state;
  int32_t count;
  const char *const parted = "model Two {\n I a(1) start f = 1; 1 v; v -> a; I b(2) start f = 2; 1 w; w -> b; signal x = integral(v.f)%s" BESIDE;
  char text[1000];
  snprintf(text, sizeof text, parted, "");
  assert_int_equal(kind_of(text, "b.p", &count), 'p');
  assert_int_equal(count, 1);
  snprintf(text, sizeof text, parted, "; signal gap = integral(w.f - v.f)");
  assert_int_equal(kind_of(text, "b.p", &count), 'p');
  assert_int_equal(count, 4); // both momenta, the way, the gap
}

static void a_machine_that_parts_them_makes_two_of_one(void **state) {
  (void)state;
  int32_t count;
  const char *const joined = "model Two {\n I a(1) start f = 1; 1 v; v -> a; I b(2) start f = 1; 1 w; w -> b; 0 j by J; v -> j -> w; C k(1); w -> k\n"
                             " machine J { %s }" BESIDE;
  char text[1000];
  snprintf(text, sizeof text, joined, "on together initial; off apart");
  kind_of(text, "a.p", &count);
  assert_int_equal(count, 3);
  snprintf(text, sizeof text, joined, "on together; off apart initial");
  assert_int_equal(kind_of(text, "a.p", &count), 'p');
  assert_int_equal(count, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_region_moves_by_the_rates_of_the_whole),
      cmocka_unit_test(what_is_over_with_the_square_of_the_time_is_a_parabola),
      cmocka_unit_test(what_is_linear_and_small_is_a_flow),
      cmocka_unit_test(what_is_not_linear_in_states_or_follows_the_time_unevenly_is_integrated),
      cmocka_unit_test(what_a_sine_or_a_power_of_the_time_drives_is_a_flow),
      cmocka_unit_test(an_integral_of_two_parts_makes_one_region_of_them),
      cmocka_unit_test(a_machine_that_parts_them_makes_two_of_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
