/* SPDX-License-Identifier: BSD-3-Clause
 * Units of what is read of a model. */
#include "model/model.h"

static const char *bond_unit(const HbgFlatModel *model, int32_t bond, HbgMeasure measure) {
  const HbgBond *told = &model->bonds[bond];
  if (told->domain) return hbg_domain_unit(told->domain, measure);
  // thermal or heat: both measure the effort in K
  const bool is_temperature = told->domains && measure == HBG_MEASURE_EFFORT;
  return is_temperature ? hbg_domain_unit(HBG_DOMAIN_HEAT, measure) : NULL;
}

const char *hbg_model_unit(const HbgFlatModel *model, const HbgExprPool *pool, HbgExpr expr) {
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  switch (node->op) {
    case HBG_OP_TIME: return "s";
    case HBG_OP_NEG:
    case HBG_OP_PRE: return hbg_model_unit(model, pool, node->a);
    case HBG_OP_EFFORT: return bond_unit(model, node->index, HBG_MEASURE_EFFORT);
    case HBG_OP_FLOW: return bond_unit(model, node->index, HBG_MEASURE_FLOW);
    case HBG_OP_VARIABLE: return model->variables[node->index].unit;
    case HBG_OP_STATE: break;
    default: return NULL;
  }
  const HbgState *state = &model->states[node->index];
  if (state->node < 0) return NULL;
  const HbgNode *storage = &model->nodes[state->node];
  return bond_unit(model, hbg_port(model, storage, 0)->bond,
                   storage->kind == HBG_ELEMENT_I ? HBG_MEASURE_P : HBG_MEASURE_Q);
}
