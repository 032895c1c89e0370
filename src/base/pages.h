/* SPDX-License-Identifier: BSD-3-Clause
 * Memory of the system in whole pages, for what is large: lists that would cost more to copy while they grow than to fill (their
 * pages are moved instead), and blocks of arenas. From a megabyte on the system is asked for huge pages
 * for what will be filled. */
#ifndef BASE_PAGES_H
#define BASE_PAGES_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed; NULL when refused. What is not written to costs nothing, or no more than a huge page where it is said to be `filled` sooner
 * or later. */
void *hbg_pages(size_t size, bool filled);
/* The memory with what it holds, in another size and perhaps at another place, zeroed behind what it held; NULL when refused,
 * and then it is still as it was. */
void *hbg_pages_resize(void *memory, size_t old_size, size_t size);
/* Asks for the pages of memory of malloc that will be filled sooner or later, those that lie in it wholly. */
void hbg_pages_fill(void *memory, size_t size);
void hbg_pages_release(void *memory, size_t size);
/* Makes `size` bytes zero, in such pages or in memory of malloc; the pages that they fill are given back until they are written to. */
void hbg_pages_forget(void *memory, size_t size);

#endif
