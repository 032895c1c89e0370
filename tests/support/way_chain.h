/* SPDX-License-Identifier: BSD-3-Clause
 * Random chains of masses and springs whose machines and laws read ways, distances, impulses and sums of sums. They end at 5 s. */
#ifndef TESTS_SUPPORT_WAY_CHAIN_H
#define TESTS_SUPPORT_WAY_CHAIN_H

#include "support/numbered.h"
#include "support/random_graph.h"

static const char way_machines[] =
    " machine Stick(S, slip) { on stuck initial; off ahead; off behind\n"
    "  stuck -> ahead when S > 0.6; stuck -> behind when S < -0.6\n"
    "  ahead -> stuck when slip < 0 and S >= -0.6; ahead -> behind when slip < 0 and S < -0.6\n"
    "  behind -> stuck when slip > 0 and S <= 0.6; behind -> ahead when slip > 0 and S > 0.6 }\n"
    " machine Switch(x) { off low initial; on high; low -> high when x > 0.2; high -> low when x < 0.05 }\n"
    " machine Step(x) { var n = 1; off waiting initial; on stepping; waiting -> stepping when x > 0.3*n and n < 30 do n := n + 1; stepping -> waiting after 0.04 }\n"
    " machine Stop(x, v) { off free initial; on hit; free -> hit when x > 0.1 and v > 0.05; hit -> free after 0.2 }\n"
    " machine Wall(x, v) { off free initial; on hit; free -> hit when x > 0.3 and v > 0; hit -> free when pre(v) < 0 }\n";

/* A mass of a chain, with what is on it and reads an integral. */
static inline void way_chain_write_mass(HbgText *text, Random *random, int i) {
  const double mass = 0.5 + random_real(random), momentum = random_real(random) - 0.5;
  const double a = 0.3 + random_real(random), b = random_real(random) - 0.5;
  numbered_add(text, " 1 v#; I m#(@) start p = ~; v# -> m#\n", i, mass, momentum);
  numbered_add(text, " signal x# = integral(v#.f, start = @ - 0.5), pull# = integral(2*k#.e - ~*v#.f)\n", i, a, b);
  switch (random_below(random, 11)) {
    case 0: numbered_add(text, " C s#(@) start q = ~; v# -> s#; 0 b# by Switch(x#); R r#(1); v# -> b# -> r#\n", i, a, b); break;
    case 1: numbered_add(text, " Se hold#(-@*x# - 0.2*v#.f); hold# -> v#\n", i, a, b); break;
    case 2:
      numbered_add(text, " C s#(@) start q = ~; v# -> s#; 0 g# by Stick(k#.e - s#.e, v#.f - 0.3); Sf ride#(0.3); v# -> g# -> ride#\n"
                         " Se fr#(if g# in ahead then -0.4 else if g# in behind then 0.4 else 0); fr# -> v#\n", i, a, b);
      break;
    case 3: numbered_add(text, " C s#(@) start q = ~; v# -> s#; 0 w# by Wall(x# - 0.6, v#.f); Sf back#(0.5*pre(v#.f)); v# -> w#; back# -> w#\n", i, a, b); break;
    case 4: numbered_add(text, " C s#(@) start q = ~; v# -> s#; 0 b# by Step(pull#); R r#(2); v# -> b# -> r#\n", i, a, b); break;
    case 5: numbered_add(text, " Se drive#(~ + @*sin(2.3*time + #)); drive# -> v#; C s#(@); v# -> s#; 0 b# by Switch(integral(x#)); R r#(1); v# -> b# -> r#\n", i, a, b); break;
    case 6: numbered_add(text, " Se drive#(~ - 0.3*x#); drive# -> v#; C s#(@); v# -> s#\n", i, a, b); break;
    case 7: numbered_add(text, " R d#(@); v# -> d#; 0 w# by Switch(integral(d#.e + ~)); R r#(1); v# -> w# -> r#\n", i, a, b); break;
    case 8:
    case 9:
      numbered_add(text, " C s#(@) start q = ~; v# -> s#; 0 z# by Stop(x# - 0.6, v#.f); Sf ground#(0); v# -> z# -> ground#; signal blow# = integral(z#.e)\n", i, a, b);
      break;
    default: break;
  }
}

/* What is between mass i and the next one. */
static inline void way_chain_write_spring(HbgText *text, Random *random, int i, bool is_last) {
  const double compliance = 0.5 + random_real(random), charge = 0.4 * random_real(random) - 0.2, a = 0.2 + random_real(random);
  numbered_add(text, " 0 n#; C k#(@) start q = ~; v# -> n# -> k#\n", i, compliance, charge);
  if (is_last) return;
  hbg_text_add(text, " n%d -> v%d\n", i, i + 1);
  switch (random_below(random, 5)) {
    case 0: hbg_text_add(text, " 1 f%d by Switch(integral(v%d.f - v%d.f)); R q%d(%.4f); n%d -> f%d -> q%d\n", i, i, i + 1, i, a, i, i, i); break;
    case 1: numbered_add(text, " 1 f# by Switch(x# - ~); R q#(@); n# -> f# -> q#\n", i, a, 0.3); break;
    default: break;
  }
}

static inline void way_chain_write(HbgText *text, Random *random, long seed) {
  const int count = 2 + random_below(random, 7);
  hbg_text_add(text, "// seed %ld\nmodel Chain {\n%s", seed, way_machines);
  for (int i = 1; i <= count; i++) {
    way_chain_write_mass(text, random, i);
    way_chain_write_spring(text, random, i, i == count);
  }
  hbg_text_add(text, " stop 5\n}");
}

#endif
