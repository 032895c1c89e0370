/* SPDX-License-Identifier: BSD-3-Clause
 * The texts that the editor has open, and places in them. */
#include <string.h>

#include "lsp.h"
#include "source.h"

/* -- files -------------------------------------------------------------------------------------------------------- */

static const char *uri_of(const json_t *params) {
  return json_string_value(json_object_get(json_object_get(params, "textDocument"), "uri"));
}

LspFile *lsp_file_find(const LspServer *server, const json_t *params) {
  const char *uri = uri_of(params);
  LspFile *file = server->files;
  while (file && (!uri || strcmp(file->uri, uri) != 0)) file = file->next;
  return file;
}

/* Memory of a file outlives the message that brings it. */
static Cli with_memory(const LspServer *server, Memory *memory) {
  Cli own = *server->cli;
  own.memory = memory;
  return own;
}

static int hex_value(char c) {
  const char *digits = "0123456789abcdef", *found = c ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;
  return found ? (int)(found - digits) : -1;
}

/* "file:///home/a%20b.hbg" is /home/a b.hbg. */
static const char *path_of(const Cli *cli, const char *uri) {
  static const char scheme[] = "file://";
  char *path = cli_text(cli, uri, strlen(uri));
  if (strncmp(uri, scheme, sizeof scheme - 1) != 0) return path;
  char *out = path;
  for (const char *at = uri + sizeof scheme - 1; *at; at++) {
    const int high = *at == '%' ? hex_value(at[1]) : -1, low = high >= 0 ? hex_value(at[2]) : -1;
    if (low >= 0 && high * 16 + low > 0) {
      *out++ = (char)(high * 16 + low);
      at += 2;
    } else {
      *out++ = *at;
    }
  }
  *out = '\0';
  return path;
}

static void note_line(const Cli *cli, LspFile *file, size_t at) {
  CLI_PUSH(cli, file->lines, file->line_count, file->line_capacity) = (uint32_t)at;
}

static void set_lines(const Cli *cli, LspFile *file, const char *text, size_t length) {
  file->text = text;
  file->length = length;
  file->lines = NULL;
  file->line_count = file->line_capacity = 0;
  note_line(cli, file, 0);
  for (size_t at = 0; at < length; at++)
    if (text[at] == '\n' || (text[at] == '\r' && text[at + 1] != '\n')) note_line(cli, file, at + 1);
}

void lsp_text_lines(const LspServer *server, LspFile *file, const char *text, size_t length) {
  set_lines(server->cli, file, text, length);
}

static void forget(LspFile *file) {
  hbg_document_free(file->document);
  file->document = NULL;
  file->is_told = false;
}

/* The text becomes `text`, which is copied; what is known of the old one is forgotten. */
static void set_text(LspServer *server, LspFile *file, const char *text, size_t length) {
  Memory memory = {0};
  const Cli own = with_memory(server, &memory);
  set_lines(&own, file, cli_text(&own, text, length), length);
  cli_memory_release(&file->text_memory);
  file->text_memory = memory;
  forget(file);
  // those that import it, directly or not, are to be looked at again
  for (LspFile *other = server->files; other; other = other->next)
    if (other != file && strstr(other->text, "import")) forget(other);
}

static void close_file(LspServer *server, LspFile **link) {
  LspFile *file = *link;
  (void)server;
  *link = file->next;
  hbg_document_free(file->document);
  Memory text_memory = file->text_memory, memory = file->memory; /* which holds the file itself */
  cli_memory_release(&text_memory);
  cli_memory_release(&memory);
}

static void tell_nothing_wrong(LspServer *server, const char *uri) {
  lsp_notify(server, "textDocument/publishDiagnostics", json_pack("{s:s, s:[]}", "uri", uri, "diagnostics"));
}

void lsp_file_close(LspServer *server, const json_t *params) {
  for (LspFile **link = &server->files; *link; link = &(*link)->next) {
    if (!uri_of(params) || strcmp((*link)->uri, uri_of(params)) != 0) continue;
    tell_nothing_wrong(server, (*link)->uri);
    close_file(server, link);
    return;
  }
}

void lsp_files_end(LspServer *server) {
  while (server->files) close_file(server, &server->files);
}

void lsp_file_open(LspServer *server, const json_t *params) {
  const json_t *document = json_object_get(params, "textDocument");
  const json_t *text = json_object_get(document, "text");
  if (!uri_of(params) || !json_is_string(text)) return;
  LspFile *file = lsp_file_find(server, params);
  if (!file) {
    Memory memory = {0};
    const Cli own = with_memory(server, &memory);
    file = CLI_NEW(&own, LspFile, 1);
    file->uri = cli_text(&own, uri_of(params), strlen(uri_of(params)));
    file->path = path_of(&own, file->uri);
    file->memory = memory;
    file->next = server->files;
    server->files = file;
  }
  file->version = json_integer_value(json_object_get(document, "version"));
  set_text(server, file, json_string_value(text), json_string_length(text));
}

/* -- changes ------------------------------------------------------------------------------------------------------ */

static void change_part(LspServer *server, LspFile *file, const json_t *range, const char *text, size_t length) {
  const uint32_t begin = lsp_byte(server, file, json_object_get(range, "start"));
  uint32_t end = lsp_byte(server, file, json_object_get(range, "end"));
  if (end < begin) end = begin;
  const size_t total = begin + length + (file->length - end);
  char *whole = cli_take(server->cli, total + 1, 1);
  memcpy(whole, file->text, begin);
  if (length) memcpy(whole + begin, text, length);
  memcpy(whole + begin + length, file->text + end, file->length - end);
  set_text(server, file, whole, total);
}

void lsp_file_change(LspServer *server, const json_t *params) {
  LspFile *file = lsp_file_find(server, params);
  const json_t *changes = json_object_get(params, "contentChanges");
  if (!file) return;
  for (size_t i = 0; i < json_array_size(changes); i++) {
    const json_t *change = json_array_get(changes, i), *text = json_object_get(change, "text");
    const json_t *range = json_object_get(change, "range");
    if (!json_is_string(text)) continue;
    if (json_is_object(range)) change_part(server, file, range, json_string_value(text), json_string_length(text));
    else set_text(server, file, json_string_value(text), json_string_length(text));
  }
  file->version = json_integer_value(json_object_get(json_object_get(params, "textDocument"), "version"));
}

static LspFile *file_at(const LspServer *server, const char *path) {
  LspFile *file = server->files;
  while (file && strcmp(file->path, path) != 0) file = file->next;
  return file;
}

/* What a text imports is as the editor has it, saved or not; else as it is on the disk. */
static bool read_open_or_disk(const char *path, const char **bytes, size_t *length, void *user) {
  const LspServer *server = user;
  const LspFile *open_file = file_at(server, path);
  if (open_file) {
    *bytes = open_file->text;
    *length = open_file->length;
    return true;
  }
  Source source;
  if (!cli_source_try(server->cli, path, &source)) return false;
  *bytes = source.text;
  *length = source.length;
  return true;
}

HbgDocument *lsp_document(LspServer *server, LspFile *file) {
  if (file->document) return file->document;
  HbgModelOptions options = hbg_model_options();
  options.name = file->path;
  options.folders = cli_library_folders(server->cli, &options.folder_count);
  options.read = read_open_or_disk;
  options.user = server;
  const HbgStatus status = hbg_document_open(file->text, file->length, &options, &file->document);
  if (status != HBG_OK) lsp_refuse(server, LSP_INTERNAL_ERROR, hbg_status_text(status));
  return file->document;
}

/* -- places ------------------------------------------------------------------------------------------------------- */

/* Bytes of the character at `text`, and how many units it is; a byte that belongs to none is one. */
static size_t step(const LspServer *server, const char *text, size_t length, uint32_t *units) {
  const unsigned char first = (unsigned char)*text;
  size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
  if (bytes > length) bytes = 1;
  *units = server->encoding == LSP_UTF8 ? (uint32_t)bytes : server->encoding == LSP_UTF16 && bytes == 4 ? 2 : 1;
  return bytes;
}

uint32_t lsp_units(const LspServer *server, const char *text, size_t length) {
  uint32_t count = 0;
  for (size_t at = 0; at < length;) {
    uint32_t units;
    at += step(server, text + at, length - at, &units);
    count += units;
  }
  return count;
}

uint32_t lsp_byte(const LspServer *server, const LspFile *file, const json_t *position) {
  const json_int_t line = json_integer_value(json_object_get(position, "line"));
  json_int_t left = json_integer_value(json_object_get(position, "character"));
  if (line < 0) return 0;
  if (line >= file->line_count) return (uint32_t)file->length;
  size_t at = file->lines[line];
  while (at < file->length && file->text[at] != '\n' && file->text[at] != '\r') {
    uint32_t units;
    const size_t bytes = step(server, file->text + at, file->length - at, &units);
    if ((json_int_t)units > left) break;
    left -= (json_int_t)units;
    at += bytes;
  }
  return (uint32_t)at;
}

void lsp_place(const LspServer *server, const LspFile *file, uint32_t at, uint32_t *line, uint32_t *column) {
  int32_t low = 0, high = file->line_count; /* the last line that begins at or before `at` */
  if (at > file->length) at = (uint32_t)file->length;
  while (high - low > 1) {
    const int32_t middle = low + (high - low) / 2;
    if (file->lines[middle] <= at) low = middle;
    else high = middle;
  }
  *line = (uint32_t)low;
  *column = lsp_units(server, file->text + file->lines[low], at - file->lines[low]);
}

json_t *lsp_position(const LspServer *server, const LspFile *file, uint32_t at) {
  uint32_t line, column;
  lsp_place(server, file, at, &line, &column);
  return json_pack("{s:I, s:I}", "line", (json_int_t)line, "character", (json_int_t)column);
}

json_t *lsp_range(const LspServer *server, const LspFile *file, HbgRange range) {
  return json_pack("{s:o, s:o}", "start", lsp_position(server, file, range.begin), "end", lsp_position(server, file, range.end));
}
