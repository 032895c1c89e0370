/* SPDX-License-Identifier: BSD-3-Clause
 * The flat hybrid bond graph: what is left of a text when loops are expanded, names resolved and parameters evaluated.
 * Immutable after hbg_elaborate(); any number of runs may share it. All numbers are SI.
 *
 * Vocabulary (Karnopp, Margolis, Rosenberg; and Mosterman for the hybrid part): a bond carries an effort e and a flow
 * f; its half arrow points from `tail` to `head`; a node is an element or a junction; a storage has a stored quantity
 * (p of I, q of C); a machine switches controlled junctions on and off. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "base/diagnostics.h"
#include "base/files.h"
#include "model/domain.h"
#include "model/expression.h"
#include "model/unit.h"

typedef enum __attribute__((packed)) HbgElementKind { /* one byte: models have millions of nodes */
#define ELEMENT(kind, name, ports, stored, causality, law, impulses) HBG_ELEMENT_##kind,
#include "model/elements.def"
#undef ELEMENT
  HBG_ELEMENT_COUNT
} HbgElementKind;

typedef enum HbgStored { HBG_STORED_NONE, HBG_STORED_Q, HBG_STORED_P } HbgStored;

typedef enum HbgElementCausality {
  HBG_CAUSALITY_EFFORT_OUT,        /* the element sets the effort, always */
  HBG_CAUSALITY_FLOW_OUT,          /* the element sets the flow, always */
  HBG_CAUSALITY_PREFER_EFFORT_OUT, /* integral causality of C */
  HBG_CAUSALITY_PREFER_FLOW_OUT,   /* integral causality of I */
  HBG_CAUSALITY_EITHER,
  HBG_CAUSALITY_TRANSFORMS,
  HBG_CAUSALITY_GYRATES,
  HBG_CAUSALITY_COMMON_EFFORT,
  HBG_CAUSALITY_COMMON_FLOW
} HbgElementCausality;

typedef struct HbgElementInfo {
  const char *name;
  int ports; /* -1: any number */
  HbgStored stored;
  HbgElementCausality causality;
  const char *law;
} HbgElementInfo;

extern const HbgElementInfo hbg_element_info[HBG_ELEMENT_COUNT];

/* How the law of a one-port or the ratio of a two-port is given. */
typedef enum __attribute__((packed)) HbgLawForm {
  HBG_LAW_NONE,      /* junctions */
  HBG_LAW_VALUE,     /* Se, Sf: the value u; TF: n; GY: r */
  HBG_LAW_EFFORT,    /* e = law; R: over FLOW(bond); C: over STATE */
  HBG_LAW_FLOW,      /* f = law; R: over EFFORT(bond); I: over STATE */
  HBG_LAW_IMPLICIT   /* law = 0, over EFFORT(bond) and FLOW(bond) of an R, over the co-energy variable and STATE of C and I */
} HbgLawForm;

typedef struct HbgPort {
  int32_t bond;
  int32_t sign; /* +1: the half arrow points into the node, -1: out of it */
} HbgPort;

typedef struct HbgNode {
  const char *name; /* with indices: "ball[3]" */
  HbgElementKind kind;
  HbgLawForm law_form;
  bool is_outlet;       /* port 2 of an RS: its half arrow points out */
  bool passes_impulses; /* R: of nothing, or a port of a field that gives back what another takes; its law holds for impulses as well */
  HbgSpan span;     /* of the name in its declaration */
  int32_t first_port, port_count; /* in HbgModel.ports; TF and GY: port 1 (in) first, port 2 (out) second; junctions: in
                                     the order of the bonds' other ends' names */
  int32_t state;                  /* index in HbgModel.states of the stored quantity, -1 without */
  HbgExpr law;
  int32_t machine; /* that switches this junction, -1: always on */
  int32_t field_port; /* of its field, from 1 */
  const char *field; /* the element of several ports that this is a port of, NULL: an element of its own */
} HbgNode;

typedef struct HbgBond {
  const char *name; /* given by the user, or "a -> b" */
  int32_t tail, head; /* nodes */
  HbgDomain domain;   /* as far as the units in the text tell; names units, and changes no number */
  HbgDomainSet domains; /* that it may be of, as far as they tell: thermal or heat; 0: nothing does */
  HbgSpan span;
} HbgBond;

typedef struct HbgState {
  const char *name;   /* "bullet.p", "left.q", or the signal that is this integral */
  int32_t node;       /* the storage, -1: an integrator of a signal */
  HbgExpr input;      /* integrator: what is integrated; 0 for storages (p' = e, q' = f of the one bond) */
  double start;       /* initial value of the stored quantity or integral, SI; of an unknown one a guess */
  bool is_unknown;    /* found so that the initial conditions hold */
  HbgSpan span;
} HbgState;

/* What holds at the start: two sides that are equal; a rate that is zero. */
typedef struct HbgCondition {
  HbgExpr left, right;
  const char *text; /* as the modeller wrote it, or "tank is steady" */
  HbgSpan span;
} HbgCondition;

typedef struct HbgSignal {
  const char *name;
  HbgExpr expr; /* signals inside it already replaced by their expressions */
  const char *unit; /* of its values, in SI; NULL when unknown */
  const char *shown_unit; /* that tables and drawings show it in, as the user wrote it; NULL: as it is */
  HbgUnit shown;
  HbgSpan span;
} HbgSignal;

/* A condition that changes at instants known beforehand: false before `start`; from `start` on true for `width` (may be
 * infinite), again every `period` (infinite: once). All in s. From `time >= c`, step(c), pulse(...). */
typedef struct HbgTick {
  double start, width, period;
  HbgSpan span;
} HbgTick;

/* A delayed signal. Its stretches follow each other at instants known beforehand: breaks of what is delayed, one delay later. */
typedef struct HbgWindow {
  int32_t variable; /* holds the number of the stretch */
  int32_t table;    /* of the pool */
  int32_t delay;    /* in HbgFlatModel.delays */
  double length;    /* of the delay [s] */
} HbgWindow;

/* delay(...): the past of a signal is kept for it. */
typedef struct HbgDelay {
  HbgExpr input;  /* what is delayed */
  HbgExpr before; /* what it was before the run, over TIME */
  int32_t table;  /* of the pool, through which its past is read */
  int32_t window; /* of a fixed delay; -1: it varies */
  double most;    /* no longer than this [s]; may be infinite */
} HbgDelay;
/* A quantity that is constant between instants: transitions of a machine assign it, or ticks of a clock. */
typedef struct HbgVariable {
  const char *name;  /* "contact.count" */
  double start;      /* SI; of a condition 0 or 1 */
  bool is_boolean;
  bool is_event;     /* a condition that is true in the one examination of guards behind its sending */
  bool is_shown;     /* among the columns of a run */
  const char *unit;  /* in which it is shown, NULL without */
  HbgSpan span;
} HbgVariable;

/* What a transition assigns: evaluated where its guard held, on the variables as they were before. */
typedef struct HbgAction {
  int32_t variable;
  HbgExpr value;
} HbgAction;

/* Time since a state was entered: of the states [first, last] of a machine, which lie in one state of the text at `depth`. */
typedef struct HbgTimer {
  int32_t machine, first, last, depth;
  HbgExpr duration; /* [s], evaluated on entering */
  HbgSpan span;
} HbgTimer;

/* A look-up table followed over time: its argument is slope * time + rest, slope > 0. From piece to piece it goes at instants known beforehand. */
typedef struct HbgProfile {
  int32_t table; /* of the pool */
  double slope, rest;
} HbgProfile;

/* Instants in a regular order, or those at which a profile comes to its next piece. Two clocks never have the same numbers. */
typedef struct HbgClock {
  const HbgProfile *profile; /* NULL: */
  const char *name;      /* "every(0.1 [s])" */
  double offset, period; /* [s] */
  int32_t late;          /* discrete variable: each tick comes so many periods (0 to 1) later, as it is then; outside: not at all. -1: no */
  HbgSpan span;
} HbgClock;

typedef enum HbgUpdateKind {
  HBG_UPDATE_VALUE,   /* to an expression */
  HBG_UPDATE_NORMAL,  /* to a random number, normal with mean 0 and standard deviation 1 */
  HBG_UPDATE_UNIFORM, /* to a random number between 0 and 1 */
  HBG_UPDATE_PIECE    /* to the number of the piece of a profile that begins */
} HbgUpdateKind;

/* What a discrete variable becomes at each tick of a clock. Bonds and states are read as they were before the instant, discrete
 * variables as they are now where an update before this one, or a machine, has assigned them; PRE(variable) is as it was. */
typedef struct HbgUpdate {
  int32_t variable, clock;
  HbgUpdateKind kind;
  HbgExpr value;         /* of HBG_UPDATE_VALUE */
  uint64_t seed, stream; /* of random numbers */
  HbgSpan span;
} HbgUpdate;

typedef struct HbgMachineState {
  const char *name;
  bool is_on;
} HbgMachineState;

typedef struct HbgTransition {
  int32_t from, to;  /* states of the machine */
  HbgExpr guard;     /* boolean; a bare signal is a posteriori, PRE(...) a priori */
  int32_t written;   /* which of the text it is; one that leaves a state that holds others is several here */
  double priority;   /* infinite without */
  int32_t source_depth; /* how deep the state of the text lies that it leaves: outer ones come first */
  HbgAction *actions; int32_t action_count;
  int32_t kept_depth; /* how deep the innermost state lies that holds both ends and is not left; 0: the machine itself */
  HbgSpan span;      /* of the guard in the text */
  const char *text;  /* the guard as the modeller wrote it, white space folded; shown as a cause */
} HbgTransition;

typedef struct HbgMachine {
  const char *name; /* of the junction it was made for, or its own */
  const char *type;
  HbgMachineState *states;
  int32_t state_count, initial;
  HbgTransition *transitions; /* of those that leave one state the first that holds is taken */
  int32_t transition_count;
  int32_t first_timer, timer_count; /* in HbgFlatModel.timers */
  int32_t first_variable, variable_count; /* in HbgFlatModel.variables */
  bool switches; /* some junction */
  int32_t owner; /* of a region: the machine it is part of, which comes before it; -1 */
  int32_t owner_first, owner_last, owner_depth; /* it is present in these states of the owner, which lie in one of this depth; depth
                                                   0: always. Absent, its state is 0 */
  int32_t entry; /* the state of a region when it becomes present */
  HbgSpan span;
} HbgMachine;

#define HBG_TOLERANCE_LEAST 1e-14
#define HBG_TOLERANCE_MOST 0.1

/* Defaults the model gives for a run; NAN or -1 where it says nothing. */
typedef struct HbgDefaults {
  double stop, tolerance, step, interval;
  int method;  /* HbgMethod of hybrsim/run.h, or -1 */
  int sliding; /* HbgSliding of hybrsim/run.h, or -1 */
} HbgDefaults;

typedef struct HbgParameter {
  const char *name;
  double value; /* SI */
  const char *unit; /* as declared, NULL without */
  const char *description; /* NULL without */
  HbgSpan span;
} HbgParameter;

typedef struct HbgFlatModel {
  const char *name;
  HbgExprPool pool; /* owns every expression; runs work on copies of what they extend */
  HbgNode *nodes;           int32_t node_count;   /* sorted by name (natural order: a[2] before a[10]) */
  int32_t implied_node_count; /* the last of them: the equations of signals that depend on themselves, by declaration */
  HbgBond *bonds;           int32_t bond_count;   /* sorted by (tail name, head name, bond name) */
  HbgPort *ports;           int32_t port_count;
  HbgState *states;         int32_t state_count;  /* storages first, then integrators, each by name */
  HbgSignal *signals;       int32_t signal_count; /* by declaration, as the user wants to see columns */
  HbgTick *ticks;           int32_t tick_count;
  HbgWindow *windows;       int32_t window_count;
  HbgDelay *delays;         int32_t delay_count;
  HbgMachine *machines;     int32_t machine_count;/* sorted by name */
  HbgCondition *conditions; int32_t condition_count; /* for the unknown states */
  HbgVariable *variables;   int32_t variable_count;
  HbgTimer *timers;         int32_t timer_count;  /* by machine */
  HbgClock *clocks;         int32_t clock_count;
  HbgUpdate *updates;       int32_t update_count; /* in an order in which each comes behind those it reads */
  HbgParameter *parameters; int32_t parameter_count;
  int32_t *shown_junctions; int32_t shown_junction_count; /* switched junctions in order of declaration, for columns */
  int32_t *shown_states;    int32_t shown_state_count;    /* stored quantities in order of declaration, for columns */
  HbgDefaults defaults;
  const HbgSource *sources; int32_t source_count; /* the texts it was made of, by place; the first holds the model */
  void *names;              /* private to elaborate: the name space, for hbg_model_expression() */
} HbgFlatModel;

/* Is it SI itself? */
static inline bool hbg_unit_is_si(HbgUnit unit) {
  return unit.factor >= 1 && unit.factor <= 1 && unit.offset >= 0 && unit.offset <= 0;
}

/* The SI unit of `expr` where the domain of a bond tells it: of efforts, flows and stored quantities. NULL when unknown. */
const char *hbg_model_unit(const HbgFlatModel *model, const HbgExprPool *pool, HbgExpr expr);

/* Natural order of names: texts by byte, numbers in brackets by value. */
int hbg_name_compare(const char *a, const char *b);

static inline const HbgPort *hbg_port(const HbgFlatModel *model, const HbgNode *node, int32_t which) {
  return &model->ports[node->first_port + which];
}
/* The node at the other end of a bond of `node`. */
static inline int32_t hbg_other_end(const HbgFlatModel *model, int32_t bond, int32_t node) {
  return model->bonds[bond].tail == node ? model->bonds[bond].head : model->bonds[bond].tail;
}
static inline bool hbg_is_junction(const HbgNode *node) {
  return node->kind == HBG_ELEMENT_ZERO || node->kind == HBG_ELEMENT_ONE;
}
/* Is it a junction with two bonds through which power flows in one direction? Both carry the same effort and the same flow then, be it a 0- or a 1-junction, while it is on. */
static inline bool hbg_is_way_through(const HbgFlatModel *model, const HbgNode *node) {
  return hbg_is_junction(node) && node->port_count == 2 && hbg_port(model, node, 0)->sign != hbg_port(model, node, 1)->sign;
}
static inline bool hbg_is_storage(const HbgNode *node) {
  return node->kind == HBG_ELEMENT_C || node->kind == HBG_ELEMENT_I;
}

#endif
