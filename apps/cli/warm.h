/* SPDX-License-Identifier: BSD-3-Clause
 * A start that does not stumble over every page. */
#ifndef CLI_WARM_H
#define CLI_WARM_H
#include "cli.h"

/* Asks the system in one go for the code that runs go through. Nothing depends on whether it is granted, here and below. */
void cli_warm_code(void);
/* The same for the memory that small models need. */
void cli_warm_memory(const Cli *cli);

#endif
