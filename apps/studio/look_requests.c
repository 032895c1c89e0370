/* SPDX-License-Identifier: BSD-3-Clause
 * The request `look`: what is wrong with a text, what it is made of, and its drawing. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "looks.h"
#include "submodels.h"

static json_t *units(const StudioReading *reading, uint32_t byte) {
  return json_integer((json_int_t)studio_places_units(&reading->places, byte));
}

static void set_range(const StudioReading *reading, json_t *object, HbgRange range) {
  json_object_set_new(object, "from", units(reading, range.begin));
  json_object_set_new(object, "to", units(reading, range.end));
}

/* ---- problems ---- */

static json_t *problem_of(const StudioReading *reading, const HbgProblem *problem) {
  json_t *out = json_pack("{s:o, s:o, s:b, s:o, s:o}", "code", studio_json_text(problem->code), "title", studio_json_text(problem->title),
                          "isError", problem->is_error, "message", studio_json_text(problem->message), "help", studio_json_text(problem->help));
  set_range(reading, out, problem->range);
  json_t *related = json_array(), *fixes = json_array();
  for (int32_t i = 0; i < problem->related_count; i++) {
    json_t *range = json_object();
    set_range(reading, range, problem->related[i]);
    json_array_append_new(related, range);
  }
  for (int32_t i = 0; i < problem->fix_count; i++) {
    json_t *edit = json_pack("{s:o}", "insert", studio_json_text(problem->fixes[i].edit.text));
    set_range(reading, edit, problem->fixes[i].edit.range);
    json_array_append_new(fixes, json_pack("{s:o, s:o}", "title", studio_json_text(problem->fixes[i].title), "edit", edit));
  }
  json_object_set_new(out, "related", related);
  json_object_set_new(out, "fixes", fixes);
  return out;
}

static json_t *problems_of(const StudioReading *reading) {
  const HbgProblem *problems;
  int32_t count = 0;
  json_t *out = json_array();
  if (hbg_document_problems(reading->document, &problems, &count) != HBG_OK) count = 0;
  for (int32_t i = 0; i < count; i++) json_array_append_new(out, problem_of(reading, &problems[i]));
  return out;
}

/* ---- what the model is made of ---- */

static json_t *parameters_of(const HbgModel *model) {
  json_t *out = json_array();
  const int32_t count = hbg_model_size(model).parameters;
  for (int32_t i = 0; i < count; i++) {
    const HbgParameterInfo info = hbg_model_parameter(model, i);
    json_array_append_new(out, json_pack("{s:o, s:o, s:o, s:o}", "name", studio_json_text(info.name), "value", studio_json_number(info.shown),
                                         "unit", studio_json_text(info.unit), "description", studio_json_text(info.description)));
  }
  return out;
}

static json_t *machines_of(const HbgModel *model) {
  json_t *out = json_array();
  const int32_t count = hbg_model_size(model).machines;
  for (int32_t i = 0; i < count; i++) {
    const HbgMachineInfo info = hbg_model_machine(model, i);
    json_t *states = json_array();
    for (int32_t k = 0; k < info.state_count; k++) {
      bool is_on = false;
      const char *name = hbg_model_machine_state(model, i, k, &is_on);
      json_array_append_new(states, json_pack("{s:o, s:b}", "name", studio_json_text(name), "isOn", is_on));
    }
    json_array_append_new(out, json_pack("{s:o, s:o, s:o, s:i}", "name", studio_json_text(info.name), "type", studio_json_text(info.type),
                                         "states", states, "initial", info.initial));
  }
  return out;
}

static json_t *stored_of(const HbgModel *model) {
  json_t *out = json_array();
  const HbgModelSize size = hbg_model_size(model);
  for (int32_t i = 0; i < size.stored_quantities + size.integrators; i++) {
    const HbgStoredInfo info = hbg_model_stored(model, i);
    json_array_append_new(out, json_pack("{s:o, s:o}", "name", studio_json_text(info.name), "node", studio_json_text(info.node)));
  }
  return out;
}

static json_t *signals_of(const HbgModel *model) {
  json_t *out = json_array();
  const int32_t count = hbg_model_size(model).signals;
  for (int32_t i = 0; i < count; i++) {
    const HbgSignalInfo info = hbg_model_signal(model, i);
    json_array_append_new(out, json_pack("{s:o, s:o, s:b}", "name", studio_json_text(info.name), "unit", studio_json_text(info.unit), "isBoolean",
                                         info.is_boolean));
  }
  return out;
}

/* When a run ends that nothing else is said to. */
static json_t *stop_of(const HbgModel *model) {
  HbgRun *run = NULL;
  if (hbg_run_create(model, NULL, &run, NULL) != HBG_OK) return json_null();
  json_t *out = studio_json_number(hbg_run_statistics(run).stop);
  hbg_run_free(run);
  return out;
}

static json_t *name_of(const StudioReading *reading) {
  const char *known = hbg_model_name(reading->model);
  if (*known) return studio_json_text(known);
  char *name = studio_model_name_in(reading->text.text);
  json_t *out = studio_json_text(name);
  free(name);
  return out;
}

static json_t *describe_common(StudioReading *reading) {
  json_t *out = json_object();
  json_object_set_new(out, "version", json_integer((json_int_t)reading->text.version));
  json_object_set_new(out, "name", name_of(reading));
  json_object_set_new(out, "isRight", json_boolean(reading->is_right));
  json_object_set_new(out, "problems", problems_of(reading));
  json_object_set_new(out, "parameters", parameters_of(reading->model));
  json_object_set_new(out, "machines", machines_of(reading->model));
  json_object_set_new(out, "machineTypes", studio_machine_types(reading->document));
  json_object_set_new(out, "submodels", studio_submodels(&reading->text, reading->document));
  json_object_set_new(out, "stored", stored_of(reading->model));
  json_object_set_new(out, "signals", signals_of(reading->model));
  json_object_set_new(out, "stop", stop_of(reading->model));
  return out;
}

/* ---- the mode ---- */

static json_t *texts(const char *const *list, int32_t count) {
  json_t *out = json_array();
  for (int32_t i = 0; i < count; i++) json_array_append_new(out, studio_json_text(list[i]));
  return out;
}

/* Causality of the mode; of the initial one where the mode is one that the text had once. */
static void add_mode(const HbgModel *model, const char *mode, json_t *answer) {
  const HbgCausality *causality = NULL;
  if (hbg_model_causality(model, mode, &causality) != HBG_OK) {
    hbg_causality_free(causality);
    causality = NULL;
    if (hbg_model_causality(model, "", &causality) != HBG_OK) {
      hbg_causality_free(causality);
      causality = NULL;
    }
  }
  json_t *loops = json_array();
  for (int32_t i = 0; causality && i < causality->loop_count; i++)
    json_array_append_new(loops, texts(causality->loops[i].variables, causality->loops[i].variable_count));
  json_object_set_new(answer, "loops", loops);
  json_object_set_new(answer, "conflicts", causality ? texts(causality->conflicts, causality->conflict_count) : json_array());
  json_object_set_new(answer, "islands", json_integer(causality ? causality->island_count : 0));
  hbg_causality_free(causality);
}

/* ---- the drawing ---- */

HbgDiagram *studio_diagram_of(const HbgModel *model, const char *level, const char *mode, bool is_automatic) {
  HbgDiagramOptions options = hbg_diagram_options();
  HbgDiagram *diagram = NULL;
  options.level = level;
  options.mode = mode;
  options.is_automatic = is_automatic;
  if (hbg_diagram_create(model, &options, &diagram, NULL) == HBG_OK) return diagram;
  options.mode = NULL; // the mode may be one that the text had once
  return hbg_diagram_create(model, &options, &diagram, NULL) == HBG_OK ? diagram : NULL;
}

/* What a diagram is told with: its own document, or those whose texts it shows. */
typedef struct Telling {
  Studio *studio;
  const StudioReading *reading;
  const HbgDiagram *diagram;
  char **files;         // (file_count) as pages call them; "" this one, NULL: they may not see it
  StudioPlaces *places; // (file_count) of their texts
  char **texts;
  int32_t file_count;
} Telling;

static void set_place(const Telling *self, json_t *object, HbgRange range, int32_t file) {
  const bool is_known = file >= 0 && file < self->file_count;
  const StudioPlaces *places = is_known ? &self->places[file] : &self->reading->places;
  json_object_set_new(object, "from", json_integer((json_int_t)studio_places_units(places, range.begin)));
  json_object_set_new(object, "to", json_integer((json_int_t)studio_places_units(places, range.end)));
  json_object_set_new(object, "file", studio_json_text(is_known ? self->files[file] : ""));
}

static const char *name_of_symbol(const Telling *self, int32_t index) { return hbg_diagram_symbol(self->diagram, index).name; }

static json_t *symbol_of(const Telling *self, int32_t index) {
  static const char *const sorts[] = {[HBG_SYMBOL_ELEMENT] = "element", [HBG_SYMBOL_JUNCTION] = "junction", [HBG_SYMBOL_SUBMODEL] = "submodel",
                                      [HBG_SYMBOL_SIGNAL] = "signal",   [HBG_SYMBOL_PORT] = "port",         [HBG_SYMBOL_MACHINE] = "machine"};
  const HbgSymbol symbol = hbg_diagram_symbol(self->diagram, index);
  const HbgMachineInfo machine = hbg_model_machine(self->reading->model, symbol.machine);
  json_t *out = json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:b, s:o, s:o, s:b, s:o}", "sort", sorts[symbol.sort], "name",
                          studio_json_text(symbol.name), "path", studio_json_text(symbol.path), "kind", studio_json_text(symbol.kind), "label",
                          studio_json_text(symbol.label), "x", studio_json_number(symbol.x), "y", studio_json_number(symbol.y), "width",
                          studio_json_number(symbol.width), "height", studio_json_number(symbol.height), "isPlaced", symbol.is_placed,
                          "isRepeated", symbol.is_repeated, "machine", studio_json_text(machine.name), "machineType",
                          studio_json_text(machine.type), "isOn", symbol.is_on, "definition", studio_json_text(symbol.definition));
  set_place(self, out, symbol.declaration, symbol.file);
  return out;
}

static json_t *bond_of(const Telling *self, int32_t index) {
  static const char *const strokes[] = {[HBG_STROKE_UNKNOWN] = "unknown", [HBG_STROKE_AT_TAIL] = "tail", [HBG_STROKE_AT_HEAD] = "head"};
  const HbgDiagramBond bond = hbg_diagram_bond(self->diagram, index);
  json_t *out = json_pack("{s:o, s:o, s:o, s:o, s:o, s:s, s:b, s:b, s:b, s:i, s:i, s:b}", "tail",
                          studio_json_text(name_of_symbol(self, bond.tail)), "head", studio_json_text(name_of_symbol(self, bond.head)), "name",
                          studio_json_text(bond.name), "effort", studio_json_text(bond.effort), "flow", studio_json_text(bond.flow), "stroke",
                          strokes[bond.stroke], "isDerivative", bond.is_derivative, "isConflict", bond.is_conflict, "isOff", bond.is_off, "lane",
                          bond.lane, "lanes", bond.lanes, "isRepeated", bond.is_repeated);
  set_place(self, out, bond.arrow, bond.file);
  return out;
}

static json_t *link_of(const Telling *self, int32_t index) {
  static const char *const sorts[] = {[HBG_LINK_SIGNAL] = "signal", [HBG_LINK_ACTIVE] = "active", [HBG_LINK_SWITCH] = "switch"};
  const HbgDiagramLink link = hbg_diagram_link(self->diagram, index);
  return json_pack("{s:s, s:o, s:o, s:o, s:b, s:b}", "sort", sorts[link.sort], "from", studio_json_text(name_of_symbol(self, link.from)), "to",
                   studio_json_text(name_of_symbol(self, link.to)), "quantity", studio_json_text(link.quantity), "isAPriori", link.is_a_priori,
                   "isGuard", link.is_guard);
}

static json_t *all(const Telling *self, int32_t count, json_t *(*one)(const Telling *, int32_t)) {
  json_t *out = json_array();
  for (int32_t i = 0; i < count; i++) json_array_append_new(out, one(self, i));
  return out;
}

/* How the files of a diagram are called and counted in. */
static void begin_telling(Telling *self) {
  const int32_t count = hbg_diagram_size(self->diagram).files;
  self->files = calloc((size_t)count + 1, sizeof *self->files);
  self->texts = calloc((size_t)count + 1, sizeof *self->texts);
  self->places = calloc((size_t)count + 1, sizeof *self->places);
  if (!self->files || !self->texts || !self->places) return;
  for (int32_t i = 0; i < count; i++) {
    const char *file = hbg_diagram_file(self->diagram, i);
    StudioText text = {0};
    StudioReply ignored = {0};
    self->files[i] = *file ? studio_folder_path_of(self->studio->folder, file) : strdup("");
    if (*file && self->files[i] && studio_text_take_latest(self->studio, self->files[i], &text, &ignored)) {
      self->texts[i] = text.text;
      text.text = NULL;
      studio_places_create(&self->places[i], self->texts[i], text.length);
    } else {
      studio_places_create(&self->places[i], self->reading->text.text, self->reading->text.length);
    }
    studio_text_release(&text);
    json_decref(ignored.error);
    self->file_count = i + 1;
  }
}

static void end_telling(Telling *self) {
  for (int32_t i = 0; i < self->file_count; i++) {
    studio_places_free(&self->places[i]);
    free(self->texts[i]);
    free(self->files[i]);
  }
  free(self->places);
  free(self->texts);
  free(self->files);
}

/* The submodel whose body the level shows: of an instance ("row.wagon[1]") its definition, as the level above tells it. */
static json_t *where_of(const HbgModel *model, const char *level) {
  const char *dot = strrchr(level, '.'), *name = dot ? dot + 1 : level;
  char *above = dot ? strndup(level, (size_t)(dot - level)) : strdup("");
  HbgDiagram *diagram = *level && above ? studio_diagram_of(model, above, "", true) : NULL;
  const int32_t count = diagram ? hbg_diagram_size(diagram).symbols : 0;
  json_t *where = NULL;
  for (int32_t i = 0; !where && i < count; i++) {
    const HbgSymbol symbol = hbg_diagram_symbol(diagram, i);
    if (symbol.sort == HBG_SYMBOL_SUBMODEL && !strcmp(symbol.name, name)) where = studio_json_text(symbol.definition);
  }
  hbg_diagram_free(diagram);
  free(above);
  return where ? where : studio_json_text(level);
}

/* The file in which the body stands: that of what is declared in it. */
static json_t *file_of(const Telling *self) {
  const int32_t file = hbg_diagram_size(self->diagram).symbols ? hbg_diagram_symbol(self->diagram, 0).file : 0;
  return studio_json_text(file >= 0 && file < self->file_count ? self->files[file] : "");
}

static json_t *tell(Studio *studio, const StudioReading *reading, const HbgDiagram *diagram, const char *level) {
  Telling self = {.studio = studio, .reading = reading, .diagram = diagram};
  begin_telling(&self);
  const HbgDiagramSize size = hbg_diagram_size(diagram);
  json_t *out = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "level", studio_json_text(level), "symbols",
                          all(&self, size.symbols, symbol_of), "bonds", all(&self, size.bonds, bond_of), "links", all(&self, size.links, link_of),
                          "left", studio_json_number(size.left), "top", studio_json_number(size.top), "width", studio_json_number(size.width),
                          "height", studio_json_number(size.height));
  if (out) {
    json_object_set_new(out, "where", where_of(reading->model, level));
    json_object_set_new(out, "file", file_of(&self));
  }
  end_telling(&self);
  return out ? out : json_null();
}

/* ---- all of it ---- */

static json_t *look(Studio *studio, StudioReading *reading, const char *level, const char *mode, bool is_automatic) {
  if (!reading->common) reading->common = describe_common(reading);
  json_t *answer = json_copy(reading->common);
  if (!answer) return NULL;
  add_mode(reading->model, mode, answer);
  HbgDiagram *diagram = studio_diagram_of(reading->model, level, mode, is_automatic);
  json_object_set_new(answer, "diagram", diagram ? tell(studio, reading, diagram, level) : json_null());
  hbg_diagram_free(diagram);
  return answer;
}

/* The answer as text: JSON is made and given back while nobody else has it. */
static const StudioKept *look_or_recall(Studio *studio, StudioReading *reading, const char *level, const char *mode, bool is_automatic) {
  char *key;
  if (asprintf(&key, "%d %s\n%s", is_automatic, level, mode) < 0) return NULL;
  const StudioKept *kept = studio_reading_recall(reading, key);
  if (!kept) {
    json_t *answer = look(studio, reading, level, mode, is_automatic);
    char *text = answer ? json_dumps(answer, JSON_COMPACT) : NULL;
    json_decref(answer);
    if (text) kept = studio_reading_keep(reading, key, text);
  }
  free(key);
  return kept;
}

static void answer_kept(const StudioKept *kept, StudioReply *reply) {
  char *copy = kept ? malloc(kept->size + 1) : NULL;
  if (!copy) {
    studio_fail_memory(reply);
    return;
  }
  memcpy(copy, kept->answer, kept->size);
  studio_answer_bytes(reply, "application/json", copy, kept->size);
}

json_t *studio_look(Studio *studio, const json_t *request, StudioReply *reply) {
  const char *level = "", *mode = "";
  bool is_automatic = false;
  if (!studio_read_text(request, "level", false, &level, reply) || !studio_read_text(request, "mode", false, &mode, reply) ||
      !studio_read_flag(request, "isAutomatic", false, &is_automatic, reply))
    return NULL;
  StudioReading *reading = studio_reading_take(studio, request, reply);
  if (!reading) return NULL;
  pthread_mutex_lock(&reading->lock);
  answer_kept(look_or_recall(studio, reading, level, mode, is_automatic), reply);
  pthread_mutex_unlock(&reading->lock);
  studio_reading_give_back(studio, reading);
  return NULL;
}
