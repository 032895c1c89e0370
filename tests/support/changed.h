/* SPDX-License-Identifier: BSD-3-Clause
 * Texts in tests, and what editing makes of them. */
#ifndef TESTS_SUPPORT_CHANGED_H
#define TESTS_SUPPORT_CHANGED_H

#include <stdlib.h>
#include <string.h>

#include "hybrsim/editing.h"
#include "hybrsim/hybrsim.h"
#include "support/check.h"

static inline HbgDocument *changed_open(const char *text) {
  HbgDocument *document = NULL;
  assert_int_equal(hbg_document_open(text, strlen(text), NULL, &document), HBG_OK);
  return document;
}

/* `text` with the edits made; to be freed. They must be in order and apart. */
static inline char *changed_apply(const char *text, const HbgEdit *edits, int32_t count) {
  size_t length = strlen(text) + 1;
  for (int32_t i = 0; i < count; i++) length += strlen(edits[i].text);
  char *out = calloc(1, length);
  size_t end = 0, at = 0;
  for (int32_t i = 0; i < count; i++) {
    assert_true(edits[i].range.begin >= end && edits[i].range.end >= edits[i].range.begin && edits[i].range.end <= strlen(text));
    memcpy(out + at, text + end, edits[i].range.begin - end);
    at += edits[i].range.begin - end;
    memcpy(out + at, edits[i].text, strlen(edits[i].text));
    at += strlen(edits[i].text);
    end = edits[i].range.end;
  }
  strcpy(out + at, text + end);
  return out;
}

/* The same, laid out; to be freed. */
static inline char *changed_format(const char *text) {
  HbgDocument *document = changed_open(text);
  const HbgEdit *edits;
  int32_t count;
  (void)hbg_document_format(document, 0, UINT32_MAX, &edits, &count);
  char *out = changed_apply(text, edits, count);
  hbg_document_free(document);
  return out;
}

/* Can it be simulated? Prints what is wrong. */
static inline bool changed_is_right(const char *text) {
  HbgModel *model;
  const bool is_right = hbg_model_load(text, strlen(text), NULL, &model) == HBG_OK;
  if (!is_right) print_message("%s\n%s\n", text, hbg_model_diagnostic(model, 0));
  hbg_model_free(model);
  return is_right;
}

#endif
