/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/delivered.h"

HbgDelivered hbg_delivered(const HbgDeliveries *deliveries, int32_t variable_count, HbgArena *arena) {
  HbgDelivered self = {.arena = arena, .variable_count = variable_count};
  for (int32_t which = 0; which < deliveries->count; which++) {
    if (deliveries->state[which] < 0) continue;
    if (!self.own) {
      self.own = ARENA_FULL(arena, int32_t, variable_count);
      self.place = ARENA_FULL(arena, int32_t, variable_count);
    }
    for (int32_t term = deliveries->start[which]; term < deliveries->start[which + 1]; term++)
      self.own[deliveries->variable[term]] = -1;
  }
  return self;
}

static int32_t put(HbgDelivered *self, int32_t variable, int32_t place) {
  if (self->place[variable] && self->place[variable] != place) {
    self->moves++;
    ARENA_PUSH(self->arena, self->moved, self->moved_count, self->moved_capacity) = variable;
  }
  self->place[variable] = place;
  return place - 1;
}

int32_t hbg_delivered_own(HbgDelivered *self, int32_t variable) {
  if (self->own[variable] <= 0) {
    ARENA_PUSH(self->arena, self->value, self->count, self->capacity) = 0;
    self->own[variable] = self->count;
  }
  return put(self, variable, self->own[variable]);
}

int32_t hbg_delivered_share(HbgDelivered *self, int32_t variable, int32_t other) {
  return put(self, variable, self->place[other]);
}

int32_t hbg_delivered_place(HbgDelivered *self, int32_t variable) {
  return self->place[variable] ? self->place[variable] - 1 : hbg_delivered_own(self, variable);
}

double hbg_delivered_sum(HbgDelivered *self, const HbgDeliveries *deliveries, int32_t which) {
  double sum = 0;
  for (int32_t term = deliveries->start[which]; term < deliveries->start[which + 1]; term++) {
    const int32_t place = hbg_delivered_place(self, deliveries->variable[term]);
    hbg_delivery_add_term(&sum, term == deliveries->start[which], deliveries->factor[term], self->value[place]);
  }
  return sum;
}

void hbg_delivered_show(const HbgDelivered *self, double *variable) {
  for (int32_t at = 0; self->own && at < self->variable_count; at++)
    if (self->place[at]) variable[at] = self->value[self->place[at] - 1];
}
