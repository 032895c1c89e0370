/* SPDX-License-Identifier: BSD-3-Clause
 * Where names are declared and used, and what another name does. */
#include "support/viewed.h"

/* The name at the mark stands at as many places, of which so many declare it. */
static void check_uses(const char *marked, int32_t places, int32_t declarations) {
  Viewed self = viewed(marked);
  const HbgUse *uses;
  int32_t count, declared = 0;
  assert_int_equal(hbg_document_uses(self.document, self.at, &uses, &count), HBG_OK);
  for (int32_t i = 0; i < count; i++) declared += uses[i].is_declaration;
  if (count != places || declared != declarations) fail_msg("%d places and %d declarations in \"%s\"", count, declared, marked);
  viewed_end(&self);
}

static void a_name_is_found_wherever_it_is_used(void **state) {
  (void)state;
  check_uses("model A { param m| = 1, k = m; I body(m) start f = 2*m; signal s = if m > 1 then m else 0 }", 6, 1);
  check_uses("model A { 1 v; I a(1); v -> a : link; signal s = v|.f + link.f }", 3, 1);
}

static void an_array_is_one_name(void **state) {
  (void)state;
  check_uses("model A { I ball[1](1); I ball[2](1); 1 v; v -> ba|ll[1]; v -> ball[2]; signal s = ball[1+1].p }", 5, 2);
}

static void what_hides_a_name_is_another_one(void **state) {
  (void)state;
  // the loop variable, the parameter of the machine, the letter of the law
  check_uses("model A { param i| = 1; for i in 1..2 { 1 v[i] } signal s = i }", 2, 1);
  check_uses("model A { for i| in 1..2 { 1 v[i] } }", 2, 1);
  check_uses("model A { signal gap| = 1; machine M(gap) { off a; on b; a -> a when gap > 0 } }", 1, 1);
  check_uses("model A { param e| = 1; R r: e = 2*f; signal s = e }", 2, 1);
  check_uses("model A { param n| = 1; TF t: n = 2 }", 1, 1);
}

static void states_are_found_in_their_machine_and_where_they_are_asked_for(void **state) {
  (void)state;
  static const char text[] = "model A { 0 c by M; machine m2 = N(); signal free = c in %sfree and m2 in free\n"
                             "machine M { off free initial; on b; free -> b when time > 1; b -> free when time > 2 }\n"
                             "machine N { off free; on x } }";
  char marked[400];
  snprintf(marked, sizeof marked, text, "|");
  check_uses(marked, 4, 1);
}

static void arguments_with_names_belong_to_the_machine(void **state) {
  (void)state;
  check_uses("model A { 0 c by M(gap| = 1); machine M(gap) { off a; on b; a -> a when gap > 0 } }", 3, 1);
}

static void names_inside_of_instances_are_found_behind_points(void **state) {
  (void)state;
  static const char text[] = "submodel Cell(port left, port right, R%s = 1) { 1 line; R resistor(R); left -> line -> right; line -> resistor; signal u = resistor.e }\n"
                             "model A { Cell a(R = 2), b[1..2]; signal v = a.%s.e + a.R + b[1].u }";
  char marked[400];
  snprintf(marked, sizeof marked, text, "|", "resistor");
  check_uses(marked, 4, 1);
  snprintf(marked, sizeof marked, text, "", "re|sistor");
  check_uses(marked, 4, 1);
  // the submodel, and its ports in bonds
  check_uses("submodel Ce|ll(port a) { 1 v; a -> v }\nmodel A { Cell c; submodel_user x; Cell d }", 3, 1);
  check_uses("submodel Cell(port a|) { 1 v; a -> v }\nmodel A { Se s(1); Cell c; s -> c.a }", 3, 1);
  check_uses("submodel Cell(port a, submodel Part| = Cell) { Part p; a -> p }\nmodel A { Cell c }", 2, 1);
}

static void variables_events_functions_and_clocks_are_names(void **state) {
  (void)state;
  check_uses("model A { 0 c by M; signal n = c.count\n machine M { var cou|nt = 0; off a; on b; a -> b when time > 1 do count := count + 1 } }", 4, 1);
  check_uses("model A { event alarm|; 0 c by M; machine M { off a; on b; a -> b when alarm; b -> a when time > 1 send alarm } }", 3, 1);
  check_uses("function twice|(x) = 2*x\nmodel A { signal s = twice(time) }", 2, 1);
  check_uses("function twice(x|) = 2*x\nmodel A { signal x = twice(x = time) }", 3, 1);
  check_uses("model A { clock tick| = every(1 [s]); signal s = sample(time, tick) }", 2, 1);
  check_uses("model A { 0 c by M; machine M { on work { off rest| initial; on go; rest -> go when time > 1 } off end; work.rest -> end when time > 2 } }", 3, 1);
}

static void names_in_a_statement_that_is_wrong_count(void **state) {
  (void)state;
  check_uses("model A { param m| = 1\n I body(m) start =\n I other(m\n}", 3, 1);
}

/* As it is while one types: the machine of a junction is looked for inside of the junction itself, or of another one that looks there. */
static void paths_that_go_in_a_circle_lead_nowhere(void **state) {
  (void)state;
  check_uses("model A { 1 a| by a.b; signal s = a.f + a.b.c }", 4, 1);
  check_uses("model A { 1 a| by b.x; 1 b by a.y; signal s = a.x.f }", 3, 1);
  check_uses("submodel P = x.P; model A { P x|; signal s = x.P.y }", 2, 1);
}

static void what_is_not_declared_has_no_places(void **state) {
  (void)state;
  check_uses("model A { signal s = si|n(1) }", 0, 0);
  check_uses("model A { signal s = nothing| }", 0, 0);
  check_uses("model A { par|am s = 1 }", 0, 0);
}

/* ---- another name ---- */

static void apply(const Viewed *self, const HbgEdit *edits, int32_t count, char *out) {
  size_t end = 0, length = 0;
  for (int32_t i = 0; i < count; i++) {
    memcpy(out + length, self->text + end, edits[i].range.begin - end);
    length += edits[i].range.begin - end;
    memcpy(out + length, edits[i].text, strlen(edits[i].text));
    length += strlen(edits[i].text);
    end = edits[i].range.end;
  }
  strcpy(out + length, self->text + end);
}

/* With `name` for the name at the mark the text is `expected`; NULL: it is refused with `reason`. */
static void check_rename(const char *marked, const char *name, const char *expected, const char *reason) {
  Viewed self = viewed(marked);
  const HbgEdit *edits;
  const char *said;
  char out[500];
  int32_t count;
  assert_int_equal(hbg_document_rename(self.document, self.at, name, &edits, &count, NULL, &said), HBG_OK);
  if (expected) {
    assert_string_equal(said, "");
    apply(&self, edits, count, out);
    assert_string_equal(out, expected);
  } else {
    assert_int_equal(count, 0);
    if (!strstr(said, reason)) fail_msg("it says: %s", said);
  }
  viewed_end(&self);
}

static void another_name_is_written_everywhere(void **state) {
  (void)state;
  check_rename("model A { param m| = 1; I body(m); 1 v; v -> body }", "mass", "model A { param mass = 1; I body(mass); 1 v; v -> body }", NULL);
  check_rename("model A { I body(1); 1 v; v -> bo|dy; signal s = body.p }", "ball",
               "model A { I ball(1); 1 v; v -> ball; signal s = ball.p }", NULL);
}

static void a_name_that_is_taken_or_reserved_is_refused(void **state) {
  (void)state;
  check_rename("model A { param m| = 1, k = m }", "k", NULL, "something else");
  check_rename("model A { param m| = 1 }", "then", NULL, "word of the language");
  check_rename("model A { param m| = 1 }", "time", NULL, "word of the language");
  check_rename("model A { param m| = 1 }", "2m", NULL, "no name");
  check_rename("model A { param m| = 1 }", "", NULL, "no name");
  check_rename("model A { param m| = 1 }", "a b", NULL, "no name");
  check_rename("model A { param m = 1; signal s = si|n(m) }", "cosine", NULL, "no name here");
}

static void a_name_that_would_be_hidden_is_refused(void **state) {
  (void)state;
  check_rename("model A { param a| = 1; for i in 1..2 { signal s[i] = a } }", "i", NULL, "something else");
  check_rename("model A { param a| = 1; R r: e = a*f }", "f", NULL, "something else");
  check_rename("model A { signal a| = 1; machine M(x) { off p; on q; p -> p when x > a } }", "x", NULL, "something else");
  // the letter of another element hides nothing
  check_rename("model A { param a| = 1; R r: e = a*f }", "q", "model A { param q = 1; R r: e = q*f }", NULL);
}

static void a_text_that_cannot_be_read_keeps_its_names(void **state) {
  (void)state;
  check_rename("model A { param m| = 1; I body(m }", "mass", NULL, "mistakes");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_name_is_found_wherever_it_is_used),
      cmocka_unit_test(an_array_is_one_name),
      cmocka_unit_test(what_hides_a_name_is_another_one),
      cmocka_unit_test(states_are_found_in_their_machine_and_where_they_are_asked_for),
      cmocka_unit_test(arguments_with_names_belong_to_the_machine),
      cmocka_unit_test(names_inside_of_instances_are_found_behind_points),
      cmocka_unit_test(variables_events_functions_and_clocks_are_names),
      cmocka_unit_test(names_in_a_statement_that_is_wrong_count),
      cmocka_unit_test(paths_that_go_in_a_circle_lead_nowhere),
      cmocka_unit_test(what_is_not_declared_has_no_places),
      cmocka_unit_test(another_name_is_written_everywhere),
      cmocka_unit_test(a_name_that_is_taken_or_reserved_is_refused),
      cmocka_unit_test(a_name_that_would_be_hidden_is_refused),
      cmocka_unit_test(a_text_that_cannot_be_read_keeps_its_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
