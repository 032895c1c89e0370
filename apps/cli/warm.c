/* SPDX-License-Identifier: BSD-3-Clause
 * A page that is touched for the first time is an exception of the processor, which costs ten times and more what a page costs
 * that is asked for together with others; and a small model is read and run in less time than its exceptions take
 * (docs/decisions/0058-what-an-element-and-a-start-cost.md, 0064-starts.md). */
#define _DEFAULT_SOURCE /* madvise */
#include "warm.h"

#include <stdint.h>
#include <stdlib.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

enum { PAGE = 4096 }; /* where pages are larger nothing is granted, and nothing happens */

/* The pages that have some of these bytes. Linux 5.14; for older ones, whose headers are newer, an error that nobody minds. */
static void ask_for_pages(const char *memory, size_t size, int wish) {
#ifdef MADV_POPULATE_WRITE
  const uintptr_t place = (uintptr_t)memory, before = place % PAGE;
  madvise((void *)(place - before), (before + size + PAGE - 1) / PAGE * PAGE, wish);
#else
  (void)memory, (void)size, (void)wish;
#endif
}

#ifdef MADV_POPULATE_WRITE
enum { TO_READ = MADV_POPULATE_READ, TO_WRITE = MADV_POPULATE_WRITE };
#else
enum { TO_READ, TO_WRITE };
#endif

/* ---- memory ---- */

static void ask_for_memory(const Cli *cli) {
  enum { PIECES = 5, SIZE = 96 * 1024 }; // none so large that malloc() would map it on its own
  char *pieces[PIECES];
  for (int at = 0; at < PIECES; at++) {
    pieces[at] = malloc(SIZE);
    if (pieces[at]) ask_for_pages(pieces[at] + PAGE, SIZE - 2 * PAGE, TO_WRITE); // those that are its own as a whole, and maybe one less
  }
  CLI_NEW(cli, char, 1); // as long as something behind them is taken they are not given back to the system
  for (int at = 0; at < PIECES; at++) free(pieces[at]);
}

/* ---- the stack ---- */

/* It grows by being touched at its lowest place. */
__attribute__((noinline)) static void ask_for_stack(void) {
  enum { SIZE = 64 * 1024 };
  volatile char bytes[SIZE];
  bytes[0] = 0;
  ask_for_pages((const char *)bytes, SIZE, TO_WRITE);
}

/* ---- code ---- */

#ifdef HBG_ORDERED /* by cmake/HbgOrder.cmake, whose linker script has these names */
extern const char hbg_often_begin[], hbg_often_end[], hbg_constants_begin[], hbg_constants_end[];

/* The second time a page is met, by an address in it, it costs a processor that runs as a guest as much as a cache miss or two: less where one
 * follows the other. */
static void touch(const char *begin, const char *end) {
  for (const volatile char *at = begin; at < end; at += PAGE) (void)*at;
}

static void ask_for_code(void) {
  ask_for_pages(hbg_often_begin, (size_t)(hbg_often_end - hbg_often_begin), TO_READ);
  ask_for_pages(hbg_constants_begin, (size_t)(hbg_constants_end - hbg_constants_begin), TO_READ);
  touch(hbg_often_begin, hbg_often_end);
}
#else
static void ask_for_code(void) {}
#endif

void cli_warm_up(const Cli *cli) {
  ask_for_memory(cli);
  ask_for_stack();
  ask_for_code();
}
