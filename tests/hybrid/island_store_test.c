/* SPDX-License-Identifier: BSD-3-Clause
 * What is given back of modes that are gone is made again as it was: rows are the same bits, however little may be kept. */
#include <stdlib.h>

#include "support/ride.h"

/* One system of resistors in each mode, whose loads are switched at random: dense matrices. */
static const char LADDER[] =
    "model Ladder(N = 40) { Se source(1); 0 node[0]; source -> node[0]\n for i in 1..N { 0 node[i]; 1 line[i]; R wire[i](0.05); R across[i](7)\n"
    "  1 branch[i] by Switch(pulse(mod(0.618034*i, 1), 0.5, 1) > 0.5); R load[i](4); node[i-1] -> line[i] -> node[i] -> across[i]; line[i] -> wire[i]\n"
    "  node[i] -> branch[i] -> load[i] }\n C end(1); node[N] -> end\n"
    " machine Switch(gate) { on closed initial; off open; closed -> open when not gate; open -> closed when gate }\n stop 3\n}";

/* Capacitors behind switches on one rail behind a resistance: combinations of more states than small islands have. */
static const char RAIL[] =
    "model Rail(N = 40) { Se source(10); 1 feed; R wire(1); 0 rail; source -> feed -> rail; feed -> wire\n"
    " for i in 1..N { 1 b[i] by Switch(pulse(0.017*i, 0.5, 1 + 0.01*sin(i)) > 0.5); R r[i](5); C c[i](0.1); 0 n[i]; R load[i](20)\n"
    "  rail -> b[i] -> n[i] -> c[i]; b[i] -> r[i]; n[i] -> load[i] }\n"
    " machine Switch(gate) { on closed initial; off open; closed -> open when gate; open -> closed when not gate }\n stop 3\n}";

/* Tanks in a row that ideal valves make one of, one after the other: systems of more and more storages that are tied, all of which are factored in one room. */
static const char VALVES[] =
    "model Valves(N = 60) { for i in 1..N { 0 t[i]; C tank[i](1) start e = if i = 1 then N else 0; t[i] -> tank[i] }\n"
    " for i in 1..N-1 { 1 valve[i] by Valve(0.05*i); t[i] -> valve[i] -> t[i+1] }\n"
    " machine Valve(T) { off shut initial; on open; shut -> open after T }\n stop 3\n}";

static void keep_little(const HbgSim *sim, void *user) {
  (void)user;
  ((HbgSim *)(uintptr_t)sim)->solver.stores.most = 1;
}

static void check(const char *text, int least) {
  const HbgSimOptions options = {.stop = 3, .interval = 0.1, .tolerance = 1e-8, .method = HBG_METHOD_AUTOMATIC, .sliding = true, .in_sets = 1};
  Ride all, little;
  ride_try(&all, text, options, RIDE_EVENTS | RIDE_TRAJECTORY, NULL, NULL);
  ride_try(&little, text, options, RIDE_EVENTS | RIDE_TRAJECTORY, keep_little, NULL);
  assert_int_equal(all.end, HBG_END);
  ride_check_same(&all, &little, 0, 0);
  assert_true(all.sim->solver.stores.count > least);
  assert_true(little.sim->solver.stores.count <= least && little.sim->solver.stores.size < all.sim->solver.stores.size / 2);
  ride_end(&little);
  ride_end(&all);
}

static void matrices_are_factored_again_as_they_were(void **state) {
  (void)state;
  check(LADDER, 16);
}

static void tied_storages_are_factored_again_as_they_were(void **state) {
  (void)state;
  check(VALVES, 16);
}

static void combinations_of_states_are_found_again_as_they_were(void **state) {
  (void)state;
  check(RAIL, 16);
}

static void forget(void *owner) { ++*(int *)owner; }

/* Many of the present mode, and one that is at work and not of it yet. */
static void what_is_at_work_stays(void **state) {
  (void)state;
  enum { COUNT = 20 };
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStores stores = hbg_stores(&arena);
  const int32_t present = 0, gone = -1;
  int forgotten[COUNT] = {0};
  stores.most = 1;
  HbgStore *list[COUNT];
  for (int at = 0; at < COUNT; at++) {
    list[at] = hbg_store(&arena, forget, &forgotten[at], at < COUNT - 1 && at != 3 ? &present : &gone);
    (void)ARENA_NEW(hbg_store_begin(&stores, list[at], &arena, 100 * sizeof(double)), double, 100);
    hbg_store_end(&stores, list[at]);
  }
  for (int at = 0; at < COUNT; at++) assert_int_equal(list[at]->is_held, at != 3);
  assert_int_equal(forgotten[3], 1);
  assert_int_equal(stores.count, COUNT - 1);
  hbg_stores_release_all(&stores);
  assert_int_equal(stores.size, 0);
  assert_int_equal(stores.count, 0);
  for (int at = 0; at < COUNT; at++) assert_int_equal(forgotten[at], 1);
  hbg_arena_release_all(&arena);
}

typedef struct Counted {
  size_t held, most;
} Counted;

static void *count_taken(size_t size, void *user) {
  Counted *self = user;
  self->held += size;
  if (self->held > self->most) self->most = self->held;
  return malloc(size);
}

static void count_left(void *memory, size_t size, void *user) {
  ((Counted *)user)->held -= size;
  free(memory);
}

/* A hundred of different sizes, of which a few may be there at a time: what one leaves is taken by the next. */
static void memory_is_taken_again_and_never_more_than_may_be(void **state) {
  (void)state;
  enum { COUNT = 100, MOST = 400000 };
  Counted counted = {0, 0};
  HbgArena arena = hbg_arena((HbgAllocator){count_taken, count_left, &counted});
  HbgStores stores = hbg_stores(&arena);
  const int32_t gone = -1;
  int forgotten[COUNT] = {0};
  stores.most = MOST;
  const size_t before = counted.most;
  for (int at = 0; at < COUNT; at++) {
    HbgStore *store = hbg_store(&arena, forget, &forgotten[at], &gone);
    const size_t numbers = (size_t)(1000 + 300 * (at % 7));
    double *list = ARENA_NEW(hbg_store_begin(&stores, store, &arena, numbers * sizeof(double)), double, numbers);
    for (size_t which = 0; which < numbers; which++) {
      assert_true(list[which] >= 0 && list[which] <= 0); // also what another one has written to
      list[which] = 1;
    }
    hbg_store_end(&stores, store);
    assert_true(stores.size + stores.spare_size <= MOST || !stores.spare_size);
  }
  assert_true(counted.most - before < 2 * MOST);
  hbg_stores_release_all(&stores);
  assert_int_equal(stores.spare_size, 0);
  hbg_arena_release_all(&arena);
  assert_int_equal(counted.held, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_at_work_stays),
      cmocka_unit_test(memory_is_taken_again_and_never_more_than_may_be),
      cmocka_unit_test(matrices_are_factored_again_as_they_were),
      cmocka_unit_test(tied_storages_are_factored_again_as_they_were),
      cmocka_unit_test(combinations_of_states_are_found_again_as_they_were),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
