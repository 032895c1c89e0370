/* SPDX-License-Identifier: BSD-3-Clause
 * 'hybrsim studio' becomes the program hybrsim-studio that stands beside this one: the studio needs libraries that nobody else should wait for. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

#define STUDIO "hybrsim-studio"

/* The program beside this one; false when this one cannot be found. */
static bool find_program(char *path, size_t size) {
  const ssize_t length = readlink("/proc/self/exe", path, size - sizeof STUDIO);
  if (length <= 0 || (size_t)length >= size - sizeof STUDIO) return false;
  path[length] = '\0';
  char *slash = strrchr(path, '/');
  if (!slash) return false;
  strcpy(slash + 1, STUDIO);
  return true;
}

static ExitStatus not_there(const Cli *cli, const char *path) {
  if (errno != ENOENT) cli_error(cli, "cannot start '%s': %s", path, strerror(errno));
  else
    cli_error(cli, "the studio is not there: '%s' is missing. It is built where libmicrohttpd is installed: "
                   "run scripts/setup, then build again", path);
  return EXIT_USAGE;
}

ExitStatus cli_studio(Cli *cli) {
  const Options *options = &cli->options;
  char path[PATH_MAX + sizeof STUDIO];
  if (!find_program(path, sizeof path)) {
    cli_error(cli, "the folder of this program cannot be found; start " STUDIO " instead");
    return EXIT_USAGE;
  }
  const char **words = CLI_NEW(cli, const char *, 2 * options->folder_count + 12);
  int count = 0;
  words[count++] = STUDIO;
  if (options->port) words[count++] = "--port", words[count++] = options->port;
  if (options->assets) words[count++] = "--assets", words[count++] = options->assets;
  if (options->has_no_browser) words[count++] = "--no-browser";
  for (int32_t i = 0; i < options->folder_count; i++) words[count++] = "--library", words[count++] = options->folders[i];
  if (options->model) words[count++] = "--", words[count++] = options->model;
  words[count] = NULL;
  execv(path, (char *const *)(const void *)words);
  return not_there(cli, path);
}
