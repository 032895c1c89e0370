/* SPDX-License-Identifier: BSD-3-Clause
 * Formulas over expressions, written like formulas. For files that hold a `pool`. */
#ifndef MODEL_EXPRESSION_BUILD_H
#define MODEL_EXPRESSION_BUILD_H

#include "model/expression.h"

#define ADD(x, y) hbg_expr_binary(pool, HBG_OP_ADD, (x), (y))
#define SUB(x, y) hbg_expr_binary(pool, HBG_OP_SUB, (x), (y))
#define MUL(x, y) hbg_expr_binary(pool, HBG_OP_MUL, (x), (y))
#define DIV(x, y) hbg_expr_binary(pool, HBG_OP_DIV, (x), (y))
#define POW(x, y) hbg_expr_binary(pool, HBG_OP_POW, (x), (y))
#define FUNCTION(op, x) hbg_expr_unary(pool, HBG_OP_##op, (x))
#define NUMBER(x) hbg_expr_constant(pool, (x))

static inline bool hbg_is_leaf(HbgOperation op) { return hbg_operation_info[op].arguments == 0; }

#endif
