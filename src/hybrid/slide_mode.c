/* SPDX-License-Identifier: BSD-3-Clause
 * What a slide is in the present mode of the other machines: which islands are different on the other side of the surface, and
 * what must be known to stay on it. Every slide and group ever met is kept, as islands are. */
#include <stdlib.h>
#include <string.h>

#include "hybrid/sim.h"
#include "hybrid/slide_line.h"

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

static int32_t *no_entries(HbgArena *arena, int32_t count) {
  int32_t *first = ARENA_NEW(arena, int32_t, count);
  for (int32_t at = 0; at < count; at++) first[at] = -1;
  return first;
}

static const HbgSlideReads *reads_of(HbgSim *sim) {
  if (sim->slides.reads) return sim->slides.reads;
  HbgSlideReads *reads = ARENA_NEW(sim->arena, HbgSlideReads, 1);
  reads->of_bond = no_entries(sim->arena, sim->model->bond_count);
  reads->of_machine = no_entries(sim->arena, sim->model->machine_count);
  for (int32_t state = sim->first_integrator; state < sim->model->state_count; state++)
    hbg_expr_replace(&sim->laws.pool, sim->model->states[state].input, read_leaf, &(Reader){reads, sim->arena, state});
  return sim->slides.reads = reads;
}

bool hbg_surface_is_integrated(HbgSim *sim, const HbgSurface *surface) {
  for (int32_t at = 0; at < surface->count; at++)
    if (reads_of(sim)->of_machine[surface->machines[at]] >= 0) return true;
  return false;
}

/* ---- lists ---- */

static void push_island(HbgArena *arena, HbgIslandList *to, HbgIsland *island) {
  ARENA_PUSH(arena, to->list, to->count, to->capacity) = island;
}

static void push_state(HbgArena *arena, HbgStateList *to, int32_t state) {
  ARENA_PUSH(arena, to->list, to->count, to->capacity) = state;
}

static void push_states(HbgArena *arena, HbgStateList *to, const HbgStateList *from) {
  for (int32_t at = 0; at < from->count; at++) push_state(arena, to, from->list[at]);
}

static void push_islands(HbgArena *arena, HbgIslandList *to, const HbgIslandList *from) {
  for (int32_t at = 0; at < from->count; at++) push_island(arena, to, from->list[at]);
}

static int by_number(const void *a, const void *b) {
  const HbgIsland *const *first = a, *const *second = b;
  return ((*first)->number > (*second)->number) - ((*first)->number < (*second)->number);
}

static void sort_islands(HbgIslandList *islands) {
  if (!islands->count) return;
  qsort(islands->list, (size_t)islands->count, sizeof(HbgIsland *), by_number);
  int32_t kept = 1;
  for (int32_t at = 1; at < islands->count; at++)
    if (islands->list[at] != islands->list[kept - 1]) islands->list[kept++] = islands->list[at];
  islands->count = kept;
}

static void sort_states(HbgStateList *states) {
  if (!states->count) return;
  hbg_key_sort(states->list, states->count);
  int32_t kept = 1;
  for (int32_t at = 1; at < states->count; at++)
    if (states->list[at] != states->list[kept - 1]) states->list[kept++] = states->list[at];
  states->count = kept;
}

/* ---- both sides ---- */

static void push_ports(HbgSim *sim, HbgIslandList *islands, int32_t node) {
  const HbgNode *at = &sim->model->nodes[node];
  for (int32_t which = 0; which < at->port_count; which++)
    push_island(&sim->scratch, islands, sim->island_of[hbg_port(sim->model, at, which)->bond]);
}

HbgIslandList hbg_islands_at(HbgSim *sim, const HbgIslandList *of) {
  HbgIslandList islands = {0};
  for (int32_t at = 0; at < of->count; at++) {
    const HbgGraph *graph = &of->list[at]->graph;
    for (int32_t bond = 0; bond < graph->bond_count; bond++)
      push_island(&sim->scratch, &islands, sim->island_of[graph->bonds[bond].bond]);
  }
  sort_islands(&islands);
  return islands;
}

static HbgIslandList touched(HbgSim *sim, const HbgSurface *surface) {
  const HbgLaws *laws = &sim->laws;
  HbgIslandList islands = {0};
  for (int32_t which = 0; which < surface->count; which++) {
    const int32_t machine = surface->machines[which];
    for (int32_t at = laws->switched_start[machine]; at < laws->switched_start[machine + 1]; at++)
      push_ports(sim, &islands, laws->switched_list[at]);
    for (int32_t at = laws->reader_start[machine]; at < laws->reader_start[machine + 1]; at++)
      push_ports(sim, &islands, laws->reader_list[at]);
  }
  sort_islands(&islands);
  return islands;
}

void hbg_surface_go(HbgSim *sim, const HbgSurface *surface, bool is_there) {
  for (int32_t at = 0; at < surface->count; at++)
    sim->now.phi[surface->machines[at]] = is_there ? surface->there[at] : surface->here[at];
  hbg_mode_enter(sim, surface->machines, surface->count);
}

/* A bond may move to an island of its own or to another's, and take that one along: until both sides have the same bonds. */
static void find_sides(HbgSim *sim, HbgSlide *slide) {
  HbgIslandList here = touched(sim, slide->surface);
  for (;;) {
    hbg_surface_go(sim, slide->surface, true);
    slide->there = hbg_islands_at(sim, &here);
    hbg_surface_go(sim, slide->surface, false);
    slide->here = hbg_islands_at(sim, &slide->there);
    if (slide->here.count == here.count) return;
    here = slide->here;
  }
}

/* ---- what must be known ---- */

static void note_readers(HbgSim *sim, HbgSlide *slide, const HbgIslandList *islands) {
  const HbgSlideReads *reads = reads_of(sim);
  for (int32_t at = 0; at < islands->count; at++) {
    const HbgGraph *graph = &islands->list[at]->graph;
    for (int32_t bond = 0; bond < graph->bond_count; bond++)
      for (int32_t entry = reads->of_bond[graph->bonds[bond].bond]; entry >= 0; entry = reads->entries[entry].next)
        push_state(&sim->scratch, &slide->support, reads->entries[entry].integrator);
  }
}

/* A storage that is cut off has what its neighbours send it. */
static void note_border(HbgSim *sim, HbgSlide *slide, const HbgIsland *island) {
  for (int32_t at = 0; island->graph.is_cut_at_storage && at < island->graph.node_count; at++) {
    const HbgGraphNode *node = &island->graph.nodes[at];
    const int32_t state = sim->model->nodes[node->node].state;
    if (node->is_source_port && state >= 0) push_state(&sim->scratch, &slide->support, state);
  }
}

static void note_storages(HbgSim *sim, HbgSlide *slide, const HbgIslandList *islands) {
  for (int32_t at = 0; at < islands->count; at++) {
    const HbgIsland *island = islands->list[at];
    note_border(sim, slide, island);
    if (island->is_storage) push_state(&sim->scratch, &slide->support, sim->cuts.deliveries.state[island->delivery]);
    if (island->is_hanging) continue;
    for (int32_t state = 0; state < island->program->template.state_count; state++)
      if (island->program->template.state_node[state] >= 0)
        push_state(&sim->scratch, &slide->support, island->binding.states[state]);
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
      push_state(&sim->scratch, &slide->support, reads->entries[entry].integrator);
  sort_states(&slide->support);
}

static void note_island_states(HbgSim *sim, HbgStateList *states, const HbgIslandList *islands) {
  for (int32_t at = 0; at < islands->count; at++) {
    const HbgIsland *island = islands->list[at];
    if (island->is_storage) push_state(&sim->scratch, states, sim->cuts.deliveries.state[island->delivery]);
    for (int32_t state = 0; !island->is_hanging && state < island->program->template.state_count; state++)
      push_state(&sim->scratch, states, island->binding.states[state]);
  }
}

static void find_needed(HbgSim *sim, HbgSlide *slide) {
  const HbgConjunction *guard = slide->surface->to;
  for (int32_t at = 0; at < guard->state_count; at++) push_state(&sim->scratch, &slide->needed, guard->states[at]);
  for (int32_t at = 0; at < guard->bond_count; at++) push_island(&sim->scratch, &slide->read, sim->island_of[guard->bonds[at]]);
  sort_islands(&slide->read);
  note_island_states(sim, &slide->needed, &slide->read);
  sort_states(&slide->needed);
  slide->reads_time = guard->reads_time;
  for (int32_t at = 0; at < slide->read.count; at++) {
    const HbgIsland *island = slide->read.list[at];
    if (island->is_storage ? island->reads_time : island->is_hanging || island->program->reads_time) slide->reads_time = true;
  }
}

typedef struct InputReader {
  HbgSim *sim;
  HbgSlide *slide;
} InputReader;

static HbgExpr note_input(HbgExprPool *pool, HbgExpr leaf, void *user) {
  InputReader *reader = user;
  const HbgExprNode *node = hbg_expr_node(pool, leaf);
  HbgArena *arena = &reader->sim->scratch;
  if (node->op == HBG_OP_STATE) push_state(arena, &reader->slide->states, node->index);
  if (node->op == HBG_OP_EFFORT || node->op == HBG_OP_FLOW)
    push_island(arena, &reader->slide->islands, reader->sim->island_of[node->index]);
  return 0;
}

/* `island` gives a rate that is wanted; to a storage that is cut off its neighbours do. */
static void push_rate(HbgSim *sim, HbgSlide *slide, HbgIsland *island) {
  const HbgDeliveries *deliveries = &sim->cuts.deliveries;
  push_island(&sim->scratch, &slide->islands, island);
  for (int32_t term = island->is_storage ? deliveries->start[island->delivery] : 0;
       island->is_storage && term < deliveries->start[island->delivery + 1]; term++)
    push_island(&sim->scratch, &slide->islands, sim->island_of[deliveries->variable[term] / 2]);
}

/* The islands and integrators that give the rates of the states that differ or are needed. */
static void find_sources(HbgSim *sim, HbgSlide *slide) {
  const HbgFlatModel *model = sim->model;
  HbgStateList wanted = {0};
  push_states(&sim->scratch, &wanted, &slide->support);
  push_states(&sim->scratch, &wanted, &slide->needed);
  sort_states(&wanted);
  push_islands(&sim->scratch, &slide->islands, &slide->here);
  for (int32_t at = 0; at < wanted.count; at++) {
    const int32_t node = model->states[wanted.list[at]].node;
    if (node >= 0) {
      push_rate(sim, slide, sim->island_of[hbg_port(model, &model->nodes[node], 0)->bond]);
      continue;
    }
    push_state(&sim->scratch, &slide->integrators, wanted.list[at]);
    hbg_expr_replace(&sim->laws.pool, model->states[wanted.list[at]].input, note_input, &(InputReader){sim, slide});
  }
  sort_islands(&slide->islands);
  push_states(&sim->scratch, &slide->states, &wanted);
  note_island_states(sim, &slide->states, &slide->islands);
  note_island_states(sim, &slide->states, &slide->there);
  sort_states(&slide->states);
}

static bool any_hanging(const HbgIslandList *islands) {
  for (int32_t at = 0; at < islands->count; at++)
    if (!islands->list[at]->is_storage && (islands->list[at]->is_hanging || islands->list[at]->program->template.pre_count)) return true;
  return false;
}

static void add_to_key(HbgKey *key, const HbgIslandList *islands) {
  hbg_key_add(key, -1);
  for (int32_t at = 0; at < islands->count; at++) hbg_key_add(key, islands->list[at]->number);
}

static void *keep(HbgSim *sim, HbgKeyTable *table, const HbgKey *key, void *made) {
  int32_t *list = ARENA_NEW(sim->arena, int32_t, key->count);
  memcpy(list, key->list, (size_t)key->count * sizeof *list);
  hbg_key_table_add(table, list, key->count, made);
  return made;
}

static void keep_islands(HbgArena *arena, HbgIslandList *islands) {
  HbgIslandList kept = {0};
  push_islands(arena, &kept, islands);
  *islands = kept;
}

static void keep_states(HbgArena *arena, HbgStateList *states) {
  HbgStateList kept = {0};
  push_states(arena, &kept, states);
  *states = kept;
}

/* The islands at which a slide with a line gets something else when they are exchanged: not those from which states next to it
 * receive, since they receive from the slide no more than its share tells. */
static void find_own(HbgSim *sim, HbgSlide *slide) {
  const HbgFlatModel *model = sim->model;
  HbgArena *arena = sim->arena;
  push_islands(arena, &slide->own, &slide->here);
  push_islands(arena, &slide->own, &slide->read);
  for (int32_t at = 0; at < slide->islands.count; at++)
    if (slide->islands.list[at]->is_storage) push_island(arena, &slide->own, slide->islands.list[at]);
  for (int32_t at = 0; at < slide->line->needed.count; at++) {
    const HbgDeliveries *deliveries = &sim->cuts.deliveries;
    HbgIsland *home = sim->island_of[hbg_port(model, &model->nodes[model->states[slide->line->needed.list[at]].node], 0)->bond];
    push_island(arena, &slide->own, home);
    for (int32_t term = home->is_storage ? deliveries->start[home->delivery] : 0;
         home->is_storage && term < deliveries->start[home->delivery + 1]; term++)
      push_island(arena, &slide->own, sim->island_of[deliveries->variable[term] / 2]);
  }
  sort_islands(&slide->own);
}

/* When one of them goes, the surface is to be looked at. */
static void note_surface(HbgSim *sim, const HbgIslandList *islands, HbgSurface *surface) {
  for (int32_t at = 0; at < islands->count; at++) {
    HbgIsland *island = islands->list[at];
    if (!island->surfaces) island->surfaces = ARENA_NEW(sim->arena, HbgSurfaceList, 1);
    HbgSurfaceList *of = island->surfaces;
    int32_t known = 0;
    while (known < of->count && of->list[known] != surface) known++;
    if (known == of->count) ARENA_PUSH(sim->arena, of->list, of->count, of->capacity) = surface;
  }
}

static HbgSlide *keep_slide(HbgSim *sim, const HbgSlide *found) {
  HbgSlide *slide = ARENA_NEW(sim->arena, HbgSlide, 1);
  *slide = *found;
  slide->number = sim->slides.slides.count;
  HbgIslandList *islands[] = {&slide->here, &slide->there, &slide->islands, &slide->read};
  HbgStateList *states[] = {&slide->integrators, &slide->support, &slide->needed, &slide->states};
  for (int at = 0; at < 4; at++) {
    keep_islands(sim->arena, islands[at]);
    keep_states(sim->arena, states[at]);
  }
  slide->line = hbg_slide_line(sim, slide);
  if (slide->line) find_own(sim, slide);
  for (int at = 0; at < 4; at++)
    if (islands[at] != &slide->there) note_surface(sim, islands[at], slide->surface);
  return slide;
}

HbgSlide *hbg_slide(HbgSim *sim, HbgSurface *surface) {
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  HbgSlide found = {.surface = surface};
  find_sides(sim, &found);
  find_support(sim, &found);
  find_needed(sim, &found);
  find_sources(sim, &found);
  found.reads_everything = any_hanging(&found.islands) || any_hanging(&found.there) || any_hanging(&found.read);
  HbgKey key = hbg_key(&sim->scratch);
  hbg_key_add(&key, surface->number);
  add_to_key(&key, &found.there);
  add_to_key(&key, &found.islands);
  add_to_key(&key, &found.read);
  HbgSlide *slide = hbg_key_table_find(&sim->slides.slides, key.list, key.count);
  if (!slide) slide = keep(sim, &sim->slides.slides, &key, keep_slide(sim, &found));
  hbg_arena_rewind(&sim->scratch, mark);
  return slide;
}

/* ---- groups ---- */

static bool have_common(const HbgStateList *a, const HbgStateList *b) {
  for (int32_t at = 0; at < a->count; at++)
    for (int32_t which = 0; which < b->count; which++)
      if (a->list[at] == b->list[which]) return true;
  return false;
}

/* All have lines, and none changes what another one changes or needs. */
static bool are_lines(HbgSlide *const *slides, int32_t count) {
  for (int32_t a = 0; a < count; a++) {
    if (!slides[a]->line) return false;
    for (int32_t b = 0; b < count; b++)
      if (a != b && slides[b]->line && (have_common(&slides[a]->line->changed, &slides[b]->line->changed) ||
                                        have_common(&slides[a]->line->changed, &slides[b]->line->needed)))
        return false;
  }
  return true;
}

static HbgSlideGroup *make_group(HbgSim *sim, HbgSlide *const *slides, int32_t count) {
  HbgArena *arena = sim->arena;
  HbgSlideGroup *group = ARENA_NEW(arena, HbgSlideGroup, 1);
  group->slides = ARENA_NEW(arena, HbgSlide *, count);
  group->count = count;
  group->are_lines = are_lines(slides, count);
  for (int32_t at = 0; at < count; at++) {
    const HbgSlide *slide = group->slides[at] = slides[at];
    push_islands(arena, &group->islands, &slide->islands);
    push_states(arena, &group->integrators, &slide->integrators);
    push_states(arena, &group->states, &slide->states);
    push_states(arena, &group->relevant, &slide->support);
    push_states(arena, &group->relevant, &slide->needed);
    group->reads_everything = group->reads_everything || slide->reads_everything;
  }
  sort_islands(&group->islands);
  sort_states(&group->integrators);
  sort_states(&group->states);
  sort_states(&group->relevant);
  HbgExpr *inputs = ARENA_NEW(arena, HbgExpr, group->integrators.count);
  for (int32_t at = 0; at < group->integrators.count; at++) inputs[at] = sim->model->states[group->integrators.list[at]].input;
  group->inputs = hbg_probe(sim->model, &sim->laws.pool, inputs, group->integrators.count, arena);
  const int32_t relevant = group->relevant.count;
  group->base = ARENA_NEW(arena, double, relevant);
  group->change = ARENA_NEW(arena, double, count * relevant);
  group->rate = ARENA_NEW(arena, double, relevant);
  group->saved = ARENA_NEW(arena, double, relevant);
  group->approach = ARENA_NEW(arena, double, count);
  group->matrix = ARENA_NEW(arena, double, count * count);
  group->share = ARENA_NEW(arena, double, count);
  group->lu = hbg_lu(arena, count);
  return group;
}

static HbgSlideGroup *group_of(HbgSim *sim, HbgSlide *const *slides, int32_t count) {
  if (count == 1) {
    if (!slides[0]->alone) slides[0]->alone = make_group(sim, slides, 1);
    return slides[0]->alone;
  }
  HbgKey key = hbg_key(&sim->scratch);
  for (int32_t at = 0; at < count; at++) hbg_key_add(&key, slides[at]->number);
  HbgSlideGroup *known = hbg_key_table_find(&sim->slides.known_groups, key.list, key.count);
  return known ? known : keep(sim, &sim->slides.known_groups, &key, make_group(sim, slides, count));
}

static int32_t root_of(int32_t *parent, int32_t at) {
  while (parent[at] != at) at = parent[at] = parent[parent[at]];
  return at;
}

/* The smaller one becomes the root: groups are in the order of their first slides. */
static void join(int32_t *parent, int32_t a, int32_t b) {
  a = root_of(parent, a);
  b = root_of(parent, b);
  if (a < b) parent[b] = a;
  else parent[a] = b;
}

static void join_by_islands(HbgSim *sim, int32_t *parent) {
  HbgSlides *slides = &sim->slides;
  for (int32_t at = 0; at < slides->count; at++) {
    const HbgIslandList *here = &slides->active[at]->slide->here;
    for (int32_t which = 0; which < here->count; which++) {
      HbgIsland *island = here->list[which];
      if (island->slide_stamp == slides->stamp) join(parent, at, island->slide_place);
      island->slide_stamp = slides->stamp;
      island->slide_place = at;
    }
  }
}

/* Two belong together when one changes rates that the other one changes, too, or needs; or the same islands. */
static int32_t *find_groups(HbgSim *sim) {
  HbgSlides *slides = &sim->slides;
  int32_t *parent = ARENA_NEW(&sim->scratch, int32_t, slides->count);
  slides->stamp++;
  for (int32_t at = 0; at < slides->count; at++) {
    parent[at] = at;
    const HbgSlide *slide = slides->active[at]->slide;
    const HbgStateList *support = slide->line ? &slide->line->changed : &slide->support;
    for (int32_t which = 0; which < support->count; which++) {
      const int32_t state = support->list[which];
      if (slides->stamp_of_state[state] == slides->stamp) join(parent, at, slides->place[state]);
      slides->stamp_of_state[state] = slides->stamp;
      slides->place[state] = at;
    }
  }
  for (int32_t at = 0; at < slides->count; at++) {
    const HbgSlide *slide = slides->active[at]->slide;
    const HbgStateList *needed = slide->line ? &slide->line->needed : &slide->needed;
    for (int32_t which = 0; which < needed->count; which++)
      if (slides->stamp_of_state[needed->list[which]] == slides->stamp) join(parent, at, slides->place[needed->list[which]]);
  }
  join_by_islands(sim, parent);
  return parent;
}

/* The islands that a slide changes. */
static void set_sliding(const HbgSlide *slide, HbgSlideGroup *group) {
  for (int32_t at = 0; at < slide->here.count; at++) slide->here.list[at]->sliding = group;
}

static void set_group(HbgSlide *slide, HbgSlideGroup *group, int32_t place) {
  slide->group = group;
  slide->place = place;
  slide->surface->grouped = slide;
  set_sliding(slide, group);
}

static void set_groups(HbgSim *sim) {
  for (int32_t at = 0; at < sim->slides.group_count; at++)
    for (int32_t place = 0; place < sim->slides.groups[at]->count; place++)
      set_group(sim->slides.groups[at]->slides[place], sim->slides.groups[at], place);
}

static void forget_groups(HbgSim *sim) {
  for (int32_t at = 0; at < sim->slides.group_count; at++)
    for (int32_t place = 0; place < sim->slides.groups[at]->count; place++) {
      HbgSlide *slide = sim->slides.groups[at]->slides[place];
      slide->surface->grouped = NULL;
      set_sliding(slide, NULL);
    }
  sim->slides.group_count = 0;
}

static void count(int32_t *of_state, const HbgStateList *states, int32_t step) {
  for (int32_t at = 0; at < states->count; at++) of_state[states->list[at]] += step;
}

static void count_line(HbgSlides *slides, const HbgSlide *slide, int32_t step) {
  if (!slide->line->is_near) slides->far_count += step;
  count(slides->changers, &slide->line->changed, step);
  count(slides->needers, &slide->line->needed, step);
}

/* Are there but lines? Then it is counted who needs and changes which state. */
static void count_lines(HbgSim *sim) {
  HbgSlides *slides = &sim->slides;
  slides->are_lines = true;
  slides->are_single = true;
  for (int32_t at = 0; at < slides->group_count; at++) {
    if (!slides->groups[at]->are_lines) slides->are_lines = false;
    if (slides->groups[at]->count > 1) slides->are_single = false;
  }
  if (!slides->are_lines) slides->are_single = false;
  slides->far_count = 0;
  if (!slides->are_lines || !sim->model->state_count) return;
  memset(slides->changers, 0, (size_t)sim->model->state_count * sizeof *slides->changers);
  memset(slides->needers, 0, (size_t)sim->model->state_count * sizeof *slides->needers);
  for (int32_t at = 0; at < slides->group_count; at++)
    for (int32_t which = 0; which < slides->groups[at]->count; which++) count_line(slides, slides->groups[at]->slides[which], 1);
}

static void regroup(HbgSim *sim) {
  HbgSlides *slides = &sim->slides;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  forget_groups(sim);
  int32_t *parent = find_groups(sim);
  int32_t *next = ARENA_NEW(&sim->scratch, int32_t, slides->count), *last = ARENA_NEW(&sim->scratch, int32_t, slides->count);
  for (int32_t at = slides->count - 1; at >= 0; at--) next[at] = -1;
  for (int32_t at = 0; at < slides->count; at++) {
    const int32_t root = root_of(parent, at);
    if (root != at) next[last[root]] = at;
    last[root] = at;
  }
  HbgSlide **members = ARENA_NEW(&sim->scratch, HbgSlide *, slides->count);
  for (int32_t at = 0; at < slides->count; at++) {
    if (root_of(parent, at) != at) continue;
    int32_t count = 0;
    for (int32_t member = at; member >= 0; member = next[member]) members[count++] = slides->active[member]->slide;
    ARENA_PUSH(sim->arena, slides->groups, slides->group_count, slides->group_capacity) = group_of(sim, members, count);
  }
  set_groups(sim);
  count_lines(sim);
  hbg_arena_rewind(&sim->scratch, mark);
}

/* ---- groups of one slide, where all are ---- */

static bool any_has(const int32_t *of_state, const HbgStateList *states) {
  for (int32_t at = 0; at < states->count; at++)
    if (of_state[states->list[at]]) return true;
  return false;
}

static void take_out(HbgSim *sim, HbgSlide *slide) {
  HbgSlides *slides = &sim->slides;
  int32_t kept = 0;
  for (int32_t at = 0; at < slides->group_count; at++)
    if (slides->groups[at] != slide->group) slides->groups[kept++] = slides->groups[at];
  slides->group_count = kept;
  slide->surface->grouped = NULL;
  set_sliding(slide, NULL);
  count_line(slides, slide, -1);
}

static int32_t first_machine(const HbgSlideGroup *group) { return group->slides[0]->surface->machines[0]; }

static bool changes_alone(const HbgSlide *slide) {
  for (int32_t at = 0; at < slide->here.count; at++)
    if (slide->here.list[at]->sliding) return false;
  return true;
}

/* False: it has no line, or it and another slide have to do with each other. */
static bool put_in(HbgSim *sim, HbgSlide *slide) {
  HbgSlides *slides = &sim->slides;
  if (!slide->line || !changes_alone(slide) || any_has(slides->changers, &slide->line->changed) || any_has(slides->changers, &slide->line->needed) ||
      any_has(slides->needers, &slide->line->changed))
    return false;
  HbgSlideGroup *group = group_of(sim, &slide, 1);
  ARENA_PUSH(sim->arena, slides->groups, slides->group_count, slides->group_capacity) = group;
  for (int32_t at = slides->group_count - 1; at > 0 && first_machine(slides->groups[at - 1]) > first_machine(group); at--) {
    slides->groups[at] = slides->groups[at - 1];
    slides->groups[at - 1] = group;
  }
  set_group(slide, group, 0);
  count_line(slides, slide, 1);
  return true;
}

/* ---- after a change of mode ---- */

static bool are_present(const HbgIslandList *islands) {
  for (int32_t at = 0; at < islands->count; at++)
    if (islands->list[at]->place < 0) return false;
  return true;
}

static bool is_up_to_date(const HbgSlide *slide) {
  return slide && are_present(&slide->here) && are_present(&slide->islands) && are_present(&slide->read);
}

static bool is_alone(const HbgSlide *slide) { return slide->line && slide->surface->grouped == slide && slide->group->count == 1; }

void hbg_surface_note(HbgSim *sim, HbgSurface *surface) {
  HbgSurfaceList *stale = &sim->slides.stale;
  if (surface->is_stale) return;
  surface->is_stale = true;
  ARENA_PUSH(sim->arena, stale->list, stale->count, stale->capacity) = surface;
}

void hbg_slides_note_gone(HbgSim *sim, const HbgIsland *island) {
  for (int32_t at = 0; at < island->surfaces->count; at++)
    if (island->surfaces->list[at]->is_active) hbg_surface_note(sim, island->surfaces->list[at]);
}

/* Its islands come and go for that: what they are so far is looked at before. */
static void find_slide(HbgSim *sim, HbgSurface *surface) {
  hbg_scope_touch_machines(sim, surface->machines, surface->count);
  surface->slide = hbg_slide(sim, surface);
}

static void renew_surface(HbgSim *sim, HbgSurface *surface) {
  const HbgSlide *slide = surface->slide;
  if (slide && (is_alone(slide) ? are_present(&slide->own) : is_up_to_date(slide))) return;
  find_slide(sim, surface);
}

/* Slides that are solved for together need all their islands. */
static void group_all(HbgSim *sim) {
  HbgSlides *slides = &sim->slides;
  for (int32_t at = 0; at < slides->count; at++)
    if (!is_up_to_date(slides->active[at]->slide)) find_slide(sim, slides->active[at]);
  regroup(sim);
}

/* False: all must be grouped anew. */
static bool group_stale(HbgSim *sim) {
  HbgSlides *slides = &sim->slides;
  if (!slides->are_single) return false;
  for (int32_t at = 0; at < slides->stale.count; at++) {
    HbgSurface *surface = slides->stale.list[at];
    if (surface->grouped && surface->grouped != surface->slide) take_out(sim, surface->grouped);
  }
  for (int32_t at = 0; at < slides->stale.count; at++) {
    HbgSurface *surface = slides->stale.list[at];
    if (surface->slide && surface->grouped != surface->slide && !put_in(sim, surface->slide)) return false;
  }
  return true;
}

static bool any_moved(const HbgSurfaceList *surfaces) {
  for (int32_t at = 0; at < surfaces->count; at++)
    if (surfaces->list[at]->grouped != surfaces->list[at]->slide) return true;
  return false;
}

bool hbg_slides_renew(HbgSim *sim) {
  HbgSurfaceList *stale = &sim->slides.stale;
  // to see what it is on the other side, a surface makes islands come and go: it is looked at once more
  for (int32_t at = 0; at < stale->count; at++) {
    stale->list[at]->is_stale = false;
    if (stale->list[at]->is_active) renew_surface(sim, stale->list[at]);
  }
  if (any_moved(stale) && !group_stale(sim)) group_all(sim);
  for (int32_t at = 0; at < stale->count; at++) stale->list[at]->is_stale = false;
  stale->count = 0;
  return sim->slides.are_lines || hbg_scope_widen(sim);
}
