/* SPDX-License-Identifier: BSD-3-Clause
 * Motions x' = A x + b with a machine that waits for conditions on them, and when it is foretold to fire; for tests of when guards come to hold. */
#ifndef TESTS_SUPPORT_WAITING_H
#define TESTS_SUPPORT_WAITING_H

#include <stdlib.h>
#include <string.h>

#include "support/begun.h"
#include "support/matrix_exponential.h"

enum { STATES = 4, MOST_CONDITIONS = 3, TEXT = 4000, STOP = 3 };
static inline double between(double from, double to) { return from + (to - from) * (double)rand() / RAND_MAX; }

/* x' = A x + b from x0, and a machine that waits for w x > c of every condition. */
typedef struct Motion {
  double a[STATES * STATES], b[STATES], x0[STATES];
  double w[MOST_CONDITIONS][STATES], c[MOST_CONDITIONS];
  int conditions;
} Motion;

static inline void draw_conditions(Motion *motion) {
  for (int state = 0; state < STATES; state++) motion->x0[state] = between(-2, 2);
  for (int which = 0; which < motion->conditions; which++) {
    motion->c[which] = between(-1.5, 1.5);
    for (int state = 0; state < STATES; state++) motion->w[which][state] = rand() % 3 ? 0 : between(-1, 1);
    motion->w[which][rand() % STATES] = rand() % 2 ? 1 : -1;
  }
}

static inline void write_motion(const Motion *motion, char *text) {
  size_t used = (size_t)snprintf(text, TEXT, "model Motion {\n");
  for (int row = 0; row < STATES; row++) {
    used += (size_t)snprintf(text + used, TEXT - used, " signal x%d = integral(%.17g", row, motion->b[row]);
    for (int column = 0; column < STATES; column++)
      if (fabs(motion->a[row * STATES + column]) > 0)
        used += (size_t)snprintf(text + used, TEXT - used, " + (%.17g)*x%d", motion->a[row * STATES + column], column);
    used += (size_t)snprintf(text + used, TEXT - used, ", start = %.17g)\n", motion->x0[row]);
  }
  used += (size_t)snprintf(text + used, TEXT - used, " machine M { off no initial; on yes; no -> yes when ");
  for (int which = 0; which < motion->conditions; which++) {
    used += (size_t)snprintf(text + used, TEXT - used, "%s", which ? " and " : "");
    for (int state = 0; state < STATES; state++)
      used += (size_t)snprintf(text + used, TEXT - used, "%s(%.17g)*x%d", state ? " + " : "", motion->w[which][state], state);
    used += (size_t)snprintf(text + used, TEXT - used, " > %.17g", motion->c[which]);
  }
  // a state of its own, so that the run consists of more than one region
  snprintf(text + used, TEXT - used, " }\n Se s(1); 1 j by M; R r(1); s -> j -> r\n signal other = integral(1)\n stop %d\n}", STOP);
}

/* How much the least of the conditions has to spare, t s after the start. */
static inline double spare(const Motion *motion, double t) {
  double x[STATES], least = (double)INFINITY;
  follow_by_exponential(STATES, motion->a, motion->b, motion->x0, t, x);
  for (int which = 0; which < motion->conditions; which++) {
    double sum = -motion->c[which];
    for (int state = 0; state < STATES; state++) sum += motion->w[which][state] * x[state];
    least = fmin(least, sum);
  }
  return least;
}

/* The foretold time, infinite where there is none; negative: the guard holds from the beginning. */
static inline double foretold(const Motion *motion) {
  char text[TEXT];
  write_motion(motion, text);
  Begun run;
  begun(&run, text, STOP);
  double t = -1;
  if (!run.row.is_event && run.sim->now.phi[0] == 0) {
    assert_true(run.sim->is_local);
    assert_false(run.sim->local->region_of[0]->is_stepped);
    t = run.sim->local->watches.foretold[0].time;
  }
  begun_end(&run);
  return t;
}

/* ---- models ---- */

/* When the first machine of a model is foretold to fire; infinite. */
static inline double first_time(const char *text) {
  Begun run;
  begun(&run, text, 10);
  assert_true(run.sim->is_local);
  const double t = run.sim->local->watches.foretold[0].time;
  begun_end(&run);
  return t;
}

#define LAMP " Se s(1); 1 j by M; R r(1); s -> j -> r\n signal other = integral(1)\n stop 10\n}"

#endif
