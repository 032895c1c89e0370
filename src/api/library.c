/* SPDX-License-Identifier: BSD-3-Clause
 * The library of submodels, to be looked at. */
#include "api/library_files.h"
#include "hybrsim/model.h"

int32_t hbg_library_count(void) {
  int32_t count = 0;
  while (hbg_library_files[count].name) count++;
  return count;
}

static const HbgLibraryFile *find(int32_t index) {
  return index >= 0 && index < hbg_library_count() ? &hbg_library_files[index] : NULL;
}

const char *hbg_library_name(int32_t index) {
  const HbgLibraryFile *file = find(index);
  return file ? file->name : "";
}

const char *hbg_library_text(int32_t index) {
  const HbgLibraryFile *file = find(index);
  return file ? (const char *)file->bytes : ""; /* they end in a NUL */
}
