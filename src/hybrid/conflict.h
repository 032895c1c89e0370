/* SPDX-License-Identifier: BSD-3-Clause
 * Sources that fight each other (semantics 4): a mode without finite values, and which way the currents grow in it.
 *
 * Let V0 be the areas Z that a mode admits and no storage feels, S Z = 0, and c(Z) = sum u_j Q_j(Z) the work that sources do on them.
 * Where c is not nothing the jump has no minimum: the areas grow without end, along the Z in V0 for which c(Z) - |Z|^2/2 is largest. That is
 * the limit of small resistances on the way. Such a mode is an inference at best: guards read what grows as infinite, by its sign (semantics 5),
 * and lead out of it.
 *
 * Where c is nothing and its rate of change is not, sources agree at this moment and not behind it, as two phases do when one takes over from
 * the other: what they share is open, and the areas that begin to grow, by that rate, tell guards what comes of it. */
#ifndef HYBRID_CONFLICT_H
#define HYBRID_CONFLICT_H

#include "equations/imposed.h"
#include "hybrid/island_run.h"

/* An island in conflict as it follows what its sources impose, as long as it does not grow another way. */
typedef struct HbgConflictLines {
  const HbgImposed *sources;
  const double *registers; /* of sources->program, executed                                                     */
  int32_t loop_count;      /* meaning                                                    shape                  */
  double *work;            /* of each loop for what each source imposes                  (loop_count, sources)  */
  uint8_t *is_work;        /* ... is it more than round-off now                          (loop_count)           */
  double *area;            /* of each variable likewise, along the way on which it grows (variable_count, sources) */
  uint8_t *grows;          /* ... does it now                                            (variable_count)       */
  double amount;           /* that makes these areas without end                                                */
} HbgConflictLines;

/* No state is consistent with the mode. Is that since sources fight each other? Then it is noted. */
bool hbg_conflict_take(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now, const HbgValues *before);
/* Behind the finite values of an island, which `run` holds: writes what grows without end, or begins to, into now->area. */
void hbg_conflict_write(HbgIslandSolver *solver, HbgIsland *island, HbgEquationsRun *run, HbgValues *now, const HbgValues *before);

/* That of an island in conflict, in scratch memory; false where it has none, or other variables may come to grow. */
bool hbg_conflict_lines(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now, const HbgValues *before, HbgConflictLines *out);

#endif
