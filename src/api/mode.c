/* SPDX-License-Identifier: BSD-3-Clause
 * Modes as texts: "contact=on,stick=off". */
#include <string.h>

#include "api/api.h"
#include "base/text.h"

typedef struct Word {
  const char *text;
  int length;
} Word;

static bool is_word(Word word, const char *text) {
  return strlen(text) == (size_t)word.length && memcmp(word.text, text, (size_t)word.length) == 0;
}

static Word trimmed(const char *begin, const char *end) {
  while (begin < end && (*begin == ' ' || *begin == '\t')) begin++;
  while (end > begin && (end[-1] == ' ' || end[-1] == '\t')) end--;
  return (Word){begin, (int)(end - begin)};
}

/* The machine of a switched junction or of its own name; -1 when there is none. */
static int32_t find_machine(const HbgFlatModel *model, Word name) {
  for (int32_t at = 0; at < model->shown_junction_count; at++) {
    const HbgNode *junction = &model->nodes[model->shown_junctions[at]];
    if (is_word(name, junction->name)) return junction->machine;
  }
  for (int32_t machine = 0; machine < model->machine_count; machine++)
    if (is_word(name, model->machines[machine].name)) return machine;
  return -1;
}

/* `on` and `off` ask for a type: the initial state where it fits, else the first of that type. */
static int32_t find_state(const HbgMachine *machine, Word name) {
  for (int32_t state = 0; state < machine->state_count; state++)
    if (is_word(name, machine->states[state].name)) return state;
  const bool on = is_word(name, "on"), off = is_word(name, "off");
  if (!on && !off) return -1;
  if (machine->initial >= 0 && machine->initial < machine->state_count && machine->states[machine->initial].is_on == on)
    return machine->initial;
  for (int32_t state = 0; state < machine->state_count; state++)
    if (machine->states[state].is_on == on) return state;
  return -1;
}

static const char *list_machines(const HbgFlatModel *flat, HbgArena *arena) {
  HbgText text = hbg_text(arena);
  for (int32_t at = 0; at < flat->shown_junction_count && at < 20; at++)
    hbg_text_add(&text, "%s%s", at ? ", " : "", flat->nodes[flat->shown_junctions[at]].name);
  return text.bytes;
}

static const char *list_states(const HbgMachine *machine, HbgArena *arena) {
  HbgText text = hbg_text(arena);
  for (int32_t state = 0; state < machine->state_count; state++)
    hbg_text_add(&text, "%s%s (%s)", state ? ", " : "", machine->states[state].name,
                 machine->states[state].is_on ? "on" : "off");
  return text.bytes;
}

/* `given` are the states named so far, -1 where none is: two junctions may share a machine, and must then agree. */
static HbgStatus set_one(const HbgFlatModel *flat, Word item, int32_t *given, HbgArena *arena, const char **message) {
  const char *equal = memchr(item.text, '=', (size_t)item.length);
  if (!equal) {
    *message = hbg_print(arena, "mode: `%.*s` is not NAME=STATE, such as contact=on", item.length, item.text);
    return HBG_ARGUMENT;
  }
  const Word name = trimmed(item.text, equal), value = trimmed(equal + 1, item.text + item.length);
  const int32_t machine = find_machine(flat, name);
  if (machine < 0) {
    const char *known = list_machines(flat, arena);
    *message = hbg_print(arena, "mode: there is no switched junction `%.*s`; %s%s", name.length, name.text,
                         *known ? "there are: " : "the model has none", known);
    return HBG_ARGUMENT;
  }
  const int32_t state = find_state(&flat->machines[machine], value);
  if (state < 0) {
    *message = hbg_print(arena, "mode: `%.*s` has no state `%.*s`; it has: %s", name.length, name.text, value.length,
                         value.text, list_states(&flat->machines[machine], arena));
    return HBG_ARGUMENT;
  }
  if (given[machine] >= 0 && given[machine] != state) {
    *message = hbg_print(arena, "mode: the machine of `%.*s` cannot be in two states at once; name one", name.length,
                         name.text);
    return HBG_ARGUMENT;
  }
  given[machine] = state;
  return HBG_OK;
}

HbgStatus hbg_mode_read(const HbgFlatModel *flat, const char *mode, HbgArena *arena, int32_t *phi,
                        const char **message) {
  int32_t *given = ARENA_NEW(arena, int32_t, flat->machine_count);
  for (int32_t machine = 0; machine < flat->machine_count; machine++) given[machine] = -1;
  const char *at = mode ? mode : "";
  while (*at) {
    const char *end = strchr(at, ',');
    if (!end) end = at + strlen(at);
    const Word item = trimmed(at, end);
    if (item.length) TRY(set_one(flat, item, given, arena, message));
    at = *end ? end + 1 : end;
  }
  for (int32_t machine = 0; machine < flat->machine_count; machine++)
    phi[machine] = given[machine] >= 0 ? given[machine] : flat->machines[machine].initial;
  return HBG_OK;
}
