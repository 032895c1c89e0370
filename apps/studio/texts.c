/* SPDX-License-Identifier: BSD-3-Clause
 * Copies of documents' texts, and how the library reads what they import: see studio.h. */
#define _GNU_SOURCE
#include "texts.h"

#include <stdlib.h>
#include <string.h>

#include "changes.h"
#include "documents.h"

/* What options.user is: keeps the bytes that the library is about to copy. */
struct StudioReader {
  Studio *studio;
  char *bytes;
  bool has_read;
};

static char *copy_of_open(Studio *studio, const char *absolute, size_t *length) {
  StudioDocument *document = studio_document_take_open(studio, absolute);
  if (!document) return NULL;
  pthread_mutex_lock(&document->lock);
  char *copy = strdup(document->text);
  *length = document->length;
  pthread_mutex_unlock(&document->lock);
  studio_document_give_back(studio, document);
  return copy;
}

/* Files for a model: from what is typed, else from the disk, and nothing from outside. */
static bool read_for_model(const char *path, const char **bytes, size_t *length, void *user) {
  StudioReader *reader = user;
  char *real = realpath(path, NULL);
  free(reader->bytes);
  reader->bytes = NULL;
  reader->has_read = true; // also where there is nothing: a file may come
  if (real && studio_folder_holds(reader->studio->folder, real)) {
    reader->bytes = copy_of_open(reader->studio, real, length);
    if (!reader->bytes) reader->bytes = studio_file_read(real, STUDIO_TEXT_MOST * 4u, length);
  }
  free(real);
  *bytes = reader->bytes;
  return reader->bytes != NULL;
}

bool studio_text_has_read(const StudioText *text) { return text->reader && text->reader->has_read; }

static bool name_it(Studio *studio, const StudioDocument *document, StudioText *text) {
  text->name = strdup(document->place.absolute ? document->place.absolute : document->path);
  text->reader = calloc(1, sizeof *text->reader);
  if (!text->name || !text->reader) return false;
  text->reader->studio = studio;
  text->options = hbg_model_options();
  text->options.name = text->name;
  text->options.read = read_for_model;
  text->options.user = text->reader;
  text->options.folders = (const char *const *)studio->folder->libraries;
  text->options.folder_count = studio->folder->library_count;
  return true;
}

static void copy_text(StudioDocument *document, StudioText *text) {
  pthread_mutex_lock(&document->lock);
  text->path = strdup(document->path);
  text->text = strdup(document->text);
  text->length = document->length;
  text->version = document->version;
  pthread_mutex_unlock(&document->lock);
}

bool studio_text_take_latest(Studio *studio, const char *path, StudioText *text, StudioReply *reply) {
  *text = (StudioText){0};
  StudioDocument *document = studio_document_take(studio, path, reply);
  if (!document) return false;
  copy_text(document, text);
  const bool is_named = name_it(studio, document, text);
  studio_document_give_back(studio, document);
  if (is_named && text->path && text->text) return true;
  studio_fail_memory(reply);
  studio_text_release(text);
  return false;
}

bool studio_text_take(Studio *studio, const json_t *request, StudioText *text, StudioReply *reply) {
  const char *path;
  int64_t version;
  *text = (StudioText){0};
  if (!studio_read_text(request, "path", true, &path, reply)) return false;
  if (!studio_read_integer(request, "version", true, 0, (int64_t)1 << 52, &version, reply)) return false;
  if (!studio_text_take_latest(studio, path, text, reply)) return false;
  if (text->version == version) return true;
  studio_fail(reply, 409, "Take the updates that came meanwhile, and ask again.", "'%s' has version %lld, and not %lld.", path,
              (long long)text->version, (long long)version);
  studio_text_release(text);
  return false;
}

void studio_text_release(StudioText *text) {
  if (text->reader) free(text->reader->bytes);
  free(text->reader);
  free(text->path);
  free(text->text);
  free(text->name);
  *text = (StudioText){0};
}
