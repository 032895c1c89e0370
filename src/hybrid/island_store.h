/* SPDX-License-Identifier: BSD-3-Clause
 * What can be found again of an island, and grows with the square of it: dense matrices with what has been factored of them, and combinations of states. A network in which
 * many switches turn has a new island in nearly every mode: what has not been needed for the longest is given back where all of it together is too large, and is made
 * again, with the same bits, when it is needed. Its memory is kept for what comes next, as the system would clear it each time. */
#ifndef HYBRID_ISLAND_STORE_H
#define HYBRID_ISLAND_STORE_H

#include "base/arena.h"

/* It has been given back: what it was filled for must not look for it any more. */
typedef void (*HbgStoreForget)(void *owner);

typedef struct HbgStore {
  HbgArena arena;
  HbgStoreForget forget; void *owner;
  const int32_t *place; /* of the island in the present mode: -1 where it is not there */
  size_t size;    /* of the arena [bytes] */
  bool is_held;   /* it is in the list */
  struct HbgStore *newer, *older; /* by their last use; NULL: there is none */
} HbgStore;

typedef struct HbgStoreSpare HbgStoreSpare;

enum { HBG_STORE_SIZES = 160 }; /* of spare memory, up to all that there can be */

typedef struct HbgStores {
  HbgStore *newest, *oldest;
  int32_t count;  /* that are held */
  size_t size;    /* of all that are held [bytes] */
  size_t most;    /* ... and what that may be, as long as there are more than a few, and beside those of the present mode */
  HbgAllocator source; /* of memory */
  HbgStoreSpare *spare[HBG_STORE_SIZES]; size_t spare_size; /* memory that is held by none, by its size; all of it [bytes] */
} HbgStores;

enum { HBG_STORE_LARGE = 8192 }; /* bytes: what is smaller stays where everything else is */

/* None yet; their memory comes from where that of `arena` comes from. They stay where they are from the first store on. */
HbgStores hbg_stores(const HbgArena *arena);
/* Gives all of them back, and all memory. */
void hbg_stores_release_all(HbgStores *self);
/* An empty one, from the arena. */
HbgStore *hbg_store(HbgArena *arena, HbgStoreForget forget, void *owner, const int32_t *place);
/* It is about to be filled with some `bytes`: the arena to fill. `arena`: of the run, whose caller is told when memory is refused. */
HbgArena *hbg_store_begin(HbgStores *self, HbgStore *store, const HbgArena *arena, size_t bytes);
/* It has been: others may have to make way. */
void hbg_store_end(HbgStores *self, HbgStore *store);
/* It has become larger meanwhile. */
void hbg_store_has_grown(HbgStores *self, HbgStore *store);
/* Gives it back, which is held. */
void hbg_store_give_back(HbgStores *self, HbgStore *store);
/* It is needed, and held. */
void hbg_store_use(HbgStores *self, HbgStore *store);

#endif
