/* SPDX-License-Identifier: BSD-3-Clause
 * A graph that is made by calls: what was said, statement by statement. */
#ifndef API_BUILDER_H
#define API_BUILDER_H

#include "api/api.h"
#include "base/text.h"
#include "hybrsim/builder.h"
#include "model/scope.h"

/* Every kind of statement: what adds it, and what its words must be (see builder_check.c). Words in capitals are optional.
 *   n a new name        j an existing node   e an existing element   t an existing type   w any name
 *   v an expression     m a name or a call   u a unit                f names, separated by commas
 *   d a setting of runs                      k a word of ours, taken as it is
 * and how many of them name the call. */
#define HBG_STATEMENT_LIST(X)                                 \
  X(ELEMENT, "hbg_builder_add_element", "knV", 2)               \
  X(JUNCTION, "hbg_builder_add_junction", "knM", 2)             \
  X(BOND, "hbg_builder_add_bond", "jjN", 2)                     \
  X(PARAMETER, "hbg_builder_add_parameter", "nvU", 1)           \
  X(SIGNAL, "hbg_builder_add_signal", "nvU", 1)                 \
  X(TYPE, "hbg_builder_add_machine_type", "nF", 1)              \
  X(STATE, "hbg_builder_add_state", "twkK", 2)                  \
  X(TRANSITION, "hbg_builder_add_transition", "twwv", 3)        \
  X(MACHINE, "hbg_builder_add_machine", "nm", 1)                \
  X(LAW, "hbg_builder_set_law", "ev", 1)                        \
  X(START, "hbg_builder_set_start", "ekv", 2)                   \
  X(DEFAULT, "hbg_builder_set_default", "dv", 1)

typedef enum HbgStatementKind {
#define STATEMENT(name, call, words, shown) HBG_STATEMENT_##name,
  HBG_STATEMENT_LIST(STATEMENT)
#undef STATEMENT
  HBG_STATEMENT_KINDS
} HbgStatementKind;

enum { HBG_STATEMENT_WORDS = 4 };

typedef struct HbgStatement {
  HbgStatementKind kind;
  const char *words[HBG_STATEMENT_WORDS];
  const char *call;   /* "hbg_builder_add_bond(a, b)" */
  int32_t next;       /* the statement that belongs to the same element or type and follows this one; -1 */
  int32_t newest;     /* the last of them, at the first one */
} HbgStatement;

struct HbgBuilder {
  HbgArena arena; /* owns everything, this handle included */
  HbgModelOptions options;
  const char *name, *message;
  bool is_out_of_memory;
  HbgStatement *statements; int32_t statement_count, statement_capacity;
  HbgScope names;           /* to statements */
};

/* ---- builder_check.c ---- */

bool hbg_builder_is_name(const char *text, HbgArena *arena);
/* The statement that gave something this name; -1. */
int32_t hbg_builder_find(const HbgBuilder *builder, const char *name);
/* The statement that this one replaces: the law or start of the same element, the same default; -1. */
int32_t hbg_builder_earlier(const HbgBuilder *builder, const HbgStatement *statement);
/* Whether `word` can have this role in `statement`; HBG_ARGUMENT and builder->message when it cannot. */
HbgStatus hbg_builder_check(HbgBuilder *builder, const HbgStatement *statement, char role, const char *word);

/* ---- builder_text.c ---- */

/* The text of the model, with what each call wrote of it. From `arena`. */
const char *hbg_builder_write(const HbgBuilder *builder, HbgArena *arena, const HbgPassage **passages, int32_t *passage_count);

#endif
