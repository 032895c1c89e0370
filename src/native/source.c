/* SPDX-License-Identifier: BSD-3-Clause */
#include "native/source.h"

#include "base/text.h"

typedef struct Writer {
  HbgText text;
  const HbgBatch *batch;
  int32_t *writer; /* per temporary place: the step that wrote it last */
} Writer;

/* The beginning of every text: what stands in equations/batch.h, and the operations that a compiler has instructions for. */
static const char prologue[] =
    "typedef double F1(double);\n"
    "typedef double F2(double, double);\n"
    "typedef double Look(int, const void *, double, double);\n"
    "struct H { F1 *const *one; F2 *const *two; Look *look; };\n"
    "struct S { int op, t[2], a[2], b[2], c[2]; union { const int *list; const void *call; int stride; } x; };\n"
    "#ifdef __TINYC__\n"
    "#define FABS(x) h->one[%d](x)\n#define SQRT(x) h->one[%d](x)\n#define FLOOR(x) h->one[%d](x)\n#define CEIL(x) h->one[%d](x)\n"
    "#else\n"
    "#define FABS(x) __builtin_fabs(x)\n#define SQRT(x) __builtin_sqrt(x)\n#define FLOOR(x) __builtin_floor(x)\n"
    "#define CEIL(x) __builtin_ceil(x)\n"
    "#endif\n"
    "void " HBG_NATIVE_NAME "(int from, int to, double *const *p, const struct S *s, const struct H *h) {\n";

static bool is_load(const HbgBatchStep *step) { return step->op == HBG_BATCH_LOAD || step->op == HBG_BATCH_LOAD_STRIDED; }
static bool is_store(const HbgBatchStep *step) { return step->op == HBG_BATCH_STORE || step->op == HBG_BATCH_STORE_STRIDED; }

static int argument_count(const HbgBatchStep *step) {
  return is_load(step) || is_store(step) ? 1 : hbg_operation_info[step->op].arguments;
}

static HbgOperand argument(const HbgBatchStep *step, int which) { return which == 0 ? step->a : which == 1 ? step->b : step->c; }

int32_t hbg_native_writer(const HbgBatch *batch, int32_t at, HbgOperand operand) {
  if (operand.place < HBG_PLACE_RATE) return -1;
  for (int32_t step = at - 1; step >= 0; step--) {
    const HbgBatchStep *other = &batch->steps[step];
    if (!is_store(other) && other->target.place == operand.place && other->target.offset == operand.offset) return step;
  }
  return -1;
}

static int32_t writer_of(const Writer *self, int32_t at, HbgOperand operand) {
  if (operand.place == HBG_PLACE_TEMPORARY) return self->writer[operand.offset / HBG_BATCH_ROOM];
  return hbg_native_writer(self->batch, at, operand);
}

/* Where it all lies, before the loop. */
static void declare(Writer *self, int32_t at) {
  const HbgBatchStep *step = &self->batch->steps[at];
  for (int which = 0; which < argument_count(step); which++) {
    const HbgOperand operand = argument(step, which);
    const char letter = "abc"[which];
    if (operand.place == HBG_PLACE_TEMPORARY) continue;
    if (is_load(step)) {
      hbg_text_add(&self->text, "  const double *a%d = p[%d]", at, operand.place);
      if (step->op == HBG_BATCH_LOAD) hbg_text_add(&self->text, "; const int *l%d = s[%d].x.list;\n", at, at);
      else hbg_text_add(&self->text, " + s[%d].a[1];\n", at);
    } else if (operand.place == HBG_PLACE_UNIFORM) {
      hbg_text_add(&self->text, "  const double %c%d = p[%d][s[%d].%c[1]];\n", letter, at, operand.place, at, letter);
    } else {
      hbg_text_add(&self->text, "  const double *%c%d = p[%d] + s[%d].%c[1];\n", letter, at, operand.place, at, letter);
    }
  }
  if (step->target.place == HBG_PLACE_TEMPORARY) return;
  hbg_text_add(&self->text, "  double *restrict t%d = p[%d]", at, step->target.place);
  if (step->op == HBG_BATCH_STORE) hbg_text_add(&self->text, "; const int *l%d = s[%d].x.list;\n", at, at);
  else hbg_text_add(&self->text, " + s[%d].t[1];\n", at);
}

static const char *argument_text(Writer *self, int32_t at, int which) {
  const HbgOperand operand = argument(&self->batch->steps[at], which);
  const int32_t writer = writer_of(self, at, operand);
  HbgArena *arena = self->text.arena;
  if (writer >= 0) return hbg_print(arena, "v%d", writer);
  return hbg_print(arena, operand.place == HBG_PLACE_UNIFORM ? "%c%d" : "%c%d[i]", "abc"[which], at);
}

static void write_operation(Writer *self, int32_t at) {
  const HbgOperation op = (HbgOperation)self->batch->steps[at].op;
  const int count = hbg_operation_info[op].arguments;
  const char *a = argument_text(self, at, 0), *b = count > 1 ? argument_text(self, at, 1) : "0",
             *c = count > 2 ? argument_text(self, at, 2) : "0";
  HbgText *text = &self->text;
  hbg_text_add(text, "    const double v%d = ", at);
  switch (op) {
    case HBG_OP_ADD: hbg_text_add(text, "%s + %s", a, b); break;
    case HBG_OP_SUB: hbg_text_add(text, "%s - %s", a, b); break;
    case HBG_OP_MUL: hbg_text_add(text, "%s * %s", a, b); break;
    case HBG_OP_DIV: hbg_text_add(text, "%s / %s", a, b); break;
    case HBG_OP_NEG: hbg_text_add(text, "-%s", a); break;
    case HBG_OP_PRE:
    case HBG_OP_FINITE: hbg_text_add(text, "%s", a); break;
    case HBG_OP_IMPULSE: hbg_text_add(text, "0"); break;
    case HBG_OP_ABS: hbg_text_add(text, "FABS(%s)", a); break;
    case HBG_OP_SQRT: hbg_text_add(text, "SQRT(%s)", a); break;
    case HBG_OP_FLOOR: hbg_text_add(text, "FLOOR(%s)", a); break;
    case HBG_OP_CEIL: hbg_text_add(text, "CEIL(%s)", a); break;
    case HBG_OP_MOD: hbg_text_add(text, "%s - %s * FLOOR(%s / %s)", a, b, a, b); break;
    case HBG_OP_SIGN: hbg_text_add(text, "(double)((%s > 0) - (%s < 0))", a, a); break;
    case HBG_OP_MIN: hbg_text_add(text, "%s < %s ? %s : %s", a, b, a, b); break;
    case HBG_OP_MAX: hbg_text_add(text, "%s > %s ? %s : %s", a, b, a, b); break;
    case HBG_OP_LESS: hbg_text_add(text, "%s < %s ? 1.0 : 0.0", a, b); break;
    case HBG_OP_LESS_EQUAL: hbg_text_add(text, "%s <= %s ? 1.0 : 0.0", a, b); break;
    case HBG_OP_GREATER_EQUAL: hbg_text_add(text, "%s >= %s ? 1.0 : 0.0", a, b); break;
    case HBG_OP_GREATER: hbg_text_add(text, "%s > %s ? 1.0 : 0.0", a, b); break;
    case HBG_OP_EQUAL: hbg_text_add(text, "%s >= %s && %s <= %s ? 1.0 : 0.0", a, b, a, b); break;
    case HBG_OP_AND: hbg_text_add(text, "%s > 0.5 && %s > 0.5 ? 1.0 : 0.0", a, b); break;
    case HBG_OP_OR: hbg_text_add(text, "%s > 0.5 || %s > 0.5 ? 1.0 : 0.0", a, b); break;
    case HBG_OP_NOT: hbg_text_add(text, "%s > 0.5 ? 0.0 : 1.0", a); break;
    case HBG_OP_SELECT: hbg_text_add(text, "%s > 0.5 ? %s : %s", a, b, c); break;
    case HBG_OP_TABLE:
    case HBG_OP_MAP:
    case HBG_OP_COURSE: hbg_text_add(text, "h->look(%d, s[%d].x.call, %s, %s)", (int)op, at, a, b); break;
    default: // the functions of the table
      if (count == 1) hbg_text_add(text, "h->one[%d](%s)", (int)op, a);
      else hbg_text_add(text, "h->two[%d](%s, %s)", (int)op, a, b);
  }
  hbg_text_add(text, ";\n");
}

static void write_step(Writer *self, int32_t at) {
  const HbgBatchStep *step = &self->batch->steps[at];
  HbgText *text = &self->text;
  switch (step->op) {
    case HBG_BATCH_LOAD: hbg_text_add(text, "    const double v%d = a%d[l%d[i]];\n", at, at, at); break;
    case HBG_BATCH_LOAD_STRIDED: hbg_text_add(text, "    const double v%d = a%d[(long)i * %d];\n", at, at, step->stride); break;
    case HBG_BATCH_STORE: hbg_text_add(text, "    t%d[l%d[i]] = %s;\n", at, at, argument_text(self, at, 0)); break;
    case HBG_BATCH_STORE_STRIDED:
      hbg_text_add(text, "    t%d[(long)i * %d] = %s;\n", at, step->stride, argument_text(self, at, 0));
      break;
    default: write_operation(self, at);
  }
  if (step->target.place == HBG_PLACE_TEMPORARY) self->writer[step->target.offset / HBG_BATCH_ROOM] = at;
  else if (!is_store(step)) hbg_text_add(text, "    t%d[i] = v%d;\n", at, at);
}

const char *hbg_native_source(const HbgBatch *batch, HbgArena *arena) {
  Writer self = {.text = hbg_text(arena), .batch = batch, .writer = ARENA_NEW(arena, int32_t, batch->temporary_count)};
  hbg_text_add(&self.text, prologue, HBG_OP_ABS, HBG_OP_SQRT, HBG_OP_FLOOR, HBG_OP_CEIL);
  for (int32_t at = 0; at < batch->step_count; at++) declare(&self, at);
  hbg_text_add(&self.text, "  for (int i = from; i < to; i++) {\n");
  for (int32_t at = 0; at < batch->step_count; at++) write_step(&self, at);
  hbg_text_add(&self.text, "  }\n}\n");
  return self.text.bytes;
}
