/* SPDX-License-Identifier: BSD-3-Clause
 * What the files that take an instant of many things share: together.c (when; what is kept from instant to instant), together_groups.c (what is
 * due, in groups), together_apart.c (a recipe for each, and nothing in common), together_rows.c (their rows, and how they take effect). */
#ifndef HYBRID_TOGETHER_PARTS_H
#define HYBRID_TOGETHER_PARTS_H

#include "hybrid/recipe.h"
#include "hybrid/together.h"

/* Whose a member of the model is in the round at hand. */
typedef struct HbgClaim {
  int32_t round, group;
} HbgClaim;

/* What is kept from instant to instant. */
struct HbgTogether {
  HbgClaim *machines, *states, *bonds; /* per number; regions by their first states, what has none by its first bond */
  int32_t *seed_of; /* per machine that is due: its place among these */
  int32_t *habit;   /* per machine that was due as the first of a few: what was due with it the last time, as a number */
  int32_t round;
  int64_t count;    /* instants gone through so far */
  char *room; size_t room_size, room_wanted; /* for one instant, kept; and what the last one would have needed */
  int32_t patience, refusals; /* instants to be gone through as one before the next try, and tries that failed in a row */
};

typedef struct HbgDueGroup {
  int32_t *due, due_count, machine_count; /* its machines, then the scheduled conditions that they read */
  const HbgConjunction **located; int32_t located_count;
  HbgFollower *follower;
  bool is_ready;  /* it has a recipe that applies */
  int32_t row;    /* that is shown; -1: none yet */
  HbgHyperTime next; /* where the row behind it is, without the time */
} HbgDueGroup;

/* A machine that is due reads a scheduled condition that is. */
typedef struct HbgDueReading {
  int32_t tick, next;
} HbgDueReading;

/* What is due at the instant at hand, in groups. */
typedef struct HbgDue {
  HbgSim *sim;
  const int32_t *due; int32_t due_count; /* for all; and what was located */
  const HbgConjunction *const *located; int32_t located_count;
  int32_t seed_count;              /* machines that are due: the first of them */
  int32_t *parent;                 /* a forest of those that go together, with the first as root */
  HbgDueReading *reading; int32_t reading_count;
  int32_t *first_reading;          /* per seed: of scheduled conditions that are due; -1 */
  int32_t *located_start;          /* of seed s: located[located_start[s] .. located_start[s + 1]) */
  HbgFollower *followers;          /* per root */
  bool *is_ready;                  /* ... and whether it is that of the group as it is now */
  HbgDueGroup *groups; int32_t count;
  const HbgConjunction **fired;    /* room for those of one row */
  size_t used;                     /* of the room */
} HbgDue;

/* ---- together.c ---- */
/* What is kept, made when first asked for. */
struct HbgTogether *hbg_together_state(HbgSim *sim);
/* Room for one instant, as much as the last one would have needed. */
void hbg_together_make_room(HbgSim *sim);
/* Of that room, not zeroed: `count` things of `size` bytes, until the instant is over. */
void *hbg_together_take(HbgDue *self, int32_t count, size_t size);
#define TAKE(self, T, count) ((T *)hbg_together_take((self), (count), sizeof(T)))

/* ---- together_groups.c ---- */
/* What is due, each by itself but for what has gone together before. */
HbgDue hbg_due_begin(HbgSim *sim);
/* Two of what is due, by their places, go together from now on. True where they were apart. */
bool hbg_due_join(HbgDue *self, int32_t a, int32_t b);
/* Is it a machine that is due? */
bool hbg_due_have(const HbgDue *self, int32_t machine);
/* `groups`, of what goes together now, in the order of their first machines. */
void hbg_due_make(HbgDue *self);
/* What is due, for all that asks for it, is what is due for one group. */
void hbg_due_look_at(HbgSim *sim, const HbgDueGroup *group);

/* ---- together_apart.c ---- */
/* Makes groups with a recipe each, and with nothing in common. False: there are no several such. */
bool hbg_due_fall_apart(HbgDue *self);

/* ---- together_rows.c ---- */
/* Can their rows be told from the recipes? */
bool hbg_due_fit_together(const HbgDue *self);
/* All go through the instant. */
HbgStatus hbg_due_take_effect(HbgDue *self);

#endif
