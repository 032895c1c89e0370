/* SPDX-License-Identifier: BSD-3-Clause
 * See folder.h. */
#define _GNU_SOURCE
#include "folder.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define GALLERY "gallery:"
#define LIBRARY "library:"
#define BUILT_IN "(built in)/" // how the library calls files of its own
#define ENDING ".hbg"
enum { PATH_MOST = 1000 };

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

static bool ends(const char *text, const char *with) {
  const size_t length = strlen(text), size = strlen(with);
  return length > size && strcmp(text + length - size, with) == 0;
}

/* ---- opening ---- */

static bool is_folder(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool is_file(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static bool take_target(StudioFolder *folder, const char *target, char *message, size_t size) {
  char *real = realpath(target, NULL);
  if (!real) {
    snprintf(message, size, "there is no folder or model '%s': %s", target, strerror(errno));
    return false;
  }
  if (is_folder(real)) {
    folder->root = real;
    return true;
  }
  char *slash = strrchr(real, '/');
  if (!is_file(real) || !ends(real, ENDING) || slash[1] == '.') {
    snprintf(message, size, "'%s' is neither a folder nor a model; models end in " ENDING, target);
    free(real);
    return false;
  }
  folder->opened = strdup(slash + 1);
  folder->root = slash == real ? strdup("/") : strndup(real, (size_t)(slash - real));
  free(real);
  return true;
}

static bool take_libraries(StudioFolder *folder, const StudioFolderOptions *options, char *message, size_t size) {
  folder->libraries = calloc((size_t)options->library_count + 1, sizeof *folder->libraries);
  for (int32_t i = 0; folder->libraries && i < options->library_count; i++) {
    char *real = realpath(options->libraries[i], NULL);
    if (!real || !is_folder(real)) {
      snprintf(message, size, "there is no folder '%s' to look for imported files in", options->libraries[i]);
      free(real);
      return false;
    }
    folder->libraries[folder->library_count++] = real;
  }
  return folder->libraries != NULL;
}

StudioFolder *studio_folder_open(const StudioFolderOptions *options, char *message, size_t size) {
  snprintf(message, size, "there is no memory");
  StudioFolder *folder = calloc(1, sizeof *folder);
  if (!folder) return NULL;
  folder->is_gallery = !options->target;
  if (!take_target(folder, options->target ? options->target : ".", message, size) || !take_libraries(folder, options, message, size)) {
    studio_folder_free(folder);
    return NULL;
  }
  if (options->gallery) folder->gallery = realpath(options->gallery, NULL);
  if (!folder->opened) folder->opened = strdup("");
  const char *slash = strrchr(folder->root, '/');
  folder->name = strdup(folder->is_gallery ? "Gallery" : slash && slash[1] ? slash + 1 : folder->root);
  if (folder->opened && folder->name) return folder;
  studio_folder_free(folder);
  return NULL;
}

void studio_folder_free(StudioFolder *folder) {
  if (!folder) return;
  for (int32_t i = 0; i < folder->library_count; i++) free(folder->libraries[i]);
  free(folder->libraries);
  free(folder->root);
  free(folder->name);
  free(folder->gallery);
  free(folder->opened);
  free(folder);
}

/* ---- paths ---- */

/* Is this a name, not hidden, and none that leads up? */
static bool is_name(const char *begin, size_t length) {
  if (!length || begin[0] == '.' || length > 200) return false;
  for (size_t i = 0; i < length; i++)
    if ((unsigned char)begin[i] < 0x20 || begin[i] == 0x7f || begin[i] == '\\') return false;
  return true;
}

static bool is_path(const char *path) {
  if (strlen(path) > PATH_MOST) return false;
  for (;;) {
    const size_t length = strcspn(path, "/");
    if (!is_name(path, length)) return false;
    if (!path[length]) return true;
    path += length + 1;
  }
}

/* Does the real path lie below the real folder? */
static bool lies_below(const char *folder, const char *path) {
  if (!folder) return false;
  const size_t length = strlen(folder);
  if (strcmp(folder, "/") == 0) return path[0] == '/';
  return strncmp(folder, path, length) == 0 && path[length] == '/';
}

/* The real path of a file that need not be there, in a folder that must. From malloc(). */
static char *real_path(const char *folder, const char *path, bool *exists) {
  char *whole = NULL;
  if (asprintf(&whole, "%s/%s", folder, path) < 0) return NULL;
  char *real = realpath(whole, NULL);
  *exists = real != NULL;
  struct stat status;
  if (!real && errno == ENOENT && lstat(whole, &status) < 0) { // no link that leads nowhere
    char *slash = strrchr(whole, '/');
    *slash = '\0';
    char *above = realpath(whole, NULL);
    if (above && asprintf(&real, "%s/%s", strcmp(above, "/") == 0 ? "" : above, slash + 1) < 0) real = NULL;
    free(above);
  }
  free(whole);
  return real;
}

static bool find_below(const char *folder, const char *path, bool may_be_new, StudioPlace *place, StudioReply *reply) {
  char *real = real_path(folder, path, &place->exists);
  if (!real || (!place->exists && !may_be_new)) {
    free(real);
    studio_fail(reply, 404, "It may have been moved or deleted; look into the list of models.", "There is no file '%s'.", path);
    return false;
  }
  if (!lies_below(folder, real)) {
    free(real);
    studio_fail(reply, 403, "Open the folder in which it lies with 'hybrsim studio FOLDER'.", "'%s' lies outside of the opened folder.", path);
    return false;
  }
  if (place->exists && !is_file(real)) {
    free(real);
    studio_fail(reply, 400, NULL, "'%s' is no file.", path);
    return false;
  }
  place->absolute = real;
  return true;
}

static bool find_built_in(const char *name, StudioPlace *place) {
  for (int32_t i = 0; i < hbg_library_count(); i++) {
    if (strcmp(hbg_library_name(i), name) != 0) continue;
    place->built_in = hbg_library_text(i);
    place->built_in_length = strlen(place->built_in);
    place->exists = true;
    return true;
  }
  return false;
}

static bool find_library(const StudioFolder *folder, const char *name, StudioPlace *place, StudioReply *reply) {
  for (int32_t i = 0; i < folder->library_count; i++) {
    StudioReply ignored = {0};
    const bool is_found = find_below(folder->libraries[i], name, false, place, &ignored);
    json_decref(ignored.error);
    if (is_found) return true;
    *place = (StudioPlace){.is_read_only = true};
  }
  if (find_built_in(name, place)) return true;
  studio_fail(reply, 404, NULL, "There is no file '%s' in the library.", name);
  return false;
}

bool studio_folder_find(const StudioFolder *folder, const char *path, bool may_be_new, StudioPlace *place, StudioReply *reply) {
  *place = (StudioPlace){0};
  const char *prefix = begins(path, GALLERY) ? GALLERY : begins(path, LIBRARY) ? LIBRARY : "";
  const char *rest = path + strlen(prefix);
  if (!is_path(rest)) {
    studio_fail(reply, 403, "Paths lie below the opened folder: names and '/', no '..', nothing hidden.", "'%.200s' is no path of this folder.", path);
    return false;
  }
  if (!ends(rest, ENDING)) {
    studio_fail(reply, 400, "Give it a name that ends in " ENDING ".", "'%.200s' is not the name of a model.", path);
    return false;
  }
  place->is_read_only = *prefix != '\0';
  if (!strcmp(prefix, LIBRARY)) return find_library(folder, rest, place, reply);
  if (strcmp(prefix, GALLERY) != 0) return find_below(folder->root, rest, may_be_new, place, reply);
  if (folder->gallery) return find_below(folder->gallery, rest, false, place, reply);
  studio_fail(reply, 404, "Install HyBrSim as a whole.", "The gallery of models was not found beside the program.");
  return false;
}

void studio_place_free(StudioPlace *place) {
  free(place->absolute);
  *place = (StudioPlace){0};
}

static char *joined(const char *prefix, const char *rest) {
  char *path;
  return asprintf(&path, "%s%s", prefix, rest) < 0 ? NULL : path;
}

static const char *rest_below(const char *folder, const char *real) { return real + (strcmp(folder, "/") == 0 ? 1 : strlen(folder) + 1); }

static char *path_of_real(const StudioFolder *folder, const char *real) {
  if (lies_below(folder->root, real) && is_path(rest_below(folder->root, real))) return strdup(rest_below(folder->root, real));
  if (lies_below(folder->gallery, real)) return joined(GALLERY, rest_below(folder->gallery, real));
  for (int32_t i = 0; i < folder->library_count; i++)
    if (lies_below(folder->libraries[i], real)) return joined(LIBRARY, rest_below(folder->libraries[i], real));
  return NULL;
}

char *studio_folder_path_of(const StudioFolder *folder, const char *file) {
  if (begins(file, BUILT_IN)) return joined(LIBRARY, file + strlen(BUILT_IN));
  char *real = realpath(file, NULL);
  char *path = real ? path_of_real(folder, real) : NULL;
  free(real);
  return path;
}

bool studio_folder_holds(const StudioFolder *folder, const char *absolute) {
  char *path = path_of_real(folder, absolute);
  free(path);
  return path != NULL;
}
