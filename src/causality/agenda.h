/* SPDX-License-Identifier: BSD-3-Clause
 * What is still to be done, earliest first: things 0 .. size - 1, each at most once, in a heap. */
#ifndef CAUSALITY_AGENDA_H
#define CAUSALITY_AGENDA_H

#include "base/arena.h"
#include "causality/moment.h"

typedef struct HbgAgendaItem {
  HbgMoment moment;
  int32_t thing;
} HbgAgendaItem;

typedef struct HbgAgenda {
  HbgAgendaItem *items; int32_t count;
  int32_t *place; /* per thing: in `items`, -1 */
} HbgAgenda;

HbgAgenda hbg_agenda(int32_t size, HbgArena *arena);
/* Puts `thing` in at `moment`, or moves it there. */
void hbg_agenda_put(HbgAgenda *agenda, int32_t thing, HbgMoment moment);
/* Takes `thing` out if it is in. */
void hbg_agenda_remove(HbgAgenda *agenda, int32_t thing);
/* Takes the earliest out; there must be one. */
int32_t hbg_agenda_take(HbgAgenda *agenda);

#endif
