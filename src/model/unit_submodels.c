/* SPDX-License-Identifier: BSD-3-Clause
 * The check of units: the heads of submodels. Ports may declare their domain, inputs and outputs their unit. */
#include "base/text.h"
#include "model/unit_check.h"

/* A formal part of the head of an instance, and the symbol it became there. */
typedef void LookAtFormal(HbgElaborator *elaborator, const HbgPlace *inside, HbgTreeNode formal, const HbgScopeSymbol *symbol);

/* Of those of a `kind`, with a child of the kind `says`: others have nothing to tell, and there may be a million. */
static void for_each_formal(HbgElaborator *elaborator, HbgNodeKind kind, HbgNodeKind says, LookAtFormal *look) {
  for (int32_t i = 0; i < elaborator->instance_count; i++) {
    const HbgInstance *instance = elaborator->instances[i];
    if (instance->submodel < 0) continue;
    const HbgPlace inside = place_in(elaborator, &instance->frame, NULL);
    const HbgTreeNode head = hbg_tree_find(inside.tree, elaborator->submodels[instance->submodel].node, HBG_NODE_FORMALS);
    for (HbgTreeNode formal = head ? tree_first(inside.tree, head) : 0; formal; formal = tree_next(inside.tree, formal)) {
      if (hbg_tree_kind(inside.tree, formal) != kind || !hbg_tree_find(inside.tree, formal, says)) continue;
      int32_t count;
      const char **keys = hbg_elaborate_keys(elaborator, &inside, formal, &count);
      for (int32_t which = 0; keys && which < count; which++) {
        const int32_t found = hbg_elaborate_find(elaborator, &inside, keys[which]);
        if (found >= 0) look(elaborator, &inside, formal, &elaborator->scope.symbols[found]);
      }
    }
  }
}

/* ---- ports ---- */

/* The bond through a port, in the model; -1: none. */
static int32_t bond_of(const HbgElaborator *elaborator, const HbgScopeSymbol *symbol) {
  if (symbol->kind != HBG_SCOPE_PORT) return -1;
  const HbgPortDeclaration *port = &elaborator->power_ports[symbol->index];
  return port->outside < 0 ? -1 : elaborator->final_bonds[port->outside];
}

static HbgDomain domain_of(const HbgPlace *inside, HbgTreeNode formal) {
  const HbgTreeNode domain = hbg_tree_find(inside->tree, formal, HBG_NODE_DOMAIN);
  uint32_t length;
  const char *name = domain ? hbg_tree_text(inside->tree, domain, &length) : NULL;
  return name ? hbg_domain_find(name, length) : HBG_DOMAIN_UNKNOWN;
}

static void ask_port(HbgElaborator *elaborator, const HbgPlace *inside, HbgTreeNode formal, const HbgScopeSymbol *symbol) {
  const HbgDomain domain = domain_of(inside, formal);
  const int32_t bond = bond_of(elaborator, symbol);
  if (domain && bond >= 0) hbg_declare_domain(elaborator, bond, domain);
}

void hbg_ask_ports(HbgElaborator *elaborator) { for_each_formal(elaborator, HBG_NODE_PORT, HBG_NODE_DOMAIN, ask_port); }

static void check_port(HbgElaborator *elaborator, const HbgPlace *inside, HbgTreeNode formal, const HbgScopeSymbol *symbol) {
  const HbgDomain domain = domain_of(inside, formal);
  const int32_t bond = bond_of(elaborator, symbol);
  const HbgTreeNode declared = hbg_tree_find(inside->tree, formal, HBG_NODE_DOMAIN);
  if (declared && !domain) hbg_tell_unknown_domain(elaborator, inside, declared);
  if (!domain || bond < 0 || elaborator->model->bonds[bond].domain == domain) return;
  const char *witness = hbg_domain_witness(elaborator, bond, -1);
  if (hbg_elaborator_report(elaborator, inside, HBG_DIAGNOSTIC_TWO_DOMAINS, hbg_tree_token_span(inside->tree, formal),
                            "port '%s' is declared %s, but its bond is %s, as %s says", symbol->name, hbg_domain_name(domain),
                            hbg_domain_name(elaborator->model->bonds[bond].domain), witness ? witness : "another"))
    HELP(elaborator, "put a TF or GY between the domains, or connect another port");
}

/* ---- inputs, outputs ---- */

static void check_input(HbgElaborator *elaborator, const HbgPlace *inside, HbgTreeNode formal, const HbgScopeSymbol *symbol) {
  const HbgTreeNode unit = hbg_tree_find(inside->tree, formal, HBG_NODE_UNIT_OF);
  if (!unit || symbol->kind != HBG_SCOPE_SIGNAL) return;
  const HbgSignalDeclaration *signal = &elaborator->signals[symbol->index];
  const HbgPlace place = place_in(elaborator, signal->frame, NULL);
  hbg_tell_unit_wanted(elaborator, &place, signal->expression, hbg_unit_of_expression(elaborator, &place, signal->expression),
                       hbg_unit_of_text(elaborator, inside, unit).of, hbg_print(elaborator->arena, "input '%s'", symbol->name));
}

static void check_output(HbgElaborator *elaborator, const HbgPlace *inside, HbgTreeNode formal, const HbgScopeSymbol *symbol) {
  const HbgTreeNode unit = hbg_tree_find(inside->tree, formal, HBG_NODE_UNIT_OF);
  if (!unit || symbol->kind != HBG_SCOPE_SIGNAL) return;
  const HbgSignalDeclaration *signal = &elaborator->signals[symbol->index];
  const HbgPlace place = place_in(elaborator, signal->frame, NULL);
  hbg_tell_unit_wanted(elaborator, &place, signal->expression, elaborator->units->signals[symbol->index],
                       hbg_unit_of_text(elaborator, inside, unit).of, hbg_print(elaborator->arena, "output '%s'", symbol->name));
}

void hbg_check_submodel_units(HbgElaborator *elaborator) {
  for_each_formal(elaborator, HBG_NODE_PORT, HBG_NODE_DOMAIN, check_port);
  for_each_formal(elaborator, HBG_NODE_INPUT, HBG_NODE_UNIT_OF, check_input);
  for_each_formal(elaborator, HBG_NODE_OUTPUT, HBG_NODE_UNIT_OF, check_output);
}
