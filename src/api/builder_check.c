/* SPDX-License-Identifier: BSD-3-Clause
 * What a word of a call to a builder may be: a name that is new or known, an expression and nothing else. */
#include <ctype.h>
#include <string.h>

#include "api/builder.h"
#include "language/tree.h"

/* The call that is checked. */
typedef struct Call {
  HbgBuilder *builder;
  const HbgStatement *statement;
} Call;

/* Reads `text` as an expression; HBG_NODE_ERROR and what is wrong with it when it is none. */
static HbgNodeKind parse(const char *text, HbgArena *arena, HbgDiagnostics *diagnostics) {
  const HbgTree tree = hbg_parse_expression(text, (uint32_t)strlen(text), arena, diagnostics);
  return diagnostics->error_count || !tree.root ? HBG_NODE_ERROR : hbg_tree_kind(&tree, tree.root);
}

bool hbg_builder_is_name(const char *text, HbgArena *arena) {
  const HbgArenaMark mark = hbg_arena_mark(arena);
  HbgDiagnostics diagnostics = hbg_diagnostics(arena);
  const bool is_one_word = !strpbrk(text, " \t\n\r/");
  const bool is_name = is_one_word && strlen(text) < UINT32_MAX / 2 && parse(text, arena, &diagnostics) == HBG_NODE_NAME;
  hbg_arena_rewind(arena, mark);
  return is_name;
}

static HbgStatus refuse(const Call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));
static HbgStatus refuse(const Call *call, const char *format, ...) {
  HbgText text = hbg_text(&call->builder->arena);
  hbg_text_add(&text, "%s: ", call->statement->call);
  va_list arguments;
  va_start(arguments, format);
  hbg_text_add_list(&text, format, arguments);
  va_end(arguments);
  call->builder->message = text.bytes;
  return HBG_ARGUMENT;
}

int32_t hbg_builder_find(const HbgBuilder *builder, const char *name) {
  const int32_t symbol = hbg_scope_find(&builder->names, name, (uint32_t)strlen(name));
  return symbol < 0 ? -1 : builder->names.symbols[symbol].index;
}

int32_t hbg_builder_earlier(const HbgBuilder *builder, const HbgStatement *statement) {
  const HbgStatement *list = builder->statements;
  if (statement->kind == HBG_STATEMENT_DEFAULT)
    for (int32_t at = 0; at < builder->statement_count; at++)
      if (list[at].kind == HBG_STATEMENT_DEFAULT && strcmp(list[at].words[0], statement->words[0]) == 0) return at;
  if (statement->kind == HBG_STATEMENT_LAW || statement->kind == HBG_STATEMENT_START)
    for (int32_t at = list[hbg_builder_find(builder, statement->words[0])].next; at >= 0; at = list[at].next)
      if (list[at].kind == statement->kind) return at;
  return -1;
}

static HbgStatus check_new(const Call *call, const char *word) {
  const int32_t old = hbg_builder_find(call->builder, word);
  if (!hbg_builder_is_name(word, &call->builder->arena)) return refuse(call, "`%s` is no name", word);
  return old < 0 ? HBG_OK : refuse(call, "`%s` has its name already from %s", word, call->builder->statements[old].call);
}

/* What an existing thing must be. */
typedef struct Wanted {
  const char *what;
  unsigned statements; /* bits 1 << kind */
  HbgScopeKind symbol;
} Wanted;

static const Wanted wanted_node = {"node", 1u << HBG_STATEMENT_ELEMENT | 1u << HBG_STATEMENT_JUNCTION, HBG_SCOPE_NODE};
static const Wanted wanted_element = {"element", 1u << HBG_STATEMENT_ELEMENT, HBG_SCOPE_NODE};
static const Wanted wanted_type = {"type of machines", 1u << HBG_STATEMENT_TYPE, HBG_SCOPE_MACHINE_TYPE};

static HbgStatus check_known(const Call *call, const char *word, const Wanted *wanted) {
  const HbgBuilder *builder = call->builder;
  const int32_t found = hbg_builder_find(builder, word);
  if (found >= 0) {
    const HbgStatement *statement = &builder->statements[found];
    if (wanted->statements & 1u << statement->kind) return HBG_OK;
    return refuse(call, "`%s` is no %s: it comes from %s", word, wanted->what, statement->call);
  }
  const char *near = hbg_scope_near(&builder->names, word, 1u << wanted->symbol, &call->builder->arena);
  return refuse(call, "there is no %s `%s` yet%s%s%s", wanted->what, word, near ? "; did you mean " : "",
                near ? near : ": add it first", near ? "?" : "");
}

static HbgStatus check_setting(const Call *call, const char *word) {
  static const char *const settings[] = {"stop", "tolerance", "method", "step", "interval", "sliding"};
  for (size_t at = 0; at < sizeof settings / sizeof *settings; at++)
    if (strcmp(settings[at], word) == 0) return HBG_OK;
  return refuse(call, "`%s` is none of stop, tolerance, method, step, interval, sliding", word);
}

static HbgStatus check_expression(const Call *call, const char *word, bool is_instance) {
  if (strpbrk(word, "\n\r") || strstr(word, "//") || strstr(word, "/*"))
    return refuse(call, "`%s`: an expression is one line without comments", word);
  HbgArena *arena = &call->builder->arena;
  const HbgArenaMark mark = hbg_arena_mark(arena);
  HbgDiagnostics diagnostics = hbg_diagnostics(arena);
  const HbgNodeKind kind = parse(word, arena, &diagnostics);
  if (diagnostics.error_count) {
    const HbgDiagnostic *first = &diagnostics.list[0];
    return refuse(call, "`%s`: %s%s%s", word, first->message, first->help ? "; " : "", first->help ? first->help : "");
  }
  hbg_arena_rewind(arena, mark);
  if (is_instance && kind != HBG_NODE_NAME && kind != HBG_NODE_CALL)
    return refuse(call, "`%s` is no machine: write Type or Type(arguments)", word);
  return HBG_OK;
}

static HbgStatus check_plain(const Call *call, const char *word, const char *excluded, const char *what) {
  return strpbrk(word, excluded) ? refuse(call, "`%s` is no %s", word, what) : HBG_OK;
}

static HbgStatus check_word(const Call *call, char role, const char *word) {
  if (!word) return isupper((unsigned char)role) ? HBG_OK : refuse(call, "an argument is missing");
  switch (tolower((unsigned char)role)) {
    case 'n': return check_new(call, word);
    case 'j': return check_known(call, word, &wanted_node);
    case 'e': return check_known(call, word, &wanted_element);
    case 't': return check_known(call, word, &wanted_type);
    case 'd': return check_setting(call, word);
    case 'w': return hbg_builder_is_name(word, &call->builder->arena) ? HBG_OK : refuse(call, "`%s` is no name", word);
    case 'v': return check_expression(call, word, false);
    case 'm': return check_expression(call, word, true);
    case 'u': return check_plain(call, word, "[]\n\r", "unit");
    case 'f': return check_plain(call, word, "()[]{};/\n\r", "list of names, such as `gap, limit`");
    default: return HBG_OK;
  }
}

HbgStatus hbg_builder_check(HbgBuilder *builder, const HbgStatement *statement, char role, const char *word) {
  return check_word(&(Call){builder, statement}, role, word);
}
