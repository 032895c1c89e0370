/* SPDX-License-Identifier: BSD-3-Clause
 * The public door of causality. */
#include "api/api.h"
#include "hybrid/inspect.h"

/* What is handed out, with the memory it lies in. */
typedef struct Inspected {
  HbgCausality causality; /* first: its address is the handle */
  HbgArena arena;         /* owns everything, this included */
  const HbgModel *model;
  const char *mode;       /* asked for */
} Inspected;

static HbgStatus inspect(void *user) {
  Inspected *self = user;
  const HbgFlatModel *flat = &self->model->flat;
  int32_t *phi = ARENA_NEW(&self->arena, int32_t, flat->machine_count);
  TRY(hbg_mode_read(flat, self->mode, &self->arena, phi, &self->causality.message));
  TRY(hbg_inspect_mode(flat, phi, &self->arena, &self->causality));
  self->causality.message = "";
  return HBG_OK;
}

HbgStatus hbg_model_causality(const HbgModel *model, const char *mode, const HbgCausality **out) {
  if (!out) return HBG_ARGUMENT;
  *out = NULL;
  if (!model || model->diagnostics.error_count) return HBG_ARGUMENT;
  HbgArena arena = hbg_arena(hbg_allocator_of(&model->options));
  Inspected *self = hbg_arena_try(&arena, sizeof *self);
  if (!self) return HBG_MEMORY;
  *self = (Inspected){.causality = {.mode = "", .message = ""}, .arena = arena, .model = model, .mode = mode};
  const HbgStatus status = hbg_guarded(&self->arena, inspect, self);
  if (status == HBG_OK || status == HBG_ARGUMENT) *out = &self->causality;
  else hbg_causality_free(&self->causality);
  return status;
}

void hbg_causality_free(const HbgCausality *causality) {
  if (!causality) return;
  HbgArena arena = ((const Inspected *)causality)->arena; /* holds the handle itself */
  hbg_arena_release_all(&arena);
}

HbgAllocator hbg_causality_allocator(const HbgCausality *causality) {
  return ((const Inspected *)causality)->arena.allocator;
}

const char *hbg_causality_model(const HbgCausality *causality) {
  return hbg_model_name(((const Inspected *)causality)->model);
}
