/* SPDX-License-Identifier: BSD-3-Clause
 * 'hybrsim check'. */
#include <stdio.h>
#include <string.h>

#include "cli.h"

/* ---- how the states move ---- */

enum { MOST_REGIONS = 6, MOST_STATES = 4 };

static const char *list_region(const Cli *cli, const HbgModel *model, const HbgRegionInfo *region) {
  const char *text = hbg_model_state_name(model, region->states[0]);
  for (int32_t i = 1; i < region->count && i < MOST_STATES; i++)
    text = cli_print(cli, "%s %s", text, hbg_model_state_name(model, region->states[i]));
  return region->count > MOST_STATES ? cli_print(cli, "%s and %d more", text, region->count - MOST_STATES) : text;
}

/* "3 parts in closed form, by parabolas: ball.p height; ..." */
static void tell_motion(const Cli *cli, const HbgModel *model, HbgRun *run, HbgMotionKind motion) {
  static const char *const texts[] = {[HBG_MOTION_PARABOLA] = "in closed form, by parabolas",
                                      [HBG_MOTION_EXPONENTIAL] = "in closed form, by exponentials",
                                      [HBG_MOTION_SERIES] = "exactly, by power series",
                                      [HBG_MOTION_QUADRATURE] = "by quadrature over what is known",
                                      [HBG_MOTION_STEPS] = "integrated by steps"};
  const int32_t count = hbg_run_region_count(run);
  const char *names = "";
  int32_t found = 0;
  for (int32_t i = 0; i < count; i++) {
    const HbgRegionInfo region = hbg_run_region(run, i);
    if (region.motion != motion || found++ >= MOST_REGIONS) continue;
    names = cli_print(cli, "%s%s%s", names, *names ? "; " : "", list_region(cli, model, &region));
  }
  if (found) cli_note(cli, "  %s %s: %s%s", cli_count(cli, found, "part"), texts[motion], names, found > MOST_REGIONS ? "; ..." : "");
}

static void tell_regions(const Cli *cli, const HbgModel *model, HbgRun *run) {
  const int32_t count = hbg_run_region_count(run);
  const HbgModelSize size = hbg_model_size(model);
  const int32_t states = size.stored_quantities + size.integrators;
  if (!count) {
    if (states) cli_note(cli, "in the first mode %s, integrated by steps", states == 1 ? "the state moves" : "all states move together");
    return;
  }
  cli_note(cli, "in the first mode the states move in %s%s with a clock of its own", cli_count(cli, count, "part"), count > 1 ? ", each" : "");
  tell_motion(cli, model, run, HBG_MOTION_PARABOLA);
  tell_motion(cli, model, run, HBG_MOTION_EXPONENTIAL);
  tell_motion(cli, model, run, HBG_MOTION_SERIES);
  tell_motion(cli, model, run, HBG_MOTION_QUADRATURE);
  tell_motion(cli, model, run, HBG_MOTION_STEPS);
}

/* ---- the start ---- */

/* Goes through the start at t = 0 and no further: a mode without a consistent state, an endless loop. */
static ExitStatus try_start(Cli *cli, HbgModel *model, HbgRun **kept) {
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
  *kept = run;
  return status == HBG_END ? EXIT_DONE : status == HBG_STOPPED ? EXIT_MODEL_WRONG : EXIT_STOPPED;
}

/* Sentences about the first mode. */
typedef struct Conflicts {
  const char **sentences;
  int32_t count;
} Conflicts;

static HbgStatus find_conflicts(Cli *cli, const HbgModel *model, Conflicts *conflicts) {
  const HbgCausality *causality = NULL;
  const HbgStatus status = hbg_model_causality(model, NULL, &causality);
  if (status != HBG_OK) {
    hbg_causality_free(causality);
    return status;
  }
  *conflicts = (Conflicts){CLI_NEW(cli, const char *, causality->conflict_count), causality->conflict_count};
  for (int32_t i = 0; i < conflicts->count; i++)
    conflicts->sentences[i] = cli_text(cli, causality->conflicts[i], strlen(causality->conflicts[i]));
  hbg_causality_free(causality);
  return status;
}

/* Conflicts of the first mode are mistakes where the numbers contradict each other, and worth knowing where they agree. They are looked for
 * first, so that what that needs is given back before the run, which needs as much. */
static ExitStatus check_start(Cli *cli, HbgModel *model, HbgRun **run) {
  Conflicts conflicts = {0};
  const HbgStatus status = find_conflicts(cli, model, &conflicts);
  const ExitStatus started = try_start(cli, model, run);
  if (status != HBG_OK) {
    cli_error(cli, "%s", hbg_status_text(status));
    return EXIT_STOPPED;
  }
  for (int32_t i = 0; i < conflicts.count && started == EXIT_DONE; i++) cli_warn(cli, "%s", conflicts.sentences[i]);
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
  HbgRun *run = NULL;
  status = check_start(cli, model, &run);
  if (status == EXIT_DONE) {
    summarise(cli, model);
    tell_regions(cli, model, run);
  }
  hbg_run_free(run);
  hbg_model_free(model);
  return status;
}
