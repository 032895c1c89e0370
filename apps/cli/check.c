/* SPDX-License-Identifier: BSD-3-Clause
 * 'hybrsim check'. */
#include <stdio.h>

#include "cli.h"

/* Goes through the start at t = 0 and no further: a mode without a consistent state, an endless loop. */
static ExitStatus try_start(Cli *cli, HbgModel *model) {
  HbgRunOptions options = hbg_run_options();
  options.stop = 0;
  options.step = 1; /* of a model that asks for euler and leaves the step to the command */
  options.events_only = true;
  HbgRun *run;
  const char *message;
  HbgStatus status = hbg_run_create(model, &options, &run, &message);
  if (status != HBG_OK) {
    cli_error(cli, "%s", *message ? message : hbg_status_text(status));
    return status == HBG_ARGUMENT ? EXIT_MODEL_WRONG : EXIT_STOPPED;
  }
  HbgRow row;
  do status = hbg_run_next(run, &row);
  while (status == HBG_OK);
  for (int32_t i = 0; i < hbg_run_warning_count(run); i++) cli_warn(cli, "%s", hbg_run_warning(run, i));
  if (status == HBG_STOPPED) fprintf(stderr, "%s\n", hbg_run_failure(run));
  else if (status != HBG_END) cli_error(cli, "%s", hbg_status_text(status));
  hbg_run_free(run);
  return status == HBG_END ? EXIT_DONE : status == HBG_STOPPED ? EXIT_MODEL_WRONG : EXIT_STOPPED;
}

/* Conflicts of the first mode are mistakes where the numbers contradict each other, and worth knowing where they agree. */
static ExitStatus check_start(Cli *cli, HbgModel *model) {
  const ExitStatus started = try_start(cli, model);
  const HbgCausality *causality = NULL;
  const HbgStatus status = hbg_model_causality(model, NULL, &causality);
  if (status != HBG_OK) {
    cli_error(cli, "%s", hbg_status_text(status));
    return EXIT_STOPPED;
  }
  for (int32_t i = 0; i < causality->conflict_count && started == EXIT_DONE; i++)
    cli_warn(cli, "%s", causality->conflicts[i]);
  hbg_causality_free(causality);
  return started;
}

static void summarise(const Cli *cli, const HbgModel *model) {
  const HbgModelSize size = hbg_model_size(model);
  cli_note(cli, "%s: no mistakes. %s, %s (%d switched), %s, %s, %s, %s, %s, %s", hbg_model_name(model),
           cli_count(cli, size.elements, "element"), cli_count(cli, size.junctions, "junction"), size.switched_junctions,
           cli_count(cli, size.bonds, "bond"),
           size.stored_quantities == 1 ? "1 stored quantity"
                                       : cli_print(cli, "%d stored quantities", size.stored_quantities),
           cli_count(cli, size.integrators, "integrator"), cli_count(cli, size.signals, "signal"),
           cli_count(cli, size.machines, "machine"), cli_count(cli, size.parameters, "parameter"));
}

ExitStatus cli_check(Cli *cli) {
  HbgModel *model;
  ExitStatus status = cli_model_load(cli, &model);
  if (status != EXIT_DONE) return status;
  status = check_start(cli, model);
  if (status == EXIT_DONE) summarise(cli, model);
  hbg_model_free(model);
  return status;
}
