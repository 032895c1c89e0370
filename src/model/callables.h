/* SPDX-License-Identifier: BSD-3-Clause
 * Private to the elaboration: what the modeller declares to be called: functions, tables, data. */
#ifndef MODEL_CALLABLES_H
#define MODEL_CALLABLES_H

#include "model/functions.h"

/* What a name stands for; of a FUNCTION, TABLE or DATA its place among elaborator->callables. index -1: nothing. */
typedef struct HbgCallable {
  HbgScopeKind kind;
  int32_t index;
} HbgCallable;

/* Is `name` a function of the language? */
bool hbg_elaborate_is_function(const char *name);
/* Does the declaration `node` leave the functions of the language their names? Tells it when not. */
bool hbg_elaborate_may_be_called(HbgElaborator *elaborator, const HbgFrame *frame, HbgTreeNode node);
bool hbg_is_callable(HbgNodeKind kind);
HbgScopeKind hbg_callable_kind(HbgNodeKind kind);
/* Adds the FUNCTION, TABLE or DATA `node`, whose name is declared with the number elaborator->callable_count. */
void hbg_elaborate_add_callable(HbgElaborator *elaborator, HbgTreeNode node, const HbgFrame *frame);
/* The name of the function that CALL `call` wants: `head`, or `pumps.head` of a file that was imported as pumps. */
const char *hbg_call_name(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode call);
/* What `name`, without indices, stands for at `place`. */
HbgCallable hbg_elaborate_callable(const HbgElaborator *elaborator, const HbgPlace *place, const char *name);
/* Adds the names of all that can be called at `place`, for suggestions. */
void hbg_elaborate_list_callables(HbgElaborator *elaborator, const HbgPlace *place, HbgScope *names);

/* The value of the CALL `call` of function `index`; 0: told. */
HbgExpr hbg_elaborate_user_call(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode call, int32_t index);
/* The same of a table. */
HbgExpr hbg_elaborate_table_call(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode call, int32_t index);
/* Column `member` of data `index` at the present time; `node` is the MEMBER. 0: told. */
HbgExpr hbg_elaborate_data_member(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int32_t index,
                                  const char *member);
/* `value`, a number that was meant in `unit`, in SI. */
HbgExpr hbg_elaborate_in_unit(HbgElaborator *elaborator, HbgExpr value, HbgUnit unit);
/* Looks at the tables and data that nobody calls, too: their mistakes are told all the same. */
void hbg_elaborate_callables(HbgElaborator *elaborator);

#endif
