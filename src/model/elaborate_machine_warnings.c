/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: what of machines is legal, but probably not meant. */
#include "base/text.h"
#include "model/elaborator.h"

const char *hbg_elaborate_call_form(HbgElaborator *elaborator, const HbgTypeDeclaration *type) {
  HbgText text = hbg_text(elaborator->arena);
  hbg_text_add(&text, "%s%s", type->name, type->formal_count ? "(" : "");
  for (int32_t i = 0; i < type->formal_count; i++)
    hbg_text_add(&text, "%s%s", i ? ", " : "", hbg_tree_word(tree_of(type->frame), type->formals[i], elaborator->arena));
  hbg_text_add(&text, "%s", type->formal_count ? ")" : "");
  return text.bytes;
}

static void warn_of_unused(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->type_count; i++) {
    const HbgTypeDeclaration *type = &elaborator->types[i];
    const HbgTree *tree = tree_of(type->frame);
    // what lies in another file may be meant for other models
    if (type->is_used || type->frame->instance != elaborator->root || tree != &elaborator->file->tree) continue;
    if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_UNUSED_TYPE, hbg_tree_token_span(tree, type->node),
                              "no machine is of the type '%s'", type->name))
      HELP(elaborator, "a junction takes it: 1 valve by %s; a machine without a junction: machine control = %s",
           hbg_elaborate_call_form(elaborator, type), hbg_elaborate_call_form(elaborator, type));
  }
}

static void spread(const HbgTypeDeclaration *type, bool *reached) {
  for (bool more = true; more;) {
    more = false;
    for (int32_t i = 0; i < type->transition_count; i++) {
      const HbgFlatTransition *transition = &type->transitions[i];
      if (!reached[transition->from] || reached[transition->to]) continue;
      more = reached[transition->to] = true;
    }
  }
}

static void warn_of_unreachable(HbgElaborator *elaborator, const HbgTypeDeclaration *type) {
  bool *reached = ARENA_NEW(elaborator->arena, bool, type->state_count);
  if (type->initial >= 0) reached[type->initial] = true;
  spread(type, reached);
  for (int32_t i = 0; i < type->declared_count; i++) {
    const HbgStateDeclaration *state = &type->declared[i];
    if (state->has_parts || reached[state->first] || !hbg_tree_find(tree_of(type->frame), type->node, HBG_NODE_STATE_LIST)) continue;
    if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_UNREACHABLE_STATE, state->span,
                              "no transition leads from the initial state of '%s' to '%s'", type->name, state->path))
      HELP(elaborator, "write one, as in: %s -> %s when ...; or take the state away",
           type->states[type->initial].name, state->path);
  }
}

void hbg_elaborate_machine_warnings(HbgElaborator *elaborator) {
  if (elaborator->text_is_wrong || elaborator->diagnostics->error_count) return;
  warn_of_unused(elaborator);
  for (int32_t i = 0; i < elaborator->type_count; i++) warn_of_unreachable(elaborator, &elaborator->types[i]);
}
