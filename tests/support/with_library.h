/* SPDX-License-Identifier: BSD-3-Clause
 * A model in one text with a file of the library, for tests below the room that finds files. */
#ifndef TESTS_SUPPORT_WITH_LIBRARY_H
#define TESTS_SUPPORT_WITH_LIBRARY_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef HBG_SOURCE_FOLDER
#define HBG_SOURCE_FOLDER "."
#endif

/* Whoever asks frees it. NULL: there is no such file. */
static inline char *with_library(const char *file, const char *model) {
  enum { MOST = 1 << 16 };
  char path[1024];
  snprintf(path, sizeof path, "%s/library/%s", HBG_SOURCE_FOLDER, file);
  FILE *in = fopen(path, "rb");
  char *text = in ? malloc(MOST + strlen(model) + 2) : NULL;
  if (text) {
    const size_t length = fread(text, 1, MOST, in);
    snprintf(text + length, strlen(model) + 2, "\n%s", model);
  }
  if (in) fclose(in);
  return text;
}

#endif
