/* SPDX-License-Identifier: BSD-3-Clause
 * The check of units: values, laws and starts of elements, in the domains of their bonds. */
#include <string.h>

#include "base/text.h"
#include "model/unit_check.h"

/* What the domain of the element's bond is told by, for a message: "translation, as 'spring' (C) says". */
static const char *place_of_domain(HbgElaborator *elaborator, int32_t bond, int32_t node) {
  const HbgDomain domain = elaborator->model->bonds[bond].domain;
  const char *witness = hbg_domain_witness(elaborator, bond, node);
  const char *name = domain ? hbg_domain_name(domain) : "thermal";
  return witness ? hbg_print(elaborator->arena, "%s, as %s says", name, witness) : name;
}

static const char *measure_unit(const HbgElaborator *elaborator, int32_t bond, HbgMeasure measure) {
  const HbgDomain domain = elaborator->model->bonds[bond].domain;
  return hbg_domain_unit(domain ? domain : HBG_DOMAIN_THERMAL, measure);  // two temperatures are in K either way
}

/* A value in the unit of another domain: the bond joins two domains. */
static void check_domain(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode value, HbgQuantity given,
                         const HbgNode *node, HbgMeasure measure) {
  const int32_t bond = hbg_port(elaborator->model, node, 0)->bond;
  const HbgQuantity wanted = hbg_unit_of_bond(elaborator, bond, measure);
  const HbgFit fit = hbg_quantity_fit(given, wanted);
  if (fit == HBG_FITS) return;
  if (fit == HBG_FIT_BARE) {
    hbg_tell_bare(elaborator, place, value, measure_unit(elaborator, bond, measure));
    return;
  }
  if (fit == HBG_FIT_LOOSE) {
    hbg_tell_unit_wanted(elaborator, place, value, given, wanted.of,
                         hbg_print(elaborator->arena, "the %s of '%s'", hbg_measure_name(measure), node->name));
    return;
  }
  const HbgDomain other = hbg_domain_only(hbg_domains_of(&elaborator->units->table, measure, given.of));
  const char *unit = hbg_dimension_unit(given.of, elaborator->arena), *kind = hbg_element_info[node->kind].name;
  const char *domain = place_of_domain(elaborator, bond, (int32_t)(node - elaborator->model->nodes));
  const HbgSpan span = hbg_tree_span(place->tree, value);
  // electrical and magnetic units are the same in other places: there it is rather the unit that is wrong
  const HbgDomainSet coils = 1u << HBG_DOMAIN_ELECTRIC | 1u << HBG_DOMAIN_MAGNETIC;
  const bool are_coils = other && (coils >> other & 1) && (elaborator->model->bonds[bond].domains & coils);
  if (other && !are_coils) {
    if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_TWO_DOMAINS, span,
                              "'%s' (%s) is of the domain %s by its %s in [%s], but its bond is %s", node->name, kind,
                              hbg_domain_name(other), hbg_measure_name(measure), unit, domain))
      HELP(elaborator, "put a TF or GY between the domains, or correct the unit: here it is [%s]",
           measure_unit(elaborator, bond, measure));
  } else if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_TWO_DOMAINS, span,
                                   "the %s of '%s' (%s) is in [%s], but its bond is %s", hbg_measure_name(measure),
                                   node->name, kind, unit, domain)) {
    HELP(elaborator, "correct the unit: here it is [%s]", measure_unit(elaborator, bond, measure));
  }
}

/* A value in a unit that is of no domain, where nothing tells another one. */
static void check_foreign(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode value, HbgQuantity given,
                          const HbgNode *node, HbgMeasure measure) {
  if (given.kind != HBG_QUANTITY_KNOWN || given.is_loose || given.is_time) return;
  if (hbg_domains_of(&elaborator->units->table, measure, given.of)) return;
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_NO_DOMAIN, hbg_tree_span(place->tree, value),
                            "the %s of '%s' (%s) is in [%s], as in no domain", hbg_measure_name(measure), node->name,
                            hbg_element_info[node->kind].name, hbg_dimension_unit(given.of, elaborator->arena)))
    HELP(elaborator, "look at its unit; where it is meant, units of this part of the graph are not checked");
}

void hbg_check_measure(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode value, HbgQuantity given,
                       const HbgNode *node, HbgMeasure measure) {
  if (!value || measure == HBG_MEASURE_COUNT || node->port_count != 1) return;
  if (elaborator->model->bonds[hbg_port(elaborator->model, node, 0)->bond].domains)
    check_domain(elaborator, place, value, given, node, measure);
  else
    check_foreign(elaborator, place, value, given, node, measure);
}

/* n = e1/e2 = f2/f1 of a TF, r = e1/f2 = e2/f1 of a GY. */
static HbgQuantity wanted_ratio(const HbgElaborator *elaborator, const HbgNode *node) {
  const int32_t first = hbg_port(elaborator->model, node, 0)->bond, other = hbg_port(elaborator->model, node, 1)->bond;
  const HbgMeasure second_measure = node->kind == HBG_ELEMENT_TF ? HBG_MEASURE_EFFORT : HBG_MEASURE_FLOW;
  return hbg_quantity_product(hbg_unit_of_bond(elaborator, first, HBG_MEASURE_EFFORT),
                              hbg_unit_of_bond(elaborator, other, second_measure), -1);
}

/* "m", "V/(rad/s)". */
static const char *ratio_unit(HbgElaborator *elaborator, const HbgNode *node, HbgDimension ratio) {
  if (node->kind == HBG_ELEMENT_TF) return hbg_dimension_unit(ratio, elaborator->arena);
  const char *flow = measure_unit(elaborator, hbg_port(elaborator->model, node, 1)->bond, HBG_MEASURE_FLOW);
  return hbg_print(elaborator->arena, strchr(flow, '/') ? "%s/(%s)" : "%s/%s",
                   measure_unit(elaborator, hbg_port(elaborator->model, node, 0)->bond, HBG_MEASURE_EFFORT), flow);
}

static const char *domain_pair(HbgElaborator *elaborator, const HbgNode *node) {
  const char *names[2];
  for (int32_t port = 0; port < 2; port++) {
    const HbgDomain domain = elaborator->model->bonds[hbg_port(elaborator->model, node, port)->bond].domain;
    names[port] = domain ? hbg_domain_name(domain) : "thermal";
  }
  return hbg_print(elaborator->arena, "the ratio of '%s' (%s), from %s to %s,", node->name,
                   hbg_element_info[node->kind].name, names[0], names[1]);
}

void hbg_check_ratio_unit(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode value, HbgQuantity given,
                          const HbgNode *node) {
  if (node->port_count != 2) return;
  const HbgQuantity wanted = wanted_ratio(elaborator, node);
  const HbgFit fit = hbg_quantity_fit(given, wanted);
  if (fit == HBG_FIT_BARE)
    hbg_tell_bare(elaborator, place, value, ratio_unit(elaborator, node, wanted.of));
  else if (fit != HBG_FITS)
    hbg_tell_unit_wanted(elaborator, place, value, given, wanted.of, domain_pair(elaborator, node));
}

void hbg_check_law_sides(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode law, HbgTreeNode left, HbgTreeNode right) {
  HbgPlace on_left = *place;
  on_left.is_left = true;
  const HbgQuantity a = hbg_unit_of_expression(elaborator, &on_left, left);
  const HbgQuantity b = hbg_unit_of_expression(elaborator, place, right);
  hbg_tell_unit_fit(elaborator, place, law, left, a, right, b, "are the two sides of a law");
}

static void check_law(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode law, const HbgNode *node) {
  const HbgTreeNode left = hbg_tree_first_expression(place->tree, law);
  const HbgTreeNode right = left ? hbg_tree_next_expression(place->tree, left) : 0;
  if (!right) return;
  if (hbg_element_info[node->kind].ports == 2) {
    hbg_check_ratio_unit(elaborator, place, right, hbg_unit_of_expression(elaborator, place, right), node);
    return;
  }
  HbgPlace inside = *place;
  inside.element = (int32_t)(node - elaborator->model->nodes);
  hbg_check_law_sides(elaborator, &inside, law, left, right);
}

static void check_element(HbgElaborator *elaborator, const HbgNodeDeclaration *declaration) {
  const HbgPlace place = place_in(elaborator, declaration->frame, NULL);
  const HbgNode *node = &elaborator->model->nodes[declaration->final];
  if (hbg_is_junction(node)) return;
  if (declaration->field) {
    hbg_check_field_units(elaborator, declaration);
    return;
  }
  HbgTreeNode part;
  const HbgTreeNode value = hbg_element_value(place.tree, declaration->node);
  const HbgQuantity given = hbg_unit_of_component(elaborator, &place, value, declaration, &part);
  if (value && hbg_element_info[node->kind].ports == 2) hbg_check_ratio_unit(elaborator, &place, part, given, node);
  else hbg_check_measure(elaborator, &place, part, given, node, hbg_value_measure(place.tree, declaration->node, node->kind));
  const HbgTreeNode law = hbg_tree_find(place.tree, declaration->node, HBG_NODE_LAW);
  if (law) check_law(elaborator, &place, law, node);
  const HbgTreeNode start = hbg_tree_find(place.tree, declaration->node, HBG_NODE_START);
  if (!start) return;
  const HbgQuantity begin =
      hbg_unit_of_component(elaborator, &place, hbg_tree_first_expression(place.tree, start), declaration, &part);
  hbg_check_measure(elaborator, &place, part, begin, node, hbg_start_measure(place.tree, start));
}

void hbg_check_element_units(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->node_count; i++) check_element(elaborator, &elaborator->nodes[i]);
}
