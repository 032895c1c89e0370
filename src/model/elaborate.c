/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: the steps in order, and the small tools all of them use. */
#include "model/elaborate.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "model/callables.h"
#include "model/level_reading.h"
#include "model/unit_check.h"

enum { LONGEST_EXCERPT = 48 };

/* ---- trees ---- */

const char *hbg_tree_word(const HbgTree *tree, HbgTreeNode node, HbgArena *arena) {
  uint32_t length;
  const char *text = hbg_tree_text(tree, node, &length);
  return hbg_arena_text(arena, text, length);
}

const char *hbg_elaborate_word(const HbgElaborator *elaborator, const HbgTree *tree, HbgTreeNode node) {
  HbgReadWord *read = elaborator->readings ? &elaborator->readings->words[node % HBG_READ_COUNT] : NULL;
  if (read && read->node == node && read->tree == tree) return read->text;
  const char *text = hbg_tree_word(tree, node, elaborator->arena);
  if (read) *read = (HbgReadWord){tree, node, text};
  return text;
}

bool hbg_tree_is_expression(const HbgTree *tree, HbgTreeNode node) {
  switch (hbg_tree_kind(tree, node)) {
    case HBG_NODE_NAME:
    case HBG_NODE_MEMBER:
    case HBG_NODE_NUMBER:
    case HBG_NODE_LIST:
    case HBG_NODE_UNARY:
    case HBG_NODE_BINARY:
    case HBG_NODE_IN_STATE:
    case HBG_NODE_CALL:
    case HBG_NODE_IF:
    case HBG_NODE_PARENTHESES:
    case HBG_NODE_ERROR: return true;
    default: return false;
  }
}

HbgTreeNode hbg_tree_find(const HbgTree *tree, HbgTreeNode node, HbgNodeKind kind) {
  HbgTreeNode child = tree_first(tree, node);
  while (child && hbg_tree_kind(tree, child) != kind) child = tree_next(tree, child);
  return child;
}

static HbgTreeNode expression_from(const HbgTree *tree, HbgTreeNode child) {
  while (child && !hbg_tree_is_expression(tree, child)) child = tree_next(tree, child);
  return child;
}

HbgTreeNode hbg_tree_first_expression(const HbgTree *tree, HbgTreeNode node) {
  return expression_from(tree, tree_first(tree, node));
}

HbgTreeNode hbg_tree_named(const HbgTree *tree, HbgTreeNode call, const char *name) {
  for (HbgTreeNode child = tree_first(tree, call); child; child = tree_next(tree, child))
    if (hbg_tree_kind(tree, child) == HBG_NODE_NAMED_ARGUMENT && hbg_tree_is_word(tree, child, name))
      return hbg_tree_first_expression(tree, child);
  return 0;
}

HbgTreeNode hbg_tree_next_expression(const HbgTree *tree, HbgTreeNode child) {
  return expression_from(tree, tree_next(tree, child));
}

const char *hbg_tree_folded(const HbgTree *tree, HbgTreeNode node, HbgArena *arena) {
  HbgText text = hbg_text(arena);
  const HbgTreeNodeData *data = &tree->nodes[node];
  for (int32_t i = data->first_token; i <= data->last_token; i++) {
    const HbgToken *token = &tree->tokens[i];
    if (token->kind == HBG_TOKEN_NEWLINE || token->kind == HBG_TOKEN_END) continue;
    if (i > data->first_token && hbg_tree_blank(tree, i) < token->span.begin && text.length) hbg_text_add_bytes(&text, " ", 1);
    hbg_text_add_bytes(&text, tree->text + token->span.begin, token->span.end - token->span.begin);
  }
  return text.bytes;
}

const char *hbg_tree_excerpt(const HbgTree *tree, HbgTreeNode node, HbgArena *arena) {
  const char *folded = hbg_tree_folded(tree, node, arena);
  if (strlen(folded) <= LONGEST_EXCERPT) return folded;
  // not through the middle of a character of several bytes
  int length = LONGEST_EXCERPT - 3;
  while (length > 0 && ((unsigned char)folded[length] & 0xC0) == 0x80) length--;
  return hbg_print(arena, "%.*s...", length, folded);
}

/* ---- reports ---- */

static bool was_told(const HbgDiagnostics *diagnostics, HbgDiagnosticCode code, HbgSpan span, const char *message) {
  for (int32_t i = 0; i < diagnostics->count; i++) {
    const HbgDiagnostic *told = &diagnostics->list[i];
    if (told->code != code || told->span.begin != span.begin || told->span.end != span.end) continue;
    // without a place only the words tell two mistakes apart
    if (span.end > 0 || !strcmp(told->message, message)) return true;
  }
  return false;
}

bool hbg_elaborator_report(HbgElaborator *elaborator, const HbgPlace *place, HbgDiagnosticCode code, HbgSpan span,
                           const char *format, ...) {
  HbgDiagnostics *diagnostics = elaborator->diagnostics;
  const bool is_outside = place && place->setting;
  const HbgInstance *instance = place && !is_outside ? place->frame->instance : elaborator->root;
  HbgText text = hbg_text(elaborator->arena);
  if (is_outside) hbg_text_add(&text, "in the value given for '%s': ", place->setting);
  va_list arguments;
  va_start(arguments, format);
  hbg_text_add_list(&text, format, arguments);
  va_end(arguments);
  // the place is in the text of the submodel: which of its instances is meant?
  if (*instance->name && !strstr(text.bytes, instance->name)) hbg_text_add(&text, " (in '%s')", instance->name);
  if (is_outside) span = (HbgSpan){0, 0};
  const bool is_new = !was_told(diagnostics, code, span, text.bytes);
  const int32_t before = diagnostics->count;
  if (is_new) hbg_diagnose(diagnostics, code, span, "%s", text.bytes);
  else hbg_text_take_back(&text); // a mistake in a loop is met a million times
  return diagnostics->count > before;
}

const char *hbg_tree_unquoted(const HbgTree *tree, HbgTreeNode node, HbgArena *arena) {
  uint32_t length;
  const char *text = hbg_tree_text(tree, node, &length);
  return length < 2 ? "" : hbg_arena_text(arena, text + 1, length - 2);
}

/* The names in what could not be read, once: an unknown name among them is no second mistake. */
static void list_unread(HbgElaborator *elaborator) {
  const HbgTree *tree = &elaborator->file->tree;
  int32_t last = -1; /* wrong parts may lie inside each other */
  for (HbgTreeNode node = 1; node < tree->node_count; node++) {
    if (hbg_tree_kind(tree, node) != HBG_NODE_ERROR) continue;
    const HbgTreeNodeData *data = &tree->nodes[node];
    for (int32_t i = data->first_token > last ? data->first_token : last + 1; i <= data->last_token; i++) {
      const HbgToken *token = &tree->tokens[i];
      const uint32_t length = token->span.end - token->span.begin;
      const char *text = tree->text + token->span.begin;
      if (token->kind == HBG_TOKEN_NAME && hbg_scope_find(&elaborator->unread, text, length) < 0)
        hbg_scope_add(&elaborator->unread, hbg_arena_text(elaborator->arena, text, length), HBG_SCOPE_NODE, 0, token->span);
      last = i;
    }
  }
}

bool hbg_elaborator_knows_text(const HbgElaborator *elaborator, const char *name) {
  if (!elaborator->unread.count) return true;
  return hbg_scope_find(&elaborator->unread, name, (uint32_t)strcspn(name, "[.")) < 0;
}

/* ---- the steps ---- */

static HbgTreeNode find_model(HbgElaborator *elaborator) {
  const HbgTree *tree = &elaborator->file->tree;
  if (!tree->root) return 0;
  if (hbg_tree_kind(tree, tree->root) == HBG_NODE_MODEL) return tree->root;
  const HbgTreeNode model = hbg_tree_find(tree, tree->root, HBG_NODE_MODEL);
  if (!model && !elaborator->text_is_wrong &&
      hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_NO_MODEL, (HbgSpan){0, 0}, "the file holds no model"))
    HELP(elaborator, "write `model Name { ... }` here, or import this file from one that has it");
  return model;
}

/* The text in quotes behind a parameter, without them; NULL without. */
static const char *description_of(HbgElaborator *elaborator, const HbgParameterDeclaration *parameter) {
  const HbgTree *tree = tree_of(parameter->frame);
  const HbgTreeNode declaration = parameter->value ? tree->nodes[parameter->value].parent : 0;
  const HbgTreeNode text = declaration ? hbg_tree_find(tree, declaration, HBG_NODE_DESCRIPTION) : 0;
  return text ? hbg_tree_unquoted(tree, text, elaborator->arena) : NULL;
}

static void describe_parameters(HbgElaborator *elaborator) {
  HbgFlatModel *model = elaborator->model;
  model->parameters = ARENA_NEW(elaborator->arena, HbgParameter, elaborator->parameter_count);
  model->parameter_count = elaborator->parameter_count;
  for (int32_t i = 0; i < elaborator->parameter_count; i++) {
    const HbgParameterDeclaration *parameter = &elaborator->parameters[i];
    const HbgScopeSymbol *symbol = &elaborator->scope.symbols[parameter->symbol];
    const double value = parameter->expr ? hbg_expr_node(elaborator->pool, parameter->expr)->value : 0;
    model->parameters[i] = (HbgParameter){.name = symbol->name, .value = value, .unit = parameter->unit_text,
                                          .description = description_of(elaborator, parameter), .span = symbol->span};
  }
}

static void describe_signals(HbgElaborator *elaborator) {
  HbgFlatModel *model = elaborator->model;
  model->signals = hbg_arena_enlarge(elaborator->arena, NULL, 0, elaborator->signal_count, sizeof *model->signals);
  for (int32_t i = 0; i < elaborator->signal_count; i++) {
    const HbgSignalDeclaration *signal = &elaborator->signals[i];
    if (signal->is_input) continue;
    const HbgScopeSymbol *symbol = &elaborator->scope.symbols[signal->symbol];
    HbgSignal *out = &model->signals[model->signal_count++];
    *out = (HbgSignal){.name = symbol->name, .expr = signal->expr, .span = symbol->span};
    hbg_elaborate_shown_unit(elaborator, signal, out);
  }
}

static HbgElaborator *new_elaborator(const HbgTree *tree, const char *path, HbgArena *arena, HbgDiagnostics *diagnostics,
                                     HbgFlatModel *out) {
  *out = (HbgFlatModel){.name = "", .pool = hbg_expr_pool(arena),
                        .defaults = {.stop = (double)NAN, .tolerance = (double)NAN, .step = (double)NAN, .interval = (double)NAN, .method = -1, .sliding = -1}};
  HbgElaborator *elaborator = ARENA_NEW(arena, HbgElaborator, 1);
  *elaborator = (HbgElaborator){.arena = arena, .diagnostics = diagnostics, .model = out, .pool = &out->pool,
                                .scope = hbg_scope(arena), .unread = hbg_scope(arena), .clocked_names = hbg_scope(arena), .clocked_table = hbg_key_table(arena), .ticks = hbg_key_table(arena),
                                .text_is_wrong = diagnostics->error_count > 0,
                                .readings = ARENA_NEW(arena, HbgReadings, 1),
                                .current = -1, .blocked = -1};
  // the model outlives the caller's variable, the tree's nodes live in an arena anyway
  elaborator->file = hbg_elaborate_add_file(elaborator, tree, path);
  elaborator->root = ARENA_NEW(arena, HbgInstance, 1);
  *elaborator->root = (HbgInstance){.file = elaborator->file, .name = "", .prefix = "", .submodel = -1,
                                    .frame = {.name = "", .instance = elaborator->root}};
  out->names = elaborator;
  return elaborator;
}

int32_t hbg_elaborate_find(const HbgElaborator *elaborator, const HbgPlace *place, const char *key) {
  const int32_t found = hbg_scope_find(&elaborator->scope, key, (uint32_t)strlen(key));
  return found >= 0 ? found : hbg_elaborate_find_in_file(elaborator, place->frame->instance->file, local_name(place, key));
}

/* What all declared names stand for, and whether it fits together. */
static void resolve(HbgElaborator *elaborator) {
  hbg_elaborate_parameters(elaborator);
  describe_parameters(elaborator);
  hbg_elaborate_clocks(elaborator);

  hbg_elaborate_matrix_two_ports(elaborator);

  // the graph: machines, nodes, bonds, stored quantities; from here on every name has its place in the model
  hbg_elaborate_machine_types(elaborator);
  hbg_elaborate_machine_instances(elaborator);
  hbg_elaborate_graph(elaborator);
  hbg_elaborate_find_integrals(elaborator);
  hbg_elaborate_variables(elaborator);

  // expressions: signals before all that reads them
  hbg_elaborate_signals(elaborator);
  describe_signals(elaborator);
  hbg_elaborate_laws(elaborator);
  hbg_elaborate_field_laws(elaborator);
  hbg_elaborate_guards(elaborator);
  hbg_elaborate_relays(elaborator);
  hbg_elaborate_inputs(elaborator);
  hbg_elaborate_starts(elaborator);
  hbg_elaborate_field_starts(elaborator);
  hbg_elaborate_conditions(elaborator);
  hbg_elaborate_callables(elaborator);
  hbg_elaborate_bends(elaborator);
  hbg_elaborate_carriers(elaborator);
}

static void elaborate(HbgElaborator *elaborator, const HbgSetting *settings, int32_t setting_count) {
  HbgDiagnostics *diagnostics = elaborator->diagnostics;
  HbgFlatModel *out = elaborator->model;
  const int32_t errors = diagnostics->error_count;
  hbg_elaborate_imports(elaborator);
  out->sources = elaborator->sources;
  out->source_count = elaborator->file_count;
  if (elaborator->diagnostics->error_count > errors) return;
  hbg_elaborate_check_drawings(elaborator);
  const HbgTreeNode model = find_model(elaborator);
  if (!model) hbg_elaborate_unused(elaborator);
  if (!model) return;
  if (elaborator->text_is_wrong) list_unread(elaborator);
  out->name = hbg_tree_word(&elaborator->file->tree, model, elaborator->arena);

  // names: everything that is declared, loops expanded; then the numbers that are known before the run
  hbg_elaborate_read_settings(elaborator, settings, setting_count);
  hbg_elaborate_collect(elaborator, model);
  if (elaborator->is_too_large) return;
  hbg_elaborate_check_instances(elaborator);
  resolve(elaborator);
  hbg_elaborate_run_settings(elaborator);
  // units: of a model without mistakes, and only when some are written
  hbg_check_units(elaborator);
  hbg_elaborate_machine_warnings(elaborator);
  hbg_elaborate_stale_places(elaborator);
  hbg_elaborate_unused(elaborator);
}

/* ---- submodels that nobody uses ---- */

/* What is wrong with numbers may be so because nobody has given them: names, kinds and the graph are told. */
static bool is_worth_telling(const HbgDiagnostic *found) {
  const bool is_of_graph = found->severity == HBG_ERROR && found->code >= 200 && found->code < 400;
  return is_of_graph || found->code == HBG_DIAGNOSTIC_STALE_PLACE;
}

static void take_over(HbgElaborator *elaborator, const HbgDiagnostics *found) {
  for (int32_t i = 0; i < found->count; i++) {
    const HbgDiagnostic *told = &found->list[i];
    if (is_worth_telling(told) && hbg_elaborator_report(elaborator, NULL, told->code, told->span, "%s", told->message) && told->help)
      HELP(elaborator, "%s", told->help);
  }
}

void hbg_elaborate_unused(HbgElaborator *elaborator) {
  const bool *is_used = hbg_elaborate_used_submodels(elaborator);
  HbgArena *arena = elaborator->arena;
  for (int32_t i = 0; i < elaborator->submodel_count; i++) {
    const HbgSubmodelDeclaration *submodel = &elaborator->submodels[i];
    if (is_used[i] || submodel->file != elaborator->file) continue;
    HbgFlatModel *model = ARENA_NEW(arena, HbgFlatModel, 1);
    HbgDiagnostics found = hbg_diagnostics(arena);
    HbgElaborator *trial = new_elaborator(&elaborator->file->tree, elaborator->file->path, arena, &found, model);
    trial->is_trial = true;
    trial->has_lost_bonds = true; /* those outside of the ports */
    trial->reader = elaborator->reader;
    hbg_elaborate_imports(trial);
    hbg_elaborate_collect_trial(trial, i);
    if (trial->is_too_large) continue;
    hbg_elaborate_check_instances(trial);
    resolve(trial);
    hbg_elaborate_stale_places(trial);
    take_over(elaborator, &found);
  }
}

void hbg_elaborate(const HbgTree *tree, const char *path, const HbgFiles *files, const HbgSetting *settings,
                   int32_t setting_count, HbgArena *arena, HbgDiagnostics *diagnostics, HbgFlatModel *out) {
  HbgElaborator *elaborator = new_elaborator(tree, path, arena, diagnostics, out);
  elaborator->reader = files;
  elaborate(elaborator, settings, setting_count);
  elaborator->reader = NULL; /* the model outlives it */
  if (!diagnostics->error_count) hbg_elaborate_forget(elaborator);
}

/* ---- one level, for a drawing ---- */

HbgTreeNode hbg_elaborate_model_node(const HbgElaborator *elaborator) {
  const HbgTree *tree = &elaborator->file->tree;
  if (!tree->root) return 0;
  const HbgTreeNode model = hbg_tree_find(tree, tree->root, HBG_NODE_MODEL);
  if (model) return model;
  for (HbgTreeNode child = tree_first(tree, tree->root); child; child = tree_next(tree, child)) {
    const HbgSpan first = tree->tokens[tree->nodes[child].first_token].span;
    const bool is_word = first.end - first.begin == strlen("model") && !memcmp(tree->text + first.begin, "model", strlen("model"));
    if (is_word && hbg_tree_kind(tree, child) == HBG_NODE_ERROR && tree_first(tree, child)) return child;
  }
  return 0;
}

/* As far as names, the graph and machines go: what expressions mean is not asked for. */
static void understand(HbgElaborator *elaborator) {
  hbg_elaborate_parameters(elaborator);
  hbg_elaborate_matrix_two_ports(elaborator);
  hbg_elaborate_machine_types(elaborator);
  hbg_elaborate_machine_instances(elaborator);
  hbg_elaborate_graph(elaborator);
}

typedef struct LevelRequest {
  const HbgTree *tree;
  const char *path;
  const HbgFiles *files;
  HbgArena *arena;
  bool text_is_wrong;
} LevelRequest;

static HbgElaborator *begin_drawing(const LevelRequest *request) {
  HbgDiagnostics *diagnostics = ARENA_NEW(request->arena, HbgDiagnostics, 1);
  *diagnostics = hbg_diagnostics(request->arena);
  HbgFlatModel *model = ARENA_NEW(request->arena, HbgFlatModel, 1);
  HbgElaborator *elaborator = new_elaborator(request->tree, request->path, request->arena, diagnostics, model);
  elaborator->is_for_drawing = true;
  elaborator->text_is_wrong = request->text_is_wrong;
  elaborator->reader = request->files;
  hbg_elaborate_imports(elaborator);
  model->sources = elaborator->sources;
  model->source_count = elaborator->file_count;
  return elaborator;
}

/* The instance that is the submodel `index` by itself, in a name space of its own. */
static const HbgInstance *try_submodel(const LevelRequest *request, int32_t index, HbgElaborator **out) {
  HbgElaborator *trial = *out = begin_drawing(request);
  trial->is_trial = true;
  trial->has_lost_bonds = true; /* those outside of the ports */
  hbg_elaborate_collect_trial(trial, index);
  if (trial->is_too_large || !trial->instance_count) return NULL;
  understand(trial);
  return trial->instances[0];
}

static const HbgInstance *find_instance(const HbgElaborator *elaborator, const char *name) {
  const int32_t found = hbg_scope_find(&elaborator->scope, name, (uint32_t)strlen(name));
  const bool is_instance = found >= 0 && elaborator->scope.symbols[found].kind == HBG_SCOPE_INSTANCE;
  return is_instance ? elaborator->instances[elaborator->scope.symbols[found].index] : NULL;
}

HbgLevelStatus hbg_elaborate_level(const HbgTree *tree, const char *path, const HbgFiles *files, const HbgSetting *settings,
                                   int32_t setting_count, bool text_is_wrong, const char *level, HbgArena *arena, HbgLevel *out) {
  const LevelRequest request = {tree, path, files, arena, text_is_wrong};
  HbgElaborator *elaborator = begin_drawing(&request);
  const HbgTreeNode model = hbg_elaborate_model_node(elaborator);
  if (model) {
    if (text_is_wrong) list_unread(elaborator);
    hbg_elaborate_read_settings(elaborator, settings, setting_count);
    hbg_elaborate_collect(elaborator, model);
    if (elaborator->is_too_large) return HBG_LEVEL_TOO_LARGE;
  }
  const HbgInstance *instance = *level ? find_instance(elaborator, level) : elaborator->root;
  const int32_t submodel = instance ? -1 : hbg_level_submodel(elaborator, level);
  if (!instance && submodel < 0) return HBG_LEVEL_UNKNOWN;
  if (instance) understand(elaborator);
  else instance = try_submodel(&request, submodel, &elaborator);
  if (!instance) return elaborator->is_too_large ? HBG_LEVEL_TOO_LARGE : HBG_LEVEL_UNKNOWN;
  hbg_level_read(elaborator, instance, out);
  elaborator->reader = NULL; /* the answer outlives it */
  return HBG_LEVEL_FOUND;
}
