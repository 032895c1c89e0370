/* SPDX-License-Identifier: BSD-3-Clause
 * The program 'hybrsim': reads the command line, runs a command, answers with its status. */
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <stdio.h>

#include "cli.h"
#include "options.h"
#include "output.h"
#include "terminal.h"
#include "warm.h"

static ExitStatus (*const runs[COMMAND_COUNT])(Cli *cli) = {
    [COMMAND_CHECK] = cli_check,   [COMMAND_SIMULATE] = cli_simulate, [COMMAND_EVENTS] = cli_events,
    [COMMAND_CAUSALITY] = cli_causality, [COMMAND_PLOT] = cli_plot, [COMMAND_DRAW] = cli_draw,
    [COMMAND_STUDIO] = cli_studio,
    [COMMAND_FORMAT] = cli_format,   [COMMAND_LSP] = cli_lsp,
};

static void print_timing(const Cli *cli) {
  const HbgRunStatistics *s = &cli->statistics;
  fprintf(stderr,
          "{\"load_s\": %.6f, \"compile_s\": %.6f, \"run_s\": %.6f, \"events\": %lld, \"steps\": %lld, \"modes\": %lld, "
          "\"islands\": %lld}\n",
          cli->load_s, s->compile_s, s->run_s, (long long)s->events, (long long)s->steps, (long long)s->modes,
          (long long)s->islands);
}

static ExitStatus finish_help(ExitStatus status) { return fflush(stdout) == 0 ? status : EXIT_STOPPED; }

static ExitStatus run_command(Cli *cli, int argument_count, char **arguments) {
  cli_terminal_look(cli);
  const ExitStatus status = cli_options_read(cli, argument_count, arguments);
  if (status != EXIT_DONE) return status;
  const Options *options = &cli->options;
  if (options->version) return printf("hybrsim %s\n", hbg_version()) < 0 ? EXIT_STOPPED : finish_help(EXIT_DONE);
  if (options->help) {
    if (options->has_command) cli_help_print_command(options->command);
    else cli_help_print();
    return finish_help(EXIT_DONE);
  }
  cli_terminal_look(cli);
  cli_warm_memory(cli);
  const ExitStatus answer = runs[options->command](cli);
  if (options->timing) print_timing(cli);
  return answer;
}

/* A stream that was closed by the caller (`>&-`) must not become the first file that is opened: open it, so that what is
 * written there fails. */
static void hold_standard_streams(void) {
  static const int modes[] = {O_WRONLY, O_RDONLY, O_WRONLY}; // the wrong way round but for messages, which may get lost
  for (int descriptor = 0; descriptor < 3; descriptor++)
    if (fcntl(descriptor, F_GETFD) < 0) open("/dev/null", modes[descriptor]);
}

int main(int argument_count, char **arguments) {
  cli_warm_code();
  hold_standard_streams();
  Memory memory = {0};
  Cli cli = {.memory = &memory};
  const ExitStatus status = run_command(&cli, argument_count, arguments);
  cli_memory_release(&memory);
  return (int)status;
}
