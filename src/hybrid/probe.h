/* SPDX-License-Identifier: BSD-3-Clause
 * Expressions over the whole model (guards, signals, inputs of integrators, columns), compiled once and evaluated on
 * values, in continuous time or at an instant with its two sides and its impulses. */
#ifndef HYBRID_PROBE_H
#define HYBRID_PROBE_H

#include "equations/likeness.h"
#include "equations/program.h"
#include "hybrid/values.h"

typedef struct HbgProbe {
  const HbgFlatModel *model;
  HbgProgram program;
  int32_t *outputs; int32_t output_count;
  double *registers;
  HbgPair *pairs; /* NULL: it shares the code of another one, and nobody has asked at an instant yet */
  HbgArena *arena;
  const HbgProgramInput *leaf; /* that it is nothing more than; NULL */
} HbgProbe;

/* A probe for `count` expressions. `pool` holds them and must not be walked meanwhile. */
HbgProbe hbg_probe(const HbgFlatModel *model, HbgExprPool *pool, const HbgExpr *exprs, int32_t count, HbgArena *arena);
/* The same for expressions that `other` is for with other leaves: it shares the code of that. */
HbgProbe hbg_probe_like(const HbgProbe *other, const HbgLikeness *likeness, const HbgExprPool *pool, HbgArena *arena);
/* Only loads what `values` say, and prepares what does not change between instants. */
void hbg_probe_load(HbgProbe *probe, const HbgValues *values);
/* Evaluates in continuous time: a priori is the value itself, nothing is impulsive. Read the outputs by hbg_probe_value(). */
void hbg_probe_run(HbgProbe *probe, const HbgValues *values);
static inline double hbg_probe_value(const HbgProbe *probe, int32_t output) {
  return probe->registers[probe->outputs[output]];
}

typedef struct HbgProbeNotes {
  bool is_undefined; /* a product or function of impulses was asked for */
  bool by_impulse;   /* a comparison was decided by an impulse */
} HbgProbeNotes;

/* Evaluates at an instant: `now` a posteriori, `before` a priori. */
HbgProbeNotes hbg_probe_run_pairs(HbgProbe *probe, const HbgValues *now, const HbgValues *before);
static inline const HbgPair *hbg_probe_pair(const HbgProbe *probe, int32_t output) {
  return &probe->pairs[probe->outputs[output]];
}
/* The finite value of a leaf in `values`. */
double hbg_leaf_value(const HbgFlatModel *model, const HbgExprNode *leaf, const HbgValues *values);
/* Does it tell of the state of a machine? */
static inline bool hbg_leaf_is_of_machine(const HbgExprNode *leaf) { return leaf->op == HBG_OP_IN_STATE || leaf->op == HBG_OP_IS_ON; }
/* The first undetermined variable the probe reads in `now`, -1 when there is none. */
int32_t hbg_probe_undetermined(const HbgProbe *probe, const HbgValues *now);

#endif
