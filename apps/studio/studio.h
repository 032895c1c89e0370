/* SPDX-License-Identifier: BSD-3-Clause
 * The studio's server from within: what its parts share, and how a request is answered.
 *
 * A request `POST /api/NAME` is one row of requests.def and one function, its handler. Handlers are called on several threads at once, also for
 * one document: what they share has locks of its own. PROTOCOL.md and page/src/protocol.ts say what is asked and answered. */
#ifndef STUDIO_STUDIO_H
#define STUDIO_STUDIO_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hybrsim/hybrsim.h"

typedef struct StudioFolder StudioFolder;       // folder.h: the files that may be read and written
typedef struct StudioDocuments StudioDocuments; // documents.h: the texts that are open
typedef struct StudioEvents StudioEvents;       // events.h: who listens
typedef struct StudioRuns StudioRuns;           // runs.h: the runs and their rows
typedef struct StudioLooks StudioLooks;         // looks.h: what texts mean, kept as long as they do not change

typedef struct Studio {
  StudioFolder *folder;
  StudioDocuments *documents;
  StudioEvents *events;
  StudioRuns *runs;
  StudioLooks *looks;
} Studio;

/* ---- answers (reply.c) ---- */

/* What goes out when the answer is no JSON object. Zeroed before the handler is called. */
typedef struct StudioReply {
  unsigned status;     // of HTTP; 0: 200
  json_t *error;       // {error, cure}, when studio_fail() was called
  const char *type;    // of `bytes`: a constant, "image/svg+xml"
  void *bytes;         // from malloc(); the server frees them
  size_t size;
} StudioReply;

/* Answers one request, a JSON object: with a new reference to an object (`reply` is left alone), or with NULL after studio_fail() or
 * studio_answer_bytes(). */
typedef json_t *StudioHandler(Studio *studio, const json_t *request, StudioReply *reply);

/* Tells the caller's mistake: `status` is 400, 404, 409, 413, 429, 500 or 501, `cure` a sentence or NULL, the rest as printf() takes it, one sentence. Always NULL,
 * so that `return studio_fail(...)` ends a handler. The first failure counts. */
json_t *studio_fail(StudioReply *reply, unsigned status, const char *cure, const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Out of memory: 500. Always NULL. */
json_t *studio_fail_memory(StudioReply *reply);
/* Answers with `size` bytes from malloc(), which belong to the reply from now on; `type` is a constant. Always NULL. */
json_t *studio_answer_bytes(StudioReply *reply, const char *type, void *bytes, size_t size);

/* ---- members of a request (reply.c) ----
 * Each reads the member `name` into `*value` and answers true. A member that is missing (or null) is an error when `needed`; else `*value` stays what
 * it was, which is how defaults are given. A member of another type, or out of range, is always an error: false, after studio_fail(). What is read
 * lives as long as the request. No text of a request has a NUL in it. */

bool studio_read_text(const json_t *request, const char *name, bool needed, const char **value, StudioReply *reply);
bool studio_read_number(const json_t *request, const char *name, bool needed, double *value, StudioReply *reply);
/* A whole number from `least` to `most`. */
bool studio_read_integer(const json_t *request, const char *name, bool needed, int64_t least, int64_t most, int64_t *value, StudioReply *reply);
bool studio_read_flag(const json_t *request, const char *name, bool needed, bool *value, StudioReply *reply);
/* An array of at most `most` members: to be read with json_array_get(). */
bool studio_read_array(const json_t *request, const char *name, bool needed, size_t most, const json_t **value, StudioReply *reply);
/* Member `index` of an array of texts, objects: `name` is that of the array, for the message. */
bool studio_read_text_at(const json_t *array, size_t index, const char *name, const char **value, StudioReply *reply);
bool studio_read_object_at(const json_t *array, size_t index, const char *name, const json_t **value, StudioReply *reply);

/* A text of the library, which may have bytes that are no UTF-8, as JSON; "" for NULL. A new reference. */
json_t *studio_json_text(const char *text);
/* A number as JSON: null where it is not finite. A new reference. */
json_t *studio_json_number(double value);

/* ---- texts of documents (documents.c) ---- */

/* A copy of a document's text as it was at one moment, and how the library reads it: `options` name it and read files from nowhere but
 * the opened folder and the library of submodels, in which what is typed and not yet saved counts. Options borrow from this and from the studio,
 * and what is loaded with them does, too: release it behind that. They are for one thread at a time. */
typedef struct StudioReader StudioReader;
typedef struct StudioText {
  char *path;      // as the request had it, below the folder; or "library:NAME"
  char *text;      // UTF-8, with a NUL behind
  size_t length;   // [bytes]
  int64_t version;
  HbgModelOptions options;
  char *name;      // what options.name points to
  StudioReader *reader; // what options.user points to
} StudioText;

/* Reads the members `path` and `version` of a request and takes the text, opening the document if need be. False after studio_fail(): no such file (404), or the
 * document has another version (409). */
bool studio_text_take(Studio *studio, const json_t *request, StudioText *text, StudioReply *reply);
/* The same by path, of whatever version it has. */
bool studio_text_take_latest(Studio *studio, const char *path, StudioText *text, StudioReply *reply);
/* Zeroes it; fine for a zeroed one. */
void studio_text_release(StudioText *text);

/* ---- server-sent events (events.c) ---- */

/* Sends an event to every page that listens, from any thread: an object with the member `event`. Takes over the reference. Never blocks on
 * the network; who does not read in time is cut off and comes again. Not to be called for more than some ten events a second for one run. */
void studio_tell(Studio *studio, json_t *event);

/* ---- runs (runs.h, run*.c) ---- */

StudioRuns *studio_runs_create(Studio *studio); // NULL: no memory
/* Cancels what is at work, waits for its threads, frees all. NULL is fine. The daemon is stopped before, so nobody asks any more. */
void studio_runs_free(StudioRuns *runs);
/* A run of the library for a picture, standing at row `row` of the run `name`; to be given back after drawing. NULL after studio_fail(): there is no such run or row. */
typedef struct StudioRunAtRow {
  HbgRun *run;
  void *holder; // whatever the runs need to give it back
} StudioRunAtRow;
bool studio_run_take_at_row(Studio *studio, const char *name, int64_t row, StudioRunAtRow *out, StudioReply *reply);
void studio_run_release_at_row(Studio *studio, StudioRunAtRow *at);

/* ---- every request ---- */

#define REQUEST(name, handler) StudioHandler handler;
#include "requests.def"
#undef REQUEST

#endif
