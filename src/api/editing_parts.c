/* SPDX-License-Identifier: BSD-3-Clause
 * The public door to the parts of declarations. */
#include <string.h>

#include "api/changing.h"

static void make_parts(HbgChangingQuestion *self) {
  hbg_view_parts(&self->changing, self->where, self->name, self->parts);
}

HbgStatus hbg_document_parts(HbgDocument *document, const char *where, const char *name,
                             HbgPartText parts[HBG_PART_COUNT], const char **reason) {
  if (!document || !where || !name || !parts || !reason) return HBG_ARGUMENT;
  HbgPartText found[HBG_PART_COUNT] = {0};
  HbgChangingQuestion question = {
      .document = document, .make = make_parts, .where = where, .name = name, .parts = found};
  const HbgStatus status = hbg_changing_ask(&question);
  if (status != HBG_OK) return status;
  for (int i = 0; i < HBG_PART_COUNT; i++) parts[i] = found[i].text ? found[i] : (HbgPartText){.text = ""};
  *reason = question.change.reason;
  return HBG_OK;
}

static void make_part(HbgChangingQuestion *self) {
  hbg_view_set_part(&self->changing, self->where, self->name, self->part, self->text);
}

HbgStatus hbg_document_set_part(HbgDocument *document, const char *where, const char *name, HbgPart part,
                                const char *text, HbgChange *change) {
  if (!document || !where || !name || !text || !change || part < 0 || part >= HBG_PART_COUNT) return HBG_ARGUMENT;
  HbgChangingQuestion question = {
      .document = document, .make = make_part, .where = where, .name = name, .part = part, .text = text};
  const HbgStatus status = hbg_changing_ask(&question);
  if (status == HBG_OK) *change = question.change;
  return status;
}
