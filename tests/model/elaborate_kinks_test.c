/* SPDX-License-Identifier: BSD-3-Clause
 * Comparisons of what has kinks hold exactly where they do as they are written, and machines that go by them switch there. HYBRSIM_SEED chooses the random ones. */
#include "support/random_graph.h"
#include "support/seeds.h"
#include "support/simulated.h"

#define SIGNALS " signal a = integral(b, start = 1), b = integral(-4*a, start = 0.13), c = integral(d, start = -0.2), d = integral(-9*c, start = 2)\n"

enum { LONGEST = 400 };

/* A sum with kinks in it, of signals and numbers that are those of its side alone: what stands on both sides may be the same for a while, and round-off decide. */
static void write_value(Random *random, char *text, int depth, int side) {
  static const char *const all[2][4] = {{"a", "b", "mod(time + 0.11, 0.7)", "0.4"}, {"c", "d", "(time + 0.17)/5", "-0.3"}};
  const char *const *leaves = all[side];
  char one[LONGEST] = "", two[LONGEST] = "";
  if (!depth) {
    snprintf(text, LONGEST, "%s", leaves[random_below(random, 4)]);
    return;
  }
  write_value(random, one, depth - 1, side);
  write_value(random, two, random_chance(random, 0.5) ? depth - 1 : 0, side);
  const double factor = (random_chance(random, 0.5) ? 1 : -1) * (0.3 + random_real(random));
  switch (random_below(random, 6)) {
    case 0: snprintf(text, LONGEST, "max(%.150s, %.150s)", one, two); break;
    case 1: snprintf(text, LONGEST, "%.2f*min(%.150s, %.150s)", factor, one, two); break;
    case 2: snprintf(text, LONGEST, "abs(%.150s)/%.2f", one, factor); break;
    case 3: snprintf(text, LONGEST, "limit(%.150s, %s)", one, side ? "-0.45, 0.63" : "-0.5, 0.6"); break;
    case 4: snprintf(text, LONGEST, "(%.150s - %.150s)", one, two); break;
    default: snprintf(text, LONGEST, "(%.2f*(%.150s) + %.150s)", factor, one, two); break;
  }
}

static void they_hold_where_they_do_as_they_are_written(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(60);
  static const char *const relations[] = {">", ">=", "<", "<="};
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    Random random = {(uint64_t)seed};
    char left[LONGEST], right[LONGEST], whole[LONGEST], text[4 * LONGEST], columns[5 * LONGEST];
    write_value(&random, left, 3, 0);
    write_value(&random, whole, random_below(&random, 3), 1);
    snprintf(right, sizeof right, "%.300s + %.4f", whole, random_real(&random) - 0.5); // so that both sides meet at kinks by chance only
    const char *relation = relations[random_below(&random, 4)];
    snprintf(text, sizeof text, "model Kinks {\n" SIGNALS " machine m = M(%s %s %s)\n"
             " machine M(gate) { off no initial; on yes; no -> yes when gate; yes -> no when not gate }\n stop 4\n}", left, relation, right);
    snprintf(columns, sizeof columns, "if m in yes then 1 else 0; if %s %s %s then 1 else 0; abs(%s - (%s))", left, relation, right, left, right);
    Simulated run = simulated(text, columns, NULL);
    for (int row = 0; row < run.row_count; row++) {
      const double *values = run.rows[row].values;
      const bool is_at_an_event = run.rows[row].row.is_event || run.rows[row].row.kind == HBG_ROW_BEFORE;
      if (!is_at_an_event && values[2] > 1e-6 && fabs(values[0] - values[1]) > 0.5)
        fail_msg("seed %ld: `%s %s %s` at %.17g: the machine says %g, the text %g", seed, left, relation, right, run.rows[row].row.time, values[0], values[1]);
    }
    simulated_end(&run);
  }
}

/* abs(cos(2t)) > 0.8: where 2t is arccos(0.8) and so on. */
static void they_turn_where_the_closed_form_says(void **state) {
  (void)state;
  Simulated run = simulated("model Kinks {\n signal a = integral(b, start = 1), b = integral(-4*a)\n machine m = M(abs(a) > 0.8, limit(time, 1, 2) >= 1.5)\n"
                            " machine M(gate, late) { off no initial; on yes; no -> yes when gate and late; yes -> no when not gate }\n stop 4\n}", "m", NULL);
  // outside of |cos 2t| > 0.8 it is from 2t = pi - acos(0.8) on, 3.498...; 1.5 lies within
  const double turn = acos(0.8), pi = acos(-1), times[] = {1.5, (pi + turn) / 2, (2 * pi - turn) / 2, (2 * pi + turn) / 2};
  int at = 0;
  for (int row = 0; row < run.row_count; row++) {
    if (run.rows[row].row.kind != HBG_ROW_BEFORE) continue;
    if (at < 4) CHECK_NEAR(run.rows[row].row.time, times[at], 1e-13);
    at++;
  }
  assert_int_equal(at, 4);
  simulated_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(they_hold_where_they_do_as_they_are_written),
      cmocka_unit_test(they_turn_where_the_closed_form_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
