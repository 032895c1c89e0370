/* SPDX-License-Identifier: BSD-3-Clause
 * Which machines slide, and how they may stop to. */
#include "hybrid/slide.h"

#include <math.h>

#include "hybrid/sim.h"

void hbg_slides_begin(HbgSim *sim) {
  HbgSlides *slides = &sim->slides;
  HbgArena *arena = sim->arena;
  const int32_t machines = sim->model->machine_count, states = sim->model->state_count;
  slides->is_allowed = sim->options.sliding && !(sim->options.convergence_factor > 0);
  slides->of_machine = ARENA_NEW(arena, HbgSurface *, machines);
  slides->disarmed = ARENA_NEW(arena, HbgDisarmed, machines);
  slides->left = ARENA_NEW(arena, double, machines);
  for (int32_t machine = 0; machine < machines; machine++) slides->left[machine] = -(double)INFINITY;
  slides->refusal = ARENA_NEW(arena, const char *, machines);
  slides->surfaces = hbg_key_table(arena);
  slides->slides = hbg_key_table(arena);
  slides->known_groups = hbg_key_table(arena);
  slides->of_tick = ARENA_NEW(arena, HbgSurfaceList, sim->model->tick_count);
  slides->rate = ARENA_NEW(arena, double, states);
  slides->changers = ARENA_NEW(arena, int32_t, states);
  slides->needers = ARENA_NEW(arena, int32_t, states);
  slides->are_known = true;
  slides->place = ARENA_NEW(arena, int32_t, states);
  slides->stamp_of_state = ARENA_NEW(arena, int32_t, states);
}

/* ---- ways out ---- */

const HbgConjunction *hbg_leaving(const HbgSim *sim, int32_t machine, int32_t *count) {
  const HbgSurface *surface = sim->slides.of_machine[machine];
  if (!surface) return hbg_guards_leaving(&sim->guards, machine, sim->now.phi[machine], count);
  int32_t at = 0;
  while (surface->machines[at] != machine) at++;
  *count = surface->ways_out[at].count;
  return surface->ways_out[at].list;
}

static void add_way_out(HbgSim *sim, HbgSurface *surface, int32_t at, HbgConjunction way, int32_t to, bool ends_there) {
  HbgWaysOut *ways = &surface->ways_out[at];
  way.machine = surface->machines[at];
  way.from = surface->here[at];
  way.to = to;
  way.surface = surface;
  way.ends_there = ends_there;
  way.distance = NULL;
  ARENA_PUSH(sim->arena, ways->list, ways->count, ways->capacity) = way;
}

/* A way out of the slide as a whole, where `factor` holds; told of as the transition of `origin`. */
static void add_end(HbgSim *sim, HbgSurface *surface, HbgExpr factor, const HbgConjunction *origin, bool ends_there) {
  HbgConjunction way = hbg_conjunction(&sim->guards, &sim->laws.pool, sim->arena, &factor, 1);
  way.transition = origin->transition;
  add_way_out(sim, surface, 0, way, ends_there ? surface->there[0] : surface->here[0], ends_there);
}

/* The share leaves [0, 1]: from then on one of the two sides leads away from the surface. */
static void add_ends_by_share(HbgSim *sim, HbgSurface *surface) {
  HbgExprPool *pool = &sim->laws.pool;
  const HbgExpr share = hbg_expr_leaf(pool, HBG_OP_SHARE, surface->machines[0], 0);
  const HbgExpr zero = hbg_expr_constant(pool, 0), one = hbg_expr_constant(pool, 1);
  add_end(sim, surface, hbg_expr_binary(pool, HBG_OP_LESS, share, zero), surface->back, false);
  add_end(sim, surface, hbg_expr_binary(pool, HBG_OP_GREATER, share, one), surface->to, true);
}

/* What else a guard asks for does not hold any more: it leads nowhere, and the machines stay where it would lead away from. */
static void add_ends_by_factors(HbgSim *sim, HbgSurface *surface, const HbgConjunction *guard, int32_t of_surface,
                                bool ends_there) {
  for (int32_t at = 0; at < guard->atom_count; at++)
    if (at != of_surface)
      add_end(sim, surface, hbg_condition_negated(&sim->laws.pool, guard->factors[at]), guard, ends_there);
}

/* Is difference `which` of a guard the difference `of` of another one, 1, the same with its sides exchanged, -1, or neither, 0? */
static int is_about(const HbgConjunction *guard, int32_t which, const HbgConjunction *other, int32_t of) {
  const HbgExpr *own = &guard->sides[2 * which], *sides = &other->sides[2 * of];
  if (own[0] == sides[0] && own[1] == sides[1]) return 1;
  return own[0] == sides[1] && own[1] == sides[0] ? -1 : 0;
}

static bool touches(const HbgConjunction *guard, const HbgConjunction *other, int32_t of) {
  for (int32_t which = 0; which < guard->difference_count; which++)
    if (is_about(guard, which, other, of)) return true;
  return false;
}

/* Do both ask for different sides of one difference? */
static bool are_opposite(const HbgConjunction *guard, int32_t which, const HbgConjunction *other, int32_t of) {
  const int sense = is_about(guard, which, other, of);
  return sense && hbg_conjunction_allows(guard, which, 1) != hbg_conjunction_allows(other, of, sense) &&
         hbg_conjunction_allows(guard, which, -1) != hbg_conjunction_allows(other, of, -sense);
}

/* The other guards of both states count as long as the slide lasts. */
static void add_other_guards(HbgSim *sim, HbgSurface *surface, int32_t at, bool is_there) {
  const int32_t state = is_there ? surface->there[at] : surface->here[at];
  int32_t count;
  const HbgConjunction *leaving = hbg_guards_leaving(&sim->guards, surface->machines[at], state, &count);
  for (int32_t which = 0; which < count; which++) {
    const HbgConjunction *guard = &leaving[which];
    const int32_t across = is_there ? surface->here[at] : surface->there[at];
    if (guard == surface->to || guard == surface->back || touches(guard, surface->to, surface->which)) continue;
    // machines that only follow the first one switch back by guards that read its state
    if (at > 0 && guard->to == across) continue;
    add_way_out(sim, surface, at, *guard, guard->to, guard->to == surface->there[at] && !is_there);
  }
}

static void add_ways_out(HbgSim *sim, HbgSurface *surface) {
  surface->ways_out = ARENA_NEW(sim->arena, HbgWaysOut, surface->count);
  add_ends_by_share(sim, surface);
  add_ends_by_factors(sim, surface, surface->to, surface->to->factor_of[surface->which], false);
  add_ends_by_factors(sim, surface, surface->back, surface->back->factor_of[surface->back_which], true);
  for (int32_t at = 0; at < surface->count; at++) {
    add_other_guards(sim, surface, at, false);
    add_other_guards(sim, surface, at, true);
  }
}

/* ---- surfaces ---- */

static int32_t *copy(HbgArena *arena, const int32_t *list, int32_t count) {
  int32_t *made = ARENA_NEW(arena, int32_t, count);
  for (int32_t at = 0; at < count; at++) made[at] = list[at];
  return made;
}

static HbgSurface *make_surface(HbgSim *sim, const HbgSurface *wanted) {
  HbgSurface *surface = ARENA_NEW(sim->arena, HbgSurface, 1);
  *surface = *wanted;
  surface->machines = copy(sim->arena, wanted->machines, wanted->count);
  surface->here = copy(sim->arena, wanted->here, wanted->count);
  surface->there = copy(sim->arena, wanted->there, wanted->count);
  surface->sign = hbg_conjunction_allows(wanted->to, wanted->which, 1) ? 1 : -1;
  surface->number = sim->slides.surfaces.count;
  add_ways_out(sim, surface);
  return surface;
}

HbgSurface *hbg_surface(HbgSim *sim, const HbgSurface *wanted) {
  HbgKey key = hbg_key(&sim->scratch);
  hbg_key_add(&key, (int32_t)(wanted->to - sim->guards.list));
  hbg_key_add(&key, wanted->which);
  hbg_key_add(&key, (int32_t)(wanted->back - sim->guards.list));
  hbg_key_add(&key, wanted->back_which);
  for (int32_t at = 0; at < wanted->count; at++) {
    hbg_key_add(&key, wanted->machines[at]);
    hbg_key_add(&key, wanted->here[at]);
    hbg_key_add(&key, wanted->there[at]);
  }
  HbgSurface *surface = hbg_key_table_find(&sim->slides.surfaces, key.list, key.count);
  if (surface) return surface;
  surface = make_surface(sim, wanted);
  hbg_key_table_add(&sim->slides.surfaces, copy(sim->arena, key.list, key.count), key.count, surface);
  return surface;
}

void hbg_surface_activate(HbgSim *sim, HbgSurface *surface) {
  HbgSlides *slides = &sim->slides;
  surface->is_active = true;
  surface->begun = sim->scope.stamp;
  surface->slide = NULL;
  hbg_surface_note(sim, surface);
  for (int32_t at = 0; at < surface->count; at++) slides->of_machine[surface->machines[at]] = surface;
  ARENA_PUSH(sim->arena, slides->active, slides->count, slides->capacity) = surface;
  // by their first machines, whatever the order in which they were entered
  for (int32_t at = slides->count - 1; at > 0 && slides->active[at - 1]->machines[0] > surface->machines[0]; at--) {
    slides->active[at] = slides->active[at - 1];
    slides->active[at - 1] = surface;
  }
}

void hbg_surface_end(HbgSim *sim, HbgSurface *surface, bool is_there) {
  HbgSlides *slides = &sim->slides;
  surface->is_active = false;
  surface->slide = NULL;
  hbg_surface_note(sim, surface);
  for (int32_t at = 0; at < surface->count; at++) {
    slides->of_machine[surface->machines[at]] = NULL;
    slides->disarmed[surface->machines[at]] = (HbgDisarmed){0};
    sim->now.phi[surface->machines[at]] = is_there ? surface->there[at] : surface->here[at];
  }
  int32_t kept = 0;
  for (int32_t at = 0; at < slides->count; at++)
    if (slides->active[at] != surface) slides->active[kept++] = slides->active[at];
  slides->count = kept;
  slides->disarmed[surface->machines[0]] =
      is_there ? (HbgDisarmed){surface->back, surface->back_which} : (HbgDisarmed){surface->to, surface->which};
}

/* Is the difference of a disarmed guard nothing there? */
static bool is_on_surface(const HbgSim *sim, const HbgConjunction *guard, int32_t which, const HbgValues *now, const HbgValues *before) {
  HbgValues seen = *now, seen_before = *before;
  seen.state_scale = seen_before.state_scale = sim->scale; // near a surface values are small
  hbg_probe_run_pairs((HbgProbe *)(uintptr_t)&guard->probe, &seen, &seen_before); /* its registers are work space */
  const HbgPair *difference = hbg_probe_pair(&guard->probe, 1 + which);
  return fabs(difference->value) <= HBG_AREA_BAND * difference->value_size;
}

/* Parts with clocks of their own do not look where a difference has been meanwhile: what comes back by a jump has left. */
bool hbg_is_disarmed(const HbgSim *sim, const HbgConjunction *guard, const HbgValues *now, const HbgValues *before) {
  const HbgDisarmed *disarmed = &sim->slides.disarmed[guard->machine];
  return disarmed->guard == guard && is_on_surface(sim, guard, disarmed->which, before, before) && is_on_surface(sim, guard, disarmed->which, now, before);
}

void hbg_surface_cross(HbgSim *sim, const HbgConjunction *fired) {
  HbgDisarmed *disarmed = &sim->slides.disarmed[fired->machine];
  *disarmed = (HbgDisarmed){0};
  if (!sim->slides.is_allowed || fired->surface) return;
  int32_t count;
  const HbgConjunction *leaving = hbg_guards_leaving(&sim->guards, fired->machine, fired->to, &count);
  for (int32_t at = 0; at < count; at++) {
    const HbgConjunction *back = &leaving[at];
    for (int32_t which = 0; back->to == fired->from && which < back->difference_count; which++)
      for (int32_t own = 0; own < fired->difference_count; own++)
        if (are_opposite(fired, own, back, which)) *disarmed = (HbgDisarmed){back, which};
  }
}

const char *hbg_surface_name(const HbgSim *sim, const HbgSurface *surface) {
  HbgText text = hbg_text(sim->arena);
  for (int32_t at = 0; at < surface->count; at++)
    hbg_text_add(&text, "%s%s", at ? ", " : "", sim->model->machines[surface->machines[at]].name);
  return text.bytes;
}
