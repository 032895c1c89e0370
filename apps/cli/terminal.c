/* SPDX-License-Identifier: BSD-3-Clause
 * What standard output and standard error are connected to. */
#define _XOPEN_SOURCE 700
#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* no-color.org: set and not empty means no colour, whatever it says. */
static bool is_set(const char *name) {
  const char *value = getenv(name);
  return value && *value;
}

static bool wants_colour(ColourPolicy policy, bool is_terminal) {
  if (policy != COLOUR_AUTOMATIC) return policy == COLOUR_ALWAYS;
  const char *terminal = getenv("TERM");
  return is_terminal && !is_set("NO_COLOR") && !(terminal && strcmp(terminal, "dumb") == 0);
}

/* The user's character set, by the first of the variables that is set (POSIX, 8.2). */
static bool uses_utf8(void) {
  static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  for (int i = 0; i < 3; i++)
    if (is_set(names[i])) {
      const char *value = getenv(names[i]);
      return strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "utf-8") || strstr(value, "UTF8");
    }
  return false;
}

static int32_t width_of(int descriptor) {
  const char *columns = getenv("COLUMNS");
  const long given = columns ? strtol(columns, NULL, 10) : 0;
  if (given > 0 && given < 100000) return (int32_t)given;
  struct winsize size;
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

void cli_terminal_look(Cli *cli) {
  cli->out_is_terminal = isatty(STDOUT_FILENO) && !cli->options.output;
  cli->error_is_terminal = isatty(STDERR_FILENO);
  cli->has_colour_out = wants_colour(cli->options.colour, cli->out_is_terminal);
  cli->has_colour_error = wants_colour(cli->options.colour, cli->error_is_terminal);
  cli->has_unicode = uses_utf8() && cli->out_is_terminal;
  cli->width = cli->out_is_terminal ? width_of(STDOUT_FILENO) : 0;
}
