/* SPDX-License-Identifier: BSD-3-Clause
 * Places for the symbols that the text gives none. */
#include "diagram/diagram.h"
#include "diagram/layout.h"

/* Signals give way to bonds. */
static const double weight_of_signals = 0.35;

/* What is larger is put into rows: the time for a layout grows with the square of the number. */
enum { MOST_LAID_OUT = 3000 };

static int32_t count_unplaced(const HbgDiagram *diagram) {
  int32_t count = 0;
  for (int32_t i = 0; i < diagram->symbol_count; i++) count += !diagram->symbols[i].is_placed;
  return count;
}

void hbg_diagram_place(HbgDiagram *diagram) {
  const int32_t unplaced = count_unplaced(diagram);
  if (!unplaced) return;
  if (unplaced > MOST_LAID_OUT) {
    hbg_diagram_place_in_rows(diagram);
    return;
  }
  HbgArena *arena = &diagram->arena;
  const HbgArenaMark mark = hbg_arena_mark(arena);
  HbgLayoutNode *nodes = ARENA_NEW(arena, HbgLayoutNode, diagram->symbol_count);
  HbgLayoutEdge *edges = ARENA_NEW(arena, HbgLayoutEdge, diagram->bond_count + diagram->link_count);
  int32_t edge_count = 0;
  for (int32_t i = 0; i < diagram->symbol_count; i++) {
    const HbgSymbol *symbol = &diagram->symbols[i];
    nodes[i] = (HbgLayoutNode){symbol->width, symbol->height, symbol->is_placed, symbol->x, symbol->y};
  }
  for (int32_t i = 0; i < diagram->bond_count; i++) edges[edge_count++] = (HbgLayoutEdge){diagram->bonds[i].tail, diagram->bonds[i].head, 1};
  for (int32_t i = 0; i < diagram->link_count; i++)
    edges[edge_count++] = (HbgLayoutEdge){diagram->links[i].from, diagram->links[i].to, weight_of_signals};
  hbg_layout(nodes, diagram->symbol_count, edges, edge_count, arena);
  for (int32_t i = 0; i < diagram->symbol_count; i++) diagram->symbols[i].x = nodes[i].x, diagram->symbols[i].y = nodes[i].y;
  hbg_arena_rewind(arena, mark);
}
