/* SPDX-License-Identifier: BSD-3-Clause
 * The public door of models. */
#include "api/api.h"

#include <string.h>

#include "base/text.h"
#include "language/tree.h"
#include "model/elaborate.h"

HbgModelOptions hbg_model_options(void) { return (HbgModelOptions){.name = "model", .cookie = HBG_COOKIE}; }

/* ---- loading ---- */

typedef struct Loading {
  HbgModel *model;
  const char *text;
  size_t length;
  const HbgModelOptions *options;
  const HbgPassage *passages; int32_t passage_count;
  const HbgModel *earlier; /* whose files are those of this one; NULL */
} Loading;

HbgModelOptions hbg_model_options_copy(const HbgModelOptions *options, HbgArena *arena) {
  HbgModelOptions copy = *options;
  copy.name = hbg_print(arena, "%s", options->name ? options->name : "model");
  HbgModelSetting *settings = ARENA_NEW(arena, HbgModelSetting, options->setting_count);
  for (int32_t at = 0; at < options->setting_count; at++)
    settings[at] = (HbgModelSetting){hbg_print(arena, "%s", options->settings[at].name),
                                     hbg_print(arena, "%s", options->settings[at].value)};
  copy.settings = settings;
  const char **folders = ARENA_NEW(arena, const char *, options->folder_count);
  for (int32_t at = 0; at < options->folder_count; at++) folders[at] = hbg_print(arena, "%s", options->folders[at]);
  copy.folders = folders;
  return copy;
}

static void copy_passages(HbgModel *model, const HbgPassage *passages, int32_t count) {
  HbgPassage *copies = ARENA_NEW(&model->arena, HbgPassage, count);
  for (int32_t at = 0; at < count; at++)
    copies[at] = (HbgPassage){passages[at].begin, passages[at].end, hbg_print(&model->arena, "%s", passages[at].call)};
  model->passages = copies;
  model->passage_count = count;
}

static void render_diagnostics(HbgModel *model) {
  hbg_diagnostics_sort(&model->diagnostics);
  model->rendered = ARENA_NEW(&model->arena, const char *, model->diagnostics.count);
  for (int32_t at = 0; at < model->diagnostics.count; at++)
    model->rendered[at] = hbg_model_render(model, &model->diagnostics.list[at], &model->arena);
}

static HbgStatus load(void *user) {
  Loading *self = user;
  HbgModel *model = self->model;
  HbgArena *arena = &model->arena;
  model->text = hbg_arena_text(arena, self->text, self->length);
  model->length = (uint32_t)self->length;
  model->options = hbg_model_options_copy(self->options, arena);
  copy_passages(model, self->passages, self->passage_count);
  model->diagnostics = hbg_diagnostics(arena);
  model->earlier = self->earlier;
  const HbgTree tree = hbg_parse(model->text, model->length, arena, &model->diagnostics);
  if (!model->diagnostics.error_count) {
    HbgSetting *settings = ARENA_NEW(arena, HbgSetting, model->options.setting_count);
    for (int32_t at = 0; at < model->options.setting_count; at++)
      settings[at] = (HbgSetting){model->options.settings[at].name, model->options.settings[at].value};
    const HbgFiles files = hbg_model_files(model, arena);
    hbg_elaborate(&tree, model->options.name, &files, settings, model->options.setting_count, arena, &model->diagnostics, &model->flat);
  }
  model->earlier = NULL; /* it may end before this one */
  render_diagnostics(model);
  return model->diagnostics.error_count ? HBG_MODEL_WRONG : HBG_OK;
}

HbgAllocator hbg_allocator_of(const HbgModelOptions *options) {
  return (HbgAllocator){options->allocate, options->release, options->user};
}

static bool settings_are_sound(const HbgModelSetting *settings, int32_t count) {
  if (count < 0 || (count && !settings)) return false;
  for (int32_t at = 0; at < count; at++)
    if (!settings[at].name || !settings[at].value) return false;
  return true;
}

bool hbg_model_options_are_sound(const HbgModelOptions *options) {
  return options->cookie == HBG_COOKIE && !options->allocate == !options->release &&
         settings_are_sound(options->settings, options->setting_count);
}

static bool folders_are_sound(const HbgModelOptions *options) {
  if (options->folder_count < 0 || (options->folder_count && !options->folders)) return false;
  for (int32_t at = 0; at < options->folder_count; at++)
    if (!options->folders[at]) return false;
  return true;
}

HbgStatus hbg_model_make(const char *text, size_t length, const HbgModelOptions *options, const HbgPassage *passages,
                         int32_t passage_count, const HbgModel *earlier, HbgModel **out) {
  const HbgModelOptions defaults = hbg_model_options();
  if (!options) options = &defaults;
  if (!out) return HBG_ARGUMENT;
  *out = NULL;
  if ((!text && length) || length > UINT32_MAX / 2 || !hbg_model_options_are_sound(options) ||
      !folders_are_sound(options))
    return HBG_ARGUMENT;
  // the handle lies in its own arena, so that there is one owner and one end
  HbgArena arena = hbg_arena(hbg_allocator_of(options));
  HbgModel *model = hbg_arena_try(&arena, sizeof *model);
  if (!model) return HBG_MEMORY;
  model->arena = arena;
  Loading loading = {model, text ? text : "", length, options, passages, passage_count, earlier};
  const HbgStatus status = hbg_guarded(&model->arena, load, &loading);
  if (status == HBG_MEMORY) hbg_model_free(model);
  else *out = model;
  return status;
}

HbgStatus hbg_model_load(const char *text, size_t length, const HbgModelOptions *options, HbgModel **out) {
  return hbg_model_make(text, length, options, NULL, 0, NULL, out);
}

/* ---- other values of parameters ---- */

typedef struct Resetting {
  HbgArena arena; /* for the joined settings */
  const HbgModel *model;
  const HbgModelSetting *settings; int32_t setting_count;
  HbgModel **out;
} Resetting;

static bool is_named(const Resetting *self, const char *name) {
  for (int32_t at = 0; at < self->setting_count; at++)
    if (strcmp(self->settings[at].name, name) == 0) return true;
  return false;
}

static HbgStatus load_again(void *user) {
  Resetting *self = user;
  const HbgModel *model = self->model;
  HbgModelOptions options = model->options;
  HbgModelSetting *joined = ARENA_NEW(&self->arena, HbgModelSetting, options.setting_count + self->setting_count);
  int32_t count = 0;
  for (int32_t at = 0; at < options.setting_count; at++)
    if (!is_named(self, options.settings[at].name)) joined[count++] = options.settings[at];
  for (int32_t at = 0; at < self->setting_count; at++) joined[count++] = self->settings[at];
  options.settings = joined;
  options.setting_count = count;
  return hbg_model_make(model->text, model->length, &options, model->passages, model->passage_count, model, self->out);
}

HbgStatus hbg_model_with_settings(const HbgModel *model, const HbgModelSetting *settings, int32_t setting_count,
                                  HbgModel **out) {
  if (!out) return HBG_ARGUMENT;
  *out = NULL;
  if (!model || !settings_are_sound(settings, setting_count)) return HBG_ARGUMENT;
  Resetting self = {hbg_arena(hbg_allocator_of(&model->options)), model, settings, setting_count, out};
  const HbgStatus status = hbg_guarded(&self.arena, load_again, &self);
  hbg_arena_release_all(&self.arena);
  return status;
}

void hbg_model_free(HbgModel *model) {
  if (!model) return;
  HbgArena arena = model->arena; /* holds the handle itself */
  hbg_arena_release_all(&arena);
}

/* ---- the report ---- */

/* The call that wrote the text at `span`; NULL where none did. */
static const char *find_call(const HbgModel *model, HbgSpan span) {
  for (int32_t at = 0; at < model->passage_count && span.end > 0; at++)
    if (model->passages[at].begin <= span.begin && span.begin < model->passages[at].end) return model->passages[at].call;
  return NULL;
}

/* The text that a diagnostic has its place in. */
static HbgSource source_of(const HbgModel *model, const HbgDiagnostic *diagnostic) {
  if (diagnostic->span.begin <= model->length || !model->flat.source_count)
    return (HbgSource){model->options.name, model->text, model->length, 0};
  return *hbg_source_at(model->flat.sources, model->flat.source_count, diagnostic->span.begin);
}

const char *hbg_model_render(const HbgModel *model, const HbgDiagnostic *diagnostic, HbgArena *arena) {
  const char *call = find_call(model, diagnostic->span);
  HbgDiagnostic told = *diagnostic;
  // a line that nobody wrote says nothing: the call stands for it
  if (model->passage_count && told.span.begin <= model->length) told.span = (HbgSpan){0, 0};
  const HbgSource source = source_of(model, diagnostic);
  told.span.begin -= source.base;
  told.span.end -= source.base;
  const char *name = call ? hbg_print(arena, "%s: %s", source.name, call) : source.name;
  return hbg_diagnostic_render(&told, name, source.text, source.length, model->options.colour, arena);
}

const char *hbg_model_diagnostic_call(const HbgModel *model, int32_t index) {
  if (!model || index < 0 || index >= model->diagnostics.count) return "";
  const char *call = find_call(model, model->diagnostics.list[index].span);
  return call ? call : "";
}

int32_t hbg_model_error_count(const HbgModel *model) { return model ? model->diagnostics.error_count : 0; }
int32_t hbg_model_diagnostic_count(const HbgModel *model) { return model ? model->diagnostics.count : 0; }
int32_t hbg_model_suppressed_count(const HbgModel *model) { return model ? model->diagnostics.suppressed : 0; }

const char *hbg_model_diagnostic(const HbgModel *model, int32_t index) {
  return !model || index < 0 || index >= model->diagnostics.count ? "" : model->rendered[index];
}

/* Codes as they are printed, "E0305": one constant each. */
const char *hbg_diagnostic_code_text(const HbgDiagnostic *diagnostic) {
  switch (diagnostic->code) {
#define DIAGNOSTIC(name, number, severity, title) \
  case HBG_DIAGNOSTIC_##name: return severity == HBG_ERROR ? "E0" #number : "W0" #number;
#include "base/diagnostic_codes.def"
#undef DIAGNOSTIC
    default: return "";
  }
}

const char *hbg_model_diagnostic_file(const HbgModel *model, int32_t index) {
  if (!model || index < 0 || index >= model->diagnostics.count) return "";
  return source_of(model, &model->diagnostics.list[index]).name;
}

void hbg_model_diagnostic_parts(const HbgModel *model, int32_t index, const char **code, bool *is_error,
                                uint32_t *begin, uint32_t *end, const char **message, const char **help) {
  static const HbgDiagnostic none = {.message = ""};
  const bool exists = model && index >= 0 && index < model->diagnostics.count;
  const HbgDiagnostic *diagnostic = exists ? &model->diagnostics.list[index] : &none;
  const uint32_t base = exists ? source_of(model, diagnostic).base : 0;
  if (code) *code = hbg_diagnostic_code_text(diagnostic);
  if (is_error) *is_error = diagnostic->severity == HBG_ERROR;
  if (begin) *begin = diagnostic->span.begin - base;
  if (end) *end = diagnostic->span.end - base;
  if (message) *message = diagnostic->message;
  if (help) *help = diagnostic->help;
}
