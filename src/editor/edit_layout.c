/* SPDX-License-Identifier: BSD-3-Clause
 * Changes behind changes as changes of the first text: the changed text is laid out as a whole, so that what stands under each other still
 * does, and of all that is kept what differs. */
#include <string.h>

#include "editor/edit_insertion.h"

/* ---- two changes, one behind the other ---- */

/* A text as it is made of another one: bytes of that, or new ones. */
typedef struct Segment {
  const char *inserted; /* NULL: bytes of the old text */
  uint32_t begin, end;  /* of the old text, or of `inserted` */
} Segment;

typedef struct Segments {
  HbgArena *arena;
  Segment *list;
  int32_t count, capacity;
} Segments;

static void push_segment(Segments *segments, const char *inserted, uint32_t begin, uint32_t end) {
  if (begin < end)
    ARENA_PUSH(segments->arena, segments->list, segments->count, segments->capacity) = (Segment){inserted, begin, end};
}

static Segments segments_of(const HbgTree *tree, const HbgTextChanges *changes, HbgArena *arena) {
  Segments segments = {.arena = arena};
  uint32_t end = 0;
  for (int32_t i = 0; i < changes->count; i++) {
    const HbgTextChange *change = &changes->list[i];
    push_segment(&segments, NULL, end, change->span.begin);
    push_segment(&segments, change->text, 0, (uint32_t)strlen(change->text));
    end = change->span.end;
  }
  push_segment(&segments, NULL, end, tree->length);
  return segments;
}

/* Hands on the bytes [begin, end) of the text that `from` makes. */
typedef struct Reader {
  const Segments *from;
  int32_t at;     /* segment */
  uint32_t place; /* where it begins */
} Reader;

static void hand_on(Reader *reader, uint32_t begin, uint32_t end, Segments *to) {
  while (reader->at < reader->from->count) {
    const Segment *segment = &reader->from->list[reader->at];
    const uint32_t length = segment->end - segment->begin;
    const uint32_t first = begin > reader->place ? begin - reader->place : 0;
    const uint32_t last = end < reader->place + length ? end - reader->place : length;
    if (end <= reader->place) return;
    if (first < last) push_segment(to, segment->inserted, segment->begin + first, segment->begin + last);
    if (end < reader->place + length) return;
    reader->place += length;
    reader->at++;
  }
}

static Segments change_segments(const Segments *from, const HbgTextChanges *changes, uint32_t length) {
  Segments to = {.arena = from->arena};
  Reader reader = {.from = from};
  uint32_t end = 0;
  for (int32_t i = 0; i < changes->count; i++) {
    const HbgTextChange *change = &changes->list[i];
    hand_on(&reader, end, change->span.begin, &to);
    push_segment(&to, change->text, 0, (uint32_t)strlen(change->text));
    end = change->span.end;
  }
  hand_on(&reader, end, length, &to);
  return to;
}

/* ---- what differs ---- */

static bool is_inside_character(char byte) { return ((unsigned char)byte & 0xC0) == 0x80; }

/* Without the bytes at both ends that stay what they are. */
static void push_difference(const HbgTree *tree, HbgTextChanges *changes, HbgSpan span, HbgText *text,
                            HbgArena *arena) {
  const char *old = tree->text + span.begin;
  const uint32_t length = (uint32_t)text->length, old_length = span.end - span.begin;
  uint32_t head = 0, tail = 0;
  while (head < length && head < old_length && old[head] == text->bytes[head]) head++;
  while (head > 0 && ((head < length && is_inside_character(text->bytes[head])) ||
                      (head < old_length && is_inside_character(old[head]))))
    head--;
  while (tail < length - head && tail < old_length - head &&
         old[old_length - 1 - tail] == text->bytes[length - 1 - tail])
    tail++;
  while (tail > 0 && is_inside_character(old[old_length - tail])) tail--;
  if (head == length && head == old_length) return;
  ARENA_PUSH(arena, changes->list, changes->count, changes->capacity) = (HbgTextChange){
      {span.begin + head, span.end - tail}, hbg_arena_text(arena, text->bytes + head, length - head - tail)};
}

static HbgTextChanges changes_of(const HbgTree *tree, const Segments *segments) {
  HbgTextChanges changes = {0};
  HbgText text = hbg_text(segments->arena);
  uint32_t end = 0;
  for (int32_t i = 0; i < segments->count; i++) {
    const Segment *segment = &segments->list[i];
    if (segment->inserted) {
      hbg_text_add_bytes(&text, segment->inserted + segment->begin, segment->end - segment->begin);
      continue;
    }
    push_difference(tree, &changes, (HbgSpan){end, segment->begin}, &text, segments->arena);
    text = hbg_text(segments->arena);
    end = segment->end;
  }
  push_difference(tree, &changes, (HbgSpan){end, tree->length}, &text, segments->arena);
  return changes;
}

/* ---- layout ---- */

HbgTextChanges hbg_edit_laid_out(const HbgTree *tree, const HbgTextChanges *changes, HbgArena *arena) {
  const HbgText text = hbg_changes_apply(tree, changes, arena);
  HbgDiagnostics diagnostics = hbg_diagnostics(arena);
  const HbgTree changed = hbg_parse(text.bytes, (uint32_t)text.length, arena, &diagnostics);
  const Segments segments = segments_of(tree, changes, arena);
  const HbgTextChanges layout = hbg_format_changes(&changed, arena);
  const Segments laid_out = change_segments(&segments, &layout, (uint32_t)text.length);
  return changes_of(tree, &laid_out);
}

HbgTextChanges hbg_edit_smallest(const HbgTree *tree, const HbgTextChanges *changes, HbgArena *arena) {
  const Segments segments = segments_of(tree, changes, arena);
  return changes_of(tree, &segments);
}
