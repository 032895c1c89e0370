/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/together.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/key.h"
#include "hybrid/local_parts.h"
#include "hybrid/rehearsal.h"

/* Whose a member of the model is in the round at hand. */
typedef struct Claim {
  int32_t round, group;
} Claim;

struct HbgTogether {
  Claim *machines, *states, *bonds; /* per number; regions by their first states, what has none by its first bond */
  int32_t *seed_of;                 /* per machine that is due: its place among these */
  int32_t *habit;                   /* per machine that was due as the first of a few: what was due with it the last time, as a number */
  int32_t round;
  int64_t count;                    /* instants gone through so far */
  char *room; size_t room_size, room_wanted; /* for one instant, kept; and what the last one would have needed */
  int32_t patience, refusals;       /* instants to be gone through as one before the next try, and tries that failed in a row */
};

typedef struct Group {
  int32_t *due, due_count, machine_count; /* its machines, then the scheduled conditions that they read */
  const HbgConjunction **located; int32_t located_count;
  HbgFollower *follower;
  bool is_ready;  /* it has a recipe that applies */
  int32_t row;    /* that is shown; -1: none yet */
  HbgHyperTime next; /* where the row behind it is, without the time */
} Group;

/* A machine that is due reads a scheduled condition that is. */
typedef struct Reading {
  int32_t tick, next;
} Reading;

typedef struct Together {
  HbgSim *sim;
  const int32_t *due; int32_t due_count; /* for all; and what was located */
  const HbgConjunction *const *located; int32_t located_count;
  int32_t seed_count;              /* machines that are due: the first of them */
  int32_t *parent;                 /* a forest of those that go together, with the first as root */
  Reading *reading; int32_t reading_count;
  int32_t *first_reading;          /* per seed: of scheduled conditions that are due; -1 */
  int32_t *located_start;          /* of seed s: located[located_start[s] .. located_start[s + 1]) */
  HbgFollower *followers;          /* per root */
  bool *is_ready;                  /* ... and whether it is that of the group as it is now */
  Group *groups; int32_t count;
  const HbgConjunction **fired;    /* room for those of one row */
  size_t used;                     /* of the room */
} Together;

enum { MOST_ROUNDS = 8, MOST_REFUSALS = 10, MOST_BY_HABIT = 4, NEVER = -1 };

/* ---- when ---- */

bool hbg_together_is_possible(const HbgSim *sim) {
  const HbgLocal *local = sim->local;
  if (sim->options.without_recipes || local->due_count < 2 || local->due[1] >= sim->model->machine_count) return false;
  const HbgShown *shown = hbg_shown_now((HbgSim *)(uintptr_t)sim);
  return !sim->any_resting && !shown->everything && !shown->reads_a_priori && !hbg_recipe_changes_equations(sim);
}

static struct HbgTogether *state_of(HbgSim *sim) {
  HbgLocal *local = sim->local;
  if (local->together) return local->together;
  HbgArena *arena = &local->arena;
  local->together = ARENA_NEW(arena, struct HbgTogether, 1);
  *local->together = (struct HbgTogether){.machines = ARENA_NEW(arena, Claim, sim->model->machine_count),
                                          .states = ARENA_NEW(arena, Claim, sim->model->state_count),
                                          .bonds = ARENA_NEW(arena, Claim, sim->model->bond_count),
                                          .seed_of = ARENA_NEW(arena, int32_t, sim->model->machine_count),
                                          .habit = ARENA_NEW(arena, int32_t, sim->model->machine_count)};
  return local->together;
}

/* Not zeroed: `count` things of `size` bytes, until the instant is over. */
static void *take(Together *self, int32_t count, size_t size) {
  struct HbgTogether *state = self->sim->local->together;
  const size_t bytes = ((size_t)count * size + 15) / 16 * 16, place = self->used;
  state->room_wanted += bytes;
  if (place + bytes > state->room_size) return hbg_arena_alloc(&self->sim->scratch, (size_t)count, size, _Alignof(max_align_t));
  self->used += bytes;
  return state->room + place;
}

#define TAKE(self, T, count) ((T *)take((self), (count), sizeof(T)))

/* As much as it should have had the last time. */
static void make_room(HbgSim *sim) {
  struct HbgTogether *state = sim->local->together;
  if (state->room_wanted > state->room_size) {
    state->room_size = 2 * state->room_wanted;
    state->room = hbg_arena_alloc(&sim->local->arena, state->room_size, 1, _Alignof(max_align_t));
  }
  state->room_wanted = 0;
}

/* ---- who goes with whom ---- */

static int32_t root_of(Together *self, int32_t seed) {
  while (self->parent[seed] != seed) {
    self->parent[seed] = self->parent[self->parent[seed]];
    seed = self->parent[seed];
  }
  return seed;
}

/* True where they were apart. */
static bool join(Together *self, int32_t a, int32_t b) {
  a = root_of(self, a);
  b = root_of(self, b);
  if (a == b) return false;
  self->parent[a > b ? a : b] = a < b ? a : b;
  self->is_ready[a] = self->is_ready[b] = false;
  return true;
}

static bool is_seed(const Together *self, int32_t machine) {
  const int32_t at = self->sim->local->together->seed_of[machine];
  return at < self->seed_count && self->due[at] == machine;
}

/* Every machine that reads something due is due. */
static void list_readings(Together *self) {
  HbgSim *sim = self->sim;
  const HbgLocal *local = sim->local;
  const HbgLists *readers = &local->readers.of_tick;
  int32_t count = 0;
  for (int32_t at = self->seed_count; at < self->due_count; at++) {
    const int32_t tick = self->due[at] - sim->model->machine_count;
    count += readers->start[tick + 1] - readers->start[tick];
  }
  self->reading = TAKE(self, Reading, count);
  self->first_reading = TAKE(self, int32_t, self->seed_count);
  for (int32_t seed = 0; seed < self->seed_count; seed++) self->first_reading[seed] = -1;
  for (int32_t at = self->due_count - 1; at >= self->seed_count; at--) {
    const int32_t tick = self->due[at] - sim->model->machine_count;
    for (int32_t which = readers->start[tick]; which < readers->start[tick + 1]; which++) {
      int32_t *first = &self->first_reading[local->together->seed_of[readers->list[which]]];
      self->reading[self->reading_count] = (Reading){tick, *first};
      *first = self->reading_count++;
    }
  }
}

/* What was located is in the order of machines. */
static void list_located(Together *self) {
  self->located_start = TAKE(self, int32_t, self->seed_count + 1);
  int32_t at = 0;
  for (int32_t seed = 0; seed < self->seed_count; seed++) {
    self->located_start[seed] = at;
    while (at < self->located_count && self->located[at]->machine == self->due[seed]) at++;
  }
  self->located_start[self->seed_count] = at;
}

/* Machines that have gone together before, the most of those that begin with `seed`. */
static void join_as_before(Together *self, int32_t seed) {
  const HbgLocal *local = self->sim->local;
  const HbgRecipeUse *most = NULL;
  int32_t most_count = 1;
  for (const HbgRecipeUse *use = local->recipes[self->due[seed]]; use; use = use->next) {
    int32_t count = 0;
    while (count < use->recipe->due_count && use->due[count] < self->sim->model->machine_count && is_seed(self, use->due[count])) count++;
    const bool are_all_due = count == use->recipe->due_count || use->due[count] >= self->sim->model->machine_count;
    if (!are_all_due || count <= most_count) continue;
    most = use;
    most_count = count;
  }
  for (int32_t at = 1; at < most_count; at++) join(self, seed, local->together->seed_of[most->due[at]]);
}

static Together together(HbgSim *sim) {
  HbgLocal *local = sim->local;
  struct HbgTogether *state = state_of(sim);
  Together self = {.sim = sim, .due = local->due, .due_count = local->due_count, .located = local->located, .located_count = local->located_count};
  while (self.seed_count < local->due_count && local->due[self.seed_count] < sim->model->machine_count) {
    state->seed_of[local->due[self.seed_count]] = self.seed_count;
    self.seed_count++;
  }
  make_room(sim);
  self.parent = TAKE(&self, int32_t, self.seed_count);
  self.is_ready = TAKE(&self, bool, self.seed_count);
  self.followers = TAKE(&self, HbgFollower, self.seed_count);
  for (int32_t seed = 0; seed < self.seed_count; seed++) {
    self.parent[seed] = seed;
    self.is_ready[seed] = false;
  }
  for (int32_t seed = 0; seed < self.seed_count; seed++)
    if (self.parent[seed] == seed) join_as_before(&self, seed);
  list_readings(&self);
  list_located(&self);
  return self;
}

/* ---- groups ---- */

static int32_t count_readings(const Together *self, int32_t seed) {
  int32_t count = 0;
  for (int32_t at = self->first_reading[seed]; at >= 0; at = self->reading[at].next) count++;
  return count;
}

static void sort_ticks(Group *group) {
  int32_t *ticks = group->due + group->machine_count;
  const int32_t count = group->due_count - group->machine_count;
  int32_t kept = 0;
  hbg_key_sort(ticks, count);
  for (int32_t at = 0; at < count; at++)
    if (!at || ticks[at] != ticks[at - 1]) ticks[kept++] = ticks[at];
  group->due_count = group->machine_count + kept;
}

static void add_ticks(Together *self, Group *group, int32_t seed) {
  for (int32_t at = self->first_reading[seed]; at >= 0; at = self->reading[at].next)
    group->due[group->due_count++] = self->sim->model->machine_count + self->reading[at].tick;
}

static void fill(Together *self, Group *group, const int32_t *seeds, int32_t count) {
  int32_t readings = 0, located = 0;
  for (int32_t at = 0; at < count; at++) {
    readings += count_readings(self, seeds[at]);
    located += self->located_start[seeds[at] + 1] - self->located_start[seeds[at]];
  }
  *group = (Group){.due = TAKE(self, int32_t, count + readings), .located = TAKE(self, const HbgConjunction *, located)};
  for (int32_t at = 0; at < count; at++) {
    group->due[group->due_count++] = self->due[seeds[at]];
    for (int32_t which = self->located_start[seeds[at]]; which < self->located_start[seeds[at] + 1]; which++)
      group->located[group->located_count++] = self->located[which];
  }
  group->machine_count = count;
  for (int32_t at = 0; at < count; at++) add_ticks(self, group, seeds[at]);
  if (count > 1) sort_ticks(group);
}

/* In the order of their first machines. */
static void make_groups(Together *self) {
  int32_t *next = TAKE(self, int32_t, self->seed_count), *last = TAKE(self, int32_t, self->seed_count);
  int32_t *seeds = TAKE(self, int32_t, self->seed_count);
  self->count = 0;
  for (int32_t seed = 0; seed < self->seed_count; seed++) {
    const int32_t root = root_of(self, seed);
    next[seed] = -1;
    if (root == seed) self->count++;
    else next[last[root]] = seed;
    last[root] = seed;
  }
  self->groups = TAKE(self, Group, self->count);
  Group *group = self->groups;
  for (int32_t root = 0; root < self->seed_count; root++) {
    if (self->parent[root] != root) continue;
    int32_t count = 0;
    for (int32_t seed = root; seed >= 0; seed = next[seed]) seeds[count++] = seed;
    fill(self, group, seeds, count);
    group->follower = &self->followers[root];
    group->is_ready = self->is_ready[root];
    group++;
  }
}

/* What is due, for all that asks for it, is what is due for one group. */
static void look_at(HbgSim *sim, const Group *group) {
  HbgLocal *local = sim->local;
  local->due = group->due;
  local->due_count = group->due_count;
  local->located = group->located;
  local->located_count = group->located_count;
}

static void note_ready(Together *self, Group *group, bool is_ready) {
  group->is_ready = self->is_ready[group->follower - self->followers] = is_ready;
}

/* Among the recipes that are known here. Of the room for numbers it keeps what it needs. */
static bool has_recipe(Together *self, Group *group) {
  HbgSim *sim = self->sim;
  const size_t used = self->used;
  HbgFollower *follower = group->follower;
  follower->values = TAKE(self, double, HBG_FOLLOWER_ROOM);
  if (!hbg_recipe_choose(sim, sim->local->recipes[group->due[0]], follower)) return false;
  if (self->used == used) return true; // it lies elsewhere
  self->used = used + 2 * sizeof(double) * (size_t)follower->recipe->input_count;
  return true;
}

/* ... or elsewhere. */
static bool borrows_recipe(HbgSim *sim, Group *group) {
  if (!hbg_local_may_add_recipe(sim) || !hbg_recipe_borrow(sim, group->follower)) return false;
  hbg_local_add_recipe(sim, group->follower->use);
  return true;
}

/* ... or of this group alone. */
static bool makes_recipe(HbgSim *sim, Group *group) {
  return hbg_local_may_add_recipe(sim) && hbg_rehearse(sim, group->follower);
}

/* ---- recipes for all ---- */

/* Before anybody knows what happens: do machines go together that are near enough to meet, if all of them fire? */
static bool join_neighbours(Together *self, const Group *group) {
  HbgSim *sim = self->sim;
  const struct HbgTogether *state = sim->local->together;
  bool any = false;
  hbg_owed_pay_all(sim);
  hbg_transcript_begin(sim);
  hbg_scope_empty(sim);
  sim->scope.is_survey = true;
  hbg_local_begin_scope(sim);
  hbg_local_touch_machines(sim, group->due, group->machine_count);
  sim->scope.is_survey = sim->transcript.is_on = false;
  for (int32_t at = 0; at < sim->scope.machines.count; at++)
    if (is_seed(self, sim->scope.machines.list[at]) && join(self, state->seed_of[group->due[0]], state->seed_of[sim->scope.machines.list[at]]))
      any = true;
  return any;
}

/* False: one of them has none. `*have_changed`: groups have been joined, and are to be made anew. */
static bool find_recipes(Together *self, bool *have_changed) {
  HbgSim *sim = self->sim;
  *have_changed = false;
  for (int32_t at = 0; at < self->count; at++) {
    Group *group = &self->groups[at];
    look_at(sim, group);
    if (!group->is_ready) note_ready(self, group, has_recipe(self, group));
    if (!group->is_ready && group->due_count > HBG_RECIPE_MOST_DUE) return false;
    if (!group->is_ready && join_neighbours(self, group)) *have_changed = true;
  }
  for (int32_t at = 0; at < self->count && !*have_changed; at++) {
    Group *group = &self->groups[at];
    look_at(sim, group);
    if (!group->is_ready && !borrows_recipe(sim, group) && !makes_recipe(sim, group)) return false;
    note_ready(self, group, true);
  }
  return true;
}

/* ---- do they meet? ---- */

typedef struct Claimer {
  Together *of;
  int32_t group;
  bool has_met;
} Claimer;

static void claim(Claimer *self, Claim *claim) {
  const int32_t round = self->of->sim->local->together->round;
  if (claim->round == round && claim->group != self->group) {
    Group *groups = self->of->groups;
    join(self->of, (int32_t)(groups[claim->group].follower - self->of->followers), (int32_t)(groups[self->group].follower - self->of->followers));
    self->has_met = true;
  }
  *claim = (Claim){round, self->group};
}

static void claim_all(Claimer *self, const HbgRecipeUse *use) {
  struct HbgTogether *state = self->of->sim->local->together;
  for (int32_t at = 0; at < use->recipe->machine_count; at++) claim(self, &state->machines[use->machines[at]]);
  for (int32_t at = 0; at < use->recipe->region_count; at++) {
    const HbgRegion *region = use->regions[at];
    claim(self, region->count ? &state->states[region->states[0]] : &state->bonds[region->islands[0]->graph.bonds[0].bond]);
  }
  for (int32_t at = 0; at < use->recipe->hanging_count; at++) claim(self, &state->bonds[use->hanging[at]->graph.bonds[0].bond]);
}

/* Machines that are read besides are those of nobody. */
static void ask_others(Claimer *self, const HbgRecipeUse *use) {
  struct HbgTogether *state = self->of->sim->local->together;
  for (int32_t at = 0; at < use->recipe->other_count; at++)
    if (state->machines[use->others[at]].round == state->round) claim(self, &state->machines[use->others[at]]);
}

/* Groups that read or touch the same are joined. */
static bool have_met(Together *self) {
  Claimer claimer = {.of = self};
  self->sim->local->together->round++;
  for (claimer.group = 0; claimer.group < self->count; claimer.group++) claim_all(&claimer, self->groups[claimer.group].follower->use);
  for (claimer.group = 0; claimer.group < self->count; claimer.group++) ask_others(&claimer, self->groups[claimer.group].follower->use);
  return claimer.has_met;
}

/* Each a recipe of its own, and nothing in common. */
static bool fall_apart(Together *self) {
  for (int32_t round = 0; round < MOST_ROUNDS; round++) {
    bool have_changed;
    make_groups(self);
    if (self->count < 2 || !find_recipes(self, &have_changed)) return false;
    if (!have_changed && !have_met(self)) return true;
  }
  return false;
}

/* Can their rows be told from the recipes? */
static bool fit_together(const Together *self) {
  bool any_jump = false, all_firm = true;
  for (int32_t at = 0; at < self->count; at++) {
    const HbgRecipe *recipe = self->groups[at].follower->recipe;
    if (!recipe->is_plain) return false;
    any_jump = any_jump || recipe->has_jumped;
    all_firm = all_firm && recipe->is_firm;
  }
  return all_firm || !any_jump;
}

/* ---- rows ---- */

static const HbgHyperTime never = {0, INT32_MAX, 0};

static bool is_before(HbgHyperTime a, HbgHyperTime b) { return a.eps < b.eps || (a.eps == b.eps && a.n < b.n); }

static void look_ahead(Group *group) {
  const HbgRecipe *recipe = group->follower->recipe;
  group->next = group->row + 1 < recipe->row_count ? recipe->rows[group->row + 1].at : never;
}

static int compare_guards(const void *a, const void *b) {
  const HbgConjunction *x = *(const HbgConjunction *const *)a, *y = *(const HbgConjunction *const *)b;
  return (x > y) - (x < y);
}

/* Mostly they are in their order. */
static void sort_guards(const HbgConjunction **list, int32_t count) {
  bool is_sorted = true;
  for (int32_t at = 1; at < count; at++) is_sorted = is_sorted && list[at - 1] < list[at];
  if (!is_sorted) qsort(list, (size_t)count, sizeof *list, compare_guards);
}

/* Takes all that have a row at `at` there, and tells who fired. `*next`: where the first of all rows behind it is. */
static const char *go_to(Together *self, HbgHyperTime at, HbgHyperTime *next) {
  HbgSim *sim = self->sim;
  int32_t count = 0;
  bool by_impulse = false;
  *next = never;
  for (int32_t which = 0; which < self->count; which++) {
    Group *group = &self->groups[which];
    const HbgFollower *follower = group->follower;
    if (group->next.eps == at.eps && group->next.n == at.n) {
      hbg_recipe_put_row(follower, ++group->row);
      look_ahead(group);
      const HbgRecipeCause *cause = &follower->recipe->rows[group->row].cause;
      by_impulse = by_impulse || (cause->by_impulse && cause->end > cause->start);
      for (int32_t guard = cause->start; guard < cause->end; guard++)
        self->fired[count++] =
            hbg_guards_at(&sim->guards, follower->use->machines[follower->recipe->guards[guard].machine], follower->recipe->guards[guard].place);
    } else if (at.n == 0 && at.eps > 0) {
      hbg_recipe_forget_areas(follower); // it rests
    }
    if (is_before(group->next, *next)) *next = group->next;
  }
  sort_guards(self->fired, count); // as the event iteration finds them
  return count ? hbg_fired_text(sim, self->fired, count, by_impulse) : "";
}

static bool begin_rows(Together *self) {
  HbgSim *sim = self->sim;
  int32_t most = 0;
  hbg_scope_empty(sim);
  for (int32_t at = 0; at < self->count; at++) {
    Group *group = &self->groups[at];
    group->row = -1;
    look_ahead(group);
    most += group->follower->recipe->guard_count;
    if (group->follower->recipe->row_count) hbg_recipe_enter_scope(group->follower);
  }
  self->fired = TAKE(self, const HbgConjunction *, most);
  sim->in_instant = true;
  const bool is_shown = hbg_local_show(sim);
  sim->in_instant = false;
  return is_shown;
}

/* Row by row: as long as one of them infers, the others wait where they are. */
static void show_rows(Together *self, bool has_jump) {
  HbgSim *sim = self->sim;
  HbgHyperTime next = {sim->time, -1, 0};
  while (is_before(next, never)) {
    const HbgHyperTime at = {sim->time, next.eps, next.n};
    const char *cause = go_to(self, at, &next);
    const HbgRowKind kind = at.eps < 0             ? HBG_ROW_BEFORE
                            : next.eps == at.eps   ? HBG_ROW_MYTHICAL
                            : is_before(next, never) ? HBG_ROW_PINNACLE
                                                     : HBG_ROW_CONTINUOUS;
    hbg_rows_add_of_instant(sim, at, kind, cause);
    sim->queue[sim->queue_count - 1].row.is_event = true;
    sim->queue[sim->queue_count - 1].row.has_jump = has_jump;
  }
  for (int32_t which = 0; which < self->count; which++) hbg_recipe_forget_areas(self->groups[which].follower);
}

/* ---- taking effect ---- */

static HbgStatus note_rhythms(Together *self) {
  HbgSim *sim = self->sim;
  int32_t count = 0, most = 0;
  for (int32_t at = 0; at < self->count; at++) most += self->groups[at].follower->recipe->fired_count;
  int32_t *fired = TAKE(self, int32_t, most);
  for (int32_t at = 0; at < self->count; at++) {
    const HbgFollower *follower = self->groups[at].follower;
    for (int32_t which = 0; which < follower->recipe->fired_count; which++)
      fired[count++] = follower->use->machines[follower->recipe->fired[which]];
  }
  hbg_key_sort(fired, count);
  for (int32_t at = 0; at < count; at++)
    if (!hbg_rhythm_note(sim, fired[at], sim->time)) return HBG_STOPPED;
  return HBG_OK;
}

static HbgStatus take_effect(Together *self) {
  HbgSim *sim = self->sim;
  bool is_event = false, has_jump = false;
  for (int32_t at = 0; at < self->count; at++) {
    const HbgRecipe *recipe = self->groups[at].follower->recipe;
    is_event = is_event || recipe->is_event;
    has_jump = has_jump || (recipe->row_count && recipe->rows[0].has_jump);
  }
  if (is_event && !begin_rows(self)) return hbg_report_stop(sim, "the equations have no solution at t = %.15g s", sim->time);
  if (is_event) show_rows(self, has_jump);
  sim->now.time = sim->before.time = sim->time;
  for (int32_t at = 0; at < self->count; at++) hbg_recipe_change(self->groups[at].follower);
  sim->statistics.events += is_event;
  TRY(note_rhythms(self));
  for (int32_t at = 0; at < self->count; at++) {
    look_at(sim, &self->groups[at]);
    hbg_recipe_go_on(self->groups[at].follower);
  }
  return HBG_OK;
}

/* ---- all ---- */

/* A few that are due together time and again, be it by accident, are one thing: one recipe is quicker than several. */
static bool is_habit(HbgSim *sim) {
  const HbgLocal *local = sim->local;
  int32_t *habit = &local->together->habit[local->due[0]];
  if (local->due_count > MOST_BY_HABIT || *habit == NEVER) return false;
  int32_t number = 1;
  for (int32_t at = 1; at < local->due_count; at++) number = (int32_t)(((uint32_t)number * 31 + (uint32_t)local->due[at]) & INT32_MAX);
  const bool is_so = *habit == number;
  *habit = number;
  return is_so;
}

void hbg_together_part(HbgSim *sim) {
  const HbgLocal *local = sim->local;
  if (local->together && local->due[0] < sim->model->machine_count) local->together->habit[local->due[0]] = NEVER;
}

bool hbg_together_follow(HbgSim *sim, HbgStatus *status) {
  HbgLocal *local = sim->local;
  struct HbgTogether *state = state_of(sim);
  if (is_habit(sim) || state->patience-- > 0) return false;
  const Group everything = {.due = local->due, .due_count = local->due_count, .located = local->located, .located_count = local->located_count};
  Together self = together(sim);
  const bool are_apart = fall_apart(&self) && fit_together(&self);
  if (are_apart) *status = take_effect(&self);
  state->count += are_apart;
  look_at(sim, &everything);
  const bool is_one = self.count < 2;
  state->refusals = are_apart || is_one ? 0 : state->refusals < MOST_REFUSALS ? state->refusals + 1 : MOST_REFUSALS;
  state->patience = state->refusals ? 1 << state->refusals : 0;
  return are_apart;
}

int64_t hbg_together_count(const HbgSim *sim) { return sim->local && sim->local->together ? sim->local->together->count : 0; }
