/* SPDX-License-Identifier: BSD-3-Clause
 * Private to the elaboration: what its files share. The steps, in order, stand in elaborate.c. */
#ifndef MODEL_ELABORATOR_H
#define MODEL_ELABORATOR_H

#include <string.h>

#include "base/files.h"
#include "base/key_table.h"
#include "language/tree.h"
#include "model/elaborate.h"
#include "model/model.h"
#include "model/quantity.h"
#include "model/scope.h"

typedef struct HbgInstance HbgInstance;
typedef struct HbgUnitCheck HbgUnitCheck;
typedef struct HbgDrawing HbgDrawing; /* elaborate_drawing.c */

/* Names that hold for a part of the text only: the variable of a loop in one of its rounds, the formal parameters of a
 * machine type in one of its instances. Declared names are found behind all frames. The outermost frame is the one of
 * the instance, and has no name. */
typedef struct HbgFrame {
  const char *name;
  uint32_t length;
  HbgExpr value; /* 0: its mistake is told already */
  const struct HbgFrame *outer;
  const HbgInstance *instance;
  HbgQuantity *quantity; /* of the argument it stands for; found by the check of units; NULL: not yet, or of none */
} HbgFrame;

/* One `import` of a file. */
typedef struct HbgImport {
  const char *alias; /* NULL: all names of the file are names here */
  int32_t file;      /* that is imported */
} HbgImport;

/* One file of the model. */
typedef struct HbgModelFile {
  HbgTree tree;
  const char *path;
  int32_t index;        /* in the list of files; what it declares is in the name space behind it, index + 1 */
  HbgImport *imports; int32_t import_count, import_capacity;
  bool is_importing;    /* its imports are being read: to import it now goes in a circle */
  bool *holds_integral; /* tree node: it or a node below is integral(...) */
} HbgModelFile;

/* A part of a file that is elaborated under a prefix of its own: the model, a submodel each time it is used. */
struct HbgInstance {
  const HbgModelFile *file;
  const char *name;    /* "left.diode[2]"; "" of the model, and for what stands in a file by itself */
  const char *prefix;  /* of all names declared in it: "left.diode[2]."; "" of the model */
  uint32_t prefix_length;
  HbgFrame frame;      /* the outermost */
  const HbgInstance *outer; /* that it is a part of; NULL: of none */
  int32_t submodel;    /* that it is an instance of; -1: of none */
  HbgTreeNode node;    /* INSTANCE, in the text of `outer`; 0 */
  const HbgFrame *outer_frame; /* of that */
  HbgSpan span;        /* of its name there */
  int32_t index;       /* in the list of instances */
  int32_t first_port;  /* the last one declared of its ports; -1: none */
};

typedef struct HbgSubmodelDeclaration {
  const char *name;
  const HbgModelFile *file;
  HbgTreeNode node; /* SUBMODEL */
} HbgSubmodelDeclaration;

/* A port of an instance: through it goes one bond, or it is a junction. */
typedef struct HbgPortDeclaration {
  const char *name;
  int32_t junction;            /* a declared node; -1: one bond goes through */
  int32_t next;                /* port of the same instance; -1 */
  HbgSpan span;                /* of its name in the submodel */
  const HbgInstance *instance;
  int32_t inside, outside;     /* declared bonds; -1: none yet */
  bool is_wrong;               /* told */
} HbgPortDeclaration;

/* Where an expression stands: what its names mean, and what it may be made of. */
typedef struct HbgPlace {
  const HbgTree *tree;
  const HbgFrame *frame;
  int32_t element;      /* node whose own e, f, q, p the letters mean; -1: letters are ordinary names */
  const struct HbgFieldDeclaration *field; /* whose ports e[1], f[1], ... mean; NULL: of none */
  bool is_left;         /* on the left side of a law, where a letter can mean nothing else */
  bool reads_events;    /* where guards are: events may be read */
  const char *constant; /* "a parameter", "an index", ...: only numbers known before the run; NULL: anything */
  const char *owner;    /* the signal, element or machine it belongs to, for names of what it holds; NULL: unknown */
  const char *setting;  /* name of the parameter this expression was given for from outside, NULL: of the model's text */
} HbgPlace;

typedef struct HbgParameterDeclaration {
  int32_t symbol;
  HbgTreeNode value, unit; /* UNIT_OF behind the whole value; 0 without */
  const HbgFrame *frame;
  HbgTreeNode argument;    /* that its instance was given instead of the value; 0 */
  const HbgFrame *argument_frame;
  int32_t same_as;         /* symbol of the parameter it was given as a part of an array; -1 */
  HbgExpr expr;
  const char *unit_text;
} HbgParameterDeclaration;

typedef struct HbgNodeDeclaration {
  const char *name;
  const HbgFrame *frame;
  HbgSpan span;
  HbgTreeNode node;  /* ELEMENT */
  int32_t final;     /* index in the model */
  int32_t component; /* of an array declared at once, from 1; 0: declared alone */
  int32_t field;     /* whose port or part it is, its index plus one; 0: of none */
  int32_t port;      /* which port of it, from 1; of an entry of a matrix of two-ports: which entry */
  int32_t order;     /* among the declarations of the text */
  HbgElementKind kind;
  bool is_port;      /* a junction that bonds outside of its instance go to */
  bool is_entry;
} HbgNodeDeclaration;

/* An element of several ports. Each port of a C, I or R is a node of its own in the model, whose law reads the others; a matrix of
 * transformers or gyrators is made of junctions and two-ports. */
typedef struct HbgFieldDeclaration {
  const char *name;
  HbgTreeNode node;         /* ELEMENT */
  const HbgFrame *frame;
  HbgSpan span;
  HbgElementKind kind;      /* C or I also of an IC, R also of an RS */
  bool is_mixed;            /* IC: each law says what its port is */
  bool is_irreversible;     /* RS */
  int32_t rows, columns;    /* ports of C, I, R; of TF and GY: those of side 2, and of side 1 */
  int32_t *ports;           /* declarations of their nodes; of TF and GY: of the junctions of side 1, then of side 2 */
  int32_t port_count;
  int32_t taken_for;        /* the single element that was declared before its value was known to be a matrix; -1: none */
  int32_t component;        /* as of a node */
} HbgFieldDeclaration;

/* a => b, between arrays, fields, or ranges of them. */
typedef struct HbgVectorBond {
  HbgTreeNode tail, head, name; /* BOND_END, BOND_END, BOND_NAME or 0 */
  const HbgFrame *frame;
  HbgTreeNode arrow;
} HbgVectorBond;

typedef struct HbgBondDeclaration {
  HbgTreeNode tail, head; /* BOND_END; 0: */
  int32_t tail_declaration, head_declaration; /* nodes that are known already, or -1 - index of a port */
  const HbgFrame *frame;
  const char *name; /* NULL: not named */
  HbgSpan span;
  int32_t order;    /* of declaration */
  int32_t tail_node, head_node;
  int32_t tail_port, head_port; /* that it goes through there; -1 */
  bool is_part;                 /* of a bond that goes through ports, whose declaration is `whole` */
  int32_t whole;
  int32_t final;
  HbgTreeNode arrow;            /* BOND_ARROW; 0: it stands in no text */
  const HbgFrame *home;         /* of the arrow; `frame` may become that of another part of the same bond */
} HbgBondDeclaration;

/* An element or instance whose declaration is wrong, which is told. */
typedef struct HbgLostDeclaration {
  const char *name;
  HbgTreeNode node; /* ELEMENT or INSTANCE */
  const HbgFrame *frame;
} HbgLostDeclaration;

/* Where a signal was asked for while its value was being found. */
typedef struct HbgTear {
  HbgPlace place;
  HbgTreeNode node;
  const char *path; /* "a needs b needs a" */
} HbgTear;

typedef struct HbgSignalDeclaration {
  int32_t symbol;
  HbgTreeNode node, expression;
  const HbgFrame *frame;
  HbgExpr expr;
  int32_t component, component_count; /* of signals that are declared at once, counted from 0; count 0: one by itself */
  HbgExpr tear;         /* the letter that stands for it while a loop is open; 0: none */
  int32_t tear_begin;   /* in found_signals: those found since then may hold the letter */
  HbgTear *torn;        /* where it was asked for; NULL: never too early */
  bool is_input; /* of an instance: its expression is the argument, `node` is 0 */
} HbgSignalDeclaration;

/* A state in the text of a machine type: one the machine can be in, or one that holds others. */
typedef struct HbgStateDeclaration {
  const char *name, *path; /* "warm", "working.warm" */
  HbgSpan span;
  int32_t parent, depth;   /* in the list; -1 and 1: of the machine itself */
  int32_t first, last;     /* the states of the machine that it stands for */
  int32_t initial;         /* the state of the machine in which it is entered */
  bool is_on, has_parts, is_initial, keeps_history;
} HbgStateDeclaration;

/* A transition as it is written; from a state that holds others it counts for all of them. */
typedef struct HbgTransitionDeclaration {
  HbgTreeNode node, guard, after; /* guard and duration: 0 without */
  int32_t from, to;               /* declared states */
  double priority;
  const char *text;
  HbgSpan span;
} HbgTransitionDeclaration;

/* `enter state do ...`, `leave state do ...`. */
typedef struct HbgPassage {
  HbgTreeNode node;
  int32_t state; /* declared */
  bool is_entry;
} HbgPassage;

/* What a transition is between states of the machine. */
typedef struct HbgFlatTransition {
  int32_t written, from, to, kept_depth;
  int32_t remembering; /* declared state whose last state inside must have been `to`; -1: none */
} HbgFlatTransition;

/* A machine type, or a region of one. */
typedef struct HbgTypeDeclaration {
  const char *name;
  HbgTreeNode node;
  const HbgFrame *frame;     /* that its guards read other names in */
  HbgTreeNode *formals;      int32_t formal_count, formal_capacity;
  HbgStateDeclaration *declared; int32_t declared_count, declared_capacity;
  HbgMachineState *states;   int32_t state_count, state_capacity;
  HbgTransitionDeclaration *written; int32_t written_count, written_capacity;
  HbgPassage *passages;      int32_t passage_count, passage_capacity;
  HbgTreeNode *variables;    int32_t variable_count, variable_capacity;
  HbgFlatTransition *transitions; int32_t transition_count, transition_capacity;
  int32_t initial;
  bool is_used;
  int32_t owner, owner_state; /* of a region: the type it lies in, and the declared state there, -1: the machine itself; owner -1:
                                 no region */
} HbgTypeDeclaration;

typedef struct HbgMachineDeclaration {
  const char *name;
  HbgTreeNode control;
  const HbgFrame *frame; /* of the arguments */
  HbgFrame *formals;     /* of the guards: the innermost formal parameter */
  HbgSpan span;
  int32_t type;          /* -1: its mistake is told already */
  bool lacks_arguments;  /* told already: no guards */
  int32_t owner;         /* of a region: the machine it belongs to; -1 */
  int32_t final;
} HbgMachineDeclaration;

typedef struct HbgEventDeclaration {
  const char *name;
  HbgSpan span;
} HbgEventDeclaration;

enum { HBG_MOST_ARGUMENTS = 16 };

typedef enum HbgFunction {
#define LANGUAGE_FUNCTION(kind, name, formals, needed, memory, units, form) HBG_FUNCTION_##kind,
#include "model/functions.def"
#undef LANGUAGE_FUNCTION
  HBG_FUNCTION_COUNT,
  HBG_FUNCTION_NONE = -1
} HbgFunction;

/* A linear system x' = A x + B u, y = C x + D u. */
typedef struct HbgLinearSystem {
  int32_t order, inputs, outputs;
  double *a, *b, *c, *d; /* (order, order), (order, inputs), (outputs, order), (outputs, inputs) */
  double *start;         /* of x (order) */
} HbgLinearSystem;

/* One integral(...) of the text in one frame, or another function that has a memory. */
typedef struct HbgIntegral {
  HbgTreeNode node; /* CALL */
  HbgFunction function;
  HbgLinearSystem *system; /* of a linear one; NULL: told */
  const HbgFrame *frame;
  HbgPlace place;   /* of what is integrated */
  const char *name;
  HbgSpan span;
  int32_t state;    /* index of its first state in the model */
  int32_t state_count;
  int32_t delay;    /* of a delay: index in the model; -1 */
  bool has_inputs;  /* what it takes in has been elaborated, or is being so */
  int32_t machine, variable; /* of what is a machine: index in the model, and of its first variable; -1 */
} HbgIntegral;

/* A function, a table or data, as declared. */
typedef struct HbgCallableDeclaration {
  const char *name;
  HbgTreeNode node; /* FUNCTION, TABLE or DATA */
  const HbgFrame *frame;
  bool is_active, is_made, is_wrong; /* its formula is being read; its numbers are; told */
  HbgExpr last_arguments[HBG_MOST_ARGUMENTS], last_value; /* of the last call; 0: none yet */
  const char *last_constant;
  int32_t table;                     /* in the pool: the (first) table, -1 */
  const char **columns; int32_t column_count; /* of data: columns[i] is table + i */
} HbgCallableDeclaration;

typedef struct HbgClockDeclaration {
  int32_t symbol;
  HbgTreeNode value; /* a call of every(), or the name of another clock; 0: told */
  const HbgFrame *frame;
  int32_t clock;     /* of the model; -1: its mistake is told already, or it has not been read yet */
  bool is_read, is_being_read;
} HbgClockDeclaration;

/* One call of a function on a clock, in one frame. */
typedef struct HbgClocked {
  HbgPlace place;
  HbgTreeNode input;  /* what is sampled, 0: nothing */
  int32_t update;     /* that gives `sampled` its value */
  bool is_boolean;
  HbgExpr value;      /* what the call stands for; 0: its mistake is told already */
} HbgClocked;

typedef struct HbgDeferred {
  HbgTreeNode node;
  const HbgFrame *frame;
} HbgDeferred;

typedef struct HbgSettingText {
  const HbgSetting *setting;
  HbgTree tree;
  bool is_used, is_wrong;
} HbgSettingText;

/* A number of the text with its unit, or a unit: read once for all rounds of a loop, where nothing else has its place. */
typedef struct HbgReadUnit {
  const HbgTree *tree;
  HbgTreeNode node;
  HbgUnit unit;
} HbgReadUnit;

typedef struct HbgReadNumber {
  const HbgTree *tree;
  HbgTreeNode node;
  double value;
} HbgReadNumber;

enum { HBG_READ_COUNT = 64 };

typedef struct HbgReadWord {
  const HbgTree *tree;
  HbgTreeNode node;
  const char *text;
} HbgReadWord;

typedef struct HbgReadings {
  HbgReadWord words[HBG_READ_COUNT];
  HbgReadUnit units[HBG_READ_COUNT];
  HbgReadNumber numbers[HBG_READ_COUNT];
} HbgReadings;

typedef struct HbgElaborator {
  HbgModelFile *file;  /* the first: of the model */
  HbgInstance *root;   /* the model itself */
  HbgModelFile **files; int32_t file_count, file_capacity;
  HbgSource *sources;   int32_t source_capacity; /* of each file */
  const HbgFiles *reader; /* of imports; NULL: there are none to be had */
  HbgArena *arena;
  HbgDiagnostics *diagnostics;
  HbgFlatModel *model;
  HbgExprPool *pool;
  HbgScope scope;
  bool text_is_wrong; /* the parser told mistakes: what seems to be missing may stand in what could not be read */
  HbgScope unread;    /* the names in what could not be read, and those declared twice */
  bool has_lost_bonds; /* a bond with an end that is not there */
  bool is_trial;      /* of a submodel that nobody uses: it is given nothing, and its ports lead nowhere */
  bool is_for_drawing; /* of a text that may be wrong as much as can be understood: declarations are kept, also those that are wrong */
  HbgLostDeclaration *lost; int32_t lost_count, lost_capacity; /* for a drawing */
  bool is_column;     /* an expression from outside of a finished model: nothing may be added to the model */

  HbgParameterDeclaration *parameters; int32_t parameter_count, parameter_capacity;
  HbgNodeDeclaration *nodes;           int32_t node_count, node_capacity; /* until the model is finished */
  int32_t *final_nodes;                /* from then on: of a declared node, its index in the model */
  HbgBondDeclaration *bonds;           int32_t bond_count, bond_capacity; /* until the graph is placed */
  int32_t *final_bonds;                /* of a declared bond: its index in the model, -1 (bond_count) */
  HbgFieldDeclaration *fields;         int32_t field_count, field_capacity;
  HbgVectorBond *vector_bonds;         int32_t vector_bond_count, vector_bond_capacity;
  int32_t *maybe_fields;               int32_t maybe_field_count, maybe_field_capacity; /* nodes whose value may yet be a matrix */
  HbgSignalDeclaration *signals;       int32_t signal_count, signal_capacity;
  HbgTypeDeclaration *types;           int32_t type_count, type_capacity;
  HbgSubmodelDeclaration *submodels;   int32_t submodel_count, submodel_capacity;
  HbgInstance **instances;             int32_t instance_count, instance_capacity;
  HbgPortDeclaration *power_ports;     int32_t power_port_count, power_port_capacity;
  HbgTypeDeclaration *regions;         int32_t region_count, region_capacity; /* of the type that is being read */
  HbgMachineDeclaration *machines;     int32_t machine_count, machine_capacity;
  HbgClockDeclaration *clocks;         int32_t clock_count, clock_capacity;
  HbgClocked **clocked;                int32_t clocked_count, clocked_capacity, sampled_count;
  HbgKeyTable clocked_table;           /* by node and frame */
  HbgScope clocked_names;              /* how many of one name there are: the index */
  int32_t model_clock_capacity, update_capacity;
  struct HbgFollowed *followed; int32_t followed_count, followed_capacity; /* tables, in the order in which they were met */
  HbgEventDeclaration *events;         int32_t event_count, event_capacity; /* the model's first variables */
  int32_t *machine_of;    /* the declaration of a machine of the model (placed_machine_count) */
  int32_t placed_machine_count; /* machines of functions come behind them */
  HbgCallableDeclaration *callables;   int32_t callable_count, callable_capacity;
  int32_t call_depth;                  /* of functions that call functions */
  HbgIntegral *integrals;              int32_t integral_count, integral_capacity;
  int32_t *integral_table;             int32_t integral_table_size;
  int32_t *node_machines; /* of a declared node: the declaration of its machine, -1 without */
  HbgTreeNode *run_settings;           int32_t run_setting_count, run_setting_capacity;
  HbgDrawing *drawings;                int32_t drawing_count, drawing_capacity;

  HbgSettingText *settings; int32_t setting_count;
  HbgScope setting_names;

  // collecting
  HbgDeferred *deferred; int32_t deferred_count, deferred_capacity;
  bool is_quiet;   /* a name that is not there may still come: sets `is_missing` instead of telling it */
  bool is_missing;
  int64_t declared; /* how much the loops have made */
  bool is_too_large;

  // values on demand
  int32_t depth;   /* of nested expressions and names */
  int32_t current; /* symbol whose value is being found, -1 none */
  int32_t blocked; /* symbol that must get its value first, as the nesting is too deep to do it here; -1 none */

  int32_t *settled; int32_t settled_count, settled_capacity; /* symbols in the order their values were found: the needed first */
  HbgReadings *readings; /* NULL: texts come and go, and nothing is remembered of them */
  HbgUnitCheck *units; /* NULL: no unit is written, nothing is checked */

  int32_t open_tears;
  int32_t *found_signals; int32_t found_count, found_capacity; /* in the order in which they got values, while loops are open */
  int32_t hidden_node_capacity, hidden_port_capacity, hidden_bond_capacity, hidden_machine_capacity;
  int32_t relay_count; /* machines that functions are */
  HbgKeyTable ticks;      /* their indices, by their numbers */
  int32_t tick_capacity, timer_capacity, condition_capacity, delay_capacity, window_capacity, variable_capacity;
  HbgDeferred *condition_nodes; int32_t condition_node_count, condition_node_capacity;
} HbgElaborator;

/* The node of the model that a declared one is. */
static inline HbgNode *final_node_of(const HbgElaborator *elaborator, int32_t declared) {
  return &elaborator->model->nodes[elaborator->nodes ? elaborator->nodes[declared].final : elaborator->final_nodes[declared]];
}

/* ---- elaborate.c: reports, texts and trees ---- */

/* Tells a mistake at `span` of `place` (NULL: the model's text), once per place even when loops repeat it. False when it
 * was told before; then there is nothing to help with either. */
bool hbg_elaborator_report(HbgElaborator *elaborator, const HbgPlace *place, HbgDiagnosticCode code, HbgSpan span,
                           const char *format, ...) __attribute__((format(printf, 5, 6)));
#define HELP(elaborator, ...) hbg_diagnose_help((elaborator)->diagnostics, __VA_ARGS__)
/* Should an unknown `name` be told? Not when it stands in a part that could not be read. */
bool hbg_elaborator_knows_text(const HbgElaborator *elaborator, const char *name);
/* The text of a node with white space and comments folded to one blank. */
const char *hbg_tree_folded(const HbgTree *tree, HbgTreeNode node, HbgArena *arena);
/* The same, cut to what fits in a message. */
const char *hbg_tree_excerpt(const HbgTree *tree, HbgTreeNode node, HbgArena *arena);
/* The node's own token as a NUL-terminated text. */
const char *hbg_tree_word(const HbgTree *tree, HbgTreeNode node, HbgArena *arena);
/* The same, mostly made before. */
const char *hbg_elaborate_word(const HbgElaborator *elaborator, const HbgTree *tree, HbgTreeNode node);
/* The text in quotes that the node's own token is, without them. */
const char *hbg_tree_unquoted(const HbgTree *tree, HbgTreeNode node, HbgArena *arena);
/* Is the node's own token `word`? Mostly it differs in its first letter. */
static inline bool hbg_tree_is_word(const HbgTree *tree, HbgTreeNode node, const char *word) {
  const int32_t token = tree->nodes[node].token;
  if (token < 0) return !*word;
  const HbgSpan span = tree->tokens[token].span;
  const char *text = tree->text + span.begin;
  const size_t length = span.end - span.begin;
  return (!length || *text == *word) && length == strlen(word) && !memcmp(text, word, length);
}
bool hbg_tree_is_expression(const HbgTree *tree, HbgTreeNode node);
/* The first child of that kind, 0 without. */
HbgTreeNode hbg_tree_find(const HbgTree *tree, HbgTreeNode node, HbgNodeKind kind);
/* The first child that is an expression, 0 without; and the next one behind `child`. */
HbgTreeNode hbg_tree_first_expression(const HbgTree *tree, HbgTreeNode node);
HbgTreeNode hbg_tree_next_expression(const HbgTree *tree, HbgTreeNode child);
/* What the argument `name` of a call is given as, `name = ...`; 0: it is not given by name. */
HbgTreeNode hbg_tree_named(const HbgTree *tree, HbgTreeNode call, const char *name);
static inline HbgTreeNode tree_first(const HbgTree *tree, HbgTreeNode node) { return tree->nodes[node].first_child; }
static inline HbgTreeNode tree_next(const HbgTree *tree, HbgTreeNode node) { return tree->nodes[node].next_sibling; }
/* The text that what has this frame was declared in. */
static inline const HbgTree *tree_of(const HbgFrame *frame) { return &frame->instance->file->tree; }
/* The place in that text with the names of `frame`. */
static inline HbgPlace place_in(const HbgElaborator *elaborator, const HbgFrame *frame, const char *constant) {
  (void)elaborator;
  return (HbgPlace){.tree = tree_of(frame), .frame = frame, .element = -1, .constant = constant};
}
/* The same of what belongs to `owner`. */
static inline HbgPlace place_of_owner(const HbgElaborator *elaborator, const HbgFrame *frame, const char *owner) {
  HbgPlace place = place_in(elaborator, frame, NULL);
  place.owner = owner;
  return place;
}
/* A frame inside of `outer`, with one name more. */
static inline HbgFrame frame_in(const HbgFrame *outer, const char *name, uint32_t length, HbgExpr value) {
  return (HbgFrame){.name = name, .length = length, .value = value, .outer = outer, .instance = outer->instance};
}

/* ---- elaborate_columns.c ---- */

/* A copy of the name space of a finished model that writes into the caller's pool only; `view` and `units` are room for what it needs. */
HbgElaborator hbg_elaborate_onlooker(const HbgFlatModel *model, HbgFlatModel *view, HbgUnitCheck *units, HbgExprPool *pool,
                                     HbgDiagnostics *diagnostics);

/* ---- elaborate_key.c ---- */

/* The name of `node` with its indices, "ball[3]", behind the prefix of its instance; NULL when an index is wrong (told) or
 * not known yet. */
const char *hbg_elaborate_key(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node);
/* The same name as the text at `place` has it: without the prefix. */
static inline const char *local_name(const HbgPlace *place, const char *key) {
  return key + place->frame->instance->prefix_length;
}
/* What the name `key`, made by hbg_elaborate_key(), stands for at `place`: a symbol of the scope, or -1. */
int32_t hbg_elaborate_find(const HbgElaborator *elaborator, const HbgPlace *place, const char *key);

/* An index: an integer known before the run; false: told, or not known yet. `what` it is, for messages. */
bool hbg_elaborate_index(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const char *what, int64_t *out);
/* Adds a symbol of that name, with indices or without; -1: there is one already, which is told. */
int32_t hbg_elaborate_declare(HbgElaborator *elaborator, const char *key, HbgScopeKind kind, int32_t index, HbgSpan span);
/* The same of the name of `node` with its indices; -1 also where that is not known yet. */
int32_t hbg_elaborate_declare_node(HbgElaborator *elaborator, HbgTreeNode node, const HbgFrame *frame, HbgScopeKind kind, int32_t index);
/* Tells that `name` is that of `symbol` already. */
void hbg_elaborate_tell_twice(HbgElaborator *elaborator, const char *name, int32_t symbol, HbgSpan span);

/* ---- elaborate_collect.c ---- */

/* Declares all that the statements of `model` (a MODEL node) name, loops expanded. */
void hbg_elaborate_collect(HbgElaborator *elaborator, HbgTreeNode model);
/* Tells when the text makes so many declarations more that the model would be too large. */
bool hbg_elaborate_too_large(HbgElaborator *elaborator, HbgSpan span, int64_t more);
/* Tells which variables of loops in `block` have the name of something in `instance`. */
void hbg_elaborate_check_loops(HbgElaborator *elaborator, HbgTreeNode block, const HbgInstance *instance);
/* Declares what `node` declares, or puts it off when it needs a name that is not there yet. */
void hbg_elaborate_collect_node(HbgElaborator *elaborator, HbgTreeNode node, const HbgFrame *frame);
/* Declares what the children of `list` declare. */
void hbg_elaborate_collect_each(HbgElaborator *elaborator, HbgTreeNode list, const HbgFrame *frame);
void hbg_elaborate_declare_parameter(HbgElaborator *elaborator, HbgTreeNode node, const HbgFrame *frame);
/* The parameters `base`[1], [2], ... with the values of LIST `list`, which stands in `frame`. */
void hbg_elaborate_declare_list(HbgElaborator *elaborator, const char *base, HbgTreeNode list, HbgTreeNode unit,
                                const HbgFrame *frame, HbgSpan span);

/* Keeps what cannot be declared for a drawing. */
void hbg_elaborate_lose(HbgElaborator *elaborator, const char *key, HbgTreeNode node, const HbgFrame *frame);

/* Bonds go to junctions and ports of an instance, not to what else is inside of it: false, and told, where `name` at `end` is. */
bool hbg_elaborate_may_reach(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode end, const char *name,
                             const HbgInstance *instance, bool is_port);

/* ---- elaborate_vectors.c ---- */

/* Is one of its indices a range? */
bool hbg_elaborate_has_range(const HbgTree *tree, HbgTreeNode node);
/* The names of `node`, its ranges expanded, the last one fastest; NULL: told, or not known yet. */
const char **hbg_elaborate_keys(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int32_t *count);
/* Makes bonds of the vector bonds, when all elements are declared. */
void hbg_elaborate_vector_bonds(HbgElaborator *elaborator);

/* ---- elaborate_fields.c, elaborate_matrices.c, elaborate_two_ports.c, elaborate_field_laws.c, elaborate_field_checks.c,
 *      elaborate_field_starts.c ---- */

typedef enum HbgShape { HBG_SHAPE_SINGLE, HBG_SHAPE_FIELD, HBG_SHAPE_OPEN, HBG_SHAPE_WRONG } HbgShape;

/* Is the element `node` a field? OPEN: not known before all parameters are declared. WRONG: told, or not known yet. */
HbgShape hbg_elaborate_shape(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgElementKind kind,
                             HbgFieldDeclaration *field);
/* Declares the field and its ports under `key`. */
void hbg_elaborate_declare_field(HbgElaborator *elaborator, const char *key, HbgFieldDeclaration field);
/* Those whose shape was open become fields or stay single, when all parameters are declared. */
void hbg_elaborate_late_fields(HbgElaborator *elaborator);
/* Two-ports and bonds of the matrices of transformers and gyrators, when parameters have their values. */
void hbg_elaborate_matrix_two_ports(HbgElaborator *elaborator);
/* The node that end `is_head` of a bond means by the name of a field's port, `key`, which is no symbol; -1: no such port. */
int32_t hbg_elaborate_side(const HbgElaborator *elaborator, const char *key, bool is_head);
/* Every side of a matrix of two-ports must have its bond. */
void hbg_elaborate_check_sides(HbgElaborator *elaborator);
void hbg_elaborate_field_laws(HbgElaborator *elaborator);
/* Warns where the constant matrix of a field is not symmetric or not passive. Is it strictly passive: does every direction take
 * energy? */
bool hbg_elaborate_check_matrix(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode value,
                                const HbgFieldDeclaration *field, const double *numbers);
/* Warns where the laws of a storage cannot be derived from an energy. */
void hbg_elaborate_check_equations(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode block,
                                   const HbgFieldDeclaration *field);
void hbg_elaborate_field_starts(HbgElaborator *elaborator);
/* The number that part `component` of an array starts with, see hbg_elaborate_part(); false: told. */
bool hbg_elaborate_start_value(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int32_t component,
                               const char *key, double *value);
/* e[1] in a law of the field at `place`; false: no variable of its ports. `*out` 0: told. */
bool hbg_elaborate_own_port(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgExpr *out);
/* coils.p[1], brake.e2: `node` is the MEMBER. */
HbgExpr hbg_elaborate_field_member(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node,
                                   const HbgFieldDeclaration *field);

/* A matrix of expressions; an entry is 0 where its mistake was told. */
typedef struct HbgMatrix {
  int32_t rows, columns;
  HbgExpr *entries; /* (rows, columns) */
  bool is_whole;    /* no mistakes */
} HbgMatrix;

/* How many rows and columns the list of lists, or the name of a matrix of parameters, `node` has. */
HbgShape hbg_elaborate_matrix_shape(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int32_t *rows,
                                    int32_t *columns);
HbgMatrix hbg_elaborate_matrix(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int32_t rows, int32_t columns);
/* The value of what belongs to `component` of an array that was declared at once: of a list its part, of a name of an array the
 * parameter with the indices of `key`; anything else is the same for all. 0: told. */
HbgExpr hbg_elaborate_part(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int32_t component,
                                const char *key);

/* ---- elaborate_imports.c ---- */

/* Reads all files that the first one imports, and declares what stands in each. */
void hbg_elaborate_imports(HbgElaborator *elaborator);
/* Adds a file; its tree is a copy. */
HbgModelFile *hbg_elaborate_add_file(HbgElaborator *elaborator, const HbgTree *tree, const char *path);
/* What `name` stands for at the level of the file: declared there or imported; -1. */
int32_t hbg_elaborate_find_in_file(const HbgElaborator *elaborator, const HbgModelFile *file, const char *name);

/* ---- elaborate_submodels.c, elaborate_arguments.c, elaborate_ports.c ---- */

/* Declares what an INSTANCE holds, under its name. */
void hbg_elaborate_declare_instance(HbgElaborator *elaborator, HbgTreeNode node, const HbgFrame *frame);
/* Declares the parameters in the head of the model. */
void hbg_elaborate_root_formals(HbgElaborator *elaborator, HbgTreeNode model);
/* The submodel that a TYPE_NAME, or an expression that is a name, stands for; -1: told. */
int32_t hbg_elaborate_submodel(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode type);
/* Declares a PORT of an instance's head. */
void hbg_elaborate_declare_port(HbgElaborator *elaborator, HbgTreeNode node, const HbgFrame *frame);
/* Declares what stands in the parentheses of the submodel that `instance` is one of. */
void hbg_elaborate_formals(HbgElaborator *elaborator, const HbgInstance *instance);
/* Are the arguments of INSTANCE `node` such as the submodel takes? Tells when not. */
bool hbg_elaborate_check_arguments(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int32_t submodel);
/* Does an argument name an array that is not declared yet? The instance waits for it then. */
bool hbg_elaborate_arguments_wait(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int32_t submodel);
/* Declares submodel `submodel` as if it were used once. */
void hbg_elaborate_collect_trial(HbgElaborator *elaborator, int32_t submodel);
/* Which submodels have an instance. */
const bool *hbg_elaborate_used_submodels(HbgElaborator *elaborator);
void hbg_elaborate_declare_trial(HbgElaborator *elaborator, int32_t submodel);
/* Tells the mistakes of the submodels of this file that nobody uses. */
void hbg_elaborate_unused(HbgElaborator *elaborator);
/* What each instance must have: signals of its outputs. */
void hbg_elaborate_check_instances(HbgElaborator *elaborator);
/* The argument called `name` in ARGUMENTS (0: none), else the one at `which` place of those without a name; 0. */
HbgTreeNode hbg_elaborate_argument_named(const HbgTree *tree, HbgTreeNode arguments, const char *name, uint32_t length, int32_t which);
/* Resolves the ends of all bonds, and makes one of those that meet in a port: afterwards tail_node and head_node of each bond are
 * set, or -1 where it is part of another one or something is wrong, which is told. */
void hbg_elaborate_join_bonds(HbgElaborator *elaborator);
/* The variable `member` of the bond that goes through a port. */
HbgExpr hbg_elaborate_port_member(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode where,
                                  const HbgPortDeclaration *port, const char *member);

/* ---- elaborate_values.c: parameters and signals, in the order they need each other ---- */

void hbg_elaborate_parameters(HbgElaborator *elaborator);
void hbg_elaborate_signals(HbgElaborator *elaborator);
/* The value of a parameter or signal, found first if need be; 0: told already, or not to be had yet. */
HbgExpr hbg_elaborate_value(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int32_t symbol);
void hbg_elaborate_read_settings(HbgElaborator *elaborator, const HbgSetting *settings, int32_t count);
/* What was given for `name` from outside, which is thereby used; NULL: nothing. */
HbgSettingText *hbg_elaborate_setting(HbgElaborator *elaborator, const char *name);
void hbg_elaborate_run_settings(HbgElaborator *elaborator);
/* The value of an expression that must be a finite number known before the run; false: told. */
bool hbg_elaborate_constant(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, double *value);

/* ---- elaborate_expressions.c, elaborate_names.c, elaborate_calls.c ---- */

/* The expression `node` stands for; 0 when something is wrong with it, which is told. */
HbgExpr hbg_elaborate_expression(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node);
/* The same, and it must be a number, or a condition. */
HbgExpr hbg_elaborate_number(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node);
HbgExpr hbg_elaborate_condition(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node);
bool hbg_elaborate_is_number(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgExpr expr);
bool hbg_elaborate_is_condition(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgExpr expr);
/* Tells a constant that is infinite or not a number; answers `expr`, or 0. */
HbgExpr hbg_elaborate_finite(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgExpr expr);
/* The UNIT_OF of a value that is a number with a unit, or a sign before one; 0 when it is an expression of its own. */
HbgTreeNode hbg_elaborate_written_unit(const HbgTree *tree, HbgTreeNode value);
bool hbg_elaborate_unit(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode unit_of, HbgUnit *unit);
/* The unit behind a signal: what it is shown in. */
void hbg_elaborate_shown_unit(HbgElaborator *elaborator, const HbgSignalDeclaration *signal, HbgSignal *out);
/* The text of a unit without its brackets. */
const char *hbg_elaborate_unit_text(HbgElaborator *elaborator, const HbgTree *tree, HbgTreeNode unit_of);

/* The variable of its one bond, or of what it stores, that a letter means to a one-port; false when it has none of that letter. */
bool hbg_elaborate_own_variable(HbgElaborator *elaborator, const HbgNode *node, const char *letter, uint32_t length, HbgExpr *out);
HbgExpr hbg_elaborate_name(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node);
HbgExpr hbg_elaborate_member(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node);
HbgExpr hbg_elaborate_in_state(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node);
void hbg_elaborate_unknown(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const char *name,
                           const char *wanted, unsigned kinds);
/* "a signal", "a 1-junction", ...: what a symbol is, for messages. */
const char *hbg_elaborate_what(const HbgElaborator *elaborator, const HbgScopeSymbol *symbol);
bool hbg_elaborate_is_reserved(const char *name, uint32_t length);

HbgExpr hbg_elaborate_call(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node);
/* A comparison of `a` and `b`, which has no kinks that matter: a scheduled condition where only time decides. */
HbgExpr hbg_elaborate_smooth_comparison(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgOperation op,
                                        HbgExpr a, HbgExpr b);
/* Is `expr` slope * time + rest? */
bool hbg_elaborate_is_affine(const HbgElaborator *elaborator, HbgExpr expr, double *slope, double *rest);
HbgExpr hbg_elaborate_tick(HbgElaborator *elaborator, HbgTick tick);
/* ---- elaborate_profiles.c ---- */
/* Table `table` of slope * time + rest, slope > 0, as polynomials of the time that follow each other; 0: it is not followed yet, and now it is too late. */
HbgExpr hbg_elaborate_profile(HbgElaborator *elaborator, HbgProfile profile);
/* ---- elaborate_kinks.c ---- */
/* A comparison of `a` and `b`: of what has kinks, as conditions on what has none. */
HbgExpr hbg_elaborate_comparison(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgOperation op,
                                 HbgExpr a, HbgExpr b);
/* ---- elaborate_sawtooth.c ---- */
/* Is a - b a number times how far the time is in a period, mod(time, T), plus a number? Then its sign turns at instants known beforehand, or, but for single instants, it is
 * always the same. `*tick` gets start, width and period of where that is below the number at which it turns; `*is_positive`: whether a - b is positive there. */
typedef enum HbgSawtoothSign { HBG_SAWTOOTH_NONE, HBG_SAWTOOTH_STANDS, HBG_SAWTOOTH_TURNS } HbgSawtoothSign;
HbgSawtoothSign hbg_elaborate_sawtooth(const HbgElaborator *elaborator, HbgExpr a, HbgExpr b, HbgTick *tick, bool *is_positive);
/* ---- elaborate_bends.c ---- */
/* Of a model that is finished: what laws and integrals read of the time alone bends and jumps by scheduled conditions. */
void hbg_elaborate_bends(HbgElaborator *elaborator);
/* ---- elaborate_carriers.c ---- */
/* Of a model that is finished: how far the time is in a period, and in which, are lines and numbers between the ticks of clocks. */
void hbg_elaborate_carriers(HbgElaborator *elaborator);

/* ---- elaborate_loops.c ---- */

/* Signal `symbol` is asked for at `node` while its value is being found: a letter that stands for it; 0: told. `path` says who needs
 * whom. */
HbgExpr hbg_loop_tear(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int32_t symbol, const char *path);
/* A signal got its value. */
void hbg_loop_note(HbgElaborator *elaborator, int32_t symbol);
/* The same, of one that a letter stood for: the equation is solved. */
void hbg_loop_close(HbgElaborator *elaborator, int32_t symbol);
/* The solution of letter = `right`, by an equation of its own that the run solves. */
HbgExpr hbg_elaborate_implicit(HbgElaborator *elaborator, const char *name, HbgSpan span, HbgExpr right, HbgExpr letter);

/* ---- elaborate_conditions.c: what is to be found for the start ---- */

/* `start steady`, `start open`: makes `node`, a storage, an unknown; true when that is what `start` says, or is told wrong. */
bool hbg_elaborate_unknown_start(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode start, const HbgNode *node);
/* The same of all states of an integral or another memory, by its argument `start`: the names steady and open, where nothing else is called so. */
bool hbg_elaborate_unknown_memory(HbgElaborator *elaborator, const HbgIntegral *memory, HbgTreeNode start);
/* Is the start of something with a memory one of these names? 0, an argument that is not given, is none. */
bool hbg_elaborate_is_unknown(const HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode start);
/* What a storage holds when its law gives `value`; false when that cannot be told before the run, or nothing does. */
bool hbg_elaborate_invert_start(HbgElaborator *elaborator, const HbgNode *node, double value, double *stored);
/* Something that must hold at the start. */
void hbg_elaborate_add_condition(HbgElaborator *elaborator, HbgCondition condition);
/* The `initial` statements. */
void hbg_elaborate_conditions(HbgElaborator *elaborator);

/* ---- elaborate_integrals.c ---- */

void hbg_elaborate_find_integrals(HbgElaborator *elaborator);
int32_t hbg_elaborate_integral_at(const HbgElaborator *elaborator, HbgTreeNode node, const HbgFrame *frame);
void hbg_elaborate_integrands(HbgElaborator *elaborator);

/* ---- elaborate_clocks.c, elaborate_clocked.c, elaborate_updates.c ---- */

/* Reads all clocks that were declared. */
void hbg_elaborate_clocks(HbgElaborator *elaborator);
/* The clock of the model that an argument names, or makes by every(...); -1: told. */
int32_t hbg_elaborate_clock(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node);
/* The clock with a period and an offset (0: none); -1: told. */
int32_t hbg_elaborate_period(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode period, HbgTreeNode offset);
/* "every(0.1 [s], offset = 0.02 [s])" */
const char *hbg_elaborate_clock_name(HbgElaborator *elaborator, double period, double offset);
/* A clock with these numbers. */
int32_t hbg_elaborate_add_clock(HbgElaborator *elaborator, HbgClock clock);
/* A call of a function on a clock: false when it is none. Else its value, or 0: told. */
bool hbg_elaborate_clocked_call(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgExpr *value);
/* Is the CALL one of these functions, or every(...)? */
bool hbg_elaborate_clocked_at(const HbgTree *tree, HbgTreeNode call);
/* The same of a name. */
bool hbg_elaborate_is_clocked(const char *name);
/* Their names, for one that was not found. */
void hbg_elaborate_clocked_names(HbgScope *functions);
/* What is sampled and integrated, once every expression that may do so is known; then the order of all updates. */
void hbg_elaborate_inputs(HbgElaborator *elaborator);
void hbg_elaborate_order_updates(HbgElaborator *elaborator);

/* ---- elaborate_graph.c, elaborate_laws.c, elaborate_machines.c ---- */

void hbg_elaborate_graph(HbgElaborator *elaborator);
void hbg_elaborate_laws(HbgElaborator *elaborator);
/* `unknown` of left = right: as written, or solved for; 0 when that cannot be done for every value. */
HbgExpr hbg_elaborate_explicit(HbgExprPool *pool, HbgExpr left, HbgExpr right, HbgExpr unknown);
/* The place of an equation, without the colon before it. */
HbgSpan hbg_elaborate_law_span(const HbgTree *tree, HbgTreeNode law);
void hbg_elaborate_starts(HbgElaborator *elaborator);
/* What a leaf is at time 0: integrals and machines begin where the model says; 0: follows from the equations only. */
HbgExpr hbg_elaborate_known_at_start(const HbgElaborator *elaborator, HbgExpr leaf);
/* The value a name has in the frames around it; NULL when it is none of theirs. */
const HbgFrame *hbg_frame_find(const HbgFrame *frame, const char *name, uint32_t length);

/* ---- elaborate_states.c, elaborate_transitions.c: machine types ---- */

/* Reads the states of a type, and the parts of its text. */
void hbg_elaborate_states(HbgElaborator *elaborator, HbgTypeDeclaration *type);
/* The declared state that `name` (STATE_NAME) means in the braces of declared state `inside` (-1: of the machine); -1: told. */
int32_t hbg_elaborate_state_named(HbgElaborator *elaborator, const HbgTypeDeclaration *type, HbgTreeNode name, int32_t inside);
/* The names of a STATE_NAME, joined by points. */
const char *hbg_state_path(const HbgTree *tree, HbgTreeNode name, HbgArena *arena);
/* The same without a place to tell: by its path, or by its name where only one has it; -1. */
int32_t hbg_state_find(const HbgTypeDeclaration *type, const char *path);
void hbg_elaborate_transitions(HbgElaborator *elaborator, HbgTypeDeclaration *type);

/* The expression in the text that stands for formal parameter `which` of a machine's type. */
HbgTreeNode hbg_elaborate_machine_argument(const HbgElaborator *elaborator, const HbgMachineDeclaration *machine, int32_t which);

/* ---- elaborate_variables.c ---- */

/* The variables of all machines and the events of the model, with what they start from. */
void hbg_elaborate_variables(HbgElaborator *elaborator);
/* One more, once hbg_elaborate_variables() has made those of machines; answers its index. */
int32_t hbg_elaborate_add_variable(HbgElaborator *elaborator, HbgVariable variable);
/* What the declared transitions and passages of `machine` assign and send, for each of its transitions. */
void hbg_elaborate_actions(HbgElaborator *elaborator, const HbgMachineDeclaration *machine);

void hbg_elaborate_machine_types(HbgElaborator *elaborator);
void hbg_elaborate_machine_instances(HbgElaborator *elaborator);
void hbg_elaborate_guards(HbgElaborator *elaborator);
/* How a type is named where it is used: "Contact(gap, speed)". */
const char *hbg_elaborate_call_form(HbgElaborator *elaborator, const HbgTypeDeclaration *type);
/* At the end: types that nobody uses, states that are never entered; not where there are mistakes anyway. */
void hbg_elaborate_machine_warnings(HbgElaborator *elaborator);

/* ---- elaborate_forget.c ---- */

/* Gives back what a finished model without mistakes is not asked for any more. */
void hbg_elaborate_forget(HbgElaborator *elaborator);

/* ---- elaborate_drawing.c ---- */

/* Tells what is wrong with drawings whatever the rest says: two in a body, one in a loop, two places of one name. */
void hbg_elaborate_check_drawings(HbgElaborator *elaborator);
/* Notes that DRAWING `node` belongs to the body that has `frame`. */
void hbg_elaborate_note_drawing(HbgElaborator *elaborator, HbgTreeNode node, const HbgFrame *frame);
/* Warns of places of what is not there, in a model without mistakes. */
void hbg_elaborate_stale_places(HbgElaborator *elaborator);

#endif
