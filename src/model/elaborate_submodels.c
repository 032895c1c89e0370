/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: submodels. Every use of one is an instance: its text once more, under a prefix of its own. */
#include <string.h>

#include "base/text.h"
#include "model/elaborator.h"

/* ---- which submodel ---- */

/* The submodels that the file sees, as it may name them. */
static const char *near_submodel(HbgElaborator *elaborator, const HbgModelFile *file, const char *name) {
  HbgScope names = hbg_scope(elaborator->arena);
  const char *last = strrchr(name, '.');
  const char *qualified = NULL;
  for (int32_t i = 0; i < elaborator->submodel_count; i++) {
    const HbgSubmodelDeclaration *submodel = &elaborator->submodels[i];
    const char *seen = submodel->file == file ? submodel->name : NULL;
    for (int32_t at = 0; at < file->import_count && !seen; at++) {
      const HbgImport *import = &file->imports[at];
      if (import->file != submodel->file->index) continue;
      seen = import->alias ? hbg_print(elaborator->arena, "%s.%s", import->alias, submodel->name) : submodel->name;
      if (import->alias && !strcmp(submodel->name, last ? last + 1 : name)) qualified = hbg_print(elaborator->arena, "'%s'", seen);
    }
    if (seen && hbg_scope_find(&names, seen, (uint32_t)strlen(seen)) < 0)
      hbg_scope_add(&names, seen, HBG_SCOPE_SUBMODEL, 0, (HbgSpan){0, 0});
  }
  return qualified ? qualified : hbg_scope_near(&names, name, HBG_SCOPE_ALL, elaborator->arena);
}

static void tell_no_submodel(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode type, const char *name) {
  const HbgSpan span = hbg_tree_span(place->tree, type);
  const char *near = near_submodel(elaborator, place->frame->instance->file, name);
  const char *hint = near ? NULL : hbg_tree_statement_hint(place->tree, type, elaborator->arena);
  if (hint) {
    if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_UNKNOWN_STATEMENT, span, "no statement begins with `%s`", name))
      HELP(elaborator, "%s", hint);
    return;
  }
  if (!hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_UNKNOWN_NAME, span, "there is no submodel '%s'", name)) return;
  if (near) HELP(elaborator, "did you mean %s? A file sees its own submodels, and those of the files that it imports itself", near);
  else HELP(elaborator, "declare it in this file: submodel %s(port a) { ... }, or import the file that has it", name);
}

static int32_t tell_no_name(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode type) {
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_KIND, hbg_tree_span(place->tree, type), "'%s' is no submodel",
                            hbg_tree_excerpt(place->tree, type, elaborator->arena)))
    HELP(elaborator, "give the name of one that has the same ports");
  return -1;
}

int32_t hbg_elaborate_submodel(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode type) {
  const HbgNodeKind kind = hbg_tree_kind(place->tree, type);
  if (kind != HBG_NODE_TYPE_NAME && kind != HBG_NODE_NAME && kind != HBG_NODE_MEMBER) return tell_no_name(elaborator, place, type);
  const char *key = hbg_elaborate_key(elaborator, place, type);
  if (!key) return -1;
  const int32_t found = hbg_elaborate_find(elaborator, place, key);
  const HbgScopeSymbol *symbol = found < 0 ? NULL : &elaborator->scope.symbols[found];
  if (symbol && symbol->kind == HBG_SCOPE_SUBMODEL) return symbol->index;
  if (!hbg_elaborator_knows_text(elaborator, local_name(place, key))) return -1;
  if (!symbol) {
    tell_no_submodel(elaborator, place, type, local_name(place, key));
  } else if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_KIND, hbg_tree_span(place->tree, type),
                                   "'%s' is %s, not a submodel", local_name(place, key), hbg_elaborate_what(elaborator, symbol))) {
    HELP(elaborator, "declare a submodel: submodel Name(port a) { ... }");
  }
  return -1;
}

/* ---- instances ---- */

static bool holds_itself(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int32_t submodel) {
  const HbgInstance *around = place->frame->instance;
  while (around && around->submodel != submodel) around = around->outer;
  if (!around) return false;
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_SUBMODEL_CIRCLE, hbg_tree_token_span(place->tree, node),
                            "the submodel '%s' would hold itself", elaborator->submodels[submodel].name))
    HELP(elaborator, "repeat parts with a loop: `for i in 1..N { ... }`");
  return true;
}

static void add_instance(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int32_t submodel, const char *key) {
  const HbgSpan span = hbg_tree_token_span(place->tree, node);
  const HbgSubmodelDeclaration *declaration = &elaborator->submodels[submodel];
  const int32_t symbol = hbg_elaborate_declare(elaborator, key, HBG_SCOPE_INSTANCE, elaborator->instance_count, span);
  if (symbol < 0) return;
  HbgInstance *instance = ARENA_NEW(elaborator->arena, HbgInstance, 1);
  const char *prefix = hbg_print(elaborator->arena, "%s.", key);
  *instance = (HbgInstance){.file = declaration->file, .name = elaborator->scope.symbols[symbol].name, .prefix = prefix,
                            .prefix_length = (uint32_t)strlen(prefix), .frame = {.name = "", .instance = instance},
                            .outer = place->frame->instance, .submodel = submodel, .node = node, .outer_frame = place->frame,
                            .span = span, .index = elaborator->instance_count, .first_port = -1};
  ARENA_PUSH(elaborator->arena, elaborator->instances, elaborator->instance_count, elaborator->instance_capacity) = instance;
  hbg_elaborate_formals(elaborator, instance);
  hbg_elaborate_collect_each(elaborator, declaration->node, &instance->frame);
}

/* An instance that cannot be made: what is not found inside of it is no second mistake. */
static void forget(HbgElaborator *elaborator, const HbgTree *tree, HbgTreeNode node) {
  const char *name = hbg_elaborate_word(elaborator, tree, node);
  elaborator->has_lost_bonds = true;
  if (hbg_scope_find(&elaborator->unread, name, (uint32_t)strlen(name)) < 0)
    hbg_scope_add(&elaborator->unread, name, HBG_SCOPE_INSTANCE, 0, hbg_tree_token_span(tree, node));
}

void hbg_elaborate_declare_instance(HbgElaborator *elaborator, HbgTreeNode node, const HbgFrame *frame) {
  const HbgPlace place = place_in(elaborator, frame, NULL);
  int32_t count;
  const char **keys = hbg_elaborate_keys(elaborator, &place, node, &count);
  if (!keys) return;
  const HbgTreeNode type = hbg_tree_find(place.tree, place.tree->nodes[node].parent, HBG_NODE_TYPE_NAME);
  const int32_t submodel = type ? hbg_elaborate_submodel(elaborator, &place, type) : -1;
  if (submodel >= 0 && hbg_elaborate_arguments_wait(elaborator, &place, node, submodel)) return;
  if (submodel < 0 || holds_itself(elaborator, &place, node, submodel) ||
      !hbg_elaborate_check_arguments(elaborator, &place, node, submodel)) {
    forget(elaborator, place.tree, node);
    for (int32_t i = 0; i < count; i++) hbg_elaborate_lose(elaborator, keys[i], node, frame);
    return;
  }
  const HbgSpan span = hbg_tree_token_span(place.tree, node);
  for (int32_t i = 0; i < count && !hbg_elaborate_too_large(elaborator, span, count - i); i++)
    add_instance(elaborator, &place, node, submodel, keys[i]);
}

/* An instance that stands nowhere and is given nothing. */
void hbg_elaborate_declare_trial(HbgElaborator *elaborator, int32_t submodel) {
  const HbgPlace place = place_in(elaborator, &elaborator->root->frame, NULL);
  add_instance(elaborator, &place, 0, submodel, elaborator->submodels[submodel].name);
}

const bool *hbg_elaborate_used_submodels(HbgElaborator *elaborator) {
  bool *is_used = ARENA_NEW(elaborator->arena, bool, elaborator->submodel_count);
  for (int32_t i = 0; i < elaborator->instance_count; i++) is_used[elaborator->instances[i]->submodel] = true;
  return is_used;
}

/* ---- what an instance must have ---- */

static void check_output(HbgElaborator *elaborator, const HbgInstance *instance, HbgTreeNode output) {
  const HbgPlace place = place_in(elaborator, &instance->frame, NULL);
  const char *key = hbg_elaborate_key(elaborator, &place, output);
  const int32_t found = key ? hbg_scope_find(&elaborator->scope, key, (uint32_t)strlen(key)) : -1;
  if (!key || (found >= 0 && elaborator->scope.symbols[found].kind == HBG_SCOPE_SIGNAL)) return;
  if (!hbg_elaborator_knows_text(elaborator, local_name(&place, key))) return;
  if (hbg_elaborator_report(elaborator, &place, HBG_DIAGNOSTIC_OUTPUT, hbg_tree_token_span(place.tree, output),
                            "the submodel '%s' has no signal '%s' to give out", elaborator->submodels[instance->submodel].name,
                            local_name(&place, key)))
    HELP(elaborator, "declare it inside: signal %s = ...", local_name(&place, key));
}

void hbg_elaborate_check_instances(HbgElaborator *elaborator) {
  bool *is_checked = ARENA_NEW(elaborator->arena, bool, elaborator->submodel_count);
  for (int32_t i = 0; i < elaborator->instance_count; i++) {
    const HbgInstance *instance = elaborator->instances[i];
    if (is_checked[instance->submodel]) continue; /* what is wrong is so in all of them */
    is_checked[instance->submodel] = true;
    hbg_elaborate_check_loops(elaborator, elaborator->submodels[instance->submodel].node, instance);
    const HbgTree *tree = &instance->file->tree;
    const HbgTreeNode formals = hbg_tree_find(tree, elaborator->submodels[instance->submodel].node, HBG_NODE_FORMALS);
    for (HbgTreeNode formal = formals ? tree_first(tree, formals) : 0; formal; formal = tree_next(tree, formal))
      if (hbg_tree_kind(tree, formal) == HBG_NODE_OUTPUT) check_output(elaborator, instance, formal);
  }
}
