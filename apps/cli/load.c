/* SPDX-License-Identifier: BSD-3-Clause
 * The model of the command line: read, and its mistakes told. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "cli.h"
#include "source.h"

const char *cli_count(const Cli *cli, int64_t count, const char *noun) {
  return cli_print(cli, "%lld %s%s", (long long)count, noun, count == 1 ? "" : "s");
}

/* Tells every diagnostic; --quiet leaves out the warnings. */
static void report(const Cli *cli, const HbgModel *model) {
  const int32_t count = hbg_model_diagnostic_count(model);
  int32_t warning_count = 0;
  for (int32_t i = 0; i < count; i++) {
    bool is_error = false;
    hbg_model_diagnostic_parts(model, i, NULL, &is_error, NULL, NULL, NULL, NULL);
    warning_count += !is_error;
    if (is_error || !cli->options.quiet) fprintf(stderr, "%s\n", hbg_model_diagnostic(model, i));
  }
  const int32_t suppressed_count = hbg_model_suppressed_count(model);
  if (suppressed_count) cli_note(cli, "and %d more, not shown", suppressed_count);
  const int32_t error_count = hbg_model_error_count(model);
  if (error_count && warning_count)
    cli_note(cli, "%s, %s", cli_count(cli, error_count, "error"), cli_count(cli, warning_count, "warning"));
  else if (error_count)
    cli_note(cli, "%s", cli_count(cli, error_count, "error"));
}

/* Whether a mistake is in a value of --set rather than in the model: it has no place in the text, or says that there is no
 * such parameter. What is wrong with the text as a whole (E01..) has no place either. */
static bool is_in_settings(const HbgModel *model, int32_t index) {
  const char *code = "";
  uint32_t begin = 0, end = 0;
  hbg_model_diagnostic_parts(model, index, &code, NULL, &begin, &end, NULL, NULL);
  return strcmp(code, "E0407") == 0 || (end == 0 && strncmp(code, "E01", 3) != 0);
}

/* A wrong model, or a sound one that was given values it cannot have. */
static ExitStatus blame(const Cli *cli, const HbgModel *model) {
  if (!cli->options.setting_count) return EXIT_MODEL_WRONG;
  for (int32_t i = 0; i < hbg_model_diagnostic_count(model); i++) {
    bool is_error = false;
    hbg_model_diagnostic_parts(model, i, NULL, &is_error, NULL, NULL, NULL, NULL);
    if (is_error && !is_in_settings(model, i)) return EXIT_MODEL_WRONG;
  }
  return EXIT_USAGE;
}

static ExitStatus failed(const Cli *cli, HbgStatus status) {
  cli_error(cli, "%s", hbg_status_text(status));
  return EXIT_STOPPED;
}

const char *const *cli_library_folders(const Cli *cli, int32_t *count) {
  const char *more = getenv("HYBRSIM_LIBRARY");
  const size_t most = (size_t)cli->options.folder_count + (more ? strlen(more) : 0) + 1;
  const char **folders = CLI_NEW(cli, const char *, most);
  *count = 0;
  for (; *count < cli->options.folder_count; ++*count) folders[*count] = cli->options.folders[*count];
  while (more && *more) {
    const size_t length = strcspn(more, ":");
    if (length) folders[(*count)++] = cli_text(cli, more, length);
    more += length + (more[length] != '\0');
  }
  return folders;
}

/* Loads the model in `source`, and tells its diagnostics. */
static ExitStatus load_source(Cli *cli, const Source *source, HbgModel **model) {
  HbgModelOptions options = hbg_model_options();
  options.name = source->name;
  options.settings = cli->options.settings;
  options.setting_count = cli->options.setting_count;
  options.folders = cli_library_folders(cli, &options.folder_count);
  options.colour = cli->has_colour_error;

  const double start = cli_processor_seconds(NULL);
  const HbgStatus status = hbg_model_load(source->text, source->length, &options, model);
  cli->load_s = cli_processor_seconds(NULL) - start;
  if (!*model) return failed(cli, status);
  report(cli, *model);
  if (status == HBG_OK) return EXIT_DONE;
  const ExitStatus answer = status == HBG_MODEL_WRONG ? blame(cli, *model) : failed(cli, status);
  hbg_model_free(*model);
  *model = NULL;
  return answer;
}

ExitStatus cli_model_load(Cli *cli, HbgModel **model) {
  *model = NULL;
  Source source;
  ExitStatus status = cli_source_read(cli, cli->options.model, &source);
  if (status == EXIT_DONE) status = load_source(cli, &source, model);
  cli_source_give_back(cli, &source); // the model has a copy
  return status;
}

ExitStatus cli_model_report(Cli *cli, const Source *source) {
  HbgModel *model = NULL;
  const ExitStatus status = load_source(cli, source, &model);
  hbg_model_free(model);
  return status;
}
