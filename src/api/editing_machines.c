/* SPDX-License-Identifier: BSD-3-Clause
 * The public door to machine types. */
#include "api/changing.h"
#include "editor/machine_shape.h"

static void make_machine(HbgChangingQuestion *self) {
  hbg_view_machine(&self->changing, self->where, self->name, self->machine);
}

HbgStatus hbg_document_machine(HbgDocument *document, const char *where, const char *name, HbgMachineText *machine,
                               const char **reason) {
  if (!document || !where || !name || !machine || !reason) return HBG_ARGUMENT;
  HbgMachineText found = {.name = "", .parameters = ""};
  HbgChangingQuestion question = {
      .document = document, .make = make_machine, .where = where, .name = name, .machine = &found};
  const HbgStatus status = hbg_changing_ask(&question);
  if (status != HBG_OK) return status;
  *machine = found;
  *reason = question.change.reason;
  return HBG_OK;
}

static HbgStatus answer(HbgChangingQuestion *question, HbgChange *change) {
  const HbgStatus status = hbg_changing_ask(question);
  if (status == HBG_OK) *change = question->change;
  return status;
}

static void make_edit(HbgChangingQuestion *self) {
  hbg_view_edit_machine(&self->changing, self->where, self->name, self->machine_editing);
}

HbgStatus hbg_document_edit_machine(HbgDocument *document, const char *where, const char *machine,
                                    const HbgMachineEditing *editing, HbgChange *change) {
  if (!document || !where || !machine || !editing || !change) return HBG_ARGUMENT;
  if (editing->edit < HBG_MACHINE_ADD_STATE || editing->edit > HBG_MACHINE_MOVE_TRANSITION) return HBG_ARGUMENT;
  HbgChangingQuestion question = {
      .document = document, .make = make_edit, .where = where, .name = machine, .machine_editing = editing};
  return answer(&question, change);
}

static void make_type(HbgChangingQuestion *self) { hbg_view_add_machine(&self->changing, self->where, self->name); }

HbgStatus hbg_document_add_machine(HbgDocument *document, const char *where, const char *junction, HbgChange *change) {
  if (!document || !where || !junction || !change) return HBG_ARGUMENT;
  HbgChangingQuestion question = {.document = document, .make = make_type, .where = where, .name = junction};
  return answer(&question, change);
}
