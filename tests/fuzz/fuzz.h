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
    HOLDS(begin <= end && (end <= length || strcmp(hbg_model_diagnostic_file(model, i), "model") != 0)); // or in a file of its own
    HOLDS(message && *message);
    if (!help || !*help) fprintf(stderr, "%s\n", hbg_model_diagnostic(model, i));
    HOLDS(help && *help);
    HOLDS(*hbg_model_diagnostic(model, i));
    errors += is_error;
  }
  HOLDS(hbg_model_error_count(model) >= errors);
  HOLDS((hbg_model_error_count(model) == 0) == (errors == 0));
}

/* The files of a text of any kind: some that can be imported, read from a table or a course, and nothing from the disk. */
static inline bool read_part(const char *path, const char **bytes, size_t *length, void *user) {
  static const char *const parts[][2] = {
      {"part.hbg", "submodel Part(port a, in x = 1, R = 2 [Ohm], out y) { R r(R); a -> r; signal y = x + a.f }\n"
                   "machine Relay(u) { off low initial; on high; low -> high when u > 1; high -> low when u < 0 }\n"},
      {"part2.hbg", "import \"part.hbg\" as p\nsubmodel Two(port 1 j, submodel Inner = p.Part) { Inner i[1..2]; j -> i[1]; j -> i[2] }\n"},
      {"part3.hbg", "import \"part4.hbg\"\nsubmodel Part(port a { R r(\n"},
      {"part4.hbg", "import \"part3.hbg\"\n"},
      {"part.csv", "t,x\n0,1\n1,2\n2,0\n"}};
  (void)user;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    if (strcmp(parts[i][0], path) != 0) continue;
    *bytes = parts[i][1];
    *length = strlen(parts[i][1]);
    return true;
  }
  return false;
}

/* The model in a text of any kind, and its settings; NULL when it is wrong or too large. Checks the report. */
static inline HbgModel *load_checked(const char *text, size_t length, const HbgModelOptions *options) {
  HbgModelOptions own = *options;
  if (!own.read) own.read = read_part;
  HbgModel *model = NULL;
  const HbgStatus status = hbg_model_load(text, length, &own, &model);
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
