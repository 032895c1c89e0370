/* SPDX-License-Identifier: BSD-3-Clause
 * The files that a document imports, for the names in them. What is wrong in them, or not there, is told by the model. */
#include <string.h>

#include "api/document.h"
#include "base/text.h"

static const HbgNames *read_file(HbgDocument *document, const HbgFoundFile *found) {
  HbgArena *arena = &document->arena;
  for (int32_t i = 0; i < document->file_count; i++)
    if (strcmp(document->files[i].path, found->path) == 0) return document->files[i].names;
  const int32_t place = document->file_count;
  ARENA_PUSH(arena, document->files, document->file_count, document->file_capacity) = (HbgKnownFile){.path = found->path};
  HbgDiagnostics diagnostics = hbg_diagnostics(arena);
  HbgTree *tree = ARENA_NEW(arena, HbgTree, 1);
  *tree = hbg_parse(found->bytes, (uint32_t)found->length, arena, &diagnostics);
  HbgNames *names = ARENA_NEW(arena, HbgNames, 1);
  *names = hbg_document_names(document, tree, found->path);
  document->files[place].names = names;
  return names;
}

/* "parts.hbg" without its quotes; NULL when there is none. */
static const char *imported_name(const HbgTree *tree, HbgTreeNode import, HbgArena *arena) {
  uint32_t length;
  const char *text = hbg_tree_text(tree, import, &length);
  return length >= 2 ? hbg_arena_text(arena, text + 1, length - 2) : NULL;
}

HbgNames hbg_document_names(HbgDocument *document, const HbgTree *tree, const char *path) {
  HbgArena *arena = &document->arena;
  // what reads files for models reads them here, without a model
  HbgModel *reader = ARENA_NEW(arena, HbgModel, 1);
  reader->options = document->options;
  const HbgFiles files = hbg_model_files(reader, arena);
  HbgImported *imported = NULL;
  int32_t count = 0, capacity = 0;
  for (HbgTreeNode node = tree->nodes[tree->root].first_child; node; node = tree->nodes[node].next_sibling) {
    const char *name = hbg_tree_kind(tree, node) == HBG_NODE_IMPORT ? imported_name(tree, node, arena) : NULL;
    if (!name) continue;
    const HbgFoundFile found = hbg_files_find(&files, name, path, arena);
    const HbgNames *names = found.path ? read_file(document, &found) : NULL;
    if (names) ARENA_PUSH(arena, imported, count, capacity) = (HbgImported){node, names};
  }
  return hbg_names(tree, path, imported, count, arena);
}
