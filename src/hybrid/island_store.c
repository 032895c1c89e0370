/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/island_store.h"

#include "base/pages.h"

enum { FEW = 8, LOOKS = 32 }; /* these are left alone, since they may be at work; and so many at most are looked at for what another one takes */
static const size_t MOST = (size_t)256 << 20;

HbgStores hbg_stores(const HbgArena *arena) { return (HbgStores){.most = MOST, .source = arena->allocator}; }

/* ---- memory ---- */

struct HbgStoreSpare {
  HbgStoreSpare *next;
};

/* Of what is nearly as large one can take the place of another: there are four sizes for each power of two. */
enum { LEAST = 1024, STEPS = 4 };

/* The number of the first size that `size` fits in. */
static int32_t size_for(size_t size) {
  size_t step = LEAST;
  int32_t octave = 0;
  for (; 2 * STEPS * step < size; octave++) step *= 2;
  return STEPS * octave + (int32_t)((size + step - 1) / step);
}

static size_t bytes_of(int32_t which) {
  const int32_t octave = which > 2 * STEPS ? (which - STEPS - 1) / STEPS : 0;
  return (size_t)(which - STEPS * octave) * LEAST << octave;
}

static void *take_memory(size_t size, void *user) {
  HbgStores *self = user;
  const int32_t which = size_for(size);
  const size_t room = bytes_of(which);
  HbgStoreSpare **spare = &self->spare[which], *taken = *spare;
  if (taken) {
    *spare = taken->next;
    self->spare_size -= room;
    return taken;
  }
  void *memory = self->source.allocate(room, self->source.user);
  if (memory) hbg_pages_fill(memory, room);
  return memory;
}

static void leave_memory(void *memory, size_t size, void *user) {
  HbgStores *self = user;
  const int32_t which = size_for(size);
  HbgStoreSpare *left = memory;
  left->next = self->spare[which];
  self->spare[which] = left;
  self->spare_size += bytes_of(which);
}

/* The largest go first. */
static void release_spare(HbgStores *self, size_t most) {
  for (int32_t which = HBG_STORE_SIZES - 1; which >= 0; which--)
    while (self->spare[which] && self->spare_size > most) {
      HbgStoreSpare *spare = self->spare[which];
      self->spare[which] = spare->next;
      self->spare_size -= bytes_of(which);
      self->source.release(spare, bytes_of(which), self->source.user);
    }
}

/* ---- the list ---- */

static void leave(HbgStores *self, HbgStore *store) {
  *(store->newer ? &store->newer->older : &self->newest) = store->older;
  *(store->older ? &store->older->newer : &self->oldest) = store->newer;
  self->count--;
  self->size -= store->size;
}

static void enter(HbgStores *self, HbgStore *store) {
  store->newer = NULL;
  store->older = self->newest;
  *(self->newest ? &self->newest->newer : &self->oldest) = store;
  self->newest = store;
  self->count++;
  self->size += store->size;
}

void hbg_store_use(HbgStores *self, HbgStore *store) {
  if (self->newest == store) return;
  leave(self, store);
  enter(self, store);
}

/* ---- giving back ---- */

void hbg_store_give_back(HbgStores *self, HbgStore *store) {
  leave(self, store);
  hbg_arena_release_all(&store->arena);
  store->is_held = false;
  store->forget(store->owner);
}

void hbg_stores_release_all(HbgStores *self) {
  while (self->oldest) hbg_store_give_back(self, self->oldest);
  release_spare(self, 0);
}

/* ---- filling ---- */

HbgStore *hbg_store(HbgArena *arena, HbgStoreForget forget, void *owner, const int32_t *place) {
  HbgStore *store = ARENA_NEW(arena, HbgStore, 1);
  *store = (HbgStore){.forget = forget, .owner = owner, .place = place};
  return store;
}

HbgArena *hbg_store_begin(HbgStores *self, HbgStore *store, const HbgArena *arena, size_t bytes) {
  store->arena = hbg_arena((HbgAllocator){take_memory, leave_memory, self});
  store->size = 0;
  store->is_held = true;
  enter(self, store);
  store->arena.on_failure = arena->on_failure;
  hbg_arena_expect(&store->arena, bytes);
  return &store->arena;
}

void hbg_store_has_grown(HbgStores *self, HbgStore *store) {
  self->size -= store->size;
  store->size = hbg_arena_size(&store->arena);
  self->size += store->size;
}

void hbg_store_end(HbgStores *self, HbgStore *store) {
  hbg_store_has_grown(self, store);
  const int32_t others = self->count - FEW;
  // those of the present mode become the newest, and behind all others would come those that are at work
  for (int32_t look = 0; look < others && look < LOOKS && self->size > self->most; look++) {
    if (*self->oldest->place < 0) hbg_store_give_back(self, self->oldest);
    else hbg_store_use(self, self->oldest);
  }
  release_spare(self, self->size < self->most ? self->most - self->size : 0);
}
