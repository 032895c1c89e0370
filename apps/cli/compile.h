/* SPDX-License-Identifier: BSD-3-Clause
 * Machine code for equations, while byte code works: in memory by libtcc, or by the system's compiler in a process of its own. */
#ifndef CLI_COMPILE_H
#define CLI_COMPILE_H
#include "cli.h"

typedef enum CompilePolicy { COMPILE_AUTOMATIC, COMPILE_OFF, COMPILE_TCC, COMPILE_CC } CompilePolicy;

typedef struct Compiler Compiler;

/* As --compile says; NULL: byte code does all. Tells when what is asked for by name is not there. */
Compiler *cli_compiler(Cli *cli);
/* An HbgCompile; `user` is the compiler. */
HbgCode *cli_compile(const HbgCompileRequest *request, void *user);
/* When the run is freed. NULL is fine. */
void cli_compiler_close(Compiler *compiler);

/* -- libtcc (compile_tcc.c) -- */

typedef struct TccUnit TccUnit;
bool cli_tcc_is_there(void);
/* NULL when it would not take the text. */
TccUnit *cli_tcc_compile(const char *source);
HbgCode *cli_tcc_code(TccUnit *unit);
void cli_tcc_free(TccUnit *unit);

/* -- the system's compiler (compile_cc.c), whose work is kept in a folder (code_folder.h) -- */

typedef struct CcUnit CcUnit;
typedef struct CodeFolder CodeFolder;
/* Its path; NULL: there is none. */
const char *cli_cc_find(Cli *cli);
/* Begins to compile, or finds what was compiled before. */
CcUnit *cli_cc_begin(Cli *cli, CodeFolder *folder, const char *source);
/* NULL: not yet, or `*failed`. */
HbgCode *cli_cc_code(CcUnit *unit, bool *failed);
/* Stops the process if it is still at work. */
void cli_cc_free(CcUnit *unit);

#endif
