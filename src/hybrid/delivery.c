/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/delivery.h"

#include <math.h>
#include <string.h>

#include "equations/program.h"

HbgDeliveries hbg_deliveries(const HbgFlatModel *model, HbgArena *arena) {
  int32_t junctions = 0, ports = 0;
  for (int32_t node = 0; node < model->node_count; node++) {
    if (!hbg_is_junction(&model->nodes[node])) continue;
    junctions++;
    ports += model->nodes[node].port_count;
  }
  return (HbgDeliveries){.of_node = hbg_arena_indices(arena, model->node_count),
                         .element = ARENA_NEW(arena, int32_t, junctions),
                         .own = ARENA_NEW(arena, int32_t, junctions),
                         .state = ARENA_NEW(arena, int32_t, junctions),
                         .start = ARENA_NEW(arena, int32_t, junctions + 1),
                         .variable = ARENA_FULL(arena, int32_t, ports),
                         .factor = ARENA_FULL(arena, double, ports),
                         .present = ARENA_NEW(arena, int32_t, junctions),
                         .place = hbg_arena_indices(arena, junctions)};
}

static int32_t *moved(const int32_t *from, int32_t count, int32_t room, HbgArena *arena) {
  int32_t *to = ARENA_FULL(arena, int32_t, room);
  if (count) memcpy(to, from, (size_t)count * sizeof *to);
  return to;
}

void hbg_deliveries_make_room(HbgDeliveries *self, int32_t junctions, int32_t ports, HbgArena *arena) {
  const int32_t count = self->count, room = count + junctions, terms = self->start[count];
  double *factor = ARENA_FULL(arena, double, terms + ports);
  if (terms) memcpy(factor, self->factor, (size_t)terms * sizeof *factor);
  self->factor = factor;
  self->variable = moved(self->variable, terms, terms + ports, arena);
  self->element = moved(self->element, count, room, arena);
  self->own = moved(self->own, count, room, arena);
  self->state = moved(self->state, count, room, arena);
  self->start = moved(self->start, count + 1, room + 1, arena);
  self->place = hbg_arena_indices(arena, room);
}

static int32_t add(HbgDeliveries *self, const HbgFlatModel *model, int32_t junction, int32_t element, int32_t bond) {
  const HbgNode *at = &model->nodes[junction];
  const int is_flow = at->kind == HBG_ELEMENT_ZERO;
  const int32_t which = self->count++;
  double own_sign = 1;
  int32_t end = self->start[which];
  for (int32_t port = 0; port < at->port_count; port++) {
    const HbgPort *other = hbg_port(model, at, port);
    if (other->bond == bond) {
      own_sign = other->sign;
      continue;
    }
    self->variable[end] = 2 * other->bond + is_flow;
    self->factor[end++] = -other->sign;
  }
  for (int32_t term = self->start[which]; term < end; term++) self->factor[term] *= own_sign;
  self->element[which] = element;
  self->own[which] = 2 * bond + is_flow;
  self->state[which] = model->nodes[element].state;
  self->start[which + 1] = end;
  return which;
}

void hbg_delivery_add(HbgDeliveries *self, const HbgFlatModel *model, int32_t junction, int32_t element, int32_t bond) {
  self->of_node[junction] = add(self, model, junction, element, bond);
}

int32_t hbg_delivery_add_way(HbgDeliveries *self, const HbgFlatModel *model, int32_t junction, int32_t element, int32_t bond, int32_t way) {
  const int32_t which = add(self, model, junction, element, bond);
  self->own[which] = 2 * way + self->own[which] % 2;
  return which;
}

void hbg_delivery_enter(HbgDeliveries *self, int32_t which) {
  if (self->place[which] >= 0) return;
  self->place[which] = self->present_count;
  self->present[self->present_count++] = which;
}

void hbg_delivery_leave(HbgDeliveries *self, int32_t which) {
  if (self->place[which] < 0) return;
  const int32_t last = self->present[--self->present_count];
  self->present[self->place[which]] = last;
  self->place[last] = self->place[which];
  self->place[which] = -1;
}

void hbg_delivery_round_off(const HbgDeliveries *self, int32_t which, const double *size, double *round_off) {
  double sum = 0;
  for (int32_t term = self->start[which]; term < self->start[which + 1]; term++) sum += size[self->variable[term]];
  round_off[self->state[which]] = HBG_GUARD_BAND * sum;
}

void hbg_delivery_write(const HbgDeliveries *self, int32_t which, HbgValues *values) {
  const int32_t own = self->own[which];
  double size = 0, area = 0, area_size = 0;
  uint8_t undetermined = 0;
  for (int32_t at = self->start[which]; at < self->start[which + 1]; at++) {
    const int32_t variable = self->variable[at];
    area += self->factor[at] * values->area[variable];
    size += values->size[variable];
    area_size += values->area_size[variable];
    undetermined = undetermined || values->undetermined[variable];
  }
  values->variable[own] = hbg_delivery_sum(self, which, values->variable);
  values->size[own] = size;
  values->area[own] = area;
  values->area_size[own] = area_size;
  if (!(area_size <= 0 && fabs(area) <= 0)) *values->has_areas = true;
  values->undetermined[own] = undetermined;
}
