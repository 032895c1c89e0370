/* SPDX-License-Identifier: BSD-3-Clause
 * Expressions over the variables of a model, as one directed acyclic graph: equal expressions are one node (hash
 * consing), and the constructors simplify what is certain (constants folded, x + 0, x * 1, x * 0, - - x, ...).
 * Commutative arguments are kept as written, so results do not depend on the order of declarations. */
#ifndef MODEL_EXPRESSION_H
#define MODEL_EXPRESSION_H

#include <stdbool.h>

#include "base/arena.h"
#include "model/look_up_table.h"

typedef enum __attribute__((packed)) HbgOperation { /* one byte: models have millions of nodes */
#define OPERATION(kind, name, arguments, result, is_function) HBG_OP_##kind,
#include "model/operations.def"
#undef OPERATION
  HBG_OP_COUNT
} HbgOperation;

typedef enum HbgResultKind { HBG_RESULT_NUMBER, HBG_RESULT_BOOLEAN, HBG_RESULT_SAME } HbgResultKind;

typedef struct HbgOperationInfo {
  const char *name;
  int arguments;
  HbgResultKind result;
  bool is_function; /* written name(...) in the language */
} HbgOperationInfo;

extern const HbgOperationInfo hbg_operation_info[HBG_OP_COUNT];

typedef int32_t HbgExpr; /* index of a node in its pool; 0 is "none" */

typedef struct HbgExprNode {
  HbgOperation op;
  bool is_boolean;
  HbgExpr a, b, c;       /* arguments; 0 beyond the operation's count */
  union {
    struct {
      int32_t index, other; /* of a leaf: state, bond, tick, machine, variable, timer, slot; the machine's state; of a table:
                               which, and the order of the derivative */
    };
    double value;        /* of a constant; a boolean constant is 0 or 1 */
  };
} HbgExprNode;

/* A place in the table of nodes: another node there is told apart without a look at it. */
typedef struct HbgExprPlace {
  HbgExpr expr; /* 0: free */
  uint32_t hash;
} HbgExprPlace;

/* Leaves of one kind by their index, 0 where there is none yet. */
typedef struct HbgExprLeaves {
  HbgExpr *list;
  int32_t count;
} HbgExprLeaves;

enum { HBG_EXPR_LEAF_KINDS = 12 }; /* states, efforts, flows, slots of nine kinds: those of which there are many */

/* Places of nodes, by what they are; as many as a power of two. */
typedef struct HbgExprPlaces {
  HbgExprPlace *list;
  int32_t count, taken_count;
  int32_t known_count;               /* of what a copy began with: nodes that there were then */
  const struct HbgExprPlaces *older; /* of the pool that this one is a copy of; NULL: of none */
} HbgExprPlaces;

enum { HBG_EXPR_CHUNK = 128 }; /* nodes that lie side by side */

typedef struct HbgExprPool {
  HbgArena *arena;
  HbgExprNode **chunks; int32_t chunk_count, chunk_capacity; /* of nodes, of which 0 is unused; a copy shares those that are full */
  int32_t count, capacity; /* capacity: of memo and stamp */
  HbgExprLeaves leaves[HBG_EXPR_LEAF_KINDS];
  HbgExprPlaces places; /* of all other nodes */
  HbgExpr often[3];     /* the constants -1, 0 and 1; 0: not made yet */
  HbgLookUpTable **tables; int32_t table_count, table_capacity; /* look-up tables that nodes refer to; a copy may replace its own */
  HbgExpr *memo;   /* private to walks: what a node became, valid where stamp[node] is the walk's own number */
  int32_t *stamp;
  int32_t *last_stamp;
} HbgExprPool;

HbgExprPool hbg_expr_pool(HbgArena *arena);
/* A copy that can grow on its own; nodes keep their indices. It shares what there is with `pool`, which must not grow any more. */
HbgExprPool hbg_expr_pool_copy(const HbgExprPool *pool, HbgArena *arena);

HbgExpr hbg_expr_constant(HbgExprPool *pool, double value);
HbgExpr hbg_expr_boolean(HbgExprPool *pool, bool value);
/* A leaf of kind TIME, STATE, EFFORT, FLOW, TICK, IN_STATE, IS_ON, VARIABLE, TIMER or SLOT. `other`: the state of IN_STATE, 1 for a
 * VARIABLE that is a condition. */
HbgExpr hbg_expr_leaf(HbgExprPool *pool, HbgOperation op, int32_t index, int32_t other);
HbgExpr hbg_expr_unary(HbgExprPool *pool, HbgOperation op, HbgExpr a);
HbgExpr hbg_expr_binary(HbgExprPool *pool, HbgOperation op, HbgExpr a, HbgExpr b);
HbgExpr hbg_expr_select(HbgExprPool *pool, HbgExpr condition, HbgExpr yes, HbgExpr no);

/* An operation on look-up table `table` of the pool: TABLE, MAP (of `a` and `b`) or COURSE (`b`: the piece). `order`: of the
 * derivative, for MAP by the first argument + 4 * by the second. */
HbgExpr hbg_expr_table(HbgExprPool *pool, HbgOperation op, int32_t table, int32_t order, HbgExpr a, HbgExpr b);
/* Its number, of a table that is new to the pool. */
int32_t hbg_expr_add_table(HbgExprPool *pool, HbgLookUpTable *table);
static inline bool hbg_operation_has_table(HbgOperation op) {
  return op == HBG_OP_TABLE || op == HBG_OP_MAP || op == HBG_OP_COURSE;
}

static inline const HbgExprNode *hbg_expr_node(const HbgExprPool *pool, HbgExpr expr) {
  return &pool->chunks[(uint32_t)expr / HBG_EXPR_CHUNK][(uint32_t)expr % HBG_EXPR_CHUNK];
}
static inline bool hbg_expr_is_constant(const HbgExprPool *pool, HbgExpr expr) {
  return hbg_expr_node(pool, expr)->op == HBG_OP_CONSTANT;
}
/* Is `expr` the constant `value`? */
static inline bool hbg_expr_is(const HbgExprPool *pool, HbgExpr expr, double value) {
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  return node->op == HBG_OP_CONSTANT && node->value >= value && node->value <= value;
}

/* The value of one operation on numbers (booleans as 0 and 1). Not for leaves, PRE, IMPULSE, FINITE and tables. */
double hbg_operation_apply(HbgOperation op, double a, double b, double c);
/* The value of an operation on `table`. */
double hbg_operation_look_up(HbgOperation op, const HbgLookUpTable *table, int32_t order, double a, double b);

/* A walk over an expression, children first, each node once. What a node becomes is remembered until the next walk. */
typedef struct HbgWalk {
  HbgExpr (*enter)(HbgExprPool *pool, HbgExpr expr, void *user); /* settles a node at once; 0: go on to its children */
  HbgExpr (*leave)(HbgExprPool *pool, HbgExpr expr, const HbgExpr *memo, void *user); /* memo[child] is settled */
  void *user;
} HbgWalk;
HbgExpr hbg_expr_walk(HbgExprPool *pool, HbgExpr root, const HbgWalk *how);
/* A `leave` that makes the same operation of what its arguments have become. Without use for `user`. */
HbgExpr hbg_expr_rebuild(HbgExprPool *pool, HbgExpr expr, const HbgExpr *memo, void *user);

/* Asks `visit` of `root` and what stands below, of each node once, before its arguments: these are gone into where it answers so. Where
 * nothing is to be made of an expression this is much cheaper than to rebuild it. Leaves come in the order of hbg_expr_replace(). */
typedef bool (*HbgExprVisitor)(HbgExprPool *pool, HbgExpr expr, void *user);
void hbg_expr_visit(HbgExprPool *pool, HbgExpr root, HbgExprVisitor visit, void *user);
/* The same of many expressions, of which each node is asked for once however many of them share it. */
void hbg_expr_visit_many(HbgExprPool *pool, const HbgExpr *roots, int32_t count, HbgExprVisitor visit, void *user);

/* Rebuilds `expr` with every leaf replaced by what `replace` answers (0 = keep the leaf; constants
 * count as leaves, and it is also asked for PRE, IMPULSE and FINITE nodes, whose arguments are walked only when it answers 0). */
typedef HbgExpr (*HbgReplaceLeaf)(HbgExprPool *pool, HbgExpr leaf, void *user);
HbgExpr hbg_expr_replace(HbgExprPool *pool, HbgExpr expr, HbgReplaceLeaf replace, void *user);

/* The same for many expressions (0 stays 0), each of whose parts is rebuilt once however many of them share it. */
void hbg_expr_replace_many(HbgExprPool *pool, HbgExpr *exprs, int32_t count, HbgReplaceLeaf replace, void *user);

/* Solves `left = right` for the leaf `unknown` by undoing one operation after the other, where it occurs exactly once
 * (after collecting it when the equation is linear in it). 0 when that cannot be done for every value. */
HbgExpr hbg_expr_solve(HbgExprPool *pool, HbgExpr left, HbgExpr right, HbgExpr unknown);

/* `expr` with `to` in place of `from`, which may be any node of it. */
HbgExpr hbg_expr_exchange(HbgExprPool *pool, HbgExpr expr, HbgExpr from, HbgExpr to);

/* Does `expr` depend on `leaf` (a leaf node of the same pool)? */
bool hbg_expr_depends(const HbgExprPool *pool, HbgExpr expr, HbgExpr leaf);

/* The derivative of `expr`, given the derivative of every leaf (0 answers mean derivative 0). Booleans have none;
 * abs, min, max, sign and selections are differentiated on the branch they are on. */
typedef HbgExpr (*HbgLeafDerivative)(HbgExprPool *pool, HbgExpr leaf, void *user);
HbgExpr hbg_expr_derivative(HbgExprPool *pool, HbgExpr expr, HbgLeafDerivative derivative, void *user);

/* The derivatives of `expr` with respect to every leaf it depends on, each handed once to `take`, by going backwards
 * from the whole to its parts (Griewank and Walther, Evaluating Derivatives, 2008, ch. 3): the cost of one walk however
 * many leaves there are. An a priori value is a leaf. `scratch` is left as it was: `take` must not keep anything there. */
typedef void (*HbgTakeSlope)(HbgExprPool *pool, HbgExpr leaf, HbgExpr slope, void *user);
void hbg_expr_gradient(HbgExprPool *pool, HbgExpr expr, HbgArena *scratch, HbgTakeSlope take, void *user);

/* The same up to a border: the `count` expressions of `border` (ascending) count as leaves, what stands below them is not looked at. What many
 * expressions are made of is differentiated once in this way, and each of them as far as that. False, with nothing taken, where `expr` branches. */
bool hbg_expr_gradient_to(HbgExprPool *pool, HbgExpr expr, const HbgExpr *border, int32_t count, HbgArena *scratch, HbgTakeSlope take, void *user);
/* Where among them it is; -1. */
int32_t hbg_expr_place(HbgExpr expr, const HbgExpr *border, int32_t count);

/* Is `expr` a linear combination of the leaves that vary plus something, both made of the leaves that do not? A function that jumps,
 * sign or floor, is not, though its slope is constant. An a priori value counts as not affine. */
bool hbg_expr_is_affine(HbgExprPool *pool, HbgExpr expr, bool (*varies)(const HbgExprNode *leaf, void *user), void *user);

#endif
