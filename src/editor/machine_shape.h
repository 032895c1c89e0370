/* SPDX-License-Identifier: BSD-3-Clause
 * A machine type as its text has it: states, nested ones and those of regions too, and transitions. Found from the tree alone. */
#ifndef EDITOR_MACHINE_SHAPE_H
#define EDITOR_MACHINE_SHAPE_H

#include "editor/edit.h"
#include "hybrsim/editing.h"

typedef struct HbgShapeState {
  const char *name, *path; /* path: with the states and regions around it */
  HbgTreeNode node, list;  /* STATE, STATE_LIST; 0 of the states of a machine that declares none */
  HbgTreeNode owner;       /* in whose braces it stands: MACHINE, STATE or REGION */
  bool is_on, is_marked;   /* `initial` is written */
} HbgShapeState;

typedef struct HbgShapeTransition {
  HbgTreeNode node, owner;
  HbgTreeNode after, guard; /* 0 without */
  int32_t from, to;         /* states; -1: not known */
} HbgShapeTransition;

typedef struct HbgMachineShape {
  const HbgView *view;
  HbgTreeNode node; /* MACHINE; 0: there is none */
  HbgShapeState *states; int32_t state_count, state_capacity;
  HbgShapeTransition *transitions; int32_t transition_count, transition_capacity;
} HbgMachineShape;

/* The machine type `name` in the body or beside it, as a file of parts has it; without it a reason, and node 0. */
HbgMachineShape hbg_machine_shape(HbgEditing *editing, const char *name);
/* The state that `path` means in the braces of `owner`; -1 when none, or not one alone. */
int32_t hbg_shape_find(const HbgMachineShape *shape, const char *path, HbgTreeNode owner);
/* The state that is listed as `path`, or is called so alone. */
int32_t hbg_shape_state(const HbgMachineShape *shape, const char *path);
/* How state `state` is called in the braces of `owner`. */
const char *hbg_shape_name_in(const HbgMachineShape *shape, int32_t state, HbgTreeNode owner);
/* The state in which the block of `owner` begins; states of `without` (a node, 0: none) left out. -1: there is none. */
int32_t hbg_shape_initial(const HbgMachineShape *shape, HbgTreeNode owner, HbgTreeNode without);
/* Is `node` in `around`, or is it that? */
bool hbg_shape_is_within(const HbgMachineShape *shape, HbgTreeNode node, HbgTreeNode around);
/* The machine or region around `node`. */
HbgTreeNode hbg_shape_region(const HbgMachineShape *shape, HbgTreeNode node);

/* What the header promises of machine type `name` (machine_texts.c). */
void hbg_view_machine(HbgEditing *editing, const char *name, HbgMachineText *machine);
/* Edits of it (edit_machine.c, edit_machine_states.c, edit_machine_transitions.c). */
void hbg_view_edit_machine(HbgEditing *editing, const char *name, const HbgMachineEditing *request);
void hbg_machine_edit_state(HbgEditing *editing, const HbgMachineShape *shape, const HbgMachineEditing *request);
void hbg_machine_edit_transition(HbgEditing *editing, const HbgMachineShape *shape, const HbgMachineEditing *request);
/* A new type for a junction (edit_machine_new.c). */
void hbg_view_add_machine(HbgEditing *editing, const char *junction);

#endif
