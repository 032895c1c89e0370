/* SPDX-License-Identifier: BSD-3-Clause
 * A run written as rows. */
#include "cli.h"

#include "face.h"
#include "output.h"
#include "relaxation_table.h"
#include "rows.h"
#include "simulation.h"

enum { CHUNK = 32 * 1024 }; /* bytes that are collected before they are written */

typedef struct Writer {
  Cli *cli;
  Simulation *simulation;
  Output *output;
  bool is_events;
  Format format;
  HbgText text;
  HbgCell *cells;     /* (cell_count), CSV and JSON */
  int32_t cell_count;
  Face *face;         /* TABLE */
  int64_t row_count;
} Writer;

static Format chosen_format(const Cli *cli) {
  if (cli->options.format != FORMAT_AUTOMATIC) return cli->options.format;
  return cli->out_is_terminal ? FORMAT_TABLE : FORMAT_CSV;
}

static void begin(Writer *writer) {
  const HbgRun *run = writer->simulation->run;
  if (writer->format == FORMAT_TABLE) {
    writer->face = cli_face_new(writer->cli, run, writer->is_events);
    return;
  }
  const HbgField *fields = cli_row_fields(writer->cli, run, writer->is_events);
  writer->cell_count = cli_row_lead(writer->is_events) + hbg_run_column_count(run);
  writer->cells = ARENA_NEW(writer->cli->arena, HbgCell, writer->cell_count);
  if (writer->format == FORMAT_CSV) hbg_csv_add_header(&writer->text, fields, writer->cell_count);
  else hbg_json_add_header(&writer->text, hbg_model_name(writer->simulation->model), fields, writer->cell_count);
}

/* The file of a trajectory has values that had an effect only; the event table has what happened. */
static bool is_wanted(const Writer *writer, const HbgRow *row) {
  if (writer->is_events) return row->is_event;
  return row->kind != HBG_ROW_MYTHICAL;
}

static void add(Writer *writer, const HbgRow *row) {
  const bool is_first = writer->row_count++ == 0;
  if (writer->format == FORMAT_TABLE) {
    cli_face_add(writer->face, row, &writer->text);
    return;
  }
  cli_row_cells(writer->simulation->run, row, writer->is_events, writer->cells);
  if (writer->format == FORMAT_CSV) hbg_csv_add_row(&writer->text, writer->cells, writer->cell_count);
  else hbg_json_add_row(&writer->text, writer->cells, writer->cell_count, is_first);
}

/* Hands on what was collected. On a terminal rows appear as they come. */
static bool pass_on(Writer *writer) {
  const bool is_due = writer->text.length >= CHUNK || (writer->cli->out_is_terminal && writer->text.length > 0);
  if (!is_due) return true;
  if (writer->cli->out_is_terminal) cli_progress_clear(&writer->simulation->progress);
  return cli_output_flush(writer->output, &writer->text);
}

static void end(Writer *writer) {
  if (writer->format == FORMAT_TABLE) cli_face_end(writer->face, &writer->text);
  if (writer->format == FORMAT_JSON) hbg_json_add_end(&writer->text, cli_simulation_failure(writer->simulation));
  cli_output_flush(writer->output, &writer->text);
}

/* A sentence under a table, for people. */
static void summarise(const Writer *writer) {
  const Cli *cli = writer->cli;
  if (writer->format != FORMAT_TABLE) return;
  cli_face_tell(writer->face);
  const HbgRunStatistics statistics = hbg_run_statistics(writer->simulation->run);
  if (writer->is_events && !cli_simulation_failure(writer->simulation))
    cli_note(cli, "%s: %s until %.10g s", hbg_model_name(writer->simulation->model),
             statistics.events ? cli_count(cli, statistics.events, "event") : "nothing happened", statistics.time);
}

static ExitStatus write_all(Writer *writer) {
  HbgRow row;
  begin(writer);
  bool is_written = true;
  while (is_written && cli_simulation_next(writer->simulation, &row)) {
    if (is_wanted(writer, &row)) add(writer, &row);
    is_written = pass_on(writer);
  }
  end(writer);
  if (cli_simulation_is_empty(writer->simulation)) cli_output_keep(writer->output);
  return cli_output_close(writer->cli, writer->output, EXIT_DONE);
}

static ExitStatus write_rows(Cli *cli, bool is_events) {
  Simulation simulation;
  const HbgColumnSet set = is_events ? HBG_COLUMNS_EVENTS : HBG_COLUMNS_TRAJECTORY;
  ExitStatus status = cli_simulation_open(cli, set, &simulation);
  if (status != EXIT_DONE) return status;
  Output output;
  status = cli_output_open(cli, &output);
  if (status == EXIT_DONE) {
    Writer writer = {.cli = cli, .simulation = &simulation, .output = &output, .is_events = is_events,
                     .format = chosen_format(cli), .text = hbg_text(cli->arena)};
    status = write_all(&writer);
    if (status == EXIT_DONE) summarise(&writer);
    status = cli_simulation_report(&simulation, status);
  }
  cli_simulation_close(&simulation);
  return status;
}

ExitStatus cli_simulate(Cli *cli) { return write_rows(cli, false); }
ExitStatus cli_events(Cli *cli) { return cli->options.relaxation_table ? cli_relaxation_table(cli) : write_rows(cli, true); }
