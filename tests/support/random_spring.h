/* SPDX-License-Identifier: BSD-3-Clause
 * Springs whose laws bend. */
#ifndef TESTS_SUPPORT_RANDOM_SPRING_H
#define TESTS_SUPPORT_RANDOM_SPRING_H

#include "base/text.h"
#include "support/random_graph.h"

/* The law of a C, stiffer than `least` [N/m]; one in four does not bend. */
static inline void random_spring(HbgText *text, Random *random, double least) {
  const double stiffness = least + random_real(random), more = 0.05 + 0.4 * random_real(random);
  const int kind = random_below(random, 4);
  if (kind == 0) hbg_text_add(text, "(%g)", 1 / stiffness);
  else if (kind == 1) hbg_text_add(text, ": e = %g*q + %g*q^3", stiffness, more);
  else if (kind == 2) hbg_text_add(text, ": e = %g*sinh(q) + %g*q", stiffness, more);
  else hbg_text_add(text, ": e = q*(%g + %g*sqrt(1 + q^2))", stiffness, more);
}

#endif
