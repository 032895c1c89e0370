/* SPDX-License-Identifier: BSD-3-Clause
 * What holds for the diagrams of all models of the gallery and all submodels of the library. */
#define _POSIX_C_SOURCE 200809L /* glob */
#include <glob.h>
#include <math.h>

#include "support/diagrammed.h"

enum { MOST_LEVELS = 200 };

/* All levels of one model. */
typedef struct Levels {
  HbgModel *model;
  HbgDiagram *list[MOST_LEVELS];
  int count;
} Levels;

static void add_level(Levels *levels, const char *level) {
  assert_true(levels->count < MOST_LEVELS);
  HbgDiagram *diagram = diagrammed(levels->model, level);
  levels->list[levels->count++] = diagram;
  for (int32_t i = 0; i < hbg_diagram_size(diagram).symbols; i++) {
    const HbgSymbol symbol = hbg_diagram_symbol(diagram, i);
    if (symbol.sort == HBG_SYMBOL_SUBMODEL) add_level(levels, symbol.path);
  }
}

/* Calls `claim` with all levels of each model. */
static void for_all_models(void (*claim)(const Levels *levels)) {
  glob_t found = {0};
  int right = 0;
  assert_int_equal(glob(HBG_SOURCE_FOLDER "/models/*/*.hbg", 0, NULL, &found), 0);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    Levels levels = {.model = diagrammed_file(found.gl_pathv[i])};
    if (!hbg_model_error_count(levels.model)) {
      add_level(&levels, "");
      claim(&levels);
      right++;
    }
    while (levels.count) hbg_diagram_free(levels.list[--levels.count]);
    hbg_model_free(levels.model);
  }
  assert_true(right >= 17);
  globfree(&found);
}

/* ---- nodes and bonds ---- */

static bool belongs_to(const char *node, const char *path) {
  const size_t length = strlen(path);
  return !strncmp(node, path, length) && (!node[length] || node[length] == '[' || !strncmp(node + length, ".in[", 4) ||
                                          !strncmp(node + length, ".out[", 5));
}

/* How many symbols, of any level, a node of the model is, or belongs to as a port of a field. */
static int count_symbols(const Levels *levels, const char *node) {
  int count = 0;
  for (int level = 0; level < levels->count; level++)
    for (int32_t i = 0; i < hbg_diagram_size(levels->list[level]).symbols; i++) {
      const HbgSymbol symbol = hbg_diagram_symbol(levels->list[level], i);
      const bool may_be_node =
          symbol.sort == HBG_SYMBOL_ELEMENT || symbol.sort == HBG_SYMBOL_JUNCTION || symbol.sort == HBG_SYMBOL_PORT;
      count += may_be_node && belongs_to(node, symbol.path);
    }
  return count;
}

static void claim_nodes(const Levels *levels) {
  const HbgModelSize size = hbg_model_size(levels->model);
  for (int32_t i = 0; i < size.elements + size.junctions; i++) {
    const char *name = hbg_model_node(levels->model, i).name;
    if (count_symbols(levels, name) != 1)
      fail_msg("%s: %s is %d symbols", hbg_model_name(levels->model), name, count_symbols(levels, name));
  }
}

static void every_node_of_a_model_is_one_symbol_or_in_one(void **state) {
  (void)state;
  for_all_models(claim_nodes);
}

static int count_bonds(const Levels *levels, int32_t bond) {
  int count = 0;
  for (int level = 0; level < levels->count; level++) {
    int here = 0;
    for (int32_t i = 0; i < hbg_diagram_size(levels->list[level]).bonds; i++)
      here += hbg_diagram_bond(levels->list[level], i).bond == bond;
    assert_true(here <= 1);  // the gallery has no wire straight through a submodel
    count += here;
  }
  return count;
}

/* The part of a name up to its last point that is outside of brackets; a bond between two nodes of one level stands on that level only. */
static size_t prefix_of(const char *name) {
  const char *last = strrchr(name, '.');
  return last ? (size_t)(last - name) + 1 : 0;
}

static void claim_bonds(const Levels *levels) {
  for (int32_t bond = 0; bond < hbg_model_size(levels->model).bonds; bond++) {
    const HbgBondInfo info = hbg_model_bond(levels->model, bond);
    const int count = count_bonds(levels, bond);
    const size_t tail = prefix_of(info.tail), head = prefix_of(info.head);
    const bool is_of_one_level = tail == head && !strncmp(info.tail, info.head, tail);
    if (is_of_one_level ? count != 1 : count < 1)
      fail_msg("%s: %s is on %d levels", hbg_model_name(levels->model), info.name, count);
  }
}

static void every_bond_is_on_the_level_it_stands_on_and_in_each_it_leads_into(void **state) {
  (void)state;
  for_all_models(claim_bonds);
}

/* ---- causality and variables ---- */

static void claim_strokes(const Levels *levels) {
  const HbgCausality *causality;
  assert_int_equal(hbg_model_causality(levels->model, NULL, &causality), HBG_OK);
  for (int level = 0; level < levels->count; level++)
    for (int32_t i = 0; i < hbg_diagram_size(levels->list[level]).bonds; i++) {
      const HbgDiagramBond bond = hbg_diagram_bond(levels->list[level], i);
      assert_in_range(bond.bond, 0, causality->stroke_count - 1);
      const HbgStroke *stroke = &causality->strokes[bond.bond];
      assert_int_equal(bond.stroke, stroke->effort_from_tail ? HBG_STROKE_AT_HEAD : HBG_STROKE_AT_TAIL);
      assert_int_equal(bond.is_conflict, stroke->is_conflict);
      assert_string_equal(bond.name, stroke->bond);
    }
  hbg_causality_free(causality);
}

static void strokes_are_those_of_the_causality_of_the_mode(void **state) {
  (void)state;
  for_all_models(claim_strokes);
}

static int32_t find_variable(HbgRun *run, const char *name) {
  int32_t variable;
  const char *message;
  if (hbg_run_find(run, name, &variable, &message) != HBG_OK) fail_msg("%s: %s", name, message);
  return variable;
}

static void claim_variables(const Levels *levels) {
  enum { MOST = 2000 };
  int32_t variables[MOST], count = 0;
  HbgRun *run;
  HbgRow row;
  const char *message;
  HbgRunOptions options = hbg_run_options();
  options.stop = 1e-3;
  if (hbg_run_create(levels->model, &options, &run, &message) != HBG_OK) fail_msg("%s", message);
  for (int level = 0; level < levels->count; level++)
    for (int32_t i = 0; i < hbg_diagram_size(levels->list[level]).bonds; i++) {
      const HbgDiagramBond bond = hbg_diagram_bond(levels->list[level], i);
      assert_true(count + 2 <= MOST);
      variables[count++] = find_variable(run, bond.effort);
      variables[count++] = find_variable(run, bond.flow);
    }
  assert_int_equal(hbg_run_next(run, &row), HBG_OK);
  for (int32_t i = 0; i < count; i++) assert_true(isfinite(hbg_run_read(run, variables[i])));
  hbg_run_free(run);
}

static void effort_and_flow_of_every_bond_can_be_read_in_a_run(void **state) {
  (void)state;
  for_all_models(claim_variables);
}

/* ---- declarations ---- */

static void check_declaration(const HbgModel *model, const char *name, const char *path) {
  HbgDiagram *diagram = diagrammed(model, name);
  const HbgDiagramSize size = hbg_diagram_size(diagram);
  int ports = 0;
  for (int32_t i = 0; i < size.symbols; i++) {
    const HbgSymbol symbol = hbg_diagram_symbol(diagram, i);
    ports += symbol.sort == HBG_SYMBOL_PORT;
    assert_string_equal(symbol.path, symbol.name);
    assert_int_equal(symbol.file, 0);
  }
  for (int32_t i = 0; i < size.bonds; i++) {
    const HbgDiagramBond bond = hbg_diagram_bond(diagram, i);
    assert_int_equal(bond.bond, -1);
    assert_false(bond.is_conflict);
  }
  if (!ports) fail_msg("%s of %s has no ports", name, path);
  hbg_diagram_free(diagram);
}

/* The names behind the word submodel. */
static int check_declarations(const HbgModel *model, const char *path) {
  int count = 0;
  const char *at = hbg_model_text(model);
  while ((at = strstr(at, "\nsubmodel "))) {
    char name[100];
    at += strlen("\nsubmodel ");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(at, "( {"), at);
    check_declaration(model, name, path);
    count++;
  }
  return count;
}

static void every_submodel_of_the_library_has_a_diagram_with_its_ports(void **state) {
  (void)state;
  glob_t found = {0};
  int count = 0;
  assert_int_equal(glob(HBG_SOURCE_FOLDER "/library/*.hbg", 0, NULL, &found), 0);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    HbgModel *model = diagrammed_file(found.gl_pathv[i]);
    count += check_declarations(model, found.gl_pathv[i]);
    hbg_model_free(model);
  }
  globfree(&found);
  assert_true(count > 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_node_of_a_model_is_one_symbol_or_in_one),
      cmocka_unit_test(every_bond_is_on_the_level_it_stands_on_and_in_each_it_leads_into),
      cmocka_unit_test(strokes_are_those_of_the_causality_of_the_mode),
      cmocka_unit_test(effort_and_flow_of_every_bond_can_be_read_in_a_run),
      cmocka_unit_test(every_submodel_of_the_library_has_a_diagram_with_its_ports),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
