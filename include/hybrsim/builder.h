/* SPDX-License-Identifier: BSD-3-Clause
 * HyBrSim: a model made by calls.
 *
 * A graph is collected piece by piece, each call checked on its own, and then built: the model goes through the same rules as
 * one that is read from text, and what they have to say names the call. Values, laws, guards and signals are expressions of
 * the language (docs/language.md), such as "2 [kg]", "restitution * pre(motion.f)" or "gap <= 0": one line each, without
 * comments. Names may have indices: "ball[3]". Nodes come before the bonds and settings that speak of them; expressions may
 * read what is added later. Numbers without a unit are in SI. What a call alone cannot know to be wrong (a unit, a state that
 * is missing, a value and a law for one element) is said by hbg_builder_build().
 *
 * All texts are copied. Every adding call answers HBG_OK; HBG_ARGUMENT with a sentence in hbg_builder_message() and nothing
 * added; or HBG_MEMORY, after which the graph can only be freed. One thread at a time per graph. */
#ifndef HYBRSIM_BUILDER_H
#define HYBRSIM_BUILDER_H

#include "hybrsim/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct HbgBuilder HbgBuilder; /* opaque */

typedef enum HbgKind {
  HBG_KIND_SE,   /* source of effort; value: e */
  HBG_KIND_SF,   /* source of flow; value: f */
  HBG_KIND_R,    /* resistor; value: R of e = R f */
  HBG_KIND_C,    /* capacitor, spring; value: C of e = q/C */
  HBG_KIND_I,    /* inertia, inductor; value: I of f = p/I */
  HBG_KIND_TF,   /* transformer; value: n of e1 = n e2, f2 = n f1 */
  HBG_KIND_GY,   /* gyrator; value: r of e1 = r f2, e2 = r f1 */
  HBG_KIND_ZERO, /* 0-junction: one effort */
  HBG_KIND_ONE,  /* 1-junction: one flow */
  HBG_KIND_COUNT
} HbgKind;

/* An empty graph of a model called `name`, to be given to hbg_builder_free(). `options`, NULL for the defaults, are those of
 * the models it builds; the graph uses the same allocator. HBG_ARGUMENT when `name` is none or the options are none that
 * hbg_model_load() would take. On failure `*out` is NULL. */
HBG_API HbgStatus hbg_builder_create(const char *name, const HbgModelOptions *options, HbgBuilder **out);
/* NULL is fine. Models that were built stay. */
HBG_API void hbg_builder_free(HbgBuilder *builder);
/* Why the last adding or setting call was refused, naming it; "" when it was not. Lives until the next one. */
HBG_API const char *hbg_builder_message(const HbgBuilder *builder);

/* ---- nodes and bonds ---- */

/* An element other than a junction. `value` may be NULL when hbg_builder_set_law() gives the law. */
HBG_API HbgStatus hbg_builder_add_element(HbgBuilder *builder, HbgKind kind, const char *name, const char *value);
/* The same with a number [SI] for the value. */
HBG_API HbgStatus hbg_builder_add_element_number(HbgBuilder *builder, HbgKind kind, const char *name, double value);
/* A law in place of the value, in the element's own letters: "e = 0.1*f*abs(f)". Replaces an earlier one. */
HBG_API HbgStatus hbg_builder_set_law(HbgBuilder *builder, const char *element, const char *law);
/* The start of a storage: `variable` is 'q' or 'e' of a C, 'p' or 'f' of an I. Without it a storage is
 * empty. Replaces an earlier one, of the other variable too. */
HBG_API HbgStatus hbg_builder_set_start(HbgBuilder *builder, const char *element, char variable, const char *value);
/* A junction, always on when `machine` is NULL; otherwise switched by a machine: "Contact" or "Contact(gap, 0.5)" makes one of
 * that type, the name of hbg_builder_add_machine() shares that one. */
HBG_API HbgStatus hbg_builder_add_junction(HbgBuilder *builder, HbgKind kind, const char *name, const char *machine);
/* A bond between two nodes; the half arrow points from `tail` to `head`. `name` may be NULL. */
HBG_API HbgStatus hbg_builder_add_bond(HbgBuilder *builder, const char *tail, const char *head, const char *name);

/* ---- parameters and signals ---- */

/* `value` is an expression of parameters: "2 [kg]", "2*m". Its unit is the one that bare settings count in. */
HBG_API HbgStatus hbg_builder_add_parameter(HbgBuilder *builder, const char *name, const char *value);
/* The same with a number, in `unit` ("g"); NULL: SI. */
HBG_API HbgStatus hbg_builder_add_parameter_number(HbgBuilder *builder, const char *name, double value, const char *unit);
/* `unit` is one of SI ("m/s"), for tables; NULL: none. */
HBG_API HbgStatus hbg_builder_add_signal(HbgBuilder *builder, const char *name, const char *expression, const char *unit);

/* ---- machines ---- */

/* A type of machines. `formals` are names that stand for the arguments in its guards: "gap, limit"; NULL: none. */
HBG_API HbgStatus hbg_builder_add_machine_type(HbgBuilder *builder, const char *type, const char *formals);
HBG_API HbgStatus hbg_builder_add_state(HbgBuilder *builder, const char *type, const char *state, bool is_on, bool is_initial);
/* From one state the first transition in the order of the calls whose guard holds is taken. */
HBG_API HbgStatus hbg_builder_add_transition(HbgBuilder *builder, const char *type, const char *from, const char *to,
                                           const char *guard);
/* A machine of its own, for several junctions: `made_of` is "Type" or "Type(arguments)". */
HBG_API HbgStatus hbg_builder_add_machine(HbgBuilder *builder, const char *name, const char *made_of);

/* ---- the whole ---- */

/* A default for runs: "stop", "tolerance", "method", "step" or "interval", with a value such as "1 [s]" or "bdf". Replaces an
 * earlier one. */
HBG_API HbgStatus hbg_builder_set_default(HbgBuilder *builder, const char *setting, const char *value);
/* The model in the language, as a file would have it. Lives until the next call on this graph. */
HBG_API HbgStatus hbg_builder_text(HbgBuilder *builder, const char **out);
/* Builds the model, which owes nothing to the graph; the graph may grow on and be built again. Answers as hbg_model_load()
 * does; diagnostics name the call in place of a line. */
HBG_API HbgStatus hbg_builder_build(HbgBuilder *builder, HbgModel **out);

#ifdef __cplusplus
}
#endif
#endif
