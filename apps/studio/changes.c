/* SPDX-License-Identifier: BSD-3-Clause
 * See changes.h. */
#include "changes.h"

#include <stdint.h>
#include <string.h>

#include "buffer.h"
#include "utf.h"

/* Goes through the old text while the new one grows. */
typedef struct Application {
  const char *text;
  size_t length, at; // bytes
  StudioBuffer out;
  const char *message;
} Application;

static bool refuse(Application *self, const char *message) {
  self->message = message;
  return false;
}

/* Goes `units` on in the old text. */
static bool skip(Application *self, const json_t *units) {
  if (!json_is_integer(units) || json_integer_value(units) < 0) return refuse(self, "a part of the changes counts no characters");
  const json_int_t count = json_integer_value(units);
  const size_t rest = self->length - self->at;
  if ((uint64_t)count > rest) return refuse(self, "the changes are longer than the text");
  bool is_split;
  const size_t bytes = studio_utf_skip(self->text + self->at, rest, (size_t)count, &is_split);
  if (is_split) return refuse(self, "the changes cut a character in two");
  if (bytes == rest && studio_utf16_length(self->text + self->at, bytes) < (size_t)count)
    return refuse(self, "the changes are longer than the text");
  self->at += bytes;
  return true;
}

static bool keep(Application *self, const json_t *units) {
  const size_t begin = self->at;
  if (!skip(self, units)) return false;
  studio_buffer_add(&self->out, self->text + begin, self->at - begin);
  return true;
}

static bool insert_line(Application *self, const json_t *line) {
  if (!json_is_string(line)) return refuse(self, "a line of the changes is no text");
  const char *text = json_string_value(line);
  const size_t length = json_string_length(line);
  if (memchr(text, '\n', length) || memchr(text, '\r', length)) return refuse(self, "a line of the changes has several lines");
  if (memchr(text, '\0', length)) return refuse(self, "the changes have a character that no text has");
  studio_buffer_add(&self->out, text, length);
  return true;
}

static bool replace(Application *self, const json_t *part) {
  if (!skip(self, json_array_get(part, 0))) return false;
  for (size_t i = 1; i < json_array_size(part); i++) {
    if (i > 1) studio_buffer_add(&self->out, "\n", 1);
    if (!insert_line(self, json_array_get(part, i))) return false;
  }
  return true;
}

static bool apply(Application *self, const json_t *changes) {
  if (!json_is_array(changes)) return refuse(self, "the changes are no list");
  for (size_t i = 0; i < json_array_size(changes); i++) {
    const json_t *part = json_array_get(changes, i);
    if (!(json_is_array(part) ? replace(self, part) : keep(self, part))) return false;
    if (self->out.size > STUDIO_TEXT_MOST) return refuse(self, "the text would become longer than 16 MB");
  }
  if (self->at < self->length) return refuse(self, "the changes are shorter than the text");
  return true;
}

char *studio_changes_apply(const json_t *changes, const char *text, size_t length, size_t *new_length, const char **message) {
  Application self = {.text = text, .length = length, .message = "there is no memory for the text"};
  if (!apply(&self, changes)) {
    studio_buffer_free(&self.out);
    *message = self.message;
    return NULL;
  }
  char *made = studio_buffer_take(&self.out, new_length);
  *message = made ? "" : "there is no memory for the text";
  return made;
}

/* Is byte `at` within a character? */
static bool is_inside(const char *text, size_t length, size_t at) { return at < length && ((unsigned char)text[at] & 0xC0) == 0x80; }

static json_t *lines_of(const char *text, size_t length, json_t *part) {
  for (;;) {
    const char *end = memchr(text, '\n', length);
    const size_t size = end ? (size_t)(end - text) : length;
    if (json_array_append_new(part, json_stringn(text, size)) < 0) {
      json_decref(part);
      return NULL;
    }
    if (!end) return part;
    text += size + 1;
    length -= size + 1;
  }
}

static bool push_kept(json_t *changes, const char *text, size_t length) {
  if (!length) return true;
  return json_array_append_new(changes, json_integer((json_int_t)studio_utf16_length(text, length))) == 0;
}

json_t *studio_changes_between(const char *text, size_t length, const char *new_text, size_t new_length) {
  const size_t shorter = length < new_length ? length : new_length;
  size_t head = 0, tail = 0;
  while (head < shorter && text[head] == new_text[head]) head++;
  while (head > 0 && (is_inside(text, length, head) || is_inside(new_text, new_length, head))) head--;
  while (tail < shorter - head && text[length - 1 - tail] == new_text[new_length - 1 - tail]) tail++;
  while (tail > 0 && (is_inside(text, length, length - tail) || is_inside(new_text, new_length, new_length - tail))) tail--;

  json_t *changes = json_array();
  const size_t gone = length - head - tail, come = new_length - head - tail;
  bool is_made = changes && push_kept(changes, text, head);
  if (is_made && (gone || come)) {
    json_t *part = json_pack("[I]", (json_int_t)studio_utf16_length(text + head, gone));
    if (part && come) part = lines_of(new_text + head, come, part);
    is_made = part && json_array_append_new(changes, part) == 0;
  }
  if (is_made && push_kept(changes, text + length - tail, tail)) return changes;
  json_decref(changes);
  return NULL;
}
