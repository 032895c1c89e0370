/* SPDX-License-Identifier: BSD-3-Clause
 * A run as the commands see it: set up from the options, pulled row by row, its end told. */
#ifndef CLI_SIMULATION_H
#define CLI_SIMULATION_H
#include "cli.h"
#include "compile.h"
#include "progress.h"

typedef struct Simulation {
  Cli *cli;
  HbgModel *model;
  HbgRun *run;
  Compiler *compiler; /* NULL: none */
  Progress progress;
  int64_t row_count; /* so far */
  HbgStatus ended; /* HBG_OK while it goes on, then why it does not */
} Simulation;

/* Loads the model, creates the run with the options, adds the columns of --columns or else those of `set`. Answers
 * EXIT_DONE, or another status after the reason was told; then there is nothing to close. */
ExitStatus cli_simulation_open(Cli *cli, HbgColumnSet set, Simulation *simulation);
/* Goes on to the next row; false at the end, whatever the reason. */
bool cli_simulation_next(Simulation *simulation, HbgRow *row);
/* Goes on to the next row, writes it, and those that wait behind it; false at the end, whatever the reason, and where it cannot be written:
 * `*written` is what the writer answered. */
bool cli_simulation_write_next(Simulation *simulation, HbgWriter *writer, HbgStatus *written);
/* Why the run stopped before its end; NULL when it did not. */
const char *cli_simulation_failure(const Simulation *simulation);
/* Did it stop before there was a row? */
bool cli_simulation_is_empty(const Simulation *simulation);
/* Tells the warnings, and the failure if there is one; `status` unless the run has failed. Call after the results are
 * written. */
ExitStatus cli_simulation_report(Simulation *simulation, ExitStatus status);
void cli_simulation_close(Simulation *simulation);

#endif
