/* SPDX-License-Identifier: BSD-3-Clause
 * Places for drawings that are too large for a layout in a moment's time: symbols stand in rows, to and fro, each behind those that
 * it is bonded to. */
#include <math.h>

#include "diagram/diagram.h"

static const double between_columns = 48, between_rows = 64;

/* Who is joined to whom: neighbours of symbol i are list[first[i]] to list[first[i + 1] - 1]. */
typedef struct Neighbours {
  int32_t *first, *list;
} Neighbours;

static Neighbours find_neighbours(const HbgDiagram *diagram, HbgArena *arena) {
  const int32_t count = diagram->symbol_count;
  Neighbours self = {ARENA_NEW(arena, int32_t, count + 2),
                     ARENA_NEW(arena, int32_t, 2 * (diagram->bond_count + diagram->link_count))};
  for (int pass = 0; pass < 2; pass++) {
    for (int32_t i = 0; i < diagram->bond_count + diagram->link_count; i++) {
      const bool is_bond = i < diagram->bond_count;
      const int32_t a = is_bond ? diagram->bonds[i].tail : diagram->links[i - diagram->bond_count].from;
      const int32_t b = is_bond ? diagram->bonds[i].head : diagram->links[i - diagram->bond_count].to;
      // counted first, two places further on; then filled in, and each end has moved to where it belongs
      if (pass)
        self.list[self.first[a + 1]++] = b, self.list[self.first[b + 1]++] = a;
      else
        self.first[a + 2]++, self.first[b + 2]++;
    }
    for (int32_t i = 2; !pass && i < count + 2; i++) self.first[i] += self.first[i - 1];
  }
  return self;
}

/* All symbols, each part of the graph from its first one outwards. */
static int32_t *order_of(const HbgDiagram *diagram, HbgArena *arena) {
  const int32_t count = diagram->symbol_count;
  const Neighbours neighbours = find_neighbours(diagram, arena);
  int32_t *order = ARENA_NEW(arena, int32_t, count), end = 0;
  bool *is_there = ARENA_NEW(arena, bool, count);
  for (int32_t start = 0, at = 0; start < count; start++) {
    if (is_there[start]) continue;
    is_there[start] = true;
    for (order[end++] = start; at < end; at++)
      for (int32_t k = neighbours.first[order[at]]; k < neighbours.first[order[at] + 1]; k++) {
        if (is_there[neighbours.list[k]]) continue;
        is_there[neighbours.list[k]] = true;
        order[end++] = neighbours.list[k];
      }
  }
  return order;
}

void hbg_diagram_place_in_rows(HbgDiagram *diagram) {
  HbgArena *arena = &diagram->arena;
  const HbgArenaMark mark = hbg_arena_mark(arena);
  const int32_t *order = order_of(diagram, arena);
  double width = 0, height = 0, top = 0;
  int32_t number = 0;
  for (int32_t i = 0; i < diagram->symbol_count; i++) {
    const HbgSymbol *symbol = &diagram->symbols[i];
    width = fmax(width, symbol->width);
    height = fmax(height, symbol->height);
    if (symbol->is_placed) top = fmax(top, symbol->y + symbol->height / 2);
    number += !symbol->is_placed;
  }
  const int32_t columns = (int32_t)fmax(1, ceil(sqrt((double)number)));
  for (int32_t i = 0, at = 0; i < diagram->symbol_count; i++) {
    HbgSymbol *symbol = &diagram->symbols[order[i]];
    if (symbol->is_placed) continue;
    const int32_t row = at / columns, column = row % 2 ? columns - 1 - at % columns : at % columns;
    symbol->x = (column + 0.5) * (width + between_columns);
    symbol->y = top + (row + 0.5) * (height + between_rows);
    at++;
  }
  hbg_arena_rewind(arena, mark);
}
