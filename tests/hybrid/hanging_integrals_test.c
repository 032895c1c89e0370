/* SPDX-License-Identifier: BSD-3-Clause
 * Integrals of what a wall takes, or a source behind a switch gives: of something that hangs at a junction that is off, and receives nothing there. What reads it has
 * a clock of its own all the same, and takes its impulses. Numbers are closed forms. */
#include "support/in_parts.h"
#include "support/random_graph.h"
#include "support/seeds.h"
#include "support/simulated.h"

static void a_floor_takes_the_momentum_of_each_impact(void **state) {
  (void)state;
  HbgRunOptions options = hbg_run_options();
  options.events_only = true;
  Simulated run = simulated("model Ball {\n param e = 0.8\n Se gravity(-9.81); I ball(2); 1 motion; 0 contact by Floor(height, motion.f); Sf rebound(-e*pre(motion.f))\n"
                            " gravity -> motion -> ball; motion -> contact -> rebound\n signal height = integral(motion.f, start = 1), taken = integral(-contact.e)\n"
                            " machine Floor(height, speed) { off flying initial; on touching; flying -> touching when height <= 0 and speed < 0; touching -> flying when pre(speed) > 0 }\n stop 3.5\n}",
                            "taken", &options);
  const int impacts = (int)hbg_run_statistics(run.run).events;
  assert_int_equal(impacts, 4); // at 0.64 s, and 2 0.64 0.8^k s after each other: a body of 2 kg on which 9.81 N act
  double sum = 0;
  for (int k = 0; k < impacts; k++) sum += 2 * 1.8 * pow(0.8, k) * sqrt(9.81);
  CHECK_NEAR(fabs(run.rows[run.row_count - 1].values[0]), sum, 1e-9);
  simulated_end(&run);
}

static void a_source_behind_a_switch_has_given_what_went_through_it(void **state) {
  (void)state;
  // half of each second u/R flows; and what is hung up for good gives nothing
  Simulated run = simulated("model Lamp {\n Se u(6); 1 s by Gate(pulse(0.25, 0.5, 1) > 0.5); R lamp(3); u -> s -> lamp; Se v(1); 1 t by Gate(u.f > 100); R never(1); v -> t -> never\n"
                            " signal Q = integral(u.f), E = integral(u.e*u.f), none = integral(v.f)\n machine Gate(g) { off open initial; on closed; open -> closed when g; closed -> open when not g }\n stop 10\n}",
                            "Q; E; none", NULL);
  for (int at = 0; at < run.row_count; at++) {
    const double t = run.rows[at].row.time, whole = floor(t), on = 0.5 * whole + fmin(fmax(t - whole - 0.25, 0), 0.5), *values = run.rows[at].values;
    CHECK_NEAR(values[0], 2 * on, 1e-9);
    CHECK_NEAR(values[1], 12 * on, 1e-9);
    CHECK_NEAR(values[2], 0, 0);
  }
  simulated_end(&run);
}

/* ---- random models ---- */

static void add_ball(HbgText *text, Random *random, int i) {
  hbg_text_add(text, " 1 b%d; I ball%d(%g); Se g%d(-9.81); g%d -> b%d -> ball%d; signal h%d = integral(b%d.f, start = %g); 0 f%d by Floor(h%d, b%d.f); Sf up%d(-0.9*pre(b%d.f)); b%d -> f%d -> up%d\n"
                     " signal p%d = integral(%s%d.e), w%d = integral(f%d.e + %g*b%d.f)\n",
               i, i, 0.5 + random_real(random), i, i, i, i, i, i, 0.3 + random_real(random), i, i, i, i, i, i, i, i, i, random_chance(random, 0.5) ? "f" : "up", i, i, i, random_real(random), i);
}

static void add_cell(HbgText *text, Random *random, int i) {
  hbg_text_add(text, " Se u%d(%s); 1 s%d by Relay(n%d.e); R r%d(%g), l%d(%g); 0 n%d; C c%d(%g); u%d -> s%d -> n%d -> c%d; s%d -> r%d; n%d -> l%d\n"
                     " signal q%d = integral(u%d.f), e%d = integral(u%d.e*u%d.f), m%d = integral(%g*s%d.f - u%d.f)\n",
               i, random_chance(random, 0.5) ? "1" : "1 + 0.2*sin(5*time)", i, i, i, 0.2 + random_real(random), i, 1 + random_real(random), i, i, 0.1 + 0.2 * random_real(random), i, i, i, i, i, i, i, i,
               i, i, i, i, i, i, random_real(random), i, i);
}

static void what_reads_something_that_hangs_does_the_same_in_parts_as_it_does_as_a_whole(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(24);
  int with_clocks = 0;
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    Random random = {(uint64_t)seed};
    HbgArena arena = hbg_arena((HbgAllocator){0});
    HbgText text = hbg_text(&arena);
    const int parts = 1 + random_below(&random, 5);
    hbg_text_add(&text, "model Hanging {\n");
    for (int i = 0; i < parts; i++) (random_chance(&random, 0.5) ? add_ball : add_cell)(&text, &random, i);
    hbg_text_add(&text, " machine Floor(height, speed) { off flying initial; on touching; flying -> touching when height <= 0 and speed < 0; touching -> flying when pre(speed) > 0 }\n"
                        " machine Relay(e) { on charging initial; off resting; charging -> resting when e > 0.5; resting -> charging when e < 0.3 }\n}");
    with_clocks += in_parts_compare_about(text.bytes, 1.5, false, 10).has_clocks;
    hbg_arena_release_all(&arena);
  }
  if (seeds.count > 20) assert_true(with_clocks > seeds.count / 2); // or it would say nothing
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_floor_takes_the_momentum_of_each_impact),
      cmocka_unit_test(a_source_behind_a_switch_has_given_what_went_through_it),
      cmocka_unit_test(what_reads_something_that_hangs_does_the_same_in_parts_as_it_does_as_a_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
