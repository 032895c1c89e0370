/* SPDX-License-Identifier: BSD-3-Clause */
#include "causality/agenda.h"

#include <string.h>

enum { CHILDREN = 4 }; /* half as deep as two, and side by side in a line of the cache */
enum { NOWHERE = -1, FIRST_IN_LIST = -2 }; /* places: those in the list count down */

HbgAgenda hbg_agenda(int32_t size, HbgArena *arena) {
  HbgAgenda agenda = {.arena = arena, .list = ARENA_FULL(arena, HbgAgendaItem, size), .place = ARENA_FULL(arena, int32_t, size)};
  for (int32_t thing = 0; thing < size; thing++) agenda.place[thing] = NOWHERE;
  return agenda;
}

/* ---- the heap ---- */

static void set(HbgAgenda *agenda, int32_t at, HbgAgendaItem item) {
  agenda->heap[at] = item;
  agenda->place[item.thing] = at;
}

static void rise(HbgAgenda *agenda, int32_t at, HbgAgendaItem item) {
  while (at > 0 && agenda->heap[(at - 1) / CHILDREN].moment > item.moment) {
    set(agenda, at, agenda->heap[(at - 1) / CHILDREN]);
    at = (at - 1) / CHILDREN;
  }
  set(agenda, at, item);
}

/* The earliest of the children of `at`; `heap_count` where it has none. */
static int32_t first_child(const HbgAgenda *agenda, int32_t at) {
  const int32_t first = CHILDREN * at + 1, end = first + CHILDREN < agenda->heap_count ? first + CHILDREN : agenda->heap_count;
  int32_t earliest = first < end ? first : agenda->heap_count;
  for (int32_t child = first + 1; child < end; child++)
    if (agenda->heap[child].moment < agenda->heap[earliest].moment) earliest = child;
  return earliest;
}

static void sink(HbgAgenda *agenda, int32_t at, HbgAgendaItem item) {
  for (;;) {
    const int32_t child = first_child(agenda, at);
    if (child >= agenda->heap_count || agenda->heap[child].moment >= item.moment) break;
    set(agenda, at, agenda->heap[child]);
    at = child;
  }
  set(agenda, at, item);
}

/* Where the item at `at` was, `item` is now. */
static void replace(HbgAgenda *agenda, int32_t at, HbgAgendaItem item) {
  if (item.moment < agenda->heap[at].moment) rise(agenda, at, item);
  else sink(agenda, at, item);
}

static void remove_from_heap(HbgAgenda *agenda, int32_t at) {
  const HbgAgendaItem last = agenda->heap[--agenda->heap_count];
  if (at < agenda->heap_count) replace(agenda, at, last);
}

/* ---- the list ---- */

static bool is_current(const HbgAgenda *agenda, int32_t at) {
  return agenda->place[agenda->list[at].thing] == FIRST_IN_LIST - at;
}

/* The first item of the list that still holds; NULL. */
static const HbgAgendaItem *head_of_list(HbgAgenda *agenda) {
  while (agenda->list_next < agenda->list_count && !is_current(agenda, agenda->list_next)) agenda->list_next++;
  return agenda->list_next < agenda->list_count ? &agenda->list[agenda->list_next] : NULL;
}

void hbg_agenda_note(HbgAgenda *agenda, int32_t thing, HbgMoment moment) {
  agenda->list[agenda->list_count++] = (HbgAgendaItem){moment, thing};
}

enum { DIGIT = 11, DIGIT_VALUES = 1 << DIGIT, MOMENT_BITS = 63 };

static int32_t digit(const HbgAgendaItem *item, int shift) { return (int32_t)(item->moment >> shift & (DIGIT_VALUES - 1)); }

/* Sorts by the digit of the moments that begins at bit `shift`; false: they do not differ in it, and nothing was moved. */
static bool sort_by_digit(const HbgAgendaItem *from, HbgAgendaItem *to, int32_t count, int shift) {
  int32_t start[DIGIT_VALUES + 1] = {0};
  for (int32_t at = 0; at < count; at++) start[digit(&from[at], shift) + 1]++;
  if (start[digit(&from[0], shift) + 1] == count) return false;
  for (int32_t value = 0; value < DIGIT_VALUES; value++) start[value + 1] += start[value];
  for (int32_t at = 0; at < count; at++) to[start[digit(&from[at], shift)]++] = from[at];
  return true;
}

/* From the last digit to the first: items keep their order where they do not differ. */
static void sort(HbgAgenda *agenda) {
  const HbgArenaMark mark = hbg_arena_mark(agenda->arena);
  HbgAgendaItem *list = agenda->list, *other = ARENA_FULL(agenda->arena, HbgAgendaItem, agenda->list_count);
  for (int shift = 0; shift < MOMENT_BITS; shift += DIGIT) {
    if (!sort_by_digit(list, other, agenda->list_count, shift)) continue;
    HbgAgendaItem *const sorted = other;
    other = list;
    list = sorted;
  }
  if (list != agenda->list) memcpy(agenda->list, list, (size_t)agenda->list_count * sizeof *list);
  hbg_arena_rewind(agenda->arena, mark);
  for (int32_t at = 0; at < agenda->list_count; at++) agenda->place[agenda->list[at].thing] = FIRST_IN_LIST - at;
}

void hbg_agenda_begin(HbgAgenda *agenda) {
  enum { FEW = 512 }; /* a heap is quicker */
  if (agenda->list_count >= FEW) {
    sort(agenda);
    return;
  }
  for (int32_t at = 0; at < agenda->list_count; at++) hbg_agenda_put(agenda, agenda->list[at].thing, agenda->list[at].moment);
  agenda->list_count = 0;
}

/* ---- both ---- */

void hbg_agenda_put(HbgAgenda *agenda, int32_t thing, HbgMoment moment) {
  const HbgAgendaItem item = {moment, thing};
  if (agenda->place[thing] >= 0) {
    replace(agenda, agenda->place[thing], item);
    return;
  }
  ARENA_PUSH(agenda->arena, agenda->heap, agenda->heap_count, agenda->heap_capacity) = item;
  rise(agenda, agenda->heap_count - 1, item);
}

void hbg_agenda_remove(HbgAgenda *agenda, int32_t thing) {
  const int32_t at = agenda->place[thing];
  agenda->place[thing] = NOWHERE;
  if (at >= 0) remove_from_heap(agenda, at);
}

int32_t hbg_agenda_take(HbgAgenda *agenda) {
  const HbgAgendaItem *listed = head_of_list(agenda);
  if (!listed && !agenda->heap_count) return -1;
  const bool is_listed = listed && (!agenda->heap_count || listed->moment <= agenda->heap[0].moment);
  const int32_t thing = is_listed ? listed->thing : agenda->heap[0].thing;
  hbg_agenda_remove(agenda, thing);
  return thing;
}
