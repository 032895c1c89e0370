/* SPDX-License-Identifier: BSD-3-Clause
 * 'hybrsim events --relaxation-table': how a run compatible with HYBRSIM found its jumps, pass by pass. */
#ifndef CLI_RELAXATION_TABLE_H
#define CLI_RELAXATION_TABLE_H
#include "cli.h"

/* Simulates, and writes the passes of all instants in place of the events. */
ExitStatus cli_relaxation_table(Cli *cli);

#endif
