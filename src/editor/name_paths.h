/* SPDX-License-Identifier: BSD-3-Clause
 * Private to the names: what stands behind a point, and names of other files. */
#ifndef EDITOR_NAME_PATHS_H
#define EDITOR_NAME_PATHS_H

#include "editor/names.h"

/* The number of `reference` among `names`: a name of another file gets one when it is first used. */
int32_t hbg_name_paths_own(HbgNames *names, HbgReference reference);
/* The type of machine of a junction, a machine, or such a type itself. */
HbgReference hbg_name_paths_machine(HbgReference reference);

#endif
