/* SPDX-License-Identifier: BSD-3-Clause
 * The line that tells how far a long run is; on a terminal only, and gone at the end. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H
#include "cli.h"

typedef struct Progress {
  bool is_wanted, is_shown;
  double started, shown; /* wall clock [s] */
} Progress;

bool cli_progress_is_wanted(const Cli *cli);
Progress cli_progress(const Cli *cli);
/* Call once per row, with its time. */
void cli_progress_update(Progress *progress, const HbgRun *run, double time);
/* Takes the line away, so that something else can be told. */
void cli_progress_clear(Progress *progress);

#endif
