/* SPDX-License-Identifier: BSD-3-Clause
 * "Did you mean ...?" */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H
#include <stdint.h>

/* The nearest of `candidates` to `word`, or NULL when none is near enough to have been meant. */
const char *cli_suggest(const char *word, const char *const *candidates, int32_t candidate_count);

#endif
