/* SPDX-License-Identifier: BSD-3-Clause
 * The studio on the loopback address: who may ask, what is asked, and the answers on their way. */
#ifndef STUDIO_HTTP_H
#define STUDIO_HTTP_H

#include "guard.h"
#include "studio.h"

typedef struct StudioHttp StudioHttp;

typedef struct StudioHttpOptions {
  unsigned port;      // 0: any that is free
  const char *assets; // a folder with the files of the page, its real path; NULL: those in the program
} StudioHttpOptions;

/* NULL, and a sentence in `message` with room for `size` bytes, when it cannot listen. */
StudioHttp *studio_http_start(Studio *studio, const StudioHttpOptions *options, char *message, size_t size);
/* Ends listeners, waits for those who are answered just now. NULL is fine. */
void studio_http_stop(StudioHttp *http);
unsigned studio_http_port(const StudioHttp *http);
const char *studio_http_token(const StudioHttp *http);

#endif
