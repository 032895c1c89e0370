/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: functions that remember something, each by its kind. */
#include "model/functions.h"

int32_t hbg_memory_states(HbgElaborator *elaborator, HbgIntegral *memory) {
  switch (memory->function) {
    case HBG_FUNCTION_INTEGRAL: return 1;
    case HBG_FUNCTION_TRANSFER:
    case HBG_FUNCTION_STATE_SPACE:
    case HBG_FUNCTION_LAG: return hbg_linear_system(elaborator, memory) ? memory->system->order : 0;
    case HBG_FUNCTION_PID: return hbg_pid_states(elaborator, memory);
    case HBG_FUNCTION_HYSTERESIS:
    case HBG_FUNCTION_RATE_LIMIT:
      memory->machine = elaborator->model->machine_count + elaborator->relay_count++;
      return 0;
    default: return 0;
  }
}

HbgExpr hbg_memory_value(HbgElaborator *elaborator, HbgIntegral *memory, int32_t component) {
  switch (memory->function) {
    case HBG_FUNCTION_INTEGRAL: return memory_state(elaborator, memory, 0);
    case HBG_FUNCTION_TRANSFER:
    case HBG_FUNCTION_STATE_SPACE:
    case HBG_FUNCTION_LAG: return hbg_linear_value(elaborator, memory, component);
    case HBG_FUNCTION_PID: return hbg_pid_value(elaborator, memory);
    case HBG_FUNCTION_DELAY: return hbg_delay_value(elaborator, memory);
    case HBG_FUNCTION_HYSTERESIS:
    case HBG_FUNCTION_RATE_LIMIT: return hbg_relay_value(elaborator, memory);
    default: return 0;
  }
}

static void tell_idle_guess(HbgElaborator *elaborator, const HbgIntegral *memory, HbgTreeNode guess) {
  const HbgPlace *place = &memory->place;
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_START, hbg_tree_span(place->tree, guess),
                            "there is nothing to guess: the start of this integral is given"))
    HELP(elaborator, "write: start = steady, or start = open; or leave the guess away");
}

static void integral_inputs(HbgElaborator *elaborator, const HbgIntegral *memory) {
  HbgArguments arguments;
  HbgState *state = &elaborator->model->states[memory->state];
  if (!hbg_elaborate_arguments(elaborator, &memory->place, memory->node, memory->function, &arguments)) return;
  state->input = hbg_elaborate_number(elaborator, &memory->place, arguments.list[0]);
  const bool is_unknown = hbg_elaborate_unknown_memory(elaborator, memory, arguments.list[1]);
  if (arguments.list[2] && !is_unknown) tell_idle_guess(elaborator, memory, arguments.list[2]);
  HbgPlace place = memory->place;
  place.constant = "a start value";
  place.element = -1;
  hbg_elaborate_number_or(elaborator, &place, arguments.list[is_unknown ? 2 : 1], 0, &state->start);
}

void hbg_memory_inputs(HbgElaborator *elaborator, HbgIntegral *memory) {
  switch (memory->function) {
    case HBG_FUNCTION_INTEGRAL: integral_inputs(elaborator, memory); return;
    case HBG_FUNCTION_TRANSFER:
    case HBG_FUNCTION_STATE_SPACE:
    case HBG_FUNCTION_LAG: hbg_linear_inputs(elaborator, memory); return;
    case HBG_FUNCTION_PID: hbg_pid_inputs(elaborator, memory); return;
    case HBG_FUNCTION_DELAY: hbg_delay_inputs(elaborator, memory); return;
    default: return;
  }
}
