/* SPDX-License-Identifier: BSD-3-Clause */
#include "equations/boundary.h"

typedef struct Border {
  const HbgIslandProgram *program;
  const HbgEquations *equations; /* PLAIN ones */
  HbgExprPool *pool;
  uint8_t *of_state;             /* HbgBoundaryNeed per state of the template */
  HbgBoundaryNeed need;          /* of what is read at the moment */
} Border;

static HbgExpr note_state(HbgExprPool *pool, HbgExpr leaf, void *user) {
  Border *self = user;
  const HbgExprNode *node = hbg_expr_node(pool, leaf);
  if (node->op == HBG_OP_STATE && self->of_state[node->index] < self->need) self->of_state[node->index] = (uint8_t)self->need;
  return 0;
}

static HbgExpr note_variation(HbgExprPool *pool, HbgExpr leaf, void *user) {
  const HbgExprNode *node = hbg_expr_node(pool, leaf);
  if (node->op != HBG_OP_CONSTANT && !hbg_is_slot(node, HBG_SLOT_CONSTANT)) *(bool *)user = true;
  return 0;
}

/* Is the matrix of a group the same numbers for ever? */
static bool is_fixed(const Border *self, const HbgGroup *group) {
  bool varies = false;
  for (int32_t at = 0; at < group->entry_count; at++)
    hbg_expr_replace(self->pool, self->equations->system.entries[group->entries[at]].expr, note_variation, &varies);
  return !varies;
}

static HbgBoundaryNeed need_of_group(const Border *self, const HbgGroup *group) {
  if (group->row_count != group->column_count || !is_fixed(self, group)) return HBG_BOUNDARY_NEEDED;
  for (int32_t at = 0; at < group->column_count; at++) {
    const HbgUnknownReason reason = self->equations->unknowns[group->columns[at]].reason;
    if (reason != HBG_UNKNOWN_LOOP && reason != HBG_UNKNOWN_LAW) return HBG_BOUNDARY_NEEDED;
  }
  return HBG_BOUNDARY_IF_SINGULAR;
}

/* What the rows of the finite values read. */
static void note_rows(Border *self) {
  for (int32_t at = 0; at < self->equations->group_count; at++) {
    const HbgGroup *group = &self->equations->groups[at];
    self->need = need_of_group(self, group);
    for (int32_t row = 0; row < group->row_count; row++)
      hbg_expr_replace(self->pool, self->equations->system.residuals[group->rows[row]], note_state, self);
  }
}

static HbgExpr note_impulse(HbgExprPool *pool, HbgExpr leaf, void *user) {
  if (hbg_is_slot(hbg_expr_node(pool, leaf), HBG_SLOT_AREA_UNKNOWN)) *(bool *)user = true;
  return 0;
}

/* May an impulse pass the border at `node`? */
static bool may_pass(const Border *self, int32_t node) {
  const HbgGraphNode *at = &self->program->template.graph.nodes[node];
  const int32_t bond = self->program->template.graph.ports[at->first_port].bond;
  bool passes = false;
  if (!self->program->may_jump) return false;
  const HbgExpr area = self->program->areas->value[at->kind == HBG_ELEMENT_SE ? hbg_flow_of(bond) : hbg_effort_of(bond)];
  hbg_expr_replace(self->pool, area, note_impulse, &passes);
  return passes;
}

static void fill(Border *self, const HbgFlatModel *model, uint8_t *needs) {
  const HbgTemplate *template = &self->program->template;
  note_rows(self);
  // laws that look back, or sources that follow efforts and flows, may tie more together than the rows tell
  const bool is_tied = template->pre_count || self->program->is_active;
  for (int32_t node = 0; node < template->graph.node_count; node++) {
    const HbgGraphNode *at = &template->graph.nodes[node];
    if (!at->is_source_port || model->nodes[at->node].state < 0) continue;
    const int32_t state = template->boundary_state[node];
    if (state >= 0) needs[node] = self->of_state[state];
    if (is_tied || may_pass(self, node)) needs[node] = HBG_BOUNDARY_NEEDED;
  }
}

const uint8_t *hbg_boundary_needs(HbgIslandProgram *program, HbgLaws *laws, HbgArena *arena) {
  if (program->boundary_needs) return program->boundary_needs;
  uint8_t *needs = ARENA_NEW(arena, uint8_t, program->template.graph.node_count);
  if (program->finite[0]->unknown_count || program->may_jump) {
    Border self = {.program = program,
                   .equations = hbg_island_equations(program, laws, arena, HBG_INSTANT_PLAIN),
                   .pool = &laws->pool,
                   .of_state = ARENA_NEW(arena, uint8_t, program->template.state_count)};
    fill(&self, laws->model, needs);
  }
  return program->boundary_needs = needs;
}
