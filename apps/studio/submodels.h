/* SPDX-License-Identifier: BSD-3-Clause
 * What can be placed in a drawing besides elements: the submodels of a text, of the files it imports, and of the library; and the types of machines. */
#ifndef STUDIO_SUBMODELS_H
#define STUDIO_SUBMODELS_H

#include "studio.h"

/* SubmodelInfo[] and string[] of the protocol; new references. */
json_t *studio_submodels(const StudioText *text, HbgDocument *document);
json_t *studio_machine_types(HbgDocument *document);

#endif
