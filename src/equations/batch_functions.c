/* SPDX-License-Identifier: BSD-3-Clause
 * What machine code calls: the very functions that byte code calls. */
#include <math.h>

#include "equations/batch.h"

static double (*const one[HBG_OP_COUNT])(double) = {
    [HBG_OP_ABS] = fabs,   [HBG_OP_SQRT] = sqrt,  [HBG_OP_EXP] = exp,   [HBG_OP_LOG] = log,   [HBG_OP_LOG10] = log10,
    [HBG_OP_SIN] = sin,    [HBG_OP_COS] = cos,    [HBG_OP_TAN] = tan,   [HBG_OP_ASIN] = asin, [HBG_OP_ACOS] = acos,
    [HBG_OP_ATAN] = atan,  [HBG_OP_SINH] = sinh,  [HBG_OP_COSH] = cosh, [HBG_OP_TANH] = tanh, [HBG_OP_FLOOR] = floor,
    [HBG_OP_CEIL] = ceil,
};

static double power(double a, double b) { return hbg_operation_apply(HBG_OP_POW, a, b, 0); }

static double (*const two[HBG_OP_COUNT])(double, double) = {
    [HBG_OP_POW] = power, [HBG_OP_ATAN2] = atan2, [HBG_OP_HYPOT] = hypot};

static double look_up(int op, const HbgLookUpCall *call, double a, double b) {
  return hbg_operation_look_up((HbgOperation)op, call->table, call->order, a, b);
}

const HbgBatchFunctions hbg_batch_functions = {one, two, look_up};
