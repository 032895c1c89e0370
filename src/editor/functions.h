/* SPDX-License-Identifier: BSD-3-Clause
 * What the language gives, in words for people: functions, kinds of elements, words. */
#ifndef EDITOR_FUNCTIONS_H
#define EDITOR_FUNCTIONS_H

#include <stdint.h>

typedef struct HbgFunctionInfo {
  const char *name;
  const char *arguments; /* "x, start = 0"; those behind a comma in brackets may be left out */
  const char *meaning;
} HbgFunctionInfo;

typedef struct HbgWordInfo {
  const char *word, *form, *meaning;
} HbgWordInfo;

/* NULL when there is none of that name; and all of them. */
const HbgFunctionInfo *hbg_function_find(const char *name, uint32_t length);
const HbgFunctionInfo *hbg_functions(int32_t *count);
/* Words that a statement begins with, kinds of elements among them. */
const HbgWordInfo *hbg_word_find(const char *word, uint32_t length);
const HbgWordInfo *hbg_words(int32_t *count);

#endif
