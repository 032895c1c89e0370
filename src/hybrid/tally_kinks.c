/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/tally_kinks.h"

#include <math.h>

#include "base/numbers.h"
#include "equations/affine.h"
#include "hybrid/local_parts.h"
#include "hybrid/tally.h"

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

/* ---- of guests ---- */

/* Over guests and what drives them, as forms of inputs are. */
HbgTallyKink *hbg_tally_kinks(HbgSim *sim, const HbgProbe *probe, const HbgMotion *guests, const double *forms, int32_t *count) {
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  const int32_t width = 1 + guests->count;
  Kinks kinks;
  HbgAffine affine;
  (void)find_kinks(probe, &kinks, &affine, &sim->scratch); // they are known of a tally
  HbgTallyKink *made = ARENA_NEW(&sim->local->arena, HbgTallyKink, kinks.count);
  *count = 0;
  for (int32_t kink = 0; kink < kinks.count; kink++) {
    double *form = ARENA_NEW(&sim->local->arena, double, width);
    bool moves = false;
    form[0] = kinks.list[kink][0];
    for (int32_t input = 0; input < probe->program.input_count; input++)
      for (int32_t at = 0; at < width; at++) form[at] += kinks.list[kink][1 + input] * forms[input * width + at];
    for (int32_t at = 1; at < width; at++) moves = moves || !hbg_is_zero(form[at]);
    if (!moves) continue;
    HbgFlowGuard *guard = guests->flow ? hbg_flow_guard(&sim->local->arena, guests->flow, form + 1) : NULL;
    made[(*count)++] = (HbgTallyKink){form, guard};
  }
  hbg_arena_rewind(&sim->scratch, mark);
  return made;
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

double hbg_tally_next_turn(const HbgTallyKink *kinks, int32_t kink_count, const HbgMotion *guests, const HbgTrack *tracks, double from) {
  enum { RADIANS = 8 };
  const double far = kink_count && !guests->is_parabola ? from + RADIANS / guests->speed : (double)INFINITY;
  double first = far;
  for (int32_t at = 0; at < kink_count; at++) {
    const double turn = kinks[at].guard ? turn_on_flow(&kinks[at], tracks, guests->count, from, far) : turn_on_parabola(tracks, guests->count, kinks[at].form, from);
    if (turn > from && turn < first) first = turn;
  }
  return first;
}
