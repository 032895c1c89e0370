/* SPDX-License-Identifier: BSD-3-Clause
 * Private: how the public door of editing asks a document. */
#ifndef API_EDITING_H
#define API_EDITING_H

#include "api/document.h"
#include "editor/edit.h"
#include "hybrsim/editing.h"

/* Begins to edit the body `where` of the document, lets `make` collect what has to change, and answers with the change. */
HbgStatus hbg_document_change(HbgDocument *document, const char *where, void (*make)(HbgEditing *editing, const void *request),
                              const void *request, HbgChange *change);

#endif
