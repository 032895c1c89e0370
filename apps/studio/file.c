/* SPDX-License-Identifier: BSD-3-Clause
 * See file.h. */
#define _GNU_SOURCE
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

StudioStamp studio_file_stamp(const char *path) {
  struct stat status;
  if (stat(path, &status) < 0) return (StudioStamp){0};
  return (StudioStamp){.seconds = status.st_mtim.tv_sec, .nanoseconds = status.st_mtim.tv_nsec, .size = status.st_size,
                       .inode = status.st_ino, .exists = true};
}

bool studio_stamp_is_same(const StudioStamp *a, const StudioStamp *b) {
  return a->seconds == b->seconds && a->nanoseconds == b->nanoseconds && a->size == b->size && a->inode == b->inode &&
         a->exists == b->exists;
}

/* ---- reading ---- */

static char *read_open(int file, size_t most, size_t *size) {
  struct stat status;
  if (fstat(file, &status) < 0) return NULL;
  errno = EINVAL;
  if (!S_ISREG(status.st_mode)) return NULL;
  errno = EFBIG;
  if (status.st_size < 0 || (uint64_t)status.st_size > most) return NULL;
  const size_t room = (size_t)status.st_size; // what is added meanwhile is for the next look at the file
  char *bytes = malloc(room + 1);
  if (!bytes) return NULL;
  size_t count = 0;
  while (count < room) {
    const ssize_t more = read(file, bytes + count, room - count);
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) {
      free(bytes);
      return NULL;
    }
    if (more == 0) break;
    count += (size_t)more;
  }
  bytes[count] = '\0';
  *size = count;
  return bytes;
}

char *studio_file_read(const char *path, size_t most, size_t *size) {
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
  if (file < 0) return NULL;
  char *bytes = read_open(file, most, size);
  const int error = errno;
  close(file);
  errno = error;
  return bytes;
}

/* ---- writing ---- */

static bool write_all(int file, const char *bytes, size_t size) {
  while (size > 0) {
    const ssize_t count = write(file, bytes, size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes += count;
    size -= (size_t)count;
  }
  return true;
}

/* The folder of a path, from malloc(). */
static char *folder_of(const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash) return strdup(".");
  return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

/* A hidden name beside the file that nobody else has, from malloc(). */
static char *name_beside(const char *path, const char *folder) {
  uint64_t number = 0;
  if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number) return NULL;
  const char *slash = strrchr(path, '/');
  char *name;
  if (asprintf(&name, "%s/.%.100s.%016" PRIx64, folder, slash ? slash + 1 : path, number) < 0) return NULL;
  return name;
}

static bool fill(const char *temporary, const char *path, const char *bytes, size_t size) {
  const int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return false;
  struct stat status;
  bool is_written = true;
  if (stat(path, &status) == 0) is_written = fchmod(file, status.st_mode & 07777) == 0;
  is_written = is_written && write_all(file, bytes, size) && fsync(file) == 0;
  const int error = errno;
  const bool is_closed = close(file) == 0;
  if (!is_written) errno = error;
  return is_written && is_closed;
}

/* link() fails where there is a file already, rename() replaces it. */
static bool put_in_place(const char *temporary, const char *path, bool is_new) {
  if (!is_new) return rename(temporary, path) == 0;
  if (link(temporary, path) < 0) return false;
  unlink(temporary);
  return true;
}

/* So that the new name survives a loss of power; who cannot do that has the file all the same. */
static void settle(const char *folder) {
  const int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  fsync(file);
  close(file);
}

bool studio_file_write(const char *path, const char *bytes, size_t size, bool is_new) {
  char *folder = folder_of(path);
  char *temporary = folder ? name_beside(path, folder) : NULL;
  bool is_written = false;
  if (temporary) {
    is_written = fill(temporary, path, bytes, size) && put_in_place(temporary, path, is_new);
    const int error = errno;
    if (is_written) settle(folder);
    else unlink(temporary);
    errno = error;
  }
  const int error = errno;
  free(temporary);
  free(folder);
  errno = error;
  return is_written;
}

bool studio_file_is_writable(const char *path) {
  char *folder = folder_of(path);
  if (!folder) return false;
  const bool answer = access(folder, W_OK | X_OK) == 0 && (access(path, W_OK) == 0 || errno == ENOENT);
  free(folder);
  return answer;
}

/* ---- names for contents ---- */

/* FNV-1a, Fowler, Noll and Vo 1991. */
StudioHash studio_hash(const char *bytes, size_t size) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < size; i++) hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3u;
  StudioHash out;
  snprintf(out.text, sizeof out.text, "%zu-%016" PRIx64, size, hash);
  return out;
}

bool studio_hash_is_same(const StudioHash *a, const StudioHash *b) { return strcmp(a->text, b->text) == 0; }
