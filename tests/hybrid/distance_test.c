/* SPDX-License-Identifier: BSD-3-Clause
 * Guards that are told from afar, where what they read bends: none is overlooked. */
#include "support/in_parts.h"
#include "support/random_spring.h"
#include "support/seeds.h"
#include "support/simulated.h"

/* Blocks that stick to a belt and slip on it, are held fast for a while, or neither, each on a spring to the ground, with springs between them. */
static void write_row(HbgText *text, Random *random) {
  const int blocks = 6 + random_below(random, 20);
  hbg_text_add(text, "model Row {\n");
  for (int i = 0; i < blocks; i++) {
    const int kind = random_below(random, 3);
    hbg_text_add(text, " 1 v%d; I m%d(%g) start f = %g; v%d -> m%d; C g%d", i, i, 0.5 + random_real(random), kind == 0 ? 0.5 : random_real(random) - 0.5, i, i, i);
    random_spring(text, random, 0.5);
    hbg_text_add(text, " start q = %g; v%d -> g%d\n", 0.6 * random_real(random) - 0.3, i, i);
    hbg_text_add(text, " signal pull%d = - g%d.e", i, i);
    if (i) hbg_text_add(text, " + s%d.e", i);
    if (i < blocks - 1) hbg_text_add(text, " - s%d.e", i + 1);
    hbg_text_add(text, "\n");
    if (kind == 0)
      hbg_text_add(text, " 0 grip%d by Grip(pull%d, v%d.f - 0.5); Sf belt%d(0.5); v%d -> grip%d -> belt%d\n"
                         " Se rub%d(if grip%d in ahead then -1 else if grip%d in behind then 1 else 0); rub%d -> v%d\n",
                   i, i, i, i, i, i, i, i, i, i, i, i);
    else if (kind == 1)
      hbg_text_add(text, " 0 hold%d by Hold(v%d.f, pull%d); Sf ground%d(0); v%d -> hold%d -> ground%d\n", i, i, i, i, i, i, i);
    if (!i) continue;
    hbg_text_add(text, " 0 f%d; v%d -> f%d -> v%d; C s%d", i, i - 1, i, i, i);
    random_spring(text, random, 0.3);
    hbg_text_add(text, " start q = %g; f%d -> s%d\n", 0.4 * random_real(random) - 0.2, i, i);
  }
  hbg_text_add(text, " machine Grip(pull, slip) { on stuck initial; off ahead; off behind\n"
                     "  stuck -> ahead when pull > 1.2; stuck -> behind when pull < -1.2\n"
                     "  ahead -> stuck when slip < 0 and pull >= -1.2; ahead -> behind when slip < 0 and pull < -1.2\n"
                     "  behind -> stuck when slip > 0 and pull <= 1.2; behind -> ahead when slip > 0 and pull > 1.2 }\n"
                     " machine Hold(speed, pull) { off loose initial; on held; loose -> held when speed < -0.4; held -> loose when pull > 0.3; held -> loose when pull < -0.3 }\n stop 6\n}");
}

static void rows_of_blocks_on_springs_that_bend_do_the_same_in_parts_as_they_do_as_a_whole(void **state) {
  (void)state;
  static const HbgMethod methods[] = {HBG_METHOD_AUTOMATIC, HBG_METHOD_DP5, HBG_METHOD_DP8, HBG_METHOD_SDIRK};
  const Seeds seeds = seeds_of(48);
  int64_t patches[4] = {0};
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    Random random = {(uint64_t)seed};
    HbgArena arena = hbg_arena((HbgAllocator){0});
    HbgText text = hbg_text(&arena);
    write_row(&text, &random);
    const InParts met = in_parts_compare_by(methods[seed % 4], text.bytes, 6, seed / 4 % 2, 1);
    assert_int_equal(met.surfaces, 0); // a release is no slide, for which an instant would be one of everything
    patches[seed % 4] += met.patches;
    hbg_arena_release_all(&arena);
  }
  if (seeds.count > 40) assert_true(patches[0] > 12 && patches[1] > 12); // or it would say nothing; others have no steps that are kept
}

/* It keeps 0.8 of its speed at each impact: the k-th is at 9 - 8 * 0.8^(k - 1) s, and the last before the end is one of 60, with a flight of 1e-11 m behind it. Two pendulums that
 * might meet are integrated, and with them so is the ball. */
static void a_ball_beside_what_is_integrated_loses_none_of_its_bounces(void **state) {
  (void)state;
  static const HbgMethod methods[] = {HBG_METHOD_AUTOMATIC, HBG_METHOD_DP5, HBG_METHOD_DP8, HBG_METHOD_SDIRK};
  for (size_t at = 0; at < sizeof methods / sizeof *methods; at++) {
    HbgRunOptions options = hbg_run_options();
    options.method = methods[at];
    Simulated run = simulated("model Both {\n Se weight(-9.81); I ball(1); 1 motion; 0 contact by Floor; Sf rebound(-0.8*pre(motion.f)); weight -> motion -> ball; motion -> contact -> rebound\n"
                              " signal height = integral(motion.f, start = 4.905)\n"
                              " for i in 1..2 { 1 turning[i]; I pendulum[i](1); signal angle[i] = integral(turning[i].f, start = 0.3 + 0.1*i); Se torque[i](-2*sin(angle[i]))\n"
                              "  torque[i] -> turning[i] -> pendulum[i] }\n"
                              " 0 meeting by Meeting; turning[1] -> meeting -> turning[2]\n"
                              " machine Meeting { off apart initial; on together; apart -> together when angle[1] - angle[2] > 3; together -> apart when angle[1] - angle[2] < 2 }\n"
                              " machine Floor { off flying initial; on touching; flying -> touching when height <= 0 and motion.f < 0; touching -> flying when pre(motion.f) > 0 }\n"
                              " stop 8.999986\n}",
                              "height", &options);
    assert_int_equal(hbg_run_statistics(run.run).events, 60);
    assert_true(fabs(simulated_last(&run, "height")) < 1e-8);
    simulated_end(&run);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_of_blocks_on_springs_that_bend_do_the_same_in_parts_as_they_do_as_a_whole),
      cmocka_unit_test(a_ball_beside_what_is_integrated_loses_none_of_its_bounces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
