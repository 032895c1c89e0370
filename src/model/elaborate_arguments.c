/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: what stands in the parentheses of a submodel, and what its instances are given for it. */
#include <string.h>

#include "base/text.h"
#include "model/elaborator.h"

/* ---- arguments ---- */

HbgTreeNode hbg_elaborate_argument_named(const HbgTree *tree, HbgTreeNode arguments, const char *name, uint32_t length, int32_t which) {
  int32_t at = 0;
  for (HbgTreeNode child = arguments ? tree_first(tree, arguments) : 0; child; child = tree_next(tree, child)) {
    if (hbg_tree_kind(tree, child) == HBG_NODE_NAMED_ARGUMENT) {
      uint32_t other_length;
      const char *other = hbg_tree_text(tree, child, &other_length);
      if (other_length == length && !memcmp(name, other, length)) return hbg_tree_first_expression(tree, child);
    } else if (hbg_tree_is_expression(tree, child) && at++ == which) {
      return child;
    }
  }
  return 0;
}

static HbgTreeNode formals_of(const HbgElaborator *elaborator, int32_t submodel) {
  const HbgSubmodelDeclaration *declaration = &elaborator->submodels[submodel];
  const HbgTreeNode formals = hbg_tree_find(&declaration->file->tree, declaration->node, HBG_NODE_FORMALS);
  return formals ? tree_first(&declaration->file->tree, formals) : 0;
}

/* Has it a value that an argument gives? Parameters, signals and clocks may be given by their place, too. */
static bool takes_value(HbgNodeKind kind) {
  return kind == HBG_NODE_PARAMETER || kind == HBG_NODE_INPUT || kind == HBG_NODE_CLOCK;
}
static bool takes_argument(HbgNodeKind kind) { return takes_value(kind) || kind == HBG_NODE_REPLACEABLE; }

/* The argument that INSTANCE `node` has for `formal`, the `which`-th that has a value. */
static HbgTreeNode argument_for(const HbgPlace *place, HbgTreeNode node, const HbgTree *tree, HbgTreeNode formal, int32_t which) {
  uint32_t length;
  const char *name = hbg_tree_text(tree, formal, &length);
  const HbgTreeNode arguments = hbg_tree_find(place->tree, node, HBG_NODE_ARGUMENTS);
  return hbg_elaborate_argument_named(place->tree, arguments, name, length, takes_value(hbg_tree_kind(tree, formal)) ? which : -1);
}

/* ---- do they fit? ---- */

/* "Diode(threshold, steepness)": what may be given. */
static const char *call_form(HbgElaborator *elaborator, int32_t submodel) {
  const HbgTree *tree = &elaborator->submodels[submodel].file->tree;
  HbgText text = hbg_text(elaborator->arena);
  for (HbgTreeNode formal = formals_of(elaborator, submodel); formal; formal = tree_next(tree, formal))
    if (takes_argument(hbg_tree_kind(tree, formal)))
      hbg_text_add(&text, "%s%s", text.length ? ", " : "", hbg_elaborate_word(elaborator, tree, formal));
  return text.bytes;
}

static void tell_unknown_argument(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode argument, int32_t submodel) {
  const char *name = hbg_elaborate_word(elaborator, place->tree, argument);
  const HbgTree *tree = &elaborator->submodels[submodel].file->tree;
  HbgScope names = hbg_scope(elaborator->arena);
  bool is_port = false;
  for (HbgTreeNode formal = formals_of(elaborator, submodel); formal; formal = tree_next(tree, formal)) {
    const char *word = hbg_elaborate_word(elaborator, tree, formal);
    if (hbg_tree_kind(tree, formal) == HBG_NODE_PORT) is_port = is_port || !strcmp(word, name);
    else if (takes_argument(hbg_tree_kind(tree, formal)) && hbg_scope_find(&names, word, (uint32_t)strlen(word)) < 0)
      hbg_scope_add(&names, word, HBG_SCOPE_PARAMETER, 0, (HbgSpan){0, 0});
  }
  if (!hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_UNKNOWN_ARGUMENT, hbg_tree_token_span(place->tree, argument),
                             "the submodel '%s' takes no '%s'", elaborator->submodels[submodel].name, name))
    return;
  const char *near = hbg_scope_near(&names, name, HBG_SCOPE_ALL, elaborator->arena);
  if (is_port) HELP(elaborator, "'%s' is a port; a bond goes there: x -> instance.%s", name, name);
  else if (near) HELP(elaborator, "did you mean %s?", near);
  else if (names.count) HELP(elaborator, "it takes: %s", call_form(elaborator, submodel));
  else HELP(elaborator, "it takes nothing; what differs from instance to instance stands in its head: param %s = ...", name);
}

static bool is_taken(const HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode argument, int32_t submodel) {
  const HbgTree *tree = &elaborator->submodels[submodel].file->tree;
  uint32_t length;
  const char *name = hbg_tree_text(place->tree, argument, &length);
  for (HbgTreeNode formal = formals_of(elaborator, submodel); formal; formal = tree_next(tree, formal)) {
    uint32_t other_length;
    const char *other = hbg_tree_text(tree, formal, &other_length);
    if (takes_argument(hbg_tree_kind(tree, formal)) && length == other_length && !memcmp(name, other, length)) return true;
  }
  return false;
}

/* Is what the named `argument` gives also given by one before it, or by its place? */
static bool is_given_twice(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode argument, int32_t submodel) {
  const HbgTree *tree = &elaborator->submodels[submodel].file->tree;
  const char *name = hbg_elaborate_word(elaborator, place->tree, argument);
  const HbgTreeNode arguments = place->tree->nodes[argument].parent;
  int32_t before = 0, in_place = 0;
  for (HbgTreeNode formal = formals_of(elaborator, submodel); formal; formal = tree_next(tree, formal)) {
    if (hbg_tree_is_word(tree, formal, name)) {
      before += !takes_value(hbg_tree_kind(tree, formal)) ? INT32_MAX / 2 : 0;
      break;
    }
    before += takes_value(hbg_tree_kind(tree, formal));
  }
  for (HbgTreeNode child = tree_first(place->tree, arguments); child; child = tree_next(place->tree, child)) {
    const bool is_named = hbg_tree_kind(place->tree, child) == HBG_NODE_NAMED_ARGUMENT;
    if (is_named && child < argument && hbg_tree_is_word(place->tree, child, name)) return true;
    in_place += !is_named && hbg_tree_is_expression(place->tree, child);
  }
  return in_place > before;
}

static bool tell_given_twice(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode argument) {
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_ARGUMENTS, hbg_tree_span(place->tree, argument),
                            "the argument '%s' is given twice", hbg_elaborate_word(elaborator, place->tree, argument)))
    HELP(elaborator, "keep one of them");
  return false;
}

bool hbg_elaborate_check_arguments(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int32_t submodel) {
  const HbgTreeNode arguments = hbg_tree_find(place->tree, node, HBG_NODE_ARGUMENTS);
  if (!arguments) return true;
  const HbgTree *tree = &elaborator->submodels[submodel].file->tree;
  int32_t most = 0, given = 0;
  for (HbgTreeNode formal = formals_of(elaborator, submodel); formal; formal = tree_next(tree, formal))
    most += takes_value(hbg_tree_kind(tree, formal));
  bool fits = true;
  for (HbgTreeNode child = tree_first(place->tree, arguments); child; child = tree_next(place->tree, child)) {
    if (hbg_tree_kind(place->tree, child) != HBG_NODE_NAMED_ARGUMENT) {
      given += hbg_tree_is_expression(place->tree, child);
    } else if (!is_taken(elaborator, place, child, submodel)) {
      tell_unknown_argument(elaborator, place, child, submodel);
      fits = false;
    } else if (is_given_twice(elaborator, place, child, submodel)) {
      fits = tell_given_twice(elaborator, place, child);
    }
  }
  if (given <= most) return fits;
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_ARGUMENTS, hbg_tree_span(place->tree, arguments),
                            "the submodel '%s' takes at most %d value%s, not %d", elaborator->submodels[submodel].name, (int)most,
                            most == 1 ? "" : "s", (int)given))
    HELP(elaborator, most ? "it takes: %s" : "leave the parentheses out%s", call_form(elaborator, submodel));
  return false;
}

/* ---- arrays as arguments ---- */

/* The array of parameters that an argument names; -1: it is something else, or not there (yet). */
static int32_t array_of(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode argument) {
  const HbgNodeKind kind = hbg_tree_kind(place->tree, argument);
  if (kind != HBG_NODE_NAME && kind != HBG_NODE_MEMBER) return -1;
  const char *key = hbg_elaborate_key(elaborator, place, argument);
  const int32_t found = key ? hbg_elaborate_find(elaborator, place, key) : -1;
  return found >= 0 && elaborator->scope.symbols[found].kind == HBG_SCOPE_ARRAY ? found : -1;
}

static bool is_unknown_name(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode argument) {
  uint32_t length;
  const char *text = hbg_tree_text(place->tree, argument, &length);
  if (hbg_tree_kind(place->tree, argument) != HBG_NODE_NAME || hbg_elaborate_is_reserved(text, length)) return false;
  for (const HbgFrame *frame = place->frame; frame; frame = frame->outer)
    if (frame->length == length && !memcmp(frame->name, text, length)) return false;
  const char *key = hbg_elaborate_key(elaborator, place, argument);
  return key && hbg_elaborate_find(elaborator, place, key) < 0;
}

bool hbg_elaborate_arguments_wait(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int32_t submodel) {
  const HbgTree *tree = &elaborator->submodels[submodel].file->tree;
  int32_t which = 0;
  for (HbgTreeNode formal = formals_of(elaborator, submodel); formal && elaborator->is_quiet; formal = tree_next(tree, formal)) {
    const HbgTreeNode argument = argument_for(place, node, tree, formal, which);
    which += takes_value(hbg_tree_kind(tree, formal));
    if (hbg_tree_kind(tree, formal) != HBG_NODE_PARAMETER || !argument) continue;
    const HbgTreeNode value = hbg_tree_first_expression(tree, formal);
    const bool may_be_array = !value || hbg_tree_kind(tree, value) == HBG_NODE_LIST;
    if (may_be_array && is_unknown_name(elaborator, place, argument)) return elaborator->is_missing = true;
  }
  return false;
}

static HbgParameterDeclaration *add_parameter(HbgElaborator *elaborator, const HbgInstance *instance, HbgTreeNode formal,
                                              const char *key) {
  const HbgTree *tree = &instance->file->tree;
  const int32_t symbol = hbg_elaborate_declare(elaborator, key, HBG_SCOPE_PARAMETER, elaborator->parameter_count,
                                               hbg_tree_token_span(tree, formal));
  if (symbol < 0) return NULL;
  const int32_t index = elaborator->parameter_count;
  ARENA_PUSH(elaborator->arena, elaborator->parameters, elaborator->parameter_count, elaborator->parameter_capacity) =
      (HbgParameterDeclaration){.symbol = symbol, .value = hbg_tree_first_expression(tree, formal),
                                .unit = hbg_tree_find(tree, formal, HBG_NODE_UNIT_OF), .frame = &instance->frame, .same_as = -1};
  return &elaborator->parameters[index];
}

/* The parts of the array `from` become those of `to`. */
static void copy_array(HbgElaborator *elaborator, const HbgInstance *instance, HbgTreeNode formal, const char *from,
                       const char *to) {
  for (int32_t i = 1;; i++) {
    const char *part = hbg_print(elaborator->arena, "%s[%d]", from, (int)i);
    const char *key = hbg_print(elaborator->arena, "%s[%d]", to, (int)i);
    const int32_t found = hbg_scope_find(&elaborator->scope, part, (uint32_t)strlen(part));
    if (found >= 0 && elaborator->scope.symbols[found].kind == HBG_SCOPE_PARAMETER) {
      HbgParameterDeclaration *parameter = add_parameter(elaborator, instance, formal, key);
      if (!parameter) return;
      parameter->same_as = found;
      parameter->value = 0;
      continue;
    }
    const char *inner = hbg_print(elaborator->arena, "%s[1]", part);
    if (hbg_scope_find(&elaborator->scope, inner, (uint32_t)strlen(inner)) < 0) return;
    copy_array(elaborator, instance, formal, part, key);
  }
}

/* ---- what an instance has for each ---- */

static void tell_lacking(HbgElaborator *elaborator, const HbgInstance *instance, const char *name, const char *what) {
  const HbgPlace outside = place_in(elaborator, instance->outer_frame, NULL);
  const char *submodel = elaborator->submodels[instance->submodel].name;
  if (elaborator->is_trial && !instance->node) return;
  if (hbg_elaborator_report(elaborator, &outside, HBG_DIAGNOSTIC_LACKING_ARGUMENT, instance->span,
                            "'%s' (%s) is given no %s '%s'", instance->name, submodel, what, name))
    HELP(elaborator, "write: %s %s(%s = ...)", submodel, hbg_elaborate_word(elaborator, outside.tree, instance->node), name);
}

static void declare_parameter(HbgElaborator *elaborator, const HbgInstance *instance, HbgTreeNode formal, HbgTreeNode argument) {
  const HbgPlace outside = place_in(elaborator, instance->outer_frame, NULL), inside = place_in(elaborator, &instance->frame, NULL);
  const HbgSpan span = hbg_tree_token_span(inside.tree, formal);
  if (!argument) {
    if (!hbg_tree_first_expression(inside.tree, formal))
      tell_lacking(elaborator, instance, hbg_elaborate_word(elaborator, inside.tree, formal), "value for");
    hbg_elaborate_declare_parameter(elaborator, formal, &instance->frame);
    return;
  }
  const char *key = hbg_elaborate_key(elaborator, &inside, formal);
  if (!key) return;
  const int32_t array = array_of(elaborator, &outside, argument);
  if (hbg_tree_kind(outside.tree, argument) == HBG_NODE_LIST) {
    hbg_elaborate_declare_list(elaborator, key, argument, 0, instance->outer_frame, span);
  } else if (array >= 0) {
    copy_array(elaborator, instance, formal, elaborator->scope.symbols[array].name, key);
  } else {
    HbgParameterDeclaration *parameter = add_parameter(elaborator, instance, formal, key);
    if (!parameter) return;
    parameter->argument = argument;
    parameter->argument_frame = instance->outer_frame;
  }
}

/* What an instance is given under a name: where the value stands, and the names it is read with. */
typedef struct Given {
  int32_t symbol; /* -1: told */
  HbgTreeNode value;
  const HbgFrame *frame;
} Given;

/* Declares the name inside of the instance; its value is the argument, outside, or the default, inside. */
static Given declare_given(HbgElaborator *elaborator, const HbgInstance *instance, HbgTreeNode formal, HbgTreeNode argument,
                           HbgScopeKind kind, int32_t index, const char *what) {
  const HbgPlace inside = place_in(elaborator, &instance->frame, NULL);
  const char *key = hbg_elaborate_key(elaborator, &inside, formal);
  const HbgTreeNode value = argument ? argument : hbg_tree_first_expression(inside.tree, formal);
  if (!value) tell_lacking(elaborator, instance, local_name(&inside, key), what);
  const int32_t symbol = hbg_elaborate_declare(elaborator, key, kind, index, hbg_tree_token_span(inside.tree, formal));
  return (Given){symbol, value, argument ? instance->outer_frame : &instance->frame};
}

/* An input is a signal inside, whose expression is read outside. */
static void declare_input(HbgElaborator *elaborator, const HbgInstance *instance, HbgTreeNode formal, HbgTreeNode argument) {
  const Given given =
      declare_given(elaborator, instance, formal, argument, HBG_SCOPE_SIGNAL, elaborator->signal_count, "signal");
  if (given.symbol < 0) return;
  ARENA_PUSH(elaborator->arena, elaborator->signals, elaborator->signal_count, elaborator->signal_capacity) =
      (HbgSignalDeclaration){.symbol = given.symbol, .expression = given.value, .is_input = true, .frame = given.frame};
}

/* A clock is made where it is named: outside, or with the default inside. */
static void declare_clock(HbgElaborator *elaborator, const HbgInstance *instance, HbgTreeNode formal, HbgTreeNode argument) {
  const Given given =
      declare_given(elaborator, instance, formal, argument, HBG_SCOPE_CLOCK, elaborator->clock_count, "clock");
  if (given.symbol < 0) return;
  ARENA_PUSH(elaborator->arena, elaborator->clocks, elaborator->clock_count, elaborator->clock_capacity) =
      (HbgClockDeclaration){.symbol = given.symbol, .value = given.value, .frame = given.frame, .clock = -1};
}

static void add_port(HbgElaborator *elaborator, const HbgInstance *instance, HbgTreeNode formal, const char *key) {
  const HbgTree *tree = &instance->file->tree;
  const HbgSpan span = hbg_tree_token_span(tree, formal);
  const HbgTreeNode kind = hbg_tree_find(tree, formal, HBG_NODE_PORT_KIND);
  const int32_t junction = kind ? elaborator->node_count : -1, index = elaborator->power_port_count;
  const int32_t symbol = hbg_elaborate_declare(elaborator, key, kind ? HBG_SCOPE_NODE : HBG_SCOPE_PORT, kind ? junction : index, span);
  if (symbol < 0) return;
  const char *name = elaborator->scope.symbols[symbol].name;
  if (kind)
    ARENA_PUSH(elaborator->arena, elaborator->nodes, elaborator->node_count, elaborator->node_capacity) =
        (HbgNodeDeclaration){.name = name, .node = formal, .frame = &instance->frame, .span = span, .is_port = true,
                             .kind = hbg_tree_is_word(tree, kind, "0") ? HBG_ELEMENT_ZERO : HBG_ELEMENT_ONE};
  ARENA_PUSH(elaborator->arena, elaborator->power_ports, elaborator->power_port_count, elaborator->power_port_capacity) =
      (HbgPortDeclaration){.name = name, .span = span, .instance = instance, .inside = -1, .outside = -1, .junction = junction,
                           .next = instance->first_port};
  elaborator->instances[instance->index]->first_port = index;
}

void hbg_elaborate_declare_port(HbgElaborator *elaborator, HbgTreeNode node, const HbgFrame *frame) {
  const HbgPlace inside = place_in(elaborator, frame, NULL);
  int32_t count;
  const char **keys = hbg_elaborate_keys(elaborator, &inside, node, &count);
  for (int32_t i = 0; keys && i < count; i++) add_port(elaborator, frame->instance, node, keys[i]);
}

/* ---- submodels as arguments ---- */

/* "port a, port 0 pin": the ports of a submodel, which another must have to stand for it. */
static const char *ports_of(HbgElaborator *elaborator, int32_t submodel) {
  const HbgTree *tree = &elaborator->submodels[submodel].file->tree;
  HbgText text = hbg_text(elaborator->arena);
  for (HbgTreeNode formal = formals_of(elaborator, submodel); formal; formal = tree_next(tree, formal)) {
    const HbgNodeKind kind = hbg_tree_kind(tree, formal);
    const char *what = kind == HBG_NODE_PORT ? "port" : kind == HBG_NODE_INPUT ? "in" : kind == HBG_NODE_OUTPUT ? "out" : NULL;
    const HbgTreeNode junction = hbg_tree_find(tree, formal, HBG_NODE_PORT_KIND);
    if (what)
      hbg_text_add(&text, "%s%s %s%s", text.length ? ", " : "", what,
                   !junction ? "" : hbg_tree_is_word(tree, junction, "0") ? "0 " : "1 ",
                   hbg_elaborate_word(elaborator, tree, formal));
  }
  return text.length ? text.bytes : "none";
}

static bool has_port(HbgElaborator *elaborator, int32_t submodel, const HbgTree *of, HbgTreeNode port) {
  const HbgTree *tree = &elaborator->submodels[submodel].file->tree;
  const char *name = hbg_elaborate_word(elaborator, of, port);
  const HbgTreeNode junction = hbg_tree_find(of, port, HBG_NODE_PORT_KIND);
  for (HbgTreeNode formal = formals_of(elaborator, submodel); formal; formal = tree_next(tree, formal)) {
    if (hbg_tree_kind(tree, formal) != hbg_tree_kind(of, port) || !hbg_tree_is_word(tree, formal, name)) continue;
    const HbgTreeNode other = hbg_tree_find(tree, formal, HBG_NODE_PORT_KIND);
    return !junction == !other &&
           (!junction || hbg_tree_is_word(tree, other, hbg_elaborate_word(elaborator, of, junction)));
  }
  return false;
}

/* Has submodel `b` all the ports of `a`? */
static bool has_ports(HbgElaborator *elaborator, int32_t a, int32_t b) {
  const HbgTree *tree = &elaborator->submodels[a].file->tree;
  for (HbgTreeNode formal = formals_of(elaborator, a); formal; formal = tree_next(tree, formal)) {
    const HbgNodeKind kind = hbg_tree_kind(tree, formal);
    const bool is_port = kind == HBG_NODE_PORT || kind == HBG_NODE_INPUT || kind == HBG_NODE_OUTPUT;
    if (is_port && !has_port(elaborator, b, tree, formal)) return false;
  }
  return true;
}

/* The submodel that was given from outside or as an argument, else `usual`. */
static int32_t chosen(HbgElaborator *elaborator, const HbgInstance *instance, const char *key, HbgTreeNode argument, int32_t usual) {
  HbgPlace place = argument ? place_in(elaborator, instance->outer_frame, NULL) : place_in(elaborator, &elaborator->root->frame, NULL);
  HbgTreeNode type = argument;
  const HbgSettingText *given = hbg_elaborate_setting(elaborator, key);
  if (given) {
    if (given->is_wrong) return usual;
    place = (HbgPlace){.tree = &given->tree, .frame = &elaborator->root->frame, .element = -1, .setting = key};
    type = hbg_tree_first_expression(&given->tree, given->tree.root);
  }
  if (!type) return usual;
  const int32_t other = hbg_elaborate_submodel(elaborator, &place, type);
  if (other < 0 || usual < 0) return other < 0 ? usual : other; // what does not exist is told; the rest is read with the usual one
  if (has_ports(elaborator, usual, other) && has_ports(elaborator, other, usual)) return other;
  if (hbg_elaborator_report(elaborator, &place, HBG_DIAGNOSTIC_OTHER_PORTS, hbg_tree_span(place.tree, type),
                            "'%s' cannot stand for '%s': its ports are others", elaborator->submodels[other].name,
                            elaborator->submodels[usual].name))
    HELP(elaborator, "'%s' has %s, '%s' has %s", elaborator->submodels[usual].name, ports_of(elaborator, usual),
         elaborator->submodels[other].name, ports_of(elaborator, other));
  return usual;
}

static void declare_replaceable(HbgElaborator *elaborator, const HbgInstance *instance, HbgTreeNode formal, HbgTreeNode argument) {
  const HbgPlace inside = place_in(elaborator, &instance->frame, NULL);
  const char *key = hbg_elaborate_key(elaborator, &inside, formal);
  const int32_t usual = hbg_elaborate_submodel(elaborator, &inside, hbg_tree_find(inside.tree, formal, HBG_NODE_TYPE_NAME));
  const int32_t submodel = chosen(elaborator, instance, key, argument, usual);
  if (submodel >= 0)
    hbg_elaborate_declare(elaborator, key, HBG_SCOPE_SUBMODEL, submodel, hbg_tree_token_span(inside.tree, formal));
}

/* ---- the head as a whole ---- */

void hbg_elaborate_formals(HbgElaborator *elaborator, const HbgInstance *instance) {
  const HbgPlace outside = place_in(elaborator, instance->outer_frame, NULL);
  const HbgTree *tree = &instance->file->tree;
  int32_t which = 0;
  for (HbgTreeNode formal = formals_of(elaborator, instance->submodel); formal; formal = tree_next(tree, formal)) {
    const HbgTreeNode argument = argument_for(&outside, instance->node, tree, formal, which);
    which += takes_value(hbg_tree_kind(tree, formal));
    switch (hbg_tree_kind(tree, formal)) {
      case HBG_NODE_PARAMETER: declare_parameter(elaborator, instance, formal, argument); break;
      case HBG_NODE_INPUT: declare_input(elaborator, instance, formal, argument); break;
      case HBG_NODE_CLOCK: declare_clock(elaborator, instance, formal, argument); break;
      case HBG_NODE_PORT: hbg_elaborate_collect_node(elaborator, formal, &instance->frame); break;
      case HBG_NODE_REPLACEABLE: declare_replaceable(elaborator, instance, formal, argument); break;
      default: break; /* outputs are checked when all is declared */
    }
  }
}

void hbg_elaborate_root_formals(HbgElaborator *elaborator, HbgTreeNode model) {
  const HbgTree *tree = &elaborator->file->tree;
  const HbgTreeNode formals = hbg_tree_find(tree, model, HBG_NODE_FORMALS);
  for (HbgTreeNode formal = formals ? tree_first(tree, formals) : 0; formal; formal = tree_next(tree, formal)) {
    if (hbg_tree_kind(tree, formal) == HBG_NODE_REPLACEABLE) {
      declare_replaceable(elaborator, elaborator->root, formal, 0);
    } else if (hbg_tree_kind(tree, formal) == HBG_NODE_PARAMETER ||
               (hbg_tree_kind(tree, formal) == HBG_NODE_CLOCK && hbg_tree_first_expression(tree, formal))) {
      hbg_elaborate_collect_node(elaborator, formal, &elaborator->root->frame);
    } else if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_PORT_OF_MODEL, hbg_tree_span(tree, formal),
                                     "a model has no ports: it is the whole")) {
      HELP(elaborator, "make a submodel of it, or declare what stands at this port inside");
    }
  }
}
