/* SPDX-License-Identifier: BSD-3-Clause
 * The table of documents, and how one is opened and changed: see documents.h. */
#define _GNU_SOURCE
#include "documents.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "buffer.h"
#include "changes.h"
#include "utf.h"

enum { DOCUMENTS_MOST = 200, UPDATES_MOST = 2000, UPDATE_BYTES_MOST = 8 << 20 };

struct StudioDocuments {
  pthread_mutex_t lock;
  StudioDocument *list[DOCUMENTS_MOST];
  size_t count;
  uint64_t clock;
  uint64_t generation;
};

StudioDocuments *studio_documents_create(void) {
  StudioDocuments *documents = calloc(1, sizeof *documents);
  if (documents) pthread_mutex_init(&documents->lock, NULL);
  return documents;
}

static void free_document(StudioDocument *document) {
  pthread_mutex_destroy(&document->lock);
  pthread_mutex_destroy(&document->draft_lock);
  studio_place_free(&document->place);
  json_decref(document->updates);
  free(document->text);
  free(document->path);
  free(document);
}

void studio_documents_free(StudioDocuments *documents) {
  if (!documents) return;
  for (size_t i = 0; i < documents->count; i++) free_document(documents->list[i]);
  pthread_mutex_destroy(&documents->lock);
  free(documents);
}

uint64_t studio_documents_generation(StudioDocuments *documents) {
  pthread_mutex_lock(&documents->lock);
  const uint64_t generation = documents->generation;
  pthread_mutex_unlock(&documents->lock);
  return generation;
}

void studio_documents_note_change(StudioDocuments *documents) {
  pthread_mutex_lock(&documents->lock);
  documents->generation++;
  pthread_mutex_unlock(&documents->lock);
}

/* ---- texts and files ---- */

char *studio_text_of_bytes(const char *bytes, size_t size, size_t *length, bool *has_crlf) {
  if (!studio_utf_is_right(bytes, size)) return NULL;
  char *text = malloc(size + 1);
  if (!text) return NULL;
  size_t count = 0;
  const char *line = memchr(bytes, '\n', size);
  *has_crlf = line && line > bytes && line[-1] == '\r';
  for (size_t i = 0; i < size; i++) {
    if (bytes[i] == '\r' && i + 1 < size && bytes[i + 1] == '\n') continue;
    text[count++] = bytes[i] == '\r' ? '\n' : bytes[i]; // an end of a line for browsers
  }
  text[count] = '\0';
  *length = count;
  return text;
}

char *studio_document_bytes(const StudioDocument *document, size_t *size) {
  StudioBuffer out = {0};
  const char *rest = document->text, *end = document->text + document->length;
  while (document->has_crlf && rest < end) {
    const char *line = memchr(rest, '\n', (size_t)(end - rest));
    if (!line) break;
    studio_buffer_add(&out, rest, (size_t)(line - rest));
    studio_buffer_add(&out, "\r\n", 2);
    rest = line + 1;
  }
  studio_buffer_add(&out, rest, (size_t)(end - rest));
  return studio_buffer_take(&out, size);
}

/* ---- opening ---- */

static bool take_bytes(StudioDocument *document, const char *bytes, size_t size) {
  document->text = studio_text_of_bytes(bytes, size, &document->length, &document->has_crlf);
  if (!document->text) return false;
  document->hash = studio_hash(bytes, size);
  document->clean = studio_hash(document->text, document->length);
  return true;
}

static bool read_file(StudioDocument *document, StudioReply *reply) {
  document->stamp = studio_file_stamp(document->place.absolute);
  size_t size = 0;
  char *bytes = studio_file_read(document->place.absolute, STUDIO_TEXT_MOST, &size);
  if (!bytes && errno == EFBIG) studio_fail(reply, 413, NULL, "'%s' is larger than 16 MB.", document->path);
  else if (!bytes) studio_fail(reply, 403, "Look at its permissions.", "'%s' cannot be read: %s.", document->path, strerror(errno));
  else if (!take_bytes(document, bytes, size))
    studio_fail(reply, 400, "Models are texts in UTF-8; convert it, for example with iconv.", "'%s' is not a text in UTF-8.", document->path);
  free(bytes);
  return document->text != NULL;
}

/* What was typed before a crash takes the place of what was saved. */
static void take_draft(const StudioFolder *folder, StudioDocument *document) {
  StudioDraft draft;
  studio_draft_read(folder, document->path, &draft);
  if (!draft.text) return;
  document->version = draft.version;
  document->has_draft = true;
  if (!studio_hash_is_same(&draft.hash, &document->hash)) {
    // the file was changed since: saving must ask
    document->hash = draft.hash;
    document->clean = (StudioHash){0};
  }
  free(document->text);
  document->text = draft.text;
  document->length = draft.length;
}

static bool fill(const Studio *studio, StudioDocument *document, const char *path, StudioReply *reply) {
  if (!studio_folder_find(studio->folder, path, false, &document->place, reply)) return false;
  document->path = strdup(path);
  document->updates = json_array();
  if (!document->path || !document->updates) return studio_fail_memory(reply) != NULL;
  document->is_read_only =
      document->place.is_read_only || (document->place.absolute && !studio_file_is_writable(document->place.absolute));
  if (!document->place.absolute) return take_bytes(document, document->place.built_in, document->place.built_in_length);
  if (!read_file(document, reply)) return false;
  if (!document->place.is_read_only) take_draft(studio->folder, document);
  return true;
}

static StudioDocument *open_document(const Studio *studio, const char *path, StudioReply *reply) {
  StudioDocument *document = calloc(1, sizeof *document);
  if (!document) {
    studio_fail_memory(reply);
    return NULL;
  }
  pthread_mutex_init(&document->lock, NULL);
  pthread_mutex_init(&document->draft_lock, NULL);
  if (fill(studio, document, path, reply)) return document;
  studio_fail_memory(reply); // unless it is known better
  free_document(document);
  return NULL;
}

/* ---- the table; its lock is held ---- */

static void remove_at(StudioDocuments *documents, size_t index) {
  documents->list[index] = documents->list[--documents->count];
}

/* Nobody uses it, and nothing would be lost. */
static bool can_go(StudioDocument *document) {
  if (document->users > 0) return false;
  pthread_mutex_lock(&document->lock);
  const bool answer = !document->is_draft_due && !studio_document_is_dirty(document);
  pthread_mutex_unlock(&document->lock);
  return answer;
}

/* Makes room for one more by forgetting what was not used for longest. */
static bool make_room(StudioDocuments *documents) {
  if (documents->count < DOCUMENTS_MOST) return true;
  size_t oldest = DOCUMENTS_MOST;
  for (size_t i = 0; i < documents->count; i++)
    if ((oldest == DOCUMENTS_MOST || documents->list[i]->used < documents->list[oldest]->used) && can_go(documents->list[i])) oldest = i;
  if (oldest == DOCUMENTS_MOST) return false;
  free_document(documents->list[oldest]);
  remove_at(documents, oldest);
  return true;
}

static StudioDocument *take(StudioDocuments *documents, StudioDocument *document) {
  document->users++;
  document->used = ++documents->clock;
  return document;
}

static StudioDocument *find_or_open(Studio *studio, const char *path, StudioReply *reply) {
  StudioDocuments *documents = studio->documents;
  for (size_t i = 0; i < documents->count; i++)
    if (!strcmp(documents->list[i]->path, path)) return take(documents, documents->list[i]);
  if (!make_room(documents)) {
    studio_fail(reply, 429, "Save or close some of them.", "Too many models with unsaved changes are open.");
    return NULL;
  }
  StudioDocument *document = open_document(studio, path, reply);
  if (!document) return NULL;
  documents->list[documents->count++] = document;
  return take(documents, document);
}

/* ---- taking and giving back ---- */

StudioDocument *studio_document_take(Studio *studio, const char *path, StudioReply *reply) {
  pthread_mutex_lock(&studio->documents->lock);
  StudioDocument *document = find_or_open(studio, path, reply);
  pthread_mutex_unlock(&studio->documents->lock);
  return document;
}

StudioDocument *studio_document_take_open(Studio *studio, const char *absolute) {
  StudioDocuments *documents = studio->documents;
  StudioDocument *found = NULL;
  pthread_mutex_lock(&documents->lock);
  for (size_t i = 0; !found && i < documents->count; i++)
    if (documents->list[i]->place.absolute && !strcmp(documents->list[i]->place.absolute, absolute))
      found = take(documents, documents->list[i]);
  pthread_mutex_unlock(&documents->lock);
  return found;
}

StudioDocument *studio_document_take_at(Studio *studio, size_t index) {
  StudioDocuments *documents = studio->documents;
  pthread_mutex_lock(&documents->lock);
  StudioDocument *found = index < documents->count ? documents->list[index] : NULL;
  if (found) found->users++; // which is no use of it
  pthread_mutex_unlock(&documents->lock);
  return found;
}

static bool is_listed(const StudioDocuments *documents, const StudioDocument *document) {
  for (size_t i = 0; i < documents->count; i++)
    if (documents->list[i] == document) return true;
  return false;
}

void studio_document_give_back(Studio *studio, StudioDocument *document) {
  StudioDocuments *documents = studio->documents;
  pthread_mutex_lock(&documents->lock);
  if (--document->users == 0 && !is_listed(documents, document)) free_document(document);
  pthread_mutex_unlock(&documents->lock);
}

void studio_document_forget(Studio *studio, StudioDocument *document) {
  StudioDocuments *documents = studio->documents;
  pthread_mutex_lock(&documents->lock);
  for (size_t i = 0; i < documents->count; i++)
    if (documents->list[i] == document) remove_at(documents, i);
  documents->generation++;
  pthread_mutex_unlock(&documents->lock);
}

/* ---- changes ---- */

bool studio_document_is_dirty(const StudioDocument *document) {
  const StudioHash now = studio_hash(document->text, document->length);
  return !studio_hash_is_same(&now, &document->clean);
}

static size_t size_of(const json_t *update) { return json_dumpb(update, NULL, 0, JSON_COMPACT); }

static void keep_updates(StudioDocument *document, json_t *updates) {
  for (size_t i = 0; i < json_array_size(updates); i++) {
    json_t *update = json_array_get(updates, i);
    document->update_bytes += size_of(update);
    json_array_append(document->updates, update);
  }
  size_t gone = 0;
  const size_t count = json_array_size(document->updates);
  while (gone < count && (document->update_bytes > UPDATE_BYTES_MOST || count - gone > UPDATES_MOST))
    document->update_bytes -= size_of(json_array_get(document->updates, gone++));
  if (!gone) return;
  json_t *kept = json_array();
  for (size_t i = gone; i < count; i++) json_array_append(kept, json_array_get(document->updates, i));
  json_decref(document->updates);
  document->updates = kept;
}

void studio_document_change(Studio *studio, StudioDocument *document, char *text, size_t length, json_t *updates) {
  free(document->text);
  document->text = text;
  document->length = length;
  document->version += (int64_t)json_array_size(updates);
  keep_updates(document, updates);
  document->is_draft_due = true;
  studio_documents_note_change(studio->documents);
  studio_tell(studio, json_pack("{s:s, s:s, s:I, s:O}", "event", "update", "path", document->path, "version",
                                (json_int_t)document->version, "updates", updates));
}

bool studio_document_take_file(Studio *studio, StudioDocument *document, const char *bytes, size_t size) {
  size_t length = 0;
  bool has_crlf = false;
  char *text = studio_text_of_bytes(bytes, size, &length, &has_crlf);
  if (!text) return false;
  json_t *changes = studio_changes_between(document->text, document->length, text, length);
  json_t *updates = changes ? json_pack("[{s:s, s:o}]", "client", "disk", "changes", changes) : NULL;
  if (!updates) {
    free(text);
    return false;
  }
  document->hash = studio_hash(bytes, size);
  document->clean = studio_hash(text, length);
  document->has_crlf = has_crlf;
  if (length == document->length && !memcmp(text, document->text, length)) free(text);
  else studio_document_change(studio, document, text, length, updates);
  json_decref(updates);
  document->is_draft_due = true; // to be taken away, when there is one
  return true;
}
