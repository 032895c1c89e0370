/* SPDX-License-Identifier: BSD-3-Clause
 * Which compiler is worth its time for which equations. */
#include "compile.h"

#include <stdint.h>
#include <string.h>

#include "code_folder.h"

/* What is known of one text. */
typedef struct Unit {
  const char *source;
  TccUnit *tcc;
  CcUnit *cc;
  bool tcc_failed, cc_failed;
} Unit;

struct Compiler {
  Cli *cli;
  CompilePolicy policy;
  CodeFolder *folder; /* made when first needed */
  bool is_sought, has_cc, is_told; /* whether there is a system's compiler is looked up when first needed */
  Unit *units; int32_t count, capacity;
};

static bool has_cc(Compiler *self) {
  if (!self->is_sought) self->has_cc = cli_cc_find(self->cli);
  self->is_sought = true;
  return self->has_cc;
}

Compiler *cli_compiler(Cli *cli) {
  const CompilePolicy policy = (CompilePolicy)cli->options.compile;
  if (policy == COMPILE_OFF) return NULL;
  Compiler *self = CLI_NEW(cli, Compiler, 1);
  self->cli = cli;
  self->policy = policy;
  if (policy == COMPILE_CC && !has_cc(self)) cli_warn(cli, "there is no compiler 'cc' here; byte code does all");
  if (policy == COMPILE_TCC && !cli_tcc_is_there()) cli_warn(cli, "this program was built without libtcc; byte code does all");
  return self;
}

static Unit *unit_for(Compiler *self, const char *source) {
  for (int32_t at = 0; at < self->count; at++)
    if (strcmp(self->units[at].source, source) == 0) return &self->units[at];
  Unit *unit = &CLI_PUSH(self->cli, self->units, self->count, self->capacity);
  *unit = (Unit){.source = cli_text(self->cli, source, strlen(source))};
  return unit;
}

/* Loops over more instances are quicker as byte code in vectors (docs/decisions/0035). */
enum { FEW = 8 };

/* It takes some 0.2 ms, and 2 us a line. */
static bool tcc_pays(const Compiler *self, const HbgCompileRequest *request) {
  if (self->policy != COMPILE_AUTOMATIC) return self->policy == COMPILE_TCC;
  return request->instances < FEW && request->operations >= 2000000 + 10000 * (int64_t)request->lines;
}

/* It takes some 40 ms, and 1 ms a line, of another processor; loops over many gain little. */
static bool cc_pays(const Compiler *self, const HbgCompileRequest *request) {
  if (self->policy != COMPILE_AUTOMATIC) return self->policy == COMPILE_CC;
  const int64_t long_enough = 300000000 + 5000000 * (int64_t)request->lines;
  return request->operations >= (request->instances < FEW ? long_enough : 30 * long_enough);
}

static HbgCode *try_cc(Compiler *self, Unit *unit) {
  if (!self->folder) self->folder = cli_code_folder(self->cli);
  if (!unit->cc) unit->cc = cli_cc_begin(self->cli, self->folder, unit->source);
  HbgCode *code = cli_cc_code(unit->cc, &unit->cc_failed);
  if (unit->cc_failed && self->policy == COMPILE_CC && !self->is_told) {
    cli_warn(self->cli, "the compiler did not take the equations; byte code does all");
    self->is_told = true;
  }
  return code;
}

static HbgCode *try_tcc(Unit *unit) {
  if (!unit->tcc) unit->tcc = cli_tcc_compile(unit->source);
  unit->tcc_failed = !unit->tcc;
  return unit->tcc ? cli_tcc_code(unit->tcc) : NULL;
}

HbgCode *cli_compile(const HbgCompileRequest *request, void *user) {
  Compiler *self = user;
  const bool wants_cc = cc_pays(self, request) && has_cc(self), wants_tcc = cli_tcc_is_there() && tcc_pays(self, request);
  if (!wants_cc && !wants_tcc) return NULL;
  Unit *unit = unit_for(self, request->source);
  HbgCode *code = wants_cc && !unit->cc_failed ? try_cc(self, unit) : NULL;
  return code || !wants_tcc || unit->tcc_failed ? code : try_tcc(unit);
}

void cli_compiler_close(Compiler *self) {
  if (!self) return;
  for (int32_t at = 0; at < self->count; at++) {
    cli_tcc_free(self->units[at].tcc);
    cli_cc_free(self->units[at].cc);
  }
  cli_code_folder_close(self->folder);
}
