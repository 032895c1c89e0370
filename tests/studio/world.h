/* SPDX-License-Identifier: BSD-3-Clause
 * A folder of its own for one test, and the studio upon it without a network. Not for pages: nobody listens. */
#ifndef TESTS_STUDIO_WORLD_H
#define TESTS_STUDIO_WORLD_H

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "documents.h"
#include "events.h"
#include "looks.h"
#include "support/check.h"
#include "support/command.h"

typedef struct World {
  char folder[64];
  Studio studio;
} World;

static inline void world_write(const char *folder, const char *name, const char *text) {
  char path[300];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static inline char *world_read(const char *folder, const char *name) {
  char path[300];
  size_t size = 0;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return studio_file_read(path, 1 << 20, &size);
}

/* Opens the studio on a folder that is there. */
static inline void world_open(World *world) {
  char message[200];
  const StudioFolderOptions options = {.target = world->folder};
  world->studio = (Studio){.folder = studio_folder_open(&options, message, sizeof message), .documents = studio_documents_create(),
                           .events = studio_events_create(), .looks = studio_looks_create()};
  assert_non_null(world->studio.folder);
}

static inline void world_close(World *world) {
  studio_looks_free(world->studio.looks);
  studio_documents_free(world->studio.documents);
  studio_events_free(world->studio.events);
  studio_folder_free(world->studio.folder);
}

static inline void world_begin(World *world) {
  strcpy(world->folder, "/tmp/hybrsim-studio-XXXXXX");
  assert_non_null(mkdtemp(world->folder));
  world_open(world);
}

static inline void world_end(World *world) {
  char command[100];
  world_close(world);
  snprintf(command, sizeof command, "rm -rf %s", world->folder);
  assert_int_equal(system(command), 0);
}

/* Asks with a request in JSON. The answer, or {status, error}; to be released. */
static inline json_t *world_ask(World *world, StudioHandler *handler, const char *request) {
  json_t *json = json_loads(request, 0, NULL);
  assert_non_null(json);
  StudioReply reply = {0};
  json_t *answer = handler(&world->studio, json, &reply);
  json_decref(json);
  if (reply.error) json_object_set_new(reply.error, "status", json_integer(reply.status));
  if (reply.bytes && !strcmp(reply.type, "application/json")) {
    answer = json_loadb(reply.bytes, reply.size, 0, NULL);
    free(reply.bytes);
  } else if (reply.bytes) {
    answer = json_pack("{s:s, s:s%}", "type", reply.type, "bytes", reply.bytes, reply.size);
    free(reply.bytes);
  }
  assert_true(answer || reply.error);
  return answer ? answer : reply.error;
}

static inline int64_t number_in(const json_t *json, const char *name) { return json_integer_value(json_object_get(json, name)); }
static inline const char *text_in(const json_t *json, const char *name) {
  const char *text = json_string_value(json_object_get(json, name));
  return text ? text : "";
}
static inline bool flag_in(const json_t *json, const char *name) { return json_is_true(json_object_get(json, name)); }

/* Asks, and compares the status of the refusal (0: an answer). */
static inline void world_check_status(World *world, StudioHandler *handler, const char *request, int64_t status) {
  json_t *answer = world_ask(world, handler, request);
  if (number_in(answer, "status") != status) print_error("%s: %s\n", request, text_in(answer, "error"));
  assert_int_equal(number_in(answer, "status"), status);
  json_decref(answer);
}

#endif
