/* SPDX-License-Identifier: BSD-3-Clause
 * Events that crowd together in real time: accumulation (Zeno) and chattering (semantics 10). */
#include <float.h>
#include <math.h>

#include "hybrid/local.h"
#include "hybrid/sim.h"

enum { LEAST_SHRINKING = 2, FEW_SHRINKING = 3, MORE_SHRINKING = 8, SHRINKING_IN_A_ROW = 60, TINY_IN_A_ROW = 20, MOST_RESTS = 8 };

/* An interval counts as shorter only beyond the precision to which crossings are located. */
#define SHORTER (1 - 1e-9)
#define TINY 1e-12 /* of the elapsed time */
#define FIRST_REST (TINY / 4)
#define LONGEST_REST 1e-11 /* of the elapsed time: events are known to ten digits */
#define A_WHILE 1e-7 /* of the elapsed time */
#define SHORT 1e-5   /* of the elapsed time */
#define BRIEF 1e-6   /* of the elapsed time: what is lower than the band of a contact takes no longer than its root */
#define AT_ONCE (4 * DBL_EPSILON) /* of the elapsed time: the round-off of times */
#define STEADY 1e-3  /* of the time that was left: so much may change in where a row leads */
#define NOTHING 1e-17 /* of the run: at its very beginning the elapsed time is no measure */

static double accumulation_point(const HbgRhythm *rhythm) {
  return rhythm->last + rhythm->interval * rhythm->ratio / (1 - rhythm->ratio);
}

static bool report_accumulation(HbgSim *sim, int32_t machine) {
  const HbgRhythm *rhythm = &sim->rhythms[machine];
  hbg_report_at(sim, HBG_DIAGNOSTIC_ACCUMULATION, sim->model->machines[machine].span);
  hbg_report_stop(sim,
                  "events accumulate (Zeno): %s has switched %d times in a row at shrinking intervals, the last of "
                  "%.6g s, each %.6g of the one before\n  at t = %.9g s; they accumulate at t = %.9g s\n  help: "
                  "--zeno continue goes on behind that point with a rebound of zero",
                  sim->model->machines[machine].name, rhythm->shrinking + 1, rhythm->interval, rhythm->ratio,
                  rhythm->last, accumulation_point(rhythm));
  return false;
}

/* Of a law that jumps nobody has written the guards. */
static const char *cure_of(const HbgSim *sim, int32_t machine) {
  if (machine >= sim->implied.first) return "  help: let the law rise steeply instead, tanh(f/0.001) for sign(f), or write a machine whose guards have a distance (hysteresis)";
  return sim->slides.is_allowed ? "  help: give the guards a distance (hysteresis)" : "  help: let it slide (`sliding on`), or give the guards a distance (hysteresis)";
}

static bool report_chattering(HbgSim *sim, int32_t machine) {
  const HbgRhythm *rhythm = &sim->rhythms[machine];
  hbg_report_at(sim, HBG_DIAGNOSTIC_CHATTERING, sim->model->machines[machine].span);
  hbg_report_stop(sim,
                  "chattering: %s has switched %d times within the resolution of time\n  at t = %.15g s, in mode "
                  "{%s}; its guards undo each other",
                  sim->model->machines[machine].name, rhythm->tiny, rhythm->last,
                  hbg_report_mode(sim, sim->now.phi, machine));
  if (sim->slides.refusal[machine]) hbg_report_stop(sim, "  %s", sim->slides.refusal[machine]);
  hbg_report_stop(sim, "%s", cure_of(sim, machine));
  return false;
}

/* One interval that falls out of the row foretells nothing: neither itself nor what comes behind it. Few in a row may shrink by chance: then what each is of the
 * one before must be the same, nearly. */
static inline bool is_geometric(const HbgRhythm *rhythm) {
  const bool are_few = rhythm->shrinking < MORE_SHRINKING && rhythm->shrunk < MORE_SHRINKING;
  const double least = are_few ? 0.8 : 0.1;
  return rhythm->ratio < 1 && rhythm->ratio > least * rhythm->previous_ratio && rhythm->previous_ratio > least * rhythm->ratio;
}

/* A flight far shorter than its row foretells, where that had to be next to nothing already: round-off may have taken it for over, as where friction turns within the
 * band of the contact; or else what flies has been hit by something else. */
static inline bool falls_short(const HbgRhythm *rhythm, double interval) {
  const double foretold = rhythm->interval * rhythm->ratio;
  return rhythm->shrunk >= LEAST_SHRINKING && interval < 0.8 * foretold && foretold < BRIEF * rhythm->last && is_geometric(rhythm);
}

/* Has round-off ended a flight that falls short (decision 140)? Where it takes what rises for what is closed, that closes again at the next time that can be told, or what is read
 * has not been more than round-off. A flight that is merely short may be real: what has stood still for long is hit, and is quick from then on. */
static inline bool is_noise(const HbgRhythm *rhythm, double interval, double t) { return rhythm->is_lost || interval <= AT_ONCE * t; }

/* Takes down an interval; false for the first two, which have none before them to be compared with. */
static inline bool take_down(HbgRhythm *rhythm, double t) {
  const double interval = t - rhythm->last, previous = rhythm->interval;
  const bool is_less = falls_short(rhythm, interval);
  if (is_less && rhythm->fell_short && is_noise(rhythm, interval, t)) rhythm->is_unresolved = true; // one is no row
  rhythm->fell_short = is_less;
  rhythm->is_lost = false;
  rhythm->last = t;
  rhythm->interval = interval;
  if (isinf(interval + previous)) return false; // neither is negative
  const bool is_shorter = interval < previous * SHORTER;
  rhythm->shrinking = is_shorter ? rhythm->shrinking + 1 : 0;
  // lengths of flights that are lost in round-off say nothing
  if (rhythm->is_unresolved || is_less) return true;
  rhythm->previous_ratio = rhythm->ratio;
  rhythm->ratio = interval / previous;
  rhythm->resolved = interval;
  rhythm->shrunk = rhythm->shrinking;
  return true;
}

/* Is the last interval below the resolution of time? */
static inline bool is_short(const HbgSim *sim, const HbgRhythm *rhythm, double t) {
  return rhythm->interval < TINY * t || rhythm->interval < NOTHING * sim->options.stop;
}

/* Is the row twice as long as when it was looked at before, and leads to the same point still? Takes down where it leads to, for the next time. Where what shrinks does so less and less, as the periods of what
 * is wound up, the point runs away: there is none. */
static bool leads_to_one_point(const HbgRhythm *rhythm, HbgRhythmPast *past) {
  const int32_t halves = rhythm->shrinking / (SHRINKING_IN_A_ROW / 2);
  if (halves * (SHRINKING_IN_A_ROW / 2) != rhythm->shrinking || (halves & (halves - 1)) || !halves) return false;
  const double point = accumulation_point(rhythm), moved = fabs(point - past->foreseen), left = past->foreseen_left;
  past->foreseen = point;
  past->foreseen_left = point - rhythm->last;
  return halves > 1 && moved <= STEADY * left;
}

/* Do intervals shrink geometrically, and have they done so for long, or down to where nothing can be told any more? */
static inline bool accumulates(const HbgSim *sim, int32_t machine, bool is_tiny) {
  const HbgRhythm *rhythm = &sim->rhythms[machine];
  const bool is_long = leads_to_one_point(rhythm, &sim->rhythm_pasts[machine]);
  if (!rhythm->is_unresolved && (rhythm->shrinking < FEW_SHRINKING || rhythm->fell_short)) return false;
  // a flight that is lost in round-off is the next one only where that had to be short
  if (rhythm->is_unresolved && rhythm->resolved * rhythm->ratio > SHORT * rhythm->last) return false;
  const bool is_over = is_tiny ? rhythm->shrinking >= FEW_SHRINKING : rhythm->is_unresolved && rhythm->shrunk >= (rhythm->fell_short ? LEAST_SHRINKING : FEW_SHRINKING);
  return is_geometric(rhythm) && (is_over || is_long) && accumulation_point(rhythm) <= sim->options.stop;
}

/* The impact that should have been the last has come: is the contact open again? If not, what is left of it, which was too little to be a jump, is taken away. */
static void look_whether_it_rests(HbgSim *sim, int32_t machine) {
  HbgRhythm *rhythm = &sim->rhythms[machine];
  rhythm->is_due = false;
  const bool is_closed = hbg_sim_is_on(sim, machine);
  if (is_closed && sim->rests.of_machine[machine] && sim->in_instant) hbg_rest_settle(sim, machine);
  if (is_closed || rhythm->is_told || machine >= sim->implied.first) return; // a law that jumps is no contact
  rhythm->is_told = true;
  hbg_sim_warn(sim,
               "%s does not come to rest at t = %.9g s, where its events accumulate: with all that it reads by pre( ) taken as 0 it "
               "opens again at once; let pre( ) hold what dies out, as pre(x.f - w) where the other side moves with w",
               sim->model->machines[machine].name, sim->now.time);
}

/* A voltage, as a difference of large ones, has come above zero by round-off, and the current that it stands for is not there yet: the
 * same noise, seen from two modes, would switch a diode to and fro in each of the next thousand instants that have a number. A moment later
 * there is no question, or else its guards undo each other. */
double hbg_rhythm_rest(const HbgSim *sim, int32_t machine) {
  const HbgRhythm *rhythm = &sim->rhythms[machine];
  if (!rhythm->tiny || rhythm->shrinking || rhythm->rests > MOST_RESTS) return (double)-INFINITY;
  const double elapsed = fmax(rhythm->last, NOTHING / TINY * sim->options.stop); // which is no measure at the very beginning
  return rhythm->last + elapsed * fmin(ldexp(FIRST_REST, 2 * (rhythm->tiny - 1)), LONGEST_REST);
}

/* Behind a rest it may take a hundred times as long to come back, so that rests are counted for a while. */
static void count_rest(HbgRhythm *rhythm, HbgRhythmPast *past, double t) {
  if (t - past->rests_since > A_WHILE * t) {
    rhythm->rests = 0;
    past->rests_since = t;
  }
  rhythm->rests++;
}

/* The next impact is the last; where this one has left it closed, it rests. */
static void rest_alone(HbgSim *sim, int32_t machine) {
  if (sim->rests.of_machine[machine]) return;
  hbg_rest_begin(sim, machine);
  sim->rhythms[machine].is_due = true;
  if (!hbg_sim_is_on(sim, machine)) return;
  if (sim->in_instant) hbg_rest_settle(sim, machine);
  else hbg_local_give_way(sim); // who follows a recipe would go on as the recipe says
}

/* Does a row of intervals end now, as far as time can tell? */
static bool ends_now(const HbgSim *sim, const HbgRhythm *rhythm, double t) {
  return rhythm->shrinking >= FEW_SHRINKING && is_geometric(rhythm) && fabs(accumulation_point(rhythm) - t) <= fmax(TINY * t, NOTHING * sim->options.stop);
}

/* A body that goes to and fro between two others hits both ever faster, and may be fast still where time cannot tell its impacts from each other any more. They all end at one point: if only one
 * of its contacts came to rest there, the others would throw both bodies back. */
static void rest(HbgSim *sim, int32_t machine) {
  int32_t count;
  const int32_t *machines = hbg_scope_machines(sim, &count);
  rest_alone(sim, machine);
  for (int32_t at = 0; at < count; at++)
    if (machines[at] != machine && ends_now(sim, &sim->rhythms[machines[at]], sim->rhythms[machine].last) && hbg_rest_has_rebound(sim, machines[at])) rest_alone(sim, machines[at]);
}

/* Impacts too small to be jumps that follow each other faster than time can tell, without any order: what is left of an accumulation in which several contacts take part,
 * none of which has a row of its own. */
static bool is_lost_in_round_off(HbgSim *sim, int32_t machine) {
  return sim->options.zeno_continue && sim->solver.has_dropped_impulse && !sim->rests.of_machine[machine] && hbg_rest_has_rebound(sim, machine);
}

/* Guards that undo each other for longer than a rebound could make them. */
static bool end_chattering(HbgSim *sim, int32_t machine) {
  if (!is_lost_in_round_off(sim, machine)) return report_chattering(sim, machine);
  sim->rhythms[machine].tiny = 0;
  rest(sim, machine);
  return true;
}

/* What an interval that has been taken down proves. Apart from those who mostly need not call it. */
__attribute__((noinline)) static bool judge(HbgSim *sim, int32_t machine, double t, double rested) {
  HbgRhythm *rhythm = &sim->rhythms[machine];
  const bool is_tiny = is_short(sim, rhythm, t) || t <= rested;
  rhythm->tiny = is_tiny ? rhythm->tiny + 1 : 0;
  if (is_tiny) count_rest(rhythm, &sim->rhythm_pasts[machine], t);
  if (rhythm->tiny > 1 && !rhythm->shrinking) hbg_local_give_way(sim); // steps of the whole wait for a moment
  if (rhythm->tiny >= TINY_IN_A_ROW && !rhythm->shrinking) return end_chattering(sim, machine);
  if (!accumulates(sim, machine, is_tiny)) return rhythm->tiny < 50 * TINY_IN_A_ROW || report_chattering(sim, machine);
  if (!sim->options.zeno_continue) return report_accumulation(sim, machine);
  // what is left of the rebound is nothing
  if (is_tiny || rhythm->is_unresolved) rest(sim, machine);
  return true;
}

/* The last interval was next to nothing, or this one should end at rest. */
__attribute__((noinline)) static bool note_what_is_close(HbgSim *sim, int32_t machine, double t) {
  HbgRhythm *rhythm = &sim->rhythms[machine];
  if (rhythm->is_due) look_whether_it_rests(sim, machine);
  const double rested = rhythm->tiny ? hbg_rhythm_rest(sim, machine) : (double)-INFINITY;
  return !take_down(rhythm, t) || judge(sim, machine, t, rested);
}

bool hbg_rhythm_note(HbgSim *sim, int32_t machine, double t) {
  HbgRhythm *rhythm = &sim->rhythms[machine];
  if (rhythm->is_due || rhythm->tiny) return note_what_is_close(sim, machine, t);
  if (!take_down(rhythm, t)) return true;
  const bool is_plain = !rhythm->is_unresolved && rhythm->shrinking < FEW_SHRINKING && !is_short(sim, rhythm, t);
  return is_plain || judge(sim, machine, t, (double)-INFINITY);
}
