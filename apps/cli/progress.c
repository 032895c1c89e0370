/* SPDX-License-Identifier: BSD-3-Clause
 * The progress line. */
#include "progress.h"

#include <stdio.h>

#include "clock.h"

static const double patience = 1.0; /* a run shorter than this [s] shows nothing */
static const double between = 0.2;  /* two updates [s] */

bool cli_progress_is_wanted(const Cli *cli) { return cli->error_is_terminal && !cli->options.quiet; }

Progress cli_progress(const Cli *cli) {
  const bool is_wanted = cli_progress_is_wanted(cli);
  return (Progress){.is_wanted = is_wanted, .started = is_wanted ? cli_wall_seconds() : 0};
}

static void show(const Progress *progress, const HbgRun *run, double time, double now) {
  const HbgRunStatistics statistics = hbg_run_statistics(run);
  const double part = statistics.stop > 0.0 ? time / statistics.stop : 0.0;
  const double rest = part > 0.0 ? (now - progress->started) * (1.0 - part) / part : 0.0;
  fprintf(stderr, "\r\033[K%3.0f %%  time %.6g of %.6g s  %lld event%s", 100.0 * part, time, statistics.stop,
          (long long)statistics.events, statistics.events == 1 ? "" : "s");
  if (part > 0.0) fprintf(stderr, "  about %.0f s to go", rest);
  fflush(stderr);
}

void cli_progress_update(Progress *progress, const HbgRun *run, double time) {
  if (!progress->is_wanted) return;
  const double now = cli_wall_seconds();
  if (now - progress->started < patience || now - progress->shown < between) return;
  show(progress, run, time, now);
  progress->shown = now;
  progress->is_shown = true;
}

void cli_progress_clear(Progress *progress) {
  if (progress->is_shown) fputs("\r\033[K", stderr);
  progress->is_shown = false;
}
