/* SPDX-License-Identifier: BSD-3-Clause
 * Messages. */
#include <stdarg.h>
#include <stdio.h>

#include "cli.h"

static void say(const Cli *cli, const char *label, const char *colour, const char *format, va_list arguments) {
  fflush(stdout); // on a terminal, results and messages keep their order
  fputs("hybrsim: ", stderr);
  if (cli->has_colour_error && *colour) fprintf(stderr, "\033[%sm%s\033[0m", colour, label);
  else fputs(label, stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
}

void cli_error(const Cli *cli, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(cli, "error: ", "1;31", format, arguments);
  va_end(arguments);
}

void cli_warn(const Cli *cli, const char *format, ...) {
  if (cli->options.quiet) return;
  va_list arguments;
  va_start(arguments, format);
  say(cli, "warning: ", "1;33", format, arguments);
  va_end(arguments);
}

void cli_note(const Cli *cli, const char *format, ...) {
  if (cli->options.quiet) return;
  va_list arguments;
  va_start(arguments, format);
  say(cli, "", "", format, arguments);
  va_end(arguments);
}

ExitStatus cli_usage_error(const Cli *cli, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(cli, "error: ", "1;31", format, arguments);
  va_end(arguments);
  const bool has_command = cli->options.has_command;
  fprintf(stderr, "Try 'hybrsim %s%s--help'.\n", has_command ? cli_command_word(cli->options.command) : "",
          has_command ? " " : "");
  return EXIT_USAGE;
}
