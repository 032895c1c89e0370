/* SPDX-License-Identifier: BSD-3-Clause
 * Submodels made of what is selected. */
#include "support/changed.h"

static char *extracted(const char *text, const char *const *names, int32_t count, const char *name, char reason[400]) {
  HbgDocument *document = changed_open(text);
  HbgChange change;
  assert_int_equal(hbg_document_extract(document, "", names, count, name, &change), HBG_OK);
  snprintf(reason, 400, "%s", change.reason);
  char *out = changed_apply(text, change.edits, change.count);
  hbg_document_free(document);
  return out;
}

static void the_contact_of_the_bullet_and_the_wood(void **state) {
  (void)state;
  static const char text[] =
      "// A bullet.\n"
      "model BulletWood {\n"
      "  param m1 = 1 [kg], m2 = 1 [kg]\n"
      "  I bullet(m1)  start f = 1                 // flies\n"
      "  I wood(m2)\n"
      "  1 bullet_motion, wood_motion\n"
      "  0 contact by Contact                      // one force\n"
      "  bullet_motion -> bullet\n"
      "  bullet_motion -> contact -> wood_motion -> wood\n"
      "  signal gap = integral(wood_motion.f) - integral(bullet_motion.f, start = -0.2 [m])\n"
      "  signal touches = contact in joined\n"
      "\n"
      "  machine Contact {\n"
      "    off apart  initial\n"
      "    on  joined\n"
      "    apart -> joined  when gap <= 0\n"
      "  }\n"
      "  stop 1 [s]\n"
      "  drawing {\n"
      "    bullet  at 10, 20\n"
      "    contact at 50, 60\n"
      "  }\n"
      "}\n";
  const char *const names[] = {"contact"};
  char reason[400];
  char *out = extracted(text, names, 1, "Gripper", reason);
  assert_string_equal(reason, "");
  assert_string_equal(out,
                      "// A bullet.\n"
                      "model BulletWood {\n"
                      "  param m1 = 1 [kg], m2 = 1 [kg]\n"
                      "  I bullet(m1)  start f = 1                 // flies\n"
                      "  I wood(m2)\n"
                      "  1 bullet_motion, wood_motion\n"
                      "  Gripper gripper(gap = gap)\n"
                      "  bullet_motion -> bullet\n"
                      "  bullet_motion -> gripper.bullet_motion\n"
                      "  gripper.wood_motion -> wood_motion -> wood\n"
                      "  signal gap = integral(wood_motion.f) - integral(bullet_motion.f, start = -0.2 [m])\n"
                      "  signal touches = gripper.contact in joined\n"
                      "\n"
                      "  stop 1 [s]\n"
                      "  drawing {\n"
                      "    bullet  at 10, 20\n"
                      "    gripper at 50, 60\n"
                      "  }\n"
                      "}\n"
                      "\n"
                      "submodel Gripper(port bullet_motion, port wood_motion, in gap) {\n"
                      "  0 contact by Contact                      // one force\n"
                      "  bullet_motion -> contact -> wood_motion\n"
                      "  machine Contact {\n"
                      "    off apart  initial\n"
                      "    on  joined\n"
                      "    apart -> joined  when gap <= 0\n"
                      "  }\n"
                      "  drawing {\n"
                      "    contact at 50, 60\n"
                      "  }\n"
                      "}\n");
  assert_true(changed_is_right(out));
  free(out);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_contact_of_the_bullet_and_the_wood),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
