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
#include <unistd.h>
#else
static void *sbrk(int more) {
  (void)more;
  return NULL;
}
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

/* From `piece` to where malloc() will go on, as far as that is what it looks like. */
static size_t size_to_end(const char *piece, size_t least, size_t most) {
  const uintptr_t begin = (uintptr_t)piece, end = (uintptr_t)sbrk(0);
  return end > begin + least && end - begin < most ? end - begin : least;
}

/* Whatever malloc() has for the next pieces, too, is asked for with the first, so that it finds a page where it writes how long each is. */
static void ask_for_memory(const Cli *cli) {
  enum { PIECES = 4, SIZE = 120 * 1024, MOST = PIECES * SIZE }; // none so large that malloc() would map it on its own
  char *pieces[PIECES];
  const char *done = NULL;
  for (int at = 0; at < PIECES; at++) {
    pieces[at] = malloc(SIZE);
    if (!pieces[at] || (done && pieces[at] + SIZE <= done)) continue;
    const size_t size = size_to_end(pieces[at], SIZE, MOST);
    ask_for_pages(pieces[at] + PAGE, size - 2 * PAGE, TO_WRITE);
    done = pieces[at] + size;
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
extern const char hbg_often_begin[], hbg_often_end[], hbg_constants_end[];

/* The second time a page is met, by an address in it, it costs a processor that runs as a guest as much as a cache miss or two: less where one
 * follows the other. */
static void touch(const char *begin, const char *end) {
  for (const volatile char *at = begin; at < end; at += PAGE) (void)*at;
}

/* All code and constants, as a page costs little; where the linker has put constants first, only what runs often. */
void cli_warm_code(void) {
  const uintptr_t begin = (uintptr_t)hbg_often_begin, constants = (uintptr_t)hbg_constants_end;
  const uintptr_t end = constants > begin ? constants : (uintptr_t)hbg_often_end;
  ask_for_pages(hbg_often_begin, end - begin, TO_READ);
  touch(hbg_often_begin, hbg_often_end);
}
#else
void cli_warm_code(void) {}
#endif

void cli_warm_memory(const Cli *cli) {
  ask_for_memory(cli);
  ask_for_stack();
}
