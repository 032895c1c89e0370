/* SPDX-License-Identifier: BSD-3-Clause
 * What must be known to stay on a surface: whose rates are different on the other side, what the difference of its guard reads, and which islands and
 * integrators of signals give the rates of all these. */
#include "hybrid/slide_line.h"
#include "hybrid/slide_parts.h"

/* ---- what integrators of signals read ---- */

typedef struct Entry {
  int32_t integrator, next; /* the next entry of the same bond or machine, -1 */
} Entry;

typedef struct HbgSlideReads {
  Entry *entries; int32_t count, capacity;
  int32_t *of_bond, *of_machine; /* first entries, -1 (bond_count), (machine_count) */
} HbgSlideReads;

typedef struct Reader {
  HbgSlideReads *reads;
  HbgArena *arena;
  int32_t integrator;
} Reader;

static void add_entry(Reader *reader, int32_t *first) {
  HbgSlideReads *reads = reader->reads;
  const Entry entry = {reader->integrator, *first};
  if (*first >= 0 && reads->entries[*first].integrator == reader->integrator) return;
  *first = reads->count;
  ARENA_PUSH(reader->arena, reads->entries, reads->count, reads->capacity) = entry;
}

static HbgExpr read_leaf(HbgExprPool *pool, HbgExpr leaf, void *user) {
  Reader *reader = user;
  const HbgExprNode *node = hbg_expr_node(pool, leaf);
  if (node->op == HBG_OP_EFFORT || node->op == HBG_OP_FLOW) add_entry(reader, &reader->reads->of_bond[node->index]);
  if (node->op == HBG_OP_IN_STATE || node->op == HBG_OP_IS_ON) add_entry(reader, &reader->reads->of_machine[node->index]);
  return 0;
}

static const HbgSlideReads *reads_of(HbgSim *sim) {
  if (sim->slides.reads) return sim->slides.reads;
  HbgSlideReads *reads = ARENA_NEW(sim->arena, HbgSlideReads, 1);
  reads->of_bond = hbg_arena_indices(sim->arena, sim->model->bond_count);
  reads->of_machine = hbg_arena_indices(sim->arena, sim->model->machine_count);
  for (int32_t state = sim->first_integrator; state < sim->model->state_count; state++)
    hbg_expr_replace(&sim->laws.pool, sim->model->states[state].input, read_leaf, &(Reader){reads, sim->arena, state});
  return sim->slides.reads = reads;
}

bool hbg_surface_is_integrated(HbgSim *sim, const HbgSurface *surface) {
  for (int32_t at = 0; at < surface->count; at++)
    if (reads_of(sim)->of_machine[surface->machines[at]] >= 0) return true;
  return false;
}

/* ---- whose rates differ ---- */

static void note_readers(HbgSim *sim, HbgSlide *slide, const HbgIslandList *islands) {
  const HbgSlideReads *reads = reads_of(sim);
  for (int32_t at = 0; at < islands->count; at++) {
    const HbgGraph *graph = &islands->list[at]->graph;
    for (int32_t bond = 0; bond < graph->bond_count; bond++)
      for (int32_t entry = reads->of_bond[graph->bonds[bond].bond]; entry >= 0; entry = reads->entries[entry].next)
        hbg_states_push(&sim->scratch, &slide->support, reads->entries[entry].integrator);
  }
}

/* A storage that is cut off has what its neighbours send it. */
static void note_border(HbgSim *sim, HbgSlide *slide, const HbgIsland *island) {
  for (int32_t at = 0; island->graph.is_cut_at_storage && at < island->graph.node_count; at++) {
    const HbgGraphNode *node = &island->graph.nodes[at];
    const int32_t state = sim->model->nodes[node->node].state;
    if (node->is_source_port && state >= 0) hbg_states_push(&sim->scratch, &slide->support, state);
  }
}

static void note_storages(HbgSim *sim, HbgSlide *slide, const HbgIslandList *islands) {
  for (int32_t at = 0; at < islands->count; at++) {
    const HbgIsland *island = islands->list[at];
    note_border(sim, slide, island);
    if (island->is_storage) hbg_states_push(&sim->scratch, &slide->support, sim->cuts.deliveries.state[island->delivery]);
    if (island->is_hanging) continue;
    for (int32_t state = 0; state < island->program->template.state_count; state++)
      if (island->program->template.state_node[state] >= 0)
        hbg_states_push(&sim->scratch, &slide->support, island->binding.states[state]);
  }
}

static void find_support(HbgSim *sim, HbgSlide *slide) {
  const HbgSlideReads *reads = reads_of(sim);
  note_storages(sim, slide, &slide->here);
  note_storages(sim, slide, &slide->there);
  note_readers(sim, slide, &slide->here);
  note_readers(sim, slide, &slide->there);
  for (int32_t at = 0; at < slide->surface->count; at++)
    for (int32_t entry = reads->of_machine[slide->surface->machines[at]]; entry >= 0; entry = reads->entries[entry].next)
      hbg_states_push(&sim->scratch, &slide->support, reads->entries[entry].integrator);
  hbg_states_sort(&slide->support);
}

static void note_island_states(HbgSim *sim, HbgStateList *states, const HbgIslandList *islands) {
  for (int32_t at = 0; at < islands->count; at++) {
    const HbgIsland *island = islands->list[at];
    if (island->is_storage) hbg_states_push(&sim->scratch, states, sim->cuts.deliveries.state[island->delivery]);
    for (int32_t state = 0; !island->is_hanging && state < island->program->template.state_count; state++)
      hbg_states_push(&sim->scratch, states, island->binding.states[state]);
  }
}

/* ---- what the surface reads ---- */

static void find_needed(HbgSim *sim, HbgSlide *slide) {
  const HbgConjunction *guard = slide->surface->to;
  for (int32_t at = 0; at < guard->state_count; at++) hbg_states_push(&sim->scratch, &slide->needed, guard->states[at]);
  for (int32_t at = 0; at < guard->bond_count; at++) hbg_islands_push(&sim->scratch, &slide->read, sim->island_of[guard->bonds[at]]);
  hbg_islands_sort(&slide->read);
  note_island_states(sim, &slide->needed, &slide->read);
  hbg_states_sort(&slide->needed);
  slide->reads_time = guard->reads_time;
  for (int32_t at = 0; at < slide->read.count; at++) {
    const HbgIsland *island = slide->read.list[at];
    if (island->is_storage ? island->reads_time : island->is_hanging || island->program->reads_time) slide->reads_time = true;
  }
}

/* ---- what gives the rates ---- */

typedef struct InputReader {
  HbgSim *sim;
  HbgSlide *slide;
} InputReader;

static HbgExpr note_input(HbgExprPool *pool, HbgExpr leaf, void *user) {
  InputReader *reader = user;
  const HbgExprNode *node = hbg_expr_node(pool, leaf);
  HbgArena *arena = &reader->sim->scratch;
  if (node->op == HBG_OP_STATE) hbg_states_push(arena, &reader->slide->states, node->index);
  if (node->op == HBG_OP_EFFORT || node->op == HBG_OP_FLOW)
    hbg_islands_push(arena, &reader->slide->islands, reader->sim->island_of[node->index]);
  return 0;
}

/* `island` gives a rate that is wanted; to a storage that is cut off its neighbours do. */
static void push_rate(HbgSim *sim, HbgSlide *slide, HbgIsland *island) {
  const HbgDeliveries *deliveries = &sim->cuts.deliveries;
  hbg_islands_push(&sim->scratch, &slide->islands, island);
  for (int32_t term = island->is_storage ? deliveries->start[island->delivery] : 0;
       island->is_storage && term < deliveries->start[island->delivery + 1]; term++)
    hbg_islands_push(&sim->scratch, &slide->islands, sim->island_of[deliveries->variable[term] / 2]);
}

/* The islands and integrators that give the rates of the states that differ or are needed. */
static void find_sources(HbgSim *sim, HbgSlide *slide) {
  const HbgFlatModel *model = sim->model;
  HbgStateList wanted = {0};
  hbg_states_append(&sim->scratch, &wanted, &slide->support);
  hbg_states_append(&sim->scratch, &wanted, &slide->needed);
  hbg_states_sort(&wanted);
  hbg_islands_append(&sim->scratch, &slide->islands, &slide->here);
  for (int32_t at = 0; at < wanted.count; at++) {
    const int32_t node = model->states[wanted.list[at]].node;
    if (node >= 0) {
      push_rate(sim, slide, sim->island_of[hbg_port(model, &model->nodes[node], 0)->bond]);
      continue;
    }
    hbg_states_push(&sim->scratch, &slide->integrators, wanted.list[at]);
    hbg_expr_replace(&sim->laws.pool, model->states[wanted.list[at]].input, note_input, &(InputReader){sim, slide});
  }
  hbg_islands_sort(&slide->islands);
  hbg_states_append(&sim->scratch, &slide->states, &wanted);
  note_island_states(sim, &slide->states, &slide->islands);
  note_island_states(sim, &slide->states, &slide->there);
  hbg_states_sort(&slide->states);
}

/* In whatever mode: a law that reads more than the time. */
static bool hanging_law_reads(HbgSim *sim, HbgIsland *island) {
  const HbgProgram *law = &hbg_island_law(&sim->solver, island)->program;
  for (int32_t at = 0; at < law->input_count; at++)
    if (law->inputs[at].leaf.op != HBG_OP_TIME) return true;
  return false;
}

static bool any_may_read_anything(HbgSim *sim, const HbgIslandList *islands) {
  for (int32_t at = 0; at < islands->count; at++) {
    HbgIsland *island = islands->list[at];
    if (island->is_storage) continue;
    if (island->is_hanging ? hanging_law_reads(sim, island) : island->program->template.pre_count > 0) return true;
  }
  return false;
}

void hbg_slide_find_needs(HbgSim *sim, HbgSlide *slide) {
  find_support(sim, slide);
  find_needed(sim, slide);
  find_sources(sim, slide);
  slide->reads_everything = any_may_read_anything(sim, &slide->islands) || any_may_read_anything(sim, &slide->there) || any_may_read_anything(sim, &slide->read);
}

/* The islands at which a slide with a line gets something else when they are exchanged: not those from which states next to it
 * receive, since they receive from the slide no more than its share tells. */
void hbg_slide_find_own(HbgSim *sim, HbgSlide *slide) {
  const HbgFlatModel *model = sim->model;
  HbgArena *arena = sim->arena;
  hbg_islands_append(arena, &slide->own, &slide->here);
  hbg_islands_append(arena, &slide->own, &slide->read);
  for (int32_t at = 0; at < slide->islands.count; at++)
    if (slide->islands.list[at]->is_storage) hbg_islands_push(arena, &slide->own, slide->islands.list[at]);
  for (int32_t at = 0; at < slide->line->needed.count; at++) {
    const HbgDeliveries *deliveries = &sim->cuts.deliveries;
    HbgIsland *home = sim->island_of[hbg_port(model, &model->nodes[model->states[slide->line->needed.list[at]].node], 0)->bond];
    hbg_islands_push(arena, &slide->own, home);
    for (int32_t term = home->is_storage ? deliveries->start[home->delivery] : 0;
         home->is_storage && term < deliveries->start[home->delivery + 1]; term++)
      hbg_islands_push(arena, &slide->own, sim->island_of[deliveries->variable[term] / 2]);
  }
  hbg_islands_sort(&slide->own);
}
