/* SPDX-License-Identifier: BSD-3-Clause
 * How a change is asked for. */
#include "api/changing.h"

static void keep_change(HbgChangingQuestion *self) {
  const HbgTextChanges changes = hbg_changing_end(&self->changing);
  HbgEdit *edits = ARENA_NEW(self->view.arena, HbgEdit, changes.count);
  for (int32_t i = 0; i < changes.count; i++)
    edits[i] = (HbgEdit){{changes.list[i].span.begin, changes.list[i].span.end}, changes.list[i].text};
  self->change =
      (HbgChange){.edits = edits, .count = changes.count, .reason = self->changing.reason ? self->changing.reason : ""};
  if (self->changing.reason) return;
  self->change.names = self->changing.names;
  self->change.name_count = self->changing.name_count;
}

static HbgStatus answer(void *user) {
  HbgChangingQuestion *self = user;
  self->make(self);
  keep_change(self);
  return HBG_OK;
}

HbgStatus hbg_changing_ask(HbgChangingQuestion *self) {
  HbgDocument *document = self->document;
  hbg_arena_release_all(&document->answers);
  self->view = (HbgView){&document->tree, &document->names, NULL, NULL, &document->answers};
  self->changing = (HbgChanging){.view = &self->view};
  const HbgStatus status = hbg_guarded(&document->answers, answer, self);
  if (status != HBG_OK) hbg_arena_release_all(&document->answers);
  return status;
}
