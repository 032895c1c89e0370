/* SPDX-License-Identifier: BSD-3-Clause
 * Which random models a test goes through: HYBRSIM_SEED is the first seed, HYBRSIM_GRAPHS how many there are. */
#ifndef TESTS_SUPPORT_SEEDS_H
#define TESTS_SUPPORT_SEEDS_H

#include <stdlib.h>

typedef struct Seeds {
  long first, count;
} Seeds;

static inline long seeds_number(const char *name, long otherwise) {
  const char *text = getenv(name);
  return text && *text ? strtol(text, NULL, 10) : otherwise;
}

/* From the first one on, `count` where nothing else is said. */
static inline Seeds seeds_of(long count) {
  return (Seeds){seeds_number("HYBRSIM_SEED", 1), seeds_number("HYBRSIM_GRAPHS", count)};
}

#endif
