/* SPDX-License-Identifier: BSD-3-Clause */
#include "causality/agenda.h"

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
  while (at > 0 && agenda->items[(at - 1) / 2].moment > item.moment) {
    set(agenda, at, agenda->items[(at - 1) / 2]);
    at = (at - 1) / 2;
  }
  set(agenda, at, item);
}

static void sink(HbgAgenda *agenda, int32_t at, HbgAgendaItem item) {
  for (;;) {
    int32_t child = 2 * at + 1;
    if (child + 1 < agenda->count && agenda->items[child + 1].moment < agenda->items[child].moment) child++;
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
