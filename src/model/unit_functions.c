/* SPDX-License-Identifier: BSD-3-Clause
 * The check of units: functions whose rows in functions.def say what their arguments are measured in: "a a/s a -> a". */
#include <string.h>

#include "base/text.h"
#include "model/functions.h"
#include "model/unit_check.h"

static const HbgDimension second = {{0, 0, HBG_POWER_ONE}};

/* What the letters of a row turned out to be. */
typedef struct Letters {
  HbgQuantity quantity[26];
  HbgTreeNode node[26]; /* that told it; 0: nothing has yet */
} Letters;

/* The quantity that a word of the row stands for: "a", "a*k", "a/s", "s", "1"; UNKNOWN where a letter of it is. */
static HbgQuantity of_word(const Letters *letters, const char *word, size_t length) {
  HbgQuantity result = hbg_quantity_of((HbgDimension){{0}});
  int sign = 1;
  for (size_t at = 0; at < length; at++) {
    const char c = word[at];
    if (c == '*' && length == 1) return (HbgQuantity){0};
    if (c == '*' || c == '/') {
      sign = c == '*' ? 1 : -1;
    } else {
      const HbgQuantity factor = c == 's'   ? hbg_quantity_of(second)
                                 : c == '1' ? hbg_quantity_of((HbgDimension){{0}})
                                            : letters->quantity[c - 'a'];
      if (length == 1) return factor;
      if (factor.kind != HBG_QUANTITY_KNOWN) return (HbgQuantity){0}; // a bare number may hide a unit
      result = hbg_quantity_product(result, factor, sign);
    }
  }
  return result;
}

static bool is_letter(const char *word, size_t length) { return length == 1 && *word >= 'a' && *word <= 'z' && *word != 's'; }

static void take(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode call, HbgTreeNode argument, Letters *letters,
                 const char *word, size_t length) {
  const HbgQuantity given = hbg_unit_of_expression(elaborator, place, argument);
  if (is_letter(word, length)) {
    const int letter = *word - 'a';
    if (letters->node[letter])
      hbg_tell_unit_fit(elaborator, place, call, letters->node[letter], letters->quantity[letter], argument, given,
                        "are arguments of one function");
    if (!letters->node[letter] || letters->quantity[letter].kind != HBG_QUANTITY_KNOWN) {
      letters->quantity[letter] = given;
      letters->node[letter] = argument;
    }
    return;
  }
  const HbgQuantity wanted = of_word(letters, word, length);
  if (wanted.kind != HBG_QUANTITY_KNOWN || given.kind == HBG_QUANTITY_BARE || hbg_quantity_fit(given, wanted) != HBG_FIT_NOT) return;
  const char *name = hbg_tree_word(place->tree, call, elaborator->arena);
  hbg_tell_unit_wanted(elaborator, place, argument, given, wanted.of, hbg_print(elaborator->arena, "this argument of %s", name));
}

static const char *next_word(const char *at, size_t *length) {
  at += strspn(at, " ");
  *length = strcspn(at, " ");
  return at;
}

static HbgQuantity product_of(HbgElaborator *elaborator, const HbgPlace *place, const HbgArguments *arguments) {
  HbgQuantity result = hbg_unit_of_expression(elaborator, place, arguments->list[0]);
  for (int at = 1; at < arguments->count; at++)
    result = hbg_quantity_product(result, hbg_unit_of_expression(elaborator, place, arguments->list[at]), 1);
  return result;
}

HbgQuantity hbg_unit_of_function(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode call, HbgFunction function) {
  HbgArguments arguments;
  Letters letters = {.node = {0}};
  if (!hbg_elaborate_arguments(elaborator, place, call, function, &arguments)) return (HbgQuantity){0};
  if (function == HBG_FUNCTION_PRODUCT) return product_of(elaborator, place, &arguments);
  size_t length;
  const char *word = next_word(hbg_function_info[function].units, &length);
  for (int which = 0; which < HBG_MOST_ARGUMENTS && length && *word != '-'; which++, word = next_word(word + length, &length))
    if (arguments.list[which]) take(elaborator, place, call, arguments.list[which], &letters, word, length);
  word = *word == '-' ? next_word(word + length, &length) : "*"; // what follows the arrow
  return of_word(&letters, word, strlen(word));
}
