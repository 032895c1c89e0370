/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/viewed.h"

/* At the mark the signature is `text`, and argument `active` is being written. */
static void check_signature(const char *marked, const char *text, int32_t active) {
  Viewed self = viewed(marked);
  HbgSignature signature;
  assert_int_equal(hbg_document_signature(self.document, self.at, &signature), HBG_OK);
  assert_string_equal(signature.text, text);
  if (*text) assert_int_equal(signature.active, active);
  viewed_end(&self);
}

static void a_function_tells_its_arguments(void **state) {
  (void)state;
  check_signature("model A { signal s = limit(|", "limit(x, lowest, highest)", 0);
  check_signature("model A { signal s = limit(max(1, 2), [1, 2], |", "limit(x, lowest, highest)", 2);
  check_signature("model A { signal s = limit(max(1, |", "max(a, b, ...)", 1);
  check_signature("function f(x, k = 2) = k*x\nmodel A { signal s = f(1, |", "f(x, k = 2)", 1);
}

static void so_do_elements_machines_and_instances(void **state) {
  (void)state;
  check_signature("model A { I body(|", "name(inertia)", 0);
  check_signature("model A { machine M(gap, speed) { off a; on b }\n 0 c by M(1, |", "M(gap, speed)", 1);
  check_signature("submodel S(port a, R = 1 [Ohm], in u, out y) { }\nmodel A { S s(2, |", "S(R = 1 [Ohm], in u)", 1);
}

static void outside_of_parentheses_there_is_none(void **state) {
  (void)state;
  check_signature("model A { signal s = limit(1, 2, 3) |", "", 0);
  check_signature("model A { signal s = (1 + |", "", 0);
  check_signature("model A { signal s = x[1, |", "", 0);
  check_signature("|", "", 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_function_tells_its_arguments),
      cmocka_unit_test(so_do_elements_machines_and_instances),
      cmocka_unit_test(outside_of_parentheses_there_is_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
