/* SPDX-License-Identifier: BSD-3-Clause
 * See events.h. An event is made into text once, and shared by the queues. */
#define _GNU_SOURCE
#include "events.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { QUEUE_MOST = 2000, BYTES_MOST = 32 << 20, HEARTBEAT_MS = 10000 };

typedef struct Message {
  char *text; // "data: {...}\n\n"
  size_t size;
  int users;
} Message;

struct StudioListener {
  StudioEvents *events;
  StudioListener *next;
  Message *queue[QUEUE_MOST];
  size_t first, count, waiting; // bytes
  size_t sent;                  // of the first message
  int bell, socket;
  bool is_cut;                  // it did not read in time
  bool is_greeted;
};

struct StudioEvents {
  pthread_mutex_t lock;
  StudioListener *listeners;
  size_t listener_count;
  bool has_ended;
};

StudioEvents *studio_events_create(void) {
  StudioEvents *events = calloc(1, sizeof *events);
  if (events) pthread_mutex_init(&events->lock, NULL);
  return events;
}

void studio_events_free(StudioEvents *events) {
  if (!events) return;
  pthread_mutex_destroy(&events->lock);
  free(events);
}

static void ring(StudioListener *listener) {
  const uint64_t one = 1;
  while (write(listener->bell, &one, sizeof one) < 0 && errno == EINTR) continue;
}

void studio_events_end(StudioEvents *events) {
  pthread_mutex_lock(&events->lock);
  events->has_ended = true;
  for (StudioListener *listener = events->listeners; listener; listener = listener->next) ring(listener);
  pthread_mutex_unlock(&events->lock);
}

size_t studio_events_listener_count(StudioEvents *events) {
  pthread_mutex_lock(&events->lock);
  const size_t count = events->listener_count;
  pthread_mutex_unlock(&events->lock);
  return count;
}

/* ---- telling ---- */

static Message *make_message(json_t *event) {
  char *json = json_dumps(event, JSON_COMPACT | JSON_ENSURE_ASCII);
  json_decref(event);
  Message *message = json ? calloc(1, sizeof *message) : NULL;
  if (message && asprintf(&message->text, "data: %s\n\n", json) < 0) message->text = NULL;
  free(json);
  if (message && message->text) {
    message->size = strlen(message->text);
    message->users = 1;
    return message;
  }
  free(message);
  return NULL;
}

static void drop(Message *message) {
  if (--message->users > 0) return;
  free(message->text);
  free(message);
}

static void pop(StudioListener *listener) {
  Message *message = listener->queue[listener->first];
  listener->waiting -= message->size;
  listener->first = (listener->first + 1) % QUEUE_MOST;
  listener->count--;
  listener->sent = 0;
  drop(message);
}

static void push(StudioListener *listener, Message *message) {
  if (listener->count == QUEUE_MOST || listener->waiting + message->size > BYTES_MOST) listener->is_cut = true;
  if (listener->is_cut) {
    ring(listener);
    return;
  }
  message->users++;
  listener->queue[(listener->first + listener->count++) % QUEUE_MOST] = message;
  listener->waiting += message->size;
  ring(listener);
}

void studio_tell(Studio *studio, json_t *event) {
  StudioEvents *events = studio->events;
  if (studio_events_listener_count(events) == 0) {
    json_decref(event);
    return;
  }
  Message *message = make_message(event);
  if (!message) return;
  pthread_mutex_lock(&events->lock);
  for (StudioListener *listener = events->listeners; listener; listener = listener->next) push(listener, message);
  drop(message);
  pthread_mutex_unlock(&events->lock);
}

/* ---- listening ---- */

static bool join(StudioEvents *events, StudioListener *listener) {
  pthread_mutex_lock(&events->lock);
  const bool is_welcome = !events->has_ended && events->listener_count < STUDIO_LISTENERS_MOST;
  if (is_welcome) {
    listener->next = events->listeners;
    events->listeners = listener;
    events->listener_count++;
  }
  pthread_mutex_unlock(&events->lock);
  return is_welcome;
}

StudioListener *studio_listener_create(StudioEvents *events, int socket) {
  StudioListener *listener = calloc(1, sizeof *listener);
  if (!listener) return NULL;
  *listener = (StudioListener){.events = events, .socket = socket, .bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  if (listener->bell >= 0 && join(events, listener)) return listener;
  if (listener->bell >= 0) close(listener->bell);
  free(listener);
  return NULL;
}

void studio_listener_free(StudioListener *listener) {
  if (!listener) return;
  StudioEvents *events = listener->events;
  pthread_mutex_lock(&events->lock);
  for (StudioListener **at = &events->listeners; *at; at = &(*at)->next) {
    if (*at != listener) continue;
    *at = listener->next;
    events->listener_count--;
    break;
  }
  while (listener->count) pop(listener);
  pthread_mutex_unlock(&events->lock);
  close(listener->bell);
  free(listener);
}

/* Copies what waits; 0: nothing does. */
static size_t copy_waiting(StudioListener *listener, char *bytes, size_t size) {
  size_t copied = 0;
  while (listener->count && copied < size) {
    const Message *message = listener->queue[listener->first];
    const size_t rest = message->size - listener->sent, room = size - copied, count = rest < room ? rest : room;
    memcpy(bytes + copied, message->text + listener->sent, count);
    copied += count;
    listener->sent += count;
    if (listener->sent == message->size) pop(listener);
  }
  return copied;
}

/* True when the bell rang or time is up; false when the page went away. */
static bool wait_for_bell(StudioListener *listener, bool *is_late) {
  struct pollfd files[2] = {{.fd = listener->bell, .events = POLLIN}, {.fd = listener->socket, .events = POLLRDHUP}};
  int answer;
  do answer = poll(files, listener->socket < 0 ? 1 : 2, HEARTBEAT_MS);
  while (answer < 0 && errno == EINTR);
  *is_late = answer == 0;
  uint64_t rings;
  if (files[0].revents && read(listener->bell, &rings, sizeof rings) < 0) *is_late = false;
  return answer >= 0 && !files[1].revents;
}

static size_t say(char *bytes, size_t size, const char *text) {
  const size_t length = strlen(text);
  memcpy(bytes, text, length < size ? length : size);
  return length < size ? length : size;
}

size_t studio_listener_read(StudioListener *listener, char *bytes, size_t size) {
  if (!listener->is_greeted) { // so that the page knows at once that it is heard
    listener->is_greeted = true;
    return say(bytes, size, "retry: 1000\n\n");
  }
  for (bool is_late = false;;) {
    pthread_mutex_lock(&listener->events->lock);
    const bool has_ended = listener->events->has_ended || listener->is_cut;
    const size_t copied = has_ended ? 0 : copy_waiting(listener, bytes, size);
    pthread_mutex_unlock(&listener->events->lock);
    if (copied || has_ended) return copied;
    if (is_late) return say(bytes, size, ": still here\n\n");
    if (!wait_for_bell(listener, &is_late)) return 0;
  }
}
