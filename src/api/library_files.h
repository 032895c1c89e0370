/* SPDX-License-Identifier: BSD-3-Clause
 * The library of submodels (library/), as bytes in the program: it is found wherever the program is. Made by
 * cmake/HbgLibrary.cmake. */
#ifndef API_LIBRARY_FILES_H
#define API_LIBRARY_FILES_H

#include <stddef.h>

typedef struct HbgLibraryFile {
  const char *name; /* "electrical.hbg"; NULL ends the list */
  const unsigned char *bytes;
  size_t length;
} HbgLibraryFile;

extern const HbgLibraryFile hbg_library_files[];

#endif
