/* SPDX-License-Identifier: BSD-3-Clause
 * Islands of the present mode. A junction that is off separates, so in every mode the graph falls apart into islands;
 * entering a mode regroups only the bonds of those islands that a switched junction touches. Every island ever met is kept,
 * and so is what came of every change, so that a change met again costs a look-up. */
#include <string.h>

#include "base/key.h"
#include "hybrid/blocks.h"
#include "hybrid/gather.h"
#include "hybrid/island_parts.h"
#include "hybrid/near.h"

/* ---- causality ---- */

/* Brings causality up to the junctions that are on, and what storages fix up to causality. */
static HbgAssignmentChange settle(HbgSim *sim) {
  int32_t switched = 0;
  for (int32_t at = 0; at < sim->owed_count; at++) {
    const int32_t node = sim->owed[at];
    sim->is_owed[node] = 0;
    if (sim->assigned_on[node] == sim->is_on[node]) continue;
    sim->assigned_on[node] = sim->is_on[node];
    hbg_assignment_switch(sim->assignment, node, sim->is_on[node]);
    sim->owed[switched++] = node;
  }
  sim->owed_count = 0;
  const HbgAssignmentChange change = hbg_assignment_settle(sim->assignment);
  // where sources contradict each other strokes may be the same as before, but what feeds has come or gone
  for (int32_t at = 0; at < switched; at++)
    if (hbg_cut_feeds(&sim->cuts, sim->owed[at]) >= 0) hbg_blocks_renew(sim, hbg_cut_feeds(&sim->cuts, sim->owed[at]));
  for (int32_t at = 0; hbg_cuts_vary(&sim->cuts) && at < change.turned_count; at++) {
    hbg_blocks_renew(sim, sim->model->bonds[change.turned[at]].tail);
    hbg_blocks_renew(sim, sim->model->bonds[change.turned[at]].head);
  }
  return change;
}

void hbg_mode_settle_causality(HbgSim *sim) { settle(sim); }

/* ---- islands ---- */

void hbg_island_renew(HbgSim *sim, HbgIsland *island) {
  island->is_touched = true;
  if (island->is_new) return;
  island->is_new = true;
  ARENA_PUSH(sim->arena, sim->fresh, sim->fresh_count, sim->fresh_capacity) = island;
}

void hbg_mode_end_fresh(HbgSim *sim) {
  for (int32_t at = 0; at < sim->fresh_count; at++) sim->fresh[at]->is_new = false;
  sim->fresh_count = 0;
}

static void cut(HbgSim *sim, int32_t node, int32_t by) {
  if (sim->cuts.fixed_by[node] == by) return;
  hbg_transcript_cut(sim, node);
  sim->cuts.fixed_by[node] = by;
}

/* Where the graph is cut follows from the islands: a junction stands within one, or something hangs at it. */
static void note_cuts(HbgSim *sim, HbgIsland *island) {
  HbgCuts *cuts = &sim->cuts;
  if (!hbg_cuts_vary(cuts)) return;
  if (island->is_hanging && island->delivery >= 0) {
    cut(sim, island->junction, island->element);
    if (island->is_storage) hbg_delivery_enter(&cuts->deliveries, island->delivery);
    return;
  }
  for (int32_t node = 0; node < island->graph.node_count; node++) {
    const HbgGraphNode *at = &island->graph.nodes[node];
    if (at->is_off_port || at->is_source_port) continue;
    if (hbg_cut_storage(cuts, at->node) >= 0 || hbg_cut_feeder_to(cuts, at->node)) cut(sim, at->node, -1);
  }
}

/* For the batches, which follow when rates are asked for. */
static void note_moved(HbgSim *sim, HbgIsland *island) {
  HbgIslandList *moved = &sim->moved_islands;
  if (moved->count > sim->island_count) sim->islands_changed = true;
  if (!sim->islands_changed) ARENA_PUSH(sim->arena, moved->list, moved->count, moved->capacity) = island;
}

/* In a rehearsal, so that it can be taken back. */
static void note_exchange(HbgSim *sim, HbgIsland *island, bool has_come) {
  if (!sim->is_rehearsal) return;
  ARENA_PUSH(sim->arena, sim->exchanges, sim->exchange_count, sim->exchange_capacity) = (HbgExchange){island, island->region, has_come};
}

static void place_island(HbgSim *sim, HbgIsland *island) {
  note_moved(sim, island);
  note_exchange(sim, island, true);
  hbg_present_add(sim, island);
  island->place = sim->island_count;
  island->region = NULL; // until regions are grouped
  ARENA_PUSH(sim->arena, sim->islands, sim->island_count, sim->island_capacity) = island;
  for (int32_t at = 0; at < island->graph.bond_count; at++) sim->island_of[island->graph.bonds[at].bond] = island;
  note_cuts(sim, island);
  if (sim->rests.any_so_far) hbg_rest_tell(sim, island);
  if (island->is_hanging && !island->is_storage) sim->hanging_sources++;
}

static void add_island(HbgSim *sim, HbgIsland *island) {
  hbg_island_renew(sim, island);
  hbg_island_reschedule(island); // since it was present last
  place_island(sim, island);
}

static void remove_island(HbgSim *sim, HbgIsland *island) {
  note_moved(sim, island);
  note_exchange(sim, island, false);
  hbg_present_remove(sim, island);
  if (island->surfaces) hbg_slides_note_gone(sim, island);
  HbgIsland *last = sim->islands[--sim->island_count];
  sim->islands[island->place] = last;
  last->place = island->place;
  island->place = -1;
  island->schedule_changes = sim->schedule_changes;
  if (!island->is_hanging) return;
  if (island->is_storage) hbg_delivery_leave(&sim->cuts.deliveries, island->delivery);
  else sim->hanging_sources--;
}

/* ---- entering ---- */

/* From one mode to the next. */
typedef struct Change {
  HbgSim *sim;
  int32_t *switched; int32_t switched_count, switched_capacity; /* junctions that have turned on or off */
  HbgIslandList gone;  /* islands that were taken away, in the scratch arena */
  HbgIslandList come;  /* that took their places */
  HbgIslandList asked; /* that stay, and on which it depends how the others are grouped */
  const int32_t *ticks; int32_t tick_count; /* scheduled conditions that have turned */
} Change;

/* Takes the island of `bond` away, if it is present. */
static void dissolve(Change *change, int32_t bond) {
  HbgSim *sim = change->sim;
  HbgIsland *island = sim->island_of[bond];
  if (!island || island->place < 0) return;
  hbg_near_touch_gone(sim, island);
  remove_island(sim, island);
  ARENA_PUSH(&sim->scratch, change->gone.list, change->gone.count, change->gone.capacity) = island;
}

static void dissolve_node(Change *change, int32_t node) {
  const HbgFlatModel *model = change->sim->model;
  for (int32_t which = 0; which < model->nodes[node].port_count; which++)
    dissolve(change, hbg_port(model, &model->nodes[node], which)->bond);
}

/* Causality follows when it is asked for: a mode met again needs none, and while islands and machines agree nobody needs to be told which
 * bonds turn. */
static void owe_switch(HbgSim *sim, int32_t node) {
  if (sim->is_owed[node]) return;
  sim->is_owed[node] = 1;
  ARENA_PUSH(sim->arena, sim->owed, sim->owed_count, sim->owed_capacity) = node;
}

static void switch_junctions(HbgSim *sim, int32_t machine) {
  const HbgLaws *laws = &sim->laws;
  const uint8_t is_on = hbg_sim_is_on(sim, machine);
  for (int32_t at = laws->switched_start[machine]; at < laws->switched_start[machine + 1]; at++) {
    if (sim->is_on[laws->switched_list[at]] == is_on) continue;
    sim->is_on[laws->switched_list[at]] = is_on;
    owe_switch(sim, laws->switched_list[at]);
  }
}

/* The junctions of a machine take its state; what they and the laws that read it belong to falls apart. */
static void switch_machine(Change *change, int32_t machine) {
  HbgSim *sim = change->sim;
  const HbgLaws *laws = &sim->laws;
  const uint8_t is_on = hbg_sim_is_on(sim, machine);
  for (int32_t at = laws->switched_start[machine]; at < laws->switched_start[machine + 1]; at++) {
    const int32_t node = laws->switched_list[at];
    if (sim->is_on[node] == is_on) continue;
    sim->is_on[node] = is_on;
    owe_switch(sim, node);
    ARENA_PUSH(&sim->scratch, change->switched, change->switched_count, change->switched_capacity) = node;
    dissolve_node(change, node);
    if (hbg_cut_feeds(&sim->cuts, node) >= 0) dissolve_node(change, hbg_cut_feeds(&sim->cuts, node));
  }
  for (int32_t at = laws->reader_start[machine]; at < laws->reader_start[machine + 1]; at++)
    dissolve_node(change, hbg_cut_felt_at(sim, laws->reader_list[at]));
}

/* Has the causality of `bond` turned since its island was made? */
static bool has_turned(const HbgSim *sim, int32_t bond) {
  const HbgIsland *island = sim->island_of[bond];
  if (!island || island->place < 0 || island->is_hanging) return false;
  return island->program->strokes.effort_from_tail[hbg_graph_find_bond(&island->graph, bond)] != hbg_assignment_effort_from_tail(sim->assignment, bond);
}

/* A storage that is cut off has become dependent, or a source that feeds has come or gone: what meets at the junction belongs together, or to another one. */
static void join_at(Change *change, int32_t node) {
  HbgCuts *cuts = &change->sim->cuts;
  if (cuts->fixed_by[node] < 0 || cuts->base_by[node] == cuts->fixed_by[node]) return;
  cut(change->sim, node, -1);
  dissolve_node(change, node);
}

static void switch_back_or_again(Change *change) {
  HbgSim *sim = change->sim;
  for (int32_t at = 0; at < change->switched_count; at++) {
    sim->is_on[change->switched[at]] = !sim->is_on[change->switched[at]];
    owe_switch(sim, change->switched[at]);
  }
}

/* Changes that were known have left causality behind. It comes to where the islands have been so far, or what turns from there on would not be told:
 * a storage that had stopped to fix its junction before, and fixed it for a while, would stay cut off. */
static void catch_up(Change *change) {
  switch_back_or_again(change);
  settle(change->sim);
  switch_back_or_again(change);
}

/* Where storages are cut off, causality may turn in islands that no junction of which has switched. */
static void meet_causality(Change *change) {
  HbgSim *sim = change->sim;
  if (!hbg_cuts_vary(&sim->cuts)) return;
  catch_up(change);
  const HbgAssignmentChange settled = settle(sim);
  for (int32_t at = 0; at < settled.turned_count; at++) {
    const int32_t bond = settled.turned[at];
    if (has_turned(sim, bond)) dissolve(change, bond);
    join_at(change, sim->model->bonds[bond].tail);
    join_at(change, sim->model->bonds[bond].head);
  }
}

/* The island of `bond` in the present mode. What hung, or was cut off, may now belong to an island that was left alone, and takes
 * it with it. */
static HbgIsland *gather_island(Change *change, int32_t bond) {
  HbgSim *sim = change->sim;
  const int32_t count = hbg_gather(sim, sim->cuts.fixed_by, bond, sim->bond_queue);
  for (int32_t which = 0; which < count; which++) dissolve(change, sim->bond_queue[which]);
  hbg_key_sort(sim->bond_queue, count);
  return hbg_island_for(sim, sim->cuts.fixed_by, sim->bond_queue, count);
}

/* A block that is an island as it is, and need not be looked for again; NULL. */
static HbgIsland *take_block(Change *change, int32_t bond) {
  HbgSim *sim = change->sim;
  HbgIsland *island = hbg_blocks_island(sim, bond);
  for (int32_t at = 0; island && at < island->graph.bond_count; at++) {
    sim->bond_stamp[island->graph.bonds[at].bond] = sim->stamp;
    dissolve(change, island->graph.bonds[at].bond);
  }
  return island;
}

/* Groups `loose` bonds into islands. */
static void regroup(Change *change, const int32_t *loose, int32_t loose_count) {
  HbgSim *sim = change->sim;
  sim->cuts.block_island = NULL;
  if (hbg_cuts_vary(&sim->cuts)) hbg_blocks_cut(sim, loose, loose_count, &change->asked);
  sim->stamp++;
  for (int32_t at = 0; at < loose_count; at++) {
    if (sim->bond_stamp[loose[at]] == sim->stamp) continue;
    HbgIsland *island = take_block(change, loose[at]);
    if (!island) island = gather_island(change, loose[at]);
    ARENA_PUSH(&sim->scratch, change->come.list, change->come.count, change->come.capacity) = island;
    add_island(sim, island);
  }
}

/* Is no island known, and does each that is asked for now stand for itself? Of blocks that laws elsewhere may tie to others that
 * is not known beforehand. */
static bool are_all_new(const HbgSim *sim) {
  return !sim->known_islands.count && !sim->laws.link_start[sim->model->bond_count];
}

static void regroup_all(Change *change) {
  HbgSim *sim = change->sim;
  hbg_compiling_begin(&sim->solver);
  int32_t *bonds = ARENA_FULL(&sim->scratch, int32_t, sim->model->bond_count);
  for (int32_t bond = 0; bond < sim->model->bond_count; bond++) bonds[bond] = bond;
  meet_causality(change);
  sim->all_are_new = are_all_new(sim);
  regroup(change, bonds, sim->model->bond_count);
  sim->all_are_new = false;
  hbg_compiling_end(&sim->solver);
}

static void regroup_gone(Change *change) {
  int32_t *loose = NULL, count = 0, capacity = 0;
  for (int32_t at = 0; at < change->gone.count; at++) {
    const HbgGraph *graph = &change->gone.list[at]->graph;
    for (int32_t bond = 0; bond < graph->bond_count; bond++)
      ARENA_PUSH(&change->sim->scratch, loose, count, capacity) = graph->bonds[bond].bond;
  }
  hbg_key_sort(loose, count);
  regroup(change, loose, count);
}

/* The islands that came of a change met before. */
typedef struct KnownChange {
  HbgIslandList islands;
  HbgIslandList taken;       /* further islands that were taken away */
  HbgIslandList asked;       /* as in Change */
  struct KnownChange *other; /* of the same key, with other islands around; NULL: none */
} KnownChange;

/* What the islands that are gone stand for, and the new states of the machines, say all of the islands that come, but for what
 * they are joined to. */
static HbgKey change_key(const Change *change, const int32_t *changed, int32_t count) {
  HbgKey key = hbg_key(&change->sim->scratch);
  for (int32_t at = 0; at < change->gone.count; at++) hbg_key_add(&key, change->gone.list[at]->number);
  for (int32_t at = 0; at < count; at++) {
    hbg_key_add(&key, -1 - changed[at]);
    hbg_key_add(&key, change->sim->now.phi[changed[at]]);
  }
  for (int32_t at = 0; at < change->tick_count; at++) {
    hbg_key_add(&key, -1 - change->sim->model->machine_count - change->ticks[at]);
    hbg_key_add(&key, change->sim->now.tick[change->ticks[at]]);
  }
  return key;
}

static HbgIslandList keep(HbgSim *sim, HbgIsland *const *list, int32_t count) {
  HbgIslandList kept = {ARENA_NEW(sim->arena, HbgIsland *, count), count, count};
  if (count) memcpy(kept.list, list, (size_t)count * sizeof *list);
  return kept;
}

static bool are_present(const HbgIslandList *islands) {
  for (int32_t at = 0; at < islands->count; at++)
    if (islands->list[at]->place < 0) return false;
  return true;
}

static void repeat(Change *change, const KnownChange *known) {
  for (int32_t at = 0; at < known->taken.count; at++) dissolve(change, known->taken.list[at]->graph.bonds[0].bond);
  for (int32_t at = 0; at < known->islands.count; at++) add_island(change->sim, known->islands.list[at]);
}

static void repeat_or_regroup(Change *change, const int32_t *changed, int32_t count) {
  HbgSim *sim = change->sim;
  if (!change->gone.count) return;
  const HbgKey key = change_key(change, changed, count);
  KnownChange *first = hbg_key_table_find(&sim->known_changes, key.list, key.count);
  for (const KnownChange *known = first; known; known = known->other) {
    if (!are_present(&known->taken) || !are_present(&known->asked)) continue;
    repeat(change, known);
    return;
  }
  const int32_t gone_count = change->gone.count;
  meet_causality(change);
  regroup_gone(change);
  KnownChange *made = ARENA_NEW(sim->arena, KnownChange, 1);
  *made = (KnownChange){.islands = keep(sim, change->come.list, change->come.count),
                        .taken = keep(sim, change->gone.list + gone_count, change->gone.count - gone_count),
                        .asked = keep(sim, change->asked.list, change->asked.count)};
  if (first) {
    made->other = first->other;
    first->other = made;
  } else {
    hbg_key_table_add(&sim->known_changes, hbg_key_keep(&key, sim->arena), key.count, made);
  }
}

void hbg_mode_enter(HbgSim *sim, const int32_t *changed, int32_t count) {
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  Change change = {.sim = sim};
  const int32_t switched = count < 0 ? sim->model->machine_count : count;
  for (int32_t at = 0; at < switched; at++) switch_machine(&change, count < 0 ? at : changed[at]);
  if (count < 0) regroup_all(&change);
  else repeat_or_regroup(&change, changed, count);
  hbg_arena_rewind(&sim->scratch, mark);
}

/* The islands at a node that are told by what has turned. */
static void turn_node(Change *change, int32_t node) {
  const HbgFlatModel *model = change->sim->model;
  for (int32_t which = 0; which < model->nodes[node].port_count; which++) {
    const int32_t bond = hbg_port(model, &model->nodes[node], which)->bond;
    if (change->sim->island_of[bond]->knows_ticks) dissolve(change, bond);
  }
}

/* Those that read the law of a node: also at the junctions that it fixes. */
static void turn_law(Change *change, int32_t node) {
  const HbgSim *sim = change->sim;
  const HbgCuts *cuts = &sim->cuts;
  const int32_t junction = hbg_other_end(sim->model, hbg_port(sim->model, &sim->model->nodes[node], 0)->bond, node);
  turn_node(change, node);
  if (cuts->fixed_by[junction] == node) turn_node(change, junction);
  for (const HbgFeeder *feeder = cuts->feeders, *end = feeder + cuts->feeder_count; feeder < end; feeder++) {
    if (feeder->source != node) continue;
    turn_node(change, feeder->node);
    if (cuts->fixed_by[feeder->junction] == node) turn_node(change, feeder->junction);
  }
}

void hbg_mode_turn(HbgSim *sim, const int32_t *ticks, int32_t count) {
  const HbgLaws *laws = &sim->laws;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  Change change = {.sim = sim, .ticks = ticks, .tick_count = count};
  for (int32_t at = 0; at < count; at++)
    for (int32_t which = laws->turning_start[ticks[at]]; which < laws->turning_start[ticks[at] + 1]; which++) turn_law(&change, laws->turning_list[which]);
  repeat_or_regroup(&change, NULL, 0);
  hbg_arena_rewind(&sim->scratch, mark);
}

static void place_again(HbgSim *sim, HbgIsland *island) {
  if (island->schedule_changes != sim->schedule_changes) hbg_island_reschedule(island);
  place_island(sim, island);
}

void hbg_mode_replace(HbgSim *sim, const int32_t *switched, int32_t switched_count, HbgIsland *const *gone, int32_t gone_count,
                      HbgIsland *const *come, int32_t come_count) {
  for (int32_t at = 0; at < switched_count; at++) switch_junctions(sim, switched[at]);
  for (int32_t at = 0; at < gone_count; at++) remove_island(sim, gone[at]);
  for (int32_t at = 0; at < come_count; at++) place_again(sim, come[at]);
}

void hbg_mode_take_back(HbgSim *sim, const int32_t *switched, int32_t switched_count) {
  for (int32_t at = 0; at < switched_count; at++) switch_junctions(sim, switched[at]);
  while (sim->exchange_count) {
    const HbgExchange exchange = sim->exchanges[--sim->exchange_count];
    if (exchange.has_come) remove_island(sim, exchange.island);
    else place_island(sim, exchange.island);
    exchange.island->region = exchange.region;
  }
  hbg_mode_end_fresh(sim);
}

static void add_state(HbgText *text, const char *name, const char *state) {
  hbg_text_add(text, "%s%s %s", text->length ? ", " : "", name, state);
}

const char *hbg_mode_text_of(const HbgSim *sim, const int32_t *phi, const bool *is_wanted, int32_t most, HbgArena *arena) {
  HbgText text = hbg_text(arena);
  const HbgFlatModel *model = sim->model;
  int32_t left_out = 0;
  for (int32_t at = 0; at < model->shown_junction_count; at++) {
    const HbgNode *junction = &model->nodes[model->shown_junctions[at]];
    const HbgMachineState *state = &model->machines[junction->machine].states[phi[junction->machine]];
    if (!is_wanted[junction->machine] || most-- <= 0) {
      left_out++;
      continue;
    }
    add_state(&text, junction->name, state->is_on ? "on" : "off");
    if (model->machines[junction->machine].state_count > 2) hbg_text_add(&text, " (%s)", state->name);
  }
  for (int32_t at = 0; at < model->machine_count; at++) {
    if (model->machines[at].switches) continue;
    if (is_wanted[at] && most-- > 0) add_state(&text, model->machines[at].name, model->machines[at].states[phi[at]].name);
    else left_out++;
  }
  if (left_out) hbg_text_add(&text, "%sand %d more", text.length ? ", " : "", (int)left_out);
  return text.bytes;
}

const char *hbg_mode_text(const HbgSim *sim, const int32_t *phi, HbgArena *arena) {
  bool *is_wanted = ARENA_NEW(arena, bool, sim->model->machine_count);
  for (int32_t at = 0; at < sim->model->machine_count; at++) is_wanted[at] = true;
  return hbg_mode_text_of(sim, phi, is_wanted, INT32_MAX, arena);
}
