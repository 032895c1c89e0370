/* SPDX-License-Identifier: BSD-3-Clause
 * The requests that ask about a place or a declaration of a text: parts, machine, complete, hover, definition, copy. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "editing.h"
#include "folder.h"
#include "looks.h"

enum { NAMES_MOST = 20000 };

static json_t *units(const StudioReading *reading, uint32_t byte) {
  return json_integer((json_int_t)studio_places_units(&reading->places, byte));
}

static json_t *refused(HbgStatus status, StudioReply *reply) {
  if (status == HBG_MEMORY) return studio_fail_memory(reply);
  return studio_fail(reply, 400, NULL, "That cannot be answered: %s.", hbg_status_text(status));
}

/* What one request asks of a reading whose lock is held. */
typedef json_t *Question(Studio *studio, StudioReading *reading, const json_t *request, StudioReply *reply);

static json_t *ask(Studio *studio, const json_t *request, StudioReply *reply, Question *question) {
  StudioReading *reading = studio_reading_take(studio, request, reply);
  if (!reading) return NULL;
  pthread_mutex_lock(&reading->lock);
  json_t *answer = question(studio, reading, request, reply);
  pthread_mutex_unlock(&reading->lock);
  studio_reading_give_back(studio, reading);
  return answer || reply->error ? answer : studio_fail_memory(reply);
}

/* ---- a declaration ---- */

static json_t *ask_parts(Studio *studio, StudioReading *reading, const json_t *request, StudioReply *reply) {
  const char *where = "", *name, *reason = "";
  HbgPartText parts[HBG_PART_COUNT] = {0};
  (void)studio;
  if (!studio_read_text(request, "where", false, &where, reply) || !studio_read_text(request, "name", true, &name, reply)) return NULL;
  const HbgStatus status = hbg_document_parts(reading->document, where, name, parts, &reason);
  if (status != HBG_OK) return refused(status, reply);
  json_t *out = json_object();
  for (int part = 0; part < HBG_PART_COUNT; part++)
    json_object_set_new(out, studio_part_names[part],
                        json_pack("{s:o, s:o, s:o, s:b}", "text", studio_json_text(parts[part].text), "from", units(reading, parts[part].range.begin),
                                  "to", units(reading, parts[part].range.end), "isPossible", parts[part].is_possible));
  return json_pack("{s:o, s:o}", "parts", out, "reason", studio_json_text(reason));
}

json_t *studio_parts(Studio *studio, const json_t *request, StudioReply *reply) { return ask(studio, request, reply, ask_parts); }

/* ---- a machine ---- */

static json_t *states_of(const StudioReading *reading, const HbgMachineText *machine) {
  json_t *out = json_array();
  for (int32_t i = 0; i < machine->state_count; i++) {
    const HbgMachineStateText *state = &machine->states[i];
    json_array_append_new(out, json_pack("{s:o, s:b, s:b, s:b, s:o, s:o}", "name", studio_json_text(state->name), "isOn", state->is_on, "isInitial",
                                         state->is_initial, "hasInner", state->has_inner, "from", units(reading, state->range.begin), "to",
                                         units(reading, state->range.end)));
  }
  return out;
}

static json_t *transitions_of(const StudioReading *reading, const HbgMachineText *machine) {
  json_t *out = json_array();
  for (int32_t i = 0; i < machine->transition_count; i++) {
    const HbgMachineTransitionText *transition = &machine->transitions[i];
    json_array_append_new(
        out, json_pack("{s:o, s:o, s:o, s:o, s:o, s:b, s:b, s:o, s:o, s:o, s:o}", "from", studio_json_text(transition->from), "to",
                       studio_json_text(transition->to), "after", studio_json_text(transition->after), "guard", studio_json_text(transition->guard), "actions", studio_json_text(transition->actions),
                       "hasAPriori", transition->has_a_priori, "hasAPosteriori", transition->has_a_posteriori, "begin",
                       units(reading, transition->range.begin), "end", units(reading, transition->range.end), "guardBegin",
                       units(reading, transition->guard_range.begin), "guardEnd", units(reading, transition->guard_range.end)));
  }
  return out;
}

static json_t *ask_machine(Studio *studio, StudioReading *reading, const json_t *request, StudioReply *reply) {
  const char *where = "", *name, *reason = "";
  HbgMachineText machine = {0};
  (void)studio;
  if (!studio_read_text(request, "where", false, &where, reply) || !studio_read_text(request, "name", true, &name, reply)) return NULL;
  const HbgStatus status = hbg_document_machine(reading->document, where, name, &machine, &reason);
  if (status != HBG_OK) return refused(status, reply);
  return json_pack("{s:o, s:o, s:o, s:o, s:o}", "name", studio_json_text(machine.name), "parameters", studio_json_text(machine.parameters), "reason",
                   studio_json_text(reason), "states", states_of(reading, &machine), "transitions", transitions_of(reading, &machine));
}

json_t *studio_machine(Studio *studio, const json_t *request, StudioReply *reply) { return ask(studio, request, reply, ask_machine); }

/* ---- copies ---- */

static json_t *ask_copy(Studio *studio, StudioReading *reading, const json_t *request, StudioReply *reply) {
  const char *where = "", *statements = "", *reason = "";
  const json_t *array = NULL;
  (void)studio;
  if (!studio_read_text(request, "where", false, &where, reply) || !studio_read_array(request, "names", true, NAMES_MOST, &array, reply)) return NULL;
  const char **names = calloc(json_array_size(array) + 1, sizeof *names);
  if (!names) return NULL;
  bool is_read = true;
  for (size_t i = 0; is_read && i < json_array_size(array); i++) is_read = studio_read_text_at(array, i, "names", &names[i], reply);
  json_t *out = NULL;
  if (is_read) {
    const HbgStatus status = hbg_document_copy(reading->document, where, names, (int32_t)json_array_size(array), &statements, &reason);
    if (status == HBG_OK) out = json_pack("{s:o, s:o}", "statements", studio_json_text(statements), "reason", studio_json_text(reason));
    else refused(status, reply);
  }
  free(names);
  return out;
}

json_t *studio_copy(Studio *studio, const json_t *request, StudioReply *reply) { return ask(studio, request, reply, ask_copy); }

/* ---- a place ---- */

static bool read_at(const StudioReading *reading, const json_t *request, uint32_t *at, StudioReply *reply) {
  int64_t unit;
  if (!studio_read_integer(request, "at", true, 0, UINT32_MAX, &unit, reply)) return false;
  *at = (uint32_t)studio_places_byte(&reading->places, (size_t)unit);
  return true;
}

static json_t *ask_complete(Studio *studio, StudioReading *reading, const json_t *request, StudioReply *reply) {
  static const char *const kinds[] = {
      [HBG_PROPOSAL_WORD] = "word",         [HBG_PROPOSAL_ELEMENT_KIND] = "element-kind", [HBG_PROPOSAL_PARAMETER] = "parameter",
      [HBG_PROPOSAL_SIGNAL] = "signal",     [HBG_PROPOSAL_ELEMENT] = "element",           [HBG_PROPOSAL_JUNCTION] = "junction",
      [HBG_PROPOSAL_BOND] = "bond",         [HBG_PROPOSAL_MACHINE] = "machine",           [HBG_PROPOSAL_MACHINE_TYPE] = "machine-type",
      [HBG_PROPOSAL_STATE] = "state",       [HBG_PROPOSAL_FUNCTION] = "function",         [HBG_PROPOSAL_CONSTANT] = "constant",
      [HBG_PROPOSAL_MEMBER] = "member",     [HBG_PROPOSAL_UNIT] = "unit",                 [HBG_PROPOSAL_SUBMODEL] = "submodel"};
  uint32_t at;
  const HbgProposal *proposals;
  int32_t count = 0;
  (void)studio;
  if (!read_at(reading, request, &at, reply)) return NULL;
  const HbgStatus status = hbg_document_proposals(reading->document, at, &proposals, &count);
  if (status != HBG_OK) return refused(status, reply);
  json_t *out = json_array();
  for (int32_t i = 0; i < count; i++)
    json_array_append_new(out, json_pack("{s:o, s:s, s:o}", "text", studio_json_text(proposals[i].text), "kind", kinds[proposals[i].kind], "detail",
                                         studio_json_text(proposals[i].detail)));
  return json_pack("{s:o}", "proposals", out);
}

json_t *studio_complete(Studio *studio, const json_t *request, StudioReply *reply) { return ask(studio, request, reply, ask_complete); }

static json_t *ask_hover(Studio *studio, StudioReading *reading, const json_t *request, StudioReply *reply) {
  uint32_t at;
  const char *text = "";
  HbgRange range = {0};
  (void)studio;
  if (!read_at(reading, request, &at, reply)) return NULL;
  const HbgStatus status = hbg_document_hover(reading->document, at, &text, &range);
  if (status != HBG_OK) return refused(status, reply);
  return json_pack("{s:o, s:o, s:o}", "markdown", studio_json_text(text), "from", units(reading, range.begin), "to", units(reading, range.end));
}

json_t *studio_hover(Studio *studio, const json_t *request, StudioReply *reply) { return ask(studio, request, reply, ask_hover); }

/* A place of this text, or of a file that pages may see. */
static json_t *place_of(Studio *studio, const StudioReading *reading, const HbgDeclaration *declaration) {
  StudioPlaces theirs = {0};
  const bool is_other = declaration->path && declaration->text;
  char *path = is_other ? studio_folder_path_of(studio->folder, declaration->path) : strdup(reading->text.path);
  json_t *out = NULL;
  if (path && (!is_other || studio_places_create(&theirs, declaration->text, strlen(declaration->text)))) {
    const StudioPlaces *places = is_other ? &theirs : &reading->places;
    out = json_pack("{s:o, s:I, s:I}", "path", studio_json_text(path), "from", (json_int_t)studio_places_units(places, declaration->range.begin), "to",
                    (json_int_t)studio_places_units(places, declaration->range.end));
  }
  studio_places_free(&theirs);
  free(path);
  return out;
}

static json_t *ask_definition(Studio *studio, StudioReading *reading, const json_t *request, StudioReply *reply) {
  uint32_t at;
  const HbgDeclaration *declarations;
  int32_t count = 0;
  if (!read_at(reading, request, &at, reply)) return NULL;
  const HbgStatus status = hbg_document_declarations(reading->document, at, &declarations, &count);
  if (status != HBG_OK) return refused(status, reply);
  json_t *out = json_array();
  for (int32_t i = 0; i < count; i++) {
    json_t *place = place_of(studio, reading, &declarations[i]);
    if (place) json_array_append_new(out, place);
  }
  return json_pack("{s:o}", "places", out);
}

json_t *studio_definition(Studio *studio, const json_t *request, StudioReply *reply) { return ask(studio, request, reply, ask_definition); }
