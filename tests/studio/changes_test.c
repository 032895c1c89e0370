/* SPDX-License-Identifier: BSD-3-Clause */
#include "changes.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"

static json_t *read_json(const char *text) {
  json_t *json = json_loads(text, JSON_DECODE_ANY, NULL);
  assert_non_null(json);
  return json;
}

static void check(const char *text, const char *changes, const char *expected) {
  json_t *json = read_json(changes);
  const char *message;
  size_t length = 0;
  char *made = studio_changes_apply(json, text, strlen(text), &length, &message);
  if (!made) print_error("%s: %s\n", changes, message);
  assert_non_null(made);
  assert_string_equal(made, expected);
  assert_int_equal(length, strlen(expected));
  free(made);
  json_decref(json);
}

static void check_refused(const char *text, const char *changes, const char *words) {
  json_t *json = read_json(changes);
  const char *message = "";
  size_t length = 0;
  assert_null(studio_changes_apply(json, text, strlen(text), &length, &message));
  if (!strstr(message, words)) print_error("%s: %s\n", changes, message);
  assert_non_null(strstr(message, words));
  json_decref(json);
}

static void parts_keep_delete_and_insert(void **state) {
  (void)state;
  check("hello", "[5]", "hello");
  check("hello", "[2,[2],1]", "heo");
  check("hello", "[5,[0,\" you\"]]", "hello you");
  check("hello", "[[5,\"\",\"a\",\"\"]]", "\na\n");
  check("hello", "[1,[3,\"a\"],1]", "hao");
  check("", "[]", "");
  check("", "[[0,\"new\"]]", "new");
}

static void lengths_count_units_of_utf16(void **state) {
  (void)state;
  check("\xf0\x9f\x98\x80\xc3\xa4x", "[2,[1],1]", "\xf0\x9f\x98\x80x");
  check("\xf0\x9f\x98\x80", "[[2,\"\\u00e4\"]]", "\xc3\xa4");
}

static void nonsense_is_refused(void **state) {
  (void)state;
  check_refused("hello", "[4]", "shorter");
  check_refused("hello", "[6]", "longer");
  check_refused("\xc3\xa4\xc3\xa4", "[3]", "longer");
  check_refused("hello", "[[6]]", "longer");
  check_refused("hello", "[-1,6]", "counts no");
  check_refused("hello", "[9223372036854775807]", "longer");
  check_refused("hello", "[2.5]", "counts no");
  check_refused("hello", "[[],5]", "counts no");
  check_refused("hello", "[[\"5\"]]", "counts no");
  check_refused("hello", "[[5,3]]", "no text");
  check_refused("hello", "[[5,\"a\\nb\"]]", "several lines");
  check_refused("hello", "{}", "no list");
  check_refused("hello", "null", "no list");
  check_refused("\xf0\x9f\x98\x80", "[1,[1]]", "in two");
}

static void what_lies_between_two_texts_is_small(void **state) {
  (void)state;
  static const char *const pairs[][3] = {
      {"same", "same", "[4]"},
      {"one two", "one three two", "[5,[0,\"hree t\"],2]"},
      {"a\nb\nc", "a\nx\ny\nc", "[2,[1,\"x\",\"y\"],2]"},
      {"\xc3\xa4", "\xc3\xb6", "[[1,\"\xc3\xb6\"]]"}, // they share a byte, and no character
      {"\xc3\xa4", "\xc5\xa4", "[[1,\"\xc5\xa4\"]]"},
      {"", "x", "[[0,\"x\"]]"},
      {"x", "", "[[1]]"},
      {"aa", "aaa", "[2,[0,\"a\"]]"},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    json_t *changes = studio_changes_between(pairs[i][0], strlen(pairs[i][0]), pairs[i][1], strlen(pairs[i][1]));
    char *text = json_dumps(changes, JSON_COMPACT);
    assert_string_equal(text, pairs[i][2]);
    check(pairs[i][0], text, pairs[i][1]);
    free(text);
    json_decref(changes);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_keep_delete_and_insert),
      cmocka_unit_test(lengths_count_units_of_utf16),
      cmocka_unit_test(nonsense_is_refused),
      cmocka_unit_test(what_lies_between_two_texts_is_small),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
