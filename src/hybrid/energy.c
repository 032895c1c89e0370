/* SPDX-License-Identifier: BSD-3-Clause
 * A storage's effort (flow) y follows from what it holds, x; of a field, from what all its ports hold. The work along the straight line from zero is, port by
 * port, x times the integral of y(s x) over s from 0 to 1: x y/2 where the law is linear. */
#include "hybrid/energy.h"

#include <math.h>
#include <string.h>

#include "hybrid/sim.h"
#include "numerics/quadrature.h"

typedef enum EnergyForm {
  ENERGY_NONE,
  ENERGY_AFFINE,   /* x (y(0) + y(x))/2 */
  ENERGY_IMPLICIT, /* x y/2 with y as the run has it: a linear law that is solved for */
  ENERGY_INTEGRAL
} EnergyForm;

struct HbgEnergy {
  EnergyForm form;
  const char *reason;
  HbgProbe law;     /* y over the states of the ports */
  int32_t state;    /* x */
  int32_t stored;   /* its reader */
  int32_t answer;   /* reader of y; IMPLICIT */
  int32_t *readers; /* of each input of the law, -1 for what is no state */
};

/* ---- what the law reads ---- */

typedef struct Reading {
  const HbgFlatModel *model;
  const HbgNode *node; /* the storage */
  bool is_own;         /* nothing but what its ports hold, and answer with */
  bool has_answers;
} Reading;

/* Is the node this storage, or a port of the same field? */
static bool is_of_field(const Reading *self, const HbgNode *node) {
  return node == self->node || (node->field && self->node->field && strcmp(node->field, self->node->field) == 0);
}

static bool is_answer(const Reading *self, const HbgExprNode *leaf) {
  const HbgBond *bond = &self->model->bonds[leaf->index];
  const HbgElementKind kind = self->node->kind;
  const bool is_right = leaf->op == (kind == HBG_ELEMENT_I ? HBG_OP_FLOW : HBG_OP_EFFORT);
  return is_right &&
         (is_of_field(self, &self->model->nodes[bond->tail]) || is_of_field(self, &self->model->nodes[bond->head]));
}

static HbgExpr note_leaf(HbgExprPool *pool, HbgExpr expr, void *user) {
  Reading *self = user;
  const HbgExprNode *leaf = hbg_expr_node(pool, expr);
  if (leaf->op == HBG_OP_CONSTANT) return 0;
  if (leaf->op == HBG_OP_STATE) {
    const int32_t node = self->model->states[leaf->index].node;
    if (node < 0 || !is_of_field(self, &self->model->nodes[node])) self->is_own = false;
  } else if (hbg_variable_of(leaf) >= 0 && is_answer(self, leaf)) {
    self->has_answers = true;
  } else {
    self->is_own = false;
  }
  return 0;
}

static bool varies(const HbgExprNode *leaf, void *user) {
  (void)user;
  return leaf->op == HBG_OP_STATE || hbg_variable_of(leaf) >= 0;
}

/* ---- making ---- */

static EnergyForm form_of(const HbgFlatModel *model, HbgExprPool *pool, const HbgNode *node, const char **reason) {
  Reading reading = {.model = model, .node = node, .is_own = true};
  if (!node->law) {
    *reason = "it has no law";
    return ENERGY_NONE;
  }
  hbg_expr_replace(pool, node->law, note_leaf, &reading);
  if (!reading.is_own) {
    *reason =
        "its law reads more than what it stores: time, a signal, a mode or another part of the graph, so that no "
        "energy belongs to it alone";
    return ENERGY_NONE;
  }
  const bool is_affine = hbg_expr_is_affine(pool, node->law, varies, NULL);
  if (!reading.has_answers && node->law_form != HBG_LAW_IMPLICIT) return is_affine ? ENERGY_AFFINE : ENERGY_INTEGRAL;
  if (is_affine) return ENERGY_IMPLICIT;
  *reason = "its law does not say the effort of a charge, or the flow of a momentum, directly, and is not linear";
  return ENERGY_NONE;
}

static int32_t read_leaf(HbgSim *sim, HbgOperation op, int32_t index) {
  return hbg_sim_add_reader(sim, NULL, hbg_expr_leaf(hbg_sim_reader_pool(sim), op, index, 0));
}

static void read_states(HbgSim *sim, HbgEnergy *energy) {
  const HbgProgram *program = &energy->law.program;
  energy->readers = ARENA_NEW(sim->arena, int32_t, program->input_count);
  for (int32_t at = 0; at < program->input_count; at++)
    energy->readers[at] = read_leaf(sim, HBG_OP_STATE, program->inputs[at].leaf.index);
}

HbgEnergy *hbg_energy(HbgSim *sim, const HbgFlatModel *run_model, int32_t state) {
  HbgEnergy *energy = ARENA_NEW(sim->arena, HbgEnergy, 1);
  energy->reason = "";
  if (run_model->states[state].node < 0) {
    energy->reason = "it is an integral of a signal";
    return energy;
  }
  const HbgNode *node = &run_model->nodes[run_model->states[state].node];
  HbgExprPool *pool = hbg_sim_reader_pool(sim);
  energy->form = form_of(run_model, pool, node, &energy->reason);
  if (energy->form == ENERGY_NONE) return energy;
  energy->state = state;
  energy->stored = read_leaf(sim, HBG_OP_STATE, state);
  if (energy->form == ENERGY_IMPLICIT) {
    energy->answer =
        read_leaf(sim, node->kind == HBG_ELEMENT_I ? HBG_OP_FLOW : HBG_OP_EFFORT, hbg_port(run_model, node, 0)->bond);
    return energy;
  }
  energy->law = hbg_probe(run_model, pool, &node->law, 1, sim->arena);
  read_states(sim, energy);
  return energy;
}

/* ---- asking ---- */

typedef struct Line {
  const HbgSim *sim;
  const HbgEnergy *energy;
} Line;

/* What is stored: at the row handed out last; before the first one, at the start. */
static double read_stored(const HbgSim *sim, int32_t reader, int32_t state) {
  if (hbg_sim_values(sim)) return hbg_sim_read(sim, reader);
  return sim->model->states[state].is_unknown ? (double)NAN : sim->now.state[state];
}

/* y at the share `s` of what is stored. */
static double answer_at(double s, void *user) {
  const Line *line = user;
  const HbgProbe *law = &line->energy->law;
  for (int32_t at = 0; at < law->program.input_count; at++)
    law->registers[law->program.inputs[at].target] =
        s * read_stored(line->sim, line->energy->readers[at], law->program.inputs[at].leaf.index);
  hbg_execute(law->program.prepare, 0, law->program.prepare_count, law->registers);
  hbg_execute(law->program.main, 0, law->program.main_count, law->registers);
  return hbg_probe_value(law, 0);
}

double hbg_energy_now(const HbgSim *sim, const HbgEnergy *energy) {
  const double tolerance = 1e-11;
  Line line = {sim, energy};
  if (energy->form == ENERGY_NONE) return (double)NAN;
  const double stored = read_stored(sim, energy->stored, energy->state);
  if (isnan(stored)) return stored;
  if (energy->form == ENERGY_IMPLICIT) return 0.5 * stored * hbg_sim_read(sim, energy->answer);
  if (energy->form == ENERGY_AFFINE) return 0.5 * stored * (answer_at(0, &line) + answer_at(1, &line));
  return stored > 0 || stored < 0 ? stored * hbg_integral(answer_at, &line, 0, 1, tolerance) : 0;
}

const char *hbg_energy_reason(const HbgEnergy *energy) { return energy->reason; }
