/* SPDX-License-Identifier: BSD-3-Clause
 * What changes a text, and what is wrong with it. */
#include <string.h>

#include "lsp.h"

/* -- edits -------------------------------------------------------------------------------------------------------- */

static json_t *edit_of(const LspServer *server, const LspFile *file, const HbgEdit *edit) {
  return json_pack("{s:o, s:s}", "range", lsp_range(server, file, edit->range), "newText", edit->text);
}

json_t *lsp_edits(const LspServer *server, const LspFile *file, const HbgEdit *edits, int32_t count) {
  json_t *list = json_array();
  for (int32_t i = 0; i < count; i++) json_array_append_new(list, edit_of(server, file, &edits[i]));
  return list;
}

static json_t *format(LspServer *server, LspFile *file, uint32_t begin, uint32_t end) {
  const HbgEdit *edits;
  int32_t count;
  const HbgStatus status = hbg_document_format(file->document, begin, end, &edits, &count);
  if (status == HBG_MODEL_WRONG) return lsp_refuse(server, LSP_REQUEST_FAILED, "the text has mistakes that keep it from being read; mend these first");
  if (status != HBG_OK) return lsp_refuse(server, LSP_INTERNAL_ERROR, hbg_status_text(status));
  return lsp_edits(server, file, edits, count);
}

json_t *lsp_formatting(LspServer *server, LspFile *file, const json_t *params) {
  (void)params;
  return format(server, file, 0, UINT32_MAX);
}

json_t *lsp_range_formatting(LspServer *server, LspFile *file, const json_t *params) {
  const json_t *range = json_object_get(params, "range");
  return format(server, file, lsp_byte(server, file, json_object_get(range, "start")), lsp_byte(server, file, json_object_get(range, "end")));
}

/* -- another name ------------------------------------------------------------------------------------------------- */

json_t *lsp_prepare_rename(LspServer *server, LspFile *file, const json_t *params) {
  const uint32_t at = lsp_byte(server, file, json_object_get(params, "position"));
  const char *reason;
  HbgRange range;
  const HbgStatus status = hbg_document_rename(file->document, at, NULL, NULL, NULL, &range, &reason);
  if (status != HBG_OK) return lsp_refuse(server, LSP_INTERNAL_ERROR, hbg_status_text(status));
  if (*reason) return lsp_refuse(server, LSP_REQUEST_FAILED, reason);
  return lsp_range(server, file, range);
}

json_t *lsp_rename(LspServer *server, LspFile *file, const json_t *params) {
  const uint32_t at = lsp_byte(server, file, json_object_get(params, "position"));
  const char *name = json_string_value(json_object_get(params, "newName")), *reason;
  const HbgEdit *edits;
  int32_t count;
  if (!name) return lsp_refuse(server, LSP_INVALID_PARAMS, "there is no new name");
  const HbgStatus status = hbg_document_rename(file->document, at, name, &edits, &count, NULL, &reason);
  if (status != HBG_OK) return lsp_refuse(server, LSP_INTERNAL_ERROR, hbg_status_text(status));
  if (*reason) return lsp_refuse(server, LSP_REQUEST_FAILED, cli_text(server->cli, reason, strlen(reason)));
  return json_pack("{s:{s:o}}", "changes", file->uri, lsp_edits(server, file, edits, count));
}

/* -- what is wrong ------------------------------------------------------------------------------------------------ */

static json_t *problem_of(const LspServer *server, const LspFile *file, const HbgProblem *problem) {
  enum { ERROR = 1, WARNING = 2 };
  const char *help = problem->help ? cli_print(server->cli, "\nhelp: %s", problem->help) : "";
  json_t *related = json_array();
  for (int32_t i = 0; i < problem->related_count; i++)
    json_array_append_new(related, json_pack("{s:{s:s, s:o}, s:s}", "location", "uri", file->uri, "range",
                                             lsp_range(server, file, problem->related[i]), "message", "declared here, too"));
  return json_pack("{s:o, s:i, s:s, s:s, s:s, s:o}", "range", lsp_range(server, file, problem->range), "severity",
                   problem->is_error ? ERROR : WARNING, "code", problem->code, "source", "hybrsim", "message",
                   cli_print(server->cli, "%s%s", problem->message, help), "relatedInformation", related);
}

void lsp_publish(LspServer *server, LspFile *file) {
  const HbgProblem *problems;
  int32_t count;
  file->is_told = true;
  if (!lsp_document(server, file) || hbg_document_problems(file->document, &problems, &count) != HBG_OK) return;
  json_t *diagnostics = json_array();
  for (int32_t i = 0; i < count; i++) json_array_append_new(diagnostics, problem_of(server, file, &problems[i]));
  lsp_notify(server, "textDocument/publishDiagnostics",
             json_pack("{s:s, s:I, s:o}", "uri", file->uri, "version", file->version, "diagnostics", diagnostics));
}

/* -- cures -------------------------------------------------------------------------------------------------------- */

static json_t *action_of(const LspServer *server, const LspFile *file, const HbgProblem *problem, const HbgFix *fix) {
  return json_pack("{s:s, s:s, s:[o], s:b, s:{s:{s:[o]}}}", "title", fix->title, "kind", "quickfix", "diagnostics",
                   problem_of(server, file, problem), "isPreferred", problem->fix_count == 1, "edit", "changes", file->uri,
                   edit_of(server, file, &fix->edit));
}

json_t *lsp_code_action(LspServer *server, LspFile *file, const json_t *params) {
  const json_t *range = json_object_get(params, "range");
  const uint32_t begin = lsp_byte(server, file, json_object_get(range, "start")), end = lsp_byte(server, file, json_object_get(range, "end"));
  const HbgProblem *problems;
  int32_t count;
  const HbgStatus status = hbg_document_problems(file->document, &problems, &count);
  if (status != HBG_OK) return lsp_refuse(server, LSP_INTERNAL_ERROR, hbg_status_text(status));
  json_t *actions = json_array();
  for (int32_t i = 0; i < count; i++)
    for (int32_t fix = 0; fix < problems[i].fix_count && problems[i].range.begin <= end && problems[i].range.end >= begin; fix++)
      json_array_append_new(actions, action_of(server, file, &problems[i], &problems[i].fixes[fix]));
  return actions;
}
