/* SPDX-License-Identifier: BSD-3-Clause
 * Collecting changes, and laying out what they insert: the changed text is laid out, and of that is kept what concerns the new
 * bytes; all of it when the text was laid out before, so that what stands under each other still does. */
#include "editor/changing.h"

#include <string.h>

/* ---- collecting ---- */

static const char *line_end_of(const HbgTree *tree) {
  const char *first = tree->length ? memchr(tree->text, '\n', tree->length) : NULL;
  return first && first > tree->text && first[-1] == '\r' ? "\r\n" : "\n";
}

static const char *with_line_ends(const HbgView *view, const char *text) {
  const char *line_end = line_end_of(view->tree);
  HbgText out = hbg_text(view->arena);
  if (line_end[0] == '\n' || !strchr(text, '\n')) return hbg_arena_text(view->arena, text, strlen(text));
  for (; *text; text++)
    if (*text == '\n')
      hbg_text_add(&out, "%s", line_end);
    else if (*text != '\r')
      hbg_text_add_bytes(&out, text, 1);
  return out.bytes;
}

void hbg_changing_replace(HbgChanging *changing, HbgSpan span, const char *text) {
  HbgTextChanges *changes = &changing->changes;
  if (span.begin == span.end && !*text) return;
  ARENA_PUSH(changing->view->arena, changes->list, changes->count, changes->capacity) =
      (HbgTextChange){span, with_line_ends(changing->view, text)};
}

void hbg_changing_insert(HbgChanging *changing, uint32_t at, const char *text) {
  hbg_changing_replace(changing, (HbgSpan){at, at}, text);
}

void hbg_changing_refuse(HbgChanging *changing, const char *format, ...) {
  va_list arguments;
  HbgText text = hbg_text(changing->view->arena);
  va_start(arguments, format);
  hbg_text_add_list(&text, format, arguments);
  va_end(arguments);
  if (!changing->reason) changing->reason = text.bytes;
}

void hbg_changing_name(HbgChanging *changing, const char *name) {
  ARENA_PUSH(changing->view->arena, changing->names, changing->name_count, changing->name_capacity) = name;
}

/* ---- order ---- */

/* By place; those of one place stay in the order in which they came, insertions before what is taken away there. */
static void sort(HbgTextChanges *changes) {
  for (int32_t i = 1; i < changes->count; i++) {
    const HbgTextChange moved = changes->list[i];
    int32_t at = i;
    for (; at > 0; at--) {
      const HbgTextChange *before = &changes->list[at - 1];
      const bool stays = before->span.begin < moved.span.begin ||
                         (before->span.begin == moved.span.begin &&
                          (before->span.end == before->span.begin || moved.span.end > moved.span.begin));
      if (stays) break;
      changes->list[at] = *before;
    }
    changes->list[at] = moved;
  }
}

/* What lies in bytes that are taken away is not changed besides; what overlaps otherwise becomes one change. */
static void make_disjoint(HbgTextChanges *changes) {
  int32_t count = 0;
  for (int32_t i = 0; i < changes->count; i++) {
    HbgTextChange *change = &changes->list[i];
    HbgTextChange *before = count ? &changes->list[count - 1] : NULL;
    if (before && change->span.begin < before->span.end) {
      if (change->span.end > before->span.end)
        change->span.begin = before->span.end;
      else
        continue;
    }
    changes->list[count++] = *change;
  }
  changes->count = count;
}

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

/* The changes of layout that overlap bytes that are new. */
static HbgTextChanges of_new_bytes(const HbgTextChanges *layout, const Segments *segments) {
  HbgTextChanges kept = {0};
  uint32_t place = 0;
  int32_t at = 0;
  for (int32_t i = 0; i < segments->count; i++) {
    const Segment *segment = &segments->list[i];
    const uint32_t end = place + segment->end - segment->begin;
    for (; at < layout->count && layout->list[at].span.end <= place; at++) {
    }
    for (; segment->inserted && at < layout->count && layout->list[at].span.begin < end; at++)
      if (layout->list[at].span.end > place && layout->list[at].span.begin < end)
        ARENA_PUSH(segments->arena, kept.list, kept.count, kept.capacity) = layout->list[at];
    place = end;
  }
  return kept;
}

HbgTextChanges hbg_changes_laid_out(const HbgTree *tree, const HbgTextChanges *changes, HbgArena *arena) {
  const HbgText text = hbg_changes_apply(tree, changes, arena);
  HbgDiagnostics diagnostics = hbg_diagnostics(arena);
  const HbgTree changed = hbg_parse(text.bytes, (uint32_t)text.length, arena, &diagnostics);
  const Segments segments = segments_of(tree, changes, arena);
  const HbgTextChanges layout = hbg_format_changes(&changed, arena);
  const Segments laid_out = change_segments(&segments, &layout, (uint32_t)text.length);
  return changes_of(tree, &laid_out);
}

HbgTextChanges hbg_changing_end(HbgChanging *changing) {
  const HbgTree *tree = changing->view->tree;
  HbgArena *arena = changing->view->arena;
  if (changing->reason) return (HbgTextChanges){0};
  hbg_changing_remove_statements(changing);
  HbgTextChanges changes = changing->changes;
  sort(&changes);
  make_disjoint(&changes);
  const bool was_laid_out = hbg_format_changes(tree, arena).count == 0;
  const HbgText text = hbg_changes_apply(tree, &changes, arena);
  HbgDiagnostics diagnostics = hbg_diagnostics(arena);
  const HbgTree changed = hbg_parse(text.bytes, (uint32_t)text.length, arena, &diagnostics);
  const Segments segments = segments_of(tree, &changes, arena);
  const HbgTextChanges all = hbg_format_changes(&changed, arena);
  const HbgTextChanges layout = was_laid_out ? all : of_new_bytes(&all, &segments);
  const Segments laid_out = change_segments(&segments, &layout, (uint32_t)text.length);
  return changes_of(tree, &laid_out);
}
