/* SPDX-License-Identifier: BSD-3-Clause */
#include "equations/island.h"

#include "equations/program_slice.h"

/* ---- the cache ---- */

HbgProgramCache hbg_program_cache(HbgArena *arena) { return (HbgProgramCache){arena, hbg_key_table(arena)}; }

/* ---- causality and order ---- */

static void list_torn_first(HbgIslandProgram *program, HbgArena *arena) {
  const HbgGraph *graph = &program->template.graph;
  program->torn_first = ARENA_NEW(arena, int32_t, graph->node_count);
  for (int32_t node = 0; node < graph->node_count; node++) {
    if (!program->strokes.is_choice[node]) continue;
    const int32_t bond = graph->ports[graph->nodes[node].first_port].bond;
    const bool effort = hbg_sets_effort(graph, program->strokes.effort_from_tail, node, bond);
    program->torn_first[program->torn_count++] = effort ? hbg_effort_of(bond) : hbg_flow_of(bond);
  }
}

static const HbgSorted *sorted_finite(HbgIslandProgram *program, HbgLaws *laws, HbgArena *arena, bool pre_is_current) {
  HbgSorted **sorted = &program->finite[pre_is_current ? 1 : 0];
  if (*sorted) return *sorted;
  const HbgArenaMark mark = hbg_arena_mark(laws->scratch);
  HbgDefinitions finite = hbg_define_finite(&program->template, &program->strokes, pre_is_current, &laws->pool, laws->scratch);
  *sorted = ARENA_NEW(arena, HbgSorted, 1);
  **sorted = hbg_sort(&finite, program->template.graph.bond_count * 2, program->torn_first, program->torn_count,
                      &laws->pool, arena, laws->scratch);
  hbg_arena_rewind(laws->scratch, mark);
  return *sorted;
}

static const HbgSorted *sorted_areas(HbgIslandProgram *program, HbgLaws *laws, HbgArena *arena) {
  if (program->areas) return program->areas;
  const HbgArenaMark mark = hbg_arena_mark(laws->scratch);
  HbgDefinitions areas = hbg_define_areas(&program->template, &program->strokes, &laws->pool, laws->scratch);
  program->areas = ARENA_NEW(arena, HbgSorted, 1);
  *program->areas = hbg_sort(&areas, program->template.graph.bond_count * 2, NULL, 0, &laws->pool, arena, laws->scratch);
  hbg_arena_rewind(laws->scratch, mark);
  return program->areas;
}

/* Does a resistor give it through which no impulse passes? Among the areas that is zero, and a loop that is torn there is none. */
static bool is_given_by_resistor(const HbgIslandProgram *program, int32_t variable) {
  const HbgGraph *graph = &program->template.graph;
  const int32_t bond = variable / 2, ends[2] = {graph->bonds[bond].tail, graph->bonds[bond].head};
  for (int end = 0; end < 2; end++) {
    const int32_t node = ends[end];
    if (graph->nodes[node].kind != HBG_ELEMENT_R || program->template.passes_impulses[node]) continue;
    if (hbg_sets_effort(graph, program->strokes.effort_from_tail, node, bond) == (variable == hbg_effort_of(bond))) return true;
  }
  return false;
}

/* Most islands need no areas to answer this. */
static bool has_unknown_areas(HbgIslandProgram *program, HbgLaws *laws, HbgArena *arena) {
  const HbgSorted *finite = sorted_finite(program, laws, arena, false);
  bool may_have = false;
  for (int32_t at = 0; at < finite->unknown_count; at++) may_have = may_have || !is_given_by_resistor(program, finite->unknowns[at].variable);
  return may_have && sorted_areas(program, laws, arena)->unknown_count > 0;
}

static bool reads_time(const HbgTemplate *template, HbgExprPool *pool) {
  const HbgExpr time = hbg_expr_leaf(pool, HBG_OP_TIME, 0, 0);
  const HbgExpr *const forms[] = {template->effort_law, template->flow_law, template->implicit_law};
  for (size_t form = 0; form < sizeof forms / sizeof *forms; form++)
    for (int32_t node = 0; node < template->graph.node_count; node++)
      if (forms[form][node] && hbg_expr_depends(pool, forms[form][node], time)) return true;
  return false;
}

static HbgExpr note_variable(HbgExprPool *pool, HbgExpr leaf, void *user) {
  if (hbg_variable_of(hbg_expr_node(pool, leaf)) >= 0) *(bool *)user = true;
  return 0;
}

static bool is_active(const HbgTemplate *template, HbgExprPool *pool) {
  bool active = false;
  for (int32_t node = 0; node < template->graph.node_count; node++) {
    const HbgElementKind kind = template->graph.nodes[node].kind;
    const HbgExpr law = kind == HBG_ELEMENT_SE   ? template->effort_law[node]
                        : kind == HBG_ELEMENT_SF ? template->flow_law[node]
                                                 : 0;
    if (law) hbg_expr_replace(pool, law, note_variable, &active);
  }
  return active;
}

HbgIslandProgram *hbg_program_find(const HbgProgramCache *cache, const HbgTemplate *template) {
  return hbg_key_table_find(&cache->programs, template->key, template->key_length);
}

HbgIslandProgram *hbg_program_for(HbgProgramCache *cache, HbgLaws *laws, const HbgTemplate *made,
                                  const HbgAssignment *assignment) {
  HbgIslandProgram *known = hbg_program_find(cache, made);
  if (known) return known;
  HbgIslandProgram *program = ARENA_NEW(cache->arena, HbgIslandProgram, 1);
  program->template = *made;
  const HbgTemplate *template = &program->template;
  program->strokes = hbg_assignment_strokes(assignment, &template->graph, cache->arena);
  list_torn_first(program, cache->arena);
  program->is_active = is_active(template, &laws->pool);
  program->reads_time = reads_time(template, &laws->pool);
  program->may_jump = has_unknown_areas(program, laws, cache->arena);
  program->number = cache->programs.count;
  hbg_key_table_add(&cache->programs, template->key, template->key_length, program);
  return program;
}

/* ---- groups ---- */

static int32_t root_of(int32_t *parent, int32_t at) {
  while (parent[at] != at) {
    parent[at] = parent[parent[at]];
    at = parent[at];
  }
  return at;
}

/* How an unknown changes that no row asks for: nobody wants to know. */
static bool is_idle_rate(const HbgSystem *system, int32_t column, bool has_entries) {
  const int32_t finite = column - system->area_count;
  return !has_entries && system->kind == HBG_SYSTEM_STACKED && finite >= system->finite_count && finite < 2 * system->finite_count;
}

/* Columns that meet in a row belong together, and so do all rows without unknowns. Answers what each column and row belongs to, by numbers of these; -1: to nothing. */
static int32_t *find_groups(const HbgSystem *system, HbgArena *scratch) {
  const int32_t columns = system->unknown_count, rows = system->row_count;
  int32_t *parent = ARENA_NEW(scratch, int32_t, columns + rows), empty_row = -1;
  bool *is_met = ARENA_NEW(scratch, bool, columns + rows);
  for (int32_t at = 0; at < columns + rows; at++) parent[at] = at;
  for (int32_t at = 0; at < system->entry_count; at++) {
    const int32_t row = root_of(parent, columns + system->entries[at].row);
    parent[row] = root_of(parent, system->entries[at].column);
    is_met[system->entries[at].column] = is_met[columns + system->entries[at].row] = true;
  }
  for (int32_t row = columns; row < columns + rows; row++)
    if (!is_met[row]) parent[row] = empty_row = empty_row < 0 ? row : empty_row;
  for (int32_t at = 0; at < columns + rows; at++) parent[at] = root_of(parent, at);
  for (int32_t column = 0; column < columns; column++)
    if (is_idle_rate(system, column, is_met[column])) parent[column] = -1;
  return parent;
}

static void make_groups(HbgEquations *equations, HbgArena *arena, HbgArena *scratch) {
  const HbgArenaMark mark = hbg_arena_mark(scratch);
  const HbgSystem *system = &equations->system;
  const int32_t columns = system->unknown_count, rows = system->row_count;
  const int32_t *root = find_groups(system, scratch);
  int32_t *group_of = hbg_arena_indices(scratch, columns + rows);
  for (int32_t at = 0; at < columns + rows; at++)
    if (root[at] >= 0 && group_of[root[at]] < 0) group_of[root[at]] = equations->group_count++;
  equations->groups = ARENA_NEW(arena, HbgGroup, equations->group_count);
  for (int32_t at = 0; at < columns + rows; at++) {
    if (root[at] < 0) continue;
    HbgGroup *group = &equations->groups[group_of[root[at]]];
    if (at < columns) group->column_count++;
    else group->row_count++;
  }
  for (int32_t at = 0; at < system->entry_count; at++)
    equations->groups[group_of[root[system->entries[at].column]]].entry_count++;
  for (int32_t at = 0; at < equations->group_count; at++) {
    HbgGroup *group = &equations->groups[at];
    group->rows = ARENA_NEW(arena, int32_t, group->row_count);
    group->columns = ARENA_NEW(arena, int32_t, group->column_count);
    group->entries = ARENA_NEW(arena, int32_t, group->entry_count);
    group->entry_row = ARENA_NEW(arena, int32_t, group->entry_count);
    group->entry_column = ARENA_NEW(arena, int32_t, group->entry_count);
    group->row_count = group->column_count = group->entry_count = 0;
  }
  int32_t *place = ARENA_NEW(scratch, int32_t, columns + rows);
  for (int32_t at = 0; at < columns + rows; at++) {
    if (root[at] < 0) continue;
    HbgGroup *group = &equations->groups[group_of[root[at]]];
    place[at] = at < columns ? group->column_count : group->row_count;
    if (at < columns) group->columns[group->column_count++] = at;
    else group->rows[group->row_count++] = at - columns;
  }
  for (int32_t at = 0; at < system->entry_count; at++) {
    HbgGroup *group = &equations->groups[group_of[root[system->entries[at].column]]];
    group->entry_row[group->entry_count] = place[columns + system->entries[at].row];
    group->entry_column[group->entry_count] = place[system->entries[at].column];
    group->entries[group->entry_count++] = at;
  }
  hbg_arena_rewind(scratch, mark);
}

/* ---- compiling ---- */

typedef struct Outputs {
  const HbgExpr *variables; /* (2 bond_count) */
  const HbgExpr *states;    /* (state_count); 0: not computed by the island */
} Outputs;

static int32_t emit_or_none(HbgEmitter *emitter, HbgExpr expr) { return expr ? hbg_emit(emitter, expr) : -1; }

static void emit_system(HbgEquations *equations, HbgEmitter *emitter, HbgArena *arena) {
  const HbgSystem *system = &equations->system;
  equations->entries_are_constant = true;
  equations->residual_register = ARENA_NEW(arena, int32_t, system->row_count);
  equations->entry_register = ARENA_NEW(arena, int32_t, system->entry_count);
  for (int32_t at = 0; at < system->entry_count; at++) {
    equations->entry_register[at] = hbg_emit(emitter, system->entries[at].expr);
    if (!hbg_emitted_constant(emitter, equations->entry_register[at])) equations->entries_are_constant = false;
  }
  for (int32_t row = 0; row < system->row_count; row++)
    equations->residual_register[row] = hbg_emit(emitter, system->residuals[row]);
  equations->residual_end = emitter->program->main_count;
}

static void emit_outputs(HbgEquations *equations, HbgEmitter *emitter, const HbgTemplate *template,
                         const Outputs *outputs, HbgArena *arena) {
  const int32_t variable_count = template->graph.bond_count * 2;
  equations->state_register = ARENA_NEW(arena, int32_t, template->state_count);
  for (int32_t state = 0; state < template->state_count; state++)
    equations->state_register[state] = emit_or_none(emitter, outputs->states[state]);
  equations->variable_register = ARENA_NEW(arena, int32_t, variable_count);
  for (int32_t variable = 0; variable < variable_count; variable++)
    if (template->is_demanded[variable])
      equations->variable_register[variable] = hbg_emit(emitter, outputs->variables[variable]);
  equations->rates_end = emitter->program->main_count;
  for (int32_t variable = 0; variable < variable_count; variable++)
    equations->variable_register[variable] = hbg_emit(emitter, outputs->variables[variable]);
  equations->all_end = emitter->program->main_count;
}

static void find_unknown_registers(HbgEquations *equations, HbgArena *arena) {
  const HbgSystem *system = &equations->system;
  equations->unknown_register = ARENA_NEW(arena, int32_t, system->unknown_count);
  for (int32_t at = 0; at < system->unknown_count; at++) equations->unknown_register[at] = -1;
  for (int32_t at = 0; at < equations->program.input_count; at++) {
    const HbgProgramInput *input = &equations->program.inputs[at];
    const int32_t unknown = hbg_system_unknown(system, &input->leaf);
    if (unknown >= 0) equations->unknown_register[unknown] = input->target;
  }
}

/* Newton's method asks for the equations of one group again and again: of all that stands between, what its unknowns change. */
static void share_out_code(HbgEquations *equations, HbgArena *arena, HbgArena *scratch) {
  const HbgProgram *program = &equations->program;
  if (equations->system.is_linear) return;
  const HbgArenaMark mark = hbg_arena_mark(scratch);
  int32_t *part = ARENA_NEW(scratch, int32_t, program->register_count);
  for (int32_t at = 0; at < program->register_count; at++) part[at] = -1;
  for (int32_t at = 0; at < equations->group_count; at++)
    for (int32_t column = 0; column < equations->groups[at].column_count; column++) {
      const int32_t target = equations->unknown_register[equations->groups[at].columns[column]];
      if (target >= 0) part[target] = at;
    }
  const bool are_apart = hbg_program_part(program, equations->residual_end, part);
  for (int32_t at = 0; are_apart && at < equations->residual_end; at++) {
    const int32_t own = part[program->main[at].target];
    if (own < 0) continue;
    HbgGroup *group = &equations->groups[own];
    ARENA_PUSH(arena, group->code, group->code_count, group->code_capacity) = program->main[at];
  }
  hbg_arena_rewind(scratch, mark);
}

/* What each state's rate (from the finite values) or change (from the areas) is. */
static HbgExpr *state_outputs(const HbgTemplate *template, const HbgSorted *sorted, HbgExprPool *pool,
                              HbgArena *arena) {
  HbgExpr *outputs = ARENA_NEW(arena, HbgExpr, template->state_count);
  for (int32_t state = 0; state < template->state_count; state++) {
    const int32_t node = template->state_node[state];
    if (node >= 0) {
      const int32_t bond = template->graph.ports[template->graph.nodes[node].first_port].bond;
      const bool is_momentum = template->graph.nodes[node].kind == HBG_ELEMENT_I;
      outputs[state] = sorted->value[is_momentum ? hbg_effort_of(bond) : hbg_flow_of(bond)];
    } else {
      HbgExpr input = template->state_input[state];
      bool is_undefined = false;
      if (!input) input = hbg_expr_constant(pool, 0);
      if (sorted->is_area) input = hbg_area_of(pool, input, &is_undefined);
      outputs[state] = hbg_sorted_expr(sorted, pool, input);
    }
  }
  return outputs;
}

static HbgEquations *compile(HbgIslandProgram *program, HbgLaws *laws, HbgArena *arena, HbgEquationsKind kind) {
  const bool is_current = kind == HBG_CONTINUOUS_PLAIN || kind == HBG_CONTINUOUS_STACKED;
  const bool is_jump = kind == HBG_INSTANT_JUMP;
  const HbgSorted *finite = sorted_finite(program, laws, arena, is_current);
  const HbgSorted *areas = is_jump ? sorted_areas(program, laws, arena) : NULL;
  HbgExprPool *pool = &laws->pool;
  HbgExpr *states = state_outputs(&program->template, is_jump ? areas : finite, pool, arena);
  HbgEquations *equations = ARENA_NEW(arena, HbgEquations, 1);
  const bool is_stacked = kind == HBG_CONTINUOUS_STACKED || kind == HBG_INSTANT_STACKED;
  const int32_t state_count = program->template.state_count;
  if (is_jump) equations->system = hbg_system_jump(finite, areas, states, state_count, pool, arena, laws->scratch);
  else
    equations->system = hbg_system_finite(finite, is_stacked ? HBG_SYSTEM_STACKED : HBG_SYSTEM_PLAIN, states, state_count, pool,
                                          arena, laws->scratch);
  equations->unknowns = is_jump ? areas->unknowns : finite->unknowns;
  make_groups(equations, arena, laws->scratch);
  const HbgArenaMark mark = hbg_arena_mark(laws->scratch);
  HbgEmitter emitter = hbg_emitter(&equations->program, pool, laws->scratch);
  emit_system(equations, &emitter, arena);
  const Outputs outputs = {is_jump ? areas->value : finite->value, states};
  emit_outputs(equations, &emitter, &program->template, &outputs, arena);
  hbg_program_keep(&equations->program, arena);
  hbg_arena_rewind(laws->scratch, mark);
  equations->states = outputs.states;
  equations->variables = outputs.variables;
  find_unknown_registers(equations, arena);
  share_out_code(equations, arena, laws->scratch);
  return equations;
}

HbgEquationsKind hbg_equations_kind(const HbgIslandProgram *program, HbgEquationsKind kind) {
  if (program->template.pre_count) return kind;
  if (kind == HBG_CONTINUOUS_PLAIN) return HBG_INSTANT_PLAIN;
  return kind == HBG_CONTINUOUS_STACKED ? HBG_INSTANT_STACKED : kind;
}

const HbgEquations *hbg_island_equations(HbgIslandProgram *program, HbgLaws *laws, HbgArena *arena,
                                         HbgEquationsKind kind) {
  kind = hbg_equations_kind(program, kind);
  if (!program->equations[kind]) program->equations[kind] = compile(program, laws, arena, kind);
  return program->equations[kind];
}
