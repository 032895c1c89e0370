/* SPDX-License-Identifier: BSD-3-Clause
 * The public door through which a run is given another state. */
#include <math.h>
#include <string.h>

#include "api/api.h"
#include "base/text.h"

typedef struct Call {
  HbgRun *run;
  const HbgStoredValue *values; int32_t count;
  const char **message;
} Call;

/* Variables are counted behind the states, as hbg_sim_set_state() does. */
static int32_t find_state(const HbgFlatModel *model, const char *name) {
  for (int32_t state = 0; state < model->state_count; state++)
    if (strcmp(model->states[state].name, name) == 0) return state;
  for (int32_t variable = 0; variable < model->variable_count; variable++)
    if (model->variables[variable].is_shown && strcmp(model->variables[variable].name, name) == 0)
      return model->state_count + variable;
  return -1;
}

static const char *name_of(const HbgFlatModel *model, int32_t state) {
  return state < model->state_count ? model->states[state].name : model->variables[state - model->state_count].name;
}

/* The indices of what is named; answers what is wrong. */
static HbgStatus find_states(const Call *call, int32_t *states) {
  HbgArena *arena = &call->run->arena;
  for (int32_t at = 0; at < call->count; at++) {
    const HbgStoredValue *value = &call->values[at];
    states[at] = value->name ? find_state(&call->run->model->flat, value->name) : -1;
    if (states[at] < 0) {
      *call->message = hbg_print(arena, "there is no stored quantity `%s`", value->name ? value->name : "NULL");
      return HBG_ARGUMENT;
    }
    if (!isfinite(value->value)) {
      *call->message = hbg_print(arena, "the value for `%s` is not a finite number", value->name);
      return HBG_ARGUMENT;
    }
  }
  return HBG_OK;
}

static HbgStatus set(void *user) {
  const Call *call = user;
  HbgRun *run = call->run;
  HbgArena *arena = &run->arena;
  int32_t *states = ARENA_NEW(arena, int32_t, call->count);
  double *numbers = ARENA_NEW(arena, double, call->count);
  HbgStoredValue *kept = ARENA_NEW(arena, HbgStoredValue, call->count);
  TRY(find_states(call, states));
  for (int32_t at = 0; at < call->count; at++) {
    numbers[at] = call->values[at].value;
    kept[at] = (HbgStoredValue){name_of(&run->model->flat, states[at]), numbers[at]};
  }
  hbg_run_remember(run, (HbgDeed){.kind = HBG_DEED_SET, .values = kept, .count = call->count});
  const HbgStatus status = hbg_sim_set_state(run->sim, states, numbers, call->count);
  run->status = HBG_OK; // also where the run had ended; a failure comes with the next row
  return status == HBG_MEMORY ? HBG_MEMORY : HBG_OK;
}

HbgStatus hbg_run_set(HbgRun *run, const HbgStoredValue *values, int32_t count, const char **message) {
  const char *ignored;
  if (!message) message = &ignored;
  *message = HBG_MISSING;
  if (!run || count < 0 || (count && !values)) return HBG_ARGUMENT;
  *message = "";
  if (run->status == HBG_MEMORY || run->status == HBG_STOPPED) return run->status;
  if (hbg_sim_has_rows(run->sim)) {
    *message = "the instant is not over: go on to its last row, or by hbg_run_until() behind it";
    return HBG_ARGUMENT;
  }
  const HbgStatus status = hbg_guarded(&run->arena, set, &(Call){run, values, count, message});
  if (status == HBG_MEMORY) run->status = HBG_MEMORY;
  return status;
}
