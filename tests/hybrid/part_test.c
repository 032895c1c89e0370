/* SPDX-License-Identifier: BSD-3-Clause
 * The Jacobian of a part is the derivative of its rates: against central differences, on chosen and on random models. */
#include "hybrid/part.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/elaborated.h"
#include "support/random_graph.h"

typedef struct Whole {
  Elaborated made;
  HbgArena arena;
  HbgSim *sim;
  HbgPart part;
  HbgInputs inputs;
  bool usable;
  double *y, *dy, *full; /* full (count, count) by rows */
} Whole;

static HbgInputs make_inputs(HbgSim *sim) {
  const int32_t count = sim->model->state_count - sim->first_integrator;
  HbgExpr *inputs = ARENA_NEW(sim->arena, HbgExpr, count);
  for (int32_t at = 0; at < count; at++) inputs[at] = sim->model->states[sim->first_integrator + at].input;
  return hbg_inputs(sim->model, &sim->laws.pool, inputs, count, sim->arena, &sim->scratch);
}

/* Everything as one part, at the first moment of the run. */
static HbgStatus begin(void *user) {
  Whole *self = user;
  const HbgFlatModel *model = &self->made.model;
  const HbgSimOptions options = {.stop = 1, .tolerance = 1e-8, .interval = 1, .method = HBG_METHOD_DP5};
  self->sim = hbg_sim_create(model, &options, &self->arena);
  HbgRow row;
  if (hbg_sim_next(self->sim, &row) != HBG_OK) return HBG_OK;
  self->inputs = make_inputs(self->sim);
  int32_t *all = ARENA_NEW(&self->arena, int32_t, model->state_count);
  for (int32_t state = 0; state < model->state_count; state++) all[state] = state;
  const HbgClusters clusters = hbg_clusters(self->sim, &self->inputs, &self->arena);
  hbg_part_make(&self->part, self->sim, &self->inputs, all, model->state_count, true);
  self->usable = model->state_count && hbg_part_enter(&self->part, &clusters);
  if (!self->usable) return HBG_OK;
  const size_t n = (size_t)model->state_count;
  self->y = ARENA_NEW(&self->arena, double, n);
  self->dy = ARENA_NEW(&self->arena, double, n);
  self->full = ARENA_NEW(&self->arena, double, n * n);
  memcpy(self->y, self->sim->now.state, n * sizeof(double));
  double *value = ARENA_NEW(&self->arena, double, self->part.entry_count);
  self->usable = hbg_part_rates(0, self->y, self->dy, &self->part) == 0 &&
                 hbg_part_jacobian(0, self->y, self->dy, value, &self->part) == 0;
  for (size_t j = 0; j < n; j++)
    for (int32_t k = self->part.column[j]; k < self->part.column[j + 1]; k++)
      self->full[(size_t)self->part.row[k] * n + j] = value[k];
  return HBG_OK;
}

static void whole_begin(Whole *self, const char *text) {
  *self = (Whole){.arena = hbg_arena((HbgAllocator){0})};
  elaborated_begin(&self->made, text);
  if (hbg_guarded(&self->arena, begin, self) != HBG_OK) fail_msg("out of memory");
}

static void whole_end(Whole *self) {
  hbg_part_release(&self->part);
  hbg_sim_free(self->sim);
  hbg_arena_release_all(&self->arena);
  elaborated_end(&self->made);
}

static double entry(const Whole *self, const char *row, const char *column) {
  const HbgFlatModel *model = &self->made.model;
  int32_t i = -1, j = -1;
  for (int32_t state = 0; state < model->state_count; state++) {
    if (!strcmp(model->states[state].name, row)) i = state;
    if (!strcmp(model->states[state].name, column)) j = state;
  }
  if (i < 0 || j < 0) fail_msg("no state %s or %s", row, column);
  return self->full[i * model->state_count + j];
}

/* ---- against differences ---- */

static bool rates_at(Whole *self, int32_t j, double shift, double *out) {
  const double kept = self->y[j];
  self->y[j] += shift;
  const bool done = hbg_part_rates(0, self->y, out, &self->part) == 0;
  self->y[j] = kept;
  return done;
}

static double largest_of(const double *values, size_t count) {
  double most = 0;
  for (size_t at = 0; at < count; at++) most = fmax(most, fabs(values[at]));
  return most;
}

/* The largest disagreement, against the sizes of all; the differences of two widths tell how far they can be trusted. */
static double disagreement(Whole *self) {
  const size_t n = (size_t)self->part.count;
  const double size = largest_of(self->full, n * n) + largest_of(self->dy, n);
  double worst = 0, *a = calloc(n * 4, sizeof(double));
  double *b = a + n, *c = b + n, *d = c + n;
  for (size_t j = 0; j < n; j++) {
    const double h = 1e-4 * fmax(1, fabs(self->y[j]));
    const int32_t at = (int32_t)j;
    if (!rates_at(self, at, h, a) || !rates_at(self, at, -h, b) || !rates_at(self, at, 2 * h, c) || !rates_at(self, at, -2 * h, d)) continue;
    for (size_t i = 0; i < n; i++) {
      const double narrow = (a[i] - b[i]) / (2 * h), wide = (c[i] - d[i]) / (4 * h);
      worst = fmax(worst, (fabs(narrow - self->full[i * n + j]) - fabs(narrow - wide)) / fmax(size, 1));
    }
  }
  free(a);
  return worst;
}

static void check_model(const char *text) {
  Whole self;
  whole_begin(&self, text);
  if (!self.usable) fail_msg("no Jacobian: %s", text);
  const double off = disagreement(&self);
  if (!(off < 1e-6)) fail_msg("off by %.3g in\n%s", off, text);
  whole_end(&self);
}

/* ---- chosen models ---- */

static void a_linear_circuit_has_the_matrix_of_kirchhoff(void **state) {
  (void)state;
  Whole self;
  whole_begin(&self, "model RLC {\n C c(0.5) start e = 1; I l(4); R r(3); 1 n; n -> c; n -> l; n -> r\n stop 1\n}");
  CHECK_NEAR(entry(&self, "l.p", "c.q"), -2, 1e-15);
  CHECK_NEAR(entry(&self, "l.p", "l.p"), -0.75, 1e-15);
  CHECK_NEAR(entry(&self, "c.q", "l.p"), 0.25, 1e-15);
  CHECK_NEAR(entry(&self, "c.q", "c.q"), 0, 0);
  whole_end(&self);
}

static void algebraic_loops_are_differentiated_through(void **state) {
  (void)state;
  // two resistors in series between capacitors, the node between them free: q' = -(q - p)/(r1 + r2)
  Whole self;
  whole_begin(&self, "model Loop {\n C a(1) start e = 1; C b(2); R r(1), s(3); 0 na, nm, nb; 1 x, y; na -> a; nb -> b; na -> x -> nm -> y -> nb; x -> r; y -> s\n stop 1\n}");
  CHECK_CLOSE(entry(&self, "a.q", "a.q"), -0.25, 1e-13);
  CHECK_CLOSE(entry(&self, "a.q", "b.q"), 0.125, 1e-13);
  whole_end(&self);
  // an implicit law: e + e^3 = q - f... the slope of the inverse
  whole_begin(&self, "model Implicit {\n C c(1) start q = 2; R r: e = f + f^3; 0 n; n -> c; n -> r\n stop 1\n}");
  CHECK_CLOSE(entry(&self, "c.q", "c.q"), -1.0 / 4, 1e-9);
  whole_end(&self);
}

static void tied_storages_share_their_slopes(void **state) {
  (void)state;
  // m1 and m2 on one shaft with a spring: p1' = -k q m1/(m1 + m2)
  Whole self;
  whole_begin(&self, "model Tied {\n I a(1) start f = 1; I b(3); C s(0.5); 1 v; v -> a; v -> b; v -> s\n stop 1\n}");
  assert_true(self.usable);
  CHECK_CLOSE(entry(&self, "a.p", "s.q"), -0.5, 1e-12);
  CHECK_CLOSE(entry(&self, "b.p", "s.q"), -1.5, 1e-12);
  whole_end(&self);
}

static void integrators_modulation_and_branches_are_differentiated(void **state) {
  (void)state;
  check_model("model Pendulum {\n I x(2), y(2); 1 rotation, horizontal, vertical; MTF lx(1.5*cos(angle)); MTF ly(1.5*sin(angle)); Se g(-2*9.81)\n"
              " rotation -> lx -> horizontal -> x; rotation -> ly -> vertical -> y; g -> vertical\n"
              " signal angle = integral(rotation.f, start = 1)\n stop 20\n}");
  check_model("model Branch {\n C c(1) start q = 1; R r: f = if e > 0 then sqrt(e) else 0.1*e; I l(2) start p = -0.3; 0 n; n -> c; n -> r; n -> l\n"
              " signal far = integral(max(l.f, c.e^2)), further = integral(far*l.f + hypot(c.q, 2))\n stop 1\n}");
  check_model("model A_priori {\n C c(1) start q = 1; MSf j(-2*pre(c.e) + pre(l.f)^2); I l(1) start p = 0.5; 0 n; j -> n -> c; n -> l\n stop 1\n}");
  check_model("model Gyrator {\n C c(1) start q = 1; I l(2) start p = 0.5; MGY g(1 + x^2); 0 n; 1 m; R r(2); c2 -> n; Sf c2(1); n -> c; n -> g -> m -> l; m -> r\n"
              " signal x = integral(m.f*c.e, start = 0.3)\n stop 1\n}");
}

/* So many that what they share is an unknown of its own, times ratios that turn with the shaft. */
static void many_wheels_behind_levers_that_turn_share_their_slopes(void **state) {
  (void)state;
  check_model("model Levers {\n I hub(5) start f = 1; 1 shaft; shaft -> hub\n"
              " for i in 1..30 { MTF lever[i](1 + 0.3*sin(angle + i)); I wheel[i](1 + 0.1*i); 1 v[i]; C spring[i](i) start e = cos(i); shaft -> lever[i] -> v[i] -> wheel[i]; v[i] -> spring[i] }\n"
              " signal angle = integral(shaft.f, start = 0.4)\n stop 1\n}");
}

/* ---- random models ---- */

static void check_random(RandomTaste taste, uint64_t seed, int graphs) {
  int looked_at = 0;
  for (int at = 0; at < graphs; at++) {
    HbgArena arena = hbg_arena((HbgAllocator){0});
    Random random = {seed + (uint64_t)at * 7919};
    const RandomGraph graph = random_graph(&random, taste);
    HbgText text = hbg_text(&arena);
    random_graph_write(&graph, NULL, &text);
    Whole self;
    whole_begin(&self, text.bytes);
    if (self.usable) {
      looked_at++;
      const double off = disagreement(&self);
      if (!(off < 1e-7)) fail_msg("graph %d of seed %llu is off by %.3g:\n%s", at, (unsigned long long)seed, off, text.bytes);
    }
    whole_end(&self);
    hbg_arena_release_all(&arena);
  }
  assert_true(looked_at > graphs / 4);
}

static void of_random_linear_graphs(void **state) {
  (void)state;
  check_random((RandomTaste){.elements_most = 20, .sources = true, .controlled = true, .decades = 0.5}, 1, 400);
}

static void of_random_modulated_graphs(void **state) {
  (void)state;
  check_random((RandomTaste){.elements_most = 20, .sources = true, .controlled = true, .modulated = true, .decades = 0.5}, 2, 400);
}

static void of_random_nonlinear_graphs(void **state) {
  (void)state;
  check_random((RandomTaste){.elements_most = 14, .sources = true, .active = true, .controlled = true, .modulated = true, .nonlinear = true, .decades = 0.3},
               3, 400);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_linear_circuit_has_the_matrix_of_kirchhoff),
      cmocka_unit_test(algebraic_loops_are_differentiated_through),
      cmocka_unit_test(tied_storages_share_their_slopes),
      cmocka_unit_test(many_wheels_behind_levers_that_turn_share_their_slopes),
      cmocka_unit_test(integrators_modulation_and_branches_are_differentiated),
      cmocka_unit_test(of_random_linear_graphs),
      cmocka_unit_test(of_random_modulated_graphs),
      cmocka_unit_test(of_random_nonlinear_graphs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
