/* SPDX-License-Identifier: BSD-3-Clause
 * Every question that an editor asks about a text, at places all over it. */
#ifndef REFUSAL_ASK_H
#define REFUSAL_ASK_H
#include <string.h>

#include "hybrsim/hybrsim.h"

enum { ASKED_PLACES = 40 };

static inline bool ask_about_place(HbgDocument *document, uint32_t at) {
  const char *text;
  HbgRange range;
  const HbgProposal *proposals;
  const HbgDeclaration *declarations;
  const HbgUse *uses;
  const HbgEdit *edits;
  HbgSignature signature;
  int32_t count;
  return hbg_document_hover(document, at, &text, &range) != HBG_MEMORY &&
         hbg_document_proposals(document, at, &proposals, &count) != HBG_MEMORY &&
         hbg_document_signature(document, at, &signature) != HBG_MEMORY &&
         hbg_document_declarations(document, at, &declarations, &count) != HBG_MEMORY &&
         hbg_document_uses(document, at, &uses, &count) != HBG_MEMORY &&
         hbg_document_rename(document, at, "another_name", &edits, &count, NULL, &text) != HBG_MEMORY;
}

static inline bool ask_about_all(HbgDocument *document, uint32_t length) {
  const HbgOutlineItem *items;
  const HbgRange *folds;
  const HbgColoured *colours;
  const HbgProblem *problems;
  const HbgEdit *edits;
  int32_t count;
  return hbg_document_outline(document, &items, &count) != HBG_MEMORY &&
         hbg_document_folds(document, &folds, &count) != HBG_MEMORY &&
         hbg_document_colours(document, &colours, &count) != HBG_MEMORY &&
         hbg_document_problems(document, &problems, &count) != HBG_MEMORY &&
         hbg_document_format(document, 0, length, &edits, &count) != HBG_MEMORY;
}

/* HBG_MEMORY when a question was answered so; the others may have no answer at all. */
static inline HbgStatus ask_everything(const char *text, const HbgModelOptions *options) {
  const uint32_t length = (uint32_t)strlen(text);
  HbgDocument *document = NULL;
  const HbgStatus status = hbg_document_open(text, length, options, &document);
  if (status != HBG_OK) return status;
  bool is_answered = ask_about_all(document, length);
  for (uint32_t place = 0; is_answered && place <= ASKED_PLACES; place++)
    is_answered = ask_about_place(document, (uint32_t)((uint64_t)length * place / ASKED_PLACES));
  hbg_document_free(document);
  return is_answered ? HBG_OK : HBG_MEMORY;
}

#endif
