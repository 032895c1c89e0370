/* SPDX-License-Identifier: BSD-3-Clause
 * Comma separated values. */
#include "support/check.h"
#include "support/one_arena.h"

#include "results/csv.h"

static const char *written(const char *word) {
  HbgText text = hbg_text(&arena);
  hbg_csv_add_word(&text, word);
  return text.bytes;
}

static void plain_words_stay_plain(void **state) {
  (void)state;
  assert_string_equal(written("ball[3].p"), "ball[3].p");
  assert_string_equal(written(""), "");
}

static void commas_and_quotes_are_quoted_as_rfc_4180_has_it(void **state) {
  (void)state;
  assert_string_equal(written("max(a,b)"), "\"max(a,b)\"");
  assert_string_equal(written("say \"no\""), "\"say \"\"no\"\"\"");
  assert_string_equal(written("two\nlines"), "\"two\nlines\"");
}

static void a_row_has_numbers_truths_and_words(void **state) {
  (void)state;
  const HbgField fields[] = {{"time", "time", "s"}, {"is_on", "boolean", NULL}, {"a, b", "word", NULL}};
  const HbgCell cells[] = {{HBG_CELL_NUMBER, 0.1, NULL}, {HBG_CELL_TRUTH, 1.0, NULL}, {HBG_CELL_WORD, 0.0, "off"}};
  HbgText text = hbg_text(&arena);
  hbg_csv_add_header(&text, fields, 3);
  hbg_csv_add_row(&text, cells, 3);
  assert_string_equal(text.bytes, "time,is_on,\"a, b\"\n0.1,true,off\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plain_words_stay_plain),
      cmocka_unit_test(commas_and_quotes_are_quoted_as_rfc_4180_has_it),
      cmocka_unit_test(a_row_has_numbers_truths_and_words),
  };
  return cmocka_run_group_tests(tests, open_arena, close_arena);
}
