/* SPDX-License-Identifier: BSD-3-Clause
 * The files of the page: in the program (page_files.h), or from a folder while developing. */
#ifndef STUDIO_PAGE_H
#define STUDIO_PAGE_H

#include <stdbool.h>
#include <stddef.h>

/* One file, ready to be sent. */
typedef struct StudioPagePart {
  const char *type; // a constant
  const unsigned char *bytes;
  size_t size;
  const char *etag; // with its quotes; NULL without
  bool is_compressed; // by gzip
  void *owned;   // to be freed by free(); NULL: a constant
} StudioPagePart;

bool studio_page_is_there(void);
/* The file that the address `url` names, of `folder` (real path; NULL: those in the program). False: there is none. */
bool studio_page_find(const char *folder, const char *url, StudioPagePart *part);

#endif
