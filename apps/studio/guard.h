/* SPDX-License-Identifier: BSD-3-Clause
 * Who may ask: only pages that this server handed out. A foreign page that a browser shows could send requests here, too, also under a name
 * of its own that leads to 127.0.0.1; Host and Origin tell, and the token is what it cannot know. */
#ifndef STUDIO_GUARD_H
#define STUDIO_GUARD_H

#include <stdbool.h>
#include <stdint.h>

enum { STUDIO_TOKEN_SIZE = 33 }; // 128 bits as hexadecimal digits, and a NUL

/* False when the system has no random bits. */
bool studio_token_make(char token[STUDIO_TOKEN_SIZE]);
/* Takes as long whatever `given` (may be NULL) is. */
bool studio_token_is(const char *given, const char token[STUDIO_TOKEN_SIZE]);
/* "127.0.0.1:PORT", "localhost:PORT", "[::1]:PORT". NULL is none of them. */
bool studio_host_is_ours(const char *host, unsigned port);
/* Is the origin (NULL: there is none) that of the page with this host? */
bool studio_origin_is_ours(const char *origin, const char *host);

/* How often something may be done: `most` at once, and `per_second` in the long run. Zeroed but for these two; for one thread at a time. */
typedef struct StudioRate {
  double most, per_second;
  double used, time;
} StudioRate;
bool studio_rate_allows(StudioRate *rate, double now);

#endif
