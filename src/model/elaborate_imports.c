/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: the files of a model, and the names that stand in files rather than in models. Each file has a name space of
 * its own; it sees the names of the files it imports, but not what those import. */
#include <string.h>

#include "base/text.h"
#include "model/callables.h"

enum { MOST_BYTES = 1 << 30 };

/* ---- files ---- */

HbgModelFile *hbg_elaborate_add_file(HbgElaborator *elaborator, const HbgTree *tree, const char *path) {
  HbgModelFile *file = ARENA_NEW(elaborator->arena, HbgModelFile, 1);
  *file = (HbgModelFile){.tree = *tree, .path = hbg_print(elaborator->arena, "%s", path), .index = elaborator->file_count};
  int32_t source_count = elaborator->file_count;
  ARENA_PUSH(elaborator->arena, elaborator->sources, source_count, elaborator->source_capacity) =
      (HbgSource){.name = file->path, .text = tree->text, .length = tree->length, .base = tree->base};
  ARENA_PUSH(elaborator->arena, elaborator->files, elaborator->file_count, elaborator->file_capacity) = file;
  return file;
}

static HbgModelFile *file_at(const HbgElaborator *elaborator, const char *path) {
  for (int32_t i = 0; i < elaborator->file_count; i++)
    if (!strcmp(elaborator->files[i]->path, path)) return elaborator->files[i];
  return NULL;
}

/* ---- what stands in a file ---- */

/* Machine types and functions of a file see no names of a model: nothing is declared under this prefix. */
static const HbgFrame *frame_of_file(HbgElaborator *elaborator, const HbgModelFile *file) {
  HbgInstance *instance = ARENA_NEW(elaborator->arena, HbgInstance, 1);
  const char *prefix = hbg_print(elaborator->arena, "%s:", file->path);
  *instance = (HbgInstance){.file = file, .name = "", .prefix = prefix, .prefix_length = (uint32_t)strlen(prefix), .submodel = -1,
                            .frame = {.name = "", .instance = instance}};
  return &instance->frame;
}

/* False when the file has that name already, which is told. */
static bool declare(HbgElaborator *elaborator, const HbgModelFile *file, HbgTreeNode node, HbgScopeKind kind, int32_t index) {
  const char *name = hbg_tree_word(&file->tree, node, elaborator->arena);
  const HbgSpan span = hbg_tree_token_span(&file->tree, node);
  const uint32_t length = (uint32_t)strlen(name);
  const int32_t known = hbg_scope_find_in(&elaborator->scope, file->index + 1, name, length);
  if (hbg_elaborate_is_reserved(name, length)) {
    if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_RESERVED_NAME, span, "'%s' is a word of the language", name))
      HELP(elaborator, "use another name, for instance '%s_'", name);
    return false;
  }
  if (known < 0) {
    hbg_scope_add_to(&elaborator->scope, file->index + 1, name, kind, index, span);
    return true;
  }
  if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_TWO_OF_ONE_NAME, span, "'%s' is declared already in this file", name))
    HELP(elaborator, "give one of them another name");
  return false;
}

static void declare_in_file(HbgElaborator *elaborator, const HbgModelFile *file) {
  const HbgTree *tree = &file->tree;
  for (HbgTreeNode node = tree_first(tree, tree->root); node; node = tree_next(tree, node)) {
    if (hbg_tree_kind(tree, node) == HBG_NODE_SUBMODEL) {
      if (declare(elaborator, file, node, HBG_SCOPE_SUBMODEL, elaborator->submodel_count))
        ARENA_PUSH(elaborator->arena, elaborator->submodels, elaborator->submodel_count, elaborator->submodel_capacity) =
            (HbgSubmodelDeclaration){hbg_elaborate_word(elaborator, tree, node), file, node};
    } else if (hbg_is_callable(hbg_tree_kind(tree, node))) {
      const HbgFrame *frame = frame_of_file(elaborator, file);
      if (hbg_elaborate_may_be_called(elaborator, frame, node) &&
          declare(elaborator, file, node, hbg_callable_kind(hbg_tree_kind(tree, node)), elaborator->callable_count))
        hbg_elaborate_add_callable(elaborator, node, frame);
    } else if (hbg_tree_kind(tree, node) == HBG_NODE_MACHINE) {
      if (declare(elaborator, file, node, HBG_SCOPE_MACHINE_TYPE, elaborator->type_count))
        ARENA_PUSH(elaborator->arena, elaborator->types, elaborator->type_count, elaborator->type_capacity) =
            (HbgTypeDeclaration){.name = hbg_elaborate_word(elaborator, tree, node), .node = node,
                                 .frame = frame_of_file(elaborator, file), .owner = -1};
    }
  }
}

int32_t hbg_elaborate_find_in_file(const HbgElaborator *elaborator, const HbgModelFile *file, const char *name) {
  const size_t dot = strcspn(name, ".");
  const uint32_t length = (uint32_t)strlen(name);
  int32_t found = name[dot] ? -1 : hbg_scope_find_in(&elaborator->scope, file->index + 1, name, length);
  for (int32_t i = 0; i < file->import_count && found < 0; i++) {
    const HbgImport *import = &file->imports[i];
    if (!import->alias != !name[dot] || (import->alias && (strlen(import->alias) != dot || strncmp(import->alias, name, dot) != 0)))
      continue;
    const char *inside = import->alias ? name + dot + 1 : name;
    found = hbg_scope_find_in(&elaborator->scope, import->file + 1, inside, (uint32_t)strlen(inside));
  }
  return found;
}

/* ---- imports ---- */

static void import_all(HbgElaborator *elaborator, HbgModelFile *file);

static void tell_circle(HbgElaborator *elaborator, const HbgModelFile *file, HbgSpan span) {
  HbgText text = hbg_text(elaborator->arena);
  for (int32_t i = 0; i < elaborator->file_count; i++)
    if (i >= file->index && elaborator->files[i]->is_importing)
      hbg_text_add(&text, "%s imports ", elaborator->files[i]->path);
  if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_IMPORT_CIRCLE, span, "imports go in a circle: %s%s", text.bytes,
                            file->path))
    HELP(elaborator, "move what both need to a file of its own, and import that");
}

static void tell_missing(HbgElaborator *elaborator, HbgSpan span, const char *name, const char *tried) {
  if (!hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_NO_FILE, span, "there is no file '%s'", name)) return;
  if (*tried) HELP(elaborator, "looked for %s; --library names more folders", tried);
  else HELP(elaborator, "no files can be read here");
}

/* A file that was not read before; NULL: told. */
static HbgModelFile *read_file(HbgElaborator *elaborator, const HbgFoundFile *found, HbgSpan span) {
  const HbgSource *last = &elaborator->sources[elaborator->file_count - 1];
  const uint32_t base = last->base + last->length + 1;
  if (found->length >= MOST_BYTES - base % MOST_BYTES || base >= MOST_BYTES) {
    hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_TOO_LARGE, span, "the files of the model are larger than 1 GiB");
    HELP(elaborator, "write repetition as a loop: `for i in 1..N { ... }`");
    return NULL;
  }
  const HbgTree tree = hbg_parse_import_file(found->bytes, (uint32_t)found->length, base, elaborator->arena, elaborator->diagnostics);
  HbgModelFile *file = hbg_elaborate_add_file(elaborator, &tree, found->path);
  import_all(elaborator, file);
  return file;
}

static void import_one(HbgElaborator *elaborator, HbgModelFile *file, HbgTreeNode import) {
  const HbgTree *tree = &file->tree;
  const HbgSpan span = hbg_tree_token_span(tree, import);
  const char *name = hbg_tree_unquoted(tree, import, elaborator->arena);
  const HbgFoundFile found = hbg_files_find(elaborator->reader, name, file->path, elaborator->arena);
  if (!found.path) {
    tell_missing(elaborator, span, name, found.tried);
    return;
  }
  HbgModelFile *other = file_at(elaborator, found.path);
  if (other && other->is_importing) {
    tell_circle(elaborator, other, span);
    return;
  }
  if (!other) other = read_file(elaborator, &found, span);
  if (!other) return;
  const HbgTreeNode alias = hbg_tree_find(tree, import, HBG_NODE_ALIAS);
  ARENA_PUSH(elaborator->arena, file->imports, file->import_count, file->import_capacity) =
      (HbgImport){alias ? hbg_elaborate_word(elaborator, tree, alias) : NULL, other->index};
}

static void import_all(HbgElaborator *elaborator, HbgModelFile *file) {
  const HbgTree *tree = &file->tree;
  file->is_importing = true;
  for (HbgTreeNode node = tree_first(tree, tree->root); node; node = tree_next(tree, node))
    if (hbg_tree_kind(tree, node) == HBG_NODE_IMPORT) import_one(elaborator, file, node);
  file->is_importing = false;
}

void hbg_elaborate_imports(HbgElaborator *elaborator) {
  if (!elaborator->file->tree.root) return;
  import_all(elaborator, elaborator->file);
  for (int32_t i = 0; i < elaborator->file_count; i++) declare_in_file(elaborator, elaborator->files[i]);
}
