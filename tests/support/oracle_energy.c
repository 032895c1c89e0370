/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/oracle_energy.h"

#include <math.h>
#include <string.h>

#include "support/oracle_laws.h"

static double law_at(const OraclePoint *at, double *x, const HbgNode *node, double stored) {
  const double kept = x[node->state];
  x[node->state] = stored;
  const double value = oracle_value(at, node->law).value;
  x[node->state] = kept;
  return value;
}

/* The integral of the law from 0 to the stored quantity: Gauss-Legendre with five points on 64 pieces. */
static double stored_energy(const OraclePoint *at, double *x, const HbgNode *node) {
  static const double place[] = {0, 0.53846931010568309, 0.90617984593866399};
  static const double weight[] = {0.56888888888888889, 0.47862867049936647, 0.23692688505618909};
  const double half = x[node->state] / 128;
  double sum = 0;
  for (int piece = 0; piece < 64; piece++)
    for (int i = -2; i <= 2; i++) {
      const int k = i < 0 ? -i : i;
      sum += weight[k] * law_at(at, x, node, half * (2 * piece + 1 + (i < 0 ? -place[k] : place[k])));
    }
  return sum * half;
}

double oracle_energy(const HbgFlatModel *model, double t, const double *x) {
  double sum = 0, copy[512];
  memcpy(copy, x, (size_t)model->state_count * sizeof *x);
  const OraclePoint at = {.model = model, .t = t, .x = copy};
  for (int32_t i = 0; i < model->state_count; i++)
    if (model->states[i].node >= 0) sum += stored_energy(&at, copy, &model->nodes[model->states[i].node]);
  return sum;
}

/* u Q of a source; 0 of other nodes. */
static double source_term(const HbgFlatModel *model, const HbgNode *node, const double *z, const double *area) {
  const int32_t m = model->bond_count;
  if (node->kind != HBG_ELEMENT_SE && node->kind != HBG_ELEMENT_SF) return 0;
  const HbgPort *port = hbg_port(model, node, 0);
  const bool is_effort = node->kind == HBG_ELEMENT_SE;
  return -port->sign * (is_effort ? z[port->bond] * area[m + port->bond] : z[m + port->bond] * area[port->bond]);
}

double oracle_source_energy(const HbgFlatModel *model, const double *z, const double *area) {
  double sum = 0;
  for (int32_t i = 0; i < model->node_count; i++) sum += source_term(model, &model->nodes[i], z, area);
  return sum;
}

double oracle_source_terms(const HbgFlatModel *model, const double *z, const double *area) {
  double sum = 0;
  for (int32_t i = 0; i < model->node_count; i++) sum += fabs(source_term(model, &model->nodes[i], z, area));
  return sum;
}
