/* SPDX-License-Identifier: BSD-3-Clause
 * What the public handles hold. */
#ifndef API_API_H
#define API_API_H

#include "base/diagnostics.h"
#include "hybrid/run.h"
#include "hybrsim/hybrsim.h"
#include "model/model.h"

struct HbgModel {
  HbgArena arena; /* owns everything, this handle included */
  const char *file_name, *text;
  uint32_t length;
  bool colour; /* of rendered diagnostics */
  HbgDiagnostics diagnostics;
  const char **rendered;
  HbgFlatModel flat;
};

struct HbgRun {
  HbgArena arena; /* owns everything, this handle included */
  HbgModel *model;
  HbgSim *sim;
  HbgRunOptions options;
  HbgStatus status; /* after memory was refused nothing may be asked any more */
  double run_s;
  const char *failure; /* rendered when the run stopped; "" */
};

#endif
