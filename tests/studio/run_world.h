/* SPDX-License-Identifier: BSD-3-Clause
 * The runs of the studio without a network and without documents: requests are handed to their handlers, texts come from the test, and what would go to the pages is counted. */
#ifndef TESTS_STUDIO_RUN_WORLD_H
#define TESTS_STUDIO_RUN_WORLD_H

#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runs.h"
#include "support/check.h"

static const char *world_text;  // of the one document there is
static pthread_mutex_t world_lock = PTHREAD_MUTEX_INITIALIZER;
static int world_told;  // events

bool studio_text_take(Studio *studio, const json_t *request, StudioText *text, StudioReply *reply) {
  const char *path;
  if (!studio_read_text(request, "path", true, &path, reply)) return false;
  return studio_text_take_latest(studio, path, text, reply);
}

bool studio_text_take_latest(Studio *studio, const char *path, StudioText *text, StudioReply *reply) {
  (void)studio;
  (void)reply;
  *text = (StudioText){
      .path = strdup(path), .text = strdup(world_text), .length = strlen(world_text), .options = hbg_model_options()};
  text->options.name = text->path;
  return true;
}

void studio_text_release(StudioText *text) {
  free(text->path);
  free(text->text);
  *text = (StudioText){0};
}

void studio_tell(Studio *studio, json_t *event) {
  (void)studio;
  pthread_mutex_lock(&world_lock);
  world_told++;
  pthread_mutex_unlock(&world_lock);
  json_decref(event);
}

/* ---- a world ---- */

static inline Studio *world(void) {
  Studio *studio = calloc(1, sizeof *studio);
  assert_non_null(studio);
  studio->runs = studio_runs_create(studio);
  assert_non_null(studio->runs);
  world_told = 0;
  return studio;
}

static inline void world_end(Studio *studio) {
  studio_runs_free(studio->runs);
  free(studio);
}

/* Asks, and takes over the request. NULL, with what was said in `*said` (room for 400), when it was refused. */
static inline json_t *try_ask(Studio *studio, StudioHandler *handler, json_t *request, char *said) {
  StudioReply reply = {0};
  assert_non_null(request);
  json_t *answer = handler(studio, request, &reply);
  json_decref(request);
  said[0] = '\0';
  if (reply.error) snprintf(said, 400, "%u %s", reply.status, json_string_value(json_object_get(reply.error, "error")));
  json_decref(reply.error);
  free(reply.bytes);
  return answer;
}

static inline json_t *ask(Studio *studio, StudioHandler *handler, json_t *request) {
  char said[400];
  json_t *answer = try_ask(studio, handler, request, said);
  if (!answer) fail_msg("%s", said);
  return answer;
}

static inline void refused(Studio *studio, StudioHandler *handler, json_t *request, const char *part) {
  char said[400];
  json_t *answer = try_ask(studio, handler, request, said);
  assert_null(answer);
  if (!strstr(said, part)) fail_msg("'%s' was said instead of '%s'", said, part);
}

/* The bytes of an answer, from malloc(). */
static inline void *ask_bytes(Studio *studio, StudioHandler *handler, json_t *request, size_t *size) {
  StudioReply reply = {0};
  assert_null(handler(studio, request, &reply));
  json_decref(request);
  if (reply.error) fail_msg("%s", json_string_value(json_object_get(reply.error, "error")));
  *size = reply.size;
  return reply.bytes;
}

static inline const char *text_of(const json_t *object, const char *member) {
  return json_string_value(json_object_get(object, member));
}
static inline double number_of(const json_t *object, const char *member) {
  return json_number_value(json_object_get(object, member));
}
static inline int64_t integer_of(const json_t *object, const char *member) {
  return json_integer_value(json_object_get(object, member));
}

/* ---- runs ---- */

/* Begins a run of `text` with more members of the request as json_pack() makes an object of them (taken over; NULL: none); its name in `name` (room for 32). */
static inline void begin_run(Studio *studio, const char *text, json_t *more, char *name) {
  world_text = text;
  json_t *request = json_pack("{s:s, s:i}", "path", "model.hbg", "version", 0);
  if (more) json_object_update(request, more);
  json_decref(more);
  json_t *answer = ask(studio, studio_run, request);
  snprintf(name, 32, "%s", text_of(answer, "run"));
  json_decref(answer);
}

static inline json_t *of_run(const char *name) { return json_pack("{s:s}", "run", name); }

static inline void order(Studio *studio, const char *name, const char *command) {
  json_decref(ask(studio, studio_command, json_pack("{s:s, s:s}", "run", name, "command", command)));
}

static inline void state_of(Studio *studio, const char *name, char *state) {
  json_t *info = ask(studio, studio_run_info, of_run(name));
  snprintf(state, 32, "%s", text_of(info, "state"));
  json_decref(info);
}

/* Waits until the run is in a state; a minute at most. */
static inline void await(Studio *studio, const char *name, const char *wanted) {
  char state[32] = "";
  for (int at = 0; at < 60000; at++) {
    state_of(studio, name, state);
    if (!strcmp(state, wanted)) return;
    if (strcmp(state, "running") && strcmp(state, "paused")) break;
    nanosleep(&(struct timespec){0, 1000000}, NULL);
  }
  json_t *info = ask(studio, studio_run_info, of_run(name));
  fail_msg("the run is %s: %s", state, text_of(info, "failure"));
}

static inline char *read_whole(const char *path) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  char *text = calloc(1, 100000);
  assert_non_null(text);
  assert_true(fread(text, 1, 99999, file) > 0);
  fclose(file);
  return text;
}

#endif
