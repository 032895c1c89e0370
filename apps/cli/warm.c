/* SPDX-License-Identifier: BSD-3-Clause
 * A page that is touched for the first time is an exception of the processor, which costs ten times and more what a page costs
 * that is asked for together with others; and a small model is read and run in less time than its exceptions take
 * (docs/decisions/0058-what-an-element-and-a-start-cost.md). */
#define _DEFAULT_SOURCE /* madvise */
#include "warm.h"

#include <stdlib.h>

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

#ifdef MADV_POPULATE_WRITE /* Linux 5.14; for older ones, whose headers are newer, an error that nobody minds */
/* The pages that lie in these bytes as a whole. */
static void ask_for_pages(char *memory, size_t size) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), place = (uintptr_t)memory;
  const size_t before = (size_t)((page - place % page) % page), whole = (size - before) / page * page;
  madvise(memory + before, whole, MADV_POPULATE_WRITE);
}
#else
static void ask_for_pages(char *memory, size_t size) {
  (void)memory;
  (void)size;
}
#endif

void cli_warm_up(const Cli *cli) {
  enum { PIECES = 4, PIECE = 96 * 1024 }; // none so large that malloc() would map it on its own
  char *pieces[PIECES];
  for (int at = 0; at < PIECES; at++) {
    pieces[at] = malloc(PIECE);
    if (pieces[at]) ask_for_pages(pieces[at], PIECE);
  }
  CLI_NEW(cli, char, 1); // as long as something behind them is taken they are not given back to the system
  for (int at = 0; at < PIECES; at++) free(pieces[at]);
}
