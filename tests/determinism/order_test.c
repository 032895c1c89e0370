/* SPDX-License-Identifier: BSD-3-Clause
 * The order of declarations never matters: every model of the project, its statements and lists shuffled, gives every row
 * of its run bit for bit. Only the transitions of one machine have an order that means something, and keep it. */
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "support/parsed.h"
#include "support/random_graph.h"
#include "support/simulated.h"

#ifndef HBG_SOURCE_FOLDER
#define HBG_SOURCE_FOLDER "."
#endif

/* ---- shuffling ---- */

typedef struct Shuffler {
  HbgTree tree;
  HbgArena *arena;
  Random random;
  HbgText out;
} Shuffler;

static bool is_head(const HbgTree *tree, HbgTreeNode node) {
  const HbgNodeKind kind = hbg_tree_kind(tree, node);
  return kind == HBG_NODE_FORMALS || kind == HBG_NODE_DESCRIPTION;
}

/* The first child of `node` whose order means nothing; those before it stay in place. -1: all children keep theirs. */
static int32_t first_without_order(const HbgTree *tree, HbgTreeNode node) {
  switch (hbg_tree_kind(tree, node)) {
    case HBG_NODE_SUBMODEL:
    case HBG_NODE_MODEL: {
      int32_t heads = 0; // the formals and a description
      while (heads < hbg_tree_child_count(tree, node) && is_head(tree, hbg_tree_child(tree, node, heads))) heads++;
      return heads;
    }
    case HBG_NODE_FOR: return 2;
    case HBG_NODE_FILE:
    case HBG_NODE_PARAMETER_LIST:
    case HBG_NODE_ELEMENT_LIST:
    case HBG_NODE_CLOCK_LIST:
    case HBG_NODE_SIGNAL_LIST: return 0;
    default: return -1;
  }
}

static void copy_bytes(Shuffler *this, uint32_t begin, uint32_t end) {
  hbg_text_add(&this->out, "%.*s", (int)(end - begin), this->tree.text + begin);
}

/* Writes `node` with its children in another order, and what stands between them where it stood. */
static void write_shuffled(Shuffler *this, HbgTreeNode node) {
  const HbgSpan span = hbg_tree_span(&this->tree, node);
  const int32_t count = hbg_tree_child_count(&this->tree, node), first = first_without_order(&this->tree, node);
  if (first < 0) {
    copy_bytes(this, span.begin, span.end);
    return;
  }
  int32_t *order = ARENA_NEW(this->arena, int32_t, count);
  for (int32_t i = 0; i < count; i++) order[i] = i;
  for (int32_t i = count - 1; i > first; i--) {
    const int32_t other = first + random_below(&this->random, i - first + 1), kept = order[i];
    order[i] = order[other];
    order[other] = kept;
  }
  uint32_t at = span.begin;
  for (int32_t i = 0; i < count; i++) {
    const HbgSpan place = hbg_tree_span(&this->tree, hbg_tree_child(&this->tree, node, i));
    copy_bytes(this, at, place.begin);
    write_shuffled(this, hbg_tree_child(&this->tree, node, order[i]));
    at = place.end;
  }
  copy_bytes(this, at, span.end);
}

static HbgStatus shuffle(void *user) {
  Shuffler *this = user;
  this->out = hbg_text(this->arena);
  write_shuffled(this, this->tree.root);
  return HBG_OK;
}

/* ---- comparing ---- */

enum { ROWS_MOST = 3000 }; // of a converter that switches for long

static HbgRun *begin(HbgModel *model, HbgMethod method) {
  HbgRunOptions options = hbg_run_options();
  options.method = (int)method;
  if (method == HBG_METHOD_EULER) {
    options.step = 1.0 / 1024; // the others choose theirs
    options.stop = 16;         // [s]: some models go on for hours
  }
  HbgRun *run = NULL;
  const char *message = "";
  if (hbg_run_create(model, &options, &run, &message) != HBG_OK) fail_msg("%s", message);
  assert_int_equal(hbg_run_add_default_columns(run, HBG_COLUMNS_TRAJECTORY), HBG_OK);
  return run;
}

static int32_t column_named(const HbgRun *run, const char *name) {
  for (int32_t column = 0; column < hbg_run_column_count(run); column++)
    if (!strcmp(hbg_run_column(run, column).name, name)) return column;
  fail_msg("there is no column %s", name);
  return -1;
}

static void compare_row(const HbgRun *a, const HbgRow *row_a, const HbgRun *b, const HbgRow *row_b) {
  assert_memory_equal(&row_a->time, &row_b->time, sizeof row_a->time);
  assert_int_equal(row_a->eps, row_b->eps);
  assert_int_equal(row_a->n, row_b->n);
  assert_int_equal(row_a->kind, row_b->kind);
  assert_string_equal(row_a->cause, row_b->cause);
  for (int32_t column = 0; column < hbg_run_column_count(a); column++) {
    const char *name = hbg_run_column(a, column).name;
    const double value_a = hbg_run_value(a, column), value_b = hbg_run_value(b, column_named(b, name));
    if (memcmp(&value_a, &value_b, sizeof value_a))
      fail_msg("%s at t = %.17g is %.17g, or %.17g", name, row_a->time, value_a, value_b);
  }
}

/* As it is read from `path`: what it imports, and its tables, lie beside it. */
static HbgModel *load_beside(const char *path, const char *text) {
  HbgModelOptions options = hbg_model_options();
  options.name = path;
  HbgModel *model = NULL;
  if (hbg_model_load(text, strlen(text), &options, &model) != HBG_OK)
    fail_msg("%s", model ? hbg_model_diagnostic(model, 0) : "there is no memory");
  return model;
}

static int compare(const char *path, const char *one, const char *other, HbgMethod method) {
  HbgModel *model_a = load_beside(path, one), *model_b = load_beside(path, other);
  HbgRun *a = begin(model_a, method), *b = begin(model_b, method);
  assert_int_equal(hbg_run_column_count(a), hbg_run_column_count(b));
  int rows = 0;
  for (; rows < ROWS_MOST; rows++) {
    HbgRow row_a, row_b;
    const HbgStatus status = hbg_run_next(a, &row_a);
    assert_int_equal(hbg_run_next(b, &row_b), status);
    if (status != HBG_OK) break;
    compare_row(a, &row_a, b, &row_b);
  }
  hbg_run_free(a);
  hbg_run_free(b);
  hbg_model_free(model_a);
  hbg_model_free(model_b);
  return rows;
}

static char *read_text(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) fail_msg("%s cannot be read", path);
  char *text = calloc(1, 100000);
  assert_non_null(text);
  assert_true(fread(text, 1, 99999, file) > 0);
  fclose(file);
  return text;
}

/* False for a file of parts, which only others import. */
static bool has_model(const HbgTree *tree) {
  for (int32_t i = 0; i < hbg_tree_child_count(tree, tree->root); i++)
    if (hbg_tree_kind(tree, hbg_tree_child(tree, tree->root, i)) == HBG_NODE_MODEL) return true;
  return false;
}

static void compare_shuffled(const char *path, const char *text, HbgMethod method, uint64_t seed) {
  Parsed parsed;
  parsed_begin(&parsed, text, (uint32_t)strlen(text), false);
  Shuffler shuffler = {.tree = parsed.tree, .arena = &parsed.arena, .random = {seed}};
  if (has_model(&parsed.tree)) {
    assert_int_equal(hbg_guarded(&parsed.arena, shuffle, &shuffler), HBG_OK);
    print_message("%s, seed %d: ", path + strlen(HBG_SOURCE_FOLDER) + 1, (int)seed);
    print_message("%d rows\n", compare(path, text, shuffler.out.bytes, method));
  }
  parsed_end(&parsed);
}

static void compare_all(HbgMethod method) {
  glob_t files = {0};
  assert_int_equal(glob(HBG_SOURCE_FOLDER "/models/*/*.hbg", 0, NULL, &files), 0);
  assert_int_equal(glob(HBG_SOURCE_FOLDER "/tests/models/witnesses/*.hbg", GLOB_APPEND, NULL, &files), 0);
  assert_true(files.gl_pathc > 30);
  for (size_t i = 0; i < files.gl_pathc; i++) {
    char *text = read_text(files.gl_pathv[i]);
    for (uint64_t seed = 1; seed <= 3; seed++) compare_shuffled(files.gl_pathv[i], text, method, seed);
    free(text);
  }
  globfree(&files);
}

static void the_order_of_declarations_changes_no_bit_of_a_run(void **state) {
  (void)state;
  compare_all(HBG_METHOD_DP5);
}

static void the_order_of_declarations_changes_no_bit_of_a_run_by_euler(void **state) {
  (void)state;
  compare_all(HBG_METHOD_EULER);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_order_of_declarations_changes_no_bit_of_a_run),
      cmocka_unit_test(the_order_of_declarations_changes_no_bit_of_a_run_by_euler),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
