/* SPDX-License-Identifier: BSD-3-Clause
 * Questions about a place: what is here, what could stand here, where else is it. */
#include <stdio.h>
#include <string.h>

#include "lsp.h"

static uint32_t place_of(const LspServer *server, const LspFile *file, const json_t *params) {
  return lsp_byte(server, file, json_object_get(params, "position"));
}

/* Notes a status that is no answer; true when it is one. */
static bool is_answer(LspServer *server, HbgStatus status) {
  if (status != HBG_OK) lsp_refuse(server, LSP_INTERNAL_ERROR, hbg_status_text(status));
  return status == HBG_OK;
}

json_t *lsp_hover(LspServer *server, LspFile *file, const json_t *params) {
  const char *text;
  HbgRange range;
  if (!is_answer(server, hbg_document_hover(file->document, place_of(server, file, params), &text, &range)) || !*text) return NULL;
  return json_pack("{s:{s:s, s:s}, s:o}", "contents", "kind", "markdown", "value", text, "range", lsp_range(server, file, range));
}

/* CompletionItemKind of the protocol. */
static int completion_kind(HbgProposalKind kind) {
  enum { FUNCTION = 3, FIELD = 5, VARIABLE = 6, CLASS = 7, PROPERTY = 10, UNIT = 11, VALUE = 12, ENUM = 13, KEYWORD = 14,
         ENUM_MEMBER = 20, CONSTANT = 21, STRUCT = 22, TYPE_PARAMETER = 25 };
  static const int kinds[] = {
      [HBG_PROPOSAL_WORD] = KEYWORD,       [HBG_PROPOSAL_ELEMENT_KIND] = CLASS,  [HBG_PROPOSAL_PARAMETER] = CONSTANT,
      [HBG_PROPOSAL_SIGNAL] = VARIABLE,    [HBG_PROPOSAL_ELEMENT] = STRUCT,      [HBG_PROPOSAL_JUNCTION] = STRUCT,
      [HBG_PROPOSAL_BOND] = PROPERTY,      [HBG_PROPOSAL_MACHINE] = ENUM,        [HBG_PROPOSAL_MACHINE_TYPE] = ENUM,
      [HBG_PROPOSAL_STATE] = ENUM_MEMBER,  [HBG_PROPOSAL_FUNCTION] = FUNCTION,   [HBG_PROPOSAL_CONSTANT] = VALUE,
      [HBG_PROPOSAL_MEMBER] = FIELD,       [HBG_PROPOSAL_UNIT] = UNIT,           [HBG_PROPOSAL_SUBMODEL] = CLASS};
  return kinds[kind];
}

json_t *lsp_completion(LspServer *server, LspFile *file, const json_t *params) {
  const HbgProposal *proposals;
  int32_t count;
  if (!is_answer(server, hbg_document_proposals(file->document, place_of(server, file, params), &proposals, &count))) return NULL;
  json_t *items = json_array();
  for (int32_t i = 0; i < count; i++)
    json_array_append_new(items, json_pack("{s:s, s:i, s:s, s:s}", "label", proposals[i].text, "kind", completion_kind(proposals[i].kind),
                                           "detail", proposals[i].detail ? proposals[i].detail : "", "sortText",
                                           cli_print(server->cli, "%05d", i)));
  return json_pack("{s:b, s:o}", "isIncomplete", 0, "items", items);
}

json_t *lsp_signature_help(LspServer *server, LspFile *file, const json_t *params) {
  HbgSignature signature;
  if (!is_answer(server, hbg_document_signature(file->document, place_of(server, file, params), &signature)) || !*signature.text) return NULL;
  json_t *arguments = json_array();
  for (int32_t i = 0; i < signature.argument_count; i++) {
    const HbgRange range = signature.arguments[i];
    json_array_append_new(arguments, json_pack("{s:[I, I]}", "label", (json_int_t)lsp_units(server, signature.text, range.begin),
                                               (json_int_t)lsp_units(server, signature.text, range.end)));
  }
  return json_pack("{s:[{s:s, s:s, s:o}], s:i, s:i}", "signatures", "label", signature.text, "documentation", signature.meaning,
                   "parameters", arguments, "activeSignature", 0, "activeParameter", signature.active);
}

static json_t *location(const LspServer *server, const LspFile *file, HbgRange range) {
  return json_pack("{s:s, s:o}", "uri", file->uri, "range", lsp_range(server, file, range));
}

/* "file:///home/a%20b.hbg" for a path. */
static const char *uri_of_path(const LspServer *server, const char *path) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  char *uri = CLI_NEW(server->cli, char, 3 * strlen(path) + sizeof "file://");
  char *out = uri + sprintf(uri, "file://");
  for (; *path; path++) out += strchr(plain, *path) ? sprintf(out, "%c", *path) : sprintf(out, "%%%02X", (unsigned)(unsigned char)*path);
  return uri;
}

/* A declaration in another file; NULL when that is none of the disk, but built in. */
static json_t *location_elsewhere(LspServer *server, const HbgDeclaration *declaration) {
  LspFile other = {.uri = uri_of_path(server, declaration->path)};
  if (declaration->path[0] != '/') return NULL;
  lsp_text_lines(server, &other, declaration->text, strlen(declaration->text));
  return location(server, &other, declaration->range);
}

json_t *lsp_definition(LspServer *server, LspFile *file, const json_t *params) {
  const HbgDeclaration *declarations;
  int32_t count;
  if (!is_answer(server, hbg_document_declarations(file->document, place_of(server, file, params), &declarations, &count))) return NULL;
  json_t *locations = json_array();
  for (int32_t i = 0; i < count; i++) {
    json_t *place = declarations[i].path ? location_elsewhere(server, &declarations[i]) : location(server, file, declarations[i].range);
    if (place) json_array_append_new(locations, place);
  }
  return locations;
}

json_t *lsp_references(LspServer *server, LspFile *file, const json_t *params) {
  const HbgUse *uses;
  int32_t count;
  const bool with_declaration = json_is_true(json_object_get(json_object_get(params, "context"), "includeDeclaration"));
  if (!is_answer(server, hbg_document_uses(file->document, place_of(server, file, params), &uses, &count))) return NULL;
  json_t *locations = json_array();
  for (int32_t i = 0; i < count; i++)
    if (with_declaration || !uses[i].is_declaration) json_array_append_new(locations, location(server, file, uses[i].range));
  return locations;
}

json_t *lsp_document_highlight(LspServer *server, LspFile *file, const json_t *params) {
  enum { READ = 2, WRITE = 3 };
  const HbgUse *uses;
  int32_t count;
  if (!is_answer(server, hbg_document_uses(file->document, place_of(server, file, params), &uses, &count))) return NULL;
  json_t *highlights = json_array();
  for (int32_t i = 0; i < count; i++)
    json_array_append_new(highlights, json_pack("{s:o, s:i}", "range", lsp_range(server, file, uses[i].range), "kind",
                                                uses[i].is_declaration ? WRITE : READ));
  return highlights;
}
