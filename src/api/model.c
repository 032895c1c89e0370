/* SPDX-License-Identifier: BSD-3-Clause
 * The public door of models. */
#include "api/api.h"

#include <string.h>

#include "base/text.h"
#include "language/tree.h"
#include "model/elaborate.h"

HbgModelOptions hbg_model_options(void) { return (HbgModelOptions){.name = "model"}; }

typedef struct Loading {
  HbgModel *model;
  const char *text;
  size_t length;
  const HbgModelOptions *options;
} Loading;

static void render_diagnostics(HbgModel *model, const HbgModelOptions *options) {
  hbg_diagnostics_sort(&model->diagnostics);
  model->rendered = ARENA_NEW(&model->arena, const char *, model->diagnostics.count);
  for (int32_t at = 0; at < model->diagnostics.count; at++)
    model->rendered[at] = hbg_diagnostic_render(&model->diagnostics.list[at], model->file_name, model->text,
                                                model->length, options->colour, &model->arena);
}

static HbgStatus load(void *user) {
  Loading *self = user;
  HbgModel *model = self->model;
  HbgArena *arena = &model->arena;
  model->text = hbg_arena_text(arena, self->text, self->length);
  model->length = (uint32_t)self->length;
  model->file_name = hbg_print(arena, "%s", self->options->name ? self->options->name : "model");
  model->colour = self->options->colour;
  model->diagnostics = hbg_diagnostics(arena);
  const HbgTree tree = hbg_parse(model->text, model->length, arena, &model->diagnostics);
  if (!model->diagnostics.error_count) {
    HbgSetting *settings = ARENA_NEW(arena, HbgSetting, self->options->setting_count);
    for (int32_t at = 0; at < self->options->setting_count; at++)
      settings[at] = (HbgSetting){self->options->settings[at].name, self->options->settings[at].value};
    hbg_elaborate(&tree, settings, self->options->setting_count, arena, &model->diagnostics, &model->flat);
  }
  render_diagnostics(model, self->options);
  return model->diagnostics.error_count ? HBG_MODEL_WRONG : HBG_OK;
}

static HbgAllocator allocator_of(const HbgModelOptions *options) {
  return (HbgAllocator){options->allocate, options->release, options->user};
}

HbgStatus hbg_model_load(const char *text, size_t length, const HbgModelOptions *options, HbgModel **out) {
  const HbgModelOptions defaults = hbg_model_options();
  if (!options) options = &defaults;
  if (!out) return HBG_ARGUMENT;
  *out = NULL;
  if ((!text && length) || length > UINT32_MAX / 2 || options->setting_count < 0) return HBG_ARGUMENT;
  // the handle lies in its own arena, so that there is one owner and one end
  HbgArena arena = hbg_arena(allocator_of(options));
  HbgModel *model = hbg_arena_try(&arena, sizeof *model);
  if (!model) return HBG_MEMORY;
  model->arena = arena;
  Loading loading = {model, text ? text : "", length, options};
  const HbgStatus status = hbg_guarded(&model->arena, load, &loading);
  if (status == HBG_MEMORY) hbg_model_free(model);
  else *out = model;
  return status;
}

void hbg_model_free(HbgModel *model) {
  if (!model) return;
  HbgArena arena = model->arena; /* holds the handle itself */
  hbg_arena_release_all(&arena);
}

const char *hbg_model_name(const HbgModel *model) { return model->flat.name ? model->flat.name : ""; }

int32_t hbg_model_error_count(const HbgModel *model) { return model->diagnostics.error_count; }
int32_t hbg_model_diagnostic_count(const HbgModel *model) { return model->diagnostics.count; }
int32_t hbg_model_suppressed_count(const HbgModel *model) { return model->diagnostics.suppressed; }

const char *hbg_model_diagnostic(const HbgModel *model, int32_t index) {
  return index < 0 || index >= model->diagnostics.count ? "" : model->rendered[index];
}

/* Codes as they are printed, "E0305": one constant each. */
static const char *code_text(const HbgDiagnostic *diagnostic) {
  switch (diagnostic->code) {
#define DIAGNOSTIC(name, number, severity, title) \
  case HBG_DIAGNOSTIC_##name: return severity == HBG_ERROR ? "E0" #number : "W0" #number;
#include "base/diagnostic_codes.def"
#undef DIAGNOSTIC
    default: return "";
  }
}

void hbg_model_diagnostic_parts(const HbgModel *model, int32_t index, const char **code, bool *is_error,
                                uint32_t *begin, uint32_t *end, const char **message, const char **help) {
  static const HbgDiagnostic none = {.message = ""};
  const bool exists = index >= 0 && index < model->diagnostics.count;
  const HbgDiagnostic *diagnostic = exists ? &model->diagnostics.list[index] : &none;
  if (code) *code = code_text(diagnostic);
  if (is_error) *is_error = diagnostic->severity == HBG_ERROR;
  if (begin) *begin = diagnostic->span.begin;
  if (end) *end = diagnostic->span.end;
  if (message) *message = diagnostic->message;
  if (help) *help = diagnostic->help;
}

HbgModelSize hbg_model_size(const HbgModel *model) {
  const HbgFlatModel *flat = &model->flat;
  HbgModelSize size = {.bonds = flat->bond_count,
                       .signals = flat->signal_count,
                       .machines = flat->machine_count,
                       .parameters = flat->parameter_count};
  for (int32_t node = 0; node < flat->node_count; node++) {
    if (hbg_is_junction(&flat->nodes[node])) size.junctions++;
    else size.elements++;
    if (flat->nodes[node].machine >= 0) size.switched_junctions++;
    if (hbg_is_storage(&flat->nodes[node])) size.stored_quantities++;
  }
  size.integrators = flat->state_count - size.stored_quantities;
  return size;
}
