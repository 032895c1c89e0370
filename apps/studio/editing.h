/* SPDX-License-Identifier: BSD-3-Clause
 * Editing by drawing: what several requests share, and what can be tested without a server. */
#ifndef STUDIO_EDITING_H
#define STUDIO_EDITING_H

#include "hybrsim/editing.h"
#include "studio.h"

/* How pages call the parts of a declaration. */
extern const char *const studio_part_names[HBG_PART_COUNT];

/* EditAnswer of the operations `list`; NULL after studio_fail(). */
json_t *studio_edit_text(const StudioText *text, const json_t *list, StudioReply *reply);

/* The edit that adds `import "file"` to a text; its text, from malloc(), which the edit borrows. NULL: it is there already. (imports.c) */
char *studio_import_edit(const char *text, const char *file, HbgEdit *edit);

#endif
