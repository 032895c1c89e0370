/* SPDX-License-Identifier: BSD-3-Clause
 * 'hybrsim format'. */
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "output.h"
#include "source.h"

static ExitStatus failed(const Cli *cli, HbgStatus status) {
  cli_error(cli, "%s", hbg_status_text(status));
  return EXIT_STOPPED;
}

static void write_with_edits(Output *output, const Source *source, const HbgEdit *edits, int32_t count) {
  size_t end = 0;
  for (int32_t i = 0; i < count; i++) {
    cli_output_write(output, source->text + end, edits[i].range.begin - end);
    cli_output_write(output, edits[i].text, strlen(edits[i].text));
    end = edits[i].range.end;
  }
  cli_output_write(output, source->text + end, source->length - end);
}

/* Writes `source` with its edits to where it came from, when there are any; standard input goes to standard output in any case. */
static ExitStatus write_back(Cli *cli, const char *path, const Source *source, const HbgEdit *edits, int32_t count) {
  const bool is_standard = strcmp(path, "-") == 0;
  if (count == 0 && !is_standard) return EXIT_DONE;
  Output output;
  cli->options.output = is_standard ? NULL : path;
  const ExitStatus status = cli_output_open(cli, &output);
  if (status != EXIT_DONE) return status;
  write_with_edits(&output, source, edits, count);
  // half a model would be worse than one that is not laid out
  if (output.has_failed) cli_output_keep(&output);
  return cli_output_close(cli, &output, EXIT_DONE);
}

static ExitStatus format_document(Cli *cli, const char *path, const Source *source, HbgDocument *document) {
  const HbgEdit *edits;
  int32_t count;
  const HbgStatus status = hbg_document_format(document, 0, UINT32_MAX, &edits, &count);
  if (status == HBG_MODEL_WRONG) {
    const ExitStatus told = cli_model_report(cli, source);
    cli_note(cli, "%s stays as it is", source->name);
    return told == EXIT_DONE ? EXIT_MODEL_WRONG : told;
  }
  if (status != HBG_OK) return failed(cli, status);
  if (!cli->options.check) return write_back(cli, path, source, edits, count);
  if (count == 0) return EXIT_DONE;
  return printf("%s\n", source->name) < 0 || fflush(stdout) != 0 ? EXIT_STOPPED : EXIT_MODEL_WRONG;
}

static ExitStatus format_file(Cli *cli, const char *path) {
  Source source;
  const ExitStatus is_read = cli_source_read(cli, path, &source);
  if (is_read != EXIT_DONE) return is_read;
  HbgModelOptions options = hbg_model_options();
  options.name = source.name;
  HbgDocument *document;
  const HbgStatus status = hbg_document_open(source.text, source.length, &options, &document);
  if (status != HBG_OK) return failed(cli, status);
  const ExitStatus answer = format_document(cli, path, &source, document);
  hbg_document_free(document);
  return answer;
}

/* Every file, whatever happens to the others; the worst answer of all. */
ExitStatus cli_format(Cli *cli) {
  ExitStatus worst = EXIT_DONE;
  for (int32_t i = 0; i < cli->options.file_count; i++) {
    const ExitStatus status = format_file(cli, cli->options.files[i]);
    if (status > worst) worst = status;
  }
  return worst;
}
