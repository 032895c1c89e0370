/* SPDX-License-Identifier: BSD-3-Clause
 * Known events by rote. A recipe that has been followed at a place tells when it applies by lists that lead to other lists; what of
 * them is the same each time is written down here in one piece: which entries of the queue are due, which of their guards have come to hold,
 * the machines, scheduled conditions and regions as they have to be, and where the inputs lie. Looking at an instant by rote changes nothing,
 * so the first thing that is otherwise sends it the ordinary way (local_follow.c), which would come to the same. */
#ifndef HYBRID_ROTE_H
#define HYBRID_ROTE_H

#include "hybrid/recipe.h"

enum { HBG_ROTE_MOST_DUE = 8 };

/* What entries of the queue lead to, by the first of them: the machines that read the scheduled conditions are due as well. */
typedef struct HbgRoteDue {
  _Alignas(64) struct HbgRoteDue *next; /* of the same first entry */
  HbgRecipeUse *last; struct HbgRote *last_rote; /* that was followed the last time */
  int32_t entry_count, due_count;
  int32_t habit;                      /* several machines that are one thing by that (together.h); 0: there is one */
  int32_t first;                      /* of what is due */
  int32_t entries[HBG_ROTE_MOST_DUE]; /* ascending */
  int32_t due[HBG_ROTE_MOST_DUE];     /* as in HbgLocal */
} HbgRoteDue;

/* A recipe has just been followed, of everything that is due: `entries` (count, ascending) of the queue. */
void hbg_rote_learn(HbgSim *sim, HbgRecipeUse *use, const int32_t *entries, int32_t count);
/* Goes through the next instant. False: by rote nobody knows how, and nothing has been changed. */
bool hbg_rote_follow(HbgSim *sim, HbgStatus *status);
/* How many instants have been gone through so. */
int64_t hbg_rote_count(const HbgSim *sim);

#endif
