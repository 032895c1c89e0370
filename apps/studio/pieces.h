/* SPDX-License-Identifier: BSD-3-Clause
 * A text that is edited several times, as pieces of what it was and of what came: all the edits together are then edits of what it was. */
#ifndef STUDIO_PIECES_H
#define STUDIO_PIECES_H

#include <jansson.h>

#include "hybrsim/editor.h"
#include "utf.h"

typedef struct StudioPiece {
  size_t begin, end; // bytes of the original; when `text` is not NULL, of that
  char *text;        // what came: from malloc(), `owned` by one of its pieces
  bool is_owner;
} StudioPiece;

typedef struct StudioPieces {
  const char *original;
  size_t length;
  StudioPiece *list; // (count)
  size_t count, capacity;
  bool has_failed; // no memory
} StudioPieces;

/* Borrows the text. */
void studio_pieces_begin(StudioPieces *pieces, const char *original, size_t length);
void studio_pieces_free(StudioPieces *pieces);
/* Edits of the text as it is now: in order of place, none upon another. */
void studio_pieces_apply(StudioPieces *pieces, const HbgEdit *edits, int32_t count);
/* The text as it is now, from malloc(); NULL: no memory. */
char *studio_pieces_text(StudioPieces *pieces, size_t *length);
/* Where byte `at` of the original is now; false: it is gone. */
bool studio_pieces_find(const StudioPieces *pieces, size_t at, size_t *now);
/* All edits together, of the original: the protocol's Edit[]. A new reference; NULL: no memory. */
json_t *studio_pieces_edits(StudioPieces *pieces, const StudioPlaces *places);

#endif
