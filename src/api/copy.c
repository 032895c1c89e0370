/* SPDX-License-Identifier: BSD-3-Clause
 * A copy of a run: everything that was done to it, done again. A run depends on nothing but its model, its options and the
 * calls it was given, so the copy is the same to the last bit, whatever method integrates and however it keeps its memory
 * (CVODE's cannot be copied). See docs/decisions/0013-library.md. */
#include "api/api.h"

void hbg_run_remember(HbgRun *run, HbgDeed deed) {
  deed.row_count = run->row_count;
  deed.has_ended = run->status == HBG_END;
  ARENA_PUSH(&run->arena, run->deeds, run->deed_count, run->deed_capacity) = deed;
}

/* Pulls as many rows as the original had, and what came instead of a row when it `has_ended`. */
static HbgStatus pull_rows(HbgRun *copy, int64_t row_count, bool has_ended) {
  while (copy->row_count < row_count) TRY(hbg_run_pull(copy));
  const HbgStatus ended = has_ended && copy->status == HBG_OK ? hbg_run_pull(copy) : HBG_OK;
  return ended == HBG_MEMORY ? HBG_MEMORY : HBG_OK;
}

static HbgStatus repeat(HbgRun *copy, const HbgDeed *deed) {
  TRY(pull_rows(copy, deed->row_count, deed->has_ended));
  int32_t variable;
  switch (deed->kind) {
    case HBG_DEED_DEFAULT_COLUMNS: return hbg_run_add_default_columns(copy, deed->set);
    case HBG_DEED_COLUMN: return hbg_run_add_column(copy, deed->expression, NULL);
    case HBG_DEED_FIND: return hbg_run_find(copy, deed->expression, &variable, NULL);
    case HBG_DEED_FIND_BOND: return hbg_run_find_bond(copy, deed->index / 2, !(deed->index % 2), &variable);
    case HBG_DEED_ENERGY: hbg_run_energy(copy, deed->index); return copy->status == HBG_MEMORY ? HBG_MEMORY : HBG_OK;
    case HBG_DEED_SET: return hbg_run_set(copy, deed->values, deed->count, NULL);
    default: return hbg_run_want_sample(copy, deed->time);
  }
}

static HbgStatus repeat_all(HbgRun *copy, const HbgRun *run) {
  for (int32_t at = 0; at < run->deed_count; at++) TRY(repeat(copy, &run->deeds[at]));
  return pull_rows(copy, run->row_count, run->status == HBG_END || run->status == HBG_STOPPED);
}

HbgStatus hbg_run_copy(const HbgRun *run, HbgRun **out) {
  if (!out) return HBG_ARGUMENT;
  *out = NULL;
  if (!run) return HBG_ARGUMENT;
  if (run->status == HBG_MEMORY) return HBG_MEMORY;
  HbgRun *copy;
  TRY(hbg_run_create(run->model, &run->options, &copy, NULL));
  const HbgStatus status = repeat_all(copy, run);
  if (status == HBG_OK) *out = copy;
  else hbg_run_free(copy);
  return status;
}
