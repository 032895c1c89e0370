/* SPDX-License-Identifier: BSD-3-Clause */
#include "pieces.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"

static void check_edits(StudioPieces *pieces, const char *expected) {
  StudioPlaces places;
  assert_true(studio_places_create(&places, pieces->original, pieces->length));
  json_t *edits = studio_pieces_edits(pieces, &places);
  char *text = json_dumps(edits, JSON_COMPACT);
  assert_string_equal(text, expected);
  free(text);
  json_decref(edits);
  studio_places_free(&places);
}

static void check_text(StudioPieces *pieces, const char *expected) {
  size_t length = 0;
  char *text = studio_pieces_text(pieces, &length);
  assert_string_equal(text, expected);
  assert_int_equal(length, strlen(expected));
  free(text);
}

static void edits_one_after_the_other_are_edits_of_the_first_text(void **state) {
  (void)state;
  StudioPieces pieces;
  studio_pieces_begin(&pieces, "0123456789", 10);
  studio_pieces_apply(&pieces, (const HbgEdit[]){{{1, 3}, "ab"}, {{9, 9}, "Z"}}, 2);
  check_text(&pieces, "0ab345678Z9");
  studio_pieces_apply(&pieces, (const HbgEdit[]){{{2, 4}, "X"}}, 1); // across what came and what was
  check_text(&pieces, "0aX45678Z9");
  check_edits(&pieces, "[{\"from\":1,\"to\":4,\"insert\":\"aX\"},{\"from\":9,\"to\":9,\"insert\":\"Z\"}]");
  studio_pieces_free(&pieces);
}

static void what_comes_and_goes_again_is_no_edit(void **state) {
  (void)state;
  StudioPieces pieces;
  studio_pieces_begin(&pieces, "abc", 3);
  studio_pieces_apply(&pieces, (const HbgEdit[]){{{1, 1}, "xyz"}}, 1);
  studio_pieces_apply(&pieces, (const HbgEdit[]){{{1, 4}, ""}}, 1);
  check_edits(&pieces, "[]");
  studio_pieces_apply(&pieces, (const HbgEdit[]){{{0, 2}, "aB"}}, 1);
  check_edits(&pieces, "[{\"from\":1,\"to\":2,\"insert\":\"B\"}]");
  studio_pieces_free(&pieces);
}

static void places_of_edits_count_units_and_cut_no_character(void **state) {
  (void)state;
  StudioPieces pieces;
  const char *text = "\xf0\x9f\x98\x80=\xc3\xa4;";
  studio_pieces_begin(&pieces, text, strlen(text));
  studio_pieces_apply(&pieces, (const HbgEdit[]){{{5, 7}, "\xc3\xb6"}}, 1);
  check_edits(&pieces, "[{\"from\":3,\"to\":4,\"insert\":\"\xc3\xb6\"}]");
  studio_pieces_free(&pieces);
}

static void a_place_is_found_again_unless_it_is_gone(void **state) {
  (void)state;
  StudioPieces pieces;
  size_t now;
  studio_pieces_begin(&pieces, "0123456789", 10);
  studio_pieces_apply(&pieces, (const HbgEdit[]){{{2, 5}, "long text"}}, 1);
  assert_true(studio_pieces_find(&pieces, 7, &now));
  assert_int_equal(now, 13);
  assert_true(studio_pieces_find(&pieces, 10, &now));
  assert_int_equal(now, 16);
  assert_false(studio_pieces_find(&pieces, 3, &now));
  studio_pieces_free(&pieces);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(edits_one_after_the_other_are_edits_of_the_first_text),
      cmocka_unit_test(what_comes_and_goes_again_is_no_edit),
      cmocka_unit_test(places_of_edits_count_units_and_cut_no_character),
      cmocka_unit_test(a_place_is_found_again_unless_it_is_gone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
