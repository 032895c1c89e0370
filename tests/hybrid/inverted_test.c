/* SPDX-License-Identifier: BSD-3-Clause
 * Laws that give the flow and are asked for the effort, so that an equation has to be solved for it: at rest, and where next to nothing flows. */
#include "support/simulated.h"

typedef struct Junction {
  double saturation, voltage, leak, inductance, resistance;
} Junction;

static const Junction junctions[] = {
    {1e-4, 0.6, 0.01, 0.25, 0.6}, {1e-5, 0.3, 0.003, 0.01, 5}, {1e-2, 1, 0.1, 1, 0.1}, {3e-3, 0.45, 0.02, 0.05, 1.7}, {1.3e-5, 0.97, 0.09, 0.6, 0.15}, {2.03e-3, 0.46, 3.41e-5, 0.563, 1.36},
};
enum { JUNCTIONS = sizeof junctions / sizeof *junctions };

static double flow(const Junction *junction, double e) { return junction->saturation * expm1(e / junction->voltage) + junction->leak * e; }

static Simulated run_of(const Junction *junction, const char *source) {
  char text[400];
  snprintf(text, sizeof text,
           "model Rest {\n Se source(%s); 1 loop; I coil(%.17g); R wire(%.17g); R diode: f = %.17g*(exp(e/%.17g) - 1) + %.17g*e\n"
           " source -> loop -> coil; loop -> wire; loop -> diode\n stop 20\n}",
           source, junction->inductance, junction->resistance, junction->saturation, junction->voltage, junction->leak);
  return simulated(text, "coil.f; diode.e", NULL);
}

static void a_coil_in_front_of_a_diode_rests_until_its_source_comes_on(void **state) {
  (void)state;
  for (int at = 0; at < JUNCTIONS; at++) {
    Simulated run = run_of(&junctions[at], "step(9)");
    for (int row = 0; row < run.row_count && run.rows[row].row.time < 9; row++) {
      CHECK_NEAR(run.rows[row].values[0], 0, 0);
      CHECK_NEAR(run.rows[row].values[1], 0, 0);
    }
    // in the end it carries what the diode lets through
    const double f = simulated_last(&run, "coil.f");
    CHECK_NEAR(flow(&junctions[at], 1 - junctions[at].resistance * f), f, 1e-7 * f);
    simulated_end(&run);
  }
}

static void what_dies_out_behind_a_diode_comes_to_rest(void **state) {
  (void)state;
  for (int at = 0; at < JUNCTIONS; at++) {
    Simulated run = run_of(&junctions[at], "if time < 1 then 2 else 0");
    CHECK_NEAR(simulated_last(&run, "coil.f"), 0, 1e-8);
    simulated_end(&run);
  }
}

/* Flux linkages by a law that bends, in a row: one current for both, and a node at which nothing but an inverted law ends. */
static void coils_in_a_row_whose_laws_bend_rest_as_well(void **state) {
  (void)state;
  Simulated run = simulated("model Row {\n Se ground(0); 0 n0, n1, n2, n3, n4; ground -> n0\n 1 b1; n1 -> b1 -> n0; R r1(0.11); b1 -> r1\n"
                            " 1 b2; n1 -> b2 -> n2; R r2: f = 0.00182*(exp(e/0.785) - 1) + 0.0783*e; b2 -> r2\n 1 b3; n2 -> b3 -> n0; C c(0.0282); b3 -> c\n"
                            " 1 b4; n2 -> b4 -> n3; I l1(0.0597); b4 -> l1\n 1 b5; n3 -> b5 -> n4; I l2: f = p/0.137 + 10.5*p^3; b5 -> l2\n"
                            " 1 b6; n4 -> b6 -> n0; R r3(0.301); b6 -> r3\n stop 1\n}",
                            "c.e; l1.f; l2.f", NULL);
  for (int row = 0; row < run.row_count; row++)
    for (int at = 0; at < 3; at++) CHECK_NEAR(run.rows[row].values[at], 0, 0);
  simulated_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_coil_in_front_of_a_diode_rests_until_its_source_comes_on),
      cmocka_unit_test(what_dies_out_behind_a_diode_comes_to_rest),
      cmocka_unit_test(coils_in_a_row_whose_laws_bend_rest_as_well),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
