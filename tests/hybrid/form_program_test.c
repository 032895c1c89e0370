/* SPDX-License-Identifier: BSD-3-Clause
 * The forms of an island as a program: it gives the rates of the closed form, and islands share it that differ in their numbers only. */
#include "hybrid/form_program.h"

#include "support/begun.h"

typedef struct Look {
  Begun run;
  HbgIsland *island[2];
  HbgKey key[2];
  const HbgIslandForms *forms[2];
  HbgFormProgram *program;
} Look;

/* The forms of the islands in which the first two coils are, and the program of the first one. */
static HbgStatus look_at_both(void *user) {
  Look *look = user;
  HbgSim *sim = look->run.sim;
  static const char *const names[] = {"l[1].p", "l[2].p"};
  for (int which = 0; which < 2; which++) {
    HbgIsland *island = look->island[which] = begun_island_of(sim, begun_state(sim, names[which]));
    look->forms[which] = hbg_island_forms(&sim->solver, island, &sim->now);
    assert_non_null(look->forms[which]);
    look->key[which] = hbg_form_key(island, look->forms[which], sim->arena);
  }
  look->program = hbg_form_program(look->island[0], look->forms[0], sim->arena);
  return HBG_OK;
}

static bool are_same_keys(const Look *look) {
  return look->key[0].count == look->key[1].count &&
         !memcmp(look->key[0].list, look->key[1].list, (size_t)look->key[0].count * sizeof *look->key[0].list);
}

/* Runs the program with the coefficients of an island, at its states of `values`. */
static void run(const Look *look, int which, const double *values, double *registers) {
  const HbgProgram *program = &look->program->program;
  for (int32_t at = 0; at < program->input_count; at++) {
    const HbgProgramInput *input = &program->inputs[at];
    registers[input->target] = input->leaf.op == HBG_OP_STATE
                                   ? values[look->island[which]->binding.states[input->leaf.index]]
                                   : hbg_form_coefficient(look->program, look->forms[which], input->leaf.index);
  }
  hbg_execute(program->main, 0, program->main_count, registers);
}

static double rate_of(const Look *look, int which, const char *name, const double *registers) {
  const HbgIsland *island = look->island[which];
  const int32_t state = begun_state(look->run.sim, name);
  for (int32_t own = 0; own < island->program->template.state_count; own++)
    if (island->binding.states[own] == state) return registers[look->program->state_register[own]];
  fail_msg("'%s' is not in the island", name);
  return 0;
}

static void one_program_gives_the_rates_of_islands_with_other_numbers(void **state) {
  (void)state;
  Look look = {0};
  begun(&look.run,
        "model Swings {\n for i in 1..2 { Se u[i](3 + 4*i); I l[i](2 + 5*i); C c[i](5 + 7*i); R r[i](0.7*i); 1 j[i]; u[i] -> j[i]; j[i] -> l[i]; j[i] -> c[i]; j[i] -> r[i] }\n"
        " stop 1\n}", 1);
  begun_do(&look.run, look_at_both, &look);
  assert_true(are_same_keys(&look));
  HbgSim *sim = look.run.sim;
  double registers[64], values[4];
  assert_true(look.program->program.register_count <= 64 && sim->model->state_count == 4);
  for (int which = 0; which < 2; which++) {
    const int i = which + 1;
    const char *p = which ? "l[2].p" : "l[1].p", *q = which ? "c[2].q" : "c[1].q";
    values[begun_state(sim, p)] = 0.3;
    values[begun_state(sim, q)] = -0.4;
    run(&look, which, values, registers);
    const double f = 0.3 / (2 + 5 * i);
    CHECK_CLOSE(rate_of(&look, which, q, registers), f, 1e-14);
    CHECK_CLOSE(rate_of(&look, which, p, registers), 3 + 4 * i - 0.7 * i * f + 0.4 / (5 + 7 * i), 1e-14);
  }
  begun_end(&look.run);
}

static void what_is_nothing_in_one_island_only_parts_them(void **state) {
  (void)state;
  Look look = {0};
  // what the source gives is what the resistor takes, in the second one
  begun(&look.run,
        "model Driven {\n for i in 1..2 { Se u[i](1.4*l[i].f); I l[i](2); C c[i](3); R r[i](0.7*i); 1 j[i]; u[i] -> j[i]; j[i] -> l[i]; j[i] -> c[i]; j[i] -> r[i] }\n"
        " stop 1\n}", 1);
  begun_do(&look.run, look_at_both, &look);
  assert_ptr_equal(look.island[0]->program, look.island[1]->program);
  assert_false(are_same_keys(&look));
  begun_end(&look.run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_program_gives_the_rates_of_islands_with_other_numbers),
      cmocka_unit_test(what_is_nothing_in_one_island_only_parts_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
