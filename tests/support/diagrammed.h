/* SPDX-License-Identifier: BSD-3-Clause
 * Diagrams in tests: of texts and of files, and who stands where on them. */
#ifndef TESTS_SUPPORT_DIAGRAMMED_H
#define TESTS_SUPPORT_DIAGRAMMED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hybrsim/hybrsim.h"
#include "support/check.h"

/* The model of a text, right or wrong. */
static inline HbgModel *diagrammed_model(const char *text) {
  HbgModel *model = NULL;
  const HbgStatus status = hbg_model_load(text, strlen(text), NULL, &model);
  if (status != HBG_OK && status != HBG_MODEL_WRONG) fail_msg("%s", hbg_status_text(status));
  return model;
}

/* The same of a file, which may import others. */
static inline HbgModel *diagrammed_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) fail_msg("%s cannot be read", path);
  char *text = malloc(1 << 20);
  assert_non_null(text);
  const size_t length = fread(text, 1, 1 << 20, file);
  fclose(file);
  HbgModelOptions options = hbg_model_options();
  options.name = path;
  HbgModel *model = NULL;
  hbg_model_load(text, length, &options, &model);
  assert_non_null(model);
  free(text);
  return model;
}

static inline HbgDiagram *diagrammed_in_mode(const HbgModel *model, const char *level, const char *mode) {
  HbgDiagramOptions options = hbg_diagram_options();
  options.level = level;
  options.mode = mode;
  HbgDiagram *diagram = NULL;
  const char *message = "";
  if (hbg_diagram_create(model, &options, &diagram, &message) != HBG_OK) fail_msg("'%s': %s", level, message);
  return diagram;
}

static inline HbgDiagram *diagrammed(const HbgModel *model, const char *level) {
  return diagrammed_in_mode(model, level, NULL);
}

static inline int32_t diagrammed_find(const HbgDiagram *diagram, const char *name) {
  for (int32_t i = 0; i < hbg_diagram_size(diagram).symbols; i++)
    if (!strcmp(hbg_diagram_symbol(diagram, i).name, name)) return i;
  return -1;
}

static inline HbgSymbol diagrammed_symbol(const HbgDiagram *diagram, const char *name) {
  const int32_t index = diagrammed_find(diagram, name);
  if (index < 0) fail_msg("there is no symbol %s", name);
  return hbg_diagram_symbol(diagram, index);
}

/* The first bond from one symbol to another. */
static inline HbgDiagramBond diagrammed_bond(const HbgDiagram *diagram, const char *tail, const char *head) {
  for (int32_t i = 0; i < hbg_diagram_size(diagram).bonds; i++) {
    const HbgDiagramBond bond = hbg_diagram_bond(diagram, i);
    if (!strcmp(hbg_diagram_symbol(diagram, bond.tail).name, tail) &&
        !strcmp(hbg_diagram_symbol(diagram, bond.head).name, head))
      return bond;
  }
  fail_msg("there is no bond %s -> %s", tail, head);
  return (HbgDiagramBond){0};
}

/* All symbols, bonds and links as a text, a line each: "I body1 m1", "motion1 -> body1 |", "motion1 -f-> approach". */
static inline void diagrammed_text(const HbgDiagram *diagram, char *out, size_t size) {
  static const char *const strokes[] = {"?", "tail", "head"};
  const HbgDiagramSize count = hbg_diagram_size(diagram);
  size_t at = 0;
#define WRITE(...) at += (size_t)snprintf(out + (at < size ? at : size), at < size ? size - at : 0, __VA_ARGS__)
  for (int32_t i = 0; i < count.symbols; i++) {
    const HbgSymbol symbol = hbg_diagram_symbol(diagram, i);
    WRITE("%s %s%s%s%s\n", symbol.kind, symbol.name, *symbol.label ? " " : "", symbol.label,
          symbol.is_on ? "" : " off");
  }
  for (int32_t i = 0; i < count.bonds; i++) {
    const HbgDiagramBond bond = hbg_diagram_bond(diagram, i);
    WRITE("%s -> %s at %s%s%s\n", hbg_diagram_symbol(diagram, bond.tail).name,
          hbg_diagram_symbol(diagram, bond.head).name, strokes[bond.stroke], bond.is_derivative ? " derivative" : "",
          bond.is_conflict ? " conflict" : "");
  }
  for (int32_t i = 0; i < count.links; i++) {
    const HbgDiagramLink link = hbg_diagram_link(diagram, i);
    WRITE("%s %s%s%s %s\n", hbg_diagram_symbol(diagram, link.from).name,
          link.sort == HBG_LINK_ACTIVE   ? link.quantity
          : link.sort == HBG_LINK_SWITCH ? "switches"
                                         : "to",
          link.is_guard ? " guard" : "", link.is_a_priori ? " before" : "", hbg_diagram_symbol(diagram, link.to).name);
  }
#undef WRITE
  assert_true(at < size);
}

#endif
