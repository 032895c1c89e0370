/* SPDX-License-Identifier: BSD-3-Clause
 * HYBRSIM's relaxation on random graphs of any structure, controlled junctions, levers, gyrators, loops and sources among them: it ends,
 * and where it converges its limit is the exact jump. HYBRSIM_GRAPHS chooses how many. */
#include <stdlib.h>

#include "support/random_graph.h"
#include "support/relaxed.h"

static uint64_t graphs(void) {
  const char *wanted = getenv("HYBRSIM_GRAPHS");
  return wanted ? strtoull(wanted, NULL, 10) : 600;
}

static HbgText graph_text(uint64_t seed, RandomTaste taste, HbgArena *arena) {
  Random random = {seed};
  const RandomGraph graph = random_graph(&random, taste);
  HbgText text = hbg_text(arena);
  random_graph_write(&graph, NULL, &text);
  return text;
}

/* What the failure tells to take instead; 0 when it tells nothing of the kind. */
static double factor_told(const char *failure) {
  const char *told = strstr(failure, "for instance ");
  return told ? strtod(told + strlen("for instance "), NULL) : 0;
}

/* All stored quantities after the first instant. */
static HbgStatus first_state(HbgModel *model, const HbgRunOptions *options, double *values, int most, int *count, char *failure, size_t size) {
  HbgRun *run = NULL;
  HbgRow row;
  HbgStatus status = hbg_run_create(model, options, &run, NULL);
  assert_int_equal(status, HBG_OK);
  assert_int_equal(hbg_run_add_default_columns(run, HBG_COLUMNS_EVENTS), HBG_OK);
  *count = 0;
  while ((status = hbg_run_next(run, &row)) == HBG_OK) {
    *count = 0;
    for (int32_t column = 0; column < hbg_run_column_count(run); column++)
      if (hbg_run_column(run, column).kind == HBG_COLUMN_NUMBER && *count < most) values[(*count)++] = hbg_run_value(run, column);
  }
  snprintf(failure, size, "%s", hbg_run_failure(run));
  hbg_run_free(run);
  return status;
}

typedef struct Tally {
  int compared, cured, unsolved, slow;
} Tally;

static void check_graph(uint64_t seed, RandomTaste taste, Tally *tally) {
  enum { MOST = 60 };
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgText text = graph_text(seed, taste, &arena);
  HbgModel *model = simulated_model(text.bytes);
  HbgRunOptions exact = hbg_run_options(), compatible = relaxed_options((double)NAN);
  double expected[MOST], found[MOST];
  int expected_count, count;
  char failure[2000];
  exact.stop = compatible.stop = 0;
  exact.events_only = compatible.events_only = false;
  if (first_state(model, &exact, expected, MOST, &expected_count, failure, sizeof failure) != HBG_END) {
    tally->unsolved++;
  } else {
    HbgStatus status = first_state(model, &compatible, found, MOST, &count, failure, sizeof failure);
    // the cure works at once for the part of the graph that fell ill; another part may need a smaller one
    for (int cures = 0; cures < 5 && status == HBG_STOPPED && factor_told(failure) > 0; cures++) {
      assert_true(!(factor_told(failure) >= compatible.convergence_factor));
      compatible.convergence_factor = factor_told(failure);
      status = first_state(model, &compatible, found, MOST, &count, failure, sizeof failure);
      tally->cured += cures == 0;
    }
    if (status == HBG_STOPPED && strstr(failure, "slow")) {
      tally->slow++;
    } else {
      if (status != HBG_END) fail_msg("seed %lu: %s\n%s", (unsigned long)seed, failure, text.bytes);
      assert_int_equal(count, expected_count);
      double scale = 10; // the graphs begin with numbers of this size
      for (int at = 0; at < count; at++) scale = fmax(scale, fabs(expected[at]));
      for (int at = 0; at < count; at++)
        if (!(fabs(found[at] - expected[at]) <= 1e-5 * scale))
          fail_msg("seed %lu: quantity %d is %.17g, not %.17g (of %.3g)\n%s", (unsigned long)seed, at, found[at], expected[at], scale, text.bytes);
      tally->compared++;
    }
  }
  hbg_model_free(model);
  hbg_arena_release_all(&arena);
}

static void the_limit_is_the_exact_jump(void **state) {
  (void)state;
  const RandomTaste taste = {.elements_most = 14, .controlled = true, .sources = true, .decades = 1};
  Tally tally = {0};
  for (uint64_t seed = 1; seed <= graphs(); seed++) check_graph(seed, taste, &tally);
  print_message("%d compared, %d of them with the factor told, %d without a solution, %d slow\n", tally.compared, tally.cured, tally.unsolved, tally.slow);
  assert_true((uint64_t)tally.compared > graphs() / 2);
  assert_true((uint64_t)tally.cured > graphs() / 50);
}

static void every_run_ends(void **state) {
  (void)state;
  const RandomTaste taste = {.elements_most = 14, .nonlinear = true, .modulated = true, .controlled = true, .switching = true, .sources = true,
                             .active = true, .guarded = true, .decades = 2};
  int ended = 0;
  for (uint64_t seed = 1; seed <= graphs(); seed++) {
    HbgArena arena = hbg_arena((HbgAllocator){0});
    HbgText text = graph_text(seed, taste, &arena);
    HbgRunOptions options = relaxed_options((double)NAN);
    options.stop = 0.1;
    options.step = 0.002;
    Simulated run = simulated_try(text.bytes, NULL, &options);
    assert_true(run.status == HBG_END || (run.status == HBG_STOPPED && *hbg_run_failure(run.run)));
    ended += run.status == HBG_END;
    simulated_end(&run);
    hbg_arena_release_all(&arena);
  }
  print_message("%d reached their end\n", ended);
  assert_true((uint64_t)ended > graphs() / 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_limit_is_the_exact_jump),
      cmocka_unit_test(every_run_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
