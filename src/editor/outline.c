/* SPDX-License-Identifier: BSD-3-Clause
 * What a text is made of: its declarations, what can be folded, what each word is. */
#include "editor/functions.h"
#include "editor/layout.h"
#include "editor/values.h"

/* ---- outline ---- */

typedef struct Outline {
  const HbgView *view;
  HbgOutlineItem *list; int32_t count, capacity;
} Outline;

static HbgRange range_of(HbgSpan span) { return (HbgRange){span.begin, span.end}; }

static const char *detail_of(const HbgView *view, const HbgName *name, HbgTreeNode node) {
  if (name->kind != HBG_NAME_ELEMENT && name->kind != HBG_NAME_JUNCTION) return hbg_name_kind_text(name->kind);
  uint32_t length;
  const char *kind = hbg_tree_text(view->tree, view->tree->nodes[node].parent, &length);
  return hbg_arena_text(view->arena, kind, length);
}

/* The text of a declaration's name with its indices: "ball[i]". */
static const char *name_text(const HbgView *view, HbgTreeNode node) {
  uint32_t length;
  const char *own = hbg_tree_text(view->tree, node, &length);
  HbgText text = hbg_text(view->arena);
  hbg_text_add_bytes(&text, own, length);
  for (HbgTreeNode child = view->tree->nodes[node].first_child; child; child = view->tree->nodes[child].next_sibling)
    if (hbg_tree_kind(view->tree, child) == HBG_NODE_INDEX) hbg_text_add(&text, "%s", hbg_source_excerpt(view, child));
  return text.bytes;
}

/* Adds what `node` declares; answers the item that what is inside of it belongs to. */
static int32_t add_item(Outline *outline, HbgTreeNode node, int32_t parent) {
  const HbgView *view = outline->view;
  const int32_t token = view->tree->nodes[node].token;
  if (token < 0 || view->names->role_of_token[token] != HBG_ROLE_DECLARED || view->names->node_of_token[token] != node) return parent;
  const HbgName *name = &view->names->list[view->names->name_of_token[token]];
  if (name->kind == HBG_NAME_LOOP_VARIABLE || name->kind == HBG_NAME_FORMAL) return parent;
  ARENA_PUSH(view->arena, outline->list, outline->count, outline->capacity) =
      (HbgOutlineItem){name_text(view, node), detail_of(view, name, node), hbg_proposal_kind(name->kind), parent,
                       range_of(hbg_tree_span(view->tree, node)), range_of(hbg_tree_token_span(view->tree, node))};
  return name->inner >= 0 ? outline->count - 1 : parent;
}

static void add_below(Outline *outline, HbgTreeNode node, int32_t parent) {
  const HbgTree *tree = outline->view->tree;
  for (HbgTreeNode child = tree->nodes[node].first_child; child; child = tree->nodes[child].next_sibling)
    add_below(outline, child, add_item(outline, child, parent));
}

const HbgOutlineItem *hbg_view_outline(const HbgView *view, int32_t *count) {
  Outline outline = {.view = view};
  add_below(&outline, view->tree->root, -1);
  *count = outline.count;
  return outline.list;
}

/* ---- folds ---- */

static bool has_lines(const HbgTree *tree, HbgSpan span) { return memchr(tree->text + span.begin, '\n', span.end - span.begin) != NULL; }

/* The last of the comments that follow `at` line by line. */
static int32_t comment_block_end(const HbgLayout *layout, int32_t at) {
  while (at + 1 < layout->count && layout->pieces[at + 1].kind == HBG_PIECE_LINE_COMMENT && layout->pieces[at + 1].newlines == 1) at++;
  return at;
}

const HbgRange *hbg_view_folds(const HbgView *view, int32_t *count) {
  const HbgLayout layout = hbg_layout_pieces(view->tree, view->arena);
  HbgRange *list = NULL;
  int32_t capacity = 0;
  *count = 0;
  for (int32_t at = 0; at < layout.count; at++) {
    const HbgPiece *piece = &layout.pieces[at];
    int32_t last = at;
    if (piece->kind == HBG_PIECE_LINE_COMMENT && (at == 0 || piece->newlines > 0)) last = comment_block_end(&layout, at);
    else if (piece->partner > at) last = piece->partner;
    const HbgSpan span = {piece->span.begin, layout.pieces[last].span.end};
    if (has_lines(view->tree, span)) ARENA_PUSH(view->arena, list, *count, capacity) = range_of(span);
    if (piece->kind == HBG_PIECE_LINE_COMMENT) at = last;
  }
  return list;
}

/* ---- colours ---- */

static bool colour_of_name(const HbgView *view, int32_t token, HbgColour *colour) {
  static const HbgColour colours[HBG_NAME_KIND_COUNT] = {
      [HBG_NAME_MODEL] = HBG_COLOUR_MACHINE,      [HBG_NAME_PARAMETER] = HBG_COLOUR_PARAMETER,
      [HBG_NAME_FORMAL] = HBG_COLOUR_PARAMETER,   [HBG_NAME_LOOP_VARIABLE] = HBG_COLOUR_VARIABLE,
      [HBG_NAME_ELEMENT] = HBG_COLOUR_ELEMENT,    [HBG_NAME_JUNCTION] = HBG_COLOUR_ELEMENT,
      [HBG_NAME_BOND] = HBG_COLOUR_ELEMENT,       [HBG_NAME_SIGNAL] = HBG_COLOUR_VARIABLE,
      [HBG_NAME_CLOCK] = HBG_COLOUR_VARIABLE,     [HBG_NAME_MACHINE_TYPE] = HBG_COLOUR_MACHINE,
      [HBG_NAME_MACHINE] = HBG_COLOUR_MACHINE,    [HBG_NAME_STATE] = HBG_COLOUR_STATE,
      [HBG_NAME_REGION] = HBG_COLOUR_STATE,       [HBG_NAME_VARIABLE] = HBG_COLOUR_VARIABLE,
      [HBG_NAME_EVENT] = HBG_COLOUR_VARIABLE,     [HBG_NAME_SUBMODEL] = HBG_COLOUR_KIND,
      [HBG_NAME_INSTANCE] = HBG_COLOUR_ELEMENT,   [HBG_NAME_PORT] = HBG_COLOUR_ELEMENT,
      [HBG_NAME_INPUT] = HBG_COLOUR_VARIABLE,     [HBG_NAME_FUNCTION] = HBG_COLOUR_FUNCTION,
      [HBG_NAME_TABLE] = HBG_COLOUR_FUNCTION,     [HBG_NAME_DATA] = HBG_COLOUR_VARIABLE,
      [HBG_NAME_IMPORT] = HBG_COLOUR_KIND};
  const int32_t name = view->names->name_of_token[token];
  if (name < 0) return false;
  *colour = colours[view->names->list[name].kind];
  return true;
}

static bool colour_of_token(const HbgView *view, int32_t token, HbgColour *colour) {
  switch (view->tree->tokens[token].kind) {
    case HBG_TOKEN_NUMBER: return *colour = HBG_COLOUR_NUMBER, true;
    case HBG_TOKEN_UNIT: return *colour = HBG_COLOUR_UNIT, true;
    case HBG_TOKEN_NAME: break;
    default: return false;
  }
  if (colour_of_name(view, token, colour)) return true;
  switch ((HbgTokenRole)view->names->role_of_token[token]) {
    case HBG_ROLE_WORD:
    case HBG_ROLE_CONSTANT: return *colour = HBG_COLOUR_WORD, true;
    case HBG_ROLE_KIND: return *colour = HBG_COLOUR_KIND, true;
    case HBG_ROLE_FUNCTION: return *colour = HBG_COLOUR_FUNCTION, true;
    case HBG_ROLE_MEMBER:
    case HBG_ROLE_LETTER: return *colour = HBG_COLOUR_MEMBER, true;
    case HBG_ROLE_ARGUMENT: return *colour = HBG_COLOUR_PARAMETER, true;
    default: return false;
  }
}

const HbgColoured *hbg_view_colours(const HbgView *view, int32_t *count) {
  HbgColoured *list = NULL;
  int32_t capacity = 0;
  const HbgLayout layout = hbg_layout_pieces(view->tree, view->arena);
  *count = 0;
  for (int32_t at = 0; at < layout.count; at++) {
    const int32_t token = layout.pieces[at].token;
    HbgColour colour = HBG_COLOUR_COMMENT;
    if (token >= 0 && view->names->role_of_token[token] == HBG_ROLE_KIND) colour = HBG_COLOUR_KIND;
    else if (token >= 0 && !colour_of_token(view, token, &colour)) continue;
    ARENA_PUSH(view->arena, list, *count, capacity) =
        (HbgColoured){range_of(layout.pieces[at].span), colour, token >= 0 && view->names->role_of_token[token] == HBG_ROLE_DECLARED};
  }
  return list;
}
