/* SPDX-License-Identifier: BSD-3-Clause
 * The list of a modeller's mistakes. How one is shown: diagnostic_render.c. */
#include "base/diagnostics.h"

#include "base/text.h"

HbgDiagnostics hbg_diagnostics(HbgArena *arena) { return (HbgDiagnostics){.arena = arena}; }

static HbgSeverity severity_of(HbgDiagnosticCode code) {
  switch (code) {
#define DIAGNOSTIC(name, number, severity, title) \
  case HBG_DIAGNOSTIC_##name:                     \
    return severity;
#include "base/diagnostic_codes.def"
#undef DIAGNOSTIC
    default: return HBG_ERROR;
  }
}

static const char *print_list(HbgArena *arena, const char *format, va_list arguments) {
  HbgText text = hbg_text(arena);
  hbg_text_add_list(&text, format, arguments);
  return text.bytes;
}

static bool is_full(const HbgDiagnostics *diagnostics, HbgSeverity severity) {
  int32_t kept = 0;
  for (int32_t i = 0; i < diagnostics->count; i++) kept += diagnostics->list[i].severity == severity;
  return kept >= HBG_DIAGNOSTICS_MOST;
}

void hbg_diagnose(HbgDiagnostics *diagnostics, HbgDiagnosticCode code, HbgSpan span, const char *format, ...) {
  const HbgSeverity severity = severity_of(code);
  diagnostics->error_count += severity == HBG_ERROR;
  diagnostics->newest_is_dropped = is_full(diagnostics, severity);
  if (diagnostics->newest_is_dropped) {
    diagnostics->suppressed++;
    return;
  }
  va_list arguments;
  va_start(arguments, format);
  const char *message = print_list(diagnostics->arena, format, arguments);
  va_end(arguments);
  ARENA_PUSH(diagnostics->arena, diagnostics->list, diagnostics->count, diagnostics->capacity) =
      (HbgDiagnostic){.code = code, .severity = severity, .span = span, .message = message};
}

void hbg_diagnose_help(HbgDiagnostics *diagnostics, const char *format, ...) {
  if (diagnostics->newest_is_dropped || diagnostics->count == 0) return;
  va_list arguments;
  va_start(arguments, format);
  diagnostics->list[diagnostics->count - 1].help = print_list(diagnostics->arena, format, arguments);
  va_end(arguments);
}

void hbg_diagnostics_sort(HbgDiagnostics *diagnostics) {
  // insertion: the list is short, and equal places must keep their order
  for (int32_t i = 1; i < diagnostics->count; i++) {
    const HbgDiagnostic moved = diagnostics->list[i];
    int32_t to = i;
    for (; to > 0 && diagnostics->list[to - 1].span.begin > moved.span.begin; to--)
      diagnostics->list[to] = diagnostics->list[to - 1];
    diagnostics->list[to] = moved;
  }
}
