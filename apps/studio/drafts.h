/* SPDX-License-Identifier: BSD-3-Clause
 * What was typed and not yet saved, in the folder's `.hybrsim-studio/`: a file for each document, written whole. */
#ifndef STUDIO_DRAFTS_H
#define STUDIO_DRAFTS_H

#include "file.h"
#include "folder.h"

typedef struct StudioDraft {
  char *text; // NULL: there is none
  size_t length;
  int64_t version;
  StudioHash hash; // of the file it is a draft of
} StudioDraft;

/* A draft of the document `path`; that of a broken file is none. */
void studio_draft_read(const StudioFolder *folder, const char *path, StudioDraft *draft);
void studio_draft_free(StudioDraft *draft);
/* False when it cannot be written: a folder that is read only, a full disk. */
bool studio_draft_write(const StudioFolder *folder, const char *path, const StudioDraft *draft);
void studio_draft_remove(const StudioFolder *folder, const char *path);

#endif
