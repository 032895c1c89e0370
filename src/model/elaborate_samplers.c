/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: samples, what holds them, and random numbers. */
#include <math.h>

#include "model/clocked.h"
#include "model/expression_build.h"

static HbgExpr make_sample(HbgClockedCall *call) { return call->sampled; }

static HbgExpr make_previous(HbgClockedCall *call) {
  const HbgElaborator *elaborator = call->elaborator;
  const HbgVariable *sampled = &elaborator->model->variables[hbg_expr_node(elaborator->pool, call->sampled)->index];
  const HbgExpr previous = hbg_clocked_variable(call, "previous", sampled->start, sampled->is_boolean);
  hbg_clocked_update(call, previous, hbg_clocked_old(call, call->sampled));
  return previous;
}

static HbgExpr make_ticks(HbgClockedCall *call) {
  HbgExprPool *pool = call->elaborator->pool;
  const HbgExpr count = hbg_clocked_variable(call, NULL, 0, false);
  hbg_clocked_update(call, count, ADD(hbg_clocked_old(call, count), NUMBER(1)));
  return count;
}

/* The line through the last two samples, which goes on until the next one; before the second it is level. */
static HbgExpr make_first_order_hold(HbgClockedCall *call) {
  HbgExprPool *pool = call->elaborator->pool;
  const HbgExpr slope = hbg_clocked_variable(call, "slope", 0, false), since = hbg_clocked_variable(call, "since", 0, false);
  const HbgExpr time = hbg_expr_leaf(pool, HBG_OP_TIME, 0, 0);
  const HbgExpr rise = DIV(SUB(call->sampled, hbg_clocked_old(call, call->sampled)), NUMBER(call->period));
  hbg_clocked_update(call, slope, MUL(hbg_clocked_is_later(call), rise));
  hbg_clocked_update(call, since, time);
  return ADD(call->sampled, MUL(slope, SUB(time, since)));
}

/* FNV-1a (Fowler, Noll, Vo): the stream of a name. */
static uint64_t stream_of(const char *name) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const char *at = name; *at; at++) hash = (hash ^ (unsigned char)*at) * 0x100000001b3u;
  return hash;
}

static HbgExpr make_random(HbgClockedCall *call, HbgUpdateKind kind) {
  double seed;
  if (!hbg_clocked_number(call, call->named[0], 0, &seed)) return 0;
  if (!(seed >= 0 && seed <= 9007199254740992.0) || floor(seed) < seed)
    return hbg_clocked_refuse(call, call->named[0], "as in seed = 3", "a seed is an integer of 0 or more, not %.15g", seed);
  const HbgExpr random = hbg_clocked_variable(call, NULL, 0, false);
  hbg_clocked_add_update(call, (HbgUpdate){.variable = hbg_expr_node(call->elaborator->pool, random)->index,
                                           .clock = call->clock,
                                           .kind = kind,
                                           .seed = (uint64_t)seed,
                                           .stream = stream_of(call->name)});
  return random;
}

static HbgExpr make_noise(HbgClockedCall *call) {
  HbgExprPool *pool = call->elaborator->pool;
  double deviation, mean;
  if (!hbg_clocked_number(call, call->named[1], 1, &deviation) || !hbg_clocked_number(call, call->named[2], 0, &mean)) return 0;
  if (!(deviation >= 0))
    return hbg_clocked_refuse(call, call->named[1], "leave the sign out", "a standard deviation is 0 or more, not %.15g", deviation);
  const HbgExpr random = make_random(call, HBG_UPDATE_NORMAL);
  return random ? ADD(NUMBER(mean), MUL(NUMBER(deviation), random)) : 0;
}

static HbgExpr make_uniform_noise(HbgClockedCall *call) {
  HbgExprPool *pool = call->elaborator->pool;
  double lowest, highest;
  if (!hbg_clocked_number(call, call->named[1], 0, &lowest) || !hbg_clocked_number(call, call->named[2], 1, &highest)) return 0;
  if (!(lowest <= highest))
    return hbg_clocked_refuse(call, call->named[2], "exchange the two", "the highest value, %.15g, is less than the lowest, %.15g",
                              highest, lowest);
  const HbgExpr random = make_random(call, HBG_UPDATE_UNIFORM);
  return random ? ADD(NUMBER(lowest), MUL(NUMBER(highest - lowest), random)) : 0;
}

const HbgClockedFunction hbg_clocked_samplers[] = {
    {.name = "sample", .form = "sample(x, clock) or sample(x, clock, start = 0)", .is_sampling = true, .has_start = true, .may_be_condition = true,
     .least = 2, .most = 2, .names = {"start"}, .make = make_sample},
    {.name = "previous", .form = "previous(x, clock) or previous(x, clock, start = 0)", .is_sampling = true,
     .has_start = true, .may_be_condition = true, .least = 2, .most = 2, .names = {"start"}, .make = make_previous},
    {.name = "first_order_hold", .form = "first_order_hold(x, clock)", .is_sampling = true, .has_start = true, .least = 2, .most = 2,
     .names = {"start"}, .make = make_first_order_hold},
    {.name = "ticks", .form = "ticks(clock)", .least = 1, .most = 1, .make = make_ticks},
    {.name = "noise", .form = "noise(clock, seed = 1, deviation = 1, mean = 0)", .least = 1, .most = 1,
     .names = {"seed", "deviation", "mean"}, .make = make_noise},
    {.name = "uniform_noise", .form = "uniform_noise(clock, seed = 1, low = 0, high = 1)", .least = 1, .most = 1,
     .names = {"seed", "low", "high"}, .make = make_uniform_noise},
};

const int hbg_clocked_sampler_count = sizeof hbg_clocked_samplers / sizeof *hbg_clocked_samplers;
