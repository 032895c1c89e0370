/* SPDX-License-Identifier: BSD-3-Clause
 * Guards as sums of states and functions of time, against the same guards evaluated at random states and times. HYBRSIM_SEED chooses the guards,
 * HYBRSIM_GRAPHS how many. */
#include "hybrid/watch_parts.h"

#include "support/begun.h"
#include "support/random_graph.h"
#include "support/seeds.h"

enum { TEXT = 4000, STOP = 4 };

/* Circuits that a sine, a constant and a held value drive, a machine that turns by the clock, and one whose guard is `guard`. */
static void write_model(char *text, const char *guard) {
  snprintf(text, TEXT,
           "model Forms {\n Se u(3*sin(2*time) + time); 1 a; R ra(1); I ia(2); u -> a; a -> ra; a -> ia\n"
           " Sf feed(0.7); 0 b; C cb(0.5) start e = 1; R rb(3); feed -> b; b -> cb; b -> rb\n"
           " Se pull(2); 1 w; I m(1.5); C k(0.4); R d(0.2); pull -> w; w -> m; w -> k; w -> d\n"
           " signal level = integral(b.e), seen = sample(b.e, every(0.5)), gate = pulse(1, 1, 10) > 0.5\n"
           " Se on(1); 1 lamp by Lamp; R bulb(1); on -> lamp -> bulb; machine Lamp { off dark initial; on lit; dark -> lit when gate; lit -> dark when not gate }\n"
           " Se s(1); 1 j by Guarded; R r(1); s -> j -> r; machine Guarded { off no initial; on yes; no -> yes when %s }\n stop %d\n}",
           guard, STOP);
}

typedef struct Question {
  Begun run;
  Random *random;
  const char *guard;
  long seed;
  int32_t number;
  HbgGuardForm *form;
  bool is_possible;
} Question;

static int32_t guard_number(const HbgSim *sim) {
  for (int32_t number = 0; number < sim->guards.count; number++)
    if (!strcmp(sim->model->machines[sim->guards.list[number].machine].name, "j")) return number;
  fail_msg("no guard");
  return -1;
}

static HbgStatus find_form(void *user) {
  Question *self = user;
  HbgSim *sim = self->run.sim;
  assert_non_null(sim->local); // it has been tried, at least
  hbg_owed_pay_all(sim);
  self->number = guard_number(sim);
  self->is_possible = true;
  self->form = hbg_watch_form(sim, self->number, &self->is_possible);
  return HBG_OK;
}

static void ask(Question *self, const char *guard) {
  char text[TEXT];
  self->guard = guard;
  write_model(text, guard);
  begun(&self->run, text, STOP);
  begun_do(&self->run, find_form, self);
}

static void end(Question *self) { begun_end(&self->run); }

/* ---- random guards ---- */

static double value_of(const HbgSim *sim, const HbgGuardForm *form, int32_t which, double *size) {
  double sum = form->constant[which], times[HBG_TIME_COLUMNS];
  *size = fabs(sum);
  for (int32_t at = form->start[which]; at < form->start[which + 1]; at++) {
    const double term = form->terms[at].weight * sim->now.state[form->terms[at].state];
    sum += term;
    *size += fabs(term);
    for (int32_t before = form->start[which]; before < at; before++) assert_int_not_equal(form->terms[before].state, form->terms[at].state);
  }
  if (form->follows_time) hbg_time_values(form->time, sim->now.time, times);
  for (int32_t at = 0; form->follows_time && at < HBG_TIME_COLUMNS; at++) {
    const double term = form->time_row[which * HBG_TIME_COLUMNS + at] * times[at];
    sum += term;
    *size += fabs(term);
  }
  return sum;
}

/* At a random state and time. */
static void compare(Question *self) {
  HbgSim *sim = self->run.sim;
  HbgConjunction *guard = &sim->guards.list[self->number];
  for (int32_t state = 0; state < sim->model->state_count; state++) sim->now.state[state] = 6 * random_real(self->random) - 3;
  sim->now.time = STOP * random_real(self->random);
  assert_true(hbg_evaluate_here(sim));
  hbg_probe_run(&guard->probe, &sim->now);
  for (int32_t which = 0; which < guard->difference_count; which++) {
    double size;
    const double value = value_of(sim, self->form, which, &size), expected = hbg_probe_value(&guard->probe, 1 + which);
    if (!(fabs(value - expected) <= 1e-12 * (1 + size)))
      fail_msg("seed %ld: difference %d of %s is %.17g, and %.17g by its form", self->seed, which, self->guard, expected, value);
  }
}

static HbgStatus compare_often(void *user) {
  Question *self = user;
  HbgSim *sim = self->run.sim;
  for (int round = 0; round < 3; round++) {
    // what is held becomes another number, and the form with it
    for (int32_t variable = 0; variable < sim->model->variable_count; variable++) sim->now.discrete[variable] = 4 * random_real(self->random) - 2;
    self->form = hbg_watch_form(sim, self->number, &self->is_possible);
    if (!self->form || !self->is_possible) fail_msg("seed %ld: %s has no form", self->seed, self->guard);
    for (int look = 0; look < 3; look++) compare(self);
  }
  return HBG_OK;
}

static void write_sum(Random *random, HbgText *text, int depth) {
  static const char *const leaves[] = {"a.f", "ra.e", "u.e", "b.e", "rb.f", "w.f", "k.e", "m.f", "d.e", "level", "feed.f"};
  const double number = 0.1 + 3 * random_real(random);
  switch (depth ? random_below(random, 9) : 8) {
    case 0:
    case 1:
      hbg_text_add(text, "(");
      write_sum(random, text, depth - 1);
      hbg_text_add(text, random_chance(random, 0.5) ? " + " : " - ");
      write_sum(random, text, depth - 1);
      hbg_text_add(text, ")");
      break;
    case 2:
      hbg_text_add(text, "%.17g*", number);
      write_sum(random, text, depth - 1);
      break;
    case 3:
      hbg_text_add(text, "(-");
      write_sum(random, text, depth - 1);
      hbg_text_add(text, ")/%.17g", number);
      break;
    case 4:
      hbg_text_add(text, "seen*");
      write_sum(random, text, depth - 1);
      break;
    case 5:
      hbg_text_add(text, "(if gate then %.17g else ", number);
      write_sum(random, text, depth - 1);
      hbg_text_add(text, ")");
      break;
    case 6: hbg_text_add(text, random_chance(random, 0.5) ? "%.3g*time" : "sin(%.3g*time)", number); break;
    case 7: hbg_text_add(text, "(if lamp in lit then %.17g else 2)*b.e", number); break;
    default: hbg_text_add(text, "%s", leaves[random_below(random, sizeof leaves / sizeof *leaves)]); break;
  }
}

static void sums_are_what_guards_come_to(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(150);
  int with_time = 0;
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    Random random = {(uint64_t)seed};
    HbgArena arena = hbg_arena((HbgAllocator){0});
    HbgText text = hbg_text(&arena);
    Question self = {.random = &random, .seed = seed};
    write_sum(&random, &text, 4);
    hbg_text_add(&text, " + 0.01*b.e > 1e6");
    if (random_chance(&random, 0.5)) {
      hbg_text_add(&text, " and ");
      write_sum(&random, &text, 2);
      hbg_text_add(&text, " + 0.01*b.e < -1e6");
    }
    ask(&self, text.bytes);
    begun_do(&self.run, compare_often, &self);
    with_time += self.form->follows_time;
    end(&self);
    hbg_arena_release_all(&arena);
  }
  if (seeds.count > 50) assert_true(with_time > seeds.count / 4 && with_time < seeds.count);
}

/* ---- what has none ---- */

static void check(const char *guard, bool has_form, bool is_possible) {
  Question self = {0};
  ask(&self, guard);
  if ((self.form != NULL) != has_form || self.is_possible != is_possible) fail_msg("%s: %d, %d", guard, self.form != NULL, self.is_possible);
  end(&self);
}

static void what_turns_at_instants_only_is_not_waited_for(void **state) {
  (void)state;
  check("seen > 100", false, true);
  check("gate and lamp in dark", false, true);
  check("b.e > 100 and lamp in lit", false, true);
  check("b.e > 100 and lamp in dark", true, true);
}

static void what_is_no_sum_is_for_others(void **state) {
  (void)state;
  static const char *const guards[] = {"b.e*w.f > 1000", "sqrt(b.e + 5) > 1000", "b.e*time > 1000"};
  for (int which = 0; which < 3; which++) {
    Question self = {0};
    ask(&self, guards[which]);
    assert_false(self.is_possible);
    end(&self);
  }
}

/* ---- what is kept ---- */

static HbgStatus change_what_is_held(void *user) {
  Question *self = user;
  HbgSim *sim = self->run.sim;
  const HbgReading *before = self->form->readings;
  assert_non_null(before);
  const double constant = self->form->constant[0];
  for (int32_t variable = 0; variable < sim->model->variable_count; variable++) sim->now.discrete[variable] += 0.25;
  HbgGuardForm *form = hbg_watch_form(sim, self->number, &self->is_possible);
  assert_ptr_equal(form, self->form);
  // b.e - 1e6 + seen, or b.e seen - 1e6
  const bool is_beside = strstr(self->guard, "+ seen");
  assert_ptr_equal(form->readings, is_beside ? before : NULL);
  CHECK_NEAR(form->constant[0] - constant, is_beside ? 0.25 : 0, 1e-9);
  if (is_beside) CHECK_NEAR(form->readings->differences[0].constant, form->constant[0], 0);
  return HBG_OK;
}

static void a_number_beside_the_states_changes_nothing_of_what_was_read(void **state) {
  (void)state;
  static const char *const guards[] = {"b.e + seen > 1e6", "b.e*seen > 1e6"};
  for (int which = 0; which < 2; which++) {
    Question self = {0};
    ask(&self, guards[which]);
    begun_do(&self.run, change_what_is_held, &self);
    end(&self);
  }
}

static HbgStatus ask_again(void *user) {
  Question *self = user;
  const HbgGuardForm *first = self->form;
  const int32_t edition = first->editions[0];
  find_form(self);
  assert_ptr_equal(self->form, first);
  assert_int_equal(first->editions[0], edition);
  assert_null(first->next);
  return HBG_OK;
}

static void who_asks_again_gets_the_same(void **state) {
  (void)state;
  Question self = {0};
  ask(&self, "b.e + 2*a.f > 1e6");
  begun_do(&self.run, ask_again, &self);
  end(&self);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_are_what_guards_come_to),
      cmocka_unit_test(what_turns_at_instants_only_is_not_waited_for),
      cmocka_unit_test(what_is_no_sum_is_for_others),
      cmocka_unit_test(a_number_beside_the_states_changes_nothing_of_what_was_read),
      cmocka_unit_test(who_asks_again_gets_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
