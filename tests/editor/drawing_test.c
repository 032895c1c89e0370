/* SPDX-License-Identifier: BSD-3-Clause
 * What an editor knows of the places of symbols. */
#include "support/viewed.h"

static const char body[] = "  Se push(1)\n  1 motion\n  I ball[1..2](1)\n  signal path = 2*motion.f\n"
                           "  push -> motion\n  motion -> ball[1]\n  motion -> ball[2]\n";

static Viewed with_body(const char *drawing) {
  char text[1000];
  snprintf(text, sizeof text, "model M {\n%s%s}\n", body, drawing);
  return viewed(text);
}

static bool is_proposed(Viewed *self, const char *text) {
  const HbgProposal *proposals;
  int32_t count;
  assert_int_equal(hbg_document_proposals(self->document, self->at, &proposals, &count), HBG_OK);
  for (int32_t i = 0; i < count; i++)
    if (strcmp(proposals[i].text, text) == 0) return true;
  return false;
}

static void names_in_a_drawing_are_uses(void **state) {
  (void)state;
  const HbgUse *uses;
  const HbgEdit *edits;
  const char *reason;
  int32_t count;
  Viewed self = with_body("  drawing {\n    mo|tion at 0, 0\n  }\n");
  assert_int_equal(hbg_document_uses(self.document, self.at, &uses, &count), HBG_OK);
  assert_int_equal(count, 6);
  assert_true(uses[0].is_declaration && !uses[5].is_declaration && uses[5].range.begin <= self.at);
  assert_int_equal(hbg_document_rename(self.document, self.at, "v", &edits, &count, NULL, &reason), HBG_OK);
  assert_string_equal(reason, "");
  assert_int_equal(count, 6);
  viewed_end(&self);
}

static void names_and_then_at_are_proposed_in_a_drawing(void **state) {
  (void)state;
  Viewed self = with_body("  drawing {\n    |\n  }\n");
  assert_true(is_proposed(&self, "ball") && is_proposed(&self, "motion") && is_proposed(&self, "path"));
  assert_false(is_proposed(&self, "param") || is_proposed(&self, "sin"));
  viewed_end(&self);
  self = with_body("  drawing {\n    ball[1] |\n  }\n");
  assert_true(is_proposed(&self, "at") && !is_proposed(&self, "start"));
  viewed_end(&self);
  self = with_body("  |\n");
  assert_true(is_proposed(&self, "drawing"));
  viewed_end(&self);
}

static void the_word_and_the_names_are_explained(void **state) {
  (void)state;
  const char *text;
  HbgRange range;
  Viewed self = with_body("  draw|ing {\n    motion at 0, 0\n  }\n");
  assert_int_equal(hbg_document_hover(self.document, self.at, &text, &range), HBG_OK);
  assert_non_null(strstr(text, "where symbols stand"));
  viewed_end(&self);
  self = with_body("  drawing {\n    mot|ion at 0, 0\n  }\n");
  assert_int_equal(hbg_document_hover(self.document, self.at, &text, &range), HBG_OK);
  assert_non_null(strstr(text, "1 motion"));
  viewed_end(&self);
}

static void a_drawing_is_folded_coloured_and_not_in_the_outline(void **state) {
  (void)state;
  const HbgRange *folds;
  const HbgColoured *colours;
  const HbgOutlineItem *items;
  int32_t count, item_count;
  Viewed self = with_body("  |drawing {\n    motion at 0, 0\n  }\n");
  assert_int_equal(hbg_document_folds(self.document, &folds, &count), HBG_OK);
  assert_int_equal(count, 2);
  assert_int_equal(hbg_document_outline(self.document, &items, &item_count), HBG_OK);
  assert_int_equal(item_count, 5); /* the model and its four declarations */
  assert_int_equal(hbg_document_colours(self.document, &colours, &count), HBG_OK);
  int32_t found = 0;
  for (int32_t i = 0; i < count; i++) {
    if (colours[i].range.begin < self.at) continue;
    static const HbgColour expected[] = {HBG_COLOUR_WORD, HBG_COLOUR_ELEMENT, HBG_COLOUR_WORD, HBG_COLOUR_NUMBER, HBG_COLOUR_NUMBER};
    assert_in_range(found, 0, 4);
    assert_int_equal(colours[i].colour, expected[found++]);
  }
  assert_int_equal(found, 5);
  viewed_end(&self);
}

/* The text with the first cure of its only problem. */
static void check_cure(const char *drawing, const char *expected) {
  const HbgProblem *problems;
  int32_t count;
  Viewed self = with_body(drawing);
  assert_int_equal(hbg_document_problems(self.document, &problems, &count), HBG_OK);
  assert_int_equal(count, 1);
  assert_string_equal(problems[0].code, "W0218");
  assert_int_equal(problems[0].fix_count, 1);
  const HbgEdit *edit = &problems[0].fixes[0].edit;
  char cured[1000];
  snprintf(cured, sizeof cured, "%.*s%s%s", (int)edit->range.begin, self.text, edit->text, self.text + edit->range.end);
  assert_string_equal(cured + strlen("model M {\n") + strlen(body), expected);
  viewed_end(&self);
}

static void the_cure_of_a_stale_place_takes_its_line_away(void **state) {
  (void)state;
  check_cure("  drawing {\n    gone at 0, 0   // it was here\n    motion at 1, 1\n  }\n|", "  drawing {\n    motion at 1, 1\n  }\n}\n");
  check_cure("  drawing { gone at 0, 0; motion at 1, 1 }\n|", "  drawing { motion at 1, 1 }\n}\n");
  check_cure("  drawing { motion at 1, 1; ball[3] at 0, 0 }\n|", "  drawing { motion at 1, 1;  }\n}\n");
}

static void places_are_laid_out_under_each_other(void **state) {
  (void)state;
  const HbgEdit *edits;
  int32_t count;
  Viewed self = viewed("model M {\n  drawing {\n    ball[1] at 1, -2\n    v       at -1.5, 2\n  }\n}\n|");
  assert_int_equal(hbg_document_format(self.document, 0, UINT32_MAX, &edits, &count), HBG_OK);
  assert_int_equal(count, 0);
  viewed_end(&self);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_in_a_drawing_are_uses),
      cmocka_unit_test(names_and_then_at_are_proposed_in_a_drawing),
      cmocka_unit_test(the_word_and_the_names_are_explained),
      cmocka_unit_test(a_drawing_is_folded_coloured_and_not_in_the_outline),
      cmocka_unit_test(the_cure_of_a_stale_place_takes_its_line_away),
      cmocka_unit_test(places_are_laid_out_under_each_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
