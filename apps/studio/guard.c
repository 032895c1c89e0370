/* SPDX-License-Identifier: BSD-3-Clause
 * See guard.h. */
#define _GNU_SOURCE
#include "guard.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

bool studio_token_make(char token[STUDIO_TOKEN_SIZE]) {
  unsigned char bits[(STUDIO_TOKEN_SIZE - 1) / 2];
  if (getrandom(bits, sizeof bits, 0) != (ssize_t)sizeof bits) return false;
  for (size_t i = 0; i < sizeof bits; i++) snprintf(token + 2 * i, 3, "%02x", bits[i]);
  return true;
}

bool studio_token_is(const char *given, const char token[STUDIO_TOKEN_SIZE]) {
  const size_t length = given ? strlen(given) : 0;
  unsigned difference = length != STUDIO_TOKEN_SIZE - 1;
  for (size_t i = 0; i < STUDIO_TOKEN_SIZE - 1; i++)
    difference |= (unsigned char)(i < length ? given[i] : '\0') ^ (unsigned)(unsigned char)token[i];
  return difference == 0;
}

bool studio_host_is_ours(const char *host, unsigned port) {
  static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
  for (size_t i = 0; host && i < sizeof names / sizeof *names; i++) {
    char ours[40];
    snprintf(ours, sizeof ours, "%s:%u", names[i], port);
    if (!strcasecmp(host, ours)) return true;
  }
  return false;
}

bool studio_origin_is_ours(const char *origin, const char *host) {
  static const char scheme[] = "http://";
  if (!origin) return true;
  return !strncmp(origin, scheme, sizeof scheme - 1) && !strcasecmp(origin + sizeof scheme - 1, host);
}

bool studio_rate_allows(StudioRate *rate, double now) {
  if (now > rate->time) rate->used -= (now - rate->time) * rate->per_second;
  if (rate->used < 0) rate->used = 0;
  rate->time = now;
  if (rate->used + 1 > rate->most) return false;
  rate->used += 1;
  return true;
}
