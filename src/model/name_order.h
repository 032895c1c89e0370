/* SPDX-License-Identifier: BSD-3-Clause
 * Sorting by name, in natural order, what mostly comes in that order already, array by array. */
#ifndef MODEL_NAME_ORDER_H
#define MODEL_NAME_ORDER_H

#include "base/arena.h"

/* What is sorted begins with its name. */
typedef struct HbgNamed {
  const char *name;
} HbgNamed;

/* Sorts `list` by hbg_name_compare(). Equal names stay in no particular order. `arena` is left with nothing large. */
void hbg_sort_by_name(const HbgNamed **list, int32_t count, HbgArena *arena);

#endif
