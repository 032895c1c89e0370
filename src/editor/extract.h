/* SPDX-License-Identifier: BSD-3-Clause
 * Private to the making of submodels: what moves, and what it needs from outside. */
#ifndef EDITOR_EXTRACT_H
#define EDITOR_EXTRACT_H

#include "editor/edit.h"

/* What a name of the body becomes. */
typedef enum HbgMove {
  HBG_MOVE_NOT,
  HBG_MOVE_IN,   /* it moves into the submodel */
  HBG_MOVE_COPY  /* a machine type or function that is used on both sides */
} HbgMove;

/* Something of the head of the new submodel. */
typedef struct HbgExtractFormal {
  const char *word;     /* "port", "param", "in", "out", "clock" */
  const char *name;
  const char *argument; /* what the instance is given; NULL: nothing */
} HbgExtractFormal;

/* What stands in moved text instead of `span`. */
typedef struct HbgExtractReplacement {
  HbgSpan span;
  const char *text;
} HbgExtractReplacement;

typedef struct HbgExtract {
  HbgEditing *editing;
  const HbgTree *tree;
  const HbgNames *names;
  HbgArena *arena;
  HbgTreeNode body;
  int32_t scope;               /* of the body */
  uint8_t *move;               /* by name: HbgMove */
  const char *name, *instance; /* of the submodel, and of its instance */
  HbgExtractFormal *formals; int32_t formal_count, formal_capacity;
  HbgExtractReplacement *replacements; int32_t replacement_count, replacement_capacity;
  HbgText inside;              /* the statements of the submodel */
  bool *is_gone;               /* by node: a statement of the body that moves as a whole */
} HbgExtract;

/* Is the own token of `node` a name of the body, and which? -1: no. */
int32_t hbg_extract_own_name(const HbgExtract *extract, HbgTreeNode node);
/* Does what the own token of `node` names move? */
bool hbg_extract_is_inside(const HbgExtract *extract, HbgTreeNode node);
/* A name made of `stem` that nothing around or in the head has. */
const char *hbg_extract_free_name(const HbgExtract *extract, const char *stem);
/* The bytes of `span` with what is replaced in it. */
const char *hbg_extract_text(const HbgExtract *extract, HbgSpan span);

/* All that has to move with what was selected: machines, events, types, functions (extract_reads.c). */
void hbg_extract_find_all(HbgExtract *extract);
/* What moved statements read from outside becomes the head (extract_reads.c). */
void hbg_extract_read(HbgExtract *extract);
/* Does a node of this kind declare something that can move? */
bool hbg_extract_declares(HbgNodeKind kind);
/* Does `node` stand in a declaration that moves, and does not stay as well? */
bool hbg_extract_stands_inside(const HbgExtract *extract, HbgTreeNode node);
/* Are there bonds made by loops? Then there is a reason (extract_bonds.c). */
void hbg_extract_refuse_loops(HbgExtract *extract, HbgTreeNode owner);
/* Chain `chain` of bonds: parts of it move, and where it crosses there is a port (extract_bonds.c). */
void hbg_extract_chain(HbgExtract *extract, HbgTreeNode chain);
/* Which bonds have names that move (extract_bonds.c). */
void hbg_extract_bond_names(HbgExtract *extract);
/* Moves the whole statement, with the comment behind it; what a statement of the body declares; the places (extract_statements.c). */
void hbg_extract_statement(HbgExtract *extract, HbgTreeNode statement);
void hbg_extract_list(HbgExtract *extract, HbgTreeNode statement);
void hbg_extract_places(HbgExtract *extract);

#endif
