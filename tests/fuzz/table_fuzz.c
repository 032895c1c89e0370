/* SPDX-License-Identifier: BSD-3-Clause
 * An entry for libFuzzer (scripts/fuzz): any bytes as a file of numbers become tables and data, or a report. */
#include "fuzz/fuzz.h"

/* What the allocator and the reader are handed. */
typedef struct Source {
  Purse purse; /* first: the allocator takes it for one */
  const char *bytes;
  size_t length;
} Source;

static bool read_source(const char *path, const char **bytes, size_t *length, void *user) {
  const Source *source = user;
  if (strcmp(path, "numbers.csv") != 0) return false;
  *bytes = source->bytes;
  *length = source->length;
  return true;
}

static void check(Source *source, const char *text) {
  HbgModelOptions options = purse_options(&source->purse);
  options.read = read_source;
  options.user = source;
  HbgModel *model = load_checked(text, strlen(text), &options);
  hbg_model_free(model);
  HOLDS(source->purse.spent == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Source source = {.purse = {.most = 8 << 20}, .bytes = (const char *)data, .length = size};
  check(&source, "model M { table t(cubic) = \"numbers.csv\"; signal x = t(0.5) }");
  check(&source, "model M { table t(nearest) = \"numbers.csv\"; signal x = t(0.5, 1) }");
  check(&source, "model M { data d(linear, outside = extend) = \"numbers.csv\"; signal x = d.speed }");
  return 0;
}
