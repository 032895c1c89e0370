/* SPDX-License-Identifier: BSD-3-Clause
 * Who listens to what the server tells by itself: a queue for each page, which its connection's thread empties. */
#ifndef STUDIO_EVENTS_H
#define STUDIO_EVENTS_H

#include "studio.h"

typedef struct StudioListener StudioListener;

enum { STUDIO_LISTENERS_MOST = 24 };

StudioEvents *studio_events_create(void); // NULL: no memory
void studio_events_free(StudioEvents *events); // there are no listeners any more
/* Every listener ends; new ones are refused. */
void studio_events_end(StudioEvents *events);
size_t studio_events_listener_count(StudioEvents *events);

/* NULL: there are too many, the server ends, or there is no memory. `socket` is that of the connection, -1 without: when the page goes away, waiting ends. */
StudioListener *studio_listener_create(StudioEvents *events, int socket);
void studio_listener_free(StudioListener *listener);
/* Waits for the next event and writes up to `size` bytes of the stream; a comment when nothing came for some seconds. 0: the connection ends. */
size_t studio_listener_read(StudioListener *listener, char *bytes, size_t size);

#endif
