/* SPDX-License-Identifier: BSD-3-Clause
 * Places have no effect on what a model is. */
#define _POSIX_C_SOURCE 200809L /* glob */
#include <glob.h>

#include "support/edited.h"
#include "support/elaborated.h"

enum { LONGEST_TEXT = 1 << 17 };

static void same_names(const char *a, const char *b) { assert_string_equal(a ? a : "", b ? b : ""); }

/* Everything but the places in the text, which the drawing may move. */
static void same_models(const HbgFlatModel *a, const HbgFlatModel *b) {
  assert_int_equal(a->node_count, b->node_count);
  for (int32_t i = 0; i < a->node_count; i++) {
    same_names(a->nodes[i].name, b->nodes[i].name);
    assert_true(a->nodes[i].kind == b->nodes[i].kind && a->nodes[i].law == b->nodes[i].law && a->nodes[i].state == b->nodes[i].state);
  }
  assert_int_equal(a->bond_count, b->bond_count);
  for (int32_t i = 0; i < a->bond_count; i++) {
    same_names(a->bonds[i].name, b->bonds[i].name);
    assert_true(a->bonds[i].tail == b->bonds[i].tail && a->bonds[i].head == b->bonds[i].head);
  }
  assert_int_equal(a->state_count, b->state_count);
  assert_int_equal(a->machine_count, b->machine_count);
  assert_int_equal(a->signal_count, b->signal_count);
  for (int32_t i = 0; i < a->signal_count; i++) assert_true(a->signals[i].expr == b->signals[i].expr);
  assert_int_equal(a->pool.count, b->pool.count);
  for (int32_t i = 1; i < a->pool.count; i++) {
    const HbgExprNode *x = hbg_expr_node(&a->pool, i), *y = hbg_expr_node(&b->pool, i);
    assert_true(x->op == y->op && x->a == y->a && x->b == y->b && x->c == y->c);
    assert_true(x->op != HBG_OP_CONSTANT || !(x->value < y->value || x->value > y->value));
  }
}

/* Every junction and element that is declared alone gets a place. */
static char *placed(const char *text) {
  const HbgOutlineItem *items;
  HbgPlacement places[200];
  char *names[200];
  int32_t count, place_count = 0;
  HbgDocument *document = edited_open(text);
  HbgChange change;
  assert_int_equal(hbg_document_outline(document, &items, &count), HBG_OK);
  for (int32_t i = 0; i < count && place_count < 200; i++) {
    const bool is_drawn = items[i].kind == HBG_PROPOSAL_ELEMENT || items[i].kind == HBG_PROPOSAL_JUNCTION;
    if (!is_drawn || strchr(items[i].name, '[') || items[i].parent < 0 || strcmp(items[items[i].parent].detail, "model") != 0) continue;
    names[place_count] = strdup(items[i].name);
    places[place_count] = (HbgPlacement){names[place_count], 40.0 * i, -20.5 * i};
    place_count++;
  }
  assert_int_equal(hbg_document_place(document, "", places, place_count, &change), HBG_OK);
  assert_string_equal(change.reason, "");
  char *out = edited_apply(text, &change);
  for (int32_t i = 0; i < place_count; i++) free(names[i]);
  hbg_document_free(document);
  return out;
}

static void places_do_not_change_a_model(void **state) {
  (void)state;
  static char text[LONGEST_TEXT];
  glob_t found = {0};
  int32_t compared = 0;
  assert_int_equal(glob(HBG_SOURCE_FOLDER "/models/*/*.hbg", 0, NULL, &found), 0);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    FILE *file = fopen(found.gl_pathv[i], "rb");
    assert_non_null(file);
    text[fread(text, 1, LONGEST_TEXT - 1, file)] = '\0';
    fclose(file);
    Elaborated before, after;
    elaborated_try(&before, text, NULL, 0);
    if (before.diagnostics.error_count == 0) { /* else it imports what is not here */
      char *drawn = placed(text);
      elaborated_begin(&after, drawn);
      same_models(&before.model, &after.model);
      elaborated_end(&after);
      free(drawn);
      compared++;
    }
    elaborated_end(&before);
  }
  globfree(&found);
  assert_true(compared > 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(places_do_not_change_a_model)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
