/* SPDX-License-Identifier: BSD-3-Clause
 * The public door of graphs made by calls: each call is checked for itself and becomes a statement. */
#include "api/builder.h"

#include <math.h>
#include <string.h>

enum { LONGEST_NUMBER = 40 };

static const struct {
  const char *call, *words;
  int shown; /* words that name the call */
} kinds[HBG_STATEMENT_KINDS] = {
#define STATEMENT(name, call, words, shown) [HBG_STATEMENT_##name] = {call, words, shown},
    HBG_STATEMENT_LIST(STATEMENT)
#undef STATEMENT
};

static const char *const kind_words[HBG_KIND_COUNT] = {
    [HBG_KIND_SE] = "Se", [HBG_KIND_SF] = "Sf", [HBG_KIND_R] = "R",    [HBG_KIND_C] = "C",   [HBG_KIND_I] = "I",
    [HBG_KIND_TF] = "TF", [HBG_KIND_GY] = "GY", [HBG_KIND_ZERO] = "0", [HBG_KIND_ONE] = "1",
};

static bool is_junction_kind(HbgKind kind) { return kind == HBG_KIND_ZERO || kind == HBG_KIND_ONE; }

/* ---- life ---- */

typedef struct Creation {
  HbgBuilder *builder;
  const char *name;
  const HbgModelOptions *options;
} Creation;

static HbgStatus create(void *user) {
  const Creation *self = user;
  HbgBuilder *builder = self->builder;
  HbgArena *arena = &builder->arena;
  if (!hbg_builder_is_name(self->name, arena)) return HBG_ARGUMENT;
  builder->name = hbg_print(arena, "%s", self->name);
  builder->message = "";
  builder->names = hbg_scope(arena);
  builder->options = *self->options;
  builder->options.name = hbg_print(arena, "%s", self->options->name ? self->options->name : "model");
  HbgModelSetting *settings = ARENA_NEW(arena, HbgModelSetting, self->options->setting_count);
  for (int32_t at = 0; at < self->options->setting_count; at++)
    settings[at] = (HbgModelSetting){hbg_print(arena, "%s", self->options->settings[at].name),
                                     hbg_print(arena, "%s", self->options->settings[at].value)};
  builder->options.settings = settings;
  return HBG_OK;
}

HbgStatus hbg_builder_create(const char *name, const HbgModelOptions *options, HbgBuilder **out) {
  const HbgModelOptions defaults = hbg_model_options();
  if (!options) options = &defaults;
  if (!out) return HBG_ARGUMENT;
  *out = NULL;
  if (!name || !hbg_model_options_are_sound(options)) return HBG_ARGUMENT;
  HbgArena arena = hbg_arena(hbg_allocator_of(options));
  HbgBuilder *builder = hbg_arena_try(&arena, sizeof *builder);
  if (!builder) return HBG_MEMORY;
  builder->arena = arena;
  const HbgStatus status = hbg_guarded(&builder->arena, create, &(Creation){builder, name, options});
  if (status == HBG_OK) *out = builder;
  else hbg_builder_free(builder);
  return status;
}

void hbg_builder_free(HbgBuilder *builder) {
  if (!builder) return;
  HbgArena arena = builder->arena; /* holds the handle itself */
  hbg_arena_release_all(&arena);
}

const char *hbg_builder_message(const HbgBuilder *builder) { return builder ? builder->message : ""; }

/* ---- adding ---- */

typedef struct Call {
  HbgBuilder *builder;
  HbgStatement statement;
} Call;

static const char *call_text(HbgBuilder *builder, const HbgStatement *statement) {
  HbgText text = hbg_text(&builder->arena);
  hbg_text_add(&text, "%s(", kinds[statement->kind].call);
  for (int word = 0; word < kinds[statement->kind].shown; word++)
    hbg_text_add(&text, "%s%s", word ? ", " : "", statement->words[word] ? statement->words[word] : "NULL");
  hbg_text_add(&text, ")");
  return text.bytes;
}

/* Puts what belongs to the element or type of statement `first` behind what it has already. */
static void join(HbgBuilder *builder, int32_t first, int32_t added) {
  builder->statements[builder->statements[first].newest].next = added;
  builder->statements[first].newest = added;
}

static HbgScopeKind symbol_kind(HbgStatementKind kind) {
  switch (kind) {
    case HBG_STATEMENT_PARAMETER: return HBG_SCOPE_PARAMETER;
    case HBG_STATEMENT_BOND: return HBG_SCOPE_BOND;
    case HBG_STATEMENT_SIGNAL: return HBG_SCOPE_SIGNAL;
    case HBG_STATEMENT_TYPE: return HBG_SCOPE_MACHINE_TYPE;
    case HBG_STATEMENT_MACHINE: return HBG_SCOPE_MACHINE;
    default: return HBG_SCOPE_NODE;
  }
}

static void keep(const Call *call) {
  HbgBuilder *builder = call->builder;
  const int32_t added = builder->statement_count, earlier = hbg_builder_earlier(builder, &call->statement);
  HbgStatement statement = call->statement;
  if (earlier >= 0) {
    HbgStatement *replaced = &builder->statements[earlier];
    memcpy(replaced->words, statement.words, sizeof replaced->words);
    replaced->call = statement.call;
    return;
  }
  statement.next = -1;
  statement.newest = added;
  ARENA_PUSH(&builder->arena, builder->statements, builder->statement_count, builder->statement_capacity) = statement;
  for (int at = 0; kinds[statement.kind].words[at]; at++) {
    const char role = kinds[statement.kind].words[at];
    if (!statement.words[at]) continue;
    if (role == 'n' || role == 'N')
      hbg_scope_add(&builder->names, statement.words[at], symbol_kind(statement.kind), added, (HbgSpan){0, 0});
    if (role == 'e' || role == 't') join(builder, hbg_builder_find(builder, statement.words[at]), added);
  }
}

static HbgStatus add_statement(void *user) {
  Call *call = user;
  HbgBuilder *builder = call->builder;
  HbgStatement *statement = &call->statement;
  builder->message = "";
  for (int at = 0; at < HBG_STATEMENT_WORDS; at++)
    if (statement->words[at]) statement->words[at] = hbg_print(&builder->arena, "%s", statement->words[at]);
  statement->call = call_text(builder, statement);
  const char *roles = kinds[statement->kind].words;
  for (int at = 0; roles[at]; at++) TRY(hbg_builder_check(builder, statement, roles[at], statement->words[at]));
  keep(call);
  return HBG_OK;
}

static HbgStatus run_guarded(HbgBuilder *builder, HbgStatus (*body)(void *), void *user) {
  if (!builder) return HBG_ARGUMENT;
  if (builder->is_out_of_memory) return HBG_MEMORY;
  const HbgStatus status = hbg_guarded(&builder->arena, body, user);
  builder->is_out_of_memory = status == HBG_MEMORY;
  return status;
}

static HbgStatus add(HbgBuilder *builder, HbgStatementKind kind, const char *first, const char *second, const char *third,
                     const char *fourth) {
  Call call = {builder, {.kind = kind, .words = {first, second, third, fourth}}};
  return run_guarded(builder, add_statement, &call);
}

/* Refuses a call that cannot even become a statement. `sentence` is a constant. */
static HbgStatus refuse(HbgBuilder *builder, const char *sentence) {
  if (!builder) return HBG_ARGUMENT;
  if (builder->is_out_of_memory) return HBG_MEMORY;
  builder->message = sentence;
  return HBG_ARGUMENT;
}

HbgStatus hbg_builder_add_element(HbgBuilder *builder, HbgKind kind, const char *name, const char *value) {
  if ((int)kind < 0 || kind >= HBG_KIND_COUNT || is_junction_kind(kind))
    return refuse(builder, "hbg_builder_add_element: this is no kind of elements; for junctions there is "
                           "hbg_builder_add_junction()");
  return add(builder, HBG_STATEMENT_ELEMENT, kind_words[kind], name, value, NULL);
}

HbgStatus hbg_builder_add_junction(HbgBuilder *builder, HbgKind kind, const char *name, const char *machine) {
  if ((int)kind < 0 || kind >= HBG_KIND_COUNT || !is_junction_kind(kind))
    return refuse(builder, "hbg_builder_add_junction: the kind of a junction is HBG_KIND_ZERO or HBG_KIND_ONE");
  return add(builder, HBG_STATEMENT_JUNCTION, kind_words[kind], name, machine, NULL);
}

HbgStatus hbg_builder_add_bond(HbgBuilder *builder, const char *tail, const char *head, const char *name) {
  return add(builder, HBG_STATEMENT_BOND, tail, head, name, NULL);
}

HbgStatus hbg_builder_add_parameter(HbgBuilder *builder, const char *name, const char *value) {
  return add(builder, HBG_STATEMENT_PARAMETER, name, value, NULL, NULL);
}

HbgStatus hbg_builder_add_signal(HbgBuilder *builder, const char *name, const char *expression, const char *unit) {
  return add(builder, HBG_STATEMENT_SIGNAL, name, expression, unit, NULL);
}

HbgStatus hbg_builder_add_machine_type(HbgBuilder *builder, const char *type, const char *formals) {
  return add(builder, HBG_STATEMENT_TYPE, type, formals, NULL, NULL);
}

HbgStatus hbg_builder_add_state(HbgBuilder *builder, const char *type, const char *state, bool is_on, bool is_initial) {
  return add(builder, HBG_STATEMENT_STATE, type, state, is_on ? "on" : "off", is_initial ? "initial" : NULL);
}

HbgStatus hbg_builder_add_transition(HbgBuilder *builder, const char *type, const char *from, const char *to,
                                   const char *guard) {
  return add(builder, HBG_STATEMENT_TRANSITION, type, from, to, guard);
}

HbgStatus hbg_builder_add_machine(HbgBuilder *builder, const char *name, const char *made_of) {
  return add(builder, HBG_STATEMENT_MACHINE, name, made_of, NULL, NULL);
}

HbgStatus hbg_builder_set_law(HbgBuilder *builder, const char *element, const char *law) {
  return add(builder, HBG_STATEMENT_LAW, element, law, NULL, NULL);
}

HbgStatus hbg_builder_set_start(HbgBuilder *builder, const char *element, char variable, const char *value) {
  const char letter[] = {variable, '\0'};
  if (!variable || !strchr("efqp", variable))
    return refuse(builder, "hbg_builder_set_start: the variable is 'q' or 'e' of a C, 'p' or 'f' of an I");
  return add(builder, HBG_STATEMENT_START, element, letter, value, NULL);
}

HbgStatus hbg_builder_set_default(HbgBuilder *builder, const char *setting, const char *value) {
  return add(builder, HBG_STATEMENT_DEFAULT, setting, value, NULL, NULL);
}

/* ---- numbers ---- */

typedef struct NumberCall {
  HbgBuilder *builder;
  double value;
  char text[LONGEST_NUMBER];
} NumberCall;

/* The number as the language writes it; false when it has no such numbers. */
static HbgStatus write_number(void *user) {
  NumberCall *call = user;
  HbgText text = hbg_text(&call->builder->arena);
  hbg_text_add_number(&text, call->value);
  memcpy(call->text, text.bytes, (size_t)text.length + 1);
  return HBG_OK;
}

static HbgStatus number_text(NumberCall *call) {
  if (!isfinite(call->value)) return refuse(call->builder, "the number of an element or parameter must be finite");
  return run_guarded(call->builder, write_number, call);
}

HbgStatus hbg_builder_add_element_number(HbgBuilder *builder, HbgKind kind, const char *name, double value) {
  NumberCall call = {.builder = builder, .value = value};
  TRY(number_text(&call));
  return hbg_builder_add_element(builder, kind, name, call.text);
}

HbgStatus hbg_builder_add_parameter_number(HbgBuilder *builder, const char *name, double value, const char *unit) {
  NumberCall call = {.builder = builder, .value = value};
  TRY(number_text(&call));
  return add(builder, HBG_STATEMENT_PARAMETER, name, call.text, unit, NULL);
}

/* ---- the whole ---- */

typedef struct TextCall {
  HbgBuilder *builder;
  const char **out;
} TextCall;

static HbgStatus write_text(void *user) {
  const TextCall *call = user;
  const HbgPassage *passages;
  int32_t count;
  *call->out = hbg_builder_write(call->builder, &call->builder->arena, &passages, &count);
  return HBG_OK;
}

HbgStatus hbg_builder_text(HbgBuilder *builder, const char **out) {
  if (!out) return refuse(builder, HBG_MISSING);
  *out = NULL;
  return run_guarded(builder, write_text, &(TextCall){builder, out});
}

typedef struct BuildCall {
  HbgArena arena; /* for the text, which the model copies */
  const HbgBuilder *builder;
  HbgModel **out;
} BuildCall;

static HbgStatus build(void *user) {
  BuildCall *call = user;
  const HbgPassage *passages;
  int32_t count;
  const char *text = hbg_builder_write(call->builder, &call->arena, &passages, &count);
  return hbg_model_make(text, strlen(text), &call->builder->options, passages, count, NULL, call->out);
}

HbgStatus hbg_builder_build(HbgBuilder *builder, HbgModel **out) {
  if (!out) return HBG_ARGUMENT;
  *out = NULL;
  if (!builder) return HBG_ARGUMENT;
  if (builder->is_out_of_memory) return HBG_MEMORY;
  BuildCall call = {hbg_arena(hbg_allocator_of(&builder->options)), builder, out};
  const HbgStatus status = hbg_guarded(&call.arena, build, &call);
  hbg_arena_release_all(&call.arena);
  return status;
}
