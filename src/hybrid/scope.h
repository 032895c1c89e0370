/* SPDX-License-Identifier: BSD-3-Clause
 * What an instant is about: the machines whose guards are examined, and the states and bonds whose values it may change. In a run that
 * goes on as a whole that is everything. Where regions have clocks of their own it is what the instant touches, and grows while
 * machines fire: values of the rest are not even known at that time, since its regions stand elsewhere. */
#ifndef HYBRID_SCOPE_H
#define HYBRID_SCOPE_H

#include <stdbool.h>

#include "base/arena.h"
#include "hybrid/values.h"

typedef struct HbgSim HbgSim;
typedef struct HbgIsland HbgIsland;

/* Numbers in the order in which they came in, each once. */
typedef struct HbgMembers {
  int32_t *list; int32_t count; /* with room for all */
  int32_t *stamp; /* per number: it is a member where this is the scope's */
} HbgMembers;

typedef struct HbgScope {
  bool is_everything;
  bool is_survey;       /* nothing is evaluated: only its members count */
  int32_t stamp;
  HbgMembers machines, states, bonds, ticks;
  HbgMembers variables; /* discrete ones that have been given another value in this instant, whatever else it is about */
  int32_t *sorted; int32_t sorted_count, sorted_capacity; /* machines, ascending */
  int32_t *first_phi;   /* per machine of the scope: its state when the instant began (machine_count) */
  struct HbgSurface **first_surface; /* ... and the surface on which it slid, NULL: on none, likewise (machine_count) */
  uint8_t *first_rests; /* ... and whether it was at rest then (rest.h), likewise (machine_count) */
  HbgDeadline *first_deadline; /* of the timers of its machines, likewise (timer_count) */
  double *first_variable; /* of these, the values before (variable_count) */
  double *first_state;  /* per state of the scope (state_count) */
  double *first_scale;  /* the same of scales, in rehearsals */
  int32_t *fired_stamp; /* per machine: it has fired in this instant where this is the scope's */
  int32_t *changed;     /* work space: machines of one firing (machine_count) */
} HbgScope;

/* A scope that is everything, for all instants of a run. */
void hbg_scope_make(HbgSim *sim);
/* An instant begins: everything, or nothing yet. */
void hbg_scope_begin(HbgSim *sim);
/* Nothing, in a local run. */
void hbg_scope_empty(HbgSim *sim);
/* Before machines take effect, and when new islands have come: what is touched by that. False: the equations have no solution. */
void hbg_scope_touch_machines(HbgSim *sim, const int32_t *machines, int32_t count);
bool hbg_scope_touch_fresh(HbgSim *sim);
/* What columns read, of what is not in the scope. False: the equations have no solution. */
bool hbg_scope_show(HbgSim *sim);
/* The same when an instant begins. */
bool hbg_scope_show_left_limit(HbgSim *sim);
/* The same at once, for an instant that cannot be gone through locally: everything that is not known yet is brought to it. */
bool hbg_scope_widen(HbgSim *sim);

/* Machines of the scope, ascending. */
const int32_t *hbg_scope_machines(HbgSim *sim, int32_t *count);
bool hbg_scope_has_machine(const HbgSim *sim, int32_t machine);
void hbg_scope_add_machine(HbgSim *sim, int32_t machine);
void hbg_scope_add_state(HbgSim *sim, int32_t state);
void hbg_scope_add_bond(HbgSim *sim, int32_t bond);
void hbg_scope_add_tick(HbgSim *sim, int32_t tick);
/* A discrete variable that is about to change. */
void hbg_scope_add_variable(HbgSim *sim, int32_t variable);

void hbg_scope_note_fired(HbgSim *sim, int32_t machine);
bool hbg_scope_has_state(const HbgSim *sim, int32_t state);
bool hbg_scope_has_bond(const HbgSim *sim, int32_t bond);
bool hbg_scope_has_fired(const HbgSim *sim, int32_t machine);

/* sim->before := sim->now, of one bond: its values a priori, which are finite. */
void hbg_scope_take_bond(HbgSim *sim, int32_t bond);
/* The same of all of the scope, with machines and states. */
void hbg_scope_commit(HbgSim *sim);
/* Its scheduled conditions alone, of an instant at which they have led to nothing else. */
void hbg_scope_commit_ticks(HbgSim *sim);
/* The states as they were committed last. */
void hbg_scope_restore(HbgSim *sim);
/* Scales of states follow their magnitudes. */
void hbg_scope_note_scale(HbgSim *sim);

#endif
