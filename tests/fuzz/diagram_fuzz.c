/* SPDX-License-Identifier: BSD-3-Clause
 * Any text at all has a diagram, and so have its levels, as far as they go: all indices, places and ranges make sense. */
#include <math.h>

#include "fuzz/fuzz.h"

enum { DEEPEST_LEVEL = 3, MOST_LEVELS = 40 };

static void check_place(HbgRange range, int32_t file, const HbgDiagramSize *size, size_t length) {
  HOLDS(file >= 0 && file < size->files);
  HOLDS(range.begin <= range.end);
  HOLDS(file > 0 || range.end <= length);
}

static void check_symbols(const HbgDiagram *diagram, const HbgDiagramSize *size, size_t length) {
  for (int32_t i = 0; i < size->symbols; i++) {
    const HbgSymbol symbol = hbg_diagram_symbol(diagram, i);
    HOLDS(*symbol.name && *symbol.path && symbol.label && symbol.definition && symbol.kind);
    HOLDS(isfinite(symbol.x) && isfinite(symbol.y) && symbol.width > 0 && symbol.height > 0);
    check_place(symbol.declaration, symbol.file, size, length);
    HOLDS(i == 0 || strcmp(hbg_diagram_symbol(diagram, i - 1).name, symbol.name) != 0);
  }
}

static void check_bonds(const HbgDiagram *diagram, const HbgDiagramSize *size, const HbgModel *model, size_t length) {
  const int32_t bonds = hbg_model_size(model).bonds;
  for (int32_t i = 0; i < size->bonds; i++) {
    const HbgDiagramBond bond = hbg_diagram_bond(diagram, i);
    HOLDS(bond.tail >= 0 && bond.tail < size->symbols && bond.head >= 0 && bond.head < size->symbols &&
          bond.tail != bond.head);
    HOLDS(*bond.name && bond.lane >= 0 && bond.lane < bond.lanes);
    HOLDS(bond.bond >= -1 && bond.bond < bonds);
    HOLDS((bond.bond >= 0) == (*bond.effort && *bond.flow));
    check_place(bond.arrow, bond.file, size, length);
  }
}

static void check_links(const HbgDiagram *diagram, const HbgDiagramSize *size) {
  for (int32_t i = 0; i < size->links; i++) {
    const HbgDiagramLink link = hbg_diagram_link(diagram, i);
    HOLDS(link.from >= 0 && link.from < size->symbols && link.to >= 0 && link.to < size->symbols &&
          link.from != link.to);
    HOLDS((link.sort == HBG_LINK_ACTIVE) == (*link.quantity != '\0'));
  }
}

static void check_level(const HbgModel *model, size_t length, const char *level, bool is_declaration, int depth,
                        int *rest) {
  HbgDiagramOptions options = hbg_diagram_options();
  options.level = level;
  HbgDiagram *diagram;
  const char *message;
  const HbgStatus status = hbg_diagram_create(model, &options, &diagram, &message);
  HOLDS((status == HBG_OK) == (diagram != NULL));
  if (status == HBG_ARGUMENT) HOLDS(*message);
  if (!diagram) return;
  const HbgDiagramSize size = hbg_diagram_size(diagram);
  check_symbols(diagram, &size, length);
  check_bonds(diagram, &size, model, length);
  check_links(diagram, &size);
  for (int32_t i = 0; i < size.symbols && depth<DEEPEST_LEVEL && * rest> 0; i++) {
    const HbgSymbol symbol = hbg_diagram_symbol(diagram, i);
    if (symbol.sort != HBG_SYMBOL_SUBMODEL) continue;
    --*rest;
    if (!is_declaration) check_level(model, length, symbol.path, false, depth + 1, rest);
    if (*symbol.definition) check_level(model, length, symbol.definition, true, depth + 1, rest);
  }
  hbg_diagram_free(diagram);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Purse purse = {.most = 32 << 20};
  HbgModelOptions options = purse_options(&purse);
  options.read = read_part;
  HbgModel *model;
  if (hbg_model_load((const char *)data, size, &options, &model) != HBG_MEMORY) {
    int rest = MOST_LEVELS;
    check_level(model, size, "", false, 0, &rest);
    hbg_model_free(model);
  }
  HOLDS(purse.spent == 0);
  return 0;
}
