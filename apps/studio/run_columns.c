/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "run_columns.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

/* From malloc(); NULL: no memory. */
static char *print(const char *format, ...) __attribute__((format(printf, 1, 2)));
static char *print(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  char *text = length < 0 ? NULL : malloc((size_t)length + 1);
  if (!text) return NULL;
  va_start(arguments, format);
  vsnprintf(text, (size_t)length + 1, format, arguments);
  va_end(arguments);
  return text;
}

static bool has_one_port(const HbgNodeInfo *node) {
  static const char *const kinds[] = {"Se", "Sf", "R", "C", "I"};
  for (size_t at = 0; at < sizeof kinds / sizeof *kinds; at++)
    if (!strcmp(node->kind, kinds[at])) return true;
  return false;
}

/* How many bonds before this one have the same name. */
static int32_t count_before(const HbgModel *model, int32_t bond) {
  const char *name = hbg_model_bond(model, bond).name;
  int32_t before = 0;
  while (before < bond && !strcmp(hbg_model_bond(model, bond - before - 1).name, name)) before++;
  return before;
}

static char *name_of_bond(const HbgModel *model, int32_t bond, bool is_effort, const HbgNodeInfo *head,
                          const HbgNodeInfo *tail) {
  const HbgBondInfo info = hbg_model_bond(model, bond);
  const char letter = is_effort ? 'e' : 'f', *common = is_effort ? "0" : "1";
  const HbgNodeInfo *const ends[2] = {head, tail};
  if (!strstr(info.name, " -> ")) return print("%s.%c", info.name, letter);
  for (int end = 0; end < 2; end++)
    if (has_one_port(ends[end])) return print("%s.%c", ends[end]->name, letter);
  for (int end = 0; end < 2; end++)
    if (!strcmp(ends[end]->kind, common)) return print("%s.%c", ends[end]->name, letter);
  const int32_t before = count_before(model, bond);
  return before ? print("(%s)[%d].%c", info.name, (int)before + 1, letter) : print("(%s).%c", info.name, letter);
}

/* ---- finding ---- */

static uint32_t hash_of(const char *name) {
  uint32_t hash = 2166136261u;  // FNV-1a
  for (; *name; name++) hash = (hash ^ (unsigned char)*name) * 16777619u;
  return hash;
}

/* Where the column of that name stands, or would stand. */
static int32_t *place_of(const StudioColumns *columns, const char *name) {
  const uint32_t mask = (uint32_t)columns->place_count - 1;
  uint32_t at = hash_of(name) & mask;
  while (columns->places[at] && strcmp(columns->list[columns->places[at] - 1].name, name)) at = (at + 1) & mask;
  return &columns->places[at];
}

int32_t studio_columns_find(const StudioColumns *columns, const char *name) {
  return columns->place_count ? *place_of(columns, name) - 1 : -1;
}

double studio_columns_value(const StudioColumns *columns, int32_t column, int64_t row) {
  return *(const double *)studio_list_at(&columns->list[column].values, row);
}

const char *studio_group_name(StudioGroup group) {
  static const char *const names[] = {"junction", "stored", "signal", "machine", "effort", "flow", "energy", "asked"};
  return names[group];
}

/* ---- making ---- */

typedef struct Maker {
  StudioColumns *columns;
  const HbgModel *model;
  HbgRun *run;
  const char **message;
} Maker;

static bool grow(void **list, int32_t count, int32_t *capacity, size_t size) {
  if (count < *capacity) return true;
  const int32_t larger = *capacity ? 2 * *capacity : 64;
  void *grown = realloc(*list, (size_t)larger * size);
  if (!grown) return false;
  *list = grown;
  *capacity = larger;
  return true;
}

/* At most half of the places are taken. */
static bool make_places(StudioColumns *columns) {
  const int32_t count = columns->place_count ? 2 * columns->place_count : 128;
  int32_t *places = calloc((size_t)count, sizeof *places);
  if (!places) return false;
  free(columns->places);
  columns->places = places;
  columns->place_count = count;
  for (int32_t at = 0; at < columns->count; at++) {
    int32_t *place = place_of(columns, columns->list[at].name);
    if (!*place) *place = at + 1;
  }
  return true;
}

/* Takes over `name`. */
static bool add(StudioColumns *columns, char *name, const char *unit, StudioGroup group, HbgColumnKind kind,
                int32_t index) {
  if (!name || !grow((void **)&columns->list, columns->count, &columns->capacity, sizeof *columns->list)) {
    free(name);
    return false;
  }
  StudioColumn *column = &columns->list[columns->count];
  *column = (StudioColumn){.name = name,
                           .unit = strdup(unit ? unit : ""),
                           .group = group,
                           .kind = kind,
                           .index = index,
                           .machine = -1,
                           .values = {.item = sizeof(double)}};
  columns->count++;
  if (!column->unit) return false;
  if (2 * columns->count > columns->place_count) return make_places(columns);
  int32_t *place = place_of(columns, name);
  if (!*place) *place = columns->count;  // of two of one name the first counts
  return true;
}

static bool add_column_of_run(const Maker *self, int32_t index, StudioGroup group) {
  const HbgColumn column = hbg_run_column(self->run, index);
  return add(self->columns, strdup(column.name), column.unit, group, column.kind, index);
}

/* In the order of the run: switched junctions, stored quantities, variables of machines, signals. */
static bool add_usual(const Maker *self) {
  const HbgModelSize size = hbg_model_size(self->model);
  if (hbg_run_add_default_columns(self->run, HBG_COLUMNS_TRAJECTORY) != HBG_OK) return false;
  const int32_t count = hbg_run_column_count(self->run);
  int32_t stored = size.stored_quantities;
  for (int32_t at = 0; at < count; at++) {
    const bool is_junction = hbg_run_column(self->run, at).kind == HBG_COLUMN_JUNCTION;
    const StudioGroup group = is_junction ? STUDIO_JUNCTION : stored-- > 0 ? STUDIO_STORED : STUDIO_SIGNAL;
    if (!add_column_of_run(self, at, group)) return false;
    self->columns->list[self->columns->count - 1].is_variable = group == STUDIO_SIGNAL && at < count - size.signals;
  }
  return true;
}

/* Which machine switches a junction. */
static void find_switches(const Maker *self) {
  const HbgModelSize size = hbg_model_size(self->model);
  for (int32_t node = 0; node < size.elements + size.junctions; node++) {
    const HbgNodeInfo info = hbg_model_node(self->model, node);
    const int32_t column = info.machine < 0 ? -1 : studio_columns_find(self->columns, info.name);
    if (column >= 0 && self->columns->list[column].group == STUDIO_JUNCTION)
      self->columns->list[column].machine = info.machine;
  }
}

static bool add_machines(const Maker *self) {
  StudioColumns *columns = self->columns;
  columns->machine_count = hbg_model_size(self->model).machines;
  columns->machine_column = malloc((size_t)(columns->machine_count + 1) * sizeof *columns->machine_column);
  if (!columns->machine_column) return false;
  for (int32_t machine = 0; machine < columns->machine_count; machine++) {
    columns->machine_column[machine] = -1;
    char *name = print("%s.state", hbg_model_machine(self->model, machine).name);
    const bool is_there = name && hbg_run_add_column(self->run, name, NULL) == HBG_OK;
    free(name);
    if (!is_there) continue;
    if (!add_column_of_run(self, hbg_run_column_count(self->run) - 1, STUDIO_MACHINE)) return false;
    columns->machine_column[machine] = columns->count - 1;
    columns->list[columns->count - 1].machine = machine;
  }
  return true;
}

static bool add_asked(const Maker *self, const char *const *asked, int32_t count) {
  for (int32_t at = 0; at < count; at++) {
    const HbgStatus status = hbg_run_add_column(self->run, asked[at], self->message);
    if (status != HBG_OK || !add_column_of_run(self, hbg_run_column_count(self->run) - 1, STUDIO_ASKED)) return false;
    *self->message = NULL;
  }
  return true;
}

/* One column for all bonds whose efforts have one name. */
static bool add_bond(const Maker *self, int32_t bond, bool is_effort, const HbgNodeInfo *head,
                     const HbgNodeInfo *tail) {
  StudioColumns *columns = self->columns;
  char *name = name_of_bond(self->model, bond, is_effort, head, tail);
  if (name && studio_columns_find(columns, name) >= 0) {
    free(name);
    return true;
  }
  char unit[64] = "";
  int32_t variable;
  if (!name || hbg_run_find_bond(self->run, bond, is_effort, &variable) != HBG_OK) {
    free(name);
    return false;
  }
  hbg_model_unit_of(self->model, name, unit, sizeof unit);
  return add(columns, name, unit, is_effort ? STUDIO_EFFORT : STUDIO_FLOW, HBG_COLUMN_NUMBER, variable);
}

typedef struct Node {
  const char *name;
  int32_t index;
} Node;

static int compare_nodes(const void *a, const void *b) {
  return strcmp(((const Node *)a)->name, ((const Node *)b)->name);
}

static HbgNodeInfo find_node(const Maker *self, const Node *nodes, int32_t count, const char *name) {
  const Node *found = bsearch(&(Node){name, 0}, nodes, (size_t)count, sizeof *nodes, compare_nodes);
  return found ? hbg_model_node(self->model, found->index) : (HbgNodeInfo){.name = "", .kind = ""};
}

static bool add_bonds(const Maker *self) {
  const HbgModelSize size = hbg_model_size(self->model);
  const int32_t count = size.elements + size.junctions;
  Node *nodes = malloc((size_t)(count + 1) * sizeof *nodes);
  if (!nodes) return false;
  for (int32_t at = 0; at < count; at++) nodes[at] = (Node){hbg_model_node(self->model, at).name, at};
  qsort(nodes, (size_t)count, sizeof *nodes, compare_nodes);
  bool is_done = true;
  for (int32_t which = 0; which < 2 && is_done; which++) {
    for (int32_t bond = 0; bond < size.bonds && is_done; bond++) {
      const HbgBondInfo info = hbg_model_bond(self->model, bond);
      const HbgNodeInfo head = find_node(self, nodes, count, info.head),
                        tail = find_node(self, nodes, count, info.tail);
      is_done = add_bond(self, bond, !which, &head, &tail);
    }
  }
  free(nodes);
  return is_done;
}

static bool add_energies(const Maker *self) {
  for (int32_t stored = 0; stored < hbg_model_size(self->model).stored_quantities; stored++) {
    if (*hbg_run_energy_reason(self->run, stored)) continue;
    if (!add(self->columns, print("energy(%s)", hbg_model_stored(self->model, stored).node), "J", STUDIO_ENERGY,
             HBG_COLUMN_NUMBER, stored))
      return false;
    self->columns->list[self->columns->count - 1].start = hbg_run_energy(self->run, stored);
  }
  return true;
}

bool studio_columns_make(StudioColumns *columns, const HbgModel *model, HbgRun *run, const char *const *asked,
                         int32_t count, const char **message) {
  const Maker self = {columns, model, run, message};
  *message = NULL;
  columns->is_large = hbg_model_size(model).bonds > STUDIO_MOST_BONDS;
  bool is_done = add_usual(&self);
  if (is_done) find_switches(&self);
  is_done = is_done && add_asked(&self, asked, count) && add_machines(&self);
  if (is_done && !columns->is_large) is_done = add_bonds(&self) && add_energies(&self);
  return is_done;
}

/* ---- rows ---- */

static double value_of(const StudioColumn *column, HbgRun *run, const double *values) {
  switch (column->group) {
    case STUDIO_EFFORT:
    case STUDIO_FLOW: return hbg_run_read(run, column->index);
    case STUDIO_ENERGY: return hbg_run_energy(run, column->index);
    default: return values[column->index];
  }
}

bool studio_columns_keep(StudioColumns *columns, HbgRun *run) {
  const double *values = hbg_run_values(run);
  for (int32_t at = 0; at < columns->count; at++) {
    double *room = studio_list_add(&columns->list[at].values);
    if (!room) return false;
    *room = value_of(&columns->list[at], run, values);
  }
  return true;
}

void studio_columns_free(StudioColumns *columns) {
  for (int32_t at = 0; at < columns->count; at++) {
    free(columns->list[at].name);
    free(columns->list[at].unit);
    studio_list_free(&columns->list[at].values);
  }
  free(columns->list);
  free(columns->places);
  free(columns->machine_column);
  *columns = (StudioColumns){0};
}
