/* SPDX-License-Identifier: BSD-3-Clause
 * The check of units: the physical domain of every bond. What a junction connects is of one domain; the units of its elements
 * tell which, and transformers and gyrators whose ratio has a unit lead from one domain to the next. Where elements tell
 * different things the domain that most of them say is taken, so that the report points at the others. */
#include <string.h>

#include "base/forest.h"
#include "base/text.h"

#include "model/unit_check.h"

typedef HbgDomainGroups Groups;

enum { MOST_SWEEPS = 20 };

/* What a declaration weighs against elements, however many there are, and an element against one whose value has a bare factor, which may hide a unit. */
static const int64_t LOOSE = 1, SURE = 1 << 5, DECLARED = (int64_t)1 << 40;

static int32_t group_of(const Groups *groups, int32_t bond) { return hbg_forest_root(groups->parent, bond); }

HbgDomainGroups hbg_domain_groups(HbgElaborator *elaborator) {
  const HbgFlatModel *model = elaborator->model;
  Groups groups = {.parent = hbg_arena_enlarge(elaborator->arena, NULL, 0, model->bond_count, sizeof *groups.parent),
                   .votes = hbg_arena_enlarge(elaborator->arena, NULL, 0, model->bond_count, sizeof *groups.votes)};
  for (int32_t bond = 0; bond < model->bond_count; bond++) groups.parent[bond] = bond;
  for (int32_t i = 0; i < model->node_count; i++) {
    const HbgNode *node = &model->nodes[i];
    if (!hbg_is_junction(node)) continue;
    for (int32_t port = 1; port < node->port_count; port++)
      groups.parent[group_of(&groups, hbg_port(model, node, port)->bond)] =
          group_of(&groups, hbg_port(model, node, 0)->bond);
  }
  return groups;
}

static void vote(Groups *groups, int32_t bond, HbgDomainSet set, int64_t weight) {
  int64_t *votes = groups->votes[group_of(groups, bond)];
  for (int domain = 1; domain < HBG_DOMAIN_COUNT; domain++)
    if (set >> domain & 1) votes[domain] += weight;
}

/* ---- what elements say ---- */

HbgMeasure hbg_element_measure(HbgElementKind kind) {
  switch (kind) {
    case HBG_ELEMENT_SE: return HBG_MEASURE_EFFORT;
    case HBG_ELEMENT_SF: return HBG_MEASURE_FLOW;
    case HBG_ELEMENT_R: return HBG_MEASURE_RESISTANCE;
    case HBG_ELEMENT_C: return HBG_MEASURE_COMPLIANCE;
    case HBG_ELEMENT_I: return HBG_MEASURE_INERTIA;
    default: return HBG_MEASURE_COUNT;
  }
}

bool hbg_is_stiffness(const HbgTree *tree, HbgTreeNode element) {
  const HbgTreeNode arguments = hbg_tree_find(tree, element, HBG_NODE_ARGUMENTS);
  const HbgTreeNode first = arguments ? tree_first(tree, arguments) : 0;
  return first && hbg_tree_kind(tree, first) == HBG_NODE_NAMED_ARGUMENT && hbg_tree_is_word(tree, first, "K");
}

HbgMeasure hbg_value_measure(const HbgTree *tree, HbgTreeNode element, HbgElementKind kind) {
  return kind == HBG_ELEMENT_C && hbg_is_stiffness(tree, element) ? HBG_MEASURE_STIFFNESS : hbg_element_measure(kind);
}

HbgMeasure hbg_start_measure(const HbgTree *tree, HbgTreeNode start) {
  static const char *const letters[] = {"e", "f", "p", "q"};
  for (int i = 0; i < 4; i++)
    if (hbg_tree_is_word(tree, start, letters[i])) return (HbgMeasure)i;
  return HBG_MEASURE_COUNT;
}

HbgTreeNode hbg_element_value(const HbgTree *tree, HbgTreeNode element) {
  const HbgTreeNode arguments = hbg_tree_find(tree, element, HBG_NODE_ARGUMENTS);
  const HbgTreeNode value = arguments ? tree_first(tree, arguments) : 0;
  const bool is_named = value && hbg_tree_kind(tree, value) == HBG_NODE_NAMED_ARGUMENT;
  return is_named ? hbg_tree_first_expression(tree, value) : value;
}

/* The domains that something fits in, and how much that weighs. */
typedef struct Saying {
  HbgDomainSet set;
  int64_t weight;
} Saying;

static Saying said_by(const HbgElaborator *elaborator, HbgQuantity quantity, HbgMeasure measure) {
  if (measure == HBG_MEASURE_COUNT) return (Saying){0, 0};
  if (quantity.kind != HBG_QUANTITY_KNOWN || quantity.is_time) return (Saying){0, 0};
  return (Saying){hbg_domains_of(&elaborator->units->table, measure, quantity.of), quantity.is_loose ? LOOSE : SURE};
}

/* Of the value, of the start, of a law that gives the effort or the flow. */
static Saying said_by_element(HbgElaborator *elaborator, const HbgNodeDeclaration *declaration) {
  const HbgPlace place = place_in(elaborator, declaration->frame, NULL);
  if (declaration->field)
    return said_by(elaborator, hbg_unit_said_by_port(elaborator, declaration), hbg_element_measure(declaration->kind));
  const HbgMeasure measure = hbg_value_measure(place.tree, declaration->node, declaration->kind);
  HbgTreeNode part;
  const HbgTreeNode value = hbg_element_value(place.tree, declaration->node);
  Saying said = said_by(elaborator, hbg_unit_of_component(elaborator, &place, value, declaration, &part), measure);
  const HbgTreeNode start = hbg_tree_find(place.tree, declaration->node, HBG_NODE_START);
  if (!said.set && start)
    said = said_by(elaborator,
                   hbg_unit_of_component(elaborator, &place, hbg_tree_first_expression(place.tree, start), declaration, &part),
                   hbg_start_measure(place.tree, start));
  const HbgTreeNode law = hbg_tree_find(place.tree, declaration->node, HBG_NODE_LAW);
  const HbgTreeNode left = law ? hbg_tree_first_expression(place.tree, law) : 0;
  if (said.set || !left || hbg_element_info[declaration->kind].ports != 1) return said;
  HbgPlace inside = place;
  inside.element = declaration->final;
  return said_by(elaborator, hbg_unit_of_expression(elaborator, &inside, hbg_tree_next_expression(place.tree, left)),
                 hbg_start_measure(place.tree, left));
}

static HbgDomain declared_domain(const HbgElaborator *elaborator, const HbgNodeDeclaration *declaration) {
  if (declaration->field) return hbg_domain_of_outlet(elaborator, declaration);
  const HbgTree *tree = tree_of(declaration->frame);
  const HbgTreeNode domain = hbg_tree_find(tree, declaration->node, HBG_NODE_DOMAIN);
  if (!domain) return HBG_DOMAIN_UNKNOWN;
  uint32_t length;
  const char *name = hbg_tree_text(tree, domain, &length);
  return hbg_domain_find(name, length);
}

void hbg_declare_domain(HbgElaborator *elaborator, int32_t bond, HbgDomain domain) {
  vote(&elaborator->units->groups, bond, 1u << domain, DECLARED);
}

static void ask_elements(HbgElaborator *elaborator, Groups *groups) {
  const HbgFlatModel *model = elaborator->model;
  for (int32_t i = 0; i < elaborator->node_count; i++) {
    const HbgNodeDeclaration *declaration = &elaborator->nodes[i];
    const HbgNode *node = &model->nodes[declaration->final];
    const HbgDomain declared = declared_domain(elaborator, declaration);
    for (int32_t port = 0; port < node->port_count && declared; port++)
      vote(groups, hbg_port(model, node, port)->bond, 1u << declared, DECLARED);
    if (node->port_count != 1 || hbg_is_junction(node)) continue;
    const Saying said = said_by_element(elaborator, declaration);
    vote(groups, hbg_port(model, node, 0)->bond, said.set, said.weight);
  }
}

/* The domains with the most votes; several where all elements leave it open, or none was asked. */
static HbgDomainSet elected(const int64_t *votes) {
  int64_t most = 0, all = 0;
  HbgDomainSet set = 0;
  for (int domain = 1; domain < HBG_DOMAIN_COUNT; domain++) {
    if (votes[domain] > most) most = votes[domain], set = 0;
    if (most && votes[domain] == most) set |= 1u << domain;
    all += votes[domain];
  }
  // thermal and heat share an effort; others only when the elements contradict each other
  const HbgDomainSet temperatures = 1u << HBG_DOMAIN_THERMAL | 1u << HBG_DOMAIN_HEAT;
  return set == temperatures || (set & (set - 1)) == 0 || !all ? set : set & (~set + 1);
}

/* ---- transformers and gyrators ---- */

/* What port 2 has, when port 1 has `effort` and `flow`: e1 = n e2, f2 = n f1 of a TF; e1 = r f2, e2 = r f1 of a GY. */
static HbgDomainSet across(const HbgDomainTable *table, HbgElementKind kind, HbgDimension ratio, HbgDimension effort,
                           HbgDimension flow, bool is_forward) {
  const int to_effort = kind == HBG_ELEMENT_GY || !is_forward ? HBG_POWER_ONE : -HBG_POWER_ONE;
  const int to_flow = kind == HBG_ELEMENT_GY ? -HBG_POWER_ONE : -to_effort;
  HbgDimension other_effort, other_flow;
  const bool is_gyrator = kind == HBG_ELEMENT_GY;
  if (!hbg_dimension_multiply(is_gyrator ? flow : effort, ratio, to_effort, &other_effort) ||
      !hbg_dimension_multiply(is_gyrator ? effort : flow, ratio, to_flow, &other_flow))
    return 0;
  return hbg_domains_of(table, HBG_MEASURE_EFFORT, other_effort) & hbg_domains_of(table, HBG_MEASURE_FLOW, other_flow);
}

/* Does the domain of one side tell that of the other? */
static bool lead_across(HbgElaborator *elaborator, Groups *groups, const HbgNodeDeclaration *declaration) {
  const HbgFlatModel *model = elaborator->model;
  const HbgNode *node = &model->nodes[declaration->final];
  bool is_new = false;
  for (int32_t port = 0; port < 2; port++) {
    const int32_t from = hbg_port(model, node, port)->bond, to = hbg_port(model, node, 1 - port)->bond;
    const HbgDomain known = hbg_domain_only(elected(groups->votes[group_of(groups, from)]));
    if (!known || elected(groups->votes[group_of(groups, to)])) continue;
    const HbgPlace place = place_in(elaborator, declaration->frame, NULL);
    const HbgQuantity ratio = hbg_unit_of_expression(elaborator, &place, hbg_element_value(place.tree, declaration->node));
    if (ratio.kind != HBG_QUANTITY_KNOWN || ratio.is_loose) return false;
    const HbgDimension *measures = elaborator->units->table.of[known];
    const HbgDomainSet set = across(&elaborator->units->table, node->kind, ratio.of, measures[HBG_MEASURE_EFFORT],
                                    measures[HBG_MEASURE_FLOW], port == 0);
    vote(groups, to, set, SURE);
    is_new = is_new || set;
  }
  return is_new;
}

/* Forwards and backwards in turn, so that chains are gone along in a few sweeps however they are declared. */
static void ask_two_ports(HbgElaborator *elaborator, Groups *groups) {
  bool is_new = true;
  for (int sweep = 0; sweep < MOST_SWEEPS && is_new; sweep++) {
    is_new = false;
    for (int32_t i = 0; i < elaborator->node_count; i++) {
      const HbgNodeDeclaration *declaration = &elaborator->nodes[sweep % 2 ? elaborator->node_count - 1 - i : i];
      if (hbg_element_info[declaration->kind].ports == 2 && !declaration->field && elaborator->model->nodes[declaration->final].port_count == 2)
        is_new = lead_across(elaborator, groups, declaration) || is_new;
    }
  }
}

/* ---- the domains ---- */

void hbg_find_domains(HbgElaborator *elaborator) {
  HbgFlatModel *model = elaborator->model;
  Groups *groups = &elaborator->units->groups;
  if (model->bond_count) memset(groups->votes, 0, (size_t)model->bond_count * sizeof *groups->votes);
  ask_elements(elaborator, groups);
  hbg_ask_ports(elaborator);
  ask_two_ports(elaborator, groups);
  for (int32_t bond = 0; bond < model->bond_count; bond++) {
    const HbgDomainSet set = elected(groups->votes[group_of(groups, bond)]);
    elaborator->units->has_changed = elaborator->units->has_changed || set != model->bonds[bond].domains;
    model->bonds[bond].domains = set;
    model->bonds[bond].domain = hbg_domain_only(set);
  }
}

/* ---- declarations ---- */

void hbg_tell_unknown_domain(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode domain) {
  HbgScope names = hbg_scope(elaborator->arena);
  HbgText list = hbg_text(elaborator->arena);
  for (int i = 1; i < HBG_DOMAIN_COUNT; i++) {
    hbg_scope_add(&names, hbg_domain_name((HbgDomain)i), HBG_SCOPE_NODE, 0, (HbgSpan){0, 0});
    hbg_text_add(&list, "%s%s", i > 1 ? ", " : "", hbg_domain_name((HbgDomain)i));
  }
  const char *name = hbg_elaborate_word(elaborator, place->tree, domain);
  if (!hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_UNKNOWN_DOMAIN, hbg_tree_token_span(place->tree, domain),
                             "there is no domain '%s'", name))
    return;
  const char *near = hbg_scope_near(&names, name, HBG_SCOPE_ALL, elaborator->arena);
  if (near) HELP(elaborator, "did you mean %s?", near);
  else HELP(elaborator, "the domains are: %s", list.bytes);
}

void hbg_check_domain_names(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->node_count; i++) {
    const HbgNodeDeclaration *declaration = &elaborator->nodes[i];
    const HbgPlace place = place_in(elaborator, declaration->frame, NULL);
    const HbgTreeNode domain = declaration->field ? 0 : hbg_tree_find(place.tree, declaration->node, HBG_NODE_DOMAIN);
    if (domain && !declared_domain(elaborator, declaration)) hbg_tell_unknown_domain(elaborator, &place, domain);
  }
}

void hbg_check_declared_domains(HbgElaborator *elaborator) {
  const HbgFlatModel *model = elaborator->model;
  for (int32_t i = 0; i < elaborator->node_count; i++) {
    const HbgNodeDeclaration *declaration = &elaborator->nodes[i];
    const HbgNode *node = &model->nodes[declaration->final];
    const HbgDomain declared = declared_domain(elaborator, declaration);
    if (!declared || !node->port_count) continue;
    const HbgBond *bond = &model->bonds[hbg_port(model, node, 0)->bond];
    if (bond->domain == declared) continue;
    const HbgPlace place = place_in(elaborator, declaration->frame, NULL);
    const char *witness = hbg_domain_witness(elaborator, hbg_port(model, node, 0)->bond, declaration->final);
    if (hbg_elaborator_report(elaborator, &place, HBG_DIAGNOSTIC_TWO_DOMAINS, declaration->span,
                              "'%s' is declared %s, but its bonds are %s, as %s says", node->name,
                              hbg_domain_name(declared), hbg_domain_name(bond->domain), witness ? witness : "another"))
      HELP(elaborator, "put a TF or GY between the domains, or correct one of the declarations");
  }
}

/* ---- who said so ---- */

static bool is_joined(const HbgFlatModel *model, const Groups *groups, const HbgNode *node, int32_t bond) {
  return node->port_count && (node->port_count == 1 || hbg_is_junction(node)) &&
         group_of(groups, hbg_port(model, node, 0)->bond) == group_of(groups, bond);
}

const char *hbg_domain_witness(HbgElaborator *elaborator, int32_t bond, int32_t but_node) {
  const HbgFlatModel *model = elaborator->model;
  const HbgDomain domain = model->bonds[bond].domain;
  for (int32_t i = 0; i < elaborator->node_count; i++) {
    const HbgNodeDeclaration *declaration = &elaborator->nodes[i];
    const HbgNode *node = &model->nodes[declaration->final];
    if (declaration->final == but_node || !is_joined(model, &elaborator->units->groups, node, bond)) continue;
    if (domain && declared_domain(elaborator, declaration) == domain)
      return hbg_print(elaborator->arena, declaration->field ? "'%s' (RS)" : "'%s' (declared)", node->name);
    if (hbg_is_junction(node) || !(said_by_element(elaborator, declaration).set >> domain & 1)) continue;
    return hbg_print(elaborator->arena, "'%s' (%s)", node->name, hbg_element_info[node->kind].name);
  }
  return NULL;
}
