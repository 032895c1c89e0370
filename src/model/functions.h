/* SPDX-License-Identifier: BSD-3-Clause
 * Private to the elaboration: the functions of the language, their arguments, and those that have a memory. */
#ifndef MODEL_FUNCTIONS_H
#define MODEL_FUNCTIONS_H

#include "model/elaborator.h"

typedef struct HbgFunctionInfo {
  const char *name, *formals;
  int needed;
  bool has_memory;
  const char *units, *form;
} HbgFunctionInfo;

extern const HbgFunctionInfo hbg_function_info[HBG_FUNCTION_COUNT];

/* What stands for each formal argument of a call, in the order of the formals; 0: not given. Of a function with any number of
 * arguments, all of them. */
typedef struct HbgArguments {
  HbgTreeNode list[HBG_MOST_ARGUMENTS];
  int count;
} HbgArguments;

/* The function that the CALL `node` names. */
HbgFunction hbg_function_of(const HbgTree *tree, HbgTreeNode node);
/* Which of the formals is called so; -1. */
int hbg_function_formal(HbgFunction function, const char *name);
/* Brings the arguments of the CALL `node` into order; false: told. */
bool hbg_elaborate_arguments(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgFunction function,
                             HbgArguments *out);
/* The value of the CALL `node` of `function`; 0: told. */
HbgExpr hbg_elaborate_function(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgFunction function);

/* elaborate_steps.c: a course of steps; 0: told. */
HbgExpr hbg_elaborate_steps(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const HbgArguments *arguments);

/* ---- elaborate_numbers.c ---- */

/* Numbers known before the run: one, a list, or a list of lists (each a row); also parameters that are an array. */
typedef struct HbgNumbers {
  int32_t rows, columns; /* a number is 1 x 1, a list 1 x n */
  double *list;          /* (rows, columns) */
} HbgNumbers;

bool hbg_elaborate_numbers(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgNumbers *out);
/* The parts of a list, or the thing itself where it is none. */
int32_t hbg_elaborate_parts(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgTreeNode **out);
/* A number known before the run, `otherwise` where `node` is 0; false: told. */
bool hbg_elaborate_number_or(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, double otherwise, double *out);

/* Are the bounds of a range known, and the wrong way round? Then it is told at `node`. */
bool hbg_elaborate_is_reversed(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgExpr low, HbgExpr high);

/* ---- functions with a memory ----
 * Each occurrence in the text is found before any expression is made, since what it remembers are states; its value reads them, and
 * comes next; what they integrate comes last. */

/* How many states the memory needs; -1: told. Fills memory->system of linear ones. */
int32_t hbg_memory_states(HbgElaborator *elaborator, HbgIntegral *memory);
/* The value of the call; where it has several, number `component`, counted from 0, and -1 asks for the only one. */
HbgExpr hbg_memory_value(HbgElaborator *elaborator, HbgIntegral *memory, int32_t component);
/* What its states integrate, and begin with. */
void hbg_memory_inputs(HbgElaborator *elaborator, HbgIntegral *memory);

/* elaborate_linear.c: transfer, state_space, lag */
bool hbg_linear_system(HbgElaborator *elaborator, HbgIntegral *memory);
HbgExpr hbg_linear_value(HbgElaborator *elaborator, const HbgIntegral *memory, int32_t component);
void hbg_linear_inputs(HbgElaborator *elaborator, const HbgIntegral *memory);
/* elaborate_vector_signals.c: the value of one of several signals that are declared at once. */
HbgExpr hbg_elaborate_vector_signal(HbgElaborator *elaborator, const HbgPlace *place, const HbgSignalDeclaration *signal);
/* elaborate_pid.c */
int32_t hbg_pid_states(HbgElaborator *elaborator, const HbgIntegral *memory);
HbgExpr hbg_pid_value(HbgElaborator *elaborator, const HbgIntegral *memory);
void hbg_pid_inputs(HbgElaborator *elaborator, const HbgIntegral *memory);
/* elaborate_delay.c */
HbgExpr hbg_delay_value(HbgElaborator *elaborator, HbgIntegral *memory);
void hbg_delay_inputs(HbgElaborator *elaborator, const HbgIntegral *memory);

/* elaborate_relays.c: what is a machine of its own */
/* Makes the machines of all, behind those that are declared. */
void hbg_elaborate_relays(HbgElaborator *elaborator);
HbgExpr hbg_relay_value(HbgElaborator *elaborator, HbgIntegral *memory);
/* Last of all, as it reads what states integrate. */
void hbg_relay_inputs(HbgElaborator *elaborator, HbgIntegral *memory);

/* The state `which` of a memory, counted from 0. */
static inline HbgExpr memory_state(const HbgElaborator *elaborator, const HbgIntegral *memory, int32_t which) {
  return hbg_expr_leaf(elaborator->pool, HBG_OP_STATE, memory->state + which, 0);
}

#endif
