/* SPDX-License-Identifier: BSD-3-Clause
 * Messages: "Content-Length: N", an empty line, and N bytes of JSON. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "lsp.h"

enum { CHUNK = 64 * 1024, LONGEST_HEADER = 8 * 1024 };
#define LONGEST_MESSAGE ((size_t)1 << 30)

/* -- writing ------------------------------------------------------------------------------------------------------ */

static void send_message(json_t *message) {
  char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;
  if (text) {
    printf("Content-Length: %zu\r\n\r\n%s", strlen(text), text);
    fflush(stdout);
  }
  free(text);
  json_decref(message);
}

json_t *lsp_refuse(LspServer *server, int code, const char *message) {
  server->error_code = code;
  server->error = message;
  return NULL;
}

void lsp_answer(LspServer *server, const json_t *id, json_t *result) {
  json_t *own_id = id ? json_deep_copy(id) : json_null();
  if (server->error_code) {
    json_decref(result);
    send_message(json_pack("{s:s, s:o, s:{s:i, s:s}}", "jsonrpc", "2.0", "id", own_id, "error", "code", server->error_code,
                           "message", server->error));
  } else {
    send_message(json_pack("{s:s, s:o, s:o}", "jsonrpc", "2.0", "id", own_id, "result", result ? result : json_null()));
  }
}

void lsp_notify(LspServer *server, const char *method, json_t *params) {
  (void)server;
  send_message(json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method", method, "params", params));
}

/* -- reading ------------------------------------------------------------------------------------------------------ */

static bool has_input(void) {
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  return poll(&input, 1, 0) > 0;
}

/* Reads what there is, at least one byte; false at the end. */
static bool fill(LspStream *stream) {
  if (stream->length + CHUNK > stream->capacity) {
    const size_t capacity = stream->capacity * 2 + CHUNK;
    char *bytes = realloc(stream->bytes, capacity);
    if (!bytes) return false;
    stream->bytes = bytes;
    stream->capacity = capacity;
  }
  ssize_t count;
  do count = read(STDIN_FILENO, stream->bytes + stream->length, CHUNK);
  while (count < 0 && errno == EINTR);
  if (count <= 0) stream->has_ended = true;
  else stream->length += (size_t)count;
  return count > 0;
}

static void drop(LspStream *stream, size_t count) {
  memmove(stream->bytes, stream->bytes + count, stream->length - count);
  stream->length -= count;
}

/* Where the header ends, behind its empty line; 0 when it is not complete. Lines may end without a carriage return. */
static size_t header_length(const LspStream *stream) {
  for (size_t at = 0; at + 1 < stream->length; at++) {
    if (stream->bytes[at] != '\n') continue;
    if (stream->bytes[at + 1] == '\n') return at + 2;
    if (stream->bytes[at + 1] == '\r' && at + 2 < stream->length && stream->bytes[at + 2] == '\n') return at + 3;
  }
  return 0;
}

/* What the header says of the length; false when it says nothing, or nonsense. */
static bool content_length(const LspStream *stream, size_t header, size_t *length) {
  static const char name[] = "content-length:";
  for (size_t at = 0; at + sizeof name < header;) {
    const char *line = stream->bytes + at;
    const char *end = memchr(line, '\n', header - at);
    if (strncasecmp(line, name, sizeof name - 1) == 0) {
      char *stop;
      const unsigned long long number = strtoull(line + sizeof name - 1, &stop, 10);
      *length = (size_t)number;
      return stop > line + sizeof name - 1 && stop <= end && number <= LONGEST_MESSAGE;
    }
    at += (size_t)(end - line) + 1;
  }
  return false;
}

/* What is no message takes its turn as a text that says so. */
static void queue_message(LspServer *server, json_t *message, const char *otherwise) {
  if (!server->stream.queue) server->stream.queue = json_array();
  if (json_is_object(message)) {
    json_array_append_new(server->stream.queue, message);
    return;
  }
  json_decref(message);
  json_array_append_new(server->stream.queue, json_string(otherwise));
}

/* Takes one message out of the bytes that were read; false when there is none, or not all of it. */
static bool cut_message(LspServer *server) {
  LspStream *stream = &server->stream;
  size_t length = 0;
  const size_t header = header_length(stream);
  if (!header && stream->length > LONGEST_HEADER) {
    queue_message(server, NULL, "this is no header of a message");
    drop(stream, stream->length);
  }
  if (!header) return false;
  if (!content_length(stream, header, &length)) {
    drop(stream, header);
    queue_message(server, NULL, "a header tells the Content-Length");
    return true;
  }
  if (stream->length < header + length) return false;
  json_t *message = json_loadb(stream->bytes + header, length, JSON_ALLOW_NUL, NULL);
  drop(stream, header + length);
  queue_message(server, message, "this is no message in JSON");
  return true;
}

json_t *lsp_receive(LspServer *server, bool waits) {
  LspStream *stream = &server->stream;
  for (;;) {
    while (cut_message(server)) continue;
    const bool has_message = json_array_size(stream->queue) > 0;
    if (stream->has_ended || ((has_message || !waits) && !has_input())) break;
    fill(stream);
  }
  if (json_array_size(stream->queue) == 0) return NULL;
  json_t *message = json_incref(json_array_get(stream->queue, 0));
  json_array_remove(stream->queue, 0);
  return message;
}

bool lsp_is_cancelled(const LspServer *server, const json_t *id) {
  for (size_t i = 0; i < json_array_size(server->stream.queue); i++) {
    const json_t *message = json_array_get(server->stream.queue, i);
    const char *method = json_string_value(json_object_get(message, "method"));
    const json_t *other = json_object_get(json_object_get(message, "params"), "id");
    if (method && strcmp(method, "$/cancelRequest") == 0 && json_equal(id, other)) return true;
  }
  return false;
}

void lsp_stream_end(LspStream *stream) {
  free(stream->bytes);
  json_decref(stream->queue);
}
