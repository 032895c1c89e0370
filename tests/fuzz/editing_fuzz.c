/* SPDX-License-Identifier: BSD-3-Clause
 * Any text at all, drawn upon: every edit of symbols and bonds is made or refused with a reason, lies in the text, and leaves a text that
 * can be read when it could be read before. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* strdup */
#endif
#include <math.h>

#include "fuzz/fuzz.h"
#include "support/formatted.h"

enum { MOST_NAMES = 12, LONGEST_NAME = 60, ROUNDS_OF_EDITS = 6 };

typedef struct Drawing {
  const char *text;
  size_t length;
  bool is_right; /* it can be read */
  HbgDocument *document;
  char names[MOST_NAMES][LONGEST_NAME]; int32_t count;
  char where[LONGEST_NAME];
  uint32_t seed;
} Drawing;

static uint32_t any(Drawing *self, uint32_t limit) {
  self->seed = self->seed * 1664525u + 1013904223u;
  return limit ? (self->seed >> 8) % limit : 0;
}

static const char *any_name(Drawing *self) { return self->count ? self->names[any(self, (uint32_t)self->count)] : "nothing"; }

static bool can_be_read(const char *text, size_t length) {
  Formatted formatted;
  formatted_begin(&formatted, text, (uint32_t)length);
  const bool is_right = formatted.is_right;
  formatted_end(&formatted);
  return is_right;
}

/* A change is a reason, or edits in order and apart; what it makes is as good as what was there. */
static void check_change(const Drawing *self, const HbgChange *change) {
  HOLDS(!*change->reason || change->count == 0);
  size_t size = self->length + 1, length = 0;
  for (int32_t i = 0; i < change->count; i++) size += strlen(change->edits[i].text);
  char *out = malloc(size);
  uint32_t at = 0;
  for (int32_t i = 0; i < change->count; i++) {
    const HbgEdit *edit = &change->edits[i];
    HOLDS(at <= edit->range.begin && edit->range.begin <= edit->range.end && edit->range.end <= self->length);
    memcpy(out + length, self->text + at, edit->range.begin - at);
    length += edit->range.begin - at;
    memcpy(out + length, edit->text, strlen(edit->text));
    length += strlen(edit->text);
    at = edit->range.end;
  }
  memcpy(out + length, self->text + at, self->length - at);
  length += self->length - at;
  if (self->is_right && change->count && !can_be_read(out, length)) {
    fprintf(stderr, "--- before\n%.*s\n--- behind\n%.*s\n", (int)self->length, self->text, (int)length, out);
    HOLDS(!self->is_right);
  }
  free(out);
}

/* The names in the text, of the last submodel or the model. */
static void list_names(Drawing *self) {
  const HbgOutlineItem *items;
  int32_t count;
  if (hbg_document_outline(self->document, &items, &count) != HBG_OK) return;
  for (int32_t i = 0; i < count; i++) {
    if (!strcmp(items[i].detail, "submodel") && any(self, 2)) snprintf(self->where, sizeof self->where, "%.50s", items[i].name);
    if (items[i].parent >= 0 && strlen(items[i].name) < LONGEST_NAME && (self->count < MOST_NAMES || any(self, 3) == 0))
      snprintf(self->names[self->count < MOST_NAMES ? self->count++ : (int32_t)any(self, MOST_NAMES)], LONGEST_NAME, "%s", items[i].name);
  }
}

/* Some two bytes of the text, an arrow where there is one. */
static HbgRange any_arrow(Drawing *self) {
  const uint32_t from = any(self, (uint32_t)self->length + 1);
  for (uint32_t i = from; i + 1 < self->length; i++)
    if (self->text[i + 1] == '>' || (self->text[i] == '<' && self->text[i + 1] == '-')) return (HbgRange){i, i + 2};
  return (HbgRange){from, from + 2};
}

static void edit_once(Drawing *self) {
  static const char *const statements[] = {"1 v", "I v(1), w(2)\n1 x\nx -> v", "signal v = 1 // here\ndrawing { v at 1, 2 }", "machine T { on a; off b }\n0 v by T",
                                           "for i in 1..3 { 1 v[i] }", "", "I (", "// nothing"};
  const char *name = any_name(self), *other = any_name(self), *text, *reason;
  const char *const names[] = {name, other};
  const HbgPlacement places[] = {{name, (double)any(self, 1000) / 8, -3}, {other, any(self, 2) ? (double)NAN : 1e7, 2}, {"v", 1, 1}};
  const HbgRange arrow = any_arrow(self);
  HbgChange change;
  if (hbg_document_place(self->document, self->where, places, 1 + (int32_t)any(self, 2), &change) == HBG_OK) check_change(self, &change);
  if (hbg_document_free_name(self->document, self->where, name, &text) == HBG_OK) HOLDS(*text);
  if (hbg_document_remove(self->document, self->where, names, 1 + (int32_t)any(self, 2), &arrow, (int32_t)any(self, 2), &change) == HBG_OK)
    check_change(self, &change);
  if (hbg_document_connect(self->document, self->where, name, other, &change) == HBG_OK) check_change(self, &change);
  if (hbg_document_reverse(self->document, arrow, &change) == HBG_OK) check_change(self, &change);
  if (hbg_document_add(self->document, self->where, statements[any(self, sizeof statements / sizeof *statements)], &places[2], 1, &change) == HBG_OK)
    check_change(self, &change);
  if (hbg_document_copy(self->document, self->where, names, 2, &text, &reason) != HBG_OK) return;
  HOLDS(!*reason || !*text);
  char *copied = strdup(text);
  if (hbg_document_add(self->document, self->where, copied, NULL, 0, &change) == HBG_OK) {
    check_change(self, &change);
    HOLDS(!self->is_right || !strstr(change.reason, "cannot be read"));
  }
  free(copied);
}

static bool no_file(const char *path, const char **bytes, size_t *length, void *user) {
  (void)path, (void)bytes, (void)length, (void)user;
  return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Purse purse = {.most = 16 << 20};
  HbgModelOptions options = purse_options(&purse);
  options.read = no_file;
  Drawing self = {.text = (const char *)data, .length = size, .seed = (uint32_t)size};
  for (size_t i = 0; i < size; i++) self.seed = self.seed * 31 + data[i];
  if (hbg_document_open(self.text, size, &options, &self.document) == HBG_OK) {
    self.is_right = can_be_read(self.text, size);
    list_names(&self);
    for (int32_t i = 0; i < ROUNDS_OF_EDITS; i++) edit_once(&self);
    hbg_document_free(self.document);
  }
  HOLDS(purse.spent == 0);
  return 0;
}
