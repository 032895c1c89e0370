/* SPDX-License-Identifier: BSD-3-Clause
 * The public door to submodels that are made of a selection. */
#include "api/editing.h"
#include "editor/parts.h"

typedef struct Request {
  const char *const *names;
  int32_t count;
  const char *name;
} Request;

static void make_submodel(HbgEditing *editing, const void *request) {
  const Request *self = request;
  hbg_view_extract(editing, self->names, self->count, self->name);
}

HbgStatus hbg_document_extract(HbgDocument *document, const char *where, const char *const *names, int32_t count,
                               const char *name, HbgChange *change) {
  if (!hbg_are_names(names, count) || !name) return HBG_ARGUMENT;
  return hbg_document_change(document, where, make_submodel, &(Request){names, count, name}, change);
}
