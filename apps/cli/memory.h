/* SPDX-License-Identifier: BSD-3-Clause
 * Memory of the program: taken piece by piece, zeroed, given back at the end. Where there is none, the program says so and
 * ends; nothing here answers NULL. */
#ifndef CLI_MEMORY_H
#define CLI_MEMORY_H

#include <stddef.h>
#include <stdint.h>

struct Cli;

typedef struct MemoryPiece MemoryPiece;

typedef struct Memory {
  MemoryPiece *newest; /* the older ones behind it */
} Memory;

void *cli_take(const struct Cli *cli, size_t count, size_t size);
/* A larger copy of a list of `*capacity` things of `size` bytes. */
void *cli_grow(const struct Cli *cli, const void *list, int32_t *capacity, size_t size);
/* A copy of `length` bytes with a NUL behind. */
char *cli_text(const struct Cli *cli, const char *text, size_t length);
/* A printf into memory. */
char *cli_print(const struct Cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* What was taken last, or not long ago, is not needed any more. */
void cli_give_back(const struct Cli *cli, const void *taken);
void cli_memory_release(Memory *memory);

#define CLI_NEW(cli, T, count) ((T *)cli_take((cli), (size_t)(count), sizeof(T)))
/* Makes room for one more element: CLI_PUSH(cli, list, count, capacity) = value; */
#define CLI_PUSH(cli, list, count, capacity)                                                                      \
  (*(((count) == (capacity) ? (void)((list) = cli_grow((cli), (list), &(capacity), sizeof *(list))) : (void)0), \
     &(list)[(count)++]))

#endif
