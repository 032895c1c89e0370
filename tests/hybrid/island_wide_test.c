/* SPDX-License-Identifier: BSD-3-Clause
 * Equations of large islands as forms of few terms, against the same equations evaluated at random states and times. */
#include "hybrid/island_wide.h"

#include <stdlib.h>

#include "support/begun.h"

static double between(double from, double to) { return from + (to - from) * (double)rand() / RAND_MAX; }

/* Masses in a row on springs, some of them held by a belt that sways, with a spring and a damper between each two: one island, as nothing is cut. */
static const char row[] =
    "model Row(N = 20) {\n for i in 1..N { 1 v[i]; I m[i](1 + 0.1*i); C s[i](2); v[i] -> m[i]; v[i] -> s[i]; Se push[i](0.3*i); push[i] -> v[i] }\n"
    " for i in 1..N-1 { 0 f[i]; 1 l[i]; C k[i](0.5); R d[i](0.1*i); v[i] -> f[i] -> v[i+1]; f[i] -> l[i]; l[i] -> k[i]; l[i] -> d[i] }\n"
    " for i in 1..N/4 { 0 grip[i] by Grip(m[4*i].f); Sf belt[i](1 + sin(2*time + i)/4); v[4*i] -> grip[i] -> belt[i] }\n"
    " machine Grip(f) { on stuck initial; off free; stuck -> free when f > 1000 }\n stop 1\n}";

/* Capacitors in a ring with one resistor: each current follows all voltages. */
static const char ring[] =
    "model Ring(N = 60) {\n 1 j; R r(2); j -> r; for i in 1..N { C c[i](1) start e = i; j -> c[i] }\n"
    " 0 short by Short(r.f); j -> short; R q(1); short -> q\n machine Short(f) { on closed initial; off open; closed -> open when f > 1000 }\n stop 1\n}";

static const HbgSimOptions options = {.stop = 1, .interval = 1, .tolerance = 1e-8, .method = HBG_METHOD_AUTOMATIC, .cut_above = -1, .as_a_whole = true};

static double value_of(const HbgSim *sim, const HbgForm *form, double *size) {
  double sum = form->constant, times[HBG_TIME_COLUMNS];
  *size = fabs(sum);
  for (int32_t at = 0; at < form->count; at++) {
    const double term = form->terms[at].weight * sim->now.state[form->terms[at].state];
    sum += term;
    *size += fabs(term);
  }
  if (form->time) hbg_time_values(form->time, sim->now.time, times);
  for (int32_t at = 0; form->time && at < HBG_TIME_COLUMNS; at++) sum += form->time_row[at] * times[at], *size += fabs(form->time_row[at] * times[at]);
  return sum;
}

static void check(const HbgSim *sim, const HbgForm *form, double expected) {
  double size;
  const double value = value_of(sim, form, &size);
  if (fabs(value - expected) > 1e-12 * (1 + size)) fail_msg("%.17g, and %.17g by its form", expected, value);
}

typedef struct Look {
  Begun *run;
  int large, most_terms;
  bool have_forms;
} Look;

static void compare_island(Look *look, HbgIsland *island) {
  HbgSim *sim = look->run->sim;
  const HbgTemplate *template = &island->program->template;
  HbgForm form;
  for (int32_t own = 0; own < template->state_count; own++) {
    if (template->state_node[own] < 0) continue;
    assert_true(hbg_island_rate_form(&sim->solver, island, &sim->now, own, HBG_WIDE_MOST_STATES, &form));
    check(sim, &form, sim->rate[island->binding.states[own]]);
    if (form.count > look->most_terms) look->most_terms = form.count;
  }
  for (int32_t which = 0; which < 2 * island->graph.bond_count; which++) {
    const int32_t variable = 2 * island->graph.bonds[which / 2].bond + which % 2;
    assert_true(hbg_island_variable_form(&sim->solver, island, &sim->now, variable, HBG_WIDE_MOST_STATES, &form));
    check(sim, &form, sim->now.variable[variable]);
  }
}

static HbgStatus compare(void *user) {
  Look *look = user;
  HbgSim *sim = look->run->sim;
  for (int32_t at = 0; at < sim->island_count; at++) {
    HbgIsland *island = sim->islands[at];
    HbgForm form;
    if (island->is_hanging || island->program->template.state_count <= HBG_FORMS_MOST_STATES) continue;
    look->large++;
    assert_false(hbg_island_rate_form(&sim->solver, island, &sim->now, 0, HBG_FORMS_MOST_STATES, &form));
    look->have_forms = hbg_island_rate_form(&sim->solver, island, &sim->now, 0, HBG_WIDE_MOST_STATES, &form);
    for (int moved = 0; look->have_forms && moved < 4; moved++) {
      for (int32_t state = 0; state < sim->model->state_count; state++) sim->now.state[state] = between(-3, 3);
      sim->now.time = between(0, 1);
      assert_true(hbg_island_variables(&sim->solver, island, &sim->now, false));
      assert_true(hbg_island_rates(&sim->solver, island, &sim->now, sim->rate));
      compare_island(look, island);
    }
  }
  return HBG_OK;
}

static Look look_at(const char *text) {
  Begun run;
  begun_with(&run, text, options);
  Look look = {.run = &run};
  begun_do(&run, compare, &look);
  begun_end(&run);
  return look;
}

static void equations_of_large_islands_are_their_forms(void **state) {
  (void)state;
  srand(1);
  const Look look = look_at(row);
  assert_int_equal(look.large, 1);
  assert_true(look.have_forms);
  assert_true(look.most_terms > 3 && look.most_terms < 12); // a mass, its neighbours, and the springs and dampers between them
}

static void what_follows_all_states_of_a_large_island_has_none(void **state) {
  (void)state;
  const Look look = look_at(ring);
  assert_int_equal(look.large, 1);
  assert_false(look.have_forms);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equations_of_large_islands_are_their_forms),
      cmocka_unit_test(what_follows_all_states_of_a_large_island_has_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
