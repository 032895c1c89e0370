/* SPDX-License-Identifier: BSD-3-Clause
 * The public door of documents. */
#include "api/document.h"

#include <string.h>

#include "base/text.h"

/* ---- reading ---- */

typedef struct Opening {
  HbgDocument *document;
  const char *text;
  size_t length;
  const HbgModelOptions *options;
} Opening;

/* Does the file declare something, but no model? */
static bool holds_parts(const HbgTree *tree) {
  HbgTreeNode declaration = 0;
  for (HbgTreeNode node = tree->nodes[tree->root].first_child; node; node = tree->nodes[node].next_sibling) {
    const HbgNodeKind kind = hbg_tree_kind(tree, node);
    if (kind == HBG_NODE_MODEL) return false;
    if (kind != HBG_NODE_ERROR && kind != HBG_NODE_IMPORT) declaration = node;
  }
  return declaration != 0;
}

static HbgStatus read_text(void *user) {
  Opening *self = user;
  HbgDocument *document = self->document;
  HbgArena *arena = &document->arena;
  document->text = hbg_arena_text(arena, self->text, self->length);
  document->length = (uint32_t)self->length;
  document->options = hbg_model_options_copy(self->options, arena);
  document->mistakes = hbg_diagnostics(arena);
  document->tree = hbg_parse(document->text, document->length, arena, &document->mistakes);
  document->is_part = holds_parts(&document->tree);
  if (document->is_part) {
    document->mistakes = hbg_diagnostics(arena);
    document->tree = hbg_parse_import_file(document->text, document->length, 0, arena, &document->mistakes);
  }
  document->names = hbg_document_names(document, &document->tree, document->options.name);
  return HBG_OK;
}

HbgStatus hbg_document_open(const char *text, size_t length, const HbgModelOptions *options, HbgDocument **out) {
  const HbgModelOptions defaults = hbg_model_options();
  if (!options) options = &defaults;
  if (!out) return HBG_ARGUMENT;
  *out = NULL;
  if ((!text && length) || length > UINT32_MAX / 2 || !hbg_model_options_are_sound(options)) return HBG_ARGUMENT;
  HbgArena arena = hbg_arena(hbg_allocator_of(options));
  HbgDocument *document = hbg_arena_try(&arena, sizeof *document);
  if (!document) return HBG_MEMORY;
  *document = (HbgDocument){.arena = arena, .answers = hbg_arena(hbg_allocator_of(options))};
  Opening opening = {document, text ? text : "", length, options};
  const HbgStatus status = hbg_guarded(&document->arena, read_text, &opening);
  if (status == HBG_OK) *out = document;
  else hbg_document_free(document);
  return status;
}

void hbg_document_free(HbgDocument *document) {
  if (!document) return;
  hbg_causality_free(document->causality);
  hbg_model_free(document->model);
  hbg_arena_release_all(&document->answers);
  HbgArena arena = document->arena; /* holds the handle itself */
  hbg_arena_release_all(&arena);
}

HbgStatus hbg_document_model(HbgDocument *document) {
  if (document->model || document->is_part) return HBG_OK;
  const HbgStatus status = hbg_model_load(document->text, document->length, &document->options, &document->model);
  return document->model ? HBG_OK : status;
}

/* ---- questions ---- */

/* A question: what it is about, and where the answer goes. */
typedef struct Question {
  HbgDocument *document;
  HbgView view;
  void (*answer)(struct Question *self);
  uint32_t at, end;
  const char *name;
  const void *list; int32_t count;
  HbgSpan span;
  const char *text;
  HbgSignature signature;
} Question;

typedef struct Asking {
  HbgView view;
  void (*answer)(const HbgView *view, void *user);
  void *user;
} Asking;

static HbgStatus answer_asking(void *user) {
  const Asking *self = user;
  self->answer(&self->view, self->user);
  return HBG_OK;
}

HbgStatus hbg_document_ask(HbgDocument *document, void (*answer)(const HbgView *view, void *user), void *user) {
  const bool is_right = document->model && hbg_model_error_count(document->model) == 0;
  hbg_arena_release_all(&document->answers);
  Asking asking = {{&document->tree, &document->names, is_right ? &document->model->flat : NULL, document->causality, &document->answers}, answer, user};
  const HbgStatus status = hbg_guarded(&document->answers, answer_asking, &asking);
  if (status != HBG_OK) hbg_arena_release_all(&document->answers);
  return status;
}

static void answer_question(const HbgView *view, void *user) {
  Question *self = user;
  self->view = *view;
  self->answer(self);
}

static HbgStatus ask(Question *self) {
  if (self->at > self->document->length) self->at = self->document->length;
  return hbg_document_ask(self->document, answer_question, self);
}

/* Causality of the initial mode, when the model is right and not so large that a reader would wait for it. */
static HbgStatus find_causality(HbgDocument *document) {
  enum { LARGE = 20000 };
  if (!document->model || document->asked_for_causality || hbg_model_error_count(document->model) || document->model->flat.bond_count > LARGE) return HBG_OK;
  const HbgStatus status = hbg_model_causality(document->model, NULL, &document->causality);
  document->asked_for_causality = status != HBG_MEMORY;
  return status == HBG_MEMORY ? status : HBG_OK;
}

static void answer_hover(Question *self) { self->text = hbg_view_hover(&self->view, self->at, &self->span); }

HbgStatus hbg_document_hover(HbgDocument *document, uint32_t at, const char **text, HbgRange *range) {
  if (!document || !text || !range) return HBG_ARGUMENT;
  HbgStatus status = hbg_document_model(document);
  if (status == HBG_OK) status = find_causality(document);
  if (status != HBG_OK) return status;
  Question question = {.document = document, .answer = answer_hover, .at = at};
  status = ask(&question);
  if (status != HBG_OK) return status;
  *text = question.text ? question.text : "";
  *range = (HbgRange){question.span.begin, question.span.end};
  return HBG_OK;
}

static void answer_signature(Question *self) { hbg_view_signature(&self->view, self->at, &self->signature); }

HbgStatus hbg_document_signature(HbgDocument *document, uint32_t at, HbgSignature *signature) {
  if (!document || !signature) return HBG_ARGUMENT;
  Question question = {.document = document, .answer = answer_signature, .at = at};
  const HbgStatus status = ask(&question);
  if (status == HBG_OK) *signature = question.signature;
  return status;
}

static void answer_proposals(Question *self) { self->list = hbg_view_proposals(&self->view, self->at, &self->count); }
static void answer_declarations(Question *self) { self->list = hbg_view_declarations(&self->view, self->at, &self->count); }
static void answer_uses(Question *self) { self->list = hbg_view_uses(&self->view, self->at, &self->count); }
static void answer_outline(Question *self) { self->list = hbg_view_outline(&self->view, &self->count); }
static void answer_folds(Question *self) { self->list = hbg_view_folds(&self->view, &self->count); }
static void answer_colours(Question *self) { self->list = hbg_view_colours(&self->view, &self->count); }

/* Asks for a list of things. */
static HbgStatus ask_for_list(HbgDocument *document, uint32_t at, void (*how)(Question *), const void **list, int32_t *count) {
  if (!document || !count) return HBG_ARGUMENT;
  Question question = {.document = document, .answer = how, .at = at};
  const HbgStatus status = ask(&question);
  if (status != HBG_OK) return status;
  *list = question.list;
  *count = question.count;
  return HBG_OK;
}

#define DEFINE_LIST(function, T, how, AT_PARAMETER, AT)                                        \
  HbgStatus function(HbgDocument *document AT_PARAMETER, const T **list, int32_t *count) {     \
    const void *found = NULL;                                                                  \
    if (!list) return HBG_ARGUMENT;                                                            \
    const HbgStatus status = ask_for_list(document, AT, how, &found, count);                   \
    if (status == HBG_OK) *list = found;                                                       \
    return status;                                                                             \
  }
#define AT_BYTE , uint32_t at
#define NOWHERE
DEFINE_LIST(hbg_document_proposals, HbgProposal, answer_proposals, AT_BYTE, at)
DEFINE_LIST(hbg_document_declarations, HbgDeclaration, answer_declarations, AT_BYTE, at)
DEFINE_LIST(hbg_document_uses, HbgUse, answer_uses, AT_BYTE, at)
DEFINE_LIST(hbg_document_outline, HbgOutlineItem, answer_outline, NOWHERE, 0)
DEFINE_LIST(hbg_document_folds, HbgRange, answer_folds, NOWHERE, 0)
DEFINE_LIST(hbg_document_colours, HbgColoured, answer_colours, NOWHERE, 0)

/* ---- changes ---- */

const HbgEdit *hbg_document_edits(const HbgTextChanges *changes, HbgArena *arena) {
  HbgEdit *edits = ARENA_NEW(arena, HbgEdit, changes->count);
  for (int32_t i = 0; i < changes->count; i++)
    edits[i] = (HbgEdit){{changes->list[i].span.begin, changes->list[i].span.end}, changes->list[i].text};
  return edits;
}

static void keep_edits(Question *self, const HbgTextChanges *changes) {
  self->list = hbg_document_edits(changes, self->view.arena);
  self->count = changes->count;
}

static void answer_rename(Question *self) {
  const HbgTextChanges *changes = hbg_view_rename(&self->view, self->at, self->name, &self->text);
  hbg_view_name_at(&self->view, self->at, &self->span);
  if (changes) keep_edits(self, changes);
}

HbgStatus hbg_document_rename(HbgDocument *document, uint32_t at, const char *name, const HbgEdit **edits, int32_t *count,
                              HbgRange *range, const char **reason) {
  if (!document || !reason || (name && (!edits || !count))) return HBG_ARGUMENT;
  Question question = {.document = document, .answer = answer_rename, .at = at, .name = name};
  const HbgStatus status = ask(&question);
  if (status != HBG_OK) return status;
  if (document->mistakes.error_count > 0) question.text = "the text has mistakes that keep it from being read; mend these first";
  if (edits) *edits = question.list;
  if (count) *count = document->mistakes.error_count > 0 ? 0 : question.count;
  if (range) *range = (HbgRange){question.span.begin, question.span.end};
  *reason = question.text ? question.text : "";
  return HBG_OK;
}

static void answer_format(Question *self) {
  HbgTextChanges all = hbg_format_changes(&self->document->tree, self->view.arena);
  HbgTextChanges within = {0};
  for (int32_t i = 0; i < all.count; i++)
    if (all.list[i].span.end >= self->at && all.list[i].span.begin <= self->end)
      ARENA_PUSH(self->view.arena, within.list, within.count, within.capacity) = all.list[i];
  keep_edits(self, &within);
}

HbgStatus hbg_document_format(HbgDocument *document, uint32_t begin, uint32_t end, const HbgEdit **edits, int32_t *count) {
  if (!document || !edits || !count) return HBG_ARGUMENT;
  *edits = NULL;
  *count = 0;
  if (document->mistakes.error_count > 0) return HBG_MODEL_WRONG;
  Question question = {.document = document, .answer = answer_format, .at = begin, .end = end};
  const HbgStatus status = ask(&question);
  if (status != HBG_OK) return status;
  *edits = question.list;
  *count = question.count;
  return HBG_OK;
}

/* ---- problems ---- */

static const char *title_of(HbgDiagnosticCode code) {
  switch (code) {
#define DIAGNOSTIC(name, number, severity, title) \
  case HBG_DIAGNOSTIC_##name: return title;
#include "base/diagnostic_codes.def"
#undef DIAGNOSTIC
    default: return "";
  }
}

/* Where else the name at `span` is declared, when two things have it. */
static const HbgRange *find_related(const HbgView *view, const HbgDiagnostic *diagnostic, int32_t *count) {
  int32_t found;
  *count = 0;
  if (diagnostic->code != HBG_DIAGNOSTIC_TWO_OF_ONE_NAME) return NULL;
  const HbgDeclaration *declarations = hbg_view_declarations(view, diagnostic->span.begin, &found);
  HbgRange *others = ARENA_NEW(view->arena, HbgRange, found);
  for (int32_t i = 0; i < found; i++)
    if (declarations[i].range.begin != diagnostic->span.begin) others[(*count)++] = declarations[i].range;
  return others;
}

/* A mistake in another file is told where that is imported, or what imports it. */
static void tell_at_import(const HbgDocument *document, const char *path, HbgProblem *problem) {
  problem->range = (HbgRange){0, 0};
  problem->message = hbg_print(document->names.arena, "in %s: %s", path, problem->message);
  problem->range = (HbgRange){0, 0}; /* where no import is known that it came by */
  for (int32_t i = 0; i < document->names.imported_count; i++) {
    const HbgSpan span = hbg_tree_span(&document->tree, document->names.imported[i].node);
    const bool is_it = strcmp(document->names.imported[i].names->path, path) == 0;
    if (i == 0 || is_it) problem->range = (HbgRange){span.begin, span.end};
    if (is_it) break;
  }
}

static HbgProblem problem_of(const HbgDocument *document, const HbgView *view, const HbgDiagnostic *diagnostic, const char *path) {
  HbgProblem problem = {.code = hbg_diagnostic_code_text(diagnostic), .title = title_of(diagnostic->code), .is_error = diagnostic->severity == HBG_ERROR,
                        .range = {diagnostic->span.begin, diagnostic->span.end}, .message = diagnostic->message, .help = diagnostic->help};
  if (strcmp(path, document->options.name) != 0) {
    tell_at_import(document, path, &problem);
    return problem;
  }
  problem.related = find_related(view, diagnostic, &problem.related_count);
  problem.fixes = hbg_view_fixes(view, diagnostic, &problem.fix_count);
  return problem;
}

static HbgStatus list_problems(void *user) {
  HbgDocument *document = user;
  const HbgDiagnostics *diagnostics = document->is_part ? &document->mistakes : &document->model->diagnostics;
  const HbgView view = {&document->tree, &document->names, NULL, NULL, &document->arena};
  HbgProblem *problems = ARENA_NEW(&document->arena, HbgProblem, diagnostics->count + 1);
  for (int32_t i = 0; i < diagnostics->count; i++)
    problems[i] = problem_of(document, &view, &diagnostics->list[i],
                             document->is_part ? document->options.name : hbg_model_diagnostic_file(document->model, i));
  document->problems = problems;
  document->problem_count = diagnostics->count;
  return HBG_OK;
}

HbgStatus hbg_document_problems(HbgDocument *document, const HbgProblem **problems, int32_t *count) {
  if (!document || !problems || !count) return HBG_ARGUMENT;
  HbgStatus status = hbg_document_model(document);
  if (status == HBG_OK && !document->problems) {
    const HbgArenaMark mark = hbg_arena_mark(&document->arena);
    status = hbg_guarded(&document->arena, list_problems, document);
    if (status != HBG_OK) hbg_arena_rewind(&document->arena, mark);
  }
  if (status != HBG_OK) return status;
  *problems = document->problems;
  *count = document->problem_count;
  return HBG_OK;
}
