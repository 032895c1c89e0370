/* SPDX-License-Identifier: BSD-3-Clause
 * Lists of integers that stand for a structure: two structures are the same when their keys are. */
#ifndef BASE_KEY_H
#define BASE_KEY_H

#include <stdbool.h>

#include "base/arena.h"

typedef struct HbgKey {
  HbgArena *arena;
  int32_t *list, count, capacity;
} HbgKey;

/* An empty key that grows in `arena`. */
HbgKey hbg_key(HbgArena *arena);
static inline void hbg_key_add(HbgKey *key, int32_t value) { ARENA_PUSH(key->arena, key->list, key->count, key->capacity) = value; }
/* All its bits. */
void hbg_key_add_number(HbgKey *key, double number);
/* A copy of its list. */
int32_t *hbg_key_keep(const HbgKey *key, HbgArena *arena);
/* The same on every machine. */
uint32_t hbg_key_hash(const int32_t *list, int32_t count);
bool hbg_key_equal(const int32_t *a, int32_t a_count, const int32_t *b, int32_t b_count);
/* Sorts ascending, in place. */
void hbg_key_sort(int32_t *list, int32_t count);
/* The same where the list is a few ascending ones behind each other. `room` (count): work space. */
void hbg_key_merge(int32_t *list, int32_t count, int32_t *room);

#endif
