/* SPDX-License-Identifier: BSD-3-Clause
 * Editing in tests: a text, one change, the text that it becomes, and whether that is right. */
#ifndef TESTS_SUPPORT_EDITED_H
#define TESTS_SUPPORT_EDITED_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hybrsim/hybrsim.h"
#include "support/check.h"

static inline HbgDocument *edited_open(const char *text) {
  HbgDocument *document;
  assert_int_equal(hbg_document_open(text, strlen(text), NULL, &document), HBG_OK);
  return document;
}

/* The text with the edits made, which must be in order of place, none upon another; to be freed. */
static inline char *edited_apply(const char *text, const HbgChange *change) {
  size_t size = strlen(text) + 1, length = 0;
  for (int32_t i = 0; i < change->count; i++) size += strlen(change->edits[i].text);
  char *out = calloc(1, size);
  uint32_t at = 0;
  for (int32_t i = 0; i < change->count; i++) {
    const HbgEdit *edit = &change->edits[i];
    assert_true(at <= edit->range.begin && edit->range.begin <= edit->range.end && edit->range.end <= strlen(text));
    memcpy(out + length, text + at, edit->range.begin - at);
    length += edit->range.begin - at;
    memcpy(out + length, edit->text, strlen(edit->text));
    length += strlen(edit->text);
    at = edit->range.end;
  }
  strcpy(out + length, text + at);
  return out;
}

/* The change is possible, and makes `expected` of `text`. Frees the document. */
static inline void edited_check(HbgDocument *document, const char *text, const HbgChange *change, const char *expected) {
  if (*change->reason) fail_msg("refused: %s", change->reason);
  char *got = edited_apply(text, change);
  size_t same = 0;
  while (got[same] && got[same] == expected[same]) same++;
  while (same > 0 && got[same - 1] != '\n') same--;
  if (strcmp(got, expected) != 0) fail_msg("got\n%.400s\nand not\n%.400s", got + same, expected + same);
  free(got);
  hbg_document_free(document);
}

/* The change is refused with `words` in the reason, and there are no edits. Frees the document. */
static inline void edited_refused(HbgDocument *document, const HbgChange *change, const char *words) {
  if (change->count || !strstr(change->reason, words)) fail_msg("%d edits, reason \"%s\", not \"%s\"", change->count, change->reason, words);
  hbg_document_free(document);
}

/* `text` laid out; to be freed. */
static inline char *edited_format(const char *text) {
  HbgDocument *document = edited_open(text);
  HbgChange change = {0};
  (void)hbg_document_format(document, 0, UINT32_MAX, &change.edits, &change.count);
  char *out = edited_apply(text, &change);
  hbg_document_free(document);
  return out;
}

/* Can it be simulated? Prints what is wrong. */
static inline bool edited_is_right(const char *text) {
  HbgModel *model;
  const bool is_right = hbg_model_load(text, strlen(text), NULL, &model) == HBG_OK;
  if (!is_right) print_message("%s\n%s\n", text, hbg_model_diagnostic(model, 0));
  hbg_model_free(model);
  return is_right;
}

#endif
