/* SPDX-License-Identifier: BSD-3-Clause
 * What a text is made of: outline, folds, colours; and what the server can do. */
#include "lsp.h"

/* -- outline ------------------------------------------------------------------------------------------------------ */

/* SymbolKind of the protocol. */
static int symbol_kind(HbgProposalKind kind) {
  enum { MODULE = 2, PROPERTY = 7, ENUM = 10, FUNCTION = 12, VARIABLE = 13, CONSTANT = 14, OBJECT = 19, ENUM_MEMBER = 22, STRUCT = 23, OPERATOR = 25 };
  static const int kinds[] = {
      [HBG_PROPOSAL_WORD] = MODULE,        [HBG_PROPOSAL_ELEMENT_KIND] = STRUCT, [HBG_PROPOSAL_PARAMETER] = CONSTANT,
      [HBG_PROPOSAL_SIGNAL] = VARIABLE,    [HBG_PROPOSAL_ELEMENT] = OBJECT,      [HBG_PROPOSAL_JUNCTION] = OPERATOR,
      [HBG_PROPOSAL_BOND] = PROPERTY,      [HBG_PROPOSAL_MACHINE] = ENUM,        [HBG_PROPOSAL_MACHINE_TYPE] = ENUM,
      [HBG_PROPOSAL_STATE] = ENUM_MEMBER,  [HBG_PROPOSAL_FUNCTION] = FUNCTION,   [HBG_PROPOSAL_CONSTANT] = CONSTANT,
      [HBG_PROPOSAL_MEMBER] = PROPERTY,    [HBG_PROPOSAL_UNIT] = CONSTANT,     [HBG_PROPOSAL_SUBMODEL] = MODULE};
  return kinds[kind];
}

json_t *lsp_document_symbol(LspServer *server, LspFile *file, const json_t *params) {
  (void)params;
  const HbgOutlineItem *items;
  int32_t count;
  const HbgStatus status = hbg_document_outline(file->document, &items, &count);
  if (status != HBG_OK) return lsp_refuse(server, LSP_INTERNAL_ERROR, hbg_status_text(status));
  json_t *roots = json_array();
  json_t **children = CLI_NEW(server->cli, json_t *, count); /* borrowed */
  for (int32_t i = 0; i < count; i++) {
    children[i] = json_array();
    json_t *symbol = json_pack("{s:s, s:s, s:i, s:o, s:o, s:o}", "name", items[i].name, "detail", items[i].detail, "kind",
                               symbol_kind(items[i].kind), "range", lsp_range(server, file, items[i].range), "selectionRange",
                               lsp_range(server, file, items[i].name_range), "children", children[i]);
    json_array_append_new(items[i].parent < 0 ? roots : children[items[i].parent], symbol);
  }
  return roots;
}

/* -- folds -------------------------------------------------------------------------------------------------------- */

json_t *lsp_folding_range(LspServer *server, LspFile *file, const json_t *params) {
  (void)params;
  const HbgRange *folds;
  int32_t count;
  const HbgStatus status = hbg_document_folds(file->document, &folds, &count);
  if (status != HBG_OK) return lsp_refuse(server, LSP_INTERNAL_ERROR, hbg_status_text(status));
  json_t *ranges = json_array();
  for (int32_t i = 0; i < count; i++) {
    uint32_t begin, end, column;
    lsp_place(server, file, folds[i].begin, &begin, &column);
    lsp_place(server, file, folds[i].end, &end, &column);
    const bool is_comment = file->text[folds[i].begin] == '/';
    // the closing bracket stays in sight
    if (!is_comment && end > begin) end--;
    if (end > begin)
      json_array_append_new(ranges, json_pack("{s:I, s:I, s:s}", "startLine", (json_int_t)begin, "endLine", (json_int_t)end, "kind",
                                              is_comment ? "comment" : "region"));
  }
  return ranges;
}

/* -- colours ------------------------------------------------------------------------------------------------------ */

static const char *const colour_names[HBG_COLOUR_COUNT] = {
    [HBG_COLOUR_WORD] = "keyword",     [HBG_COLOUR_KIND] = "type",         [HBG_COLOUR_NUMBER] = "number",
    [HBG_COLOUR_UNIT] = "string",      [HBG_COLOUR_COMMENT] = "comment",   [HBG_COLOUR_OPERATOR] = "operator",
    [HBG_COLOUR_PARAMETER] = "parameter", [HBG_COLOUR_VARIABLE] = "variable", [HBG_COLOUR_ELEMENT] = "class",
    [HBG_COLOUR_MACHINE] = "enum",     [HBG_COLOUR_STATE] = "enumMember",  [HBG_COLOUR_FUNCTION] = "function",
    [HBG_COLOUR_MEMBER] = "property"};

/* Five numbers for each token, places relative to the one before. */
static void add_token(json_t *data, uint32_t line, uint32_t column, uint32_t length, const HbgColoured *coloured, uint32_t last[2]) {
  const json_int_t numbers[] = {line - last[0], line == last[0] ? column - last[1] : column, length, (json_int_t)coloured->colour,
                                coloured->is_declaration};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) json_array_append_new(data, json_integer(numbers[i]));
  last[0] = line;
  last[1] = column;
}

json_t *lsp_semantic_tokens(LspServer *server, LspFile *file, const json_t *params) {
  (void)params;
  const HbgColoured *colours;
  int32_t count;
  uint32_t last[2] = {0, 0};
  const HbgStatus status = hbg_document_colours(file->document, &colours, &count);
  if (status != HBG_OK) return lsp_refuse(server, LSP_INTERNAL_ERROR, hbg_status_text(status));
  json_t *data = json_array();
  for (int32_t i = 0; i < count; i++) {
    uint32_t line, column, end_line, end_column;
    lsp_place(server, file, colours[i].range.begin, &line, &column);
    lsp_place(server, file, colours[i].range.end, &end_line, &end_column);
    // a token of the protocol ends with its line
    if (line == end_line) add_token(data, line, column, end_column - column, &colours[i], last);
  }
  return json_pack("{s:o}", "data", data);
}

/* -- what the server can do --------------------------------------------------------------------------------------- */

json_t *lsp_capabilities(const LspServer *server) {
  static const char *const encodings[] = {[LSP_UTF16] = "utf-16", [LSP_UTF8] = "utf-8", [LSP_UTF32] = "utf-32"};
  enum { INCREMENTAL = 2 };
  json_t *types = json_array();
  for (int colour = 0; colour < HBG_COLOUR_COUNT; colour++) json_array_append_new(types, json_string(colour_names[colour]));
  return json_pack(
      "{s:s, s:{s:b, s:i, s:b}, s:b, s:{s:[s,s]}, s:{s:[s,s]}, s:b, s:b, s:b, s:b, s:b, s:b, s:b, s:{s:b}, s:{s:[s]}, s:{s:{s:o, s:[s]}, s:b}}",
      "positionEncoding", encodings[server->encoding],                                                     //
      "textDocumentSync", "openClose", 1, "change", INCREMENTAL, "save", 0,                                 //
      "hoverProvider", 1,                                                                                  //
      "completionProvider", "triggerCharacters", ".", "[",                                                  //
      "signatureHelpProvider", "triggerCharacters", "(", ",",                                               //
      "definitionProvider", 1, "referencesProvider", 1, "documentHighlightProvider", 1,                    //
      "documentSymbolProvider", 1, "foldingRangeProvider", 1, "documentFormattingProvider", 1,             //
      "documentRangeFormattingProvider", 1,                                                                //
      "renameProvider", "prepareProvider", 1,                                                               //
      "codeActionProvider", "codeActionKinds", "quickfix",                                                  //
      "semanticTokensProvider", "legend", "tokenTypes", types, "tokenModifiers", "declaration", "full", 1);
}
