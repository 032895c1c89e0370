/* SPDX-License-Identifier: BSD-3-Clause
 * Private to the elaboration: the check of units. It comes last, over a model without mistakes, and only when units are written
 * in it. First everything gets its quantity, in rounds, as signals, integrals and the domains of bonds tell each other's; then
 * all expressions are looked at once more, and what does not fit is told. Why so: docs/decisions/0021-units.md. */
#ifndef MODEL_UNIT_CHECK_H
#define MODEL_UNIT_CHECK_H

#include "model/elaborator.h"
#include "model/quantity.h"

/* Bonds that junctions connect, as a forest of references to one of them (union-find), and what is said of each group. */
typedef struct HbgDomainGroups {
  int32_t *parent;
  int64_t (*votes)[HBG_DOMAIN_COUNT]; /* of the representative */
} HbgDomainGroups;

struct HbgUnitCheck {
  HbgDomainTable table;
  HbgDomainGroups groups;
  HbgQuantity *parameters; /* by declaration, as all that follow */
  HbgQuantity *signals;
  HbgQuantity *integrals;
  HbgQuantity *variables;  /* discrete ones, by their index in the model */
  int32_t *integral_of;    /* of a state: the integral, -1 of storages */
  bool has_units;          /* some are written: numbers without one are told where they meet them */
  bool tells;              /* mistakes are told; else quantities are only looked for */
  bool has_changed;        /* something got known that was not before */
  int32_t bare_told;
  int32_t call_depth, call_count; /* of functions of the modeller's own */
  HbgDimension last;       /* whose unit was asked for last */
  const char *last_unit;
};

/* ---- unit_check.c ---- */

/* Does nothing where neither a unit nor a domain is written. */
void hbg_check_units(HbgElaborator *elaborator);
/* Keeps what was found; nothing known is forgotten. */
void hbg_learn_unit(HbgElaborator *elaborator, HbgQuantity *slot, HbgQuantity found);
/* The SI unit of an expression of a checked model, told what does not fit; NULL when it is not sure. */
const char *hbg_column_unit(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node);

/* ---- unit_quantities.c: what an expression is ---- */

HbgQuantity hbg_unit_of_expression(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node);
/* Of a variable: an effort, a flow, a stored quantity, the time. */
HbgQuantity hbg_unit_of_variable(const HbgElaborator *elaborator, HbgExpr expr);
/* The unit behind a number, a list or a whole value; 0: none. */
HbgQuantity hbg_unit_of_text(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode unit_of);
/* What a measure of a bond is in; UNKNOWN where nothing tells its domain. */
HbgQuantity hbg_unit_of_bond(const HbgElaborator *elaborator, int32_t bond, HbgMeasure measure);

/* ---- unit_functions.c ---- */

/* A function of functions.def, one on a clock, a function or table of the modeller's; else `*is_known` is false. */
HbgQuantity hbg_unit_of_call(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode call, bool *is_known);

/* ---- unit_clocks.c ---- */

/* Of a call of a function on a clock, or of every(...), whose arguments are looked at. */
HbgQuantity hbg_unit_of_clocked(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode call);
/* The clocks that are declared tick every so many seconds. */
void hbg_check_clock_units(HbgElaborator *elaborator);

/* ---- unit_domains.c: the domain of every bond ---- */

HbgDomainGroups hbg_domain_groups(HbgElaborator *elaborator);
/* From what elements, their starts and declarations say. */
void hbg_find_domains(HbgElaborator *elaborator);
/* The value an element is given by, without its letter; 0: none. */
HbgTreeNode hbg_element_value(const HbgTree *tree, HbgTreeNode element);
HbgMeasure hbg_element_measure(HbgElementKind kind);
/* Is a C, or the matrix of one, given by its stiffness, `C spring(K = 100)`? */
bool hbg_is_stiffness(const HbgTree *tree, HbgTreeNode element);
/* What the value in the parentheses of an element of one port is. */
HbgMeasure hbg_value_measure(const HbgTree *tree, HbgTreeNode element, HbgElementKind kind);
HbgMeasure hbg_start_measure(const HbgTree *tree, HbgTreeNode start);
/* The bond is declared to be of this domain. */
void hbg_declare_domain(HbgElaborator *elaborator, int32_t bond, HbgDomain domain);
void hbg_tell_unknown_domain(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode domain);
/* Tells names of domains that there are not. */
void hbg_check_domain_names(HbgElaborator *elaborator);
/* Tells where bonds join junctions that are declared to be of different domains. */
void hbg_check_declared_domains(HbgElaborator *elaborator);
/* "'spring' (C)": what tells the domain of a bond; NULL when nothing does. */
const char *hbg_domain_witness(HbgElaborator *elaborator, int32_t bond, int32_t but_node);

/* ---- unit_submodels.c ---- */

/* What the ports of instances declare. */
void hbg_ask_ports(HbgElaborator *elaborator);
void hbg_check_submodel_units(HbgElaborator *elaborator);

/* ---- unit_fields.c ---- */

/* What `value` gives the element: of an array declared at once, its part. `*part` is where to tell it. */
HbgQuantity hbg_unit_of_component(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode value,
                                  const HbgNodeDeclaration *declaration, HbgTreeNode *part);
/* What a port of a field has by itself: the entry on the diagonal, as the value of a single element. */
HbgQuantity hbg_unit_said_by_port(HbgElaborator *elaborator, const HbgNodeDeclaration *declaration);
/* Port 2 of an RS carries entropy flow, or heat flow; UNKNOWN of all others. */
HbgDomain hbg_domain_of_outlet(const HbgElaborator *elaborator, const HbgNodeDeclaration *declaration);
void hbg_check_field_units(HbgElaborator *elaborator, const HbgNodeDeclaration *declaration);

/* ---- unit_elements.c, unit_machines.c ---- */

void hbg_check_element_units(HbgElaborator *elaborator);
/* `given`, of `value`, must be what `measure` is in at the element's bond. */
void hbg_check_measure(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode value, HbgQuantity given,
                       const HbgNode *node, HbgMeasure measure);
/* The same of the ratio of a two-port. */
void hbg_check_ratio_unit(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode value, HbgQuantity given,
                          const HbgNode *node);
void hbg_check_law_sides(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode law, HbgTreeNode left, HbgTreeNode right);
void hbg_learn_machine_units(HbgElaborator *elaborator);
void hbg_check_machine_units(HbgElaborator *elaborator);
/* The two sides of each `initial` statement. */
void hbg_check_condition_units(HbgElaborator *elaborator);

/* ---- unit_reports.c: what is told ---- */

/* Tells where two parts of an expression do not fit; `how` they meet: "are added". */
void hbg_tell_unit_fit(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode whole, HbgTreeNode left,
                       HbgQuantity a, HbgTreeNode right, HbgQuantity b, const char *how);
/* Tells where a value is not what it must be; `what` it is for: "the effort of 'battery'". */
void hbg_tell_unit_wanted(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgQuantity given,
                          HbgDimension wanted, const char *what);
/* A unit behind a whole value means the numbers in it; where they have units already, it would be a second one. */
void hbg_tell_second_unit(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode value, HbgQuantity quantity,
                          HbgTreeNode unit_of);
/* The bare number `node` is taken in `unit`, a text like "kg". */
void hbg_tell_bare(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const char *unit);
/* How many bare numbers more there are than were told one by one. */
void hbg_tell_bare_rest(HbgElaborator *elaborator);

#endif
