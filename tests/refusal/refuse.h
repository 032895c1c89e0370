/* SPDX-License-Identifier: BSD-3-Clause
 * Memory that is refused at a chosen place. The linker hands us every call of the arena, and of malloc as far as it comes
 * from our own code (--wrap, see cmake/HbgRefusal.cmake); a place is where a call comes from: the nearest five callers. */
#ifndef REFUSAL_REFUSE_H
#define REFUSAL_REFUSE_H
#include <stdbool.h>
#include <stdint.h>

enum { MOST_PLACES = 1 << 15 };

typedef struct Place {
  uintptr_t key;
  long calls;      /* in this run */
  bool is_tried;   /* for whoever goes through the places */
} Place;

typedef struct Refusals {
  Place places[MOST_PLACES];
  int32_t place_count;
  bool counts;           /* calls are noted */
  int32_t at_place;      /* refuse here, -1: nowhere */
  long at_call;          /* the how many-th call of that place, from 1 */
  long total;            /* calls so far */
  long at_total;         /* refuse the so many-th call of all, from 1; 0: none */
  long refused;          /* how often that was done */
  long live;             /* blocks of malloc not given back */
} Refusals;

extern Refusals refusals;

/* Forgets the calls, not the places. */
void refusals_restart(void);

#endif
