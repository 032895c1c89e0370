/* SPDX-License-Identifier: BSD-3-Clause
 * The texts that are open. A document has a version, which counts updates, and keeps its latest updates so that a page that was slower can
 * rebase what it typed (the protocol of @codemirror/collab). What is typed and not yet saved lies beside the folder's files: drafts.h. */
#ifndef STUDIO_DOCUMENTS_H
#define STUDIO_DOCUMENTS_H

#include <pthread.h>

#include "drafts.h"
#include "folder.h"
#include "studio.h"

/* Locks are taken in this order: draft_lock, lock. */
typedef struct StudioDocument {
  char *path;
  StudioPlace place;
  pthread_mutex_t draft_lock; // held while the draft is written or removed
  pthread_mutex_t lock;       // of all that follows
  char *text;                 // right UTF-8, lines end in \n, a NUL behind
  size_t length;
  int64_t version;
  json_t *updates;            // the latest, up to `version`
  size_t update_bytes;        // about so large they are
  bool has_crlf;              // lines of the file end in \r\n
  bool is_read_only;
  StudioHash hash;            // of the file as it was read or saved last
  StudioHash clean;           // of the text that it had then
  StudioStamp stamp;          // of the file when it was looked at last
  bool is_draft_due, has_draft;
  // of the table's lock
  int users;
  uint64_t used;              // the larger the later
} StudioDocument;

/* NULL: no memory. */
StudioDocuments *studio_documents_create(void);
void studio_documents_free(StudioDocuments *documents);
/* Grows with every change of any text: who has read several files compares. */
uint64_t studio_documents_generation(StudioDocuments *documents);
void studio_documents_note_change(StudioDocuments *documents);

/* The document, opened if need be; to be given back. NULL after studio_fail(). */
StudioDocument *studio_document_take(Studio *studio, const char *path, StudioReply *reply);
void studio_document_give_back(Studio *studio, StudioDocument *document);
/* One that is open already, by the real path of its file; NULL. */
StudioDocument *studio_document_take_open(Studio *studio, const char *absolute);
/* Document number `index` of those that are open, NULL behind the last: to go through all. */
StudioDocument *studio_document_take_at(Studio *studio, size_t index);
/* It is opened anew when it is asked for again. */
void studio_document_forget(Studio *studio, StudioDocument *document);

/* ---- with its lock held ---- */

bool studio_document_is_dirty(const StudioDocument *document);
/* Another text, from malloc(), which belongs to the document then; `updates` made it, and are told to all pages. */
void studio_document_change(Studio *studio, StudioDocument *document, char *text, size_t length, json_t *updates);
/* The file has these contents now, or no longer exists (NULL). Takes them for what is saved; the text becomes theirs, by an update. False when they are no text. */
bool studio_document_take_file(Studio *studio, StudioDocument *document, const char *bytes, size_t size);
/* The bytes of a file with this text, as it is to be saved. From malloc(). */
char *studio_document_bytes(const StudioDocument *document, size_t *size);

/* The text in a file's bytes: lines end in \n. NULL when they are no UTF-8. From malloc(). */
char *studio_text_of_bytes(const char *bytes, size_t size, size_t *length, bool *has_crlf);

/* ---- the thread that keeps house (keeper.c): writes drafts, looks whether other programs changed files ---- */

typedef struct StudioKeeper StudioKeeper;
StudioKeeper *studio_keeper_create(Studio *studio); // NULL: no memory or no thread
/* Writes what drafts are missing, and ends. NULL is fine. */
void studio_keeper_free(StudioKeeper *keeper);

#endif
