/* SPDX-License-Identifier: BSD-3-Clause
 * A model drawn from nothing, stroke by stroke, as somebody with a mouse would do it. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "support/edited.h"

static char *text;

static void take(HbgDocument *document, const HbgChange *change) {
  if (*change->reason) fail_msg("%s\n%s", change->reason, text);
  char *next = edited_apply(text, change);
  hbg_document_free(document);
  free(text);
  text = next;
}

static void drop(const char *statement, const char *name, double x, double y) {
  HbgChange change;
  HbgDocument *document = edited_open(text);
  assert_int_equal(hbg_document_add(document, "", statement, &(HbgPlacement){name, x, y}, 1, &change), HBG_OK);
  take(document, &change);
}

static void join(const char *tail, const char *head) {
  HbgChange change;
  HbgDocument *document = edited_open(text);
  assert_int_equal(hbg_document_connect(document, "", tail, head, &change), HBG_OK);
  take(document, &change);
}

static void write_part(const char *name, HbgPart part, const char *what) {
  HbgChange change;
  HbgDocument *document = edited_open(text);
  assert_int_equal(hbg_document_set_part(document, "", name, part, what, &change), HBG_OK);
  take(document, &change);
}

static void a_bullet_and_a_block_of_wood_are_drawn_from_nothing(void **state) {
  (void)state;
  HbgChange change;
  text = strdup("model BulletWood {\n}\n");
  drop("I bullet(1)", "bullet", 0, 0);
  drop("I wood(1)", "wood", 300, 0);
  drop("1 v", "v", 0, 80);
  drop("1 v", "v", 300, 80);
  drop("0 contact", "contact", 150, 80);
  join("v", "bullet");
  join("wood", "v2");
  join("v", "contact");
  join("contact", "v2");
  write_part("bullet", HBG_PART_START, "f = 1");
  drop("block gap = integral(0, start = -0.2)", "gap", 150, 160);
  drop("block difference = sum(+0, -0)", "difference", 80, 160);
  join("v2", "difference");
  join("v", "difference");
  join("difference", "gap");
  write_part("stop", HBG_PART_VALUE, "1 [s]");
  HbgDocument *document = edited_open(text);
  assert_int_equal(hbg_document_add_machine(document, "", "contact", &change), HBG_OK);
  take(document, &change);
  static const char expected[] =
      "model BulletWood {\n"
      "  I bullet(1)  start f = 1\n"
      "  I wood(1)\n"
      "  1 v\n"
      "  1 v2\n"
      "  0 contact by Contact\n"
      "  v -> bullet\n"
      "  v2 -> wood\n"
      "  v -> contact\n"
      "  contact -> v2\n"
      "  block gap = integral(difference, start = -0.2)\n"
      "  block difference = sum(+v2.f, -v.f)\n"
      "\n"
      "  machine Contact {\n"
      "    on  connected  initial\n"
      "    off separate\n"
      "  }\n"
      "  stop 1 [s]\n"
      "\n"
      "  drawing {\n"
      "    bullet     at 0, 0\n"
      "    wood       at 300, 0\n"
      "    v          at 0, 80\n"
      "    v2         at 300, 80\n"
      "    contact    at 150, 80\n"
      "    gap        at 150, 160\n"
      "    difference at 80, 160\n"
      "  }\n"
      "}\n";
  if (strcmp(text, expected) != 0) fail_msg("%s", text);
  HbgModel *model;
  const HbgStatus status = hbg_model_load(text, strlen(text), NULL, &model);
  if (status != HBG_OK) fail_msg("%s\n%s", hbg_model_diagnostic(model, 0), text);
  hbg_model_free(model);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_bullet_and_a_block_of_wood_are_drawn_from_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
