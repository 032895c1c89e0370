/* SPDX-License-Identifier: BSD-3-Clause
 * A run that does not come forward: more steps in a 300th of it, or between two rows, than anybody waits for. */
#include <math.h>

#include "hybrid/sim.h"

enum { MOST_STEPS = 50000000, SAMPLES_LIKE_A_STEP = 16 };

HbgStatus hbg_budget_ask(HbgSim *sim) {
  if (!sim->options.interrupt || !sim->options.interrupt(sim->options.interrupt_user)) return HBG_OK;
  return hbg_report_stop(sim, "the run was interrupted at t = %.9g s", sim->time);
}

HbgStatus hbg_budget_count(HbgSim *sim) {
  HbgBudget *budget = &sim->budget;
  TRY(hbg_budget_ask(sim));
  if (sim->time > budget->end) {
    const double stretch = fmin(sim->options.interval, sim->options.stop / 300);
    *budget = (HbgBudget){.begin = sim->time, .end = sim->time + stretch};
  }
  const int64_t most = sim->options.most_steps ? sim->options.most_steps : MOST_STEPS;
  budget->plain = most;
  const int64_t worth = ++budget->steps + budget->samples / SAMPLES_LIKE_A_STEP;
  if (worth <= most) return HBG_OK;
  hbg_report_at(sim, HBG_DIAGNOSTIC_INTEGRATION, (HbgSpan){0, 0});
  return hbg_report_stop(sim,
                         "the integration does not come forward: %lld steps, and %lld looks at guards, from t = "
                         "%.9g s to t = %.9g s\n  help: what happens there is much faster than the run is long; look for a "
                         "quantity that is far too large or too small, slow it down, or shorten the run (--stop) or the "
                         "time between two rows (--interval), for which the steps are counted",
                         (long long)budget->steps, (long long)budget->samples, budget->begin, sim->time);
}
