/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: the order of the updates of discrete variables at one instant. An update comes behind all whose variables it reads,
 * as far as their clocks can tick together (synchronous data flow; A. B. Kahn, "Topological sorting of large networks", 1962). */
#include <string.h>

#include "base/text.h"
#include "model/elaborator.h"
#include "model/time_grid.h"

/* `reader` reads what `read` updates. */
typedef struct Need {
  int32_t reader, read;
} Need;

typedef struct Sorter {
  HbgElaborator *elaborator;
  HbgTimeGrid *grids;       /* of the clocks */
  int32_t *first, *next;    /* the updates of each variable, as a list: first of the variable, next of each update; -1 */
  Need *needs; int32_t need_count, need_capacity;
  int32_t reader;           /* whose expression is walked */
  int32_t *start;           /* readers of update u: list[start[u]] to list[start[u + 1]] */
  int32_t *list;
  int32_t *missing;         /* updates that must still come before */
  int32_t *order, order_count;
} Sorter;

static bool tick_together(const Sorter *self, int32_t a, int32_t b) {
  const HbgFlatModel *model = self->elaborator->model;
  const HbgClock *first = &model->clocks[model->updates[a].clock], *second = &model->clocks[model->updates[b].clock];
  if (first->late >= 0 || second->late >= 0 || first->profile || second->profile) return true;
  return hbg_time_grids_meet(&self->grids[model->updates[a].clock], &self->grids[model->updates[b].clock]);
}

static HbgExpr note_reading(HbgExprPool *pool, HbgExpr leaf, void *user) {
  Sorter *self = user;
  const HbgExprNode *node = hbg_expr_node(pool, leaf);
  if (node->op == HBG_OP_PRE) return leaf; // as it was: of an earlier tick
  if (node->op != HBG_OP_VARIABLE) return 0;
  for (int32_t read = self->first[node->index]; read >= 0; read = self->next[read])
    if (tick_together(self, self->reader, read))
      ARENA_PUSH(self->elaborator->arena, self->needs, self->need_count, self->need_capacity) = (Need){self->reader, read};
  return 0;
}

static void list_updates(Sorter *self) {
  const HbgFlatModel *model = self->elaborator->model;
  for (int32_t variable = 0; variable < model->variable_count; variable++) self->first[variable] = -1;
  for (int32_t update = model->update_count - 1; update >= 0; update--) {
    self->next[update] = self->first[model->updates[update].variable];
    self->first[model->updates[update].variable] = update;
  }
}

static void find_needs(Sorter *self) {
  const HbgFlatModel *model = self->elaborator->model;
  for (self->reader = 0; self->reader < model->update_count; self->reader++)
    if (model->updates[self->reader].value)
      hbg_expr_replace(self->elaborator->pool, model->updates[self->reader].value, note_reading, self);
  for (int32_t at = 0; at < self->need_count; at++) {
    self->start[self->needs[at].read + 1]++;
    self->missing[self->needs[at].reader]++;
  }
  for (int32_t update = 0; update < model->update_count; update++) self->start[update + 1] += self->start[update];
  self->list = ARENA_NEW(self->elaborator->arena, int32_t, self->need_count);
  int32_t *place = ARENA_NEW(self->elaborator->arena, int32_t, model->update_count + 1);
  memcpy(place, self->start, (size_t)(model->update_count + 1) * sizeof *place);
  for (int32_t at = 0; at < self->need_count; at++) self->list[place[self->needs[at].read]++] = self->needs[at].reader;
}

static void sort(Sorter *self) {
  const int32_t count = self->elaborator->model->update_count;
  for (int32_t update = 0; update < count; update++)
    if (!self->missing[update]) self->order[self->order_count++] = update;
  for (int32_t at = 0; at < self->order_count; at++)
    for (int32_t which = self->start[self->order[at]]; which < self->start[self->order[at] + 1]; which++)
      if (--self->missing[self->list[which]] == 0) self->order[self->order_count++] = self->list[which];
}

/* Of every update that waits, one that it waits for and that waits itself. */
static int32_t *list_waiting(const Sorter *self) {
  int32_t *waits_for = ARENA_NEW(self->elaborator->arena, int32_t, self->elaborator->model->update_count);
  for (int32_t at = 0; at < self->need_count; at++)
    if (self->missing[self->needs[at].read] > 0) waits_for[self->needs[at].reader] = self->needs[at].read;
  return waits_for;
}

/* Whoever waits, waits for somebody who waits: that leads into a circle, which is then walked once. */
static void tell_cycle(Sorter *self) {
  HbgElaborator *elaborator = self->elaborator;
  const HbgFlatModel *model = elaborator->model;
  const int32_t *waits_for = list_waiting(self);
  int32_t at = 0;
  while (!self->missing[at]) at++;
  for (int32_t steps = 0; steps < model->update_count; steps++) at = waits_for[at];
  const int32_t begin = at;
  HbgText circle = hbg_text(elaborator->arena);
  int32_t named = 0;
  do {
    if (named++ < 6) hbg_text_add(&circle, "%s -> ", model->variables[model->updates[at].variable].name);
    else if (named == 7) hbg_text_add(&circle, "... -> ");
    at = waits_for[at];
  } while (at != begin);
  hbg_text_add(&circle, "%s", model->variables[model->updates[begin].variable].name);
  if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_SAMPLED_CYCLE, model->updates[begin].span,
                            "at one tick these need each other: %s", circle.bytes))
    HELP(elaborator, "read one of them as it was a tick before: previous(x, clock)");
}

static void rearrange(Sorter *self) {
  HbgFlatModel *model = self->elaborator->model;
  HbgUpdate *sorted = ARENA_NEW(self->elaborator->arena, HbgUpdate, model->update_count);
  for (int32_t at = 0; at < self->order_count; at++) sorted[at] = model->updates[self->order[at]];
  model->updates = sorted;
  self->elaborator->update_capacity = model->update_count;
}

void hbg_elaborate_order_updates(HbgElaborator *elaborator) {
  const HbgFlatModel *model = elaborator->model;
  if (!model->update_count) return;
  HbgArena *arena = elaborator->arena;
  Sorter self = {.elaborator = elaborator,
                 .grids = ARENA_NEW(arena, HbgTimeGrid, model->clock_count),
                 .first = ARENA_NEW(arena, int32_t, model->variable_count),
                 .next = ARENA_NEW(arena, int32_t, model->update_count),
                 .start = ARENA_NEW(arena, int32_t, model->update_count + 1),
                 .missing = ARENA_NEW(arena, int32_t, model->update_count),
                 .order = ARENA_NEW(arena, int32_t, model->update_count)};
  for (int32_t clock = 0; clock < model->clock_count; clock++)
    if (!model->clocks[clock].profile) self.grids[clock] = hbg_time_grid(model->clocks[clock].offset, model->clocks[clock].period);
  list_updates(&self);
  find_needs(&self);
  sort(&self);
  if (self.order_count < model->update_count) tell_cycle(&self);
  else rearrange(&self);
}
