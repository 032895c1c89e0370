/* SPDX-License-Identifier: BSD-3-Clause
 * What the entries for libFuzzer share: a claim that ends the program when it does not hold, an allocator with a limit,
 * and what holds for the report of any model whatsoever. */
#ifndef FUZZ_H
#define FUZZ_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hybrsim/hybrsim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define HOLDS(condition)                                        \
  do {                                                          \
    if (!(condition)) complain(#condition, __FILE__, __LINE__); \
  } while (0)

static inline void complain(const char *condition, const char *file, int line) {
  fprintf(stderr, "%s:%d: this does not hold: %s\n", file, line, condition);
  abort();
}

/* An allocator that refuses more than `most` bytes, and knows what it has not got back. */
typedef struct Purse {
  size_t spent, most;
} Purse;

static inline void *purse_take(size_t size, void *user) {
  Purse *purse = user;
  if (size > purse->most - purse->spent) return NULL;
  purse->spent += size;
  return malloc(size);
}

static inline void purse_give_back(void *memory, size_t size, void *user) {
  ((Purse *)user)->spent -= size;
  free(memory);
}

static inline HbgModelOptions purse_options(Purse *purse) {
  HbgModelOptions options = hbg_model_options();
  options.allocate = purse_take;
  options.release = purse_give_back;
  options.user = purse;
  return options;
}

/* Each mistake says what is wrong, where, and what the cure is. */
static inline void check_report(const HbgModel *model, size_t length) {
  int32_t errors = 0;
  for (int32_t i = 0; i < hbg_model_diagnostic_count(model); i++) {
    const char *message, *help;
    bool is_error;
    uint32_t begin, end;
    hbg_model_diagnostic_parts(model, i, NULL, &is_error, &begin, &end, &message, &help);
    HOLDS(begin <= end && end <= length);
    HOLDS(message && *message);
    if (!help || !*help) fprintf(stderr, "%s\n", hbg_model_diagnostic(model, i));
    HOLDS(help && *help);
    HOLDS(*hbg_model_diagnostic(model, i));
    errors += is_error;
  }
  HOLDS(hbg_model_error_count(model) >= errors);
  HOLDS((hbg_model_error_count(model) == 0) == (errors == 0));
}

/* The model in a text of any kind, and its settings; NULL when it is wrong or too large. Checks the report. */
static inline HbgModel *load_checked(const char *text, size_t length, const HbgModelOptions *options) {
  HbgModel *model = NULL;
  const HbgStatus status = hbg_model_load(text, length, options, &model);
  HOLDS(status == HBG_OK || status == HBG_MODEL_WRONG || status == HBG_MEMORY);
  HOLDS((status == HBG_MEMORY) == !model);
  if (!model) return NULL;
  check_report(model, length);
  HOLDS((hbg_model_error_count(model) == 0) == (status == HBG_OK));
  if (status == HBG_OK) return model;
  hbg_model_free(model);
  return NULL;
}

#endif
