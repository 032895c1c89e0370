/* SPDX-License-Identifier: BSD-3-Clause
 * Reading requests and refusing them: see studio.h. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "studio.h"
#include "utf.h"

json_t *studio_fail(StudioReply *reply, unsigned status, const char *cure, const char *format, ...) {
  if (reply->error) return NULL;
  char sentence[1024];
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  reply->status = status;
  reply->error = json_object();
  json_object_set_new(reply->error, "error", studio_json_text(length > 0 ? sentence : "The request failed."));
  if (cure) json_object_set_new(reply->error, "cure", studio_json_text(cure));
  return NULL;
}

json_t *studio_fail_memory(StudioReply *reply) {
  return studio_fail(reply, 500, "Close models and runs that are not needed.", "The server has no memory left for this.");
}

json_t *studio_answer_bytes(StudioReply *reply, const char *type, void *bytes, size_t size) {
  free(reply->bytes);
  reply->type = type;
  reply->bytes = bytes;
  reply->size = size;
  return NULL;
}

/* ---- members of a request ---- */

/* The member, or NULL: missing. `*is_right` is false when it should not be missing. */
static const json_t *member(const json_t *request, const char *name, bool needed, bool *is_right, StudioReply *reply) {
  const json_t *value = json_object_get(request, name);
  const bool is_missing = !value || json_is_null(value);
  *is_right = !is_missing || !needed;
  if (!*is_right) studio_fail(reply, 400, NULL, "The request lacks the member '%s'.", name);
  return is_missing ? NULL : value;
}

static bool wrong(StudioReply *reply, const char *name, const char *wanted) {
  studio_fail(reply, 400, NULL, "The member '%s' of the request must be %s.", name, wanted);
  return false;
}

static bool read_text(const json_t *member, const char *name, const char **value, StudioReply *reply) {
  if (!json_is_string(member)) return wrong(reply, name, "a text");
  if (strlen(json_string_value(member)) != json_string_length(member)) return wrong(reply, name, "a text without the character 0");
  *value = json_string_value(member);
  return true;
}

bool studio_read_text(const json_t *request, const char *name, bool needed, const char **value, StudioReply *reply) {
  bool is_right;
  const json_t *found = member(request, name, needed, &is_right, reply);
  return found ? read_text(found, name, value, reply) : is_right;
}

bool studio_read_number(const json_t *request, const char *name, bool needed, double *value, StudioReply *reply) {
  bool is_right;
  const json_t *found = member(request, name, needed, &is_right, reply);
  if (!found) return is_right;
  if (!json_is_number(found)) return wrong(reply, name, "a number");
  *value = json_number_value(found);
  return true;
}

bool studio_read_integer(const json_t *request, const char *name, bool needed, int64_t least, int64_t most, int64_t *value,
                         StudioReply *reply) {
  bool is_right;
  const json_t *found = member(request, name, needed, &is_right, reply);
  if (!found) return is_right;
  if (!json_is_integer(found)) return wrong(reply, name, "a whole number");
  const json_int_t number = json_integer_value(found);
  if (number < least || number > most) {
    studio_fail(reply, 400, NULL, "The member '%s' of the request must lie between %lld and %lld.", name, (long long)least,
                (long long)most);
    return false;
  }
  *value = number;
  return true;
}

bool studio_read_flag(const json_t *request, const char *name, bool needed, bool *value, StudioReply *reply) {
  bool is_right;
  const json_t *found = member(request, name, needed, &is_right, reply);
  if (!found) return is_right;
  if (!json_is_boolean(found)) return wrong(reply, name, "true or false");
  *value = json_is_true(found);
  return true;
}

bool studio_read_array(const json_t *request, const char *name, bool needed, size_t most, const json_t **value,
                       StudioReply *reply) {
  bool is_right;
  const json_t *found = member(request, name, needed, &is_right, reply);
  if (!found) return is_right;
  if (!json_is_array(found)) return wrong(reply, name, "a list");
  if (json_array_size(found) > most) {
    studio_fail(reply, 400, NULL, "The list '%s' of the request has more than %zu members.", name, most);
    return false;
  }
  *value = found;
  return true;
}

bool studio_read_text_at(const json_t *array, size_t index, const char *name, const char **value, StudioReply *reply) {
  const json_t *found = json_array_get(array, index);
  return found ? read_text(found, name, value, reply) : wrong(reply, name, "a longer list");
}

bool studio_read_object_at(const json_t *array, size_t index, const char *name, const json_t **value, StudioReply *reply) {
  const json_t *found = json_array_get(array, index);
  if (!json_is_object(found)) return wrong(reply, name, "a list of objects");
  *value = found;
  return true;
}

/* ---- answers ---- */

/* Bytes that are no UTF-8 become question marks. */
static json_t *mended(const char *text) {
  const size_t length = strlen(text);
  char *copy = malloc(length + 1);
  if (!copy) return json_string("");
  for (size_t i = 0; i <= length; i++) copy[i] = (unsigned char)text[i] < 0x80 ? text[i] : '?';
  json_t *made = json_string(copy);
  free(copy);
  return made;
}

json_t *studio_json_text(const char *text) {
  if (!text) text = "";
  return studio_utf_is_right(text, strlen(text)) ? json_string(text) : mended(text);
}

json_t *studio_json_number(double value) { return isfinite(value) ? json_real(value) : json_null(); }
