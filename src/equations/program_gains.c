/* SPDX-License-Identifier: BSD-3-Clause
 * The effects are followed back to their causes (reverse accumulation; Griewank and Walther, Evaluating Derivatives, 2nd edition, 2008, chapter 3): of a sum
 * of a thousand that is one way, where there are a thousand ways forward. */
#include "equations/program_gains.h"

#include "base/key.h"

static int arguments_of(const HbgInstruction *instruction) { return hbg_operation_info[instruction->op].arguments; }

/* Marks what follows from causes. False: not in a linear way. */
static bool mark_moving(const HbgSlice *slice, uint8_t *moves) {
  for (const HbgInstruction *own = slice->code, *end = own + slice->count; own < end; own++) {
    const int arguments = arguments_of(own);
    const bool has_table = hbg_operation_has_table((HbgOperation)own->op);
    const bool a = moves[own->a], b = has_table ? moves[hbg_instruction_look_up(own)->b] : arguments > 1 && moves[own->b],
               c = arguments > 2 && moves[own->c];
    if (!a && !b && !c) continue;
    switch ((HbgOperation)own->op) {
      case HBG_OP_NEG:
      case HBG_OP_ADD:
      case HBG_OP_SUB: break;
      case HBG_OP_MUL:
        if (a && b) return false;
        break;
      case HBG_OP_DIV:
        if (b) return false;
        break;
      default: return false;
    }
    moves[own->target] = 1;
  }
  return true;
}

typedef struct Search {
  HbgGains *gains; /* its lists lie in scratch memory until all are there */
  HbgArena *scratch;
  int32_t *maker;    /* of each register: the instruction; -1 */
  int32_t *cause_of; /* of each register; -1 */
  int32_t *stamp;    /* of each register: one more than the effect that has met it last */
  int32_t *stack; int32_t stack_count, stack_capacity;
  int32_t cone_count, cone_capacity, leaf_count, leaf_capacity;
  int64_t most;
} Search;

static void meet(Search *self, int32_t number, int32_t effect) {
  if (number < 0 || !self->gains->moves[number] || self->stamp[number] == effect + 1) return;
  self->stamp[number] = effect + 1;
  ARENA_PUSH(self->scratch, self->stack, self->stack_count, self->stack_capacity) = number;
}

/* What lies between causes and this effect. */
static bool search(Search *self, int32_t effect) {
  HbgGains *gains = self->gains;
  const int32_t first = self->cone_count;
  meet(self, gains->effects[effect], effect);
  while (self->stack_count) {
    const int32_t number = self->stack[--self->stack_count], cause = self->cause_of[number];
    if (cause >= 0) {
      ARENA_PUSH(self->scratch, gains->leaf_cause, self->leaf_count, self->leaf_capacity) = cause;
      continue;
    }
    const HbgInstruction *own = &gains->slice->code[self->maker[number]];
    if (self->cone_count >= self->most) return false;
    ARENA_PUSH(self->scratch, gains->cone, self->cone_count, self->cone_capacity) = self->maker[number];
    meet(self, own->a, effect);
    if (arguments_of(own) > 1) meet(self, own->b, effect);
  }
  if (self->cone_count > first) hbg_key_sort(&gains->cone[first], self->cone_count - first);
  return true;
}

/* The entries by cause, from those by effect. */
static void turn(Search *self) {
  HbgGains *gains = self->gains;
  gains->entry_start = ARENA_NEW(self->scratch, int32_t, gains->cause_count + 1);
  gains->entry_effect = ARENA_NEW(self->scratch, int32_t, self->leaf_count);
  gains->leaf_entry = ARENA_NEW(self->scratch, int32_t, self->leaf_count);
  for (int32_t at = 0; at < self->leaf_count; at++) gains->entry_start[gains->leaf_cause[at] + 1]++;
  for (int32_t cause = 0; cause < gains->cause_count; cause++) gains->entry_start[cause + 1] += gains->entry_start[cause];
  int32_t *next = ARENA_NEW(self->scratch, int32_t, gains->cause_count);
  for (int32_t effect = 0; effect < gains->effect_count; effect++)
    for (int32_t at = gains->leaf_start[effect]; at < gains->leaf_start[effect + 1]; at++) {
      const int32_t cause = gains->leaf_cause[at], entry = gains->entry_start[cause] + next[cause]++;
      gains->entry_effect[entry] = effect;
      gains->leaf_entry[at] = entry;
    }
}

static bool search_all(Search *self, int32_t register_count) {
  HbgGains *gains = self->gains;
  self->maker = hbg_arena_indices(self->scratch, register_count);
  self->cause_of = hbg_arena_indices(self->scratch, register_count);
  self->stamp = ARENA_NEW(self->scratch, int32_t, register_count);
  gains->moves = ARENA_NEW(self->scratch, uint8_t, register_count);
  gains->cone_start = ARENA_NEW(self->scratch, int32_t, gains->effect_count + 1);
  gains->leaf_start = ARENA_NEW(self->scratch, int32_t, gains->effect_count + 1);
  for (int32_t at = 0; at < gains->slice->count; at++) self->maker[gains->slice->code[at].target] = at;
  for (int32_t cause = 0; cause < gains->cause_count; cause++) {
    if (gains->causes[cause] < 0) continue;
    self->cause_of[gains->causes[cause]] = cause;
    gains->moves[gains->causes[cause]] = 1;
  }
  if (!mark_moving(gains->slice, gains->moves)) return false;
  for (int32_t effect = 0; effect < gains->effect_count; effect++) {
    if (!search(self, effect)) return false;
    gains->cone_start[effect + 1] = self->cone_count;
    gains->leaf_start[effect + 1] = self->leaf_count;
  }
  turn(self);
  return true;
}

#define KEEP(list, count) ((list) = hbg_arena_copy(arena, (list), (count), sizeof *(list)))

static const HbgGains *keep(const Search *self, int32_t register_count, HbgArena *arena) {
  HbgGains *gains = ARENA_NEW(arena, HbgGains, 1);
  *gains = *self->gains;
  KEEP(gains->moves, register_count);
  KEEP(gains->cone_start, gains->effect_count + 1);
  KEEP(gains->cone, self->cone_count);
  KEEP(gains->entry_start, gains->cause_count + 1);
  KEEP(gains->entry_effect, self->leaf_count);
  KEEP(gains->leaf_start, gains->effect_count + 1);
  KEEP(gains->leaf_cause, self->leaf_count);
  KEEP(gains->leaf_entry, self->leaf_count);
  return gains;
}

const HbgGains *hbg_gains(const HbgSlice *slice, int32_t register_count, const int32_t *causes, int32_t cause_count, const int32_t *effects,
                          int32_t effect_count, int64_t most, HbgArena *arena, HbgArena *scratch) {
  const HbgArenaMark mark = hbg_arena_mark(scratch);
  HbgGains gains = {.slice = slice, .causes = causes, .effects = effects, .cause_count = cause_count, .effect_count = effect_count};
  Search search = {.gains = &gains, .scratch = scratch, .most = most};
  const HbgGains *kept = search_all(&search, register_count) ? keep(&search, register_count, arena) : NULL;
  hbg_arena_rewind(scratch, mark);
  return kept;
}

/* What the target grows by goes to what it is made of. */
static inline void hand_on(const HbgInstruction *own, const uint8_t *moves, const double *registers, double *rest) {
  const double share = rest[own->target];
  rest[own->target] = 0;
  switch ((HbgOperation)own->op) {
    case HBG_OP_NEG: rest[own->a] -= share; break;
    case HBG_OP_ADD:
      if (moves[own->a]) rest[own->a] += share;
      if (moves[own->b]) rest[own->b] += share;
      break;
    case HBG_OP_SUB:
      if (moves[own->a]) rest[own->a] += share;
      if (moves[own->b]) rest[own->b] -= share;
      break;
    case HBG_OP_MUL:
      if (moves[own->a]) rest[own->a] += share * registers[own->b];
      else rest[own->b] += share * registers[own->a];
      break;
    default: rest[own->a] += share / registers[own->b]; break; /* DIV */
  }
}

void hbg_gains_find(const HbgGains *gains, const double *registers, double *rest, double *values) {
  for (int32_t effect = 0; effect < gains->effect_count; effect++) {
    if (gains->leaf_start[effect] == gains->leaf_start[effect + 1]) continue;
    rest[gains->effects[effect]] = 1;
    for (int32_t at = gains->cone_start[effect + 1]; at-- > gains->cone_start[effect];)
      hand_on(&gains->slice->code[gains->cone[at]], gains->moves, registers, rest);
    for (int32_t at = gains->leaf_start[effect]; at < gains->leaf_start[effect + 1]; at++) {
      double *cause = &rest[gains->causes[gains->leaf_cause[at]]];
      values[gains->leaf_entry[at]] = *cause;
      *cause = 0;
    }
  }
}
