/* SPDX-License-Identifier: BSD-3-Clause
 * The public door to the parts of declarations. They can be seen and written while the text around them has mistakes. */
#include "api/editing.h"
#include "editor/parts.h"

typedef struct Request {
  const char *name, *text;
  HbgPart part;
  HbgPartText *parts;
} Request;

static HbgEditing begin(const HbgView *view, const char *where) {
  HbgEditing editing = hbg_edit_look(view, where);
  hbg_edit_needs_body(&editing, where);
  return editing;
}

static void make_parts(HbgEditing *editing, const void *request) {
  const Request *self = request;
  hbg_view_parts(editing, self->name, self->parts);
}

HbgStatus hbg_document_parts(HbgDocument *document, const char *where, const char *name,
                             HbgPartText parts[HBG_PART_COUNT], const char **reason) {
  if (!name || !parts || !reason) return HBG_ARGUMENT;
  HbgPartText found[HBG_PART_COUNT] = {0};
  HbgChange change;
  const Request request = {.name = name, .parts = found};
  const HbgStatus status = hbg_document_change_in(document, begin, where, make_parts, &request, &change);
  if (status != HBG_OK) return status;
  for (int i = 0; i < HBG_PART_COUNT; i++) parts[i] = found[i].text ? found[i] : (HbgPartText){.text = ""};
  *reason = change.reason;
  return HBG_OK;
}

static void make_part(HbgEditing *editing, const void *request) {
  const Request *self = request;
  hbg_view_set_part(editing, self->name, self->part, self->text);
}

HbgStatus hbg_document_set_part(HbgDocument *document, const char *where, const char *name, HbgPart part,
                                const char *text, HbgChange *change) {
  if (!name || !text || part < 0 || part >= HBG_PART_COUNT) return HBG_ARGUMENT;
  return hbg_document_change_in(document, begin, where, make_part, &(Request){.name = name, .part = part, .text = text},
                                change);
}
