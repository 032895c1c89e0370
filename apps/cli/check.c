/* SPDX-License-Identifier: BSD-3-Clause
 * 'hybrsim check'. */
#include "cli.h"

/* Tells the conflicts of the mode in which the model starts. */
static ExitStatus check_start(Cli *cli, HbgModel *model) {
  const HbgCausality *causality = NULL;
  const char *message = NULL;
  const HbgStatus status = hbg_model_causality(model, NULL, &causality, &message);
  if (status != HBG_OK) {
    cli_error(cli, "%s", message && *message ? message : hbg_status_text(status));
    return status == HBG_MODEL_WRONG ? EXIT_MODEL_WRONG : EXIT_STOPPED;
  }
  for (int32_t i = 0; i < causality->conflict_count; i++) cli_error(cli, "%s", causality->conflicts[i]);
  return causality->conflict_count ? EXIT_MODEL_WRONG : EXIT_DONE;
}

static void summarise(const Cli *cli, const HbgModel *model) {
  const HbgModelSize size = hbg_model_size(model);
  cli_note(cli, "%s: no mistakes. %s, %s (%d switched), %s, %s, %s, %s, %s, %s", hbg_model_name(model),
           cli_count(cli, size.elements, "element"), cli_count(cli, size.junctions, "junction"), size.switched_junctions,
           cli_count(cli, size.bonds, "bond"),
           size.stored_quantities == 1 ? "1 stored quantity"
                                       : hbg_print(cli->arena, "%d stored quantities", size.stored_quantities),
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
