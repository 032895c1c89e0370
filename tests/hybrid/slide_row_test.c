/* SPDX-License-Identifier: BSD-3-Clause
 * Slides in large coupled systems: where they are lines, instants touch what they are about and events redo what they can influence, and runs
 * have the rows of runs in which every instant is one of everything and shares are solved for. */
#include "support/in_parts.h"
#include "support/random_spring.h"
#include "support/ride.h"
#include "support/seeds.h"

/* ---- models ---- */

static void a_row_of_blocks_on_a_rough_floor_comes_to_rest_in_parts_as_it_does_as_a_whole(void **state) {
  (void)state;
  assert_true(in_parts_compare("model Row(N = 60) {\n for i in 1..N { 1 v[i]; I block[i](1) start f = 3*sin(2.3*i); R floor[i]: e = 0.7*sign(f)\n"
                               "  v[i] -> block[i]; v[i] -> floor[i]; signal place[i] = integral(v[i].f) }\n"
                               " for i in 1..N-1 { 0 f[i]; C s[i](0.5); v[i] -> f[i] -> v[i+1]; f[i] -> s[i] }\n stop 3\n}", 3, true).patches > 40);
}

static void integrators_follow_what_patches_change(void **state) {
  (void)state;
  // of a flow within an island, of what a storage imposes that hangs, of another integral
  assert_true(in_parts_compare("model Ladder(N = 110) {\n Se source(1); 0 n[0]; source -> n[0]\n"
                               " for i in 1..N { 0 n[i]; 1 line[i]; I l[i](1) start p = sin(i); R w[i](0.05); C c[i](1) start q = cos(i)\n"
                               "  1 branch[i] by Switch(pulse(mod(0.618034*i, 1), 0.5, 1) > 0.5); R load[i](4)\n"
                               "  signal work[i] = integral(c[i].e - 0.5*w[i].f), twice[i] = integral(2*work[i] + 0.1)\n"
                               "  n[i-1] -> line[i] -> n[i] -> c[i]; line[i] -> l[i]; line[i] -> w[i]; n[i] -> branch[i] -> load[i] }\n"
                               " machine Switch(gate) { on closed; off open initial; closed -> open when not gate; open -> closed when gate }\n stop 1\n}", 1, true).patches > 20);
}

/* ---- random rows ---- */

/* Of a row, what bends: nothing, springs, or friction, which falls with the speed. */
typedef enum Bend { NOTHING, SPRINGS, FRICTION } Bend;

static void write_floor(HbgText *text, Random *random, int block, Bend bend) {
  const double moving = 0.2 + random_real(random);
  if (bend != FRICTION) hbg_text_add(text, " R floor%d: e = %g*sign(f); v%d -> floor%d\n", block, moving, block, block);
  else if (random_chance(random, 0.5)) hbg_text_add(text, " R floor%d: e = sign(f)*(%g + 0.1/(1 + abs(f))); v%d -> floor%d\n", block, moving, block, block);
  else hbg_text_add(text, " R floor%d: e = (%g + 0.1*exp(-abs(f)))*sign(f); v%d -> floor%d\n", block, moving, block, block);
}

static void write_block(HbgText *text, Random *random, int block, Bend bend) {
  hbg_text_add(text, " 1 v%d; I m%d(%g) start f = %g; v%d -> m%d\n", block, block, 0.5 + random_real(random), 4 * random_real(random) - 2, block, block);
  if (random_chance(random, 0.8)) write_floor(text, random, block, bend);
  if (random_chance(random, 0.3)) hbg_text_add(text, " R air%d(%g); v%d -> air%d\n", block, 0.5 * random_real(random), block, block);
  if (random_chance(random, 0.1)) hbg_text_add(text, " R oil%d: e = 0.1*f^3; v%d -> oil%d\n", block, block, block);
  if (random_chance(random, 0.1)) hbg_text_add(text, " Se pull%d(%g*sin(%g*time)); pull%d -> v%d\n", block, random_real(random), 6 * random_real(random), block, block);
  if (random_chance(random, 0.3)) hbg_text_add(text, " signal x%d = integral(v%d.f)\n", block, block);
}

/* Blocks in a row with springs between them. (Where blocks rub on each other as well, round-off decides which of several surfaces that meet
 * is left a moment before the other.) */
static void write_row(HbgText *text, Random *random, Bend bend) {
  const bool bends = bend == SPRINGS;
  const int blocks = 6 + random_below(random, 25);
  hbg_text_add(text, "model Row {\n");
  for (int block = 0; block < blocks; block++) {
    write_block(text, random, block, bend);
    if (bends && random_chance(random, 0.4)) {
      hbg_text_add(text, " C g%d", block);
      random_spring(text, random, 0.5);
      hbg_text_add(text, " start q = %g; v%d -> g%d\n", random_real(random) - 0.5, block, block);
    }
    if (!block) continue;
    hbg_text_add(text, " 0 f%d; v%d -> f%d -> v%d; C s%d", block, block - 1, block, block, block);
    if (bends) random_spring(text, random, 0.5);
    else hbg_text_add(text, "(%g)", 0.3 + random_real(random));
    hbg_text_add(text, " start q = %g; f%d -> s%d\n", random_real(random) - 0.5, block, block);
    if (random_chance(random, 0.1)) hbg_text_add(text, " signal y%d = integral(f%d.e)\n", block, block);
  }
  hbg_text_add(text, " stop 2\n}");
}

typedef struct Met {
  int64_t patches;
  int32_t bent; /* models with slides where laws bend */
} Met;

static Met compare_rows(Seeds seeds, Bend bend) {
  Met met = {0};
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    Random random = {(uint64_t)seed};
    HbgArena arena = hbg_arena((HbgAllocator){0});
    HbgText text = hbg_text(&arena);
    write_row(&text, &random, bend);
    const InParts one = in_parts_compare_about(text.bytes, 2, seed % 2, bend == FRICTION ? 100 : 1); // what falls with the speed drives courses apart
    met.patches += one.patches;
    met.bent += one.has_bent;
    hbg_arena_release_all(&arena);
  }
  return met;
}

static void rows_of_blocks_on_rough_floors_do_the_same_in_parts_as_they_do_as_a_whole(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(40);
  const Met met = compare_rows(seeds, NOTHING);
  if (seeds.count > 20) assert_true(met.patches > seeds.count); // or it would say nothing
}

static void blocks_between_springs_that_bend_do_the_same_in_parts_as_they_do_as_a_whole(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(40);
  const Met met = compare_rows(seeds, SPRINGS);
  if (seeds.count > 20) assert_true(2 * met.bent > seeds.count);
}

static void friction_that_falls_with_the_speed_does_the_same_in_parts_as_it_does_as_a_whole(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(40);
  const Met met = compare_rows(seeds, FRICTION);
  if (seeds.count > 20) assert_true(2 * met.bent > seeds.count);
}

/* The surface is a difference of two velocities. */
static void two_that_rub_on_each_other_stick_with_friction_that_falls(void **state) {
  (void)state;
  static const char text[] = "model Two {\n 1 a, b; I m(1) start f = 1; I n(2) start f = -0.5; C k(0.3); C l(0.4); a -> m; b -> n; a -> k; b -> l\n"
                             " 0 touch; R rub: e = sign(f)*(0.5 + 0.4/(1 + abs(f)/0.3)); a -> touch -> b; touch -> rub\n stop 8\n}";
  HbgSimOptions options = {.stop = 8, .interval = 0.3, .tolerance = 1e-11, .method = HBG_METHOD_AUTOMATIC, .sliding = true};
  Ride ride, whole;
  ride_begin(&ride, text, options, RIDE_TRAJECTORY);
  options.as_a_whole = true;
  ride_begin(&whole, text, options, RIDE_TRAJECTORY);
  ride_check_same(&ride, &whole, 1e-8, 1e-8);
  assert_int_equal(ride.sim->slides.group_count, 1); // they stick in the end
  assert_true(ride.sim->slides.groups[0]->are_bent);
  ride_end(&ride);
  ride_end(&whole);
}

/* Whole steps that are far too long behind a slide are not taken for steps that round-off makes bad: what then counted for nothing left its surface unseen, and
 * met the pole of the law behind it. */
static void a_tight_tolerance_finds_the_same_events(void **state) {
  (void)state;
  static const char text[] = "model Fault(N = 3) {\n for i in 1..N { 1 v[i]; I m[i](1); C leaf[i](0.1) start e = 0.1*sin(3*i); 0 sole[i]; Sf belt[i](0.1)\n"
                             "  R rub[i]: e = sign(f)*(1 + 0.5/(1 + abs(f)/0.2)); v[i] -> m[i]; v[i] -> leaf[i]; v[i] -> sole[i] -> rub[i]; belt[i] -> sole[i] }\n"
                             " for i in 1..N-1 { 0 b[i]; C k[i](0.05); v[i] -> b[i] -> v[i+1]; b[i] -> k[i] }\n stop 20\n}";
  HbgSimOptions options = {.stop = 20, .interval = 20, .tolerance = 1e-9, .method = HBG_METHOD_DP5, .sliding = true};
  Ride loose, tight;
  ride_begin(&loose, text, options, RIDE_TRAJECTORY);
  options.tolerance = 1e-12;
  ride_begin(&tight, text, options, RIDE_TRAJECTORY);
  ride_check_same(&loose, &tight, 1e-6, 1e-5);
  ride_end(&loose);
  ride_end(&tight);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_row_of_blocks_on_a_rough_floor_comes_to_rest_in_parts_as_it_does_as_a_whole),
      cmocka_unit_test(integrators_follow_what_patches_change),
      cmocka_unit_test(rows_of_blocks_on_rough_floors_do_the_same_in_parts_as_they_do_as_a_whole),
      cmocka_unit_test(blocks_between_springs_that_bend_do_the_same_in_parts_as_they_do_as_a_whole),
      cmocka_unit_test(friction_that_falls_with_the_speed_does_the_same_in_parts_as_it_does_as_a_whole),
      cmocka_unit_test(two_that_rub_on_each_other_stick_with_friction_that_falls),
      cmocka_unit_test(a_tight_tolerance_finds_the_same_events),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
