/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "editor/functions.h"
#include "editor/units.h"
#include "model/unit.h"
#include "support/check.h"

/* Every function that the language knows is told to people. */
static void every_function_of_the_language_is_explained(void **state) {
  (void)state;
  static const struct {
    const char *name;
    bool is_function;
  } operations[] = {
#define OPERATION(kind, name, arguments, result, is_function) {name, is_function},
#include "model/operations.def"
#undef OPERATION
  };
  static const char *const functions[] = {
#define LANGUAGE_FUNCTION(kind, name, formals, needed, has_memory, units, form) name,
#include "model/functions.def"
#undef LANGUAGE_FUNCTION
  };
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    if (operations[i].is_function && !hbg_function_find(operations[i].name, (uint32_t)strlen(operations[i].name)))
      fail_msg("%s is not in src/editor/functions.def", operations[i].name);
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (!hbg_function_find(functions[i], (uint32_t)strlen(functions[i]))) fail_msg("%s is not in src/editor/functions.def", functions[i]);
}

static void every_word_that_begins_a_statement_is_explained(void **state) {
  (void)state;
  static const char *const words[] = {
#define WORD(text, statement) text,
#include "language/words.def"
#undef WORD
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!hbg_word_find(words[i], (uint32_t)strlen(words[i]))) fail_msg("%s is not in src/editor/words.def", words[i]);
}

static void every_unit_that_is_offered_is_one(void **state) {
  (void)state;
  int32_t count;
  const char *const *units = hbg_unit_list(&count);
  for (int32_t i = 0; i < count; i++) {
    HbgUnit unit;
    uint32_t begin, end;
    if (!hbg_unit_read(units[i], (uint32_t)strlen(units[i]), &unit, &begin, &end)) fail_msg("%s is no unit", units[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_function_of_the_language_is_explained),
      cmocka_unit_test(every_word_that_begins_a_statement_is_explained),
      cmocka_unit_test(every_unit_that_is_offered_is_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
