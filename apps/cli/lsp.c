/* SPDX-License-Identifier: BSD-3-Clause
 * 'hybrsim lsp': the life of the server, from message to message. */
#include "lsp.h"

#include <string.h>

/* -- beginning and end -------------------------------------------------------------------------------------------- */

/* The first of the encodings that the client offers and we know; UTF-16 is what every client knows. */
static LspEncoding choose_encoding(const json_t *params) {
  static const char *const names[] = {[LSP_UTF16] = "utf-16", [LSP_UTF8] = "utf-8", [LSP_UTF32] = "utf-32"};
  const json_t *offered =
      json_object_get(json_object_get(json_object_get(params, "capabilities"), "general"), "positionEncodings");
  for (size_t i = 0; i < json_array_size(offered); i++) {
    const char *name = json_string_value(json_array_get(offered, i));
    for (size_t known = 0; name && known < sizeof names / sizeof *names; known++)
      if (strcmp(name, names[known]) == 0) return (LspEncoding)known;
  }
  return LSP_UTF16;
}

static json_t *initialize(LspServer *server, const json_t *params) {
  if (server->is_initialized) return lsp_refuse(server, LSP_INVALID_REQUEST, "the server is initialized already");
  server->is_initialized = true;
  server->encoding = choose_encoding(params);
  return json_pack("{s:o, s:{s:s, s:s}}", "capabilities", lsp_capabilities(server), "serverInfo", "name", "hybrsim", "version",
                   hbg_version());
}

/* -- requests ------------------------------------------------------------------------------------------------------ */

static json_t *about_file(LspServer *server, const json_t *params,
                          json_t *answer(LspServer *server, LspFile *file, const json_t *params)) {
  LspFile *file = lsp_file_find(server, params);
  if (!file) return lsp_refuse(server, LSP_INVALID_PARAMS, "this file is not open");
  return lsp_document(server, file) ? answer(server, file, params) : NULL;
}

static json_t *answer_request(LspServer *server, const char *method, const json_t *params) {
  if (strcmp(method, "initialize") == 0) return initialize(server, params);
  if (!server->is_initialized) return lsp_refuse(server, LSP_NOT_INITIALIZED, "the first request is `initialize`");
  if (server->is_shut_down) return lsp_refuse(server, LSP_INVALID_REQUEST, "the server is shut down");
  if (strcmp(method, "shutdown") == 0) {
    server->is_shut_down = true;
    return NULL;
  }
#define REQUEST(name, function) \
  if (strcmp(method, name) == 0) return about_file(server, params, function);
#include "lsp_requests.def"
#undef REQUEST
  return lsp_refuse(server, LSP_METHOD_NOT_FOUND, "there is no such method");
}

static void take_notice(LspServer *server, const char *method, const json_t *params) {
  if (!server->is_initialized || server->is_shut_down) return;
  if (strcmp(method, "textDocument/didOpen") == 0) lsp_file_open(server, params);
  else if (strcmp(method, "textDocument/didChange") == 0) lsp_file_change(server, params);
  else if (strcmp(method, "textDocument/didClose") == 0) lsp_file_close(server, params);
}

/* -- from message to message --------------------------------------------------------------------------------------- */

/* False when the client wants the end. */
static bool handle(LspServer *server, const json_t *message) {
  const json_t *id = json_object_get(message, "id");
  const char *method = json_string_value(json_object_get(message, "method"));
  const json_t *params = json_object_get(message, "params");
  server->error_code = 0;
  if (method && strcmp(method, "exit") == 0) return false;
  if (json_is_string(message)) lsp_answer(server, NULL, lsp_refuse(server, LSP_PARSE_ERROR, json_string_value(message)));
  else if (method && !id) take_notice(server, method, params);
  else if (method && lsp_is_cancelled(server, id)) lsp_answer(server, id, lsp_refuse(server, LSP_REQUEST_CANCELLED, "cancelled"));
  else if (method) lsp_answer(server, id, answer_request(server, method, params));
  else if (!json_object_get(message, "result") && !json_object_get(message, "error"))
    lsp_answer(server, id, lsp_refuse(server, LSP_INVALID_REQUEST, "a message has a method"));
  return true;
}

/* Tells what is wrong with the texts that were changed, when nothing else is to be done: while somebody is typing,
 * what was wrong one letter ago is of no interest. */
static void publish_all(LspServer *server) {
  for (LspFile *file = server->files; file; file = file->next)
    if (!file->is_told) lsp_publish(server, file);
}

/* Handles a message, or without one does what is left to do; the memory that this takes is given back. False at the end. */
static bool take_turn(LspServer *server, json_t *message) {
  Memory memory = {0};
  Cli own = *server->cli;
  const Cli *outer = server->cli;
  bool goes_on = true;
  own.memory = &memory;
  server->cli = &own;
  if (message) goes_on = handle(server, message);
  else publish_all(server);
  server->cli = outer;
  json_decref(message);
  cli_memory_release(&memory);
  return goes_on;
}

ExitStatus cli_lsp(Cli *cli) {
  LspServer server = {.cli = cli};
  bool goes_on = true;
  while (goes_on) {
    json_t *message = lsp_receive(&server, false);
    if (!message) {
      take_turn(&server, NULL);
      message = lsp_receive(&server, true);
    }
    if (!message) break;
    goes_on = take_turn(&server, message);
  }
  // "exit" before "shutdown" is an error of the client, as the protocol has it
  const bool is_orderly = server.is_shut_down;
  lsp_files_end(&server);
  lsp_stream_end(&server.stream);
  return is_orderly ? EXIT_DONE : EXIT_MODEL_WRONG;
}
