/* SPDX-License-Identifier: BSD-3-Clause
 * See http.h. Every connection has a thread of its own, so that neither a long answer nor a page that listens keeps others waiting. */
#define _GNU_SOURCE
#include "http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "buffer.h"
#include "events.h"
#include "page.h"

enum {
  BODY_MOST = 16 << 20,
  CONNECTIONS_MOST = 100,
  CONNECTION_MEMORY = 64 << 10,
  PATIENCE_S = 30,         // with one who neither reads nor writes
  PATIENCE_TO_ANSWER_S = 3600
};

struct StudioHttp {
  Studio *studio;
  struct MHD_Daemon *daemon;
  const char *assets;
  unsigned port;
  char token[STUDIO_TOKEN_SIZE];
  pthread_mutex_t lock; // of the rate
  StudioRate rate;
};

/* A request on its way in. */
typedef struct Call {
  StudioHandler *handler; // NULL: it is no request of the API, or was refused
  StudioBuffer body;
} Call;

/* ---- answers ---- */

static void add(struct MHD_Response *response, const char *name, const char *value) { MHD_add_response_header(response, name, value); }

/* For everything that goes out: nothing is guessed, framed, or shown to others. */
static void add_safety(struct MHD_Response *response) {
  add(response, "X-Content-Type-Options", "nosniff");
  add(response, "X-Frame-Options", "DENY");
  add(response, "Referrer-Policy", "no-referrer");
  add(response, "Cross-Origin-Resource-Policy", "same-origin");
  add(response, "Cross-Origin-Opener-Policy", "same-origin");
  // styles: the text editor writes its own into the page
  add(response, "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
      "connect-src 'self'; worker-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
}

static enum MHD_Result send_response(struct MHD_Connection *connection, unsigned status, const char *type, const char *caching,
                                     struct MHD_Response *response) {
  if (!response) return MHD_NO;
  add_safety(response);
  add(response, "Content-Type", type);
  add(response, "Cache-Control", caching);
  const enum MHD_Result answer = MHD_queue_response(connection, status, response);
  MHD_destroy_response(response);
  return answer;
}

/* `bytes` come from malloc(), and are freed when they are sent. */
static enum MHD_Result send_bytes(struct MHD_Connection *connection, unsigned status, const char *type, void *bytes, size_t size) {
  struct MHD_Response *response = MHD_create_response_from_buffer(size, bytes, MHD_RESPMEM_MUST_FREE);
  if (!response) free(bytes);
  return send_response(connection, status, type, "no-store", response);
}

/* Takes over `json`. */
static enum MHD_Result send_json(struct MHD_Connection *connection, unsigned status, json_t *json) {
  char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
  json_decref(json);
  if (!text) {
    text = strdup("{\"error\":\"The server has no memory left for this.\"}");
    status = MHD_HTTP_INTERNAL_SERVER_ERROR;
  }
  return text ? send_bytes(connection, status, "application/json", text, strlen(text)) : MHD_NO;
}

static enum MHD_Result refuse(struct MHD_Connection *connection, unsigned status, const char *sentence, const char *cure) {
  json_t *json = json_pack("{s:s}", "error", sentence);
  if (json && cure) json_object_set_new(json, "cure", json_string(cure));
  return send_json(connection, status, json);
}

static enum MHD_Result send_reply(struct MHD_Connection *connection, json_t *answer, StudioReply *reply) {
  if (answer) return send_json(connection, reply->status ? reply->status : MHD_HTTP_OK, answer);
  if (reply->error) return send_json(connection, reply->status, reply->error);
  if (reply->bytes) return send_bytes(connection, reply->status ? reply->status : MHD_HTTP_OK, reply->type, reply->bytes, reply->size);
  return refuse(connection, MHD_HTTP_INTERNAL_SERVER_ERROR, "The server could not make an answer.", "Try it again.");
}

/* ---- the page ---- */

static enum MHD_Result send_sentence(struct MHD_Connection *connection, unsigned status, const char *sentence) {
  char *copy = strdup(sentence);
  return copy ? send_bytes(connection, status, "text/plain; charset=utf-8", copy, strlen(copy)) : MHD_NO;
}

static struct MHD_Response *response_of(StudioPagePart *part) {
  return MHD_create_response_from_buffer(part->size, part->owned ? part->owned : (void *)(uintptr_t)part->bytes,
                                         part->owned ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
}

static enum MHD_Result send_page(StudioHttp *http, struct MHD_Connection *connection, const char *url) {
  StudioPagePart part;
  if (!http->assets && !studio_page_is_there())
    return send_sentence(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
                         "This program was built without the studio's page. Install npm (Node.js 18 or newer), configure the build again with "
                         "-DHYBRSIM_STUDIO=ON and build it; or start it with --assets FOLDER, a folder with the built page.\n");
  if (!studio_page_find(http->assets, url, &part)) return send_sentence(connection, MHD_HTTP_NOT_FOUND, "There is no such page.\n");
  const char *known = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "If-None-Match");
  const bool is_known = part.etag && known && !strcmp(known, part.etag);
  if (is_known) part.size = 0;
  struct MHD_Response *response = response_of(&part);
  if (response && part.etag) add(response, "ETag", part.etag);
  if (response && part.is_compressed && !is_known) add(response, "Content-Encoding", "gzip");
  return send_response(connection, is_known ? MHD_HTTP_NOT_MODIFIED : MHD_HTTP_OK, part.type, part.etag ? "no-cache" : "no-store", response);
}

/* ---- server-sent events ---- */

static ssize_t read_events(void *user, uint64_t position, char *bytes, size_t size) {
  (void)position;
  const size_t count = studio_listener_read(user, bytes, size);
  return count ? (ssize_t)count : MHD_CONTENT_READER_END_OF_STREAM;
}

static void end_events(void *user) { studio_listener_free(user); }

static enum MHD_Result send_events(StudioHttp *http, struct MHD_Connection *connection) {
  enum { PIECE = 16 << 10 };
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  StudioListener *listener = studio_listener_create(http->studio->events, info ? info->connect_fd : -1);
  if (!listener) return refuse(connection, MHD_HTTP_TOO_MANY_REQUESTS, "Too many pages are open.", "Close some of them.");
  struct MHD_Response *response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, PIECE, read_events, listener, end_events);
  if (!response) studio_listener_free(listener);
  return send_response(connection, MHD_HTTP_OK, "text/event-stream", "no-store", response);
}

/* ---- requests ---- */

static StudioHandler *find_handler(const char *name) {
  static const struct {
    const char *name;
    StudioHandler *handler;
  } requests[] = {
#define REQUEST(name, handler) {name, handler},
#include "requests.def"
#undef REQUEST
  };
  for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
    if (!strcmp(requests[i].name, name)) return requests[i].handler;
  return NULL;
}

static enum MHD_Result answer_call(StudioHttp *http, struct MHD_Connection *connection, Call *call) {
  json_error_t mistake;
  StudioReply reply = {0};
  json_t *request = json_loadb(call->body.bytes ? call->body.bytes : "", call->body.size, JSON_REJECT_DUPLICATES, &mistake);
  studio_buffer_free(&call->body);
  if (!json_is_object(request)) {
    json_decref(request);
    return refuse(connection, MHD_HTTP_BAD_REQUEST, "The body of the request is no JSON object.", NULL);
  }
  json_t *answer = call->handler(http->studio, request, &reply);
  json_decref(request);
  return send_reply(connection, answer, &reply);
}

static bool is_too_often(StudioHttp *http) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  pthread_mutex_lock(&http->lock);
  const bool is_allowed = studio_rate_allows(&http->rate, (double)now.tv_sec + 1e-9 * (double)now.tv_nsec);
  pthread_mutex_unlock(&http->lock);
  return !is_allowed;
}

static const char *header(struct MHD_Connection *connection, const char *name) {
  return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* The length that a body is announced with; of one in chunks 0, it is counted. */
static uint64_t announced(struct MHD_Connection *connection) {
  const char *length = header(connection, "Content-Length");
  return length ? strtoull(length, NULL, 10) : 0;
}

/* Looks at what is known before the body. Answers at once, or sets the handler that is to answer behind it. */
static enum MHD_Result begin_api(StudioHttp *http, struct MHD_Connection *connection, const char *name, const char *method, Call *call) {
  const bool is_events = !strcmp(name, "events");
  const char *token = is_events ? MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "token") : header(connection, "X-Studio-Token");
  if (!studio_token_is(token, http->token))
    return refuse(connection, MHD_HTTP_FORBIDDEN, "The request lacks the token of this server.",
                  "Open the address that 'hybrsim studio' printed, with all that stands behind '#'.");
  if (is_too_often(http)) return refuse(connection, MHD_HTTP_TOO_MANY_REQUESTS, "That is too often.", "Wait a moment.");
  if (is_events && !strcmp(method, "GET")) return send_events(http, connection);
  StudioHandler *handler = find_handler(name);
  if (!handler && !is_events) return refuse(connection, MHD_HTTP_NOT_FOUND, "There is no such request.", "Reload the page: it may be older than the server.");
  if (is_events || strcmp(method, "POST") != 0) return refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "This request is made in another way.", NULL);
  if (announced(connection) > BODY_MOST) return refuse(connection, 413, "The request is larger than 16 MB.", NULL);
  call->handler = handler;
  MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, (unsigned)PATIENCE_TO_ANSWER_S);
  return MHD_YES;
}

static enum MHD_Result begin(StudioHttp *http, struct MHD_Connection *connection, const char *url, const char *method, Call *call) {
  static const char api[] = "/api/";
  const char *host = header(connection, "Host");
  if (!studio_host_is_ours(host, http->port) || !studio_origin_is_ours(header(connection, "Origin"), host))
    return refuse(connection, MHD_HTTP_FORBIDDEN, "This server answers only its own page.", "Open the address that 'hybrsim studio' printed.");
  if (!strncmp(url, api, sizeof api - 1)) return begin_api(http, connection, url + sizeof api - 1, method, call);
  if (!strcmp(method, "GET") || !strcmp(method, "HEAD")) return send_page(http, connection, url);
  return refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "The files of the page can only be read.", NULL);
}

/* Called at the beginning of a request, for each piece of its body, and at its end. */
static enum MHD_Result answer(void *user, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
                              const char *bytes, size_t *size, void **state) {
  (void)version;
  StudioHttp *http = user;
  Call *call = *state;
  if (!call) {
    call = *state = calloc(1, sizeof *call);
    return call ? begin(http, connection, url, method, call) : MHD_NO;
  }
  if (!call->handler) return MHD_NO; // it was answered already
  if (*size == 0) return answer_call(http, connection, call);
  studio_buffer_add(&call->body, bytes, *size);
  *size = 0;
  return call->body.has_failed || call->body.size > BODY_MOST ? MHD_NO : MHD_YES;
}

static void end(void *user, struct MHD_Connection *connection, void **state, enum MHD_RequestTerminationCode why) {
  (void)user, (void)connection, (void)why;
  Call *call = *state;
  if (!call) return;
  studio_buffer_free(&call->body);
  free(call);
  *state = NULL;
}

/* ---- listening ---- */

static int listen_at(unsigned *port, char *message, size_t size) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)*port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  const int yes = 1;
  if (listener >= 0) setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (listener >= 0 && bind(listener, (const struct sockaddr *)&address, sizeof address) == 0 && listen(listener, 64) == 0 &&
      getsockname(listener, (struct sockaddr *)&address, &length) == 0) {
    *port = ntohs(address.sin_port);
    return listener;
  }
  if (errno == EADDRINUSE) snprintf(message, size, "port %u is taken: give another one with --port, or none", *port);
  else snprintf(message, size, "cannot listen at 127.0.0.1, port %u: %s", *port, strerror(errno));
  if (listener >= 0) close(listener);
  return -1;
}

static struct MHD_Daemon *start_daemon(StudioHttp *http, int listener) {
  return MHD_start_daemon(MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_USE_ITC, 0, NULL, NULL, answer,
                          http, MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS_MOST,
                          MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)PATIENCE_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY,
                          MHD_OPTION_THREAD_STACK_SIZE, (size_t)(16 << 20), MHD_OPTION_NOTIFY_COMPLETED, end, NULL, MHD_OPTION_END);
}

StudioHttp *studio_http_start(Studio *studio, const StudioHttpOptions *options, char *message, size_t size) {
  StudioHttp *http = calloc(1, sizeof *http);
  snprintf(message, size, "there is no memory, or there are no random numbers");
  if (!http || !studio_token_make(http->token)) {
    free(http);
    return NULL;
  }
  http->studio = studio;
  http->assets = options->assets;
  http->port = options->port;
  http->rate = (StudioRate){.most = 2000, .per_second = 500};
  pthread_mutex_init(&http->lock, NULL);
  const int listener = listen_at(&http->port, message, size);
  if (listener >= 0) http->daemon = start_daemon(http, listener);
  if (http->daemon) return http;
  if (listener >= 0) {
    snprintf(message, size, "the server cannot be started: %s", strerror(errno));
    close(listener);
  }
  pthread_mutex_destroy(&http->lock);
  free(http);
  return NULL;
}

void studio_http_stop(StudioHttp *http) {
  if (!http) return;
  studio_events_end(http->studio->events);
  MHD_stop_daemon(http->daemon);
  pthread_mutex_destroy(&http->lock);
  free(http);
}

unsigned studio_http_port(const StudioHttp *http) { return http->port; }
const char *studio_http_token(const StudioHttp *http) { return http->token; }
