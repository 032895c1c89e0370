/* SPDX-License-Identifier: BSD-3-Clause
 * The compiled equations of all islands of one structure in one mode. Immutable but for what is compiled when first asked
 * for; kept for as long as the run. */
#ifndef EQUATIONS_ISLAND_H
#define EQUATIONS_ISLAND_H

#include "base/key_table.h"
#include "equations/program.h"
#include "equations/system.h"

/* Rows and columns of a system that belong together: no unknown outside appears in its rows. */
typedef struct HbgGroup {
  int32_t *rows;    int32_t row_count;
  int32_t *columns; int32_t column_count;
  int32_t *entries; int32_t entry_count;
  int32_t *entry_row, *entry_column; /* place of each entry within the group */
  HbgInstruction *code; int32_t code_count, code_capacity; /* of residuals and entries, what follows from its unknowns; NULL: nobody needs to know, or take all */
} HbgGroup;

/* One system with everything that follows from its solution, as byte code:
 *   main [0, residual_end)            residuals and Jacobian entries
 *   main [residual_end, rates_end)    rates of the states and what integrators of signals read
 *   main [rates_end, all_end)         all variables of bonds
 * For JUMP the "rates" are the changes of the states and the variables are areas. */
typedef struct HbgEquations {
  HbgSystem system;
  HbgProgram program;
  int32_t residual_end, rates_end, all_end;
  int32_t *unknown_register;  /* (unknown_count), -1 where nothing reads the unknown */
  int32_t *residual_register; /* (row_count) */
  int32_t *entry_register;    /* (entry_count) */
  int32_t *variable_register; /* (2 bond_count) */
  int32_t *state_register;    /* (state_count) */
  bool entries_are_constant;  /* within a mode */
  const struct HbgSolvedRates *solved_rates; /* solved_rates.h; NULL: nobody has asked */
  const struct HbgChanges *changes; /* of JUMP: what states change by (program_gains.h); NULL: nobody has asked */
  HbgGroup *groups; int32_t group_count;
  const HbgExpr *states, *variables; /* what the registers of both hold */
  HbgUnknown *unknowns; /* of the finite equations (FINITE systems), or of the areas first (JUMP) */
} HbgEquations;

typedef enum HbgEquationsKind {
  HBG_CONTINUOUS_PLAIN,
  HBG_CONTINUOUS_STACKED,
  HBG_INSTANT_PLAIN,
  HBG_INSTANT_STACKED,
  HBG_INSTANT_JUMP,
  HBG_EQUATIONS_KINDS
} HbgEquationsKind;

typedef struct HbgIslandProgram {
  HbgTemplate template;
  HbgStrokes strokes;
  int32_t *torn_first; int32_t torn_count; /* outputs of resistors with chosen causality */
  HbgSorted *finite[2];                    /* [pre is current] */
  HbgSorted *areas;                        /* NULL where no jump asked for them */
  HbgEquations *equations[HBG_EQUATIONS_KINDS];
  const struct HbgLinearisation *linearisation[2]; /* of PLAIN and STACKED ones in continuous time */
  const struct HbgCompression *compression; const HbgEquations *compressed; int32_t compressed_to; /* how forms of `compressed` share so many columns at most, see compression.h */
  const uint8_t *boundary_needs; /* per node, see boundary.h; NULL: not asked for yet */
  const struct HbgImposed *imposed; /* imposed.h; NULL: not asked for yet */
  bool reads_time; /* some law does */
  bool is_active;  /* a source reads an effort or flow: the jump alone does not prove that finite values exist */
  bool is_steady, knows_steady; /* steady.h; and whether somebody has asked */
  bool may_jump; /* the areas have unknowns: storages, sources or junctions were overruled */
  int32_t number;   /* in the order in which programs were met first */
  int32_t batch;    /* where its batch stood in the list of whoever looked for it last */
  int64_t renewals; /* how often scheduled conditions of an island of it changed, or one was entered */
} HbgIslandProgram;

/* All structures met so far. */
typedef struct HbgProgramCache {
  HbgArena *arena;
  HbgKeyTable programs; /* by the key of their template */
} HbgProgramCache;

HbgProgramCache hbg_program_cache(HbgArena *arena);
/* The program for `template`, which was made before; NULL. */
HbgIslandProgram *hbg_program_find(const HbgProgramCache *cache, const HbgTemplate *template);
/* The program for `template`; when it is new, sorted with the causality that `assignment`, settled in the mode the template was
 * made for, gives its graph. The lists of a new template must live as long as the cache. */
HbgIslandProgram *hbg_program_for(HbgProgramCache *cache, HbgLaws *laws, const HbgTemplate *template,
                                  const HbgAssignment *assignment);
/* Without a priori values in the laws both sides read the same: the kind whose equations serve for `kind`. */
HbgEquationsKind hbg_equations_kind(const HbgIslandProgram *program, HbgEquationsKind kind);
/* One of its sets of equations, compiled when first asked for. */
const HbgEquations *hbg_island_equations(HbgIslandProgram *program, HbgLaws *laws, HbgArena *arena,
                                         HbgEquationsKind kind);

#endif
