/* SPDX-License-Identifier: BSD-3-Clause
 * Loads a model, tells its mistakes if there are any, runs it and writes what happened as a table. Two capacitors are joined
 * by an ideal switch: charge is conserved, energy is not. */
#include <hybrsim/hybrsim.h>
#include <stdio.h>
#include <string.h>

static const char text[] =
    "model TwoCapacitors {\n"
    "  C left(2 [F])   start e = 3 [V]\n"
    "  C right(1 [F])\n"
    "  0 a, b\n"
    "  1 wire by Relay(time >= 1 [s])\n"
    "  a -> left;  b -> right;  a -> wire -> b\n"
    "  signal voltage = (b.e) [V]\n"
    "  signal energy  = (left.q*a.e/2 + right.q*b.e/2) [J]\n"
    "  machine Relay(closed) {\n"
    "    off open initial\n"
    "    on  shut\n"
    "    open -> shut when closed\n"
    "  }\n"
    "  stop 2 [s]\n"
    "}\n";

static bool print(const char *bytes, size_t length, void *user) { return fwrite(bytes, 1, length, user) == length; }

/* Tells every mistake; a model that is right has none, but may have warnings. */
static void report(const HbgModel *model) {
  for (int32_t at = 0; at < hbg_model_diagnostic_count(model); at++) puts(hbg_model_diagnostic(model, at));
}

static void run(const HbgModel *model) {
  HbgRun *run;
  if (hbg_run_create(model, NULL, &run, NULL) != HBG_OK) return;
  const char *const columns[] = {"wire", "left.q", "right.q", "voltage", "energy"};
  for (int at = 0; at < 5; at++) hbg_run_add_column(run, columns[at], NULL);
  HbgWriterOptions options = hbg_writer_options();
  options.format = HBG_FORMAT_TABLE;
  options.is_events = true;
  options.sink = print;
  options.user = stdout;
  if (hbg_run_write(run, &options) != HBG_OK) puts(hbg_run_failure(run));
  hbg_run_free(run);
}

int main(void) {
  HbgModelOptions options = hbg_model_options();
  options.name = "two-capacitors";
  HbgModel *model = NULL;
  const HbgStatus status = hbg_model_load(text, strlen(text), &options, &model);
  report(model);
  if (status == HBG_OK) run(model);
  hbg_model_free(model);
  return status == HBG_OK ? 0 : 1;
}
