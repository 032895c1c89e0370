/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration, first step: all declarations of the text, loops expanded, into one name space. Nothing depends on the
 * order of statements: what needs a parameter that is not declared yet (the bound of a loop, an index) waits. */
#include <string.h>

#include "base/text.h"
#include "model/callables.h"

enum { MOST_DECLARED = 8000000 };

/* ---- one kind of declaration each ---- */

static void add_parameter(HbgElaborator *elaborator, int32_t symbol, HbgTreeNode value, HbgTreeNode unit,
                          const HbgFrame *frame) {
  ARENA_PUSH(elaborator->arena, elaborator->parameters, elaborator->parameter_count, elaborator->parameter_capacity) =
      (HbgParameterDeclaration){.symbol = symbol, .value = value, .unit = unit, .frame = frame, .same_as = -1};
}

/* `param m = [1, 2, 3] [kg]` is m[1], m[2], m[3]; of a list of lists, m[1][1] and so on. A unit stands behind the whole. */
void hbg_elaborate_declare_list(HbgElaborator *elaborator, const char *base, HbgTreeNode list, HbgTreeNode unit,
                                const HbgFrame *frame, HbgSpan span) {
  const HbgTree *tree = tree_of(frame);
  const HbgTreeNode own_unit = hbg_tree_find(tree, list, HBG_NODE_UNIT_OF);
  if (own_unit) unit = own_unit;
  int64_t index = 0;
  for (HbgTreeNode value = hbg_tree_first_expression(tree, list); value; value = hbg_tree_next_expression(tree, value)) {
    const char *name = hbg_print(elaborator->arena, "%s[%lld]", base, (long long)++index);
    if (hbg_tree_kind(tree, value) == HBG_NODE_LIST) {
      hbg_elaborate_declare_list(elaborator, name, value, unit, frame, span);
      continue;
    }
    const int32_t symbol = hbg_elaborate_declare(elaborator, name, HBG_SCOPE_PARAMETER, elaborator->parameter_count, span);
    if (symbol < 0) return;
    add_parameter(elaborator, symbol, value, unit, frame);
  }
}

void hbg_elaborate_declare_parameter(HbgElaborator *elaborator, HbgTreeNode node, const HbgFrame *frame) {
  const HbgTree *tree = tree_of(frame);
  const HbgTreeNode value = hbg_tree_first_expression(tree, node);
  if (value && hbg_tree_kind(tree, value) == HBG_NODE_LIST) {
    const HbgPlace place = place_in(elaborator, frame, NULL);
    const char *base = hbg_elaborate_key(elaborator, &place, node);
    if (base) hbg_elaborate_declare_list(elaborator, base, value, 0, frame, hbg_tree_token_span(tree, node));
    return;
  }
  const int32_t symbol =
      hbg_elaborate_declare_node(elaborator, node, frame, HBG_SCOPE_PARAMETER, elaborator->parameter_count);
  if (symbol >= 0) add_parameter(elaborator, symbol, value, hbg_tree_find(tree, node, HBG_NODE_UNIT_OF), frame);
}

/* "MSe" is an Se whose law reads a signal; the letter M says so to the reader and changes nothing. IC and RS have ports of
 * different kinds, see hbg_elaborate_shape(). */
static bool kind_of(const HbgTree *tree, HbgTreeNode list, HbgElementKind *kind) {
  if (hbg_tree_is_word(tree, list, "IC")) return *kind = HBG_ELEMENT_C, true;
  if (hbg_tree_is_word(tree, list, "RS")) return *kind = HBG_ELEMENT_R, true;
  for (int i = 0; i < HBG_ELEMENT_COUNT; i++) {
    const char *name = hbg_element_info[i].name;
    uint32_t length;
    const char *text = hbg_tree_text(tree, list, &length);
    if (length > 1 && text[0] == 'M') text++, length--;
    if (strlen(name) != length || memcmp(name, text, length) != 0) continue;
    *kind = (HbgElementKind)i;
    return true;
  }
  return false;
}

/* An element of one port, or a junction. False: there is something of that name already. */
static bool declare_single(HbgElaborator *elaborator, const char *key, HbgNodeDeclaration declaration) {
  const int32_t symbol = hbg_elaborate_declare(elaborator, key, HBG_SCOPE_NODE, elaborator->node_count, declaration.span);
  if (symbol < 0) return false;
  declaration.name = elaborator->scope.symbols[symbol].name;
  declaration.order = elaborator->node_count;
  ARENA_PUSH(elaborator->arena, elaborator->nodes, elaborator->node_count, elaborator->node_capacity) = declaration;
  return true;
}

/* What is wrong with the element is told, and that there is none of that name is no second mistake. */
static void forget(HbgElaborator *elaborator, const char *key, HbgSpan span) {
  const uint32_t base = (uint32_t)strcspn(key, "[.");
  if (!elaborator->is_missing && hbg_scope_find(&elaborator->unread, key, base) < 0)
    hbg_scope_add(&elaborator->unread, hbg_arena_text(elaborator->arena, key, base), HBG_SCOPE_NODE, 0, span);
}

void hbg_elaborate_lose(HbgElaborator *elaborator, const char *key, HbgTreeNode node, const HbgFrame *frame) {
  if (!elaborator->is_for_drawing || elaborator->is_missing) return;
  ARENA_PUSH(elaborator->arena, elaborator->lost, elaborator->lost_count, elaborator->lost_capacity) =
      (HbgLostDeclaration){key, node, frame};
}

static void declare_one(HbgElaborator *elaborator, const char *key, HbgNodeDeclaration declaration) {
  const HbgPlace place = place_in(elaborator, declaration.frame, NULL);
  HbgFieldDeclaration field = {.node = declaration.node, .frame = declaration.frame, .span = declaration.span,
                               .kind = declaration.kind, .component = declaration.component};
  switch (hbg_elaborate_shape(elaborator, &place, declaration.node, declaration.kind, &field)) {
    case HBG_SHAPE_WRONG:
      forget(elaborator, key, declaration.span);
      hbg_elaborate_lose(elaborator, key, declaration.node, declaration.frame);
      return;
    case HBG_SHAPE_FIELD: hbg_elaborate_declare_field(elaborator, key, field); return;
    case HBG_SHAPE_OPEN:
      if (declare_single(elaborator, key, declaration))
        ARENA_PUSH(elaborator->arena, elaborator->maybe_fields, elaborator->maybe_field_count,
                   elaborator->maybe_field_capacity) = elaborator->node_count - 1;
      return;
    case HBG_SHAPE_SINGLE: declare_single(elaborator, key, declaration); return;
  }
}

/* `I body[1..3](2)`: each with a frame of its own, so that an integral in it is one of its own, too. */
static void declare_range(HbgElaborator *elaborator, HbgNodeDeclaration declaration) {
  const HbgPlace place = place_in(elaborator, declaration.frame, NULL);
  int32_t count;
  const char **keys = hbg_elaborate_keys(elaborator, &place, declaration.node, &count);
  if (!keys || hbg_elaborate_too_large(elaborator, declaration.span, count)) return;
  for (int32_t i = 0; i < count; i++) {
    HbgFrame *round = ARENA_NEW(elaborator->arena, HbgFrame, 1);
    *round = frame_in(place.frame, "", 0, 0);
    declaration.frame = round;
    declaration.component = i + 1;
    declare_one(elaborator, keys[i], declaration);
  }
}

static void declare_element(HbgElaborator *elaborator, HbgTreeNode node, const HbgFrame *frame) {
  const HbgPlace place = place_in(elaborator, frame, NULL);
  HbgNodeDeclaration declaration = {.node = node, .frame = frame, .span = hbg_tree_token_span(place.tree, node)};
  if (!kind_of(place.tree, place.tree->nodes[node].parent, &declaration.kind)) return;
  if (hbg_elaborate_has_range(place.tree, node)) {
    declare_range(elaborator, declaration);
    return;
  }
  const char *key = hbg_elaborate_key(elaborator, &place, node);
  if (key) declare_one(elaborator, key, declaration);
}

static void declare_bond(HbgElaborator *elaborator, HbgTreeNode arrow, const HbgFrame *frame, HbgTreeNode from,
                         HbgTreeNode to) {
  const HbgTree *tree = tree_of(frame);
  const bool is_backward = hbg_tree_is_word(tree, arrow, "<-");
  HbgBondDeclaration bond = {.tail = is_backward ? to : from, .head = is_backward ? from : to, .frame = frame,
                             .order = elaborator->bond_count, .arrow = arrow, .home = frame};
  bond.span = (HbgSpan){hbg_tree_span(tree, from).begin, hbg_tree_span(tree, to).end};
  elaborator->declared++;
  HbgTreeNode name = hbg_tree_find(tree, arrow, HBG_NODE_BOND_NAME);
  if (name && tree->nodes[name].token < 0) name = 0; // a part of what could not be read
  if (hbg_tree_is_word(tree, arrow, "=>")) {
    ARENA_PUSH(elaborator->arena, elaborator->vector_bonds, elaborator->vector_bond_count,
               elaborator->vector_bond_capacity) = (HbgVectorBond){from, to, name, frame, arrow};
    return;
  }
  if (name) {
    const int32_t symbol = hbg_elaborate_declare_node(elaborator, name, frame, HBG_SCOPE_BOND, elaborator->bond_count);
    if (symbol < 0 && elaborator->is_missing) return;
    if (symbol >= 0) bond.name = elaborator->scope.symbols[symbol].name;
  }
  ARENA_PUSH(elaborator->arena, elaborator->bonds, elaborator->bond_count, elaborator->bond_capacity) = bond;
}

static void add_signal(HbgElaborator *elaborator, const HbgSignalDeclaration *signal) {
  ARENA_PUSH(elaborator->arena, elaborator->signals, elaborator->signal_count, elaborator->signal_capacity) = *signal;
}

/* The range of `signal y[1..2] = ...`; 0: there is none. */
static HbgTreeNode range_of(const HbgTree *tree, HbgTreeNode node) {
  const HbgTreeNode index = hbg_tree_find(tree, node, HBG_NODE_INDEX);
  const HbgTreeNode first = index ? hbg_tree_first_expression(tree, index) : 0;
  return first && hbg_tree_next_expression(tree, first) ? index : 0;
}

/* The signals y[1], y[2] of one expression that has several values. */
static void declare_signals(HbgElaborator *elaborator, HbgTreeNode node, HbgTreeNode range, const HbgFrame *frame) {
  const HbgPlace place = place_in(elaborator, frame, "an index");
  const HbgTree *tree = place.tree;
  const HbgTreeNode first = hbg_tree_first_expression(tree, range), last = hbg_tree_next_expression(tree, first);
  const HbgSpan span = hbg_tree_token_span(tree, node);
  int64_t from, to;
  if (!hbg_elaborate_index(elaborator, &place, first, "an index", &from) || !hbg_elaborate_index(elaborator, &place, last, "an index", &to) ||
      hbg_elaborate_too_large(elaborator, span, to - from + 1))
    return;
  HbgSignalDeclaration signal = {.node = node, .expression = hbg_tree_first_expression(tree, node), .frame = frame,
                                 .component_count = (int32_t)(to - from + 1)};
  for (int64_t index = from; index <= to; index++, signal.component++) {
    const char *name = hbg_print(elaborator->arena, "%s%s[%lld]", frame->instance->prefix,
                                 hbg_elaborate_word(elaborator, tree, node), (long long)index);
    signal.symbol = hbg_elaborate_declare(elaborator, name, HBG_SCOPE_SIGNAL, elaborator->signal_count, span);
    if (signal.symbol < 0) return;
    add_signal(elaborator, &signal);
  }
}

/* `block s = sum(+a, -b)`: a symbol of a diagram is one function. */
static void check_block(HbgElaborator *elaborator, HbgTreeNode node, const HbgFrame *frame) {
  const HbgTree *tree = tree_of(frame);
  const HbgTreeNode value = hbg_tree_first_expression(tree, node);
  if (tree->nodes[tree->nodes[node].parent].token < 0 || !value || hbg_tree_kind(tree, value) == HBG_NODE_CALL) return;
  const HbgPlace place = place_in(elaborator, frame, NULL);
  if (hbg_elaborator_report(elaborator, &place, HBG_DIAGNOSTIC_BLOCK, hbg_tree_span(tree, value),
                            "a block is one function, and '%s' is none", hbg_tree_excerpt(tree, value, elaborator->arena)))
    HELP(elaborator, "write signal instead of block for a formula, or a function: sum(+a, -b), gain(x, 2)");
}

static void declare_signal(HbgElaborator *elaborator, HbgTreeNode node, const HbgFrame *frame) {
  check_block(elaborator, node, frame);
  const HbgTreeNode range = range_of(tree_of(frame), node);
  if (range) {
    declare_signals(elaborator, node, range, frame);
    return;
  }
  const HbgTreeNode expression = hbg_tree_first_expression(tree_of(frame), node);
  const int32_t symbol = hbg_elaborate_declare_node(elaborator, node, frame, HBG_SCOPE_SIGNAL, elaborator->signal_count);
  if (symbol < 0) return;
  add_signal(elaborator, &(HbgSignalDeclaration){.symbol = symbol, .node = node, .expression = expression, .frame = frame});
}

static bool outside_loops(HbgElaborator *elaborator, HbgTreeNode node, const HbgFrame *frame, const char *what,
                          const char *help) {
  if (!frame->outer) return true;
  if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_IN_LOOP, hbg_tree_token_span(tree_of(frame), node),
                            "%s stands inside a loop, which would repeat it", what))
    HELP(elaborator, "%s", help);
  return false;
}

static bool outside_submodels(HbgElaborator *elaborator, HbgTreeNode node, const HbgFrame *frame) {
  if (frame->instance == elaborator->root) return true;
  if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_SETTING_INSIDE, hbg_tree_token_span(tree_of(frame), node),
                            "a setting of the run stands in a submodel"))
    HELP(elaborator, "write it in the model: there is one run of the whole");
  return false;
}

static void declare_type(HbgElaborator *elaborator, HbgTreeNode node, const HbgFrame *frame) {
  if (!outside_loops(elaborator, node, frame, "a machine type",
                     "write it outside of `for`; hand what differs from round to round over as an argument")) return;
  const int32_t symbol = hbg_elaborate_declare_node(elaborator, node, frame, HBG_SCOPE_MACHINE_TYPE, elaborator->type_count);
  if (symbol < 0) return;
  ARENA_PUSH(elaborator->arena, elaborator->types, elaborator->type_count, elaborator->type_capacity) =
      (HbgTypeDeclaration){.name = hbg_tree_word(tree_of(frame), node, elaborator->arena), .node = node, .frame = frame, .owner = -1};
}

static void declare_instance(HbgElaborator *elaborator, HbgTreeNode node, const HbgFrame *frame) {
  const int32_t symbol = hbg_elaborate_declare_node(elaborator, node, frame, HBG_SCOPE_MACHINE, elaborator->machine_count);
  if (symbol < 0) return;
  const HbgScopeSymbol *declared = &elaborator->scope.symbols[symbol];
  ARENA_PUSH(elaborator->arena, elaborator->machines, elaborator->machine_count, elaborator->machine_capacity) =
      (HbgMachineDeclaration){.name = declared->name, .span = declared->span, .frame = frame, .type = -1, .owner = -1,
                              .control = hbg_tree_find(tree_of(frame), node, HBG_NODE_CONTROL)};
}

static void declare_clock(HbgElaborator *elaborator, HbgTreeNode node, const HbgFrame *frame) {
  const int32_t symbol = hbg_elaborate_declare_node(elaborator, node, frame, HBG_SCOPE_CLOCK, elaborator->clock_count);
  if (symbol < 0) return;
  ARENA_PUSH(elaborator->arena, elaborator->clocks, elaborator->clock_count, elaborator->clock_capacity) =
      (HbgClockDeclaration){.symbol = symbol, .value = hbg_tree_first_expression(tree_of(frame), node), .frame = frame, .clock = -1};
}

static void declare_event(HbgElaborator *elaborator, HbgTreeNode node, const HbgFrame *frame) {
  const int32_t symbol = hbg_elaborate_declare_node(elaborator, node, frame, HBG_SCOPE_VARIABLE, elaborator->event_count);
  if (symbol < 0) return;
  const HbgScopeSymbol *declared = &elaborator->scope.symbols[symbol];
  ARENA_PUSH(elaborator->arena, elaborator->events, elaborator->event_count, elaborator->event_capacity) =
      (HbgEventDeclaration){.name = declared->name, .span = declared->span};
}

/* A function, a table or data. */
static void declare_callable(HbgElaborator *elaborator, HbgTreeNode node, const HbgFrame *frame) {
  if (!hbg_elaborate_may_be_called(elaborator, frame, node)) return;
  if (!outside_loops(elaborator, node, frame, "a function",
                     "write it outside of `for`; hand what differs from round to round over as an argument")) return;
  const HbgScopeKind kind = hbg_callable_kind(hbg_tree_kind(tree_of(frame), node));
  if (hbg_elaborate_declare_node(elaborator, node, frame, kind, elaborator->callable_count) >= 0)
    hbg_elaborate_add_callable(elaborator, node, frame);
}

/* ---- statements ---- */

static void collect(HbgElaborator *elaborator, HbgTreeNode node, const HbgFrame *frame);
static void collect_remains(HbgElaborator *elaborator, HbgTreeNode error, const HbgFrame *frame);

/* Does one declaration, or puts it off when it needs a name that is not there yet. */
static void collect_or_defer(HbgElaborator *elaborator, HbgTreeNode node, const HbgFrame *frame,
                             void (*declare_it)(HbgElaborator *, HbgTreeNode, const HbgFrame *)) {
  elaborator->is_missing = false;
  declare_it(elaborator, node, frame);
  if (elaborator->is_missing)
    ARENA_PUSH(elaborator->arena, elaborator->deferred, elaborator->deferred_count, elaborator->deferred_capacity) =
        (HbgDeferred){node, frame};
  elaborator->is_missing = false;
}

void hbg_elaborate_collect_node(HbgElaborator *elaborator, HbgTreeNode node, const HbgFrame *frame) {
  collect(elaborator, node, frame);
}

void hbg_elaborate_collect_each(HbgElaborator *elaborator, HbgTreeNode list, const HbgFrame *frame) {
  const HbgTree *tree = tree_of(frame);
  for (HbgTreeNode child = tree_first(tree, list); child; child = tree_next(tree, child)) collect(elaborator, child, frame);
}

/* Declares one bond of a chain; puts it off when its name needs a parameter that is not there yet. */
static void collect_bond(HbgElaborator *elaborator, HbgTreeNode from, HbgTreeNode arrow, HbgTreeNode to,
                         const HbgFrame *frame) {
  elaborator->is_missing = false;
  declare_bond(elaborator, arrow, frame, from, to);
  if (elaborator->is_missing)
    ARENA_PUSH(elaborator->arena, elaborator->deferred, elaborator->deferred_count, elaborator->deferred_capacity) =
        (HbgDeferred){arrow, frame};
  elaborator->is_missing = false;
}

/* All bonds of a chain, or only the one of the arrow `which` (0: all). */
static void collect_chain(HbgElaborator *elaborator, HbgTreeNode chain, HbgTreeNode which, const HbgFrame *frame) {
  const HbgTree *tree = tree_of(frame);
  HbgTreeNode from = tree_first(tree, chain);
  while (from) {
    const HbgTreeNode arrow = tree_next(tree, from), to = arrow ? tree_next(tree, arrow) : 0;
    if (!to || hbg_tree_kind(tree, arrow) != HBG_NODE_BOND_ARROW) return;
    if (hbg_tree_kind(tree, from) == HBG_NODE_BOND_END && hbg_tree_kind(tree, to) == HBG_NODE_BOND_END &&
        tree->nodes[from].token >= 0 && tree->nodes[to].token >= 0 && (!which || which == arrow))
      collect_bond(elaborator, from, arrow, to, frame);
    from = to;
  }
}

/* A loop makes at least one declaration in every round. */
bool hbg_elaborate_too_large(HbgElaborator *elaborator, HbgSpan loop, int64_t rounds) {
  if (elaborator->is_too_large) return true;
  if (rounds <= MOST_DECLARED - elaborator->declared) return false;
  elaborator->is_too_large = true;
  if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_TOO_LARGE, loop,
                            "the loops make more than %d declarations", MOST_DECLARED))
    HELP(elaborator, "look at the bounds of the loop");
  return true;
}

static void expand_loop(HbgElaborator *elaborator, HbgTreeNode loop, const HbgFrame *frame) {
  const HbgPlace place = place_in(elaborator, frame, "a bound of a loop");
  const HbgTree *tree = place.tree;
  const HbgTreeNode first = hbg_tree_first_expression(tree, loop);
  const HbgTreeNode last = first ? hbg_tree_next_expression(tree, first) : 0;
  int64_t from, to;
  if (!last || !hbg_elaborate_index(elaborator, &place, first, "a bound of a loop", &from) ||
      !hbg_elaborate_index(elaborator, &place, last, "a bound of a loop", &to))
    return;
  uint32_t length;
  const char *name = hbg_tree_text(tree, loop, &length);
  for (int64_t i = from; i <= to && !hbg_elaborate_too_large(elaborator, hbg_tree_token_span(tree, loop), to - i + 1); i++) {
    HbgFrame *round = ARENA_NEW(elaborator->arena, HbgFrame, 1);
    *round = frame_in(frame, name, length, hbg_expr_constant(elaborator->pool, (double)i));
    elaborator->declared++;
    for (HbgTreeNode child = tree_next(tree, last); child; child = tree_next(tree, child))
      collect(elaborator, child, round);
  }
}

static void collect(HbgElaborator *elaborator, HbgTreeNode node, const HbgFrame *frame) {
  switch (hbg_tree_kind(tree_of(frame), node)) {
    case HBG_NODE_PARAMETER_LIST:
    case HBG_NODE_ELEMENT_LIST:
    case HBG_NODE_CONDITION_LIST:
    case HBG_NODE_CLOCK_LIST:
    case HBG_NODE_EVENT_LIST:
    case HBG_NODE_INSTANCE_LIST:
    case HBG_NODE_SIGNAL_LIST: hbg_elaborate_collect_each(elaborator, node, frame); return;
    case HBG_NODE_PORT: collect_or_defer(elaborator, node, frame, hbg_elaborate_declare_port); return;
    case HBG_NODE_INSTANCE: collect_or_defer(elaborator, node, frame, hbg_elaborate_declare_instance); return;
    case HBG_NODE_BOND_CHAIN: collect_chain(elaborator, node, 0, frame); return;
    case HBG_NODE_BOND_ARROW: collect_chain(elaborator, tree_of(frame)->nodes[node].parent, node, frame); return;
    case HBG_NODE_PARAMETER: collect_or_defer(elaborator, node, frame, hbg_elaborate_declare_parameter); return;
    case HBG_NODE_ELEMENT: collect_or_defer(elaborator, node, frame, declare_element); return;
    case HBG_NODE_SIGNAL: collect_or_defer(elaborator, node, frame, declare_signal); return;
    case HBG_NODE_CONDITION:
      ARENA_PUSH(elaborator->arena, elaborator->condition_nodes, elaborator->condition_node_count,
                 elaborator->condition_node_capacity) = (HbgDeferred){node, frame};
      return;
    case HBG_NODE_CLOCK: collect_or_defer(elaborator, node, frame, declare_clock); return;
    case HBG_NODE_EVENT: collect_or_defer(elaborator, node, frame, declare_event); return;
    case HBG_NODE_MACHINE: collect_or_defer(elaborator, node, frame, declare_type); return;
    case HBG_NODE_MACHINE_INSTANCE: collect_or_defer(elaborator, node, frame, declare_instance); return;
    case HBG_NODE_FUNCTION:
    case HBG_NODE_TABLE:
    case HBG_NODE_DATA: collect_or_defer(elaborator, node, frame, declare_callable); return;
    case HBG_NODE_FOR: collect_or_defer(elaborator, node, frame, expand_loop); return;
    case HBG_NODE_DRAWING: hbg_elaborate_note_drawing(elaborator, node, frame); return;
    case HBG_NODE_SETTING:
      if (outside_submodels(elaborator, node, frame) &&
          outside_loops(elaborator, node, frame, "a setting of the run", "write it outside of `for`, once"))
        ARENA_PUSH(elaborator->arena, elaborator->run_settings, elaborator->run_setting_count,
                   elaborator->run_setting_capacity) = node;
      return;
    case HBG_NODE_ERROR:
      if (elaborator->is_for_drawing) collect_remains(elaborator, node, frame);
      return;
    default: return; /* what could not be read is told by the parser */
  }
}

/* Of a statement that could not be read as a whole: what is named in it. */
static void collect_remains(HbgElaborator *elaborator, HbgTreeNode error, const HbgFrame *frame) {
  const HbgTree *tree = tree_of(frame);
  for (HbgTreeNode child = tree_first(tree, error); child; child = tree_next(tree, child)) {
    const HbgNodeKind kind = hbg_tree_kind(tree, child);
    const bool is_declaration = kind == HBG_NODE_ELEMENT || kind == HBG_NODE_INSTANCE || kind == HBG_NODE_SIGNAL || kind == HBG_NODE_PARAMETER;
    if (is_declaration && tree->nodes[child].token >= 0) collect(elaborator, child, frame);
  }
  const HbgTreeNode first = tree_first(tree, error);
  if (first && hbg_tree_kind(tree, first) == HBG_NODE_BOND_END) collect_chain(elaborator, error, 0, frame);
}

/* Once more over what was put off, as long as that brings something; then a name is really not there, and told. */
static void collect_deferred(HbgElaborator *elaborator) {
  int32_t count_before = -1;
  int64_t declared_before = -1;
  while (elaborator->deferred_count) {
    const HbgDeferred *list = elaborator->deferred;
    const int32_t count = elaborator->deferred_count;
    elaborator->is_quiet = count != count_before || elaborator->declared != declared_before;
    count_before = count;
    declared_before = elaborator->declared;
    elaborator->deferred = NULL;
    elaborator->deferred_count = elaborator->deferred_capacity = 0;
    for (int32_t i = 0; i < count; i++) collect(elaborator, list[i].node, list[i].frame);
  }
}

static bool is_below(const HbgTree *tree, HbgTreeNode node, HbgTreeNode above) {
  while (node && node != above) node = tree->nodes[node].parent;
  return node;
}

/* The variable of a loop must not hide a name that is declared beside it. */
void hbg_elaborate_check_loops(HbgElaborator *elaborator, HbgTreeNode block, const HbgInstance *instance) {
  const HbgTree *tree = &instance->file->tree;
  for (HbgTreeNode node = block; node < tree->node_count; node++) {
    if (hbg_tree_kind(tree, node) != HBG_NODE_FOR || !is_below(tree, node, block)) continue;
    const HbgPlace place = place_in(elaborator, &instance->frame, NULL);
    const char *key = hbg_elaborate_key(elaborator, &place, node);
    const int32_t symbol = key ? hbg_scope_find(&elaborator->scope, key, (uint32_t)strlen(key)) : -1;
    if (symbol >= 0) hbg_elaborate_tell_twice(elaborator, local_name(&place, key), symbol, hbg_tree_token_span(tree, node));
  }
}

/* Behind the first declarations: those that waited, and what is made of several. */
static void finish(HbgElaborator *elaborator) {
  collect_deferred(elaborator);
  elaborator->is_quiet = false;
  elaborator->is_missing = false;
  hbg_elaborate_late_fields(elaborator);
  hbg_elaborate_vector_bonds(elaborator);
}

void hbg_elaborate_collect(HbgElaborator *elaborator, HbgTreeNode model) {
  elaborator->is_quiet = true;
  hbg_elaborate_root_formals(elaborator, model);
  hbg_elaborate_collect_each(elaborator, model, &elaborator->root->frame);
  finish(elaborator);
  hbg_elaborate_check_loops(elaborator, model, elaborator->root);
}

void hbg_elaborate_collect_trial(HbgElaborator *elaborator, int32_t submodel) {
  elaborator->is_quiet = true;
  hbg_elaborate_declare_trial(elaborator, submodel);
  finish(elaborator);
}
