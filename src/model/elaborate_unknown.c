/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: what is said of a name that stands for nothing, or for what must not stand there. */
#include <stddef.h>
#include <string.h>

#include "base/text.h"
#include "model/elaborate_names.h"

bool hbg_elaborate_is_reserved(const char *name, uint32_t length) {
  static const char *const words[] = {"time", "pi", "true", "false", "and", "or", "not", "in", "if", "then", "else"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (words[i][0] == name[0] && strlen(words[i]) == length && !memcmp(words[i], name, length)) return true;
  return false;
}

const char *hbg_elaborate_element_word(HbgElementKind kind) {
  switch (kind) {
    case HBG_ELEMENT_ZERO: return "a 0-junction";
    case HBG_ELEMENT_ONE: return "a 1-junction";
    case HBG_ELEMENT_SE: return "a source of effort";
    case HBG_ELEMENT_SF: return "a source of flow";
    case HBG_ELEMENT_R: return "a resistor";
    case HBG_ELEMENT_C: return "a C storage";
    case HBG_ELEMENT_I: return "an I storage";
    case HBG_ELEMENT_TF: return "a transformer";
    case HBG_ELEMENT_GY: return "a gyrator";
    default: return "an element";
  }
}

/* Events are declared before there are any variables. */
static bool is_event(const HbgFlatModel *model, int32_t variable) {
  return variable >= model->variable_count || model->variables[variable].is_event;
}

const char *hbg_elaborate_what(const HbgElaborator *elaborator, const HbgScopeSymbol *symbol) {
  switch (symbol->kind) {
    case HBG_SCOPE_ARRAY: return "an array";
    case HBG_SCOPE_FIELD: return "a field";
    case HBG_SCOPE_PARAMETER: return "a parameter";
    case HBG_SCOPE_SIGNAL: return "a signal";
    case HBG_SCOPE_BOND: return "a bond";
    case HBG_SCOPE_MACHINE_TYPE: return "a machine type";
    case HBG_SCOPE_MACHINE: return "a machine";
    case HBG_SCOPE_SUBMODEL: return "a submodel";
    case HBG_SCOPE_INSTANCE: return "an instance of a submodel";
    case HBG_SCOPE_PORT: return "a port";
    case HBG_SCOPE_CLOCK: return "a clock";
    case HBG_SCOPE_VARIABLE: return is_event(elaborator->model, symbol->index) ? "an event" : "a variable of a machine";
    case HBG_SCOPE_FUNCTION: return "a function";
    case HBG_SCOPE_TABLE: return "a table";
    case HBG_SCOPE_DATA: return "data";
    case HBG_SCOPE_NODE: return hbg_elaborate_element_word(elaborator->nodes ? elaborator->nodes[symbol->index].kind : final_node_of(elaborator, symbol->index)->kind);
    default: return "something else";
  }
}

/* "ball" or "ball[11]" where there is ball[1] to ball[10]. */
static bool help_with_array(HbgElaborator *elaborator, const char *name) {
  const HbgScope *scope = &elaborator->scope;
  const char *dot = strrchr(name, '.');
  const uint32_t base = (uint32_t)((dot ? dot - name : 0) + (ptrdiff_t)strcspn(dot ? dot : name, "["));
  const int32_t found = hbg_scope_find(scope, name, base);
  if (found < 0) return false;
  const HbgScopeSymbol *array = &scope->symbols[found];
  if (array->kind == HBG_SCOPE_FIELD) {
    HELP(elaborator, "'%s' is a field; its ports are '%s[1]' to '%s[%d]'", array->name, array->name, array->name,
         (int)elaborator->fields[array->index].rows);
  } else if (array->kind != HBG_SCOPE_ARRAY) {
    HELP(elaborator, "'%s' is %s of its own, without indices", array->name, hbg_elaborate_what(elaborator, array));
  } else if (array->index != 1) {
    HELP(elaborator, "'%s' has %d indices", array->name, (int)array->index);
  } else {
    const HbgIndexRange *range = hbg_scope_range(scope, array);
    HELP(elaborator, "there are '%s[%lld]' to '%s[%lld]'", array->name, (long long)range->lowest, array->name,
         (long long)range->highest);
  }
  return true;
}

/* Nothing is called nearly like that: how it would be declared. */
static void help_with_declaration(HbgElaborator *elaborator, const char *name, unsigned kinds) {
  if (kinds & 1u << HBG_SCOPE_SIGNAL) HELP(elaborator, "declare it: param %s = 1, or signal %s = ...", name, name);
  else if (kinds & 1u << HBG_SCOPE_PARAMETER) HELP(elaborator, "declare it: param %s = 1", name);
  else if (kinds & 1u << HBG_SCOPE_MACHINE) HELP(elaborator, "declare it: 1 %s by Type, or machine %s = Type", name, name);
  else if (kinds == 1u << HBG_SCOPE_CLOCK) HELP(elaborator, "declare it: clock %s = every(0.1 [s])", name);
  else HELP(elaborator, "declare it, for instance as a junction, 1 %s, or as an element, I %s(2)", name, name);
}

/* `length [mm]` is an element of an array; who leaves a blank before the bracket may have meant a unit. */
static bool help_with_unit(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  const HbgSpan name = hbg_tree_span(place->tree, node);
  const char *text = place->tree->text;
  uint32_t begin = name.begin - place->tree->base, end = name.end - place->tree->base;
  while (begin > 0 && !strchr("[]\n", text[begin])) begin--;
  while (end < place->tree->length && !strchr("[]\n", text[end])) end++;
  if (begin == 0 || end == place->tree->length || text[begin] != '[' || text[end] != ']' || text[begin - 1] != ' ') return false;
  const int length = (int)(end - begin - 1);
  HbgUnit unit;
  uint32_t wrong_begin, wrong_end;
  if (!hbg_unit_read(text + begin + 1, (uint32_t)length, &unit, &wrong_begin, &wrong_end)) return false;
  HELP(elaborator, "behind a name, brackets hold an index; for a unit put the whole value in parentheses: (...) [%.*s]", length,
       text + begin + 1);
  return true;
}

void hbg_elaborate_unknown(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const char *name,
                           const char *wanted, unsigned kinds) {
  if (elaborator->is_quiet) {
    elaborator->is_missing = true;
    return;
  }
  const char *local = local_name(place, name);
  if (!hbg_elaborator_knows_text(elaborator, local)) return;
  if (!hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_UNKNOWN_NAME, hbg_tree_span(place->tree, node),
                             "there is no %s '%s'", wanted, local))
    return;
  if (help_with_array(elaborator, name) || help_with_unit(elaborator, place, node)) return;
  const char *near = hbg_scope_near_in(&elaborator->scope, name, (uint32_t)(local - name), kinds, elaborator->arena);
  if (near) HELP(elaborator, "did you mean %s?", near);
  else if (place->setting) HELP(elaborator, "write a number, a number with a unit, or an expression: 2, 2 [g], pi/4");
  else help_with_declaration(elaborator, local, kinds);
}

HbgExpr hbg_elaborate_not_constant(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const char *name,
                                 const char *what) {
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_NOT_CONSTANT, hbg_tree_span(place->tree, node),
                            "'%s' is %s, but %s must be known before the run", name, what, place->constant))
    HELP(elaborator, "use numbers and parameters only");
  return 0;
}
