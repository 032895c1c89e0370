/* SPDX-License-Identifier: BSD-3-Clause
 * One instant: the event iteration of semantics 7. A priori values are `before`, a posteriori values are `now`. */
#include <math.h>
#include <string.h>

#include "hybrid/compatible.h"
#include "hybrid/conflict_order.h"
#include "hybrid/crossed.h"
#include "hybrid/distance.h"
#include "hybrid/examine.h"
#include "hybrid/fire.h"
#include "hybrid/given.h"
#include "hybrid/influence.h"
#include "hybrid/kinks.h"
#include "hybrid/left_limit.h"
#include "hybrid/near.h"
#include "hybrid/visits.h"

enum { MOST_JUMPS_SHOWN = 6 };

typedef struct Instant {
  HbgSim *sim;
  HbgCause cause;
  HbgArrival arrival;   /* at the configuration at hand */
  HbgVisits visits;     /* configurations so far */
  const HbgConjunction *const *located; int32_t located_count; /* whose crossing began the instant */
  int32_t *changed;     /* machines of the last firing */
  int32_t changed_count;
  bool jumped;          /* in the configuration at hand */
  bool any_jump, any_change, any_commit;
  bool has_turned;      /* a scheduled condition is another one than before, whether or not a law reads it, or a machine of the model has fired */
  bool laws_have_turned; /* a law has gone through its jump, which is nothing but another island */
  bool by_clock;        /* an input that jumps does so at the tick of a clock */
  bool is_slow;         /* of a clock whose ticks are seen among the rows */
  HbgCrossed crossed;   /* what was located, and which way it went */
  const HbgFiredTransition *reasons; int32_t reason_count; /* what led to the configuration at hand, as rows tell it */
  int32_t first_row;
  int32_t repeated_row; /* where small impulses have begun to count */
  bool any_conflict;    /* of sources: guards have seen by one which way currents grow */
  bool turns_in_order;  /* ... and of several that turn by one, the first counts from now on */
} Instant;

/* ---- firing ---- */

static int32_t count_shown(const HbgSim *sim, const HbgFired *enabled) { return hbg_shown_firings(sim, enabled->list, enabled->count); }

/* What fires now, with the values it was examined on. */
static void take_down(Instant *self, const HbgFired *enabled) {
  HbgFiring *fired = ARENA_NEW(&self->sim->scratch, HbgFiring, enabled->count);
  for (int32_t at = 0; at < enabled->count; at++) {
    const HbgProbe *probe = &enabled->list[at]->probe;
    HbgPair *outputs = ARENA_NEW(&self->sim->scratch, HbgPair, probe->output_count);
    for (int32_t output = 0; output < probe->output_count; output++) outputs[output] = *hbg_probe_pair(probe, output);
    fired[at] = (HbgFiring){enabled->list[at], outputs};
  }
  self->arrival.fired = fired;
  self->arrival.fired_count = enabled->count;
}

static bool is_of_law(const HbgSim *sim, const HbgConjunction *fired) { return fired->machine >= sim->implied.first && !fired->surface; }

/* All machines of a slide stop sliding with the one that does. */
static void end_slide(Instant *self, const HbgConjunction *way_out) {
  const HbgSurface *surface = way_out->surface;
  if (!surface->is_active) return;
  hbg_scope_touch_machines(self->sim, surface->machines, surface->count); // as they are until now
  hbg_surface_end(self->sim, way_out->surface, way_out->ends_there);
  for (int32_t at = 0; at < surface->count; at++) {
    hbg_scope_note_fired(self->sim, surface->machines[at]);
    self->sim->slides.left[surface->machines[at]] = self->sim->now.time;
  }
}

static void take_along(Instant *self, const HbgConjunction *way_out) {
  const HbgSurface *surface = way_out->surface;
  for (int32_t at = 0; at < surface->count; at++) {
    const int32_t machine = surface->machines[at];
    if (machine == way_out->machine || !way_out->ends_there) continue;
    hbg_timers_move(self->sim, machine, surface->here[at], surface->there[at], 0);
    self->changed[self->changed_count++] = machine;
  }
}

static void fire(Instant *self, const HbgFired *enabled, HbgPhase phase) {
  HbgSim *sim = self->sim;
  const bool are_shown = count_shown(sim, enabled) > 0;
  if (are_shown) {
    self->arrival.reason = hbg_fired_text(sim, enabled->list, enabled->count, hbg_decision(sim, enabled));
    self->reasons = hbg_reasons_fired(sim, enabled->list, enabled->count, hbg_examine_values(sim, phase), &self->reason_count);
  }
  take_down(self, enabled);
  for (int32_t at = 0; at < enabled->count; at++) {
    const HbgConjunction *fired = enabled->list[at];
    hbg_scope_note_fired(sim, fired->machine);
    self->arrival.span = sim->model->machines[fired->machine].transitions[fired->transition].span;
    if (is_of_law(sim, fired)) self->laws_have_turned = true;
    else if (!fired->surface) self->has_turned = true;
  }
  for (int32_t at = 0; at < enabled->count; at++)
    if (enabled->list[at]->surface) end_slide(self, enabled->list[at]);
  self->changed_count = hbg_fire(sim, enabled->list, enabled->count, self->changed);
  for (int32_t at = 0; at < enabled->count; at++)
    if (enabled->list[at]->surface) take_along(self, enabled->list[at]);
  if (are_shown) self->any_change = true;
}

/* ---- the steps of the iteration ---- */

static HbgStatus stop_without_solution(Instant *self) {
  const bool has_reason = self->arrival.reason && *self->arrival.reason;
  hbg_report_stop(self->sim, "%s at t = %.15g s, eps = %d, n = %d (%s)", hbg_compatible_trouble(self->sim), self->arrival.at.t,
                  self->arrival.at.eps, self->arrival.at.n, has_reason ? hbg_reason_in_words(self->sim, self->arrival.reason, self->arrival.at.t) : self->arrival.at.t > 0 ? "before anything switches" : "the start");
  if (self->sim->solver.relaxation) return hbg_compatible_report(self->sim);
  hbg_report_island(self->sim);
  return HBG_STOPPED;
}

static HbgStatus stop_in_conflict(Instant *self) {
  self->sim->solver.failure = self->sim->solver.conflicts.first;
  return stop_without_solution(self);
}

/* The machine states at hand become a mode, and the mode its state and efforts. */
static HbgStatus enter_mode(Instant *self) {
  HbgSim *sim = self->sim;
  hbg_scope_touch_machines(sim, self->changed, self->changed_count);
  hbg_mode_enter(sim, self->changed, self->changed_count);
  if (!hbg_scope_touch_fresh(sim)) return stop_without_solution(self);
  hbg_discrete_renew(sim);
  self->changed_count = 0;
  self->jumped = false;
  if (sim->solver.relaxation) hbg_relaxation_keep(sim->solver.relaxation, self->arrival.at);
  if (!hbg_slides_renew(sim)) return stop_without_solution(self);
  return hbg_evaluate_instant(sim, &self->jumped) ? HBG_OK : stop_without_solution(self);
}

/* A jump may have left a surface, and a surface that reads what clocks, machines or the schedule tell may have left its place. The machines stand on one side
 * of it then, which is another mode. */
static bool have_left_surfaces(Instant *self) {
  HbgSim *sim = self->sim;
  if (!sim->slides.count) return false;
  const bool have_turned = self->cause != HBG_CAUSE_STATE || self->has_turned || sim->discrete.changed_count;
  self->changed_count = hbg_slides_drop(sim, self->jumped || self->cause == HBG_CAUSE_SET, have_turned, have_turned || self->laws_have_turned, self->changed);
  if (!self->changed_count) return false;
  if (!self->any_change && !self->jumped)
    self->arrival.reason = hbg_print(&sim->scratch, "slide left on %s: %s", sim->model->machines[self->changed[0]].name, sim->slides.dropped_since);
  self->any_change = true;
  return true;
}

static HbgStatus infer(Instant *self) {
  HbgSim *sim = self->sim;
  TRY(enter_mode(self));
  while (have_left_surfaces(self)) TRY(enter_mode(self));
  hbg_transcript_configuration(sim, self->jumped);
  if (sim->solver.conflicts.any_decides) {
    self->any_conflict = true;
    if (sim->is_rehearsal && !sim->transcript.is_complete) return HBG_STOPPED;
  }
  return hbg_slides_blend(sim) ? HBG_OK : stop_without_solution(self);
}

/* Only here a jump enters the state. */
static void commit(Instant *self) {
  HbgSim *sim = self->sim;
  hbg_scope_note_scale(sim);
  if (self->jumped) self->any_jump = true;
  hbg_mode_end_fresh(sim);
  hbg_discrete_clear_events(sim);
  hbg_scope_commit(sim); /* the impulse is over */
  hbg_transcript_commit(sim);
}

static void trace(Instant *self, HbgRowKind kind) {
  if (self->sim->variables_wait) return; // nothing happens that has rows
  hbg_scope_show(self->sim); // it has been possible at the left limit
  hbg_transcript_row(self->sim);
  const char *reason = self->sim->options.without_causes ? "" : hbg_reason_in_words(self->sim, self->arrival.reason, self->arrival.at.t);
  hbg_rows_add_of_instant(self->sim, self->arrival.at, kind, reason);
  hbg_reasons_keep(self->sim, self->reasons, self->reason_count);
}

/* "a.p from 1 to 0.25, b.p from 0 to 0.75": what jumps by more than round-off; "" when nothing does. */
static const char *list_jumps(const HbgSim *sim) {
  HbgText text = hbg_text(sim->arena);
  for (int32_t state = 0, shown = 0; state < sim->model->state_count; state++) {
    const double from = sim->before.state[state], to = sim->now.state[state];
    if (!(fabs(to - from) > HBG_AREA_BAND * fmax(fabs(from), fabs(to)))) continue;
    if (shown++ == MOST_JUMPS_SHOWN) {
      hbg_text_add(&text, ", ...");
      break;
    }
    hbg_text_add(&text, "%s%s from %.9g to %.9g", shown > 1 ? ", " : "", sim->model->states[state].name, from, to);
  }
  return text.bytes;
}

/* A state that is given, at t = 0 or from outside, has no past, and no row shows it before. */
static bool is_given(HbgCause cause) { return cause == HBG_CAUSE_START || cause == HBG_CAUSE_SET; }

/* What a mythical mode would make of it does not happen: the one that is committed first tells. */
static void warn_of_given_state(const Instant *self) {
  HbgSim *sim = self->sim;
  const char *jumps = list_jumps(sim);
  if (!*jumps) return;
  const bool is_start = self->cause == HBG_CAUSE_START;
  const char *mode = !sim->model->machine_count
                         ? "the graph"
                         : hbg_print(sim->arena, "the %s mode {%s}", is_start ? "initial" : "present",
                                     hbg_report_mode(sim, sim->now.phi, -1));
  hbg_sim_warn(sim, "the %s state is not consistent with %s: at t = %.9g jumps %s", is_start ? "initial" : "given", mode, self->arrival.at.t,
               jumps);
}

/* A given state may contradict the mode: what the modes before knew is then what the first jump gives. */
static void adopt_first_jump(Instant *self) {
  HbgSim *sim = self->sim;
  memcpy(sim->before.variable, sim->now.variable, (size_t)sim->model->bond_count * 2 * sizeof(double));
  memcpy(sim->before.size, sim->now.size, (size_t)sim->model->bond_count * 2 * sizeof(double));
}

/* Only what a crossing has led to, without any jump, may turn out to be a slide: an inference, whose row stays where somebody
 * sees what has switched. `*begins`: it is one. */
static HbgStatus slide(Instant *self, bool *begins) {
  HbgSim *sim = self->sim;
  *begins = false;
  if (self->cause != HBG_CAUSE_STATE || self->arrival.at.eps || self->jumped || self->any_jump || !self->located_count) return HBG_OK;
  if (sim->solver.conflicts.first.island) return HBG_OK;
  if (!hbg_slides_may_begin(sim, self->located, self->located_count)) return HBG_OK;
  hbg_transcript_spoil(sim);
  if (sim->is_rehearsal) return HBG_STOPPED; // it would be about everything
  if (!(sim->is_near && sim->slides.are_known) && !hbg_scope_widen(sim)) return stop_without_solution(self);
  const int32_t row = sim->queue_count;
  trace(self, HBG_ROW_MYTHICAL);
  const char *text;
  const HbgStatus status = hbg_slides_enter(sim, self->located, self->located_count, sim->scope.first_phi, &text);
  if (!text || !self->any_change) sim->queue_count = row;
  if (!text) return status;
  *begins = true;
  self->arrival.reason = text;
  self->reason_count = 0;
  if (self->any_change) self->arrival.at = hbg_hypertime_next_inference(self->arrival.at);
  self->any_change = true;
  TRY(status);
  return hbg_visits_add_inference(&self->visits, sim, &self->arrival);
}

static bool are_ends_of_slides(const HbgFired *enabled) {
  for (int32_t at = 0; at < enabled->count; at++)
    if (!enabled->list[at]->surface) return false;
  return enabled->count > 0;
}

/* On which side of its jump a law is belongs to the values that the machines of the model read: these wait until it is on the right one. */
static void keep_laws(HbgSim *sim, HbgFired *enabled) {
  int32_t laws = 0;
  for (int32_t at = 0; at < enabled->count; at++)
    if (is_of_law(sim, enabled->list[at])) enabled->list[laws++] = enabled->list[at];
  if (!laws || laws == enabled->count) return;
  enabled->count = laws;
  hbg_transcript_spoil(sim); // it has noted that all of them fire
}

/* Where a guard sees a speed of approach and no impulse that takes it away, since that is too small to be one (semantics 5), neither mode lets time go on.
 * What decides is not too small, then: such impulses count until the instant is over. */
static bool count_small_impulses(Instant *self) {
  HbgSim *sim = self->sim;
  if (!sim->solver.has_dropped_impulse || sim->solver.counts_all_impulses || !hbg_visits_repeat(&self->visits, sim)) return false;
  hbg_transcript_spoil(sim);
  sim->solver.counts_all_impulses = true;
  self->repeated_row = sim->queue_count;
  hbg_visits_restart_layer(&self->visits, sim, &self->arrival);
  return true;
}

/* Where all that a conflict decides fires together, and comes to where it has been, it goes on one by one. */
static bool take_in_order(Instant *self) {
  HbgSim *sim = self->sim;
  if (!self->any_conflict || self->turns_in_order || !hbg_visits_repeat(&self->visits, sim)) return false;
  self->turns_in_order = true;
  hbg_transcript_spoil(sim); // which turns first is no sign of a combination of states
  hbg_visits_restart_layer(&self->visits, sim, &self->arrival);
  return true;
}

/* Takes down what the inference has led to. Where small impulses have not helped, what they led to is not shown. */
static HbgStatus visit_inference(Instant *self) {
  HbgSim *sim = self->sim;
  if (count_small_impulses(self) || take_in_order(self)) return HBG_OK;
  const HbgStatus status = hbg_visits_add_inference(&self->visits, sim, &self->arrival);
  if (status != HBG_OK && sim->solver.counts_all_impulses) sim->queue_count = self->repeated_row;
  return status;
}

/* Have only laws gone through their jumps so far? Where one slides the machines of the model read neither of its sides. */
static bool have_laws_crossed_alone(const Instant *self) {
  for (int32_t at = 0; at < self->located_count; at++)
    if (!is_of_law(self->sim, self->located[at])) return false;
  return self->located_count > 0 && !self->any_change;
}

static HbgStatus iterate(Instant *self) {
  HbgSim *sim = self->sim;
  bool begins;
  for (;;) {
    TRY(hbg_budget_ask(sim));
    // infer: every mode starts from the same a priori state, and only the last one counts
    TRY(infer(self));
    if (is_given(self->cause) && self->jumped && self->visits.count == 1) adopt_first_jump(self);
    HbgFired enabled = hbg_examine(sim, HBG_PHASE_A_POSTERIORI, self->jumped, &self->crossed, NULL, 0);
    keep_laws(sim, &enabled);
    if (self->turns_in_order) hbg_conflict_keep_first(sim, &enabled);
    // a slide that would end where a machine goes through its surface may go on where that slides, too
    if (are_ends_of_slides(&enabled) || (enabled.count && have_laws_crossed_alone(self))) {
      TRY(slide(self, &begins));
      if (begins) continue;
    }
    if (enabled.count) {
      const bool are_shown = count_shown(sim, &enabled) > 0;
      if (are_shown) trace(self, HBG_ROW_MYTHICAL);
      fire(self, &enabled, HBG_PHASE_A_POSTERIORI);
      if (are_shown) self->arrival.at = hbg_hypertime_next_inference(self->arrival.at);
      TRY(visit_inference(self));
      continue;
    }

    // what guards have not led out of is a contradiction
    if (sim->solver.conflicts.first.island) return stop_in_conflict(self);

    // machines that would switch back at once slide instead; whoever has been asked for that has guards of his own, which may hold by now
    const int32_t asked = sim->scope.machines.count;
    TRY(slide(self, &begins));
    if (begins || sim->scope.machines.count > asked) continue;

    // momentum and charge are conserved; the committed values are a priori from now on
    trace(self, HBG_ROW_CONTINUOUS);
    if (is_given(self->cause) && self->jumped && !self->any_commit) warn_of_given_state(self);
    self->any_commit = true;
    commit(self);
    enabled = hbg_examine(sim, HBG_PHASE_COMMITTED, self->jumped, &self->crossed, NULL, 0);
    if (!enabled.count) return HBG_OK;

    // a fast physical change is left at once, an infinitesimal later
    const bool are_shown = count_shown(sim, &enabled) > 0;
    if (are_shown) sim->queue[sim->queue_count - 1].row.kind = HBG_ROW_PINNACLE;
    else {
      sim->queue_count--;
      hbg_transcript_spoil(sim);
    }
    fire(self, &enabled, HBG_PHASE_COMMITTED);
    if (are_shown) self->arrival.at = hbg_hypertime_next_layer(self->arrival.at);
    TRY(hbg_visits_add_layer(&self->visits, sim, &self->arrival, self->any_jump));
  }
}

/* ---- beginning and end ---- */

static HbgStatus finish(Instant *self) {
  HbgSim *sim = self->sim;
  const bool is_set = self->cause == HBG_CAUSE_SET;
  const bool is_input = self->cause == HBG_CAUSE_INPUT && !self->by_clock;
  const bool is_shown = self->any_change || self->any_jump || is_input || is_set;
  if (!is_shown) {
    // a tick is no event of its own, but a slow one has its two rows
    if (!self->is_slow) sim->queue_count = self->first_row;
    return HBG_OK;
  }
  for (int32_t row = self->first_row; row < sim->queue_count; row++) {
    sim->queue[row].row.is_event = true;
    sim->queue[row].row.has_jump = self->any_jump || is_set;
  }
  sim->statistics.events++;
  return HBG_OK;
}

static HbgStatus note_rhythms(Instant *self) {
  HbgSim *sim = self->sim;
  if (self->cause != HBG_CAUSE_STATE || sim->is_rehearsal) return HBG_OK;
  int32_t count;
  const int32_t *machines = hbg_scope_machines(sim, &count);
  for (int32_t at = 0; at < count; at++)
    if (hbg_scope_has_fired(sim, machines[at]) && !hbg_rhythm_note(sim, machines[at], self->arrival.at.t)) return HBG_STOPPED;
  return HBG_OK;
}

/* Answers whether any is another one than before. Of those that laws read small islands are others then. */
static bool update_ticks(HbgSim *sim, bool *in_laws) {
  int32_t *in_law = ARENA_NEW(&sim->scratch, int32_t, sim->scope.ticks.count), in_law_count = 0;
  bool any = false;
  for (int32_t at = 0; at < sim->scope.ticks.count; at++) {
    const int32_t tick = sim->scope.ticks.list[at];
    const bool value = hbg_tick_value(&sim->ticks[tick], sim->now.time);
    if (value == (sim->now.tick[tick] != 0)) continue;
    hbg_sim_set_tick(sim, tick, value);
    hbg_slides_note_turned(sim, tick);
    any = true;
    if (sim->laws.turning_start[tick] < sim->laws.turning_start[tick + 1]) in_law[in_law_count++] = tick;
  }
  if (in_law_count) {
    *in_laws = true;
    hbg_mode_turn(sim, in_law, in_law_count);
  }
  if (hbg_past_turn(sim)) *in_laws = true;
  return any;
}

/* Islands whose equations read a scheduled condition may jump with it. */
static void renew_ticked_islands(HbgSim *sim) {
  const HbgMembers *bonds = &sim->scope.bonds;
  const bool all = sim->scope.is_everything;
  for (int32_t at = 0, count = all ? sim->island_count : bonds->count; at < count; at++) {
    HbgIsland *island = all ? sim->islands[at] : sim->island_of[bonds->list[at]];
    if (island->is_hanging || !island->program->template.tick_count || island->knows_ticks) continue;
    hbg_island_renew(sim, island);
    hbg_island_unprepare(island);
  }
}

/* What is set from outside comes behind the row at hand, which shows the values before. */
static int32_t next_layer(const HbgSim *sim) {
  const HbgRow *row = sim->current < 0 ? NULL : &sim->queue[sim->current].row;
  return row && row->time >= sim->time ? row->eps + 1 : 0;
}

static HbgStatus begin(Instant *self) {
  HbgSim *sim = self->sim;
  hbg_scope_begin(sim);
  self->changed = sim->scope.changed;
  if (self->cause == HBG_CAUSE_SET) self->arrival.at.eps = next_layer(sim);
  sim->now.time = sim->time;
  if (!(sim->scope.is_everything ? hbg_left_limit_take(sim, is_given(self->cause)) : hbg_scope_show_left_limit(sim)))
    return stop_without_solution(self);
  if (is_given(self->cause)) return HBG_OK;
  hbg_transcript_row(sim);
  hbg_rows_add(sim, (HbgHyperTime){sim->time, -1, 0}, HBG_ROW_BEFORE, "");
  return HBG_OK;
}

/* Scheduled conditions change now; whether the equations see it decides what kind of instant this is. */
static void take_schedule(Instant *self) {
  HbgSim *sim = self->sim;
  const HbgCause cause = self->cause;
  hbg_timers_reach(sim);
  if (cause == HBG_CAUSE_START) hbg_timers_begin(sim);
  bool in_laws = false;
  self->has_turned = update_ticks(sim, &in_laws);
  if (hbg_clocks_are_due(sim)) {
    in_laws = hbg_clocks_jump(sim, true) || in_laws;
    self->is_slow = !is_given(cause) && hbg_clocks_are_shown(sim);
    hbg_clocks_take(sim);
  }
  if ((in_laws || sim->discrete.any_written) && cause == HBG_CAUSE_STATE) self->cause = HBG_CAUSE_INPUT;
  self->by_clock = !in_laws;
  if (in_laws) renew_ticked_islands(sim);
  if (cause == HBG_CAUSE_SET) self->arrival.reason = "set from outside";
  else if (self->cause != HBG_CAUSE_STATE || sim->slides.count) self->arrival.reason = hbg_reason_is_input;
}

/* Where nothing has fired that the model speaks of. */
static const char *hidden_reason(const HbgFired *enabled) { return enabled->count ? hbg_reason_is_law : hbg_reason_is_input; }

/* Slides on surfaces that read what has turned are others now, though no law may read it. */
static HbgStatus renew_turned_slides(Instant *self) {
  if (!self->has_turned || !self->sim->slides.stale.count || hbg_slides_renew(self->sim)) return HBG_OK;
  return stop_without_solution(self);
}

/* What is scheduled may have taken a share beyond its limits: that was located nowhere. */
static void add_ends_of_slides(Instant *self) {
  HbgSim *sim = self->sim;
  const HbgConjunction **list = ARENA_NEW(&sim->scratch, const HbgConjunction *, self->located_count + sim->slides.count);
  if (self->located_count) memcpy(list, self->located, (size_t)self->located_count * sizeof *list);
  self->located_count += hbg_slides_beyond(sim, &list[self->located_count]);
  self->located = list;
}

/* What was located fires, with what holds besides. `*any`: something did. */
static HbgStatus cross(Instant *self, bool *any) {
  HbgSim *sim = self->sim;
  // a scheduled condition may have changed what integrators add up, or have made both sides of a slide the same
  *any = true;
  TRY(renew_turned_slides(self));
  if (!hbg_slides_blend(sim)) return have_left_surfaces(self) ? HBG_OK : stop_without_solution(self);
  if (sim->slides.count && (self->has_turned || sim->discrete.changed_count)) add_ends_of_slides(self);
  const HbgFired enabled = hbg_examine(sim, HBG_PHASE_LOCATED, self->jumped, &self->crossed, self->located, self->located_count);
  if (!count_shown(sim, &enabled)) self->arrival.reason = hidden_reason(&enabled);
  *any = enabled.count > 0;
  if (!*any) return HBG_OK;
  for (int32_t at = 0; at < enabled.count; at++) hbg_surface_cross(sim, enabled.list[at]);
  fire(self, &enabled, HBG_PHASE_LOCATED);
  return HBG_OK;
}

/* What was located counts as long as what it reads is as it was until now. */
static void drop_undone(Instant *self) {
  const HbgConjunction **kept = ARENA_NEW(&self->sim->scratch, const HbgConjunction *, self->located_count);
  int32_t count = 0;
  for (int32_t at = 0; at < self->located_count; at++)
    if (!hbg_crossed_is_undone(self->located[at], &self->sim->now, &self->sim->before)) kept[count++] = self->located[at];
  self->located = kept;
  self->located_count = count;
}

/* Kinks may have turned guards: that was located nowhere else. */
static bool take_kinks(Instant *self) {
  HbgSim *sim = self->sim;
  const HbgConjunction **turned;
  int32_t count, located = self->located_count;
  if (is_given(self->cause) || !sim->discrete.changed_count) return true;
  if (!hbg_kinks_take(sim, &turned, &count)) return false;
  const HbgConjunction **list = ARENA_NEW(&sim->scratch, const HbgConjunction *, self->located_count + count);
  if (self->located_count) memcpy(list, self->located, (size_t)self->located_count * sizeof *list);
  for (int32_t at = 0; at < count; at++)
    if (!hbg_is_located(turned[at], self->located, self->located_count)) list[located++] = turned[at];
  self->located = list;
  self->located_count = located;
  return true;
}

/* Only the schedule has gone on. */
static HbgStatus pass(Instant *self) {
  hbg_discrete_commit(self->sim);
  hbg_scope_commit_ticks(self->sim);
  if (self->is_slow) trace(self, HBG_ROW_CONTINUOUS);
  return finish(self);
}

static HbgStatus settle(HbgSim *sim, HbgCause cause, const HbgConjunction *const *located, int32_t located_count) {
  Instant self = {.sim = sim,
                  .cause = cause,
                  .arrival = {.at = {sim->time, 0, 0}},
                  .located = located,
                  .located_count = located_count,
                  .first_row = sim->queue_count};
  TRY(begin(&self));
  take_schedule(&self);
  if (!take_kinks(&self)) return stop_without_solution(&self);
  if (sim->discrete.changed_count) drop_undone(&self);
  for (int32_t at = 0; at < self.located_count; at++)
    hbg_crossed_note(&self.crossed, self.located[at], &sim->now, &sim->before, &sim->scratch);
  bool any = true;
  if (self.cause == HBG_CAUSE_STATE) TRY(cross(&self, &any));
  if (!any && !have_left_surfaces(&self)) return pass(&self);
  hbg_visits_add(&self.visits, sim, &self.arrival);
  const HbgStatus status = iterate(&self);
  finish(&self);
  TRY(status);
  if (is_given(cause)) TRY(hbg_given_check(sim));
  return note_rhythms(&self);
}

HbgStatus hbg_settle(HbgSim *sim, HbgCause cause, const HbgConjunction *const *located, int32_t located_count) {
  sim->in_instant = true;
  sim->variables_wait = cause == HBG_CAUSE_START && hbg_evaluate_may_wait(sim);
  sim->solver.has_dropped_impulse = false;
  sim->solver.conflicts = (HbgConflicts){0};
  hbg_near_begin(sim, cause);
  const HbgStatus status = settle(sim, cause, located, located_count);
  hbg_distances_forget(sim);
  hbg_influence_note(sim, sim->is_near && !sim->scope.is_everything);
  hbg_near_end(sim);
  sim->in_instant = sim->variables_wait = false;
  sim->solver.counts_all_impulses = false;
  return status;
}
