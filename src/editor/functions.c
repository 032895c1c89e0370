/* SPDX-License-Identifier: BSD-3-Clause
 * The tables of what the language gives. */
#include "editor/functions.h"

#include <stddef.h>
#include <string.h>

static const HbgFunctionInfo functions[] = {
#define FUNCTION(name, arguments, meaning) {name, arguments, meaning},
#include "editor/functions.def"
#undef FUNCTION
};

static const HbgWordInfo words[] = {
#define WORD(word, form, meaning) {word, form, meaning},
#include "editor/words.def"
#undef WORD
};

const HbgFunctionInfo *hbg_functions(int32_t *count) {
  *count = (int32_t)(sizeof functions / sizeof *functions);
  return functions;
}

const HbgWordInfo *hbg_words(int32_t *count) {
  *count = (int32_t)(sizeof words / sizeof *words);
  return words;
}

const HbgFunctionInfo *hbg_function_find(const char *name, uint32_t length) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (strlen(functions[i].name) == length && memcmp(functions[i].name, name, length) == 0) return &functions[i];
  return NULL;
}

const HbgWordInfo *hbg_word_find(const char *word, uint32_t length) {
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strlen(words[i].word) == length && memcmp(words[i].word, word, length) == 0) return &words[i];
  return NULL;
}
