/* SPDX-License-Identifier: BSD-3-Clause
 * Look-up tables that are followed over time, piece by piece: when one ends, and what the polynomial of the next one is. */
#ifndef MODEL_PROFILE_H
#define MODEL_PROFILE_H

#include "model/look_up_table.h"
#include "model/model.h"

/* When piece `piece` ends [s]; INFINITY for the last. `table` is that of the profile. */
double hbg_profile_end(const HbgProfile *profile, const HbgLookUpTable *table, int32_t piece);
/* The piece behind all that end at `t` or before; `t` not before those. */
int32_t hbg_profile_piece_behind(const HbgProfile *profile, const HbgLookUpTable *table, int32_t piece, double t);
/* The piece that begins at `t`, or goes on there. */
int32_t hbg_profile_piece(const HbgProfile *profile, const HbgLookUpTable *table, double t);
/* Which discrete variables tell no more than which piece of a table is followed (variable_count); from `arena`. */
const bool *hbg_profile_list_pieces(const HbgFlatModel *model, HbgArena *arena);
/* Is the end of one piece another value than the beginning of the next? */
bool hbg_profile_jumps(const HbgLookUpTable *table, int32_t piece);

#endif
