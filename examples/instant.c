/* SPDX-License-Identifier: BSD-3-Clause
 * Goes from event to event and looks into each instant. Body 1 hits body 3, on which body 2 lies, held by stiction: that breaks
 * by inference, before anything has moved, and then the collision happens. */
#include <hybrsim/hybrsim.h>
#include <stdio.h>
#include <string.h>

static const char text[] =
    "model Rider {\n"
    "  I body1(1 [kg]) start f = 1 [m/s];  I body2(1 [kg]), body3(1 [kg])\n"
    "  1 v1, v2, v3;  0 hit by Hit;  0 stick by Stick\n"
    "  v1 -> body1;  v2 -> body2;  v3 -> body3;  v1 -> hit -> v3 -> stick -> v2\n"
    "  signal gap = integral(v3.f - v1.f, start = 0.2)\n"
    "  machine Hit {\n"
    "    off free initial;  on touching\n"
    "    free -> touching when gap <= 0 and v1.f > v3.f\n"
    "    touching -> free when pre(v3.f) >= pre(v1.f)\n"
    "  }\n"
    "  machine Stick {\n"
    "    on stuck initial;  off sliding\n"
    "    stuck -> sliding when impulse(abs(stick.e)) > 0.3\n"
    "  }\n"
    "  stop 1 [s]\n"
    "}\n";

/* The rows of one instant, each with its mode, read by handles. */
static void look_inside(HbgRun *run, HbgRow row, int32_t momentum, int32_t blow) {
  HbgStatus status = HBG_OK;
  for (; status == HBG_OK; status = hbg_run_next(run, &row)) {
    printf("<%g, %d, %d> %-10s %-26s rider %.4f  blow %.4f  %s\n", row.time, row.eps, row.n, hbg_row_kind_text(row.kind),
           hbg_run_mode(run), hbg_run_read(run, momentum), hbg_run_read(run, blow), row.cause);
    if (row.kind == HBG_ROW_CONTINUOUS) return; // the last of its instant
  }
}

int main(void) {
  HbgModel *model = NULL;
  HbgRun *run = NULL;
  HbgRow row;
  int32_t momentum, blow;
  HbgStatus status = hbg_model_load(text, strlen(text), NULL, &model);
  if (status == HBG_OK) status = hbg_run_create(model, NULL, &run, NULL);
  // found before the first row, so readable at every one
  if (status == HBG_OK) status = hbg_run_find(run, "body2.p", &momentum, NULL);
  if (status == HBG_OK) status = hbg_run_find(run, "impulse(hit.e)", &blow, NULL);
  while (status == HBG_OK && (status = hbg_run_next_event(run, &row)) == HBG_OK) look_inside(run, row, momentum, blow);
  puts(status == HBG_END ? "the end" : hbg_status_text(status));
  hbg_run_free(run);
  hbg_model_free(model);
  return status == HBG_END ? 0 : 1;
}
