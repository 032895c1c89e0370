/* SPDX-License-Identifier: BSD-3-Clause */
#include "diagram/contents.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

typedef struct Filling {
  HbgDiagram *diagram;
  const HbgDiagramContents *contents;
  const HbgLevel *level;
  const HbgFlatModel *flat;
} Filling;

/* ---- texts and places ---- */

static const char *keep(const Filling *self, const char *text) {
  return *text ? hbg_print(&self->diagram->arena, "%s", text) : "";
}

/* Where a span of all files lies: the file, and bytes of it. */
static HbgRange place_of(const Filling *self, HbgSpan span, int32_t *file) {
  const HbgSource *source = hbg_source_at(self->flat->sources, self->flat->source_count, span.begin);
  *file = (int32_t)(source - self->flat->sources);
  return (HbgRange){span.begin - source->base, span.end - source->base};
}

static void list_files(const Filling *self) {
  HbgDiagram *diagram = self->diagram;
  diagram->file_count = self->flat->source_count;
  diagram->files = ARENA_NEW(&diagram->arena, const char *, diagram->file_count);
  for (int32_t i = 0; i < diagram->file_count; i++)
    diagram->files[i] = i ? keep(self, self->flat->sources[i].name) : "";
}

/* ---- symbols ---- */

static HbgSymbolSort sort_of(HbgPartSort sort) {
  switch (sort) {
    case HBG_PART_OF_JUNCTIONS: return HBG_SYMBOL_JUNCTION;
    case HBG_PART_OF_SUBMODELS: return HBG_SYMBOL_SUBMODEL;
    case HBG_PART_OF_SIGNALS: return HBG_SYMBOL_SIGNAL;
    case HBG_PART_OF_PORTS: return HBG_SYMBOL_PORT;
    case HBG_PART_OF_MACHINES: return HBG_SYMBOL_MACHINE;
    default: return HBG_SYMBOL_ELEMENT;
  }
}

static HbgSymbol symbol_of(const Filling *self, const HbgLevelPart *part) {
  const bool is_placed = part->is_placed && !self->contents->is_automatic;
  HbgSymbol symbol = {.sort = sort_of(part->sort),
                      .name = keep(self, part->name),
                      .path = keep(self, part->path),
                      .kind = keep(self, part->kind),
                      .label = keep(self, part->label),
                      .definition = keep(self, part->definition),
                      .x = is_placed ? part->x : 0,
                      .y = is_placed ? part->y : 0,
                      .is_placed = is_placed,
                      .is_repeated = part->is_repeated,
                      .machine = part->machine,
                      .is_on = !hbg_diagram_is_off(self->flat, self->contents->phi, part->node)};
  symbol.declaration = place_of(self, part->span, &symbol.file);
  return symbol;
}

/* ---- variables of a bond ---- */

/* Is the bond's own name one that was given to it? What is not has an arrow in it. */
static bool has_name(const HbgBond *bond) { return !strstr(bond->name, " -> "); }

static bool has_one_port(const HbgNode *node) { return hbg_element_info[node->kind].ports == 1; }

/* "body.e", "link.e"; where nothing but the bond itself has the variable "(a -> b).e". */
static const char *variable_of(const Filling *self, int32_t index, bool is_effort) {
  const HbgFlatModel *flat = self->flat;
  HbgArena *arena = &self->diagram->arena;
  const HbgBond *bond = &flat->bonds[index];
  const char *letter = is_effort ? "e" : "f";
  const int32_t ends[2] = {bond->head, bond->tail};
  if (has_name(bond)) return hbg_join(arena, bond->name, ".", letter);
  for (int end = 0; end < 2; end++)
    if (has_one_port(&flat->nodes[ends[end]])) return hbg_join(arena, flat->nodes[ends[end]].name, ".", letter);
  for (int end = 0; end < 2; end++) {
    const HbgNode *node = &flat->nodes[ends[end]];
    if (node->kind == (is_effort ? HBG_ELEMENT_ZERO : HBG_ELEMENT_ONE) && !node->field)
      return hbg_join(arena, node->name, ".", letter);
  }
  // TF and GY: 1 is the bond that comes in, 2 the one that goes out
  for (int end = 0; end < 2; end++) {
    const HbgNode *node = &flat->nodes[ends[end]];
    if (hbg_element_info[node->kind].ports == 2 && !node->field)
      return hbg_print(arena, "%s.%s%c", node->name, letter, end ? '2' : '1');
  }
  int32_t before = 0;
  while (before < index && !strcmp(flat->bonds[index - before - 1].name, bond->name)) before++;
  return before ? hbg_print(arena, "(%s)[%d].%s", bond->name, (int)before + 1, letter)
                : hbg_print(arena, "(%s).%s", bond->name, letter);
}

/* ---- bonds ---- */

/* Is `node`, a storage, given what it would rather give? */
static bool is_derivative(const HbgFlatModel *flat, int32_t node, bool sets_effort) {
  if (node < 0 || !hbg_is_storage(&flat->nodes[node])) return false;
  return (flat->nodes[node].kind == HBG_ELEMENT_C) != sets_effort;
}

static const char *name_of(const Filling *self, const HbgLevelBond *bond) {
  if (bond->bond >= 0) return keep(self, self->flat->bonds[bond->bond].name);
  if (bond->name) return keep(self, bond->name);
  return hbg_join(&self->diagram->arena, self->level->parts[bond->tail].path, " -> ",
                  self->level->parts[bond->head].path);
}

static HbgDiagramBond bond_of(const Filling *self, int32_t index) {
  const HbgLevelBond *bond = &self->level->bonds[index];
  const HbgBondStroke *stroke = &self->contents->strokes[index];
  const HbgFlatModel *flat = self->flat;
  const bool is_whole = bond->bond >= 0, can_be_read = is_whole && self->contents->has_run;
  const int32_t tail = is_whole ? flat->bonds[bond->bond].tail : bond->tail_node,
                head = is_whole ? flat->bonds[bond->bond].head : bond->head_node;
  const bool from_tail = stroke->place == HBG_STROKE_AT_HEAD, is_known = stroke->place != HBG_STROKE_UNKNOWN;
  HbgDiagramBond out = {
      .tail = bond->tail,
      .head = bond->head,
      .name = name_of(self, bond),
      .effort = can_be_read ? variable_of(self, bond->bond, true) : "",
      .flow = can_be_read ? variable_of(self, bond->bond, false) : "",
      .bond = self->contents->has_run ? bond->bond : -1,
      .stroke = stroke->place,
      .is_conflict = stroke->is_conflict,
      .is_derivative = is_known && (is_derivative(flat, tail, from_tail) || is_derivative(flat, head, !from_tail)),
      .is_off =
          hbg_diagram_is_off(flat, self->contents->phi, tail) || hbg_diagram_is_off(flat, self->contents->phi, head),
      .lanes = 1,
      .is_repeated = bond->is_repeated};
  out.arrow = place_of(self, bond->arrow, &out.file);
  return out;
}

/* ---- lanes ---- */

typedef struct Pair {
  int32_t first, second, bond;
} Pair;

static int compare_pairs(const void *a, const void *b) {
  const Pair *one = a, *other = b;
  if (one->first != other->first) return one->first < other->first ? -1 : 1;
  if (one->second != other->second) return one->second < other->second ? -1 : 1;
  return one->bond < other->bond ? -1 : 1;
}

/* Bonds between the same two symbols, whichever way their arrows point, lie side by side. */
static void find_lanes(HbgDiagram *diagram, HbgArena *scratch) {
  Pair *pairs = ARENA_NEW(scratch, Pair, diagram->bond_count);
  for (int32_t i = 0; i < diagram->bond_count; i++) {
    const int32_t tail = diagram->bonds[i].tail, head = diagram->bonds[i].head;
    pairs[i] = (Pair){tail < head ? tail : head, tail < head ? head : tail, i};
  }
  if (diagram->bond_count) qsort(pairs, (size_t)diagram->bond_count, sizeof *pairs, compare_pairs);
  for (int32_t begin = 0, end; begin < diagram->bond_count; begin = end) {
    for (end = begin; end < diagram->bond_count && pairs[end].first == pairs[begin].first &&
                      pairs[end].second == pairs[begin].second;)
      end++;
    for (int32_t i = begin; i < end; i++) {
      diagram->bonds[pairs[i].bond].lane = i - begin;
      diagram->bonds[pairs[i].bond].lanes = end - begin;
    }
  }
}

/* ---- links ---- */

static const char *quantity_of(char letter) {
  switch (letter) {
    case 'e': return "e";
    case 'f': return "f";
    case 'p': return "p";
    case 'q': return "q";
    default: return "";
  }
}

static HbgDiagramLink link_of(const HbgLevelRead *read) {
  return (HbgDiagramLink){.sort = read->sort == HBG_READ_SIGNAL   ? HBG_LINK_SIGNAL
                                  : read->sort == HBG_READ_ACTIVE ? HBG_LINK_ACTIVE
                                                                  : HBG_LINK_SWITCH,
                          .from = read->from,
                          .to = read->to,
                          .quantity = quantity_of(read->quantity),
                          .is_a_priori = read->is_a_priori,
                          .is_guard = read->is_guard};
}

void hbg_diagram_fill(HbgDiagram *diagram, const HbgDiagramContents *contents, HbgArena *scratch) {
  const HbgLevel *level = contents->level;
  const Filling self = {diagram, contents, level, level->flat};
  HbgArena *arena = &diagram->arena;
  list_files(&self);
  diagram->symbols = ARENA_NEW(arena, HbgSymbol, level->part_count);
  diagram->symbol_count = level->part_count;
  for (int32_t i = 0; i < level->part_count; i++) diagram->symbols[i] = symbol_of(&self, &level->parts[i]);
  diagram->bonds = ARENA_NEW(arena, HbgDiagramBond, level->bond_count);
  diagram->bond_count = level->bond_count;
  for (int32_t i = 0; i < level->bond_count; i++) diagram->bonds[i] = bond_of(&self, i);
  find_lanes(diagram, scratch);
  diagram->links = ARENA_NEW(arena, HbgDiagramLink, level->read_count);
  diagram->link_count = level->read_count;
  for (int32_t i = 0; i < level->read_count; i++) diagram->links[i] = link_of(&level->reads[i]);
}
