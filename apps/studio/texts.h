/* SPDX-License-Identifier: BSD-3-Clause
 * More about copies of documents' texts: studio.h. */
#ifndef STUDIO_TEXTS_H
#define STUDIO_TEXTS_H

#include "studio.h"

/* Was another file looked for? What was made of the text then depends on more than its version. */
bool studio_text_has_read(const StudioText *text);

#endif
