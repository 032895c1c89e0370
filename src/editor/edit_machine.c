/* SPDX-License-Identifier: BSD-3-Clause
 * Edits of a machine type. */
#include "editor/machine_shape.h"

void hbg_view_edit_machine(HbgEditing *editing, const char *name, const HbgMachineEditing *given) {
  const HbgMachineShape shape = hbg_machine_shape(editing, name);
  HbgMachineEditing request = *given;
  if (!request.state) request.state = "";
  if (!request.other) request.other = "";
  if (!request.text) request.text = "";
  if (!shape.node) return;
  if (request.edit <= HBG_MACHINE_SET_ON)
    hbg_machine_edit_state(editing, &shape, &request);
  else
    hbg_machine_edit_transition(editing, &shape, &request);
}
