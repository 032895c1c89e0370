/* SPDX-License-Identifier: BSD-3-Clause
 * libtcc, where the program was built with it. It knows one text at a time, as does the program. */
#include "compile.h"

#ifdef HBG_HAS_TCC

#include <libtcc.h>
#include <string.h>

/* What it says of the text is of no use to anybody: byte code goes on. */
static void say_nothing(void *user, const char *message) {
  (void)user;
  (void)message;
}

/* Later versions have no second argument: code is always kept by the unit. */
static int relocate(TCCState *state) {
#ifdef TCC_RELOCATE_AUTO
  return tcc_relocate(state, TCC_RELOCATE_AUTO);
#else
  return tcc_relocate(state);
#endif
}

bool cli_tcc_is_there(void) { return true; }

TccUnit *cli_tcc_compile(const char *source) {
  TCCState *state = tcc_new();
  if (!state) return NULL;
  tcc_set_error_func(state, NULL, say_nothing);
  tcc_set_options(state, "-nostdlib"); // it would look for files of its own
  if (tcc_set_output_type(state, TCC_OUTPUT_MEMORY) >= 0 && tcc_compile_string(state, source) >= 0 && relocate(state) >= 0 &&
      tcc_get_symbol(state, "hbg_rates"))
    return (TccUnit *)state;
  tcc_delete(state);
  return NULL;
}

HbgCode *cli_tcc_code(TccUnit *unit) {
  void *symbol = tcc_get_symbol((TCCState *)unit, "hbg_rates");
  HbgCode *code;
  memcpy(&code, &symbol, sizeof code);
  return code;
}

void cli_tcc_free(TccUnit *unit) {
  if (unit) tcc_delete((TCCState *)unit);
}

#else

bool cli_tcc_is_there(void) { return false; }
TccUnit *cli_tcc_compile(const char *source) {
  (void)source;
  return NULL;
}
HbgCode *cli_tcc_code(TccUnit *unit) {
  (void)unit;
  return NULL;
}
void cli_tcc_free(TccUnit *unit) { (void)unit; }

#endif
