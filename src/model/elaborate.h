/* SPDX-License-Identifier: BSD-3-Clause
 * From the syntax tree to the flat model: parameters evaluated, loops expanded, names resolved, machines instantiated,
 * the structure checked (dangling bonds, arrows out of storages, two things of one name, ...). */
#ifndef MODEL_ELABORATE_H
#define MODEL_ELABORATE_H

#include "base/files.h"
#include "language/tree.h"
#include "model/model.h"

/* One --set NAME=VALUE: the value is an expression of the language ("2", "2 [g]", "0.1^(1/2)", "pi/4", "true"). */
typedef struct HbgSetting {
  const char *name, *value;
} HbgSetting;

/* Elaborates `tree`, of the file at `path`, into `*out`, with all files that it imports and `files` has (NULL: none), everything allocated from `arena`. Reports into `diagnostics`; `*out` is usable when
 * diagnostics->error_count is 0 afterwards. A setting that names no parameter is an error that offers near names. Of the tree, which must
 * lie in `arena`, too, the model without mistakes keeps what columns read: elements and bonds are taken out of it. */
void hbg_elaborate(const HbgTree *tree, const char *path, const HbgFiles *files, const HbgSetting *settings,
                   int32_t setting_count, HbgArena *arena, HbgDiagnostics *diagnostics, HbgFlatModel *out);

/* The expression `text` in the name space of `model` ("impulse(x.e)", "gap", "wood.f - bullet.f"), for columns. New nodes
 * go to `pool`, a copy of the model's pool that belongs to the caller. 0 and a diagnostic when it makes no sense. */
HbgExpr hbg_model_expression(const HbgFlatModel *model, HbgExprPool *pool, const char *text,
                             HbgDiagnostics *diagnostics);

/* The same with a unit behind it, perhaps: `gap [mm]` has the values in mm. `*unit` is what they are in, as far as that is known;
 * NULL when not. */
HbgExpr hbg_model_column(const HbgFlatModel *model, HbgExprPool *pool, const char *text, HbgDiagnostics *diagnostics,
                         const char **unit);

#endif
