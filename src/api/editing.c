/* SPDX-License-Identifier: BSD-3-Clause
 * The public door of editing: symbols and bonds. */
#include "api/editing.h"

#include "editor/edits.h"

/* ---- changes ---- */

typedef struct Changing {
  HbgEditBegin *begin;
  const char *where;
  HbgEditMake *make;
  const void *request;
  HbgChange change;
} Changing;

static void answer_change(const HbgView *view, void *user) {
  Changing *self = user;
  HbgEditing editing = self->begin(view, self->where);
  if (!editing.reason) self->make(&editing, self->request);
  const HbgTextChanges changes = hbg_edit_finish(&editing);
  self->change = (HbgChange){.edits = hbg_document_edits(&changes, view->arena), .count = changes.count, .reason = editing.reason ? editing.reason : "",
                             .names = editing.names, .name_count = editing.reason ? 0 : editing.name_count};
}

HbgStatus hbg_document_change_in(HbgDocument *document, HbgEditBegin *begin, const char *where, HbgEditMake *make, const void *request, HbgChange *change) {
  if (!document || !where || !change) return HBG_ARGUMENT;
  Changing changing = {.begin = begin, .where = where, .make = make, .request = request};
  const HbgStatus status = hbg_document_ask(document, answer_change, &changing);
  if (status == HBG_OK) *change = changing.change;
  return status;
}

HbgStatus hbg_document_change(HbgDocument *document, const char *where, HbgEditMake *make, const void *request, HbgChange *change) {
  return hbg_document_change_in(document, hbg_edit_begin, where, make, request, change);
}

/* ---- places ---- */

typedef struct Places {
  const HbgPlacement *list;
  int32_t count;
} Places;

static bool are_places(const HbgPlacement *places, int32_t count) {
  if (count < 0 || (!places && count)) return false;
  for (int32_t i = 0; i < count; i++)
    if (!places[i].name) return false;
  return true;
}

static void make_place(HbgEditing *editing, const void *request) {
  const Places *self = request;
  hbg_edit_place(editing, self->list, self->count);
}

HbgStatus hbg_document_place(HbgDocument *document, const char *where, const HbgPlacement *places, int32_t count, HbgChange *change) {
  if (!are_places(places, count)) return HBG_ARGUMENT;
  return hbg_document_change(document, where, make_place, &(Places){places, count}, change);
}

/* ---- names ---- */

typedef struct Naming {
  const char *where, *stem, *name;
} Naming;

static void answer_free_name(const HbgView *view, void *user) {
  Naming *self = user;
  const HbgEditing editing = hbg_edit_begin(view, self->where);
  self->name = hbg_edit_free_name(&editing, self->stem, NULL);
}

HbgStatus hbg_document_free_name(HbgDocument *document, const char *where, const char *stem, const char **name) {
  if (!document || !where || !stem || !name) return HBG_ARGUMENT;
  Naming naming = {.where = where, .stem = stem};
  const HbgStatus status = hbg_document_ask(document, answer_free_name, &naming);
  if (status == HBG_OK) *name = naming.name;
  return status;
}

/* ---- symbols and bonds ---- */

typedef struct Request {
  const char *const *names; int32_t name_count;
  const HbgRange *arrows;   int32_t arrow_count;
  const HbgPlacement *places; int32_t place_count;
  const char *text, *other;
} Request;

bool hbg_are_names(const char *const *names, int32_t count) {
  if (count < 0 || (!names && count)) return false;
  for (int32_t i = 0; i < count; i++)
    if (!names[i]) return false;
  return true;
}

static void make_add(HbgEditing *editing, const void *request) {
  const Request *self = request;
  hbg_edit_add(editing, self->text, self->places, self->place_count);
}

HbgStatus hbg_document_add(HbgDocument *document, const char *where, const char *statements, const HbgPlacement *places,
                           int32_t count, HbgChange *change) {
  if (!statements || !are_places(places, count)) return HBG_ARGUMENT;
  return hbg_document_change(document, where, make_add, &(Request){.text = statements, .places = places, .place_count = count}, change);
}

static void make_remove(HbgEditing *editing, const void *request) {
  const Request *self = request;
  hbg_edit_remove(editing, self->names, self->name_count, self->arrows, self->arrow_count);
}

HbgStatus hbg_document_remove(HbgDocument *document, const char *where, const char *const *names, int32_t name_count,
                              const HbgRange *arrows, int32_t arrow_count, HbgChange *change) {
  if (!hbg_are_names(names, name_count) || arrow_count < 0 || (!arrows && arrow_count)) return HBG_ARGUMENT;
  const Request request = {.names = names, .name_count = name_count, .arrows = arrows, .arrow_count = arrow_count};
  return hbg_document_change(document, where, make_remove, &request, change);
}

static void make_connect(HbgEditing *editing, const void *request) {
  const Request *self = request;
  hbg_edit_connect(editing, self->text, self->other);
}

HbgStatus hbg_document_connect(HbgDocument *document, const char *where, const char *tail, const char *head, HbgChange *change) {
  if (!tail || !head) return HBG_ARGUMENT;
  return hbg_document_change(document, where, make_connect, &(Request){.text = tail, .other = head}, change);
}

static void make_reverse(HbgEditing *editing, const void *request) {
  const Request *self = request;
  hbg_edit_reverse(editing, *self->arrows);
}

/* The name of the submodel that byte `at` stands in; "" of the model. */
static const char *body_at(const HbgDocument *document, uint32_t at) {
  const HbgTree *tree = &document->tree;
  for (HbgTreeNode node = tree->nodes[tree->root].first_child; node; node = tree->nodes[node].next_sibling) {
    const HbgSpan span = hbg_tree_span(tree, node);
    if (hbg_tree_kind(tree, node) != HBG_NODE_SUBMODEL || at < span.begin || at >= span.end) continue;
    const int32_t name = document->names.name_of_token[tree->nodes[node].token];
    return name < 0 ? "" : document->names.list[name].text;
  }
  return "";
}

HbgStatus hbg_document_reverse(HbgDocument *document, HbgRange arrow, HbgChange *change) {
  if (!document) return HBG_ARGUMENT;
  return hbg_document_change(document, body_at(document, arrow.begin), make_reverse, &(Request){.arrows = &arrow, .arrow_count = 1}, change);
}

/* ---- copies ---- */

typedef struct Copying {
  const char *where;
  const char *const *names;
  int32_t count;
  const char *statements, *reason;
} Copying;

static void answer_copy(const HbgView *view, void *user) {
  Copying *self = user;
  HbgEditing editing = hbg_edit_begin(view, self->where);
  const char *statements = editing.reason ? NULL : hbg_edit_copy(&editing, self->names, self->count);
  self->statements = statements ? statements : "";
  self->reason = editing.reason ? editing.reason : "";
}

HbgStatus hbg_document_copy(HbgDocument *document, const char *where, const char *const *names, int32_t count, const char **statements,
                            const char **reason) {
  if (!document || !where || !hbg_are_names(names, count) || !statements || !reason) return HBG_ARGUMENT;
  Copying copying = {.where = where, .names = names, .count = count};
  const HbgStatus status = hbg_document_ask(document, answer_copy, &copying);
  if (status != HBG_OK) return status;
  *statements = copying.statements;
  *reason = copying.reason;
  return HBG_OK;
}
