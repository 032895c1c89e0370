/* SPDX-License-Identifier: BSD-3-Clause
 * Results as JSON. */
#include "support/check.h"
#include "support/one_arena.h"

#include "results/json.h"

static const char *written(const char *string) {
  HbgText text = hbg_text(&arena);
  hbg_json_add_text(&text, string);
  return text.bytes;
}

static void strings_are_escaped(void **state) {
  (void)state;
  assert_string_equal(written("a \"b\" \\ c\n\x01"), "\"a \\\"b\\\" \\\\ c\\n\\u0001\"");
  assert_string_equal(written(NULL), "null");
}

static void utf8_passes_and_everything_else_becomes_a_replacement(void **state) {
  (void)state;
  assert_string_equal(written("45\xc2\xb0 \xe2\x86\x92 \xf0\x9f\x8e\xb1"), "\"45\xc2\xb0 \xe2\x86\x92 \xf0\x9f\x8e\xb1\"");
  assert_string_equal(written("\xff"), "\"\\ufffd\"");
  assert_string_equal(written("\xc0\xaf"), "\"\\ufffd\\ufffd\"");             // an overlong slash
  assert_string_equal(written("\xed\xa0\x80"), "\"\\ufffd\\ufffd\\ufffd\""); // a surrogate
  assert_string_equal(written("cut \xe2\x86"), "\"cut \\ufffd\\ufffd\"");
}

static void what_json_cannot_say_is_null(void **state) {
  (void)state;
  HbgText text = hbg_text(&arena);
  hbg_json_add_number(&text, HUGE_VAL);
  hbg_json_add_number(&text, (double)NAN);
  hbg_json_add_number(&text, 0.1 + 0.2);
  assert_string_equal(text.bytes, "nullnull0.30000000000000004");
}

static void an_object_has_model_columns_rows_and_an_end(void **state) {
  (void)state;
  const HbgField fields[] = {{"time", "time", "s"}, {"on", "boolean", NULL}};
  const HbgCell cells[] = {{HBG_CELL_NUMBER, 1.0, NULL}, {HBG_CELL_TRUTH, 0.0, NULL}};
  HbgText text = hbg_text(&arena);
  hbg_json_add_header(&text, "M", fields, 2);
  hbg_json_add_row(&text, cells, 2, true);
  hbg_json_add_row(&text, cells, 2, false);
  hbg_json_add_end(&text, "stopped");
  assert_string_equal(text.bytes,
                      "{\"model\": \"M\",\n \"columns\": [\n  {\"name\": \"time\", \"kind\": \"time\", \"unit\": \"s\"},\n"
                      "  {\"name\": \"on\", \"kind\": \"boolean\", \"unit\": null}],\n \"rows\": [\n  [1, false],\n"
                      "  [1, false]],\n \"complete\": false,\n \"failure\": \"stopped\"}\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(strings_are_escaped),
      cmocka_unit_test(utf8_passes_and_everything_else_becomes_a_replacement),
      cmocka_unit_test(what_json_cannot_say_is_null),
      cmocka_unit_test(an_object_has_model_columns_rows_and_an_end),
  };
  return cmocka_run_group_tests(tests, open_arena, close_arena);
}
