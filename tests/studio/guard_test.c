/* SPDX-License-Identifier: BSD-3-Clause */
#include "guard.h"

#include <string.h>

#include "support/check.h"

static void only_names_of_this_computer_with_the_port_are_ours(void **state) {
  (void)state;
  assert_true(studio_host_is_ours("127.0.0.1:8080", 8080));
  assert_true(studio_host_is_ours("localhost:8080", 8080));
  assert_true(studio_host_is_ours("LocalHost:8080", 8080));
  assert_true(studio_host_is_ours("[::1]:8080", 8080));
  static const char *const foreign[] = {"", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:80801", "evil.example:8080", "localhost.evil.example:8080",
                                        "evil.example", "127.0.0.1:8080.evil.example", "0.0.0.0:8080", " localhost:8080"};
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) assert_false(studio_host_is_ours(foreign[i], 8080));
  assert_false(studio_host_is_ours(NULL, 8080));
}

static void an_origin_is_that_of_the_host_or_none(void **state) {
  (void)state;
  assert_true(studio_origin_is_ours(NULL, "localhost:8080"));
  assert_true(studio_origin_is_ours("http://localhost:8080", "localhost:8080"));
  static const char *const foreign[] = {"null", "", "http://localhost", "https://localhost:8080", "http://evil.example", "http://127.0.0.1:8080", "http://localhost:8080.evil.example"};
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) assert_false(studio_origin_is_ours(foreign[i], "localhost:8080"));
}

static void a_token_is_random_and_must_be_given_whole(void **state) {
  (void)state;
  char one[STUDIO_TOKEN_SIZE], other[STUDIO_TOKEN_SIZE], changed[STUDIO_TOKEN_SIZE + 1];
  assert_true(studio_token_make(one) && studio_token_make(other));
  assert_int_equal(strlen(one), 32);
  assert_string_not_equal(one, other);
  assert_true(studio_token_is(one, one));
  assert_false(studio_token_is(other, one));
  assert_false(studio_token_is(NULL, one));
  assert_false(studio_token_is("", one));
  strcpy(changed, one);
  changed[31] = changed[31] == 'a' ? 'b' : 'a';
  assert_false(studio_token_is(changed, one));
  strcpy(changed, one);
  strcat(changed, "0");
  assert_false(studio_token_is(changed, one));
  changed[31] = '\0';
  assert_false(studio_token_is(changed, one));
}

static void who_asks_too_often_waits(void **state) {
  (void)state;
  StudioRate rate = {.most = 3, .per_second = 2};
  for (int i = 0; i < 3; i++) assert_true(studio_rate_allows(&rate, 10));
  assert_false(studio_rate_allows(&rate, 10));
  assert_true(studio_rate_allows(&rate, 10.6));
  assert_false(studio_rate_allows(&rate, 10.6));
  assert_true(studio_rate_allows(&rate, 100));
  assert_true(studio_rate_allows(&rate, 100));
  assert_true(studio_rate_allows(&rate, 100));
  assert_false(studio_rate_allows(&rate, 100));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(only_names_of_this_computer_with_the_port_are_ours),
      cmocka_unit_test(an_origin_is_that_of_the_host_or_none),
      cmocka_unit_test(a_token_is_random_and_must_be_given_whole),
      cmocka_unit_test(who_asks_too_often_waits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
