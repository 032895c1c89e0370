/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/utf8.h"

#include <string.h>

#include "support/check.h"

static HbgCharacter read_text(const char *text) { return hbg_utf8_read(text, (uint32_t)strlen(text)); }

static void characters_of_every_length_are_read(void **state) {
  (void)state;
  const struct {
    const char *text;
    uint32_t code, length;
  } cases[] = {{"a", 'a', 1}, {"\xC3\xA4", 0xE4, 2}, {"\xE2\x86\x92", 0x2192, 3}, {"\xF0\x9F\x98\x80", 0x1F600, 4}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const HbgCharacter character = read_text(cases[i].text);
    assert_int_equal(character.code, cases[i].code);
    assert_int_equal(character.length, cases[i].length);
  }
}

static void what_is_not_well_formed_is_one_wrong_byte(void **state) {
  (void)state;
  // alone, overlong (two and three bytes), surrogate, beyond the last code point, cut short, never a first byte
  const char *const cases[] = {"\x80",     "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                               "\xE2\x86", "\xFF"};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const HbgCharacter character = read_text(cases[i]);
    assert_int_equal(character.code, HBG_CHARACTER_WRONG);
    assert_int_equal(character.length, 1);
  }
}

static void the_first_wrong_byte_is_found(void **state) {
  (void)state;
  assert_int_equal(hbg_utf8_first_wrong("abc", 3), 3);
  assert_int_equal(hbg_utf8_first_wrong("", 0), 0);
  assert_int_equal(hbg_utf8_first_wrong("a\xC3\xA4\xB0z", 5), 3);
  assert_int_equal(hbg_utf8_first_wrong("ab\xC3", 3), 2);
}

static void marks_that_combine_have_no_width_and_east_asian_ones_two(void **state) {
  (void)state;
  assert_int_equal(hbg_utf8_width('a'), 1);
  assert_int_equal(hbg_utf8_width(0x3B8), 1);
  assert_int_equal(hbg_utf8_width(0x301), 0);
  assert_int_equal(hbg_utf8_width(0x7403), 2);
  assert_int_equal(hbg_utf8_width(0x1F600), 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(characters_of_every_length_are_read),
      cmocka_unit_test(what_is_not_well_formed_is_one_wrong_byte),
      cmocka_unit_test(the_first_wrong_byte_is_found),
      cmocka_unit_test(marks_that_combine_have_no_width_and_east_asian_ones_two),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
