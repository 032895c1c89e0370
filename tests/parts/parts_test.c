/* SPDX-License-Identifier: BSD-3-Clause
 * The library of submodels does what it says: models made of its parts, beside each what must come out. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/command.h"
#include "support/expectations.h"

#define FOLDER HBG_SOURCE_FOLDER "/tests/parts"

static bool ends_with(const char *name, const char *ending) {
  const size_t length = strlen(name), end = strlen(ending);
  return length > end && !strcmp(name + length - end, ending);
}

static void every_part_does_what_its_closed_form_says(void **state) {
  (void)state;
  int count = 0;
  DIR *folder = opendir(FOLDER);
  assert_non_null(folder);
  for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
    char expectations[300];
    if (!ends_with(entry->d_name, ".hbg")) continue;
    snprintf(expectations, sizeof expectations, "%.*s.txt", (int)strlen(entry->d_name) - 4, entry->d_name);
    check_expectations(FOLDER, expectations, entry->d_name);
    count++;
  }
  closedir(folder);
  assert_true(count >= 10);
}

/* Is `word` a word of one of the models here? */
static bool is_used(const char *word) {
  bool found = false;
  DIR *folder = opendir(FOLDER);
  assert_non_null(folder);
  for (struct dirent *entry = readdir(folder); entry && !found; entry = readdir(folder)) {
    char path[600], line[500], use[110];
    if (!ends_with(entry->d_name, ".hbg")) continue;
    snprintf(path, sizeof path, FOLDER "/%s", entry->d_name);
    snprintf(use, sizeof use, "  %s ", word);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (!found && fgets(line, sizeof line, file)) found = !strncmp(line, use, strlen(use));
    fclose(file);
  }
  closedir(folder);
  return found;
}

static void every_submodel_of_the_library_is_used_here(void **state) {
  (void)state;
  static const char *const files[] = {"electrical", "mechanical", "hydraulic", "thermal"};
  int count = 0;
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char path[600], line[500], name[100];
    snprintf(path, sizeof path, HBG_SOURCE_FOLDER "/library/%s.hbg", files[i]);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
      if (sscanf(line, "submodel %99[A-Za-z0-9]", name) != 1) continue;
      if (!is_used(name)) fail_msg("no model of tests/parts has a %s", name);
      count++;
    }
    fclose(file);
  }
  assert_true(count >= 25);
}

int main(void) {
  command_setup(HBG_PROGRAM);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_part_does_what_its_closed_form_says),
      cmocka_unit_test(every_submodel_of_the_library_is_used_here),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
