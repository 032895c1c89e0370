/* SPDX-License-Identifier: BSD-3-Clause
 * Memory of the program. */
#include "memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "output.h"

struct MemoryPiece {
  MemoryPiece *previous;
  max_align_t data[];
};

static void give_up(const Cli *cli) {
  cli_error(cli, "%s", hbg_status_text(HBG_MEMORY));
  cli_output_abandon();
  exit(EXIT_STOPPED);
}

void *cli_take(const Cli *cli, size_t count, size_t size) {
  if (size && count > SIZE_MAX / 4 / size) give_up(cli);
  MemoryPiece *piece = calloc(1, sizeof *piece + count * size);
  if (!piece) give_up(cli);
  piece->previous = cli->memory->newest;
  cli->memory->newest = piece;
  return piece->data;
}

void cli_give_back(const Cli *cli, const void *taken) {
  MemoryPiece **at = &cli->memory->newest;
  while (*at && (const void *)(*at)->data != taken) at = &(*at)->previous;
  MemoryPiece *piece = *at;
  if (!piece) return;
  *at = piece->previous;
  free(piece);
}

void *cli_grow(const Cli *cli, const void *list, int32_t *capacity, size_t size) {
  if (*capacity > INT32_MAX / 2) give_up(cli);
  const int32_t larger = *capacity ? *capacity * 2 : 8;
  void *copy = cli_take(cli, (size_t)larger, size);
  if (*capacity) memcpy(copy, list, (size_t)*capacity * size);
  *capacity = larger;
  return copy;
}

char *cli_text(const Cli *cli, const char *text, size_t length) {
  char *copy = cli_take(cli, length + 1, 1);
  if (length) memcpy(copy, text, length);
  return copy;
}

char *cli_print(const Cli *cli, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  const size_t size = length < 0 ? 1 : (size_t)length + 1;
  char *text = cli_take(cli, size, 1);
  va_start(arguments, format);
  vsnprintf(text, size, format, arguments);
  va_end(arguments);
  return text;
}

void cli_memory_release(Memory *memory) {
  while (memory->newest) {
    MemoryPiece *piece = memory->newest;
    memory->newest = piece->previous;
    free(piece);
  }
}
