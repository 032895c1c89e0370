/* SPDX-License-Identifier: BSD-3-Clause
 * Two ideal diodes head to tail across a capacitor hold its voltage at nothing, whatever the network around it does: one of them takes over from the other in the instant in
 * which the current turns. All that is ever seen of the voltage is round-off of what is large around it. */
#include <math.h>

#include "support/simulated.h"

static const double NOTHING = 1e-9; // of volts

/* The largest magnitude of the last column, and how often the first diode has begun to conduct. */
typedef struct Seen {
  double most;
  int taken_over;
} Seen;

static Seen see(const char *text, const char *columns, int method) {
  HbgRunOptions options = hbg_run_options();
  options.method = method;
  Simulated run = simulated_try(text, columns, &options);
  if (run.status != HBG_END) fail_msg("%s\n%s", hbg_run_failure(run.run), text);
  Seen seen = {0};
  const double *before = NULL;
  for (int at = 0; at < run.row_count; at++) {
    const double *values = run.rows[at].values;
    if (run.rows[at].row.kind == HBG_ROW_MYTHICAL) continue; // what does not happen, as at the very start
    seen.most = fmax(seen.most, fabs(values[1]));
    // handing over within an instant takes the last digits of the time, and may be tried more than once there
    if (before && before[0] < 0.5 && values[0] > 0.5) seen.taken_over++;
    before = values;
  }
  simulated_end(&run);
  return seen;
}

/* ---- a sine behind R and C in parallel ---- */

typedef struct Clamp {
  double amplitude, frequency, phase, resistance, coupling, capacity;
} Clamp;

static const char *text_of(const Clamp *self, char *text, size_t room) {
  snprintf(text, room,
           "model Clamp {\n"
           "Se source(%.17g*sin(%.17g*time + %.17g)), zero(0)\n"
           "0 ground, top, node\n"
           "1 through_r, through_c\n"
           "R resistor(%.17g)\n"
           "C coupling(%.17g), capacitor(%.17g)\n"
           "1 up by Diode(node.e, up.f), down by Diode(-node.e, down.f)\n"
           "zero -> ground; source -> top; node -> through_r -> top; top -> through_c -> node; through_r -> resistor; through_c -> coupling; node -> capacitor\n"
           "node -> up -> ground; ground -> down -> node\n"
           "machine Diode(v, i) { off blocking initial; on conducting\n"
           "blocking -> conducting when v > 0; conducting -> blocking when i < 0 }\n"
           "stop 10 }\n",
           self->amplitude, self->frequency, self->phase, self->resistance, self->coupling, self->capacity);
  return text;
}

/* The current through both, a sin(wt + p)/R + C w a cos(wt + p), turns where wt + p + atan(w R C) is a multiple of pi: upward once in a period. */
static int times_it_turns_upward(const Clamp *self, double stop) {
  const double pi = acos(-1), lead = self->phase + atan(self->frequency * self->resistance * self->coupling);
  return (int)(floor((lead + self->frequency * stop) / (2 * pi)) - floor(lead / (2 * pi)));
}

static void check_clamp(const Clamp *clamp, int method) {
  char text[1500];
  const Seen seen = see(text_of(clamp, text, sizeof text), "up; node.e", method);
  if (!(seen.most < NOTHING * clamp->amplitude)) fail_msg("%.6g V\n%s", seen.most, text);
  const int turns = times_it_turns_upward(clamp, 10);
  if (seen.taken_over < turns) fail_msg("conducts %d times instead of %d\n%s", seen.taken_over, turns, text);
}

/* Some numbers as good as any others, in [low, high]. */
static double between(uint64_t *state, double low, double high) {
  *state = *state * 6364136223846793005U + 1442695040888963407U;
  return low + (high - low) * (double)(*state >> 40) / (double)(1 << 24);
}

static Clamp some_clamp(uint64_t *state) {
  Clamp clamp;
  clamp.amplitude = between(state, 1, 10);
  clamp.frequency = between(state, 2, 10);
  clamp.phase = between(state, 0, 6);
  clamp.resistance = between(state, 0.1, 2);
  clamp.coupling = between(state, 0.01, 0.1);
  clamp.capacity = between(state, 0.01, 0.3);
  return clamp;
}

static void diodes_head_to_tail_hold_a_capacitor_at_nothing(void **state) {
  (void)state;
  check_clamp(&(Clamp){1, 3, 0, 0.1, 0.01, 0.1}, HBG_METHOD_AUTOMATIC);
  uint64_t random = 5;
  for (int which = 0; which < 60; which++) {
    const Clamp clamp = some_clamp(&random);
    check_clamp(&clamp, HBG_METHOD_AUTOMATIC);
  }
}

static void so_they_do_by_steps(void **state) {
  (void)state;
  const int methods[] = {HBG_METHOD_DP5, HBG_METHOD_DP8, HBG_METHOD_SDIRK, HBG_METHOD_BDF};
  uint64_t random = 5;
  for (int which = 0; which < 8; which++) {
    const Clamp clamp = some_clamp(&random);
    check_clamp(&clamp, methods[which % 4]);
  }
}

/* ---- networks that have failed ---- */

#define FOUR_NODES "model X {\n0 n0, n1, n2, n3, n4\nSe gnd(0)\ngnd -> n0\n"
#define DIODES \
  "machine Di(v,i) { off blocking initial; on conducting; blocking -> conducting when v > 0; conducting -> blocking when i < 0 }\nstop 3.0\n}\n"

static void round_off_of_a_tie_leads_to_no_endless_loop(void **state) {
  (void)state;
  // the charges of a loop of capacitors and a source are told by each other to the round-off of the source, of which that of the clamped one is nothing but
  const char *text =
    FOUR_NODES
    "Se v0(0.0+1.14*sin(9.06*time+1.53))\n"
    "1 b0\n"
    "v0 -> b0\n"
    "n0 -> b0 -> n1\n"
    "1 b1\n"
    "n2 -> b1 -> n1\n"
    "C c1(0.161) start e = 0\n"
    "b1 -> c1\n"
    "1 b2\n"
    "n3 -> b2 -> n2\n"
    "C c2(0.0417) start e = 0\n"
    "b2 -> c2\n"
    "1 b3\n"
    "n4 -> b3 -> n1\n"
    "R r3(0.398)\n"
    "b3 -> r3\n"
    "1 b4\n"
    "n4 -> b4 -> n1\n"
    "I l4(0.0658) start f = 0\n"
    "b4 -> l4\n"
    "1 b5\n"
    "n2 -> b5 -> n1\n"
    "R r5(1.69)\n"
    "b5 -> r5\n"
    "1 b6\n"
    "n1 -> b6 -> n3\n"
    "R r6(0.125)\n"
    "b6 -> r6\n"
    "1 b7\n"
    "n4 -> b7 -> n3\n"
    "I l7(0.509) start f = 0\n"
    "b7 -> l7\n"
    "1 b8\n"
    "n4 -> b8 -> n1\n"
    "C c8(0.0206) start e = 0\n"
    "b8 -> c8\n"
    "1 b9\n"
    "n0 -> b9 -> n4\n"
    "I l9(0.195) start f = 0\n"
    "b9 -> l9\n"
    "1 b10\n"
    "n4 -> b10 -> n0\n"
    "C c10(0.253) start e = 0\n"
    "b10 -> c10\n"
    "1 b11 by Di(n4.e-n0.e,b11.f)\n"
    "n4 -> b11 -> n0\n"
    "1 b12 by Di(n0.e-n4.e,b12.f)\n"
    "n0 -> b12 -> n4\n"
    DIODES;
  assert_true(see(text, "b11; n4.e - n0.e", HBG_METHOD_AUTOMATIC).most < NOTHING);
}

static void what_holds_where_a_run_goes_on_as_a_whole_is_not_passed_over(void **state) {
  (void)state;
  // both diodes are asked within the last digits of the time, and steps of the whole wait a moment for the one that has switched to and fro
  const char *text =
    FOUR_NODES
    "Se v0(0.0+1.8*sin(10.6*time+4.47))\n"
    "1 b0\n"
    "v0 -> b0\n"
    "n0 -> b0 -> n1\n"
    "Se v1(0.0+4.88*sin(9.14*time+5.35))\n"
    "1 b1\n"
    "v1 -> b1\n"
    "n0 -> b1 -> n2\n"
    "1 b2\n"
    "n3 -> b2 -> n2\n"
    "C c2(0.0143) start e = 0\n"
    "b2 -> c2\n"
    "1 b3\n"
    "n4 -> b3 -> n3\n"
    "R r3(0.321)\n"
    "b3 -> r3\n"
    "1 b4\n"
    "n0 -> b4 -> n1\n"
    "C c4(0.0274) start e = 0\n"
    "b4 -> c4\n"
    "1 b5\n"
    "n3 -> b5 -> n0\n"
    "R r5(0.486)\n"
    "b5 -> r5\n"
    "1 b6\n"
    "n4 -> b6 -> n0\n"
    "C c6(0.0546) start e = 0\n"
    "b6 -> c6\n"
    "1 b7\n"
    "n4 -> b7 -> n1\n"
    "I l7(0.432) start f = 0\n"
    "b7 -> l7\n"
    "1 b8\n"
    "n4 -> b8 -> n3\n"
    "C c8(0.25) start e = 0\n"
    "b8 -> c8\n"
    "1 b9\n"
    "n4 -> b9 -> n0\n"
    "C c9(0.0165) start e = 0\n"
    "b9 -> c9\n"
    "1 b10 by Di(n4.e-n0.e,b10.f)\n"
    "n4 -> b10 -> n0\n"
    "1 b11 by Di(n0.e-n4.e,b11.f)\n"
    "n0 -> b11 -> n4\n"
    DIODES;
  assert_true(see(text, "b10; n4.e", HBG_METHOD_AUTOMATIC).most < NOTHING);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(diodes_head_to_tail_hold_a_capacitor_at_nothing),
      cmocka_unit_test(so_they_do_by_steps),
      cmocka_unit_test(round_off_of_a_tie_leads_to_no_endless_loop),
      cmocka_unit_test(what_holds_where_a_run_goes_on_as_a_whole_is_not_passed_over),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
