/* SPDX-License-Identifier: BSD-3-Clause
 * Runs compatible with HYBRSIM in tests, with the passes of their relaxations, through the public interface only. */
#ifndef TESTS_SUPPORT_RELAXED_H
#define TESTS_SUPPORT_RELAXED_H

#include "support/simulated.h"

typedef struct RelaxedPass {
  HbgRelaxationPass pass; /* its storages lie in `storages` */
  HbgRelaxedStorage storages[8];
} RelaxedPass;

typedef struct Relaxed {
  HbgModel *model;
  HbgRun *run;
  HbgStatus status;
  RelaxedPass *passes;
  int count, capacity;
} Relaxed;

static inline HbgRunOptions relaxed_options(double factor) {
  HbgRunOptions options = hbg_run_options();
  options.compatible = HBG_COMPATIBLE_HYBRSIM;
  options.convergence_factor = factor;
  options.events_only = true;
  return options;
}

static inline void relaxed_keep(Relaxed *made, const HbgRelaxationPass *pass) {
  if (made->count == made->capacity) {
    made->capacity = made->capacity ? made->capacity * 2 : 64;
    made->passes = realloc(made->passes, (size_t)made->capacity * sizeof *made->passes);
    assert_non_null(made->passes);
  }
  RelaxedPass *kept = &made->passes[made->count++];
  kept->pass = *pass;
  assert_true(pass->storage_count <= (int32_t)(sizeof kept->storages / sizeof *kept->storages));
  for (int32_t at = 0; at < pass->storage_count; at++) kept->storages[at] = pass->storages[at];
}

static inline Relaxed relaxed_with(const char *text, const HbgRunOptions *options) {
  Relaxed made = {.model = simulated_model(text)};
  const char *message = "";
  if (hbg_run_create(made.model, options, &made.run, &message) != HBG_OK) fail_msg("%s", message);
  HbgRow row;
  do {
    made.status = hbg_run_next(made.run, &row);
    for (int32_t at = 0; at < hbg_run_relaxation_count(made.run); at++) {
      const HbgRelaxationPass pass = hbg_run_relaxation(made.run, at);
      relaxed_keep(&made, &pass);
    }
  } while (made.status == HBG_OK);
  return made;
}

static inline Relaxed relaxed(const char *text, double factor) {
  const HbgRunOptions options = relaxed_options(factor);
  return relaxed_with(text, &options);
}

static inline void relaxed_end(Relaxed *made) {
  free(made->passes);
  hbg_run_free(made->run);
  hbg_model_free(made->model);
  *made = (Relaxed){0};
}

static inline const HbgRelaxedStorage *relaxed_storage(const Relaxed *made, int pass, const char *name) {
  if (pass < 0 || pass >= made->count) fail_msg("there is no pass %d of %d", pass, made->count);
  for (int32_t at = 0; at < made->passes[pass].pass.storage_count; at++)
    if (!strcmp(made->passes[pass].storages[at].name, name)) return &made->passes[pass].storages[at];
  fail_msg("%s takes no part in pass %d", name, pass);
  return NULL;
}

#endif
