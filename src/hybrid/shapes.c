/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/shapes.h"

#include <string.h>

#include "hybrid/sim.h"

static const HbgShape no_shape = {.number = -1};

typedef struct Shaping {
  HbgSim *sim;
  HbgKey key;
  HbgReference *references; int32_t count, capacity;
  int32_t first_timer; /* of the machine */
  bool is_open; /* something has no place */
} Shaping;

HbgShapes hbg_shapes(const HbgSim *sim, HbgArena *arena) {
  const HbgFlatModel *model = sim->model;
  return (HbgShapes){.arena = arena,
                     .known = hbg_key_table(arena),
                     .key = hbg_key(arena),
                     .of_node = ARENA_NEW(arena, const HbgShape *, model->node_count),
                     .of_machine = ARENA_NEW(arena, const HbgShape *, model->machine_count),
                     .of_integrator = ARENA_NEW(arena, const HbgShape *, model->state_count)};
}

/* ---- expressions over places ---- */

static int32_t place_of(Shaping *self, HbgReferenceKind kind, int32_t number) {
  for (int32_t at = 0; at < self->count; at++)
    if (self->references[at].kind == kind && self->references[at].number == number) return at;
  ARENA_PUSH(self->key.arena, self->references, self->count, self->capacity) = (HbgReference){kind, number};
  return self->count - 1;
}

/* What stands at a leaf, where that has a place; false: it has none. */
static bool refers(const HbgExprNode *leaf, HbgReferenceKind *kind) {
  switch (leaf->op) {
    case HBG_OP_STATE: *kind = HBG_REFERS_TO_STATE; return true;
    case HBG_OP_EFFORT:
    case HBG_OP_FLOW: *kind = HBG_REFERS_TO_BOND; return true;
    case HBG_OP_TICK: *kind = HBG_REFERS_TO_TICK; return true;
    case HBG_OP_VARIABLE: *kind = HBG_REFERS_TO_VARIABLE; return true;
    case HBG_OP_IN_STATE:
    case HBG_OP_IS_ON: *kind = HBG_REFERS_TO_MACHINE; return true;
    default: return false;
  }
}

/* Which piece of a table is followed has no place: whoever is alike follows the same. */
static bool is_piece(const Shaping *self, const HbgExprNode *leaf) { return leaf->op == HBG_OP_VARIABLE && self->sim->clocks.pieces[leaf->index]; }

static int32_t by_itself(const HbgExprNode *leaf) { return -1 - leaf->index; }

static HbgExpr by_place(HbgExprPool *pool, HbgExpr leaf, void *user) {
  Shaping *self = user;
  const HbgExprNode node = *hbg_expr_node(pool, leaf);
  HbgReferenceKind kind;
  if (is_piece(self, &node)) return hbg_expr_leaf(pool, node.op, by_itself(&node), node.other);
  if (refers(&node, &kind)) return hbg_expr_leaf(pool, node.op, place_of(self, kind, node.index), node.other);
  if (node.op == HBG_OP_TIMER) return hbg_expr_leaf(pool, node.op, node.index - self->first_timer, node.other);
  if (hbg_operation_info[node.op].arguments) return 0;
  if (node.op != HBG_OP_CONSTANT && node.op != HBG_OP_TIME) self->is_open = true;
  return leaf;
}

static void write_leaf(Shaping *self, HbgExpr expr) {
  const HbgExprNode *node = hbg_expr_node(&self->sim->laws.pool, expr);
  HbgReferenceKind kind;
  if (is_piece(self, node)) {
    hbg_key_add(&self->key, by_itself(node));
  } else if (refers(node, &kind)) {
    hbg_key_add(&self->key, place_of(self, kind, node->index));
    hbg_key_add(&self->key, node->other);
  } else if (node->op == HBG_OP_TIMER) {
    hbg_key_add(&self->key, node->index - self->first_timer);
  } else if (node->op == HBG_OP_CONSTANT) {
    hbg_key_add(&self->key, expr); // equal numbers are one node
  } else if (node->op != HBG_OP_TIME) {
    self->is_open = true;
  }
}

enum { BY_REBUILDING = -1, MOST_WRITTEN = 256 };

/* The expression as a list, operations before what they are of; false where that is long, as what several parts share is written for
 * each of them. */
static bool write_out(Shaping *self, HbgExpr expr, int32_t end) {
  const HbgExprNode *node = hbg_expr_node(&self->sim->laws.pool, expr);
  if (self->key.count >= end) return false;
  hbg_key_add(&self->key, (int32_t)node->op);
  if (!hbg_operation_info[node->op].arguments) {
    write_leaf(self, expr);
    return true;
  }
  if (hbg_operation_has_table(node->op)) {
    hbg_key_add(&self->key, node->index);
    hbg_key_add(&self->key, node->other);
  }
  return write_out(self, node->a, end) && (!node->b || write_out(self, node->b, end)) && (!node->c || write_out(self, node->c, end));
}

/* Equal lists: equal expressions over places. */
static void add_expression(Shaping *self, HbgExpr expr) {
  const int32_t start = self->key.count;
  if (!expr) hbg_key_add(&self->key, BY_REBUILDING);
  if (!expr || write_out(self, expr, start + MOST_WRITTEN)) return;
  self->key.count = start;
  hbg_key_add(&self->key, BY_REBUILDING);
  hbg_key_add(&self->key, hbg_expr_replace(&self->sim->laws.pool, expr, by_place, self));
}

/* ---- shapes ---- */

typedef enum ShapeKind { OF_NODE, OF_MACHINE, OF_INTEGRATOR } ShapeKind;

static Shaping begin(HbgSim *sim, const HbgShapes *shapes, ShapeKind kind) {
  Shaping self = {.sim = sim, .key = shapes->key, .references = shapes->references, .capacity = shapes->capacity};
  hbg_key_add(&self.key, (int32_t)kind);
  return self;
}

static const HbgShape *keep(const Shaping *self, HbgShapes *shapes, int32_t number) {
  HbgShape *shape = ARENA_NEW(shapes->arena, HbgShape, 1);
  *shape = (HbgShape){number, self->count ? ARENA_NEW(shapes->arena, HbgReference, self->count) : NULL, self->count};
  if (self->count) memcpy(shape->references, self->references, (size_t)self->count * sizeof *shape->references);
  return shape;
}

/* The lists are those of the next shape, too. */
static void leave(const Shaping *self, HbgShapes *shapes) {
  shapes->key = self->key;
  shapes->key.count = 0;
  shapes->references = self->references;
  shapes->capacity = self->capacity;
}

/* What refers to nothing is not kept twice. */
static const HbgShape *end(Shaping *self, HbgShapes *shapes) {
  leave(self, shapes);
  if (self->is_open) return &no_shape;
  for (int32_t at = 0; at < self->count; at++) hbg_key_add(&self->key, (int32_t)self->references[at].kind);
  const HbgShape *known = hbg_key_table_find(&shapes->known, self->key.list, self->key.count);
  if (known) return self->count ? keep(self, shapes, known->number) : known;
  const HbgShape *made = keep(self, shapes, shapes->known.count);
  hbg_key_table_add(&shapes->known, hbg_key_keep(&self->key, shapes->arena), self->key.count, (void *)(uintptr_t)made);
  return made;
}

static const HbgShape *shape_node(HbgSim *sim, HbgShapes *shapes, int32_t node) {
  const HbgNode *at = &sim->model->nodes[node];
  Shaping self = begin(sim, shapes, OF_NODE);
  hbg_key_add(&self.key, (int32_t)at->kind);
  hbg_key_add(&self.key, (int32_t)at->law_form);
  hbg_key_add(&self.key, at->is_outlet + 2 * at->passes_impulses + 4 * at->field_port);
  hbg_key_add(&self.key, (int32_t)sim->laws.wish[node]);
  hbg_key_add(&self.key, at->state < 0 ? -1 : place_of(&self, HBG_REFERS_TO_STATE, at->state));
  add_expression(&self, at->law); // its other forms follow from it
  return end(&self, shapes);
}

static void add_guard(Shaping *self, const HbgConjunction *guard) {
  hbg_key_add(&self->key, guard->from);
  hbg_key_add(&self->key, guard->to);
  hbg_key_add(&self->key, guard->is_a_posteriori + 2 * guard->reads_a_priori + 4 * guard->reads_time + 8 * guard->ends_there);
  hbg_key_add(&self->key, self->sim->model->machines[guard->machine].transitions[guard->transition].kept_depth);
  hbg_key_add(&self->key, guard->atom_count);
  for (int32_t at = 0; at < guard->atom_count; at++) add_expression(self, guard->factors[at]);
}

/* How long those run whose time is a constant, recipes ask themselves. */
static void add_timers(Shaping *self, const HbgMachine *of) {
  const HbgSim *sim = self->sim;
  for (int32_t timer = of->first_timer; timer < of->first_timer + of->timer_count; timer++) {
    const HbgTimer *at = &sim->model->timers[timer];
    const bool is_constant = hbg_timer_is_constant(sim, timer);
    hbg_key_add(&self->key, at->first);
    hbg_key_add(&self->key, at->last);
    hbg_key_add(&self->key, at->depth);
    hbg_key_add(&self->key, is_constant);
    if (!is_constant) add_expression(self, at->duration);
  }
}

static const HbgShape *read_machine(HbgSim *sim, HbgShapes *shapes, int32_t machine) {
  const HbgMachine *at = &sim->model->machines[machine];
  const HbgGuards *guards = &sim->guards;
  Shaping self = begin(sim, shapes, OF_MACHINE);
  hbg_key_add(&self.key, machine >= sim->implied.first);
  if (at->owner >= 0) self.is_open = true; // which machine it is part of no place tells
  self.first_timer = at->first_timer;
  hbg_key_add(&self.key, at->state_count);
  hbg_key_add(&self.key, at->timer_count);
  add_timers(&self, at);
  for (int32_t transition = 0; transition < at->transition_count; transition++)
    if (at->transitions[transition].action_count) self.is_open = true;
  for (int32_t state = 0; state < at->state_count; state++) hbg_key_add(&self.key, at->states[state].is_on);
  for (int32_t which = guards->first[guards->start[machine]]; which < guards->first[guards->start[machine] + at->state_count]; which++) {
    if (guards->list[which].surface) self.is_open = true;
    add_guard(&self, &guards->list[which]);
  }
  return end(&self, shapes);
}

/* ---- machines that are like one that has been read ---- */

enum { MOST_PLACES = 16 };

static const HbgConjunction *guards_of(const HbgSim *sim, int32_t machine, int32_t *count) {
  const HbgGuards *guards = &sim->guards;
  const int32_t start = guards->start[machine], first = guards->first[start];
  *count = guards->first[start + sim->model->machines[machine].state_count] - first;
  return &guards->list[first];
}

/* Only guards that differ in nothing but what they read share their code (guards.c). */
static bool guards_are_like(const HbgSim *sim, const HbgConjunction *a, const HbgConjunction *b) {
  const HbgMachine *machines = sim->model->machines;
  return a->probe.outputs == b->probe.outputs && a->from == b->from && a->to == b->to && a->ends_there == b->ends_there && !a->surface && !b->surface &&
         machines[a->machine].transitions[a->transition].kept_depth == machines[b->machine].transitions[b->transition].kept_depth;
}

static bool has_more(const HbgMachine *machine) {
  if (machine->timer_count || machine->owner >= 0) return true;
  for (int32_t transition = 0; transition < machine->transition_count; transition++)
    if (machine->transitions[transition].action_count) return true;
  return false;
}

static bool machines_are_like(const HbgSim *sim, int32_t a, int32_t b) {
  const HbgMachine *first = &sim->model->machines[a], *second = &sim->model->machines[b];
  if (first->state_count != second->state_count || (a >= sim->implied.first) != (b >= sim->implied.first) || has_more(first) || has_more(second)) return false;
  for (int32_t state = 0; state < first->state_count; state++)
    if (first->states[state].is_on != second->states[state].is_on) return false;
  int32_t count, others;
  const HbgConjunction *guards = guards_of(sim, a, &count), *other = guards_of(sim, b, &others);
  for (int32_t at = 0; at < count && count == others; at++)
    if (!guards_are_like(sim, &guards[at], &other[at])) return false;
  return count == others;
}

static int32_t place_among(const HbgShape *shape, HbgReferenceKind kind, int32_t number) {
  for (int32_t at = 0; at < shape->reference_count; at++)
    if (shape->references[at].kind == kind && shape->references[at].number == number) return at;
  return -1;
}

/* What a guard reads where one that is like it reads what stands in the places of a shape. False: something has no place there, or stands for two. */
static bool take_places(const HbgConjunction *guard, const HbgConjunction *like, const HbgShape *shape, int32_t *numbers) {
  const HbgProgramInput *here = guard->probe.program.inputs, *there = like->probe.program.inputs;
  for (int32_t at = 0; at < like->probe.program.input_count; at++) {
    HbgReferenceKind kind;
    if (!refers(&there[at].leaf, &kind)) continue;
    const int32_t place = place_among(shape, kind, there[at].leaf.index);
    if (place < 0 || kind == HBG_REFERS_TO_VARIABLE) return false; // some of these have no places
    if (numbers[place] >= 0 && numbers[place] != here[at].leaf.index) return false;
    numbers[place] = here[at].leaf.index;
  }
  return true;
}

/* Is there something in each place, and nothing in two? */
static bool are_apart(const HbgShape *shape, const int32_t *numbers) {
  for (int32_t at = 0; at < shape->reference_count; at++) {
    if (numbers[at] < 0) return false;
    for (int32_t before = 0; before < at; before++)
      if (numbers[before] == numbers[at] && shape->references[before].kind == shape->references[at].kind) return false;
  }
  return true;
}

/* The shape of `machine`, which is like `example`, by that of the example; NULL: it has to be read. */
static const HbgShape *shape_by_example(const HbgSim *sim, const HbgShapes *shapes, int32_t machine, int32_t example) {
  const HbgShape *shape = shapes->of_machine[example];
  if (shape->reference_count > MOST_PLACES || !machines_are_like(sim, machine, example)) return NULL;
  int32_t numbers[MOST_PLACES], count;
  for (int32_t at = 0; at < shape->reference_count; at++) numbers[at] = -1;
  const HbgConjunction *guards = guards_of(sim, machine, &count), *like = guards_of(sim, example, &count);
  for (int32_t at = 0; at < count; at++)
    if (!take_places(&guards[at], &like[at], shape, numbers)) return NULL;
  if (!are_apart(shape, numbers)) return NULL;
  HbgShape *made = ARENA_NEW(shapes->arena, HbgShape, 1);
  *made = (HbgShape){shape->number, ARENA_NEW(shapes->arena, HbgReference, shape->reference_count), shape->reference_count};
  for (int32_t at = 0; at < shape->reference_count; at++) made->references[at] = (HbgReference){shape->references[at].kind, numbers[at]};
  return made;
}

static const HbgShape *shape_machine(HbgSim *sim, HbgShapes *shapes, int32_t machine) {
  for (int32_t at = 0; at < shapes->example_count && at < HBG_SHAPES_EXAMPLES; at++) {
    const HbgShape *shape = shape_by_example(sim, shapes, machine, shapes->examples[at]);
    if (shape) return shape;
  }
  const HbgShape *shape = read_machine(sim, shapes, machine);
  if (shape != &no_shape && shape->reference_count) shapes->examples[shapes->example_count++ % HBG_SHAPES_EXAMPLES] = machine;
  return shape;
}

/* ---- integrators ---- */

static const HbgShape *shape_integrator(HbgSim *sim, HbgShapes *shapes, int32_t state) {
  Shaping self = begin(sim, shapes, OF_INTEGRATOR);
  add_expression(&self, sim->model->states[state].input);
  return end(&self, shapes);
}

typedef const HbgShape *(*MakeShape)(HbgSim *sim, HbgShapes *shapes, int32_t number);

enum { MOST_BESIDE = 64, TRUST = 8 };

/* What lies side by side is read side by side: the more have been asked for so far, the more are made at once around one. */
static int32_t block_size(const HbgShapes *shapes) {
  int32_t size = 1;
  while (size < MOST_BESIDE && TRUST * size <= shapes->made) size *= 2;
  return size;
}

/* Of those that have shapes, [first, end). */
static const HbgShape *find(HbgSim *sim, HbgShapes *shapes, const HbgShape **known, int32_t number, int32_t first, int32_t end, MakeShape make) {
  if (!known[number]) {
    const int32_t size = block_size(shapes), start = number / size * size;
    for (int32_t at = start > first ? start : first; at < start + size && at < end; at++) {
      if (known[at]) continue;
      known[at] = make(sim, shapes, at);
      shapes->made++;
    }
  }
  return known[number] == &no_shape ? NULL : known[number];
}

const HbgShape *hbg_shape_of_node(HbgSim *sim, HbgShapes *shapes, int32_t node) {
  return find(sim, shapes, shapes->of_node, node, 0, sim->model->node_count, shape_node);
}

const HbgShape *hbg_shape_of_machine(HbgSim *sim, HbgShapes *shapes, int32_t machine) {
  return find(sim, shapes, shapes->of_machine, machine, 0, sim->model->machine_count, shape_machine);
}

const HbgShape *hbg_shape_of_integrator(HbgSim *sim, HbgShapes *shapes, int32_t state) {
  return find(sim, shapes, shapes->of_integrator, state, sim->first_integrator, sim->model->state_count, shape_integrator);
}
