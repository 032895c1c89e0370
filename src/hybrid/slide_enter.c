/* SPDX-License-Identifier: BSD-3-Clause
 * Do machines that have just switched on a surface begin to slide on it? They do when the dynamics of both sides lead to the
 * surface; of several surfaces at once, when those of all their sides do. */

#include "hybrid/departure.h"
#include "hybrid/near.h"
#include "hybrid/sim.h"
#include "hybrid/slide_candidate.h"
#include "hybrid/transcript.h"

typedef struct Entry {
  HbgSim *sim;
  const int32_t *first_phi;
  int32_t *there;      /* states the machines have switched to (machine_count) */
  uint8_t *is_first;   /* it was switched by a located guard (machine_count) */
  int32_t *changed;    /* machines that have switched, those of candidates first */
  int32_t changed_count;
  HbgSlideCandidate *candidates;
  int32_t count, capacity;
  HbgSurface **surfaces; int32_t surface_count; /* on which they may slide */
  int32_t *first_of;   /* the candidate of each */
  HbgSurface **crossed; int32_t crossed_count;  /* that are crossed after all */
} Entry;

/* ---- candidates ---- */

/* Every machine that was switched by a located guard must have a way back; the others follow these. */
static bool find_candidates(Entry *self, const HbgConjunction *const *located, int32_t located_count) {
  HbgSim *sim = self->sim;
  self->is_first = ARENA_NEW(&sim->scratch, uint8_t, sim->model->machine_count);
  for (int32_t at = 0; at < located_count; at++) {
    const HbgConjunction *to = located[at];
    if (to->surface) return false;
    if (self->first_phi[to->machine] != to->from || sim->now.phi[to->machine] != to->to || self->is_first[to->machine]) continue;
    HbgSlideCandidate candidate;
    if (!hbg_slide_candidate(sim, to, &candidate)) return false;
    self->is_first[to->machine] = 1;
    ARENA_PUSH(&sim->scratch, self->candidates, self->count, self->capacity) = candidate;
  }
  return self->count > 0;
}

static HbgProbe *probe_of(const HbgConjunction *guard) {
  return (HbgProbe *)(uintptr_t)&guard->probe; /* its registers are work space */
}

/* In the mode that it has switched to, what leads back becomes false. */
static bool leaves(HbgSim *sim, const HbgSlideCandidate *candidate) {
  HbgDeparture *departure = ARENA_NEW(&sim->scratch, HbgDeparture, 1);
  const int side = hbg_departure(sim, candidate->back, candidate->back_which, departure);
  if (!side || hbg_conjunction_allows(candidate->back, candidate->back_which, side)) return false;
  hbg_transcript_departure(sim, departure);
  return true;
}

bool hbg_slides_may_begin(HbgSim *sim, const HbgConjunction *const *located, int32_t located_count) {
  Entry self = {.sim = sim, .first_phi = sim->scope.first_phi};
  HbgSlideCandidate candidate;
  bool may_begin = false;
  for (int32_t at = 0; sim->slides.is_allowed && at < located_count; at++) {
    const HbgConjunction *to = located[at];
    if (to->surface) return false;
    if (self.first_phi[to->machine] != to->from || sim->now.phi[to->machine] != to->to) continue;
    if (hbg_slide_is_out(sim, to)) return false;
    if (!hbg_slide_candidate(sim, to, &candidate) || !hbg_slide_may_share_surface(sim, &candidate) || leaves(sim, &candidate)) return false;
    may_begin = true;
  }
  return may_begin;
}

static bool list_changed(Entry *self) {
  HbgSim *sim = self->sim;
  const int32_t machines = sim->model->machine_count;
  self->changed = ARENA_NEW(&sim->scratch, int32_t, machines);
  self->there = ARENA_NEW(&sim->scratch, int32_t, machines);
  for (int32_t at = 0; at < self->count; at++) self->changed[self->changed_count++] = self->candidates[at].to->machine;
  int32_t count;
  const int32_t *list = hbg_scope_machines(sim, &count); // no other has switched
  for (int32_t at = 0; at < count; at++) {
    const int32_t machine = list[at];
    self->there[machine] = sim->now.phi[machine];
    if (sim->now.phi[machine] == self->first_phi[machine]) continue;
    if (sim->slides.left[machine] >= sim->now.time) continue; // it follows nobody: it was on a surface of its own
    if (sim->slides.of_machine[machine]) return false;
    if (!self->is_first[machine]) self->changed[self->changed_count++] = machine;
  }
  return true;
}

/* Candidates about one difference switch together; one may be written the other way round. */
static void find_surfaces(Entry *self) {
  for (int32_t at = 0; at < self->count; at++) {
    HbgSlideCandidate *candidate = &self->candidates[at];
    const HbgExpr *own = &candidate->to->sides[2 * candidate->which];
    candidate->surface = at;
    for (int32_t other = 0; other < at && candidate->surface == at; other++) {
      const HbgExpr *sides = &self->candidates[other].to->sides[2 * self->candidates[other].which];
      if ((own[0] == sides[0] && own[1] == sides[1]) || (own[0] == sides[1] && own[1] == sides[0]))
        candidate->surface = self->candidates[other].surface;
    }
    if (candidate->surface == at) self->surface_count++;
  }
}

/* ---- do those that follow come back, too? ---- */

static int32_t count_followers(const Entry *self) { return self->changed_count - self->count; }

/* The state a guard that holds now leads a machine to, which has not been among those of the surface. */
static int32_t next_state(HbgSim *sim, int32_t machine) {
  int32_t count;
  const HbgConjunction *leaving = hbg_guards_leaving(&sim->guards, machine, sim->now.phi[machine], &count);
  for (int32_t at = 0; at < count; at++) {
    if (!leaving[at].is_a_posteriori) continue;
    hbg_probe_run_pairs(probe_of(&leaving[at]), &sim->now, &sim->before);
    if (hbg_probe_pair(&leaving[at].probe, 0)->value > 0.5) return leaving[at].to;
  }
  return sim->now.phi[machine];
}

static bool follow(Entry *self) {
  HbgSim *sim = self->sim;
  bool has_moved = false;
  int32_t *next = ARENA_NEW(&sim->scratch, int32_t, self->changed_count);
  for (int32_t at = self->count; at < self->changed_count; at++) next[at] = next_state(sim, self->changed[at]);
  for (int32_t at = self->count; at < self->changed_count; at++) {
    if (sim->now.phi[self->changed[at]] != next[at]) has_moved = true;
    sim->now.phi[self->changed[at]] = next[at];
  }
  return has_moved;
}

static bool enter(Entry *self) {
  HbgSim *sim = self->sim;
  bool jumped = false;
  hbg_mode_enter(sim, self->changed, self->changed_count);
  return hbg_evaluate_instant(sim, &jumped) && !jumped && !sim->solver.conflicts.first.island;
}

static void set_phi(Entry *self, const int32_t *phi) {
  for (int32_t at = 0; at < self->changed_count; at++) self->sim->now.phi[self->changed[at]] = phi[self->changed[at]];
}

/* From there the machines of the surface go back; do the others then, by their guards? */
static bool followers_return(Entry *self) {
  HbgSim *sim = self->sim;
  if (!count_followers(self)) return true;
  for (int32_t at = 0; at < self->count; at++) sim->now.phi[self->changed[at]] = self->first_phi[self->changed[at]];
  for (int32_t round = 0; round <= count_followers(self); round++)
    if (!enter(self) || !follow(self)) break;
  for (int32_t at = 0; at < self->changed_count; at++)
    if (sim->now.phi[self->changed[at]] != self->first_phi[self->changed[at]]) return false;
  return true;
}

/* ---- surfaces ---- */

/* The surface of candidate `first`, with the machines of all candidates about it; of a single surface, also with those that follow. */
static HbgSurface *make_surface(Entry *self, int32_t first) {
  HbgSim *sim = self->sim;
  HbgSurface wanted = {.to = self->candidates[first].to, .back = self->candidates[first].back, .which = self->candidates[first].which,
                       .back_which = self->candidates[first].back_which};
  wanted.machines = ARENA_NEW(&sim->scratch, int32_t, self->changed_count);
  wanted.here = ARENA_NEW(&sim->scratch, int32_t, self->changed_count);
  wanted.there = ARENA_NEW(&sim->scratch, int32_t, self->changed_count);
  for (int32_t at = 0; at < self->changed_count; at++) {
    if (at < self->count && self->candidates[at].surface != first) continue;
    const int32_t machine = self->changed[at];
    wanted.machines[wanted.count] = machine;
    wanted.here[wanted.count] = self->first_phi[machine];
    wanted.there[wanted.count++] = self->there[machine];
  }
  return hbg_surface(sim, &wanted);
}

static void cross(Entry *self) {
  HbgSim *sim = self->sim;
  for (int32_t at = 0; at < self->crossed_count; at++) {
    HbgSurface *surface = self->crossed[at];
    hbg_surface_end(sim, surface, true);
    sim->slides.disarmed[surface->machines[0]] = (HbgDisarmed){0};
    hbg_mode_enter(sim, surface->machines, surface->count);
  }
  self->crossed_count = 0;
}

/* What is the same on both sides, as a brake that is not put on, has no share, and would leave those of others open. */
static bool changes_something(Entry *self, int32_t at) {
  HbgSlide *slide = self->surfaces[at]->slide;
  bool leads_there;
  if (slide->group->count == 1) return true; // by itself it leads nowhere, and no others are asked with it
  if (self->sim->is_near) hbg_near_know_states(self->sim, &slide->group->states);
  return !hbg_slide_is_void(self->sim, slide, &leads_there);
}

static bool leads_there(Entry *self, int32_t at) {
  return hbg_slide_leads_there(self->sim, self->surfaces[at], &self->candidates[self->first_of[at]], self->surface_count == 1);
}

/* Keeps the surfaces for which that is so; all others are to be crossed. Answers whether there are none. */
static bool keep(Entry *self, bool (*is_kept)(Entry *self, int32_t at)) {
  int32_t kept = 0;
  for (int32_t at = 0; at < self->surface_count; at++) {
    if (is_kept(self, at)) {
      self->surfaces[kept] = self->surfaces[at];
      self->first_of[kept++] = self->first_of[at];
    } else {
      self->crossed[self->crossed_count++] = self->surfaces[at];
    }
  }
  self->surface_count = kept;
  return !self->crossed_count;
}

/* Several that are reached at once must each be attractive whatever the others do, or slide in the only choice that there is; those that do not are
 * crossed. */
static bool settle_on_surfaces(Entry *self) {
  HbgSim *sim = self->sim;
  set_phi(self, self->first_phi);
  hbg_mode_enter(sim, self->changed, self->changed_count);
  for (int32_t at = 0; at < self->surface_count; at++) hbg_surface_activate(sim, self->surfaces[at]);
  while (self->surface_count) {
    if (!hbg_slides_renew(sim)) return false;
    if (keep(self, changes_something) && keep(self, leads_there)) return true;
    cross(self);
  }
  return false;
}

static const char *text_of(Entry *self) {
  HbgSim *sim = self->sim;
  HbgText text = hbg_text(&sim->scratch);
  for (int32_t at = 0; at < self->surface_count && at < 4; at++) {
    const HbgSurface *surface = self->surfaces[at];
    hbg_text_add(&text, "%sslide entered on %s: %s", at ? "; " : "", hbg_surface_name(sim, surface),
                 hbg_conjunction_text(sim, surface->to));
    if (surface->machines[0] < sim->implied.first) hbg_text_add(&text, ", and back by %s", hbg_conjunction_text(sim, surface->back));
  }
  if (self->surface_count > 4) hbg_text_add(&text, "; and %d more", self->surface_count - 4);
  return text.bytes;
}

/* To the states the machines have switched to. */
static HbgStatus leave_it(Entry *self) {
  HbgSim *sim = self->sim;
  bool jumped = false;
  set_phi(self, self->there);
  hbg_mode_enter(sim, self->changed, self->changed_count);
  return hbg_slides_renew(sim) && hbg_evaluate_instant(sim, &jumped) ? HBG_OK : HBG_STOPPED;
}

HbgStatus hbg_slides_enter(HbgSim *sim, const HbgConjunction *const *located, int32_t located_count,
                           const int32_t *first_phi, const char **text) {
  Entry self = {.sim = sim, .first_phi = first_phi};
  *text = NULL;
  if (!sim->slides.is_allowed || !find_candidates(&self, located, located_count) || !list_changed(&self)) return HBG_OK;
  find_surfaces(&self);
  if (self.surface_count > 1 && count_followers(&self)) return HBG_OK;
  self.surfaces = ARENA_NEW(&sim->scratch, HbgSurface *, self.surface_count);
  self.crossed = ARENA_NEW(&sim->scratch, HbgSurface *, self.surface_count);
  self.first_of = ARENA_NEW(&sim->scratch, int32_t, self.surface_count);
  if (!followers_return(&self)) return leave_it(&self);
  set_phi(&self, self.first_phi);
  if (!enter(&self)) return leave_it(&self);
  int32_t made = 0;
  for (int32_t at = 0; at < self.count; at++) {
    if (self.candidates[at].surface != at) continue;
    self.first_of[made] = at;
    self.surfaces[made++] = make_surface(&self, at);
  }
  if (!settle_on_surfaces(&self)) return leave_it(&self);
  *text = text_of(&self);
  for (int32_t at = 0; at < self.surface_count; at++) TRY(hbg_slide_group_check(sim, self.surfaces[at]->slide->group));
  return HBG_OK;
}
