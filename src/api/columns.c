/* SPDX-License-Identifier: BSD-3-Clause
 * The public door to what is read of a run: columns, and variables by index. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "results/record.h"
#include "base/text.h"
#include "model/elaborate.h"

/* One call that adds something to be read. */
typedef struct Addition {
  HbgRun *run;
  HbgColumnSet set;
  const char *expression;
  const char **message;
  int32_t *variable;
} Addition;

/* ---- what an expression stands for ---- */

typedef struct Meaning {
  HbgColumnInfo info;
  HbgExpr expr;
} Meaning;

static const HbgNode *find_switched(const HbgFlatModel *model, const char *name, size_t length) {
  for (int32_t at = 0; at < model->shown_junction_count; at++) {
    const HbgNode *junction = &model->nodes[model->shown_junctions[at]];
    if (strlen(junction->name) == length && memcmp(junction->name, name, length) == 0) return junction;
  }
  return NULL;
}

/* The machine that `name` (of `length`) is, or is switched by; -1. */
static int32_t find_machine(const HbgFlatModel *model, const char *name, size_t length) {
  const HbgNode *junction = find_switched(model, name, length);
  if (junction) return junction->machine;
  for (int32_t machine = 0; machine < model->machine_count; machine++)
    if (strlen(model->machines[machine].name) == length && memcmp(model->machines[machine].name, name, length) == 0) return machine;
  return -1;
}

/* "contact" and "contact.state" are no numbers of the model, but can be read all the same. */
static bool read_junction(const HbgFlatModel *model, HbgExprPool *pool, const char *name, Meaning *out) {
  const size_t length = strlen(name), suffix = strlen(".state");
  const bool is_state = length > suffix && strcmp(name + length - suffix, ".state") == 0;
  const int32_t machine = find_machine(model, name, is_state ? length - suffix : length);
  if (machine < 0) return false;
  const HbgColumn column = {name, is_state ? HBG_COLUMN_MACHINE : HBG_COLUMN_JUNCTION, NULL};
  out->info = (HbgColumnInfo){.column = column, .machine = machine};
  out->expr = is_state ? hbg_machine_state_expr(pool, model, machine) : hbg_expr_leaf(pool, HBG_OP_IS_ON, machine, 0);
  return true;
}

/* The `which`-th bond (from 1) with the name `name` of `length`; -1. Those of one name lie side by side. */
static int32_t bond_of_name(const HbgFlatModel *model, const char *name, size_t length, int32_t which) {
  for (int32_t bond = 0; bond < model->bond_count; bond++)
    if (strncmp(model->bonds[bond].name, name, length) == 0 && !model->bonds[bond].name[length] && --which == 0) return bond;
  return -1;
}

/* "(a -> b).e": a bond without a name of its own; "(a -> b)[2].e" is the second of several. */
static bool read_bond(const HbgFlatModel *model, HbgExprPool *pool, const char *name, Meaning *out) {
  const char *end = *name == '(' ? strrchr(name, ')') : NULL, *rest = end ? end + 1 : "";
  long which = 1;
  if (*rest == '[') {
    char *behind;
    which = strtol(rest + 1, &behind, 10);
    rest = which > 0 && which <= model->bond_count && *behind == ']' ? behind + 1 : "";
  }
  const bool is_effort = strcmp(rest, ".e") == 0, is_flow = strcmp(rest, ".f") == 0;
  if (!is_effort && !is_flow) return false;
  const int32_t bond = bond_of_name(model, name + 1, (size_t)(end - name - 1), (int32_t)which);
  if (bond < 0) return false;
  out->expr = hbg_expr_leaf(pool, is_effort ? HBG_OP_EFFORT : HBG_OP_FLOW, bond, 0);
  out->info = (HbgColumnInfo){.column = {name, HBG_COLUMN_NUMBER, hbg_model_unit(model, pool, out->expr)}, .machine = -1};
  return true;
}

static const HbgSignal *find_signal(const HbgFlatModel *model, const char *name) {
  for (int32_t at = 0; at < model->signal_count; at++)
    if (strcmp(model->signals[at].name, name) == 0) return &model->signals[at];
  return NULL;
}

/* Reads the expression of `call` into `pool`. `what` it is for, in the sentence when it makes no sense. */
static HbgStatus read_expression(const Addition *call, HbgExprPool *pool, const char *what, Meaning *out) {
  HbgArena *arena = &call->run->arena;
  const HbgFlatModel *model = &call->run->model->flat;
  const char *name = hbg_print(arena, "%s", call->expression);
  if (read_junction(model, pool, name, out) || read_bond(model, pool, name, out)) return HBG_OK;
  HbgDiagnostics diagnostics = hbg_diagnostics(arena);
  const char *unit;
  out->expr = hbg_model_column(model, pool, name, &diagnostics, &unit);
  if (!out->expr || diagnostics.error_count) {
    const HbgDiagnostic *first = diagnostics.count ? &diagnostics.list[0] : NULL;
    *call->message = hbg_print(arena, "%s `%s`: %s%s%s", what, name, first ? first->message : "it makes no sense",
                               first && first->help ? "; " : "", first && first->help ? first->help : "");
    return HBG_ARGUMENT;
  }
  const bool is_boolean = hbg_expr_node(pool, out->expr)->is_boolean;
  const HbgSignal *signal = find_signal(model, name);
  const HbgColumn column = {name, is_boolean ? HBG_COLUMN_BOOLEAN : HBG_COLUMN_NUMBER, signal ? signal->unit : unit};
  out->info = (HbgColumnInfo){.column = column, .machine = -1};
  if (signal) out->info.shown_unit = signal->shown_unit, out->info.shown = signal->shown;
  return HBG_OK;
}

/* Whether the run may be given something; after a refusal of memory its arena may only be released. */
static bool is_open(const HbgRun *run) { return run && run->status != HBG_MEMORY; }

static HbgStatus add(HbgRun *run, HbgStatus (*body)(void *), Addition *call) {
  const HbgStatus status = hbg_guarded(&run->arena, body, call);
  if (status == HBG_MEMORY) run->status = HBG_MEMORY;
  return status;
}

/* ---- columns ---- */

static HbgStatus add_defaults(void *user) {
  const Addition *call = user;
  hbg_sim_add_default_columns(call->run->sim, call->set);
  hbg_run_remember(call->run, (HbgDeed){.kind = HBG_DEED_DEFAULT_COLUMNS, .set = call->set});
  return HBG_OK;
}

HbgStatus hbg_run_add_default_columns(HbgRun *run, HbgColumnSet set) {
  if (!run || run->row_count || (set != HBG_COLUMNS_TRAJECTORY && set != HBG_COLUMNS_EVENTS)) return HBG_ARGUMENT;
  if (!is_open(run)) return HBG_MEMORY;
  return add(run, add_defaults, &(Addition){.run = run, .set = set});
}

static HbgStatus add_column(void *user) {
  const Addition *call = user;
  Meaning meaning;
  TRY(read_expression(call, hbg_sim_pool(call->run->sim), "column", &meaning));
  hbg_sim_add_column(call->run->sim, meaning.info, meaning.expr);
  hbg_run_remember(call->run, (HbgDeed){.kind = HBG_DEED_COLUMN, .expression = meaning.info.column.name});
  return HBG_OK;
}

HbgStatus hbg_run_add_column(HbgRun *run, const char *expression, const char **message) {
  const char *ignored;
  if (!message) message = &ignored;
  *message = HBG_MISSING;
  if (!run || !expression) return HBG_ARGUMENT;
  *message = "";
  if (!is_open(run)) return HBG_MEMORY;
  if (run->row_count) {
    *message = "columns must be added before the first row; hbg_run_find() finds variables at any time";
    return HBG_ARGUMENT;
  }
  return add(run, add_column, &(Addition){.run = run, .expression = expression, .message = message});
}

int32_t hbg_run_column_count(const HbgRun *run) { return run ? hbg_sim_column_count(run->sim) : 0; }

static bool has_column(const HbgRun *run, int32_t column) { return column >= 0 && column < hbg_run_column_count(run); }

HbgColumn hbg_run_column(const HbgRun *run, int32_t column) {
  return has_column(run, column) ? hbg_sim_column(run->sim, column)->column : (HbgColumn){.name = ""};
}

HbgShownUnit hbg_run_column_shown(const HbgRun *run, int32_t column) {
  if (!has_column(run, column)) return (HbgShownUnit){NULL, 1.0, 0.0};
  const HbgColumnInfo *info = hbg_sim_column(run->sim, column);
  if (!info->shown_unit) return (HbgShownUnit){info->column.unit, 1.0, 0.0};
  return (HbgShownUnit){info->shown_unit, info->shown.factor, info->shown.offset};
}

const char *hbg_run_label(const HbgRun *run, int32_t column, double value) {
  if (!has_column(run, column)) return "";
  const HbgColumnInfo *info = hbg_sim_column(run->sim, column);
  switch (info->column.kind) {
    case HBG_COLUMN_JUNCTION: return hbg_junction_word(value);
    case HBG_COLUMN_BOOLEAN: return value > 0.5 ? "true" : "false";
    case HBG_COLUMN_MACHINE: {
      const HbgMachine *machine = &run->model->flat.machines[info->machine];
      const bool is_state = value > -0.5 && value < machine->state_count - 0.5;
      if (is_state) return machine->states[(int32_t)(value + 0.5)].name;
      return value > machine->state_count - 0.5 && value < machine->state_count + 0.5 ? "sliding" : "";
    }
    default: return "";
  }
}

double hbg_run_value(const HbgRun *run, int32_t column) {
  const double *values = hbg_run_values(run);
  return values && has_column(run, column) ? values[column] : (double)NAN;
}

const double *hbg_run_values(const HbgRun *run) { return run ? hbg_sim_values(run->sim) : NULL; }

void hbg_run_shown_values(const HbgRun *run, double *values) {
  const double *own = hbg_run_values(run);
  for (int32_t i = 0; i < hbg_run_column_count(run); i++) {
    const HbgColumnInfo *info = hbg_sim_column(run->sim, i);
    values[i] = info->shown_unit ? (own[i] - info->shown.offset) / info->shown.factor : own[i];
  }
}

/* ---- variables by index ---- */

static HbgStatus find(void *user) {
  const Addition *call = user;
  Meaning meaning;
  TRY(read_expression(call, hbg_sim_reader_pool(call->run->sim), "variable", &meaning));
  const int32_t variable = hbg_sim_add_reader(call->run->sim, meaning.info.column.name, meaning.expr);
  hbg_run_remember(call->run, (HbgDeed){.kind = HBG_DEED_FIND, .expression = meaning.info.column.name});
  *call->variable = variable;
  return HBG_OK;
}

HbgStatus hbg_run_find(HbgRun *run, const char *expression, int32_t *variable, const char **message) {
  const char *ignored;
  if (!message) message = &ignored;
  *message = HBG_MISSING;
  if (variable) *variable = -1;
  if (!run || !expression || !variable) return HBG_ARGUMENT;
  *message = "";
  if (!is_open(run)) return HBG_MEMORY;
  return add(run, find, &(Addition){.run = run, .expression = expression, .message = message, .variable = variable});
}

typedef struct BondCall {
  HbgRun *run;
  int32_t bond;
  bool is_effort;
  int32_t *variable;
} BondCall;

static HbgStatus find_bond(void *user) {
  const BondCall *call = user;
  HbgRun *run = call->run;
  const int32_t index = 2 * call->bond + !call->is_effort;
  if (!run->bond_variables) run->bond_variables = ARENA_NEW(&run->arena, int32_t, 2 * run->model->flat.bond_count);
  if (!run->bond_variables[index]) {
    const HbgExpr leaf = hbg_expr_leaf(hbg_sim_reader_pool(run->sim), call->is_effort ? HBG_OP_EFFORT : HBG_OP_FLOW, call->bond, 0);
    // no warning where the mode leaves it undetermined: nobody has named it
    run->bond_variables[index] = 1 + hbg_sim_add_reader(run->sim, NULL, leaf);
    hbg_run_remember(run, (HbgDeed){.kind = HBG_DEED_FIND_BOND, .index = index});
  }
  *call->variable = run->bond_variables[index] - 1;
  return HBG_OK;
}

HbgStatus hbg_run_find_bond(HbgRun *run, int32_t bond, bool is_effort, int32_t *variable) {
  if (variable) *variable = -1;
  if (!run || !variable || bond < 0 || bond >= run->model->flat.bond_count) return HBG_ARGUMENT;
  if (!is_open(run)) return HBG_MEMORY;
  const HbgStatus status = hbg_guarded(&run->arena, find_bond, &(BondCall){run, bond, is_effort, variable});
  if (status == HBG_MEMORY) run->status = HBG_MEMORY;
  return status;
}

double hbg_run_read(const HbgRun *run, int32_t variable) { return run ? hbg_sim_read(run->sim, variable) : (double)NAN; }
