/* SPDX-License-Identifier: BSD-3-Clause
 * The belt: blocks in a row, each on a spring, that stick to a belt or slip on it. */
#ifndef TESTS_SUPPORT_BELT_H
#define TESTS_SUPPORT_BELT_H

/* With so many blocks, until then [s]. */
#define BELT(N, STOP)                                                                                                                        \
  "model Belt(N = " #N ") {\n param V = 0.5\n"                                                                                               \
  " for i in 1..N { 1 v[i]; I block[i](1) start f = V; v[i] -> block[i]; C spring[i](1) start q = 0.2*sin(1.7*i); v[i] -> spring[i]\n"       \
  "  0 grip[i] by Stick(S[i], slip[i]); Sf ride[i](V); v[i] -> grip[i] -> ride[i]\n"                                                         \
  "  Se friction[i](if grip[i] in ahead then -1 else if grip[i] in behind then 1 else 0); friction[i] -> v[i]\n"                             \
  "  signal slip[i] = v[i].f - V, S[i] = -spring[i].e + pull[i] }\n"                                                                         \
  " for i in 1..N-1 { 0 f[i]; C spread[i](2); v[i] -> f[i] -> v[i+1]; f[i] -> spread[i] }\n"                                                 \
  " signal pull[1] = -spread[1].e, pull[N] = spread[N-1].e\n for i in 2..N-1 { signal pull[i] = spread[i-1].e - spread[i].e }\n"             \
  " machine Stick(S, slip) { on stuck initial; off ahead; off behind\n"                                                                      \
  "  stuck -> ahead when S > 1.5; stuck -> behind when S < -1.5\n"                                                                           \
  "  ahead -> stuck when slip < 0 and S >= -1.5; ahead -> behind when slip < 0 and S < -1.5\n"                                               \
  "  behind -> stuck when slip > 0 and S <= 1.5; behind -> ahead when slip > 0 and S > 1.5 }\n stop " #STOP "\n}"

#endif
