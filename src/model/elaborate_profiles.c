/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: look-up tables that are followed over time, as weather, a drive cycle or the profile of a road. Between two breaks such a table is one polynomial
 * of the time. Which one is held from one tick of a clock to the next, and that clock ticks at the breaks: so knots and jumps are met and not searched. */
#include "base/numbers.h"
#include "base/text.h"
#include "model/elaborator.h"
#include "model/expression_build.h"
#include "model/profile.h"

/* A table that is followed. */
typedef struct HbgFollowed {
  HbgProfile profile;
  HbgExpr value;
} HbgFollowed;

enum { NEWEST = 4096 }; /* equal ones stand close together in a text */

static bool are_same(double a, double b) { return a >= b && a <= b; }

static const HbgFollowed *find(const HbgElaborator *elaborator, const HbgProfile *profile) {
  const int32_t last = elaborator->followed_count > NEWEST ? elaborator->followed_count - NEWEST : 0;
  for (int32_t at = elaborator->followed_count - 1; at >= last; at--) {
    const HbgProfile *known = &elaborator->followed[at].profile;
    if (known->table == profile->table && are_same(known->slope, profile->slope) && are_same(known->rest, profile->rest)) return &elaborator->followed[at];
  }
  return NULL;
}

static int32_t add_clock(HbgElaborator *elaborator, const HbgProfile *profile) {
  HbgFlatModel *model = elaborator->model;
  HbgProfile *own = ARENA_NEW(elaborator->arena, HbgProfile, 1);
  *own = *profile;
  ARENA_PUSH(elaborator->arena, model->clocks, model->clock_count, elaborator->model_clock_capacity) =
      (HbgClock){.name = elaborator->pool->tables[profile->table]->name, .profile = own, .late = -1};
  return model->clock_count - 1;
}

static HbgExpr present_piece(HbgElaborator *elaborator, const HbgProfile *profile) {
  HbgFlatModel *model = elaborator->model;
  const HbgLookUpTable *table = elaborator->pool->tables[profile->table];
  const HbgVariable piece = {.name = hbg_print(elaborator->arena, "%s.piece", table->name), .start = hbg_profile_piece(profile, table, 0)};
  const int32_t variable = hbg_elaborate_add_variable(elaborator, piece);
  ARENA_PUSH(elaborator->arena, model->updates, model->update_count, elaborator->update_capacity) =
      (HbgUpdate){.variable = variable, .clock = add_clock(elaborator, profile), .kind = HBG_UPDATE_PIECE};
  return hbg_expr_leaf(elaborator->pool, HBG_OP_VARIABLE, variable, 0);
}

HbgExpr hbg_elaborate_profile(HbgElaborator *elaborator, HbgProfile profile) {
  HbgExprPool *pool = elaborator->pool;
  const HbgFollowed *known = find(elaborator, &profile);
  if (known || elaborator->is_column) return known ? known->value : 0;
  const HbgExpr there = ADD(MUL(NUMBER(profile.slope), hbg_expr_leaf(pool, HBG_OP_TIME, 0, 0)), NUMBER(profile.rest));
  const HbgExpr value = hbg_expr_table(pool, HBG_OP_COURSE, profile.table, 0, there, present_piece(elaborator, &profile));
  ARENA_PUSH(elaborator->arena, elaborator->followed, elaborator->followed_count, elaborator->followed_capacity) = (HbgFollowed){profile, value};
  return value;
}
