/* SPDX-License-Identifier: BSD-3-Clause
 * See pieces.h. */
#define _GNU_SOURCE
#include "pieces.h"

#include <stdlib.h>
#include <string.h>

#include "buffer.h"

static size_t size_of(const StudioPiece *piece) { return piece->end - piece->begin; }

static void insert_at(StudioPieces *pieces, size_t index, StudioPiece piece) {
  if (pieces->count == pieces->capacity) {
    const size_t capacity = pieces->capacity ? 2 * pieces->capacity : 16;
    StudioPiece *list = realloc(pieces->list, capacity * sizeof *list);
    if (!list) {
      pieces->has_failed = true;
      if (piece.is_owner) free(piece.text);
      return;
    }
    pieces->list = list;
    pieces->capacity = capacity;
  }
  memmove(pieces->list + index + 1, pieces->list + index, (pieces->count - index) * sizeof *pieces->list);
  pieces->list[index] = piece;
  pieces->count++;
}

void studio_pieces_begin(StudioPieces *pieces, const char *original, size_t length) {
  *pieces = (StudioPieces){.original = original, .length = length};
  insert_at(pieces, 0, (StudioPiece){.end = length});
}

void studio_pieces_free(StudioPieces *pieces) {
  for (size_t i = 0; i < pieces->count; i++)
    if (pieces->list[i].is_owner) free(pieces->list[i].text);
  free(pieces->list);
  *pieces = (StudioPieces){0};
}

/* Sees to it that a piece begins at byte `at` of the text as it is now; its index. */
static size_t split(StudioPieces *pieces, size_t at) {
  size_t index = 0, begin = 0;
  while (index < pieces->count && begin + size_of(&pieces->list[index]) <= at) begin += size_of(&pieces->list[index++]);
  if (index == pieces->count || begin == at) return index;
  StudioPiece rest = pieces->list[index];
  rest.begin += at - begin;
  rest.is_owner = false;
  pieces->list[index].end = rest.begin;
  insert_at(pieces, index + 1, rest);
  return index + 1;
}

/* What is taken away stays in the list, empty: later pieces may have its text. */
static void apply_one(StudioPieces *pieces, const HbgEdit *edit) {
  const size_t first = split(pieces, edit->range.begin), behind = split(pieces, edit->range.end);
  if (pieces->has_failed) return;
  for (size_t i = first; i < behind; i++) pieces->list[i].end = pieces->list[i].begin;
  const size_t length = strlen(edit->text);
  char *copy = length ? strdup(edit->text) : NULL;
  if (length && !copy) pieces->has_failed = true;
  if (copy) insert_at(pieces, first, (StudioPiece){.end = length, .text = copy, .is_owner = true});
}

void studio_pieces_apply(StudioPieces *pieces, const HbgEdit *edits, int32_t count) {
  for (int32_t i = count; i-- > 0;) apply_one(pieces, &edits[i]); // from the end: places before it stay
}

static const char *bytes_of(const StudioPieces *pieces, const StudioPiece *piece) {
  return (piece->text ? piece->text : pieces->original) + piece->begin;
}

char *studio_pieces_text(StudioPieces *pieces, size_t *length) {
  StudioBuffer out = {0};
  for (size_t i = 0; i < pieces->count; i++) studio_buffer_add(&out, bytes_of(pieces, &pieces->list[i]), size_of(&pieces->list[i]));
  if (!pieces->has_failed) return studio_buffer_take(&out, length);
  studio_buffer_free(&out);
  return NULL;
}

bool studio_pieces_find(const StudioPieces *pieces, size_t at, size_t *now) {
  size_t begin = 0;
  for (size_t i = 0; i < pieces->count; i++) {
    const StudioPiece *piece = &pieces->list[i];
    if (!piece->text && size_of(piece) && at >= piece->begin && at <= piece->end) {
      *now = begin + (at - piece->begin);
      return true;
    }
    begin += size_of(piece);
  }
  return false;
}

/* ---- all edits together ---- */

/* Leaves out what an edit puts in the place of the very same. */
static void trim(const char *original, size_t *begin, size_t *end, const char **text, size_t *length) {
  while (*begin < *end && *length && original[*begin] == **text) {
    ++*begin;
    ++*text;
    --*length;
  }
  while (*begin < *end && *length && original[*end - 1] == (*text)[*length - 1]) {
    --*end;
    --*length;
  }
}

static bool is_inside(char byte) { return ((unsigned char)byte & 0xC0) == 0x80; }

/* Does it begin or end within a character? */
static bool cuts(const char *original, size_t length, size_t begin, size_t end) {
  return (begin < length && is_inside(original[begin])) || (end < length && is_inside(original[end]));
}

static bool push_edit(StudioPieces *pieces, const StudioPlaces *places, json_t *edits, size_t begin, size_t end, StudioBuffer *buffer) {
  size_t length = 0;
  char *whole = studio_buffer_take(buffer, &length);
  if (!whole) return false;
  const char *text = whole;
  size_t from = begin, to = end;
  trim(pieces->original, &from, &to, &text, &length);
  if (cuts(pieces->original, pieces->length, from, to)) {
    from = begin;
    to = end;
    text = whole;
    length = strlen(whole);
  }
  bool is_made = true;
  if (from < to || length) {
    json_t *edit = json_pack("{s:I, s:I, s:s%}", "from", (json_int_t)studio_places_units(places, from), "to",
                             (json_int_t)studio_places_units(places, to), "insert", text, length);
    is_made = edit && json_array_append_new(edits, edit) == 0;
  }
  free(whole);
  return is_made;
}

/* What came, and what is gone, between two pieces of the original is one edit. */
json_t *studio_pieces_edits(StudioPieces *pieces, const StudioPlaces *places) {
  json_t *edits = pieces->has_failed ? NULL : json_array();
  StudioBuffer come = {0};
  size_t at = 0; // of the original
  bool is_made = edits != NULL;
  for (size_t i = 0; is_made && i <= pieces->count; i++) {
    const StudioPiece *piece = i < pieces->count ? &pieces->list[i] : NULL;
    if (piece && !size_of(piece)) continue;
    if (piece && piece->text) {
      studio_buffer_add(&come, bytes_of(pieces, piece), size_of(piece));
      continue;
    }
    const size_t begin = piece ? piece->begin : pieces->length;
    if (begin > at || come.size) is_made = push_edit(pieces, places, edits, at, begin, &come);
    if (piece) at = piece->end;
  }
  studio_buffer_free(&come);
  if (is_made) return edits;
  json_decref(edits);
  return NULL;
}
