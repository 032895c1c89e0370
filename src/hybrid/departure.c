/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/departure.h"

#include <math.h>

#include "base/numbers.h"
#include "hybrid/coupled.h"
#include "hybrid/influence.h"
#include "hybrid/island_wide.h"
#include "hybrid/local_parts.h"
#include "hybrid/rates.h"
#include "hybrid/slide_lists.h"

#define PLAIN 1e-6        /* of the sum of the sizes of its terms: a rate that is less says nothing */
#define PLAIN_EXACT 1e-10 /* the same where all states are known in closed form */

typedef struct Rate {
  double sum, size;
  bool is_rough;      /* states of it are integrated */
  HbgDeparture *form; /* what it consists of */
  int32_t state_capacity, weight_capacity;
} Rate;

static void add(Rate *rate, double term) {
  rate->sum += term;
  rate->size += fabs(term);
}

static void add_constant(Rate *rate, double constant) {
  add(rate, constant);
  rate->form->constant += constant;
}

/* Is the state known to the tolerance only? */
static bool is_integrated(const HbgSim *sim, int32_t state) {
  if (!sim->is_local) return true;
  if (!sim->local->is_coupled) return sim->local->region_of[state]->is_stepped;
  const HbgCoupled *set = sim->local->coupled->states[state].set;
  return set && set->bent;
}

static void add_state(HbgSim *sim, Rate *rate, int32_t state, double weight) {
  HbgDeparture *form = rate->form;
  int32_t count = form->count;
  add(rate, weight * sim->now.state[state]);
  if (is_integrated(sim, state)) rate->is_rough = true;
  ARENA_PUSH(&sim->scratch, form->states, count, rate->state_capacity) = state;
  ARENA_PUSH(&sim->scratch, form->weights, form->count, rate->weight_capacity) = weight;
}

static void add_time(Rate *rate, const HbgTimeColumns *columns, const double *row, double t, double factor) {
  HbgDeparture *form = rate->form;
  double values[HBG_TIME_COLUMNS];
  hbg_time_values(columns, t, values);
  for (int32_t at = 0; at < HBG_TIME_COLUMNS; at++) add(rate, factor * row[at] * values[at]);
  if (!hbg_time_add(&form->time, &form->constant, form->row, columns, row, factor)) form->is_possible = false;
}

/* d/dt of functions of time, times `factor`. */
static void add_rate_of_time(Rate *rate, const HbgTimeColumns *columns, const double *row, double t, double scale) {
  double rates[HBG_TIME_COLUMNS] = {0};
  for (int32_t at = 0; at < HBG_TIME_COLUMNS; at++) {
    int32_t of;
    if (row[at] >= 0 && row[at] <= 0) continue;
    const double factor = scale * row[at] * hbg_time_rate(columns, at, &of);
    if (of < 0) add_constant(rate, factor);
    else rates[of] += factor;
  }
  add_time(rate, columns, rates, t, 1);
}

/* Does sim->now have the state at the time of this instant? A set is brought there. */
static bool know(HbgSim *sim, int32_t state) {
  if (!sim->is_local) {
    hbg_influence_know(sim, state);
    return true;
  }
  if (sim->local->is_coupled) {
    hbg_coupled_bring(sim, state);
    return true;
  }
  const HbgRegion *region = sim->local->region_of[state];
  return region && (region->read_stamp == sim->scope.stamp || hbg_scope_has_state(sim, state));
}

/* Storages may hang. */
static bool is_in_sets(const HbgSim *sim) { return sim->local->is_coupled || !sim->is_local; }

/* Islands of more states than this have no forms that anybody knows. */
static int32_t most_states(const HbgSim *sim) { return is_in_sets(sim) ? HBG_WIDE_MOST_STATES : HBG_FORMS_MOST_STATES; }

static bool add_form(HbgSim *sim, Rate *rate, const HbgForm *form, double factor) {
  add_constant(rate, factor * form->constant);
  for (int32_t at = 0; at < form->count; at++) {
    if (!know(sim, form->terms[at].state)) return false;
    add_state(sim, rate, form->terms[at].state, factor * form->terms[at].weight);
  }
  if (form->time) add_time(rate, form->time, form->time_row, sim->time, factor);
  return true;
}

/* The balance that a storage receives which is cut off. */
static bool add_received(HbgSim *sim, Rate *rate, int32_t which, double factor) {
  const HbgDeliveries *deliveries = &sim->cuts.deliveries;
  if (sim->local->is_coupled) hbg_transcript_balance(sim, which);
  for (int32_t at = deliveries->start[which]; at < deliveries->start[which + 1]; at++) {
    HbgIsland *island = sim->island_of[deliveries->variable[at] / 2];
    HbgForm form;
    if (island->is_storage || island->sliding || (island->is_hanging && island->delivery >= 0)) return false;
    if (!hbg_island_variable_form(&sim->solver, island, &sim->now, deliveries->variable[at], most_states(sim), &form)) return false;
    if (!add_form(sim, rate, &form, factor * deliveries->factor[at])) return false;
  }
  return true;
}

/* The states that an integrator reads, by themselves or by way of efforts and flows: ascending, each once. */
static HbgStateList read_by_integrator(HbgSim *sim, int32_t integrator) {
  const HbgProgram *program = &hbg_local_integrator(sim, integrator)->program;
  HbgStateList list = {0};
  for (int32_t at = 0; at < program->input_count; at++) {
    const HbgExprNode *leaf = &program->inputs[at].leaf;
    const int32_t variable = hbg_variable_of(leaf);
    if (leaf->op == HBG_OP_STATE) hbg_states_push(&sim->scratch, &list, leaf->index);
    if (variable < 0) continue;
    const HbgIsland *island = sim->island_of[variable / 2];
    for (int32_t own = 0; !island->is_hanging && own < island->program->template.state_count; own++)
      hbg_states_push(&sim->scratch, &list, island->binding.states[own]);
  }
  hbg_states_sort(&list);
  return list;
}

/* What an integrator adds up, leaf by leaf. What hangs comes and goes with cuts that no transcript tells of. */
static bool add_leaf(HbgSim *sim, Rate *rate, const HbgExprNode *leaf, double factor) {
  const int32_t variable = hbg_variable_of(leaf);
  HbgForm form;
  if (variable < 0) {
    if (!know(sim, leaf->index)) return false;
    add_state(sim, rate, leaf->index, factor);
    return true;
  }
  HbgIsland *island = sim->island_of[variable / 2];
  if (island->sliding) return false;
  if (island->is_hanging) hbg_transcript_spoil(sim);
  else if (sim->local->is_coupled) hbg_transcript_island(sim, island);
  return hbg_island_variable_form(&sim->solver, island, &sim->now, variable, most_states(sim), &form) && add_form(sim, rate, &form, factor);
}

static bool add_sum(HbgSim *sim, Rate *rate, int32_t state, double factor) {
  if (!hbg_coupled_knows_inputs(sim) || hbg_may_be_tally(sim, state)) return false;
  const HbgCombination *sum = hbg_coupled_sum(sim, state);
  if (!sum) return false;
  add_constant(rate, factor * sum->constant);
  for (int32_t at = 0; at < sum->count; at++)
    if (!add_leaf(sim, rate, hbg_expr_node(&sim->laws.pool, sum->terms[at].leaf), factor * sum->terms[at].weight)) return false;
  return true;
}

/* The rate of what integrates, times `factor`. */
static bool add_rate_of_integrator(HbgSim *sim, Rate *rate, int32_t state, double factor) {
  if (is_in_sets(sim)) return add_sum(sim, rate, state, factor);
  const HbgStateList list = read_by_integrator(sim, state);
  HbgRates rates = hbg_rates(list.list, list.count, 1, sim->time, &sim->scratch);
  if (!hbg_rates_add_integrator(sim, &rates, 0, state)) return false;
  add_constant(rate, factor * rates.drive[0]);
  for (int32_t at = 0; at < list.count; at++) {
    if (hbg_is_zero(rates.matrix[at])) continue;
    if (!know(sim, list.list[at])) return false;
    add_state(sim, rate, list.list[at], factor * rates.matrix[at]);
  }
  add_time(rate, &rates.columns, &rates.matrix[list.count], sim->time, factor);
  return true;
}

/* Of a storage. */
static HbgIsland *home_of(const HbgSim *sim, int32_t state) {
  return sim->island_of[hbg_port(sim->model, &sim->model->nodes[sim->model->states[state].node], 0)->bond];
}

/* The rate of a state, times `factor`. */
static bool add_rate_of_state(HbgSim *sim, Rate *rate, int32_t state, double factor) {
  if (state >= sim->first_integrator) return add_rate_of_integrator(sim, rate, state, factor);
  HbgIsland *island = home_of(sim, state);
  if (island->sliding) return false; // along the surface it is another one
  if (island->is_hanging) return is_in_sets(sim) && island->delivery >= 0 && add_received(sim, rate, island->delivery, factor);
  const int32_t count = island->program->template.state_count;
  HbgForm form;
  int32_t own = 0;
  if (sim->local->is_coupled) hbg_transcript_island(sim, island);
  while (own < count && island->binding.states[own] != state) own++;
  return own < count && hbg_island_rate_form(&sim->solver, island, &sim->now, own, most_states(sim), &form) && add_form(sim, rate, &form, factor);
}

/* ---- guards that bend ---- */

/* What a guard reads at the moment; `*form`: of an effort or flow. False: it is not known. */
static bool find_value(HbgSim *sim, const HbgExprNode *leaf, HbgForm *form, double *value) {
  const int32_t variable = hbg_variable_of(leaf);
  if (leaf->op == HBG_OP_STATE && !know(sim, leaf->index)) return false;
  *value = variable < 0 ? hbg_leaf_value(sim->model, leaf, &sim->now) : 0;
  if (variable < 0) return true;
  if (!hbg_island_variable_form(&sim->solver, sim->island_of[variable / 2], &sim->now, variable, most_states(sim), form)) return false;
  *value = form->constant;
  for (int32_t at = 0; at < form->count; at++) {
    if (!know(sim, form->terms[at].state)) return false;
    *value += form->terms[at].weight * sim->now.state[form->terms[at].state];
  }
  if (!form->time) return true;
  double times[HBG_TIME_COLUMNS];
  hbg_time_values(form->time, sim->time, times);
  for (int32_t at = 0; at < HBG_TIME_COLUMNS; at++) *value += form->time_row[at] * times[at];
  return true;
}

static bool add_rate_of_leaf(HbgSim *sim, Rate *rate, const HbgExprNode *leaf, const HbgForm *form, double factor) {
  if (leaf->op == HBG_OP_TIME) {
    add_constant(rate, factor);
    return true;
  }
  if (hbg_variable_of(leaf) < 0) return add_rate_of_state(sim, rate, leaf->index, factor);
  for (int32_t at = 0; at < form->count; at++)
    if (!add_rate_of_state(sim, rate, form->terms[at].state, factor * form->terms[at].weight)) return false;
  if (form->time) add_rate_of_time(rate, form->time, form->time_row, sim->time, factor);
  return true;
}

/* The rate of a difference that is no sum, by its slopes. */
static bool add_bent(HbgSim *sim, Rate *rate, int32_t number, int32_t which) {
  HbgProbe *slopes = hbg_watch_slopes(sim, number);
  if (!slopes) return false;
  const HbgProgram *read = &sim->local->watches.list[number].differences->program, *program = &slopes->program;
  HbgForm form;
  double value;
  for (int32_t at = 0; at < program->input_count; at++) {
    if (program->inputs[at].is_pre || !find_value(sim, &program->inputs[at].leaf, &form, &value)) return false;
    slopes->registers[program->inputs[at].target] = value;
  }
  hbg_execute(program->prepare, 0, program->prepare_count, slopes->registers);
  hbg_execute(program->main, 0, program->main_count, slopes->registers);
  for (int32_t at = 0; at < read->input_count; at++) {
    const double slope = hbg_probe_value(slopes, which * read->input_count + at);
    if (hbg_is_zero(slope)) continue;
    if (!find_value(sim, &read->inputs[at].leaf, &form, &value) || !add_rate_of_leaf(sim, rate, &read->inputs[at].leaf, &form, slope)) return false;
  }
  return true;
}

/* ---- by trial ---- */

#define LITTLE 1e-7       /* of what a state is, it moves in a trial */
#define OF_A_STEP 1e-4    /* so much of the last step of a region that is integrated is short */
#define OF_THE_RUN 1e-8   /* ... and so much of the run, where nothing but functions of time move */
#define RISEN 1e3         /* so many bands a difference must have moved to have left zero */

/* What a guard follows that is no combination of states, and how fast that moves. */
typedef struct Trial {
  HbgStateList states;
  double *start, *rate;
  double time, step;
} Trial;

/* The states behind efforts and flows, too. False: something in it is not known here, or looks back. */
static bool list_followed(HbgSim *sim, const HbgConjunction *guard, HbgStateList *states) {
  for (int32_t at = 0; at < guard->bond_count; at++) {
    HbgIsland *island = sim->island_of[guard->bonds[at]];
    if (island->is_hanging && !hbg_island_hanging_forms_in_time(&sim->solver, island, &sim->now)) return false;
    if (island->is_hanging) continue;
    if (island->program->template.pre_count) return false;
    for (int32_t own = 0; own < island->program->template.state_count; own++) hbg_states_push(&sim->scratch, states, island->binding.states[own]);
  }
  for (int32_t at = 0; at < guard->state_count; at++) hbg_states_push(&sim->scratch, states, guard->states[at]);
  hbg_states_sort(states);
  for (int32_t at = 0; at < states->count; at++)
    if (states->list[at] >= sim->first_integrator || !know(sim, states->list[at])) return false;
  return true;
}

/* The region whose steps a state goes in; NULL: none of its own. */
static const HbgRegion *steps_of(const HbgSim *sim, int32_t state) {
  const HbgRegion *region = sim->is_local && !sim->local->is_coupled ? sim->local->region_of[state] : NULL;
  return region && region->is_stepped ? region : NULL;
}

/* Of a storage that is cut off: the sum that it receives. */
static bool rate_of_hanging(HbgSim *sim, int32_t state, double *value) {
  HbgDeparture form = {.is_possible = true, .time.reference = sim->time};
  Rate rate = {.form = &form};
  if (!add_rate_of_state(sim, &rate, state, 1)) return false;
  *value = rate.sum;
  return true;
}

static bool rate_of(HbgSim *sim, int32_t state, double *value) {
  HbgIsland *home = home_of(sim, state);
  if (home->sliding) return false;
  if (home->is_hanging) return rate_of_hanging(sim, state, value);
  if (!hbg_island_rates(&sim->solver, home, &sim->now, sim->rate)) return false;
  *value = sim->rate[state];
  return true;
}

/* So short that no state moves by more than a little of itself. */
static bool find_rates(HbgSim *sim, Trial *trial) {
  const int32_t count = trial->states.count;
  trial->start = ARENA_NEW(&sim->scratch, double, count);
  trial->rate = ARENA_NEW(&sim->scratch, double, count);
  trial->time = sim->now.time;
  trial->step = OF_THE_RUN * sim->options.stop;
  for (int32_t at = 0; at < count; at++) {
    const int32_t state = trial->states.list[at];
    const HbgRegion *steps = steps_of(sim, state);
    if (!rate_of(sim, state, &trial->rate[at])) return false;
    trial->start[at] = sim->now.state[state];
    const double size = hbg_larger(sim->scale[state], fabs(trial->start[at])), speed = fabs(trial->rate[at]);
    if (speed > 0) trial->step = fmin(trial->step, LITTLE * size / speed);
    if (steps) trial->step = fmin(trial->step, OF_A_STEP * (steps->stepper->t1 - steps->stepper->t0));
  }
  return trial->time + trial->step > trial->time;
}

static HbgPair difference_after(HbgSim *sim, const HbgConjunction *guard, int32_t which, const Trial *trial, double steps) {
  for (int32_t at = 0; at < trial->states.count; at++) sim->now.state[trial->states.list[at]] = trial->start[at] + steps * trial->step * trial->rate[at];
  sim->now.time = trial->time + steps * trial->step;
  hbg_guard_measure(sim, guard);
  return *hbg_probe_pair(&guard->probe, 1 + which);
}

/* Of what is no combination of states, as an elastance that follows the time: by what it is a little later, and as much later again. */
static int side_by_trial(HbgSim *sim, const HbgConjunction *guard, int32_t which) {
  Trial trial = {0};
  if (!list_followed(sim, guard, &trial.states) || !find_rates(sim, &trial)) return 0;
  const HbgPair once = difference_after(sim, guard, which, &trial, 1), twice = difference_after(sim, guard, which, &trial, 2);
  const HbgPair now = difference_after(sim, guard, which, &trial, 0);
  const double first = once.value - now.value, second = twice.value - once.value;
  const bool is_plain = fabs(first) > RISEN * HBG_GUARD_BAND * now.value_size && fabs(second - first) < 0.5 * fabs(first);
  return is_plain ? (first > 0) - (first < 0) : 0;
}

/* How fast the difference of `form` moves once all states have moved on by some steps of the trial. False: nobody can tell. */
static bool rate_after(HbgSim *sim, const HbgGuardForm *form, int32_t which, const Trial *trial, int steps, double *rate) {
  *rate = 0;
  for (int32_t at = 0; at < trial->states.count; at++) sim->now.state[trial->states.list[at]] = trial->start[at] + steps * trial->step * trial->rate[at];
  sim->now.time = trial->time + steps * trial->step;
  for (int32_t at = form->start[which]; at < form->start[which + 1]; at++) {
    double own;
    if (!rate_of(sim, form->terms[at].state, &own)) return false;
    *rate += form->terms[at].weight * own;
  }
  return true;
}

/* In what time something moves by as much as it is, at least, if steps have not been shorter: a part of that is no more than a beginning. */
static double time_of_motion(const HbgSim *sim, const Trial *trial) {
  double time = trial->step / LITTLE;
  for (int32_t at = 0; at < trial->states.count; at++) {
    const HbgRegion *steps = steps_of(sim, trial->states.list[at]);
    if (steps) time = fmin(time, steps->stepper->t1 - steps->stepper->t0);
  }
  return time;
}

/* Of a sum of states in islands whose laws bend: by its rate, or where that is nothing beside what it comes to in a part of that time, by how that changes. A friction that falls
 * as it begins to slip lets go from rest. */
static int side_by_rates(HbgSim *sim, const HbgConjunction *guard, const HbgGuardForm *form, int32_t which) {
  enum { POINTS = 4 };
  static const double PART = 0.01, LIKE = 0.1;
  Trial trial = {0};
  double rate[POINTS], size = fabs(form->constant[which]);
  if ((sim->is_local && sim->local->is_coupled) || form->follows_time || !list_followed(sim, guard, &trial.states) || !find_rates(sim, &trial)) return 0;
  bool is_known = true;
  for (int point = POINTS - 1; point >= 0; point--) // the last of them puts the states back
    if (!rate_after(sim, form, which, &trial, point, &rate[point])) is_known = false;
  if (!is_known) return 0;
  const double time = time_of_motion(sim, &trial), bend = rate[1] - rate[0];
  for (int32_t at = form->start[which]; at < form->start[which + 1]; at++) size += fabs(form->terms[at].weight) * sim->scale[form->terms[at].state];
  for (int point = 1; point + 1 < POINTS; point++)
    if (!(fabs(rate[point + 1] - rate[point] - bend) <= LIKE * fabs(bend))) return 0; // that is noise, or bends more
  const double comes_to = bend / trial.step * PART * time, least = PLAIN * size / time;
  if (fabs(rate[0]) > least && fabs(rate[0]) * LIKE > fabs(comes_to)) return (rate[0] > 0) - (rate[0] < 0);
  return fabs(comes_to) > least && fabs(comes_to) * LIKE > fabs(rate[0]) ? (bend > 0) - (bend < 0) : 0;
}

/* ---- all ---- */

static int side_of(const Rate *rate) {
  const double plain = rate->is_rough ? PLAIN : PLAIN_EXACT;
  return fabs(rate->sum) > plain * rate->size ? (rate->sum > 0) - (rate->sum < 0) : 0;
}

/* Where the rate is nothing, too, as that of a current that a diode lets through from the moment on at which its voltage is none, the one behind it tells. It says
 * so of this instant only, as nobody else knows that the rate is nothing. */
static int side_of_next(HbgSim *sim, const Rate *rate) {
  HbgDeparture *made = rate->form, next = {.is_possible = true, .time.reference = sim->time};
  Rate second = {.form = &next};
  if (rate->is_rough || !made->is_possible) return 0;
  for (int32_t at = 0; at < made->count; at++)
    if (!add_rate_of_state(sim, &second, made->states[at], made->weights[at])) return 0;
  add_rate_of_time(&second, &made->time, made->row, sim->time, 1);
  made->is_possible = false;
  return second.is_rough ? 0 : side_of(&second);
}

int hbg_departure(HbgSim *sim, const HbgConjunction *guard, int32_t which, HbgDeparture *made) {
  if (!sim->local || (!sim->is_local && !sim->is_near)) return 0; // forms of guards belong to a run that may be local
  const int32_t number = (int32_t)(guard - sim->guards.list);
  bool is_possible = true;
  const HbgGuardForm *form = hbg_watch_form(sim, number, &is_possible);
  *made = (HbgDeparture){.is_possible = true, .time.reference = sim->time};
  Rate rate = {.form = made};
  if (!form) return 0;
  if (!form->is_affine) {
    made->is_possible = false; // slopes and trials say something of this instant only
    if (!sim->is_local) return 0;
    return add_bent(sim, &rate, number, which) ? side_of(&rate) : side_by_trial(sim, guard, which);
  }
  for (int32_t at = form->start[which]; at < form->start[which + 1]; at++)
    if (!add_rate_of_state(sim, &rate, form->terms[at].state, form->terms[at].weight)) {
      made->is_possible = false;
      return side_by_rates(sim, guard, form, which);
    }
  if (form->follows_time) add_rate_of_time(&rate, form->time, &form->time_row[which * HBG_TIME_COLUMNS], sim->time, 1);
  const int side = side_of(&rate);
  return side ? side : side_of_next(sim, &rate);
}
