/* SPDX-License-Identifier: BSD-3-Clause */
#include "utf.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"

static void only_right_utf8_without_nul_is_a_text(void **state) {
  (void)state;
  static const char *const right[] = {"", "abc", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"};
  static const char *const wrong[] = {"\x80", "\xc3", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "a\xffz", "\xe2\x82"};
  for (size_t i = 0; i < sizeof right / sizeof *right; i++) assert_true(studio_utf_is_right(right[i], strlen(right[i])));
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) assert_false(studio_utf_is_right(wrong[i], strlen(wrong[i])));
  assert_false(studio_utf_is_right("a\0b", 3));
}

static void a_character_beyond_the_basic_plane_is_two_units(void **state) {
  (void)state;
  assert_int_equal(studio_utf16_length("a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", 10), 5);
  bool is_split;
  assert_int_equal(studio_utf_skip("\xf0\x9f\x98\x80x", 5, 2, &is_split), 4);
  assert_false(is_split);
  assert_int_equal(studio_utf_skip("\xf0\x9f\x98\x80x", 5, 1, &is_split), 0);
  assert_true(is_split);
  assert_int_equal(studio_utf_skip("ab", 2, 9, &is_split), 2);
}

/* Places of a long text of all sizes of characters, against counting from its beginning. */
static void places_are_the_same_as_by_counting(void **state) {
  (void)state;
  static const char *const pieces[] = {"a", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80"};
  for (size_t skipped = 0; skipped < 4; skipped++) { // so that marks fall on each byte of characters
    char text[5000] = "";
    size_t length = 0;
    for (size_t i = 0; i < skipped; i++) text[length++] = 'x';
    for (unsigned i = 0; length + 5 < sizeof text; i = i * 5 + 3) {
      strcpy(text + length, pieces[i % 4]);
      length += strlen(pieces[i % 4]);
    }
    StudioPlaces places;
    assert_true(studio_places_create(&places, text, length));
    for (size_t byte = 0, units = 0; byte <= length; byte++) {
      if (byte < length && ((unsigned char)text[byte] & 0xC0) == 0x80) continue;
      units = studio_utf16_length(text, byte);
      assert_int_equal(studio_places_units(&places, byte), units);
      assert_int_equal(studio_places_byte(&places, units), byte);
    }
    assert_int_equal(studio_places_units(&places, length + 7), places.units);
    assert_int_equal(studio_places_byte(&places, SIZE_MAX), length);
    studio_places_free(&places);
  }
}

static void places_of_plain_text_are_bytes(void **state) {
  (void)state;
  StudioPlaces places;
  assert_true(studio_places_create(&places, "plain", 5));
  assert_int_equal(studio_places_units(&places, 3), 3);
  assert_int_equal(studio_places_byte(&places, 9), 5);
  studio_places_free(&places);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(only_right_utf8_without_nul_is_a_text),
      cmocka_unit_test(a_character_beyond_the_basic_plane_is_two_units),
      cmocka_unit_test(places_are_the_same_as_by_counting),
      cmocka_unit_test(places_of_plain_text_are_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
