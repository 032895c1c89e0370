/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/values.h"

#include <string.h>

HbgValues hbg_values(const HbgFlatModel *model, HbgArena *arena) {
  const int32_t variable_count = model->bond_count * 2;
  return (HbgValues){.state = ARENA_FULL(arena, double, model->state_count),
                     .variable = ARENA_FULL(arena, double, variable_count),
                     .size = ARENA_FULL(arena, double, variable_count),
                     .area = ARENA_NEW(arena, double, variable_count),
                     .area_size = ARENA_NEW(arena, double, variable_count),
                     .undetermined = ARENA_NEW(arena, uint8_t, variable_count),
                     .tick = ARENA_NEW(arena, uint8_t, model->tick_count),
                     .phi = ARENA_FULL(arena, int32_t, model->machine_count),
                     .share = ARENA_NEW(arena, double, model->machine_count),
                     .discrete = ARENA_NEW(arena, double, model->variable_count),
                     .deadline = ARENA_NEW(arena, HbgDeadline, model->timer_count),
                     .has_areas = ARENA_NEW(arena, bool, 1)};
}

static void copy(void *to, const void *from, int32_t count, size_t size) {
  if (count) memcpy(to, from, (size_t)count * size);
}

void hbg_values_copy_states(const HbgFlatModel *model, HbgValues *to, const HbgValues *from) {
  to->time = from->time;
  to->instant = from->instant;
  to->instant_rest = from->instant_rest;
  copy(to->state, from->state, model->state_count, sizeof(double));
  copy(to->tick, from->tick, model->tick_count, 1);
  copy(to->phi, from->phi, model->machine_count, sizeof(int32_t));
  copy(to->share, from->share, model->machine_count, sizeof(double));
  copy(to->discrete, from->discrete, model->variable_count, sizeof(double));
  copy(to->deadline, from->deadline, model->timer_count, sizeof(HbgDeadline));
}

static void clear_areas(HbgValues *values, int32_t variable_count) {
  if (!*values->has_areas) return;
  for (int32_t variable = 0; variable < variable_count; variable++) values->area[variable] = values->area_size[variable] = 0;
  *values->has_areas = false;
}

static void copy_areas(HbgValues *to, const HbgValues *from, int32_t variable_count) {
  if (!*from->has_areas) {
    clear_areas(to, variable_count);
    return;
  }
  copy(to->area, from->area, variable_count, sizeof(double));
  copy(to->area_size, from->area_size, variable_count, sizeof(double));
  *to->has_areas = true;
}

void hbg_values_copy(const HbgFlatModel *model, HbgValues *to, const HbgValues *from) {
  const int32_t variable_count = model->bond_count * 2;
  hbg_values_copy_states(model, to, from);
  copy(to->variable, from->variable, variable_count, sizeof(double));
  copy(to->size, from->size, variable_count, sizeof(double));
  copy(to->undetermined, from->undetermined, variable_count, 1);
  copy_areas(to, from, variable_count);
}

void hbg_values_clear_areas(const HbgFlatModel *model, HbgValues *values) {
  clear_areas(values, model->bond_count * 2);
}
