/* SPDX-License-Identifier: BSD-3-Clause
 * Expressions as compact byte code over one array of registers. Executing allocates nothing.
 *
 * Registers hold leaves (inputs), constants and intermediate results, each computed once. What depends only on constants
 * on what changes at instants only (scheduled conditions, discrete variables) is computed in the `prepare` range, once per
 * instant; the rest in `main`, in the order of the parts that were emitted one after the other. */
#ifndef EQUATIONS_PROGRAM_H
#define EQUATIONS_PROGRAM_H

#include <string.h>

#include "equations/slot.h"

/* What an operation on a table needs besides its first argument. */
typedef struct HbgLookUpCall {
  const HbgLookUpTable *table;
  int32_t order, b; /* of the derivative; register of the second argument */
} HbgLookUpCall;

/* Small, since there are many: an operation on a table has the address of a HbgLookUpCall where others have b and c. */
typedef struct HbgInstruction {
  int32_t op; /* HbgOperation */
  int32_t target, a;
  union {
    struct {
      int32_t b, c;
    };
    unsigned char look_up[8];
  };
} HbgInstruction;

static inline const HbgLookUpCall *hbg_instruction_look_up(const HbgInstruction *instruction) {
  const HbgLookUpCall *look_up;
  _Static_assert(sizeof look_up <= sizeof instruction->look_up, "an address finds its place");
  memcpy(&look_up, instruction->look_up, sizeof look_up);
  return look_up;
}

static inline void hbg_instruction_set_look_up(HbgInstruction *instruction, const HbgLookUpCall *look_up) {
  memcpy(instruction->look_up, &look_up, sizeof look_up);
}

typedef struct HbgProgramInput {
  HbgExprNode leaf; /* what belongs into the register: op, index, other */
  bool is_pre;      /* of the a priori side */
  int32_t target;
} HbgProgramInput;

typedef struct HbgProgramConstant {
  double value;
  int32_t target;
} HbgProgramConstant;

typedef struct HbgProgram {
  int32_t register_count;
  HbgInstruction *prepare; int32_t prepare_count, prepare_capacity;
  HbgInstruction *main;    int32_t main_count, main_capacity;
  HbgProgramInput *inputs; int32_t input_count, input_capacity;
  HbgProgramConstant *constants; int32_t constant_count, constant_capacity;
} HbgProgram;

/* An operation of two arguments at the end of `main`, into a new register, which is answered. */
int32_t hbg_program_add(HbgProgram *program, HbgArena *arena, HbgOperation op, int32_t a, int32_t b);

/* Emits expressions into a program. Between hbg_emitter() and the last hbg_emit() nothing else may walk the pool. */
typedef struct HbgEmitter {
  HbgProgram *program;
  HbgExprPool *pool;
  HbgArena *arena;
  int32_t stamp;
  uint8_t *is_prepared; int32_t prepared_capacity; /* per register */
  int32_t *stack; int32_t stack_count, stack_capacity;
  bool is_pre;
  HbgExpr *pre_memo; /* of the a priori side: pairs expression, register */
  int32_t pre_count, pre_capacity;
} HbgEmitter;

HbgEmitter hbg_emitter(HbgProgram *program, HbgExprPool *pool, HbgArena *arena);
/* The register that holds `expr` after the program ran. */
int32_t hbg_emit(HbgEmitter *emitter, HbgExpr expr);
/* Does this register depend on nothing that changes between instants? */
bool hbg_emitted_constant(const HbgEmitter *emitter, int32_t target);

/* Moves the lists of a program to `arena`, as long as they are, from where its emitter has made them. */
void hbg_program_keep(HbgProgram *program, HbgArena *arena);

/* Gives back what a small program's lists left behind while they grew: all that was allocated in `arena` since `mark`, which must be by
 * its emitter alone. Of a program with tables nothing is given back. */
void hbg_program_pack(HbgProgram *program, HbgArena *arena, HbgArenaMark mark);

/* Puts the constants into their registers; once per set of registers. */
void hbg_program_load_constants(const HbgProgram *program, double *registers);
/* Executes instructions [from, to) of `code`. PRE and FINITE are the value itself, IMPULSE is 0: continuous time. */
void hbg_execute(const HbgInstruction *code, int32_t from, int32_t to, double *registers);

/* ---- at instants ---- */

/* A value with its impulse part, and the sizes of what it was summed up from: what round-off can hide in. */
typedef struct HbgPair {
  double value, area;
  double value_size, area_size;
} HbgPair;

/* A comparison within this many rounding errors of its terms counts as equal (semantics 12). */
#define HBG_GUARD_BAND (64 * 2.220446049250313e-16)
/* An area this small against the storages it could change counts as none (semantics 5). */
#define HBG_AREA_BAND 1e-10

/* What stands for an area without end, and for one that only begins (hybrid/conflict.h): more and less than any that is something. */
#define HBG_AREA_ENDLESS 1e200
#define HBG_AREA_BEGINNING 1e-200

static inline bool hbg_area_only_begins(double area) { return area < 1e-100 && area > -1e-100; }
/* Has the area an amount that can be told? */
static inline bool hbg_area_is_counted(double area) { return area < 1e100 && area > -1e100 && !hbg_area_only_begins(area); }

/* Executes with impulses (semantics 5): comparisons of an impulsive expression go by the sign of its area.
 * `*is_undefined` is set when a product, square or function of impulses has no value; `*by_impulse` when a comparison was
 * decided by an impulse. */
void hbg_execute_pairs(const HbgInstruction *code, int32_t from, int32_t to, HbgPair *registers, bool *is_undefined,
                       bool *by_impulse);
/* The sizes that go with values already computed: sizes[target] from the sizes of the arguments. */
void hbg_execute_sizes(const HbgInstruction *code, int32_t from, int32_t to, const double *registers, double *sizes);

#endif
