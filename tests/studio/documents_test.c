/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "documents.h"

#include <time.h>

#include "drafts.h"
#include "pieces.h"
#include "world.h"

static void open_text(World *world, const char *text, bool is_dirty) {
  json_t *answer = world_ask(world, studio_open, "{\"path\": \"a.hbg\"}");
  assert_string_equal(text_in(answer, "text"), text);
  assert_int_equal(flag_in(answer, "isDirty"), is_dirty);
  json_decref(answer);
}

/* Waits until a condition of the folder holds, for a minute at most. */
static bool wait_until(bool (*holds)(World *), World *world) {
  for (int i = 0; i < 2400; i++) {
    if (holds(world)) return true;
    nanosleep(&(struct timespec){.tv_nsec = 25000000}, NULL);
  }
  return false;
}

static void updates_of_two_pages_are_put_in_order(void **state) {
  (void)state;
  World world;
  world_begin(&world);
  world_write(world.folder, "a.hbg", "one");
  open_text(&world, "one", false);
  json_t *first = world_ask(&world, studio_update, "{\"path\": \"a.hbg\", \"version\": 0, \"updates\": [{\"client\": \"x\", \"changes\": [3, [0, \" two\"]]}]}");
  assert_true(flag_in(first, "accepted"));
  assert_int_equal(number_in(first, "version"), 1);
  json_t *late = world_ask(&world, studio_update, "{\"path\": \"a.hbg\", \"version\": 0, \"updates\": [{\"client\": \"y\", \"changes\": [[0, \"zero \"], 3]}]}");
  assert_false(flag_in(late, "accepted"));
  const json_t *missed = json_object_get(late, "updates");
  assert_int_equal(json_array_size(missed), 1);
  assert_string_equal(text_in(json_array_get(missed, 0), "client"), "x");
  json_t *rebased = world_ask(&world, studio_update, "{\"path\": \"a.hbg\", \"version\": 1, \"updates\": [{\"client\": \"y\", \"changes\": [[0, \"zero \"], 7]}]}");
  assert_true(flag_in(rebased, "accepted"));
  open_text(&world, "zero one two", true);
  json_decref(first);
  json_decref(late);
  json_decref(rebased);
  world_end(&world);
}

static void what_makes_no_sense_changes_nothing(void **state) {
  (void)state;
  World world;
  world_begin(&world);
  world_write(world.folder, "a.hbg", "one");
  world_check_status(&world, studio_update, "{\"path\": \"a.hbg\", \"version\": 0, \"updates\": [{\"client\": \"x\", \"changes\": [3, [0, \"!\"]]}, {\"client\": \"x\", \"changes\": [9]}]}", 400);
  world_check_status(&world, studio_update, "{\"path\": \"a.hbg\", \"version\": 0, \"updates\": [{\"client\": 3, \"changes\": [3]}]}", 400);
  world_check_status(&world, studio_update, "{\"path\": \"a.hbg\", \"version\": 7, \"updates\": []}", 409);
  world_check_status(&world, studio_update, "{\"path\": \"a.hbg\", \"version\": -1, \"updates\": []}", 400);
  world_check_status(&world, studio_update, "{\"path\": \"a.hbg\", \"version\": 0}", 400);
  world_check_status(&world, studio_update, "{\"path\": \"library:electrical.hbg\", \"version\": 0, \"updates\": [{\"client\": \"x\", \"changes\": []}]}", 403);
  world_check_status(&world, studio_save, "{\"path\": \"a.hbg\", \"version\": 3}", 409);
  open_text(&world, "one", false);
  world_end(&world);
}

static void saving_never_overwrites_what_another_program_wrote(void **state) {
  (void)state;
  World world;
  world_begin(&world);
  world_write(world.folder, "a.hbg", "one");
  json_decref(world_ask(&world, studio_update, "{\"path\": \"a.hbg\", \"version\": 0, \"updates\": [{\"client\": \"x\", \"changes\": [[3, \"mine\"]]}]}"));
  world_write(world.folder, "a.hbg", "theirs");
  json_t *refused = world_ask(&world, studio_save, "{\"path\": \"a.hbg\", \"version\": 1}");
  assert_false(flag_in(refused, "saved"));
  assert_string_equal(text_in(refused, "reason"), "changed-on-disk");
  assert_string_equal(text_in(refused, "disk"), "theirs");
  char *text = world_read(world.folder, "a.hbg");
  assert_string_equal(text, "theirs");
  free(text);
  json_t *forced = world_ask(&world, studio_save, "{\"path\": \"a.hbg\", \"version\": 1, \"force\": true}");
  assert_true(flag_in(forced, "saved"));
  text = world_read(world.folder, "a.hbg");
  assert_string_equal(text, "mine");
  free(text);
  json_decref(refused);
  json_decref(forced);
  world_end(&world);
}

static void saving_keeps_the_mode_and_the_ends_of_lines(void **state) {
  (void)state;
  World world;
  struct stat status;
  char path[200];
  world_begin(&world);
  world_write(world.folder, "a.hbg", "one\r\ntwo\r\n");
  snprintf(path, sizeof path, "%s/a.hbg", world.folder);
  chmod(path, 0640);
  open_text(&world, "one\ntwo\n", false);
  json_decref(world_ask(&world, studio_update, "{\"path\": \"a.hbg\", \"version\": 0, \"updates\": [{\"client\": \"x\", \"changes\": [8, [0, \"three\", \"\"]]}]}"));
  json_decref(world_ask(&world, studio_save, "{\"path\": \"a.hbg\", \"version\": 1}"));
  char *text = world_read(world.folder, "a.hbg");
  assert_string_equal(text, "one\r\ntwo\r\nthree\r\n");
  free(text);
  assert_int_equal(stat(path, &status), 0);
  assert_int_equal(status.st_mode & 0777, 0640);
  open_text(&world, "one\ntwo\nthree\n", false);
  world_end(&world);
}

static void files_that_are_no_text_are_refused(void **state) {
  (void)state;
  World world;
  char path[200];
  world_begin(&world);
  world_write(world.folder, "a.hbg", "\xff\xfe");
  world_check_status(&world, studio_open, "{\"path\": \"a.hbg\"}", 400);
  snprintf(path, sizeof path, "%s/pipe.hbg", world.folder);
  assert_int_equal(mkfifo(path, 0600), 0);
  world_check_status(&world, studio_open, "{\"path\": \"pipe.hbg\"}", 400);
  snprintf(path, sizeof path, "%s/folder.hbg", world.folder);
  assert_int_equal(mkdir(path, 0700), 0);
  world_check_status(&world, studio_open, "{\"path\": \"folder.hbg\"}", 400);
  world_end(&world);
}

static void a_new_file_takes_the_place_of_none(void **state) {
  (void)state;
  World world;
  world_begin(&world);
  json_t *made = world_ask(&world, studio_new, "{\"path\": \"new.hbg\", \"text\": \"model New { }\\n\"}");
  assert_string_equal(text_in(made, "text"), "model New { }\n");
  json_decref(made);
  world_check_status(&world, studio_new, "{\"path\": \"new.hbg\", \"text\": \"\"}", 409);
  world_check_status(&world, studio_new, "{\"path\": \"library:new.hbg\", \"text\": \"\"}", 404);
  world_check_status(&world, studio_new, "{\"path\": \"../new.hbg\", \"text\": \"\"}", 403);
  char *text = world_read(world.folder, "new.hbg");
  assert_string_equal(text, "model New { }\n");
  free(text);
  world_end(&world);
}

static bool has_draft(World *world) {
  StudioDraft draft;
  studio_draft_read(world->studio.folder, "a.hbg", &draft);
  const bool answer = draft.text != NULL;
  studio_draft_free(&draft);
  return answer;
}
static bool has_no_draft(World *world) { return !has_draft(world); }

static void what_was_typed_survives_the_end_of_the_server(void **state) {
  (void)state;
  World world;
  world_begin(&world);
  world_write(world.folder, "a.hbg", "one");
  StudioKeeper *keeper = studio_keeper_create(&world.studio);
  json_decref(world_ask(&world, studio_update, "{\"path\": \"a.hbg\", \"version\": 0, \"updates\": [{\"client\": \"x\", \"changes\": [3, [0, \" two\"]]}]}"));
  assert_true(wait_until(has_draft, &world));
  studio_keeper_free(keeper);
  world_close(&world);

  world_open(&world);
  json_t *again = world_ask(&world, studio_open, "{\"path\": \"a.hbg\"}");
  assert_string_equal(text_in(again, "text"), "one two");
  assert_int_equal(number_in(again, "version"), 1);
  assert_true(flag_in(again, "isDirty"));
  json_decref(again);
  keeper = studio_keeper_create(&world.studio);
  json_decref(world_ask(&world, studio_save, "{\"path\": \"a.hbg\", \"version\": 1}"));
  assert_false(has_draft(&world));
  studio_keeper_free(keeper);
  assert_false(has_draft(&world));
  world_end(&world);
}

static void a_draft_of_a_file_that_changed_asks_before_it_is_saved(void **state) {
  (void)state;
  World world;
  world_begin(&world);
  world_write(world.folder, "a.hbg", "one");
  const StudioDraft draft = {.text = (char[]){"one two"}, .length = 7, .version = 5, .hash = studio_hash("one", 3)};
  assert_true(studio_draft_write(world.studio.folder, "a.hbg", &draft));
  world_write(world.folder, "a.hbg", "changed");
  open_text(&world, "one two", true);
  json_t *answer = world_ask(&world, studio_save, "{\"path\": \"a.hbg\", \"version\": 5}");
  assert_false(flag_in(answer, "saved"));
  assert_string_equal(text_in(answer, "disk"), "changed");
  json_decref(answer);
  world_end(&world);
}

static void a_broken_draft_is_none(void **state) {
  (void)state;
  World world;
  char folder[200];
  static const char *const broken[] = {"", "{", "[]", "{\"path\": \"b.hbg\", \"version\": 1, \"hash\": \"\", \"text\": \"x\"}", "{\"path\": \"a.hbg\", \"version\": -1, \"hash\": \"\", \"text\": \"x\"}",
                                       "{\"path\": \"a.hbg\", \"version\": 1, \"hash\": \"\", \"text\": 3}"};
  world_begin(&world);
  world_write(world.folder, "a.hbg", "one");
  snprintf(folder, sizeof folder, "%s/.hybrsim-studio", world.folder);
  mkdir(folder, 0700);
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
    world_write(folder, "a.hbg.draft", broken[i]);
    assert_false(has_draft(&world));
  }
  open_text(&world, "one", false);
  world_end(&world);
}

static void the_text_of_the_disk_is_taken_by_an_update(void **state) {
  (void)state;
  World world;
  world_begin(&world);
  world_write(world.folder, "a.hbg", "one");
  StudioKeeper *keeper = studio_keeper_create(&world.studio);
  json_decref(world_ask(&world, studio_update, "{\"path\": \"a.hbg\", \"version\": 0, \"updates\": [{\"client\": \"x\", \"changes\": [3, [0, \" two\"]]}]}"));
  assert_true(wait_until(has_draft, &world));
  world_check_status(&world, studio_revert, "{\"path\": \"a.hbg\", \"version\": 1}", 0);
  open_text(&world, "one", false);
  assert_true(wait_until(has_no_draft, &world));
  studio_keeper_free(keeper);
  world_end(&world);
}

static bool has_read_news(World *world) {
  json_t *answer = world_ask(world, studio_open, "{\"path\": \"a.hbg\"}");
  const bool has = !strcmp(text_in(answer, "text"), "changed") && !flag_in(answer, "isDirty") && number_in(answer, "version") == 1;
  json_decref(answer);
  return has;
}

static void a_clean_document_follows_its_file(void **state) {
  (void)state;
  World world;
  world_begin(&world);
  world_write(world.folder, "a.hbg", "one");
  open_text(&world, "one", false);
  StudioKeeper *keeper = studio_keeper_create(&world.studio);
  world_write(world.folder, "a.hbg", "changed");
  assert_true(wait_until(has_read_news, &world));
  studio_keeper_free(keeper);
  world_end(&world);
}

static void closing_throws_away_what_was_typed(void **state) {
  (void)state;
  World world;
  world_begin(&world);
  world_write(world.folder, "a.hbg", "one");
  StudioKeeper *keeper = studio_keeper_create(&world.studio);
  json_decref(world_ask(&world, studio_update, "{\"path\": \"a.hbg\", \"version\": 0, \"updates\": [{\"client\": \"x\", \"changes\": [[3]]}]}"));
  assert_true(wait_until(has_draft, &world));
  world_check_status(&world, studio_close, "{\"path\": \"a.hbg\"}", 0);
  assert_false(has_draft(&world));
  open_text(&world, "one", false);
  studio_keeper_free(keeper);
  world_end(&world);
}

static void a_look_sees_what_is_typed_in_an_imported_file(void **state) {
  (void)state;
  World world;
  world_begin(&world);
  world_write(world.folder, "a.hbg", "submodel Part(port a) { R r(1); a -> r }\n");
  world_write(world.folder, "b.hbg", "import \"a.hbg\"\nmodel B { Se u(1); Part p; u -> p }\n");
  json_t *before = world_ask(&world, studio_look, "{\"path\": \"b.hbg\", \"version\": 0}");
  assert_true(flag_in(before, "isRight"));
  json_decref(before);
  json_decref(world_ask(&world, studio_update, "{\"path\": \"a.hbg\", \"version\": 0, \"updates\": [{\"client\": \"x\", \"changes\": [[41]]}]}"));
  json_t *behind = world_ask(&world, studio_look, "{\"path\": \"b.hbg\", \"version\": 0}");
  assert_false(flag_in(behind, "isRight"));
  json_decref(behind);
  world_end(&world);
}

static void edits_of_several_operations_are_of_the_text_that_the_page_has(void **state) {
  (void)state;
  World world;
  world_begin(&world);
  world_write(world.folder, "a.hbg", "// \xc3\xa4\xf0\x9f\x98\x80\n\nmodel A {\n  I mass(1)\n  1 v\n  v -> mass\n}\n");
  json_t *answer = world_ask(&world, studio_edit,
                             "{\"path\": \"a.hbg\", \"version\": 0, \"operations\": [{\"op\": \"add\", \"where\": \"\", \"statements\": \"R brake(2)\", \"places\": []},"
                             "{\"op\": \"part\", \"where\": \"\", \"name\": \"mass\", \"part\": \"arguments\", \"text\": \"7\"},"
                             "{\"op\": \"import\", \"file\": \"mechanical.hbg\"}]}");
  assert_string_equal(text_in(answer, "reason"), "");
  const json_t *edits = json_object_get(answer, "edits");
  StudioPieces pieces;
  StudioPlaces places;
  char *text = world_read(world.folder, "a.hbg");
  studio_pieces_begin(&pieces, text, strlen(text));
  assert_true(studio_places_create(&places, text, strlen(text)));
  for (size_t i = json_array_size(edits); i-- > 0;) { // from the end, so that places stay
    const json_t *edit = json_array_get(edits, i);
    const HbgEdit one = {{(uint32_t)studio_places_byte(&places, (size_t)number_in(edit, "from")),
                          (uint32_t)studio_places_byte(&places, (size_t)number_in(edit, "to"))}, text_in(edit, "insert")};
    studio_pieces_apply(&pieces, &one, 1);
  }
  char *made = studio_pieces_text(&pieces, NULL);
  assert_string_equal(made, "// \xc3\xa4\xf0\x9f\x98\x80\n\nimport \"mechanical.hbg\"\n\nmodel A {\n  I mass(7)\n  R brake(2)\n  1 v\n  v -> mass\n}\n");
  studio_places_free(&places);
  studio_pieces_free(&pieces);
  free(made);
  free(text);
  json_decref(answer);
  world_check_status(&world, studio_edit, "{\"path\": \"a.hbg\", \"version\": 0, \"operations\": [{\"op\": \"fly\"}]}", 400);
  world_check_status(&world, studio_edit, "{\"path\": \"a.hbg\", \"version\": 0, \"operations\": [3]}", 400);
  world_check_status(&world, studio_edit, "{\"path\": \"a.hbg\", \"version\": 0, \"operations\": [{\"op\": \"place\", \"places\": [{\"name\": \"mass\", \"x\": 1e300, \"y\": 0}]}]}", 400);
  world_check_status(&world, studio_edit, "{\"path\": \"a.hbg\", \"version\": 1, \"operations\": []}", 409);
  world_end(&world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(updates_of_two_pages_are_put_in_order),
      cmocka_unit_test(what_makes_no_sense_changes_nothing),
      cmocka_unit_test(saving_never_overwrites_what_another_program_wrote),
      cmocka_unit_test(saving_keeps_the_mode_and_the_ends_of_lines),
      cmocka_unit_test(files_that_are_no_text_are_refused),
      cmocka_unit_test(a_new_file_takes_the_place_of_none),
      cmocka_unit_test(what_was_typed_survives_the_end_of_the_server),
      cmocka_unit_test(a_draft_of_a_file_that_changed_asks_before_it_is_saved),
      cmocka_unit_test(a_broken_draft_is_none),
      cmocka_unit_test(the_text_of_the_disk_is_taken_by_an_update),
      cmocka_unit_test(a_clean_document_follows_its_file),
      cmocka_unit_test(closing_throws_away_what_was_typed),
      cmocka_unit_test(a_look_sees_what_is_typed_in_an_imported_file),
      cmocka_unit_test(edits_of_several_operations_are_of_the_text_that_the_page_has),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
