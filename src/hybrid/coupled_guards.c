/* SPDX-License-Identifier: BSD-3-Clause
 * What the guards of a machine read in its present state, written side by side: each sum of states once, as several differences are often
 * about the same one, with one sign or the other; and for each state the machines that read it. */
#include "hybrid/coupled_tally.h"
#include "hybrid/local_parts.h"
#include "hybrid/watch_parts.h"

static bool is_strict(HbgOperation relation) { return relation == HBG_OP_LESS || relation == HBG_OP_GREATER; }

/* ---- who reads a state ---- */

void hbg_coupled_renew_readers(const HbgCoupledRun *run, HbgStateReaders *readers) {
  int32_t count = 0;
  for (int32_t at = 0; at < readers->count; at++) {
    const HbgStateReader reader = readers->list[at];
    if (reader.version == run->guards[reader.machine].version) readers->list[count++] = reader;
  }
  readers->count = readers->kept = count;
}

/* A list is gone through when it has doubled: a sum of many states that many guards read would be looked for in each list else. */
static void add_reader(HbgSim *sim, int32_t state, int32_t machine) {
  HbgCoupledRun *run = sim->local->coupled;
  HbgStateReaders *readers = &run->states[state].readers;
  if (!hbg_coupled_marks_first(run, state)) return;
  if (readers->count >= 2 * readers->kept + 8) hbg_coupled_renew_readers(run, readers);
  ARENA_PUSH(&sim->local->arena, readers->list, readers->count, readers->capacity) = (HbgStateReader){machine, run->guards[machine].version};
}

void hbg_coupled_forget_guards(HbgSim *sim, int32_t machine) {
  HbgCoupledGuards *guards = &sim->local->coupled->guards[machine];
  guards->is_known = false;
  guards->version++;
  guards->bent_count = guards->followed_count = 0;
  guards->term_count = guards->sum_count = guards->difference_count = 0;
}

/* ---- sums ---- */

/* Is it the sum of `terms`, or minus that? Its sign; 0. */
static int sign_of(const HbgGuardTerm *terms, int32_t count, const HbgGuardTerm *other, int32_t other_count) {
  if (count != other_count) return 0;
  int sign = 0;
  for (int32_t at = 0; at < count; at++) {
    const bool is_same = terms[at].weight >= other[at].weight && terms[at].weight <= other[at].weight;
    const bool is_opposite = terms[at].weight >= -other[at].weight && terms[at].weight <= -other[at].weight;
    const int here = is_same ? 1 : is_opposite ? -1 : 0;
    if (terms[at].state != other[at].state || !here || here == -sign) return 0;
    sign = here;
  }
  return count ? sign : 1;
}

static int32_t sum_for(HbgSim *sim, HbgCoupledGuards *guards, const HbgGuardTerm *terms, int32_t count, double *sign) {
  HbgArena *arena = &sim->local->arena;
  for (int32_t sum = 0; sum < guards->sum_count; sum++) {
    const int32_t start = sum ? guards->sum_end[sum - 1] : 0;
    *sign = sign_of(&guards->terms[start], guards->sum_end[sum] - start, terms, count);
    if (*sign > 0 || *sign < 0) return sum;
  }
  for (int32_t at = 0; at < count; at++)
    ARENA_PUSH(arena, guards->terms, guards->term_count, guards->term_capacity) = terms[at];
  ARENA_PUSH(arena, guards->sum_end, guards->sum_count, guards->sum_capacity) = guards->term_count;
  *sign = 1;
  return guards->sum_count - 1;
}

/* ---- functions of time ---- */

static void begin_timed(HbgSim *sim, int32_t number) {
  HbgGuardForm **timed = &sim->local->coupled->timed[number];
  HbgArena *arena = &sim->local->arena;
  const int32_t count = sim->guards.list[number].difference_count;
  if (*timed) return;
  *timed = ARENA_NEW(arena, HbgGuardForm, 1);
  (*timed)->start = ARENA_NEW(arena, int32_t, count + 1);
  (*timed)->constant = ARENA_NEW(arena, double, count);
}

/* The same form with functions of time as terms behind the states; NULL: these are too many. */
static HbgGuardForm *with_time(HbgSim *sim, int32_t number, const HbgGuardForm *form) {
  HbgArena *arena = &sim->local->arena;
  begin_timed(sim, number);
  HbgGuardForm *timed = sim->local->coupled->timed[number];
  int32_t count = 0;
  for (int32_t which = 0; which < sim->guards.list[number].difference_count; which++) {
    HbgSeriesTerm times[HBG_TIME_COLUMNS];
    timed->start[which] = count;
    timed->constant[which] = form->constant[which];
    for (int32_t at = form->start[which]; at < form->start[which + 1]; at++)
      ARENA_PUSH(arena, timed->terms, count, timed->term_capacity) = form->terms[at];
    const int32_t more = hbg_coupled_time_terms(sim, form->time, &form->time_row[which * HBG_TIME_COLUMNS], 1, &timed->constant[which], times);
    if (more < 0) return NULL;
    for (int32_t at = 0; at < more; at++)
      ARENA_PUSH(arena, timed->terms, count, timed->term_capacity) = (HbgGuardTerm){times[at].column, times[at].weight};
    timed->start[which + 1] = count;
  }
  return timed;
}

/* ---- what is no sum ---- */

static void follow(HbgSim *sim, HbgCoupledGuards *guards, int32_t state) {
  if (!hbg_coupled_marks_first(sim->local->coupled, state)) return;
  ARENA_PUSH(&sim->local->arena, guards->followed, guards->followed_count, guards->followed_capacity) = state;
}

/* The states behind an effort or flow. False: it is that of a source that hangs, whose law may read anything, or looks back. */
static bool follow_bond(HbgSim *sim, HbgCoupledGuards *guards, const HbgIsland *island) {
  if (island->is_hanging) {
    if (island->is_storage) follow(sim, guards, sim->cuts.deliveries.state[island->delivery]);
    return island->is_storage;
  }
  for (int32_t at = 0; at < island->program->template.state_count; at++) follow(sim, guards, island->binding.states[at]);
  return !island->program->template.pre_count;
}

static bool add_bent(HbgSim *sim, HbgCoupledGuards *guards, int32_t number) {
  const HbgConjunction *guard = &sim->guards.list[number];
  if (!hbg_watch_has_inequalities(guard)) return false;
  for (int32_t at = 0; at < guard->state_count; at++) {
    if (hbg_coupled_is_tally(sim->local->coupled, guard->states[at])) return false;
    follow(sim, guards, guard->states[at]);
  }
  for (int32_t at = 0; at < guard->bond_count; at++)
    if (!follow_bond(sim, guards, sim->island_of[guard->bonds[at]])) return false;
  ARENA_PUSH(&sim->local->arena, guards->bent, guards->bent_count, guards->bent_capacity) = number;
  return true;
}

/* ---- machines ---- */

static void add_differences(HbgSim *sim, HbgCoupledGuards *guards, int32_t number) {
  const HbgConjunction *guard = &sim->guards.list[number];
  const HbgGuardForm *form = sim->local->coupled->forms[number];
  for (int32_t which = 0; which < guard->difference_count; which++) {
    const HbgOperation relation = guard->relations[which];
    const double sense = relation == HBG_OP_LESS || relation == HBG_OP_LESS_EQUAL ? -1 : 1;
    double sign;
    const int32_t sum = sum_for(sim, guards, &form->terms[form->start[which]], form->start[which + 1] - form->start[which], &sign);
    ARENA_PUSH(&sim->local->arena, guards->differences, guards->difference_count, guards->difference_capacity) =
        (HbgCoupledDifference){number, sum, sense * sign, sense * form->constant[which], is_strict(relation)};
  }
}

/* As sums of states and functions of time, or by what it follows. */
static bool know_guard(HbgSim *sim, HbgCoupledGuards *guards, int32_t number) {
  bool is_sum = true;
  HbgGuardForm *form = hbg_watch_form(sim, number, &is_sum);
  if (form && is_sum && form->follows_time) is_sum = (form = with_time(sim, number, form)) != NULL;
  sim->local->watches.foretold[number].time = (double)INFINITY;
  sim->local->coupled->forms[number] = is_sum ? form : NULL;
  if (!is_sum) return add_bent(sim, guards, number);
  if (form) add_differences(sim, guards, number);
  return true;
}

bool hbg_coupled_know_guards(HbgSim *sim, int32_t machine) {
  HbgCoupledGuards *guards = &sim->local->coupled->guards[machine];
  if (guards->is_known) return true;
  int32_t count;
  const HbgConjunction *leaving = hbg_guards_leaving(&sim->guards, machine, sim->now.phi[machine], &count);
  guards->has_times = false;
  guards->first = (int32_t)(leaving - sim->guards.list);
  guards->count = count;
  hbg_coupled_begin_marks(sim->local->coupled); // of those that they follow
  for (int32_t number = guards->first; number < guards->first + count; number++)
    if (!know_guard(sim, guards, number)) return false;
  hbg_coupled_begin_marks(sim->local->coupled);
  for (int32_t at = 0; at < guards->term_count; at++) add_reader(sim, guards->terms[at].state, machine);
  for (int32_t at = 0; at < guards->followed_count; at++) add_reader(sim, guards->followed[at], machine);
  guards->is_plain = guards->sum_count <= HBG_COUPLED_MOST_SUMS && !guards->bent_count;
  return guards->is_known = true;
}
