/* SPDX-License-Identifier: BSD-3-Clause
 * The public door of editing: symbols and bonds. */
#include "api/editing.h"

#include "editor/edits.h"

/* ---- changes ---- */

typedef struct Changing {
  const char *where;
  void (*make)(HbgEditing *editing, const void *request);
  const void *request;
  HbgChange change;
} Changing;

static void answer_change(const HbgView *view, void *user) {
  Changing *self = user;
  HbgEditing editing = hbg_edit_begin(view, self->where);
  if (!editing.reason) self->make(&editing, self->request);
  const HbgTextChanges changes = hbg_edit_finish(&editing);
  self->change = (HbgChange){.edits = hbg_document_edits(&changes, view->arena), .count = changes.count, .reason = editing.reason ? editing.reason : "",
                             .names = editing.names, .name_count = editing.reason ? 0 : editing.name_count};
}

HbgStatus hbg_document_change(HbgDocument *document, const char *where, void (*make)(HbgEditing *editing, const void *request),
                              const void *request, HbgChange *change) {
  if (!document || !where || !change) return HBG_ARGUMENT;
  Changing changing = {.where = where, .make = make, .request = request};
  const HbgStatus status = hbg_document_ask(document, answer_change, &changing);
  if (status == HBG_OK) *change = changing.change;
  return status;
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
