/* SPDX-License-Identifier: BSD-3-Clause
 * A name space: names to what they stand for, by hashing, and the names near a misspelt one. */
#ifndef MODEL_SCOPE_H
#define MODEL_SCOPE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/span.h"

typedef enum __attribute__((packed)) HbgScopeKind {
  HBG_SCOPE_ARRAY, /* the name in front of the indices: "ball" of "ball[3]" */
  HBG_SCOPE_PARAMETER,
  HBG_SCOPE_NODE,
  HBG_SCOPE_FIELD, /* an element of several ports, which are nodes: "coils" of "coils[1]" */
  HBG_SCOPE_BOND,
  HBG_SCOPE_SIGNAL,
  HBG_SCOPE_MACHINE_TYPE,
  HBG_SCOPE_MACHINE,
  HBG_SCOPE_SUBMODEL, /* or what stands for one in an instance */
  HBG_SCOPE_INSTANCE,
  HBG_SCOPE_PORT,
  HBG_SCOPE_CLOCK,
  HBG_SCOPE_VARIABLE, /* of a machine, or an event; index: in the model */
  HBG_SCOPE_FUNCTION,
  HBG_SCOPE_TABLE,
  HBG_SCOPE_DATA,
  HBG_SCOPE_KIND_COUNT
} HbgScopeKind;

enum { HBG_SCOPE_ALL = (1 << HBG_SCOPE_KIND_COUNT) - 1 };

typedef enum __attribute__((packed)) HbgProgress { HBG_PROGRESS_NEW, HBG_PROGRESS_ACTIVE, HBG_PROGRESS_DONE } HbgProgress;

typedef struct HbgScopeSymbol {
  const char *name;
  uint32_t length, hash;
  int32_t space;          /* 0: of the model and its parts; else of a file: its index + 1 */
  HbgScopeKind kind;
  HbgProgress progress;   /* of the value of a parameter or signal */
  int32_t index;          /* in the list of its kind; ARRAY: how many indices its names have */
  HbgSpan span;           /* of the declaration's name */
  union {                 /* small, since there are millions */
    int32_t needed_by;    /* the symbol whose value asked for this one, -1 none: tells a cycle's names */
    int32_t range;        /* ARRAY: in the list of ranges */
  };
} HbgScopeSymbol;

/* Of the indices of an array with one of them. */
typedef struct HbgIndexRange {
  int64_t lowest, highest;
} HbgIndexRange;

typedef struct HbgScope {
  HbgArena *arena;
  HbgScopeSymbol *symbols;
  int32_t count, capacity;
  HbgIndexRange *ranges; int32_t range_count, range_capacity;
  int32_t *table; /* open addressing; index of a symbol + 1, 0 = free */
  int32_t table_size;
} HbgScope;

HbgScope hbg_scope(HbgArena *arena);
/* The symbol of that name in space 0, or -1. */
int32_t hbg_scope_find(const HbgScope *scope, const char *name, uint32_t length);
/* Adds a symbol that is not there yet to space 0. `name` must live as long as the scope. */
int32_t hbg_scope_add(HbgScope *scope, const char *name, HbgScopeKind kind, int32_t index, HbgSpan span);
/* Adds an array whose names have `index_count` indices, so far the one `index`. */
int32_t hbg_scope_add_array(HbgScope *scope, const char *name, int32_t index_count, int64_t index, HbgSpan span);
/* Of an array. Lives until the next array is added. */
HbgIndexRange *hbg_scope_range(const HbgScope *scope, const HbgScopeSymbol *array);
/* The same in any space. */
int32_t hbg_scope_find_in(const HbgScope *scope, int32_t space, const char *name, uint32_t length);
int32_t hbg_scope_add_to(HbgScope *scope, int32_t space, const char *name, HbgScopeKind kind, int32_t index, HbgSpan span);
/* "'a', 'b' or 'c'": names of the `kinds` (a set of bits 1 << kind) most like `name`; NULL when none is near. */
const char *hbg_scope_near(const HbgScope *scope, const char *name, unsigned kinds, HbgArena *arena);
/* The same of names that begin with the first `prefix` bytes of `name`, without these. */
const char *hbg_scope_near_in(const HbgScope *scope, const char *name, uint32_t prefix, unsigned kinds, HbgArena *arena);
/* How many single letters must be changed, left out, put in or swapped to make `b` of `a`; at most `most` + 1. */
int hbg_name_distance(const char *a, const char *b, int most);

#endif
