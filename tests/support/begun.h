/* SPDX-License-Identifier: BSD-3-Clause
 * A run that has just begun, for tests that look inside: a text up to its first row, and then on by single acts. */
#ifndef TESTS_SUPPORT_BEGUN_H
#define TESTS_SUPPORT_BEGUN_H

#include "hybrid/local_parts.h"
#include "support/check.h"
#include "support/elaborated.h"

typedef struct Begun {
  Elaborated made;
  HbgArena arena;
  HbgSimOptions options;
  HbgSim *sim;
  HbgRow row;
  HbgStatus status; /* of the last row */
} Begun;

static inline HbgStatus begun_make(void *user) {
  Begun *self = user;
  self->sim = hbg_sim_create(&self->made.model, &self->options, &self->arena);
  self->status = hbg_sim_next(self->sim, &self->row);
  return HBG_OK;
}

static inline void begun_with(Begun *self, const char *text, HbgSimOptions options) {
  *self = (Begun){.arena = hbg_arena((HbgAllocator){0}), .options = options};
  elaborated_begin(&self->made, text);
  if (hbg_guarded(&self->arena, begun_make, self) != HBG_OK) fail_msg("out of memory");
  if (self->status != HBG_OK) fail_msg("the run does not begin\n%s", text);
}

/* Until `stop`, with few rows, by whatever method suits. */
static inline void begun(Begun *self, const char *text, double stop) {
  begun_with(self, text, (HbgSimOptions){.stop = stop, .tolerance = 1e-10, .interval = stop, .method = HBG_METHOD_AUTOMATIC, .sliding = true});
}

/* ... in sets of states that have clocks of their own. */
static inline void begun_in_sets(Begun *self, const char *text, double stop) {
  begun_with(self, text, (HbgSimOptions){.stop = stop, .tolerance = 1e-10, .interval = stop, .method = HBG_METHOD_AUTOMATIC, .sliding = true,
                                         .cut_above = 1, .in_sets = true});
  assert_true(self->sim->is_local && self->sim->local->is_coupled);
}

static inline HbgStatus begun_pull(void *user) {
  Begun *self = user;
  self->status = hbg_sim_next(self->sim, &self->row);
  return HBG_OK;
}

static inline HbgStatus begun_next(Begun *self) {
  if (hbg_guarded(&self->arena, begun_pull, self) != HBG_OK) fail_msg("out of memory");
  return self->status;
}

/* Calls `act`, which may ask for memory of the run. */
static inline void begun_do(Begun *self, HbgStatus (*act)(void *), void *user) {
  if (hbg_guarded(&self->arena, act, user) != HBG_OK) fail_msg("out of memory");
}

/* The state of that name, "coil.p". */
static inline int32_t begun_state(const HbgSim *sim, const char *name) {
  for (int32_t state = 0; state < sim->model->state_count; state++)
    if (!strcmp(sim->model->states[state].name, name)) return state;
  fail_msg("there is no state '%s'", name);
  return -1;
}

/* The island in which a storage is, or that it is by itself. */
static inline HbgIsland *begun_island_of(const HbgSim *sim, int32_t state) {
  return sim->island_of[hbg_port(sim->model, &sim->model->nodes[sim->model->states[state].node], 0)->bond];
}

static inline void begun_end(Begun *self) {
  hbg_sim_free(self->sim);
  hbg_arena_release_all(&self->arena);
  elaborated_end(&self->made);
}

#endif
