/* SPDX-License-Identifier: BSD-3-Clause
 * A start that does not stumble over every page. */
#ifndef CLI_WARM_H
#define CLI_WARM_H
#include "cli.h"

/* Asks the system in one go for the memory that small models need, and for the code that most runs go through. Nothing depends on whether it is
 * granted. */
void cli_warm_up(const Cli *cli);

#endif
