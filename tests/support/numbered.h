/* SPDX-License-Identifier: BSD-3-Clause
 * Parts of random models that are written down many times, with a number in all their names. */
#ifndef TESTS_SUPPORT_NUMBERED_H
#define TESTS_SUPPORT_NUMBERED_H

#include <stdio.h>

#include "base/text.h"

/* `format` with `i` for each #, `a` for each @ and `b` for each ~. */
static inline void numbered_add(HbgText *text, const char *format, int i, double a, double b) {
  for (const char *at = format; *at; at++) {
    if (*at == '#') hbg_text_add(text, "%d", i);
    else if (*at == '@') hbg_text_add(text, "%.6g", a);
    else if (*at == '~') hbg_text_add(text, "%.6g", b);
    else hbg_text_add(text, "%c", *at);
  }
}

/* `pattern` with `n` for every #; answers how long it is. */
static inline int write_numbered(char *text, const char *pattern, int n) {
  char *to = text;
  for (; *pattern; pattern++) {
    if (*pattern == '#') to += sprintf(to, "%d", n);
    else *to++ = *pattern;
  }
  *to = 0;
  return (int)(to - text);
}

#endif
