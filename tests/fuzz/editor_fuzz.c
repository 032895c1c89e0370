/* SPDX-License-Identifier: BSD-3-Clause
 * Any text at all, as it is while somebody is typing: every question about every kind of place is answered, all places are in the
 * text, and a layout keeps what it must keep. */
#include "fuzz/fuzz.h"
#include "support/formatted.h"

enum { PLACES = 6 };

static void check_range(HbgRange range, size_t length) { HOLDS(range.begin <= range.end && range.end <= length); }

static void ask_about_place(HbgDocument *document, uint32_t at, size_t length) {
  const char *text;
  HbgRange range;
  const HbgProposal *proposals;
  const HbgDeclaration *declarations;
  const HbgUse *uses;
  const HbgEdit *edits;
  HbgSignature signature;
  int32_t count;
  if (hbg_document_hover(document, at, &text, &range) == HBG_OK) check_range(range, length);
  if (hbg_document_proposals(document, at, &proposals, &count) == HBG_OK)
    for (int32_t i = 0; i < count; i++) HOLDS(*proposals[i].text);
  if (hbg_document_signature(document, at, &signature) == HBG_OK)
    for (int32_t i = 0; i < signature.argument_count; i++) check_range(signature.arguments[i], strlen(signature.text));
  if (hbg_document_declarations(document, at, &declarations, &count) == HBG_OK)
    for (int32_t i = 0; i < count; i++) check_range(declarations[i].range, length);
  if (hbg_document_uses(document, at, &uses, &count) == HBG_OK)
    for (int32_t i = 0; i < count; i++) {
      check_range(uses[i].range, length);
      HOLDS(i == 0 || uses[i - 1].range.end <= uses[i].range.begin);
    }
  if (hbg_document_rename(document, at, "another_name", &edits, &count, NULL, &text) == HBG_OK) HOLDS(!*text || count == 0);
}

static void ask_about_all(HbgDocument *document, size_t length) {
  const HbgOutlineItem *items;
  const HbgRange *folds;
  const HbgColoured *colours;
  const HbgProblem *problems;
  int32_t count;
  if (hbg_document_outline(document, &items, &count) == HBG_OK)
    for (int32_t i = 0; i < count; i++) {
      HOLDS(items[i].parent < i);
      check_range(items[i].range, length);
      HOLDS(items[i].range.begin <= items[i].name_range.begin && items[i].name_range.end <= items[i].range.end);
    }
  if (hbg_document_folds(document, &folds, &count) == HBG_OK)
    for (int32_t i = 0; i < count; i++) check_range(folds[i], length);
  if (hbg_document_colours(document, &colours, &count) == HBG_OK)
    for (int32_t i = 0; i < count; i++) {
      check_range(colours[i].range, length);
      HOLDS(i == 0 || colours[i - 1].range.end <= colours[i].range.begin);
    }
  if (hbg_document_problems(document, &problems, &count) == HBG_OK)
    for (int32_t i = 0; i < count; i++) {
      check_range(problems[i].range, length);
      for (int32_t fix = 0; fix < problems[i].fix_count; fix++) check_range(problems[i].fixes[fix].edit.range, length);
    }
}

static bool no_file(const char *path, const char **bytes, size_t *length, void *user) {
  (void)path, (void)bytes, (void)length, (void)user;
  return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *text = (const char *)data;
  Purse purse = {.most = 8 << 20};
  HbgModelOptions options = purse_options(&purse);
  options.read = no_file;
  HbgDocument *document;
  uint32_t seed = (uint32_t)size;
  for (size_t i = 0; i < size; i++) seed = seed * 31 + data[i];
  if (hbg_document_open(text, size, &options, &document) == HBG_OK) {
    for (int i = 0; i < PLACES; i++, seed = seed * 1664525u + 1013904223u) ask_about_place(document, seed % ((uint32_t)size + 1), size);
    ask_about_all(document, size);
    hbg_document_free(document);
  }
  HOLDS(purse.spent == 0);
  const char *fault = format_fault(text, (uint32_t)size);
  if (fault) complain(fault, __FILE__, __LINE__);
  return 0;
}
