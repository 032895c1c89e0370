/* SPDX-License-Identifier: BSD-3-Clause
 * Private to the elaboration: how functions on clocks are made of discrete variables and what updates them at each tick. A
 * variable read by itself is the one of this tick, hbg_clocked_old() the one of the tick before: that is a delay, and all there
 * is to difference equations. */
#ifndef MODEL_CLOCKED_H
#define MODEL_CLOCKED_H

#include "model/functions.h"

enum { HBG_CLOCKED_NAMED = 6, HBG_CLOCKED_PLACES = 6 };

/* One call that is being made. */
typedef struct HbgClockedCall {
  HbgElaborator *elaborator;
  const HbgPlace *place;
  HbgTreeNode node;                      /* CALL */
  HbgTreeNode given[HBG_CLOCKED_PLACES]; /* arguments by place, 0 where left out */
  HbgTreeNode named[HBG_CLOCKED_NAMED];  /* arguments by name, in the order of the function's own list */
  HbgClocked *made;
  const char *name;                      /* of what it makes: "y.sample" */
  int32_t clock;                         /* of the model */
  double period;                         /* of the clock [s] */
  HbgExpr sampled;                       /* the first argument, at this tick */
} HbgClockedCall;

/* Makes what a call stands for; 0: a mistake, told. */
typedef HbgExpr (*HbgClockedMaker)(HbgClockedCall *call);

typedef struct HbgClockedFunction {
  const char *name, *form;                /* how it is written */
  bool is_sampling;                       /* the first argument is sampled, the second is the clock; else the first is the clock */
  bool has_period;                        /* in place of the clock stands a period; its offset is the first argument by name */
  bool has_start;                         /* the first argument by name is what is sampled before the first tick */
  bool may_be_condition;                  /* what is sampled may be one */
  int least, most;                        /* arguments by place */
  const char *names[HBG_CLOCKED_NAMED];   /* of arguments by name */
  HbgClockedMaker make;
} HbgClockedFunction;

/* elaborate_samplers.c */
extern const HbgClockedFunction hbg_clocked_samplers[];
extern const int hbg_clocked_sampler_count;
/* elaborate_filters.c */
extern const HbgClockedFunction hbg_clocked_filters[];
extern const int hbg_clocked_filter_count;

/* ---- variables ---- */

/* A discrete variable of the call, as an expression. */
HbgExpr hbg_clocked_variable(HbgClockedCall *call, const char *part, double start, bool is_boolean);
/* The value `variable` had before the tick. */
HbgExpr hbg_clocked_old(HbgClockedCall *call, HbgExpr variable);
/* At each tick `variable` becomes `value`. */
void hbg_clocked_update(HbgClockedCall *call, HbgExpr variable, HbgExpr value);
/* The same of another clock, or of another kind. */
void hbg_clocked_add_update(HbgClockedCall *call, HbgUpdate update);
/* A variable that is 0 before and at the first tick, and 1 behind. */
HbgExpr hbg_clocked_is_later(HbgClockedCall *call);

/* ---- arguments ---- */

/* A number known before the run; `fallback` where `node` is 0. False: told. */
bool hbg_clocked_number(HbgClockedCall *call, HbgTreeNode node, double fallback, double *value);
/* Tells that `node` does not fit. Always 0. */
HbgExpr hbg_clocked_refuse(HbgClockedCall *call, HbgTreeNode node, const char *help, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The same for a list, a list of lists, or an array of parameters. */
bool hbg_clocked_numbers(HbgClockedCall *call, HbgTreeNode node, HbgNumbers *numbers);
/* elaborate_sampled_types.c: is `node` a condition, as far as its text tells? */
bool hbg_clocked_is_condition(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node);

#endif
