/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/scope.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/model.h"

enum { FIRST_TABLE = 256, LONGEST_COMPARED = 48, MOST_NEAR = 3 };

HbgScope hbg_scope(HbgArena *arena) {
  return (HbgScope){.arena = arena, .table = ARENA_NEW(arena, int32_t, FIRST_TABLE), .table_size = FIRST_TABLE};
}

/* Where the digits of the last index of a name begin and end; both 0 where it has none. */
static void find_last_index(const char *name, uint32_t length, uint32_t *begin, uint32_t *end) {
  while (length && name[length - 1] != ']') length--;
  *begin = *end = length ? length - 1 : 0;
  while (*begin && name[*begin - 1] >= '0' && name[*begin - 1] <= '9') --*begin;
}

static uint32_t hash_on(uint32_t hash, const char *from, const char *end) {
  for (; from < end; from++) hash = (hash ^ (unsigned char)*from) * 16777619u;
  return hash;
}

/* FNV-1a with a last stir, but neighbours of an array, which loops ask for one after the other, have places in one line of the cache: each
 * eight of them differ in the last bits only. */
static uint32_t hash_of(int32_t space, const char *name, uint32_t length) {
  enum { BITS = 3 };
  uint32_t begin, end, number = 0;
  find_last_index(name, length, &begin, &end);
  for (uint32_t at = begin; at < end; at++) number = 10 * number + (uint32_t)(name[at] - '0');
  uint32_t hash = hash_on(2166136261u ^ (uint32_t)space, name, name + begin);
  hash = hash_on(hash, name + end, name + length);
  hash = (hash ^ (number >> BITS) * 2654435769u) * 16777619u;
  hash ^= hash >> 15;
  return hash << BITS | (number & ((1u << BITS) - 1));
}

static int32_t slot_of(const HbgScope *scope, int32_t space, const char *name, uint32_t length, uint32_t hash) {
  const uint32_t mask = (uint32_t)scope->table_size - 1;
  for (uint32_t slot = hash & mask;; slot = (slot + 1) & mask) {
    if (!scope->table[slot]) return (int32_t)slot;
    const HbgScopeSymbol *symbol = &scope->symbols[scope->table[slot] - 1];
    if (symbol->hash == hash && symbol->space == space && symbol->length == length && !memcmp(symbol->name, name, length))
      return (int32_t)slot;
  }
}

int32_t hbg_scope_find_in(const HbgScope *scope, int32_t space, const char *name, uint32_t length) {
  return scope->table[slot_of(scope, space, name, length, hash_of(space, name, length))] - 1;
}

int32_t hbg_scope_find(const HbgScope *scope, const char *name, uint32_t length) {
  return hbg_scope_find_in(scope, 0, name, length);
}

static void enlarge(HbgScope *scope) {
  hbg_arena_give_back(scope->arena, scope->table);
  scope->table_size *= 2;
  scope->table = hbg_arena_enlarge(scope->arena, NULL, 0, scope->table_size, sizeof *scope->table);
  const uint32_t mask = (uint32_t)scope->table_size - 1;
  for (int32_t i = 0; i < scope->count; i++) {
    uint32_t slot = scope->symbols[i].hash & mask;
    while (scope->table[slot]) slot = (slot + 1) & mask;
    scope->table[slot] = i + 1;
  }
}

int32_t hbg_scope_add_to(HbgScope *scope, int32_t space, const char *name, HbgScopeKind kind, int32_t index, HbgSpan span) {
  if (scope->count >= scope->table_size / 2) enlarge(scope);
  const uint32_t length = (uint32_t)strlen(name), hash = hash_of(space, name, length);
  const int32_t slot = slot_of(scope, space, name, length, hash);
  ARENA_PUSH(scope->arena, scope->symbols, scope->count, scope->capacity) =
      (HbgScopeSymbol){.name = name, .length = length, .hash = hash, .space = space, .kind = kind, .index = index, .span = span,
                  .needed_by = -1};
  scope->table[slot] = scope->count;
  return scope->count - 1;
}

int32_t hbg_scope_add(HbgScope *scope, const char *name, HbgScopeKind kind, int32_t index, HbgSpan span) {
  return hbg_scope_add_to(scope, 0, name, kind, index, span);
}

int32_t hbg_scope_add_array(HbgScope *scope, const char *name, int32_t index_count, int64_t index, HbgSpan span) {
  const int32_t symbol = hbg_scope_add(scope, name, HBG_SCOPE_ARRAY, index_count, span);
  scope->symbols[symbol].range = scope->range_count;
  ARENA_PUSH(scope->arena, scope->ranges, scope->range_count, scope->range_capacity) = (HbgIndexRange){index, index};
  return symbol;
}

HbgIndexRange *hbg_scope_range(const HbgScope *scope, const HbgScopeSymbol *array) { return &scope->ranges[array->range]; }

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

/* Damerau's distance (insert, delete, change, swap neighbours) over three rows of the usual table; capitals count half:
 * a change of case alone costs 1, like any other slip, but never more than that for the whole name. */
int hbg_name_distance(const char *a, const char *b, int most) {
  const int m = (int)strlen(a), n = (int)strlen(b);
  if (m > LONGEST_COMPARED || n > LONGEST_COMPARED || abs(m - n) > most) return most + 1;
  int rows[3][LONGEST_COMPARED + 1];
  int *before = rows[0], *last = rows[1], *row = rows[2];
  for (int j = 0; j <= n; j++) last[j] = j;
  bool case_differs = false;
  for (int i = 1; i <= m; i++) {
    row[0] = i;
    for (int j = 1; j <= n; j++) {
      const char x = lower(a[i - 1]), y = lower(b[j - 1]);
      int best = last[j - 1] + (x != y);
      if (last[j] + 1 < best) best = last[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      if (i > 1 && j > 1 && x == lower(b[j - 2]) && lower(a[i - 2]) == y && before[j - 2] + 1 < best)
        best = before[j - 2] + 1;
      row[j] = best;
      if (i == j && a[i - 1] != b[j - 1] && x == y) case_differs = true;
    }
    int *const spare = before;
    before = last;
    last = row;
    row = spare;
  }
  const int distance = last[n] + (last[n] == 0 && case_differs);
  return distance > most ? most + 1 : distance;
}

typedef struct Near {
  const char *name;
  int distance;
} Near;

/* Keeps the best few, the nearest first, equal ones in natural order. */
static void keep_near(Near *list, int *count, Near candidate) {
  int place = *count;
  while (place > 0 && (candidate.distance < list[place - 1].distance ||
                       (candidate.distance == list[place - 1].distance &&
                        hbg_name_compare(candidate.name, list[place - 1].name) < 0)))
    place--;
  if (place >= MOST_NEAR) return;
  if (*count < MOST_NEAR) ++*count;
  for (int i = *count - 1; i > place; i--) list[i] = list[i - 1];
  list[place] = candidate;
}

/* A name cut short is near too, however long the rest is. */
static bool is_beginning(const char *part, const char *whole) {
  const size_t length = strlen(part);
  return length >= 3 && !strncmp(part, whole, length) && whole[length] != '[';
}

const char *hbg_scope_near(const HbgScope *scope, const char *name, unsigned kinds, HbgArena *arena) {
  return hbg_scope_near_in(scope, name, 0, kinds, arena);
}

const char *hbg_scope_near_in(const HbgScope *scope, const char *name, uint32_t prefix, unsigned kinds, HbgArena *arena) {
  const char *const before = name;
  name += prefix;
  const int length = (int)strlen(name), most = length < 6 ? 1 : length < 9 ? 2 : length / 3;
  Near list[MOST_NEAR];
  int count = 0;
  for (int32_t i = 0; i < scope->count; i++) {
    const HbgScopeSymbol *symbol = &scope->symbols[i];
    if (!(kinds >> symbol->kind & 1u) || symbol->length < prefix || strncmp(symbol->name, before, prefix) != 0) continue;
    const char *other = symbol->name + prefix;
    int distance = hbg_name_distance(name, other, most);
    if (distance > most && is_beginning(name, other)) distance = most;
    if (distance > most || distance >= length) continue;
    keep_near(list, &count, (Near){other, distance});
  }
  if (!count) return NULL;
  HbgText text = hbg_text(arena);
  for (int i = 0; i < count; i++)
    hbg_text_add(&text, "%s'%s'", i == 0 ? "" : i == count - 1 ? " or " : ", ", list[i].name);
  return text.bytes;
}
