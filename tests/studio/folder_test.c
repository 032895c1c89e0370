/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "folder.h"

#include "world.h"

/* What finding a path answers: 0, or the status of the refusal. */
static unsigned find(World *world, const char *path, bool may_be_new) {
  StudioReply reply = {0};
  StudioPlace place;
  const bool is_found = studio_folder_find(world->studio.folder, path, may_be_new, &place, &reply);
  if (is_found) assert_true(place.built_in || !strncmp(place.absolute, world->folder, strlen(world->folder)));
  if (is_found) studio_place_free(&place);
  json_decref(reply.error);
  return is_found ? 0 : reply.status;
}

static void paths_below_the_folder_are_found(void **state) {
  (void)state;
  World world;
  world_begin(&world);
  char path[200];
  snprintf(path, sizeof path, "%s/sub", world.folder);
  mkdir(path, 0755);
  world_write(world.folder, "a.hbg", "");
  world_write(world.folder, "sub/b.hbg", "");
  assert_int_equal(find(&world, "a.hbg", false), 0);
  assert_int_equal(find(&world, "sub/b.hbg", false), 0);
  assert_int_equal(find(&world, "sub/new.hbg", true), 0);
  assert_int_equal(find(&world, "sub/new.hbg", false), 404);
  assert_int_equal(find(&world, "nowhere/new.hbg", true), 404);
  assert_int_equal(find(&world, "library:electrical.hbg", false), 0);
  assert_int_equal(find(&world, "library:none.hbg", false), 404);
  assert_int_equal(find(&world, "gallery:a/a.hbg", false), 404);
  world_end(&world);
}

static void no_path_leads_out(void **state) {
  (void)state;
  World world;
  world_begin(&world);
  static const char *const outside[] = {"../a.hbg", "/etc/passwd", "sub/../../a.hbg", "..", ".", "", "a//b.hbg", "./a.hbg", "sub/", "/a.hbg", ".hidden.hbg", ".hybrsim-studio/a.hbg", "a\nb.hbg", "a\\b.hbg", "library:../a.hbg", "library:/etc/a.hbg", "library:", "gallery:../a.hbg", "%2e%2e/../a.hbg"};
  for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
    assert_int_equal(find(&world, outside[i], false), 403);
    assert_int_equal(find(&world, outside[i], true), 403);
  }
  assert_int_equal(find(&world, "notes.txt", true), 400);
  char long_path[2000];
  memset(long_path, 'a', sizeof long_path);
  strcpy(long_path + sizeof long_path - 5, ".hbg");
  assert_int_equal(find(&world, long_path, true), 403);
  world_end(&world);
}

static void links_are_followed_before_it_is_judged(void **state) {
  (void)state;
  World world, other;
  char from[200], to[200];
  world_begin(&world);
  world_begin(&other);
  world_write(other.folder, "secret.hbg", "model Secret {}");
  world_write(world.folder, "here.hbg", "");
  snprintf(to, sizeof to, "%s/secret.hbg", other.folder);
  snprintf(from, sizeof from, "%s/link.hbg", world.folder);
  assert_int_equal(symlink(to, from), 0);
  snprintf(from, sizeof from, "%s/out", world.folder);
  assert_int_equal(symlink(other.folder, from), 0);
  snprintf(from, sizeof from, "%s/nowhere.hbg", world.folder);
  snprintf(to, sizeof to, "%s/not-yet.hbg", other.folder);
  assert_int_equal(symlink(to, from), 0);
  snprintf(from, sizeof from, "%s/inside.hbg", world.folder);
  assert_int_equal(symlink("here.hbg", from), 0);

  assert_int_equal(find(&world, "link.hbg", false), 403);
  assert_int_equal(find(&world, "out/secret.hbg", false), 403);
  assert_int_equal(find(&world, "out/new.hbg", true), 403);
  assert_int_equal(find(&world, "nowhere.hbg", true), 404); // writing would go outside
  assert_int_equal(find(&world, "inside.hbg", false), 0);
  world_end(&other);
  world_end(&world);
}

static void models_import_from_the_folder_and_not_from_outside(void **state) {
  (void)state;
  World world;
  world_begin(&world);
  world_write(world.folder, "part.hbg", "submodel Part(port a) { R r(1); a -> r }\n");
  world_write(world.folder, "good.hbg", "import \"part.hbg\"\nmodel Good { Se u(1); Part p; u -> p }\n");
  world_write(world.folder, "bad.hbg", "import \"/etc/hostname\"\nmodel Bad { Se u(1); R r(1); u -> r }\n");
  json_t *good = world_ask(&world, studio_look, "{\"path\": \"good.hbg\", \"version\": 0}");
  assert_true(flag_in(good, "isRight"));
  json_decref(good);
  json_t *bad = world_ask(&world, studio_look, "{\"path\": \"bad.hbg\", \"version\": 0}");
  assert_false(flag_in(bad, "isRight"));
  json_decref(bad);
  world_end(&world);
}

static void the_list_has_models_and_what_they_tell(void **state) {
  (void)state;
  World world;
  char path[200];
  world_begin(&world);
  snprintf(path, sizeof path, "%s/sub", world.folder);
  mkdir(path, 0755);
  world_write(world.folder, "sub/one.hbg", "// SPDX-License-Identifier: X\n// A thing,\n// and more.\n\n// another\nmodel One {\n}\n");
  world_write(world.folder, "empty.hbg", "");
  world_write(world.folder, "other.txt", "");
  world_write(world.folder, ".hidden.hbg", "");
  json_t *answer = world_ask(&world, studio_folder, "{}");
  const json_t *models = json_object_get(answer, "models");
  assert_int_equal(json_array_size(models), 2);
  assert_string_equal(text_in(json_array_get(models, 0), "path"), "empty.hbg");
  assert_string_equal(text_in(json_array_get(models, 0), "name"), "");
  assert_string_equal(text_in(json_array_get(models, 1), "path"), "sub/one.hbg");
  assert_string_equal(text_in(json_array_get(models, 1), "name"), "One");
  assert_string_equal(text_in(json_array_get(models, 1), "description"), "A thing, and more.");
  json_decref(answer);
  world_end(&world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(paths_below_the_folder_are_found),
      cmocka_unit_test(no_path_leads_out),
      cmocka_unit_test(links_are_followed_before_it_is_judged),
      cmocka_unit_test(models_import_from_the_folder_and_not_from_outside),
      cmocka_unit_test(the_list_has_models_and_what_they_tell),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
