/* SPDX-License-Identifier: BSD-3-Clause
 * The check of units against expressions made at random: one in which every number has the unit that it needs is let pass, and
 * with one unit changed it never is. */
#include <stdlib.h>

#include "support/elaborated.h"

enum { EXPRESSIONS = 1500, DEEPEST = 5, LONGEST = 60000, BASES = 3 };

typedef struct Powers {
  int of[BASES]; /* of m, kg, s */
} Powers;

typedef struct Maker {
  uint64_t seed;
  char text[LONGEST];
  int length;
  int number_count; /* written so far */
  int changed;      /* the number that gets another unit; -1 none */
} Maker;

static int below(Maker *maker, int most) {
  maker->seed = maker->seed * 6364136223846793005u + 1442695040888963407u;
  return (int)((maker->seed >> 33) % (uint64_t)most);
}

static void put(Maker *maker, const char *text) {
  maker->length += snprintf(maker->text + maker->length, LONGEST - (size_t)maker->length, "%s", text);
}

/* A unit of these powers, in one of several ways to write it. */
static void put_unit(Maker *maker, Powers powers) {
  static const char *const names[BASES][3] = {{"m", "mm", "ft"}, {"kg", "g", "lb"}, {"s", "ms", "min"}};
  char unit[100] = "1";
  for (int base = 0; base < BASES; base++)
    if (powers.of[base])
      snprintf(unit + strlen(unit), sizeof unit - strlen(unit), "*%s^%d", names[base][below(maker, 3)], powers.of[base]);
  put(maker, unit);
}

static void put_number(Maker *maker, Powers powers) {
  const bool is_changed = maker->number_count++ == maker->changed;
  if (is_changed) powers.of[below(maker, BASES)] += below(maker, 2) ? 1 : -1;
  char digits[20];
  snprintf(digits, sizeof digits, "%d.5 [", 1 + below(maker, 9));
  put(maker, digits);
  put_unit(maker, powers);
  put(maker, "]");
}

static Powers random_powers(Maker *maker) {
  Powers powers;
  for (int base = 0; base < BASES; base++) powers.of[base] = below(maker, 5) - 2;
  return powers;
}

static void put_expression(Maker *maker, Powers powers, int depth);

static void put_two(Maker *maker, const char *before, Powers a, const char *between, Powers b, const char *after, int depth) {
  put(maker, before);
  put_expression(maker, a, depth - 1);
  put(maker, between);
  put_expression(maker, b, depth - 1);
  put(maker, after);
}

static void put_product(Maker *maker, Powers powers, int depth, bool is_quotient) {
  const Powers other = random_powers(maker);
  Powers rest = powers;
  for (int base = 0; base < BASES; base++) rest.of[base] += is_quotient ? other.of[base] : -other.of[base];
  put_two(maker, "(", rest, is_quotient ? ")/(" : ")*(", other, ")", depth);
}

static void put_root(Maker *maker, Powers powers, int depth) {
  for (int base = 0; base < BASES; base++) powers.of[base] *= 2;
  put(maker, "sqrt(abs(");
  put_expression(maker, powers, depth - 1);
  put(maker, "))");
}

static void put_square(Maker *maker, Powers powers, int depth) {
  for (int base = 0; base < BASES; base++) powers.of[base] /= 2;
  put(maker, "(");
  put_expression(maker, powers, depth - 1);
  put(maker, ")^2");
}

static bool is_even(Powers powers) { return !(powers.of[0] % 2 || powers.of[1] % 2 || powers.of[2] % 2); }
static bool is_small(Powers powers) { return abs(powers.of[0]) < 4 && abs(powers.of[1]) < 4 && abs(powers.of[2]) < 4; }
static bool is_one(Powers powers) { return !powers.of[0] && !powers.of[1] && !powers.of[2]; }

static void put_expression(Maker *maker, Powers powers, int depth) {
  if (depth == 0) {
    put_number(maker, powers);
    return;
  }
  const Powers compared = random_powers(maker);
  switch (below(maker, 11)) {
    case 0: put_two(maker, "(", powers, " + ", powers, ")", depth); return;
    case 1: put_two(maker, "(", powers, " - ", powers, ")", depth); return;
    case 2: put_product(maker, powers, depth, false); return;
    case 3: put_product(maker, powers, depth, true); return;
    case 4: put_two(maker, "max(", powers, ", ", powers, ")", depth); return;
    case 5: put_two(maker, "hypot(", powers, ", ", powers, ")", depth); return;
    case 6:
      put_two(maker, "(if time > 1 and ", compared, " > ", compared, " then ", depth);
      put_two(maker, "", powers, " else ", powers, ")", depth);
      return;
    case 7: is_small(powers) ? put_root(maker, powers, depth) : put_number(maker, powers); return;
    case 8: is_even(powers) ? put_square(maker, powers, depth) : put_number(maker, powers); return;
    case 9:
      // a function of numbers, with the unit beside it
      put_two(maker, is_one(powers) ? "cos(" : "(2 [1] + cos(", (Powers){{0}}, is_one(powers) ? ")*(" : "))*(", powers, ")", depth);
      return;
    default: put_number(maker, powers); return;
  }
}

static void make_model(Maker *maker, uint64_t seed, int changed) {
  *maker = (Maker){.seed = seed, .changed = changed};
  below(maker, 2);
  const Powers powers = random_powers(maker);
  put(maker, "model M { signal s = (");
  put_expression(maker, powers, DEEPEST);
  put(maker, ") [");
  put_unit(maker, powers);
  put(maker, "] }");
}

/* False when its numbers do not work out, by a division by zero. */
static bool count_told(const Maker *maker, int *errors, int *all) {
  Elaborated made;
  elaborated_try(&made, maker->text, NULL, 0);
  *errors = made.diagnostics.error_count;
  *all = made.diagnostics.count;
  bool works_out = true;
  for (int32_t i = 0; i < made.diagnostics.count; i++) {
    const HbgDiagnosticCode code = made.diagnostics.list[i].code;
    works_out = works_out && code != HBG_DIAGNOSTIC_DIVISION_BY_ZERO && code != HBG_DIAGNOSTIC_NOT_FINITE;
  }
  elaborated_end(&made);
  return works_out;
}

static void units_that_fit_are_let_pass_and_any_other_is_told(void **state) {
  (void)state;
  static Maker maker;
  int errors, all, changes = 0;
  for (uint64_t seed = 1; seed <= EXPRESSIONS; seed++) {
    make_model(&maker, seed, -1);
    if (maker.length >= LONGEST - 1 || !count_told(&maker, &errors, &all)) continue;
    if (all) fail_msg("seed %d: %d are told of\n%s", (int)seed, all, maker.text);
    const int numbers = maker.number_count;
    make_model(&maker, seed, (int)(seed % (uint64_t)numbers));
    if (!count_told(&maker, &errors, &all)) continue;
    if (!errors) fail_msg("seed %d: nothing is told of\n%s", (int)seed, maker.text);
    changes += numbers > 1;
  }
  assert_true(changes > EXPRESSIONS / 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(units_that_fit_are_let_pass_and_any_other_is_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
