/* SPDX-License-Identifier: BSD-3-Clause
 * The folder where machine code is kept from run to run: hybrsim in $XDG_CACHE_HOME or ~/.cache, of bounded size. A file is named
 * by all that its code depends on: the text, the compiler, its options, the processor. It carries its name and a hash of all its
 * bytes at its end; a file that does not agree with that is as if it were not there. Files appear when they are whole. */
#ifndef CLI_CODE_FOLDER_H
#define CLI_CODE_FOLDER_H
#include "compile.h"

struct CodeFolder {
  const char *path;
  bool is_temporary; /* nothing can be kept: the folder goes with the program */
};

/* NULL: there is no place where anything could be written. */
CodeFolder *cli_code_folder(Cli *cli);
/* The name for a text, an `.so`. */
char *cli_code_name(Cli *cli, const CodeFolder *folder, const char *compiler, const char *options, const char *source);
/* Is there whole code of that name? */
bool cli_code_is_there(const char *name);
/* Gives `file`, just compiled, its name and its end. False when that cannot be. */
bool cli_code_keep(const char *file, const char *name);
/* Removes what was used longest ago, as long as there is too much. */
void cli_code_bound(Cli *cli, const CodeFolder *folder);
void cli_code_folder_close(CodeFolder *folder);

#endif
