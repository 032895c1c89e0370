/* SPDX-License-Identifier: BSD-3-Clause
 * What a document holds. */
#ifndef API_DOCUMENT_H
#define API_DOCUMENT_H

#include "api/api.h"
#include "editor/view.h"

struct HbgDocument {
  HbgArena arena;   /* owns the handle, the text and what is known of it */
  HbgArena answers; /* to the last question */
  HbgModelOptions options;
  const char *text;
  uint32_t length;
  HbgTree tree;
  HbgNames names;
  bool has_mistakes; /* that keep it from being read */
  HbgModel *model;   /* NULL until something is asked that needs it */
  const HbgCausality *causality; bool asked_for_causality;
  const HbgProblem *problems; int32_t problem_count; /* NULL until asked for */
};

/* The model of the text, read when it is first needed. */
HbgStatus hbg_document_model(HbgDocument *document);

#endif
