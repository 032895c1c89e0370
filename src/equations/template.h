/* SPDX-License-Identifier: BSD-3-Clause
 * An island with everything taken out that may differ between islands of the same structure: numbers become slots,
 * indices become the island's own. Islands with equal templates share one set of compiled equations, so that ten thousand
 * balls cost one compilation. */
#ifndef EQUATIONS_TEMPLATE_H
#define EQUATIONS_TEMPLATE_H

#include "equations/laws.h"

typedef struct HbgTemplate {
  HbgGraph graph;        /* of the island it was made from; only its own indices count */
                         /* meaning                                                      shape         */
  HbgExpr *effort_law;   /* laws over the island's bonds, states and slots; 0 = none      (node_count)  */
  HbgExpr *flow_law;
  HbgExpr *implicit_law;
  HbgWish *wish;
  uint8_t *passes_impulses; /* an R whose law holds for areas, too                       (node_count)  */
  int32_t *node_state;   /* the state of a storage, -1                                    (node_count)  */
  int32_t *boundary_state; /* the state that a port fixed by a storage of another island reads, -1 (node_count) */
  int32_t state_count;
  int32_t *state_node;   /* the storage, -1 for an integrator or a storage of another island (state_count) */
  HbgExpr *state_input;  /* what an integrator integrates, 0 for storages                 (state_count) */
  int32_t pre_count;
  HbgExpr *pre_inner;    /* what the a priori value is a value of                         (pre_count)   */
  int32_t constant_count, tick_count, discrete_count;
  uint8_t *is_demanded;  /* variables that signals' integrators read, or that storages elsewhere receive (2 bond_count)*/
  int32_t *key;          /* equal keys: equal structure                                   (key_length)  */
  int32_t key_length;
} HbgTemplate;

/* What an island puts into the slots of its template. */
typedef struct HbgBinding {
  double *constants;     /* (constant_count) */
  int32_t *ticks;        /* of the model (tick_count) */
  int32_t *discrete;     /* variables of the model (discrete_count) */
  int32_t *states;       /* of the model (state_count) */
  HbgExpr *pre;          /* the PRE expressions over the model's variables (pre_count) */
} HbgBinding;

/* The template of the island `graph` with machines in the states `phi` (per machine): laws that read a machine's state are
 * specialised to it. From `arena`, which may be one for a short time: most templates are of a structure that is known. */
void hbg_template_make(HbgLaws *laws, const HbgGraph *graph, const int32_t *phi, HbgArena *arena, HbgTemplate *out,
                       HbgBinding *binding);
/* Copies that live in `arena`; the graph stays the one it was made of, which must live as long. */
HbgTemplate hbg_template_keep(const HbgTemplate *template, HbgArena *arena);
/* The lists of the template, from `arena`, are not needed any more; their lengths may still be read. */
void hbg_template_give_back(const HbgTemplate *template, HbgArena *arena);
HbgBinding hbg_binding_keep(const HbgBinding *binding, const HbgTemplate *template, HbgArena *arena);

#endif
