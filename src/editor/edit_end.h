/* SPDX-License-Identifier: BSD-3-Clause
 * Private to edit_connect.c and its neighbours: one of two symbols that are joined. */
#ifndef EDITOR_EDIT_END_H
#define EDITOR_EDIT_END_H

#include "editor/edits.h"

typedef enum HbgEndKind {
  HBG_END_NOTHING, /* there is a reason */
  HBG_END_ELEMENT,
  HBG_END_JUNCTION,
  HBG_END_PORT,     /* of the submodel that is edited */
  HBG_END_INSTANCE, /* as a whole: which port or signal of it is found out */
  HBG_END_INNER_PORT, /* a port of an instance: "d.a" */
  HBG_END_VALUE,    /* a signal, or what else is a number */
  HBG_END_INPUT,    /* a signal that an instance takes: "d.x" */
  HBG_END_OTHER
} HbgEndKind;

typedef struct HbgEnd {
  HbgEndKind kind;
  const char *name;     /* "mass", "ball[3]", "d.a" */
  const char *base;     /* before the point */
  const char *part;     /* behind it, "" without */
  HbgDeclared declared; /* of the base */
  const char *letters;  /* of an element or junction as written: "I", "MSe", "0"; "" of others */
  HbgReference instance, type; /* of an instance, and its submodel; names NULL when that is not known */
} HbgEnd;

/* Can a bond be drawn to it? */
static inline bool edit_end_has_power(const HbgEnd *end) {
  return end->kind == HBG_END_ELEMENT || end->kind == HBG_END_JUNCTION || end->kind == HBG_END_PORT || end->kind == HBG_END_INSTANCE ||
         end->kind == HBG_END_INNER_PORT;
}
/* The letters of an element without the M for modulated. */
static inline const char *edit_end_plain_letters(const HbgEnd *end) { return end->letters + (end->letters[0] == 'M' && end->letters[1]); }

/* Joins by a bond (edit_bond.c). */
void hbg_edit_bond(HbgEditing *editing, const HbgEnd *tail, const HbgEnd *head);
/* Joins by a signal (edit_signal.c): `head` reads `tail`. */
void hbg_edit_signal(HbgEditing *editing, const HbgEnd *tail, const HbgEnd *head);

#endif
