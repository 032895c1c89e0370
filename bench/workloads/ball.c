// SPDX-License-Identifier: BSD-3-Clause
// A ball on a floor. Impact k is at 9 - 8*0.8^(k-1) s with a restitution of 0.8, and at 2k - 1 s without loss.
#include <math.h>

#include "all.h"

static const double gravity = 9.81;

static long impacts(double restitution, double end, double *values) {
  double time = 0, height = gravity/2, speed = 0;
  for (long count = 0;; count++) {
    double flight = (speed + sqrt(speed*speed + 2*gravity*height))/gravity;
    if (time + flight > end) return count;
    time += flight;
    speed = -restitution*(speed - gravity*flight);
    height = 0;
    values[count] = time;
  }
}

static long soft(long n, double *values) {
  (void)n;
  return impacts(0.8, 8.999986, values);
}

static long elastic(long n, double *values) { return impacts(1, 2*(double)n, values); }

static long soft_exactly(long n, double *values, long *instants) {
  for (long k = 0; k < n; k++) values[k] = 9 - 8*pow(0.8, (double)k);
  return *instants = n;
}

static long elastic_exactly(long n, double *values, long *instants) {
  for (long k = 0; k < n; k++) values[k] = 2*(double)k + 1;
  return *instants = n;
}

const Workload bench_ball = {
  .name = "W1", .title = "bouncing ball", .model = "ball", .sizes = {60}, .quick = 60, .allowed = 1e-9, .times = true,
  .exact = soft_exactly, .hand = soft,
};

const Workload bench_elastic_ball = {
  .name = "W1L", .title = "ball without loss", .model = "ball", .options = "--set restitution=1 --stop 2N",
  .sizes = {10, 100, 1000, 10000, 100000}, .quick = 10000, .allowed = 1e-9, .times = true, .exact = elastic_exactly, .hand = elastic,
};
