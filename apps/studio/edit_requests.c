/* SPDX-License-Identifier: BSD-3-Clause
 * The request `edit`: what has to change in a text so that it says what was just drawn. Operations come one after the other, each upon the text that
 * the one before left; places in them are places of the text that the page has. */
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "editing.h"
#include "hybrsim/editing.h"
#include "pieces.h"

enum { OPERATIONS_MOST = 200, NAMES_MOST = 20000 };

/* One edit request at work. */
typedef struct Editing {
  const StudioText *text;
  StudioPlaces places;   // of the text that the page has
  StudioPieces pieces;
  char *now;             // the text as the operations so far left it
  size_t length;
  HbgDocument *document; // of that
  json_t *names;
  const char *reason;    // lives as long as the document; "" while all goes well
  StudioReply *reply;
} Editing;

/* ---- members of operations ---- */

typedef struct Names {
  const char **list;
  int32_t count;
} Names;

static bool read_names(const json_t *operation, Names *names, StudioReply *reply) {
  const json_t *array = NULL;
  *names = (Names){0};
  if (!studio_read_array(operation, "names", true, NAMES_MOST, &array, reply)) return false;
  names->list = calloc(json_array_size(array) + 1, sizeof *names->list);
  if (!names->list) return studio_fail_memory(reply) != NULL;
  names->count = (int32_t)json_array_size(array);
  for (int32_t i = 0; i < names->count; i++)
    if (!studio_read_text_at(array, (size_t)i, "names", &names->list[i], reply)) return false;
  return true;
}

typedef struct Placements {
  HbgPlacement *list;
  int32_t count;
} Placements;

static bool read_placement(const json_t *array, size_t index, HbgPlacement *out, StudioReply *reply) {
  enum { FAR = 1000000 };
  const json_t *place = NULL;
  if (!studio_read_object_at(array, index, "places", &place, reply) || !studio_read_text(place, "name", true, &out->name, reply) ||
      !studio_read_number(place, "x", true, &out->x, reply) || !studio_read_number(place, "y", true, &out->y, reply))
    return false;
  if (fabs(out->x) <= FAR && fabs(out->y) <= FAR) return true;
  studio_fail(reply, 400, NULL, "The place of '%.100s' is too far away.", out->name);
  return false;
}

static bool read_placements(const json_t *operation, Placements *places, StudioReply *reply) {
  const json_t *array = NULL;
  *places = (Placements){0};
  if (!studio_read_array(operation, "places", false, NAMES_MOST, &array, reply)) return false;
  places->list = calloc(json_array_size(array) + 1, sizeof *places->list);
  if (!places->list) return studio_fail_memory(reply) != NULL;
  places->count = (int32_t)json_array_size(array);
  for (int32_t i = 0; i < places->count; i++)
    if (!read_placement(array, (size_t)i, &places->list[i], reply)) return false;
  return true;
}

/* A place of the page's text, where it is now, in bytes. */
static bool read_place(Editing *self, const json_t *operation, const char *name, uint32_t *byte) {
  int64_t unit;
  size_t now;
  if (!studio_read_integer(operation, name, true, 0, UINT32_MAX, &unit, self->reply)) return false;
  if (!studio_pieces_find(&self->pieces, studio_places_byte(&self->places, (size_t)unit), &now)) {
    studio_fail(self->reply, 400, NULL, "What stands at a place of this operation was taken away by one before it.");
    return false;
  }
  *byte = (uint32_t)now;
  return true;
}

static bool read_range(Editing *self, const json_t *operation, HbgRange *range) {
  return read_place(self, operation, "from", &range->begin) && read_place(self, operation, "to", &range->end);
}

typedef struct Ranges {
  HbgRange *list;
  int32_t count;
} Ranges;

static bool read_arrows(Editing *self, const json_t *operation, Ranges *arrows) {
  const json_t *array = NULL, *arrow = NULL;
  *arrows = (Ranges){0};
  if (!studio_read_array(operation, "arrows", false, NAMES_MOST, &array, self->reply)) return false;
  arrows->list = calloc(json_array_size(array) + 1, sizeof *arrows->list);
  if (!arrows->list) return studio_fail_memory(self->reply) != NULL;
  arrows->count = (int32_t)json_array_size(array);
  for (int32_t i = 0; i < arrows->count; i++)
    if (!studio_read_object_at(array, (size_t)i, "arrows", &arrow, self->reply) || !read_range(self, arrow, &arrows->list[i])) return false;
  return true;
}

static int find_word(const char *const *words, int count, const char *word) {
  for (int i = 0; i < count; i++)
    if (words[i] && !strcmp(words[i], word)) return i;
  return -1;
}

static bool read_choice(const json_t *operation, const char *name, const char *const *words, int count, int *choice, StudioReply *reply) {
  const char *word;
  if (!studio_read_text(operation, name, true, &word, reply)) return false;
  *choice = find_word(words, count, word);
  if (*choice < 0) studio_fail(reply, 400, NULL, "There is no '%.100s' for the member '%s'.", word, name);
  return *choice >= 0;
}

const char *const studio_part_names[HBG_PART_COUNT] = {
    [HBG_PART_KIND] = "kind",       [HBG_PART_ARGUMENTS] = "arguments", [HBG_PART_LAW] = "law",
    [HBG_PART_START] = "start",     [HBG_PART_CONTROL] = "control",     [HBG_PART_VALUE] = "value",
    [HBG_PART_DESCRIPTION] = "description"};

/* ---- operations: each asks the library for what has to change; false after studio_fail() ---- */

/* What the library answered. */
static bool take(Editing *self, HbgStatus status, const HbgChange *change) {
  if (status == HBG_MEMORY) return studio_fail_memory(self->reply) != NULL;
  if (status == HBG_ARGUMENT) return studio_fail(self->reply, 400, NULL, "This operation cannot be done.") != NULL;
  if (status != HBG_OK) {
    self->reason = "The text has mistakes; correct them first.";
    return true;
  }
  self->reason = change->reason ? change->reason : "";
  if (*self->reason) return true;
  for (int32_t i = 0; i < change->name_count; i++) json_array_append_new(self->names, studio_json_text(change->names[i]));
  studio_pieces_apply(&self->pieces, change->edits, change->count);
  return true;
}

static bool place(Editing *self, const char *where, const json_t *operation) {
  Placements places;
  HbgChange change = {0};
  const bool is_read = read_placements(operation, &places, self->reply);
  const bool is_done = is_read && take(self, hbg_document_place(self->document, where, places.list, places.count, &change), &change);
  free(places.list);
  return is_done;
}

static bool unplace(Editing *self, const char *where, const json_t *operation) {
  Names names;
  HbgChange change = {0};
  bool is_done = read_names(operation, &names, self->reply);
  HbgPlacement *places = is_done ? calloc((size_t)names.count + 1, sizeof *places) : NULL;
  for (int32_t i = 0; places && i < names.count; i++) places[i] = (HbgPlacement){names.list[i], (double)NAN, (double)NAN};
  is_done = places && take(self, hbg_document_place(self->document, where, places, names.count, &change), &change);
  free(places);
  free(names.list);
  return is_done;
}

static bool add(Editing *self, const char *where, const json_t *operation) {
  Placements places = {0};
  HbgChange change = {0};
  const char *statements;
  const bool is_read = studio_read_text(operation, "statements", true, &statements, self->reply) && read_placements(operation, &places, self->reply);
  const bool is_done = is_read && take(self, hbg_document_add(self->document, where, statements, places.list, places.count, &change), &change);
  free(places.list);
  return is_done;
}

static bool take_away(Editing *self, const char *where, const json_t *operation) {
  Names names = {0};
  Ranges arrows = {0};
  HbgChange change = {0};
  const bool is_read = read_names(operation, &names, self->reply) && read_arrows(self, operation, &arrows);
  const bool is_done =
      is_read && take(self, hbg_document_remove(self->document, where, names.list, names.count, arrows.list, arrows.count, &change), &change);
  free(names.list);
  free(arrows.list);
  return is_done;
}

static bool join(Editing *self, const char *where, const json_t *operation) {
  const char *tail, *head;
  HbgChange change = {0};
  return studio_read_text(operation, "tail", true, &tail, self->reply) && studio_read_text(operation, "head", true, &head, self->reply) &&
         take(self, hbg_document_connect(self->document, where, tail, head, &change), &change);
}

static bool reverse(Editing *self, const char *where, const json_t *operation) {
  HbgRange arrow;
  HbgChange change = {0};
  (void)where;
  return read_range(self, operation, &arrow) && take(self, hbg_document_reverse(self->document, arrow, &change), &change);
}

static bool extract(Editing *self, const char *where, const json_t *operation) {
  Names names = {0};
  const char *name;
  HbgChange change = {0};
  const bool is_read = read_names(operation, &names, self->reply) && studio_read_text(operation, "name", true, &name, self->reply);
  const bool is_done = is_read && take(self, hbg_document_extract(self->document, where, names.list, names.count, name, &change), &change);
  free(names.list);
  return is_done;
}

static bool rename_at(Editing *self, const char *where, const json_t *operation) {
  uint32_t at;
  const char *name;
  HbgChange change = {0};
  (void)where;
  if (!read_place(self, operation, "at", &at) || !studio_read_text(operation, "name", true, &name, self->reply)) return false;
  const HbgStatus status = hbg_document_rename(self->document, at, name, &change.edits, &change.count, NULL, &change.reason);
  return take(self, status, &change);
}

static bool set_part(Editing *self, const char *where, const json_t *operation) {
  const char *name, *text;
  int part;
  HbgChange change = {0};
  return studio_read_text(operation, "name", true, &name, self->reply) && studio_read_text(operation, "text", true, &text, self->reply) &&
         read_choice(operation, "part", studio_part_names, HBG_PART_COUNT, &part, self->reply) &&
         take(self, hbg_document_set_part(self->document, where, name, (HbgPart)part, text, &change), &change);
}

static bool import(Editing *self, const char *where, const json_t *operation) {
  const char *file;
  (void)where;
  if (!studio_read_text(operation, "file", true, &file, self->reply)) return false;
  if (!*file || strpbrk(file, "\"\n\r\\")) return studio_fail(self->reply, 400, NULL, "'%.100s' is no name of a file.", file) != NULL;
  HbgEdit edit;
  char *text = studio_import_edit(self->now, file, &edit);
  const HbgChange change = {.edits = &edit, .count = text ? 1 : 0, .reason = ""};
  const bool is_done = take(self, HBG_OK, &change);
  free(text);
  return is_done;
}

static bool add_machine(Editing *self, const char *where, const json_t *operation) {
  const char *junction;
  HbgChange change = {0};
  return studio_read_text(operation, "junction", true, &junction, self->reply) &&
         take(self, hbg_document_add_machine(self->document, where, junction, &change), &change);
}

static bool edit_machine(Editing *self, const char *where, const json_t *operation) {
  static const char *const edits[] = {
      [HBG_MACHINE_ADD_STATE] = "add-state",           [HBG_MACHINE_REMOVE_STATE] = "remove-state",
      [HBG_MACHINE_RENAME_STATE] = "rename-state",     [HBG_MACHINE_SET_INITIAL] = "set-initial",
      [HBG_MACHINE_SET_ON] = "set-on",                 [HBG_MACHINE_ADD_TRANSITION] = "add-transition",
      [HBG_MACHINE_REMOVE_TRANSITION] = "remove-transition", [HBG_MACHINE_SET_GUARD] = "set-guard",
      [HBG_MACHINE_SET_ENDS] = "set-ends",             [HBG_MACHINE_MOVE_TRANSITION] = "move-transition"};
  const char *machine;
  int edit;
  int64_t transition = 0;
  HbgMachineEditing editing = {.state = "", .other = "", .text = ""};
  HbgChange change = {0};
  if (!studio_read_text(operation, "machine", true, &machine, self->reply) ||
      !read_choice(operation, "edit", edits, sizeof edits / sizeof *edits, &edit, self->reply) ||
      !studio_read_text(operation, "state", false, &editing.state, self->reply) ||
      !studio_read_text(operation, "other", false, &editing.other, self->reply) ||
      !studio_read_text(operation, "text", false, &editing.text, self->reply) ||
      !studio_read_flag(operation, "isOn", false, &editing.is_on, self->reply) ||
      !studio_read_integer(operation, "transition", false, 0, INT32_MAX, &transition, self->reply))
    return false;
  editing.edit = (HbgMachineEdit)edit;
  editing.transition = (int32_t)transition;
  return take(self, hbg_document_edit_machine(self->document, where, machine, &editing, &change), &change);
}

static bool lay_out(Editing *self, const char *where, const json_t *operation) {
  HbgChange change = {.reason = ""};
  (void)where, (void)operation;
  return take(self, hbg_document_format(self->document, 0, UINT32_MAX, &change.edits, &change.count), &change);
}

static const struct {
  const char *name;
  bool (*act)(Editing *self, const char *where, const json_t *operation);
} operations[] = {
    {"place", place},     {"unplace", unplace}, {"add", add},        {"remove", take_away}, {"connect", join},
    {"reverse", reverse}, {"extract", extract}, {"rename", rename_at}, {"part", set_part},  {"import", import},
    {"add-machine", add_machine}, {"machine", edit_machine}, {"format", lay_out},
};

/* ---- one after the other ---- */

/* Opens the text as it is now. */
static bool open_now(Editing *self) {
  hbg_document_free(self->document);
  self->document = NULL;
  free(self->now);
  self->now = studio_pieces_text(&self->pieces, &self->length);
  if (self->now && hbg_document_open(self->now, self->length, &self->text->options, &self->document) == HBG_OK) return true;
  return studio_fail_memory(self->reply) != NULL;
}

static bool act(Editing *self, const json_t *operation) {
  const char *name, *where = "";
  if (!studio_read_text(operation, "op", true, &name, self->reply) || !studio_read_text(operation, "where", false, &where, self->reply)) return false;
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    if (!strcmp(operations[i].name, name)) return open_now(self) && operations[i].act(self, where, operation);
  studio_fail(self->reply, 400, "Reload the page: it may be newer than the server.", "There is no operation '%.100s'.", name);
  return false;
}

static bool act_all(Editing *self, const json_t *list) {
  for (size_t i = 0; i < json_array_size(list) && !*self->reason; i++) {
    const json_t *operation = NULL;
    if (!studio_read_object_at(list, i, "operations", &operation, self->reply) || !act(self, operation)) return false;
  }
  return true;
}

static json_t *answer(Editing *self) {
  if (*self->reason) return json_pack("{s:[], s:o, s:[]}", "edits", "reason", studio_json_text(self->reason), "names");
  json_t *edits = studio_pieces_edits(&self->pieces, &self->places);
  return edits ? json_pack("{s:o, s:s, s:O}", "edits", edits, "reason", "", "names", self->names) : studio_fail_memory(self->reply);
}

json_t *studio_edit_text(const StudioText *text, const json_t *list, StudioReply *reply) {
  Editing self = {.text = text, .names = json_array(), .reason = "", .reply = reply};
  json_t *out = NULL;
  studio_pieces_begin(&self.pieces, text->text, text->length);
  if (!self.names || !studio_places_create(&self.places, text->text, text->length)) studio_fail_memory(reply);
  else if (act_all(&self, list)) out = answer(&self);
  hbg_document_free(self.document);
  free(self.now);
  studio_pieces_free(&self.pieces);
  studio_places_free(&self.places);
  json_decref(self.names);
  return out;
}

json_t *studio_edit(Studio *studio, const json_t *request, StudioReply *reply) {
  const json_t *list = NULL;
  StudioText text;
  if (!studio_read_array(request, "operations", true, OPERATIONS_MOST, &list, reply)) return NULL;
  if (!studio_text_take(studio, request, &text, reply)) return NULL;
  json_t *out = studio_edit_text(&text, list, reply);
  studio_text_release(&text);
  return out;
}
