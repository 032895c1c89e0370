/* SPDX-License-Identifier: BSD-3-Clause
 * HyBrSim: the rows of a run, and the causality of a mode, as text: comma separated values, JSON, or a table for people.
 *
 * Text is handed to a sink, piece by piece. Numbers in CSV and JSON read back as exactly the doubles they were. */
#ifndef HYBRSIM_RESULTS_H
#define HYBRSIM_RESULTS_H

#include "hybrsim/run.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum HbgFormat {
  HBG_FORMAT_CSV,  /* RFC 4180: a line of names, then a line for each row */
  HBG_FORMAT_JSON, /* one object: model, columns (name, kind, unit), rows, complete, failure */
  HBG_FORMAT_TABLE /* columns under each other, few digits, the event table in groups */
} HbgFormat;

/* Takes `length` bytes of text; false: no more, please. Must not use the writer. */
typedef bool (*HbgSink)(const char *bytes, size_t length, void *user);

typedef struct HbgWriterOptions { /* take from hbg_writer_options(), then change what you need */
  HbgFormat format;               /* default HBG_FORMAT_CSV */
  bool is_events;   /* the event table: time, eps, n, kind, cause, columns of rows with is_event; default false: time and
                       columns of every row but inferences */
  bool is_relaxation; /* of a run compatible with HYBRSIM: the passes of its relaxations instead of rows, written at the
                       end; add every row; default false */
  HbgSink sink;     /* where the text goes; must be given */
  void *user;       /* handed to the sink */
  bool is_prompt;   /* every row goes out at once (a table: once its widths are known); default false: in large pieces */
  int32_t width;    /* of a table [characters]; what does not fit is left out or broken; 0 (default): as wide as it gets */
  bool has_colour;  /* a table carries terminal colours; default false */
  bool has_unicode; /* a table has rules of box drawing characters; default false */
  uint32_t cookie;  /* private */
} HbgWriterOptions;

/* The defaults listed at each field of HbgWriterOptions. */
HBG_API HbgWriterOptions hbg_writer_options(void);

typedef struct HbgWriter HbgWriter; /* opaque */

/* A writer of the rows of `run`, which it borrows, with its columns as they are now; to be given to hbg_writer_free(), also
 * behind the run's. Copies `options`. HBG_ARGUMENT when something is missing or out of range or options were not taken from
 * hbg_writer_options(). One thread at a time, that of the run. On failure
 * `*out` is NULL. */
HBG_API HbgStatus hbg_writer_create(const HbgRun *run, const HbgWriterOptions *options, HbgWriter **out);
/* NULL is fine. What was not handed out is lost; see hbg_writer_end(). */
HBG_API void hbg_writer_free(HbgWriter *writer);
/* Writes the current row of the run, unless it does not belong here (see is_events). HBG_SINK when the sink takes no
 * more, HBG_ARGUMENT before the first row and behind the end. */
HBG_API HbgStatus hbg_writer_add(HbgWriter *writer);
/* Goes on through the rows of `run` that wait behind the current one (rows of its instant, and those computed ahead: HbgRunOptions.rows_ahead)
 * and writes each as hbg_writer_add() does; nothing is computed. It is as if hbg_run_next() and hbg_writer_add() were called for each, in less
 * time. `*count` (NULL is fine): how many there were; there may be none. Answers as hbg_writer_add() does, and HBG_ARGUMENT where it is not the
 * writer's run; stops at the row that could not be written. */
HBG_API HbgStatus hbg_writer_add_waiting(HbgWriter *writer, HbgRun *run, int64_t *count);
/* Writes what is left, and how the run ended. Nothing can be added afterwards. */
HBG_API HbgStatus hbg_writer_end(HbgWriter *writer);
/* After the end: columns of a table that there was no room for. "" when there is none of that index. */
HBG_API int32_t hbg_writer_hidden_count(const HbgWriter *writer);
HBG_API const char *hbg_writer_hidden(const HbgWriter *writer, int32_t index);

/* All of it: creates a writer, pulls `run` to its end, writes every row. Answers HBG_OK when the run came to its end, else
 * HBG_STOPPED, HBG_MEMORY, HBG_SINK or HBG_ARGUMENT; what was computed until then is written. */
HBG_API HbgStatus hbg_run_write(HbgRun *run, const HbgWriterOptions *options);

/* Writes the causality of a mode. Of the options, is_events and width have no meaning here. */
HBG_API HbgStatus hbg_causality_write(const HbgCausality *causality, const HbgWriterOptions *options);

/* The words of the files: "sample", "before", "mythical", "pinnacle", "continuous". */
HBG_API const char *hbg_row_kind_text(HbgRowKind kind);

#ifdef __cplusplus
}
#endif
#endif
