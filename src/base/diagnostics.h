/* SPDX-License-Identifier: BSD-3-Clause
 * The modeller's mistakes: many per run, never fatal to the program. Each has a code, a place, what is wrong, and the
 * cure. The codes and their titles are one list, diagnostic_codes.def. */
#ifndef BASE_DIAGNOSTICS_H
#define BASE_DIAGNOSTICS_H

#include <stdarg.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/span.h"

typedef enum HbgSeverity { HBG_WARNING, HBG_ERROR } HbgSeverity;

/* X-macro rows: DIAGNOSTIC(NAME, number, severity, "title"); the printed code is E0305 or W0305. */
typedef enum HbgDiagnosticCode {
#define DIAGNOSTIC(name, number, severity, title) HBG_DIAGNOSTIC_##name = number,
#include "base/diagnostic_codes.def"
#undef DIAGNOSTIC
  HBG_DIAGNOSTIC_LAST_
} HbgDiagnosticCode;

typedef struct HbgDiagnostic {
  HbgDiagnosticCode code;
  HbgSeverity severity;
  HbgSpan span;
  const char *message; /* what is wrong, in the user's names; one line */
  const char *help;    /* the cure; NULL when there is none */
} HbgDiagnostic;

/* So many errors, and so many warnings, are kept; the rest is only counted. */
enum { HBG_DIAGNOSTICS_MOST = 50 };

typedef struct HbgDiagnostics {
  HbgArena *arena; /* owns the texts */
  HbgDiagnostic *list;
  int32_t count, capacity;
  int32_t error_count;
  int32_t suppressed; /* how many were dropped beyond the first HBG_DIAGNOSTICS_MOST errors and as many warnings */
  bool newest_is_dropped; /* private: its help goes the same way */
} HbgDiagnostics;

HbgDiagnostics hbg_diagnostics(HbgArena *arena);
/* Adds a diagnostic of `code` (its severity is in the table); printf-like message. */
void hbg_diagnose(HbgDiagnostics *diagnostics, HbgDiagnosticCode code, HbgSpan span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Gives the newest diagnostic its cure; printf-like. */
void hbg_diagnose_help(HbgDiagnostics *diagnostics, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The place of each diagnostic decides its order: sorts by place, keeps the order of equal ones. */
void hbg_diagnostics_sort(HbgDiagnostics *diagnostics);
/* The text of one diagnostic as rule 7 of the language asks: file:line:column: error[E0305]: message, the line itself
 * with the place marked, help. `source` is the whole text named `file`. Several lines, no newline behind the last.
 * Allocated from `arena`. */
const char *hbg_diagnostic_render(const HbgDiagnostic *diagnostic, const char *file, const char *source,
                                  uint32_t source_length, bool colour, HbgArena *arena);

#endif
