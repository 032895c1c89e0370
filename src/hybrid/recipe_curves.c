/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/recipe_curves.h"

#include <math.h>
#include <string.h>

#include "hybrid/island_forms.h"
#include "hybrid/local_parts.h"

/* ---- where it is made ---- */

static bool varies(const HbgExprNode *leaf, void *user) {
  (void)user;
  return leaf->op == HBG_OP_STATE || leaf->op == HBG_OP_EFFORT || leaf->op == HBG_OP_FLOW;
}

/* May what it gives be no combination of states? A ratio that varies is a factor. */
static bool law_bends(HbgSim *sim, int32_t node) {
  const HbgExpr law = sim->model->nodes[node].law;
  const HbgElementKind kind = sim->model->nodes[node].kind;
  if (!law) return false;
  if (kind == HBG_ELEMENT_TF || kind == HBG_ELEMENT_GY)
    return hbg_expr_node(&sim->laws.pool, law)->op != HBG_OP_CONSTANT;
  return !hbg_expr_is_affine(&sim->laws.pool, law, varies, NULL);
}

enum { UNKNOWN, BENDS, DOES_NOT };

static bool bends(HbgSim *sim, const HbgIsland *island) {
  HbgLocal *local = sim->local;
  if (!local->bends) local->bends = ARENA_NEW(&local->arena, uint8_t, sim->model->node_count);
  for (int32_t at = 0; at < island->graph.node_count; at++) {
    uint8_t *const own = &local->bends[island->graph.nodes[at].node];
    if (*own == UNKNOWN) *own = law_bends(sim, island->graph.nodes[at].node) ? BENDS : DOES_NOT;
    if (*own == BENDS) return true;
  }
  return false;
}

int32_t hbg_recipe_curve_room(HbgSim *sim) {
  const HbgTranscript *transcript = &sim->transcript;
  for (int32_t at = 0; at < transcript->region_count; at++)
    for (int32_t which = 0; which < transcript->regions[at]->island_count; which++)
      if (bends(sim, transcript->regions[at]->islands[which])) return HBG_RECIPE_MOST_CURVES;
  for (int32_t at = 0; at < transcript->count; at++)
    for (int32_t which = 0; transcript->steps[at].kind == HBG_STEP_CONFIGURATION && which < transcript->steps[at].count;
         which++)
      if (bends(sim, transcript->steps[at].islands[which])) return HBG_RECIPE_MOST_CURVES;
  return 0;
}

typedef struct Maker {
  HbgRecipeForms *self;
  const HbgAffine *registers;
  uint8_t *is_needed; /* per register */
  HbgRecipeCurve curve;
} Maker;

/* What has a form is given to it, anything else it computes. */
static void need(Maker *maker, int32_t target) {
  if (maker->is_needed[target]) return;
  maker->is_needed[target] = 1;
  maker->curve.input_count += hbg_affine_is_known(maker->registers, target);
  maker->curve.unknown_count += !hbg_affine_is_known(maker->registers, target);
}

/* From the last instruction to the first. False where something has a table, which its arguments do not tell all of. */
static bool trace(Maker *maker, const HbgInstruction *code, int32_t end, uint8_t *is_taken) {
  for (int32_t at = end; at-- > 0;) {
    const HbgInstruction *i = &code[at];
    const HbgOperation op = (HbgOperation)i->op;
    if (!maker->is_needed[i->target] || hbg_affine_is_known(maker->registers, i->target)) continue;
    if (hbg_operation_has_table(op)) return false;
    is_taken[at] = 1;
    maker->curve.count++;
    maker->curve.unknown_count--;
    need(maker, i->a);
    if (hbg_operation_info[op].arguments > 1) need(maker, i->b);
    if (hbg_operation_info[op].arguments > 2) need(maker, i->c);
  }
  return !maker->curve.unknown_count;
}

/* Its registers are those that it needs, side by side. */
static void keep(Maker *maker, const HbgInstruction *code, int32_t end, const uint8_t *is_taken, int32_t target) {
  HbgSim *sim = maker->self->sim;
  HbgArena *arena = &sim->local->arena;
  HbgRecipeCurve *curve = &maker->curve;
  int32_t *place = ARENA_NEW(&sim->scratch, int32_t, maker->registers->register_count), next = 0;
  curve->inputs = ARENA_NEW(arena, HbgRecipeForm, curve->input_count);
  curve->code = ARENA_NEW(arena, HbgInstruction, curve->count);
  for (int32_t at = 0; at < maker->registers->register_count; at++) {
    if (!maker->is_needed[at] || !hbg_affine_is_known(maker->registers, at)) continue;
    place[at] = next;
    curve->inputs[next++] = hbg_recipe_keep_form(maker->self->recipe, arena, hbg_affine_form(maker->registers, at));
  }
  curve->count = 0;
  for (int32_t at = 0; at < end; at++) {
    if (!is_taken[at]) continue;
    HbgInstruction i = {.op = code[at].op, .a = place[code[at].a]};
    if (hbg_operation_info[code[at].op].arguments > 1) i.b = place[code[at].b];
    if (hbg_operation_info[code[at].op].arguments > 2) i.c = place[code[at].c];
    i.target = place[code[at].target] = next++;
    curve->code[curve->count++] = i;
  }
  curve->output = place[target];
  curve->register_count = next;
}

/* The same code on the same inputs? */
static bool is_same(const HbgRecipe *recipe, const HbgRecipeCurve *a, const HbgRecipeCurve *b) {
  if (a->count != b->count || a->input_count != b->input_count || a->output != b->output) return false;
  for (int32_t at = 0; at < a->input_count; at++)
    if (!hbg_recipe_same_form(recipe, &a->inputs[at], &b->inputs[at])) return false;
  return memcmp(a->code, b->code, (size_t)a->count * sizeof *a->code) == 0;
}

/* ---- values ---- */

typedef struct Values {
  const HbgRecipe *recipe;
  const double *values, *sizes;
} Values;

static double value_of(const Values *self, const HbgRecipeForm *form, double *size) {
  double sum = form->constant;
  *size = fabs(form->constant);
  for (int32_t at = form->start; at < form->end; at++) {
    const HbgRecipeTerm *term = &self->recipe->terms[at];
    sum += term->weight * self->values[term->input];
    *size += fabs(term->weight) * self->sizes[term->input];
  }
  return sum;
}

static double run(const Values *self, const HbgRecipeCurve *curve, double *size) {
  double registers[HBG_RECIPE_MOST_REGISTERS], sizes[HBG_RECIPE_MOST_REGISTERS];
  for (int32_t at = 0; at < curve->input_count; at++) registers[at] = value_of(self, &curve->inputs[at], &sizes[at]);
  hbg_execute(curve->code, 0, curve->count, registers);
  hbg_execute_sizes(curve->code, 0, curve->count, registers, sizes);
  *size = sizes[curve->output];
  return registers[curve->output];
}

/* ---- one more ---- */

static void set_to_column(const HbgRecipeForms *self, int32_t which, double *form) {
  memset(form, 0, (size_t)self->width * sizeof *form);
  form[1 + hbg_recipe_first_curve(self->recipe) + which] = 1;
}

bool hbg_recipe_curve(HbgRecipeForms *self, const HbgEquations *equations, const HbgAffine *registers, int32_t target,
                      double *form) {
  HbgSim *sim = self->sim;
  HbgRecipe *recipe = self->recipe;
  const int32_t first = hbg_recipe_first_curve(recipe), end = equations->all_end, which = recipe->curve_count;
  if (which == recipe->curve_room) return false;
  Maker maker = {
      .self = self, .registers = registers, .is_needed = ARENA_NEW(&sim->scratch, uint8_t, registers->register_count)};
  uint8_t *is_taken = ARENA_NEW(&sim->scratch, uint8_t, end);
  need(&maker, target);
  if (!trace(&maker, equations->program.main, end, is_taken)) return false;
  if (maker.curve.input_count + maker.curve.count > HBG_RECIPE_MOST_REGISTERS) return false;
  keep(&maker, equations->program.main, end, is_taken, target);
  for (int32_t at = 0; at < which; at++) {
    if (!is_same(recipe, &recipe->curves[at], &maker.curve)) continue;
    set_to_column(self, at, form);
    return true;
  }
  if (!recipe->curves) recipe->curves = ARENA_NEW(&sim->local->arena, HbgRecipeCurve, recipe->curve_room);
  recipe->curves[recipe->curve_count++] = maker.curve;
  self->first_value[first + which] =
      run(&(Values){recipe, self->first_value, self->size}, &maker.curve, &self->size[first + which]);
  set_to_column(self, which, form);
  return true;
}

static void note_needed(const HbgRecipe *recipe, int32_t start, int32_t end, uint8_t *is_needed) {
  const int32_t first = hbg_recipe_first_curve(recipe);
  for (int32_t at = start; at < end; at++)
    if (recipe->terms[at].input >= first && recipe->terms[at].input < first + recipe->curve_room)
      is_needed[recipe->terms[at].input - first] = 1;
}

/* Is term `at` one of what a curve is given? */
static bool belongs_to_curve(const HbgRecipe *recipe, int32_t at) {
  for (int32_t which = 0; which < recipe->curve_count; which++)
    for (int32_t input = 0; input < recipe->curves[which].input_count; input++)
      if (at >= recipe->curves[which].inputs[input].start && at < recipe->curves[which].inputs[input].end) return true;
  return false;
}

void hbg_recipe_curves_end(HbgRecipe *recipe) {
  uint8_t is_needed[HBG_RECIPE_MOST_CURVES] = {0};
  for (int32_t at = 0; at < recipe->term_count; at++)
    if (!belongs_to_curve(recipe, at)) note_needed(recipe, at, at + 1, is_needed);
  for (int32_t which = recipe->curve_count; which-- > 0;) {
    HbgRecipeCurve *curve = &recipe->curves[which];
    if (is_needed[which] && !curve->is_needed) recipe->needed_curves++;
    curve->is_needed = is_needed[which];
    for (int32_t input = 0; curve->is_needed && input < curve->input_count; input++)
      note_needed(recipe, curve->inputs[input].start, curve->inputs[input].end, is_needed);
  }
}

/* ---- where it is followed ---- */

void hbg_recipe_read_curves(HbgFollower *self) {
  const HbgRecipe *recipe = self->recipe;
  const int32_t first = hbg_recipe_first_curve(recipe);
  const Values values = {recipe, self->values, self->scales};
  for (int32_t which = 0; which < recipe->curve_count; which++)
    if (recipe->curves[which].is_needed)
      self->values[first + which] = run(&values, &recipe->curves[which], &self->scales[first + which]);
}
