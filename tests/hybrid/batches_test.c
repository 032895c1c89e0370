/* SPDX-License-Identifier: BSD-3-Clause
 * Rates of many islands together: bit by bit those of the islands one by one, in every mode that a run goes through. */
#include "hybrid/batches.h"

#include <math.h>
#include <string.h>

#include "hybrid/sim.h"
#include "support/check.h"
#include "support/elaborated.h"

typedef struct Compared {
  Elaborated made;
  HbgArena arena;
  int32_t rows, together, others; /* compared; most islands and storages in batches, most islands alone */
  bool differs;
  bool compiles; /* somebody is shown the text of the equations, and gives no code */
} Compared;

static void count(Compared *self, const HbgBatches *batches) {
  int32_t together = 0;
  for (int kind = 0; kind < 2; kind++)
    for (int32_t at = 0; at < batches->active_count[kind]; at++) together += batches->active[kind][at]->count;
  if (together > self->together) self->together = together;
  if (batches->other_count > self->others) self->others = batches->other_count;
}

/* As it is without batches: every island, then what is cut off. */
static void rates_one_by_one(HbgSim *sim, double *rate) {
  const HbgDeliveries *deliveries = &sim->cuts.deliveries;
  for (int32_t at = 0; at < sim->island_count; at++) assert_true(hbg_island_rates(&sim->solver, sim->islands[at], &sim->now, rate));
  for (int32_t at = 0; at < deliveries->present_count; at++) {
    const int32_t which = deliveries->present[at];
    rate[deliveries->state[which]] = hbg_delivery_sum(deliveries, which, sim->now.variable);
  }
}

static void compare(Compared *self, HbgSim *sim) {
  const int32_t count_of_states = sim->model->state_count;
  const size_t size = (size_t)count_of_states * sizeof(double);
  double *y = ARENA_NEW(&self->arena, double, count_of_states), *together = ARENA_NEW(&self->arena, double, count_of_states),
         *alone = ARENA_NEW(&self->arena, double, count_of_states);
  memcpy(y, sim->now.state, size);
  if (hbg_evaluate_rates(sim->now.time, y, together, sim) != 0) return;
  rates_one_by_one(sim, alone);
  if (memcmp(together, alone, size) != 0) self->differs = true;
  self->rows++;
  count(self, &sim->batches);
}

static HbgCode *no_code(const HbgCompileRequest *request, void *user) {
  (void)request, (void)user;
  return NULL;
}

static HbgStatus run(void *user) {
  Compared *self = user;
  HbgSimOptions options = {.stop = 2, .tolerance = 1e-6, .interval = 0.25, .method = HBG_METHOD_DP5, .sliding = true};
  if (self->compiles) options.compile = no_code;
  HbgSim *sim = hbg_sim_create(&self->made.model, &options, &self->arena);
  HbgRow row;
  while (hbg_sim_next(sim, &row) == HBG_OK)
    if (row.kind == HBG_ROW_SAMPLE || row.kind == HBG_ROW_CONTINUOUS) compare(self, sim);
  hbg_sim_free(sim);
  return HBG_OK;
}

static Compared compare_run_with(const char *text, bool compiles) {
  Compared self = {.arena = hbg_arena((HbgAllocator){0}), .compiles = compiles};
  elaborated_begin(&self.made, text);
  assert_int_equal(hbg_guarded(&self.arena, run, &self), HBG_OK);
  hbg_arena_release_all(&self.arena);
  hbg_arena_release_all(&self.made.arena);
  return self;
}

static Compared compare_run(const char *text) { return compare_run_with(text, false); }

static void oscillators_of_one_kind_go_together(void **state) {
  (void)state;
  const Compared it = compare_run("model M {\n"
                                  "  for i in 1..9 {\n"
                                  "    1 j[i]; I m[i](1 + i) start f = 0.1*i; C k[i]: e = q + 0.2*q^3 start q = 1/i\n"
                                  "    R r[i]: e = (f^2 - 1)*f + 0.1*sin(f)*time\n"
                                  "    j[i] -> m[i]; j[i] -> k[i]; j[i] -> r[i]\n"
                                  "  }\n}\n");
  assert_false(it.differs);
  assert_true(it.rows >= 8);
  assert_true(it.together >= 6); // a number that is equal to another one makes another program
}

/* Sixty masses, each the neighbour of two: cut at the masses. */
static void what_a_chain_passes_on_is_summed_up_together(void **state) {
  (void)state;
  const Compared it = compare_run("model M(n = 60) {\n"
                                  "  1 a; Sf left(0); left -> a; 1 b; Sf right(0); right -> b\n"
                                  "  for i in 1..n { 1 v[i]; I m[i](1 + i/n) start f = sin(i); v[i] -> m[i]; }\n"
                                  "  for i in 0..n { 0 link[i]; 1 s[i]; C k[i]: e = q + q^3; R d[i](0.02*(i + 1))\n"
                                  "    link[i] -> s[i]; s[i] -> k[i]; s[i] -> d[i] }\n"
                                  "  for i in 1..n { link[i-1] -> v[i]; v[i] -> link[i] }\n"
                                  "  a -> link[0]; link[n] -> b\n}\n");
  assert_false(it.differs);
  assert_true(it.rows >= 8);
  assert_true(it.together >= 100);
}

/* Two links of the chain are of a kind of their own, and each passes the same number on to both sides: alone at first, together when
 * they have proved to stay, whoever might compile them. */
static void few_islands_pass_on_the_same_alone_and_together(void **state) {
  (void)state;
  const char *text = "model M(n = 60) {\n"
                     "  1 a; Sf left(0); left -> a; 1 b; Sf right(0); right -> b\n"
                     "  for i in 1..n { 1 v[i]; I m[i](1 + i/n) start f = sin(i); v[i] -> m[i]; }\n"
                     "  for i in 0..n { 0 link[i]; 1 s[i]; C k[i]: e = q start q = cos(i); link[i] -> s[i]; s[i] -> k[i] }\n"
                     "  for i in 0..n { R d[i](0.1); s[i] -> d[i] }\n"
                     "  for i in 1..2 { R more[i]: e = f^3; s[20*i] -> more[i] }\n"
                     "  for i in 1..n { link[i-1] -> v[i]; v[i] -> link[i] }\n"
                     "  a -> link[0]; link[n] -> b\n}\n";
  for (int compiles = 0; compiles < 2; compiles++) {
    const Compared it = compare_run_with(text, compiles);
    assert_false(it.differs);
    assert_true(it.rows >= 8);
    assert_true(it.together >= 110); // all islands in the end, and the storages
  }
}

/* Nine loads in hands that hold them fast, and nine wheels that turn as one with others: there is something to solve for, beside springs that bend, and with a switch that
 * changes the matrix. */
static void what_is_solved_for_beside_laws_that_bend_goes_together(void **state) {
  (void)state;
  const Compared it = compare_run("model M {\n"
                                  "  for i in 1..9 {\n"
                                  "    Sf hand[i](0.1*i); 1 load[i]; I m[i](1 + i) start f = 0.1*i; 0 grip[i]; C spring[i]: e = (1 + i)*q + q^3 start q = 0.3 + 0.1*i\n"
                                  "    hand[i] -> grip[i] -> load[i]; load[i] -> m[i]; load[i] -> spring[i]\n"
                                  "    Se motor[i](3 + i); 1 shaft[i]; I a[i](2 + i) start p = 0.2*(2 + i); 0 tie[i]; 1 other[i]; I b[i](3) start p = 0.6\n"
                                  "    C twist[i]: e = sinh((1 + i)*q) start q = 0.03*i; R brake[i](if pulse(0.1*i, 0.2, 0.5) > 0.5 then 1 + i else 0.5 + i)\n"
                                  "    motor[i] -> shaft[i]; shaft[i] -> a[i]; shaft[i] -> tie[i] -> other[i]; other[i] -> b[i]; other[i] -> twist[i]; other[i] -> brake[i]\n"
                                  "  }\n}\n");
  assert_false(it.differs);
  assert_true(it.rows >= 8);
  assert_true(it.together >= 18);
  assert_int_equal(it.others, 0);
}

/* Each has a switch that follows the time, with its own phase, and a diode: modes and scheduled conditions change all the time. */
static void modes_and_schedules_change_them(void **state) {
  (void)state;
  const Compared it =
      compare_run("machine Limit(x) { on closed initial\n off open\n closed -> open when x < 0.4\n open -> closed when x > 0.6 }\n"
                  "model M(n = 12) {\n"
                  "  for i in 1..n {\n"
                  "    1 j[i]; I m[i](1) start f = 1; R d[i](0.1*i); Se push[i](if pulse(0.1*i, 0.2, 0.5) > 0.5 then 2 else -1)\n"
                  "    push[i] -> j[i]; j[i] -> m[i]; j[i] -> d[i]\n"
                  "    machine limit[i] = Limit(m[i].f)\n"
                  "    0 link[i] by limit[i]; R brake[i](0.5)\n"
                  "    j[i] -> link[i]; link[i] -> brake[i]\n"
                  "  }\n}\n");
  assert_false(it.differs);
  assert_true(it.rows >= 20);
  assert_true(it.together >= 4);
}

/* In each of thirty cells of a chain a load is switched on and off, with a time of its own; and in every third one there is a diode:
 * programs with few and with many islands, equal numbers and others come and go one by one. */
static void islands_come_and_go_one_by_one(void **state) {
  (void)state;
  const char *text = "machine Switch(gate) { on closed\n off open initial\n open -> closed when gate\n closed -> open when not gate }\n"
                     "machine Diode(e, f) { on closed\n off open initial\n open -> closed when e > 0.3\n closed -> open when f < 0.05 }\n"
                     "model M(n = 30) {\n"
                     "  Se supply(1); 0 node[0]; supply -> node[0]\n"
                     "  for i in 1..n {\n"
                     "    0 node[i]; 1 line[i]; I coil[i](1 + i/n); R wire[i](0.05); C capacitor[i](0.5) start q = 0.3*sin(i)\n"
                     "    node[i-1] -> line[i] -> node[i] -> capacitor[i]; line[i] -> coil[i]; line[i] -> wire[i]\n"
                     "    machine switch[i] = Switch(pulse(mod(0.618034*i, 1), 0.3, 0.7) > 0.5)\n"
                     "    1 branch[i] by switch[i]; R load[i](if i < 20 then 4 else i); node[i] -> branch[i] -> load[i]\n"
                     "  }\n"
                     "  for i in 1..9 { machine diode[i] = Diode(node[3*i].e, leak[i].f); 1 leak[i] by diode[i]; R way[i](2)\n"
                     "    node[3*i] -> leak[i] -> way[i] }\n"
                     "}\n";
  for (int compiles = 0; compiles < 2; compiles++) {
    const Compared it = compare_run_with(text, compiles);
    assert_false(it.differs);
    assert_true(it.rows >= 100);
    assert_true(it.together >= 60);
  }
}

/* What a valve that is shut leaves of its orifice is one law for one unknown, which nobody reads: it is solved at the instant that shuts it. */
static void a_resistor_at_a_port_that_is_off_is_not_evaluated(void **state) {
  (void)state;
  const Compared it = compare_run("machine Valve(p) { off closed initial\n on open\n closed -> open when p > 3\n open -> closed when p < 1 }\n"
                                  "model M(n = 60) {\n"
                                  "  for i in 1..n+1 { 0 bottom[i]; C tank[i](1) start e = i/n; bottom[i] -> tank[i]; R leak[i](5); bottom[i] -> leak[i] }\n"
                                  "  for i in 1..n { 1 outlet[i] by Valve(bottom[i].e); R orifice[i]: f = 0.1*sign(e)*sqrt(abs(e))\n"
                                  "    outlet[i] -> orifice[i]; bottom[i] -> outlet[i]; outlet[i] -> bottom[i+1] }\n"
                                  "}\n");
  assert_false(it.differs);
  assert_true(it.rows >= 8);
  assert_int_equal(it.others, 0);
  assert_true(it.together <= 61); // the tanks
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(oscillators_of_one_kind_go_together),
      cmocka_unit_test(what_a_chain_passes_on_is_summed_up_together),
      cmocka_unit_test(few_islands_pass_on_the_same_alone_and_together),
      cmocka_unit_test(what_is_solved_for_beside_laws_that_bend_goes_together),
      cmocka_unit_test(modes_and_schedules_change_them),
      cmocka_unit_test(islands_come_and_go_one_by_one),
      cmocka_unit_test(a_resistor_at_a_port_that_is_off_is_not_evaluated),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
