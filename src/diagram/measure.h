/* SPDX-License-Identifier: BSD-3-Clause
 * How large symbols are, and where there is room to write beside them. */
#ifndef DIAGRAM_MEASURE_H
#define DIAGRAM_MEASURE_H

#include "diagram/diagram.h"
#include "diagram/geometry.h"

typedef enum HbgSide { HBG_SIDE_BELOW, HBG_SIDE_ABOVE, HBG_SIDE_RIGHT, HBG_SIDE_LEFT, HBG_SIDE_CORNER } HbgSide;

/* The width of the bold word at the beginning of an element. */
double hbg_kind_width(const HbgSymbol *symbol);
/* What stands inside the block of a signal: a sign for what is well known, else its expression. */
const char *hbg_block_sign(const HbgSymbol *symbol);
HbgBox hbg_symbol_box(const HbgSymbol *symbol);
/* For each symbol the first side at which no bond (and no link) leaves: below, above, right, left; else the corner on the lower right. */
const HbgSide *hbg_diagram_free_sides(const HbgDiagram *diagram, bool has_links, HbgArena *arena);

#endif
