/* SPDX-License-Identifier: BSD-3-Clause
 * Which library this is. */
#include "hybrsim/hybrsim.h"

const char *hbg_version(void) { return HBG_VERSION; }
