// SPDX-License-Identifier: BSD-3-Clause
// Time over size, in logarithmic panes, one for each workload that has several sizes.
#ifndef BENCH_PICTURE_H
#define BENCH_PICTURE_H

#include "result.h"

void bench_picture(FILE *svg, const Results *results);

#endif
