/* SPDX-License-Identifier: BSD-3-Clause
 * The differences of a guard as combinations of states, in the islands that it reads. */
#include <math.h>
#include <string.h>

#include "equations/affine.h"
#include "equations/combination.h"
#include "hybrid/island_wide.h"
#include "hybrid/local_parts.h"
#include "hybrid/watch_parts.h"

static bool may_move(const HbgExprNode *leaf) { return hbg_moves(leaf) || leaf->op == HBG_OP_TIME; }

/* Does it tell which piece of a table is followed? A form that follows the table is the same for all of them. */
static bool is_piece(const HbgSim *sim, const HbgProgramInput *input) {
  return input->leaf.op == HBG_OP_VARIABLE && !input->is_pre && sim->clocks.pieces[input->leaf.index];
}

static bool gates_stand_still(const HbgWatch *watch) {
  for (int32_t gate = 0; gate < watch->gate_count; gate++)
    for (int32_t at = 0; at < watch->gates[gate].program.input_count; at++)
      if (may_move(&watch->gates[gate].program.inputs[at].leaf)) return false;
  return true;
}

/* Are all differences short combinations of what moves? Then they need no program. */
static bool are_combinations(const HbgSim *sim, const HbgConjunction *guard, bool *stand_still) {
  HbgCombination difference;
  *stand_still = true;
  for (int32_t which = 0; which < guard->difference_count; which++) {
    if (!hbg_combination_of_difference(&sim->laws.pool, guard->sides[2 * which], guard->sides[2 * which + 1], &difference)) return false;
    if (difference.count) *stand_still = false;
  }
  return true;
}

static void make_differences(HbgSim *sim, const HbgConjunction *guard, HbgWatch *watch) {
  HbgArena *arena = &sim->local->arena;
  HbgExprPool *pool = &sim->laws.pool;
  HbgExpr *differences = ARENA_NEW(arena, HbgExpr, guard->difference_count);
  for (int32_t which = 0; which < guard->difference_count; which++)
    differences[which] = hbg_expr_binary(pool, HBG_OP_SUB, guard->sides[2 * which], guard->sides[2 * which + 1]);
  watch->differences = ARENA_NEW(arena, HbgProbe, 1);
  *watch->differences = hbg_probe(sim->model, pool, differences, guard->difference_count, arena);
  watch->stands_still = true;
  for (int32_t at = 0; at < watch->differences->program.input_count; at++) {
    if (!may_move(&watch->differences->program.inputs[at].leaf) && !is_piece(sim, &watch->differences->program.inputs[at])) watch->is_volatile = true;
    if (may_move(&watch->differences->program.inputs[at].leaf)) watch->stands_still = false;
  }
}

static bool is_difference(const HbgConjunction *guard, int32_t factor) {
  for (int32_t which = 0; which < guard->difference_count; which++)
    if (guard->factor_of[which] == factor) return true;
  return false;
}

static void make_gates(HbgSim *sim, const HbgConjunction *guard, HbgWatch *watch) {
  HbgArena *arena = &sim->local->arena;
  if (guard->difference_count < guard->atom_count) watch->gates = ARENA_NEW(arena, HbgProbe, guard->atom_count);
  for (int32_t factor = 0; factor < guard->atom_count; factor++)
    if (!is_difference(guard, factor))
      watch->gates[watch->gate_count++] = hbg_probe(sim->model, &sim->laws.pool, &guard->factors[factor], 1, arena);
  watch->gates_stand_still = gates_stand_still(watch);
}

void hbg_watch_make(HbgSim *sim, const HbgConjunction *guard, HbgWatch *watch) {
  watch->is_made = true;
  if (!are_combinations(sim, guard, &watch->stands_still)) make_differences(sim, guard, watch);
  make_gates(sim, guard, watch);
  watch->stands_still = (watch->stands_still && watch->gates_stand_still) || guard->waits_for_jump;
}

static HbgGuardForm *new_form(HbgSim *sim, const HbgConjunction *guard, const HbgWatch *watch) {
  HbgArena *arena = &sim->local->arena;
  HbgGuardForm *form = ARENA_NEW(arena, HbgGuardForm, 1);
  form->islands = ARENA_NEW(arena, HbgIsland *, guard->bond_count);
  form->editions = ARENA_NEW(arena, int32_t, guard->bond_count);
  form->start = ARENA_NEW(arena, int32_t, guard->difference_count + 1);
  form->constant = ARENA_NEW(arena, double, guard->difference_count);
  if (watch->differences) form->given = ARENA_NEW(arena, double, watch->differences->program.input_count);
  return form;
}

/* Looked for among the terms `first` to `end`; what is added in one go has each state once. */
static void add_term(HbgSim *sim, HbgGuardForm *form, int32_t first, int32_t end, int32_t *count, int32_t state, double weight) {
  for (int32_t at = first; at < end; at++) {
    if (form->terms[at].state != state) continue;
    form->terms[at].weight += weight;
    return;
  }
  ARENA_PUSH(&sim->local->arena, form->terms, *count, form->term_capacity) = (HbgGuardTerm){state, weight};
}

/* ---- functions of time ---- */

/* Room for them, empty. */
static void begin_time(HbgSim *sim, const HbgConjunction *guard, HbgGuardForm *form) {
  const int32_t count = guard->difference_count * HBG_TIME_COLUMNS;
  if (!form->time) {
    form->time = ARENA_NEW(&sim->local->arena, HbgTimeColumns, 1);
    form->time_row = ARENA_NEW(&sim->local->arena, double, count);
  }
  *form->time = (HbgTimeColumns){.reference = sim->time};
  memset(form->time_row, 0, (size_t)count * sizeof *form->time_row);
  form->follows_time = true;
}

/* Of an island's form, those that are nothing but for others of its variables are none. */
static bool add_time(HbgSim *sim, const HbgConjunction *guard, HbgGuardForm *form, int32_t which, const HbgForm *own, double factor) {
  const double *row = own->time_row;
  bool is_needed[HBG_TIME_COLUMNS] = {0}, is_any = false;
  hbg_time_need(own->time, row, is_needed);
  for (int32_t column = 0; column < HBG_TIME_COLUMNS; column++) is_any = is_any || is_needed[column];
  if (!is_any) return true;
  if (!form->follows_time) begin_time(sim, guard, form);
  return hbg_time_add(form->time, &form->constant[which], &form->time_row[which * HBG_TIME_COLUMNS], own->time, row, factor);
}

/* ---- forms ---- */

/* A leaf that moves, times `factor`. */
static bool add_leaf(HbgSim *sim, const HbgConjunction *guard, HbgGuardForm *form, int32_t which, int32_t *count, const HbgExprNode *leaf,
                     double factor) {
  const int32_t variable = hbg_variable_of(leaf), first = form->start[which];
  if (factor >= 0 && factor <= 0) return true;
  if (variable < 0) {
    add_term(sim, form, first, *count, count, leaf->index, factor);
    return true;
  }
  HbgIsland *island = sim->island_of[variable / 2];
  const bool moves_exactly = island->region && island->region->motion; // what is stepped is looked at by its steps
  const int32_t most = sim->local->is_coupled ? HBG_WIDE_MOST_STATES : moves_exactly ? HBG_REGION_MOST_STATES : HBG_FORMS_MOST_STATES;
  HbgForm own;
  if (!hbg_island_variable_form(&sim->solver, island, &sim->now, variable, most, &own)) return false;
  form->constant[which] += factor * own.constant;
  const int32_t end = *count;
  for (int32_t at = 0; at < own.count; at++) add_term(sim, form, first, end, count, own.terms[at].state, factor * own.terms[at].weight);
  return !own.time || add_time(sim, guard, form, which, &own, factor);
}

bool hbg_watch_has_inequalities(const HbgConjunction *guard) {
  for (int32_t which = 0; which < guard->difference_count; which++)
    if (guard->relations[which] == HBG_OP_EQUAL || guard->relations[which] == HBG_OP_NOT) return false;
  return true;
}

/* Differences that are read off. */
static bool compute_by_combinations(HbgSim *sim, const HbgConjunction *guard, HbgGuardForm *form) {
  HbgCombination difference;
  int32_t count = 0;
  for (int32_t which = 0; which < guard->difference_count; which++) {
    if (!hbg_combination_of_difference(&sim->laws.pool, guard->sides[2 * which], guard->sides[2 * which + 1], &difference)) return false;
    form->start[which] = count;
    form->constant[which] = difference.constant;
    for (int32_t at = 0; at < difference.count; at++) {
      const HbgExprNode *leaf = hbg_expr_node(&sim->laws.pool, difference.terms[at].leaf);
      if (!add_leaf(sim, guard, form, which, &count, leaf, difference.terms[at].weight)) return false;
    }
    form->start[which + 1] = count;
  }
  return true;
}

static bool reads_time(const HbgProgram *program) {
  for (int32_t at = 0; at < program->input_count; at++)
    if (program->inputs[at].leaf.op == HBG_OP_TIME) return true;
  return false;
}

/* All that moves is an input. */
static HbgAffine begin_program(HbgSim *sim, const HbgConjunction *guard, HbgProbe *probe, HbgGuardForm *form) {
  const HbgProgram *program = &probe->program;
  hbg_probe_load(probe, &sim->now);
  if (reads_time(program)) begin_time(sim, guard, form);
  HbgAffine affine = form->follows_time
                         ? hbg_affine_in_time(program->register_count, program->input_count, probe->registers, form->time, &sim->scratch)
                         : hbg_affine(program->register_count, program->input_count, probe->registers, &sim->scratch);
  for (int32_t at = 0; at < program->input_count; at++) {
    const HbgExprNode *leaf = &program->inputs[at].leaf;
    if (hbg_moves(leaf)) hbg_affine_set_input(&affine, program->inputs[at].target, at);
    if (leaf->op == HBG_OP_TIME) hbg_affine_set_time(&affine, program->inputs[at].target);
    if (is_piece(sim, &program->inputs[at])) hbg_affine_set_piece(&affine, program->inputs[at].target, sim->clocks.pieces[leaf->index]);
  }
  return affine;
}

static bool compute_by_program(HbgSim *sim, const HbgConjunction *guard, const HbgWatch *watch, HbgGuardForm *form) {
  HbgProbe *probe = watch->differences;
  const HbgProgram *program = &probe->program;
  HbgAffine affine = begin_program(sim, guard, probe, form);
  double *own = ARENA_NEW(&sim->scratch, double, guard->difference_count);
  bool is_alone = true; // no island follows the time besides
  hbg_affine_execute(&affine, program->main, 0, program->main_count);
  int32_t count = 0;
  for (int32_t which = 0; which < guard->difference_count; which++) {
    const int32_t target = probe->outputs[which];
    if (!hbg_affine_is_known(&affine, target)) return false;
    form->start[which] = count;
    form->constant[which] = own[which] = *hbg_affine_form(&affine, target);
    if (affine.time) memcpy(&form->time_row[which * HBG_TIME_COLUMNS], hbg_affine_time_row(&affine, target), HBG_TIME_COLUMNS * sizeof(double));
    for (int32_t at = 0; at < program->input_count; at++)
      if (!add_leaf(sim, guard, form, which, &count, &program->inputs[at].leaf, hbg_affine_form(&affine, target)[1 + at])) return false;
    form->start[which + 1] = count;
    if (affine.time && memcmp(&form->time_row[which * HBG_TIME_COLUMNS], hbg_affine_time_row(&affine, target), HBG_TIME_COLUMNS * sizeof(double))) is_alone = false;
  }
  if (is_alone) hbg_watch_note_held(sim, probe, form, own, affine.time);
  return true;
}

static bool compute_form(HbgSim *sim, const HbgConjunction *guard, const HbgWatch *watch, HbgGuardForm *form) {
  form->follows_time = form->is_moved_by_held = false;
  if (!hbg_watch_has_inequalities(guard) || !watch->gates_stand_still) return false;
  return watch->differences ? compute_by_program(sim, guard, watch, form) : compute_by_combinations(sim, guard, form);
}

/* Are these the islands it reads, as they were then? */
static bool is_about(const HbgSim *sim, const HbgConjunction *guard, const HbgGuardForm *form) {
  for (int32_t at = 0; at < guard->bond_count; at++)
    if (form->islands[at] != sim->island_of[guard->bonds[at]]) return false;
  return true;
}

/* Are scheduled conditions and all else that turns at instants as they were? */
static bool is_given_the_same(const HbgSim *sim, const HbgProbe *probe, const HbgGuardForm *form) {
  for (int32_t at = 0; at < probe->program.input_count; at++) {
    const HbgExprNode *leaf = &probe->program.inputs[at].leaf;
    if (may_move(leaf) || is_piece(sim, &probe->program.inputs[at])) continue;
    const double value = hbg_leaf_value(sim->model, leaf, &sim->now);
    if (!(value >= form->given[at] && value <= form->given[at])) return false;
  }
  return true;
}

static void note_given(const HbgSim *sim, const HbgProbe *probe, HbgGuardForm *form) {
  for (int32_t at = 0; at < probe->program.input_count; at++)
    if (!may_move(&probe->program.inputs[at].leaf)) form->given[at] = hbg_leaf_value(sim->model, &probe->program.inputs[at].leaf, &sim->now);
}

/* In regions nobody asks how a guard follows a large island before its motion is known (see add_leaf()). */
static bool may_have_one_by_now(const HbgSim *sim, const HbgConjunction *guard, const HbgGuardForm *form) {
  if (form->is_affine || sim->local->is_coupled) return false;
  for (int32_t at = 0; at < guard->bond_count; at++)
    if (!form->islands[at]->is_hanging && form->islands[at]->program->template.state_count > HBG_FORMS_MOST_STATES) return true;
  return false;
}

/* ... or is there nothing new but what is held? */
static bool is_up_to_date(HbgSim *sim, const HbgConjunction *guard, const HbgWatch *watch, HbgGuardForm *form) {
  if (may_have_one_by_now(sim, guard, form)) return false;
  for (int32_t at = 0; at < guard->bond_count; at++)
    if (!form->islands[at]->has_forms || form->islands[at]->forms->edition != form->editions[at]) return false;
  return !watch->is_volatile || is_given_the_same(sim, watch->differences, form) || hbg_watch_take_held(sim, watch, form);
}

static void note_editions(const HbgConjunction *guard, HbgGuardForm *form) {
  for (int32_t at = 0; at < guard->bond_count; at++)
    if (form->islands[at]->has_forms) form->editions[at] = form->islands[at]->forms->edition;
}

/* ---- what was read of it before ---- */

typedef struct Terms {
  int32_t *start;
  HbgGuardTerm *list; /* as they were: NULL where nothing can be kept */
} Terms;

static Terms terms_of(HbgSim *sim, const HbgConjunction *guard, const HbgGuardForm *form) {
  Terms terms = {0};
  if (!form->readings || !form->is_affine || form->follows_time) return terms;
  const int32_t count = form->start[guard->difference_count];
  terms.start = ARENA_NEW(&sim->scratch, int32_t, guard->difference_count + 1);
  terms.list = ARENA_NEW(&sim->scratch, HbgGuardTerm, count + 1);
  memcpy(terms.start, form->start, (size_t)(guard->difference_count + 1) * sizeof *terms.start);
  if (count) memcpy(terms.list, form->terms, (size_t)count * sizeof *terms.list);
  return terms;
}

static bool are_as_before(const HbgConjunction *guard, const HbgGuardForm *form, const Terms *before) {
  if (!before->list || !form->is_affine || form->follows_time) return false;
  for (int32_t which = 0; which <= guard->difference_count; which++)
    if (form->start[which] != before->start[which]) return false;
  for (int32_t at = 0; at < form->start[guard->difference_count]; at++) {
    const HbgGuardTerm *now = &form->terms[at], *then = &before->list[at];
    if (now->state != then->state || !(now->weight >= then->weight && now->weight <= then->weight)) return false;
  }
  return true;
}

/* Where only numbers beside the states have changed, as at the ticks of clocks, the regions are read as before. */
static void keep_readings(const HbgConjunction *guard, HbgGuardForm *form, const Terms *before) {
  if (!are_as_before(guard, form, before)) form->readings = NULL;
  for (HbgReading *reading = form->readings; reading; reading = reading->next)
    for (int32_t at = 0; at < guard->difference_count; at++) reading->differences[at].constant = form->constant[reading->differences[at].which];
}

HbgGuardForm *hbg_watch_form_of(HbgSim *sim, const HbgConjunction *guard, HbgWatch *watch) {
  HbgGuardForm *form = watch->forms;
  while (form && !is_about(sim, guard, form)) form = form->next;
  if (form && is_up_to_date(sim, guard, watch, form)) return form;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  if (!form) {
    form = new_form(sim, guard, watch);
    for (int32_t at = 0; at < guard->bond_count; at++) form->islands[at] = sim->island_of[guard->bonds[at]];
    form->next = watch->forms;
    watch->forms = form;
  }
  const Terms before = terms_of(sim, guard, form);
  if (watch->differences) note_given(sim, watch->differences, form);
  form->is_affine = compute_form(sim, guard, watch, form);
  keep_readings(guard, form, &before);
  note_editions(guard, form);
  hbg_arena_rewind(&sim->scratch, mark);
  return form;
}
