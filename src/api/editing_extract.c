/* SPDX-License-Identifier: BSD-3-Clause
 * The public door to submodels that are made of a selection. */
#include "api/changing.h"

static void make_submodel(HbgChangingQuestion *self) {
  hbg_view_extract(&self->changing, self->where, self->selected, self->selected_count, self->name);
}

HbgStatus hbg_document_extract(HbgDocument *document, const char *where, const char *const *names, int32_t count,
                               const char *name, HbgChange *change) {
  if (!document || !where || (!names && count) || count < 0 || !name || !change) return HBG_ARGUMENT;
  for (int32_t i = 0; i < count; i++)
    if (!names[i]) return HBG_ARGUMENT;
  HbgChangingQuestion question = {.document = document,
                                  .make = make_submodel,
                                  .where = where,
                                  .name = name,
                                  .selected = names,
                                  .selected_count = count};
  const HbgStatus status = hbg_changing_ask(&question);
  if (status == HBG_OK) *change = question.change;
  return status;
}
