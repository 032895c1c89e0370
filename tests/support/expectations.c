/* SPDX-License-Identifier: BSD-3-Clause
 * Checks a model against the expected results that lie beside it as data. */
#define _POSIX_C_SOURCE 200809L
#include "support/expectations.h"

#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

#include "support/command.h"

/* Where the reading of one file stands. */
typedef struct Reading {
  const char *folder;   /* of the models */
  const char *path;     /* of the file of expectations, for messages */
  int line;
  double tolerance;
  char model[128];      /* file name of the model under test */
  char command[1024];   /* of the case being checked, "" before the first */
  Outcome outcome;
  Table table;
  int row;              /* the next row to be looked at */
  int status;           /* exit status that is expected */
  bool may_skip;
} Reading;

/* Tells where an expectation was not met; for the head of a message. */
static const char *place(const Reading *reading) {
  print_error("%s:%d: in `hybrsim %s`\n", reading->path, reading->line, reading->command);
  if (reading->outcome.errors[0] != '\0') print_error("standard error:\n%.3000s\n", reading->outcome.errors);
  return "the expectation is not met";
}

static bool is_near(double actual, double expected, double tolerance) {
  return fabs(actual - expected) <= tolerance * fmax(1.0, fabs(expected));
}

/* Is the cell of `row` in `column` the value written as `expected`? */
static bool cell_agrees(const Reading *reading, int row, const char *column, const char *expected) {
  const char *actual = table_text(&reading->table, row, column);
  char *end = NULL;
  const double value = strtod(expected, &end);
  if (end == expected) return strcmp(actual, expected) == 0;
  const double tolerance = *end == '~' ? strtod(end + 1, NULL) : reading->tolerance;
  char *actual_end = NULL;
  const double number = strtod(actual, &actual_end);
  return actual_end != actual && is_near(number, value, tolerance);
}

/* Checks the `column=value` words of a line against `row`; when `quietly`, only answers. */
static bool check_cells(const Reading *reading, int row, char *words, bool quietly) {
  char *rest = NULL;
  for (char *word = strtok_r(words, " \t", &rest); word != NULL; word = strtok_r(NULL, " \t", &rest)) {
    char *equals = strrchr(word, '=');
    if (equals == NULL) fail_msg("%s:%d: '%s' is not column=value", reading->path, reading->line, word);
    *equals = '\0';
    const bool agrees = cell_agrees(reading, row, word, equals + 1);
    if (!agrees && !quietly) {
      fail_msg("%s: %s should be %s and is %s", place(reading), word, equals + 1,
               table_text(&reading->table, row, word));
    }
    if (!agrees) return false;
  }
  return true;
}

/* Turns "0.2 -1 0 before a=b" into words "time=0.2 eps=-1 n=0 kind=before a=b"; a `*` agrees with anything. */
static void name_stamp(const Reading *reading, const char *text, char *out, size_t size) {
  char time[64], eps[32], n[32], kind[32];
  int used = 0;
  if (sscanf(text, "%63s %31s %31s %31s%n", time, eps, n, kind, &used) != 4) {
    fail_msg("%s:%d: a row needs T EPS N KIND", reading->path, reading->line);
  }
  const char *names[] = {"time", "eps", "n", "kind"}, *values[] = {time, eps, n, kind};
  size_t length = 0;
  for (int i = 0; i < 4; i++) {
    if (strcmp(values[i], "*") == 0) continue;
    length += (size_t)snprintf(out + length, size - length, "%s=%s ", names[i], values[i]);
  }
  snprintf(out + length, size - length, "%s", text + used);
}

static void check_row(Reading *reading, const char *text) {
  char words[2048], copy[2048];
  name_stamp(reading, text, words, sizeof words);
  if (reading->row >= reading->table.row_count) fail_msg("%s: the table has ended", place(reading));
  while (reading->may_skip && reading->row < reading->table.row_count - 1) {
    if (check_cells(reading, reading->row, strcpy(copy, words), true)) break;
    reading->row++;
  }
  check_cells(reading, reading->row++, words, false);
  reading->may_skip = false;
}

static void check_at(const Reading *reading, const char *text) {
  char *end = NULL;
  const double time = strtod(text, &end);
  int row = reading->table.row_count - 1;
  while (row >= 0 && !is_near(table_number(&reading->table, row, "time"), time, 1e-12)) row--;
  if (row < 0) fail_msg("%s: there is no row at %g", place(reading), time);
  check_cells(reading, row, end, false);
}

static void check_says(const Reading *reading, const char *text) {
  const size_t length = strlen(text);
  for (const char *at = reading->outcome.errors; *at != '\0'; at++) {
    if (strncasecmp(at, text, length) == 0) return;
  }
  fail_msg("%s: standard error should say '%s'", place(reading), text);
}

static void check_says_near(const Reading *reading, const char *text) {
  double value = 0, tolerance = 0;
  assert_int_equal(sscanf(text, "%lf %lf", &value, &tolerance), 2);
  const char *at = reading->outcome.errors;
  while (*at != '\0') {
    char *end = NULL;
    const double number = isdigit((unsigned char)*at) ? strtod(at, &end) : (double)NAN;
    if (fabs(number - value) <= tolerance) return;
    at = end != NULL ? end : at + 1;
  }
  fail_msg("%s: standard error should tell a number near %.9g", place(reading), value);
}

static void finish_case(Reading *reading) {
  if (reading->command[0] == '\0') return;
  if (reading->outcome.status != reading->status) {
    fail_msg("%s: exit status should be %d and is %d", place(reading), reading->status, reading->outcome.status);
  }
  outcome_free(&reading->outcome);
  table_free(&reading->table);
  reading->command[0] = '\0';
}

static void start_case(Reading *reading, const char *text) {
  finish_case(reading);
  char command[64], arguments[2048];
  int used = 0;
  assert_int_equal(sscanf(text, "%63s%n", command, &used), 1);
  snprintf(arguments, sizeof arguments, "%s '%s/%s' --format csv --quiet %s", command, reading->folder,
           reading->model, text + used);
  snprintf(reading->command, sizeof reading->command, "%s %s %s", command, reading->model, text + used);
  reading->outcome = command_run(arguments);
  reading->table = table_read(reading->outcome.output);
  reading->row = 0;
  reading->status = 0;
  reading->may_skip = false;
}

static void check_line(Reading *reading, char *line) {
  char word[32] = "";
  int used = 0;
  if (sscanf(line, "%31s%n", word, &used) != 1) return;
  char *rest = line + used;
  rest += strspn(rest, " \t");
  if (strcmp(word, "tolerance") == 0) reading->tolerance = strtod(rest, NULL);
  else if (strcmp(word, "file") == 0) snprintf(reading->model, sizeof reading->model, "%s", rest);
  else if (strcmp(word, "case") == 0) start_case(reading, rest);
  else if (strcmp(word, "row") == 0) check_row(reading, rest);
  else if (strcmp(word, "skip") == 0) reading->may_skip = true;
  else if (strcmp(word, "at") == 0) check_at(reading, rest);
  else if (strcmp(word, "last") == 0) check_cells(reading, reading->table.row_count - 1, rest, false);
  else if (strcmp(word, "end") == 0) {
    if (reading->row < reading->table.row_count) fail_msg("%s: the table should end here", place(reading));
  } else if (strcmp(word, "exit") == 0) reading->status = atoi(rest);
  else if (strcmp(word, "says") == 0) check_says(reading, rest);
  else if (strcmp(word, "says_near") == 0) check_says_near(reading, rest);
  else fail_msg("%s:%d: '%s' is not known", reading->path, reading->line, word);
}

void check_expectations(const char *folder, const char *expectations, const char *model) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, expectations);
  FILE *file = fopen(path, "r");
  if (file == NULL) fail_msg("cannot read %s", path);

  Reading reading = {.folder = folder, .path = path, .tolerance = 1e-12};
  snprintf(reading.model, sizeof reading.model, "%s", model);
  char line[2048];
  while (fgets(line, sizeof line, file) != NULL) {
    reading.line++;
    line[strcspn(line, "#\r\n")] = '\0';
    check_line(&reading, line);
  }
  fclose(file);
  finish_case(&reading);
}
