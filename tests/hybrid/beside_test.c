/* SPDX-License-Identifier: BSD-3-Clause
 * What happens in a model hangs neither on what stands beside it, nor on the method. Beside pendulums that might meet, or a signal that looks back, and by other methods,
 * instants are found and gone through by other means, and each of them must be there at its time. */
#include "support/simulated.h"

#include <stdio.h>

static const char pendulums[] = " for beside in 1..2 {\n"
                                "  1 turning[beside]; I pendulum[beside](1 [kg*m^2]); signal angle[beside] = integral(turning[beside].f, start = (0.3 + 0.1*beside)*1 [rad])\n"
                                "  Se torque[beside](-2 [N*m]*sin(angle[beside])); torque[beside] -> turning[beside] -> pendulum[beside]\n"
                                " }\n"
                                " 0 meeting by Meeting; turning[1] -> meeting -> turning[2]\n"
                                " machine Meeting { off apart initial; on together; apart -> together when angle[1] - angle[2] > 3 [rad]; together -> apart when angle[1] - angle[2] < 2 [rad] }\n";

static const char echo[] = " signal echo = integral(delay(sin(3*time), 0.3) - 0.2*delay(echo, 0.5), start = 0.1)\n";

/* The text of a file of bench/models, with `more` before its last brace; to be freed. */
static char *text_with(const char *name, const char *more) {
  char path[400];
  snprintf(path, sizeof path, HBG_SOURCE_FOLDER "/bench/models/%s.hbg", name);
  FILE *file = fopen(path, "rb");
  if (!file) fail_msg("%s cannot be read", path);
  fseek(file, 0, SEEK_END);
  const size_t size = (size_t)ftell(file), added = strlen(more);
  rewind(file);
  char *text = calloc(1, size + added + 2);
  assert_int_equal(fread(text, 1, size, file), size);
  fclose(file);
  char *brace = strrchr(text, '}');
  memcpy(brace, more, added);
  brace[added] = '}';
  brace[added + 1] = 0;
  return text;
}

static Simulated events_of(const char *name, const char *more, HbgMethod method) {
  HbgRunOptions options = hbg_run_options();
  options.method = method;
  options.events_only = true;
  char *text = text_with(name, more);
  const Simulated run = simulated(text, NULL, &options);
  free(text);
  return run;
}

/* The same instants, out of the same causes. */
static void check_instants(const char *name, const Simulated *expected, const char *more, HbgMethod method) {
  Simulated met = events_of(name, more, method);
  const int count = simulated_instants(expected);
  if (simulated_instants(&met) != count) fail_msg("%s by method %d beside '%s': %d instants, not %d", name, (int)method, more, simulated_instants(&met), count);
  const double near = 1e-7 * expected->rows[expected->row_count - 1].row.time;
  for (int at = 0; at < count; at++)
    if (!(fabs(simulated_instant(&met, at) - simulated_instant(expected, at)) <= near))
      fail_msg("%s by method %d beside '%s': instant %d at %.12g s, not at %.12g s", name, (int)method, more, at, simulated_instant(&met, at), simulated_instant(expected, at));
  simulated_end(&met);
}

static void what_happens_hangs_neither_on_what_stands_beside_it_nor_on_the_method(void **state) {
  (void)state;
  static const char *const names[] = {"ball", "boost", "belt", "bridge", "buck", "cradle", "lamps", "friction", "diode-ladder", "switched-ladder"};
  for (size_t at = 0; at < sizeof names / sizeof *names; at++) {
    Simulated alone = events_of(names[at], "", HBG_METHOD_AUTOMATIC);
    check_instants(names[at], &alone, pendulums, HBG_METHOD_AUTOMATIC);
    check_instants(names[at], &alone, echo, HBG_METHOD_AUTOMATIC);
    check_instants(names[at], &alone, pendulums, HBG_METHOD_DP5);
    check_instants(names[at], &alone, "", HBG_METHOD_DP8);
    check_instants(names[at], &alone, "", HBG_METHOD_SDIRK);
    simulated_end(&alone);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_happens_hangs_neither_on_what_stands_beside_it_nor_on_the_method),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
