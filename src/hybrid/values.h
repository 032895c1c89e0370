/* SPDX-License-Identifier: BSD-3-Clause
 * The values of everything at one moment: of one side of an instant, or of a time between. */
#ifndef HYBRID_VALUES_H
#define HYBRID_VALUES_H

#include "model/model.h"

/* When a timer runs out, to more digits than one number holds: rests add up in chains of timers. */
typedef struct HbgDeadline {
  double time, rest; /* time + rest [s]; infinite: its state is not entered */
} HbgDeadline;

typedef struct HbgValues {
  double time;
  double instant;         /* when the run stood at an instant last: timers run out there and nowhere between [s] */
  double instant_rest;    /* what `instant` lacks by round-off [s] */
  double *state;          /* stored quantities and integrators          (state_count)   SI */
  double *variable;       /* finite efforts and flows, 2 * bond + is_flow (2 bond_count) SI */
  double *size;           /* magnitudes they were summed up from         (2 bond_count)     */
  double *area;           /* impulse parts                               (2 bond_count)     */
  double *area_size;      /* what an area is small against               (2 bond_count)     */
  bool *has_areas;        /* one of them may be something: who writes one says so, and as a rule there is nothing to copy or to clear */
  uint8_t *undetermined;  /* the mode does not fix this variable         (2 bond_count)     */
  uint8_t *tick;          /* scheduled conditions                        (tick_count)       */
  int32_t *phi;           /* state of each machine                       (machine_count)    */
  double *share;          /* of a slide, by its first machine                (machine_count)    */
  double *discrete;       /* discrete variables                          (variable_count)   */
  HbgDeadline *deadline;  /* of each timer                               (timer_count)      */
  const double *state_scale; /* round-off of a state is measured against this, too; NULL: its value alone (state_count) */
} HbgValues;

HbgValues hbg_values(const HbgFlatModel *model, HbgArena *arena);
/* Copies everything but efforts and flows. */
void hbg_values_copy_states(const HbgFlatModel *model, HbgValues *to, const HbgValues *from);
/* Copies everything; areas too. */
void hbg_values_copy(const HbgFlatModel *model, HbgValues *to, const HbgValues *from);
/* Forgets impulses: what is left is the finite side. */
void hbg_values_clear_areas(const HbgFlatModel *model, HbgValues *values);

#endif
