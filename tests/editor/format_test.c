/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L /* glob */
#include <glob.h>
#include <stdlib.h>

#include "support/check.h"
#include "support/formatted.h"

/* The layout of `text` is `expected`. */
static void check_format(const char *text, const char *expected) {
  Formatted formatted;
  formatted_begin(&formatted, text, (uint32_t)strlen(text));
  assert_string_equal(formatted.text.bytes, expected);
  formatted_end(&formatted);
}

/* What stands within a model: the layout of `text` is `expected`. */
static void check_body(const char *text, const char *expected) {
  char before[4096], after[4096];
  snprintf(before, sizeof before, "model A {\n%s\n}\n", text);
  snprintf(after, sizeof after, "model A {\n%s\n}\n", expected);
  check_format(before, after);
}

static void blocks_are_indented_by_two(void **state) {
  (void)state;
  check_format("model A {\nfor i in 1..2 {\n      1 v[i]\n}\n    }\n\n\n", "model A {\n  for i in 1..2 {\n    1 v[i]\n  }\n}\n");
}

static void operators_have_a_blank_on_both_sides_and_products_have_none(void **state) {
  (void)state;
  check_body("  param a=2 * ( b+c )/d ^ 2-1", "  param a = 2*(b + c)/d^2 - 1");
  check_body("  signal s = not  a<b  and c>=-1 or x in  on", "  signal s = not a < b and c >= -1 or x in on");
  check_body("  a->b<-c:link ->d", "  a -> b <- c : link -> d");
}

static void signs_stand_at_what_they_belong_to(void **state) {
  (void)state;
  check_body("  param a = - 1, b = 2 * - c, d = f( - x, + y), g = if - a > 0 then - 1 else + 1",
             "  param a = -1, b = 2*-c, d = f(-x, +y), g = if -a > 0 then -1 else +1");
  check_body("  param p = 2 ^ - 1 - - 3", "  param p = 2^-1 - -3");
}

static void indices_and_bounds_of_loops_are_tight(void **state) {
  (void)state;
  check_body("  signal x[ i + 1 ][2*k - 1] = y [i - 1] + z", "  signal x[i+1][2*k-1] = y[i-1] + z");
  check_body("  for i in 1 .. N - 1 { 1 v[i] }", "  for i in 1..N-1 { 1 v[i] }");
}

static void units_stand_one_blank_behind_their_number(void **state) {
  (void)state;
  check_body("  param m=1[kg],k = [1,2]   [N/m], w = (a)[rad/s]", "  param m = 1 [kg], k = [1, 2] [N/m], w = (a) [rad/s]");
}

static void a_law_has_its_colon_at_the_name_and_a_bond_between_blanks(void **state) {
  (void)state;
  check_body("  R  orifice :e=f*abs(f)", "  R orifice: e = f*abs(f)");
  check_body("  a -> b:link", "  a -> b : link");
}

static void parts_of_a_statement_stand_apart_when_it_has_a_line_for_itself(void **state) {
  (void)state;
  check_body("  I a(1) start f = 2\n  machine M {\n    off x initial\n    x -> x when a > 0\n  }",
             "  I a(1)  start f = 2\n  machine M {\n    off x  initial\n    x -> x  when a > 0\n  }");
  check_body("  machine M { off x  initial; x -> x  when a > 0 }", "  machine M { off x initial; x -> x when a > 0 }");
  // words of other places are names here
  check_body("  param initial = 1, start = 2", "  param initial = 1, start = 2");
}

static void what_belongs_together_stands_under_each_other(void **state) {
  (void)state;
  check_body("  Se a(1)\n  I b(2)\n  0 c", "  Se a(1)\n  I  b(2)\n  0  c");
  check_body("  signal height = a\n  signal v = b", "  signal height = a\n  signal v      = b");
  check_body("  machine M {\n    off a\n    on b\n    a -> b when x\n    b -> long when y\n  }",
             "  machine M {\n    off a\n    on  b\n    a -> b     when x\n    b -> long  when y\n  }");
  // a blank line separates
  check_body("  Se a(1)\n\n  I b(2)", "  Se a(1)\n\n  I b(2)");
}

static void comments_behind_lines_have_a_column(void **state) {
  (void)state;
  check_body("  param a = 1 // one\n  param bb = 2       // two",
             "  param a = 1                               // one\n  param bb = 2                              // two");
  // which goes to the right where lines are long, for all that stand together
  check_body("  param a = 1 // one\n  param b = 2222222222222 + 33333333333333333 // two\n\n  param c = 3 // three",
             "  param a = 1                                  // one\n  param b = 2222222222222 + 33333333333333333  // two\n\n"
             "  param c = 3                               // three");
  // a comment that goes on in the next line
  check_body("  param a = 1  // one\n               // and more\n  // of its own",
             "  param a = 1                               // one\n                                            // and more\n  // of its own");
}

static void statements_of_several_lines_go_on_where_they_belong(void **state) {
  (void)state;
  check_body("  signal s = a +\n  b", "  signal s = a +\n             b");
  check_body("  signal s =\n  b", "  signal s =\n      b");
  check_body("  signal m = max(\n  a,\n  b\n  )", "  signal m = max(\n    a,\n    b\n  )");
  check_body("  signal m = max(a,\n  b)", "  signal m = max(a,\n                 b)");
  check_body("  source -> motion\n  -> damper", "  source -> motion\n         -> damper");
  check_body("  param a = 1,\n  b = 2", "  param a = 1,\n        b = 2");
}

static void descriptions_of_several_lines_stand_under_each_other(void **state) {
  (void)state;
  check_format("submodel S(port a,\n  R=1 [Ohm] \"one\",\n  longer = 2 \"two\")\n\"all\" {\n}\n",
               "submodel S(port a,\n           R = 1 [Ohm]  \"one\",\n           longer = 2   \"two\")\n    \"all\" {\n}\n");
  check_body("  param a = 1   \"one\"", "  param a = 1 \"one\"");
  check_format("import  \"x.hbg\"  as y\n", "import \"x.hbg\" as y\n");
}

static void new_statements_are_laid_out_like_all_others(void **state) {
  (void)state;
  check_body("  machine M {\n    var n=0\n    on work initial{\n      off rest; on go\n      rest->go after 2[ms]\n    }\n    work.rest -> work when x do n:=n+1 send alarm priority(1)\n  }",
             "  machine M {\n    var n = 0\n    on work  initial {\n      off rest; on go\n      rest -> go  after 2 [ms]\n    }\n"
             "    work.rest -> work  when x do n := n + 1 send alarm priority (1)\n  }");
  check_body("  I coils([[L1,M],[M,L2]] [H])\n  a=>coils[1]\n  C plates{ e[1]=q[1]/c(q[2]); e[2]=0 }",
             "  I coils([[L1, M], [M, L2]] [H])\n  a => coils[1]\n  C plates { e[1] = q[1]/c(q[2]); e[2] = 0 }");
  check_body("  el.Diode d ( threshold=1 [V] ),e[1..3]\n  0 node:electrical", "  el.Diode d(threshold = 1 [V]), e[1..3]\n  0 node : electrical");
}

static void braces_of_blocks_of_several_lines_stand_apart(void **state) {
  (void)state;
  check_body("  machine M { off a; on b\n    a -> b when x }", "  machine M {\n    off a; on b\n    a -> b  when x\n  }");
  check_body("  machine M\n  {\n    off a\n  }", "  machine M {\n    off a\n  }");
  check_body("  machine M { // why\n    off a }", "  machine M {                               // why\n    off a\n  }");
}

static void there_is_one_blank_line_at_most(void **state) {
  (void)state;
  check_format("\n\nmodel A {\n\n  stop 1\n\n\n\n  step 1\n\n}\n\n", "model A {\n  stop 1\n\n  step 1\n}\n");
}

static void blanks_at_ends_of_lines_go_and_line_ends_stay_what_they_are(void **state) {
  (void)state;
  check_format("model A {  \r\n  // note \t\r\n  stop 1\t\r\n}", "model A {\r\n  // note\r\n  stop 1\r\n}\r\n");
  check_format("\xEF\xBB\xBFmodel A { }", "\xEF\xBB\xBFmodel A { }\n");
}

static void comments_are_kept_to_the_letter(void **state) {
  (void)state;
  check_body("  param a = /* one\n     two */ 1 /* three */ + b", "  param a = /* one\n     two */ 1 /* three */ + b");
}

static void tokens_never_grow_together(void **state) {
  (void)state;
  check_body("  param a = 1 / / 2, b = 1 . 5", "  param a = 1/ /2, b = 1 . 5");
}

static void what_is_wrong_stays_what_it_is(void **state) {
  (void)state;
  check_format("a '\n{ b '}", "a '\n    { b '}\n");
  check_format("a \" c\n{ b \" }", "a \" c\n    { b \" }\n");
  check_format("\n \xEF\xBB\xBFmodel A { }", " \xEF\xBB\xBFmodel A { }\n");
}

/* ---- all models there are ---- */

static void read_file(const char *path, char **text, uint32_t *length) {
  FILE *file = fopen(path, "rb");
  if (!file) fail_msg("cannot read %s", path);
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  rewind(file);
  *text = malloc((size_t)size + 1);
  *length = (uint32_t)fread(*text, 1, (size_t)size, file);
  (*text)[*length] = '\0';
  fclose(file);
}

static void check_all(const char *pattern) {
  glob_t found;
  assert_int_equal(glob(pattern, 0, NULL, &found), 0);
  int failures = 0;
  for (size_t i = 0; i < found.gl_pathc; i++) {
    char *text;
    uint32_t length;
    read_file(found.gl_pathv[i], &text, &length);
    const char *fault = format_fault(text, length);
    if (fault) print_error("%s: %s\n", found.gl_pathv[i], fault), failures++;
    free(text);
  }
  globfree(&found);
  assert_int_equal(failures, 0);
}

static void every_text_keeps_its_tokens_and_comments_and_is_laid_out_once(void **state) {
  (void)state;
  check_all(HBG_SOURCE_FOLDER "/models/*/*.hbg");
  check_all(HBG_SOURCE_FOLDER "/tests/models/witnesses/*.hbg");
  check_all(HBG_SOURCE_FOLDER "/tests/broken/*.hbg");
  check_all(HBG_SOURCE_FOLDER "/tests/fuzz/corpus/*/*");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_are_indented_by_two),
      cmocka_unit_test(operators_have_a_blank_on_both_sides_and_products_have_none),
      cmocka_unit_test(signs_stand_at_what_they_belong_to),
      cmocka_unit_test(indices_and_bounds_of_loops_are_tight),
      cmocka_unit_test(units_stand_one_blank_behind_their_number),
      cmocka_unit_test(a_law_has_its_colon_at_the_name_and_a_bond_between_blanks),
      cmocka_unit_test(parts_of_a_statement_stand_apart_when_it_has_a_line_for_itself),
      cmocka_unit_test(what_belongs_together_stands_under_each_other),
      cmocka_unit_test(comments_behind_lines_have_a_column),
      cmocka_unit_test(statements_of_several_lines_go_on_where_they_belong),
      cmocka_unit_test(descriptions_of_several_lines_stand_under_each_other),
      cmocka_unit_test(new_statements_are_laid_out_like_all_others),
      cmocka_unit_test(braces_of_blocks_of_several_lines_stand_apart),
      cmocka_unit_test(there_is_one_blank_line_at_most),
      cmocka_unit_test(blanks_at_ends_of_lines_go_and_line_ends_stay_what_they_are),
      cmocka_unit_test(comments_are_kept_to_the_letter),
      cmocka_unit_test(tokens_never_grow_together),
      cmocka_unit_test(what_is_wrong_stays_what_it_is),
      cmocka_unit_test(every_text_keeps_its_tokens_and_comments_and_is_laid_out_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
