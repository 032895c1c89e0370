/* SPDX-License-Identifier: BSD-3-Clause
 * What belongs to a key: a hash table that grows. */
#ifndef BASE_KEY_TABLE_H
#define BASE_KEY_TABLE_H

#include "base/key.h"

typedef struct HbgKeyEntry {
  const int32_t *list; int32_t count;
  uint32_t hash;
  void *value;
  struct HbgKeyEntry *next; /* in its bucket */
} HbgKeyEntry;

typedef struct HbgKeyTable {
  HbgArena *arena;
  HbgKeyEntry **buckets; int32_t bucket_count;
  int32_t count; /* of entries */
  HbgKeyEntry *later; /* entries that are in no bucket yet */
  const HbgKeyEntry **last; /* the one that was found last, as what lies side by side is mostly alike: then nothing is hashed */
} HbgKeyTable;

HbgKeyTable hbg_key_table(HbgArena *arena);
/* What was added for the key, NULL. */
void *hbg_key_table_find(const HbgKeyTable *table, const int32_t *list, int32_t count);
/* `value` for a key that is not there yet; `list` must live as long as the table. */
void hbg_key_table_add(HbgKeyTable *table, const int32_t *list, int32_t count, void *value);
/* The same, but it is not found before hbg_key_table_catch_up(): where much is added that nobody may ever ask for. */
void hbg_key_table_add_later(HbgKeyTable *table, const int32_t *list, int32_t count, void *value);
void hbg_key_table_catch_up(HbgKeyTable *table);

#endif
