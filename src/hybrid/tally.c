/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/tally.h"

#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "equations/affine.h"
#include "hybrid/local_parts.h"

/* ---- what is added up ---- */

/* Has what an operation gives all its derivatives wherever it has a value? */
static bool is_smooth(HbgOperation op) {
  switch (op) {
    case HBG_OP_ADD:
    case HBG_OP_SUB:
    case HBG_OP_MUL:
    case HBG_OP_DIV:
    case HBG_OP_NEG:
    case HBG_OP_PRE:
    case HBG_OP_FINITE:
    case HBG_OP_IMPULSE:
    case HBG_OP_EXP:
    case HBG_OP_LOG:
    case HBG_OP_LOG10:
    case HBG_OP_SIN:
    case HBG_OP_COS:
    case HBG_OP_TAN:
    case HBG_OP_ATAN:
    case HBG_OP_SINH:
    case HBG_OP_COSH:
    case HBG_OP_TANH: return true;
    default: return false;
  }
}

/* ... and whole powers. */
static bool is_whole_power(const HbgProbe *probe, const HbgInstruction *i) {
  const HbgProgram *program = &probe->program;
  for (int32_t of = 0; i->op == HBG_OP_POW && of < program->constant_count; of++)
    if (program->constants[of].target == i->b) return probe->registers[i->b] >= 0 && !(floor(probe->registers[i->b]) < probe->registers[i->b]);
  return false;
}

/* ---- kinks: where what stands in an `abs`, or the difference of what stands in a `min` or `max`, passes zero ---- */

enum { MOST_KINKS = 4 };

typedef struct Kinks {
  const HbgProgram *program;
  HbgAffine *affine;                        /* its registers, as sums of inputs */
  const double *list[MOST_KINKS]; int32_t count; /* constant, and weights of inputs */
  double *differences; int32_t difference_count; /* room for those of two registers */
} Kinks;

static bool add_kink(Kinks *self, const double *form) {
  bool is_constant = true;
  for (int32_t at = 1; at < self->affine->width; at++) is_constant = is_constant && hbg_is_zero(form[at]);
  if (is_constant) return true;
  if (self->count == MOST_KINKS) return false;
  self->list[self->count++] = form;
  return true;
}

static const HbgInstruction *maker_of(const HbgProgram *program, int32_t target) {
  for (int32_t at = 0; at < program->main_count; at++)
    if (program->main[at].target == target) return &program->main[at];
  return NULL;
}

/* A product passes zero where one of its factors does. */
static bool add_zeros(Kinks *self, int32_t target) {
  if (hbg_affine_is_known(self->affine, target)) return add_kink(self, hbg_affine_form(self->affine, target));
  const HbgInstruction *made = maker_of(self->program, target);
  if (made && made->op == HBG_OP_NEG) return add_zeros(self, made->a);
  return made && made->op == HBG_OP_MUL && add_zeros(self, made->a) && add_zeros(self, made->b);
}

static bool add_difference(Kinks *self, int32_t a, int32_t b) {
  if (self->difference_count == MOST_KINKS) return false;
  if (!hbg_affine_is_known(self->affine, a) || !hbg_affine_is_known(self->affine, b)) return false;
  double *difference = self->differences + self->difference_count++ * self->affine->width;
  for (int32_t at = 0; at < self->affine->width; at++) difference[at] = hbg_affine_form(self->affine, a)[at] - hbg_affine_form(self->affine, b)[at];
  return add_kink(self, difference);
}

/* What is no sum compares with a number that is nothing. */
static bool add_turn(Kinks *self, int32_t a, int32_t b) {
  for (int order = 0; order < 2; order++) {
    const int32_t number = order ? b : a, other = order ? a : b;
    const double *form = hbg_affine_form(self->affine, number);
    bool is_nothing = hbg_affine_is_known(self->affine, number);
    for (int32_t at = 0; at < self->affine->width; at++) is_nothing = is_nothing && hbg_is_zero(form[at]);
    if (is_nothing) return add_zeros(self, other);
  }
  return add_difference(self, a, b);
}

/* False where it bends in a way that is not known. `memory`: of the forms. */
static bool find_kinks(const HbgProbe *probe, Kinks *self, HbgAffine *affine, HbgArena *memory) {
  const HbgProgram *program = &probe->program;
  *affine = hbg_affine(program->register_count, program->input_count, probe->registers, memory);
  for (int32_t at = 0; at < program->input_count; at++) hbg_affine_set_input(affine, program->inputs[at].target, at);
  hbg_affine_execute(affine, program->main, 0, program->main_count);
  *self = (Kinks){.program = program, .affine = affine, .differences = ARENA_NEW(memory, double, MOST_KINKS * affine->width)};
  for (int32_t at = 0; at < program->main_count; at++) {
    const HbgInstruction *i = &program->main[at];
    if (is_smooth((HbgOperation)i->op) || is_whole_power(probe, i)) continue;
    const bool is_turn = i->op == HBG_OP_MIN || i->op == HBG_OP_MAX;
    if (!(i->op == HBG_OP_ABS ? add_zeros(self, i->a) : is_turn && add_turn(self, i->a, i->b))) return false;
  }
  return true;
}

HbgOnlooking hbg_tally_kind(HbgSim *sim, int32_t integrator) {
  if (sim->local->inputs.reads_mode[integrator - sim->first_integrator]) return HBG_LOOKS_NOT_ON;
  HbgProbe *probe = hbg_local_integrator(sim, integrator);
  if (probe->program.input_count > HBG_TALLY_MOST_INPUTS) return HBG_LOOKS_NOT_ON;
  for (int32_t at = 0; at < probe->program.input_count; at++)
    if (!hbg_moves(&probe->program.inputs[at].leaf)) return HBG_LOOKS_NOT_ON;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  Kinks kinks;
  HbgAffine affine;
  hbg_probe_load(probe, &sim->now); // what is constant in its registers
  const bool are_known = find_kinks(probe, &kinks, &affine, &sim->scratch);
  hbg_arena_rewind(&sim->scratch, mark);
  return !are_known ? HBG_LOOKS_NOT_ON : kinks.count ? HBG_LOOKS_ON_AS_BENT_TALLY : HBG_LOOKS_ON_AS_TALLY;
}

/* ---- its motion ---- */

/* Rates of the guests, and behind them the inputs of the program. */
static bool find_rows(HbgSim *sim, const HbgRegion *region, const HbgProgram *program, HbgRates *rates) {
  for (int32_t guest = 0; guest < region->guest_count; guest++)
    if (!hbg_rates_add_guest(sim, rates, guest, region->guests[guest])) return false;
  for (int32_t at = 0; at < program->input_count; at++)
    if (!hbg_rates_add_leaf(sim, rates, region->guest_count + at, &program->inputs[at].leaf, 1)) return false;
  return true;
}

/* Over guests and those functions of time that drive them: constant and weights, input by input. */
static double *find_forms(const HbgRates *rates, const HbgDriven *driven, int32_t input_count, HbgArena *arena) {
  const int32_t width = 1 + rates->count + driven->count;
  double *forms = ARENA_NEW(arena, double, input_count *width);
  for (int32_t at = 0; at < input_count; at++) {
    const double *row = &rates->matrix[(rates->count + at) * rates->width];
    double *form = &forms[at * width];
    form[0] = rates->drive[rates->count + at];
    for (int32_t state = 0; state < rates->count; state++) form[1 + state] = row[state];
    for (int32_t of = 0; of < driven->count; of++) form[1 + rates->count + of] = row[rates->count + driven->column[of]];
  }
  return forms;
}

/* Over guests and what drives them, as forms of inputs are. */
static void find_kinks_of_guests(HbgSim *sim, const HbgProbe *probe, HbgTally *tally) {
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  const int32_t width = 1 + tally->guests->count;
  Kinks kinks;
  HbgAffine affine;
  (void)find_kinks(probe, &kinks, &affine, &sim->scratch); // they are known of a tally
  tally->kinks = ARENA_NEW(&sim->local->arena, HbgTallyKink, kinks.count);
  for (int32_t kink = 0; kink < kinks.count; kink++) {
    double *form = ARENA_NEW(&sim->local->arena, double, width);
    bool moves = false;
    form[0] = kinks.list[kink][0];
    for (int32_t input = 0; input < probe->program.input_count; input++)
      for (int32_t at = 0; at < width; at++) form[at] += kinks.list[kink][1 + input] * tally->forms[input * width + at];
    for (int32_t at = 1; at < width; at++) moves = moves || !hbg_is_zero(form[at]);
    if (!moves) continue;
    HbgFlowGuard *guard = tally->guests->flow ? hbg_flow_guard(&sim->local->arena, tally->guests->flow, form + 1) : NULL;
    tally->kinks[tally->kink_count++] = (HbgTallyKink){form, guard};
  }
  hbg_arena_rewind(&sim->scratch, mark);
}

static HbgMotion *make_motion(HbgSim *sim, const HbgProbe *probe, const HbgMotion *guests, const double *forms) {
  static const double nothing = 0;
  HbgArena *arena = &sim->local->arena;
  HbgTally *tally = ARENA_NEW(arena, HbgTally, 1);
  *tally = (HbgTally){.guests = guests,
                      .program = &probe->program,
                      .registers = probe->registers,
                      .sizes = ARENA_NEW(arena, double, probe->program.register_count),
                      .output = probe->outputs[0],
                      .forms = forms};
  find_kinks_of_guests(sim, probe, tally);
  HbgMotion *motion = ARENA_NEW(arena, HbgMotion, 1);
  *motion = (HbgMotion){.count = 1, .is_known = true, .matrix = &nothing, .drive = &nothing, .speed = guests->speed, .driven = guests->driven, .tally = tally};
  motion->number = -1 - sim->local->known_tallies.count;
  return motion;
}

/* The motion of what adds up the same over the same motion of guests, wherever that has been met. */
static const HbgMotion *motion_for(HbgSim *sim, int32_t state, const HbgMotion *guests, const double *forms, int32_t numbers) {
  HbgProbe *probe = hbg_local_integrator(sim, state);
  const HbgShape *shape = hbg_shape_of_integrator(sim, &sim->local->shapes, state);
  HbgKey key = hbg_key(&sim->scratch);
  hbg_key_add(&key, shape ? shape->number : -1 - state);
  hbg_key_add(&key, probe->program.input_count);
  hbg_key_add(&key, guests->number);
  for (int32_t at = 0; at < numbers; at++) hbg_key_add_number(&key, forms[at]);
  HbgMotion *motion = hbg_key_table_find(&sim->local->known_tallies, key.list, key.count);
  if (motion) return motion;
  double *kept = ARENA_NEW(&sim->local->arena, double, numbers);
  if (numbers) memcpy(kept, forms, (size_t)numbers * sizeof *kept);
  hbg_probe_load(probe, &sim->now); // what is constant in its registers
  motion = make_motion(sim, probe, guests, kept);
  hbg_key_table_add(&sim->local->known_tallies, hbg_key_keep(&key, &sim->local->arena), key.count, motion);
  return motion;
}

const HbgMotion *hbg_tally_motion(HbgSim *sim, HbgRegion *region) {
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  const HbgProgram *program = &hbg_local_integrator(sim, region->states[0])->program;
  const int32_t rows = region->guest_count + program->input_count;
  const HbgMotion *motion = NULL;
  HbgRates rates = hbg_rates(region->guests, region->guest_count, rows, sim->time, &sim->scratch);
  if (find_rows(sim, region, program, &rates)) {
    const HbgDriven driven = hbg_motion_driven(&rates, rows);
    const HbgMotion *guests = hbg_motion(sim, &rates, &driven);
    const double *forms = guests ? find_forms(&rates, &driven, program->input_count, &sim->scratch) : NULL;
    if (guests) motion = motion_for(sim, region->states[0], guests, forms, program->input_count * (1 + guests->count));
  }
  hbg_arena_rewind(&sim->scratch, mark);
  return motion;
}

/* ---- its guests ---- */

/* x(s) = x + (A x + b) s + A (A x + b) s^2/2. */
static void start_parabolas(const HbgMotion *motion, HbgTrack *tracks) {
  for (int32_t row = 0; row < motion->count; row++) {
    tracks[row].b = motion->drive[row];
    for (int32_t at = motion->start[row]; at < motion->start[row + 1]; at++) tracks[row].b += motion->terms[at].factor * tracks[motion->terms[at].column].a;
  }
  for (int32_t row = 0; row < motion->count; row++) {
    tracks[row].c = 0;
    for (int32_t at = motion->start[row]; at < motion->start[row + 1]; at++) tracks[row].c += 0.5 * motion->terms[at].factor * tracks[motion->terms[at].column].b;
  }
}

void hbg_tally_start(HbgRegion *region) {
  const HbgMotion *guests = region->motion->tally->guests;
  if (guests->is_parabola) start_parabolas(guests, region->tracks + region->count);
  region->course->has_begun = false;
}

/* They, and what drives them, so long behind the start. */
static void read_guests(const HbgMotion *guests, const HbgTrack *tracks, double s, double *x) {
  if (guests->flow && s > 0) hbg_flow_go_from(guests->flow, &tracks->a, HBG_TRACK_STRIDE, s, x);
  else if (guests->flow)
    for (int32_t at = 0; at < guests->count; at++) x[at] = tracks[at].a;
  else
    for (int32_t at = 0; at < guests->count; at++) x[at] = tracks[at].a + s * (tracks[at].b + s * tracks[at].c);
}

/* ---- its value ---- */

static double rate_at(double s, void *user) {
  const HbgRegion *region = user;
  const HbgTally *tally = region->motion->tally;
  const HbgProgram *program = tally->program;
  const int32_t count = tally->guests->count;
  const double *form = tally->forms;
  double x[HBG_REGION_MOST_STATES];
  read_guests(tally->guests, region->tracks + region->count, region->course->start + s, x);
  for (int32_t at = 0; at < program->input_count; at++, form += 1 + count) {
    double sum = form[0];
    for (int32_t state = 0; state < count; state++) sum += form[1 + state] * x[state];
    tally->registers[program->inputs[at].target] = sum;
  }
  hbg_execute(program->main, 0, program->main_count, tally->registers);
  return tally->registers[tally->output];
}

/* How large an input is, as far as is known. */
static double size_of_input(const HbgRegion *region, const double *form) {
  const HbgTrack *tracks = region->tracks + region->count;
  double size = fabs(form[0]);
  for (int32_t at = 0; at < region->motion->tally->guests->count; at++) {
    const double scale = at < region->guest_count ? region->sim->scale[region->guests[at]] : 0;
    size += fabs(form[1 + at]) * fmax(scale, fabs(tracks[at].a));
  }
  return size;
}

/* Of what else it may be computed by, sizes say little that is true far from the values at hand. */
static bool is_of_polynomials(HbgOperation op) {
  return op == HBG_OP_ADD || op == HBG_OP_SUB || op == HBG_OP_MUL || op == HBG_OP_NEG || op == HBG_OP_POW || op == HBG_OP_ABS || op == HBG_OP_MIN || op == HBG_OP_MAX;
}

double hbg_tally_noise(const HbgProgram *program, double *registers, double *sizes, int32_t output, const double *input_sizes) {
  for (int32_t at = 0; at < program->main_count; at++)
    if (!is_of_polynomials((HbgOperation)program->main[at].op)) return 0;
  for (int32_t at = 0; at < program->register_count; at++) sizes[at] = fabs(registers[at]); // of constants
  for (int32_t at = 0; at < program->input_count; at++) registers[program->inputs[at].target] = sizes[program->inputs[at].target] = input_sizes[at];
  hbg_execute(program->main, 0, program->main_count, registers);
  hbg_execute_sizes(program->main, 0, program->main_count, registers, sizes);
  return HBG_GUARD_BAND * sizes[output];
}

static double noise_of(const HbgRegion *region) {
  const HbgTally *tally = region->motion->tally;
  double sizes[HBG_TALLY_MOST_INPUTS];
  for (int32_t at = 0; at < tally->program->input_count; at++) sizes[at] = size_of_input(region, &tally->forms[at * (1 + tally->guests->count)]);
  return hbg_tally_noise(tally->program, tally->registers, tally->sizes, tally->output, sizes);
}

/* ---- from kink to kink ---- */

#define GONE 1e-14 /* of its terms: so little is nothing */

/* Behind `from`, the first time at which a + b s + c s^2 changes its sign; infinite. */
static double turn_of_parabola(double a, double b, double c, double from) {
  const double slope = b + 2 * c * from, size = fabs(a) + from * (fabs(b) + from * fabs(c)), level = a + from * (b + from * c); // about `from`
  const bool is_root = fabs(level) <= GONE * size;
  double roots[2] = {0, 0};
  if (hbg_is_zero(c)) {
    roots[0] = is_root ? 0 : -level / slope;
  } else if (is_root) {
    roots[0] = -slope / c;
  } else if (slope * slope > 4 * c * level) {
    const double q = -0.5 * (slope + copysign(sqrt(slope * slope - 4 * c * level), slope));
    roots[0] = q / c;
    roots[1] = level / q;
  }
  double first = (double)INFINITY;
  for (int which = 0; which < 2; which++)
    if (from + roots[which] > from && from + roots[which] < first) first = from + roots[which];
  return first;
}

static double turn_on_parabola(const HbgTrack *tracks, int32_t count, const double *form, double from) {
  double a = form[0], b = 0, c = 0;
  for (int32_t at = 0; at < count; at++) {
    a += form[1 + at] * tracks[at].a;
    b += form[1 + at] * tracks[at].b;
    c += form[1 + at] * tracks[at].c;
  }
  return turn_of_parabola(a, b, c, from);
}

/* When it comes to be on side `sense`, from `from` on; infinite: not before `to`. */
static double first_root(const HbgTallyKink *kink, const double *x, double from, double to, int sense) {
  HbgFlowQuestion question = {.constant = kink->form[0], .from = from, .to = to, .sense = sense};
  for (;;) {
    double t = from;
    switch (hbg_flow_first_root(kink->guard, x, &question, &t)) {
      case HBG_FLOW_CROSSES: return t;
      case HBG_FLOW_NEVER: return (double)INFINITY;
      default: break;
    }
    if (!(t > question.from && t < to)) return (double)INFINITY;
    question.from = t;
  }
}

/* It is on one side at `from`, or leaves zero for it: when does it come to the other one? */
static double turn_on_flow(const HbgTallyKink *kink, const HbgTrack *tracks, int32_t count, double from, double to) {
  double x[HBG_REGION_MOST_STATES];
  for (int32_t at = 0; at < count; at++) x[at] = tracks[at].a;
  const double up = first_root(kink, x, from, to, 1), down = first_root(kink, x, from, to, -1);
  return up > down ? up : down > up ? down : (double)INFINITY;
}

/* Of all kinks the next; or, where that is far, some time before it. */
static double next_turn(const HbgRegion *region, double from) {
  enum { RADIANS = 8 };
  const HbgTally *tally = region->motion->tally;
  const HbgTrack *tracks = region->tracks + region->count;
  const int32_t count = tally->guests->count;
  const bool is_parabola = tally->guests->is_parabola || !tally->kink_count;
  const double far = is_parabola ? (double)INFINITY : from + RADIANS / tally->guests->speed;
  double first = far;
  for (int32_t at = 0; at < tally->kink_count; at++) {
    const HbgTallyKink *kink = &tally->kinks[at];
    const double turn = kink->guard ? turn_on_flow(kink, tracks, count, from, far) : turn_on_parabola(tracks, count, kink->form, from);
    if (turn > from && turn < first) first = turn;
  }
  return first;
}

/* ---- its value ---- */

/* Goes on from `start` [s] behind that of the region, where the integral is `base`. */
static void go_on(const HbgRegion *region, double start, double base) {
  const HbgTally *tally = region->motion->tally;
  const double radian = tally->guests->flow ? 1 / tally->guests->speed : (double)INFINITY;
  HbgTallyCourse *course = region->course;
  course->start = start;
  course->base = base;
  course->turn = next_turn(region, start);
  course->integral = hbg_running_integral(radian, course->noise);
}

double hbg_tally_value(const HbgRegion *region, double t) {
  HbgTallyCourse *course = region->course;
  void *user = (void *)(uintptr_t)region;
  const double s = t - region->origin;
  if (!(s > 0)) return region->tracks[0].a;
  if (!course->has_begun) course->noise = noise_of(region);
  if (!course->has_begun || s < course->start) go_on(region, 0, 0);
  course->has_begun = true;
  while (course->turn <= s) {
    const double turn = course->turn;
    go_on(region, turn, course->base + hbg_running_integral_to(&course->integral, rate_at, user, turn - course->start));
  }
  return region->tracks[0].a + course->base + hbg_running_integral_to(&course->integral, rate_at, user, s - course->start);
}
