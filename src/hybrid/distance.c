/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/distance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "base/queue.h"
#include "equations/affine.h"
#include "hybrid/influence.h"
#include "hybrid/island_forms.h"
#include "hybrid/island_parts.h"
#include "hybrid/near.h"
#include "hybrid/outlook.h"
#include "hybrid/sim.h"
#include "hybrid/slide_line.h"
#include "hybrid/window.h"
#include "numerics/scales.h"

typedef enum Kind {
  UNKNOWN, /* it has to be looked at in every step */
  STILL,   /* it turns in instants only */
  LINEAR,
  BENT     /* some difference is no combination of states, but a function of them */
} Kind;

typedef struct Centre {
  int32_t state;
  double value;
} Centre;

/* Of one guard. */
typedef struct HbgDistance {
  Kind kind;
  HbgLinear *differences; /* (difference_count) */
  uint8_t *is_line;       /* which of them are combinations (difference_count) */
  double radius;          /* BENT: of the box that is asked about next, in the units of states; 0: not known yet */
  double certain;         /* BENT: it cannot hold while its states are no farther than that from the centres; 0: not known */
  bool is_fresh;          /* BENT: nobody has asked about it since it was made */
  bool is_owed;           /* it was beneath notice, and may have turned there */
  Centre *centres; int32_t centre_count, centre_capacity;
} HbgDistance;

struct HbgDistances {
  uint8_t *is_stale; /* per machine: something that its guards read is another thing by now */
  int32_t *stale;
  int32_t stale_count; /* those machines */
  bool are_all_stale;
  double *rise, *stray; /* how the last step has taken each state (hbg_stepper_travel(), state_count) */
  double *unit;         /* per state: one over a size of its kind */
  double *last;         /* per state: where the last step but one began */
  double moved;         /* at each step some state has moved so far in its unit at most: the sum */
  double widest;        /* so far some state comes in its unit within the last step */
  HbgDistance *boxed;   /* whose box is asked about */
  int32_t boxes_of_step; /* number of the window where the last step has taken states; 0: none yet */
  HbgTravelOf *measure; /* how far a state can come, that is asked about */
  HbgQueue due;         /* per machine: before that sum is there, none of its guards can turn */
  int32_t *asked;       /* machines (machine_count) */
};

typedef struct HbgNearGuards {
  HbgNearGuard *list;
  int32_t count, capacity;
} HbgNearGuards;

/* ---- making them ---- */

static HbgDistances *distances(HbgSim *sim) {
  if (sim->distances) return sim->distances;
  HbgDistances *self = ARENA_NEW(sim->arena, HbgDistances, 1);
  self->is_stale = ARENA_NEW(sim->arena, uint8_t, sim->model->machine_count);
  self->stale = ARENA_NEW(sim->arena, int32_t, sim->model->machine_count);
  self->asked = ARENA_NEW(sim->arena, int32_t, sim->model->machine_count);
  self->due = hbg_queue(sim->arena, sim->model->machine_count);
  self->unit = ARENA_NEW(sim->arena, double, sim->model->state_count);
  self->last = ARENA_NEW(sim->arena, double, sim->model->state_count);
  self->rise = ARENA_NEW(sim->arena, double, sim->model->state_count);
  self->stray = ARENA_NEW(sim->arena, double, sim->model->state_count);
  self->are_all_stale = true;
  return sim->distances = self;
}

static bool reads_no_motion(const HbgConjunction *guard) {
  for (int32_t at = 0; at < guard->probe.program.input_count; at++) {
    const HbgProgramInput *input = &guard->probe.program.inputs[at];
    if (hbg_moves(&input->leaf) || input->leaf.op == HBG_OP_TIME || input->leaf.op == HBG_OP_SHARE || input->is_pre)
      return false;
  }
  return true;
}

/* Nothing but states, and what follows from them, moves what it reads, as far as its own program tells. */
static bool reads_states_only(const HbgSim *sim, const HbgConjunction *guard) {
  for (int32_t at = 0; at < guard->probe.program.input_count; at++) {
    const HbgProgramInput *input = &guard->probe.program.inputs[at];
    if (input->leaf.op == HBG_OP_TIME || input->is_pre || (input->leaf.op == HBG_OP_SHARE && !hbg_slide_of(sim, input->leaf.index))) return false;
  }
  return true;
}

/* A mean over both sides of a slide, of which forms know one. */
static bool reads_slides(const HbgSim *sim, const HbgConjunction *guard) {
  for (int32_t at = 0; at < guard->bond_count; at++)
    if (sim->island_of[guard->bonds[at]]->sliding) return true;
  return false;
}

static HbgDistance *distance_of(HbgSim *sim, const HbgConjunction *guard) {
  if (guard->distance) return guard->distance;
  HbgDistance *distance = ARENA_NEW(sim->arena, HbgDistance, 1);
  distance->differences = ARENA_NEW(sim->arena, HbgLinear, guard->difference_count);
  distance->is_line = ARENA_NEW(sim->arena, uint8_t, guard->difference_count);
  return ((HbgConjunction *)(uintptr_t)guard)->distance = distance; /* made when first asked for */
}

static void make(HbgSim *sim, const HbgConjunction *guard, HbgDistance *distance) {
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  distance->kind = UNKNOWN;
  distance->certain = 0;
  distance->is_fresh = true;
  distance->is_owed = false; // an instant has looked at it
  if (guard->difference_count) memset(distance->is_line, 0, (size_t)guard->difference_count);
  if (reads_no_motion(guard)) distance->kind = STILL;
  else if (!guard->is_opaque && guard->difference_count && !reads_slides(sim, guard)) {
    if (hbg_linear_differences(sim, guard, distance->differences, distance->is_line)) distance->kind = LINEAR;
    else if (reads_states_only(sim, guard)) distance->kind = BENT;
  }
  hbg_arena_rewind(&sim->scratch, mark);
}

static void make_machine(HbgSim *sim, HbgDistances *self, int32_t machine) {
  int32_t count;
  const HbgConjunction *leaving = hbg_leaving(sim, machine, &count);
  self->is_stale[machine] = false;
  for (int32_t at = 0; at < count; at++) make(sim, &leaving[at], distance_of(sim, &leaving[at]));
}

static void forget(HbgDistances *self, int32_t machine) {
  if (!self->is_stale[machine]) self->stale[self->stale_count++] = machine;
  self->is_stale[machine] = true;
}

bool hbg_distances_owe(const HbgConjunction *guard) { return guard->distance && guard->distance->is_owed; }

void hbg_distances_pay(const HbgConjunction *guard) { guard->distance->is_owed = false; }

void hbg_distances_forget(HbgSim *sim) {
  HbgDistances *self = sim->distances;
  if (!self) return;
  if (sim->scope.is_everything || sim->is_local) self->are_all_stale = true;
  else
    for (int32_t at = 0; at < sim->scope.machines.count; at++) forget(self, sim->scope.machines.list[at]);
}

void hbg_distances_forget_machine(HbgSim *sim, int32_t machine) {
  if (sim->distances) forget(sim->distances, machine);
}

/* ---- over a step ---- */

/* Something is `left` above zero, comes down by `fall` over the step, and strays from that line by `stray` and by 4 theta * stray at
 * most: before which theta is it certainly above? */
static double time_to_fall(double left, double fall, double stray) {
  if (!(left > 0)) return 0;
  const double pace = fall + 4 * stray;
  const double soon = pace > 0 ? left / pace : (double)INFINITY;
  const double late = fall > 0 ? (left - stray) / fall : left > stray ? (double)INFINITY : 0;
  return soon > late ? soon : late;
}

/* What is certain of a guard: it cannot hold before theta, nor before states have moved by `margin`. */
typedef struct Certainty {
  double earliest, margin;
} Certainty;

/* Of an inequality over what has never been more than the step has to know of it: there is nothing yet that could turn. What spreads into many states at once is
 * smaller in each than in the one before, without end, and of those far ahead only round-off would be told. What has been more, and is little by now, may be a ball at
 * the end of its bounces. */
static bool is_beneath_notice(const HbgSim *sim, const HbgDistances *self, const HbgConjunction *guard, int32_t which) {
  const HbgLinear *difference = &guard->distance->differences[which];
  const HbgStepper *stepper = sim->stepper;
  if (difference->follows_time || !hbg_is_zero(difference->constant) || hbg_conjunction_allows(guard, which, 0)) return false;
  for (int32_t at = 0; at < difference->count; at++) {
    const int32_t state = difference->terms[at].state;
    const double most = fabs(stepper->y0[state]) + fabs(self->rise[state]) + self->stray[state];
    if (!(hbg_larger(most, sim->scale[state]) <= stepper->tolerance * stepper->scale[state])) return false;
  }
  return difference->count > 0;
}

/* By one difference that does not let it hold. */
static Certainty certainty_by(const HbgSim *sim, const HbgDistances *self, const HbgConjunction *guard, int32_t which) {
  const double *y = sim->stepper->y0, *scale = sim->scale;
  const HbgLinear *difference = &guard->distance->differences[which];
  double value = difference->constant, size = difference->size, rise = 0, stray = 0, slope = 0;
  for (int32_t at = 0; at < difference->count; at++) {
    const HbgLinearTerm *term = &difference->terms[at];
    const int32_t state = term->state;
    const double weight = fabs(term->weight);
    value += term->weight * y[state];
    rise += term->weight * self->rise[state];
    stray += weight * self->stray[state];
    size += weight * (scale[state] + fabs(y[state]) + fabs(self->rise[state]));
    slope += weight / self->unit[state];
  }
  if (difference->follows_time) {
    const HbgStepper *stepper = sim->stepper;
    const double from = hbg_time_part_value(difference->time, stepper->t0), change = hbg_time_part_value(difference->time, stepper->t1) - from;
    value += from;
    rise += change;
    stray += hbg_time_part_stray(difference->time, stepper->t0, stepper->t1);
    size += fabs(from) + fabs(change);
  }
  if (hbg_conjunction_allows(guard, which, value > 0 ? 1 : -1)) return (Certainty){0, 0};
  const double left = fabs(value) - 4 * HBG_GUARD_BAND * (size + stray);
  // what moves grows, too, and with it what round-off is small against
  const double clear = 0.999 * (fabs(value) - 8 * HBG_GUARD_BAND * size);
  const double margin = !(clear > 0) || difference->follows_time ? 0 : slope > 0 ? clear / slope : (double)INFINITY;
  return (Certainty){time_to_fall(left, value > 0 ? -rise : rise, stray), margin};
}

/* One condition that does not hold is enough. */
static Certainty certainty_by_lines(const HbgSim *sim, const HbgDistances *self, const HbgConjunction *guard) {
  Certainty sum = {0, 0};
  for (int32_t which = 0; which < guard->difference_count; which++) {
    if (!guard->distance->is_line[which]) continue;
    if (is_beneath_notice(sim, self, guard, which)) {
      guard->distance->is_owed = true;
      return (Certainty){(double)INFINITY, 0};
    }
    const Certainty by = certainty_by(sim, self, guard, which);
    if (by.earliest > sum.earliest) sum.earliest = by.earliest;
    if (by.margin > sum.margin) sum.margin = by.margin;
  }
  return sum;
}

/* All states that it hangs on are asked for. */
static HbgBox box_around(HbgSim *sim, int32_t state) {
  HbgDistances *self = sim->distances;
  HbgDistance *distance = self->boxed;
  const double value = sim->stepper->y0[state];
  ARENA_PUSH(sim->arena, distance->centres, distance->centre_count, distance->centre_capacity) = (Centre){state, value};
  return (HbgBox){.value = value, .radius = distance->radius / self->unit[state]};
}

/* Where the last step has taken it. */
static HbgBox box_of_step(HbgSim *sim, int32_t state) {
  const HbgDistances *self = sim->distances;
  return (HbgBox){sim->stepper->y0[state], self->rise[state], self->stray[state]};
}

static bool excludes(HbgSim *sim, const HbgConjunction *guard, HbgBoxOf *box_of, int32_t *number) {
  const HbgBoxAnswer answer = hbg_outlook_over_boxes(sim, guard, box_of, number);
  if (answer == HBG_BOX_BLIND) guard->distance->kind = UNKNOWN;
  return answer == HBG_BOX_EXCLUDED;
}

/* In boxes that nobody else asks about. */
static bool excludes_once(HbgSim *sim, const HbgConjunction *guard, HbgBoxOf *box_of) {
  int32_t number = 0;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  const bool is_excluded = excludes(sim, guard, box_of, &number);
  hbg_arena_rewind(&sim->scratch, mark);
  return is_excluded;
}

/* Is it certain while states stay near? How near is learnt from one time to the next. */
static bool excludes_box(HbgSim *sim, HbgDistances *self, const HbgConjunction *guard) {
  HbgDistance *distance = guard->distance;
  self->boxed = distance;
  distance->centre_count = 0;
  const bool is_excluded = excludes_once(sim, guard, box_around);
  distance->certain = is_excluded ? 0.999 * distance->radius : 0;
  distance->radius *= is_excluded ? 1.5 : 0.5;
  return is_excluded;
}

/* How far its states have come from the centres, and how far they come in the last step, in their units. */
typedef struct Way {
  double gone, goes;
} Way;

static Way way_of(const HbgSim *sim, const HbgDistances *self, const HbgDistance *distance) {
  Way way = {0, 0};
  for (int32_t at = 0; at < distance->centre_count; at++) {
    const Centre *centre = &distance->centres[at];
    const double unit = self->unit[centre->state];
    way.gone = fmax(way.gone, unit * fabs(sim->stepper->y0[centre->state] - centre->value));
    way.goes = fmax(way.goes, unit * (fabs(self->rise[centre->state]) + self->stray[centre->state]));
  }
  return way;
}

/* Of a guard that bends: by all that it can be in boxes. */
static Certainty certainty_by_boxes(HbgSim *sim, HbgDistances *self, const HbgConjunction *guard) {
  enum { FIRST = 8 };
  HbgDistance *distance = guard->distance;
  const Way way = way_of(sim, self, distance);
  if (way.gone + way.goes < distance->certain) return (Certainty){(double)INFINITY, distance->certain - way.gone};
  if (distance->is_fresh) { // where every step ends in an event, boxes do not pay
    distance->is_fresh = false;
    return (Certainty){0, 0};
  }
  if (!(distance->radius > 0)) distance->radius = FIRST * self->widest;
  if (!(distance->radius > way.goes)) distance->radius *= 1.1; // it may be farther away by now
  else if (excludes_box(sim, self, guard)) {
    const Way from_here = way_of(sim, self, distance);
    if (from_here.goes < distance->certain) return (Certainty){(double)INFINITY, distance->certain};
  }
  if (distance->kind != BENT) return (Certainty){0, 0};
  return excludes(sim, guard, box_of_step, &self->boxes_of_step) ? (Certainty){(double)INFINITY, 0} : (Certainty){0, 0};
}

static Certainty certainty_of(HbgSim *sim, HbgDistances *self, const HbgConjunction *guard) {
  const Certainty by_lines = certainty_by_lines(sim, self, guard);
  if (guard->distance->kind != BENT || by_lines.earliest > 1) return by_lines;
  const Certainty by_boxes = certainty_by_boxes(sim, self, guard);
  return (Certainty){fmax(by_lines.earliest, by_boxes.earliest), fmax(by_lines.margin, by_boxes.margin)};
}

static bool are_kept(const HbgSim *sim) {
  return !sim->is_local && hbg_near_may_be(sim) && sim->stepper->t0 < sim->stepper->t1 &&
         sim->slides.are_known;
}

static bool is_disarmed(const HbgSim *sim, const HbgConjunction *guard) {
  return sim->slides.disarmed[guard->machine].guard == guard;
}

/* The guard joins those that may turn in this step; answers by how much states may move before it is asked again. */
static double ask(HbgSim *sim, HbgDistances *self, const HbgConjunction *guard, HbgNearGuards *near) {
  Certainty it = {0, 0};
  if (self && !is_disarmed(sim, guard)) {
    if (guard->distance->kind == STILL) return (double)INFINITY;
    if (guard->distance->kind != UNKNOWN) it = certainty_of(sim, self, guard);
  }
  if (it.earliest <= 1)
    ARENA_PUSH(&sim->scratch, near->list, near->count, near->capacity) = (HbgNearGuard){guard, it.earliest};
  return it.margin;
}

static void ask_machine(HbgSim *sim, HbgDistances *self, int32_t machine, HbgNearGuards *near) {
  int32_t count;
  const HbgConjunction *leaving = hbg_leaving(sim, machine, &count);
  double least = (double)INFINITY;
  for (int32_t at = 0; at < count; at++) {
    const double margin = ask(sim, self, &leaving[at], near);
    if (margin < least) least = margin;
  }
  if (self) hbg_queue_set(&self->due, machine, self->moved + least);
}

/* ---- what states have moved ---- */

static void begin_again(HbgSim *sim, HbgDistances *self) {
  double largest[HBG_SCALE_KINDS] = {0};
  const int32_t count = sim->model->state_count;
  for (int32_t state = 0; state < count; state++)
    if (sim->scale[state] > largest[sim->scale_kind[state]]) largest[sim->scale_kind[state]] = sim->scale[state];
  for (int32_t state = 0; state < count; state++) {
    const double size = largest[sim->scale_kind[state]];
    self->unit[state] = size > 0 && isfinite(1 / size) && isfinite(size) ? 1 / size : 1;
  }
  self->moved = 0;
  self->stale_count = 0;
  self->are_all_stale = false;
  for (int32_t machine = 0; machine < sim->model->machine_count; machine++) make_machine(sim, self, machine);
}

static void follow(HbgSim *sim, HbgDistances *self) {
  const int32_t count = sim->model->state_count;
  self->moved += hbg_scales_farthest(sim->stepper->y0, self->last, self->unit, count);
  if (!isfinite(self->moved)) self->are_all_stale = true;
}

static void renew_stale(HbgSim *sim, HbgDistances *self) {
  for (int32_t at = 0; at < self->stale_count; at++) {
    make_machine(sim, self, self->stale[at]);
    hbg_queue_set(&self->due, self->stale[at], 0);
  }
  self->stale_count = 0;
}

/* Only those machines are asked whose guards states can have reached. */
static void ask_kept(HbgSim *sim, HbgDistances *self, HbgNearGuards *near) {
  const int32_t count = sim->model->state_count;
  hbg_influence_take_start(sim);
  hbg_stepper_travel(sim->stepper, self->rise, self->stray);
  if (!self->are_all_stale) follow(sim, self);
  const bool all = self->are_all_stale;
  if (all)
    begin_again(sim, self);
  else
    renew_stale(sim, self);
  self->boxes_of_step = 0;
  self->widest = hbg_scales_widest(self->rise, self->stray, self->unit, count);
  const double reach = self->moved + self->widest;
  const int32_t asked = all ? sim->model->machine_count : hbg_queue_list(&self->due, reach, self->asked);
  for (int32_t at = 0; at < asked; at++) ask_machine(sim, self, all ? at : self->asked[at], near);
  if (count) memcpy(self->last, sim->stepper->y0, (size_t)count * sizeof *self->last);
}

bool hbg_distances_refresh(HbgSim *sim) {
  if (!are_kept(sim)) return false;
  HbgDistances *self = distances(sim);
  if (!self->are_all_stale) {
    renew_stale(sim, self);
    return true;
  }
  begin_again(sim, self);
  for (int32_t machine = 0; machine < sim->model->machine_count; machine++) hbg_queue_set(&self->due, machine, 0);
  return true;
}

/* With states that are measured when they are read. */
static bool stays_in_box(HbgSim *sim, const HbgDistances *self, const HbgDistance *distance, HbgTravelOf *measure) {
  for (int32_t at = 0; at < distance->centre_count && distance->certain > 0; at++) {
    const Centre *centre = &distance->centres[at];
    const double travel = measure(sim, centre->state);
    const double farthest = fabs(sim->stepper->y0[centre->state] - centre->value) + travel;
    if (!(farthest * self->unit[centre->state] < distance->certain)) return false;
  }
  return distance->certain > 0;
}

static HbgBox box_of_rest(HbgSim *sim, int32_t state) {
  const double travel = sim->distances->measure(sim, state);
  return (HbgBox){.value = sim->stepper->y0[state], .radius = travel};
}

bool hbg_distances_may_turn(HbgSim *sim, const HbgConjunction *guard, HbgTravelOf *measure) {
  HbgDistances *self = sim->distances;
  const HbgDistance *distance = guard->distance;
  if (distance->kind == UNKNOWN || distance->kind == STILL || is_disarmed(sim, guard)) return distance->kind != STILL;
  for (int32_t which = 0; which < guard->difference_count; which++)
    for (int32_t at = 0; distance->is_line[which] && at < distance->differences[which].count; at++) {
      const int32_t state = distance->differences[which].terms[at].state;
      self->rise[state] = 0;
      self->stray[state] = measure(sim, state);
    }
  if (certainty_by_lines(sim, self, guard).earliest > 1) return false;
  if (distance->kind == LINEAR) return true;
  if (stays_in_box(sim, self, distance, measure)) return false;
  self->measure = measure;
  return !excludes_once(sim, guard, box_of_rest);
}

/* Guards lie in the order of their machines. */
static int earliest_first(const void *a, const void *b) {
  const HbgNearGuard *x = a, *y = b;
  if (x->earliest < y->earliest || x->earliest > y->earliest) return x->earliest < y->earliest ? -1 : 1;
  return (x->guard > y->guard) - (x->guard < y->guard);
}

int32_t hbg_distances_near(HbgSim *sim, HbgNearGuard **list) {
  HbgDistances *self = are_kept(sim) ? distances(sim) : NULL;
  HbgNearGuards near = {0};
  if (self)
    ask_kept(sim, self, &near);
  else
    for (int32_t machine = 0; machine < sim->model->machine_count; machine++) ask_machine(sim, NULL, machine, &near);
  if (self && near.count > 1) qsort(near.list, (size_t)near.count, sizeof *near.list, earliest_first);
  *list = near.list;
  return near.count;
}
