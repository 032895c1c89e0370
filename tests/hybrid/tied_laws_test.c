/* SPDX-License-Identifier: BSD-3-Clause
 * Storages that are tied among laws with kinks and roots, where equations are solved together with their derivatives, which have two values there or none.
 * Tied storages move as one of their sum does, which needs no derivative. */
#include "support/simulated.h"

typedef struct Tie {
  const char *network; /* all but the storages that are tied */
  const char *several, *one;
  const char *columns;
} Tie;

static const Tie ties[] = {
    {"0 n0, n1; R gr1: f = 4.0489*max(e, 0) + 0.02*e; 1 b0; R xr0: f = 0.2264*sign(e)*sqrt(abs(e)); n1 -> gr1; n1 -> b0 -> n0; b0 -> xr0\n"
     " Se s0(2.283*cos(9.663*time)); 1 sb0; R sr0(1.3942); s0 -> sb0 -> n1; sb0 -> sr0",
     "C c0: q = 1.6347*(e + 0.6036*e^3) start e = -0.556; C d0(0.0373) start e = -0.556; n0 -> c0; n0 -> d0",
     "C c0: q = 1.6347*(e + 0.6036*e^3) + 0.0373*e start e = -0.556; n0 -> c0", "c0.e; xr0.f; gr1.f"},
    {"0 n0, n1, n2; R gr0(0.355961); n0 -> gr0; C c1: q = 0.1886*(e + 0.2307*e^3) start e = -1.66; R gr1: f = 2.6825*tanh(2.5824*e) + 0.01*e; n1 -> c1; n1 -> gr1\n"
     " R gr2: f = 2.3728*max(e, 0) + 0.02*e; n2 -> gr2; 1 b0, b1, b2; n1 -> b0 -> n0; n2 -> b1 -> n0; n2 -> b2 -> n1; R xr0: f = 8.4976*e*abs(e) + 0.05*e; b0 -> xr0\n"
     " R xr1: f = 2.327*sign(e)*sqrt(abs(e)); b1 -> xr1; R xr2: f = 0.1732*max(e, 0) + 0.02*e; b2 -> xr2\n"
     " Sf s0(2.838*sin(8.372*time) - 0.052), s1(1.692*sin(2.303*time) + 0.1); s0 -> n1; s1 -> n2",
     "C c0(0.6635) start e = -0.567; C d0(0.2282) start e = -0.567; n0 -> c0; n0 -> d0", "C c0(0.8917) start e = -0.567; n0 -> c0", "c0.e; c1.e; xr1.f"},
    {"0 n0, n1; R gr0: f = 6.7582*sign(e)*sqrt(abs(e)); n0 -> gr0; C c1(0.047) start e = -0.63; n1 -> c1; 1 b0 by S0(n1.e), b1, b2; n1 -> b0 -> n0; n1 -> b1 -> n0; n1 -> b2 -> n0\n"
     " R xr0: f = 0.9793*e*abs(e) + 0.05*e; I l0(0.0785); b0 -> xr0; b0 -> l0; R xr1: f = 0.912*max(e, 0) + 0.02*e; b1 -> xr1; R xr2: e = 0.437*tanh(1.4499*f) + 0.05*f; b2 -> xr2\n"
     " Sf s0(2.43*sin(9.99*time) - 0.005); s0 -> n0; machine S0(x) { off o initial; on c; o -> c when x > 1.006; c -> o when x < 0.359 }",
     "I l2(0.0325), k2(0.2937); b2 -> l2; b2 -> k2", "I l2(0.3262); b2 -> l2", "c1.e; xr2.f; l0.f"},
    // a diode behind a coil that carries nothing at the start: at its kink
    {"0 n0, n1; R gr0: f = 4.9201*max(e, 0) + 0.02*e; n0 -> gr0; R gr1: f = 1.7133*e*abs(e) + 0.05*e; n1 -> gr1; 1 b0; n1 -> b0 -> n0\n"
     " R xr0: f = 0.6649*e*abs(e) + 0.05*e; I l0(0.2044); b0 -> xr0; b0 -> l0; Se s0(2.514*cos(0.837*time)); 1 sb0; R sr0(1.0058); s0 -> sb0 -> n1; sb0 -> sr0",
     "C c1(2.7612) start e = -1.393; C d1(0.0368) start e = -1.393; n1 -> c1; n1 -> d1", "C c1(2.798) start e = -1.393; n1 -> c1", "c1.e; l0.f"}};

static Simulated run_of(const Tie *tie, const char *storages) {
  char text[2000];
  snprintf(text, sizeof text, "model Tied {\n %s\n %s\n stop 5\n}", tie->network, storages);
  HbgRunOptions options = hbg_run_options();
  options.tolerance = 1e-8;
  options.interval = 0.05;
  return simulated(text, tie->columns, &options);
}

static void tied_storages_move_as_one_of_their_sum(void **state) {
  (void)state;
  for (size_t which = 0; which < sizeof ties / sizeof *ties; which++) {
    Simulated several = run_of(&ties[which], ties[which].several), one = run_of(&ties[which], ties[which].one);
    assert_int_equal(several.row_count, one.row_count);
    for (int row = 0; row < one.row_count; row++)
      for (int column = 0; column < one.column_count; column++) CHECK_NEAR(several.rows[row].values[column], one.rows[row].values[column], 2e-4); // the root of what differs
    simulated_end(&several);
    simulated_end(&one);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tied_storages_move_as_one_of_their_sum),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
