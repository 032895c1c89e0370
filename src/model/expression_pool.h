/* SPDX-License-Identifier: BSD-3-Clause
 * Where expressions are kept, each once. */
#ifndef MODEL_EXPRESSION_POOL_H
#define MODEL_EXPRESSION_POOL_H

#include "model/expression.h"

/* The node of the pool that equals `node`, which is made where there is none. */
HbgExpr hbg_expr_intern(HbgExprPool *pool, HbgExprNode node);

#endif
