/* SPDX-License-Identifier: BSD-3-Clause
 * See looks.h. */
#define _GNU_SOURCE
#include "looks.h"

#include <stdlib.h>
#include <string.h>

#include "documents.h"
#include "texts.h"

enum { READINGS_MOST = 12, LOOKS_MOST = 12 };

struct StudioLooks {
  pthread_mutex_t lock;
  StudioReading *list[READINGS_MOST]; // the latest first
  size_t count;
};

StudioLooks *studio_looks_create(void) {
  StudioLooks *looks = calloc(1, sizeof *looks);
  if (looks) pthread_mutex_init(&looks->lock, NULL);
  return looks;
}

static void free_kept(StudioKept *kept) {
  free(kept->answer);
  free(kept->key);
  free(kept);
}

static void free_reading(StudioReading *reading) {
  while (reading->looks) {
    StudioKept *kept = reading->looks;
    reading->looks = kept->next;
    free_kept(kept);
  }
  json_decref(reading->common);
  hbg_document_free(reading->document);
  hbg_model_free(reading->model);
  studio_places_free(&reading->places);
  studio_text_release(&reading->text);
  pthread_mutex_destroy(&reading->lock);
  free(reading);
}

void studio_looks_free(StudioLooks *looks) {
  if (!looks) return;
  for (size_t i = 0; i < looks->count; i++) free_reading(looks->list[i]);
  pthread_mutex_destroy(&looks->lock);
  free(looks);
}

/* ---- reading ---- */

static bool read_text(StudioReading *reading, StudioReply *reply) {
  const StudioText *text = &reading->text;
  pthread_mutex_init(&reading->lock, NULL);
  if (!studio_places_create(&reading->places, text->text, text->length)) return studio_fail_memory(reply) != NULL;
  const HbgStatus status = hbg_model_load(text->text, text->length, &text->options, &reading->model);
  if (status == HBG_MEMORY) return studio_fail_memory(reply) != NULL;
  if (status == HBG_OK || status == HBG_MODEL_WRONG) {
    reading->is_right = status == HBG_OK;
    if (hbg_document_open(text->text, text->length, &text->options, &reading->document) == HBG_OK) {
      reading->has_read = studio_text_has_read(text);
      return true;
    }
  }
  studio_fail(reply, 500, NULL, "The text cannot be read.");
  return false;
}

/* Takes over `text`. */
static StudioReading *make_reading(Studio *studio, StudioText *text, StudioReply *reply) {
  StudioReading *reading = calloc(1, sizeof *reading);
  if (!reading) {
    studio_text_release(text);
    studio_fail_memory(reply);
    return NULL;
  }
  reading->text = *text;
  reading->generation = studio_documents_generation(studio->documents);
  if (read_text(reading, reply)) return reading;
  free_reading(reading);
  return NULL;
}

/* ---- the table ---- */

static bool is_same(const StudioReading *reading, const StudioText *text, uint64_t generation) {
  if (reading->text.version != text->version || strcmp(reading->text.path, text->path) != 0) return false;
  if (reading->has_read && reading->generation != generation) return false;
  // a document that was closed and opened again counts from the beginning
  return reading->text.length == text->length && !memcmp(reading->text.text, text->text, text->length);
}

static StudioReading *to_front(StudioLooks *looks, size_t index) {
  StudioReading *reading = looks->list[index];
  memmove(looks->list + 1, looks->list, index * sizeof *looks->list);
  return looks->list[0] = reading;
}

static StudioReading *find(StudioLooks *looks, const StudioText *text, uint64_t generation) {
  for (size_t i = 0; i < looks->count; i++)
    if (is_same(looks->list[i], text, generation)) return to_front(looks, i);
  return NULL;
}

/* What nobody uses goes, the oldest first; what is used beyond the table goes when it is given back. */
static void insert(StudioLooks *looks, StudioReading *reading) {
  if (looks->count == READINGS_MOST) {
    StudioReading *last = looks->list[--looks->count];
    if (last->users == 0) free_reading(last);
  }
  looks->list[looks->count++] = reading;
  to_front(looks, looks->count - 1);
}

static StudioReading *find_taken(Studio *studio, const StudioText *text) {
  StudioLooks *looks = studio->looks;
  const uint64_t generation = studio_documents_generation(studio->documents);
  pthread_mutex_lock(&looks->lock);
  StudioReading *reading = find(looks, text, generation);
  if (reading) reading->users++;
  pthread_mutex_unlock(&looks->lock);
  return reading;
}

StudioReading *studio_reading_take(Studio *studio, const json_t *request, StudioReply *reply) {
  StudioText text;
  if (!studio_text_take(studio, request, &text, reply)) return NULL;
  StudioReading *reading = find_taken(studio, &text);
  if (reading) {
    studio_text_release(&text);
    return reading;
  }
  reading = make_reading(studio, &text, reply); // two that ask at the same moment may both read; one of the readings lives on
  if (!reading) return NULL;
  pthread_mutex_lock(&studio->looks->lock);
  reading->users++;
  insert(studio->looks, reading);
  pthread_mutex_unlock(&studio->looks->lock);
  return reading;
}

void studio_reading_give_back(Studio *studio, StudioReading *reading) {
  StudioLooks *looks = studio->looks;
  pthread_mutex_lock(&looks->lock);
  bool is_listed = false;
  for (size_t i = 0; i < looks->count; i++) is_listed = is_listed || looks->list[i] == reading;
  const bool is_over = --reading->users == 0 && !is_listed;
  pthread_mutex_unlock(&looks->lock);
  if (is_over) free_reading(reading);
}

/* ---- answers that are kept ---- */

const StudioKept *studio_reading_recall(const StudioReading *reading, const char *key) {
  for (const StudioKept *kept = reading->looks; kept; kept = kept->next)
    if (!strcmp(kept->key, key)) return kept;
  return NULL;
}

static void forget_behind(StudioKept *kept, int most) {
  for (int count = 1; kept && count < most; count++) kept = kept->next;
  while (kept && kept->next) {
    StudioKept *old = kept->next;
    kept->next = old->next;
    free_kept(old);
  }
}

const StudioKept *studio_reading_keep(StudioReading *reading, const char *key, char *answer) {
  StudioKept *kept = calloc(1, sizeof *kept);
  char *copy = kept ? strdup(key) : NULL;
  if (!copy) {
    free(kept);
    free(answer);
    return NULL;
  }
  *kept = (StudioKept){.key = copy, .answer = answer, .size = strlen(answer), .next = reading->looks};
  reading->looks = kept;
  forget_behind(kept, LOOKS_MOST);
  return kept;
}
