/* SPDX-License-Identifier: BSD-3-Clause
 * Collecting what has to change in a text. Insertions are laid out in the end, where they stand: what they must stand under is known
 * only then. */
#include <stdlib.h>
#include <string.h>

#include "editor/edit_insertion.h"

/* ---- beginning ---- */

static const char *line_end_of(const HbgTree *tree) {
  const char *first = tree->length ? memchr(tree->text, '\n', tree->length) : NULL;
  return first && first > tree->text && first[-1] == '\r' ? "\r\n" : "\n";
}

static HbgTreeNode find_body(const HbgTree *tree, const char *where) {
  const HbgNodeKind kind = *where ? HBG_NODE_SUBMODEL : HBG_NODE_MODEL;
  for (HbgTreeNode node = tree->nodes[tree->root].first_child; node; node = tree->nodes[node].next_sibling) {
    uint32_t length;
    const char *text = hbg_tree_text(tree, node, &length);
    if (hbg_tree_kind(tree, node) != kind) continue;
    if (!*where || (strlen(where) == length && memcmp(text, where, length) == 0)) return node;
  }
  return 0;
}

/* The scope that the declaration of `body` opens. */
static int32_t scope_of(const HbgNames *names, HbgTreeNode body) {
  for (int32_t i = 0; i < names->scope_count; i++)
    if (names->scopes[i].node == body) return i;
  return 0;
}

HbgEditing hbg_edit_look(const HbgView *view, const char *where) {
  const HbgTree *tree = view->tree;
  HbgEditing editing = {.view = view, .tree = tree, .arena = view->arena, .line_end = line_end_of(tree),
                        .is_cut = ARENA_NEW(view->arena, bool, tree->node_count), .is_bare = ARENA_NEW(view->arena, bool, tree->node_count)};
  editing.body = find_body(tree, where);
  editing.scope = editing.body ? scope_of(view->names, editing.body) : 0;
  return editing;
}

bool hbg_edit_needs_body(HbgEditing *editing, const char *where) {
  if (editing->body) return true;
  if (*where)
    return hbg_edit_refuse(editing, "there is no submodel '%s' in this file, or its head has a mistake; mend that first", where);
  return hbg_edit_refuse(editing, "there is no model in this file, or its head has a mistake: it begins with `model Name {`");
}

HbgEditing hbg_edit_begin(const HbgView *view, const char *where) {
  HbgEditing editing = hbg_edit_look(view, where);
  const bool has_body = hbg_edit_needs_body(&editing, where);
  if (has_body && !token_is_symbol(view->tree, &view->tree->tokens[view->tree->nodes[editing.body].last_token], "}"))
    hbg_edit_refuse(&editing, "the model is never closed: write the `}` that is missing");
  return editing;
}

bool hbg_edit_refuse(HbgEditing *editing, const char *format, ...) {
  if (editing->reason) return false;
  HbgText text = hbg_text(editing->arena);
  va_list arguments;
  va_start(arguments, format);
  hbg_text_add_list(&text, format, arguments);
  va_end(arguments);
  editing->reason = text.bytes;
  return false;
}

void hbg_edit_name(HbgEditing *editing, const char *name) {
  ARENA_PUSH(editing->arena, editing->names, editing->name_count, editing->name_capacity) = name;
}

/* ---- collecting ---- */

/* Lines in it end like those of the text. */
static const char *with_line_ends(const HbgEditing *editing, const char *text) {
  HbgText out = hbg_text(editing->arena);
  if (editing->line_end[0] == '\n' || !strchr(text, '\n')) return text;
  for (; *text; text++)
    if (*text == '\n')
      hbg_text_add(&out, "%s", editing->line_end);
    else if (*text != '\r')
      hbg_text_add_bytes(&out, text, 1);
  return out.bytes;
}

void hbg_edit_note(HbgEditing *editing, HbgTextInsertion insertion) {
  insertion.text = with_line_ends(editing, insertion.text);
  insertion.order = editing->insertion_count;
  ARENA_PUSH(editing->arena, editing->insertions, editing->insertion_count, editing->insertion_capacity) = insertion;
}

void hbg_edit_replace(HbgEditing *editing, HbgSpan span, const char *text) {
  hbg_edit_note(editing, (HbgTextInsertion){.span = span, .text = text});
}

/* Braces around byte `at`. */
static int32_t depth_at(const HbgTree *tree, uint32_t at) {
  int32_t depth = 0;
  for (HbgTreeNode node = 1; node < tree->node_count; node++) {
    const HbgSpan span = hbg_tree_span(tree, node);
    const int32_t opening = at > span.begin && at < span.end ? hbg_edit_opening(tree, node) : -1;
    depth += opening >= 0 && tree->tokens[opening].span.end <= at;
  }
  return depth;
}

void hbg_edit_write(HbgEditing *editing, HbgSpan span, const char *text) {
  const HbgTree *tree = editing->tree;
  const uint32_t line = hbg_edit_line_begin(tree, span.begin);
  uint32_t end = line;
  while (end < span.begin && (tree->text[end] == ' ' || tree->text[end] == '\t')) end++;
  const char *indentation = hbg_arena_text(editing->arena, tree->text + line, end - line);
  hbg_edit_note(editing, (HbgTextInsertion){.span = span, .text = text, .indentation = indentation, .depth = depth_at(tree, span.begin)});
}

/* ---- finishing ---- */

/* By place; what is inserted at one place by sort, then as it came. */
static int compare(const void *left, const void *right) {
  const HbgTextInsertion *a = left, *b = right;
  if (a->span.begin != b->span.begin) return a->span.begin < b->span.begin ? -1 : 1;
  const bool a_is_empty = a->span.end == a->span.begin, b_is_empty = b->span.end == b->span.begin;
  if (a_is_empty != b_is_empty) return a_is_empty ? -1 : 1;
  if (a->sort != b->sort) return a->sort < b->sort ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

/* A change while it is put together, with the places in its text that are laid out. */
typedef struct Draft {
  HbgSpan span;
  HbgText text;
  const char *indentation; /* of what is inserted; NULL: nothing is laid out */
  int32_t depth;
} Draft;

typedef struct Drafts {
  Draft *list; int32_t count, capacity;
} Drafts;

/* What touches or lies upon each other becomes one. */
static Drafts put_together(HbgEditing *editing) {
  Drafts drafts = {0};
  if (editing->insertion_count) qsort(editing->insertions, (size_t)editing->insertion_count, sizeof *editing->insertions, compare);
  for (int32_t i = 0; i < editing->insertion_count; i++) {
    const HbgTextInsertion *one = &editing->insertions[i];
    Draft *last = drafts.count ? &drafts.list[drafts.count - 1] : NULL;
    const bool is_apart = !last || one->span.begin > last->span.end || (one->indentation != NULL) != (last->indentation != NULL);
    if (is_apart && !(last && one->span.begin < last->span.end)) {
      ARENA_PUSH(editing->arena, drafts.list, drafts.count, drafts.capacity) =
          (Draft){.span = one->span, .text = hbg_text(editing->arena), .indentation = one->indentation, .depth = one->depth};
      last = &drafts.list[drafts.count - 1];
    }
    if (one->span.end > last->span.end) last->span.end = one->span.end;
    hbg_text_add(&last->text, "%s", one->text);
  }
  return drafts;
}

static HbgTextChanges changes_of(const HbgEditing *editing, const Drafts *drafts) {
  HbgTextChanges changes = {0};
  for (int32_t i = 0; i < drafts->count; i++)
    ARENA_PUSH(editing->arena, changes.list, changes.count, changes.capacity) = (HbgTextChange){drafts->list[i].span, drafts->list[i].text.bytes};
  return changes;
}

/* ---- layout of what is new ---- */

/* The blanks of a layout, indented like the neighbours. */
static void add_blank(HbgText *out, const Draft *draft, const char *blank) {
  const char *last = strrchr(blank, '\n');
  const size_t canonical = 2 * (size_t)draft->depth, indentation = last ? strlen(last + 1) : 0;
  if (!last || indentation < canonical) {
    hbg_text_add(out, "%s", blank);
    return;
  }
  hbg_text_add_bytes(out, blank, (size_t)(last + 1 - blank));
  hbg_text_add(out, "%s%*s", draft->indentation, (int)(indentation - canonical), "");
}

/* `begin` is where the text of the draft stands in the text that `layout` is of. Blanks at its ends stay as they are. */
static HbgText laid_out(const HbgEditing *editing, const Draft *draft, const HbgTextChanges *layout, uint32_t begin) {
  HbgText out = hbg_text(editing->arena);
  const char *text = draft->text.bytes;
  uint32_t first = (uint32_t)strspn(text, " \t\r\n;"), end = (uint32_t)draft->text.length, at = 0;
  while (end > first && strchr(" \t\r\n;", text[end - 1])) end--;
  for (int32_t i = 0; i < layout->count; i++) {
    const HbgTextChange *change = &layout->list[i];
    if (change->span.begin < begin + first || change->span.end > begin + end || change->span.begin - begin < at) continue;
    hbg_text_add_bytes(&out, text + at, change->span.begin - begin - at);
    add_blank(&out, draft, change->text);
    at = change->span.end - begin;
  }
  hbg_text_add_bytes(&out, text + at, (uint32_t)draft->text.length - at);
  return out;
}

static void lay_out(HbgEditing *editing, Drafts *drafts) {
  const HbgTextChanges raw = changes_of(editing, drafts);
  const HbgText text = hbg_changes_apply(editing->tree, &raw, editing->arena);
  HbgDiagnostics diagnostics = hbg_diagnostics(editing->arena);
  HbgTree *tree = ARENA_NEW(editing->arena, HbgTree, 1);
  *tree = hbg_parse(text.bytes, (uint32_t)text.length, editing->arena, &diagnostics);
  const HbgTextChanges layout = hbg_format_changes(tree, editing->arena);
  int64_t moved = 0;
  for (int32_t i = 0; i < drafts->count; i++) {
    Draft *draft = &drafts->list[i];
    const uint32_t begin = (uint32_t)((int64_t)draft->span.begin + moved);
    moved += (int64_t)draft->text.length - (draft->span.end - draft->span.begin);
    if (draft->indentation) draft->text = laid_out(editing, draft, &layout, begin);
  }
}

/* Does the text look like all models, and can all of it be read? Then it goes on to look so, also what stands beside what is new. */
static bool is_laid_out(const HbgEditing *editing) {
  const HbgTree *tree = editing->tree;
  for (HbgTreeNode node = 1; node < tree->node_count; node++)
    if (hbg_tree_kind(tree, node) == HBG_NODE_ERROR) return false;
  return hbg_format_changes(tree, editing->arena).count == 0;
}

HbgTextChanges hbg_edit_finish(HbgEditing *editing) {
  if (editing->reason) return (HbgTextChanges){0};
  hbg_edit_cut(editing);
  Drafts drafts = put_together(editing);
  if (drafts.count && is_laid_out(editing)) {
    const HbgTextChanges changes = changes_of(editing, &drafts);
    return hbg_edit_laid_out(editing->tree, &changes, editing->arena);
  }
  bool has_new = false;
  for (int32_t i = 0; i < drafts.count; i++) has_new |= drafts.list[i].indentation != NULL;
  if (has_new) lay_out(editing, &drafts);
  const HbgTextChanges changes = changes_of(editing, &drafts);
  return hbg_edit_smallest(editing->tree, &changes, editing->arena);
}
