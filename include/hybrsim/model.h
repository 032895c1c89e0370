/* SPDX-License-Identifier: BSD-3-Clause
 * HyBrSim: a model, read from text.
 *
 * A model is immutable after it is loaded and may be shared by runs on several threads. The library reads no files,
 * prints nothing, never exits, and keeps no global state. */
#ifndef HYBRSIM_MODEL_H
#define HYBRSIM_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hybrsim/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct HbgModel HbgModel; /* opaque */

/* A parameter given from outside, as --set does: `value` is an expression of the language ("2", "2 [g]", "pi/4"); a bare
 * number is in the parameter's declared unit. Both texts are copied. */
typedef struct HbgModelSetting {
  const char *name;
  const char *value;
} HbgModelSetting;

typedef struct HbgModelOptions { /* take from hbg_model_options(), then change what you need */
  const char *name;              /* of the text, for messages; default "model" */
  const HbgModelSetting *settings;
  int32_t setting_count;
  bool colour;                   /* rendered diagnostics carry terminal colours; default false */
  void *(*allocate)(size_t size, void *user);               /* NULL: malloc and free */
  void (*release)(void *memory, size_t size, void *user);
  void *user;
} HbgModelOptions;

HBG_API HbgModelOptions hbg_model_options(void);

/* Reads the model in `text` (UTF-8, `length` bytes). `*out` is always a handle to be freed, also when the answer is
 * HBG_MODEL_WRONG: it then holds only the report. HBG_MEMORY and HBG_ARGUMENT leave it NULL. */
HBG_API HbgStatus hbg_model_load(const char *text, size_t length, const HbgModelOptions *options, HbgModel **out);
/* NULL is fine. No run of the model may be alive. */
HBG_API void hbg_model_free(HbgModel *model);

/* The name the text gives the model; "" when it was wrong. Lives as long as the model. */
HBG_API const char *hbg_model_name(const HbgModel *model);

/* The report: every mistake and warning, in order of place. */
HBG_API int32_t hbg_model_error_count(const HbgModel *model);
HBG_API int32_t hbg_model_diagnostic_count(const HbgModel *model);
/* How many more were found than are kept. */
HBG_API int32_t hbg_model_suppressed_count(const HbgModel *model);
/* Diagnostic `index` in full: "file:line:column: error[E0203]: ...", the line, the place marked, the cure. */
HBG_API const char *hbg_model_diagnostic(const HbgModel *model, int32_t index);
/* The same in parts, for programs. Any pointer may be NULL. `begin` and `end` are bytes of the text. */
HBG_API void hbg_model_diagnostic_parts(const HbgModel *model, int32_t index, const char **code, bool *is_error,
                                        uint32_t *begin, uint32_t *end, const char **message, const char **help);

/* How large the model is. */
typedef struct HbgModelSize {
  int32_t elements, junctions, switched_junctions, bonds, stored_quantities, integrators, signals, machines, parameters;
} HbgModelSize;
HBG_API HbgModelSize hbg_model_size(const HbgModel *model);

/* The causal strokes of one mode. */
typedef struct HbgStroke {
  const char *tail, *head; /* names of the nodes; the half arrow points from tail to head */
  const char *bond;        /* name given by the user, or "tail -> head" */
  bool effort_from_tail;   /* true: tail sets the effort, the stroke stands at head; false: the stroke stands at tail */
  bool is_conflict;        /* one of the ends may not have it so (a source, a junction that is off) */
} HbgStroke;

typedef struct HbgStorageCausality {
  const char *name;  /* "bullet.p" */
  bool is_integral;
} HbgStorageCausality;

typedef struct HbgAlgebraicLoop {
  const char *const *variables; /* names of the torn variables, "damper.e" */
  int32_t variable_count;
} HbgAlgebraicLoop;

typedef struct HbgCausality {
  const char *mode;                       /* "contact=off, stick=on" */
  const HbgStroke *strokes;               int32_t stroke_count;
  const HbgStorageCausality *storages;    int32_t storage_count;
  const HbgAlgebraicLoop *loops;          int32_t loop_count;
  const char *const *conflicts;           int32_t conflict_count; /* a sentence each: mode, elements, bonds */
  int32_t island_count;
} HbgCausality;

/* Causality in the mode `mode` ("a=on,b=off"; NULL or "" or names left out: the initial states). The result belongs to
 * the model and lives as long as it. HBG_ARGUMENT when `mode` names what is not there; `*message` then says what. */
HBG_API HbgStatus hbg_model_causality(HbgModel *model, const char *mode, const HbgCausality **out,
                                      const char **message);

#ifdef __cplusplus
}
#endif
#endif
