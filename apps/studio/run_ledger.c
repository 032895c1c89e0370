/* SPDX-License-Identifier: BSD-3-Clause
 * The ledger of an instant: impulses, what was stored before and after, sums of what was exchanged, energies. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runs.h"

typedef struct Ledger {
  const StudioRun *run;
  const StudioInstant *instant;
  double *effort, *flow;  // weights of the impulses of each bond
  int32_t bond_count;
  int32_t *group;  // of nodes that impulses connect: the number of one of them (node_count)
  int32_t node_count;
  bool has_before;  // the instant shows what was before it
} Ledger;

/* ---- impulses ---- */

/* What a mythical row shows was inferred, and not exchanged. */
static void add_impulses(Ledger *self) {
  const StudioTrace *trace = &self->run->trace;
  for (int32_t at = 0; at < self->instant->row_count; at++) {
    const StudioEvent *event = studio_trace_event(trace, self->instant->first_event + at);
    if (studio_trace_stamp(trace, self->instant->first_row + at)->kind == HBG_ROW_MYTHICAL) continue;
    for (int32_t which = 0; which < event->impulse_count; which++) {
      const HbgImpulse *impulse = studio_list_at(&trace->impulses, event->first_impulse + which);
      (impulse->is_effort ? self->effort : self->flow)[impulse->bond] += impulse->weight;
    }
  }
}

static bool has_impulse(const Ledger *self, int32_t bond) {
  return fabs(self->effort[bond]) > 0 || fabs(self->flow[bond]) > 0;
}

/* "N*s"; "" when unknown. */
static json_t *unit_of_impulse(const Ledger *self, const HbgBondInfo *bond, bool is_effort) {
  const char *const ends[] = {strstr(bond->name, " -> ") ? "" : bond->name, bond->head, bond->tail};
  for (size_t at = 0; at < sizeof ends / sizeof *ends; at++) {
    char expression[512], unit[64] = "";
    const int length = snprintf(expression, sizeof expression, "impulse(%s.%c)", ends[at], is_effort ? 'e' : 'f');
    if (!*ends[at] || length < 0 || (size_t)length >= sizeof expression) continue;
    if (hbg_model_unit_of(self->run->model, expression, unit, sizeof unit) == HBG_OK && *unit)
      return studio_json_text(unit);
  }
  return studio_json_text("");
}

static json_t *tell_impulses(const Ledger *self) {
  json_t *list = json_array();
  for (int32_t bond = 0; bond < self->bond_count; bond++) {
    if (!has_impulse(self, bond)) continue;
    const HbgBondInfo info = hbg_model_bond(self->run->model, bond);
    json_t *told = json_object();
    json_object_set_new(told, "bond", studio_json_text(info.name));
    json_object_set_new(told, "tail", studio_json_text(info.tail));
    json_object_set_new(told, "head", studio_json_text(info.head));
    json_object_set_new(told, "effort", studio_json_number(self->effort[bond]));
    json_object_set_new(told, "flow", studio_json_number(self->flow[bond]));
    json_object_set_new(told, "unit", unit_of_impulse(self, &info, fabs(self->effort[bond]) > 0));
    json_array_append_new(list, told);
  }
  return list;
}

/* ---- before and after ---- */

static double after(const Ledger *self, int32_t column) {
  return studio_columns_value(&self->run->trace.columns, column,
                              self->instant->first_row + self->instant->row_count - 1);
}

/* Where the run begins there is no row before. */
static double before(const Ledger *self, int32_t column) {
  return studio_columns_value(&self->run->trace.columns, column, self->instant->first_row);
}

static double stored_before(const Ledger *self, int32_t column, int32_t stored) {
  return self->has_before ? before(self, column) : hbg_model_stored(self->run->model, stored).start;
}

static bool has_changed(double from, double to) { return fabs(to - from) > 1e-12 * fmax(fabs(from), fabs(to)); }

static json_t *tell_change(const char *name, double from, double to, const char *unit) {
  json_t *told = json_object();
  json_object_set_new(told, "name", studio_json_text(name));
  json_object_set_new(told, "before", studio_json_number(from));
  json_object_set_new(told, "after", studio_json_number(to));
  if (unit) json_object_set_new(told, "unit", studio_json_text(unit));
  return told;
}

/* The column of a stored quantity, when it has changed; -1. */
static int32_t changed_column(const Ledger *self, int32_t stored, double *from, double *to) {
  const int32_t column =
      studio_columns_find(&self->run->trace.columns, hbg_model_stored(self->run->model, stored).name);
  if (column < 0) return -1;
  *from = stored_before(self, column, stored);
  *to = after(self, column);
  return has_changed(*from, *to) ? column : -1;
}

static json_t *tell_stored(const Ledger *self) {
  json_t *list = json_array();
  for (int32_t stored = 0; stored < hbg_model_size(self->run->model).stored_quantities; stored++) {
    double from, to;
    const int32_t column = changed_column(self, stored, &from, &to);
    if (column < 0) continue;
    const StudioColumn *told = &self->run->trace.columns.list[column];
    json_array_append_new(list, tell_change(told->name, from, to, told->unit));
  }
  return list;
}

/* ---- sums ---- */

static int32_t find_node(const HbgModel *model, int32_t count, const char *name) {
  for (int32_t node = 0; node < count; node++)
    if (!strcmp(hbg_model_node(model, node).name, name)) return node;
  return -1;
}

static int32_t root_of(int32_t *group, int32_t node) {
  while (group[node] != node) node = group[node] = group[group[node]];
  return node;
}

static bool changes_scale(const HbgModel *model, int32_t node) {
  const char *kind = hbg_model_node(model, node).kind;
  return !strcmp(kind, "TF") || !strcmp(kind, "GY");
}

/* Nodes that an impulse passes between hang together; behind a transformer other quantities are counted. */
static void connect(Ledger *self) {
  const HbgModel *model = self->run->model;
  for (int32_t node = 0; node < self->node_count; node++) self->group[node] = node;
  for (int32_t bond = 0; bond < self->bond_count; bond++) {
    if (!has_impulse(self, bond)) continue;
    const HbgBondInfo info = hbg_model_bond(model, bond);
    const int32_t tail = find_node(model, self->node_count, info.tail),
                  head = find_node(model, self->node_count, info.head);
    if (tail < 0 || head < 0 || changes_scale(model, tail) || changes_scale(model, head)) continue;
    self->group[root_of(self->group, tail)] = root_of(self->group, head);
  }
}

typedef struct Sum {
  int32_t group;
  const char *unit;
  double before, after;
  json_t *members;
  char name[200];
} Sum;

static void add_to_sum(Sum *sum, const char *name, double from, double to) {
  const size_t length = strlen(sum->name);
  snprintf(sum->name + length, sizeof sum->name - length, "%s%s", length ? " + " : "", name);
  sum->before += from;
  sum->after += to;
  json_array_append_new(sum->members, studio_json_text(name));
}

static Sum *sum_of(Sum *sums, int32_t *count, int32_t group, const char *unit) {
  for (int32_t at = 0; at < *count; at++)
    if (sums[at].group == group && !strcmp(sums[at].unit, unit)) return &sums[at];
  sums[*count] = (Sum){.group = group, .unit = unit, .members = json_array()};
  return &sums[(*count)++];
}

static json_t *tell_sum(const Sum *sum) {
  const size_t count = json_array_size(sum->members);
  char name[64];
  snprintf(name, sizeof name, "sum of %zu", count);
  json_t *told = tell_change(count <= 6 ? sum->name : name, sum->before, sum->after, sum->unit);
  json_object_set(told, "members", sum->members);
  return told;
}

static json_t *tell_sums(Ledger *self) {
  const HbgModel *model = self->run->model;
  const int32_t stored_count = hbg_model_size(model).stored_quantities;
  Sum *sums = calloc((size_t)stored_count + 1, sizeof *sums);
  int32_t count = 0;
  json_t *list = json_array();
  for (int32_t stored = 0; stored < stored_count && sums; stored++) {
    double from, to;
    const int32_t column = changed_column(self, stored, &from, &to),
                  node = column < 0 ? -1 : find_node(model, self->node_count, hbg_model_stored(model, stored).node);
    if (node < 0) continue;
    const StudioColumn *told = &self->run->trace.columns.list[column];
    add_to_sum(sum_of(sums, &count, root_of(self->group, node), told->unit), told->name, from, to);
  }
  for (int32_t at = 0; at < count; at++) {
    if (json_array_size(sums[at].members) > 1) json_array_append_new(list, tell_sum(&sums[at]));
    json_decref(sums[at].members);
  }
  free(sums);
  return list;
}

/* ---- energies ---- */

static json_t *tell_energies(const Ledger *self, double *lost) {
  const StudioColumns *columns = &self->run->trace.columns;
  json_t *list = json_array();
  *lost = 0;
  for (int32_t at = 0; at < columns->count; at++) {
    const StudioColumn *column = &columns->list[at];
    if (column->group != STUDIO_ENERGY) continue;
    const double from = self->has_before ? before(self, at) : column->start, to = after(self, at);
    json_array_append_new(list, tell_change(hbg_model_stored(self->run->model, column->index).node, from, to, NULL));
    *lost += from - to;
  }
  return list;
}

/* ---- the whole ---- */

static json_t *tell(Ledger *self) {
  double lost;
  json_t *told = json_object();
  add_impulses(self);
  connect(self);
  json_object_set_new(told, "impulses", tell_impulses(self));
  json_object_set_new(told, "stored", tell_stored(self));
  json_object_set_new(told, "sums", tell_sums(self));
  json_object_set_new(told, "energies", tell_energies(self, &lost));
  json_object_set_new(told, "lost", studio_json_number(lost));
  return told;
}

static json_t *answer(const StudioRun *run, const json_t *request, StudioReply *reply) {
  const HbgModelSize size = hbg_model_size(run->model);
  int64_t number;
  if (!studio_read_integer(request, "instant", true, 0, INT64_MAX / 2, &number, reply)) return NULL;
  if (number >= studio_trace_instants(&run->trace))
    return studio_fail(reply, 404, NULL, "The run has no instant of the number %lld.", (long long)number);
  Ledger self = {.run = run,
                 .instant = studio_trace_instant(&run->trace, number),
                 .bond_count = size.bonds,
                 .node_count = size.elements + size.junctions};
  self.has_before = studio_trace_stamp(&run->trace, self.instant->first_row)->kind == HBG_ROW_BEFORE;
  self.effort = calloc((size_t)size.bonds + 1, sizeof *self.effort);
  self.flow = calloc((size_t)size.bonds + 1, sizeof *self.flow);
  self.group = calloc((size_t)self.node_count + 1, sizeof *self.group);
  json_t *told = self.effort && self.flow && self.group ? tell(&self) : studio_fail_memory(reply);
  free(self.effort);
  free(self.flow);
  free(self.group);
  return told;
}

json_t *studio_ledger(Studio *studio, const json_t *request, StudioReply *reply) {
  StudioRun *run = studio_run_named(studio, request, reply);
  json_t *told = run ? answer(run, request, reply) : NULL;
  studio_run_release(run);
  return told;
}
