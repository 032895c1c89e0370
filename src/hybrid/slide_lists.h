/* SPDX-License-Identifier: BSD-3-Clause
 * Lists of states and of islands, as slides have them: in the end they ascend and have everything once. */
#ifndef HYBRID_SLIDE_LISTS_H
#define HYBRID_SLIDE_LISTS_H

#include "hybrid/slide.h"

/* One more, or all of another list. */
void hbg_islands_push(HbgArena *arena, HbgIslandList *to, HbgIsland *island);
void hbg_states_push(HbgArena *arena, HbgStateList *to, int32_t state);
void hbg_islands_append(HbgArena *arena, HbgIslandList *to, const HbgIslandList *from);
void hbg_states_append(HbgArena *arena, HbgStateList *to, const HbgStateList *from);
bool hbg_islands_have(const HbgIslandList *islands, const HbgIsland *island);
/* By their numbers, and everything once. */
void hbg_islands_sort(HbgIslandList *islands);
void hbg_states_sort(HbgStateList *states);
/* The same in another arena. */
void hbg_islands_keep(HbgArena *arena, HbgIslandList *islands);
void hbg_states_keep(HbgArena *arena, HbgStateList *states);

#endif
