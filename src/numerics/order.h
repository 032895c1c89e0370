/* SPDX-License-Identifier: BSD-3-Clause
 * Which of two explicit pairs makes the next step: the one of low order, which is cheap to start, or the one of high order, which
 * makes long steps where a solution is smooth for long. Decision 32 has the measurements. */
#ifndef NUMERICS_ORDER_H
#define NUMERICS_ORDER_H

#include "numerics/stepper.h"

typedef struct HbgPair HbgPair;

typedef struct HbgOrder {
  const HbgPair *low, *high; /* high NULL: there is no choice */
  int32_t smooth;            /* steps in a row, by the present pair, that accuracy alone has ended */
  int32_t patience;          /* so many are needed before the high order is tried */
  double low_h;              /* step of the low order before it was left [s] */
  double gain;               /* steps of the high order were so much longer when it was left last; 0: not tried yet */
} HbgOrder;

HbgOrder hbg_order(const HbgPair *low, const HbgPair *high);
/* After a restart: the pair to begin with. The step the last pair had in mind, `*next_h`, becomes one for it. */
const HbgPair *hbg_order_restart(HbgOrder *order, const HbgPair *present, double *next_h);
/* Behind an accepted step, with the next one in mind; `was_cut`: it had to end where it did. The pair for the next step, and
 * its size in `*next_h`. `reads`: the dense output of every step is asked for. */
const HbgPair *hbg_order_choose(HbgOrder *order, const HbgPair *present, bool was_cut, bool reads, double *next_h);

#endif
