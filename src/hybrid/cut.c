/* SPDX-License-Identifier: BSD-3-Clause
 * Where an ideal source fixes the common variable of a junction (an Se on a 0-junction, an Sf on a 1-junction), what happens
 * at one of its other ports is not felt at the others: the graph is cut there, so that N converters on one battery are N
 * islands. What the source itself delivers is the balance of the others, and is summed up after them.
 *
 * The junction is cut only where the source follows time and discrete variables alone, and where no equation and no guard needs to know what the
 * source delivers: those would tie the islands together again. */
#include "hybrid/sim.h"

static HbgExpr note_dependence(HbgExprPool *pool, HbgExpr leaf, void *user) {
  const HbgExprNode *node = hbg_expr_node(pool, leaf);
  if (node->op != HBG_OP_CONSTANT && node->op != HBG_OP_TIME && node->op != HBG_OP_TICK && node->op != HBG_OP_VARIABLE)
    *(bool *)user = true;
  return 0;
}

static bool is_known_beforehand(HbgSim *sim, int32_t source) {
  bool depends = false;
  hbg_expr_replace(&sim->laws.pool, sim->model->nodes[source].law, note_dependence, &depends);
  return !depends;
}

/* The one source that fixes the common variable of `junction`, -1 when there is none or several fight. */
static int32_t find_source(const HbgSim *sim, const HbgNode *junction, int32_t *bond) {
  const HbgElementKind kind = junction->kind == HBG_ELEMENT_ZERO ? HBG_ELEMENT_SE : HBG_ELEMENT_SF;
  int32_t found = -1;
  for (int32_t which = 0; which < junction->port_count; which++) {
    const HbgPort *port = hbg_port(sim->model, junction, which);
    const HbgBond *ends = &sim->model->bonds[port->bond];
    const int32_t other = port->sign > 0 ? ends->tail : ends->head;
    if (sim->model->nodes[other].kind != kind) continue;
    if (found >= 0) return -1;
    found = other;
    *bond = port->bond;
  }
  return found;
}

void hbg_cut_at_sources(HbgSim *sim) {
  sim->fixed_by = ARENA_NEW(sim->arena, int32_t, sim->model->node_count);
  for (int32_t node = 0; node < sim->model->node_count; node++) {
    const HbgNode *junction = &sim->model->nodes[node];
    sim->fixed_by[node] = -1;
    if (!hbg_is_junction(junction) || junction->machine >= 0 || junction->port_count < 3) continue;
    int32_t bond = -1;
    const int32_t source = find_source(sim, junction, &bond);
    if (source < 0 || sim->laws.is_read[bond]) continue;
    const int32_t delivered = junction->kind == HBG_ELEMENT_ZERO ? hbg_flow_of(bond) : hbg_effort_of(bond);
    if (sim->laws.is_demanded[delivered] || sim->guards.is_read[delivered]) continue;
    if (is_known_beforehand(sim, source)) sim->fixed_by[node] = source;
  }
}
