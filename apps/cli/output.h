/* SPDX-License-Identifier: BSD-3-Clause
 * Where results go: standard output, or a file that appears under its name only when it is whole. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H
#include <stdio.h>

#include "cli.h"

typedef struct Output {
  FILE *stream;          /* NULL when nothing is open */
  const char *path;      /* as the user gave it; NULL: standard output */
  char *target;          /* the file behind links */
  char *temporary;       /* in the same folder; NULL when the file is written directly (a device, a pipe) */
  bool is_kept;          /* the file of that name stays as it was */
  bool has_failed;       /* a write was refused; `reason` says why */
  int reason;            /* an errno */
} Output;

/* Opens what --output names. EXIT_USAGE after the reason was told. */
ExitStatus cli_output_open(Cli *cli, Output *output);
/* Writes; after a failure, nothing. False when writing has failed, so that a run can end early. */
bool cli_output_write(Output *output, const char *bytes, size_t length);
/* Whatever is written, the file of --output stays as it was. */
void cli_output_keep(Output *output);
/* Closes, and gives the file its name. `status`, or EXIT_STOPPED after a failure was told. */
ExitStatus cli_output_close(Cli *cli, Output *output, ExitStatus status);
/* Gives up what was written. */
void cli_output_discard(Output *output);
/* The same where nothing is left but to end the program: no half file stays behind. */
void cli_output_abandon(void);

#endif
