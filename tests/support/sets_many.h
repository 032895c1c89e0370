/* SPDX-License-Identifier: BSD-3-Clause
 * Random models in sets of states and as a whole, one after another. */
#ifndef TESTS_SUPPORT_SETS_MANY_H
#define TESTS_SUPPORT_SETS_MANY_H

#include "support/random_graph.h"
#include "support/seeds.h"
#include "support/sets.h"

/* Writes the model of a seed, which ends at 5 s. */
typedef void (*SetsWrite)(HbgText *text, Random *random, long seed);

/* Compares all; answers the rows in sets and the events of all together. */
static inline SetsMet sets_compare_many(SetsWrite write, Seeds seeds) {
  SetsMet all = {0};
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    Random random = {(uint64_t)seed};
    HbgArena arena = hbg_arena((HbgAllocator){0});
    HbgText text = hbg_text(&arena);
    write(&text, &random, seed);
    const SetsMet met = sets_compare(text.bytes, 5, random_chance(&random, 0.3));
    all.coupled_rows += met.coupled_rows;
    all.events += met.events;
    hbg_arena_release_all(&arena);
  }
  return all;
}

#endif
