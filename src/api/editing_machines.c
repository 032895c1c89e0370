/* SPDX-License-Identifier: BSD-3-Clause
 * The public door to machine types. They may stand beside the model, and without one. */
#include "api/editing.h"
#include "editor/machine_shape.h"

typedef struct Request {
  const char *name;
  HbgMachineText *machine;
  const HbgMachineEditing *editing;
} Request;

static void make_machine(HbgEditing *editing, const void *request) {
  const Request *self = request;
  hbg_view_machine(editing, self->name, self->machine);
}

HbgStatus hbg_document_machine(HbgDocument *document, const char *where, const char *name, HbgMachineText *machine,
                               const char **reason) {
  if (!name || !machine || !reason) return HBG_ARGUMENT;
  HbgMachineText found = {.name = "", .parameters = ""};
  HbgChange change;
  const Request request = {.name = name, .machine = &found};
  const HbgStatus status = hbg_document_change_in(document, hbg_edit_look, where, make_machine, &request, &change);
  if (status != HBG_OK) return status;
  *machine = found;
  *reason = change.reason;
  return HBG_OK;
}

static void make_edit(HbgEditing *editing, const void *request) {
  const Request *self = request;
  hbg_view_edit_machine(editing, self->name, self->editing);
}

HbgStatus hbg_document_edit_machine(HbgDocument *document, const char *where, const char *machine,
                                    const HbgMachineEditing *editing, HbgChange *change) {
  if (!machine || !editing) return HBG_ARGUMENT;
  if (editing->edit < HBG_MACHINE_ADD_STATE || editing->edit > HBG_MACHINE_MOVE_TRANSITION) return HBG_ARGUMENT;
  const Request request = {.name = machine, .editing = editing};
  return hbg_document_change_in(document, hbg_edit_look, where, make_edit, &request, change);
}

static void make_type(HbgEditing *editing, const void *request) {
  const Request *self = request;
  hbg_view_add_machine(editing, self->name);
}

HbgStatus hbg_document_add_machine(HbgDocument *document, const char *where, const char *junction, HbgChange *change) {
  if (!junction) return HBG_ARGUMENT;
  return hbg_document_change(document, where, make_type, &(Request){.name = junction}, change);
}
