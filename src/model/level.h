/* SPDX-License-Identifier: BSD-3-Clause
 * One level of a model, for a drawing: the parts that are declared there, the bonds between them, and who reads what. A level is the
 * model itself, the inside of an instance of a submodel, or a submodel as it is declared. What lies deeper belongs to one part.
 *
 * Also of a text that is wrong: what could be understood of it. The lists are in natural order of names, so that nothing depends
 * on the order of declarations. */
#ifndef MODEL_LEVEL_H
#define MODEL_LEVEL_H

#include "language/tree.h"
#include "model/elaborate.h"
#include "model/model.h"

typedef enum HbgPartSort {
  HBG_PART_OF_ELEMENTS,
  HBG_PART_OF_JUNCTIONS,
  HBG_PART_OF_SUBMODELS,
  HBG_PART_OF_SIGNALS,
  HBG_PART_OF_PORTS,
  HBG_PART_OF_MACHINES
} HbgPartSort;

/* Something with a name on the level. */
typedef struct HbgLevelPart {
  const char *name;       /* without the prefix of the level: "ball[3]"; first, for sorting */
  const char *path;       /* with it: "row.ball[3]" */
  HbgPartSort sort;
  const char *kind;       /* as written: "MSe", "1", "Wagon"; of signals "sum", "constant", "expression", ...; "port", "in", "out" */
  const char *label;      /* what stands behind its name, shortened; "" */
  const char *definition; /* of an instance: the level of its submodel; "" */
  HbgSpan span;           /* of the name where it is declared */
  double x, y;            /* where the text places it */
  bool is_placed;
  bool is_repeated;       /* one of several that are declared at once */
  int32_t machine;        /* of the flat model: that it is, or is switched by; -1 */
  int32_t node;           /* of the flat model; -1: none, or several */
} HbgLevelPart;

typedef struct HbgLevelBond {
  int32_t tail, head;           /* parts */
  const char *name;             /* given in the text, NULL */
  int32_t bond;                 /* of the flat model; -1: it leads nowhere, or out of a submodel by itself */
  int32_t tail_node, head_node; /* of the flat model; -1: ports, fields, instances */
  HbgSpan arrow;
  bool is_repeated;
} HbgLevelBond;

typedef enum HbgReadSort { HBG_READ_SIGNAL, HBG_READ_ACTIVE, HBG_READ_SWITCH } HbgReadSort;

/* `to` reads what `from` gives, or is switched by it. */
typedef struct HbgLevelRead {
  int32_t from, to; /* parts */
  HbgReadSort sort;
  char quantity;    /* ACTIVE: e, f, p or q; else 0 */
  bool is_a_priori; /* by pre(...) in a guard */
  bool is_guard;
} HbgLevelRead;

typedef struct HbgLevel {
  HbgLevelPart *parts; int32_t part_count;
  HbgLevelBond *bonds; int32_t bond_count;
  HbgLevelRead *reads; int32_t read_count;
  const HbgFlatModel *flat; /* the graph and the machines of the whole model, or of the submodel by itself; without any laws */
  bool is_declaration;      /* of a submodel by itself */
} HbgLevel;

typedef enum HbgLevelStatus { HBG_LEVEL_FOUND, HBG_LEVEL_UNKNOWN, HBG_LEVEL_TOO_LARGE } HbgLevelStatus;

/* The level called `level` ("": the model; "row.wagon[1]": the inside of an instance; "Wagon": a submodel that the file sees, "parts.hbg:Wagon"
 * one of another file) of `tree`, which may be wrong; `text_is_wrong` then. Files and settings as for hbg_elaborate(). Everything from `arena`. */
HbgLevelStatus hbg_elaborate_level(const HbgTree *tree, const char *path, const HbgFiles *files, const HbgSetting *settings,
                                   int32_t setting_count, bool text_is_wrong, const char *level, HbgArena *arena, HbgLevel *out);

#endif
