/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L /* locales of threads */
#include "base/locale.h"

#include <locale.h>
#include <stddef.h>

bool hbg_locale_enter(HbgLocale *locale) {
  locale->ours = newlocale(LC_ALL_MASK, "C", (locale_t)0); // the C library has it ready: no allocation, no file
  if (!locale->ours) return false;
  locale->theirs = uselocale(locale->ours);
  return true;
}

void hbg_locale_leave(HbgLocale *locale) {
  uselocale(locale->theirs);
  freelocale(locale->ours);
}
