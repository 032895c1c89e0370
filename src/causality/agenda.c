/* SPDX-License-Identifier: BSD-3-Clause */
#include "causality/agenda.h"

enum { CHILDREN = 4 }; /* half as deep as two, and side by side in a line of the cache */

HbgAgenda hbg_agenda(int32_t size, HbgArena *arena) {
  HbgAgenda agenda = {.items = ARENA_NEW(arena, HbgAgendaItem, size), .place = ARENA_NEW(arena, int32_t, size)};
  for (int32_t thing = 0; thing < size; thing++) agenda.place[thing] = -1;
  return agenda;
}

static void set(HbgAgenda *agenda, int32_t at, HbgAgendaItem item) {
  agenda->items[at] = item;
  agenda->place[item.thing] = at;
}

static void rise(HbgAgenda *agenda, int32_t at, HbgAgendaItem item) {
  while (at > 0 && agenda->items[(at - 1) / CHILDREN].moment > item.moment) {
    set(agenda, at, agenda->items[(at - 1) / CHILDREN]);
    at = (at - 1) / CHILDREN;
  }
  set(agenda, at, item);
}

/* The earliest of the children of `at`; `count` where it has none. */
static int32_t first_child(const HbgAgenda *agenda, int32_t at) {
  const int32_t first = CHILDREN * at + 1, end = first + CHILDREN < agenda->count ? first + CHILDREN : agenda->count;
  int32_t earliest = first < end ? first : agenda->count;
  for (int32_t child = first + 1; child < end; child++)
    if (agenda->items[child].moment < agenda->items[earliest].moment) earliest = child;
  return earliest;
}

static void sink(HbgAgenda *agenda, int32_t at, HbgAgendaItem item) {
  for (;;) {
    const int32_t child = first_child(agenda, at);
    if (child >= agenda->count || agenda->items[child].moment >= item.moment) break;
    set(agenda, at, agenda->items[child]);
    at = child;
  }
  set(agenda, at, item);
}

/* Where the item at `at` was, `item` is now. */
static void replace(HbgAgenda *agenda, int32_t at, HbgAgendaItem item) {
  if (item.moment < agenda->items[at].moment) rise(agenda, at, item);
  else sink(agenda, at, item);
}

void hbg_agenda_put(HbgAgenda *agenda, int32_t thing, HbgMoment moment) {
  const HbgAgendaItem item = {moment, thing};
  if (agenda->place[thing] >= 0) replace(agenda, agenda->place[thing], item);
  else rise(agenda, agenda->count++, item);
}

void hbg_agenda_remove(HbgAgenda *agenda, int32_t thing) {
  const int32_t at = agenda->place[thing];
  if (at < 0) return;
  agenda->place[thing] = -1;
  const HbgAgendaItem last = agenda->items[--agenda->count];
  if (at < agenda->count) replace(agenda, at, last);
}

int32_t hbg_agenda_take(HbgAgenda *agenda) {
  const int32_t thing = agenda->items[0].thing;
  hbg_agenda_remove(agenda, thing);
  return thing;
}
