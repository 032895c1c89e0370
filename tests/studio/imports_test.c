/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "editing.h"
#include "pieces.h"
#include "support/check.h"

/* What becomes of the text; NULL: nothing has to. */
static void check(const char *text, const char *file, const char *expected) {
  HbgEdit edit;
  char *statement = studio_import_edit(text, file, &edit);
  if (!expected) {
    assert_null(statement);
    return;
  }
  assert_non_null(statement);
  StudioPieces pieces;
  studio_pieces_begin(&pieces, text, strlen(text));
  studio_pieces_apply(&pieces, &edit, 1);
  char *made = studio_pieces_text(&pieces, NULL);
  assert_string_equal(made, expected);
  free(made);
  free(statement);
  studio_pieces_free(&pieces);
}

static void an_import_stands_behind_the_others(void **state) {
  (void)state;
  check("import \"a.hbg\"\n\nmodel M { }\n", "b.hbg", "import \"a.hbg\"\nimport \"b.hbg\"\n\nmodel M { }\n");
  check("// x\nimport \"a.hbg\" as a // why\nmodel M { }\n", "b.hbg", "// x\nimport \"a.hbg\" as a // why\nimport \"b.hbg\"\nmodel M { }\n");
  check("import \"a.hbg\"", "b.hbg", "import \"a.hbg\"\nimport \"b.hbg\"\n");
}

static void the_first_import_stands_behind_the_first_comment(void **state) {
  (void)state;
  check("model M { }\n", "b.hbg", "import \"b.hbg\"\n\nmodel M { }\n");
  check("// about\n// it\n\nmodel M { }\n", "b.hbg", "// about\n// it\n\nimport \"b.hbg\"\n\nmodel M { }\n");
  check("// of M\nmodel M { }\n", "b.hbg", "import \"b.hbg\"\n\n// of M\nmodel M { }\n");
  check("", "b.hbg", "import \"b.hbg\"\n\n");
}

static void what_is_imported_already_is_not_imported_again(void **state) {
  (void)state;
  check("import \"a.hbg\"\nimport \"b.hbg\" as b\nmodel M { }\n", "b.hbg", NULL);
  check("// import \"b.hbg\"\n\nmodel M { }\n", "b.hbg", "// import \"b.hbg\"\n\nimport \"b.hbg\"\n\nmodel M { }\n");
  check("import \"bb.hbg\"\n", "b.hbg", "import \"bb.hbg\"\nimport \"b.hbg\"\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_import_stands_behind_the_others),
      cmocka_unit_test(the_first_import_stands_behind_the_first_comment),
      cmocka_unit_test(what_is_imported_already_is_not_imported_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
