/* SPDX-License-Identifier: BSD-3-Clause
 * The door of this room: every format in which results are told. */
#ifndef RESULTS_RESULTS_H
#define RESULTS_RESULTS_H
#include "results/cell.h"
#include "results/csv.h"
#include "results/json.h"
#include "results/number.h"
#include "results/table.h"
#endif
