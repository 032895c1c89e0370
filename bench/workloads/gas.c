// SPDX-License-Identifier: BSD-3-Clause
// Balls on a line: a box of them, of equal or of different masses, and a cradle. By hand: every ball has a time of its own, a tree
// of tournaments knows the next contact, and a contact moves two balls.
#include "all.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  double place, speed, time, mass;  // where it was at its time
} Ball;

typedef struct {
  double time;
  int32_t contact;
} Entry;

typedef struct {
  long balls;
  double end, restitution;
  bool walls;
  Ball *ball;     // 0 and balls + 1 are the walls
  Entry *winner;  // a tree: 1 is the root, the leaves are the contacts; contact i is between ball i and i + 1
  long leaves;
} Gas;

static double meeting(const Gas *gas, long i, double now) {
  const Ball *a = &gas->ball[i], *b = a + 1;
  double closing = a->speed - b->speed;
  if (closing <= 0 || (!gas->walls && (i == 0 || i == gas->balls))) return INFINITY;
  double gap = b->place + b->speed*(now - b->time) - a->place - a->speed*(now - a->time);
  return now + (gap > 0 ? gap/closing : 0);
}

static void update(Gas *gas, long contact, double time) {
  Entry *winner = gas->winner;
  long node = gas->leaves + contact;
  winner[node] = (Entry){time, (int32_t)contact};
  for (; node > 1; node /= 2) {
    long best = winner[node ^ 1].time < winner[node].time ? node ^ 1 : node;
    winner[node/2] = winner[best];
  }
}

static void build(Gas *gas) {
  long contacts = gas->balls + 1;
  for (gas->leaves = 1; gas->leaves < contacts; gas->leaves *= 2) {}
  gas->winner = bench_memory(2*(size_t)gas->leaves*sizeof *gas->winner);
  for (long i = 0; i < gas->leaves; i++)
    gas->winner[gas->leaves + i] = (Entry){i < contacts ? meeting(gas, i, 0) : INFINITY, (int32_t)i};
  for (long i = gas->leaves - 1; i > 0; i--)
    gas->winner[i] = gas->winner[2*i + 1].time < gas->winner[2*i].time ? gas->winner[2*i + 1] : gas->winner[2*i];
}

static void collide(Gas *gas, long i, double now) {
  Ball *a = &gas->ball[i], *b = a + 1;
  a->place += a->speed*(now - a->time);
  b->place += b->speed*(now - b->time);
  a->time = b->time = now;
  double closing = a->speed - b->speed;
  if (i == 0) {
    b->speed = -gas->restitution*b->speed;
  } else if (i == gas->balls) {
    a->speed = -gas->restitution*a->speed;
  } else {
    double share = (1 + gas->restitution)*closing/(a->mass + b->mass);
    a->speed -= share*b->mass;
    b->speed += share*a->mass;
  }
}

static long run(Gas *gas, double *values) {
  build(gas);
  long events = 0;
  for (;; events++) {
    Entry next = gas->winner[1];
    if (!(next.time < gas->end)) break;
    long i = next.contact;
    collide(gas, i, next.time);
    update(gas, i, INFINITY);
    if (i > 0) update(gas, i - 1, meeting(gas, i - 1, next.time));
    if (i < gas->balls) update(gas, i + 1, meeting(gas, i + 1, next.time));
  }
  for (long i = 1; i <= gas->balls; i++)
    values[i - 1] = gas->ball[i].place + gas->ball[i].speed*(gas->end - gas->ball[i].time);
  free(gas->winner);
  free(gas->ball);
  return events;
}

static double start_speed(unsigned long long *seed) { return 2*bench_random(seed) - 1; }

static Gas box(long n, double end) {
  Gas gas = {.balls = n, .end = end, .restitution = 1, .walls = true};
  gas.ball = bench_memory(((size_t)n + 2)*sizeof *gas.ball);
  unsigned long long seed = 12345;
  for (long i = 0; i <= n + 1; i++)
    gas.ball[i] = (Ball){.place = (double)i, .mass = 1, .speed = i > 0 && i <= n ? start_speed(&seed) : 0};
  return gas;
}

static long equal(long n, double *values) {
  Gas gas = box(n, 30);
  return run(&gas, values);
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Balls of equal mass exchange their velocities, so each goes through the others: free flights, folded between the walls, in order. Two
// flights that are in another order at the end than at the start have crossed; those are counted by the hand-written run.
static long equal_exactly(long n, double *values, long *instants) {
  double length = (double)n + 1;
  unsigned long long seed = 12345;
  for (long i = 1; i <= n; i++) {
    double place = fmod((double)i + start_speed(&seed)*30, 2*length);
    if (place < 0) place += 2*length;
    values[i - 1] = place > length ? 2*length - place : place;
  }
  qsort(values, (size_t)n, sizeof *values, ascending);
  static const long known[][2] = {{3, 33}, {10, 94}, {100, 1041}, {1000, 9787}, {10000, 97304}, {100000, 973417}};
  for (size_t k = 0; k < sizeof known/sizeof *known; k++)
    if (known[k][0] == n) *instants = known[k][1];
  return *instants;
}

static Gas mixture(long n) {
  Gas gas = box(n, 8);
  for (long i = 1; i <= n; i++) gas.ball[i].mass = 1 + 0.5*(double)(i % 3);
  return gas;
}

static long mixed(long n, double *values) {
  Gas gas = mixture(n);
  return run(&gas, values);
}

// The second method: all balls advance from contact to contact, in more digits.
static long mixed_exactly(long n, double *values, long *instants) {
  Gas gas = mixture(n);
  long double *place = bench_memory(2*((size_t)n + 2)*sizeof *place), *speed = place + n + 2, now = 0;
  for (long i = 0; i <= n + 1; i++) place[i] = gas.ball[i].place, speed[i] = gas.ball[i].speed;
  long events = 0, left = -1;
  for (;; events++) {
    long double soonest = gas.end - now;
    long found = -1;
    for (long i = 0; i <= n; i++) {
      if (i == left || speed[i] <= speed[i + 1]) continue;
      long double flight = (place[i + 1] - place[i])/(speed[i] - speed[i + 1]);
      if (flight < soonest) soonest = flight, found = i;
    }
    for (long i = 1; i <= n; i++) place[i] += speed[i]*soonest;
    now += soonest;
    if (found < 0) break;
    long double a = found == 0 ? 1e300L : gas.ball[found].mass, b = found == n ? 1e300L : gas.ball[found + 1].mass;
    long double share = 2*(speed[found] - speed[found + 1])/(a + b);
    if (found > 0) speed[found] -= found == n ? 2*speed[found] : share*b;
    if (found < n) speed[found + 1] += found == 0 ? -2*speed[found + 1] : share*a;
    left = found;
  }
  for (long i = 1; i <= n; i++) values[i - 1] = (double)place[i];
  free(place);
  free(gas.ball);
  return *instants = events;
}

static long cradle(long n, double restitution, double end, double *values) {
  Gas gas = box(n, end);
  gas.walls = false;
  gas.restitution = restitution;
  for (long i = 1; i <= n; i++) gas.ball[i].speed = i == 1;
  return run(&gas, values);
}

static long elastic_cradle(long n, double *values) { return cradle(n, 1, (double)n - 0.5, values); }

static long elastic_cradle_exactly(long n, double *values, long *instants) {
  for (long i = 1; i <= n; i++) values[i - 1] = (double)i + (i < n ? 1 : 0.5);
  return *instants = n - 1;
}

static long soft_cradle(long n, double *values) { return cradle(n, 0.8, 30, values); }

static long soft_cradle_exactly(long n, double *values, long *instants) {
  (void)n;
  values[0] = 2 + 0.1*29;
  values[1] = 3 + 0.09*(29 - 1/0.9);
  values[2] = 3 + 0.81*(29 - 1/0.9);
  return *instants = 2;
}

static void write_speeds(long n, const char *folder) {
  char name[4096];
  snprintf(name, sizeof name, "%s/speeds.csv", folder);
  FILE *file = fopen(name, "w");
  if (!file) return;
  fprintf(file, "ball,speed\n");
  unsigned long long seed = 12345;
  for (long i = 1; i <= n; i++) fprintf(file, "%ld,%.17g\n", i, start_speed(&seed));
  fclose(file);
}

const Workload bench_cradle = {
  .name = "W2a", .title = "cradle", .model = "cradle", .sizes = {10, 100, 1000, 10000, 100000}, .quick = 1000, .allowed = 1e-6,
  .columns = {"x[%ld]"}, .exact = elastic_cradle_exactly, .hand = elastic_cradle,
};

const Workload bench_gas = {
  .name = "W2b", .title = "gas in a box", .model = "gas", .sizes = {10, 100, 1000, 10000, 100000}, .quick = 1000, .allowed = 1e-6,
  .columns = {"x[%ld]"}, .prepare = write_speeds, .exact = equal_exactly, .hand = equal,
};

const Workload bench_soft_cradle = {
  .name = "W2c", .title = "cradle with loss", .model = "cradle", .options = "--set restitution=0.8 --stop 30", .sizes = {3}, .quick = 3,
  .allowed = 1e-7, .columns = {"x[%ld]"}, .exact = soft_cradle_exactly, .hand = soft_cradle,
};

const Workload bench_mixture = {
  .name = "mixture", .title = "gas of different masses", .model = "mixture", .sizes = {10, 100, 1000, 10000}, .quick = 1000,
  .allowed = 1e-4, .columns = {"x[%ld]"}, .prepare = write_speeds, .exact = mixed_exactly, .hand = mixed,
};
