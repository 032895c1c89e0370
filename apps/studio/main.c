/* SPDX-License-Identifier: BSD-3-Clause
 * The program 'hybrsim-studio', which 'hybrsim studio' becomes: starts the server, tells its address, and ends when it is told to. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "documents.h"
#include "events.h"
#include "http.h"
#include "looks.h"

enum { EXIT_DONE = 0, EXIT_USAGE = 2, EXIT_STOPPED = 3, LIBRARIES_MOST = 100 };

typedef struct Arguments {
  const char *target, *assets;
  const char *libraries[LIBRARIES_MOST];
  int32_t library_count;
  unsigned port;
  bool has_no_browser;
} Arguments;

static void complain(const char *sentence) { fprintf(stderr, "hybrsim studio: %s\n", sentence); }

/* ---- the words of the command line ---- */

/* The value of the option `word`, "--word=value" or "--word value"; NULL when the argument is another one. */
static const char *value_of(const char *word, char **arguments, int count, int *at) {
  const size_t length = strlen(word);
  if (strncmp(arguments[*at], word, length) != 0) return NULL;
  if (arguments[*at][length] == '=') return arguments[*at] + length + 1;
  if (arguments[*at][length] != '\0') return NULL;
  if (*at + 1 < count) return arguments[++*at];
  return "";
}

static bool read_port(const char *value, unsigned *port) {
  char *end;
  errno = 0;
  const unsigned long number = strtoul(value, &end, 10);
  if (errno || end == value || *end || number > 65535 || value[0] == '-') return false;
  *port = (unsigned)number;
  return true;
}

static bool read_argument(Arguments *self, char **arguments, int count, int *at) {
  const char *value;
  if ((value = value_of("--port", arguments, count, at))) {
    if (read_port(value, &self->port)) return true;
    complain("--port needs a number from 0 to 65535; 0, the default, takes one that is free");
  } else if ((value = value_of("--assets", arguments, count, at))) {
    self->assets = value;
    return true;
  } else if ((value = value_of("--library", arguments, count, at))) {
    if (self->library_count < LIBRARIES_MOST) self->libraries[self->library_count++] = value;
    return true;
  } else if (!strcmp(arguments[*at], "--no-browser")) {
    return self->has_no_browser = true;
  } else if (arguments[*at][0] == '-') {
    fprintf(stderr, "hybrsim studio: there is no option '%s'; 'hybrsim studio --help' tells all\n", arguments[*at]);
  } else if (self->target) {
    complain("give one folder or one model");
  } else {
    self->target = arguments[*at];
    return true;
  }
  return false;
}

/* Behind a lone `--` nothing is an option. */
static bool read_arguments(Arguments *self, char **arguments, int count) {
  for (int at = 1; at < count; at++) {
    if (strcmp(arguments[at], "--") == 0 && at + 2 == count && !self->target) {
      self->target = arguments[at + 1];
      return true;
    }
    if (!read_argument(self, arguments, count, &at)) return false;
  }
  return true;
}

/* The folders of the environment come behind those of the command line. `storage` keeps them. */
static void read_environment(Arguments *self, char *storage, size_t size) {
  const char *folders = getenv("HYBRSIM_LIBRARY");
  if (!folders || strlen(folders) >= size) return;
  strcpy(storage, folders);
  char *rest = NULL;
  for (char *folder = strtok_r(storage, ":", &rest); folder && self->library_count < LIBRARIES_MOST; folder = strtok_r(NULL, ":", &rest))
    if (access(folder, F_OK) == 0) self->libraries[self->library_count++] = folder;
}

/* ---- the gallery, seen from the program ---- */

static bool is_there(const char *folder, const char *below) {
  char path[PATH_MAX + 40];
  struct stat status;
  snprintf(path, sizeof path, "%s/%s", folder, below);
  return stat(path, &status) == 0;
}

/* PREFIX/bin -> PREFIX/share/hybrsim/models; a build folder below the source -> its models. From malloc(), or NULL. */
static char *find_gallery(void) {
  char place[PATH_MAX], *models = NULL;
  const ssize_t length = readlink("/proc/self/exe", place, sizeof place - 1);
  if (length <= 0) return NULL;
  place[length] = '\0';
  for (char *slash = strrchr(place, '/'); slash && slash != place && !models; slash = strrchr(place, '/')) {
    *slash = '\0';
    const char *below = is_there(place, "share/hybrsim/models") ? "share/hybrsim/models"
                        : is_there(place, "models/README.md") && is_there(place, "include/hybrsim/hybrsim.h") ? "models" : NULL;
    if (below && asprintf(&models, "%s/%s", place, below) < 0) return NULL;
  }
  return models;
}

/* ---- serving ---- */

static void open_browser(const char *address) {
  extern char **environ;
  if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) return;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none;
  char opener[] = "xdg-open";
  char *words[] = {opener, strdup(address), NULL};
  pid_t child;
  sigemptyset(&none);
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  for (int file = 0; file < 3; file++) posix_spawn_file_actions_addopen(&actions, file, "/dev/null", O_RDWR, 0);
  posix_spawnp(&child, opener, &actions, &attributes, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  free(words[1]);
}

/* Signals reach this thread alone, when it waits for them. */
static void hold_signals(sigset_t *signals) {
  sigemptyset(signals);
  sigaddset(signals, SIGINT);
  sigaddset(signals, SIGTERM);
  sigaddset(signals, SIGHUP);
  pthread_sigmask(SIG_BLOCK, signals, NULL);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGCHLD, SIG_IGN); // a browser that ends leaves nothing behind
}

static int serve(Studio *studio, const Arguments *arguments, const char *assets, const sigset_t *signals) {
  char message[600], address[100];
  const StudioHttpOptions options = {.port = arguments->port, .assets = assets};
  StudioHttp *http = studio_http_start(studio, &options, message, sizeof message);
  if (!http) {
    complain(message);
    return EXIT_STOPPED;
  }
  snprintf(address, sizeof address, "http://127.0.0.1:%u/#%s", studio_http_port(http), studio_http_token(http));
  printf("HyBrSim Studio: %s\n", address);
  fflush(stdout);
  if (!arguments->has_no_browser) open_browser(address);
  int signal_number;
  sigwait(signals, &signal_number);
  studio_http_stop(http);
  return EXIT_DONE;
}

/* Opens what the server works on, serves, and puts it away. */
static int work(const Arguments *arguments, StudioFolder *folder, const char *assets) {
  sigset_t signals;
  hold_signals(&signals);
  Studio studio = {.folder = folder, .documents = studio_documents_create(), .events = studio_events_create(), .looks = studio_looks_create()};
  studio.runs = studio_runs_create(&studio);
  StudioKeeper *keeper = NULL;
  int status = EXIT_STOPPED;
  if (studio.documents && studio.events && studio.looks && studio.runs && (keeper = studio_keeper_create(&studio)))
    status = serve(&studio, arguments, assets, &signals);
  else complain("there is no memory");
  studio_runs_free(studio.runs);
  studio_keeper_free(keeper);
  studio_looks_free(studio.looks);
  studio_documents_free(studio.documents);
  studio_events_free(studio.events);
  return status;
}

static StudioFolder *open_folder(const Arguments *arguments) {
  char message[600];
  char *gallery = find_gallery();
  const StudioFolderOptions options = {.target = arguments->target, .gallery = gallery, .libraries = arguments->libraries,
                                       .library_count = arguments->library_count};
  StudioFolder *folder = studio_folder_open(&options, message, sizeof message);
  if (!folder) complain(message);
  free(gallery);
  return folder;
}

int main(int count, char **words) {
  Arguments arguments = {0};
  char environment[16384];
  if (!read_arguments(&arguments, words, count)) return EXIT_USAGE;
  read_environment(&arguments, environment, sizeof environment);
  char *assets = arguments.assets ? realpath(arguments.assets, NULL) : NULL;
  if (arguments.assets && !assets) {
    complain("there is no such folder of --assets");
    return EXIT_USAGE;
  }
  json_object_seed(0);
  StudioFolder *folder = open_folder(&arguments);
  const int status = folder ? work(&arguments, folder, assets) : EXIT_USAGE;
  studio_folder_free(folder);
  free(assets);
  return status;
}
