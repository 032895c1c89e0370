/* SPDX-License-Identifier: BSD-3-Clause
 * Clocks. */
#ifndef CLI_CLOCK_H
#define CLI_CLOCK_H

/* Processor time of this process [s]; `user` is not used (the form that HbgRunOptions wants). */
double cli_processor_seconds(void *user);
/* Time that only goes forward [s]. */
double cli_wall_seconds(void);

#endif
