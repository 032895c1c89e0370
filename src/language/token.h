/* SPDX-License-Identifier: BSD-3-Clause
 * The tokens of the language. */
#ifndef LANGUAGE_TOKEN_H
#define LANGUAGE_TOKEN_H

#include "base/span.h"

typedef enum __attribute__((packed)) HbgTokenKind { /* one byte: texts have millions of tokens */
  HBG_TOKEN_NAME,    /* keywords are names until the parser decides */
  HBG_TOKEN_NUMBER,  /* 1, 0.5, 1e-3; never eats the dots of 1..N */
  HBG_TOKEN_SYMBOL,  /* ( ) [ ] { } , ; : := . .. -> => <- + - * / ^ = < <= >= > */
  HBG_TOKEN_UNIT,    /* [m/s] directly behind a number, a list or ), or behind `in name`, brackets included */
  HBG_TOKEN_TEXT,    /* "electrical.hbg", with its quotes, on one line */
  HBG_TOKEN_NEWLINE, /* ends a statement: only where the rule says so (not inside ( ) and [ ], not after an operator, comma
                        or arrow, not before a closing brace) */
  HBG_TOKEN_WRONG,   /* bytes that are no token */
  HBG_TOKEN_END
} HbgTokenKind;

/* The blanks and comments before a token begin where the token before it ends. */
typedef struct HbgToken {
  HbgSpan span;
  HbgTokenKind kind;
} HbgToken;

#endif
