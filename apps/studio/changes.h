/* SPDX-License-Identifier: BSD-3-Clause
 * Changes of a text as pages send them: what ChangeSet.toJSON() of @codemirror/state gives. A list of parts that go through the text from its
 * beginning to its end: 12 keeps so many units of UTF-16, [3] deletes, [3, "line", "line"] puts lines in the place of what it deletes. */
#ifndef STUDIO_CHANGES_H
#define STUDIO_CHANGES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum { STUDIO_TEXT_MOST = 16 << 20 }; // bytes of one text

/* Applies `changes` to `text` (right UTF-8). The new text, from malloc(), with a NUL behind, and its length; NULL, and a sentence in `*message` (a constant), when they
 * do not fit the text, or are none. */
char *studio_changes_apply(const json_t *changes, const char *text, size_t length, size_t *new_length, const char **message);
/* The changes that make `new_text` of `text`: what they have in common at both ends is kept. NULL: no memory. A new reference. */
json_t *studio_changes_between(const char *text, size_t length, const char *new_text, size_t new_length);

#endif
