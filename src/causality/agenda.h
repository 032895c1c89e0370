/* SPDX-License-Identifier: BSD-3-Clause
 * What is still to be done, earliest first: things 0 .. size - 1, each at most once. What is known from the beginning is a list
 * that is sorted once; what comes later, which is little at a time, a heap. */
#ifndef CAUSALITY_AGENDA_H
#define CAUSALITY_AGENDA_H

#include "base/arena.h"
#include "causality/moment.h"

typedef struct HbgAgendaItem {
  HbgMoment moment;
  int32_t thing;
} HbgAgendaItem;

typedef struct HbgAgenda {
  HbgArena *arena;
  HbgAgendaItem *heap; int32_t heap_count, heap_capacity;
  HbgAgendaItem *list; int32_t list_count, list_next; /* sorted; items before `list_next` are done, and so are those whose thing is elsewhere */
  int32_t *place; /* per thing: in `heap`; -2 - its place in `list`; -1: nowhere */
} HbgAgenda;

HbgAgenda hbg_agenda(int32_t size, HbgArena *arena);
/* `thing` is in from the beginning, at `moment`; each at most once. */
void hbg_agenda_note(HbgAgenda *agenda, int32_t thing, HbgMoment moment);
/* All that is in from the beginning is noted. */
void hbg_agenda_begin(HbgAgenda *agenda);
/* Puts `thing` in at `moment`, or moves it there. */
void hbg_agenda_put(HbgAgenda *agenda, int32_t thing, HbgMoment moment);
/* Takes `thing` out if it is in. */
void hbg_agenda_remove(HbgAgenda *agenda, int32_t thing);
/* Takes the earliest out; -1: there is none. */
int32_t hbg_agenda_take(HbgAgenda *agenda);

#endif
