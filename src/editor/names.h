/* SPDX-License-Identifier: BSD-3-Clause
 * The names of a text, as an editor sees them: where each is declared, and where it is used. Found from the tree alone, so that
 * it works in a text that is wrong and in loops that are not expanded; `ball[i]` and `ball[3]` are one name here. */
#ifndef EDITOR_NAMES_H
#define EDITOR_NAMES_H

#include "language/tree.h"
#include "model/scope.h"

/* What a name stands for: identifier, how it is called. */
#define HBG_NAME_KINDS(X)                                                                                              \
  X(MODEL, "model") X(PARAMETER, "parameter") X(FORMAL, "argument") X(LOOP_VARIABLE, "variable of a loop")             \
  X(ELEMENT, "element") X(JUNCTION, "junction") X(BOND, "bond") X(SIGNAL, "signal") X(CLOCK, "clock")                  \
  X(MACHINE_TYPE, "type of machines") X(MACHINE, "machine") X(STATE, "state of a machine")                             \
  X(REGION, "region of a machine") X(VARIABLE, "variable of a machine") X(EVENT, "event")                              \
  X(SUBMODEL, "submodel") X(INSTANCE, "instance of a submodel") X(PORT, "port") X(INPUT, "signal that comes in")       \
  X(FUNCTION, "function") X(TABLE, "table") X(DATA, "data over time") X(IMPORT, "file")
#define HBG_NAME_ENUM(kind, what) HBG_NAME_##kind,
typedef enum HbgNameKind { HBG_NAME_KINDS(HBG_NAME_ENUM) HBG_NAME_KIND_COUNT } HbgNameKind;
const char *hbg_name_kind_text(HbgNameKind kind);

/* What a token is. */
typedef enum HbgTokenRole {
  HBG_ROLE_NONE,      /* no name */
  HBG_ROLE_WORD,      /* of the language */
  HBG_ROLE_KIND,      /* of elements: I, R, 0 */
  HBG_ROLE_DECLARED,
  HBG_ROLE_USED,
  HBG_ROLE_LETTER,    /* of a law or a start value: e f q p n r */
  HBG_ROLE_FUNCTION,  /* given: sin, integral, pre */
  HBG_ROLE_CONSTANT,  /* given: pi, time, true, false */
  HBG_ROLE_MEMBER,    /* behind a dot */
  HBG_ROLE_ARGUMENT,  /* name of an argument of a given function */
  HBG_ROLE_UNKNOWN
} HbgTokenRole;

typedef struct HbgName {
  HbgNameKind kind;
  const char *text; uint32_t length;
  HbgTreeNode node; /* that declares it, the first where there are several */
  int32_t token;    /* of that declaration */
  int32_t scope;    /* where it is declared */
  int32_t inner;    /* the scope it opens, -1 without */
  const struct HbgNames *home; /* of a name that another file declares: the names of that file; NULL: this one */
  int32_t there;    /* and its number there */
} HbgName;

typedef struct HbgNameScope {
  int32_t outer;      /* -1: the file */
  HbgTreeNode node;
  bool is_loop;       /* what is declared in a loop belongs to what is around it */
  HbgScope names, states;
} HbgNameScope;

/* A file that is imported, with what it declares. */
typedef struct HbgImported {
  HbgTreeNode node; /* IMPORT */
  const struct HbgNames *names;
} HbgImported;

typedef struct HbgNames {
  const HbgTree *tree;
  const char *path; /* of the file */
  const HbgImported *imported; int32_t imported_count;
  HbgArena *arena;
  HbgNameScope *scopes; int32_t scope_count, scope_capacity; /* the first is the file */
  HbgName *list;        int32_t count, capacity;
  int32_t *name_of_token;   /* (tree->token_count) -1: none */
  uint8_t *role_of_token;   /* (tree->token_count) HbgTokenRole */
  HbgTreeNode *node_of_token; /* (tree->token_count) whose own token it is, 0: none */
} HbgNames;

/* A name, wherever it is declared; names NULL: none. */
typedef struct HbgReference {
  const HbgNames *names;
  int32_t name;
} HbgReference;

/* From `arena`, in which the tree and the names of imported files must live at least as long. */
HbgNames hbg_names(const HbgTree *tree, const char *path, const HbgImported *imported, int32_t imported_count, HbgArena *arena);
/* Where `name` is declared: in these names, or in those of another file. */
HbgReference hbg_names_home(const HbgNames *names, int32_t name);
/* The submodel that an instance, or what stands for a submodel, is of. */
HbgReference hbg_names_type(HbgReference reference);
/* The part `text` of what `owner` stands for: of a file, an instance, a machine. */
HbgReference hbg_names_part(HbgReference owner, const char *text, uint32_t length);
/* The scope whose names can be read behind `owner` and a point; NULL without. */
const HbgNameScope *hbg_names_inside(HbgReference owner);
/* The name `text` as it is seen from `scope`, -1 when there is none. */
int32_t hbg_names_find(const HbgNames *names, int32_t scope, const char *text, uint32_t length);
/* The innermost scope around byte `at`. */
int32_t hbg_names_scope_at(const HbgNames *names, uint32_t at);
/* The type of machine that switches junction `name`, or that machine `name` is of; -1 without. */
int32_t hbg_names_type_of(const HbgNames *names, int32_t name);
/* The token that holds byte `at`, or ends there; -1 when there is none but blanks and comments. */
int32_t hbg_names_token_at(const HbgNames *names, uint32_t at);
/* The child of `node` that has this kind, 0 without. */
HbgTreeNode hbg_names_child(const HbgTree *tree, HbgTreeNode node, HbgNodeKind kind);

#endif
