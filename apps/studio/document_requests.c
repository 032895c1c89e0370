/* SPDX-License-Identifier: BSD-3-Clause
 * The requests about documents: open, new, update, save, revert, close. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "changes.h"
#include "documents.h"
#include "events.h"

enum { UPDATES_AT_ONCE = 500, CLIENT_MOST = 100 };

static const int64_t version_most = (int64_t)1 << 52;

/* Takes the document that a request names. */
static StudioDocument *take(Studio *studio, const json_t *request, StudioReply *reply) {
  const char *path;
  return studio_read_text(request, "path", true, &path, reply) ? studio_document_take(studio, path, reply) : NULL;
}

static bool read_version(const json_t *request, int64_t *version, StudioReply *reply) {
  return studio_read_integer(request, "version", true, 0, version_most, version, reply);
}

static bool has_version(const StudioDocument *document, int64_t version, StudioReply *reply) {
  if (version == document->version) return true;
  studio_fail(reply, 409, "Take the updates that came meanwhile, and ask again.", "'%s' has version %lld, and not %lld.", document->path,
              (long long)document->version, (long long)version);
  return false;
}

/* ---- open, new ---- */

static json_t *describe(StudioDocument *document) {
  pthread_mutex_lock(&document->lock);
  json_t *answer = json_pack("{s:s, s:s%, s:I, s:b, s:b, s:s}", "path", document->path, "text", document->text, document->length,
                             "version", (json_int_t)document->version, "isDirty", studio_document_is_dirty(document), "isReadOnly",
                             document->is_read_only, "hash", document->hash.text);
  pthread_mutex_unlock(&document->lock);
  return answer;
}

static json_t *open_path(Studio *studio, const char *path, StudioReply *reply) {
  StudioDocument *document = studio_document_take(studio, path, reply);
  if (!document) return NULL;
  json_t *answer = describe(document);
  studio_document_give_back(studio, document);
  return answer ? answer : studio_fail_memory(reply);
}

json_t *studio_open(Studio *studio, const json_t *request, StudioReply *reply) {
  const char *path;
  return studio_read_text(request, "path", true, &path, reply) ? open_path(studio, path, reply) : NULL;
}

static bool write_new(const StudioPlace *place, const char *path, const char *text, StudioReply *reply) {
  if (place->is_read_only) studio_fail(reply, 403, "Give it a name in the folder.", "The gallery and the library cannot be written to.");
  else if (strlen(text) > STUDIO_TEXT_MOST) studio_fail(reply, 413, NULL, "The text is longer than 16 MB.");
  else if (place->exists) studio_fail(reply, 409, "Take another name.", "There is a file '%s' already.", path);
  else if (studio_file_write(place->absolute, text, strlen(text), true)) return true;
  else if (errno == EEXIST) studio_fail(reply, 409, "Take another name.", "There is a file '%s' already.", path);
  else studio_fail(reply, 403, "Open a folder in which you may write: hybrsim studio FOLDER.", "'%s' cannot be written: %s.", path, strerror(errno));
  return false;
}

json_t *studio_new(Studio *studio, const json_t *request, StudioReply *reply) {
  const char *path, *text;
  StudioPlace place;
  if (!studio_read_text(request, "path", true, &path, reply) || !studio_read_text(request, "text", true, &text, reply)) return NULL;
  if (!studio_folder_find(studio->folder, path, true, &place, reply)) return NULL;
  const bool is_written = write_new(&place, path, text, reply);
  studio_place_free(&place);
  if (!is_written) return NULL;
  studio_tell(studio, json_pack("{s:s}", "event", "folder"));
  return open_path(studio, path, reply);
}

/* ---- update ---- */

static bool is_update(const json_t *update, StudioReply *reply) {
  const json_t *client = json_object_get(update, "client");
  if (json_is_string(client) && json_string_length(client) <= CLIENT_MOST && json_is_array(json_object_get(update, "changes"))) return true;
  studio_fail(reply, 400, NULL, "An update has a 'client' and a list of 'changes'.");
  return false;
}

/* Applies all of them to a copy of the text. NULL after studio_fail(). */
static char *apply(const StudioDocument *document, const json_t *updates, size_t *length, StudioReply *reply) {
  char *text = NULL;
  *length = document->length;
  for (size_t i = 0; i < json_array_size(updates); i++) {
    const json_t *update = json_array_get(updates, i);
    const char *message = "";
    char *next = NULL;
    if (is_update(update, reply))
      next = studio_changes_apply(json_object_get(update, "changes"), text ? text : document->text, *length, length, &message);
    free(text);
    text = next;
    if (next) continue;
    studio_fail(reply, 400, "Open the document again.", "The update cannot be applied: %s.", message);
    return NULL;
  }
  return text;
}

/* What is kept of updates: their client and changes, and nothing else that came with them; copies, which no other thread has. */
static json_t *kept(const json_t *updates) {
  json_t *out = json_array();
  for (size_t i = 0; i < json_array_size(updates); i++) {
    const json_t *update = json_array_get(updates, i);
    json_array_append_new(out, json_pack("{s:o, s:o}", "client", json_deep_copy(json_object_get(update, "client")), "changes",
                                         json_deep_copy(json_object_get(update, "changes"))));
  }
  return out;
}

static json_t *accept(Studio *studio, StudioDocument *document, const json_t *updates, StudioReply *reply) {
  if (document->place.is_read_only && !document->place.absolute)
    return studio_fail(reply, 403, "Copy it into the folder to change it.", "'%s' is built in and cannot be changed.", document->path);
  if (json_array_size(updates) > 0) {
    size_t length;
    char *text = apply(document, updates, &length, reply);
    json_t *told = text ? kept(updates) : NULL;
    if (!told) return NULL;
    studio_document_change(studio, document, text, length, told);
    json_decref(told);
  }
  return json_pack("{s:b, s:I, s:[]}", "accepted", 1, "version", (json_int_t)document->version, "updates");
}

/* Others were quicker: what they did since. */
static json_t *decline(const StudioDocument *document, int64_t version, StudioReply *reply) {
  const int64_t missing = document->version - version, count = (int64_t)json_array_size(document->updates);
  if (missing < 0 || missing > count)
    return studio_fail(reply, 409, "Open the document again; nothing that was typed here is lost by that.",
                       "'%s' has version %lld, and what led there from version %lld is not known any more.", document->path,
                       (long long)document->version, (long long)version);
  json_t *updates = json_array();
  for (int64_t i = count - missing; i < count; i++) json_array_append_new(updates, json_deep_copy(json_array_get(document->updates, (size_t)i)));
  return json_pack("{s:b, s:I, s:o}", "accepted", 0, "version", (json_int_t)document->version, "updates", updates);
}

json_t *studio_update(Studio *studio, const json_t *request, StudioReply *reply) {
  const json_t *updates;
  int64_t version;
  if (!read_version(request, &version, reply) || !studio_read_array(request, "updates", true, UPDATES_AT_ONCE, &updates, reply)) return NULL;
  StudioDocument *document = take(studio, request, reply);
  if (!document) return NULL;
  pthread_mutex_lock(&document->lock);
  json_t *answer = version == document->version ? accept(studio, document, updates, reply) : decline(document, version, reply);
  pthread_mutex_unlock(&document->lock);
  studio_document_give_back(studio, document);
  return answer;
}

/* ---- save ---- */

/* Is the file another one than it was when it was read? Answers the refusal then. */
static json_t *look_at_disk(StudioDocument *document) {
  size_t size = 0, length;
  bool has_crlf;
  char *bytes = studio_file_read(document->place.absolute, STUDIO_TEXT_MOST, &size);
  if (!bytes && errno == ENOENT) return NULL;
  const StudioHash hash = studio_hash(bytes ? bytes : "", size);
  json_t *answer = NULL;
  if (!bytes || !studio_hash_is_same(&hash, &document->hash)) {
    answer = json_pack("{s:b, s:s, s:s}", "saved", 0, "hash", document->hash.text, "reason", "changed-on-disk");
    char *text = bytes ? studio_text_of_bytes(bytes, size, &length, &has_crlf) : NULL;
    if (answer && text) json_object_set_new(answer, "disk", json_stringn(text, length));
    free(text);
  }
  free(bytes);
  return answer;
}

static json_t *write_file(Studio *studio, StudioDocument *document, StudioReply *reply) {
  size_t size = 0;
  char *bytes = studio_document_bytes(document, &size);
  if (!bytes) return studio_fail_memory(reply);
  const bool is_written = studio_file_write(document->place.absolute, bytes, size, false);
  const int error = errno;
  const StudioHash hash = studio_hash(bytes, size);
  free(bytes);
  if (!is_written)
    return studio_fail(reply, 403, "What was typed is kept. Look at permissions and at the room on the disk, or save it under another name.",
                       "'%s' cannot be written: %s.", document->path, strerror(error));
  document->stamp = studio_file_stamp(document->place.absolute);
  document->hash = hash;
  document->clean = studio_hash(document->text, document->length);
  document->is_draft_due = false;
  studio_tell(studio, json_pack("{s:s, s:s, s:s}", "event", "saved", "path", document->path, "hash", hash.text));
  return json_pack("{s:b, s:s, s:s}", "saved", 1, "hash", hash.text, "reason", "");
}

static json_t *save(Studio *studio, StudioDocument *document, int64_t version, bool is_forced, StudioReply *reply) {
  if (!has_version(document, version, reply)) return NULL;
  if (document->is_read_only)
    return studio_fail(reply, 403, "Save it under another name.", "'%s' is read only.", document->path);
  json_t *refusal = is_forced ? NULL : look_at_disk(document);
  return refusal ? refusal : write_file(studio, document, reply);
}

json_t *studio_save(Studio *studio, const json_t *request, StudioReply *reply) {
  int64_t version;
  bool is_forced = false;
  if (!read_version(request, &version, reply) || !studio_read_flag(request, "force", false, &is_forced, reply)) return NULL;
  StudioDocument *document = take(studio, request, reply);
  if (!document) return NULL;
  pthread_mutex_lock(&document->draft_lock);
  pthread_mutex_lock(&document->lock);
  json_t *answer = save(studio, document, version, is_forced, reply);
  const bool is_saved = json_is_true(json_object_get(answer, "saved"));
  pthread_mutex_unlock(&document->lock);
  if (is_saved && document->has_draft) {
    studio_draft_remove(studio->folder, document->path);
    document->has_draft = false;
  }
  pthread_mutex_unlock(&document->draft_lock);
  studio_document_give_back(studio, document);
  return answer;
}

/* ---- revert, close ---- */

static json_t *revert(Studio *studio, StudioDocument *document, int64_t version, StudioReply *reply) {
  if (!has_version(document, version, reply)) return NULL;
  size_t size = document->place.built_in_length;
  char *bytes = document->place.absolute ? studio_file_read(document->place.absolute, STUDIO_TEXT_MOST, &size) : NULL;
  const char *contents = document->place.absolute ? bytes : document->place.built_in;
  if (!contents) {
    studio_fail(reply, 404, "What was typed is kept; save it.", "'%s' cannot be read: %s.", document->path, strerror(errno));
  } else if (!studio_document_take_file(studio, document, contents, size)) {
    studio_fail(reply, 400, "What was typed is kept.", "'%s' is no text in UTF-8 any more.", document->path);
  } else if (document->place.absolute) {
    document->stamp = studio_file_stamp(document->place.absolute);
  }
  free(bytes);
  return reply->error ? NULL : json_pack("{s:I, s:s}", "version", (json_int_t)document->version, "hash", document->hash.text);
}

json_t *studio_revert(Studio *studio, const json_t *request, StudioReply *reply) {
  int64_t version;
  if (!read_version(request, &version, reply)) return NULL;
  StudioDocument *document = take(studio, request, reply);
  if (!document) return NULL;
  pthread_mutex_lock(&document->lock);
  json_t *answer = revert(studio, document, version, reply);
  pthread_mutex_unlock(&document->lock);
  studio_document_give_back(studio, document);
  return answer;
}

/* While several pages listen, another one may still want the draft. */
json_t *studio_close(Studio *studio, const json_t *request, StudioReply *reply) {
  StudioDocument *document = take(studio, request, reply);
  if (!document) return NULL;
  const bool is_alone = studio_events_listener_count(studio->events) < 2;
  if (is_alone) {
    pthread_mutex_lock(&document->draft_lock);
    pthread_mutex_lock(&document->lock);
    document->is_draft_due = false;
    pthread_mutex_unlock(&document->lock);
    studio_document_forget(studio, document);
    if (document->has_draft) studio_draft_remove(studio->folder, document->path);
    document->has_draft = false;
    pthread_mutex_unlock(&document->draft_lock);
  }
  studio_document_give_back(studio, document);
  return json_pack("{s:b}", "closed", is_alone);
}
