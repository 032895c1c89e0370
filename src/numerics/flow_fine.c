/* SPDX-License-Identifier: BSD-3-Clause
 * A flow whose components are much larger than their sum, as where something slow stands beside what is a million times faster: its matrix is
 * summed in extended precision, so that nothing is lost of what doubles hold in the end. */
#include <math.h>
#include <string.h>

#include "numerics/flow_inner.h"

typedef long double Sum[HBG_FLOW_STATES * FLOW_WIDTH];

static void add(int32_t size, long double factor, const long double *component, Sum sum) {
  for (int32_t at = 0; at < size; at++) sum[at] += factor * component[at];
}

static void add_powers(const HbgFlow *flow, int32_t size, long double h, Sum sum) {
  long double factor = 1;
  for (int32_t k = 0; k <= flow->degree && flow->fine_power; k++, factor *= h) add(size, factor, flow->fine_power + k * size, sum);
}

#define DIED_OUT -11400 // e to that is nothing in extended precision, and slow to be told so

/* Re(e^(lambda h) (G_0 + G_1 h + ...)). */
static void add_mode(const FlowMode *mode, int32_t size, long double h, Sum sum) {
  const FlowFineMode *fine = &mode->fine;
  if (fine->rate * h < DIED_OUT) return;
  const long double turn = fine->frequency * h, c = mode->is_complex ? cosl(turn) : 1, s = mode->is_complex ? sinl(turn) : 0;
  long double factor = expl(fine->rate * h);
  for (int32_t k = 0; k < mode->count; k++, factor *= h) {
    add(size, factor * c, fine->component + k * size, sum);
    if (mode->is_complex) add(size, -factor * s, fine->component_i + k * size, sum);
  }
}

void hbg_flow_fine_matrix(const HbgFlow *flow, double h, double *matrix) {
  const int32_t size = flow->n * flow->width;
  Sum sum;
  memset(sum, 0, (size_t)size * sizeof *sum);
  add_powers(flow, size, (long double)h, sum);
  for (int32_t k = 0; k < flow->mode_count; k++) add_mode(&flow->mode[k], size, (long double)h, sum);
  for (int32_t at = 0; at < size; at++) matrix[at] = (double)sum[at];
}
