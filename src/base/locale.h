/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers have a point, whatever locale the program around the library has chosen: in German, printf() writes and strtod()
 * reads "0,5". The locale of the thread is another one for a while; that of the process, which is the program's, is left
 * alone. */
#ifndef BASE_LOCALE_H
#define BASE_LOCALE_H

#include <stdbool.h>

typedef struct HbgLocale {
  void *ours, *theirs;
} HbgLocale;

/* This thread has the locale "C" from here on. False when there is no memory for it; nothing has changed then. */
bool hbg_locale_enter(HbgLocale *locale);
/* This thread has the locale it had before. */
void hbg_locale_leave(HbgLocale *locale);

#endif
