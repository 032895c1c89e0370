/* SPDX-License-Identifier: BSD-3-Clause
 * Instants of many things: that they are gone through group by group, and that rows are those of the event iteration of all at once. Random
 * models are crowds of parts in step with each other: on one clock, or started alike. HYBRSIM_SEED chooses them, HYBRSIM_GRAPHS how many. */
#include "support/ride.h"
#include "support/seeds.h"

#include <stdlib.h>
#include <string.h>

#include "hybrid/together.h"

enum { TEXT = 40000, ALL = RIDE_EVENTS | RIDE_TRAJECTORY };

static HbgSimOptions options_of(double stop) {
  return (HbgSimOptions){.stop = stop, .interval = 0.0173205, .tolerance = 1e-10, .method = HBG_METHOD_AUTOMATIC, .sliding = true};
}

/* With recipes and without: the same rows. Answers how many instants were gone through group by group. */
static int64_t compare(const char *text, double stop) {
  HbgSimOptions options = options_of(stop), without = options;
  without.without_recipes = true;
  Ride a, b;
  ride_begin(&a, text, without, ALL);
  ride_begin(&b, text, options, ALL);
  assert_int_equal(hbg_together_count(a.sim), 0);
  ride_check_same(&a, &b, 1e-9, 1e-9);
  const int64_t count = hbg_together_count(b.sim);
  ride_end(&a);
  ride_end(&b);
  return count;
}

/* ---- single ---- */

static int write_ball(char *text, size_t size, int n, double height) {
  return snprintf(text, size,
                  " I ball%d(1); 1 v%d; Se weight%d(-10); 0 hit%d by Hit%d; Sf back%d(0.8 * pre(v%d.f)); v%d -> ball%d; weight%d -> v%d\n"
                  " v%d -> hit%d <- back%d; signal height%d = integral(v%d.f, start = %.6f)\n"
                  " machine Hit%d { off free initial; on touching; free -> touching when height%d <= 0 and v%d.f < 0\n"
                  "  touching -> free when pre(v%d.f) > 0 }\n",
                  n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, height, n, n, n, n);
}

/* From 5 m at 10 m/s2 they hit the floor after 1 s, and again each after 0.8 times as long. */
static void balls_that_fall_from_one_height_hit_the_floor_in_one_instant(void **state) {
  (void)state;
  static char text[TEXT];
  int used = snprintf(text, TEXT, "model Balls {\n");
  for (int n = 0; n < 10; n++) used += write_ball(text + used, TEXT - (size_t)used, n, 5);
  snprintf(text + used, TEXT - (size_t)used, "}\n");
  Ride ride;
  ride_begin(&ride, text, options_of(6), ALL);
  double time = 1, flight = 2;
  int impacts = 0;
  for (int32_t at = 0; at < ride.count; at++) {
    const HbgRow *row = &ride.rows[at];
    if (row->eps != 0 || row->time <= 0 || !row->is_event) continue;
    CHECK_NEAR(row->time, time, 1e-12);
    assert_string_equal(row->cause, "hit0: height0 <= 0 and v0.f < 0; hit1: height1 <= 0 and v1.f < 0; hit2: height2 <= 0 and v2.f < 0; "
                                    "hit3: height3 <= 0 and v3.f < 0; and 6 more");
    impacts++;
    time += flight *= 0.8;
  }
  assert_int_equal(impacts, 5);
  assert_int_equal(hbg_together_count(ride.sim), 5);
  ride_end(&ride);
}

/* One tick, read by machines that take different ways: a long chain of inferences, a jump that another machine feels one layer later, a switch
 * and nothing else. */
static void ways_of_different_lengths_are_one_instant(void **state) {
  (void)state;
  static const char text[] =
      "model Ways {\n signal beat = pulse(0.5, 0.25, 0.5)\n"
      " Se s(1); 0 rail; s -> rail\n"
      " 1 a by A; R ra(1); C ca(1); rail -> a -> ra; a -> ca; 1 b by B; R rb(1); C cb(1); rail -> b -> rb; b -> cb\n"
      " 1 c by C; R rc(1); C cc(1); rail -> c -> rc; c -> cc\n"
      " machine A { off no initial; on yes; no -> yes when beat > 0.5; yes -> no when beat < 0.5 }\n"
      " machine B { off no initial; on yes; no -> yes when a in yes; yes -> no when a in no }\n"
      " machine C { off no initial; on yes; no -> yes when b in yes; yes -> no when b in no }\n"
      " 1 d by D; R rd(1); C cd(1); rail -> d -> rd; d -> cd\n"
      " machine D { off no initial; on yes; no -> yes when beat > 0.5; yes -> no when beat < 0.5 }\n"
      " I i1(1) start f = 2; I i2(1); 1 v1, v2; v1 -> i1; v2 -> i2; 0 hold by H; v1 -> hold -> v2\n"
      " machine H { off apart initial; on joined; apart -> joined when beat > 0.5 and v1.f > v2.f + 0.1; joined -> apart when beat < 0.5 }\n"
      " 1 e by E; R re(1); C ce(1); rail -> e -> re; e -> ce\n"
      " machine E { off no initial; on yes; no -> yes when pre(v2.f) > 0.5 and beat > 0.5; yes -> no when beat < 0.5 }\n}\n";
  Ride ride;
  ride_begin(&ride, text, options_of(2), ALL);
  static const int stamps[][2] = {{-1, 0}, {0, 0}, {0, 1}, {0, 2}, {1, 0}};
  int found = 0;
  for (int32_t at = 0; at < ride.count; at++) {
    const HbgRow *row = &ride.rows[at];
    if (!row->is_event || fabs(row->time - 0.5) > 1e-9) continue;
    assert_int_equal(row->eps, stamps[found][0]);
    assert_int_equal(row->n, stamps[found++][1]);
    assert_true(row->has_jump);
  }
  assert_int_equal(found, 5);
  ride_end(&ride);
  assert_true(compare(text, 3) > 3);
}

/* Rows with two contacts each that close at once are groups of two. */
static void contacts_of_one_ball_go_together(void **state) {
  (void)state;
  static char text[TEXT];
  int used = snprintf(text, TEXT,
                      "model Rows {\n machine Impact(gap, approach) { off free initial; on touching; free -> touching when gap <= 0 and approach > 0\n"
                      "  touching -> free when pre(approach) < 0 }\n");
  static const char row[] =
      " I l#(%) start f = 1; I m#(2); I r#(%) start f = -1; 1 vl#, vm#, vr#; vl# -> l#; vm# -> m#; vr# -> r#\n"
      " signal gl# = integral(vm#.f - vl#.f, start = 0.3), gr# = integral(vr#.f - vm#.f, start = 0.3)\n"
      " 0 cl# by Impact(gl#, vl#.f - vm#.f), cr# by Impact(gr#, vm#.f - vr#.f)\n"
      " Sf el#(0.9 * pre(vl#.f - vm#.f)), er#(0.9 * pre(vm#.f - vr#.f)); vl# -> cl# -> vm#; el# -> cl#; vm# -> cr# -> vr#; er# -> cr#\n";
  for (int n = 0; n < 4; n++) // # is the number of the row, % a mass
    for (const char *from = row; *from; from++)
      used += snprintf(text + used, TEXT - (size_t)used, *from == '#' || *from == '%' ? "%d" : "%c", *from == '#' ? n : *from == '%' ? 1 + n / 2 : *from);
  snprintf(text + used, TEXT - (size_t)used, "}\n");
  assert_true(compare(text, 1) >= 1);
}

/* ---- random crowds ---- */

static double between(double from, double to) { return from + (to - from) * (double)rand() / RAND_MAX; }

/* One of a crowd: what they have in common is drawn from `seed`, the rest freely. */
typedef int (*WritePart)(char *text, size_t size, int n, unsigned seed);

static double free_number(double from, double to, bool is_alike, double common) { return is_alike ? common : between(from, to); }

static int write_falling(char *text, size_t size, int n, unsigned seed) { return write_ball(text, size, n, 0.2 + seed % 7 * 0.31); }

static int write_converter(char *text, size_t size, int n, unsigned seed) {
  const bool are_alike = seed % 2;
  return snprintf(text, size,
                  " 1 line%d; I coil%d(%.3f); 0 node%d, out%d; 1 switch%d by Switch%d; Se ground%d(0); 1 diode%d by Diode%d\n"
                  " C store%d(0.2); R load%d(%.1f)\n"
                  " rail -> line%d -> node%d -> diode%d -> out%d -> store%d; line%d -> coil%d; node%d -> switch%d -> ground%d; out%d -> load%d\n"
                  " machine Switch%d { on shut; off open initial; shut -> open when pulse(0, %.5f, 0.125) < 0.5; open -> shut when pulse(0, %.5f, 0.125) > 0.5 }\n"
                  " machine Diode%d { off blocks initial; on conducts; blocks -> conducts when node%d.e - out%d.e > 0\n"
                  "   conducts -> blocks when diode%d.f < 0 }\n",
                  n, n, free_number(0.01, 0.05, are_alike, 0.02), n, n, n, n, n, n, n, n, n, free_number(1, 20, are_alike, 7), n, n, n, n, n, n, n, n, n, n, n,
                  n, n, 0.03125 * (1 + seed / 2 % 3), 0.03125 * (1 + seed / 2 % 3), n, n, n, n);
}

/* Two bodies that the clock joins, with a jump, and lets go. */
static int write_clutch(char *text, size_t size, int n, unsigned seed) {
  const double period = 0.125 * (1 + seed % 4); // binary, so that ticks of several clocks fall together exactly
  return snprintf(text, size,
                  " I fast%d(%.2f) start f = %.2f; I slow%d(1); 1 vf%d, vs%d; vf%d -> fast%d; vs%d -> slow%d; Se push%d(3); push%d -> vf%d\n"
                  " 0 hold%d by Hold%d; vf%d -> hold%d -> vs%d\n"
                  " machine Hold%d { off apart initial; on joined; apart -> joined when pulse(0.125, %.4f, %.4f) > 0.5%s\n"
                  "  joined -> apart when pulse(0.125, %.4f, %.4f) < 0.5 }\n",
                  n, between(0.5, 2), between(1, 3), n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, period / 2, period,
                  seed % 3 ? "" : " and abs(vf0.f) < 100", period / 2, period);
}

/* A chain of machines, each of which sees the one before. */
static int write_chain(char *text, size_t size, int n, unsigned seed) {
  const double period = 0.125 * (1 + seed % 3);
  const int length = 1 + rand() % 3;
  int used = 0;
  for (int link = 0; link < length; link++) {
    used += snprintf(text + used, size - (size_t)used, " 1 j%d_%d by J%d_%d; R r%d_%d(%.2f); C c%d_%d(%.2f); rail -> j%d_%d -> r%d_%d; j%d_%d -> c%d_%d\n", n, link,
                     n, link, n, link, between(0.5, 2), n, link, between(0.1, 1), n, link, n, link, n, link, n, link);
    if (link) used += snprintf(text + used, size - (size_t)used, " machine J%d_%d { off no initial; on yes; no -> yes when j%d_%d in yes; yes -> no when j%d_%d in no }\n", n, link, n, link - 1, n, link - 1);
    else used += snprintf(text + used, size - (size_t)used, " machine J%d_0 { off no initial; on yes; no -> yes when pulse(0.125, %.4f, %.4f) > 0.5; yes -> no when pulse(0.125, %.4f, %.4f) < 0.5 }\n", n, period / 2, period, period / 2, period);
  }
  return used;
}

/* Some of its ticks find the vessel too full. */
static int write_pump(char *text, size_t size, int n, unsigned seed) {
  const int beat = 1 + (int)(seed % 4);
  return snprintf(text, size,
                  " Se feed%d(2); 1 valve%d by Valve%d; R pipe%d(%.2f); 0 in%d; C tank%d(%.2f); R leak%d(%.2f); feed%d -> valve%d -> pipe%d; valve%d -> in%d\n"
                  " in%d -> tank%d; in%d -> leak%d\n"
                  " machine Valve%d { off shut initial; on open; shut -> open when beat%d > 0.5 and in%d.e < %.2f; open -> shut when beat%d < 0.5 or in%d.e > %.2f }\n",
                  n, n, n, n, between(0.5, 2), n, n, between(0.1, 0.5), n, between(1, 3), n, n, n, n, n, n, n, n, n, n, beat, n,
                  between(0.4, 0.8), beat, n, between(0.9, 1.1));
}

static void draw(long seed, char *text) {
  static const WritePart kinds[] = {write_falling, write_converter, write_clutch, write_chain, write_pump};
  srand((unsigned)seed);
  int used = snprintf(text, TEXT, "// seed %ld\nmodel Crowd {\n Se supply(2); 0 rail; supply -> rail; 1 idle; R none(1); rail -> idle -> none\n", seed), n = 0;
  for (int beat = 1; beat <= 4; beat++)
    used += snprintf(text + used, TEXT - (size_t)used, " signal beat%d = pulse(0, %.5f, %.4f)\n", beat, 0.03125 * beat, 0.0625 * beat);
  used += snprintf(text + used, TEXT - (size_t)used, " I i0(1) start f = 1; 1 vf0; vf0 -> i0\n");
  n = 1;
  for (int crowd = 0, crowds = 1 + rand() % 3; crowd < crowds; crowd++) {
    const WritePart kind = kinds[rand() % 5];
    const unsigned common = (unsigned)rand();
    for (int member = 0, members = 2 + rand() % 6; member < members; member++) used += kind(text + used, TEXT - (size_t)used, n++, common);
  }
  snprintf(text + used, TEXT - (size_t)used, "}\n");
}

/* Regions with clocks of their own, and instants of many things in them, against the same model as a whole. */
static void and_those_of_the_model_as_a_whole(void **state) {
  (void)state;
  static char text[TEXT];
  const Seeds seeds = seeds_of(30);
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    draw(seed, text);
    ride_check_as_a_whole(text, options_of(1), ALL);
  }
}

static void crowds_get_the_rows_of_the_event_iteration(void **state) {
  (void)state;
  static char text[TEXT];
  const Seeds seeds = seeds_of(60);
  long together = 0;
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    draw(seed, text);
    together += compare(text, 1) > 0;
  }
  assert_true(2 * together > seeds.count); // else nothing has been compared
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(balls_that_fall_from_one_height_hit_the_floor_in_one_instant),
      cmocka_unit_test(ways_of_different_lengths_are_one_instant),
      cmocka_unit_test(contacts_of_one_ball_go_together),
      cmocka_unit_test(crowds_get_the_rows_of_the_event_iteration),
      cmocka_unit_test(and_those_of_the_model_as_a_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
