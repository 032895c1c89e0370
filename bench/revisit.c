// SPDX-License-Identifier: BSD-3-Clause
// hybrsim-revisit MODEL [N...]: what it costs to enter a mode that was there before, and nothing else: no rates, no guards, no rows. A ladder
// of N cells has a controlled junction in each; all of them are switched one by one, in an order like chance, on and off again, twice so that all is
// known, and then over and over with a clock. Run by bench/revisit.
#define _POSIX_C_SOURCE 200809L // clocks
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/api.h"
#include "hybrid/sim.h"

typedef struct {
  const HbgModel *model;
  HbgArena arena;
  HbgSim *sim;
  int32_t *order;    // of its machines
  double nanoseconds; // for each change of mode
  bool is_right;
} Bench;

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9*(double)now.tv_nsec;
}

static void shuffle(int32_t *list, int32_t count) {
  uint64_t state = 12345;
  for (int32_t at = 0; at < count; at++) list[at] = at;
  for (int32_t at = count - 1; at > 0; at--) {
    state = state*6364136223846793005u + 1442695040888963407u;
    const int32_t other = (int32_t)((state >> 33)%(uint64_t)(at + 1)), kept = list[at];
    list[at] = list[other];
    list[other] = kept;
  }
}

// As the event iteration does it, up to what is evaluated then.
static void enter(HbgSim *sim, int32_t machine, int32_t phi) {
  sim->now.phi[machine] = phi;
  hbg_mode_enter(sim, &machine, 1);
  for (int32_t at = 0; at < sim->fresh_count; at++) sim->fresh[at]->is_new = false;
  sim->fresh_count = 0;
}

static void round_trip(Bench *bench) {
  const int32_t count = bench->sim->model->machine_count;
  for (int32_t phi = 1; phi >= 0; phi--)
    for (int32_t at = 0; at < count; at++) enter(bench->sim, bench->order[at], phi);
}

static HbgStatus measure(void *user) {
  Bench *bench = user;
  const HbgSimOptions options = {.stop = 1, .interval = 1, .tolerance = 1e-6, .method = HBG_METHOD_AUTOMATIC, .as_a_whole = true};
  HbgRow row;
  bench->sim = hbg_sim_create(&bench->model->flat, &options, &bench->arena);
  if (hbg_sim_next(bench->sim, &row) != HBG_OK) return HBG_STOPPED;
  const int32_t count = bench->model->flat.machine_count, states = bench->model->flat.state_count;
  bench->order = ARENA_NEW(&bench->arena, int32_t, count);
  shuffle(bench->order, count);
  double *before = ARENA_NEW(&bench->arena, double, states), *after = ARENA_NEW(&bench->arena, double, states);
  round_trip(bench);
  round_trip(bench);
  hbg_evaluate_rates(0, bench->sim->now.state, before, bench->sim);
  const double wanted = 0.2;
  double taken = 0, least = 1e9;
  for (int64_t rounds = 1; taken < wanted; rounds *= 2) {
    const double begin = seconds();
    for (int64_t round = 0; round < rounds; round++) round_trip(bench);
    const double part = seconds() - begin;
    taken += part;
    const double each = 1e9*part/((double)rounds*2*count);
    if (each < least) least = each;
  }
  bench->nanoseconds = least;
  hbg_evaluate_rates(0, bench->sim->now.state, after, bench->sim);
  bench->is_right = !memcmp(before, after, (size_t)states*sizeof *before);
  return HBG_OK;
}

static char *read_file(const char *name, size_t *length) {
  FILE *file = fopen(name, "rb");
  const size_t room = 1 << 20;
  char *text = malloc(room);
  *length = file && text ? fread(text, 1, room, file) : 0;
  if (file) fclose(file);
  return text;
}

static bool take(const char *file, const char *count) {
  HbgModelOptions options = hbg_model_options();
  const HbgModelSetting setting = {"N", count};
  options.settings = &setting;
  options.setting_count = 1;
  Bench bench = {.arena = hbg_arena((HbgAllocator){0})};
  HbgModel *model = NULL;
  size_t length;
  char *text = read_file(file, &length);
  const bool is_loaded = hbg_model_load(text, length, &options, &model) == HBG_OK;
  free(text);
  bench.model = model;
  if (!is_loaded) fprintf(stderr, "%s\n", hbg_model_diagnostic(model, 0));
  const bool is_measured = is_loaded && hbg_guarded(&bench.arena, measure, &bench) == HBG_OK && bench.is_right;
  if (is_measured)
    printf("%10s%12d%14.0f\n", count, (int)model->flat.state_count, bench.nanoseconds);
  else
    fprintf(stderr, "%s with N = %s: no measurement\n", file, count);
  if (bench.sim) hbg_sim_free(bench.sim);
  hbg_arena_release_all(&bench.arena);
  hbg_model_free(model);
  return is_measured;
}

int main(int count, char **words) {
  bool are_all = count > 2;
  printf("%10s%12s%14s\n", "cells", "states", "ns a change");
  for (int at = 2; at < count; at++) are_all = take(words[1], words[at]) && are_all;
  return !are_all;
}
