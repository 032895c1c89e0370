/* SPDX-License-Identifier: BSD-3-Clause
 * Documents in tests: a text with a mark | at the place that is asked about. */
#ifndef TESTS_SUPPORT_VIEWED_H
#define TESTS_SUPPORT_VIEWED_H

#include <stdlib.h>
#include <string.h>

#include "hybrsim/hybrsim.h"
#include "support/check.h"

typedef struct Viewed {
  HbgDocument *document;
  char *text;
  uint32_t at;
} Viewed;

static inline Viewed viewed(const char *marked) {
  const char *mark = strchr(marked, '|');
  Viewed self = {.text = calloc(1, strlen(marked) + 1)};
  if (!mark) fail_msg("there is no mark in \"%s\"", marked);
  self.at = (uint32_t)(mark - marked);
  memcpy(self.text, marked, self.at);
  memcpy(self.text + self.at, mark + 1, strlen(mark + 1));
  assert_int_equal(hbg_document_open(self.text, strlen(self.text), NULL, &self.document), HBG_OK);
  return self;
}

static inline void viewed_end(Viewed *self) {
  hbg_document_free(self->document);
  free(self->text);
}

#endif
