/* SPDX-License-Identifier: BSD-3-Clause
 * Where results go. */
#define _XOPEN_SOURCE 700
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Permissions of the new file: those of the one it replaces, or what the user's mask leaves. */
static mode_t wanted_mode(const struct stat *existing) {
  if (existing) return existing->st_mode & 07777;
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

/* The file behind symbolic links, so that a link stays a link. */
static char *follow(Cli *cli, const char *path) {
  char *resolved = realpath(path, NULL);
  if (!resolved) return cli_text(cli, path, strlen(path));
  char *copy = cli_text(cli, resolved, strlen(resolved));
  free(resolved);
  return copy;
}

static ExitStatus refuse(const Cli *cli, const char *path, int reason) {
  cli_error(cli, "cannot write '%s': %s", path, strerror(reason));
  return EXIT_USAGE;
}

static ExitStatus open_temporary(Cli *cli, Output *output, const struct stat *existing) {
  char *name = cli_print(cli, "%s.partial-XXXXXX", output->target);
  const int descriptor = mkstemp(name);
  if (descriptor < 0) return refuse(cli, output->path, errno);
  output->temporary = name;
  output->stream = fdopen(descriptor, "wb");
  if (output->stream && fchmod(descriptor, wanted_mode(existing)) == 0) return EXIT_DONE;
  const int reason = errno;
  if (!output->stream) close(descriptor);
  cli_output_discard(output);
  return refuse(cli, output->path, reason);
}

ExitStatus cli_output_open(Cli *cli, Output *output) {
  *output = (Output){.path = cli->options.output};
  if (!output->path) {
    output->stream = stdout;
    return EXIT_DONE;
  }
  struct stat about;
  const bool exists = stat(output->path, &about) == 0;
  if (exists && S_ISDIR(about.st_mode)) return refuse(cli, output->path, EISDIR);
  if (exists && access(output->path, W_OK) != 0) return refuse(cli, output->path, errno);
  output->target = follow(cli, output->path);
  if (!exists || S_ISREG(about.st_mode)) return open_temporary(cli, output, exists ? &about : NULL);
  output->stream = fopen(output->path, "wb");
  return output->stream ? EXIT_DONE : refuse(cli, output->path, errno);
}

static void fail(Output *output) {
  if (!output->has_failed) output->reason = errno;
  output->has_failed = true;
}

bool cli_output_write(Output *output, const char *bytes, size_t length) {
  if (!output->has_failed && fwrite(bytes, 1, length, output->stream) != length) fail(output);
  return !output->has_failed;
}

void cli_output_discard(Output *output) {
  if (output->stream && output->path) fclose(output->stream);
  if (output->temporary) unlink(output->temporary);
  output->stream = NULL;
  output->temporary = NULL;
}

ExitStatus cli_output_close(Cli *cli, Output *output, ExitStatus status) {
  // a disk that is full may tell so at the last flush only
  if (fflush(output->stream) != 0) fail(output);
  if (output->path && fclose(output->stream) != 0) fail(output);
  output->stream = NULL;
  if (!output->has_failed && output->temporary && rename(output->temporary, output->target) != 0) fail(output);
  if (!output->has_failed) {
    output->temporary = NULL;
    return status;
  }
  cli_error(cli, "cannot write %s%s%s: %s", output->path ? "'" : "", output->path ? output->path : "standard output",
            output->path ? "'" : "", strerror(output->reason));
  cli_output_discard(output);
  return EXIT_STOPPED;
}
