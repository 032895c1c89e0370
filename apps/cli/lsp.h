/* SPDX-License-Identifier: BSD-3-Clause
 * The language server: what its files share. The protocol is that of version 3.17,
 * https://microsoft.github.io/language-server-protocol. Nothing but its messages goes to standard output. */
#ifndef CLI_LSP_H
#define CLI_LSP_H

#include <jansson.h>

#include "cli.h"

/* How the client counts within a line. */
typedef enum LspEncoding { LSP_UTF16, LSP_UTF8, LSP_UTF32 } LspEncoding;

/* Answers that are no result. */
enum {
  LSP_PARSE_ERROR = -32700, LSP_INVALID_REQUEST = -32600, LSP_METHOD_NOT_FOUND = -32601, LSP_INVALID_PARAMS = -32602,
  LSP_INTERNAL_ERROR = -32603, LSP_NOT_INITIALIZED = -32002, LSP_REQUEST_FAILED = -32803, LSP_REQUEST_CANCELLED = -32800
};

/* A file that the editor has open. */
typedef struct LspFile {
  struct LspFile *next;
  Memory memory;          /* of what follows, but for the documents */
  const char *uri;
  const char *path;       /* as a file of this machine, for messages and imports; the uri when it is none */
  json_int_t version;
  Memory text_memory;     /* of the text and its lines */
  const char *text; size_t length;
  uint32_t *lines; int32_t line_count, line_capacity; /* where each line begins */
  HbgDocument *document;  /* of this text; NULL until it is needed */
  bool is_told;           /* the problems of this text were published */
} LspFile;

/* What arrives on standard input, cut into messages. */
typedef struct LspStream {
  char *bytes; size_t length, capacity;
  bool has_ended;
  json_t *queue;          /* array of messages that are read and not handled yet */
} LspStream;

typedef struct LspServer {
  const Cli *cli;         /* memory taken from it lives until the message is handled */
  LspStream stream;
  LspFile *files;
  LspEncoding encoding;
  bool is_initialized, is_shut_down;
  int error_code;         /* of the request that is handled; 0 without */
  const char *error;
} LspServer;

/* -- messages (lsp_stream.c) -- */

/* The next message, to be released; waits for it when `waits`. NULL when there is none, or no more. A text instead of an object
 * says why what came is no message. */
json_t *lsp_receive(LspServer *server, bool waits);
/* Has the client taken back the request `id`, in what has arrived since? */
bool lsp_is_cancelled(const LspServer *server, const json_t *id);
/* All of these take over their arguments; NULL is an answer, too: null, or an error when one was noted. */
void lsp_answer(LspServer *server, const json_t *id, json_t *result);
void lsp_notify(LspServer *server, const char *method, json_t *params);
void lsp_stream_end(LspStream *stream);
/* Notes that the request cannot be answered; answers NULL. */
json_t *lsp_refuse(LspServer *server, int code, const char *message);

/* -- texts (lsp_text.c) -- */

LspFile *lsp_file_find(const LspServer *server, const json_t *params);
void lsp_file_open(LspServer *server, const json_t *params);
void lsp_file_change(LspServer *server, const json_t *params);
void lsp_file_close(LspServer *server, const json_t *params);
void lsp_files_end(LspServer *server);
/* `text`, which is borrowed, and its lines, for places in a file that the editor has not open. */
void lsp_text_lines(const LspServer *server, LspFile *file, const char *text, size_t length);
/* The document of the text as it is now; NULL when memory was refused, which is noted. */
HbgDocument *lsp_document(LspServer *server, LspFile *file);
/* The byte of a position of the protocol; what is beyond a line or the text is its end. */
uint32_t lsp_byte(const LspServer *server, const LspFile *file, const json_t *position);
json_t *lsp_position(const LspServer *server, const LspFile *file, uint32_t at);
json_t *lsp_range(const LspServer *server, const LspFile *file, HbgRange range);
/* How many units of the client's encoding `length` bytes are. */
uint32_t lsp_units(const LspServer *server, const char *text, size_t length);
/* Line and column of a byte, both from 0. */
void lsp_place(const LspServer *server, const LspFile *file, uint32_t at, uint32_t *line, uint32_t *column);

/* -- answers: one function for each request about a file (lsp_requests.def) -- */

#define REQUEST(method, function) json_t *function(LspServer *server, LspFile *file, const json_t *params);
#include "lsp_requests.def"
#undef REQUEST
json_t *lsp_capabilities(const LspServer *server);
/* Tells the client the problems of `file`. */
void lsp_publish(LspServer *server, LspFile *file);
/* What a list of edits is in the protocol. */
json_t *lsp_edits(const LspServer *server, const LspFile *file, const HbgEdit *edits, int32_t count);

#endif
