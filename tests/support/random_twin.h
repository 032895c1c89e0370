/* SPDX-License-Identifier: BSD-3-Clause
 * Graphs that must behave like a given one: with a half arrow turned together with its sign, and in other units. */
#ifndef TESTS_SUPPORT_RANDOM_TWIN_H
#define TESTS_SUPPORT_RANDOM_TWIN_H

#include "support/random_graph.h"

/* Turns bond `bond`. Between two junctions of a kind, and at a source, only a sign changes; between a 0 and a 1 a transformer of
 * ratio -1 takes its place. False when it cannot be turned (an arrow into R, C, I; two-ports), or a guard or a source reads it. */
bool random_graph_turn(const RandomGraph *graph, int32_t bond, RandomGraph *out);

/* Factors of the units: a number is so many times larger in the twin. */
typedef struct RandomUnits {
  double effort, flow, time;
} RandomUnits;

/* The same linear graph without time in its laws. */
void random_graph_rescale(const RandomGraph *graph, RandomUnits units, RandomGraph *out);

#endif
