/* SPDX-License-Identifier: BSD-3-Clause
 * Words: warnings, and why a run could not go on. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "hybrid/conflict.h"
#include "hybrid/sim.h"

enum { MOST_WARNINGS = 50, MOST_MACHINES = 16 /* of a mode in a sentence */ };

void hbg_sim_warn(HbgSim *sim, const char *format, ...) {
  sim->transcript.has_warned = true;
  if (sim->warning_count >= MOST_WARNINGS) return;
  va_list arguments;
  va_start(arguments, format);
  HbgText text = hbg_text(sim->arena);
  hbg_text_add_list(&text, format, arguments);
  va_end(arguments);
  for (int32_t at = 0; at < sim->warning_count; at++)
    if (strcmp(sim->warnings[at], text.bytes) == 0) return;
  ARENA_PUSH(sim->arena, sim->warnings, sim->warning_count, sim->warning_capacity) = text.bytes;
}

const char *hbg_report_mode(const HbgSim *sim, const int32_t *phi, int32_t machine) {
  const int32_t count = sim->model->machine_count;
  bool *is_wanted = ARENA_NEW(sim->arena, bool, count);
  const bool is_about_all = count <= MOST_MACHINES || (machine < 0 && !sim->scope.machines.count);
  for (int32_t at = 0; at < count; at++) is_wanted[at] = is_about_all;
  for (int32_t at = 0; at < sim->scope.machines.count; at++) is_wanted[sim->scope.machines.list[at]] = true;
  if (machine >= 0) is_wanted[machine] = true;
  return hbg_mode_text_of(sim, phi, is_wanted, MOST_MACHINES, sim->arena);
}

static const char *variable_name(const HbgSim *sim, int32_t variable, HbgArena *arena) {
  const HbgBond *bond = &sim->model->bonds[variable / 2];
  return hbg_print(arena, "the %s of bond %s", variable % 2 ? "flow" : "effort", bond->name);
}

void hbg_report_undetermined(HbgSim *sim, const HbgProbe *probe, const char *reader) {
  const int32_t variable = hbg_probe_undetermined(probe, &sim->now);
  if (variable < 0 || sim->warned_undetermined[variable]) return;
  sim->warned_undetermined[variable] = 1;
  hbg_sim_warn(sim,
               "%s reads %s, which the mode {%s} does not determine (t = %.9g s): several elements share it in any "
               "proportion; the value of minimum norm is taken",
               reader, variable_name(sim, variable, sim->arena), hbg_report_mode(sim, sim->now.phi, -1),
               sim->now.time);
}

const char *hbg_conjunction_text(const HbgSim *sim, const HbgConjunction *conjunction) {
  return sim->model->machines[conjunction->machine].transitions[conjunction->transition].text;
}

static void add_side(HbgText *text, const HbgPair *side) {
  hbg_text_add(text, "%.9g", side->value + 0.0); // no -0
  if (!(fabs(side->area) > HBG_AREA_BAND * side->area_size)) return;
  if (hbg_area_is_counted(side->area)) hbg_text_add(text, " with an impulse of %.9g", side->area);
  else hbg_text_add(text, " and growing without end %s zero", side->area > 0 ? "above" : "below");
}

const char *hbg_firing_text(HbgSim *sim, const HbgFiring *firing) {
  const HbgConjunction *conjunction = firing->conjunction;
  const HbgMachine *machine = &sim->model->machines[conjunction->machine];
  bool by_impulse = false;
  HbgText text = hbg_text(&sim->scratch);
  hbg_text_add(&text, "%s: %s -> %s because %s", machine->name, machine->states[conjunction->from].name,
               machine->states[conjunction->to].name, hbg_conjunction_text(sim, conjunction));
  for (int32_t at = 0; at < conjunction->difference_count; at++) {
    const HbgPair *difference = &firing->outputs[1 + at];
    const HbgPair *sides = &firing->outputs[1 + conjunction->difference_count + 2 * at];
    hbg_text_add(&text, "%s ", at ? "," : "; values:");
    add_side(&text, &sides[0]);
    hbg_text_add(&text, " %s ", hbg_operation_info[conjunction->relations[at]].name);
    add_side(&text, &sides[1]);
    by_impulse = by_impulse || fabs(difference->area) > HBG_AREA_BAND * difference->area_size;
  }
  if (by_impulse) hbg_text_add(&text, " (decided by the impulse)");
  return text.bytes;
}

void hbg_report_at(HbgSim *sim, HbgDiagnosticCode code, HbgSpan span) {
  sim->failure_code = code;
  sim->failure_span = span;
}

HbgStatus hbg_report_stop(HbgSim *sim, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (sim->failure.length) hbg_text_add(&sim->failure, "\n");
  hbg_text_add_list(&sim->failure, format, arguments);
  va_end(arguments);
  return HBG_STOPPED;
}

/* The elements and bonds at one node of an island. */
static void describe_node(HbgSim *sim, const HbgIsland *island, int32_t node, HbgText *text) {
  const HbgGraphNode *at = &island->graph.nodes[node];
  const HbgNode *origin = &(sim->simplified.written ? sim->simplified.written : sim->model->nodes)[at->node]; // as it was written
  hbg_text_add(text, "%s %s%s", hbg_element_info[origin->kind].name, origin->name, at->is_off_port ? " (off)" : "");
  for (int32_t which = 0; which < at->port_count; which++) {
    const HbgGraphBond *bond = &island->graph.bonds[island->graph.ports[at->first_port + which].bond];
    const int32_t other = bond->tail == node ? bond->head : bond->tail;
    hbg_text_add(text, "%s %s", which ? "," : " at bond", sim->model->bonds[bond->bond].name);
    if (island->graph.nodes[other].is_off_port)
      hbg_text_add(text, " (%s is off and imposes zero)", sim->model->nodes[island->graph.nodes[other].node].name);
    if (which == 3 && at->port_count > 5) {
      hbg_text_add(text, ", ...");
      break;
    }
  }
}

/* The equation of a signal that needs itself is an element that nobody has written; these come last. */
static bool is_signal_loop(const HbgSim *sim, const HbgIsland *island, int32_t node) {
  return island->graph.nodes[node].node >= sim->model->node_count - sim->model->implied_node_count;
}

/* How many sources and ports that are off there are; each on a line of its own in `text`. */
static int32_t list_sources(HbgSim *sim, const HbgIsland *island, HbgText *text) {
  int32_t count = 0;
  for (int32_t node = 0; node < island->graph.node_count; node++) {
    const HbgElementKind kind = island->graph.nodes[node].kind;
    if ((kind != HBG_ELEMENT_SE && kind != HBG_ELEMENT_SF) || is_signal_loop(sim, island, node)) continue;
    if (hbg_simplified_is_gone(&sim->simplified, sim->model, island->graph.nodes[node].node)) continue;
    if (count++ == 8) {
      hbg_text_add(text, "\n    ...");
      break;
    }
    hbg_text_add(text, "\n    ");
    describe_node(sim, island, node, text);
  }
  return count;
}

static void help_with_contradiction(HbgSim *sim, const HbgIsland *island, HbgText *text) {
  HbgText sources = hbg_text(sim->arena);
  if (list_sources(sim, island, &sources))
    hbg_text_add(text,
                 "\n  the sources and ports that are off in this part of the graph:%s\n  help: an Se fixes the effort of a "
                 "0-junction and an Sf the flow of a 1-junction, and a junction that is off fixes zero at each port: only "
                 "one of them may; put an element with a law of its own between them, or let the machine avoid this mode",
                 sources.bytes);
  else hbg_text_add(text, "\n  help: no effort and flow satisfy its law together with the laws around it; look at the law");
}

/* A flow law that is flat does not tell the effort of a given flow. */
static void help_with_law(const HbgSim *sim, const HbgIsland *island, int32_t node, HbgText *text) {
  hbg_text_add(text, "\n  help: look for a law that has no value there (a root or a logarithm of a negative number, a division by zero) or "
                     "that no effort and flow satisfy");
  const HbgNode *element = &sim->model->nodes[island->graph.nodes[node].node];
  if (element->kind == HBG_ELEMENT_R && element->law_form == HBG_LAW_FLOW)
    hbg_text_add(text, "\n  help: where its law gives much the same flow for many efforts, as that of a diode does that blocks, the flow through an I "
                       "does not tell the effort: put an R beside it at a 0-junction that carries what leaks, as there is in the real one");
}

void hbg_report_island(HbgSim *sim) {
  const HbgIslandFailure *failure = &sim->solver.failure;
  HbgText text = hbg_text(sim->arena);
  const int32_t node = failure->node >= 0 ? failure->node : failure->law >= 0 ? failure->law : 0;
  if (failure->island)
    hbg_report_at(sim, HBG_DIAGNOSTIC_NO_STATE, sim->model->nodes[failure->island->graph.nodes[node].node].span);
  hbg_text_add(&text, "  ");
  if (sim->model->machine_count) hbg_text_add(&text, "in mode {%s}: ", hbg_report_mode(sim, sim->now.phi, -1));
  if (!failure->island) {
    hbg_text_add(&text, "the shares of what slides cannot be found: nothing of it moves the state along its surfaces, or too much does");
  } else if (is_signal_loop(sim, failure->island, node)) {
    hbg_text_add(&text, "no value of '%s' was found that satisfies its algebraic loop\n  help: look at the equations of the signals that "
                 "need each other, they may have no solution there; or let a memory stand in the circle: an integral, a lag, a delay",
                 sim->model->nodes[failure->island->graph.nodes[node].node].name);
  } else if (failure->node >= 0) {
    hbg_text_add(&text, "what ");
    describe_node(sim, failure->island, failure->node, &text);
    hbg_text_add(&text, " demands contradicts the others");
    help_with_contradiction(sim, failure->island, &text);
  } else {
    if (failure->law < 0) hbg_text_add(&text, "%s; the part of the graph around ", failure->what ? failure->what : "no solution");
    else hbg_text_add(&text, "no effort and flow were found for the law of ");
    describe_node(sim, failure->island, node, &text);
    help_with_law(sim, failure->island, node, &text);
  }
  hbg_report_stop(sim, "%s", text.bytes);
}
