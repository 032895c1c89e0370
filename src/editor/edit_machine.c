/* SPDX-License-Identifier: BSD-3-Clause
 * Edits of a machine type. */
#include "editor/machine_shape.h"

void hbg_view_edit_machine(HbgChanging *changing, const char *where, const char *name, const HbgMachineEditing *given) {
  const HbgMachineShape shape = hbg_machine_shape(changing, where, name);
  HbgMachineEditing editing = *given;
  if (!editing.state) editing.state = "";
  if (!editing.other) editing.other = "";
  if (!editing.text) editing.text = "";
  if (!shape.node) return;
  if (editing.edit <= HBG_MACHINE_SET_ON)
    hbg_machine_edit_state(changing, &shape, &editing);
  else
    hbg_machine_edit_transition(changing, &shape, &editing);
}
