/* SPDX-License-Identifier: BSD-3-Clause
 * Text to tokens. Every byte belongs to one token or to the blanks before it; nothing is reported here. */
#ifndef LANGUAGE_LEXER_H
#define LANGUAGE_LEXER_H

#include <string.h>

#include "language/tree.h"

/* Fills tree->tokens from tree->text; the last token is END. Linear in the length of the text. */
void hbg_lex(HbgTree *tree, HbgArena *arena);

/* Is `token` a symbol or name written exactly as `text`? Names in this sense include the words of the language. */
static inline bool token_is(const HbgTree *tree, const HbgToken *token, HbgTokenKind kind, const char *text) {
  const size_t length = strlen(text);
  return token->kind == kind && token->span.end - token->span.begin == length &&
         memcmp(tree->text + token->span.begin, text, length) == 0;
}
static inline bool token_is_symbol(const HbgTree *tree, const HbgToken *token, const char *text) {
  return token_is(tree, token, HBG_TOKEN_SYMBOL, text);
}
static inline bool token_is_word(const HbgTree *tree, const HbgToken *token, const char *text) {
  return token_is(tree, token, HBG_TOKEN_NAME, text);
}

#endif
