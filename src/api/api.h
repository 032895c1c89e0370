/* SPDX-License-Identifier: BSD-3-Clause
 * What the public handles hold. */
#ifndef API_API_H
#define API_API_H

#include "base/diagnostics.h"
#include "hybrid/run.h"
#include "hybrsim/hybrsim.h"
#include "model/model.h"

/* What options hold that were taken from their maker. */
enum { HBG_COOKIE = 0x48794272 };

/* The sentence for arguments that are NULL and may not be. */
#define HBG_MISSING "an argument is missing or out of range"

/* What was done to a run besides pulling rows, and after how many of them: enough to do it all again. */
typedef enum HbgDeedKind {
  HBG_DEED_DEFAULT_COLUMNS, HBG_DEED_COLUMN, HBG_DEED_FIND, HBG_DEED_FIND_BOND, HBG_DEED_ENERGY, HBG_DEED_SAMPLE, HBG_DEED_SET
} HbgDeedKind;
typedef struct HbgDeed {
  HbgDeedKind kind;
  int64_t row_count;
  bool has_ended; /* the end was asked for before */
  int32_t count;  /* SET */
  union {
    HbgColumnSet set;             /* DEFAULT_COLUMNS */
    const char *expression;       /* COLUMN, FIND */
    int32_t index;                /* ENERGY: the stored quantity; FIND_BOND: 2 * bond + is_flow */
    double time;                  /* SAMPLE */
    const HbgStoredValue *values; /* SET (count) */
  };
} HbgDeed;

/* A part of the text that a call wrote, for what is said about it; see builder.c. */
typedef struct HbgPassage {
  uint32_t begin, end;
  const char *call; /* "hbg_builder_add_element(I, bullet)" */
} HbgPassage;

/* A file that a model names; `bytes` NULL: there was none at `path`. */
typedef struct HbgKeptFile {
  const char *path, *bytes;
  size_t length;
} HbgKeptFile;

struct HbgModel {
  HbgArena arena; /* owns everything, this handle included */
  HbgModelOptions options; /* names and settings are copies */
  const char *text;
  uint32_t length;
  const HbgPassage *passages; int32_t passage_count; /* of a model made by calls */
  HbgDiagnostics diagnostics;
  const char **rendered;
  HbgFlatModel flat;
  HbgKeptFile *files; int32_t file_count, file_capacity; /* that the text names, as they were read */
  const HbgModel *earlier; /* while it is loaded */
};

struct HbgRun {
  HbgArena arena; /* owns everything, this handle included */
  const HbgModel *model;
  HbgSim *sim;
  HbgRunOptions options; /* the times are a copy */
  struct HbgEnergy **energies; /* of stored quantities, those that were asked for; NULL: none yet */
  int32_t *bond_variables; /* 1 + what was found for 2 * bond + is_flow, 0: not yet; NULL: none yet */
  HbgStatus status; /* after memory was refused nothing may be asked any more */
  HbgDeed *deeds; int32_t deed_count, deed_capacity;
  int64_t row_count; /* handed out */
  int32_t region_count; /* when they were counted last */
  HbgRow row;        /* the last one */
  char *mode; size_t mode_size;
  double run_s;
  const char *failure; /* rendered when the run stopped; "" */
};

/* The state phi[m] of each machine m in the mode `mode`, "a=on,b=off": the initial one where it is left out; NULL: of all. HBG_ARGUMENT, and a
 * sentence in `*message`, when it names what is not there. Everything from `arena`. */
HbgStatus hbg_mode_read(const HbgFlatModel *flat, const char *mode, HbgArena *arena, int32_t *phi, const char **message);
/* The report of `diagnostic`, with the place in the text or the call that wrote it. */
const char *hbg_model_render(const HbgModel *model, const HbgDiagnostic *diagnostic, HbgArena *arena);
/* The code of a diagnostic as it is printed, "E0305"; a constant. */
const char *hbg_diagnostic_code_text(const HbgDiagnostic *diagnostic);
/* hbg_model_load(), of a text that calls wrote; `earlier`: a model of the same text, whose files are not read again. */
HbgStatus hbg_model_make(const char *text, size_t length, const HbgModelOptions *options, const HbgPassage *passages,
                         int32_t passage_count, const HbgModel *earlier, HbgModel **out);
/* Where the files come from that the text of `model` names. */
HbgFiles hbg_model_files(HbgModel *model, HbgArena *arena);
/* hbg_sim_next(), with what belongs to it; `row` is run->row. */
HbgStatus hbg_run_pull(HbgRun *run);
/* hbg_sim_waiting(); NULL: there are none. */
const HbgTraceRow *hbg_run_waiting(const HbgRun *run, int32_t *count);
/* Goes on by `count` of them, at least one. */
void hbg_run_take_waiting(HbgRun *run, int32_t count);
/* The values of the current row as tables and drawings show them; `values` has room for all columns. */
void hbg_run_shown_values(const HbgRun *run, double *values);
/* Writes down what was done to `run`, so that a copy can do it again. */
void hbg_run_remember(HbgRun *run, HbgDeed deed);
/* One more sample at `time` [s]. */
HbgStatus hbg_run_want_sample(HbgRun *run, double time);
/* Room for the text of hbg_run_mode(), from the arena of the run. */
void hbg_run_make_mode(HbgRun *run);
/* Of the model whose causality this is. */
HbgAllocator hbg_causality_allocator(const HbgCausality *causality);
const char *hbg_causality_model(const HbgCausality *causality);
HbgAllocator hbg_allocator_of(const HbgModelOptions *options);
/* A copy of `options`, texts and settings included, in `arena`. */
HbgModelOptions hbg_model_options_copy(const HbgModelOptions *options, HbgArena *arena);
bool hbg_model_options_are_sound(const HbgModelOptions *options);

#endif
