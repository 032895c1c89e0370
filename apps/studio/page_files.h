/* SPDX-License-Identifier: BSD-3-Clause
 * The files of the studio's page, which the program carries with it. Made by cmake/HbgStudio.cmake; there are none when it was built without npm. */
#ifndef STUDIO_PAGE_FILES_H
#define STUDIO_PAGE_FILES_H

#include <stddef.h>

typedef struct StudioPageFile {
  const char *path;           // "index.html", "assets/index.js"
  const char *type;           // "text/html; charset=utf-8"
  const char *etag;           // with its quotes
  const unsigned char *bytes; // compressed by gzip
  size_t size;
} StudioPageFile;

extern const StudioPageFile studio_page_files[]; // the last one has no path

#endif
