/* SPDX-License-Identifier: BSD-3-Clause
 * Equations of islands as affine forms, against the same equations evaluated at random states. */
#include "hybrid/island_forms.h"

#include <stdlib.h>

#include "support/begun.h"

static double between(double from, double to) { return from + (to - from) * (double)rand() / RAND_MAX; }

/* ---- models ---- */

/* Networks of one island each, or some, with numbers to be drawn (%%g). */
static const char *const affine[] = {
    "model Decay {\n C c(%g) start e = 1; R r(%g); 0 n; n -> c; n -> r\n stop 1\n}",
    "model Swing {\n Se u(3); I l(%g); C c(%g); R r(%g); 1 j; u -> j; j -> l; j -> c; j -> r\n stop 1\n}",
    "model Geared {\n Se u(%g); TF t(%g); I a(%g); I b(2); 1 v; 1 w; u -> v -> a; v -> t -> w -> b\n stop 1\n}",
    "model Motor {\n Se u(%g); R r(%g); GY g(%g); I j(2); 1 a; 1 s; u -> a -> g -> s -> j; a -> r\n stop 1\n}",
    "model Bridge {\n Se u(%g); R a(%g), b(%g), c(1), d(2); C q(1); 0 t, l, m, z; 1 ta, tb, lc, md, lm; u -> t; t -> ta -> l; t -> tb -> m; ta -> a; tb -> b\n"
    " l -> lc -> z; lc -> c; m -> md -> z; md -> d; Se e(0); e -> z; l -> lm -> m; lm -> q\n stop 1\n}",
    "model Coils {\n I l([[%g, 0.3], [0.3, %g]]); Se u(%g); 1 p, s; R r(1), q(2); u -> p -> l[1]; p -> r; s -> l[2]; s -> q\n stop 1\n}",
    "model Joined {\n I a(%g), b(%g); 1 v, w; 0 j by On; v -> a; w -> b; v -> j -> w; C k(%g); w -> k\n machine On { on together initial; off apart }\n stop 1\n}",
    "model Parted {\n I a(%g), b(%g); 1 v, w; 0 j by Off; v -> a; w -> b; v -> j -> w; C k(%g); w -> k\n machine Off { off apart initial; on together }\n stop 1\n}",
    "model Constant {\n param n = 2; Se u(%g*sin(n)); R r(if n > 1 then %g else 2); C c(%g); 1 j; u -> j; j -> r; j -> c\n stop 1\n}",
};

/* What is open of them has the least norm: a net that floats, and two bars side by side. */
static const char *const open[] = {
    "model Floating {\n Se u(%g), g(0); 1 up by Off; 1 down by Off; 0 p, m, s; 1 o; C c(%g) start e = 2; R r(%g); u -> up -> p -> o -> m -> down -> g; o -> s; s -> c; s -> r\n"
    " machine Off { off blocks initial; on conducts }\n stop 1\n}",
    "model Bars {\n Se u(%g); I a(%g), b(%g); 1 v, w; 0 j, k; u -> v -> a; w -> b; v -> j -> w; v -> k -> w\n stop 1\n}",
};

static const char *const curved[] = {
    "model Square {\n C c(1) start e = %g; R r: e = %g*f*abs(f); I l(%g); 1 j; j -> c; j -> r; j -> l\n stop 1\n}",
    "model Spring {\n C c: e = %g*q + %g*q^3; I l(%g) start f = 1; 1 j; j -> c; j -> l\n stop 1\n}",
    "model Lever {\n I a(%g) start f = 1; I b(%g); 1 v, w; signal x = integral(v.f, start = %g); TF t(1 + x); v -> a; v -> t -> w -> b\n stop 1\n}",
};

static const char *const timed[] = {
    "model Mains {\n Se u(%g*sin(%g*time)); I l(%g); 1 j; u -> j -> l\n stop 1\n}",
};

/* ---- comparing ---- */

typedef struct Look {
  Begun *run;
  const char *text;
  int forms, islands; /* that have forms, and all that do not hang */
  int open;           /* variables that are not determined */
} Look;

static void check_variables(Look *look, const HbgIsland *island, const HbgIslandForms *forms) {
  const HbgSim *sim = look->run->sim;
  for (int32_t bond = 0; bond < island->graph.bond_count; bond++) {
    for (int32_t which = 0; which < 2; which++) {
      const int32_t variable = 2 * island->graph.bonds[bond].bond + which;
      const double *form = hbg_island_form_of(island, forms, variable);
      look->open += sim->now.undetermined[variable];
      double sum = form[0], size = fabs(form[0]);
      for (int32_t state = 1; state < forms->width; state++) {
        sum += form[state] * sim->now.state[island->binding.states[state - 1]];
        size += fabs(form[state] * sim->now.state[island->binding.states[state - 1]]);
      }
      if (fabs(sum - sim->now.variable[variable]) > 1e-12 * (1 + size))
        fail_msg("variable %d is %.17g, and %.17g by its form\n%s", variable, sim->now.variable[variable], sum, look->text);
    }
  }
}

static void check_rates(const Look *look, const HbgIsland *island, const HbgIslandForms *forms) {
  const HbgSim *sim = look->run->sim;
  const HbgTemplate *template = &island->program->template;
  for (int32_t own = 0; own < template->state_count; own++) {
    if (template->state_node[own] < 0) continue;
    const double *form = &forms->rate[own * forms->width];
    double sum = form[0], size = fabs(form[0]);
    for (int32_t state = 1; state < forms->width; state++) {
      sum += form[state] * sim->now.state[island->binding.states[state - 1]];
      size += fabs(form[state] * sim->now.state[island->binding.states[state - 1]]);
    }
    const double rate = sim->rate[island->binding.states[own]];
    if (fabs(sum - rate) > 1e-12 * (1 + size)) fail_msg("a rate is %.17g, and %.17g by its form\n%s", rate, sum, look->text);
  }
}

static HbgStatus compare(void *user) {
  Look *look = user;
  HbgSim *sim = look->run->sim;
  for (int32_t at = 0; at < sim->island_count; at++) {
    HbgIsland *island = sim->islands[at];
    if (island->is_hanging) continue;
    const HbgIslandForms *forms = hbg_island_forms(&sim->solver, island, &sim->now);
    look->islands++;
    look->forms += forms != NULL;
    for (int moved = 0; forms && moved < 4; moved++) {
      for (int32_t state = 0; state < sim->model->state_count; state++) sim->now.state[state] = between(-3, 3);
      assert_true(hbg_island_variables(&sim->solver, island, &sim->now, false));
      check_variables(look, island, forms);
      assert_true(hbg_island_rates(&sim->solver, island, &sim->now, sim->rate));
      check_rates(look, island, forms);
    }
  }
  return HBG_OK;
}

/* How many islands have forms, of how many. */
static Look look_at(const char *pattern) {
  char text[1000];
  snprintf(text, sizeof text, pattern, between(0.2, 3), between(0.2, 3), between(0.2, 3));
  Begun run;
  begun(&run, text, 1);
  Look look = {.run = &run, .text = text};
  begun_do(&run, compare, &look);
  begun_end(&run);
  return look;
}

static void equations_that_are_affine_are_their_forms(void **state) {
  (void)state;
  srand(1);
  for (int round = 0; round < 20; round++) {
    for (size_t which = 0; which < sizeof affine / sizeof affine[0]; which++) {
      const Look look = look_at(affine[which]);
      assert_true(look.islands > 0);
      assert_int_equal(look.forms, look.islands);
    }
  }
}

static void what_is_left_open_follows_the_states_by_forms_too(void **state) {
  (void)state;
  srand(3);
  for (int round = 0; round < 20; round++) {
    for (size_t which = 0; which < sizeof open / sizeof open[0]; which++) {
      const Look look = look_at(open[which]);
      assert_true(look.open > 0);
      assert_int_equal(look.forms, look.islands);
    }
  }
}

static void laws_that_bend_have_no_forms(void **state) {
  (void)state;
  srand(2);
  for (size_t which = 0; which < sizeof curved / sizeof curved[0]; which++) {
    const Look look = look_at(curved[which]);
    assert_int_equal(look.forms, look.islands - 1); // it is one of them
  }
}

static void neither_has_what_follows_the_time(void **state) {
  (void)state;
  const Look look = look_at(timed[0]);
  assert_int_equal(look.forms, 0);
}

/* ---- closed forms ---- */

typedef struct Divider {
  Begun *run;
  double level; /* of the scheduled condition: the source is 10 V, or 20 V */
} Divider;

static HbgStatus read_divider(void *user) {
  const Divider *self = user;
  HbgSim *sim = self->run->sim;
  HbgIsland *island = sim->island_of[0];
  const HbgIslandForms *forms = hbg_island_forms(&sim->solver, island, &sim->now);
  assert_non_null(forms);
  // C q' = (u - q/C)/R - q/C/S, with C = 0.5 F, R = 2 Ohm, S = 4 Ohm
  for (int32_t own = 0; own < island->program->template.state_count; own++) {
    CHECK_NEAR(forms->rate[own * forms->width], self->level / 2, 1e-14);
    CHECK_NEAR(forms->rate[own * forms->width + 1 + own], -2.0 / 2 - 2.0 / 4, 1e-14);
  }
  return HBG_OK;
}

static void forms_follow_scheduled_conditions(void **state) {
  (void)state;
  Begun run;
  begun(&run, "model Divider {\n Se u(10 + 10*step(0.5)); R r(2), s(4); C c(0.5); 1 j; 0 n; u -> j -> n -> c; j -> r; n -> s\n stop 1\n}", 1);
  assert_int_equal(run.made.model.state_count, 1);
  begun_do(&run, read_divider, &(Divider){&run, 10});
  while (begun_next(&run) == HBG_OK && run.row.time < 0.6) continue;
  begun_do(&run, read_divider, &(Divider){&run, 20});
  begun_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equations_that_are_affine_are_their_forms),
      cmocka_unit_test(what_is_left_open_follows_the_states_by_forms_too),
      cmocka_unit_test(laws_that_bend_have_no_forms),
      cmocka_unit_test(neither_has_what_follows_the_time),
      cmocka_unit_test(forms_follow_scheduled_conditions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
