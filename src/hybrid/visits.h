/* SPDX-License-Identifier: BSD-3-Clause
 * The configurations that an instant has passed through, and the proofs that it cannot come to an end (semantics 10): a
 * configuration that comes again leads to the same ones for ever. */
#ifndef HYBRID_VISITS_H
#define HYBRID_VISITS_H

#include "base/span.h"
#include "hybrid/hypertime.h"
#include "hybrid/run.h"

typedef struct HbgSim HbgSim;
typedef struct HbgFiring HbgFiring;
typedef struct HbgVisit HbgVisit;

/* What led to the configuration at hand, and when. */
typedef struct HbgArrival {
  HbgHyperTime at;
  const HbgFiring *fired; int32_t fired_count;
  HbgSpan span;       /* of the guard that fired last */
  const char *reason; /* the same in words, or where nothing fired: hbg_reason_in_words() (reasons.h) */
} HbgArrival;

/* Those of one instant, in the scratch memory of the run. Zeros: none yet. */
typedef struct HbgVisits {
  HbgVisit *list; int32_t count, capacity;
  int32_t layer_first; /* of the layer at hand */
  bool has_died_out;   /* impacts within the instant have become too weak to count */
} HbgVisits;

/* Takes down the configuration at hand. */
void hbg_visits_add(HbgVisits *visits, HbgSim *sim, const HbgArrival *arrival);
/* Has this layer been where it is now? */
bool hbg_visits_repeat(const HbgVisits *visits, const HbgSim *sim);
/* Begins the layer anew, at the configuration at hand. */
void hbg_visits_restart_layer(HbgVisits *visits, HbgSim *sim, const HbgArrival *arrival);
/* The same after an inference; HBG_STOPPED, with the cycle in the report, when this layer has been here before. */
HbgStatus hbg_visits_add_inference(HbgVisits *visits, HbgSim *sim, const HbgArrival *arrival);
/* The same at the beginning of a layer, with the state; `any_jump`: of the instant. Impacts that have died out are let rest instead. */
HbgStatus hbg_visits_add_layer(HbgVisits *visits, HbgSim *sim, const HbgArrival *arrival, bool any_jump);

#endif
