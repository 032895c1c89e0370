/* SPDX-License-Identifier: BSD-3-Clause
 * Files that are read: models and lists of times. */
#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H
#include "cli.h"

typedef struct Source {
  const char *name; /* for messages */
  const char *text; /* with a NUL behind */
  size_t length;
} Source;

/* Reads all of `path` ("-": standard input). EXIT_USAGE after the reason was told when it cannot be read. */
ExitStatus cli_source_read(Cli *cli, const char *path, Source *source);
/* The same without a word; false when it cannot be read, or is no file but a folder or a device. */
bool cli_source_try(const Cli *cli, const char *path, Source *source);
/* The text is not needed any more. */
void cli_source_give_back(const Cli *cli, Source *source);
/* Reads one number per line, comments after '#', ascending. */
ExitStatus cli_times_read(Cli *cli, const char *path, const double **times, int32_t *time_count);

#endif
