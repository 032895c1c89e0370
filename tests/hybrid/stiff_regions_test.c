/* SPDX-License-Identifier: BSD-3-Clause
 * Stiff parts beside others: each has implicit steps of its own. */
#include "support/in_parts.h"
#include "support/random_graph.h"
#include "support/seeds.h"

static double between(Random *random, double low, double high) { return low + (high - low) * random_real(random); }

/* Nothing but a capacitor, and a resistor that bends. */
static void add_resistor(HbgText *text, Random *random, int i) {
  hbg_text_add(text, " Sf u%d(sin(%g*time)); 0 n%d; C c%d(1); R r%d: f = %g*(e + e^3)\n u%d -> n%d; n%d -> c%d; n%d -> r%d\n", i, between(random, 1, 5), i, i, i, between(random, 300, 3000), i, i, i, i, i, i);
}

/* An oscillator that relaxes (van der Pol). */
static void add_relaxation(HbgText *text, Random *random, int i) {
  const double mu = between(random, 100, 400);
  hbg_text_add(text, " signal x%d = integral(%g*(x%d - x%d^3/3 - y%d), start = 1), y%d = integral(%g*x%d)\n", i, mu, i, i, i, i, between(random, 0.5, 2), i);
}

/* A fast measurement of what a relay heats. */
static void add_measured(HbgText *text, Random *random, int i) {
  hbg_text_add(text, " 0 t%d; C room%d(0.3) start e = %g; R wall%d(1); Sf heat%d(if warm%d in active then 3 else 0); heat%d -> t%d; t%d -> room%d; t%d -> wall%d\n"
                     " signal m%d = integral(%g*(t%d.e - m%d + 0.1*(t%d.e - m%d)^3))\n machine warm%d = Relay(m%d)\n",
               i, i, between(random, 0, 1), i, i, i, i, i, i, i, i, i, i, between(random, 300, 1000), i, i, i, i, i, i);
}

static void add_ball(HbgText *text, Random *random, int i) {
  hbg_text_add(text, " 1 b%d; I ball%d(1); Se g%d(-9.81); g%d -> b%d -> ball%d; signal h%d = integral(b%d.f, start = %g); 0 f%d by Floor(h%d, b%d.f); Sf up%d(-0.9*pre(b%d.f)); b%d -> f%d -> up%d\n", i, i, i, i, i, i, i, i,
               between(random, 0.5, 2), i, i, i, i, i, i, i, i);
}

static void add_pendulum(HbgText *text, Random *random, int i) {
  hbg_text_add(text, " 1 o%d; I swing%d(1); signal phi%d = integral(o%d.f, start = %g); Se back%d(-9*sin(phi%d)); back%d -> o%d -> swing%d\n", i, i, i, i, between(random, 0.2, 1.2), i, i, i, i, i);
}

typedef void Adder(HbgText *text, Random *random, int i);

static void write_model(HbgText *text, Random *random) {
  static Adder *const stiff[] = {add_resistor, add_relaxation, add_measured};
  static Adder *const others[] = {add_ball, add_pendulum};
  const int parts = 1 + random_below(random, 3), beside = 1 + random_below(random, 3);
  hbg_text_add(text, "model Stiff {\n");
  for (int i = 0; i < parts; i++) stiff[random_below(random, 3)](text, random, i);
  for (int i = 0; i < beside; i++) others[random_below(random, 2)](text, random, parts + i);
  hbg_text_add(text, " machine Floor(height, speed) { off flying initial; on touching; flying -> touching when height <= 0 and speed < 0; touching -> flying when pre(speed) > 0 }\n"
                     " machine Relay(measured) { off idle initial; on active; idle -> active when measured < 0.5; active -> idle when measured > 0.8 }\n}");
}

static void stiff_parts_beside_others_do_as_a_whole_does(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(24);
  int with_clocks = 0;
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    Random random = {(uint64_t)seed};
    HbgArena arena = hbg_arena((HbgAllocator){0});
    HbgText text = hbg_text(&arena);
    write_model(&text, &random);
    with_clocks += in_parts_compare_about(text.bytes, 2, false, 10).has_clocks;
    hbg_arena_release_all(&arena);
  }
  if (seeds.count > 20) assert_true(with_clocks > seeds.count / 2); // or it would say nothing
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stiff_parts_beside_others_do_as_a_whole_does),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
