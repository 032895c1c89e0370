/* SPDX-License-Identifier: BSD-3-Clause
 * 'hybrsim causality'. */
#include <string.h>

#include "cli.h"
#include "output.h"

static ExitStatus write_causality(Cli *cli, const HbgCausality *causality) {
  Output output;
  const ExitStatus status = cli_output_open(cli, &output);
  if (status != EXIT_DONE) return status;
  const HbgWriterOptions options = cli_writer_options(cli, &output);
  if (hbg_causality_write(causality, &options) == HBG_MEMORY) cli_error(cli, "%s", hbg_status_text(HBG_MEMORY));
  return cli_output_close(cli, &output, causality->conflict_count ? EXIT_MODEL_WRONG : EXIT_DONE);
}

/* The library speaks of its argument `mode`; here that is an option. */
static ExitStatus refuse_mode(const Cli *cli, const char *message) {
  static const char own[] = "mode: ";
  if (strncmp(message, own, sizeof own - 1) == 0) message += sizeof own - 1;
  return cli_usage_error(cli, "--mode: %s", message);
}

static ExitStatus show(Cli *cli, const HbgModel *model) {
  const HbgCausality *causality;
  const HbgStatus found = hbg_model_causality(model, cli->options.mode, &causality);
  if (!causality) {
    cli_error(cli, "%s", hbg_status_text(found));
    return EXIT_STOPPED;
  }
  const ExitStatus status =
      found == HBG_OK ? write_causality(cli, causality) : refuse_mode(cli, causality->message);
  for (int32_t i = 0; i < causality->conflict_count; i++) cli_error(cli, "%s", causality->conflicts[i]);
  hbg_causality_free(causality);
  return status;
}

ExitStatus cli_causality(Cli *cli) {
  HbgModel *model;
  ExitStatus status = cli_model_load(cli, &model);
  if (status != EXIT_DONE) return status;
  status = show(cli, model);
  hbg_model_free(model);
  return status;
}
