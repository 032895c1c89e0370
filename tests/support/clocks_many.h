/* SPDX-License-Identifier: BSD-3-Clause
 * Random models whose parts have clocks of their own, against one run of everything by Dormand and Prince, one after another. */
#ifndef TESTS_SUPPORT_CLOCKS_MANY_H
#define TESTS_SUPPORT_CLOCKS_MANY_H

#include "support/random_graph.h"
#include "support/ride.h"
#include "support/seeds.h"

typedef struct ClocksMany {
  void (*write)(HbgText *text, Random *random, long seed); /* the model of a seed */
  HbgSimOptions options;
  RideLook count; /* what is to be seen at work, at most, to an int32_t */
  const char *name; /* of runs with it */
} ClocksMany;

/* Compares all. Of many models at least half must have had more than `few` of what is counted, or nothing would have been said. */
static inline void clocks_compare_many(const ClocksMany *self, Seeds seeds, int few) {
  const RideWays ways = {self->name, "as a whole", 1e-7, 1e-6};
  HbgSimOptions whole_options = self->options;
  whole_options.as_a_whole = true;
  whole_options.method = HBG_METHOD_DP5;
  int at_work = 0;
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    Random random = {(uint64_t)seed};
    HbgArena arena = hbg_arena((HbgAllocator){0});
    HbgText text = hbg_text(&arena);
    self->write(&text, &random, seed);
    Ride own, whole;
    int32_t counted = 0;
    ride_try(&own, text.bytes, self->options, RIDE_TRAJECTORY, self->count, &counted);
    ride_try(&whole, text.bytes, whole_options, RIDE_TRAJECTORY, NULL, NULL);
    ride_check_alike(&own, &whole, &ways);
    at_work += counted > few;
    ride_end(&own);
    ride_end(&whole);
    hbg_arena_release_all(&arena);
  }
  if (seeds.count > 20) assert_true(at_work > seeds.count / 2);
}

#endif
