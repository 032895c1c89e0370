/* SPDX-License-Identifier: BSD-3-Clause
 * What standard output and standard error are connected to. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H
#include "cli.h"

/* Fills in what the terminals can show; call before the options are read, so that mistakes in them can be told in colour,
 * and once more afterwards. */
void cli_terminal_look(Cli *cli);

#endif
