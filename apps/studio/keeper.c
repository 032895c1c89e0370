/* SPDX-License-Identifier: BSD-3-Clause
 * Keeps house: a thread that writes drafts a moment after something was typed, and looks whether other programs changed files. See documents.h. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "changes.h"
#include "documents.h"
#include "events.h"

enum { TICK_MS = 150, TICKS_TO_FILES = 6, TICKS_TO_FOLDER = 18 };

struct StudioKeeper {
  Studio *studio;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t bell;
  bool has_ended;
  StudioHash listing; // of the names in the folder when it was looked at last
};

/* ---- drafts ---- */

/* Takes a copy of what is to be written; false: nothing is. The draft of a document that is as its file goes. */
static bool take_draft(StudioDocument *document, StudioDraft *draft, bool *is_clean) {
  pthread_mutex_lock(&document->lock);
  const bool is_due = document->is_draft_due;
  document->is_draft_due = false;
  *is_clean = is_due && !studio_document_is_dirty(document);
  *draft = (StudioDraft){.length = document->length, .version = document->version, .hash = document->hash};
  if (is_due && !*is_clean) draft->text = strdup(document->text);
  pthread_mutex_unlock(&document->lock);
  return is_due && (*is_clean || draft->text);
}

static void write_draft(Studio *studio, StudioDocument *document) {
  if (document->place.is_read_only) return;
  StudioDraft draft;
  bool is_clean;
  pthread_mutex_lock(&document->draft_lock);
  if (take_draft(document, &draft, &is_clean)) {
    if (!is_clean) document->has_draft = studio_draft_write(studio->folder, document->path, &draft) || document->has_draft;
    else if (document->has_draft) studio_draft_remove(studio->folder, document->path);
    if (is_clean) document->has_draft = false;
  }
  studio_draft_free(&draft);
  pthread_mutex_unlock(&document->draft_lock);
}

/* ---- files ---- */

static void tell_disk(Studio *studio, const StudioDocument *document, const char *kind, bool is_dirty) {
  studio_tell(studio, json_pack("{s:s, s:s, s:s, s:b}", "event", "disk", "path", document->path, "kind", kind, "isDirty", is_dirty));
}

/* A clean document is read again; a dirty one keeps what was typed, and saving will ask. */
static void take_news(Studio *studio, StudioDocument *document, const char *bytes, size_t size) {
  const StudioHash hash = studio_hash(bytes, size);
  if (studio_hash_is_same(&hash, &document->hash)) return;
  const bool is_dirty = studio_document_is_dirty(document);
  tell_disk(studio, document, "changed", is_dirty);
  if (!is_dirty) studio_document_take_file(studio, document, bytes, size);
}

static void look_at_file(Studio *studio, StudioDocument *document) {
  if (!document->place.absolute) return;
  const StudioStamp stamp = studio_file_stamp(document->place.absolute);
  pthread_mutex_lock(&document->lock);
  const bool is_other = !studio_stamp_is_same(&stamp, &document->stamp);
  if (is_other) document->stamp = stamp;
  if (is_other && !stamp.exists) tell_disk(studio, document, "deleted", studio_document_is_dirty(document));
  size_t size = 0;
  char *bytes = is_other && stamp.exists ? studio_file_read(document->place.absolute, STUDIO_TEXT_MOST, &size) : NULL;
  if (bytes) take_news(studio, document, bytes, size);
  free(bytes);
  pthread_mutex_unlock(&document->lock);
  if (is_other) studio_documents_note_change(studio->documents);
}

static void each_document(Studio *studio, void (*act)(Studio *, StudioDocument *)) {
  StudioDocument *document;
  for (size_t i = 0; (document = studio_document_take_at(studio, i)) != NULL; i++) {
    act(studio, document);
    studio_document_give_back(studio, document);
  }
}

/* ---- the folder ---- */

static StudioHash hash_of_listing(const StudioFolder *folder) {
  StudioListing listing;
  studio_folder_list(folder, &listing);
  StudioHash all = {0};
  for (size_t i = 0; i < listing.count; i++) {
    char both[sizeof all.text + 64];
    const StudioHash one = studio_hash(listing.entries[i].path, strlen(listing.entries[i].path));
    const int length = snprintf(both, sizeof both, "%s%s", all.text, one.text);
    all = studio_hash(both, (size_t)length);
  }
  studio_listing_free(&listing);
  return all;
}

static void look_at_folder(StudioKeeper *keeper) {
  Studio *studio = keeper->studio;
  if (studio->folder->is_gallery || studio_events_listener_count(studio->events) == 0) return;
  const StudioHash now = hash_of_listing(studio->folder);
  if (!studio_hash_is_same(&now, &keeper->listing)) studio_tell(studio, json_pack("{s:s}", "event", "folder"));
  keeper->listing = now;
}

/* ---- the thread ---- */

/* Waits for a moment; false: it is to end. */
static bool wait_a_moment(StudioKeeper *keeper) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += TICK_MS * 1000000l;
  until.tv_sec += until.tv_nsec / 1000000000l;
  until.tv_nsec %= 1000000000l;
  pthread_mutex_lock(&keeper->lock);
  int answer = 0;
  while (!keeper->has_ended && answer != ETIMEDOUT) answer = pthread_cond_timedwait(&keeper->bell, &keeper->lock, &until);
  const bool goes_on = !keeper->has_ended;
  pthread_mutex_unlock(&keeper->lock);
  return goes_on;
}

static void *keep(void *user) {
  StudioKeeper *keeper = user;
  for (unsigned tick = 1; wait_a_moment(keeper); tick++) {
    each_document(keeper->studio, write_draft);
    if (tick % TICKS_TO_FILES == 0) each_document(keeper->studio, look_at_file);
    if (tick % TICKS_TO_FOLDER == 0) look_at_folder(keeper);
  }
  each_document(keeper->studio, write_draft);
  return NULL;
}

StudioKeeper *studio_keeper_create(Studio *studio) {
  StudioKeeper *keeper = calloc(1, sizeof *keeper);
  if (!keeper) return NULL;
  keeper->studio = studio;
  keeper->listing = hash_of_listing(studio->folder);
  pthread_mutex_init(&keeper->lock, NULL);
  pthread_cond_init(&keeper->bell, NULL);
  if (pthread_create(&keeper->thread, NULL, keep, keeper) == 0) return keeper;
  pthread_cond_destroy(&keeper->bell);
  pthread_mutex_destroy(&keeper->lock);
  free(keeper);
  return NULL;
}

void studio_keeper_free(StudioKeeper *keeper) {
  if (!keeper) return;
  pthread_mutex_lock(&keeper->lock);
  keeper->has_ended = true;
  pthread_cond_signal(&keeper->bell);
  pthread_mutex_unlock(&keeper->lock);
  pthread_join(keeper->thread, NULL);
  pthread_cond_destroy(&keeper->bell);
  pthread_mutex_destroy(&keeper->lock);
  free(keeper);
}
