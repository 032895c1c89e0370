/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/oracle_energy.h"

#include <math.h>

#include "support/oracle_laws.h"

/* Every stored quantity times its co-energy variable, with `share` of all of them stored. */
static double power_at(const OraclePoint *at, const double *x, double *some, double share) {
  const HbgFlatModel *model = at->model;
  double sum = 0;
  for (int32_t i = 0; i < model->state_count; i++) some[i] = model->states[i].node >= 0 ? share * x[i] : x[i];
  for (int32_t i = 0; i < model->state_count; i++)
    if (model->states[i].node >= 0) sum += x[i] * oracle_value(at, model->nodes[model->states[i].node].law).value;
  return sum;
}

/* The integral of the laws along the straight way from nothing to what is stored, which for fields is as good as any other:
 * Gauss-Legendre with five points on 64 pieces. */
double oracle_energy(const HbgFlatModel *model, double t, const double *x) {
  static const double place[] = {0, 0.53846931010568309, 0.90617984593866399};
  static const double weight[] = {0.56888888888888889, 0.47862867049936647, 0.23692688505618909};
  double sum = 0, some[512];
  const OraclePoint at = {.model = model, .t = t, .x = some};
  for (int piece = 0; piece < 64; piece++)
    for (int i = -2; i <= 2; i++) {
      const int k = i < 0 ? -i : i;
      sum += weight[k] * power_at(&at, x, some, (2 * piece + 1 + (i < 0 ? -place[k] : place[k])) / 128);
    }
  return sum / 128;
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
