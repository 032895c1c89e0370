/* SPDX-License-Identifier: BSD-3-Clause
 * Turning a program into the steps of a batch: which numbers are common to all instances, which lie where they are needed,
 * and which temporary place each of the others has for as long as it is read. */
#include "equations/batch.h"

#include <assert.h>

/* What is known of a register while steps are made. */
typedef struct RegisterNote {
  HbgOperand at;       /* where it lies, once `is_known` */
  HbgOperand from;     /* of an input that must be loaded first: where instance 0 has it */
  const int32_t *list; /* NULL: `stride` apart */
  int32_t stride;
  int32_t last_use;    /* the last instruction that reads it; -1: none */
  bool is_known, must_load;
  bool is_still;       /* it stays from call to call */
} RegisterNote;

struct HbgBatchWork {
  RegisterNote *notes;  /* (register_count) */
  int32_t *free; int32_t free_count; /* temporary places (register_count) */
};

HbgBatch hbg_batch(HbgArena *arena, const HbgProgram *program, int32_t end) {
  HbgBatch batch = {.arena = arena, .program = program, .end = end, .work = ARENA_NEW(arena, struct HbgBatchWork, 1)};
  batch.work->notes = ARENA_NEW(arena, RegisterNote, program->register_count);
  batch.work->free = ARENA_NEW(arena, int32_t, program->register_count);
  hbg_batch_choose_loops(&batch);
  return batch;
}

/* ---- what is set ---- */

static RegisterNote *note_of(HbgBatch *batch, int32_t target) { return &batch->work->notes[target]; }

static HbgOperand new_uniform(HbgBatch *batch, double value) {
  ARENA_PUSH(batch->arena, batch->uniform, batch->uniform_count, batch->uniform_capacity) = value;
  return (HbgOperand){HBG_PLACE_UNIFORM, batch->uniform_count - 1};
}

static HbgOperand new_column(HbgBatch *batch) {
  const int32_t used = batch->column_count * batch->stride, needed = used + batch->stride;
  if (needed > batch->column_capacity) {
    batch->columns = hbg_arena_enlarge(batch->arena, batch->columns, used, 2 * needed, sizeof *batch->columns);
    batch->column_capacity = 2 * needed;
  }
  batch->column_count++;
  return (HbgOperand){HBG_PLACE_COLUMN, used};
}

static void settle(HbgBatch *batch, int32_t target, HbgOperand at) {
  note_of(batch, target)->at = at;
  note_of(batch, target)->is_known = true;
}

static void settle_for_good(HbgBatch *batch, int32_t target, HbgOperand at) {
  settle(batch, target, at);
  note_of(batch, target)->is_still = true;
}

/* Every register is used by somebody, as far as is known. */
static void begin(HbgBatch *batch, int32_t count, int32_t room) {
  const HbgProgram *program = batch->program;
  batch->count = count;
  batch->stride = room;
  batch->step_count = batch->common_count = batch->shared_count = batch->uniform_count = batch->column_count = 0;
  batch->output_count = batch->temporary_count = batch->work->free_count = batch->still_count = batch->still_from = 0;
  batch->time_slot = -1;
  batch->code = NULL;
  for (int32_t at = 0; at < program->register_count; at++) batch->work->notes[at] = (RegisterNote){.last_use = -1};
  new_uniform(batch, 0); // what instructions with fewer arguments have instead
  for (int32_t at = 0; at < program->constant_count; at++)
    settle_for_good(batch, program->constants[at].target, new_uniform(batch, program->constants[at].value));
}

void hbg_batch_begin(HbgBatch *batch, int32_t count) {
  batch->is_loose = false;
  begin(batch, count, count);
}

void hbg_batch_begin_loose(HbgBatch *batch, int32_t count, int32_t room) {
  batch->is_loose = true;
  begin(batch, count, room);
}

void hbg_batch_set_time(HbgBatch *batch, int32_t target) {
  if (batch->time_slot < 0) batch->time_slot = new_uniform(batch, 0).offset;
  settle(batch, target, (HbgOperand){HBG_PLACE_UNIFORM, batch->time_slot});
}

void hbg_batch_set_values(HbgBatch *batch, int32_t target, const double *values) {
  bool same = true;
  for (int32_t at = 1; at < batch->count && same; at++) same = memcmp(&values[at], &values[0], sizeof *values) == 0;
  if (same) {
    settle_for_good(batch, target, new_uniform(batch, values[0]));
    return;
  }
  const HbgOperand column = new_column(batch);
  memcpy(&batch->columns[column.offset], values, (size_t)batch->count * sizeof *values);
  settle_for_good(batch, target, column);
}

/* How far apart elements are that lie evenly; false where they do not, or need not for long. */
static bool find_stride(const HbgBatch *batch, const int32_t *indices, int32_t *stride) {
  *stride = batch->count > 1 ? indices[1] - indices[0] : 1;
  if (batch->is_loose && *stride) return false;
  for (int32_t at = 2; at < batch->count; at++)
    if (indices[at] - indices[at - 1] != *stride) return false;
  return true;
}

void hbg_batch_set_indices(HbgBatch *batch, int32_t target, HbgPlace place, const int32_t *indices) {
  RegisterNote *note = note_of(batch, target);
  const HbgOperand first = {(int32_t)place, indices[0]};
  const bool is_even = find_stride(batch, indices, &note->stride);
  if (is_even && note->stride == 1) {
    settle(batch, target, first);
  } else if (is_even && note->stride == 0) {
    const HbgOperand uniform = new_uniform(batch, 0);
    ARENA_PUSH(batch->arena, batch->shared, batch->shared_count, batch->shared_capacity) = (HbgBatchShared){uniform.offset, first};
    settle(batch, target, uniform);
  } else {
    note->must_load = true;
    note->from = first;
    note->list = is_even ? NULL : indices;
  }
}

void hbg_batch_add_output(HbgBatch *batch, int32_t source, HbgPlace place, const int32_t *indices) {
  HbgBatchOutput output = {.source = source, .at = {(int32_t)place, indices[0]}};
  if (!find_stride(batch, indices, &output.stride)) output.list = indices;
  ARENA_PUSH(batch->arena, batch->outputs, batch->output_count, batch->output_capacity) = output;
}

/* ---- temporary places ---- */

static HbgOperand take_temporary(HbgBatch *batch) {
  struct HbgBatchWork *work = batch->work;
  const int32_t which = work->free_count ? work->free[--work->free_count] : batch->temporary_count++;
  return (HbgOperand){HBG_PLACE_TEMPORARY, which * HBG_BATCH_ROOM};
}

static void release(HbgBatch *batch, int32_t source, int32_t instruction) {
  RegisterNote *note = note_of(batch, source);
  if (note->last_use != instruction || !note->is_known || note->at.place != HBG_PLACE_TEMPORARY) return;
  batch->work->free[batch->work->free_count++] = note->at.offset / HBG_BATCH_ROOM;
  note->is_known = false; // released once
}

static HbgBatchStep *new_step(HbgBatch *batch) {
  HbgBatchStep *step = &ARENA_PUSH(batch->arena, batch->steps, batch->step_count, batch->step_capacity);
  *step = (HbgBatchStep){.a = {HBG_PLACE_UNIFORM, 0}, .b = {HBG_PLACE_UNIFORM, 0}, .c = {HBG_PLACE_UNIFORM, 0}};
  return step;
}

/* Where a register can be read by the next step. */
static HbgOperand read_register(HbgBatch *batch, int32_t source) {
  RegisterNote *note = note_of(batch, source);
  if (note->is_known) return note->at;
  assert(note->must_load);
  HbgBatchStep *step = new_step(batch);
  step->op = note->list ? HBG_BATCH_LOAD : HBG_BATCH_LOAD_STRIDED;
  step->target = take_temporary(batch);
  step->a = note->from;
  if (note->list) step->list = note->list;
  else step->stride = note->stride;
  settle(batch, source, step->target);
  return step->target;
}

/* ---- instructions ---- */

static int32_t argument_count(const HbgInstruction *instruction) {
  return hbg_operation_info[instruction->op].arguments;
}

/* The registers an instruction reads; answers how many. */
static int32_t list_arguments(const HbgInstruction *instruction, int32_t arguments[3]) {
  arguments[0] = instruction->a;
  arguments[1] = instruction->b;
  arguments[2] = instruction->c;
  if (hbg_operation_has_table((HbgOperation)instruction->op)) arguments[1] = hbg_instruction_look_up(instruction)->b;
  return argument_count(instruction);
}

/* What nothing needs is not computed. */
static void note_uses(HbgBatch *batch) {
  enum { TO_THE_END = INT32_MAX };
  for (int32_t at = 0; at < batch->output_count; at++) note_of(batch, batch->outputs[at].source)->last_use = TO_THE_END;
  for (int32_t at = batch->end - 1; at >= 0; at--) {
    const HbgInstruction *instruction = &batch->program->main[at];
    int32_t arguments[3];
    if (note_of(batch, instruction->target)->last_use < 0) continue;
    const int32_t count = list_arguments(instruction, arguments);
    for (int32_t which = 0; which < count; which++)
      if (note_of(batch, arguments[which])->last_use < at) note_of(batch, arguments[which])->last_use = at;
  }
}

/* The next output of consecutive elements that a register goes into can be computed in its place. */
static bool find_direct(HbgBatch *batch, int32_t source, HbgOperand *at) {
  if (note_of(batch, source)->last_use < INT32_MAX) return false;
  for (int32_t which = 0; which < batch->output_count; which++) {
    HbgBatchOutput *output = &batch->outputs[which];
    if (output->source != source || output->is_done || output->list || output->stride != 1) continue;
    output->is_done = true;
    *at = output->at;
    return true;
  }
  return false;
}

static bool is_common(const HbgOperand operands[3]) {
  for (int which = 0; which < 3; which++)
    if (operands[which].place != HBG_PLACE_UNIFORM) return false;
  return true;
}

static void fill_step(HbgBatchStep *step, const HbgInstruction *instruction, HbgOperand target, const HbgOperand operands[3]) {
  *step = (HbgBatchStep){.op = instruction->op, .target = target, .a = operands[0], .b = operands[1], .c = operands[2]};
  if (hbg_operation_has_table((HbgOperation)instruction->op)) step->look_up = hbg_instruction_look_up(instruction);
}

static void add_instruction(HbgBatch *batch, int32_t at) {
  const HbgInstruction *instruction = &batch->program->main[at];
  if (note_of(batch, instruction->target)->last_use < 0) return;
  int32_t arguments[3];
  HbgOperand operands[3] = {{HBG_PLACE_UNIFORM, 0}, {HBG_PLACE_UNIFORM, 0}, {HBG_PLACE_UNIFORM, 0}};
  const int32_t count = list_arguments(instruction, arguments);
  for (int32_t which = 0; which < count; which++) operands[which] = read_register(batch, arguments[which]);
  if (is_common(operands)) {
    const HbgOperand target = new_uniform(batch, 0);
    fill_step(&ARENA_PUSH(batch->arena, batch->common, batch->common_count, batch->common_capacity), instruction, target, operands);
    settle(batch, instruction->target, target);
    return;
  }
  // a target may take the place of an argument: elements are independent of each other
  for (int32_t which = 0; which < count; which++) release(batch, arguments[which], at);
  HbgOperand target;
  if (!find_direct(batch, instruction->target, &target)) target = take_temporary(batch);
  fill_step(new_step(batch), instruction, target, operands);
  settle(batch, instruction->target, target);
}

/* What is delivered stays where it is put. */
static HbgBatchStep *new_store(HbgBatch *batch, const HbgBatchOutput *output) {
  if (!note_of(batch, output->source)->is_still || output->at.place != HBG_PLACE_DELIVERED) return new_step(batch);
  HbgBatchStep *step = &ARENA_PUSH(batch->arena, batch->still, batch->still_count, batch->still_capacity);
  *step = (HbgBatchStep){.a = {HBG_PLACE_UNIFORM, 0}, .b = {HBG_PLACE_UNIFORM, 0}, .c = {HBG_PLACE_UNIFORM, 0}};
  return step;
}

static void add_store(HbgBatch *batch, const HbgBatchOutput *output) {
  const HbgOperand source = read_register(batch, output->source);
  HbgBatchStep *step = new_store(batch, output);
  step->op = output->list ? HBG_BATCH_STORE : HBG_BATCH_STORE_STRIDED;
  step->target = output->at;
  step->a = source;
  if (output->list) step->list = output->list;
  else step->stride = output->stride;
}

/* The steps have been done; for instances to come they are done again. */
static void keep_prepared(HbgBatch *batch) {
  HbgBatchStep *steps = batch->steps;
  const int32_t capacity = batch->step_capacity;
  batch->steps = batch->prepared;
  batch->step_capacity = batch->prepared_capacity;
  batch->prepared = steps;
  batch->prepared_capacity = capacity;
  batch->prepared_count = batch->step_count;
  batch->step_count = 0;
}

/* What follows from values that were set is computed at once. */
static void prepare(HbgBatch *batch) {
  const HbgProgram *program = batch->program;
  for (int32_t at = 0; at < program->prepare_count; at++) {
    const HbgInstruction *instruction = &program->prepare[at];
    int32_t arguments[3];
    HbgOperand operands[3] = {{HBG_PLACE_UNIFORM, 0}, {HBG_PLACE_UNIFORM, 0}, {HBG_PLACE_UNIFORM, 0}};
    const int32_t count = list_arguments(instruction, arguments);
    for (int32_t which = 0; which < count; which++) operands[which] = note_of(batch, arguments[which])->at;
    const bool common = is_common(operands);
    const HbgOperand target = common ? new_uniform(batch, 0) : new_column(batch);
    HbgBatchStep *step = common ? &ARENA_PUSH(batch->arena, batch->common, batch->common_count, batch->common_capacity)
                                : new_step(batch);
    fill_step(step, instruction, target, operands);
    settle_for_good(batch, instruction->target, target);
  }
  double *place[HBG_PLACE_COUNT] = {0};
  hbg_batch_run(batch, 0, place);
  keep_prepared(batch);
  batch->common_count = 0;
}

void hbg_batch_compile(HbgBatch *batch) {
  int32_t shared_count = batch->shared_count;
  batch->shared_count = 0; // the caller's arrays are not at hand
  prepare(batch);
  batch->shared_count = shared_count;
  note_uses(batch);
  for (int32_t at = 0; at < batch->end; at++) add_instruction(batch, at);
  for (int32_t at = 0; at < batch->output_count; at++)
    if (!batch->outputs[at].is_done) add_store(batch, &batch->outputs[at]);
}

int32_t hbg_batch_room(const HbgBatch *batch) { return batch->temporary_count * HBG_BATCH_ROOM; }

/* ---- instances that come and go ---- */

void hbg_batch_take_out(HbgBatch *batch, int32_t instance) {
  const int32_t last = --batch->count;
  if (last >= batch->still_from && instance < batch->still_from) batch->still_from = instance;
  if (batch->still_from > batch->count) batch->still_from = batch->count;
  for (int32_t column = 0; column < batch->column_count; column++) {
    double *values = &batch->columns[(ptrdiff_t)column * batch->stride];
    values[instance] = values[last];
  }
}

void hbg_batch_put_in(HbgBatch *batch) {
  assert(batch->is_loose && batch->count < batch->stride);
  batch->count++;
}

bool hbg_batch_put_value(HbgBatch *batch, int32_t target, double value) {
  const HbgOperand at = note_of(batch, target)->at;
  if (at.place == HBG_PLACE_UNIFORM) return memcmp(&batch->uniform[at.offset], &value, sizeof value) == 0;
  batch->columns[at.offset + batch->count - 1] = value;
  return true;
}

void hbg_batch_prepare_last(HbgBatch *batch) {
  HbgBatch one = *batch;
  one.steps = batch->prepared;
  one.step_count = batch->prepared_count;
  double *place[HBG_PLACE_COUNT] = {[HBG_PLACE_UNIFORM] = batch->uniform, [HBG_PLACE_COLUMN] = batch->columns};
  batch->run_stretch(&one, place, batch->count - 1, 1);
}

void hbg_batch_run_still(HbgBatch *batch, double *place[HBG_PLACE_COUNT]) {
  if (!batch->still_count || batch->still_from >= batch->count) return;
  HbgBatch still = *batch;
  still.steps = batch->still;
  still.step_count = batch->still_count;
  place[HBG_PLACE_UNIFORM] = batch->uniform;
  place[HBG_PLACE_COLUMN] = batch->columns;
  for (int32_t from = batch->still_from; from < batch->count; from += HBG_BATCH_STRETCH)
    batch->run_stretch(&still, place, from, batch->count - from < HBG_BATCH_STRETCH ? batch->count - from : HBG_BATCH_STRETCH);
  batch->still_from = batch->count;
}

bool hbg_batch_is_shared(const HbgBatch *batch, int32_t target) {
  return batch->work->notes[target].at.place == HBG_PLACE_UNIFORM;
}
