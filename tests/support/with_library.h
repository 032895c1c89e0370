/* SPDX-License-Identifier: BSD-3-Clause
 * A model in one text with a file of the library, for tests below the room that finds files. */
#ifndef TESTS_SUPPORT_WITH_LIBRARY_H
#define TESTS_SUPPORT_WITH_LIBRARY_H

#include <string.h>

#include "base/text.h"
#include "hybrsim/model.h"
#include "support/check.h"

/* From the arena. */
static inline const char *with_library(const char *file, const char *model, HbgArena *arena) {
  int32_t which = 0;
  while (which < hbg_library_count() && strcmp(hbg_library_name(which), file)) which++;
  assert_true(which < hbg_library_count());
  return hbg_print(arena, "%s\n%s", hbg_library_text(which), model);
}

#endif
