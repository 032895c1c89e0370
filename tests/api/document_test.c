/* SPDX-License-Identifier: BSD-3-Clause
 * The doors of documents: arguments that are missing, places beyond the end, memory that is refused. */
#include <stdlib.h>
#include <string.h>

#include "hybrsim/hybrsim.h"
#include "support/check.h"

static const char text[] = "model A {\nparam m=2 [kg]\n  I body(m)\n  1 v\n  0 c by M\n v->body\n v -> c\n  signal s = v.f + n\n"
                           "  machine M { off a; on b; a -> b when time > 1 }\n  stop 1\n}\n";

static void what_is_missing_is_refused(void **state) {
  (void)state;
  HbgDocument *document;
  HbgSignature signature;
  const HbgProposal *proposals;
  const HbgEdit *edits;
  const HbgOutlineItem *items;
  const char *said;
  HbgRange range;
  int32_t count;
  HbgModelOptions wrong = {0};
  assert_int_equal(hbg_document_open(text, sizeof text - 1, NULL, NULL), HBG_ARGUMENT);
  assert_int_equal(hbg_document_open(NULL, 3, NULL, &document), HBG_ARGUMENT);
  assert_null(document);
  assert_int_equal(hbg_document_open(text, sizeof text - 1, &wrong, &document), HBG_ARGUMENT);
  assert_int_equal(hbg_document_open(text, sizeof text - 1, NULL, &document), HBG_OK);
  assert_int_equal(hbg_document_hover(NULL, 0, &said, &range), HBG_ARGUMENT);
  assert_int_equal(hbg_document_hover(document, 0, NULL, &range), HBG_ARGUMENT);
  assert_int_equal(hbg_document_signature(document, 0, NULL), HBG_ARGUMENT);
  assert_int_equal(hbg_document_signature(NULL, 0, &signature), HBG_ARGUMENT);
  assert_int_equal(hbg_document_proposals(document, 0, NULL, &count), HBG_ARGUMENT);
  assert_int_equal(hbg_document_proposals(document, 0, &proposals, NULL), HBG_ARGUMENT);
  assert_int_equal(hbg_document_outline(NULL, &items, &count), HBG_ARGUMENT);
  assert_int_equal(hbg_document_format(document, 0, UINT32_MAX, NULL, &count), HBG_ARGUMENT);
  assert_int_equal(hbg_document_rename(document, 0, "x", NULL, &count, NULL, &said), HBG_ARGUMENT);
  assert_int_equal(hbg_document_rename(document, 0, "x", &edits, &count, NULL, NULL), HBG_ARGUMENT);
  hbg_document_free(document);
  hbg_document_free(NULL);
}

static void a_place_beyond_the_end_is_the_end(void **state) {
  (void)state;
  HbgDocument *document;
  const HbgProposal *proposals;
  const char *said;
  HbgRange range;
  int32_t count;
  assert_int_equal(hbg_document_open("", 0, NULL, &document), HBG_OK);
  assert_int_equal(hbg_document_hover(document, UINT32_MAX, &said, &range), HBG_OK);
  assert_string_equal(said, "");
  assert_int_equal(range.end, 0);
  assert_int_equal(hbg_document_proposals(document, 5, &proposals, &count), HBG_OK);
  hbg_document_free(document);
}

static void problems_are_told_with_code_title_and_cure(void **state) {
  (void)state;
  HbgDocument *document;
  const HbgProblem *problems;
  int32_t count;
  assert_int_equal(hbg_document_open(text, sizeof text - 1, NULL, &document), HBG_OK);
  assert_int_equal(hbg_document_problems(document, &problems, &count), HBG_OK);
  assert_int_equal(count, 1);
  assert_string_equal(problems[0].code, "E0201");
  assert_string_equal(problems[0].title, "there is nothing of that name");
  assert_true(problems[0].is_error);
  assert_int_equal(problems[0].range.begin, strstr(text, "+ n") + 2 - text);
  hbg_document_free(document);
}

/* ---- memory ---- */

typedef struct Purse {
  int64_t left, out; /* requests that are still granted, pieces that are out */
} Purse;

static void *take(size_t size, void *user) {
  Purse *purse = user;
  if (purse->left-- <= 0) return NULL;
  purse->out++;
  return malloc(size);
}

static void give_back(void *memory, size_t size, void *user) {
  (void)size;
  ((Purse *)user)->out--;
  free(memory);
}

/* The worst answer to all questions, and the first that was no success. */
static HbgStatus ask_everything(const HbgModelOptions *options) {
  HbgDocument *document;
  const HbgProposal *proposals;
  const HbgProblem *problems;
  const HbgOutlineItem *items;
  const HbgColoured *colours;
  const HbgEdit *edits;
  const HbgUse *uses;
  const char *said;
  HbgRange range;
  int32_t count;
  HbgStatus status = hbg_document_open(text, sizeof text - 1, options, &document);
  if (status != HBG_OK) return status;
  if (status == HBG_OK) status = hbg_document_problems(document, &problems, &count);
  if (status == HBG_OK) status = hbg_document_hover(document, 30, &said, &range);
  if (status == HBG_OK) status = hbg_document_proposals(document, 12, &proposals, &count);
  if (status == HBG_OK) status = hbg_document_uses(document, 16, &uses, &count);
  if (status == HBG_OK) status = hbg_document_outline(document, &items, &count);
  if (status == HBG_OK) status = hbg_document_colours(document, &colours, &count);
  if (status == HBG_OK) status = hbg_document_rename(document, 16, "mass", &edits, &count, NULL, &said);
  if (status == HBG_OK) status = hbg_document_format(document, 0, UINT32_MAX, &edits, &count);
  hbg_document_free(document);
  return status;
}

static void memory_that_is_refused_is_told_and_given_back(void **state) {
  (void)state;
  HbgStatus status = HBG_MEMORY;
  int64_t granted = 0;
  for (; status == HBG_MEMORY && granted < 1000; granted++) {
    Purse purse = {.left = granted};
    HbgModelOptions options = hbg_model_options();
    options.allocate = take;
    options.release = give_back;
    options.user = &purse;
    status = ask_everything(&options);
    assert_true(status == HBG_OK || status == HBG_MEMORY);
    assert_int_equal(purse.out, 0);
  }
  assert_int_equal(status, HBG_OK);
  assert_true(granted > 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_missing_is_refused),
      cmocka_unit_test(a_place_beyond_the_end_is_the_end),
      cmocka_unit_test(problems_are_told_with_code_title_and_cure),
      cmocka_unit_test(memory_that_is_refused_is_told_and_given_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
