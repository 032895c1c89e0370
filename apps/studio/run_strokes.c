/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "run_strokes.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "hybrsim/diagram.h"

enum { MOST_KEPT = 64 };  // modes and levels that are remembered, the last ones

typedef struct Kept {
  char *level, *mode;
  json_t *members;
} Kept;

struct StudioStrokes {
  pthread_mutex_t lock;
  Kept list[MOST_KEPT];
  int count, next;
};

StudioStrokes *studio_strokes_new(void) {
  StudioStrokes *strokes = calloc(1, sizeof *strokes);
  if (strokes) pthread_mutex_init(&strokes->lock, NULL);
  return strokes;
}

static void forget(Kept *kept) {
  free(kept->level);
  free(kept->mode);
  json_decref(kept->members);
  *kept = (Kept){0};
}

void studio_strokes_free(StudioStrokes *strokes) {
  if (!strokes) return;
  for (int at = 0; at < strokes->count; at++) forget(&strokes->list[at]);
  pthread_mutex_destroy(&strokes->lock);
  free(strokes);
}

/* ---- one mode ---- */

static json_t *tell_bond(const HbgDiagram *diagram, const HbgDiagramBond *bond) {
  static const char *const places[] = {"unknown", "tail", "head"};
  json_t *told = json_object();
  json_object_set_new(told, "tail", studio_json_text(hbg_diagram_symbol(diagram, bond->tail).name));
  json_object_set_new(told, "head", studio_json_text(hbg_diagram_symbol(diagram, bond->head).name));
  json_object_set_new(told, "name", studio_json_text(bond->name));
  json_object_set_new(told, "stroke", studio_json_text(places[bond->stroke]));
  json_object_set_new(told, "isDerivative", json_boolean(bond->is_derivative));
  json_object_set_new(told, "isConflict", json_boolean(bond->is_conflict));
  json_object_set_new(told, "isOff", json_boolean(bond->is_off));
  return told;
}

static json_t *tell(const HbgDiagram *diagram) {
  const HbgDiagramSize size = hbg_diagram_size(diagram);
  json_t *members = json_object(), *bonds = json_array(), *off = json_array();
  for (int32_t at = 0; at < size.bonds; at++) {
    const HbgDiagramBond bond = hbg_diagram_bond(diagram, at);
    json_array_append_new(bonds, tell_bond(diagram, &bond));
  }
  for (int32_t at = 0; at < size.symbols; at++) {
    const HbgSymbol symbol = hbg_diagram_symbol(diagram, at);
    if (symbol.sort == HBG_SYMBOL_JUNCTION && !symbol.is_on) json_array_append_new(off, studio_json_text(symbol.name));
  }
  json_object_set_new(members, "strokes", bonds);
  json_object_set_new(members, "off", off);
  return members;
}

static json_t *find_out(const HbgModel *model, const char *level, const char *mode, StudioReply *reply) {
  HbgDiagramOptions options = hbg_diagram_options();
  HbgDiagram *diagram = NULL;
  const char *message = "";
  options.level = level;
  options.mode = mode;
  const HbgStatus status = hbg_diagram_create(model, &options, &diagram, &message);
  if (status == HBG_MEMORY) return studio_fail_memory(reply);
  if (status != HBG_OK)
    return studio_fail(reply, 404, "The run is of an earlier text of the model: run it again.",
                       "The run has no level '%s': %s.", level, message);
  json_t *members = tell(diagram);
  hbg_diagram_free(diagram);
  return members;
}

/* ---- what is remembered ----
 * Each thread has a copy of its own: JSON is not for two at once. */

static json_t *remembered(StudioStrokes *strokes, const char *level, const char *mode) {
  for (int at = 0; at < strokes->count; at++) {
    const Kept *kept = &strokes->list[at];
    if (!strcmp(kept->mode, mode) && !strcmp(kept->level, level)) return json_deep_copy(kept->members);
  }
  return NULL;
}

static void remember(StudioStrokes *strokes, const char *level, const char *mode, json_t *members) {
  Kept kept = {strdup(level), strdup(mode), json_deep_copy(members)};
  if (!kept.level || !kept.mode || !kept.members) {
    forget(&kept);
    return;
  }
  Kept *place = &strokes->list[strokes->next];
  forget(place);
  *place = kept;
  strokes->next = (strokes->next + 1) % MOST_KEPT;
  if (strokes->count < MOST_KEPT) strokes->count++;
}

json_t *studio_strokes_at(StudioStrokes *strokes, const HbgModel *model, const char *level, const char *mode,
                          StudioReply *reply) {
  if (!strokes) return find_out(model, level, mode, reply);
  pthread_mutex_lock(&strokes->lock);
  json_t *members = remembered(strokes, level, mode);
  pthread_mutex_unlock(&strokes->lock);
  if (members) return members;
  members = find_out(model, level, mode, reply);
  if (!members) return NULL;
  pthread_mutex_lock(&strokes->lock);
  remember(strokes, level, mode, members);
  pthread_mutex_unlock(&strokes->lock);
  return members;
}
