/* SPDX-License-Identifier: BSD-3-Clause
 * Submodels made of what is selected. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>

#include "support/edited.h"
#include "support/random_graph.h"

static char *extracted(const char *text, const char *const *names, int32_t count, const char *name, char reason[400]) {
  HbgDocument *document = edited_open(text);
  HbgChange change;
  assert_int_equal(hbg_document_extract(document, "", names, count, name, &change), HBG_OK);
  snprintf(reason, 400, "%s", change.reason);
  char *out = edited_apply(text, &change);
  hbg_document_free(document);
  return out;
}

static void the_contact_of_the_bullet_and_the_wood(void **state) {
  (void)state;
  static const char text[] =
      "// A bullet.\n"
      "model BulletWood {\n"
      "  param m1 = 1 [kg], m2 = 1 [kg]\n"
      "  I bullet(m1)  start f = 1                 // flies\n"
      "  I wood(m2)\n"
      "  1 bullet_motion, wood_motion\n"
      "  0 contact by Contact                      // one force\n"
      "  bullet_motion -> bullet\n"
      "  bullet_motion -> contact -> wood_motion -> wood\n"
      "  signal gap = integral(wood_motion.f) - integral(bullet_motion.f, start = -0.2 [m])\n"
      "  signal touches = contact in joined\n"
      "\n"
      "  machine Contact {\n"
      "    off apart  initial\n"
      "    on  joined\n"
      "    apart -> joined  when gap <= 0\n"
      "  }\n"
      "  stop 1 [s]\n"
      "  drawing {\n"
      "    bullet  at 10, 20\n"
      "    contact at 50, 60\n"
      "  }\n"
      "}\n";
  const char *const names[] = {"contact"};
  char reason[400];
  char *out = extracted(text, names, 1, "Gripper", reason);
  assert_string_equal(reason, "");
  assert_string_equal(out,
                      "// A bullet.\n"
                      "model BulletWood {\n"
                      "  param m1 = 1 [kg], m2 = 1 [kg]\n"
                      "  I bullet(m1)  start f = 1                 // flies\n"
                      "  I wood(m2)\n"
                      "  1 bullet_motion, wood_motion\n"
                      "  Gripper gripper(gap = gap)\n"
                      "  bullet_motion -> bullet\n"
                      "  bullet_motion -> gripper.bullet_motion\n"
                      "  gripper.wood_motion -> wood_motion -> wood\n"
                      "  signal gap = integral(wood_motion.f) - integral(bullet_motion.f, start = -0.2 [m])\n"
                      "  signal touches = gripper.contact in joined\n"
                      "\n"
                      "  stop 1 [s]\n"
                      "  drawing {\n"
                      "    bullet  at 10, 20\n"
                      "    gripper at 50, 60\n"
                      "  }\n"
                      "}\n"
                      "\n"
                      "submodel Gripper(port bullet_motion, port wood_motion, in gap) {\n"
                      "  0 contact by Contact                      // one force\n"
                      "  bullet_motion -> contact -> wood_motion\n"
                      "  machine Contact {\n"
                      "    off apart  initial\n"
                      "    on  joined\n"
                      "    apart -> joined  when gap <= 0\n"
                      "  }\n"
                      "  drawing {\n"
                      "    contact at 50, 60\n"
                      "  }\n"
                      "}\n");
  assert_true(edited_is_right(out));
  free(out);
}

/* ---- the gallery: random parts of every model behave as they did ---- */

enum { LONGEST_TEXT = 20000, MOST_NAMES = 200, MOST_ROWS = 60, PARTS_OF_EACH = 12 };

typedef struct Part {
  char names[MOST_NAMES][60];
  int count;
} Part;

static bool is_part(const Part *part, const char *name) {
  const size_t base = strcspn(name, ".[ ");
  for (int i = 0; i < part->count; i++)
    if (strlen(part->names[i]) == base && !strncmp(part->names[i], name, base)) return true;
  return false;
}

static void consider(Part *part, Random *random, const char *name, double share) {
  char base[60];
  snprintf(base, sizeof base, "%.*s", (int)strcspn(name, ".["), name);
  if (part->count < MOST_NAMES && !is_part(part, base) && random_real(random) < share)
    strcpy(part->names[part->count++], base);
}

static Part random_part(const HbgModel *model, Random *random) {
  const HbgModelSize size = hbg_model_size(model);
  Part part = {0};
  const double share = 0.15 + 0.7 * random_real(random);
  for (int32_t i = 0; i < size.elements + size.junctions; i++)
    consider(&part, random, hbg_model_node(model, i).name, share);
  for (int32_t i = 0; i < size.signals; i++) consider(&part, random, hbg_model_signal(model, i).name, share);
  return part;
}

static HbgRun *started(const HbgModel *model, double stop) {
  HbgRunOptions options = hbg_run_options();
  HbgRun *run;
  const char *message;
  options.events_only = true;
  options.tolerance = 1e-10;
  options.stop = stop;
  if (hbg_run_create(model, &options, &run, &message) != HBG_OK) fail_msg("%s", message);
  return run;
}

/* What a name is called from now on. */
static void new_name(const Part *part, const char *instance, const char *name, char out[200]) {
  snprintf(out, 200, "%s%s%s", is_part(part, name) ? instance : "", is_part(part, name) ? "." : "", name);
}

static void check_same_behaviour(const HbgModel *before, const HbgModel *after, const Part *part, const char *instance,
                                 double stop, const char *text) {
  HbgRun *run = started(before, stop), *other = started(after, stop);
  const HbgModelSize size = hbg_model_size(before);
  char name[200];
  const char *message;
  HbgRow row, other_row;
  for (int32_t i = 0; i < size.stored_quantities + size.integrators; i++) {
    const char *old = hbg_model_stored(before, i).name;
    new_name(part, instance, old, name);
    if (hbg_run_add_column(run, old, &message) != HBG_OK) fail_msg("%s", message);
    if (hbg_run_add_column(other, name, &message) != HBG_OK) fail_msg("%s\n%s", message, text);
  }
  for (int i = 0; i < MOST_ROWS; i++) {
    const HbgStatus status = hbg_run_next(run, &row), other_status = hbg_run_next(other, &other_row);
    assert_int_equal(status, other_status);
    if (status != HBG_OK) break;
    if (row.kind != other_row.kind || row.eps != other_row.eps || row.n != other_row.n ||
        fabs(row.time - other_row.time) > 1e-6 * (1 + fabs(row.time)))
      fail_msg("row %d: %.12g %.12g, kind %d %d\n%s", i, row.time, other_row.time, (int)row.kind, (int)other_row.kind,
               text);
    for (int32_t k = 0; k < hbg_run_column_count(run); k++) {
      const double value = hbg_run_value(run, k), other_value = hbg_run_value(other, k);
      if (!(fabs(value - other_value) <= 1e-5 * (1 + fabs(value))))
        fail_msg("row %d at %g: %s is %.12g, was %.12g\n%s", i, row.time, hbg_run_column(run, k).name, other_value,
                 value, text);
    }
  }
  hbg_run_free(run);
  hbg_run_free(other);
}

/* Answers whether a part of the model at `path` could be made a submodel. */
static bool check_part(const char *path, const char *text, uint64_t seed) {
  Random random = {seed};
  HbgModelOptions options = hbg_model_options();
  HbgModel *before, *after;
  HbgDocument *document;
  HbgChange change;
  options.name = path;
  assert_int_equal(hbg_model_load(text, strlen(text), &options, &before), HBG_OK);
  assert_int_equal(hbg_document_open(text, strlen(text), &options, &document), HBG_OK);
  const Part part = random_part(before, &random);
  const char *names[MOST_NAMES];
  for (int i = 0; i < part.count; i++) names[i] = part.names[i];
  assert_int_equal(hbg_document_extract(document, "", names, part.count, "Extracted", &change), HBG_OK);
  const bool is_made = !*change.reason;
  if (is_made) {
    char *out = edited_apply(text, &change);
    if (hbg_model_load(out, strlen(out), &options, &after) != HBG_OK)
      fail_msg("%s, seed %llu: %s\n%s", path, (unsigned long long)seed, hbg_model_diagnostic(after, 0), out);
    check_same_behaviour(before, after, &part, change.names[0], strstr(text, "stop") ? (double)NAN : 0.05, out);
    hbg_model_free(after);
    free(out);
  } else {
    print_message("%s, seed %llu: %s\n", path, (unsigned long long)seed, change.reason);
  }
  hbg_document_free(document);
  hbg_model_free(before);
  return is_made;
}

static size_t read_text(const char *path, char text[LONGEST_TEXT]) {
  FILE *file = fopen(path, "rb");
  if (!file) return 0;
  const size_t length = fread(text, 1, LONGEST_TEXT - 1, file);
  text[length] = '\0';
  fclose(file);
  return length;
}

static void parts_of_the_gallery_behave_as_before(void **state) {
  (void)state;
  static char text[LONGEST_TEXT];
  DIR *folder = opendir(HBG_SOURCE_FOLDER "/models");
  const char *chosen = getenv("HYBRSIM_SEED");
  int made = 0;
  assert_non_null(folder);
  for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
    char path[600];
    snprintf(path, sizeof path, HBG_SOURCE_FOLDER "/models/%.200s/%.200s.hbg", entry->d_name, entry->d_name);
    if (!read_text(path, text)) continue;
    for (uint64_t i = 0; i < PARTS_OF_EACH; i++)
      made += check_part(path, text, chosen ? strtoull(chosen, NULL, 10) : 1 + i);
  }
  closedir(folder);
  assert_true(made > 60);
}

/* ---- random graphs ---- */

enum { RANDOM_GRAPHS = 60 };

static void parts_of_random_graphs_behave_as_before(void **state) {
  (void)state;
  const char *chosen = getenv("HYBRSIM_SEED");
  const uint64_t first = chosen ? strtoull(chosen, NULL, 10) : 1000;
  int made = 0;
  for (uint64_t seed = first; seed < first + (chosen ? 1 : RANDOM_GRAPHS); seed++) {
    Random random = {seed};
    HbgArena arena = hbg_arena((HbgAllocator){0});
    HbgText text = hbg_text(&arena);
    const RandomGraph graph = random_graph(&random, (RandomTaste){.elements_most = 15,
                                                                  .modulated = true,
                                                                  .controlled = true,
                                                                  .sources = true,
                                                                  .active = seed % 2,
                                                                  .decades = 1});
    random_graph_write(&graph, NULL, &text);
    HbgModel *model;
    const bool is_right = hbg_model_load(text.bytes, (size_t)text.length, NULL, &model) == HBG_OK;
    hbg_model_free(model);
    if (is_right) made += check_part("random", text.bytes, seed);
    hbg_arena_release_all(&arena);
  }
  assert_true(chosen || made > RANDOM_GRAPHS / 3);
}

/* ---- hard cases ---- */

static void check_hard(const char *text, const char *const *names, int32_t count, const char *expected) {
  char reason[400];
  char *out = extracted(text, names, count, "Part", reason);
  assert_string_equal(reason, "");
  assert_string_equal(out, expected);
  free(out);
}

static void chains_that_come_and_go_fall_into_runs(void **state) {
  (void)state;
  static const char *const names[] = {"b", "d"};
  check_hard(
      "model A {\n  1 a, b, c, d, e\n  a -> b <- c : link -> d -> e -> a\n  c -> b  // why\n  signal s = link.f + "
      "b.f\n}\n",
      names, 2,
      "model A {\n  1 a, c, e\n  Part part\n  a -> part.a\n  part.c <- c : link -> part.c2\n  part.e -> e -> a\n  c -> "
      "part.c3  // why\n  signal s = link.f + part.b.f\n}\n\n"
      "submodel Part(port a, port c, port c2, port e, port c3) {\n  1 b, d\n  a -> b <- c\n  c2 -> d -> e\n  c3 -> "
      "b\n}\n");
}

/* In a text that is laid out in another way: comments go with their line, and the drawing of nothing else keeps its braces. */
static void lines_that_are_shared_lose_no_comment(void **state) {
  (void)state;
  static const char *const names[] = {"r", "c"}, *const all[] = {"a", "r", "c"};
  static const char text[] =
      "model A {\n    1 a;  R r(1);  C c(2)  // both\n    a -> r;  a -> c\n    drawing { r at 0, 0; c at 2, 4 }\n}\n";
  check_hard(text, names, 2,
             "model A {\n    1 a  // both\n    Part part\n    a -> part.a;  a -> part.a2\n    drawing { part at 1, 2 }\n}\n\n"
             "submodel Part(port a, port a2) {\n  R r(1)\n  C c(2)\n  a -> r\n  a2 -> c\n  drawing {\n    r at 0, 0\n    c at 2, 4\n  }\n}\n");
  check_hard(text, all, 3,
             "model A {\n    Part part\n    drawing { part at 1, 2 }\n}\n\n"
             "submodel Part {\n  1 a\n  R r(1)\n  C c(2)                                    // both\n  a -> r\n  a -> c\n"
             "  drawing {\n    r at 0, 0\n    c at 2, 4\n  }\n}\n");
}

static void machines_functions_and_events_go_where_they_are_needed(void **state) {
  (void)state;
  static const char *const names[] = {"x", "s"};
  static const char text[] =
      "model A {\n"
      "  param k = 2, list = [1, 2]\n"
      "  event go\n"
      "  1 x by control\n"
      "  1 y by control\n"
      "  0 z by Type(x.f)\n"
      "  1 o[1..2]\n"
      "  R r(twice(k)), q(list[2])\n"
      "  function twice(v) = 2*v*k\n"
      "  machine control = Type(o[2].f)\n"
      "  signal s = twice(y.f) + o[1].f*list[1] + t, t = 3\n"
      "  signal w = pre(s)\n"
      "  machine Type(v) { off a; on b; a -> b when v > k and w > 1; b -> a when go }\n"
      "}\n";
  check_hard(text, names, 2,
             "model A {\n"
             "  param k = 2, list = [1, 2]\n"
             "  1 y by part.control\n"
             "  0 z by Type(part.x.f)\n"
             "  1 o[1..2]\n"
             "  R r(twice(k)), q(list[2])\n"
             "  Part part(k = k, o_2_f = o[2].f, y_f = y.f, o_1_f = o[1].f, list = list, t = t, w = w)\n"
             "  function twice(v) = 2*v*k\n"
             "  signal t = 3\n"
             "  signal w = pre(part.s)\n"
             "  machine Type(v) { off a; on b; a -> b when v > k and w > 1; b -> a when part.go }\n"
             "}\n\n"
             "submodel Part(in o_2_f, in y_f, in o_1_f, in t, in w, param k, param list, out s) {\n"
             "  event go\n"
             "  1 x by control\n"
             "  function twice(v) = 2*v*k\n"
             "  machine control = Type(o_2_f)\n"
             "  signal s = twice(y_f) + o_1_f*list[1] + t\n"
             "  machine Type(v) { off a; on b; a -> b when v > k and w > 1; b -> a when go }\n"
             "}\n");
}

static void a_part_of_a_submodel_becomes_another_one(void **state) {
  (void)state;
  static const char text[] =
      "submodel S(port left, in u, param R = 1) {\n  1 v\n  R r(R*u)\n  I i(2)\n  left -> v -> r\n  v -> i\n}\nmodel A "
      "{\n  Se s(1)\n  S a(u = time)\n  s -> a\n  signal x = a.i.p\n  stop 1\n}\n";
  static const char *const names[] = {"v", "i", "r"};
  HbgDocument *document = edited_open(text);
  HbgChange change;
  assert_int_equal(hbg_document_extract(document, "S", names, 3, "Inner", &change), HBG_OK);
  char *out = edited_apply(text, &change);
  assert_string_equal(
      out,
      "submodel S(port left, in u, param R = 1) {\n  Inner inner(R = R, u = u)\n  left -> inner.left\n}\n\n"
      "submodel Inner(port left, in u, param R) {\n  1 v\n  R r(R*u)\n  I i(2)\n  left -> v -> r\n  v -> i\n}\n"
      "model A {\n  Se s(1)\n  S a(u = time)\n  s -> a\n  signal x = a.inner.i.p\n  stop 1\n}\n");
  assert_true(edited_is_right(out));
  free(out);
  hbg_document_free(document);
}

static void what_cannot_be_taken_out_is_told(void **state) {
  (void)state;
  static const struct {
    const char *text, *name, *submodel, *why;
  } cases[] = {
      {"model A { 1 a }", "b", "P", "nothing is called"},
      {"model A { param a = 1 }", "a", "P", "belongs to what is around"},
      {"model A { 1 a }", "a", "2", "no name"},
      {"submodel P(port a) { } model A { 1 a }", "a", "P", "taken"},
      {"model A { 1 a; param P = 1 }", "a", "P", "taken in the model"},
      {"model A { for i in 1..2 { 1 a[i] } }", "a[1]", "P", "made by a loop"},
      {"model A { 1 a[1..2], b; for i in 1..2 { a[i] -> b } }", "a", "P", "a loop makes bonds"},
      {"model A { 1 a[1..2]; I b[1..2](1); a => b }", "a", "P", "several bonds at once"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char reason[400];
    char *out = extracted(cases[i].text, &cases[i].name, 1, cases[i].submodel, reason);
    if (!*reason || !strstr(reason, cases[i].why)) fail_msg("%s: it says: %s", cases[i].text, reason);
    assert_string_equal(out, cases[i].text);
    free(out);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_contact_of_the_bullet_and_the_wood),
      cmocka_unit_test(chains_that_come_and_go_fall_into_runs),
      cmocka_unit_test(lines_that_are_shared_lose_no_comment),
      cmocka_unit_test(machines_functions_and_events_go_where_they_are_needed),
      cmocka_unit_test(a_part_of_a_submodel_becomes_another_one),
      cmocka_unit_test(what_cannot_be_taken_out_is_told),
      cmocka_unit_test(parts_of_the_gallery_behave_as_before),
      cmocka_unit_test(parts_of_random_graphs_behave_as_before),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
