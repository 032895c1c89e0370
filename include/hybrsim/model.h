/* SPDX-License-Identifier: BSD-3-Clause
 * HyBrSim: a model, read from text (or made by calls: builder.h).
 *
 * A model is immutable after it is loaded: every function that takes a const HbgModel may be called on several threads at
 * once, and runs on several threads may share one model. The library reads no files but those that a text
 * names (HbgModelOptions.read says from where), prints nothing, never exits, and keeps
 * no global state. Numbers in texts have a point in every locale: while the library works, its thread, and what is called on it
 * (allocator, sink, clock), has the locale "C". All numbers are in SI units. Texts that are handed in are copied, texts that are handed out belong to the
 * handle they were asked of and live as long as it, unless something else is said. */
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
  const char *name;              /* of the text, for messages, and for files beside it; default "model" */
  const HbgModelSetting *settings;
  int32_t setting_count;
  const char *const *folders;    /* where files that the text names are looked for, behind the folder of the file that names them, */
  int32_t folder_count;          /* and before the library of submodels that is built in ("electrical.hbg", ...) */
  bool (*read)(const char *path, const char **bytes, size_t *length, void *user); /* gives the file at `path`; `bytes` are copied;
                                    false: there is none. Default NULL: from the disk */
  bool colour;                   /* rendered diagnostics carry terminal colours; default false */
  void *(*allocate)(size_t size, void *user);               /* `size` bytes, aligned as malloc does, or NULL to refuse */
  void (*release)(void *memory, size_t size, void *user);   /* `size` as it was asked for; neither given: malloc and free */
  void *user;                    /* handed to all three; the first two are called on every thread that uses the model or a run of it */
  uint32_t cookie;               /* private: tells options that were not taken from hbg_model_options() */
} HbgModelOptions;

/* The defaults listed at each field of HbgModelOptions. */
HBG_API HbgModelOptions hbg_model_options(void);

/* Reads the model in `text` (UTF-8, `length` bytes, less than 2^31; copied; NULL when there are none). `options` may be NULL for the defaults. `*out` is a handle to be
 * freed, also when the answer is HBG_MODEL_WRONG: it then holds only the report. HBG_MEMORY, and HBG_ARGUMENT (a pointer is
 * missing, options were not taken from hbg_model_options(), only one function of the allocator is given), leave it NULL. */
HBG_API HbgStatus hbg_model_load(const char *text, size_t length, const HbgModelOptions *options, HbgModel **out);
/* The same model with other values of parameters: a new model, which owes nothing to the first. Settings that `model` was
 * loaded with stay, unless named again. Answers as hbg_model_load() does. */
HBG_API HbgStatus hbg_model_with_settings(const HbgModel *model, const HbgModelSetting *settings, int32_t setting_count,
                                          HbgModel **out);
/* NULL is fine. No run of the model may be alive. */
HBG_API void hbg_model_free(HbgModel *model);

/* The name the text gives the model; "" when it was wrong. */
HBG_API const char *hbg_model_name(const HbgModel *model);
/* The text the model was read from, with a NUL behind; of a model made by calls, the text that says the same. */
HBG_API const char *hbg_model_text(const HbgModel *model);

/* ---- the report: every mistake and warning, in order of place ---- */

HBG_API int32_t hbg_model_error_count(const HbgModel *model);
HBG_API int32_t hbg_model_diagnostic_count(const HbgModel *model); /* errors and warnings */
/* How many more were found than are kept. */
HBG_API int32_t hbg_model_suppressed_count(const HbgModel *model);
/* Diagnostic `index` in full, several lines: "name:line:column: error[E0203]: ...", the line, the place marked, the cure.
 * "" when there is none of that index. */
HBG_API const char *hbg_model_diagnostic(const HbgModel *model, int32_t index);
/* The same in parts, for programs. Any pointer may be NULL. `begin` and `end` are bytes of that file. */
/* The file that diagnostic `index` is about: the name of the text, or the path of a file that it imports. */
HBG_API const char *hbg_model_diagnostic_file(const HbgModel *model, int32_t index);
HBG_API void hbg_model_diagnostic_parts(const HbgModel *model, int32_t index, const char **code, bool *is_error,
                                        uint32_t *begin, uint32_t *end, const char **message, const char **help);
/* The call that said what is wrong, in a model made by calls: "hbg_builder_add_element(I, bullet)"; "" elsewhere. */
HBG_API const char *hbg_model_diagnostic_call(const HbgModel *model, int32_t index);

/* ---- what the model is made of ----
 * Counts answer 0, and parts have "" for names, for a model that is wrong and for an index that is out of range. */

typedef struct HbgModelSize {
  int32_t elements, junctions, switched_junctions, bonds, stored_quantities, integrators, signals, machines, parameters;
} HbgModelSize;
HBG_API HbgModelSize hbg_model_size(const HbgModel *model);

typedef struct HbgParameterInfo {
  const char *name;  /* "stiffness", "m[3]" */
  double value;      /* in SI; true is 1, false 0 */
  const char *unit;  /* as declared ("g"), NULL without; a bare number given from outside counts in it */
  const char *description; /* the text in quotes behind it, NULL without */
  double shown;      /* the value in that unit: 250 of 250 [g]; the value itself without one */
} HbgParameterInfo;
/* Parameters in the order of declaration: model_size.parameters of them. */
HBG_API HbgParameterInfo hbg_model_parameter(const HbgModel *model, int32_t index);

typedef struct HbgNodeInfo {
  const char *name;  /* "bullet", "ball[3]" */
  const char *kind;  /* "Se", "Sf", "R", "C", "I", "TF", "GY", "0", "1" */
  bool is_junction;
  int32_t machine;   /* index of the machine that switches this junction; -1: none */
  int32_t bond_count;
} HbgNodeInfo;
/* Elements and junctions by name: model_size.elements + model_size.junctions of them. */
HBG_API HbgNodeInfo hbg_model_node(const HbgModel *model, int32_t index);

typedef struct HbgBondInfo {
  const char *name;       /* given by the user, or "tail -> head" */
  const char *tail, *head; /* names of the nodes; the half arrow points from tail to head */
} HbgBondInfo;
/* model_size.bonds of them. */
HBG_API HbgBondInfo hbg_model_bond(const HbgModel *model, int32_t index);

typedef struct HbgStoredInfo {
  const char *name;    /* "bullet.p", "left.q"; of an integrator, of the signal it is in */
  const char *node;    /* the storage; "" for an integrator of a signal */
  bool is_integrator;
  double start;        /* initial value [SI] */
} HbgStoredInfo;
/* The state of the model, stored quantities before integrators: stored_quantities + integrators of them. */
HBG_API HbgStoredInfo hbg_model_stored(const HbgModel *model, int32_t index);

typedef struct HbgSignalInfo {
  const char *name;
  const char *unit;  /* of its values, in SI; NULL when unknown */
  bool is_boolean;
} HbgSignalInfo;
/* Named signals in the order of declaration: model_size.signals of them. */
HBG_API HbgSignalInfo hbg_model_signal(const HbgModel *model, int32_t index);

/* The SI unit of any expression of the model ("ball.p", "height*weight.e") as the units in its text tell, written into `unit` with
 * room for `size` bytes; "" when it is unknown, or does not fit there. HBG_ARGUMENT when the expression makes no sense (a force
 * that is compared with a length, for instance), the model is wrong, or a pointer is missing. */
HBG_API HbgStatus hbg_model_unit_of(const HbgModel *model, const char *expression, char *unit, size_t size);

typedef struct HbgMachineInfo {
  const char *name;  /* its own, or that of the junction it was made for */
  const char *type;  /* "Contact" */
  int32_t state_count, initial;
} HbgMachineInfo;
/* Machines by name: model_size.machines of them. */
HBG_API HbgMachineInfo hbg_model_machine(const HbgModel *model, int32_t index);
/* The name of state `state` of machine `machine`, and whether its junctions are on in it (`is_on` may be NULL). */
HBG_API const char *hbg_model_machine_state(const HbgModel *model, int32_t machine, int32_t state, bool *is_on);

/* ---- causality ---- */

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
  const char *mode;                       /* "contact off, stick on" */
  const HbgStroke *strokes;               int32_t stroke_count;
  const HbgStorageCausality *storages;    int32_t storage_count;
  const HbgAlgebraicLoop *loops;          int32_t loop_count;
  const char *const *conflicts;           int32_t conflict_count; /* a sentence each: mode, elements, bonds */
  int32_t island_count;                   /* parts of the graph that exchange no power in this mode */
  const char *message;                    /* what is wrong with the mode that was asked for; "" */
} HbgCausality;

/* Causality in the mode `mode` ("a=on,b=off"; NULL or "" or names left out: the initial states). `*out` is to be freed and
 * needs the model to be alive. HBG_ARGUMENT when `mode` names what is not there: (*out)->message then says what, and the lists
 * are empty. For a missing pointer or a wrong model HBG_ARGUMENT leaves `*out` NULL, as HBG_MEMORY does. Safe on several
 * threads at once. */
HBG_API HbgStatus hbg_model_causality(const HbgModel *model, const char *mode, const HbgCausality **out);
/* NULL is fine. */
HBG_API void hbg_causality_free(const HbgCausality *causality);

/* ---- the library of submodels that is built in ---- */

/* Its files, by name: "electrical.hbg", ... */
HBG_API int32_t hbg_library_count(void);
/* Name and text of file `index`; constants, "" when there is none of that index. */
HBG_API const char *hbg_library_name(int32_t index);
HBG_API const char *hbg_library_text(int32_t index);

#ifdef __cplusplus
}
#endif
#endif
