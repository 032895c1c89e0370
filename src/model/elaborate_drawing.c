/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: the places of symbols. They mean nothing for the behaviour; here is only told what is wrong with them. */
#include <math.h>
#include <string.h>

#include "language/drawing.h"
#include "model/elaborator.h"

/* A drawing, with every instance of the body that it stands in. */
struct HbgDrawing {
  const HbgTree *tree;
  HbgTreeNode node;
  const HbgFrame **frames; int32_t frame_count, frame_capacity;
};

/* ---- what the text alone tells ---- */

static const double FARTHEST = 1e6; /* pixels */

static void check_place(HbgElaborator *elaborator, const HbgTree *tree, HbgTreeNode drawn) {
  double x, y;
  hbg_drawn_place(tree, drawn, &x, &y);
  if (fabs(x) <= FARTHEST && fabs(y) <= FARTHEST) return;
  if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_TOO_LARGE, hbg_tree_span(tree, drawn), "'%s' stands too far away",
                            hbg_drawn_name(tree, drawn, elaborator->arena)))
    HELP(elaborator, "places are pixels, a million at most: `mass at 120, -40`");
}

/* No place twice, none too far away. */
static void check_entries(HbgElaborator *elaborator, const HbgTree *tree, HbgTreeNode drawing) {
  HbgScope seen = hbg_scope(elaborator->arena);
  for (HbgTreeNode drawn = tree_first(tree, drawing); drawn; drawn = tree_next(tree, drawn)) {
    if (hbg_tree_kind(tree, drawn) != HBG_NODE_DRAWN) continue;
    check_place(elaborator, tree, drawn);
    const char *name = hbg_drawn_name(tree, drawn, elaborator->arena);
    const HbgSpan span = hbg_tree_span(tree, drawn);
    if (hbg_scope_find(&seen, name, (uint32_t)strlen(name)) < 0)
      hbg_scope_add(&seen, name, HBG_SCOPE_NODE, 0, span);
    else if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_GIVEN_TWICE, span, "the place of '%s' is given twice", name))
      HELP(elaborator, "take one of the two lines away");
  }
}

/* One drawing in a body, and none in a loop. */
static void check_position(HbgElaborator *elaborator, const HbgTree *tree, HbgTreeNode drawing) {
  const HbgTreeNode body = tree->nodes[drawing].parent;
  const HbgSpan span = hbg_tree_token_span(tree, drawing);
  if (hbg_tree_kind(tree, body) == HBG_NODE_FOR) {
    if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_IN_LOOP, span, "a drawing stands inside a loop, which would repeat it"))
      HELP(elaborator, "write it outside of `for`, with a place for each symbol: `drawing { ball[1] at 0, 0 }`");
  } else if (hbg_drawing_of(tree, body) != drawing) {
    if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_GIVEN_TWICE, span, "a drawing is given already"))
      HELP(elaborator, "a model or submodel has one drawing: write its places into the first");
  }
}

void hbg_elaborate_check_drawings(HbgElaborator *elaborator) {
  for (int32_t file = 0; file < elaborator->file_count; file++) {
    const HbgTree *tree = &elaborator->files[file]->tree;
    for (HbgTreeNode node = 1; node < tree->node_count; node++) {
      if (hbg_tree_kind(tree, node) != HBG_NODE_DRAWING) continue;
      check_position(elaborator, tree, node);
      check_entries(elaborator, tree, node);
    }
  }
}

/* ---- what is not there ---- */

void hbg_elaborate_note_drawing(HbgElaborator *elaborator, HbgTreeNode node, const HbgFrame *frame) {
  int32_t at = 0;
  while (at < elaborator->drawing_count && (elaborator->drawings[at].node != node || elaborator->drawings[at].tree != tree_of(frame))) at++;
  if (at == elaborator->drawing_count)
    ARENA_PUSH(elaborator->arena, elaborator->drawings, elaborator->drawing_count, elaborator->drawing_capacity) =
        (HbgDrawing){.tree = tree_of(frame), .node = node};
  HbgDrawing *drawing = &elaborator->drawings[at];
  ARENA_PUSH(elaborator->arena, drawing->frames, drawing->frame_count, drawing->frame_capacity) = frame;
}

static bool is_drawn(HbgScopeKind kind) {
  switch (kind) {
    case HBG_SCOPE_NODE:
    case HBG_SCOPE_FIELD:
    case HBG_SCOPE_SIGNAL:
    case HBG_SCOPE_MACHINE:
    case HBG_SCOPE_INSTANCE:
    case HBG_SCOPE_CLOCK:
    case HBG_SCOPE_PORT: return true;
    default: return false;
  }
}

/* What stands at the place in one of the instances; NULL: nothing has that name. */
static const HbgScopeSymbol *find_drawn(HbgElaborator *elaborator, const HbgDrawing *drawing, HbgTreeNode drawn, bool *is_good) {
  const HbgScopeSymbol *other = NULL;
  for (int32_t i = 0; i < drawing->frame_count; i++) {
    const HbgPlace place = place_in(elaborator, drawing->frames[i], NULL);
    const char *key = hbg_elaborate_key(elaborator, &place, drawn);
    const int32_t found = key ? hbg_scope_find(&elaborator->scope, key, (uint32_t)strlen(key)) : -1;
    if (!key || (found >= 0 && is_drawn(elaborator->scope.symbols[found].kind))) return *is_good = true, NULL;
    if (found >= 0) other = &elaborator->scope.symbols[found];
  }
  *is_good = false;
  return other;
}

static void warn_of_stale(HbgElaborator *elaborator, const HbgDrawing *drawing) {
  for (HbgTreeNode drawn = tree_first(drawing->tree, drawing->node); drawn; drawn = tree_next(drawing->tree, drawn)) {
    bool is_good;
    const HbgScopeSymbol *other = find_drawn(elaborator, drawing, drawn, &is_good);
    if (is_good) continue;
    const char *name = hbg_drawn_name(drawing->tree, drawn, elaborator->arena);
    const bool is_array = other && other->kind == HBG_SCOPE_ARRAY;
    const HbgSpan span = hbg_tree_span(drawing->tree, drawn);
    if (!hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_STALE_PLACE, span,
                               is_array ? "'%s' is an array, and has no place itself" : other ? "'%s' is not drawn, and has no place" : "there is no '%s' to be drawn",
                               name))
      continue;
    if (is_array) HELP(elaborator, "give a place to each of its symbols: %s[%lld] at 0, 0; or take the line away", name,
                       (long long)hbg_scope_range(&elaborator->scope, other)->lowest);
    else HELP(elaborator, "take the line away");
  }
}

void hbg_elaborate_stale_places(HbgElaborator *elaborator) {
  // what seems to be missing may be so by another mistake
  if (elaborator->text_is_wrong || elaborator->diagnostics->error_count) return;
  for (int32_t i = 0; i < elaborator->drawing_count; i++) warn_of_stale(elaborator, &elaborator->drawings[i]);
}
