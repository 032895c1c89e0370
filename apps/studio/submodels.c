/* SPDX-License-Identifier: BSD-3-Clause
 * See submodels.h. */
#define _GNU_SOURCE
#include "submodels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"

enum { FILES_MOST = 50 };

/* ---- one file ---- */

static const char *skip_text(const char *at) { // from the quote that begins it to behind the one that ends it
  for (at++; *at && *at != '"' && *at != '\n'; at++) continue;
  return *at == '"' ? at + 1 : at;
}

static const char *skip_blanks(const char *at) {
  for (;;) {
    at += strspn(at, " \t\r\n");
    if (strncmp(at, "//", 2) != 0) return at;
    at += strcspn(at, "\n");
  }
}

/* From the parenthesis that opens to behind the one that closes. */
static const char *skip_parentheses(const char *at) {
  int depth = 0;
  while (*at) {
    if (*at == '"') at = skip_text(at);
    else if (!strncmp(at, "//", 2)) at += strcspn(at, "\n");
    else if (*at == '(' || *at == ')') {
      depth += *at++ == '(' ? 1 : -1;
      if (depth == 0) break;
    } else at++;
  }
  return at;
}

/* The text in quotes behind the name of a submodel and its ports. */
static json_t *description_behind(const char *at) {
  at = skip_blanks(at);
  if (*at == '(') at = skip_blanks(skip_parentheses(at));
  if (*at != '"') return studio_json_text("");
  char *copy = strndup(at + 1, strcspn(at + 1, "\"\n"));
  json_t *out = studio_json_text(copy);
  free(copy);
  return out;
}

static json_t *ports_of(const HbgOutlineItem *items, int32_t count, int32_t submodel) {
  json_t *out = json_array();
  for (int32_t i = submodel + 1; i < count; i++)
    if (items[i].parent == submodel && !strcmp(items[i].detail, "port")) json_array_append_new(out, studio_json_text(items[i].name));
  return out;
}

static void add_submodels(HbgDocument *document, const char *text, size_t length, const char *file, json_t *out) {
  const HbgOutlineItem *items;
  int32_t count = 0;
  if (hbg_document_outline(document, &items, &count) != HBG_OK) return;
  for (int32_t i = 0; i < count; i++) {
    if (strcmp(items[i].detail, "submodel") != 0 || items[i].name_range.end > length) continue;
    json_array_append_new(out, json_pack("{s:o, s:o, s:s, s:o}", "name", studio_json_text(items[i].name), "description",
                                         description_behind(text + items[i].name_range.end), "file", file, "ports", ports_of(items, count, i)));
  }
}

static void add_file(const char *text, size_t length, const char *file, json_t *out) {
  HbgDocument *document = NULL;
  if (hbg_document_open(text, length, NULL, &document) == HBG_OK) add_submodels(document, text, length, file, out);
  hbg_document_free(document);
}

/* ---- files that are imported ---- */

static bool is_built_in(const char *file) {
  for (int32_t i = 0; i < hbg_library_count(); i++)
    if (!strcmp(hbg_library_name(i), file)) return true;
  return false;
}

/* The file beside the text, or in a folder of the library. */
static void add_imported(const StudioText *text, const char *file, json_t *out) {
  const char *slash = strrchr(text->name, '/');
  for (int32_t i = -1; i < text->options.folder_count; i++) {
    char *path;
    const int made = i < 0 ? asprintf(&path, "%.*s%s", slash ? (int)(slash + 1 - text->name) : 0, text->name, file)
                           : asprintf(&path, "%s/%s", text->options.folders[i], file);
    if (made < 0) return;
    const char *bytes = NULL;
    size_t length = 0;
    const bool is_read = text->options.read(path, &bytes, &length, text->options.user);
    free(path);
    if (!is_read) continue;
    add_file(bytes, length, file, out);
    return;
  }
}

/* Lines `import "file"`. */
static void add_imports(const StudioText *text, json_t *out) {
  const char *at = skip_blanks(text->text);
  for (int count = 0; count < FILES_MOST && !strncmp(at, "import", 6); count++) {
    at = skip_blanks(at + 6);
    if (*at != '"') return;
    char *file = strndup(at + 1, strcspn(at + 1, "\"\n"));
    if (file && !is_built_in(file)) add_imported(text, file, out);
    free(file);
    at = skip_blanks(skip_text(at));
  }
}

json_t *studio_submodels(const StudioText *text, HbgDocument *document) {
  json_t *out = json_array();
  add_submodels(document, text->text, text->length, "", out);
  add_imports(text, out);
  for (int32_t i = 0; i < hbg_library_count(); i++)
    add_file(hbg_library_text(i), strlen(hbg_library_text(i)), hbg_library_name(i), out);
  return out;
}

json_t *studio_machine_types(HbgDocument *document) {
  const HbgOutlineItem *items;
  int32_t count = 0;
  json_t *out = json_array();
  if (hbg_document_outline(document, &items, &count) != HBG_OK) return out;
  for (int32_t i = 0; i < count; i++)
    if (!strcmp(items[i].detail, "type of machines")) json_array_append_new(out, studio_json_text(items[i].name));
  return out;
}
