/* SPDX-License-Identifier: BSD-3-Clause
 * Files that are read. */
#define _XOPEN_SOURCE 700
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_CAPACITY = 64 * 1024 };

/* Room for a file with its NUL, and for a byte more, which is not there; for what has no size, as a pipe, something to begin with. */
static int32_t room_for(const struct stat *about) {
  const bool has_size = S_ISREG(about->st_mode) && about->st_size > 0 && about->st_size < INT32_MAX / 2;
  return has_size ? (int32_t)about->st_size + 2 : FIRST_CAPACITY;
}

/* Reads to the end of `descriptor`; false with errno set when that fails. */
static bool read_all(const Cli *cli, int descriptor, const struct stat *about, Source *source) {
  int32_t capacity = room_for(about);
  char *text = CLI_NEW(cli, char, capacity);
  size_t length = 0;
  for (;;) {
    if (length + 1 == (size_t)capacity) text = cli_grow(cli, text, &capacity, 1);
    const ssize_t count = read(descriptor, text + length, (size_t)capacity - 1 - length);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    if (count == 0) break;
    length += (size_t)count;
  }
  text[length] = '\0';
  source->text = text;
  source->length = length;
  return true;
}

static ExitStatus refuse(const Cli *cli, const char *path, const char *reason) {
  cli_error(cli, "cannot read '%s': %s", path, reason);
  return EXIT_USAGE;
}

ExitStatus cli_source_read(Cli *cli, const char *path, Source *source) {
  const bool is_standard = strcmp(path, "-") == 0;
  *source = (Source){.name = is_standard ? "standard input" : path};
  const int descriptor = is_standard ? STDIN_FILENO : open(path, O_RDONLY);
  if (descriptor < 0) return refuse(cli, path, strerror(errno));

  struct stat about = {0};
  const bool is_folder = fstat(descriptor, &about) == 0 && S_ISDIR(about.st_mode);
  const bool is_read = !is_folder && read_all(cli, descriptor, &about, source);
  const int reason = errno;
  if (!is_standard) close(descriptor);
  return is_read ? EXIT_DONE : refuse(cli, path, is_folder ? "it is a folder; name a file in it" : strerror(reason));
}

bool cli_source_try(const Cli *cli, const char *path, Source *source) {
  *source = (Source){.name = path};
  const int descriptor = open(path, O_RDONLY);
  struct stat about;
  if (descriptor < 0) return false;
  const bool is_read = fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) && read_all(cli, descriptor, &about, source);
  close(descriptor);
  return is_read;
}

void cli_source_give_back(const Cli *cli, Source *source) {
  cli_give_back(cli, source->text);
  source->text = NULL;
}

/* -- times ------------------------------------------------------------------------------------------------------- */

typedef struct TimeList {
  double *times;
  int32_t count, capacity;
} TimeList;

/* Reads one line of the file, which ends at `end`. Answers what is wrong with it, or NULL. */
static const char *read_line(Cli *cli, const char *line, const char *end, TimeList *list) {
  static const char no_time[] = "this is no time in seconds, one to a line";
  char *stop;
  while (line < end && (*line == ' ' || *line == '\t' || *line == '\r')) line++;
  if (line == end || *line == '#') return NULL;
  const double time = strtod(line, &stop);
  if (stop == line) return no_time;
  while (stop < end && (*stop == ' ' || *stop == '\t' || *stop == '\r' || *stop == ',')) stop++;
  if (stop < end && *stop != '#') return no_time;
  if (!isfinite(time)) return no_time;
  if (time < 0) return "this is before the start of the run, which is 0";
  if (list->count && time < list->times[list->count - 1]) return "this is before the time above it; times must ascend";
  CLI_PUSH(cli, list->times, list->count, list->capacity) = time;
  return NULL;
}

/* How much of a line can be shown: not what a terminal would take for commands. */
static int shown_length(const char *line, const char *end) {
  enum { LONGEST = 40 };
  int length = 0;
  while (line + length < end && length < LONGEST && line[length] >= ' ' && line[length] <= '~') length++;
  return length;
}

ExitStatus cli_times_read(Cli *cli, const char *path, const double **times, int32_t *time_count) {
  Source source;
  ExitStatus status = cli_source_read(cli, path, &source);
  if (status != EXIT_DONE) return status;
  if (strlen(source.text) < source.length) return refuse(cli, path, "it is no text, but holds bytes that are zero");
  TimeList list = {0};
  int32_t number = 1;
  for (const char *line = source.text; line < source.text + source.length; number++) {
    const char *end = line + strcspn(line, "\n");
    const char *wrong = read_line(cli, line, end, &list);
    if (wrong) {
      cli_error(cli, "%s:%d: %s: '%.*s'", source.name, number, wrong, shown_length(line, end), line);
      return EXIT_USAGE;
    }
    line = *end ? end + 1 : end;
  }
  if (!list.count) {
    cli_error(cli, "%s has no times", source.name);
    return EXIT_USAGE;
  }
  *times = list.times;
  *time_count = list.count;
  return EXIT_DONE;
}
