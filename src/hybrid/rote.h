/* SPDX-License-Identifier: BSD-3-Clause
 * Known events by rote. A recipe that has been followed at a place tells when it applies by lists that lead to other lists; what of
 * them is the same each time is written down here in one piece: which entries of the queue are due, which of their guards have come to hold,
 * the machines, scheduled conditions and regions as they have to be, and where the inputs lie. Looking at an instant by rote changes nothing,
 * so the first thing that is otherwise sends it the ordinary way (local_follow.c), which would come to the same. */
#ifndef HYBRID_ROTE_H
#define HYBRID_ROTE_H

#include "hybrid/recipe.h"

enum { HBG_ROTE_MOST_DUE = 8, HBG_ROTE_TELLING = 2 };

/* A recipe that these entries may lead to, and what mostly tells it from the others without a look at it. */
typedef struct HbgRoteChoice {
  HbgRecipeUse *use;
  int32_t machines[HBG_ROTE_TELLING], phi[HBG_ROTE_TELLING]; /* the first of its scope, and how they have to be */
  bool is_about_none;                                        /* there are none */
  int32_t then;                                              /* which one came behind it the last time */
} HbgRoteChoice;

/* What entries of the queue lead to, by the first of them: the machines that read the scheduled conditions are due as well. */
typedef struct HbgRoteDue {
  /* two lines of the cache */
  _Alignas(64) struct HbgRoteDue *next; /* of the same first entry */
  HbgRoteChoice *choices; int32_t choice_count, choice_capacity;
  const HbgRecipeUse *head;           /* of the list of recipes, when its choices were written down */
  HbgRecipeUse *expected;             /* the next time; NULL: nobody knows */
  struct HbgRote *expected_rote;      /* ... and its, which is asked for before that can be read */
  int32_t last;                       /* the choice of the last time; -1 */
  int32_t first;                      /* of what is due */
  int32_t habit;                      /* several machines that are one thing by that (together.h); 0: there is one */
  int16_t entry_count, due_count;
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
