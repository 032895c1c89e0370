/* SPDX-License-Identifier: BSD-3-Clause
 * Hash consing of millions of nodes is a matter of the processor's caches: what is made one after the other must be found
 * one beside the other. Leaves are found by their index. Any other node has its place near the newest of its arguments,
 * since it is mostly made soon after them; where there is no room, or it has no arguments, where its hash tells.
 *
 * A run copies the pool of its model and adds little to it. So a copy shares the nodes, which nobody changes, and looks behind its
 * own places into those of the original. */
#include "model/expression_pool.h"

#include <string.h>

enum { LINE = 8, FIRST_NODES = HBG_EXPR_CHUNK, FIRST_PLACES = 128 }; /* LINE: places in a line of the cache */

/* What walks write, for `capacity` nodes; of those there are `known` may be moved. */
static void enlarge_columns(HbgExprPool *pool, int32_t known, int32_t capacity) {
  pool->memo = hbg_arena_enlarge(pool->arena, pool->memo, known, capacity, sizeof *pool->memo);
  pool->stamp = hbg_arena_enlarge(pool->arena, pool->stamp, known, capacity, sizeof *pool->stamp);
  pool->capacity = capacity;
}

static HbgExprPlaces places(HbgArena *arena) {
  return (HbgExprPlaces){.list = hbg_arena_enlarge(arena, NULL, 0, FIRST_PLACES, sizeof(HbgExprPlace)), .count = FIRST_PLACES};
}

static void add_chunk(HbgExprPool *pool) {
  ARENA_PUSH(pool->arena, pool->chunks, pool->chunk_count, pool->chunk_capacity) = ARENA_NEW(pool->arena, HbgExprNode, HBG_EXPR_CHUNK);
}

HbgExprPool hbg_expr_pool(HbgArena *arena) {
  HbgExprPool pool = {.arena = arena, .places = places(arena), .last_stamp = ARENA_NEW(arena, int32_t, 1)};
  enlarge_columns(&pool, 0, FIRST_NODES);
  add_chunk(&pool);
  pool.count = 1; /* node 0 is "none" */
  return pool;
}

static void *copy_list(HbgArena *arena, const void *list, int32_t count, size_t size) {
  void *copy = hbg_arena_enlarge(arena, NULL, 0, count, size);
  if (count) memcpy(copy, list, (size_t)count * size);
  return copy;
}

/* The last chunk is not full as a rule: both go on in one of their own. */
static void share_nodes(HbgExprPool *copy, const HbgExprPool *pool) {
  const int32_t last = pool->chunk_count - 1;
  copy->chunk_capacity = pool->chunk_count;
  copy->chunks = copy_list(copy->arena, pool->chunks, pool->chunk_count, sizeof *copy->chunks);
  copy->chunks[last] = copy_list(copy->arena, pool->chunks[last], HBG_EXPR_CHUNK, sizeof **copy->chunks);
}

static void share_places(HbgExprPool *copy, const HbgExprPool *pool) {
  HbgExprPlaces *older = ARENA_NEW(copy->arena, HbgExprPlaces, 1);
  *older = pool->places;
  older->known_count = pool->count;
  copy->places = places(copy->arena);
  copy->places.older = older;
}

HbgExprPool hbg_expr_pool_copy(const HbgExprPool *pool, HbgArena *arena) {
  HbgExprPool copy = *pool;
  copy.arena = arena;
  copy.table_capacity = copy.table_count; /* the list is shared until one of them adds to it */
  copy.memo = copy.stamp = NULL;
  enlarge_columns(&copy, 0, pool->capacity);
  share_nodes(&copy, pool);
  share_places(&copy, pool);
  for (int kind = 0; kind < HBG_EXPR_LEAF_KINDS; kind++)
    copy.leaves[kind].list = copy_list(arena, pool->leaves[kind].list, pool->leaves[kind].count, sizeof(HbgExpr));
  copy.last_stamp = ARENA_NEW(arena, int32_t, 1);
  return copy;
}

static HbgExpr add(HbgExprPool *pool, const HbgExprNode *node) {
  if (pool->count == pool->capacity) enlarge_columns(pool, pool->count, pool->capacity * 2);
  if (pool->count == pool->chunk_count * HBG_EXPR_CHUNK) add_chunk(pool);
  pool->chunks[pool->count / HBG_EXPR_CHUNK][pool->count % HBG_EXPR_CHUNK] = *node;
  return pool->count++;
}

/* ---- leaves ---- */

/* Which of the pool's lists holds leaves like this one; NULL: none. */
static HbgExprLeaves *leaves_like(HbgExprPool *pool, const HbgExprNode *node) {
  enum { STATES, EFFORTS, FLOWS, SLOTS, SLOT_KINDS = HBG_EXPR_LEAF_KINDS - SLOTS };
  if (node->index < 0 || node->index > INT32_MAX / 4) return NULL;
  if (node->op == HBG_OP_SLOT) return (uint32_t)node->other < SLOT_KINDS ? &pool->leaves[SLOTS + node->other] : NULL;
  if (node->other) return NULL;
  switch (node->op) {
    case HBG_OP_STATE: return &pool->leaves[STATES];
    case HBG_OP_EFFORT: return &pool->leaves[EFFORTS];
    case HBG_OP_FLOW: return &pool->leaves[FLOWS];
    default: return NULL;
  }
}

static HbgExpr intern_leaf(HbgExprPool *pool, HbgExprLeaves *leaves, const HbgExprNode *node) {
  if (node->index >= leaves->count) {
    const int32_t count = node->index + leaves->count + 8;
    leaves->list = hbg_arena_enlarge(pool->arena, leaves->list, leaves->count, count, sizeof *leaves->list);
    leaves->count = count;
  }
  HbgExpr *expr = &leaves->list[node->index];
  if (!*expr) *expr = add(pool, node);
  return *expr;
}

/* ---- all others ---- */

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2);
  return hash * 0xff51afd7ed558ccdu;
}

static uint32_t node_hash(const HbgExprNode *node) {
  uint64_t bits;
  memcpy(&bits, &node->value, sizeof bits);
  uint64_t hash = mix((uint64_t)node->op * 2 + (node->is_boolean ? 1 : 0), bits);
  hash = mix(hash, ((uint64_t)(uint32_t)node->a << 32) | (uint32_t)node->b);
  hash = mix(hash, (uint32_t)node->c);
  // small whole numbers differ in their upper bits only, and a product keeps differences above where they were
  hash = (hash ^ hash >> 32) * 0xc4ceb9fe1a85ec53u;
  return (uint32_t)(hash >> 32);
}

static bool node_equal(const HbgExprNode *a, const HbgExprNode *b) {
  return a->op == b->op && a->is_boolean == b->is_boolean && a->a == b->a && a->b == b->b && a->c == b->c &&
         memcmp(&a->value, &b->value, sizeof a->value) == 0;
}

static bool is_free_or(const HbgExprPool *pool, const HbgExprPlace *place, const HbgExprNode *node, uint32_t hash) {
  return !place->expr || (place->hash == hash && node_equal(hbg_expr_node(pool, place->expr), node));
}

/* The place in a line of `node`, or the first free one; NULL: others have filled the line. */
static HbgExprPlace *find_in_line(const HbgExprPool *pool, HbgExprPlace *line, const HbgExprNode *node, uint32_t hash) {
  for (int at = 0; at < LINE; at++)
    if (is_free_or(pool, &line[at], node, hash)) return &line[at];
  return NULL;
}

/* The place of `node`, or the free one where it belongs: in the line of its newest argument, and where that is full in others, as far apart as the hash
 * says: next to a full line there are mostly more of them. */
static HbgExprPlace *find_place(const HbgExprPool *pool, const HbgExprPlaces *places, const HbgExprNode *node, uint32_t hash) {
  const uint32_t mask = (uint32_t)places->count - 1, step = (hash >> 16 | 1) * LINE;
  HbgExpr newest = node->a > node->b ? node->a : node->b;
  if (node->c > newest) newest = node->c;
  HbgExprPlace *place = newest ? find_in_line(pool, &places->list[(uint32_t)newest * (LINE / 2) & mask & ~(uint32_t)(LINE - 1)], node, hash) : NULL;
  for (uint32_t line = hash & mask & ~(uint32_t)(LINE - 1); !place; line = (line + step) & mask) place = find_in_line(pool, &places->list[line], node, hash);
  return place;
}

static void enlarge_places(HbgExprPool *pool) {
  const HbgExprPlaces old = pool->places;
  pool->places.count *= 2;
  pool->places.list = hbg_arena_enlarge(pool->arena, NULL, 0, pool->places.count, sizeof *old.list);
  for (int32_t at = 0; at < old.count; at++) {
    if (!old.list[at].expr) continue;
    *find_place(pool, &pool->places, hbg_expr_node(pool, old.list[at].expr), old.list[at].hash) = old.list[at];
  }
  hbg_arena_give_back(pool->arena, old.list);
}

/* A node that was there when a pool was copied; 0. Of one that has an argument that is newer it is known where to look. */
static HbgExpr find_older(const HbgExprPool *pool, const HbgExprNode *node, uint32_t hash) {
  const HbgExprPlaces *older = pool->places.older;
  for (; older && node->a < older->known_count && node->b < older->known_count && node->c < older->known_count; older = older->older) {
    const HbgExpr expr = find_place(pool, older, node, hash)->expr;
    if (expr) return expr;
  }
  return 0;
}

HbgExpr hbg_expr_intern(HbgExprPool *pool, HbgExprNode node) {
  HbgExprLeaves *leaves = leaves_like(pool, &node);
  if (leaves) return intern_leaf(pool, leaves, &node);
  const uint32_t hash = node_hash(&node);
  HbgExprPlace *place = find_place(pool, &pool->places, &node, hash);
  if (place->expr) return place->expr;
  const HbgExpr known = find_older(pool, &node, hash);
  if (known) return known;
  const HbgExpr expr = add(pool, &node);
  *place = (HbgExprPlace){expr, hash};
  if (++pool->places.taken_count > pool->places.count / 4 * 3) enlarge_places(pool);
  return expr;
}
