// SPDX-License-Identifier: BSD-3-Clause
#include "workload.h"

#include <stdlib.h>

#include "all.h"

const Workload *const bench_workloads[] = {
  &bench_ball, &bench_elastic_ball, &bench_cradle, &bench_gas, &bench_soft_cradle, &bench_chain, &bench_boost_continuous,
  &bench_boost_discontinuous, &bench_boosts, &bench_belt, &bench_rod, &bench_switched_ladder, &bench_mixture, &bench_buck, &bench_bridge,
  &bench_friction, &bench_pendulums, &bench_lossless_ladder, &bench_diode_ladder, &bench_lamps, NULL,
};

long bench_values(const Workload *workload, long n) {
  long patterns = 0;
  while (workload->columns[patterns]) patterns++;
  return workload->times ? n + 1 : patterns*(workload->parts ? workload->parts(n) : n);
}

double bench_random(unsigned long long *seed) {
  *seed = *seed*6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11)/9007199254740992.0;
}

void *bench_memory(size_t bytes) {
  void *memory = malloc(bytes);
  if (!memory) abort();
  return memory;
}
