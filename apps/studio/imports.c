/* SPDX-License-Identifier: BSD-3-Clause
 * Where a text imports files: see editing.h. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "editing.h"

/* The line behind this one. */
static const char *next_line(const char *at) {
  at += strcspn(at, "\n");
  return *at ? at + 1 : at;
}

/* Is this line `import "..."`? Then `*file` is what stands in the quotes. */
static bool is_import(const char *line, const char **file, size_t *length) {
  line += strspn(line, " \t");
  if (strncmp(line, "import", 6) != 0 || !strchr(" \t\"", line[6])) return false;
  line += 6 + strspn(line + 6, " \t");
  if (*line != '"') return false;
  *file = line + 1;
  *length = strcspn(line + 1, "\"\n");
  return true;
}

static bool is_comment(const char *line) { return !strncmp(line + strspn(line, " \t"), "//", 2); }
static bool is_blank(const char *line) { return line[strspn(line, " \t\r")] == '\n'; }

/* Behind the last import; where there is none, behind the first comment and the blank line that ends it, else before everything. */
static const char *find_place(const char *text, const char *file, bool *has_imports, bool *is_there) {
  const char *place = text, *line = text;
  *has_imports = *is_there = false;
  while (is_comment(line)) line = next_line(line);
  if (line > text && is_blank(line)) place = next_line(line);
  for (; *line; line = next_line(line)) {
    const char *name;
    size_t length;
    if (is_comment(line) || is_blank(line)) continue;
    if (!is_import(line, &name, &length)) break; // imports stand before everything else
    *has_imports = true;
    *is_there = *is_there || (length == strlen(file) && !strncmp(name, file, length));
    place = next_line(line);
  }
  return place;
}

char *studio_import_edit(const char *text, const char *file, HbgEdit *edit) {
  bool has_imports, is_there;
  const char *place = find_place(text, file, &has_imports, &is_there);
  if (is_there) return NULL;
  const bool breaks = place > text && place[-1] != '\n'; // the last line has no end
  char *statement;
  if (asprintf(&statement, "%simport \"%s\"\n%s", breaks ? "\n" : "", file, has_imports ? "" : "\n") < 0) return NULL;
  const uint32_t at = (uint32_t)(place - text);
  *edit = (HbgEdit){{at, at}, statement};
  return statement;
}
