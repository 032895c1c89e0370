/* SPDX-License-Identifier: BSD-3-Clause
 * Units worth offering: those of the domains first, then what is customary. */
#ifndef EDITOR_UNITS_H
#define EDITOR_UNITS_H

#include <stdint.h>

const char *const *hbg_unit_list(int32_t *count);

#endif
