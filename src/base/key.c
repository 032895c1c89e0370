/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/key.h"

#include <stdlib.h>
#include <string.h>

HbgKey hbg_key(HbgArena *arena) { return (HbgKey){.arena = arena}; }

void hbg_key_add_number(HbgKey *key, double number) {
  int32_t halves[2];
  _Static_assert(sizeof halves == sizeof number, "a number is two of a key");
  memcpy(halves, &number, sizeof halves);
  hbg_key_add(key, halves[0]);
  hbg_key_add(key, halves[1]);
}

int32_t *hbg_key_keep(const HbgKey *key, HbgArena *arena) {
  int32_t *copy = ARENA_NEW(arena, int32_t, key->count);
  if (key->count) memcpy(copy, key->list, (size_t)key->count * sizeof *copy);
  return copy;
}

/* Fowler, Noll and Vo's hash over words, with the high bits folded down, since tables take the low ones. */
uint32_t hbg_key_hash(const int32_t *list, int32_t count) {
  uint32_t hash = 2166136261u;
  for (int32_t at = 0; at < count; at++) hash = (hash ^ (uint32_t)list[at]) * 16777619u;
  return hash ^ (hash >> 15);
}

bool hbg_key_equal(const int32_t *a, int32_t a_count, const int32_t *b, int32_t b_count) {
  return a_count == b_count && (!a_count || memcmp(a, b, (size_t)a_count * sizeof *a) == 0);
}

enum { FEW = 32, MANY = 4096, DIGIT = 8, DIGITS = 1 << DIGIT };

static int compare(const void *a, const void *b) {
  const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

/* Quicker than a call for each comparison, as long as there are few. */
static void insert(int32_t *list, int32_t count) {
  for (int32_t at = 1; at < count; at++) {
    const int32_t value = list[at];
    int32_t place = at;
    for (; place > 0 && list[place - 1] > value; place--) list[place] = list[place - 1];
    list[place] = value;
  }
}

/* Often it is so already. */
static bool is_sorted(const int32_t *list, int32_t count) {
  int32_t at = 1;
  while (at < count && list[at - 1] <= list[at]) at++;
  return at >= count;
}

/* As numbers without a sign have the same order. */
static inline uint32_t ascending(int32_t member) { return (uint32_t)member ^ 0x80000000u; }

/* In the order of one digit, and where it is the same as before. */
static void sort_by_digit(const int32_t *list, int32_t count, int shift, int32_t *to) {
  int32_t next[DIGITS] = {0}, sum = 0;
  for (int32_t at = 0; at < count; at++) next[ascending(list[at]) >> shift & (DIGITS - 1)]++;
  for (int32_t digit = 0; digit < DIGITS; digit++) {
    const int32_t those = next[digit];
    next[digit] = sum;
    sum += those;
  }
  for (int32_t at = 0; at < count; at++) to[next[ascending(list[at]) >> shift & (DIGITS - 1)]++] = list[at];
}

/* By one digit after the other, the last one first, of those in which members differ (Knuth, TAOCP 5.2.5): numbers of bonds and nodes have two or three. */
static void sort_by_digits(int32_t *list, int32_t count) {
  int32_t other[MANY], *from = list, *to = other;
  uint32_t differing = 0;
  for (int32_t at = 1; at < count; at++) differing |= (uint32_t)(list[at] ^ list[0]);
  for (int shift = 0; shift < 32; shift += DIGIT) {
    if (!(differing >> shift & (DIGITS - 1))) continue;
    sort_by_digit(from, count, shift, to);
    int32_t *const sorted = to;
    to = from;
    from = sorted;
  }
  if (from != list) memcpy(list, from, (size_t)count * sizeof *list);
}

void hbg_key_sort(int32_t *list, int32_t count) {
  if (count <= FEW) insert(list, count);
  else if (is_sorted(list, count)) return;
  else if (count <= MANY) sort_by_digits(list, count);
  else qsort(list, (size_t)count, sizeof *list, compare);
}

/* ---- ascending lists behind each other ---- */

/* Where the one ends that begins at `first`. */
static int32_t end_of_run(const int32_t *list, int32_t first, int32_t count) {
  int32_t at = first + 1;
  while (at < count && list[at - 1] <= list[at]) at++;
  return at < count ? at : count;
}

/* list[first .. middle) and list[middle .. end), each ascending, to the same places of `to`. */
static void merge_two(const int32_t *list, int32_t first, int32_t middle, int32_t end, int32_t *to) {
  int32_t left = first, right = middle;
  for (int32_t at = first; at < end; at++) to[at] = right == end || (left < middle && list[left] <= list[right]) ? list[left++] : list[right++];
}

/* Two and two of them become one, in `to`. Answers how many there are then. */
static int32_t merge_pairs(const int32_t *list, int32_t count, int32_t *to) {
  int32_t runs = 0;
  for (int32_t first = 0, end; first < count; first = end, runs++) {
    const int32_t middle = end_of_run(list, first, count);
    end = middle < count ? end_of_run(list, middle, count) : count;
    merge_two(list, first, middle, end, to);
  }
  return runs;
}

void hbg_key_merge(int32_t *list, int32_t count, int32_t *room) {
  int32_t *from = list, *to = room;
  if (is_sorted(list, count)) return;
  for (int32_t runs = count; runs > 1;) {
    runs = merge_pairs(from, count, to);
    int32_t *const merged = to;
    to = from;
    from = merged;
  }
  if (from != list) memcpy(list, from, (size_t)count * sizeof *list);
}
