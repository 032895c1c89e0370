/* SPDX-License-Identifier: BSD-3-Clause
 * What the doors of editing share: a question that is answered with a change. */
#ifndef API_EDITING_H
#define API_EDITING_H

#include "api/document.h"
#include "editor/parts.h"

typedef struct HbgEditingQuestion {
  HbgDocument *document;
  void (*make)(struct HbgEditingQuestion *self); /* collects in `changing` */
  HbgView view;
  HbgChanging changing;
  HbgChange change; /* the answer */
  const char *where, *name, *text;
  HbgPart part; HbgPartText *parts;
  HbgMachineText *machine;
  const HbgMachineEditing *machine_editing;
  const char *const *selected; int32_t selected_count;
} HbgEditingQuestion;

/* Asks, under guard; the answers to the last question are forgotten. */
HbgStatus hbg_editing_ask(HbgEditingQuestion *self);

#endif
