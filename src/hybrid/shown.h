/* SPDX-License-Identifier: BSD-3-Clause
 * What the columns and readers of a run read: nothing else needs to be known for a row. */
#ifndef HYBRID_SHOWN_H
#define HYBRID_SHOWN_H

#include "hybrid/sim.h"

/* A column that tells whether a machine is in a state that is on. */
typedef struct HbgShownSwitch {
  int32_t at; /* the number of the column, or behind those of a reader */
  const int32_t *phi; /* the state of the machine */
  uint64_t on; /* a bit for each that is on */
} HbgShownSwitch;

typedef struct HbgShown {
  int32_t *states; int32_t state_count;
  int32_t *bonds; int32_t bond_count; /* those of sources behind the others, since their laws may read these, and what is received last */
  const uint8_t *shows_state, *shows_bond; /* per state and bond of the model; of bonds 1: the effort, 2: the flow, 3: both, and always where columns are not plain */
  const uint8_t *reads_bond; /* the same of bonds, as columns really read them */
  bool reads_a_priori; /* some column does */
  bool everything;     /* some column may hang on all states and variables */
  bool reads_machines; /* some column does */
  bool reads_variables; /* some column reads a discrete variable */
  bool is_plain;       /* every column, and what else is read, is a state, an effort or a flow as it is */
  const double **places; /* where each stands that need not be looked up, columns first (column_count + reader_count) */
  const uint8_t **marks; /* ... and whether the mode leaves it undetermined */
  HbgShownSwitch *switches; int32_t switch_count; /* those that tell of machines */
  int32_t *others; int32_t other_count; /* and those that must be */
  int32_t *of_machines; int32_t of_machine_count; /* all that hang on states of machines, and are means where these slide */
  bool compares;       /* some column compares, and needs to know what round-off is small against */
  bool has_near;       /* of the one mode there is: */
  const int32_t *read; int32_t read_count; /* the states that all of it reads */
  const HbgNear *near; /* what these hang on; NULL: it is not worth to look at them alone */
} HbgShown;

/* Those of the columns and readers there are now, kept until there are others; these are another object then. */
const HbgShown *hbg_shown_anew(HbgSim *sim);
static inline const HbgShown *hbg_shown_now(HbgSim *sim) {
  const bool is_known = sim->shown && sim->shown_columns == sim->column_count && sim->shown_readers == sim->reader_count;
  return is_known ? sim->shown : hbg_shown_anew(sim);
}
/* Is nothing of a row more than a value, so that it may be a combination of states? */
static inline bool hbg_shown_by_forms(const HbgShown *shown) { return !shown->compares && !shown->everything && !shown->reads_a_priori; }
/* The same of what the expressions of `probe` read, without columns and places; from the run's arena. `shows_bond` (bond_count) may be shared with others, and has
 * what is read of bonds added. Once it is known where the graph may be cut. */
HbgShown *hbg_shown_by(HbgSim *sim, const HbgProbe *probe, uint8_t *shows_bond);
/* What they read at `t` within the last step, and nothing else, into sim->now. `*is_done`: false where everything has to be known. False:
 * the equations have no solution. */
bool hbg_shown_go(HbgSim *sim, double t, bool *is_done);
bool hbg_shown_go_for(HbgSim *sim, HbgShown *shown, double t, bool *is_done);

#endif
