/* SPDX-License-Identifier: BSD-3-Clause
 * An entry for libFuzzer (scripts/fuzz): what loads can be run, for a few rows: time never goes back, no row holds a state
 * that is not a number, and an end that came too early has a reason. The first byte chooses the method. */
#include <math.h>

#include "fuzz/fuzz.h"

enum { MOST_ROWS = 60 };

static HbgRunOptions options_of(uint8_t choice) {
  HbgRunOptions options = hbg_run_options();
  options.stop = 0.01;
  options.interval = 0.002;
  options.step = 0.001;
  options.tolerance = 1e-4;
  options.method = choice % 4;
  options.zeno_continue = choice & 4;
  options.events_only = choice & 8;
  return options;
}

static HbgStatus check_rows(HbgRun *run) {
  HbgRow row;
  HbgStatus status = HBG_OK;
  double time = 0;
  for (int rows = 0; rows < MOST_ROWS; rows++) {
    status = hbg_run_next(run, &row);
    if (status != HBG_OK) break;
    HOLDS(row.time >= time);
    HOLDS(row.cause);
    time = row.time;
    for (int32_t i = 0; i < hbg_run_column_count(run); i++) HOLDS(hbg_run_label(run, i, hbg_run_value(run, i)));
  }
  HOLDS(status == HBG_OK || status == HBG_END || status == HBG_STOPPED || status == HBG_MEMORY);
  HOLDS(status != HBG_STOPPED || *hbg_run_failure(run));
  return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!size) return 0;
  Purse purse = {.most = 32 << 20};
  const HbgModelOptions options = purse_options(&purse);
  HbgModel *model = load_checked((const char *)data + 1, size - 1, &options);
  if (model) {
    const HbgRunOptions run_options = options_of(data[0]);
    HbgRun *run = NULL;
    const char *message = NULL;
    const HbgStatus status = hbg_run_create(model, &run_options, &run, &message);
    HOLDS(status == HBG_OK || status == HBG_MEMORY);
    if (run && hbg_run_add_default_columns(run, HBG_COLUMNS_TRAJECTORY) == HBG_OK) check_rows(run);
    hbg_run_free(run);
  }
  hbg_model_free(model);
  HOLDS(purse.spent == 0);
  return 0;
}
