/* SPDX-License-Identifier: BSD-3-Clause
 * Private to the elaboration: the numbers of tables and data. */
#ifndef MODEL_TABLE_NUMBERS_H
#define MODEL_TABLE_NUMBERS_H

#include "model/callables.h"

/* How the TABLE or DATA `declaration` is to be read; false: told. */
bool hbg_elaborate_table_settings(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode declaration,
                                  HbgLookUpTable *table);
/* What is wrong with the numbers of a table, or the knots of one axis; NULL: nothing. */
const char *hbg_table_problem(HbgArena *arena, const HbgLookUpTable *table);
const char *hbg_table_knots_problem(HbgArena *arena, const HbgLookUpTable *table, const double *knots, int32_t count);
/* Rows of a table (of one argument: x, value; of two: a first row of y's, then x and the values there) become its knots and values. */
void hbg_table_take_rows(HbgArena *arena, HbgLookUpTable *table, const double *list, int32_t rows, int32_t columns);
/* Fills `table` from the file that FILE_NAME `file` names; false: told. */
bool hbg_elaborate_table_file(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode file, HbgLookUpTable *table);
/* Reads the file of data `index`. */
void hbg_elaborate_make_data(HbgElaborator *elaborator, int32_t index);
/* Table `table` of the pool at `x`: a profile, where `x` grows with time. */
HbgExpr hbg_elaborate_look_up(HbgElaborator *elaborator, int32_t table, HbgExpr x);

#endif
