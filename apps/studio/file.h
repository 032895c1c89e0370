/* SPDX-License-Identifier: BSD-3-Clause
 * Files of the disk: read whole, written whole or not at all. */
#ifndef STUDIO_FILE_H
#define STUDIO_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What tells, without reading, that a file is another one than it was. */
typedef struct StudioStamp {
  int64_t seconds, nanoseconds, size;
  uint64_t inode;
  bool exists;
} StudioStamp;
StudioStamp studio_file_stamp(const char *path);
bool studio_stamp_is_same(const StudioStamp *a, const StudioStamp *b);

/* Reads a regular file of at most `most` bytes, a NUL behind them. NULL, and errno: EFBIG when it is larger, EINVAL when it is no regular file. From malloc(). */
char *studio_file_read(const char *path, size_t most, size_t *size);
/* Writes a file that appears when it is whole, and is on the disk then; one that is there keeps its mode. `is_new`: it must not be there (EEXIST). False, and errno. */
bool studio_file_write(const char *path, const char *bytes, size_t size, bool is_new);
/* May the file be replaced by another one? */
bool studio_file_is_writable(const char *path);

/* A name for the contents: "length-hash". */
typedef struct StudioHash {
  char text[40];
} StudioHash;
StudioHash studio_hash(const char *bytes, size_t size);
bool studio_hash_is_same(const StudioHash *a, const StudioHash *b);

#endif
