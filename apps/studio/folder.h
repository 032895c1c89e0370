/* SPDX-License-Identifier: BSD-3-Clause
 * Which files the studio may touch, and how pages call them:
 *   sub/model.hbg            below the opened folder
 *   gallery:name/name.hbg    of the models that come with the program; read only
 *   library:name.hbg         of the folders of --library and of the library of submodels that is built in; read only
 * No path leads out of its folder, also not by symbolic links; names that begin with a point are not seen. */
#ifndef STUDIO_FOLDER_H
#define STUDIO_FOLDER_H

#include "file.h"
#include "studio.h"

struct StudioFolder {
  char *root;       // of the opened folder, links followed; where new models are written
  char *name;       // to be shown
  char *gallery;    // NULL: not found
  char **libraries; // (library_count)
  int32_t library_count;
  char *opened;     // the model the command line named, as pages call it; ""
  bool is_gallery;  // no folder was named: the gallery is shown
};

typedef struct StudioFolderOptions {
  const char *target;  // a folder, a model in one, or NULL: the gallery
  const char *gallery; // NULL: none
  const char *const *libraries;
  int32_t library_count;
} StudioFolderOptions;

/* NULL, and a sentence in `message` with room for `size` bytes, when there is no such folder or file. */
StudioFolder *studio_folder_open(const StudioFolderOptions *options, char *message, size_t size);
void studio_folder_free(StudioFolder *folder);

/* Where a path of a page leads. */
typedef struct StudioPlace {
  char *absolute;       // links followed; NULL: built in
  const char *built_in; // its text
  size_t built_in_length;
  bool is_read_only;    // by what it is, whatever its mode
  bool exists;
} StudioPlace;
/* False after studio_fail(): 400 for what is no path of a model, 403 for what leads out, 404 when it is not there, unless `may_be_new`. */
bool studio_folder_find(const StudioFolder *folder, const char *path, bool may_be_new, StudioPlace *place, StudioReply *reply);
void studio_place_free(StudioPlace *place);

/* How pages call a file that a model imports, given as the library calls it; NULL when they may not see it. From malloc(). */
char *studio_folder_path_of(const StudioFolder *folder, const char *file);
/* May the file with this real path be read for a model? */
bool studio_folder_holds(const StudioFolder *folder, const char *absolute);

typedef struct StudioEntry {
  char *path, *absolute;
  StudioStamp stamp;
} StudioEntry;
typedef struct StudioListing {
  StudioEntry *entries; // (count), by path
  size_t count, capacity;
} StudioListing;
/* The models that are shown: at most some thousand. What cannot be read is left out. */
void studio_folder_list(const StudioFolder *folder, StudioListing *listing);
void studio_listing_free(StudioListing *listing);

/* What a text tells of itself at its beginning. From malloc(). */
char *studio_model_name_in(const char *text);
char *studio_description_in(const char *text);

#endif
