/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/key_table.h"

enum { FIRST_BUCKETS = 256 };

HbgKeyTable hbg_key_table(HbgArena *arena) {
  return (HbgKeyTable){.arena = arena,
                       .buckets = ARENA_NEW(arena, HbgKeyEntry *, FIRST_BUCKETS),
                       .bucket_count = FIRST_BUCKETS,
                       .last = ARENA_NEW(arena, const HbgKeyEntry *, 1)};
}

static HbgKeyEntry **bucket_of(const HbgKeyTable *table, uint32_t hash) {
  return &table->buckets[hash % (uint32_t)table->bucket_count];
}

static bool has_key(const HbgKeyEntry *entry, const int32_t *list, int32_t count) {
  return hbg_key_equal(entry->list, entry->count, list, count);
}

void *hbg_key_table_find(const HbgKeyTable *table, const int32_t *list, int32_t count) {
  if (*table->last && has_key(*table->last, list, count)) return (*table->last)->value;
  const uint32_t hash = hbg_key_hash(list, count);
  for (const HbgKeyEntry *entry = *bucket_of(table, hash); entry; entry = entry->next)
    if (entry->hash == hash && has_key(entry, list, count)) {
      *table->last = entry;
      return entry->value;
    }
  return NULL;
}

static void put(HbgKeyTable *table, HbgKeyEntry *entry) {
  HbgKeyEntry **bucket = bucket_of(table, entry->hash);
  entry->next = *bucket;
  *bucket = entry;
}

/* As many buckets as entries, or more. */
static void enlarge(HbgKeyTable *table) {
  HbgKeyEntry **old = table->buckets;
  const int32_t old_count = table->bucket_count;
  while (table->bucket_count < table->count) table->bucket_count *= 4;
  if (table->bucket_count == old_count) return;
  table->buckets = ARENA_FULL(table->arena, HbgKeyEntry *, table->bucket_count);
  for (int32_t at = 0; at < old_count; at++) {
    while (old[at]) {
      HbgKeyEntry *entry = old[at];
      old[at] = entry->next;
      put(table, entry);
    }
  }
}

static HbgKeyEntry *new_entry(HbgKeyTable *table, const int32_t *list, int32_t count, void *value) {
  HbgKeyEntry *entry = ARENA_NEW(table->arena, HbgKeyEntry, 1);
  *entry = (HbgKeyEntry){.list = list, .count = count, .value = value};
  table->count++;
  return entry;
}

static void enter(HbgKeyTable *table, HbgKeyEntry *entry) {
  entry->hash = hbg_key_hash(entry->list, entry->count);
  put(table, entry);
}

void hbg_key_table_add(HbgKeyTable *table, const int32_t *list, int32_t count, void *value) {
  HbgKeyEntry *entry = new_entry(table, list, count, value);
  enlarge(table);
  enter(table, entry);
}

void hbg_key_table_add_later(HbgKeyTable *table, const int32_t *list, int32_t count, void *value) {
  HbgKeyEntry *entry = new_entry(table, list, count, value);
  entry->next = table->later;
  table->later = entry;
}

void hbg_key_table_catch_up(HbgKeyTable *table) {
  if (table->later) enlarge(table);
  while (table->later) {
    HbgKeyEntry *entry = table->later;
    table->later = entry->next;
    enter(table, entry);
  }
}
