/* SPDX-License-Identifier: BSD-3-Clause
 * What is on a diagram: the parts, bonds and reads of a level of the model as symbols, bonds and links. */
#ifndef DIAGRAM_CONTENTS_H
#define DIAGRAM_CONTENTS_H

#include "diagram/diagram.h"
#include "model/level.h"

/* The causality of one bond of a level. */
typedef struct HbgBondStroke {
  HbgStrokePlace place;
  bool is_conflict;
} HbgBondStroke;

typedef struct HbgDiagramContents {
  const HbgLevel *level;
  const HbgBondStroke *strokes; /* (level->bond_count) */
  const int32_t *phi;           /* states of the machines of level->flat (machine_count) */
  bool has_run;                 /* the model can be run: its variables have names */
  bool is_automatic;            /* places of the text do not count */
} HbgDiagramContents;

/* Makes symbols, bonds and links of `diagram`, whose texts are copies in its arena. `scratch` is for work. */
void hbg_diagram_fill(HbgDiagram *diagram, const HbgDiagramContents *contents, HbgArena *scratch);

/* The strokes of a level of which no run can tell them: the model is wrong, or it is a submodel by itself. What lies at the other end of
 * a bond that leads nowhere may set the effort or not: strokes are told where that makes no difference. From `scratch`. */
HbgBondStroke *hbg_diagram_strokes(const HbgLevel *level, const int32_t *phi, HbgArena *scratch);
/* The strokes that `causality` of the whole model has for the bonds of the level. */
HbgBondStroke *hbg_diagram_known_strokes(const HbgLevel *level, const HbgCausality *causality, HbgArena *scratch);

/* Is junction `node` off where machine m is in state phi[m]? */
static inline bool hbg_diagram_is_off(const HbgFlatModel *flat, const int32_t *phi, int32_t node) {
  if (node < 0 || flat->nodes[node].machine < 0) return false;
  const HbgMachine *machine = &flat->machines[flat->nodes[node].machine];
  const int32_t state = phi[flat->nodes[node].machine];
  return state >= 0 && state < machine->state_count && !machine->states[state].is_on;
}

#endif
