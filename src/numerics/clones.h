/* SPDX-License-Identifier: BSD-3-Clause
 * One program for processors with and without wide vectors: a function that is marked is compiled once for each, and the one that fits is
 * taken when the program starts (cmake/HbgCompiler.cmake says where this is possible). Nothing is contracted or reordered, so that all give the
 * same bits. Only static functions: clang 14 gives others no name that is found from elsewhere. */
#ifndef NUMERICS_CLONES_H
#define NUMERICS_CLONES_H

#ifdef HBG_CLONES
#define CLONES __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define CLONES
#endif

#endif
