/* SPDX-License-Identifier: BSD-3-Clause
 * What a document holds. */
#ifndef API_DOCUMENT_H
#define API_DOCUMENT_H

#include "api/api.h"
#include "editor/view.h"

typedef struct HbgKnownFile {
  const char *path;
  const HbgNames *names; /* NULL while it is being read: imports that go in a circle end here */
} HbgKnownFile;

struct HbgDocument {
  HbgArena arena;   /* owns the handle, the text and what is known of it */
  HbgArena answers; /* to the last question */
  HbgModelOptions options;
  const char *text;
  uint32_t length;
  HbgTree tree;
  HbgNames names;
  HbgKnownFile *files; int32_t file_count, file_capacity; /* that it imports, and these, as far as they can be read */
  HbgDiagnostics mistakes; /* of reading */
  bool is_part;      /* a file without a model, to be imported: nothing to be run */
  HbgModel *model;   /* NULL until something is asked that needs it */
  const HbgCausality *causality; bool asked_for_causality;
  const HbgProblem *problems; int32_t problem_count; /* NULL until asked for */
};

/* The names of `tree`, the text of the file at `path`, with those of the files it imports. In the arena of the document. */
HbgNames hbg_document_names(HbgDocument *document, const HbgTree *tree, const char *path);
/* Asks: the last answer is forgotten, `answer` makes the new one under guard, in the arena of `view`. */
HbgStatus hbg_document_ask(HbgDocument *document, void (*answer)(const HbgView *view, void *user), void *user);
/* The edits that are `changes`; in `arena`. */
const HbgEdit *hbg_document_edits(const HbgTextChanges *changes, HbgArena *arena);
/* The model of the text, read when it is first needed. */
HbgStatus hbg_document_model(HbgDocument *document);

#endif
