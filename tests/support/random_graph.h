/* SPDX-License-Identifier: BSD-3-Clause
 * Random hybrid bond graphs, written as text in the language, that can be made smaller while they show a mistake. */
#ifndef TESTS_SUPPORT_RANDOM_GRAPH_H
#define TESTS_SUPPORT_RANDOM_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* Numbers that depend on nothing but the seed (splitmix64: Steele, Lea, Flood 2014). */
typedef struct Random {
  uint64_t state;
} Random;

uint64_t random_bits(Random *random);
/* 0 <= ... < count */
int32_t random_below(Random *random, int32_t count);
/* 0 <= ... < 1 */
double random_real(Random *random);
bool random_chance(Random *random, double probability);

typedef enum RandomKind {
  RANDOM_SE,
  RANDOM_SF,
  RANDOM_R,
  RANDOM_C,
  RANDOM_I,
  RANDOM_TF,
  RANDOM_GY,
  RANDOM_ZERO,
  RANDOM_ONE,
  RANDOM_KIND_COUNT
} RandomKind;

/* How a junction is controlled: not at all, always off, always on, switched at RANDOM_SWITCH_TIME, or by a machine with
 * guards of its own, beginning off or on. */
typedef enum RandomControl {
  RANDOM_PLAIN,
  RANDOM_OFF,
  RANDOM_ON,
  RANDOM_OPENS,
  RANDOM_CLOSES,
  RANDOM_GUARDED_OFF,
  RANDOM_GUARDED_ON
} RandomControl;
#define RANDOM_SWITCH_TIME 0.02

typedef enum RandomReading { RANDOM_PLAINLY, RANDOM_PRE, RANDOM_IMPULSE, RANDOM_FINITE } RandomReading;

/* Conditions joined by "and"; none: never. */
typedef struct RandomGuard {
  int32_t count;
  struct {
    int32_t bond;
    bool is_effort, is_greater;
    RandomReading reading;
    double threshold;
  } ports[2];
} RandomGuard;

typedef struct RandomNode {
  RandomKind kind;
  bool alive;
  double value, second;      /* of the law */
  int32_t law;               /* 0: linear; others: see element_law() in random_graph.c */
  bool with_time;            /* modulated by time */
  double pulse, pulse_width; /* changed by a pulse that begins then, and lasts so long [s]; NAN: none */
  double pulse_period;       /* and comes again; 0: once */
  int32_t with_node;         /* modulated by the integral of the flow of this I; -1: it is not */
  int32_t reads;             /* a source: node whose effort or flow it adds to its value; -1: none */
  bool reads_effort;
  double start; /* NAN: none */
  bool start_is_coenergy;
  RandomControl control;
  RandomGuard leaves_on, leaves_off;
} RandomNode;

typedef struct RandomBond {
  int32_t tail, head;
  bool alive;
} RandomBond;

enum { RANDOM_NODES_MOST = 200, RANDOM_BONDS_MOST = 240, RANDOM_MACHINES_MOST = 8 };

typedef struct RandomGraph {
  RandomNode nodes[RANDOM_NODES_MOST];
  RandomBond bonds[RANDOM_BONDS_MOST];
  int32_t node_count, bond_count;
} RandomGraph;

/* What may occur. */
typedef struct RandomTaste {
  int32_t elements_most; /* few come near */
  bool nonlinear, modulated, controlled, switching, sources, active, guarded;
  bool redundant; /* some bonds between junctions are doubled: contacts that share what they carry */
  bool pulsed;    /* some sources and resistors change at scheduled instants */
  double decades; /* values lie between 10^-decades and 10^decades */
} RandomTaste;

RandomGraph random_graph(Random *random, RandomTaste taste);
/* As text of the language; bond i is b{i}. `shuffle` NULL: statements in order, otherwise in another one. */
void random_graph_write(const RandomGraph *graph, Random *shuffle, HbgText *text);

/* Does a source read what happens elsewhere? It may then be none of power: (1) with (3) may contradict each other. */
bool random_graph_is_active(const RandomGraph *graph);

/* How many ways there are to make a graph a little simpler; random_graph_simpler() answers false when way `which` does
 * nothing to it. */
int32_t random_graph_ways(const RandomGraph *graph);
bool random_graph_simpler(const RandomGraph *graph, int32_t which, RandomGraph *out);

#endif
