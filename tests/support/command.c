/* SPDX-License-Identifier: BSD-3-Clause
 * Runs the program as a user does, and reads the tables it writes. */
#define _POSIX_C_SOURCE 200809L
#include "support/command.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <setjmp.h>

#include <cmocka.h>

/* Set once before the first test and only read afterwards. */
static const char *program_path;

void command_setup(const char *program) { program_path = program; }

static char *read_all(FILE *file) {
  size_t capacity = 1 << 16, length = 0;
  char *text = malloc(capacity);
  assert_non_null(text);
  for (size_t got; (got = fread(text + length, 1, capacity - length - 1, file)) > 0;) {
    length += got;
    if (capacity - length > 1) continue;
    capacity *= 2;
    text = realloc(text, capacity);
    assert_non_null(text);
  }
  text[length] = '\0';
  return text;
}

static char *read_errors(const char *path) {
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  char *text = read_all(file);
  fclose(file);
  unlink(path);
  return text;
}

Outcome command_run(const char *arguments) {
  char errors_path[] = "/tmp/hybrsim-test-XXXXXX";
  const int file = mkstemp(errors_path);
  assert_true(file >= 0);
  close(file);

  char command[4096];
  const int length = snprintf(command, sizeof command, "'%s' %s 2>%s", program_path, arguments, errors_path);
  assert_true(length > 0 && (size_t)length < sizeof command);
  FILE *pipe = popen(command, "r");
  assert_non_null(pipe);

  Outcome outcome = {0};
  outcome.output = read_all(pipe);
  const int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  outcome.errors = read_errors(errors_path);
  return outcome;
}

void outcome_free(Outcome *outcome) {
  free(outcome->output);
  free(outcome->errors);
  *outcome = (Outcome){0};
}

/* Cuts the cell at `*at` off in place and goes behind it; answers whether it was the last one of its line. */
static int cut_cell(char **at, char **cell) {
  char *in = *at, *out = *at;
  *cell = out;
  int quoted = 0;
  for (; *in != '\0'; in++) {
    if (*in == '"' && quoted && in[1] == '"') *out++ = *in++;
    else if (*in == '"') quoted = !quoted;
    else if (!quoted && (*in == ',' || *in == '\n')) break;
    else if (*in != '\r' || quoted) *out++ = *in;
  }
  const char stop = *in;
  *at = stop == '\0' ? in : in + 1;
  *out = '\0';
  return stop != ',';
}

/* An upper bound of the number of cells. */
static size_t count_cells(const char *csv) {
  size_t count = 1;
  for (; *csv != '\0'; csv++) count += *csv == ',' || *csv == '\n';
  return count;
}

Table table_read(const char *csv) {
  Table table = {0};
  const size_t most = count_cells(csv);
  table.text = strdup(csv);
  table.names = calloc(2 * most, sizeof *table.names);
  assert_true(table.text != NULL && table.names != NULL);
  table.cells = table.names + most;

  char *at = table.text;
  while (!cut_cell(&at, &table.names[table.column_count++])) {
  }
  for (char **cell = table.cells; *at != '\0'; table.row_count++) {
    int columns = 1;
    while (!cut_cell(&at, cell++)) columns++;
    if (columns != table.column_count) {
      fail_msg("row %d has %d cells, the first line has %d", table.row_count + 1, columns, table.column_count);
    }
  }
  return table;
}

void table_free(Table *table) {
  free(table->text);
  free(table->names);
  *table = (Table){0};
}

int table_column(const Table *table, const char *name) {
  for (int column = 0; column < table->column_count; column++) {
    if (strcmp(table->names[column], name) == 0) return column;
  }
  fail_msg("there is no column '%s'", name);
  return -1;
}

const char *table_text(const Table *table, int row, const char *column) {
  if (row < 0 || row >= table->row_count) fail_msg("there is no row %d, only %d rows", row + 1, table->row_count);
  return table->cells[(size_t)row * (size_t)table->column_count + (size_t)table_column(table, column)];
}

double table_number(const Table *table, int row, const char *column) {
  const char *text = table_text(table, row, column);
  char *end = NULL;
  const double value = strtod(text, &end);
  if (end == text || *end != '\0') fail_msg("'%s' in column '%s' is no number", text, column);
  return value;
}
