/* SPDX-License-Identifier: BSD-3-Clause
 * Slides whose surfaces are left by a jump: of the state, or of what the surface reads. Closed forms, by any method. */
#include "base/numbers.h"
#include "support/random_graph.h"
#include "support/seeds.h"
#include "support/simulated.h"

static const HbgMethod methods[] = {HBG_METHOD_AUTOMATIC, HBG_METHOD_DP5, HBG_METHOD_DP8, HBG_METHOD_SDIRK};

static Simulated ride(const char *text, const char *columns, HbgMethod method) {
  HbgRunOptions options = hbg_run_options();
  options.interval = 0.05;
  options.method = method;
  return simulated(text, columns, &options);
}

/* By any method a column is `value` at `t`. */
static void check_at(const char *text, double t, const char *column, double value) {
  for (size_t which = 0; which < sizeof methods / sizeof *methods; which++) {
    Simulated run = ride(text, column, methods[which]);
    CHECK_NEAR(simulated_at(&run, t, column), value, 1e-7);
    simulated_end(&run);
  }
}

/* A block that sticks to a belt, whose speed goes from 1 to 3 m/s after one second: 20 N take 0.1 s for that. */
#define ON_BELT(belt) "model Belt {\n I block(1) start f = 1; 1 v; v -> block; " belt "\n Se dry(20*sign(belt - v.f)); dry -> v\n stop 1.5\n}"

static void a_belt_that_goes_faster_at_once_takes_its_block_along_with_the_friction_there_is(void **state) {
  (void)state;
  static const char *const texts[] = {ON_BELT("signal belt = if time < 1 then 1 else 3"),
                                      ON_BELT("clock tick = every(1 [s]); signal belt = sample(if time < 0.5 then 1 else 3, tick)"),
                                      ON_BELT("machine Drive { var speed = 1; on slow initial; off fast; slow -> fast after 1 do speed := 3 } machine drive = Drive(); signal belt = drive.speed"),
                                      ON_BELT("machine Drive { on slow initial; off fast; slow -> fast after 1 } machine drive = Drive(); signal belt = if drive in fast then 3 else 1")};
  for (size_t which = 0; which < sizeof texts / sizeof *texts; which++) {
    check_at(texts[which], 0.95, "block.p", 1);
    check_at(texts[which], 1.05, "block.p", 2);
    check_at(texts[which], 1.25, "block.p", 3);
  }
}

static void one_that_stands_on_machines_does_the_same(void **state) {
  (void)state;
  const char *const text =
      "model Belt {\n I block(1) start f = 0.99; 1 v; v -> block; signal belt = if time < 1 then 1 else 3\n signal slip = v.f - belt\n"
      " machine contact = Contact(slip); machine Contact(slip) { on behind initial; off ahead; behind -> ahead when slip > 0; ahead -> behind when slip < 0 }\n"
      " Se dry(if contact in behind then 20 else -20); dry -> v\n stop 1.5\n}";
  check_at(text, 0.95, "block.p", 1);
  check_at(text, 1.05, "block.p", 2);
  check_at(text, 1.25, "block.p", 3);
}

/* The same with a belt that is a source of its own, whose law reads the time or a machine, beside others whose belts stay as they are. */
static void so_does_one_whose_belt_is_a_source(void **state) {
  (void)state;
  static const char *const belts[] = {"if time < 1 then 1 else 3", "if drive in fast then 3 else 1", "drive.speed"};
  for (size_t which = 0; which < sizeof belts / sizeof *belts; which++) {
    char text[1500];
    snprintf(text, sizeof text,
             "model Belts {\n for i in 1..3 { I block[i](1) start f = 1; 1 v[i]; v[i] -> block[i]; 0 slip[i]; R dry[i]: e = 20*sign(f); v[i] -> slip[i]; slip[i] -> dry[i] }\n"
             " Sf belt(%s); slip[1] -> belt; Sf other[2..3](1); for i in 2..3 { slip[i] -> other[i] }\n"
             " machine drive = Drive(); machine Drive { var speed = 1; on slow initial; off fast; slow -> fast after 1 do speed := 3 }\n stop 1.5\n}",
             belts[which]);
    check_at(text, 0.95, "block[1].p", 1);
    check_at(text, 1.05, "block[1].p", 2);
    check_at(text, 1.25, "block[1].p", 3);
    check_at(text, 1.25, "block[2].p", 1);
  }
}

/* A body that sticks to the ground by up to 20 N is joined by one of 6 m/s: 3 m/s together, and 10 m/s^2 against it. */
static void who_is_joined_while_he_sticks_glides_on(void **state) {
  (void)state;
  const char *const text = "model Joined {\n I a(1); I b(1) start f = 6; 1 va, vb; va -> a; vb -> b; R dry: e = 20*sign(f); va -> dry\n"
                           " 0 j by L; va -> j -> vb; machine L { off open initial; on closed; open -> closed after 1 }\n stop 1.5\n}";
  check_at(text, 0.95, "a.p", 0);
  check_at(text, 1.1, "a.p", 2);
  check_at(text, 1.1, "dry.e", 20);
  check_at(text, 1.25, "b.p", 0.5);
  check_at(text, 1.45, "b.p", 0);
}

/* The same of N pairs that have nothing to do with each other, each at a time of its own: nobody else stops to stick. */
static void others_stick_meanwhile(void **state) {
  (void)state;
  const char *const text =
      "model Pairs {\n for i in 1..4 { I a[i](1), b[i](1) start f = 6; 1 va[i], vb[i]; va[i] -> a[i]; vb[i] -> b[i]; R dry[i]: e = 20*sign(f); va[i] -> dry[i]\n"
      " Se pull[i](5*sin(i*time)); pull[i] -> va[i]; 0 j[i] by L(0.2*i); va[i] -> j[i] -> vb[i] }\n"
      " machine L(t) { off open initial; on closed; open -> closed after t }\n stop 1.5\n}";
  check_at(text, 0.75, "a[4].p", 0);
  check_at(text, 0.35, "a[2].p", 0);
  // v' = (5 sin t - 20)/2 from 3 m/s at 0.2 s
  check_at(text, 0.3, "a[1].p", 3 - 10 * 0.1 - 2.5 * (cos(0.3) - cos(0.2)));
}

/* A pushes B, which rubs on the ground; both come to rest, and A still pushes: they are never apart. */
static void who_comes_to_rest_against_another_one_does_not_leave_him(void **state) {
  (void)state;
  const char *const text =
      "model Pushed {\n I a(1) start f = 1; I b(1) start f = 1; 1 va, vb; va -> a; vb -> b; Se push(5); push -> va; R dry: e = 20*sign(f); vb -> dry\n"
      " 0 c by C(gap, va.f - vb.f, c.e); va -> c -> vb; signal gap = integral(vb.f - va.f)\n"
      " machine C(gap, approach, force) { on together initial; off apart; together -> apart when force < 0; apart -> together when gap <= 0 and approach > 0 }\n stop 1\n}";
  for (size_t which = 0; which < sizeof methods / sizeof *methods; which++) {
    Simulated run = ride(text, "c.state; c.e; a.p", methods[which]);
    assert_int_equal(simulated_instants(&run), 1);
    CHECK_NEAR(simulated_time_of(&run, "slide entered"), 2 / 15.0, 1e-9); // two bodies of 1 kg against 15 N
    CHECK_NEAR(simulated_last(&run, "c.e"), 5, 1e-12);
    simulated_end(&run);
  }
}

/* Bodies that have nothing to do with each other, drawn from rest past their dry friction, all within the first round-off of the time. */
static void all_that_begin_at_once_begin_the_right_way(void **state) {
  (void)state;
  for (int count = 1; count <= 5; count++) {
    char text[1500];
    snprintf(text, sizeof text,
             "model Drawn {\n for i in 1..%d { I p[i](1); 1 w[i], r[i]; Se pull[i](-1 - 0.1*i - w[i].f^2/10); pull[i] -> w[i] -> p[i]\n R dry[i]: e = 0.1*sign(f); w[i] -> dry[i]\n"
                                 " 0 c[i] by Far(w[i].f - r[i].f); Sf s[i](0); w[i] -> c[i] -> r[i] -> s[i] }\n machine Far(approach) { off apart initial; on together; apart -> together when approach > 5 }\n stop 1\n}", count);
    for (int body = 1; body <= count; body++) {
      char column[20];
      snprintf(column, sizeof column, "p[%d].p", body);
      const double pull = 0.9 + 0.1 * body; // v' = -pull - v^2/10
      check_at(text, 1, column, -sqrt(10 * pull) * tan(sqrt(pull / 10)));
    }
  }
}

/* ---- any blocks on belts that change their speeds at once ---- */

enum { MOST_BLOCKS = 5, PIECES = 4 };

/* A block that rubs on a belt with `friction` and is pulled; belt speed and pull are constant in each piece of the time. */
typedef struct Block {
  double mass, friction, v, belt[PIECES], pull[PIECES], ends[PIECES];
  bool by_machine;
} Block;

static Block random_block(Random *random) {
  Block block = {.mass = 0.5 + 1.5 * random_real(random), .friction = 1 + 5 * random_real(random), .by_machine = random_below(random, 2)};
  double t = 0;
  for (int at = 0; at < PIECES; at++) {
    t += 0.2 + random_real(random);
    block.ends[at] = t;
    block.belt[at] = 4 * random_real(random) - 2;
    block.pull[at] = (3 * random_real(random) - 1.5) * block.friction;
  }
  block.v = random_below(random, 3) ? 4 * random_real(random) - 2 : block.belt[0];
  return block;
}

static void write_course(HbgText *text, const char *name, int which, const Block *block, const double *values) {
  hbg_text_add(text, " signal %s%d = ", name, which);
  for (int at = 0; at + 1 < PIECES; at++) hbg_text_add(text, "if time < %.17g then %.17g else ", block->ends[at], values[at]);
  hbg_text_add(text, "%.17g\n", values[PIECES - 1]);
}

static void write_block(HbgText *text, int which, const Block *block) {
  write_course(text, "belt", which, block, block->belt);
  write_course(text, "pull", which, block, block->pull);
  hbg_text_add(text, " I block%d(%.17g) start f = %.17g; 1 v%d; v%d -> block%d; Se drawn%d(pull%d); drawn%d -> v%d; Se dry%d(", which, block->mass, block->v, which, which, which, which, which,
               which, which, which);
  if (block->by_machine) hbg_text_add(text, "if contact%d in behind then %.17g else %.17g); machine contact%d = Contact(v%d.f - belt%d)", which, block->friction, -block->friction, which, which, which);
  else hbg_text_add(text, "%.17g*sign(belt%d - v%d.f))", block->friction, which, which);
  hbg_text_add(text, "; dry%d -> v%d\n", which, which);
}

/* Goes on for `length` within a piece: at rest on the belt as long as friction holds, else at a constant rate up to the speed of the belt. */
static double go(const Block *block, int piece, double v, double length) {
  const double belt = block->belt[piece], pull = block->pull[piece], friction = block->friction;
  while (length > 0) {
    const bool rests = hbg_is_zero(v - belt);
    if (rests && fabs(pull) <= friction) return v;
    const double away = rests ? (pull > 0 ? 1 : -1) : v > belt ? 1 : -1, rate = (pull - away * friction) / block->mass;
    const double until = !rests && (belt - v) * rate > 0 ? (belt - v) / rate : (double)INFINITY;
    if (until >= length) return v + rate * length;
    v = belt;
    length -= until;
  }
  return v;
}

static double speed_at(const Block *block, double t) {
  double v = block->v, from = 0;
  for (int piece = 0; piece < PIECES && from < t; piece++) {
    const double end = piece + 1 < PIECES ? fmin(block->ends[piece], t) : t;
    v = go(block, piece, v, end - from);
    from = end;
  }
  return v;
}

static void blocks_on_belts_that_change_their_speeds_go_as_each_alone_by_hand(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(60);
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    Random random = {(uint64_t)seed};
    HbgArena arena = hbg_arena((HbgAllocator){0});
    HbgText text = hbg_text(&arena);
    Block blocks[MOST_BLOCKS];
    const int count = 1 + random_below(&random, MOST_BLOCKS);
    hbg_text_add(&text, "model Blocks {\n");
    for (int which = 0; which < count; which++) {
      blocks[which] = random_block(&random);
      write_block(&text, which, &blocks[which]);
    }
    hbg_text_add(&text, " machine Contact(slip) { on behind initial; off ahead; behind -> ahead when slip > 0; ahead -> behind when slip < 0 }\n stop 4\n}");
    HbgRunOptions options = hbg_run_options();
    options.method = methods[random_below(&random, 4)];
    options.interval = 0.25;
    for (int which = 0; which < count; which++) {
      char column[20];
      snprintf(column, sizeof column, "block%d.f", which);
      Simulated run = simulated(text.bytes, column, &options);
      for (int at = 0; at < run.row_count; at++) {
        const double t = run.rows[at].row.time, v = simulated_value(&run, at, column), expected = speed_at(&blocks[which], t);
        if (!(fabs(v - expected) <= 1e-6)) fail_msg("seed %ld: block %d has %.17g m/s at %.17g s, not %.17g: %s", seed, which, v, t, expected, text.bytes);
      }
      simulated_end(&run);
    }
    hbg_arena_release_all(&arena);
  }
}

/* The threshold is where the pulse comes back to: what has gone through it before holds there again. */
static void a_guard_holds_when_a_jump_comes_back_to_its_threshold(void **state) {
  (void)state;
  static const char *const pulses[] = {"pulse(0.2, 0.2)", "2*pulse(0.2, 0.2)", "steps([0.2, 0.4], [0, 1, 0])"};
  for (size_t which = 0; which < sizeof pulses / sizeof *pulses; which++) {
    char text[600];
    snprintf(text, sizeof text,
             "model Leak {\n 0 n; C c(1) start q = 1; R r(1); 1 b by Switch(%s > 0); n -> c; n -> b -> r\n"
             " machine Switch(closed) { off opened initial; on made; opened -> made when closed; made -> opened when not closed }\n stop 1\n}", pulses[which]);
    check_at(text, 0.95, "c.q", exp(-0.2));
  }
}

/* Beside a body that has never moved by more than round-off: 2 N hold a body of 2 kg at the speed of its belt, which a stepped table changes at 0.3 s. */
static void a_body_slides_beside_one_that_has_never_moved(void **state) {
  (void)state;
  static const char text[] = "model Two {\n 1 a, b; I l(0.9), m(2); a -> l; b -> m; 0 k; a -> k -> b; C c: e = 7*q + 4*q^3; k -> c; R rub: e = 2*sign(f) + f; a -> rub\n"
                             " table speed(stepped, outside = hold) = [[0.2, 0.2], [0.3, 0.3], [0.6, 0.2]]; Se drag(if contact in slower then 2 else -2); drag -> b\n"
                             " machine contact = Rub(speed(time) - b.f)\n"
                             " machine Rub(v) { on slower initial; off faster; slower -> faster when v < 0; faster -> slower when v > 0 }\n stop 0.5\n}";
  check_at(text, 0.25, "m.p", 0.4);
  check_at(text, 0.45, "m.p", 0.6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_belt_that_goes_faster_at_once_takes_its_block_along_with_the_friction_there_is),
      cmocka_unit_test(one_that_stands_on_machines_does_the_same),
      cmocka_unit_test(so_does_one_whose_belt_is_a_source),
      cmocka_unit_test(who_is_joined_while_he_sticks_glides_on),
      cmocka_unit_test(others_stick_meanwhile),
      cmocka_unit_test(who_comes_to_rest_against_another_one_does_not_leave_him),
      cmocka_unit_test(all_that_begin_at_once_begin_the_right_way),
      cmocka_unit_test(blocks_on_belts_that_change_their_speeds_go_as_each_alone_by_hand),
      cmocka_unit_test(a_guard_holds_when_a_jump_comes_back_to_its_threshold),
      cmocka_unit_test(a_body_slides_beside_one_that_has_never_moved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
