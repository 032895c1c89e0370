/* SPDX-License-Identifier: BSD-3-Clause
 * Runs the program as a user does, and reads the tables it writes. */
#ifndef TESTS_SUPPORT_COMMAND_H
#define TESTS_SUPPORT_COMMAND_H

/* What a run of the program left behind; both texts end in NUL. */
typedef struct Outcome {
  int status;   /* exit status; -1 when it did not exit by itself */
  char *output; /* standard output */
  char *errors; /* standard error */
} Outcome;

/* A table as the program writes it with --format csv. Cells point into `text`. */
typedef struct Table {
  char *text;
  char **names; /* (column_count) */
  char **cells; /* (row_count, column_count) */
  int column_count, row_count;
} Table;

/* Where the program is; call once at the beginning. */
void command_setup(const char *program);

/* Runs the program with `arguments`, a piece of shell text. Fails the test when it cannot be started. */
Outcome command_run(const char *arguments);
void outcome_free(Outcome *outcome);

/* Reads CSV (RFC 4180). Fails the test when rows differ in length. */
Table table_read(const char *csv);
void table_free(Table *table);
/* Fails the test when there is no such column. */
int table_column(const Table *table, const char *name);
const char *table_text(const Table *table, int row, const char *column);
double table_number(const Table *table, int row, const char *column);

#endif
