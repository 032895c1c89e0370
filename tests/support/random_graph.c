/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/random_graph.h"

#include <math.h>

/* ---- numbers ---- */

uint64_t random_bits(Random *random) {
  uint64_t z = (random->state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

int32_t random_below(Random *random, int32_t count) { return (int32_t)(random_bits(random) % (uint64_t)count); }
double random_real(Random *random) { return (double)(random_bits(random) >> 11) * 0x1p-53; }
bool random_chance(Random *random, double probability) { return random_real(random) < probability; }

/* A positive number: a plain one now and then, so that things may coincide; else any within the decades. */
static double random_value(Random *random, double decades) {
  static const double plain[] = {1, 2, 0.5, 4, 0.25};
  if (random_chance(random, 0.3)) return plain[random_below(random, 5)];
  return pow(10, decades * (2 * random_real(random) - 1));
}

static double random_signed(Random *random, double decades) {
  const double value = random_value(random, decades);
  return random_chance(random, 0.5) ? value : -value;
}

/* ---- building ---- */

typedef struct Builder {
  RandomGraph *graph;
  Random *random;
  RandomTaste taste;
} Builder;

static bool is_junction(RandomKind kind) { return kind == RANDOM_ZERO || kind == RANDOM_ONE; }
static bool is_source(RandomKind kind) { return kind == RANDOM_SE || kind == RANDOM_SF; }
static bool is_two_port(RandomKind kind) { return kind == RANDOM_TF || kind == RANDOM_GY; }
static bool is_storage(RandomKind kind) { return kind == RANDOM_C || kind == RANDOM_I; }

static int32_t add_node(Builder *builder, RandomKind kind) {
  RandomGraph *graph = builder->graph;
  Random *random = builder->random;
  RandomNode *node = &graph->nodes[graph->node_count];
  const double decades = builder->taste.decades;
  const bool may_be_negative = is_source(kind) || is_two_port(kind);
  *node = (RandomNode){
      .kind = kind, .alive = true, .with_node = -1, .reads = -1, .start = (double)NAN, .pulse = (double)NAN};
  node->value = may_be_negative ? random_signed(random, decades) : random_value(random, decades);
  node->second = random_value(random, decades);
  const bool has_law = kind == RANDOM_R || is_storage(kind);
  if (has_law && builder->taste.nonlinear && random_chance(random, 0.25)) node->law = 1 + random_below(random, 4);
  if (builder->taste.modulated && !is_junction(kind) && !node->law) node->with_time = random_chance(random, 0.15);
  if (is_storage(kind) && random_chance(random, 0.7)) node->start = random_signed(random, decades);
  node->start_is_coenergy = random_chance(random, 0.3);
  if (is_junction(kind) && builder->taste.controlled && random_chance(random, 0.2))
    node->control = random_chance(random, 0.7) ? RANDOM_OFF : RANDOM_ON;
  if (is_junction(kind) && builder->taste.switching && random_chance(random, 0.4))
    node->control = random_chance(random, 0.5) ? RANDOM_OPENS : RANDOM_CLOSES;
  return graph->node_count++;
}

static void add_bond(Builder *builder, int32_t tail, int32_t head) {
  RandomGraph *graph = builder->graph;
  graph->bonds[graph->bond_count++] = (RandomBond){.tail = tail, .head = head, .alive = true};
}

static RandomKind pick_load(Builder *builder) {
  const double u = random_real(builder->random);
  return u < 0.34 ? RANDOM_I : u < 0.66 ? RANDOM_C : RANDOM_R;
}

static RandomKind pick_one_port(Builder *builder) {
  if (!builder->taste.sources || !random_chance(builder->random, 0.17)) return pick_load(builder);
  return random_chance(builder->random, 0.5) ? RANDOM_SE : RANDOM_SF;
}

/* `from` can have an arrow that leaves it. */
static void connect(Builder *builder, int32_t from, int32_t to) {
  const double u = random_real(builder->random);
  if (u < 0.72) {
    add_bond(builder, from, to);
    return;
  }
  const int32_t middle = add_node(builder, u < 0.88 ? RANDOM_TF : RANDOM_GY);
  add_bond(builder, from, middle);
  add_bond(builder, middle, to);
}

static void connect_junctions(Builder *builder, int32_t a, int32_t b) {
  if (random_chance(builder->random, 0.5))
    connect(builder, a, b);
  else
    connect(builder, b, a);
}

static void add_one_port(Builder *builder, int32_t junction) {
  const RandomKind kind = pick_one_port(builder);
  const int32_t node = add_node(builder, kind);
  if (is_source(kind) && random_chance(builder->random, 0.7))
    connect(builder, node, junction);
  else
    connect(builder, junction, node);
}

/* A source and a load, without a junction. */
static void add_pair(Builder *builder) {
  const int32_t source = add_node(builder, random_chance(builder->random, 0.5) ? RANDOM_SE : RANDOM_SF);
  const int32_t load =
      add_node(builder, random_chance(builder->random, 0.9) ? pick_load(builder) : pick_one_port(builder));
  connect(builder, source, load);
}

/* Junctions in a tree, some more bonds between them, one-ports on them. */
static void add_island(Builder *builder, int32_t size) {
  Random *random = builder->random;
  const int32_t first = builder->graph->node_count;
  int32_t junctions[24], count = 1 + random_below(random, 1 + size / 2);
  if (count > 24) count = 24;
  for (int32_t i = 0; i < count; i++)
    junctions[i] = add_node(builder, random_chance(random, 0.5) ? RANDOM_ZERO : RANDOM_ONE);
  for (int32_t i = 1; i < count; i++) connect_junctions(builder, junctions[i], junctions[random_below(random, i)]);
  for (int32_t extra = count > 1 ? random_below(random, 4) : 0; extra > 0; extra--) {
    const int32_t a = random_below(random, count), b = random_below(random, count);
    if (a != b) connect_junctions(builder, junctions[a], junctions[b]);
  }
  add_one_port(builder, junctions[0]);
  while (builder->graph->node_count - first < size) add_one_port(builder, junctions[random_below(random, count)]);
}

/* Modulates two-ports and sources by the integral of the flow of an I, which never has an impulse. */
static void modulate(Builder *builder) {
  RandomGraph *graph = builder->graph;
  for (int32_t i = 0; i < graph->node_count; i++) {
    RandomNode *node = &graph->nodes[i];
    const int32_t other = random_below(builder->random, graph->node_count);
    const bool fits = !is_junction(node->kind) && !node->law && i != other;
    if (fits && graph->nodes[other].kind == RANDOM_I && random_chance(builder->random, 0.4)) node->with_node = other;
  }
}

/* Lets sources read efforts and flows of one-ports, anywhere in the graph. */
static void activate(Builder *builder) {
  RandomGraph *graph = builder->graph;
  for (int32_t i = 0; i < graph->node_count; i++) {
    RandomNode *node = &graph->nodes[i];
    const int32_t other = random_below(builder->random, graph->node_count);
    if (!is_source(node->kind) || graph->nodes[other].kind > RANDOM_I || other == i) continue;
    if (!random_chance(builder->random, 0.6)) continue;
    node->reads = other;
    node->reads_effort = random_chance(builder->random, 0.5);
  }
}

static RandomGuard pick_guard(Builder *builder) {
  Random *random = builder->random;
  RandomGuard guard = {.count = 1 + (random_chance(random, 0.4) ? 1 : 0)};
  for (int32_t i = 0; i < guard.count; i++) {
    guard.ports[i].bond = random_below(random, builder->graph->bond_count);
    guard.ports[i].is_effort = random_chance(random, 0.5);
    guard.ports[i].is_greater = random_chance(random, 0.5);
    guard.ports[i].reading = (RandomReading)random_below(random, RANDOM_FINITE + 1);
    guard.ports[i].threshold = 0.3 * random_signed(random, 1);
  }
  return guard;
}

/* Gives junctions machines whose guards read anything. */
static void guard_junctions(Builder *builder) {
  int32_t machines = 0;
  for (int32_t i = 0; i < builder->graph->node_count && machines < RANDOM_MACHINES_MOST; i++) {
    RandomNode *node = &builder->graph->nodes[i];
    if (!is_junction(node->kind) || !random_chance(builder->random, 0.7)) continue;
    machines++;
    node->control = random_chance(builder->random, 0.5) ? RANDOM_GUARDED_OFF : RANDOM_GUARDED_ON;
    node->leaves_on = pick_guard(builder);
    node->leaves_off = pick_guard(builder);
  }
}

/* Doubles bonds between junctions. */
static void double_bonds(Builder *builder) {
  RandomGraph *graph = builder->graph;
  for (int32_t i = 0, count = graph->bond_count; i < count; i++) {
    const RandomBond bond = graph->bonds[i];
    if (!is_junction(graph->nodes[bond.tail].kind) || !is_junction(graph->nodes[bond.head].kind)) continue;
    if (random_chance(builder->random, 0.1)) add_bond(builder, bond.tail, bond.head);
  }
}

static void pulse(Builder *builder) {
  RandomGraph *graph = builder->graph;
  for (int32_t i = 0; i < graph->node_count; i++) {
    RandomNode *node = &graph->nodes[i];
    if (!(is_source(node->kind) || node->kind == RANDOM_R) || node->law || !random_chance(builder->random, 0.3))
      continue;
    node->pulse = 0.01 * (1 + random_below(builder->random, 40));
    node->pulse_width = 0.01 * (1 + random_below(builder->random, 40));
    if (random_chance(builder->random, 0.5))
      node->pulse_period = node->pulse_width * (2 + random_below(builder->random, 3));
  }
}

/* Between 5 and the most: most are small, because a mistake that needs many elements is rare and a large graph is slow. */
static int32_t pick_size(Random *random, RandomTaste taste) {
  const double u = random_real(random);
  const bool is_small = random_chance(random, 0.97) && taste.elements_most > 14;
  return 5 + (int32_t)(is_small ? 10 * u * u : (taste.elements_most - 4) * u);
}

/* Where something is to switch, something does. */
static void switch_one(Builder *builder) {
  RandomGraph *graph = builder->graph;
  int32_t chosen = -1;
  for (int32_t i = 0; i < graph->node_count; i++) {
    if (graph->nodes[i].control >= RANDOM_OPENS) return;
    if (is_junction(graph->nodes[i].kind)) chosen = i;
  }
  if (chosen >= 0) graph->nodes[chosen].control = random_chance(builder->random, 0.5) ? RANDOM_OPENS : RANDOM_CLOSES;
}

RandomGraph random_graph(Random *random, RandomTaste taste) {
  RandomGraph graph = {0};
  Builder builder = {.graph = &graph, .random = random, .taste = taste};
  const int32_t most = pick_size(random, taste);
  while (graph.node_count < most) {
    if (taste.sources && random_chance(random, 0.05))
      add_pair(&builder);
    else
      add_island(&builder, 2 + random_below(random, most - graph.node_count > 2 ? most - graph.node_count : 2));
  }
  if (taste.switching) switch_one(&builder);
  if (taste.redundant) double_bonds(&builder);
  if (taste.pulsed) pulse(&builder);
  if (taste.modulated) modulate(&builder);
  if (taste.active) activate(&builder);
  if (taste.guarded) guard_junctions(&builder);
  return graph;
}

/* ---- writing ---- */

static void add_name(HbgText *text, const RandomGraph *graph, int32_t node) {
  static const char *const names[RANDOM_KIND_COUNT] = {"se", "sf", "r", "c", "i", "tf", "gy", "z", "o"};
  hbg_text_add(text, "%s%d", names[graph->nodes[node].kind], (int)node);
}

/* a, b: the two values of the node. Every law rises, and is odd. */
static const char *element_law(const RandomNode *node) {
  static const char *const resistor[] = {"e = %s*f + %s*f^3", "f = %s*e + %s*e^3", "e = %s*f + %s*f*abs(f)",
                                         "%s*e + %s*e^3 = f + f^3"};
  static const char *const capacitor[] = {"e = %s*q + %s*q^3", "e = %s*sinh(q)/%s", "e = %s*q + %s*q*abs(q)",
                                          "e = %s*q + %s*atan(q)"};
  static const char *const inertia[] = {"f = %s*p + %s*p^3", "f = %s*sinh(p)/%s", "f = %s*p + %s*p*abs(p)",
                                        "f = %s*p + %s*atan(p)"};
  const int32_t which = node->law - 1;
  return node->kind == RANDOM_R ? resistor[which] : node->kind == RANDOM_C ? capacitor[which] : inertia[which];
}

static void add_law(HbgText *text, const RandomNode *node) {
  const char *law = element_law(node);
  HbgText first = hbg_text(text->arena), second = hbg_text(text->arena);
  hbg_text_add_number(&first, node->value);
  hbg_text_add_number(&second, node->second);
  hbg_text_add(text, ": ");
  for (int seen = 0; *law; law++) {
    if (*law != '%')
      hbg_text_add_bytes(text, law, 1);
    else
      law++, hbg_text_add(text, "%s", seen++ ? second.bytes : first.bytes);
  }
}

static void add_value(HbgText *text, const RandomGraph *graph, const RandomNode *node) {
  hbg_text_add(text, "(");
  hbg_text_add_number(text, node->value);
  if (node->with_time) hbg_text_add(text, "*(1 + 0.5*sin(time + 1))");
  if (!isnan(node->pulse)) {
    hbg_text_add(text, "*(1 + 0.5*pulse(");
    hbg_text_add_number(text, node->pulse);
    hbg_text_add(text, ", ");
    hbg_text_add_number(text, node->pulse_width);
    if (node->pulse_period > 0) {
      hbg_text_add(text, ", ");
      hbg_text_add_number(text, node->pulse_period);
    }
    hbg_text_add(text, "))");
  }
  if (node->with_node >= 0) hbg_text_add(text, "*(1 + 0.5*sin(w%d))", (int)node->with_node);
  if (node->reads >= 0) {
    hbg_text_add(text, " + 0.4*");
    add_name(text, graph, node->reads);
    hbg_text_add(text, node->reads_effort ? ".e" : ".f");
  }
  hbg_text_add(text, ")");
}

static void add_start(HbgText *text, const RandomNode *node) {
  if (!is_storage(node->kind) || isnan(node->start)) return;
  const bool is_coenergy = node->start_is_coenergy && !node->law && node->with_node < 0;
  hbg_text_add(text, " start %s = ", node->kind == RANDOM_C ? is_coenergy ? "e" : "q" : is_coenergy ? "f" : "p");
  hbg_text_add_number(text, node->start);
}

static void add_element(HbgText *text, const RandomGraph *graph, int32_t which) {
  static const char *const kinds[RANDOM_KIND_COUNT] = {"Se", "Sf", "R", "C", "I", "TF", "GY", "0", "1"};
  const RandomNode *node = &graph->nodes[which];
  hbg_text_add(text, "%s ", kinds[node->kind]);
  add_name(text, graph, which);
  if (is_junction(node->kind)) {
    static const char *const controls[] = {"", " by Open", " by Closed", " by Opens", " by Closes"};
    if (node->control < RANDOM_GUARDED_OFF)
      hbg_text_add(text, "%s", controls[node->control]);
    else
      hbg_text_add(text, " by Guard%d", (int)which);
    return;
  }
  if (node->law)
    add_law(text, node);
  else
    add_value(text, graph, node);
  add_start(text, node);
}

static void add_transition(HbgText *text, const RandomGuard *guard, const char *states) {
  for (int32_t i = 0; i < guard->count; i++) {
    hbg_text_add(text, "%s%s ", i ? " and" : "; ", i ? "" : states);
    const char letter = guard->ports[i].is_effort ? 'e' : 'f';
    switch (guard->ports[i].reading) {
      case RANDOM_PRE: hbg_text_add(text, "pre(b%d.%c)", (int)guard->ports[i].bond, letter); break;
      case RANDOM_IMPULSE: hbg_text_add(text, "impulse(b%d.%c)", (int)guard->ports[i].bond, letter); break;
      case RANDOM_FINITE: hbg_text_add(text, "finite(b%d.%c)", (int)guard->ports[i].bond, letter); break;
      default: hbg_text_add(text, "b%d.%c", (int)guard->ports[i].bond, letter); break;
    }
    hbg_text_add(text, guard->ports[i].is_greater ? " > " : " < ");
    hbg_text_add_number(text, guard->ports[i].threshold);
  }
}

static void add_machine(HbgText *text, const RandomGraph *graph, int32_t which) {
  const RandomNode *node = &graph->nodes[which];
  const bool begins_on = node->control == RANDOM_GUARDED_ON;
  hbg_text_add(text, "  machine Guard%d { on closed%s; off open%s", (int)which, begins_on ? " initial" : "",
               begins_on ? "" : " initial");
  add_transition(text, &node->leaves_on, "closed -> open when");
  add_transition(text, &node->leaves_off, "open -> closed when");
  hbg_text_add(text, " }\n");
}

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)
#define SWITCH_TIME TEXT(RANDOM_SWITCH_TIME)

/* The statements, each on a line of its own; `ends` gets where they end. */
static int32_t add_statements(HbgText *text, const RandomGraph *graph, int32_t *ends) {
  bool is_read[RANDOM_NODES_MOST] = {false}, is_controlled[RANDOM_GUARDED_ON + 1] = {false};
  int32_t count = 0;
  for (int32_t i = 0; i < graph->node_count; i++) {
    const RandomNode *node = &graph->nodes[i];
    if (!node->alive) continue;
    is_controlled[node->control] = true;
    hbg_text_add(text, "  ");
    add_element(text, graph, i);
    hbg_text_add(text, "\n");
    ends[count++] = text->length;
    if (node->with_node >= 0) is_read[node->with_node] = true;
  }
  for (int32_t i = 0; i < graph->bond_count; i++) {
    if (!graph->bonds[i].alive) continue;
    hbg_text_add(text, "  ");
    add_name(text, graph, graph->bonds[i].tail);
    hbg_text_add(text, " -> ");
    add_name(text, graph, graph->bonds[i].head);
    hbg_text_add(text, " : b%d\n", (int)i);
    ends[count++] = text->length;
  }
  for (int32_t i = 0; i < graph->node_count; i++) {
    if (!is_read[i]) continue;
    hbg_text_add(text, "  signal w%d = integral(i%d.f, start = 0.3)\n", (int)i, (int)i);
    ends[count++] = text->length;
  }
  static const char *const machines[] = {
      [RANDOM_OFF] = "Open { off open initial; on closed }",
      [RANDOM_ON] = "Closed { on closed initial; off open }",
      [RANDOM_OPENS] = "Opens { on closed initial; off open; closed -> open when time >= " SWITCH_TIME " }",
      [RANDOM_CLOSES] = "Closes { off open initial; on closed; open -> closed when time >= " SWITCH_TIME " }"};
  for (int32_t i = 0; i < graph->node_count; i++) {
    if (!graph->nodes[i].alive || graph->nodes[i].control < RANDOM_GUARDED_OFF) continue;
    add_machine(text, graph, i);
    ends[count++] = text->length;
  }
  for (int control = RANDOM_OFF; control <= RANDOM_CLOSES; control++) {
    if (!is_controlled[control]) continue;
    hbg_text_add(text, "  machine %s\n", machines[control]);
    ends[count++] = text->length;
  }
  return count;
}

void random_graph_write(const RandomGraph *graph, Random *shuffle, HbgText *text) {
  int32_t ends[RANDOM_NODES_MOST * 3 + RANDOM_BONDS_MOST + 4], order[RANDOM_NODES_MOST * 3 + RANDOM_BONDS_MOST + 4];
  HbgText body = hbg_text(text->arena);
  const int32_t count = add_statements(&body, graph, ends);
  for (int32_t i = 0; i < count; i++) order[i] = i;
  for (int32_t i = count - 1; i > 0 && shuffle; i--) {
    const int32_t other = random_below(shuffle, i + 1), kept = order[i];
    order[i] = order[other];
    order[other] = kept;
  }
  hbg_text_add(text, "model Random {\n");
  for (int32_t i = 0; i < count; i++) {
    const int32_t begin = order[i] ? ends[order[i] - 1] : 0;
    hbg_text_add_bytes(text, body.bytes + begin, (size_t)(ends[order[i]] - begin));
  }
  hbg_text_add(text, "}\n");
}

bool random_graph_is_active(const RandomGraph *graph) {
  for (int32_t i = 0; i < graph->node_count; i++)
    if (graph->nodes[i].alive && graph->nodes[i].reads >= 0) return true;
  return false;
}

/* ---- simpler ones ---- */

enum { NODE_WAYS = 15 };

int32_t random_graph_ways(const RandomGraph *graph) { return graph->node_count * NODE_WAYS + graph->bond_count; }

static int32_t bonds_of(const RandomGraph *graph, int32_t node, int32_t *into) {
  int32_t count = 0;
  *into = 0;
  for (int32_t i = 0; i < graph->bond_count; i++) {
    const RandomBond *bond = &graph->bonds[i];
    if (!bond->alive || (bond->tail != node && bond->head != node)) continue;
    count++;
    if (bond->head == node) ++*into;
  }
  return count;
}

static void drop_dead_guard(const RandomGraph *graph, RandomGuard *guard) {
  for (int32_t i = 0; i < guard->count; i++)
    if (!graph->bonds[guard->ports[i].bond].alive) guard->count = 0;
}

/* Takes away what cannot stand without what was taken away. */
static void tidy(RandomGraph *graph) {
  for (bool changed = true; changed;) {
    changed = false;
    for (int32_t i = 0; i < graph->bond_count; i++) {
      RandomBond *bond = &graph->bonds[i];
      if (!bond->alive || (graph->nodes[bond->tail].alive && graph->nodes[bond->head].alive)) continue;
      bond->alive = false, changed = true;
    }
    for (int32_t i = 0; i < graph->node_count; i++) {
      RandomNode *node = &graph->nodes[i];
      int32_t into;
      if (!node->alive || bonds_of(graph, i, &into) >= (is_two_port(node->kind) ? 2 : 1)) continue;
      node->alive = false, changed = true;
    }
  }
  for (int32_t i = 0; i < graph->node_count; i++) {
    RandomNode *node = &graph->nodes[i];
    if (node->with_node >= 0 && !graph->nodes[node->with_node].alive) node->with_node = -1;
    drop_dead_guard(graph, &node->leaves_on);
    drop_dead_guard(graph, &node->leaves_off);
    if (node->reads >= 0 && !graph->nodes[node->reads].alive) node->reads = -1;
  }
}

/* Joins the two neighbours of a two-port, or of a junction with one bond in and one out. */
static bool bridge(RandomGraph *graph, int32_t node) {
  int32_t into, in = -1, out = -1;
  if (bonds_of(graph, node, &into) != 2 || into != 1) return false;
  for (int32_t i = 0; i < graph->bond_count; i++) {
    if (!graph->bonds[i].alive) continue;
    if (graph->bonds[i].head == node) in = i;
    if (graph->bonds[i].tail == node) out = i;
  }
  if (in < 0 || out < 0 || graph->bonds[in].tail == graph->bonds[out].head) return false;
  graph->bonds[in].head = graph->bonds[out].head;
  graph->bonds[out].alive = false;
  graph->nodes[node].alive = false;
  return true;
}

static bool drop_port(RandomGuard *guard, int32_t which) {
  if (guard->count <= which) return false;
  if (which == 0) guard->ports[0] = guard->ports[1];
  guard->count--;
  return true;
}

static bool simplify_node(RandomGraph *graph, int32_t which, int32_t way) {
  RandomNode *node = &graph->nodes[which];
  const double rounded = node->value < 0 ? -1 : 1;
  if (!node->alive) return false;
  switch (way) {
    case 0: node->alive = false; return true;
    case 1: return bridge(graph, which);
    case 2:
      if (!node->law) return false;
      node->law = 0;
      return true;
    case 13:
      if (isnan(node->pulse)) return false;
      node->pulse = (double)NAN;
      return true;
    case 3:
      if (!node->with_time) return false;
      node->with_time = false;
      return true;
    case 4:
      if (node->with_node < 0) return false;
      node->with_node = -1;
      return true;
    case 5:
      if (isnan(node->start)) return false;
      node->start = (double)NAN;
      return true;
    case 6:
      if (!node->control) return false;
      node->control = RANDOM_PLAIN;
      return true;
    case 8:
      if (node->reads < 0) return false;
      node->reads = -1;
      return true;
    case 9:
    case 10: return drop_port(way == 9 ? &node->leaves_on : &node->leaves_off, 0);
    case 11:
    case 12: return drop_port(way == 11 ? &node->leaves_on : &node->leaves_off, 1);
    case 7:
      if (is_junction(node->kind) || fabs(node->value - rounded) <= 0) return false;
      node->value = rounded;
      return true;
    default:
      if (isnan(node->start) || (fabs(node->start - 1) <= 0 && !node->start_is_coenergy)) return false;
      node->start = 1, node->start_is_coenergy = false;
      return true;
  }
}

bool random_graph_simpler(const RandomGraph *graph, int32_t which, RandomGraph *out) {
  *out = *graph;
  const int32_t bond = which - graph->node_count * NODE_WAYS;
  if (bond >= 0) {
    if (!out->bonds[bond].alive) return false;
    out->bonds[bond].alive = false;
  } else if (!simplify_node(out, which % graph->node_count, which / graph->node_count)) {
    return false;
  }
  tidy(out);
  for (int32_t i = 0; i < out->bond_count; i++)
    if (out->bonds[i].alive) return true;
  return false;
}
