/* SPDX-License-Identifier: BSD-3-Clause
 * One program for many instances at once: instruction by instruction over stretches of instances that stay in the nearest
 * cache, so that decoding an instruction costs a hundredth and its loop is one the compiler vectorises. Every instance gets
 * the very same numbers as by hbg_execute().
 *
 * A batch is made in this order: hbg_batch_begin(), one hbg_batch_set_*() for every input of the program, outputs,
 * hbg_batch_compile(); and again whenever instances, or values that were set, change. One that was begun as a loose batch lets
 * single instances come and go: it reads and writes by lists wherever its instances differ, and these have room for more. */
#ifndef EQUATIONS_BATCH_H
#define EQUATIONS_BATCH_H

#include "base/threads.h"
#include "equations/program.h"

/* Where the numbers of a register lie. */
typedef enum HbgPlace {
  HBG_PLACE_TEMPORARY, /* of the stretch at hand */
  HBG_PLACE_UNIFORM,   /* one for all instances */
  HBG_PLACE_COLUMN,    /* one per instance, which stays from call to call */
  HBG_PLACE_STATE,     /* arrays of the caller: read */
  HBG_PLACE_RATE,      /* written */
  HBG_PLACE_VARIABLE,  /* written, or read */
  HBG_PLACE_DELIVERED, /* written, or read */
  HBG_PLACE_COUNT
} HbgPlace;

/* Instance i has element [offset + i] of its place; of a UNIFORM all have [offset], of a TEMPORARY i counts from the beginning
 * of the stretch. */
typedef struct HbgOperand {
  int32_t place; /* HbgPlace */
  int32_t offset;
} HbgOperand;

/* What a step can be besides an HbgOperation. */
enum {
  HBG_BATCH_LOAD = HBG_OP_COUNT, /* target[i] = a's place[list[i]] */
  HBG_BATCH_LOAD_STRIDED,        /* target[i] = a[stride * i] */
  HBG_BATCH_STORE,               /* target's place[list[i]] = a[i] */
  HBG_BATCH_STORE_STRIDED        /* target[stride * i] = a[i] */
};

typedef struct HbgBatchStep {
  int32_t op;
  HbgOperand target, a, b, c;
  union {
    const int32_t *list;          /* per instance, of LOAD and STORE */
    int32_t stride;               /* of the STRIDED ones */
    const HbgLookUpCall *look_up; /* of operations on tables */
  };
} HbgBatchStep;

/* What machine code made of the steps of a batch needs: tables by HbgOperation, NULL where it is not called. */
typedef struct HbgBatchFunctions {
  double (*const *one)(double);
  double (*const *two)(double, double);
  double (*look_up)(int op, const HbgLookUpCall *call, double a, double b);
} HbgBatchFunctions;

/* Machine code for instances [from, to): in place of the steps (native/source.h). */
typedef void HbgBatchCode(int32_t from, int32_t to, double *const *place, const HbgBatchStep *steps,
                          const HbgBatchFunctions *functions);

/* What all instances have in common, and the caller's arrays hold: copied before anything else. */
typedef struct HbgBatchShared {
  int32_t target; /* in the uniform numbers */
  HbgOperand from;
} HbgBatchShared;

typedef struct HbgBatchOutput {
  int32_t source; /* register */
  HbgOperand at;  /* place, and offset of the first instance */
  const int32_t *list; /* NULL: `stride` apart */
  int32_t stride;
  bool is_done;
} HbgBatchOutput;

typedef struct HbgBatch {
  HbgArena *arena;
  const HbgProgram *program;
  int32_t end;                /* of the instructions in `main` */
  int32_t count;              /* instances */
  bool is_loose;
  HbgBatchStep *steps;  int32_t step_count, step_capacity;
  HbgBatchStep *prepared; int32_t prepared_count, prepared_capacity; /* on columns, done once for each instance */
  HbgBatchStep *still; int32_t still_count, still_capacity; /* what delivers numbers that stay, once for each instance ... */
  int32_t still_from;         /* ... and from this one on it has yet to be done */
  HbgBatchStep *common; int32_t common_count, common_capacity; /* on uniform numbers, once for all */
  HbgBatchShared *shared; int32_t shared_count, shared_capacity;
  double *uniform; int32_t uniform_count, uniform_capacity;
  int32_t time_slot;          /* in `uniform`, -1 */
  double *columns; int32_t column_count, column_capacity; /* each of `stride` numbers */
  int32_t stride;
  int32_t temporary_count;
  HbgBatchOutput *outputs; int32_t output_count, output_capacity;
  struct HbgBatchWork *work;  /* while it is made */
  HbgThreads *threads;        /* that share the instances where there are many; NULL: none */
  HbgBatchCode *code;         /* instead of the steps; forgotten when it is compiled again. NULL: none */
  void (*run_stretch)(const struct HbgBatch *batch, double *const *place, int32_t from, int32_t count); /* for this processor */
} HbgBatch;

/* Most instances of a stretch, and the numbers from one temporary place to the next: no power of two, by which all would want the
 * same lines of the cache. */
enum { HBG_BATCH_STRETCH = 512, HBG_BATCH_ROOM = HBG_BATCH_STRETCH + 8 };

/* A batch of instructions [0, end) of `program`. */
HbgBatch hbg_batch(HbgArena *arena, const HbgProgram *program, int32_t end);
/* Forgets what was set before; `count` instances follow. */
void hbg_batch_begin(HbgBatch *batch, int32_t count);
/* The same for a loose batch of up to `room` instances. */
void hbg_batch_begin_loose(HbgBatch *batch, int32_t count, int32_t room);
/* The register holds the time. */
void hbg_batch_set_time(HbgBatch *batch, int32_t target);
/* The register holds values[i] (count), which stay until the next hbg_batch_begin(). Copied. */
void hbg_batch_set_values(HbgBatch *batch, int32_t target, const double *values);
/* The register holds element indices[i] (count) of `place` (STATE, VARIABLE or DELIVERED). The list must live until the next begin. */
void hbg_batch_set_indices(HbgBatch *batch, int32_t target, HbgPlace place, const int32_t *indices);
/* The register is to be written to element indices[i] of `place` (RATE, VARIABLE or DELIVERED), whose list must live as long. */
void hbg_batch_add_output(HbgBatch *batch, int32_t source, HbgPlace place, const int32_t *indices);
void hbg_batch_compile(HbgBatch *batch);

/* ---- of a loose batch, once it is compiled: whoever has set lists changes them alike ---- */

/* The last instance takes the place of `instance`. */
void hbg_batch_take_out(HbgBatch *batch, int32_t instance);
/* One more, the last one, for which there is room: its values are put, and then what follows from them is prepared. */
void hbg_batch_put_in(HbgBatch *batch);
/* False where all the others have one value in the register, and `value` is another. */
bool hbg_batch_put_value(HbgBatch *batch, int32_t target, double value);
void hbg_batch_prepare_last(HbgBatch *batch);
/* Have all instances one number in the register? */
bool hbg_batch_is_shared(const HbgBatch *batch, int32_t target);

/* Numbers that hbg_batch_run() needs for temporary values. */
int32_t hbg_batch_room(const HbgBatch *batch);
/* Evaluates all instances at `time` (ignored where nothing reads it). `place`: the caller's arrays STATE, RATE, VARIABLE and DELIVERED, and
 * TEMPORARY of hbg_batch_room() numbers; the others are filled in. */
void hbg_batch_run(const HbgBatch *batch, double time, double *place[HBG_PLACE_COUNT]);
/* Behind that: delivers what stays from call to call, for instances that are new. What is DELIVERED must stay, too. */
void hbg_batch_run_still(HbgBatch *batch, double *place[HBG_PLACE_COUNT]);

/* Those of this program. */
extern const HbgBatchFunctions hbg_batch_functions;

/* ---- batch_run.c ---- */
/* Sets batch->run_stretch to what serves this processor best. */
void hbg_batch_choose_loops(HbgBatch *batch);

#endif
