/* SPDX-License-Identifier: BSD-3-Clause
 * Private to the elaboration: how a level is taken out of what was declared. */
#ifndef MODEL_LEVEL_READING_H
#define MODEL_LEVEL_READING_H

#include "model/callables.h"
#include "model/level.h"

/* What the files of a level have in common. */
typedef struct HbgLevelReading {
  HbgElaborator *elaborator;
  const HbgInstance *instance; /* whose inside the level is */
  HbgScope names;              /* of the parts, without the prefix: index is that of the part */
  HbgLevel *level;
  int32_t part_capacity, bond_capacity, read_capacity;
  int32_t *bond_of;            /* of a declared bond: that of the level, -1 */
} HbgLevelReading;

/* Takes the level that is the inside of `instance` out of what was declared. */
void hbg_level_read(HbgElaborator *elaborator, const HbgInstance *instance, HbgLevel *out);
/* The submodel that a level is called by; -1. */
int32_t hbg_level_submodel(const HbgElaborator *elaborator, const char *level);
/* The part that the full name `key` means or leads into; -1: it is not on this level. */
int32_t hbg_level_part(const HbgLevelReading *self, const char *key);
/* The same of a name without the prefix of the level. */
int32_t hbg_level_part_named(const HbgLevelReading *self, const char *name);

/* The MODEL, or what is left of it where its head could not be read; 0. In elaborate.c. */
HbgTreeNode hbg_elaborate_model_node(const HbgElaborator *elaborator);

/* level_words.c: what stands at a part. */

/* The text of tokens `first` to `last`, white space folded, shortened with an ellipsis when it is long. */
const char *hbg_level_label(const HbgTree *tree, int32_t first, int32_t last, HbgArena *arena);
/* What stands behind the name of an ELEMENT, INSTANCE or CONTROL: its value or law; "". */
const char *hbg_level_label_of(const HbgTree *tree, HbgTreeNode node, HbgArena *arena);
/* The expression without the parentheses around the whole of it. */
HbgTreeNode hbg_level_inner(const HbgTree *tree, HbgTreeNode expression);
/* The function that a signal is, "constant" or "expression". `is_constant`: nothing that varies is read. */
const char *hbg_level_kind_of_signal(HbgElaborator *elaborator, const HbgTree *tree, HbgTreeNode expression, bool is_constant);

/* elaborate_reads.c: who reads what. When the parts and bonds are known. */
void hbg_level_read_expressions(HbgLevelReading *self);

#endif
