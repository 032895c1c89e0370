/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "base/key.h"
#include "hybrid/local_parts.h"
#include "hybrid/together_parts.h"

bool hbg_due_fit_together(const HbgDue *self) {
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

static void look_ahead(HbgDueGroup *group) {
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
static const char *go_to(HbgDue *self, HbgHyperTime at, HbgHyperTime *next) {
  HbgSim *sim = self->sim;
  int32_t count = 0;
  HbgDecision decision = HBG_DECIDED_BY_VALUES;
  *next = never;
  for (int32_t which = 0; which < self->count; which++) {
    HbgDueGroup *group = &self->groups[which];
    const HbgFollower *follower = group->follower;
    if (group->next.eps == at.eps && group->next.n == at.n) {
      hbg_recipe_put_row(follower, ++group->row);
      look_ahead(group);
      const HbgRecipeCause *cause = &follower->recipe->rows[group->row].cause;
      if (cause->end > cause->start && cause->decision > decision) decision = cause->decision;
      for (int32_t guard = cause->start; guard < cause->end; guard++)
        self->fired[count++] =
            hbg_guards_at(&sim->guards, follower->use->machines[follower->recipe->guards[guard].machine], follower->recipe->guards[guard].place);
    } else if (at.n == 0 && at.eps > 0) {
      hbg_recipe_forget_areas(follower); // it rests
    }
    if (is_before(group->next, *next)) *next = group->next;
  }
  if (sim->options.without_causes) return "";
  sort_guards(self->fired, count); // as the event iteration finds them
  return count ? hbg_fired_text(sim, self->fired, count, decision) : "";
}

static bool begin_rows(HbgDue *self) {
  HbgSim *sim = self->sim;
  int32_t most = 0;
  hbg_scope_empty(sim);
  for (int32_t at = 0; at < self->count; at++) {
    HbgDueGroup *group = &self->groups[at];
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
static void show_rows(HbgDue *self, bool has_jump) {
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

static HbgStatus note_rhythms(HbgDue *self) {
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

HbgStatus hbg_due_take_effect(HbgDue *self) {
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
    hbg_due_look_at(sim, &self->groups[at]);
    hbg_recipe_go_on(self->groups[at].follower);
  }
  return HBG_OK;
}
