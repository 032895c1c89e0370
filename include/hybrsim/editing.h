/* SPDX-License-Identifier: BSD-3-Clause
 * HyBrSim for graphical editors: what has to change in a text so that it says what was just drawn.
 *
 * The text is what is stored. Each function answers with edits of it, which leave comments, order and layout of all the rest as they
 * are; the caller applies them and opens the new text. `where` is the name of the submodel whose body is meant, "" for the model. A text with
 * mistakes can be edited as long as the place that is meant can be read. Ownership, lives of answers and errors as in editor.h. */
#ifndef HYBRSIM_EDITING_H
#define HYBRSIM_EDITING_H

#include "hybrsim/editor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What has to change. `reason` is "", or a sentence for the user why it cannot be, with the cure where there is one: there are no edits then. */
typedef struct HbgChange {
  const HbgEdit *edits; int32_t count; /* in order of place, none upon another */
  const char *reason;
  const char *const *names; int32_t name_count; /* of what is new, as the text now calls it */
} HbgChange;

/* ---- places ---- */

typedef struct HbgPlacement {
  const char *name; /* "bullet", "ball[3]" */
  double x, y;      /* centre [pixels]; NAN: it is placed automatically from now on */
} HbgPlacement;
/* Writes places into the `drawing` of the body, which is made when there is none. Of a name that is not there: a reason. */
HBG_API HbgStatus hbg_document_place(HbgDocument *document, const char *where, const HbgPlacement *places, int32_t count, HbgChange *change);

/* ---- symbols and bonds ---- */

/* A name that is free in the body, made of `stem`: "mass", "mass2". */
HBG_API HbgStatus hbg_document_free_name(HbgDocument *document, const char *where, const char *stem, const char **name);
/* Adds statements ("I mass(1)\nsignal x = integral(v.f)"), each behind the last of its sort, and places of what they declare. What is taken already
 * gets a free name, in the statements themselves, too: this is also how copies are pasted. */
HBG_API HbgStatus hbg_document_add(HbgDocument *document, const char *where, const char *statements, const HbgPlacement *places,
                                   int32_t count, HbgChange *change);
/* The statements that declare `names`, the bonds among them and their places (a `drawing`), as hbg_document_add() reads them. "" and a reason when
 * one of them is made by a loop together with others. */
HBG_API HbgStatus hbg_document_copy(HbgDocument *document, const char *where, const char *const *names, int32_t count,
                                    const char **statements, const char **reason);
/* Takes away declarations, every bond at them, their places; and the bonds made by the arrows `arrows` alone. What else reads them is left, and is
 * then a mistake of the text that the checker tells. */
HBG_API HbgStatus hbg_document_remove(HbgDocument *document, const char *where, const char *const *names, int32_t name_count,
                                      const HbgRange *arrows, int32_t arrow_count, HbgChange *change);
/* Joins two symbols by what fits: a bond between elements, junctions, submodels and ports (half arrow to `head`); a signal that becomes an input of a
 * block or the argument of a source, resistor, transformer or gyrator; the common variable of a junction, or the stored quantity of a storage, as the input of a block (an active bond).
 * What cannot be joined is refused with the reason: an element has its bond already, a signal carries no power, ... */
HBG_API HbgStatus hbg_document_connect(HbgDocument *document, const char *where, const char *tail, const char *head, HbgChange *change);
/* Turns the half arrow of one bond round. */
HBG_API HbgStatus hbg_document_reverse(HbgDocument *document, HbgRange arrow, HbgChange *change);
/* Makes a submodel `name` of these symbols, with a port for each bond that led out of them, and puts an instance in their place. */
HBG_API HbgStatus hbg_document_extract(HbgDocument *document, const char *where, const char *const *names, int32_t count,
                                       const char *name, HbgChange *change);

/* ---- the parts of a declaration ---- */

typedef enum HbgPart {
  HBG_PART_KIND,        /* "I", "MSe", "0"; of an instance its type; of a signal `signal` or `block` */
  HBG_PART_ARGUMENTS,   /* what stands in the parentheses: "m1, 2 [kg]" */
  HBG_PART_LAW,         /* behind the colon: "e = 9*f*abs(f)" */
  HBG_PART_START,       /* "f = v1" */
  HBG_PART_CONTROL,     /* behind `by`: "Contact(gap)" */
  HBG_PART_VALUE,       /* of a parameter, a signal, a setting such as `stop`: the expression with its unit */
  HBG_PART_DESCRIPTION, /* without the quotes */
  HBG_PART_COUNT
} HbgPart;
typedef struct HbgPartText {
  const char *text; /* "" without */
  HbgRange range;   /* where it stands, empty without */
  bool is_possible; /* can such a declaration have it at all? */
} HbgPartText;
/* What the declaration of `name` (an element, junction, instance, signal, parameter, port, or a setting: "stop") is made of. */
HBG_API HbgStatus hbg_document_parts(HbgDocument *document, const char *where, const char *name, HbgPartText parts[HBG_PART_COUNT],
                                     const char **reason);
/* Writes one part anew; "" takes it away. The text is not judged, the checker does that, but it must be one part and not more. */
HBG_API HbgStatus hbg_document_set_part(HbgDocument *document, const char *where, const char *name, HbgPart part, const char *text,
                                        HbgChange *change);

/* ---- machines ---- */

typedef struct HbgMachineStateText {
  const char *name;                  /* with the states and regions around it: "charging.slow", "pump.still" */
  bool is_on, is_initial, has_inner; /* it begins here, also where the text does not say so; it holds states itself */
  HbgRange range;                    /* of the name; empty of the states `on` and `off` of a machine that declares none */
} HbgMachineStateText;
typedef struct HbgMachineTransitionText {
  const char *from, *to;   /* as the states are listed */
  const char *after;       /* the time behind `after`; "" without */
  const char *guard;       /* behind `when`; "" without */
  const char *actions;     /* what follows the guard: `do`, `send`, `priority`; "" without */
  bool has_a_priori, has_a_posteriori; /* reads pre(...); reads bare signals: HYBRSIM's `-` and `+` */
  HbgRange range, guard_range;
} HbgMachineTransitionText;
typedef struct HbgMachineText {
  const char *name;        /* of the type */
  const char *parameters;  /* "gap, approach"; "" without */
  const HbgMachineStateText *states; int32_t state_count;
  const HbgMachineTransitionText *transitions; int32_t transition_count;
  HbgRange range;
} HbgMachineText;
/* The machine type `name`, as the text has it: in the body, or beside it in the file. States and transitions in the order of the text, also those
 * inside of states and regions. */
HBG_API HbgStatus hbg_document_machine(HbgDocument *document, const char *where, const char *name, HbgMachineText *machine, const char **reason);

typedef enum HbgMachineEdit {
  HBG_MACHINE_ADD_STATE,         /* `state`; `is_on`. "charging.slow" goes into the braces of charging */
  HBG_MACHINE_REMOVE_STATE,      /* `state`, with its transitions; not the last, and another becomes initial */
  HBG_MACHINE_RENAME_STATE,      /* `state` to `text`, wherever it is read */
  HBG_MACHINE_SET_INITIAL,       /* `state` */
  HBG_MACHINE_SET_ON,            /* `state`, `is_on` */
  HBG_MACHINE_ADD_TRANSITION,    /* from `state` to `other` when `text`; or `text` is "after 2 [s]", "after 2 [s] when x > 0" */
  HBG_MACHINE_REMOVE_TRANSITION, /* number `transition` */
  HBG_MACHINE_SET_GUARD,         /* of number `transition` to `text`; a text that begins with `after` or `when` is all of the condition */
  HBG_MACHINE_SET_ENDS,          /* of number `transition` to `state` and `other` */
  HBG_MACHINE_MOVE_TRANSITION    /* number `transition` one up (`is_on`) or down: of several that hold the first is taken */
} HbgMachineEdit;
typedef struct HbgMachineEditing {
  HbgMachineEdit edit;
  const char *state, *other, *text;
  int32_t transition;
  bool is_on;
} HbgMachineEditing;
HBG_API HbgStatus hbg_document_edit_machine(HbgDocument *document, const char *where, const char *machine,
                                            const HbgMachineEditing *editing, HbgChange *change);
/* Gives the junction `junction` a machine of its own: a new type with a state each, on and initial, and off; and writes `by Type` at the junction. */
HBG_API HbgStatus hbg_document_add_machine(HbgDocument *document, const char *where, const char *junction, HbgChange *change);

#ifdef __cplusplus
}
#endif
#endif
