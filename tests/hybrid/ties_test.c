/* SPDX-License-Identifier: BSD-3-Clause
 * Bodies that are integrated and hit each other. */
#include "support/in_parts.h"
#include "support/random_graph.h"
#include "support/seeds.h"

static void add_body(HbgText *text, Random *random, int i) {
  hbg_text_add(text, " 1 v%d; I m%d(%g) start f = %g; v%d -> m%d; signal x%d = integral(v%d.f, start = %g)\n", i, i, 1 + random_real(random), 6 * random_real(random) - 3,
               i, i, i, i, i + 0.6 * random_real(random) - 0.3);
  switch (random_below(random, 4)) {
    case 0: hbg_text_add(text, " R air%d: e = %g*f*abs(f)\n v%d -> air%d; Se push%d(%g); push%d -> v%d\n", i, 0.2 * random_real(random), i, i, i, random_real(random) - 0.5, i, i); break;
    case 1: hbg_text_add(text, " Se pull%d(-%g*sin(x%d - %d)); pull%d -> v%d\n", i, 1 + 8 * random_real(random), i, i, i, i); break;
    case 2: hbg_text_add(text, " Se pull%d(-%g*(x%d - %d)^3); pull%d -> v%d\n", i, 1 + 8 * random_real(random), i, i, i, i); break;
    default: hbg_text_add(text, " Se push%d(%g); push%d -> v%d\n", i, random_real(random) - 0.5, i, i); break;
  }
}

/* In a row between two walls: in air, on strings, on springs that stiffen, or by themselves. */
static void write_row(HbgText *text, Random *random, int bodies, bool has_ball) {
  hbg_text_add(text, "model Row {\n");
  for (int i = 1; i <= bodies; i++) add_body(text, random, i);
  for (int i = 1; i < bodies; i++)
    hbg_text_add(text, " 0 hit%d by Hit(x%d - x%d, v%d.f - v%d.f); Sf back%d(-%g*pre(v%d.f - v%d.f)); v%d -> hit%d -> v%d; hit%d -> back%d\n", i, i, i + 1, i, i + 1, i,
                 0.5 + 0.5 * random_real(random), i, i + 1, i, i, i + 1, i, i);
  hbg_text_add(text, " 0 left by Hit(-x1, -v1.f), right by Hit(x%d - %d, v%d.f); Sf lefts(0.8*pre(-v1.f)), rights(-0.8*pre(v%d.f)); v1 -> left; left -> lefts; v%d -> right; right -> rights\n",
               bodies, bodies + 1, bodies, bodies, bodies);
  if (has_ball)
    hbg_text_add(text, " 1 fall; I ball(1); fall -> ball; Se weight(-9.81); weight -> fall; signal z = integral(fall.f, start = 2); 0 floor by Hit(-z, -fall.f); Sf rebound(0.9*pre(-fall.f))\n"
                       " fall -> floor; floor -> rebound\n");
  hbg_text_add(text, " machine Hit(gap, speed) { off apart initial; on touching; apart -> touching when gap >= 0 and speed > 0; touching -> apart when pre(speed) < 0 }\n stop 3\n}");
}

static void bodies_that_bend_and_hit_each_other_do_as_a_whole_does(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(60);
  int tied = 0;
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    Random random = {(uint64_t)seed};
    HbgArena arena = hbg_arena((HbgAllocator){0});
    HbgText text = hbg_text(&arena);
    const int bodies = 2 + random_below(&random, 5);
    write_row(&text, &random, bodies, seed % 2);
    const InParts met = in_parts_compare(text.bytes, 3, false);
    tied += met.ties > 0;
    hbg_arena_release_all(&arena);
  }
  if (seeds.count > 40) assert_true(tied > seeds.count / 2); // or it would say nothing
}

/* Forty pendulums are eighty states: more than go together. */
static void a_long_row_is_not_tied_and_goes_as_a_whole(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgText text = hbg_text(&arena);
  hbg_text_add(&text, "model Row {\n for i in 1..40 { 1 v[i]; I m[i](1); v[i] -> m[i]; signal x[i] = integral(v[i].f, start = i + 0.3*sin(5*i)); Se pull[i](-9*sin(x[i] - i)); pull[i] -> v[i] }\n"
                      " for i in 1..39 { 0 hit[i] by Hit(x[i] - x[i+1], v[i].f - v[i+1].f); Sf back[i](-0.9*pre(v[i].f - v[i+1].f)); v[i] -> hit[i] -> v[i+1]; hit[i] -> back[i] }\n"
                      " machine Hit(gap, speed) { off apart initial; on touching; apart -> touching when gap >= 0 and speed > 0; touching -> apart when pre(speed) < 0 }\n stop 1\n}");
  const InParts met = in_parts_compare(text.bytes, 1, false);
  assert_true(met.ties > 0 && met.are_too_many);
  hbg_arena_release_all(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies_that_bend_and_hit_each_other_do_as_a_whole_does),
      cmocka_unit_test(a_long_row_is_not_tied_and_goes_as_a_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
