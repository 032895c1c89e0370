/* SPDX-License-Identifier: BSD-3-Clause
 * Islands that recipes have exchanged. Who follows a recipe needs the regions behind it, not the islands: which of these are
 * present is brought up to date when somebody asks. Until then a converter that has switched a thousand times owes the
 * difference between its first mode and its last one, and most of the time nobody asks. */
#ifndef HYBRID_OWED_H
#define HYBRID_OWED_H

#include "hybrid/region.h"

typedef struct HbgOwed {
  bool is_any;
  int32_t payments;       /* so far */
  bool is_shown;          /* rows show some of it: then it has to be paid before anybody else makes a row */
  int32_t hidden, asked;  /* how often that was owed, and how often it was paid for a row */
  int32_t *machines; int32_t machine_count, machine_capacity; /* whose junctions may not be as their states say */
  uint8_t *owes_machine;  /* (machine_count of the model) */
  uint8_t *is_prompt;     /* ... whether it has stood in the way of somebody who must not owe: then it never owes again */
  bool any_prompt;        /* ... whether any has */
  HbgIsland **islands; int32_t island_count, island_capacity;
  uint8_t *presence;      /* of every island by its number, an HbgPresence */
  int32_t presence_count;
  HbgRegion **regions; int32_t region_count, region_capacity; /* whose islands do not know of them */
} HbgOwed;

/* Whether an island should be present, where it may not be as it should. */
typedef enum HbgPresence { HBG_PRESENCE_PAID, HBG_PRESENCE_TO_GO, HBG_PRESENCE_TO_COME } HbgPresence;

typedef struct HbgRecipeUse HbgRecipeUse;

/* May what comes of a recipe that knows it be owed? Not where a region is integrated or has no states to tell it by. */
bool hbg_owed_is_possible(const HbgRecipeUse *use);
/* Do rows show an island of it? Then it may be owed as long as the recipe tells all that they show, and others ask seldom. */
bool hbg_owed_is_shown(HbgSim *sim, const HbgRecipeUse *use);
static inline bool hbg_owed_is_seldom_asked(const HbgOwed *owed) { return owed->asked <= 1 + owed->hidden / 4; }
/* A row is made by others than the recipe that owes. */
void hbg_owed_pay_shown(HbgSim *sim);
/* What comes of it is to be brought up to date: its machines have taken their states. */
void hbg_owed_add(HbgSim *sim, HbgRecipeUse *use);
void hbg_owed_add_region(HbgSim *sim, HbgRegion *region);
/* Is a machine prompt that it switches? */
bool hbg_owed_is_prompt(const HbgSim *sim, const HbgRecipeUse *use);
/* What comes of it is exchanged at once: everything is paid first if something owed stands in the way, and if `is_known`, not again. */
void hbg_owed_make_way(HbgSim *sim, const HbgRecipeUse *use, bool is_known);
/* Is it present, or should be? By its number, which somebody may have at hand: mostly that is all that is read. */
bool hbg_owed_is_present(const HbgSim *sim, const HbgIsland *island, int32_t number);
/* Brings everything up to date. */
void hbg_owed_pay_all(HbgSim *sim);

#endif
