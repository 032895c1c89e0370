/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/owed.h"

#include "hybrid/local_parts.h"

/* ---- when it is possible ---- */

static bool is_shown(const HbgShown *shown, const HbgIsland *island) {
  for (int32_t at = 0; at < island->graph.bond_count; at++)
    if (shown->shows_bond[island->graph.bonds[at].bond]) return true;
  return false;
}

static bool any_is_shown(const HbgShown *shown, HbgIsland *const *islands, int32_t count) {
  for (int32_t at = 0; at < count; at++)
    if (is_shown(shown, islands[at])) return true;
  return false;
}

bool hbg_owed_is_possible(const HbgRecipeUse *use) {
  for (int32_t at = 0; at < use->made_count; at++)
    if (!use->made[at]->count || !use->motions[at]) return false;
  return true;
}

bool hbg_owed_is_shown(HbgSim *sim, const HbgRecipeUse *use) {
  const HbgShown *shown = hbg_shown_now(sim);
  for (int32_t at = 0; at < use->made_count; at++)
    if (any_is_shown(shown, use->made[at]->islands, use->made[at]->island_count)) return true;
  return any_is_shown(shown, use->gone, use->gone_count) || any_is_shown(shown, use->come, use->come_count);
}

/* ---- owing ---- */

static void owe_machine(HbgSim *sim, HbgOwed *owed, int32_t machine) {
  if (owed->owes_machine[machine]) return;
  owed->owes_machine[machine] = 1;
  ARENA_PUSH(&sim->local->arena, owed->machines, owed->machine_count, owed->machine_capacity) = machine;
}

/* Room for all islands that have been met. */
static void widen(HbgSim *sim, HbgOwed *owed) {
  const int32_t count = 2 * sim->known_islands.count;
  owed->presence = hbg_arena_enlarge(&sim->local->arena, owed->presence, owed->presence_count, count, sizeof *owed->presence);
  owed->presence_count = count;
}

static inline void owe_islands(HbgSim *sim, HbgOwed *owed, HbgIsland *const *islands, const int32_t *numbers, int32_t count,
                               HbgPresence presence) {
  for (int32_t at = 0; at < count; at++) {
    uint8_t *const own = &owed->presence[numbers[at]];
    if (*own == HBG_PRESENCE_PAID)
      ARENA_PUSH(&sim->local->arena, owed->islands, owed->island_count, owed->island_capacity) = islands[at];
    *own = (uint8_t)presence;
  }
}

/* Those that are owed already shall be others than they were to be, mostly. */
static inline void change_minds(HbgOwed *owed, const int32_t *numbers, int32_t count, HbgPresence presence) {
  for (int32_t at = 0; at < count; at++) owed->presence[numbers[at]] = (uint8_t)presence;
}

/* Their numbers beside each other, so that the islands themselves need not be looked at. */
static void list_numbers(HbgSim *sim, HbgRecipeUse *use) {
  if (sim->local->owed.presence_count < sim->known_islands.count) widen(sim, &sim->local->owed);
  use->exchanged = ARENA_NEW(&sim->local->arena, int32_t, use->gone_count + use->come_count);
  for (int32_t at = 0; at < use->gone_count; at++) use->exchanged[at] = use->gone[at]->number;
  for (int32_t at = 0; at < use->come_count; at++) use->exchanged[use->gone_count + at] = use->come[at]->number;
}

void hbg_owed_add(HbgSim *sim, HbgRecipeUse *use) {
  HbgOwed *owed = &sim->local->owed;
  owed->is_any = true;
  if (use->is_shown) {
    owed->is_shown = true;
    owed->hidden++;
  }
  if (use->owed_since == owed->payments + 1) {
    change_minds(owed, use->exchanged, use->gone_count, HBG_PRESENCE_TO_GO);
    change_minds(owed, use->exchanged + use->gone_count, use->come_count, HBG_PRESENCE_TO_COME);
    return;
  }
  use->owed_since = owed->payments + 1;
  if (!use->exchanged) list_numbers(sim, use);
  for (int32_t at = 0; at < use->recipe->switched_count; at++) owe_machine(sim, owed, use->switched[at]);
  owe_islands(sim, owed, use->gone, use->exchanged, use->gone_count, HBG_PRESENCE_TO_GO);
  owe_islands(sim, owed, use->come, use->exchanged + use->gone_count, use->come_count, HBG_PRESENCE_TO_COME);
}

static void take_in(HbgRegion *region) {
  for (int32_t which = 0; which < region->island_count; which++) region->islands[which]->region = region;
}

void hbg_owed_add_region(HbgSim *sim, HbgRegion *region) {
  HbgOwed *owed = &sim->local->owed;
  if (region->is_owed) return;
  if (!owed->island_count) { // they have been paid already, for another who follows a recipe in the same instant
    take_in(region);
    return;
  }
  owed->is_any = region->is_owed = true;
  ARENA_PUSH(&sim->local->arena, owed->regions, owed->region_count, owed->region_capacity) = region;
}

bool hbg_owed_is_present(const HbgSim *sim, const HbgIsland *island, int32_t number) {
  const HbgOwed *owed = &sim->local->owed;
  const int32_t presence = number < owed->presence_count ? owed->presence[number] : HBG_PRESENCE_PAID;
  return presence == HBG_PRESENCE_PAID ? island->place >= 0 : presence == HBG_PRESENCE_TO_COME;
}

static bool any_is_owed(const HbgSim *sim, HbgIsland *const *islands, int32_t count) {
  const HbgOwed *owed = &sim->local->owed;
  for (int32_t at = 0; at < count; at++)
    if (islands[at]->number < owed->presence_count && owed->presence[islands[at]->number] != HBG_PRESENCE_PAID) return true;
  return false;
}

bool hbg_owed_is_prompt(const HbgSim *sim, const HbgRecipeUse *use) {
  for (int32_t at = 0; at < use->recipe->switched_count; at++)
    if (sim->local->owed.is_prompt[use->switched[at]]) return true;
  return false;
}

static bool is_in_the_way(const HbgSim *sim, const HbgRecipeUse *use) {
  const HbgOwed *owed = &sim->local->owed;
  for (int32_t at = 0; at < use->recipe->switched_count; at++)
    if (owed->owes_machine[use->switched[at]]) return true;
  return any_is_owed(sim, use->gone, use->gone_count) || any_is_owed(sim, use->come, use->come_count);
}

/* ---- paying ---- */

static void pay_islands(HbgSim *sim, HbgOwed *owed) {
  HbgIsland **gone = ARENA_NEW(&sim->scratch, HbgIsland *, owed->island_count), **come = ARENA_NEW(&sim->scratch, HbgIsland *, owed->island_count);
  int32_t gone_count = 0, come_count = 0;
  for (int32_t at = 0; at < owed->island_count; at++) {
    HbgIsland *island = owed->islands[at];
    const bool shall_be = owed->presence[island->number] == HBG_PRESENCE_TO_COME;
    owed->presence[island->number] = HBG_PRESENCE_PAID;
    if (shall_be == (island->place >= 0)) continue;
    if (shall_be) come[come_count++] = island;
    else gone[gone_count++] = island;
  }
  hbg_mode_replace(sim, owed->machines, owed->machine_count, gone, gone_count, come, come_count);
}

static void pay_regions(HbgSim *sim, HbgOwed *owed) {
  for (int32_t at = 0; at < owed->region_count; at++) {
    HbgRegion *region = owed->regions[at];
    region->is_owed = false;
    if (sim->local->region_of[region->states[0]] != region) continue;
    take_in(region);
  }
}

void hbg_owed_pay_all(HbgSim *sim) {
  HbgOwed *owed = sim->local ? &sim->local->owed : NULL;
  if (!owed || !owed->is_any) return;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  pay_islands(sim, owed);
  pay_regions(sim, owed);
  for (int32_t at = 0; at < owed->machine_count; at++) owed->owes_machine[owed->machines[at]] = 0;
  owed->machine_count = owed->island_count = owed->region_count = 0;
  owed->payments++;
  owed->is_any = owed->is_shown = false;
  hbg_arena_rewind(&sim->scratch, mark);
}

void hbg_owed_pay_shown(HbgSim *sim) {
  if (!sim->local->owed.is_shown) return;
  sim->local->owed.asked++;
  hbg_owed_pay_all(sim);
}

void hbg_owed_make_way(HbgSim *sim, const HbgRecipeUse *use, bool is_known) {
  if (!is_in_the_way(sim, use)) return;
  hbg_owed_pay_all(sim);
  if (is_known) sim->local->owed.any_prompt = true;
  for (int32_t at = 0; is_known && at < use->recipe->machine_count; at++) sim->local->owed.is_prompt[use->machines[at]] = 1;
}
