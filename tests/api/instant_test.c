/* SPDX-License-Identifier: BSD-3-Clause
 * What a run tells of an instant: which transitions fired and on what values, the impulses, the energies of storages; and how it is interrupted. */
#include <math.h>

#include "support/programs.h"
#include "support/simulated.h"

/* Mosterman, Simko, Zander, 2013, Fig. 3; as models/newtons-cradle has it. */
#define RIDER(threshold)                                                                                                         \
  "model Rider {\n param v_th = 0.1^(1/2) [m/s], F_th = " threshold " [N*s]\n"                                                   \
  " I body1(1 [kg]) start f = 1 [m/s]; I body2(1 [kg]), body3(1 [kg]); 1 motion1, motion2, motion3\n"                             \
  " 0 F13 by Impact; 0 F23 by Stiction; Sf bounce(0.8*pre(approach))\n"                                                           \
  " motion1 -> body1; motion2 -> body2; motion3 -> body3; motion1 -> F13 -> motion3 -> F23 -> motion2; bounce -> F13\n"           \
  " signal position1 = integral(motion1.f, start = -0.2) [m]; signal position3 = integral(motion3.f) [m]\n"                       \
  " signal approach = (motion1.f - motion3.f) [m/s]; signal slip = (motion3.f - motion2.f) [m/s]\n"                               \
  " machine Impact { off free initial; on touching; free -> touching when position1 - position3 >= 0 and approach > 0\n"          \
  "  touching -> free when pre(approach) < 0 }\n"                                                                                 \
  " machine Stiction { on stuck initial; off sliding; stuck -> sliding when impulse(abs(F23.e)) > F_th\n"                         \
  "  sliding -> stuck when abs(slip) < v_th }\n stop 1 [s]\n}"

static HbgRun *start_asking(const HbgModel *model) {
  HbgRunOptions options = hbg_run_options();
  options.keeps_reasons = true;
  HbgRun *run = NULL;
  assert_int_equal(hbg_run_create(model, &options, &run, NULL), HBG_OK);
  return run;
}

static void check_term(const HbgFiredTransition *fired, int32_t index, const char *text, double value, const char *unit, bool is_a_priori) {
  assert_in_range(index, 0, fired->term_count - 1);
  const HbgFiredTerm *term = &fired->terms[index];
  assert_string_equal(term->text, text);
  CHECK_NEAR(term->value, value, 1e-12);
  if (unit) assert_string_equal(term->unit, unit);
  else assert_null(term->unit);
  assert_int_equal(term->is_a_priori, is_a_priori);
}

static const char *machine_name(const HbgModel *model, const HbgFiredTransition *fired) { return hbg_model_machine(model, fired->machine).name; }

static int32_t stored_of(const HbgModel *model, const char *name) {
  for (int32_t at = 0; at < hbg_model_size(model).stored_quantities; at++)
    if (strcmp(hbg_model_stored(model, at).name, name) == 0) return at;
  fail_msg("there is no %s", name);
  return -1;
}

static double impulse_of(const HbgModel *model, const HbgRun *run, const char *tail, const char *head) {
  for (int32_t at = 0; at < hbg_run_impulse_count(run); at++) {
    const HbgImpulse impulse = hbg_run_impulse(run, at);
    const HbgBondInfo bond = hbg_model_bond(model, impulse.bond);
    if (impulse.is_effort && strcmp(bond.tail, tail) == 0 && strcmp(bond.head, head) == 0) return impulse.weight;
  }
  return 0;
}

static void a_row_tells_which_guards_led_to_it_and_on_what_values(void **state) {
  (void)state;
  HbgModel *model = simulated_model(RIDER("0.5"));
  HbgRun *run = start_asking(model);
  HbgRow row;
  assert_int_equal(hbg_run_next_event(run, &row), HBG_OK);
  assert_int_equal(row.kind, HBG_ROW_BEFORE);
  assert_int_equal(hbg_run_fired_count(run), 0);

  assert_int_equal(hbg_run_next(run, &row), HBG_OK); // <t, 0, 0>: the impact is inferred, with the rider
  assert_int_equal(row.kind, HBG_ROW_MYTHICAL);
  assert_int_equal(hbg_run_fired_count(run), 1);
  HbgFiredTransition fired = hbg_run_fired(run, 0);
  assert_string_equal(machine_name(model, &fired), "F13");
  assert_string_equal(hbg_model_machine_state(model, fired.machine, fired.from, NULL), "free");
  assert_string_equal(hbg_model_machine_state(model, fired.machine, fired.to, NULL), "touching");
  assert_string_equal(fired.guard, "position1 - position3 >= 0 and approach > 0");
  assert_int_equal(fired.term_count, 2);
  check_term(&fired, 0, "position1 - position3", 0, "m", false);
  check_term(&fired, 1, "approach", 1, "m/s", false);

  assert_int_equal(hbg_run_next(run, &row), HBG_OK); // <t, 0, 1>: the impulse of 0.6 N s has torn the rider off
  assert_int_equal(row.kind, HBG_ROW_PINNACLE);
  fired = hbg_run_fired(run, 0);
  assert_string_equal(machine_name(model, &fired), "F23");
  check_term(&fired, 0, "impulse(abs(F23.e))", 0.6, "N*s", false);
  check_term(&fired, 1, "F_th", 0.5, "N*s", false);

  assert_int_equal(hbg_run_next(run, &row), HBG_OK); // <t, 1, 0>: they have parted
  assert_int_equal(row.kind, HBG_ROW_CONTINUOUS);
  assert_int_equal(hbg_run_fired_count(run), 1);
  fired = hbg_run_fired(run, 0);
  assert_string_equal(machine_name(model, &fired), "F13");
  check_term(&fired, 0, "pre(approach)", -0.8, "m/s", true);
  assert_int_equal(hbg_run_fired(run, 1).term_count, 0);
  assert_int_equal(hbg_run_fired(run, -1).term_count, 0);

  assert_int_equal(hbg_run_next(run, &row), HBG_OK);
  assert_int_equal(row.kind, HBG_ROW_SAMPLE);
  assert_int_equal(hbg_run_fired_count(run), 0);
  hbg_run_free(run);
  hbg_model_free(model);
}

static void what_is_not_asked_for_is_not_told(void **state) {
  (void)state;
  HbgModel *model = simulated_model(RIDER("0.5"));
  HbgRun *run = simulated_start(model);
  HbgRow row;
  assert_int_equal(hbg_run_fired_count(run), 0);
  while (hbg_run_next(run, &row) == HBG_OK) assert_int_equal(hbg_run_fired_count(run) + hbg_run_impulse_count(run), 0);
  hbg_run_free(run);
  hbg_model_free(model);
}

static void asking_changes_no_row(void **state) {
  (void)state;
  const char *const texts[] = {RIDER("0.95"), PROGRAM_CRADLE, PROGRAM_BALL, PROGRAM_STIFF};
  for (size_t which = 0; which < sizeof texts / sizeof *texts; which++) {
    HbgModel *model = simulated_model(texts[which]);
    HbgRun *plain = simulated_start(model), *asked = start_asking(model);
    assert_int_equal(hbg_run_add_default_columns(plain, HBG_COLUMNS_TRAJECTORY), HBG_OK);
    assert_int_equal(hbg_run_add_default_columns(asked, HBG_COLUMNS_TRAJECTORY), HBG_OK);
    HbgRow row, same;
    while (hbg_run_next(plain, &row) == HBG_OK) {
      assert_int_equal(hbg_run_next(asked, &same), HBG_OK);
      CHECK_NEAR(same.time, row.time, 1e-12);
      assert_int_equal(same.eps, row.eps);
      assert_int_equal(same.n, row.n);
      assert_string_equal(same.cause, row.cause);
      for (int32_t column = 0; column < hbg_run_column_count(plain); column++)
        CHECK_NEAR(hbg_run_value(asked, column), hbg_run_value(plain, column), 1e-9);
    }
    assert_int_equal(hbg_run_next(asked, &same), HBG_END);
    hbg_run_free(plain);
    hbg_run_free(asked);
    hbg_model_free(model);
  }
}

static void alternatives_arguments_and_conditions_are_terms_as_written(void **state) {
  (void)state;
  HbgModel *model = simulated_model(
      "model Terms {\n I m(2) start f = 1; 1 motion; R r(1); motion -> m; motion -> r; 0 gate by Gate(motion.f - 2, x > 0.5); Sf off(0); off -> gate -> R2; R R2(1)\n"
      " signal x = integral(motion.f); signal far = x > 0.25\n"
      " machine Gate(speed, late) { on a initial; off b; a -> b when (not (speed > -1.2 or late)) and far }\n stop 1\n}");
  HbgRun *run = start_asking(model);
  HbgRow row;
  assert_int_equal(hbg_run_next_event(run, &row), HBG_OK);
  assert_int_equal(hbg_run_next(run, &row), HBG_OK);
  assert_int_equal(hbg_run_fired_count(run), 1);
  const HbgFiredTransition fired = hbg_run_fired(run, 0);
  assert_int_equal(fired.term_count, 3);
  // f = exp(-t/2), x = 2 (1 - f): where x > 0.25 f = 0.875, beyond f < 0.8 first where x = 0.4
  check_term(&fired, 0, "speed", -1.2, NULL, false);
  check_term(&fired, 1, "late", 0, NULL, false);
  check_term(&fired, 2, "far", 1, NULL, false);
  assert_true(fired.terms[1].is_boolean && fired.terms[2].is_boolean && !fired.terms[0].is_boolean);
  hbg_run_free(run);
  hbg_model_free(model);
}

static void an_impulse_that_decides_is_told_beside_the_value(void **state) {
  (void)state;
  HbgModel *model = simulated_model(
      "model Latch {\n C a(1) start e = 2; C b(1); 0 na, nb; 1 link by Link; na -> a; nb -> b; na -> link -> nb\n"
      " machine Link { off open initial; on closed; on hot; open -> closed when time >= 0.5; closed -> hot when link.f > 0 }\n stop 1\n}");
  HbgRun *run = start_asking(model);
  HbgRow row;
  assert_int_equal(hbg_run_next_event(run, &row), HBG_OK);
  for (int at = 0; at < 2; at++) assert_int_equal(hbg_run_next(run, &row), HBG_OK);
  const HbgFiredTransition fired = hbg_run_fired(run, 0);
  assert_string_equal(hbg_model_machine_state(model, fired.machine, fired.to, NULL), "hot");
  assert_int_equal(fired.term_count, 1);
  CHECK_NEAR(fired.terms[0].impulse, 1, 1e-12); // the charge that flows
  CHECK_NEAR(fired.terms[0].value, 0, 1e-12);
  hbg_run_free(run);
  hbg_model_free(model);
}

static void the_impact_of_the_cradle_has_an_impulse_of_one_and_a_fifth(void **state) {
  (void)state;
  HbgModel *model = simulated_model(RIDER("0.95"));
  HbgRun *run = start_asking(model);
  HbgRow row;
  const int32_t p1 = stored_of(model, "body1.p"), p2 = stored_of(model, "body2.p"), p3 = stored_of(model, "body3.p");
  for (int32_t at = 0; at < 3; at++) hbg_run_energy(run, at); // before the first row, to be known within the instant
  assert_int_equal(hbg_run_next_event(run, &row), HBG_OK);
  CHECK_NEAR(hbg_run_energy(run, p1), 0.5, 1e-12);
  CHECK_NEAR(hbg_run_energy(run, p2), 0, 1e-12);
  assert_int_equal(hbg_run_impulse_count(run), 0);
  assert_int_equal(hbg_run_next(run, &row), HBG_OK);
  assert_int_equal(row.kind, HBG_ROW_PINNACLE);
  assert_true(row.has_jump);
  CHECK_NEAR(impulse_of(model, run, "motion1", "F13"), 1.2, 1e-12);
  CHECK_NEAR(impulse_of(model, run, "motion1", "body1"), -1.2, 1e-12);
  CHECK_NEAR(impulse_of(model, run, "motion3", "body3"), 0.6, 1e-12);
  CHECK_NEAR(impulse_of(model, run, "F23", "motion2"), 0.6, 1e-12);
  assert_int_equal(hbg_run_next(run, &row), HBG_OK);
  assert_int_equal(row.kind, HBG_ROW_CONTINUOUS);
  assert_int_equal(hbg_run_impulse_count(run), 0);
  CHECK_NEAR(hbg_run_energy(run, p1), 0.02, 1e-12);
  CHECK_NEAR(hbg_run_energy(run, p2), 0.18, 1e-12);
  CHECK_NEAR(hbg_run_energy(run, p3), 0.18, 1e-12);
  hbg_run_free(run);
  hbg_model_free(model);
}

static void two_equal_capacitors_lose_half_of_the_energy(void **state) {
  (void)state;
  HbgModel *model = simulated_model(
      "model Halves {\n C left(2) start e = 3; C right(2); 0 a, b; 1 relay by Relay; a -> left; b -> right; a -> relay -> b\n"
      " machine Relay { off open initial; on closed; open -> closed when time >= 1 }\n stop 2\n}");
  HbgRun *run = simulated_start(model);
  HbgRow row;
  const int32_t left = stored_of(model, "left.q"), right = stored_of(model, "right.q");
  hbg_run_energy(run, left);
  hbg_run_energy(run, right);
  CHECK_NEAR(hbg_run_energy(run, left), 9, 1e-12); // as it starts
  assert_int_equal(hbg_run_next(run, &row), HBG_OK);
  CHECK_NEAR(hbg_run_energy(run, left), 9, 1e-12);
  CHECK_NEAR(hbg_run_energy(run, right), 0, 0);
  assert_int_equal(hbg_run_until(run, 1, &row), HBG_OK);
  CHECK_NEAR(hbg_run_energy(run, left), 2.25, 1e-12);
  CHECK_NEAR(hbg_run_energy(run, right), 2.25, 1e-12);
  hbg_run_free(run);
  hbg_model_free(model);
}

static double energy_at_start(const char *text, const char *stored, const char **reason) {
  HbgModel *model = simulated_model(text);
  HbgRun *run = simulated_start(model);
  HbgRow row;
  assert_int_equal(hbg_run_next(run, &row), HBG_OK);
  const int32_t index = stored_of(model, stored);
  const double energy = hbg_run_energy(run, index);
  const char *why = hbg_run_energy_reason(run, index);
  if (reason) *reason = *why ? "none" : "";
  hbg_run_free(run);
  hbg_model_free(model);
  return energy;
}

static void laws_that_are_not_linear_are_integrated(void **state) {
  (void)state;
  // a spring that hardens, e = q + q^3: q^2/2 + q^4/4; a relativistic body, f = p c/sqrt(p^2 + m^2 c^2): sqrt(p^2 c^2 + m^2 c^4) - m c^2
  CHECK_NEAR(energy_at_start("model M { C s: e = q + q^3 start q = 2; R r(1); 0 n; n -> s; n -> r; stop 1 }", "s.q", NULL), 6, 1e-9);
  CHECK_NEAR(energy_at_start("model M { I s: f = 3*p/sqrt(p^2 + 9) start p = -4; R r(1); 1 n; n -> s; n -> r; stop 1 }", "s.p", NULL), 6, 1e-9);
  CHECK_NEAR(energy_at_start("model M { C s: e = 2*q + 3 start q = 2; R r(1); 0 n; n -> s; n -> r; stop 1 }", "s.q", NULL), 10, 1e-12);
  CHECK_NEAR(energy_at_start("model M { C s: e = q*abs(q) start q = -3; R r(1); 0 n; n -> s; n -> r; stop 1 }", "s.q", NULL), 9, 1e-9);
}

static void the_ports_of_a_field_share_its_energy(void **state) {
  (void)state;
  HbgModel *model = simulated_model(
      "model Coils {\n I coils([[2, 1], [1, 3]]) start p = [4, 5]; R r1(1), r2(1); 1 a, b; a -> coils[1]; b -> coils[2]; a -> r1; b -> r2\n stop 1\n}");
  HbgRun *run = simulated_start(model);
  HbgRow row;
  assert_int_equal(hbg_run_next(run, &row), HBG_OK);
  // currents (12 - 5)/5 = 1.4 and (10 - 4)/5 = 1.2: (4*1.4 + 5*1.2)/2
  CHECK_NEAR(hbg_run_energy(run, 0) + hbg_run_energy(run, 1), 5.8, 1e-12);
  hbg_run_free(run);
  hbg_model_free(model);
}

static void a_law_that_reads_something_else_has_no_energy_of_its_own(void **state) {
  (void)state;
  const char *reason;
  assert_true(isnan(energy_at_start("model M { C s: e = q*(1 + time) start q = 2; R r(1); 0 n; n -> s; n -> r; stop 1 }", "s.q", &reason)));
  assert_string_equal(reason, "none");
  // and what is infinite at zero
  assert_true(isnan(energy_at_start("model M { C s: e = 1/q start q = 2; R r(1); 0 n; n -> s; n -> r; stop 1 }", "s.q", &reason)));
  HbgModel *model = simulated_model("model M { signal x = integral(1); stop 1 }");
  HbgRun *run = simulated_start(model);
  assert_true(isnan(hbg_run_energy(run, 0)) && *hbg_run_energy_reason(run, 0));
  assert_true(isnan(hbg_run_energy(run, 7)) && *hbg_run_energy_reason(run, 7));
  assert_true(isnan(hbg_run_energy(NULL, 0)));
  hbg_run_free(run);
  hbg_model_free(model);
}

static void every_bond_is_read_by_its_index(void **state) {
  (void)state;
  HbgModel *model = simulated_model("model M { Se u(6); 1 a; 1 b; R r(2); R s(1); u -> a -> b -> s; a -> r; stop 1 }");
  HbgRun *run = simulated_start(model);
  HbgRow row;
  int32_t effort[4], flow[4], ignored;
  const int32_t count = hbg_model_size(model).bonds;
  assert_int_equal(count, 4);
  for (int32_t bond = 0; bond < count; bond++) {
    assert_int_equal(hbg_run_find_bond(run, bond, true, &effort[bond]), HBG_OK);
    assert_int_equal(hbg_run_find_bond(run, bond, false, &flow[bond]), HBG_OK);
  }
  assert_int_equal(hbg_run_find_bond(run, 4, true, &ignored), HBG_ARGUMENT);
  assert_int_equal(hbg_run_find_bond(run, -1, true, &ignored), HBG_ARGUMENT);
  assert_int_equal(hbg_run_next(run, &row), HBG_OK);
  for (int32_t bond = 0; bond < count; bond++) {
    const HbgBondInfo info = hbg_model_bond(model, bond);
    const double expected = strcmp(info.head, "r") == 0 ? 4 : strcmp(info.tail, "u") == 0 ? 6 : 2;
    CHECK_NEAR(hbg_run_read(run, effort[bond]), expected, 1e-12); // that between two 1-junctions has no name
    CHECK_NEAR(hbg_run_read(run, flow[bond]), 2, 1e-12);
  }
  HbgRun *copy;
  assert_int_equal(hbg_run_copy(run, &copy), HBG_OK);
  CHECK_NEAR(hbg_run_read(copy, effort[3]), hbg_run_read(run, effort[3]), 0);
  hbg_run_free(copy);
  hbg_run_free(run);
  hbg_model_free(model);
}

static bool after_some(void *user) { return --*(int *)user < 0; }

static void a_run_without_end_is_interrupted_within_a_row(void **state) {
  (void)state;
  // no row before the end, and steps without number
  HbgModel *model = simulated_model("model Spin { C c(1e-8) start q = 1; I i(1e-8); 1 n; n -> c; n -> i; signal x = integral(sin(c.q*i.p)); stop 1e6 }");
  HbgRunOptions options = hbg_run_options();
  int asked = 1000;
  options.interval = 1e6;
  options.interrupt = after_some;
  options.interrupt_user = &asked;
  HbgRun *run = NULL;
  assert_int_equal(hbg_run_create(model, &options, &run, NULL), HBG_OK);
  HbgRow row;
  HbgStatus status = HBG_OK;
  while (status == HBG_OK) status = hbg_run_next(run, &row);
  assert_int_equal(status, HBG_STOPPED);
  assert_int_equal(asked, -1);
  assert_non_null(strstr(hbg_run_failure(run), "interrupted"));
  hbg_run_free(run);
  hbg_model_free(model);
}

static void an_instant_that_goes_on_and_on_is_interrupted_too(void **state) {
  (void)state;
  HbgModel *model = simulated_model(
      "model Count {\n 1 n by M; Se u(1); R r(1); u -> n -> r\n machine M { on a initial; off b; var k = 0\n"
      "  a -> b when time >= 0.5 and k >= 0 do k := k + 1\n  b -> a when k > 0 do k := k + 1\n }\n stop 1\n}");
  HbgRunOptions options = hbg_run_options();
  int asked = 500;
  options.interrupt = after_some;
  options.interrupt_user = &asked;
  HbgRun *run = NULL;
  assert_int_equal(hbg_run_create(model, &options, &run, NULL), HBG_OK);
  HbgRow row;
  HbgStatus status = HBG_OK;
  while (status == HBG_OK) status = hbg_run_next(run, &row);
  assert_int_equal(status, HBG_STOPPED);
  assert_non_null(strstr(hbg_run_failure(run), "interrupted"));
  hbg_run_free(run);
  hbg_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_row_tells_which_guards_led_to_it_and_on_what_values),
      cmocka_unit_test(what_is_not_asked_for_is_not_told),
      cmocka_unit_test(asking_changes_no_row),
      cmocka_unit_test(alternatives_arguments_and_conditions_are_terms_as_written),
      cmocka_unit_test(an_impulse_that_decides_is_told_beside_the_value),
      cmocka_unit_test(the_impact_of_the_cradle_has_an_impulse_of_one_and_a_fifth),
      cmocka_unit_test(two_equal_capacitors_lose_half_of_the_energy),
      cmocka_unit_test(laws_that_are_not_linear_are_integrated),
      cmocka_unit_test(the_ports_of_a_field_share_its_energy),
      cmocka_unit_test(a_law_that_reads_something_else_has_no_energy_of_its_own),
      cmocka_unit_test(every_bond_is_read_by_its_index),
      cmocka_unit_test(a_run_without_end_is_interrupted_within_a_row),
      cmocka_unit_test(an_instant_that_goes_on_and_on_is_interrupted_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
