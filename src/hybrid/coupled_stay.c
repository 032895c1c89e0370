/* SPDX-License-Identifier: BSD-3-Clause
 * A large set stays. To take it apart, to find out again who belongs together and to write all rows anew takes several times as long as its next series. Where an
 * instant touches a small part of it, the rows of what is touched are exchanged, and what belongs to it from now on is added behind the others. What
 * belongs to it no more stays with it, which costs its rows: so after some instants it is grouped as any other, and at once where it may have fallen apart into more
 * than what is alone from now on. */
#include "base/numbers.h"
#include "hybrid/coupled_bent.h"
#include "hybrid/local_parts.h"

enum { LARGE = 24, PART = 4, GROUPED_AFTER = 4, MOST_MEASURED = 12 };

static bool may_stay(const HbgSim *sim, const HbgCoupled *set) {
  return set->count >= LARGE && sim->scope.states.count <= set->count / PART && set->stays < set->count / GROUPED_AFTER && !set->time_count;
}

static HbgCoupled *find_largest(const HbgSim *sim) {
  const HbgCoupledState *states = sim->local->coupled->states;
  HbgCoupled *largest = NULL;
  for (int32_t at = 0; at < sim->scope.states.count; at++) {
    HbgCoupled *set = states[sim->scope.states.list[at]].set;
    if (set && (!largest || set->count > largest->count || (set->count == largest->count && set->states[0] < largest->states[0]))) largest = set;
  }
  return largest;
}

/* ---- may it fall apart? ---- */

/* Two states that had to do with each other, and have no more. */
typedef struct Loss {
  int32_t one, other;
} Loss;

enum { MOST_LOSSES = 32 };

typedef struct Losses {
  Loss list[MOST_LOSSES]; int32_t count;
} Losses;

static bool follows(const HbgCoupledRun *run, int32_t state, int32_t other) {
  const HbgRateRow *row = &run->states[state].row;
  for (int32_t term = 0; term < row->count; term++)
    if (row->terms[term].column == other && !hbg_is_zero(row->terms[term].weight)) return true;
  return false;
}

/* Nothing drives it but itself. */
static bool is_alone(const HbgCoupledRun *run, int32_t state) {
  const HbgRateRow *row = &run->states[state].row;
  for (int32_t term = 0; term < row->count; term++)
    if (row->terms[term].column != state && !hbg_is_zero(row->terms[term].weight)) return false;
  return true;
}

static void mark_terms(HbgCoupledRun *run, const HbgRateRow *row) {
  hbg_coupled_begin_marks(run);
  for (int32_t term = 0; term < row->count; term++)
    if (!hbg_is_zero(row->terms[term].weight)) hbg_coupled_mark(run, row->terms[term].column);
}

/* What a state follows no more that it has followed; false: that is much. */
static bool find_losses(HbgSim *sim, const HbgCoupled *host, int32_t state, Losses *losses) {
  HbgCoupledRun *run = sim->local->coupled;
  const HbgRateRow *row = &run->states[state].row;
  mark_terms(run, row);
  for (int32_t term = 0; term < row->old_count; term++) {
    const int32_t other = row->old[term].column;
    if (hbg_is_zero(row->old[term].weight) || hbg_coupled_is_marked(run, other) || other == state) continue;
    if (run->states[other].set != host || follows(run, other, state)) continue;
    if (losses->count == MOST_LOSSES) return false;
    losses->list[losses->count++] = (Loss){state, other};
  }
  return true;
}

/* What holds together still does where the ones that drop out were at its end: of what each of them has lost, one at most stays. */
static bool was_between(const HbgCoupledRun *run, const Losses *losses, int32_t dropped, int32_t neighbour) {
  for (int32_t at = 0; at < losses->count; at++) {
    const Loss *loss = &losses->list[at];
    const int32_t other = loss->one == dropped ? loss->other : loss->other == dropped ? loss->one : neighbour;
    if (other != neighbour && !is_alone(run, other)) return true;
  }
  return false;
}

static bool may_part(const HbgCoupledRun *run, const Losses *losses, const Loss *loss) {
  const bool one = is_alone(run, loss->one), other = is_alone(run, loss->other);
  if (one && other) return false;
  if (!one && !other) return true;
  return one ? was_between(run, losses, loss->one, loss->other) : was_between(run, losses, loss->other, loss->one);
}

static bool may_fall_apart(HbgSim *sim, const HbgCoupled *host) {
  const HbgCoupledRun *run = sim->local->coupled;
  Losses losses;
  losses.count = 0;
  for (int32_t at = 0; at < sim->scope.states.count; at++) {
    const int32_t state = sim->scope.states.list[at];
    if (run->states[state].set == host && !find_losses(sim, host, state, &losses)) return true;
  }
  for (int32_t at = 0; at < losses.count; at++)
    if (may_part(run, &losses, &losses.list[at])) return true;
  return false;
}

HbgCoupled *hbg_coupled_host(HbgSim *sim) {
  HbgCoupled *host = find_largest(sim);
  return host && !host->bent && may_stay(sim, host) && !hbg_coupled_scope_bends(sim) && !may_fall_apart(sim, host) ? host : NULL;
}

/* ---- it stays ---- */

static bool follows_time(const HbgSim *sim, int32_t state) {
  const HbgRateRow *row = &sim->local->coupled->states[state].row;
  for (int32_t term = 0; term < row->count; term++)
    if (hbg_coupled_is_time(sim, row->terms[term].column)) return true;
  return false;
}

static bool any_follows_time(const HbgSim *sim, const int32_t *states, int32_t count) {
  for (int32_t at = 0; at < count; at++)
    if (follows_time(sim, states[at])) return true;
  return false;
}

bool hbg_coupled_can_join(HbgSim *sim, const HbgCoupled *host, const int32_t *states, int32_t count) {
  return host->count + count <= host->room && !hbg_coupled_bends(sim->local->coupled, states, count) && !any_follows_time(sim, states, count) &&
         !any_follows_time(sim, sim->scope.states.list, sim->scope.states.count);
}

/* Behind the others. */
static void add_states(HbgSim *sim, HbgCoupled *host, const int32_t *states, int32_t count) {
  for (int32_t at = 0; at < count; at++) {
    HbgCoupledState *own = &sim->local->coupled->states[states[at]];
    host->series.size[host->count] = host->measure * hbg_coupled_size(sim, states[at]);
    own->set = host;
    own->place = host->count;
    host->states[host->count++] = states[at];
  }
}

static void exchange_row(HbgSim *sim, HbgCoupled *host, int32_t state) {
  const HbgCoupledState *own = &sim->local->coupled->states[state];
  hbg_series_change_row(&host->series, own->place, own->row.drive);
  hbg_coupled_fill_row(sim, host, state);
}

static void add_row(HbgSim *sim, HbgCoupled *host, int32_t state) {
  hbg_series_add_row(&host->series, sim->local->coupled->states[state].row.drive);
  hbg_coupled_fill_row(sim, host, state);
}

void hbg_coupled_join(HbgSim *sim, HbgCoupled *host, const int32_t *states, int32_t count) {
  const HbgCoupledRun *run = sim->local->coupled;
  const int32_t before = host->count, touched = sim->scope.states.count;
  int32_t *rows = ARENA_NEW(&sim->scratch, int32_t, touched + count), row_count = 0;
  host->stays++;
  add_states(sim, host, states, count);
  for (int32_t at = 0; at < touched; at++) {
    const HbgCoupledState *own = &run->states[sim->scope.states.list[at]];
    if (own->set != host || own->place >= before) continue;
    exchange_row(sim, host, sim->scope.states.list[at]);
    rows[row_count++] = own->place;
  }
  for (int32_t at = 0; at < count; at++) {
    add_row(sim, host, states[at]);
    rows[row_count++] = before + at;
  }
  if (!hbg_series_measure_rows(&host->series, rows, row_count)) return;
  hbg_coupled_keep_sizes(sim, host);
  host->stays += host->count / MOST_MEASURED; // sizes of what hardly moves dwindle
}
