/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/who_reads.h"

const HbgReaders *hbg_who_reads(HbgSim *sim) {
  if (sim->who_reads) return sim->who_reads;
  HbgReaders *readers = ARENA_NEW(sim->arena, HbgReaders, 1);
  *readers = hbg_readers(sim->model, &sim->guards, &sim->laws, &sim->discrete, sim->durations, sim->arena, &sim->scratch);
  return sim->who_reads = readers;
}

const HbgValueReaders *hbg_who_reads_values(HbgSim *sim) {
  if (sim->who_reads_values) return sim->who_reads_values;
  const int32_t first = sim->first_integrator, count = sim->model->state_count - first;
  HbgExpr *inputs = ARENA_NEW(sim->arena, HbgExpr, count);
  for (int32_t at = 0; at < count; at++) inputs[at] = sim->model->states[first + at].input;
  HbgValueReaders *readers = ARENA_NEW(sim->arena, HbgValueReaders, 1);
  *readers = hbg_readers_of_values(sim->model, &sim->laws, inputs, count, first, sim->arena, &sim->scratch);
  return sim->who_reads_values = readers;
}
