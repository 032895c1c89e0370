/* SPDX-License-Identifier: BSD-3-Clause */
#define _XOPEN_SOURCE 700
#include "code_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the folder ---- */

/* Nobody else may put code where we take it from. */
static bool is_ours(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == geteuid() && !(about.st_mode & 022) &&
         access(path, R_OK | W_OK | X_OK) == 0;
}

static bool make(const char *path) { return mkdir(path, 0700) == 0 || errno == EEXIST; }

static char *kept_path(Cli *cli) {
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (!cache || cache[0] != '/') cache = home && home[0] == '/' ? cli_print(cli, "%s/.cache", home) : NULL;
  if (!cache) return NULL;
  char *path = cli_print(cli, "%s/hybrsim", cache);
  return make(cache) && make(path) && is_ours(path) ? path : NULL;
}

static char *temporary_path(Cli *cli) {
  const char *parent = getenv("TMPDIR");
  char *path = cli_print(cli, "%s/hybrsim-XXXXXX", parent && *parent ? parent : "/tmp");
  return mkdtemp(path);
}

CodeFolder *cli_code_folder(Cli *cli) {
  CodeFolder *folder = CLI_NEW(cli, CodeFolder, 1);
  folder->path = kept_path(cli);
  folder->is_temporary = !folder->path;
  if (!folder->path) folder->path = temporary_path(cli);
  return folder->path ? folder : NULL;
}

/* ---- names ---- */

/* FNV-1a, 64 bits: (Fowler, Noll and Vo, RFC 9923) */
static uint64_t hash(uint64_t from, const void *bytes, size_t count) {
  const unsigned char *at = bytes;
  for (size_t i = 0; i < count; i++) from = (from ^ at[i]) * 1099511628211u;
  return from;
}

static const uint64_t hash_start = 14695981039346656037u;

/* What -march=native depends on. */
static uint64_t hash_processor(uint64_t from) {
  FILE *file = fopen("/proc/cpuinfo", "r");
  if (!file) return from;
  char line[8192];
  bool has_flags = false;
  while (!has_flags && fgets(line, sizeof line, file)) {
    has_flags = strncmp(line, "flags", 5) == 0 || strncmp(line, "Features", 8) == 0;
    if (has_flags || strncmp(line, "model name", 10) == 0) from = hash(from, line, strlen(line));
  }
  fclose(file);
  return from;
}

/* Another compiler may come to stand at the same path. */
static uint64_t hash_compiler(uint64_t from, const char *compiler) {
  struct stat about;
  from = hash(from, compiler, strlen(compiler) + 1);
  if (stat(compiler, &about) != 0) return from;
  const int64_t facts[] = {(int64_t)about.st_size, (int64_t)about.st_mtime};
  return hash(from, facts, sizeof facts);
}

char *cli_code_name(Cli *cli, const CodeFolder *folder, const char *compiler, const char *options, const char *source) {
  uint64_t both[2] = {hash_start, 0};
  both[0] = hash_processor(hash_compiler(hash(both[0], hbg_version(), strlen(hbg_version()) + 1), compiler));
  both[1] = hash(~both[0], options, strlen(options) + 1);
  for (int which = 0; which < 2; which++) both[which] = hash(both[which], source, strlen(source));
  return cli_print(cli, "%s/%016llx%016llx.so", folder->path, (unsigned long long)both[0], (unsigned long long)both[1]);
}

/* ---- the end of a file ---- */

typedef struct Ending {
  char word[8], name[40];
  uint64_t hash; /* of all that stands before */
} Ending;

static const char ending_word[8] = "HBGCODE1";

static void begin_ending(Ending *ending, const char *name) {
  memset(ending, 0, sizeof *ending);
  memcpy(ending->word, ending_word, sizeof ending->word);
  strncpy(ending->name, strrchr(name, '/') + 1, sizeof ending->name - 1);
}

/* Of the first `count` bytes; false when there are fewer. */
static bool hash_file(FILE *file, long count, uint64_t *result) {
  char bytes[4096];
  *result = hash_start;
  rewind(file);
  while (count > 0) {
    const size_t wanted = count < (long)sizeof bytes ? (size_t)count : sizeof bytes;
    if (fread(bytes, 1, wanted, file) != wanted) return false;
    *result = hash(*result, bytes, wanted);
    count -= (long)wanted;
  }
  return true;
}

static long length_of(FILE *file) { return fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1; }

bool cli_code_is_there(const char *name) {
  FILE *file = fopen(name, "rb");
  if (!file) return false;
  Ending expected, found;
  begin_ending(&expected, name);
  const long length = length_of(file) - (long)sizeof found;
  const bool whole = length > 0 && hash_file(file, length, &expected.hash) && fread(&found, sizeof found, 1, file) == 1 &&
                     memcmp(&found, &expected, sizeof found) == 0;
  fclose(file);
  if (!whole) unlink(name);
  else utimensat(AT_FDCWD, name, NULL, 0); // used last now
  return whole;
}

bool cli_code_keep(const char *path, const char *name) {
  FILE *file = fopen(path, "r+b");
  if (!file) return false;
  Ending ending;
  begin_ending(&ending, name);
  const long length = length_of(file);
  bool done = length > 0 && hash_file(file, length, &ending.hash) && fseek(file, 0, SEEK_END) == 0 &&
              fwrite(&ending, sizeof ending, 1, file) == 1;
  done = fclose(file) == 0 && done;
  return done && rename(path, name) == 0;
}

/* ---- its size ---- */

/* The file used longest ago; answers how many bytes there are in all. */
static int64_t survey(Cli *cli, const char *folder, char **oldest, int32_t *count) {
  DIR *directory = opendir(folder);
  int64_t total = 0;
  time_t age = 0;
  *oldest = NULL;
  *count = 0;
  if (!directory) return 0;
  for (const struct dirent *entry; (entry = readdir(directory));) {
    struct stat about;
    if (entry->d_name[0] == '.') continue;
    char *path = cli_print(cli, "%s/%s", folder, entry->d_name);
    if (stat(path, &about) != 0) continue;
    total += about.st_size;
    ++*count;
    if (*oldest && about.st_mtime >= age) continue;
    *oldest = path;
    age = about.st_mtime;
  }
  closedir(directory);
  return total;
}

void cli_code_bound(Cli *cli, const CodeFolder *folder) {
  enum { MOST_FILES = 500, MOST_BYTES = 64 << 20, AT_ONCE = 20 };
  for (int removed = 0; removed < AT_ONCE; removed++) {
    char *oldest;
    int32_t count;
    const int64_t total = survey(cli, folder->path, &oldest, &count);
    if ((total <= MOST_BYTES && count <= MOST_FILES) || !oldest || unlink(oldest) != 0) return;
  }
}

void cli_code_folder_close(CodeFolder *folder) {
  if (!folder || !folder->is_temporary) return;
  DIR *directory = opendir(folder->path);
  if (!directory) return;
  for (const struct dirent *entry; (entry = readdir(directory));)
    if (entry->d_name[0] != '.') unlinkat(dirfd(directory), entry->d_name, 0);
  closedir(directory);
  rmdir(folder->path);
}
