/* SPDX-License-Identifier: BSD-3-Clause
 * Which islands have rates that are sums of their states times numbers, and a number: so much can be told from the equations of all that share a program. */
#ifndef EQUATIONS_STEADY_H
#define EQUATIONS_STEADY_H

#include "equations/island.h"

/* In continuous time, until the next instant: what its rates, and what integrators of signals read of it, are made of, if there is nothing to solve for in it.
 * False as well where it reads the time, or a priori values. Found out when first asked for. */
bool hbg_program_is_steady(HbgIslandProgram *program, HbgLaws *laws, HbgArena *arena);

#endif
