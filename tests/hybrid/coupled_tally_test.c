/* SPDX-License-Identifier: BSD-3-Clause
 * Integrals of products beside sets of states with clocks of their own: energies against balances, and random chains in sets and as a whole. */
#include "hybrid/coupled_tally.h"

#include "support/sets_many.h"
#include "support/way_chain.h"

/* ---- energies ---- */

/* Blocks on a belt with viscous dampers: what the belt gives is what is stored, rubbed off and damped away. */
static const char belt[] =
    "model Belt(N = 6) {\n"
    " for i in 1..N {\n"
    "  1 v[i]; I m[i](1) start f = 0.5; C s[i](1) start q = 0.2*sin(1.7*i); v[i] -> m[i]; v[i] -> s[i]\n"
    "  0 grip[i] by Grip(pull[i], v[i].f - 0.5); Sf ride[i](0.5); v[i] -> grip[i] -> ride[i]; Se rub[i](if grip[i] in ahead then -1 else if grip[i] in behind then 1 else 0); rub[i] -> v[i]\n"
    "  signal stored[i] = m[i].f^2/2 + s[i].e^2/2, heat[i] = integral(rub[i].e*(0.5 - v[i].f)), given[i] = integral(0.5*(rub[i].e - ride[i].e)), pull[i] = t[i] - t[i-1] - s[i].e\n"
    "  signal own[i] = own[i-1] + stored[i] + heat[i] - given[i] }\n"
    " for i in 1..N-1 { 0 b[i]; 1 x[i]; C k[i](2) start q = 0.1*i; R d[i](0.05); v[i] -> b[i] -> v[i+1]; b[i] -> x[i]; x[i] -> k[i]; x[i] -> d[i]\n"
    "  signal t[i] = -b[i].e, lost[i] = integral(d[i].e*d[i].f), between[i] = between[i-1] + lost[i] + k[i].e^2 }\n signal t[0] = 0, t[N] = 0, own[0] = 0, between[0] = 0\n"
    " signal all = own[N] + between[N-1]\n"
    " machine Grip(pull, slip) { on stuck initial; off ahead, behind\n"
    "  stuck -> ahead when pull > 1.5; stuck -> behind when pull < -1.5\n"
    "  ahead -> stuck when slip < 0 and pull >= -1.5; ahead -> behind when slip < 0 and pull < -1.5\n"
    "  behind -> stuck when slip > 0 and pull <= 1.5; behind -> ahead when slip > 0 and pull > 1.5 }\n stop 20\n}";

static void what_a_belt_gives_is_stored_rubbed_off_or_damped_away(void **state) {
  (void)state;
  Ride run;
  const SetsMet met = sets_ride(&run, belt, 20, IN_SETS, false);
  assert_int_equal(run.end, HBG_END);
  assert_true(met.coupled_rows > 30 && met.most_sets > 1);
  assert_int_equal(run.sim->local->coupled->tally_count, 11);
  int32_t column = 0;
  while (strcmp(hbg_sim_column(run.sim, column)->column.name, "all")) column++;
  for (int32_t row = 1; row < run.count; row++)
    if (run.rows[row].kind == HBG_ROW_SAMPLE) CHECK_NEAR(run.values[row][column], run.values[0][column], 1e-9);
  ride_end(&run);
}

/* ---- random chains ---- */

static void write_rate(HbgText *text, Random *random, int i) {
  static const char *const rates[] = {"k#.e*v#.f", "v#.f^2 - 0.3", "(x# - 0.1)*k#.e*v#.f", "exp(-v#.f^2)", "m#.e*v#.f", "k#.e^2/(1 + v#.f^2)"};
  numbered_add(text, " signal tally# = integral(", i, 0, 0);
  numbered_add(text, rates[random_below(random, random_chance(random, 0.1) ? 5 : 4)], i, 0, 0);
  hbg_text_add(text, ", start = %.3f)\n", random_real(random));
}

static void write_chain(HbgText *text, Random *random, long seed) {
  HbgText chain = hbg_text(text->arena);
  way_chain_write(&chain, random, seed);
  const char *end = strrchr(chain.bytes, 's');
  hbg_text_add(text, "%.*s", (int)(end - chain.bytes), chain.bytes);
  for (int i = 1; i <= 2; i++) write_rate(text, random, i);
  hbg_text_add(text, "%s", end);
}

static void chains_with_tallies_do_the_same_in_sets(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(60);
  const SetsMet met = sets_compare_many(write_chain, seeds);
  if (seeds.count > 20) assert_true(met.coupled_rows > 2 * met.events && met.events > 4 * seeds.count); // or it would say nothing
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_a_belt_gives_is_stored_rubbed_off_or_damped_away),
      cmocka_unit_test(chains_with_tallies_do_the_same_in_sets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
