/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/key.h"
#include "base/forest.h"
#include "hybrid/local_parts.h"
#include "hybrid/together_parts.h"

/* ---- who goes with whom ---- */

bool hbg_due_join(HbgDue *self, int32_t a, int32_t b) {
  a = hbg_forest_root(self->parent, a);
  b = hbg_forest_root(self->parent, b);
  if (a == b) return false;
  self->parent[a > b ? a : b] = a < b ? a : b;
  self->is_ready[a] = self->is_ready[b] = false;
  return true;
}

bool hbg_due_have(const HbgDue *self, int32_t machine) {
  const int32_t at = self->sim->local->together->seed_of[machine];
  return at < self->seed_count && self->due[at] == machine;
}

/* Every machine that reads something due is due. */
static void list_readings(HbgDue *self) {
  HbgSim *sim = self->sim;
  const HbgLocal *local = sim->local;
  const HbgLists *readers = &sim->who_reads->of_tick;
  int32_t count = 0;
  for (int32_t at = self->seed_count; at < self->due_count; at++) {
    const int32_t tick = self->due[at] - sim->model->machine_count;
    count += readers->start[tick + 1] - readers->start[tick];
  }
  self->reading = TAKE(self, HbgDueReading, count);
  self->first_reading = TAKE(self, int32_t, self->seed_count);
  for (int32_t seed = 0; seed < self->seed_count; seed++) self->first_reading[seed] = -1;
  for (int32_t at = self->due_count - 1; at >= self->seed_count; at--) {
    const int32_t tick = self->due[at] - sim->model->machine_count;
    for (int32_t which = readers->start[tick]; which < readers->start[tick + 1]; which++) {
      int32_t *first = &self->first_reading[local->together->seed_of[readers->list[which]]];
      self->reading[self->reading_count] = (HbgDueReading){tick, *first};
      *first = self->reading_count++;
    }
  }
}

/* What was located is in the order of machines. */
static void list_located(HbgDue *self) {
  self->located_start = TAKE(self, int32_t, self->seed_count + 1);
  int32_t at = 0;
  for (int32_t seed = 0; seed < self->seed_count; seed++) {
    self->located_start[seed] = at;
    while (at < self->located_count && self->located[at]->machine == self->due[seed]) at++;
  }
  self->located_start[self->seed_count] = at;
}

/* Machines that have gone together before, the most of those that begin with `seed`. */
static void join_as_before(HbgDue *self, int32_t seed) {
  const HbgLocal *local = self->sim->local;
  const int32_t machine_count = self->sim->model->machine_count;
  const HbgRecipeUse *most = NULL;
  int32_t most_count = 1;
  for (const HbgRecipeUse *use = local->recipes[self->due[seed]]; use; use = use->next) {
    int32_t count = 0;
    while (count < use->recipe->due_count && use->due[count] < machine_count && hbg_due_have(self, use->due[count])) count++;
    const bool are_all_due = count == use->recipe->due_count || use->due[count] >= machine_count;
    if (!are_all_due || count <= most_count) continue;
    most = use;
    most_count = count;
  }
  for (int32_t at = 1; at < most_count; at++) hbg_due_join(self, seed, local->together->seed_of[most->due[at]]);
}

HbgDue hbg_due_begin(HbgSim *sim) {
  HbgLocal *local = sim->local;
  struct HbgTogether *state = hbg_together_state(sim);
  HbgDue self = {.sim = sim, .due = local->due, .due_count = local->due_count, .located = local->located, .located_count = local->located_count};
  while (self.seed_count < local->due_count && local->due[self.seed_count] < sim->model->machine_count) {
    state->seed_of[local->due[self.seed_count]] = self.seed_count;
    self.seed_count++;
  }
  hbg_together_make_room(sim);
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

static int32_t count_readings(const HbgDue *self, int32_t seed) {
  int32_t count = 0;
  for (int32_t at = self->first_reading[seed]; at >= 0; at = self->reading[at].next) count++;
  return count;
}

static void sort_ticks(HbgDueGroup *group) {
  int32_t *ticks = group->due + group->machine_count;
  const int32_t count = group->due_count - group->machine_count;
  int32_t kept = 0;
  hbg_key_sort(ticks, count);
  for (int32_t at = 0; at < count; at++)
    if (!at || ticks[at] != ticks[at - 1]) ticks[kept++] = ticks[at];
  group->due_count = group->machine_count + kept;
}

static void add_ticks(HbgDue *self, HbgDueGroup *group, int32_t seed) {
  for (int32_t at = self->first_reading[seed]; at >= 0; at = self->reading[at].next)
    group->due[group->due_count++] = self->sim->model->machine_count + self->reading[at].tick;
}

static void fill(HbgDue *self, HbgDueGroup *group, const int32_t *seeds, int32_t count) {
  int32_t readings = 0, located = 0;
  for (int32_t at = 0; at < count; at++) {
    readings += count_readings(self, seeds[at]);
    located += self->located_start[seeds[at] + 1] - self->located_start[seeds[at]];
  }
  *group = (HbgDueGroup){.due = TAKE(self, int32_t, count + readings), .located = TAKE(self, const HbgConjunction *, located)};
  for (int32_t at = 0; at < count; at++) {
    group->due[group->due_count++] = self->due[seeds[at]];
    for (int32_t which = self->located_start[seeds[at]]; which < self->located_start[seeds[at] + 1]; which++)
      group->located[group->located_count++] = self->located[which];
  }
  group->machine_count = count;
  for (int32_t at = 0; at < count; at++) add_ticks(self, group, seeds[at]);
  if (count > 1) sort_ticks(group);
}

void hbg_due_make(HbgDue *self) {
  int32_t *next = TAKE(self, int32_t, self->seed_count), *last = TAKE(self, int32_t, self->seed_count);
  int32_t *seeds = TAKE(self, int32_t, self->seed_count);
  self->count = 0;
  for (int32_t seed = 0; seed < self->seed_count; seed++) {
    const int32_t root = hbg_forest_root(self->parent, seed);
    next[seed] = -1;
    if (root == seed) self->count++;
    else next[last[root]] = seed;
    last[root] = seed;
  }
  self->groups = TAKE(self, HbgDueGroup, self->count);
  HbgDueGroup *group = self->groups;
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

void hbg_due_look_at(HbgSim *sim, const HbgDueGroup *group) {
  HbgLocal *local = sim->local;
  local->due = group->due;
  local->due_count = group->due_count;
  local->located = group->located;
  local->located_count = group->located_count;
}
