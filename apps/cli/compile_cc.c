/* SPDX-License-Identifier: BSD-3-Clause
 * The system's compiler at work beside the run: $CC, else cc. */
#define _XOPEN_SOURCE 700
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "code_folder.h"

extern char **environ;

/* No fused operations, none reordered: results are those of byte code. That errors of functions are not noted in errno, and that
 * comparisons raise no signals, changes no number. */
#define OPTIONS                                                                                                     \
  "-O3", "-march=native", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-shared", "-fPIC", "-nostdlib", "-w", "-pipe"
static const char options_text[] =
    "-O3 -march=native -ffp-contract=off -fno-math-errno -fno-trapping-math -shared -fPIC -nostdlib -w -pipe";

struct CcUnit {
  char *name;           /* of the code that is to be */
  char *text, *product; /* files of the process; NULL: removed */
  pid_t process;        /* 0: none at work */
  void *library;
  bool failed;
  Cli *cli;
  CodeFolder *folder;
};

static bool is_program(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, X_OK) == 0;
}

const char *cli_cc_find(Cli *cli) {
  const char *name = getenv("CC"), *folders = getenv("PATH");
  if (!name || !*name || strpbrk(name, " \t")) name = "cc";
  if (strchr(name, '/')) return is_program(name) ? name : NULL;
  while (folders && *folders) {
    const size_t length = strcspn(folders, ":");
    const char *path = cli_print(cli, "%.*s/%s", (int)length, folders, name);
    if (length && is_program(path)) return path;
    folders += length + (folders[length] == ':');
  }
  return NULL;
}

/* ---- the process ---- */

static void clean_up(CcUnit *unit) {
  if (unit->text) unlink(unit->text);
  if (unit->product) unlink(unit->product);
  unit->text = unit->product = NULL;
}

static bool write_text(const char *path, const char *text) {
  FILE *file = fopen(path, "wx");
  if (!file) return false;
  const bool written = fputs(text, file) >= 0;
  return fclose(file) == 0 && written;
}

static bool start(CcUnit *unit, const char *compiler) {
  char *const arguments[] = {(char *)(uintptr_t)compiler, OPTIONS, "-o", unit->product, "-x", "c", unit->text, NULL};
  posix_spawn_file_actions_t files;
  posix_spawnattr_t manner;
  if (posix_spawn_file_actions_init(&files) != 0) return false;
  if (posix_spawnattr_init(&manner) != 0) {
    posix_spawn_file_actions_destroy(&files);
    return false;
  }
  // a group of its own, to be stopped together: compilers start others, which would go on and leave files behind
  int refused = posix_spawnattr_setflags(&manner, POSIX_SPAWN_SETPGROUP) | posix_spawnattr_setpgroup(&manner, 0);
  for (int file = 0; file < 3; file++)
    refused |= posix_spawn_file_actions_addopen(&files, file, "/dev/null", file ? O_WRONLY : O_RDONLY, 0);
  const bool started = !refused && posix_spawn(&unit->process, compiler, &files, &manner, arguments, environ) == 0;
  posix_spawnattr_destroy(&manner);
  posix_spawn_file_actions_destroy(&files);
  if (!started) unit->process = 0;
  return started;
}

static bool begin(CcUnit *unit, const char *compiler, const char *source) {
  Cli *cli = unit->cli;
  static int32_t number; // of the files of this process
  unit->text = cli_print(cli, "%s/%ld-%d.c", unit->folder->path, (long)getpid(), ++number);
  unit->product = cli_print(cli, "%s/%ld-%d.tmp", unit->folder->path, (long)getpid(), number);
  return write_text(unit->text, source) && start(unit, compiler);
}

CcUnit *cli_cc_begin(Cli *cli, CodeFolder *folder, const char *source) {
  CcUnit *unit = CLI_NEW(cli, CcUnit, 1);
  const char *compiler = cli_cc_find(cli);
  unit->cli = cli;
  unit->folder = folder;
  unit->failed = !compiler || !folder;
  if (unit->failed) return unit;
  unit->name = cli_code_name(cli, folder, compiler, options_text, source);
  if (!cli_code_is_there(unit->name)) unit->failed = !begin(unit, compiler, source);
  if (unit->failed) clean_up(unit);
  return unit;
}

/* ---- the code ---- */

/* True once the process has done its work. */
static bool is_done(CcUnit *unit) {
  int status = 0;
  if (!unit->process) return true;
  const pid_t ended = waitpid(unit->process, &status, WNOHANG);
  if (!ended) return false;
  unit->process = 0;
  unit->failed = ended < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0 || !cli_code_keep(unit->product, unit->name);
  clean_up(unit);
  if (!unit->failed) cli_code_bound(unit->cli, unit->folder);
  return true;
}

HbgCode *cli_cc_code(CcUnit *unit, bool *failed) {
  HbgCode *code = NULL;
  if (!unit->failed && !unit->library && is_done(unit) && !unit->failed) {
    unit->library = dlopen(unit->name, RTLD_NOW | RTLD_LOCAL);
    unit->failed = !unit->library;
  }
  void *symbol = unit->library ? dlsym(unit->library, "hbg_rates") : NULL;
  if (unit->library && !symbol) unit->failed = true;
  memcpy(&code, &symbol, sizeof code);
  *failed = unit->failed;
  return code;
}

void cli_cc_free(CcUnit *unit) {
  if (!unit) return;
  if (unit->process && kill(-unit->process, SIGTERM) == 0) waitpid(unit->process, NULL, 0);
  unit->process = 0;
  clean_up(unit);
  if (unit->library) dlclose(unit->library);
}
