/* SPDX-License-Identifier: BSD-3-Clause
 * Which integrands bend, and where along parabolas: tally_test.c has what they add up to. */
#include "hybrid/tally_kinks.h"

#include <math.h>

#include "hybrid/local_parts.h"
#include "support/ride.h"

static void what_bends_is_told_by_the_text(void **state) {
  (void)state;
  static const struct {
    const char *rate;
    HbgOnlooking kind;
  } cases[] = {
      {"r.e*r.f", HBG_LOOKS_ON_AS_TALLY},
      {"r.e^2/(1 + c.e^2) + exp(-r.f)", HBG_LOOKS_ON_AS_TALLY},
      {"(r.e + c.e)^3", HBG_LOOKS_ON_AS_TALLY},
      {"abs(r.e)", HBG_LOOKS_ON_AS_BENT_TALLY},
      {"abs(-r.e*r.f)*c.e", HBG_LOOKS_ON_AS_BENT_TALLY},
      {"max(0, r.e*(c.e - 1))", HBG_LOOKS_ON_AS_BENT_TALLY},
      {"min(r.e - 2, c.e)^2", HBG_LOOKS_ON_AS_BENT_TALLY},
      {"abs(3)*r.e^2", HBG_LOOKS_ON_AS_TALLY},            // a number
      {"max(1, r.e*r.f)", HBG_LOOKS_NOT_ON},              // where that is no sum is not known
      {"abs(r.e^2 - c.e)", HBG_LOOKS_NOT_ON},
      {"sqrt(r.e)", HBG_LOOKS_NOT_ON},
      {"r.e^1.5", HBG_LOOKS_NOT_ON},
      {"mod(r.e, 2)", HBG_LOOKS_NOT_ON},
      {"time*r.e^2", HBG_LOOKS_NOT_ON},                   // reads more than the state
      {"abs(r.e) + abs(r.f) + abs(c.e) + abs(r.e - 1) + abs(r.e - 2)", HBG_LOOKS_NOT_ON}, // many
  };
  for (size_t at = 0; at < sizeof cases / sizeof *cases; at++) {
    char text[600];
    snprintf(text, sizeof text,
             "model M {\n 0 u; C c(2) start q = 6; R r(0.5); u -> c; u -> r; 1 d by Bell(time > 9); Se v(1); R x(1); v -> d -> x\n"
             " machine Bell(g) { off a initial; on b; a -> b when g }\n signal tally = integral(%s)\n stop 1\n}", cases[at].rate);
    Ride run;
    ride_begin(&run, text, (HbgSimOptions){.stop = 1, .interval = 1, .tolerance = 1e-8, .method = HBG_METHOD_AUTOMATIC, .sliding = true}, RIDE_TRAJECTORY);
    assert_non_null(run.sim->local);
    if (hbg_tally_kind(run.sim, run.sim->first_integrator) != cases[at].kind) fail_msg("%s is of another kind", cases[at].rate);
    ride_end(&run);
  }
}

/* One guest along a + b s + c s^2, and a kink at the level `level` of it. */
static double turn_of(double a, double b, double c, double level, double from) {
  const HbgMotion motion = {.count = 1, .is_parabola = true};
  const HbgTrack track = {.a = a, .b = b, .c = c};
  const double form[2] = {-level, 1};
  const HbgTallyKink kink = {form, NULL};
  return hbg_tally_next_turn(&kink, 1, &motion, &track, from);
}

static void kinks_along_parabolas_are_their_roots_one_after_the_other(void **state) {
  (void)state;
  // 3 s - 5 s^2 passes 0.25 at 0.1 and 0.5
  CHECK_NEAR(turn_of(0, 3, -5, 0.25, 0), 0.1, 1e-15);
  CHECK_NEAR(turn_of(0, 3, -5, 0.25, turn_of(0, 3, -5, 0.25, 0)), 0.5, 1e-14);
  assert_true(isinf(turn_of(0, 3, -5, 0.25, turn_of(0, 3, -5, 0.25, 0.2))));
  CHECK_NEAR(turn_of(0, 3, -5, 0, 0), 0.6, 1e-15); // it begins at one
  assert_true(isinf(turn_of(0, 3, -5, 0.46, 0)));  // never as high
  CHECK_NEAR(turn_of(2, -0.5, 0, 1, 0), 2, 1e-15);
  assert_true(isinf(turn_of(2, -0.5, 0, 1, 2)));
  assert_true(isinf(turn_of(2, 0.5, 0, 1, 0)));
  assert_true(isinf(turn_of(1, 0, 0, 1, 0))); // it stays there
  assert_true(isinf(turn_of(0, 0, 1, 0, 0))); // it only begins there
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_bends_is_told_by_the_text),
      cmocka_unit_test(kinks_along_parabolas_are_their_roots_one_after_the_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
