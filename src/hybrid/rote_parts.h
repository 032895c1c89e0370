/* SPDX-License-Identifier: BSD-3-Clause
 * What the files rote*.c share. */
#ifndef HYBRID_ROTE_PARTS_H
#define HYBRID_ROTE_PARTS_H

#include "hybrid/local_parts.h"
#include "hybrid/rote.h"

/* A guard of a machine that is due by itself. */
typedef struct HbgRoteGuard {
  int32_t number, machine;
  bool is_located;
} HbgRoteGuard;

/* What it is of, and what else has to be looked at. Its lists lie in one piece of memory with those of the use. */
struct HbgRote {
  const HbgRoteDue *due; /* one object for each */
  HbgRoteGuard *guards;
  int32_t guard_count;
  int32_t *tick_due; /* of the scheduled conditions that are read: which of the entries it is; -1: it stays as it is */
  int32_t *hanging;  /* numbers of the islands that hang (hanging_count of the recipe) */
};

/* ---- rote_ahead.c ---- */
/* The instant at hand is looked at, and goes on: the memory that the next one will read is asked for, each time a link further. */
void hbg_rote_ahead_begin(HbgSim *sim);
void hbg_rote_ahead_step(HbgSim *sim);

static inline void hbg_rote_ahead(HbgSim *sim) {
  if (sim->local->ahead.is_on) hbg_rote_ahead_step(sim);
}

#endif
