/* SPDX-License-Identifier: BSD-3-Clause
 * Random systems whose machines switch to and fro many times, as users write them: modes are left and met again, also those that come next to one that has been
 * met before. Whatever is remembered from mode to mode has to be right for that. */
#ifndef TESTS_SUPPORT_RANDOM_SWITCHING_H
#define TESTS_SUPPORT_RANDOM_SWITCHING_H

#include "support/random_graph.h"

typedef enum RandomSwitching {
  RANDOM_SHAFTS,   /* masses in a line: clutches, springs, dampers, blocks that stick to a belt */
  RANDOM_RUBBING,  /* masses that rub on each other, and on the ground */
  RANDOM_CIRCUIT,  /* switches and diodes between nodes that all are fed */
  RANDOM_STIFF_CIRCUIT, /* the same, some parts of which are far quicker than others */
  RANDOM_CONVERTERS /* rectifiers, choppers and transformers one behind the other, all of which begin at nothing */
} RandomSwitching;

/* Writes a model of so many masses or nodes, at least one. */
void random_switching_write(RandomSwitching kind, Random *random, int32_t count, HbgText *text);

#endif
