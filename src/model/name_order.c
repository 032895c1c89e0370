/* SPDX-License-Identifier: BSD-3-Clause
 * Loops declare ball[1], motion[1], ball[2], motion[2], ...: all of one array stand in order, but between others. So they are first
 * told apart by what stands before their first index, which costs one look at each, and then hardly anything is left to sort. */
#include "model/name_order.h"

#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "model/scope.h"

static int compare(const void *a, const void *b) {
  const HbgNamed *const *first = a, *const *second = b;
  return hbg_name_compare((*first)->name, (*second)->name);
}

static void sort(const HbgNamed **list, int32_t count) {
  for (int32_t i = 1; i < count; i++) {
    if (hbg_name_compare(list[i - 1]->name, list[i]->name) <= 0) continue;
    qsort(list, (size_t)count, sizeof *list, compare);
    return;
  }
}

/* All names that begin alike, up to the bracket of their first index; one without is alone. */
typedef struct Array {
  const HbgNamed *any; /* of different arrays all compare as any two do */
  int32_t count, begin;
} Array;

typedef struct Arrays {
  HbgArena *arena;
  HbgScope names; /* index: in the list */
  Array *list;
  int32_t count, capacity;
} Arrays;

static int32_t array_of(Arrays *arrays, const HbgNamed *named) {
  uint32_t length = (uint32_t)strcspn(named->name, "[");
  length += named->name[length] == '[';
  const int32_t found = hbg_scope_find(&arrays->names, named->name, length);
  if (found >= 0) return arrays->names.symbols[found].index;
  hbg_scope_add(&arrays->names, hbg_arena_text(arrays->arena, named->name, length), HBG_SCOPE_ARRAY, arrays->count,
                (HbgSpan){0, 0});
  ARENA_PUSH(arrays->arena, arrays->list, arrays->count, arrays->capacity) = (Array){.any = named};
  return arrays->count - 1;
}

static int compare_arrays(const void *a, const void *b) {
  const Array *const *first = a, *const *second = b;
  return hbg_name_compare((*first)->any->name, (*second)->any->name);
}

/* Where each array begins, when they stand in the order of their names. */
static void place_arrays(const Arrays *arrays) {
  Array **sorted = ARENA_NEW(arrays->arena, Array *, arrays->count);
  for (int32_t i = 0; i < arrays->count; i++) sorted[i] = &arrays->list[i];
  qsort(sorted, (size_t)arrays->count, sizeof *sorted, compare_arrays);
  int32_t begin = 0;
  for (int32_t i = 0; i < arrays->count; i++) {
    sorted[i]->begin = begin;
    begin += sorted[i]->count;
  }
}

/* False: there are nearly as many arrays as names, and nothing is gained by telling them apart. */
static bool tell_apart(Arrays *arrays, const HbgNamed **list, int32_t count, int32_t *of) {
  const int32_t most = count / 8;
  for (int32_t i = 0; i < count; i++) {
    of[i] = array_of(arrays, list[i]);
    arrays->list[of[i]].count++;
    if (arrays->count > most) return false;
  }
  return true;
}

static void sort_arrays(Arrays *arrays, const HbgNamed **list, int32_t count, const int32_t *of) {
  const HbgNamed **sorted = hbg_arena_enlarge(arrays->arena, NULL, 0, count, sizeof *sorted);
  place_arrays(arrays);
  for (int32_t i = 0; i < count; i++) sorted[arrays->list[of[i]].begin++] = list[i];
  memcpy(list, sorted, (size_t)count * sizeof *sorted);
  hbg_arena_give_back(arrays->arena, sorted);
  for (int32_t i = 0; i < arrays->count; i++) {
    const Array *array = &arrays->list[i];
    sort(&list[array->begin - array->count], array->count);
  }
}

void hbg_sort_by_name(const HbgNamed **list, int32_t count, HbgArena *arena) {
  enum { FEW = 64 };
  if (count < FEW) {
    sort(list, count);
    return;
  }
  Arrays arrays = {.arena = arena, .names = hbg_scope(arena)};
  int32_t *of = hbg_arena_enlarge(arena, NULL, 0, count, sizeof *of);
  if (tell_apart(&arrays, list, count, of))
    sort_arrays(&arrays, list, count, of);
  else
    sort(list, count);
  hbg_arena_give_back(arena, of);
}
