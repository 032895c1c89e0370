/* SPDX-License-Identifier: BSD-3-Clause
 * The public door to the rows of a run: pulling them one by one, to the next event, up to a time. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/api.h"
#include "base/text.h"

/* ---- one row ---- */

/* The failure as a diagnostic: place, line and mark, then what the run has to say. */
static const char *render_failure(HbgRun *run) {
  HbgDiagnostic diagnostic = {.severity = HBG_ERROR};
  const char *failure = hbg_sim_failure(run->sim, &diagnostic.code, &diagnostic.span);
  const char *rest = strchr(failure, '\n');
  const size_t length = rest ? (size_t)(rest - failure) : strlen(failure);
  diagnostic.message = hbg_arena_text(&run->arena, failure, length);
  if (!diagnostic.code) return hbg_print(&run->arena, "%s", failure);
  return hbg_print(&run->arena, "%s%s", hbg_model_render(run->model, &diagnostic, &run->arena), rest ? rest : "");
}

static HbgStatus pull(void *user) {
  HbgRun *run = user;
  const HbgStatus status = hbg_sim_next(run->sim, &run->row);
  if (status == HBG_STOPPED && !*run->failure) run->failure = render_failure(run);
  if (status == HBG_OK) run->row_count++;
  return status;
}

HbgStatus hbg_run_pull(HbgRun *run) {
  if (run->status == HBG_MEMORY) return HBG_MEMORY;
  // what waits is handed out in less time than it takes to read a clock, and needs no memory
  if (!hbg_sim_computes_next(run->sim)) return run->status = pull(run);
  double (*const clock)(void *) = run->options.processor_seconds;
  const double start = clock ? clock(run->options.user) : 0;
  run->status = hbg_guarded(&run->arena, pull, run);
  if (clock) run->run_s += clock(run->options.user) - start;
  return run->status;
}

HbgStatus hbg_run_next(HbgRun *run, HbgRow *row) {
  if (!run || !row) return HBG_ARGUMENT;
  TRY(hbg_run_pull(run));
  *row = run->row;
  return HBG_OK;
}

/* ---- several ---- */

const HbgTraceRow *hbg_run_waiting(const HbgRun *run, int32_t *count) {
  *count = 0;
  return run->status == HBG_MEMORY ? NULL : hbg_sim_waiting(run->sim, count);
}

void hbg_run_take_waiting(HbgRun *run, int32_t count) {
  hbg_sim_take_waiting(run->sim, count, &run->row);
  run->row_count += count;
  run->status = HBG_OK;
}

/* Whether the state was set behind the current row: the rows that come next are an event that nobody has seen. */
static bool was_just_set(const HbgRun *run) {
  for (int32_t at = run->deed_count; at > 0 && run->deeds[at - 1].row_count == run->row_count; at--)
    if (run->deeds[at - 1].kind == HBG_DEED_SET) return true;
  return false;
}

HbgStatus hbg_run_next_event(HbgRun *run, HbgRow *row) {
  if (!run || !row) return HBG_ARGUMENT;
  const bool is_inside = run->row_count && run->row.is_event && !was_just_set(run);
  const double left = is_inside ? run->row.time : (double)NAN;
  do TRY(hbg_run_pull(run));
  while (!run->row.is_event || run->row.time == left);
  *row = run->row;
  return HBG_OK;
}

typedef struct Wish {
  HbgRun *run;
  double time;
} Wish;

static HbgStatus want_sample(void *user) {
  const Wish *wish = user;
  hbg_run_remember(wish->run, (HbgDeed){.kind = HBG_DEED_SAMPLE, .time = wish->time});
  hbg_sim_want_sample(wish->run->sim, wish->time);
  return HBG_OK;
}

HbgStatus hbg_run_want_sample(HbgRun *run, double time) {
  if (run->status == HBG_MEMORY) return HBG_MEMORY;
  const HbgStatus status = hbg_guarded(&run->arena, want_sample, &(Wish){run, time});
  if (status == HBG_MEMORY) run->status = HBG_MEMORY;
  return status;
}

/* Whether the run stands before `time`, or in an instant there that is not over. */
static bool is_before(const HbgRun *run, double time) {
  if (!run->row_count || run->row.time < time) return true;
  return run->row.time <= time && hbg_sim_has_rows(run->sim);
}

HbgStatus hbg_run_until(HbgRun *run, double time, HbgRow *row) {
  if (!run || !row || !isfinite(time) || time < 0) return HBG_ARGUMENT;
  if (is_before(run, time)) TRY(hbg_run_want_sample(run, time));
  while (is_before(run, time)) TRY(hbg_run_pull(run));
  *row = run->row;
  return HBG_OK;
}

/* ---- where the run stands ---- */

HbgStatus hbg_run_current(const HbgRun *run, HbgRow *row) {
  if (!run || !row || !run->row_count) return HBG_ARGUMENT;
  *row = run->row;
  return HBG_OK;
}

int32_t hbg_run_machine_state(const HbgRun *run, int32_t machine) {
  if (!run || machine < 0 || machine >= run->model->flat.machine_count) return -1;
  return hbg_sim_phi(run->sim)[machine];
}

/* The longest text a mode can have. */
static size_t mode_size(const HbgFlatModel *model) {
  size_t size = 1;
  for (int32_t machine = 0; machine < model->machine_count; machine++) {
    size_t longest = 0;
    for (int32_t state = 0; state < model->machines[machine].state_count; state++) {
      const size_t length = strlen(model->machines[machine].states[state].name);
      longest = length > longest ? length : longest;
    }
    size += strlen(model->machines[machine].name) + longest + strlen("=,");
  }
  return size;
}

void hbg_run_make_mode(HbgRun *run) {
  run->mode_size = mode_size(&run->model->flat);
  run->mode = ARENA_NEW(&run->arena, char, run->mode_size);
}

const char *hbg_run_mode(HbgRun *run) {
  if (!run) return "";
  const HbgFlatModel *model = &run->model->flat;
  const int32_t *phi = hbg_sim_phi(run->sim);
  size_t length = 0;
  for (int32_t machine = 0; machine < model->machine_count; machine++)
    length += (size_t)snprintf(run->mode + length, run->mode_size - length, "%s%s=%s", machine ? "," : "",
                               model->machines[machine].name, model->machines[machine].states[phi[machine]].name);
  return run->mode;
}
