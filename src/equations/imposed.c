/* SPDX-License-Identifier: BSD-3-Clause */
#include "equations/imposed.h"

static HbgExpr law_of(const HbgTemplate *template, int32_t node) {
  return template->graph.nodes[node].kind == HBG_ELEMENT_SE ? template->effort_law[node] : template->flow_law[node];
}

static bool is_source(const HbgTemplate *template, HbgExprPool *pool, int32_t node) {
  const HbgGraphNode *at = &template->graph.nodes[node];
  if ((at->kind != HBG_ELEMENT_SE && at->kind != HBG_ELEMENT_SF) || at->is_off_port) return false;
  const HbgExpr law = law_of(template, node);
  return law && !hbg_expr_is(pool, law, 0);
}

static bool note_motion(HbgExprPool *pool, HbgExpr expr, void *user) {
  const HbgOperation op = hbg_expr_node(pool, expr)->op;
  if (op == HBG_OP_TIME || op == HBG_OP_STATE) *(bool *)user = true;
  return true;
}

static bool note_variation(HbgExprPool *pool, HbgExpr expr, void *user) {
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  if (!hbg_operation_info[node->op].arguments && node->op != HBG_OP_CONSTANT && !hbg_is_still_slot(node)) *(bool *)user = true;
  return true;
}

static bool are_ratios_constant(const HbgTemplate *template, HbgExprPool *pool) {
  bool any_varies = false;
  for (int32_t node = 0; node < template->graph.node_count; node++) {
    const HbgElementKind kind = template->graph.nodes[node].kind;
    if (kind == HBG_ELEMENT_TF || kind == HBG_ELEMENT_GY) hbg_expr_visit(pool, template->effort_law[node], note_variation, &any_varies);
  }
  return !any_varies;
}

/* What each state changes by is an expression over the same leaves. */
static HbgExpr leaf_rate(HbgExprPool *pool, HbgExpr leaf, void *user) {
  const HbgExpr *rate = user;
  const HbgExprNode *node = hbg_expr_node(pool, leaf);
  if (node->op == HBG_OP_TIME) return hbg_expr_constant(pool, 1);
  return node->op == HBG_OP_STATE ? rate[node->index] : 0;
}

static HbgImposing source_at(const HbgTemplate *template, int32_t node) {
  const HbgGraph *graph = &template->graph;
  const int32_t bond = graph->ports[graph->nodes[node].first_port].bond;
  return (HbgImposing){.received = graph->nodes[node].kind == HBG_ELEMENT_SE ? hbg_flow_of(bond) : hbg_effort_of(bond),
                     .sign = graph->bonds[bond].tail == node ? 1 : -1};
}

static HbgImposed *make(HbgIslandProgram *program, HbgLaws *laws, HbgArena *arena) {
  const HbgTemplate *template = &program->template;
  const HbgEquations *equations = hbg_island_equations(program, laws, arena, HBG_INSTANT_PLAIN);
  HbgExprPool *pool = &laws->pool;
  HbgImposed *made = ARENA_NEW(arena, HbgImposed, 1);
  made->list = ARENA_NEW(arena, HbgImposing, template->graph.node_count);
  made->are_ratios_constant = are_ratios_constant(template, pool);
  HbgExpr *value = ARENA_NEW(arena, HbgExpr, template->graph.node_count), *rate = ARENA_NEW(arena, HbgExpr, template->graph.node_count);
  for (int32_t node = 0; node < template->graph.node_count; node++) {
    if (!is_source(template, pool, node)) continue;
    value[made->count] = law_of(template, node);
    rate[made->count] = hbg_expr_derivative(pool, value[made->count], leaf_rate, (void *)(uintptr_t)equations->states);
    hbg_expr_visit(pool, value[made->count], note_motion, &made->any_moves);
    made->list[made->count++] = source_at(template, node);
  }
  HbgEmitter emitter = hbg_emitter(&made->program, pool, arena);
  for (int32_t at = 0; at < made->count; at++) {
    made->list[at].value = hbg_emit(&emitter, value[at]);
    made->list[at].rate = hbg_emit(&emitter, rate[at]);
  }
  return made;
}

const HbgImposed *hbg_imposed(HbgIslandProgram *program, HbgLaws *laws, HbgArena *arena) {
  if (!program->imposed) program->imposed = make(program, laws, arena);
  return program->imposed;
}
