/* SPDX-License-Identifier: BSD-3-Clause
 * Parts with delays beside others: each family has a clock of its own, and so have the others. */
#include "support/in_parts.h"
#include "support/random_graph.h"
#include "support/seeds.h"

static double between(Random *random, double low, double high) { return low + (high - low) * random_real(random); }

/* Fed back what it was a while ago. */
static void add_echo(HbgText *text, Random *random, int i) {
  hbg_text_add(text, " 1 v%d; I m%d(%g) start f = %g; C s%d(%g); R r%d(%g); v%d -> m%d; v%d -> s%d; v%d -> r%d; Se late%d(-%g*delay(v%d.f, %g)); late%d -> v%d\n", i, i, between(random, 0.5, 2), between(random, -1, 1), i,
               between(random, 0.1, 1), i, between(random, 0.05, 1), i, i, i, i, i, i, i, between(random, 0.1, 1), i, between(random, 0.15, 0.7), i, i);
}

/* Heated by what it was measured to be a while ago. */
static void add_thermostat(HbgText *text, Random *random, int i) {
  hbg_text_add(text, " 0 t%d; C room%d(%g) start e = %g; R wall%d(%g); Se heat%d(if warm%d in active then 3 else -1); R pipe%d(1); 1 p%d; heat%d -> p%d -> t%d; p%d -> pipe%d; t%d -> room%d; t%d -> wall%d\n"
                     " machine warm%d = Relay(delay(t%d.e, %g))\n",
               i, i, between(random, 0.2, 0.5), between(random, 0, 1), i, between(random, 0.5, 2), i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, between(random, 0.05, 0.2));
}

/* Pulses that come late. */
static void add_late_pulses(HbgText *text, Random *random, int i) {
  hbg_text_add(text, " Se u%d(delay(pulse(%g, %g, %g), %g)); 1 w%d; R z%d(1); C c%d(%g); u%d -> w%d; w%d -> z%d; w%d -> c%d\n", i, between(random, 0, 0.2), between(random, 0.05, 0.2), between(random, 0.4, 0.6),
               between(random, 0.1, 0.4), i, i, i, between(random, 0.1, 0.5), i, i, i, i, i, i);
}

/* A ball, and a body that is pulled to where it was. */
static void add_follower(HbgText *text, Random *random, int i) {
  hbg_text_add(text, " 1 b%d; I ball%d(1); Se g%d(-9.81); g%d -> b%d -> ball%d; signal h%d = integral(b%d.f, start = %g); 0 f%d by Floor(h%d, b%d.f); Sf up%d(-%g*pre(b%d.f)); b%d -> f%d -> up%d\n"
                     " 1 a%d; I body%d(1); R rub%d(2); Se pull%d(4*(delay(h%d, %g) - y%d) + %g*delay(b%d.f, %g)); signal y%d = integral(a%d.f); pull%d -> a%d -> body%d; a%d -> rub%d\n",
               i, i, i, i, i, i, i, i, between(random, 0.5, 2), i, i, i, i, between(random, 0.6, 0.9), i, i, i, i, i, i, i, i, i, between(random, 0.1, 0.3), i, between(random, 0, 0.5), i, between(random, 0.1, 0.3), i, i, i, i, i, i, i);
}

/* What a storage receives follows the rate of a source, which has kinks. */
static void add_imposed(HbgText *text, Random *random, int i) {
  hbg_text_add(text, " Se u%d(delay(%g*sin(%g*time), %g)); 0 n%d; C c%d(%g); R q%d(1); u%d -> n%d; n%d -> c%d; n%d -> q%d; signal k%d = integral(c%d.f)\n", i, between(random, 1, 2), between(random, 2, 9), between(random, 0.2, 0.5), i, i,
               between(random, 0.1, 0.5), i, i, i, i, i, i, i, i, i);
}

static void add_signals(HbgText *text, Random *random, int i) {
  hbg_text_add(text, " signal x%d = integral(delay(delay(cos(%g*time), %g), %g) - 0.3*delay(x%d, %g), start = 0.1)\n", i, between(random, 1, 6), between(random, 0.1, 0.3), between(random, 0.1, 0.3), i, between(random, 0.2, 0.5));
}

/* Without delays. */
static void add_ball(HbgText *text, Random *random, int i) {
  hbg_text_add(text, " 1 b%d; I ball%d(1); Se g%d(-9.81); g%d -> b%d -> ball%d; signal h%d = integral(b%d.f, start = %g); 0 f%d by Floor(h%d, b%d.f); Sf up%d(-0.9*pre(b%d.f)); b%d -> f%d -> up%d\n", i, i, i, i, i, i, i, i,
               between(random, 0.5, 2), i, i, i, i, i, i, i, i);
}

static void add_switched(HbgText *text, Random *random, int i) {
  hbg_text_add(text, " Se e%d(1); 1 l%d by Switch(pulse(%g, 0.13, 0.31) > 0.5); R o%d(1); C d%d(%g); R p%d(2); 0 n%d; e%d -> l%d -> n%d -> d%d; l%d -> o%d; n%d -> p%d\n", i, i, between(random, 0, 0.2), i, i, between(random, 0.1, 0.5), i, i, i, i, i, i,
               i, i, i, i);
}

static void add_pendulum(HbgText *text, Random *random, int i) {
  hbg_text_add(text, " 1 o%d; I swing%d(1); signal phi%d = integral(o%d.f, start = %g); Se back%d(-9*sin(phi%d)); back%d -> o%d -> swing%d\n", i, i, i, i, between(random, 0.2, 1.2), i, i, i, i, i);
}

typedef void Adder(HbgText *text, Random *random, int i);

static void write_model(HbgText *text, Random *random) {
  static Adder *const late[] = {add_echo, add_thermostat, add_late_pulses, add_follower, add_imposed, add_signals};
  static Adder *const others[] = {add_ball, add_switched, add_pendulum};
  const int families = 1 + random_below(random, 3), beside = 1 + random_below(random, 3);
  hbg_text_add(text, "model Remembers {\n");
  for (int i = 0; i < families; i++) late[random_below(random, 6)](text, random, i);
  for (int i = 0; i < beside; i++) others[random_below(random, 3)](text, random, families + i);
  hbg_text_add(text, " machine Floor(height, speed) { off flying initial; on touching; flying -> touching when height <= 0 and speed < 0; touching -> flying when pre(speed) > 0 }\n"
                     " machine Switch(gate) { off open initial; on closed; open -> closed when gate; closed -> open when not gate }\n"
                     " machine Relay(measured) { off idle initial; on active; idle -> active when measured < 0.5; active -> idle when measured > 0.8 }\n}");
}

static void parts_with_delays_beside_others_do_as_a_whole_does(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(60);
  int with_clocks = 0;
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    Random random = {(uint64_t)seed};
    HbgArena arena = hbg_arena((HbgAllocator){0});
    HbgText text = hbg_text(&arena);
    write_model(&text, &random);
    with_clocks += in_parts_compare_about(text.bytes, 2, false, 10).has_clocks;
    hbg_arena_release_all(&arena);
  }
  if (seeds.count > 40) assert_true(with_clocks > seeds.count / 2); // or it would say nothing
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_with_delays_beside_others_do_as_a_whole_does),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
