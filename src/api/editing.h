/* SPDX-License-Identifier: BSD-3-Clause
 * Private: how the public door of editing asks a document. */
#ifndef API_EDITING_H
#define API_EDITING_H

#include "api/document.h"
#include "editor/edit.h"
#include "hybrsim/editing.h"

typedef HbgEditing HbgEditBegin(const HbgView *view, const char *where);
typedef void HbgEditMake(HbgEditing *editing, const void *request);

/* Begins to edit the body `where` of the document, lets `make` collect what has to change, and answers with the change. */
HbgStatus hbg_document_change(HbgDocument *document, const char *where, HbgEditMake *make, const void *request, HbgChange *change);
/* The same, begun by `begin`: hbg_edit_look() where no body is needed. */
HbgStatus hbg_document_change_in(HbgDocument *document, HbgEditBegin *begin, const char *where, HbgEditMake *make, const void *request, HbgChange *change);
/* Is it a list of names? */
bool hbg_are_names(const char *const *names, int32_t count);

#endif
