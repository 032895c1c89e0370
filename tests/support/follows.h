/* SPDX-License-Identifier: BSD-3-Clause
 * Claims about a signal over a whole run: every row of it lies on a curve. */
#ifndef TESTS_SUPPORT_FOLLOWS_H
#define TESTS_SUPPORT_FOLLOWS_H

#include "support/simulated.h"

/* In the model `text`, `column` is `expected(t)` within `tolerance`, in every row. At least `least` rows there are. */
static inline void check_follows(const char *text, const char *column, double (*expected)(double t), double tolerance, int least) {
  Simulated run = simulated(text, column, NULL);
  assert_int_equal(run.status, HBG_END);
  assert_true(run.row_count >= least);
  for (int at = 0; at < run.row_count; at++) {
    const double t = run.rows[at].row.time;
    if (run.rows[at].row.kind == HBG_ROW_BEFORE) continue; /* at an instant, the side before it */
    CHECK_NEAR(simulated_value(&run, at, column), expected(t), tolerance);
  }
  simulated_end(&run);
}

#endif
