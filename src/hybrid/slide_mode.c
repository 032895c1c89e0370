/* SPDX-License-Identifier: BSD-3-Clause
 * What a slide is in the present mode of the other machines, and what becomes of all of them when that changes. Every slide and group ever met is
 * kept, as islands are. */
#include "hybrid/slide_line.h"
#include "hybrid/slide_parts.h"

static void add_to_key(HbgKey *key, const HbgIslandList *islands) {
  hbg_key_add(key, -1);
  for (int32_t at = 0; at < islands->count; at++) hbg_key_add(key, islands->list[at]->number);
}

static void add_surface(HbgSim *sim, HbgSurfaceList *list, HbgSurface *surface) {
  int32_t known = 0;
  while (known < list->count && list->list[known] != surface) known++;
  if (known == list->count) ARENA_PUSH(sim->arena, list->list, list->count, list->capacity) = surface;
}

/* When one of them goes, the surface is to be looked at. */
static void note_surface(HbgSim *sim, const HbgIslandList *islands, HbgSurface *surface) {
  for (int32_t at = 0; at < islands->count; at++) {
    HbgIsland *island = islands->list[at];
    if (!island->surfaces) island->surfaces = ARENA_NEW(sim->arena, HbgSurfaceList, 1);
    add_surface(sim, island->surfaces, surface);
  }
}

static bool turns_at_instants(const HbgExprNode *leaf) {
  return leaf->op == HBG_OP_TICK || leaf->op == HBG_OP_VARIABLE || leaf->op == HBG_OP_IN_STATE || leaf->op == HBG_OP_IS_ON;
}

static bool note_turning(HbgExprPool *pool, HbgExpr expr, void *user) {
  bool *turns = user;
  *turns = *turns || turns_at_instants(hbg_expr_node(pool, expr));
  return !*turns;
}

static bool any_turns(const HbgIslandList *islands) {
  for (int32_t at = 0; at < islands->count; at++) {
    const HbgIsland *island = islands->list[at];
    if (!island->is_hanging && (island->program->template.tick_count || island->program->template.discrete_count)) return true;
  }
  return false;
}

static bool surface_reads_mode(const HbgSlide *slide) {
  const HbgProgram *program = &slide->surface->to->probe.program;
  for (int32_t at = 0; at < program->input_count; at++)
    if (turns_at_instants(&program->inputs[at].leaf)) return true;
  return false;
}

/* Of itself, or of what both sides are. */
static bool reads_mode(HbgSim *sim, const HbgSlide *slide) {
  bool turns = slide->surface_reads_mode || any_turns(&slide->read) || any_turns(&slide->islands);
  for (int32_t at = 0; at < slide->integrators.count && !turns; at++)
    hbg_expr_visit(&sim->laws.pool, sim->model->states[slide->integrators.list[at]].input, note_turning, &turns);
  return turns;
}

/* What a guard or a law that hangs reads. */
static void note_read_ticks(HbgSim *sim, HbgStateList *ticks, const HbgProgram *program) {
  for (int32_t at = 0; at < program->input_count; at++)
    if (program->inputs[at].leaf.op == HBG_OP_TICK) hbg_states_push(&sim->scratch, ticks, program->inputs[at].leaf.index);
}

static void note_ticks(HbgSim *sim, HbgStateList *ticks, const HbgIslandList *islands) {
  for (int32_t at = 0; at < islands->count; at++) {
    HbgIsland *island = islands->list[at];
    if (island->is_hanging) note_read_ticks(sim, ticks, &hbg_island_law(&sim->solver, island)->program);
    for (int32_t tick = 0; !island->is_hanging && tick < island->program->template.tick_count; tick++)
      hbg_states_push(&sim->scratch, ticks, island->binding.ticks[tick]);
  }
}

static void find_ticks(HbgSim *sim, HbgSlide *slide) {
  note_read_ticks(sim, &slide->ticks, &slide->surface->to->probe.program);
  const HbgIslandList *const islands[] = {&slide->here, &slide->there, &slide->islands, &slide->read};
  for (int at = 0; at < 4; at++) note_ticks(sim, &slide->ticks, islands[at]);
  hbg_states_sort(&slide->ticks);
}

static void keep_ticks(HbgSim *sim, HbgSlide *slide) {
  hbg_states_keep(sim->arena, &slide->ticks);
  slide->tick = ARENA_NEW(sim->arena, uint8_t, slide->ticks.count);
  for (int32_t at = 0; at < slide->ticks.count; at++) {
    slide->tick[at] = sim->now.tick[slide->ticks.list[at]];
    add_surface(sim, &sim->slides.of_tick[slide->ticks.list[at]], slide->surface);
  }
}

static bool has_turned(const HbgSim *sim, const HbgSlide *slide) {
  for (int32_t at = 0; at < slide->ticks.count; at++)
    if (slide->tick[at] != sim->now.tick[slide->ticks.list[at]]) return true;
  return false;
}

static HbgSlide *keep_slide(HbgSim *sim, const HbgSlide *found) {
  HbgSlide *slide = ARENA_NEW(sim->arena, HbgSlide, 1);
  *slide = *found;
  keep_ticks(sim, slide);
  slide->number = sim->slides.slides.count;
  slide->surface_reads_mode = surface_reads_mode(slide);
  slide->reads_mode = reads_mode(sim, slide);
  HbgIslandList *islands[] = {&slide->here, &slide->there, &slide->islands, &slide->read};
  HbgStateList *states[] = {&slide->integrators, &slide->support, &slide->needed, &slide->states};
  for (int at = 0; at < 4; at++) {
    hbg_islands_keep(sim->arena, islands[at]);
    hbg_states_keep(sim->arena, states[at]);
  }
  slide->line = hbg_slide_line(sim, slide);
  if (slide->line) hbg_slide_find_own(sim, slide);
  for (int at = 0; at < 4; at++)
    if (islands[at] != &slide->there) note_surface(sim, islands[at], slide->surface);
  return slide;
}

HbgSlide *hbg_slide(HbgSim *sim, HbgSurface *surface) {
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  HbgSlide found = {.surface = surface};
  hbg_slide_find_sides(sim, &found);
  hbg_slide_find_needs(sim, &found);
  find_ticks(sim, &found);
  HbgKey key = hbg_key(&sim->scratch);
  hbg_key_add(&key, surface->number);
  add_to_key(&key, &found.there);
  add_to_key(&key, &found.islands);
  add_to_key(&key, &found.read);
  for (int32_t at = 0; at < found.ticks.count; at++) hbg_key_add(&key, 2 * found.ticks.list[at] + (sim->now.tick[found.ticks.list[at]] != 0));
  HbgSlide *slide = hbg_key_table_find(&sim->slides.slides, key.list, key.count);
  if (!slide) {
    slide = keep_slide(sim, &found);
    hbg_key_table_add(&sim->slides.slides, hbg_key_keep(&key, sim->arena), key.count, slide);
  }
  hbg_arena_rewind(&sim->scratch, mark);
  return slide;
}

/* ---- after a change of mode ---- */

static bool are_present(const HbgIslandList *islands) {
  for (int32_t at = 0; at < islands->count; at++)
    if (islands->list[at]->place < 0) return false;
  return true;
}

static bool is_up_to_date(const HbgSlide *slide) {
  return slide && are_present(&slide->here) && are_present(&slide->islands) && are_present(&slide->read);
}

static bool is_alone(const HbgSlide *slide) { return slide->line && slide->surface->grouped == slide && slide->group->count == 1; }

void hbg_surface_note(HbgSim *sim, HbgSurface *surface) {
  HbgSurfaceList *stale = &sim->slides.stale;
  if (surface->is_stale) return;
  surface->is_stale = true;
  ARENA_PUSH(sim->arena, stale->list, stale->count, stale->capacity) = surface;
}

void hbg_slides_note_gone(HbgSim *sim, const HbgIsland *island) {
  for (int32_t at = 0; at < island->surfaces->count; at++)
    if (island->surfaces->list[at]->is_active) hbg_surface_note(sim, island->surfaces->list[at]);
}

void hbg_slides_note_turned(HbgSim *sim, int32_t tick) {
  const HbgSurfaceList *of = &sim->slides.of_tick[tick];
  for (int32_t at = 0; at < of->count; at++) {
    HbgSurface *surface = of->list[at];
    if (!surface->is_active || !surface->slide || !has_turned(sim, surface->slide)) continue;
    surface->slide = NULL;
    hbg_surface_note(sim, surface);
  }
}

/* Its islands come and go for that: what they are so far is looked at before. */
static void find_slide(HbgSim *sim, HbgSurface *surface) {
  hbg_scope_touch_machines(sim, surface->machines, surface->count);
  surface->slide = hbg_slide(sim, surface);
}

static void renew_surface(HbgSim *sim, HbgSurface *surface) {
  const HbgSlide *slide = surface->slide;
  if (slide && (is_alone(slide) ? are_present(&slide->own) : is_up_to_date(slide))) return;
  find_slide(sim, surface);
}

/* Slides that are solved for together need all their islands. */
static void group_all(HbgSim *sim) {
  HbgSlides *slides = &sim->slides;
  for (int32_t at = 0; at < slides->count; at++)
    if (!is_up_to_date(slides->active[at]->slide)) find_slide(sim, slides->active[at]);
  hbg_slides_regroup(sim);
}

/* False: all must be grouped anew. */
static bool group_stale(HbgSim *sim) {
  HbgSlides *slides = &sim->slides;
  if (!slides->are_single) return false;
  for (int32_t at = 0; at < slides->stale.count; at++) {
    HbgSurface *surface = slides->stale.list[at];
    if (surface->grouped && surface->grouped != surface->slide) hbg_slides_take_out(sim, surface->grouped);
  }
  for (int32_t at = 0; at < slides->stale.count; at++) {
    HbgSurface *surface = slides->stale.list[at];
    if (surface->slide && surface->grouped != surface->slide && !hbg_slides_put_in(sim, surface->slide)) return false;
  }
  return true;
}

static bool any_moved(const HbgSurfaceList *surfaces) {
  for (int32_t at = 0; at < surfaces->count; at++)
    if (surfaces->list[at]->grouped != surfaces->list[at]->slide) return true;
  return false;
}

bool hbg_slides_renew(HbgSim *sim) {
  HbgSurfaceList *stale = &sim->slides.stale;
  // to see what it is on the other side, a surface makes islands come and go: it is looked at once more
  for (int32_t at = 0; at < stale->count; at++) {
    stale->list[at]->is_stale = false;
    if (stale->list[at]->is_active) renew_surface(sim, stale->list[at]);
  }
  if (any_moved(stale) && !group_stale(sim)) group_all(sim);
  for (int32_t at = 0; at < stale->count; at++) stale->list[at]->is_stale = false;
  stale->count = 0;
  return sim->slides.are_known || hbg_scope_widen(sim);
}
