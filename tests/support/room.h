/* SPDX-License-Identifier: BSD-3-Clause
 * The rooms behind the model, one by one: a text with its graph in one mode, its causality and its equations. All bonds of the
 * model are taken for one island. */
#ifndef TESTS_SUPPORT_ROOM_H
#define TESTS_SUPPORT_ROOM_H

#include "equations/island.h"
#include "support/elaborated.h"

typedef struct Room {
  Elaborated made;
  jmp_buf nowhere; /* memory is not refused in these tests */
  HbgArena *arena, scratch;
  const HbgFlatModel *model;
  HbgLaws laws;
  HbgAssignment *assignment;
  HbgGraphMaker maker;
  HbgGraph graph;
  HbgTemplate template;
  HbgBinding binding;
  HbgProgramCache cache;
  HbgIslandProgram *program;
} Room;

static inline int32_t room_node(const Room *room, const char *name) {
  for (int32_t node = 0; node < room->model->node_count; node++)
    if (!strcmp(room->model->nodes[node].name, name)) return node;
  fail_msg("there is no node '%s'", name);
  return -1;
}

/* The bond "a -> b" or of that name, of the model; where no junction is off the graph has the same. */
static inline int32_t room_bond(const Room *room, const char *name) {
  for (int32_t bond = 0; bond < room->model->bond_count; bond++)
    if (!strcmp(room->model->bonds[bond].name, name)) return bond;
  fail_msg("there is no bond '%s'", name);
  return -1;
}

/* The graph's node of an element or a junction that is on. */
static inline int32_t room_graph_node(const Room *room, const char *name) {
  const int32_t node = room_node(room, name);
  for (int32_t at = 0; at < room->graph.node_count; at++)
    if (room->graph.nodes[at].node == node && !room->graph.nodes[at].is_off_port) return at;
  fail_msg("'%s' is not in the graph", name);
  return -1;
}

/* `off`: names of junctions that are off, separated by blanks. */
static inline void room_begin(Room *room, const char *text, const char *off) {
  elaborated_begin(&room->made, text);
  room->arena = &room->made.arena;
  room->arena->on_failure = &room->nowhere;
  room->model = &room->made.model;
  const HbgFlatModel *model = room->model;
  room->scratch = hbg_arena(room->arena->allocator);
  room->scratch.on_failure = &room->nowhere;
  room->laws = hbg_laws(model, room->arena, &room->scratch);
  room->maker = hbg_graph_maker(model, room->arena);

  room->assignment = hbg_assignment(model, room->laws.wish, NULL, room->arena);
  uint8_t *is_on = ARENA_NEW(room->arena, uint8_t, model->node_count);
  for (int32_t node = 0; node < model->node_count; node++) is_on[node] = 1;
  char names[200];
  snprintf(names, sizeof names, "%s", off);
  for (char *name = strtok(names, " "); name; name = strtok(NULL, " ")) {
    is_on[room_node(room, name)] = 0;
    hbg_assignment_switch(room->assignment, room_node(room, name), false);
  }
  hbg_assignment_settle(room->assignment);
  int32_t *bonds = ARENA_NEW(room->arena, int32_t, model->bond_count);
  for (int32_t bond = 0; bond < model->bond_count; bond++) bonds[bond] = bond;
  int32_t *phi = ARENA_NEW(room->arena, int32_t, model->machine_count);
  for (int32_t machine = 0; machine < model->machine_count; machine++) phi[machine] = model->machines[machine].initial;

  room->graph = hbg_graph_make(&room->maker, bonds, model->bond_count, is_on, room->arena);
  hbg_template_make(&room->laws, &room->graph, phi, room->arena, &room->template, &room->binding);
  room->cache = hbg_program_cache(room->arena);
  room->program = hbg_program_for(&room->cache, &room->laws, &room->template, room->assignment);
}

static inline void room_end(Room *room) {
  room->arena->on_failure = NULL;
  hbg_arena_release_all(&room->scratch);
  elaborated_end(&room->made);
}

/* Does `node` set the effort of `bond`? */
static inline bool room_sets_effort(const Room *room, const char *node, const char *bond) {
  return hbg_sets_effort(&room->graph, room->program->strokes.effort_from_tail, room_graph_node(room, node),
                         hbg_graph_find_bond(&room->graph, room_bond(room, bond)));
}

/* Is the storage or source in the causality it prefers? */
static inline bool room_is_preferred(const Room *room, const char *node) {
  return hbg_strokes_are_preferred(&room->graph, &room->program->strokes, room_graph_node(room, node));
}

#endif
