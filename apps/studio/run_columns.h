/* SPDX-License-Identifier: BSD-3-Clause
 * What is kept of every row of a run: which columns there are, and by what names they are asked for. */
#ifndef STUDIO_RUN_COLUMNS_H
#define STUDIO_RUN_COLUMNS_H

#include <stdbool.h>

#include "hybrsim/hybrsim.h"
#include "run_list.h"

/* Where a column comes from; the group it is shown in. */
typedef enum StudioGroup {
  STUDIO_JUNCTION, STUDIO_STORED, STUDIO_SIGNAL, STUDIO_MACHINE, STUDIO_EFFORT, STUDIO_FLOW, STUDIO_ENERGY, STUDIO_ASKED
} StudioGroup;

typedef struct StudioColumn {
  char *name, *unit; // unit "" when unknown
  StudioGroup group;
  HbgColumnKind kind;
  int32_t index;     // of the run's column; of a variable of hbg_run_read(); of the stored quantity
  int32_t machine;   // whose states it shows, or that switches the junction; -1
  double start;      // of an energy: before the first row
  bool is_variable;  // of a machine, among the signals
  StudioList values; // doubles
} StudioColumn;

typedef struct StudioColumns {
  StudioColumn *list; int32_t count, capacity;
  int32_t *places; int32_t place_count; // by the hash of their names: 1 + the column, 0: free
  int32_t *machine_column; // of each machine, -1 (machines of the model)
  int32_t machine_count;
  bool is_large;           // efforts, flows and energies were left out
} StudioColumns;

enum { STUDIO_MOST_BONDS = 4000 }; // beyond, only the usual columns are kept

/* Adds to `run`, which has no rows yet, all that is to be kept: the usual columns, `asked` ones (count), states of machines, efforts and flows of all
 * bonds, energies of storages. False with a sentence in `*message` (NULL: no memory): an expression makes no sense. */
bool studio_columns_make(StudioColumns *columns, const HbgModel *model, HbgRun *run, const char *const *asked, int32_t count, const char **message);
/* Keeps the values of the current row of `run`. False: no memory. */
bool studio_columns_keep(StudioColumns *columns, HbgRun *run);
void studio_columns_free(StudioColumns *columns);

/* The column of that name, -1. Efforts and flows have the names that hbg_diagram_bond() tells: "body.e", "F13.e", "(a -> b).f". */
int32_t studio_columns_find(const StudioColumns *columns, const char *name);
/* Value of a column in a row that is there. */
double studio_columns_value(const StudioColumns *columns, int32_t column, int64_t row);
const char *studio_group_name(StudioGroup group);

#endif
