/* SPDX-License-Identifier: BSD-3-Clause
 * Memory of the system in whole pages, for lists so long that to copy them while they grow would cost more than to fill
 * them: their pages are moved instead. */
#ifndef BASE_PAGES_H
#define BASE_PAGES_H

#include <stddef.h>

/* Zeroed; NULL when refused. What is not written to costs nothing. */
void *hbg_pages(size_t size);
/* The memory with what it holds, in another size and perhaps at another place, zeroed behind what it held; NULL when refused,
 * and then it is still as it was. */
void *hbg_pages_resize(void *memory, size_t old_size, size_t size);
void hbg_pages_release(void *memory, size_t size);

#endif
