/* SPDX-License-Identifier: BSD-3-Clause
 * From the words of the command line to what the user asked for. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H
#include "cli.h"

/* Fills in cli->options. EXIT_DONE, or EXIT_USAGE after the mistake was told. */
ExitStatus cli_options_read(Cli *cli, int argument_count, char **arguments);

#endif
