/* SPDX-License-Identifier: BSD-3-Clause
 * What texts mean: a text that is looked at is read once, and what was found is kept until it changes. */
#ifndef STUDIO_LOOKS_H
#define STUDIO_LOOKS_H

#include <pthread.h>

#include "hybrsim/diagram.h"
#include "studio.h"
#include "utf.h"

/* A text, read. */
typedef struct StudioReading {
  StudioText text;
  StudioPlaces places;
  HbgModel *model;          // also of a text that is wrong
  bool is_right;
  uint64_t generation;      // of all texts when it was read
  bool has_read;            // it is of other files, too
  pthread_mutex_t lock;     // of all that follows
  HbgDocument *document;
  json_t *common;           // what every look at it has; NULL: not yet looked at
  struct StudioKept *looks; // the latest first
  int users;                // of the table's lock
} StudioReading;

StudioLooks *studio_looks_create(void); // NULL: no memory
void studio_looks_free(StudioLooks *looks);

/* The text that a request names by `path` and `version`, read; to be given back. NULL after studio_fail(). */
StudioReading *studio_reading_take(Studio *studio, const json_t *request, StudioReply *reply);
void studio_reading_give_back(Studio *studio, StudioReading *reading);

typedef struct StudioKept {
  char *key;
  char *answer; // JSON
  size_t size;
  struct StudioKept *next;
} StudioKept;
/* With its lock held: an answer that was kept, which stays until the next is; NULL. */
const StudioKept *studio_reading_recall(const StudioReading *reading, const char *key);
/* Keeps `answer`, from malloc(), which is the reading's then; NULL: no memory. */
const StudioKept *studio_reading_keep(StudioReading *reading, const char *key, char *answer);

/* The diagram of a level (look_requests.c), in the initial mode where there is no such mode; NULL: no such level. */
HbgDiagram *studio_diagram_of(const HbgModel *model, const char *level, const char *mode, bool is_automatic);

#endif
