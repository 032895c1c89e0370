/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/rote.h"

#include <math.h>
#include <string.h>

#include "base/key.h"
#include "base/numbers.h"
#include "hybrid/deferred.h"
#include "hybrid/rote_parts.h"
#include "hybrid/together.h"

/* ---- learning ---- */

static int32_t place_among(const int32_t *list, int32_t count, int32_t member) {
  for (int32_t at = 0; at < count; at++)
    if (list[at] == member) return at;
  return -1;
}

static bool is_machine(const HbgSim *sim, int32_t entry) { return entry < sim->model->machine_count; }

/* What clocks compute and timers tell belongs to instants, too, and is seen to the ordinary way. */
static bool has_more(const HbgFlatModel *model) { return model->clock_count || model->timer_count || model->variable_count; }

/* Are all regions in motion in closed form, and are all machines that are due by themselves those of the recipe? */
static bool may_be_learnt(const HbgSim *sim, const HbgRecipeUse *use, const int32_t *entries, int32_t count) {
  const HbgRecipe *recipe = use->recipe;
  if (has_more(sim->model) || recipe->follows_time || recipe->needed_curves || !use->plans || !use->stays || !use->may_owe) return false;
  for (int32_t at = 0; at < recipe->region_count; at++)
    if (recipe->input_start[at] == recipe->input_start[at + 1] || !recipe->first_motions[at]) return false;
  for (int32_t at = 0; at < count; at++)
    if (is_machine(sim, entries[at]) && place_among(use->machines, recipe->machine_count, entries[at]) < 0)
      return false;
  return true;
}

/* The guards that lead out of the state in which `machine` was. */
static const HbgConjunction *leaving(const HbgSim *sim, const HbgRecipeUse *use, int32_t machine, int32_t *count) {
  const int32_t place = place_among(use->machines, use->recipe->machine_count, machine);
  return hbg_guards_leaving(&sim->guards, machine, use->recipe->first_phi[place], count);
}

static int32_t count_guards(const HbgSim *sim, const HbgRecipeUse *use, const int32_t *entries, int32_t entry_count) {
  int32_t sum = 0, count;
  for (int32_t at = 0; at < entry_count && is_machine(sim, entries[at]); at++) {
    leaving(sim, use, entries[at], &count);
    sum += count;
  }
  return sum;
}

static bool is_located(const HbgRecipeUse *use, const HbgConjunction *guard) {
  for (int32_t at = 0; at < use->recipe->located_count; at++)
    if (use->located[at] == guard) return true;
  return false;
}

static void write_guards(const HbgSim *sim, const HbgRecipeUse *use, struct HbgRote *rote) {
  int32_t next = 0, count;
  for (int32_t at = 0; at < rote->due->entry_count && is_machine(sim, rote->due->entries[at]); at++) {
    const HbgConjunction *list = leaving(sim, use, rote->due->entries[at], &count);
    for (int32_t which = 0; which < count; which++)
      rote->guards[next++] = (HbgRoteGuard){(int32_t)(&list[which] - sim->guards.list), list[which].machine, is_located(use, &list[which])};
  }
}

static void write_ticks(const HbgSim *sim, const HbgRecipeUse *use, struct HbgRote *rote) {
  for (int32_t at = 0; at < use->recipe->tick_count; at++)
    rote->tick_due[at] =
        place_among(rote->due->entries, rote->due->entry_count, sim->model->machine_count + use->ticks[at]);
}

/* Moves a list to `*room`, where those that are read together lie side by side. */
static void *pack(char **room, const void *list, int32_t count, size_t size) {
  char *packed = *room;
  if (count) memcpy(packed, list, (size_t)count * size);
  *room += (size_t)count * size;
  return packed;
}

#define PACK(list, count) ((list) = pack(&room, (list), (count), sizeof *(list)))

/* The lists that are looked at whenever it is followed: pointers first. */
static void pack_use(HbgRecipeUse *use, char *room) {
  const HbgRecipe *recipe = use->recipe;
  PACK(use->regions, recipe->region_count);
  PACK(use->made, use->made_count);
  PACK(use->motions, use->made_count);
  PACK(use->hanging, recipe->hanging_count);
  PACK(use->causes, recipe->row_count);
  PACK(use->plans, use->foretold_count);
  PACK(use->machines, recipe->machine_count);
  PACK(use->others, recipe->other_count);
  PACK(use->ticks, recipe->tick_count);
  PACK(use->states, recipe->input_count);
  PACK(use->foretold, use->foretold_count);
  PACK(use->switched, recipe->switched_count);
  PACK(use->stays, use->made_count);
}

static size_t size_of_use(const HbgRecipeUse *use) {
  const HbgRecipe *recipe = use->recipe;
  const int32_t pointers = recipe->region_count + 2 * use->made_count + recipe->hanging_count + recipe->row_count;
  const int32_t numbers = recipe->machine_count + recipe->other_count + recipe->tick_count + recipe->input_count +
                          use->foretold_count + recipe->switched_count;
  return (size_t)pointers * sizeof(void *) + (size_t)use->foretold_count * sizeof(HbgWatchPlan) +
         (size_t)numbers * sizeof(int32_t) + (size_t)use->made_count;
}

static struct HbgRote *make(HbgSim *sim, HbgRecipeUse *use, const HbgRoteDue *due) {
  const int32_t guard_count = count_guards(sim, use, due->entries, due->entry_count), tick_count = use->recipe->tick_count,
                hanging_count = use->recipe->hanging_count;
  const size_t own = sizeof(struct HbgRote) + (size_t)guard_count * sizeof(HbgRoteGuard) + (size_t)(tick_count + hanging_count) * sizeof(int32_t);
  const size_t first = (own + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *);
  struct HbgRote *rote = hbg_arena_alloc(&sim->local->arena, first + size_of_use(use), 1, _Alignof(struct HbgRote));
  *rote = (struct HbgRote){.due = due, .guards = (void *)(rote + 1), .guard_count = guard_count};
  rote->tick_due = (void *)(rote->guards + guard_count);
  rote->hanging = rote->tick_due + tick_count;
  for (int32_t at = 0; at < hanging_count; at++) rote->hanging[at] = use->hanging[at]->number;
  write_guards(sim, use, rote);
  write_ticks(sim, use, rote);
  pack_use(use, (char *)rote + first);
  return rote;
}

static inline bool are_equal(const int32_t *a, const int32_t *b, int32_t count) {
  for (int32_t at = 0; at < count; at++)
    if (a[at] != b[at]) return false;
  return true;
}

/* Those of them that have been met. */
static HbgRoteDue *find_due(const HbgLocal *local, const int32_t *entries, int32_t count) {
  HbgRoteDue *due = local->rote_due[entries[0]];
  while (due && !(due->entry_count == count && are_equal(due->entries, entries, count))) due = due->next;
  return due;
}

/* What these entries lead to: what is due now. */
static HbgRoteDue *keep_due(HbgSim *sim, const int32_t *entries, int32_t count, int32_t habit) {
  HbgLocal *local = sim->local;
  HbgRoteDue *known = find_due(local, entries, count);
  if (known) return known;
  HbgRoteDue *due = ARENA_NEW(&local->arena, HbgRoteDue, 1);
  *due = (HbgRoteDue){.next = local->rote_due[entries[0]],
                      .entry_count = (int16_t)count,
                      .due_count = (int16_t)local->due_count,
                      .habit = habit,
                      .first = local->due[0],
                      .last = -1};
  memcpy(due->entries, entries, (size_t)count * sizeof *entries);
  memcpy(due->due, local->due, (size_t)local->due_count * sizeof *local->due);
  return local->rote_due[entries[0]] = due;
}

/* By what number those machines that are due now are one thing; not positive: they are not. */
static int32_t habit_of(const HbgSim *sim) {
  const HbgLocal *local = sim->local;
  return local->due_count <= HBG_TOGETHER_BY_HABIT ? hbg_together_habit(sim, local->due[0]) : 0;
}

/* What will probably be due the next time, where that is asked for ahead of it. */
static void note_due(HbgLocal *local, HbgRoteDue *due) {
  if (!local->ahead.is_on) return;
  for (int32_t at = 0; at < due->entry_count; at++) local->ahead.last[due->entries[at]] = due;
}

void hbg_rote_learn(HbgSim *sim, HbgRecipeUse *use, const int32_t *entries, int32_t count) {
  const HbgLocal *local = sim->local;
  if (sim->options.without_rote || local->due_count > HBG_ROTE_MOST_DUE || !may_be_learnt(sim, use, entries, count))
    return;
  const bool are_many = local->due_count > 1 && is_machine(sim, local->due[1]);
  const int32_t habit = are_many ? habit_of(sim) : 0;
  if (are_many && habit <= 0) return;
  HbgRoteDue *due = keep_due(sim, entries, count, habit);
  if (!use->rote) use->rote = make(sim, use, due);
  due->head = NULL;
  note_due(sim->local, due);
}

/* ---- following ---- */

/* The instant, as far as the queue tells it. */
typedef struct Instant {
  double latest, time; /* of what is due; the same within the run */
  int32_t entries[HBG_ROTE_MOST_DUE]; /* machines before scheduled conditions */
  int32_t count, first_tick;
  uint8_t value[HBG_ROTE_MOST_DUE]; /* of scheduled conditions that are due */
} Instant;

/* What is due next; NULL where that is not known, or not all of it happens. */
static HbgRoteDue *look_ahead(HbgSim *sim, Instant *self) {
  const HbgLocal *local = sim->local;
  const double first = hbg_queue_earliest(&local->queue);
  self->count = hbg_queue_list_few(&local->queue, hbg_local_latest(first), self->entries, HBG_ROTE_MOST_DUE);
  if (self->count > HBG_ROTE_MOST_DUE) return NULL;
  HbgRoteDue *due = find_due(local, self->entries, self->count);
  self->latest = first;
  self->first_tick = 0;
  for (int32_t at = 0; due && at < self->count; at++) {
    const int32_t entry = self->entries[at];
    if (is_machine(sim, entry)) {
      if (hbg_watch_is_pause(&local->watches, entry)) return NULL;
      self->first_tick = at + 1;
    }
    self->latest = hbg_larger(self->latest, hbg_queue_time(&local->queue, entry));
  }
  self->time = self->latest > sim->options.stop ? sim->options.stop : self->latest;
  return due;
}

/* Would the ordinary way go by one recipe for all that is due, of those there are now? */
static bool is_one_thing(HbgSim *sim, const HbgRoteDue *due) {
  const HbgLocal *local = sim->local;
  if (sim->options.without_recipes || local->is_coupled ||
      local->recipes_show != hbg_shown_now(sim))
    return false;
  return !due->habit || hbg_together_habit(sim, due->first) == due->habit;
}

static inline void turn_ticks(HbgSim *sim, Instant *self) {
  for (int32_t at = self->first_tick; at < self->count; at++)
    self->value[at] = hbg_tick_value(&sim->ticks[self->entries[at] - sim->model->machine_count], self->time);
}

static bool leads_to(const HbgRecipeUse *use, const HbgRoteDue *due) {
  return use->recipe->due_count == due->due_count && are_equal(use->due, due->due, due->due_count);
}

static inline bool guards_are_located(const HbgForetold *foretold, const struct HbgRote *rote, double latest) {
  for (int32_t at = 0; at < rote->guard_count; at++)
    if ((foretold[rote->guards[at].number].time <= latest) != rote->guards[at].is_located) return false;
  return true;
}

static inline bool are_in(const int32_t *phi, const int32_t *machines, const int32_t *states, int32_t count) {
  for (int32_t at = 0; at < count; at++)
    if (phi[machines[at]] != states[at]) return false;
  return true;
}

static inline bool ticks_agree(const HbgSim *sim, const HbgRecipeUse *use, const Instant *instant) {
  for (int32_t at = 0; at < use->recipe->tick_count; at++) {
    const int32_t due = use->rote->tick_due[at];
    if ((due < 0 ? sim->now.tick[use->ticks[at]] : instant->value[due]) != use->recipe->tick_values[at]) return false;
  }
  return true;
}

static inline bool regions_agree(HbgRegion *const *region_of, const HbgRecipeUse *use) {
  const HbgRecipe *recipe = use->recipe;
  HbgRegion *const *regions = use->regions;
  const HbgMotion *const *motions = recipe->first_motions;
  const int32_t *starts = recipe->input_start, *states = use->states, count = recipe->region_count;
  for (int32_t at = 0; at < count; at++)
    if (region_of[states[starts[at]]] != regions[at] || regions[at]->motion != motions[at]) return false;
  return true;
}

static inline bool all_hang(const HbgSim *sim, const HbgRecipeUse *use) {
  for (int32_t at = 0; at < use->recipe->hanging_count; at++)
    if (!hbg_owed_is_present(sim, use->hanging[at], use->rote->hanging[at])) return false;
  return true;
}

/* Is all as the recipe has to have it? */
static inline bool applies(const HbgSim *sim, const HbgRecipeUse *use, const Instant *instant) {
  const HbgRecipe *recipe = use->recipe;
  return are_in(sim->now.phi, use->machines, recipe->first_phi, recipe->machine_count) &&
         are_in(sim->now.phi, use->others, recipe->other_phi, recipe->other_count) &&
         guards_are_located(sim->local->watches.foretold, use->rote, instant->latest) &&
         ticks_agree(sim, use, instant) && regions_agree(sim->local->region_of, use) && all_hang(sim, use) &&
         !(sim->rests.count && hbg_recipe_meets_rest(sim, use));
}

static inline void read_inputs(HbgFollower *self, double time) {
  const HbgSim *sim = self->sim;
  const HbgRecipe *recipe = self->recipe;
  HbgRegion *const *regions = self->use->regions;
  const int32_t *states = self->use->states, region_count = recipe->region_count, input_count = recipe->input_count;
  double *next = self->values, *values = self->values;
  for (int32_t at = 0; at < region_count; at++) {
    hbg_region_values(regions[at], time, next);
    next += regions[at]->count;
  }
  self->scales = next;
  const double *scale = sim->scale;
  for (int32_t input = 0; input < input_count; input++) next[input] = hbg_larger(scale[states[input]], fabs(values[input]));
}

/* What tells a recipe from others; one of a scope that small has the same twice. */
static HbgRoteChoice choice_of(HbgRecipeUse *use, int32_t number) {
  HbgRoteChoice choice = {.use = use, .then = number, .is_about_none = !use->recipe->machine_count};
  for (int32_t which = 0; which < HBG_ROTE_TELLING && !choice.is_about_none; which++) {
    const int32_t at = which < use->recipe->machine_count ? which : 0;
    choice.machines[which] = use->machines[at];
    choice.phi[which] = use->recipe->first_phi[at];
  }
  return choice;
}

/* The recipes that are known by rote, in the order of their list. The first that could be followed, but is not known so, ends it. */
static void list_choices(HbgLocal *local, HbgRoteDue *due) {
  due->head = local->recipes[due->first];
  due->choice_count = 0;
  due->last = -1;
  for (HbgRecipeUse *use = local->recipes[due->first]; use; use = use->next) {
    if (use->rote && use->rote->due == due) {
      const HbgRoteChoice choice = choice_of(use, due->choice_count);
      ARENA_PUSH(&local->arena, due->choices, due->choice_count, due->choice_capacity) = choice;
    } else if (leads_to(use, due)) {
      return;
    }
  }
}

/* It is the last that was chosen: what comes behind it the next time is what came the last time. */
static inline void note_choice(HbgRoteDue *due, int32_t number) {
  if (due->last >= 0) due->choices[due->last].then = number;
  due->last = number;
  due->expected = due->choices[due->choices[number].then].use;
  due->expected_rote = due->expected->rote;
}

static inline bool may_apply(const HbgRoteChoice *choice, const int32_t *phi) {
  return choice->is_about_none || (phi[choice->machines[0]] == choice->phi[0] && phi[choice->machines[1]] == choice->phi[1]);
}

/* The recipe that is followed. */
static bool choose(HbgFollower *self, HbgRoteDue *due, const Instant *instant) {
  HbgLocal *local = self->sim->local;
  if (due->head != local->recipes[due->first]) list_choices(local, due);
  for (int32_t at = 0; at < due->choice_count; at++) {
    if (!may_apply(&due->choices[at], self->sim->now.phi)) continue;
    self->use = due->choices[at].use;
    if (!applies(self->sim, self->use, instant)) continue;
    self->recipe = self->use->recipe;
    read_inputs(self, instant->time);
    if (!hbg_recipe_passes(self)) continue;
    note_choice(due, at);
    return hbg_recipe_owes(self);
  }
  return false;
}

/* Rebounds that have become lower than round-off are no motion any more, however regular they were. */
static void note_unresolved(HbgSim *sim, const struct HbgRote *rote) {
  for (int32_t at = 0; at < rote->guard_count; at++) {
    const HbgForetold *foretold = &sim->local->watches.foretold[rote->guards[at].number];
    if (rote->guards[at].is_located) hbg_rhythm_note_flight(&sim->rhythms[rote->guards[at].machine], foretold->begin, foretold->is_resolved);
  }
}

static inline void take_ticks(HbgSim *sim, const Instant *instant) {
  for (int32_t at = instant->first_tick; at < instant->count; at++)
    hbg_sim_set_tick(sim, instant->entries[at] - sim->model->machine_count, instant->value[at]);
}

static inline void end_ticks(HbgSim *sim, const Instant *instant) {
  for (int32_t at = instant->first_tick; at < instant->count; at++) {
    const int32_t entry = instant->entries[at], tick = entry - sim->model->machine_count;
    sim->before.tick[tick] = sim->now.tick[tick];
    hbg_queue_set(&sim->local->queue, entry, hbg_tick_next(&sim->ticks[tick], instant->time));
  }
}

/* Known instants hardly use it. */
static inline void empty_scratch(HbgSim *sim) {
  enum { NOW_AND_THEN = 64 };
  if (sim->local->rote_count % NOW_AND_THEN == 0) hbg_arena_rewind(&sim->scratch, sim->scratch_bottom);
}

static HbgStatus take_effect(HbgSim *sim, const HbgFollower *follower, const Instant *instant) {
  sim->time = instant->time;
  TRY(hbg_budget_take(sim));
  sim->statistics.steps++;
  empty_scratch(sim);
  note_unresolved(sim, follower->use->rote);
  take_ticks(sim, instant);
  if (!follower->use->shows_nothing) hbg_deferred_fill_in(sim);
  TRY(hbg_recipe_take_effect(follower));
  end_ticks(sim, instant);
  return HBG_OK;
}

bool hbg_rote_follow(HbgSim *sim, HbgStatus *status) {
  Instant instant;
  if (sim->local->ahead.is_on && !sim->local->is_coupled) hbg_rote_ahead_begin(sim);
  HbgRoteDue *due = look_ahead(sim, &instant);
  if (!due || !is_one_thing(sim, due)) return false;
  turn_ticks(sim, &instant);
  double numbers[HBG_FOLLOWER_ROOM];
  HbgFollower follower = {.sim = sim, .values = numbers, .owes = true, .may_defer = true};
  if (!choose(&follower, due, &instant)) return false;
  note_due(sim->local, due);
  hbg_rote_ahead(sim);
  *status = take_effect(sim, &follower, &instant);
  sim->local->rote_count++;
  return true;
}

int64_t hbg_rote_count(const HbgSim *sim) { return sim->local ? sim->local->rote_count : 0; }
