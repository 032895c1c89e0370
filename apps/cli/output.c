/* SPDX-License-Identifier: BSD-3-Clause
 * Where results go. */
#define _XOPEN_SOURCE 700
#include "output.h"

#include <errno.h>
#include <signal.h>
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

/* What the symbolic link at `path` says, from where we are; NULL when there is none. */
static char *read_link(Cli *cli, const char *path) {
  enum { LONGEST = 4096 };
  char *said = CLI_NEW(cli, char, LONGEST);
  const ssize_t length = readlink(path, said, LONGEST - 1);
  if (length <= 0) return NULL;
  const char *name = strrchr(path, '/');
  if (!name || said[0] == '/') return said;
  return cli_print(cli, "%.*s/%s", (int)(name - path), path, said);
}

/* The file behind symbolic links, there or not yet, so that a link stays a link. */
static char *follow(Cli *cli, const char *path) {
  enum { MOST_LINKS = 40 };
  char *target = cli_text(cli, path, strlen(path));
  for (int links = 0; links < MOST_LINKS; links++) {
    char *next = read_link(cli, target);
    if (!next) break;
    target = next;
  }
  return target;
}

static ExitStatus refuse(const Cli *cli, const char *path, int reason) {
  cli_error(cli, "cannot write '%s': %s", path, strerror(reason));
  return EXIT_USAGE;
}

/* -- interruptions ----------------------------------------------------------------------------------------------- */

static const char *volatile unfinished; /* the temporary file, as long as it has no better name */

static void remove_and_die(int signal_number) {
  if (unfinished) unlink(unfinished);
  raise(signal_number); /* its default again, and due as soon as this handler is left */
}

static sigset_t interruptions(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGHUP);
  return set;
}

/* Signals that end the program remove the temporary file first; those that are ignored stay so (nohup). */
static void watch_interruptions(void) {
  const struct sigaction ours = {.sa_handler = remove_and_die, .sa_flags = (int)SA_RESETHAND};
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    struct sigaction present;
    if (sigaction(signals[i], NULL, &present) == 0 && present.sa_handler != SIG_IGN) sigaction(signals[i], &ours, NULL);
  }
  signal(SIGXFSZ, SIG_IGN); /* a file that grew too large is a failed write */
}

/* What happens to the name of the temporary file happens without an interruption. */
static sigset_t hold_interruptions(void) {
  const sigset_t ours = interruptions();
  sigset_t before;
  sigprocmask(SIG_BLOCK, &ours, &before);
  return before;
}

static void let_interruptions(sigset_t before) { sigprocmask(SIG_SETMASK, &before, NULL); }

void cli_output_abandon(void) {
  if (unfinished) unlink(unfinished);
  unfinished = NULL;
}

static int make_temporary(char *name) {
  const sigset_t before = hold_interruptions();
  const int descriptor = mkstemp(name);
  if (descriptor >= 0) unfinished = name;
  let_interruptions(before);
  return descriptor;
}

/* The whole file, on the disk, under its name. */
static bool give_name(const Output *output) {
  const sigset_t before = hold_interruptions();
  const bool is_done = rename(output->temporary, output->target) == 0;
  if (is_done) unfinished = NULL;
  let_interruptions(before);
  return is_done;
}

/* -- opening ----------------------------------------------------------------------------------------------------- */

static ExitStatus open_temporary(Cli *cli, Output *output, const struct stat *existing) {
  char *name = cli_print(cli, "%s.partial-XXXXXX", output->target);
  watch_interruptions();
  const int descriptor = make_temporary(name);
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

/* -- writing ----------------------------------------------------------------------------------------------------- */

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
  cli_output_abandon();
  output->stream = NULL;
  output->temporary = NULL;
}

/* Devices and pipes know nothing of this, and some file systems neither. */
static bool is_on_disk(FILE *stream) { return fsync(fileno(stream)) == 0 || errno == EINVAL || errno == ENOTSUP; }

void cli_output_keep(Output *output) { output->is_kept = true; }

ExitStatus cli_output_close(Cli *cli, Output *output, ExitStatus status) {
  // a disk that is full may tell so at the last flush only
  if (fflush(output->stream) != 0) fail(output);
  if (!output->has_failed && output->temporary && !is_on_disk(output->stream)) fail(output);
  if (output->path && fclose(output->stream) != 0) fail(output);
  output->stream = NULL;
  if (!output->has_failed && output->temporary && !output->is_kept && !give_name(output)) fail(output);
  if (!output->has_failed) {
    cli_output_abandon();
    return status;
  }
  cli_error(cli, "cannot write %s%s%s: %s", output->path ? "'" : "", output->path ? output->path : "standard output",
            output->path ? "'" : "", strerror(output->reason));
  cli_output_discard(output);
  return EXIT_STOPPED;
}
