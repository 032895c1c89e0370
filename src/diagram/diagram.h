/* SPDX-License-Identifier: BSD-3-Clause
 * A diagram: the symbols, bonds and links of one level of a model, and where they lie. Symbols are sorted by name, bonds and links by
 * their ends, so that nothing depends on the order of declarations. Which level, what is on it and what it means is found by
 * level.h of the room `model`; a diagram adds what is to be seen: strokes, sizes, places, lanes.
 *
 * The steps, in order: contents.c takes symbols, bonds and links over, strokes.c finds the causality where no run can tell it,
 * measure.c gives sizes; then places are found, and hbg_diagram_bound() tells how large the drawing is. */
#ifndef DIAGRAM_DIAGRAM_H
#define DIAGRAM_DIAGRAM_H

#include "base/arena.h"
#include "hybrsim/diagram.h"

struct HbgDiagram {
  HbgArena arena;        /* owns everything, this handle included */
  const HbgModel *model; /* borrowed */
  const char *level;     /* as asked for */
  HbgSymbol *symbols;    int32_t symbol_count; /* by name: a[2] before a[10] */
  HbgDiagramBond *bonds; int32_t bond_count;   /* by tail, head, name */
  HbgDiagramLink *links; int32_t link_count;   /* by from, to, sort */
  const char **files;    int32_t file_count;   /* paths; the first, "", is the text of the model */
  double left, top, width, height;             /* of the drawing, set by hbg_diagram_bound() */
};

/* Width and height of every symbol, by its sort and label. */
/* Places for all symbols that the text gives none; sizes must be known. */
void hbg_diagram_place(HbgDiagram *diagram);
/* The same in no time: in rows. */
void hbg_diagram_place_in_rows(HbgDiagram *diagram);
void hbg_diagram_measure(HbgDiagram *diagram);
/* The box around all symbols, with a margin; all zero where there are none. */
void hbg_diagram_bound(HbgDiagram *diagram);

#endif
