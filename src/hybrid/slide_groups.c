/* SPDX-License-Identifier: BSD-3-Clause
 * Which slides are solved for together: those that change what another one changes or needs, or the same islands. */
#include <string.h>

#include "hybrid/slide_line.h"
#include "hybrid/slide_parts.h"

static bool have_common(const HbgStateList *a, const HbgStateList *b) {
  for (int32_t at = 0; at < a->count; at++)
    for (int32_t which = 0; which < b->count; which++)
      if (a->list[at] == b->list[which]) return true;
  return false;
}

/* All have lines, and none changes what another one changes or needs. */
static bool are_apart(HbgSlide *const *slides, int32_t count) {
  for (int32_t a = 0; a < count; a++) {
    if (!slides[a]->line) return false;
    for (int32_t b = 0; b < count; b++)
      if (a != b && slides[b]->line && (have_common(&slides[a]->line->changed, &slides[b]->line->changed) ||
                                        have_common(&slides[a]->line->changed, &slides[b]->line->needed)))
        return false;
  }
  return true;
}

static bool any_bends(HbgSlide *const *slides, int32_t count) {
  for (int32_t at = 0; at < count; at++)
    if (slides[at]->line->is_bent) return true;
  return false;
}

/* Room for what is computed of `count` slides. */
static void make_room(HbgSlideGroup *group, int32_t count, HbgArena *arena) {
  const int32_t relevant = group->relevant.count;
  group->base = ARENA_NEW(arena, double, relevant);
  group->change = ARENA_NEW(arena, double, count * relevant);
  group->rate = ARENA_NEW(arena, double, relevant);
  group->saved = ARENA_NEW(arena, double, relevant);
  group->approach = ARENA_NEW(arena, double, count);
  group->matrix = ARENA_NEW(arena, double, count * count);
  group->share = ARENA_NEW(arena, double, count);
  group->lu = hbg_lu(arena, count);
}

static void add_slide(HbgSlideGroup *group, const HbgSlide *slide, HbgArena *arena) {
  hbg_islands_append(arena, &group->islands, &slide->islands);
  hbg_states_append(arena, &group->integrators, &slide->integrators);
  hbg_states_append(arena, &group->states, &slide->states);
  hbg_states_append(arena, &group->relevant, &slide->support);
  hbg_states_append(arena, &group->relevant, &slide->needed);
  group->reads_everything = group->reads_everything || slide->reads_everything;
}

static void sort_lists(HbgSlideGroup *group) {
  hbg_islands_sort(&group->islands);
  hbg_states_sort(&group->integrators);
  hbg_states_sort(&group->states);
  hbg_states_sort(&group->relevant);
}

static HbgSlideGroup *make_group(HbgSim *sim, HbgSlide *const *slides, int32_t count) {
  HbgArena *arena = sim->arena;
  HbgSlideGroup *group = ARENA_NEW(arena, HbgSlideGroup, 1);
  group->slides = ARENA_NEW(arena, HbgSlide *, count);
  group->count = count;
  const bool are_known = are_apart(slides, count);
  group->are_bent = are_known && any_bends(slides, count);
  group->are_lines = are_known && !group->are_bent;
  for (int32_t at = 0; at < count; at++) add_slide(group, group->slides[at] = slides[at], arena);
  sort_lists(group);
  HbgExpr *inputs = ARENA_NEW(arena, HbgExpr, group->integrators.count);
  for (int32_t at = 0; at < group->integrators.count; at++) inputs[at] = sim->model->states[group->integrators.list[at]].input;
  group->inputs = hbg_probe(sim->model, &sim->laws.pool, inputs, group->integrators.count, arena);
  make_room(group, count, arena);
  return group;
}

static HbgSlideGroup *group_of(HbgSim *sim, HbgSlide *const *slides, int32_t count) {
  if (count == 1) {
    if (!slides[0]->alone) slides[0]->alone = make_group(sim, slides, 1);
    return slides[0]->alone;
  }
  HbgKey key = hbg_key(&sim->scratch);
  for (int32_t at = 0; at < count; at++) hbg_key_add(&key, slides[at]->number);
  HbgSlideGroup *known = hbg_key_table_find(&sim->slides.known_groups, key.list, key.count);
  if (known) return known;
  known = make_group(sim, slides, count);
  hbg_key_table_add(&sim->slides.known_groups, hbg_key_keep(&key, sim->arena), key.count, known);
  return known;
}

static int32_t root_of(int32_t *parent, int32_t at) {
  while (parent[at] != at) at = parent[at] = parent[parent[at]];
  return at;
}

/* The smaller one becomes the root: groups are in the order of their first slides. */
static void join(int32_t *parent, int32_t a, int32_t b) {
  a = root_of(parent, a);
  b = root_of(parent, b);
  if (a < b) parent[b] = a;
  else parent[a] = b;
}

static void join_by_islands(HbgSim *sim, int32_t *parent) {
  HbgSlides *slides = &sim->slides;
  for (int32_t at = 0; at < slides->count; at++) {
    const HbgIslandList *here = &slides->active[at]->slide->here;
    for (int32_t which = 0; which < here->count; which++) {
      HbgIsland *island = here->list[which];
      if (island->slide_stamp == slides->stamp) join(parent, at, island->slide_place);
      island->slide_stamp = slides->stamp;
      island->slide_place = at;
    }
  }
}

/* Two belong together when one changes rates that the other one changes, too, or needs; or the same islands. */
static int32_t *find_groups(HbgSim *sim) {
  HbgSlides *slides = &sim->slides;
  int32_t *parent = ARENA_NEW(&sim->scratch, int32_t, slides->count);
  slides->stamp++;
  for (int32_t at = 0; at < slides->count; at++) {
    parent[at] = at;
    const HbgSlide *slide = slides->active[at]->slide;
    const HbgStateList *support = slide->line ? &slide->line->changed : &slide->support;
    for (int32_t which = 0; which < support->count; which++) {
      const int32_t state = support->list[which];
      if (slides->stamp_of_state[state] == slides->stamp) join(parent, at, slides->place[state]);
      slides->stamp_of_state[state] = slides->stamp;
      slides->place[state] = at;
    }
  }
  for (int32_t at = 0; at < slides->count; at++) {
    const HbgSlide *slide = slides->active[at]->slide;
    const HbgStateList *needed = slide->line ? &slide->line->needed : &slide->needed;
    for (int32_t which = 0; which < needed->count; which++)
      if (slides->stamp_of_state[needed->list[which]] == slides->stamp) join(parent, at, slides->place[needed->list[which]]);
  }
  join_by_islands(sim, parent);
  return parent;
}

/* The islands that a slide changes. */
static void set_sliding(const HbgSlide *slide, HbgSlideGroup *group) {
  for (int32_t at = 0; at < slide->here.count; at++) slide->here.list[at]->sliding = group;
}

static void set_group(HbgSlide *slide, HbgSlideGroup *group, int32_t place) {
  slide->group = group;
  slide->place = place;
  slide->surface->grouped = slide;
  set_sliding(slide, group);
}

static void set_groups(HbgSim *sim) {
  for (int32_t at = 0; at < sim->slides.group_count; at++)
    for (int32_t place = 0; place < sim->slides.groups[at]->count; place++)
      set_group(sim->slides.groups[at]->slides[place], sim->slides.groups[at], place);
}

static void forget_groups(HbgSim *sim) {
  for (int32_t at = 0; at < sim->slides.group_count; at++)
    for (int32_t place = 0; place < sim->slides.groups[at]->count; place++) {
      HbgSlide *slide = sim->slides.groups[at]->slides[place];
      slide->surface->grouped = NULL;
      set_sliding(slide, NULL);
    }
  sim->slides.group_count = 0;
}

static void count(int32_t *of_state, const HbgStateList *states, int32_t step) {
  for (int32_t at = 0; at < states->count; at++) of_state[states->list[at]] += step;
}

static void count_line(HbgSlides *slides, const HbgSlide *slide, int32_t step) {
  if (!slide->line->is_near) slides->far_count += step;
  if (slide->line->is_bent) slides->bent_count += step;
  if (slide->line->carried.follows_time) slides->carried_count += step;
  count(slides->changers, &slide->line->changed, step);
  count(slides->needers, &slide->line->needed, step);
}

/* Are there but lines? Then it is counted who needs and changes which state. */
static void count_lines(HbgSim *sim) {
  HbgSlides *slides = &sim->slides;
  slides->are_known = true;
  slides->are_single = true;
  for (int32_t at = 0; at < slides->group_count; at++) {
    if (!hbg_slide_group_is_known(slides->groups[at])) slides->are_known = false;
    if (slides->groups[at]->count > 1) slides->are_single = false;
  }
  if (!slides->are_known) slides->are_single = false;
  slides->far_count = slides->bent_count = slides->carried_count = 0;
  if (!slides->are_known || !sim->model->state_count) return;
  memset(slides->changers, 0, (size_t)sim->model->state_count * sizeof *slides->changers);
  memset(slides->needers, 0, (size_t)sim->model->state_count * sizeof *slides->needers);
  for (int32_t at = 0; at < slides->group_count; at++)
    for (int32_t which = 0; which < slides->groups[at]->count; which++) count_line(slides, slides->groups[at]->slides[which], 1);
}

void hbg_slides_regroup(HbgSim *sim) {
  HbgSlides *slides = &sim->slides;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  forget_groups(sim);
  int32_t *parent = find_groups(sim);
  int32_t *next = ARENA_NEW(&sim->scratch, int32_t, slides->count), *last = ARENA_NEW(&sim->scratch, int32_t, slides->count);
  for (int32_t at = slides->count - 1; at >= 0; at--) next[at] = -1;
  for (int32_t at = 0; at < slides->count; at++) {
    const int32_t root = root_of(parent, at);
    if (root != at) next[last[root]] = at;
    last[root] = at;
  }
  HbgSlide **members = ARENA_NEW(&sim->scratch, HbgSlide *, slides->count);
  for (int32_t at = 0; at < slides->count; at++) {
    if (root_of(parent, at) != at) continue;
    int32_t count = 0;
    for (int32_t member = at; member >= 0; member = next[member]) members[count++] = slides->active[member]->slide;
    ARENA_PUSH(sim->arena, slides->groups, slides->group_count, slides->group_capacity) = group_of(sim, members, count);
  }
  set_groups(sim);
  count_lines(sim);
  hbg_arena_rewind(&sim->scratch, mark);
}

/* ---- groups of one slide, where all are ---- */

static bool any_has(const int32_t *of_state, const HbgStateList *states) {
  for (int32_t at = 0; at < states->count; at++)
    if (of_state[states->list[at]]) return true;
  return false;
}

void hbg_slides_take_out(HbgSim *sim, HbgSlide *slide) {
  HbgSlides *slides = &sim->slides;
  int32_t kept = 0;
  for (int32_t at = 0; at < slides->group_count; at++)
    if (slides->groups[at] != slide->group) slides->groups[kept++] = slides->groups[at];
  slides->group_count = kept;
  slide->surface->grouped = NULL;
  set_sliding(slide, NULL);
  count_line(slides, slide, -1);
}

static int32_t first_machine(const HbgSlideGroup *group) { return group->slides[0]->surface->machines[0]; }

static bool changes_alone(const HbgSlide *slide) {
  for (int32_t at = 0; at < slide->here.count; at++)
    if (slide->here.list[at]->sliding) return false;
  return true;
}

/* False: it has no line, or it and another slide have to do with each other. */
bool hbg_slides_put_in(HbgSim *sim, HbgSlide *slide) {
  HbgSlides *slides = &sim->slides;
  if (!slide->line || !changes_alone(slide) || any_has(slides->changers, &slide->line->changed) || any_has(slides->changers, &slide->line->needed) ||
      any_has(slides->needers, &slide->line->changed))
    return false;
  HbgSlideGroup *group = group_of(sim, &slide, 1);
  ARENA_PUSH(sim->arena, slides->groups, slides->group_count, slides->group_capacity) = group;
  for (int32_t at = slides->group_count - 1; at > 0 && first_machine(slides->groups[at - 1]) > first_machine(group); at--) {
    slides->groups[at] = slides->groups[at - 1];
    slides->groups[at - 1] = group;
  }
  set_group(slide, group, 0);
  count_line(slides, slide, 1);
  return true;
}
