// SPDX-License-Identifier: BSD-3-Clause
// On what it was measured.
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

// Processor, cores, system, and the compiler of the yardsticks, without quotes; as much of it as the system tells.
void bench_machine(char text[256]);

#endif
