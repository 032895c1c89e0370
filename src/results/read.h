/* SPDX-License-Identifier: BSD-3-Clause
 * Results read back: the CSV and JSON that this room writes. A file in which something is wrong is refused with the
 * place, what is wrong, and a cure. */
#ifndef RESULTS_READ_H
#define RESULTS_READ_H

#include "results/record.h"

struct json_t;

/* A place in a file: a line and a byte of it, or, where `part` is not NULL, an element of a list. All but the latter
 * count from 1. */
typedef struct HbgReaderPlace {
  const char *part;
  int32_t line, byte, element;
} HbgReaderPlace;

typedef struct HbgReader {
  HbgArena *arena;
  const char *file;     /* its name, for messages */
  HbgRecord record;     /* the outcome */
  const char *message;  /* what is wrong; NULL while nothing is */
  HbgReaderPlace place; /* that is being read */
  struct json_t *json;  /* what jansson holds; given back by hbg_reader_close() */
  /* columns of the file */
  int32_t column_count;
  struct HbgReaderColumn *columns;
  bool is_unreal; /* the row that is read tells of a mode that never was */
  double time, last_time;
  double *values; /* (record.series_count) of the row that is read */
} HbgReader;

/* A reader of the file `file`, whose record will be called `name`. Both texts are copied. */
HbgReader hbg_reader(HbgArena *arena, const char *file, const char *name);
/* Gives back what does not lie in the arena. To be called in any case, also when the arena was refused memory. */
void hbg_reader_close(HbgReader *reader);
/* Reads a whole file, as JSON when its first character is a brace, else as CSV. False: see `message`. */
bool hbg_reader_read(HbgReader *reader, const char *text, size_t length);

/* -- for the formats (read_csv.c, read_json.c) -- */

bool hbg_read_csv(HbgReader *reader, const char *text, size_t length);
bool hbg_read_json(HbgReader *reader, const char *text, size_t length);
/* The columns of the file; units may be NULL. */
bool hbg_reader_begin(HbgReader *reader, const char *const *names, const char *const *units, int32_t count);
bool hbg_reader_add_number(HbgReader *reader, int32_t column, double value);
bool hbg_reader_add_word(HbgReader *reader, int32_t column, const char *word, size_t length);
bool hbg_reader_end_row(HbgReader *reader);
/* Says what is wrong at the place of the reader; false. */
bool hbg_reader_fail(HbgReader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
