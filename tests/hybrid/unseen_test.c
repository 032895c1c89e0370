/* SPDX-License-Identifier: BSD-3-Clause
 * What error control does not see shortens the steps of its own family, and of no other. */
#include "hybrid/unseen.h"

#include "support/simulated.h"

/* Bodies that are pushed forth and back against a drag that bends, which is integrated. */
static const char carts[] =
    " for i in 1..3 { 1 v[i]; I m[i](1 + 0.1*i); R drag[i]: e = 0.1*f*abs(f); Se push[i](if gear[i] in back then -1 else 1); push[i] -> v[i]; v[i] -> m[i]; v[i] -> drag[i]\n"
    "  signal x[i] = integral(v[i].f, start = 0.1*i)\n  machine gear[i] = Gear(x[i]) }\n"
    " machine Gear(x) { on forth initial; off back; forth -> back when x > 1; back -> forth when x < -1 }\n";

/* A wheel in the wind; its steps are those of its own. */
#define WHEEL " 1 w; I wheel(1); R rub: e = 0.3*f + 0.1*f^3; Se wind(%s); wind -> w -> wheel; w -> rub\n"
static const char loud[] = " machine loud = Loud\n machine Loud { off no initial; on yes; no -> yes when %s; yes -> no when w.f < -0.2 }\n";

static int64_t steps_of(const char *first, const char *second) {
  char text[3000];
  snprintf(text, sizeof text, "model Beside {\n%s%s stop 20\n}", first, second);
  HbgRunOptions options = hbg_run_options();
  options.interval = 1e9;
  Simulated run = simulated(text, "time", &options);
  const int64_t steps = hbg_run_statistics(run.run).steps;
  simulated_end(&run);
  return steps;
}

static void check_beside(const char *wind, const char *guard) {
  char wheel[1000], ear[400];
  snprintf(wheel, sizeof wheel, WHEEL, wind);
  snprintf(ear, sizeof ear, loud, guard);
  strncat(wheel, ear, sizeof wheel - strlen(wheel) - 1);
  const int64_t alone = steps_of(carts, ""), other = steps_of("", wheel), both = steps_of(carts, wheel);
  assert_true(other >= 512); // its own steps are short
  assert_true(alone < 512);
  assert_true(both <= alone + other + (alone + other) / 20);
}

static void what_the_time_moves_shortens_no_steps_of_others(void **state) {
  (void)state;
  check_beside("sin(3*time)", "w.f > 0.2");
  check_beside("sin(5*w.f) + 0.5", "cos(7*w.f) < 0.2");
  check_beside("max(sin(3*time), w.f)", "w.f > 0.2");
}

/* A narrow peak of what a source says, beside what hardly moves: only short steps see it. */
static void what_the_time_moves_is_seen_by_guards_of_its_family(void **state) {
  (void)state;
  HbgRunOptions options = hbg_run_options();
  options.interval = 1e9;
  Simulated run = simulated("model Peak {\n 1 w; I wheel(1); R rub: e = 0.3*f + 1e-3*f^3; Se wind(1); R flutter(1); Se gust(0.01*sin(3*time)); 1 g; gust -> g -> flutter; wind -> w -> wheel; w -> rub\n"
                            " machine high = High(g.f + 1e-9*w.f)\n machine High(x) { off no initial; on yes; no -> yes when x > 0.00999; yes -> no when x < 0.00999 }\n stop 20\n}",
                            "time", &options);
  // peaks at (pi/2 + 2 pi k)/3 within 20 s: k = 0 .. 9
  assert_int_equal(hbg_run_statistics(run.run).events, 20);
  simulated_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_the_time_moves_shortens_no_steps_of_others),
      cmocka_unit_test(what_the_time_moves_is_seen_by_guards_of_its_family),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
