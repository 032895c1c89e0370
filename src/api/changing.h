/* SPDX-License-Identifier: BSD-3-Clause
 * What the doors of editing share: a question that is answered with a change. */
#ifndef API_CHANGING_H
#define API_CHANGING_H

#include "api/document.h"
#include "editor/parts.h"

typedef struct HbgChangingQuestion {
  HbgDocument *document;
  void (*make)(struct HbgChangingQuestion *self); /* collects in `changing` */
  HbgView view;
  HbgChanging changing;
  HbgChange change; /* the answer */
  const char *where, *name, *text;
  HbgPart part; HbgPartText *parts;
  HbgMachineText *machine;
  const HbgMachineEditing *machine_editing;
  const char *const *selected; int32_t selected_count;
} HbgChangingQuestion;

/* Asks, under guard; the answers to the last question are forgotten. */
HbgStatus hbg_changing_ask(HbgChangingQuestion *self);

#endif
