/* SPDX-License-Identifier: BSD-3-Clause
 * 'hybrsim plot'. */
#include "cli.h"
#include "output.h"
#include "results/plot.h"
#include "simulation.h"

/* The rows so far, column by column. */
typedef struct Trace {
  double *times;
  int32_t row_count, time_capacity;
  double **values;           /* (column_count) each (row_count) */
  int32_t *value_capacities; /* (column_count) */
  int32_t column_count;
} Trace;

static Trace new_trace(Cli *cli, const HbgRun *run) {
  Trace trace = {.column_count = hbg_run_column_count(run)};
  trace.values = CLI_NEW(cli, double *, trace.column_count);
  trace.value_capacities = CLI_NEW(cli, int32_t, trace.column_count);
  return trace;
}

static void add_row(Cli *cli, Trace *trace, const HbgRun *run, const HbgRow *row) {
  const double *values = hbg_run_values(run);
  for (int32_t i = 0; i < trace->column_count; i++) {
    int32_t count = trace->row_count;
    CLI_PUSH(cli, trace->values[i], count, trace->value_capacities[i]) = values[i];
  }
  CLI_PUSH(cli, trace->times, trace->row_count, trace->time_capacity) = row->time;
}

/* What a lane says in every row: the state of a machine; a junction or a boolean is shaded, and that is enough. */
static const char *const *lane_words(Cli *cli, const Simulation *simulation, const Trace *trace, int32_t column) {
  const HbgColumnKind kind = hbg_run_column(simulation->run, column).kind;
  if (kind == HBG_COLUMN_NUMBER) return NULL;
  const char **words = CLI_NEW(cli, const char *, trace->row_count);
  for (int32_t row = 0; row < trace->row_count; row++)
    words[row] = hbg_run_label(simulation->run, column, trace->values[column][row]);
  return words;
}

static void draw(Cli *cli, const Simulation *simulation, const Trace *trace, HbgText *svg) {
  HbgPlotSeries *series = CLI_NEW(cli, HbgPlotSeries, trace->column_count);
  for (int32_t i = 0; i < trace->column_count; i++) {
    const HbgColumn column = hbg_run_column(simulation->run, i);
    series[i] = (HbgPlotSeries){column.name, column.unit, trace->values[i], lane_words(cli, simulation, trace, i),
                                column.kind == HBG_COLUMN_MACHINE};
  }
  const HbgPlot plot = {.title = hbg_model_name(simulation->model), .times = trace->times, .row_count = trace->row_count,
                        .series = series, .series_count = trace->column_count};
  hbg_plot_add(svg, &plot);
}

typedef struct Drawing {
  Cli *cli;
  const Simulation *simulation;
  const Trace *trace;
  Output *output;
  HbgArena arena;
} Drawing;

static HbgStatus draw_guarded(void *user) {
  Drawing *self = user;
  HbgText svg = hbg_text(&self->arena);
  draw(self->cli, self->simulation, self->trace, &svg);
  cli_output_write(self->output, svg.bytes, (size_t)svg.length);
  return HBG_OK;
}

static ExitStatus run_and_draw(Cli *cli, Simulation *simulation) {
  Output output;
  const ExitStatus status = cli_output_open(cli, &output);
  if (status != EXIT_DONE) return status;
  Trace trace = new_trace(cli, simulation->run);
  HbgRow row;
  while (cli_simulation_next(simulation, &row))
    if (row.kind != HBG_ROW_MYTHICAL) add_row(cli, &trace, simulation->run, &row);
  Drawing drawing = {cli, simulation, &trace, &output, hbg_arena((HbgAllocator){0})};
  if (hbg_guarded(&drawing.arena, draw_guarded, &drawing) != HBG_OK) cli_error(cli, "%s", hbg_status_text(HBG_MEMORY));
  hbg_arena_release_all(&drawing.arena);
  return cli_output_close(cli, &output, EXIT_DONE);
}

ExitStatus cli_plot(Cli *cli) {
  if (cli->out_is_terminal) return cli_usage_error(cli, "a drawing is not for a terminal: give --output FILE.svg");
  Simulation simulation;
  ExitStatus status = cli_simulation_open(cli, HBG_COLUMNS_TRAJECTORY, &simulation);
  if (status != EXIT_DONE) return status;
  status = run_and_draw(cli, &simulation);
  status = cli_simulation_report(&simulation, status);
  cli_simulation_close(&simulation);
  return status;
}
