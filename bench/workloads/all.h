// SPDX-License-Identifier: BSD-3-Clause
// The workloads of all files.
#ifndef BENCH_ALL_H
#define BENCH_ALL_H

#include "workload.h"

extern const Workload bench_ball, bench_elastic_ball;
extern const Workload bench_cradle, bench_gas, bench_soft_cradle, bench_mixture;
extern const Workload bench_chain;
extern const Workload bench_boost_continuous, bench_boost_discontinuous, bench_boosts;
extern const Workload bench_belt;
extern const Workload bench_rod;
extern const Workload bench_switched_ladder, bench_lossless_ladder, bench_diode_ladder;
extern const Workload bench_buck, bench_bridge;
extern const Workload bench_friction, bench_pendulums, bench_lamps;

#endif
