/* SPDX-License-Identifier: BSD-3-Clause
 * The public door of diagrams: which level of which text, and in which mode. */
#include <string.h>

#include "api/api.h"
#include "base/text.h"
#include "diagram/contents.h"
#include "hybrid/inspect.h"
#include "hybrsim/diagram.h"
#include "model/level.h"

enum { MOST_SYMBOLS = 200000 };

HbgDiagramOptions hbg_diagram_options(void) { return (HbgDiagramOptions){.level = "", .cookie = HBG_COOKIE}; }

typedef struct Making {
  const HbgModel *model;
  const HbgDiagramOptions *options;
  HbgDiagram *diagram;
  HbgArena scratch; /* ends with the call */
  const char **message;
  HbgModel shell; /* of the same text, for the files that it names */
  HbgLevel level;
} Making;

/* ---- the text once more ---- */

/* Does the text declare something, but no model? */
static bool holds_parts_only(const HbgTree *tree) {
  bool holds_parts = false;
  for (HbgTreeNode node = tree->root ? tree->nodes[tree->root].first_child : 0; node;
       node = tree->nodes[node].next_sibling) {
    const HbgNodeKind kind = hbg_tree_kind(tree, node);
    if (kind == HBG_NODE_MODEL) return false;
    holds_parts = holds_parts || (kind != HBG_NODE_ERROR && kind != HBG_NODE_IMPORT);
  }
  return holds_parts;
}

static HbgTree parse(Making *self, bool *is_wrong) {
  const HbgModel *model = self->model;
  HbgDiagnostics mistakes = hbg_diagnostics(&self->scratch);
  HbgTree tree = hbg_parse(model->text, model->length, &self->scratch, &mistakes);
  if (holds_parts_only(&tree)) {
    mistakes = hbg_diagnostics(&self->scratch);
    tree = hbg_parse_import_file(model->text, model->length, 0, &self->scratch, &mistakes);
  }
  *is_wrong = mistakes.error_count > 0;
  return tree;
}

static HbgStatus read_level(Making *self) {
  const HbgModel *model = self->model;
  HbgArena *scratch = &self->scratch;
  bool is_wrong;
  HbgTree *tree = ARENA_NEW(scratch, HbgTree, 1); /* what was elaborated points to it */
  *tree = parse(self, &is_wrong);
  self->shell = (HbgModel){.options = model->options, .earlier = model};
  HbgFiles *files = ARENA_NEW(scratch, HbgFiles, 1);
  *files = hbg_model_files(&self->shell, scratch);
  HbgSetting *settings = ARENA_NEW(scratch, HbgSetting, model->options.setting_count);
  for (int32_t at = 0; at < model->options.setting_count; at++)
    settings[at] = (HbgSetting){model->options.settings[at].name, model->options.settings[at].value};
  const char *level = self->options->level ? self->options->level : "";
  const HbgLevelStatus status = hbg_elaborate_level(
      tree, model->options.name, files, settings, model->options.setting_count, is_wrong, level, scratch, &self->level);
  if (status == HBG_LEVEL_FOUND && self->level.part_count <= MOST_SYMBOLS) return HBG_OK;
  *self->message = status == HBG_LEVEL_UNKNOWN
                       ? "there is no such level: neither an instance nor a submodel has that name"
                       : "there is too much on this level to be drawn";
  return HBG_ARGUMENT;
}

/* ---- the mode ---- */

/* A submodel by itself is in its initial states. */
static HbgStatus read_mode(Making *self, const HbgFlatModel *flat, int32_t *phi) {
  const char *ignored, *mode = self->level.is_declaration ? NULL : self->options->mode;
  const HbgStatus status = hbg_mode_read(flat, mode, &self->scratch, phi, &ignored);
  if (status != HBG_OK)
    *self->message =
        "there is no such mode: a mode names machines or switched junctions and their states, contact=on,stick=off";
  return status;
}

static HbgStatus make(void *user) {
  Making *self = user;
  HbgDiagram *diagram = self->diagram;
  HbgArena *scratch = &self->scratch;
  scratch->on_failure = diagram->arena.on_failure;
  TRY(read_level(self));
  const bool has_run = !self->model->diagnostics.error_count && !self->level.is_declaration;
  const HbgFlatModel *flat = has_run ? &self->model->flat : self->level.flat;
  int32_t *phi = ARENA_NEW(scratch, int32_t, flat->machine_count);
  TRY(read_mode(self, flat, phi));
  HbgCausality causality;
  if (has_run) TRY(hbg_inspect_mode(flat, phi, scratch, &causality));
  const HbgDiagramContents contents = {.level = &self->level,
                                       .phi = phi,
                                       .has_run = has_run,
                                       .is_automatic = self->options->is_automatic,
                                       .strokes = has_run ? hbg_diagram_known_strokes(&self->level, &causality, scratch)
                                                          : hbg_diagram_strokes(&self->level, phi, scratch)};
  diagram->model = self->model;
  diagram->level = hbg_print(&diagram->arena, "%s", self->options->level ? self->options->level : "");
  hbg_diagram_fill(diagram, &contents, scratch);
  hbg_diagram_measure(diagram);
  hbg_diagram_place(diagram);
  hbg_diagram_bound(diagram);
  return HBG_OK;
}

HbgStatus hbg_diagram_create(const HbgModel *model, const HbgDiagramOptions *options, HbgDiagram **out,
                             const char **message) {
  const char *ignored;
  const HbgDiagramOptions defaults = hbg_diagram_options();
  if (!message) message = &ignored;
  *message = HBG_MISSING;
  if (!options) options = &defaults;
  if (out) *out = NULL;
  if (!model || !out || options->cookie != HBG_COOKIE) return HBG_ARGUMENT;
  *message = "";
  HbgArena arena = hbg_arena(hbg_allocator_of(&model->options));
  HbgDiagram *diagram = hbg_arena_try(&arena, sizeof *diagram);
  if (!diagram) return HBG_MEMORY;
  *diagram = (HbgDiagram){.arena = arena};
  Making making = {.model = model,
                   .options = options,
                   .diagram = diagram,
                   .scratch = hbg_arena(arena.allocator),
                   .message = message};
  const HbgStatus status = hbg_guarded(&diagram->arena, make, &making);
  hbg_arena_release_all(&making.scratch);
  if (status == HBG_OK)
    *out = diagram;
  else
    hbg_diagram_free(diagram);
  return status;
}

void hbg_diagram_free(HbgDiagram *diagram) {
  if (!diagram) return;
  HbgArena arena = diagram->arena; /* holds the handle itself */
  hbg_arena_release_all(&arena);
}

/* ---- what is on it ---- */

static bool is_within(int32_t index, int32_t count) { return index >= 0 && index < count; }

HbgDiagramSize hbg_diagram_size(const HbgDiagram *diagram) {
  if (!diagram) return (HbgDiagramSize){0};
  return (HbgDiagramSize){.symbols = diagram->symbol_count,
                          .bonds = diagram->bond_count,
                          .links = diagram->link_count,
                          .files = diagram->file_count,
                          .width = diagram->width,
                          .height = diagram->height,
                          .left = diagram->left,
                          .top = diagram->top};
}

HbgSymbol hbg_diagram_symbol(const HbgDiagram *diagram, int32_t index) {
  if (!diagram || !is_within(index, diagram->symbol_count))
    return (HbgSymbol){.name = "", .path = "", .kind = "", .label = "", .definition = "", .machine = -1};
  return diagram->symbols[index];
}

HbgDiagramBond hbg_diagram_bond(const HbgDiagram *diagram, int32_t index) {
  if (!diagram || !is_within(index, diagram->bond_count))
    return (HbgDiagramBond){.name = "", .effort = "", .flow = "", .bond = -1};
  return diagram->bonds[index];
}

HbgDiagramLink hbg_diagram_link(const HbgDiagram *diagram, int32_t index) {
  if (!diagram || !is_within(index, diagram->link_count)) return (HbgDiagramLink){.quantity = ""};
  return diagram->links[index];
}

const char *hbg_diagram_file(const HbgDiagram *diagram, int32_t file) {
  return diagram && is_within(file, diagram->file_count) ? diagram->files[file] : "";
}
