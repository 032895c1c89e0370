/* SPDX-License-Identifier: BSD-3-Clause
 * The table of elements, and the order of names. */
#include "model/model.h"

#include <string.h>

const HbgElementInfo hbg_element_info[HBG_ELEMENT_COUNT] = {
#define ELEMENT(kind, name, ports, stored, causality, law, impulses) \
  [HBG_ELEMENT_##kind] = {name, ports, HBG_STORED_##stored, HBG_CAUSALITY_##causality, law},
#include "model/elements.def"
#undef ELEMENT
};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Compares the numbers that begin at `*a` and `*b` by value, without limit of size, and goes behind them. */
static int compare_numbers(const char **a, const char **b) {
  while (**a == '0' && is_digit((*a)[1])) ++*a;
  while (**b == '0' && is_digit((*b)[1])) ++*b;
  const char *const first = *a, *const second = *b;
  while (is_digit(**a)) ++*a;
  while (is_digit(**b)) ++*b;
  if (*a - first != *b - second) return *a - first < *b - second ? -1 : 1;
  return strncmp(first, second, (size_t)(*a - first));
}

int hbg_name_compare(const char *a, const char *b) {
  bool in_brackets = false;
  while (*a && *b) {
    if (in_brackets && is_digit(*a) && is_digit(*b)) {
      const int order = compare_numbers(&a, &b);
      if (order) return order;
      continue;
    }
    if (*a != *b) break;
    in_brackets = *a == '[' || (in_brackets && *a != ']');
    ++a;
    ++b;
  }
  return (int)(unsigned char)*a - (int)(unsigned char)*b;
}
