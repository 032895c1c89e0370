/* SPDX-License-Identifier: BSD-3-Clause
 * Rows of blocks that rub on a floor or ride on each other, and are pushed and let go while others rest and slide: against a method that knows
 * neither events nor surfaces. Moreau's time stepping (1988) moves each block freely for a short while, and takes from its momentum as much
 * as friction can, but no more than there is; it converges to the motion with the step. */
#include "support/random_graph.h"
#include "support/seeds.h"
#include "support/simulated.h"

enum { MOST_BLOCKS = 7 };
#define STOP 4.0
#define SHORT 2e-5

typedef struct Block {
  double mass, speed, friction, pressing, damping, steady, push, start, width, period, sway;
} Block;

typedef struct Row {
  int count;
  Block blocks[MOST_BLOCKS];
  double stiffness[MOST_BLOCKS]; /* between a block and the next one */
  double rubbing[MOST_BLOCKS];   /* friction between them; 0: none */
  bool is_sampled;               /* pushes are held by a clock of a tenth of a second */
} Row;

/* `often`: many lie on their neighbours, and on the floor as well. Then forces are not determined where both are at rest, but the motion is. */
static Row make(Random *random, bool often) {
  Row row = {.count = 1 + random_below(random, MOST_BLOCKS), .is_sampled = random_chance(random, 0.25)};
  for (int at = 0; at < row.count; at++) {
    row.blocks[at] = (Block){0.5 + random_real(random), 4 * random_real(random) - 2, 0.3 + random_real(random), random_chance(random, 0.3) ? random_real(random) : 0,
                             random_chance(random, 0.3) ? random_real(random) : 0, random_real(random) - 0.5, 1 + 2 * random_real(random), 0.05 + random_real(random), 0.1 + 0.4 * random_real(random),
                             0.6 + random_real(random), random_chance(random, 0.3) ? random_real(random) : 0};
    row.stiffness[at] = 0.5 + 3 * random_real(random);
    row.rubbing[at] = random_chance(random, often ? 0.6 : 0.25) ? 0.2 + random_real(random) : 0;
    // else what lies on its neighbour does not touch the floor
    if (!often && at && row.rubbing[at - 1] > 0) row.blocks[at].friction = row.blocks[at].pressing = row.blocks[at].damping = 0;
  }
  return row;
}

/* ---- the row as a model ---- */

static void write(const Row *row, HbgText *text) {
  hbg_text_add(text, "model Row {\n clock hold = every(0.1)\n");
  for (int at = 0; at < row->count; at++) {
    const Block *block = &row->blocks[at];
    hbg_text_add(text, " 1 v%d; I m%d(%.17g) start f = %.17g; v%d -> m%d\n", at, at, block->mass, block->speed, at, at);
    if (block->friction > 0)
      hbg_text_add(text, " R floor%d: e = (%.17g + %.17g*pulse(0.3, 0.4, 1.1))*sign(f) + %.17g*f\n v%d -> floor%d\n", at, block->friction,
                   block->pressing, block->damping, at, at);
    hbg_text_add(text, " signal p%d = %.17g + %.17g*pulse(%.17g, %.17g, %.17g) + %.17g*sin(2*time)\n", at, block->steady, block->push, block->start,
                 block->width, block->period, block->sway);
    hbg_text_add(text, row->is_sampled ? " Se push%d(sample(p%d, hold))\n" : " Se push%d(p%d)\n", at, at);
    hbg_text_add(text, " push%d -> v%d\n", at, at);
    if (at)
      hbg_text_add(text, " 0 f%d; C s%d(%.17g); v%d -> f%d -> v%d; f%d -> s%d\n", at, at, 1 / row->stiffness[at - 1], at - 1, at, at, at, at);
    if (at && row->rubbing[at - 1] > 0)
      hbg_text_add(text, " 0 t%d; R rub%d: e = %.17g*sign(f)\n v%d -> t%d -> v%d; t%d -> rub%d\n", at, at, row->rubbing[at - 1], at - 1, at, at, at, at);
  }
  hbg_text_add(text, " stop %g\n}\n", STOP);
}

/* ---- by time stepping ---- */

static double push_at(const Row *row, int at, double time) {
  const Block *block = &row->blocks[at];
  if (row->is_sampled) time = 0.1 * floor(time / 0.1);
  const double since = time - block->start;
  const bool is_on = since >= 0 && fmod(since, block->period) < block->width;
  return block->steady + (is_on ? block->push : 0) + block->sway * sin(2 * time);
}

static double within(double value, double most) { return value > most ? most : value < -most ? -most : value; }

/* Momenta p and lengths q of the springs after a short while. `floors` and `rubs` are the impulses of friction (count), those of the last while at
 * first: each in turn takes what it can of the speed that the others leave, until nothing changes (projected Gauss-Seidel). */
static void step(const Row *row, double time, double *p, double *q, double *floors, double *rubs) {
  double v[MOST_BLOCKS];
  for (int at = 0; at < row->count; at++) {
    const Block *block = &row->blocks[at];
    double force = push_at(row, at, time) - block->damping * p[at] / block->mass;
    if (at) force += row->stiffness[at - 1] * q[at - 1];
    if (at + 1 < row->count) force -= row->stiffness[at] * q[at];
    v[at] = (p[at] + SHORT * force - floors[at] - rubs[at] + (at ? rubs[at - 1] : 0)) / block->mass;
  }
  const bool is_pressed = time >= 0.3 && fmod(time - 0.3, 1.1) < 0.4;
  double moved = 1;
  for (int turn = 0; turn < 1000 && moved > 1e-13; turn++) {
    moved = 0;
    for (int at = 0; at < row->count; at++) {
      const Block *block = &row->blocks[at];
      const double floor = within(floors[at] + block->mass * v[at], SHORT * (block->friction + (is_pressed ? block->pressing : 0)));
      moved = fmax(moved, fabs(floor - floors[at]));
      v[at] -= (floor - floors[at]) / block->mass;
      floors[at] = floor;
      if (at + 1 == row->count) continue;
      const double other = row->blocks[at + 1].mass, both = 1 / (1 / block->mass + 1 / other);
      const double rub = within(rubs[at] + both * (v[at] - v[at + 1]), SHORT * row->rubbing[at]);
      moved = fmax(moved, fabs(rub - rubs[at]));
      v[at] -= (rub - rubs[at]) / block->mass;
      v[at + 1] += (rub - rubs[at]) / other;
      rubs[at] = rub;
    }
  }
  for (int at = 0; at < row->count; at++) p[at] = row->blocks[at].mass * v[at];
  for (int at = 0; at + 1 < row->count; at++) q[at] += SHORT * (v[at] - v[at + 1]);
}

/* ---- both ---- */

static void check(const Row *row, const char *text, const HbgRunOptions *options) {
  char columns[40 * MOST_BLOCKS] = "";
  for (int at = 0; at < row->count; at++)
    snprintf(columns + strlen(columns), sizeof columns - strlen(columns), "%sm%d.p", at ? "; " : "", at);
  Simulated run = simulated(text, columns, options);
  assert_int_equal(run.status, HBG_END);
  double p[MOST_BLOCKS], q[MOST_BLOCKS] = {0}, floors[MOST_BLOCKS] = {0}, rubs[MOST_BLOCKS] = {0};
  for (int at = 0; at < row->count; at++) p[at] = row->blocks[at].mass * row->blocks[at].speed;
  int next = 0;
  for (long number = 0; next < run.row_count; number++) {
    const double time = (double)number * SHORT;
    for (; next < run.row_count && run.rows[next].row.time <= time; next++)
      for (int at = 0; at < row->count; at++)
        if (fabs(run.rows[next].values[at] - p[at]) > 1e-3)
          fail_msg("block %d has %.6g, and %.6g by time stepping, at t = %g in\n%s", at, run.rows[next].values[at], p[at], time, text);
    step(row, time + SHORT / 2, p, q, floors, rubs);
  }
  simulated_end(&run);
}

static void check_rows(Seeds seeds, bool often) {
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    Random random = {(uint64_t)seed};
    HbgArena arena = hbg_arena((HbgAllocator){0});
    HbgText text = hbg_text(&arena);
    const Row row = make(&random, often);
    print_message("seed %ld\n", seed);
    write(&row, &text);
    HbgRunOptions options = hbg_run_options();
    options.interval = STOP / 40;
    check(&row, text.bytes, &options);
    options.method = HBG_METHOD_DP5;
    check(&row, text.bytes, &options);
    hbg_arena_release_all(&arena);
  }
}

static void pushed_rows_of_blocks_rest_and_slide_as_time_stepping_finds(void **state) {
  (void)state;
  check_rows(seeds_of(12), false);
}

static void blocks_that_are_held_by_the_floor_and_by_each_other_do_so_too(void **state) {
  (void)state;
  check_rows(seeds_of(12), true);
}

/* A block of 1 N on the floor, and 0.5 N against another one of 2 N, is torn off by 1.5 N. Until then both are held twice, in any shares. */
static void a_block_that_is_held_twice_is_torn_off_by_both_forces(void **state) {
  (void)state;
  static const HbgMethod methods[] = {HBG_METHOD_AUTOMATIC, HBG_METHOD_DP5, HBG_METHOD_SDIRK};
  for (size_t method = 0; method < sizeof methods / sizeof *methods; method++) {
    HbgRunOptions options = hbg_run_options();
    options.method = (int)methods[method];
    options.interval = 1;
    Simulated run = simulated("model Break {\n Se push: e = 0.1*time\n 1 a; I ma(1) start f = 0.1; R fa: e = sign(f)\n 1 b; I mb(2) start f = -0.1; R fb: e = 2*sign(f)\n"
                              " 0 t; R rub: e = 0.5*sign(f)\n push -> a; a -> ma; a -> fa; b -> mb; b -> fb; a -> t -> b; t -> rub\n stop 16\n}",
                              "a.f; b.f; fa.e; fb.e; rub.e", &options);
    assert_int_equal(run.status, HBG_END);
    for (int row = 0; row < run.row_count; row++) {
      const double time = run.rows[row].row.time, *value = run.rows[row].values;
      if (time < 1) continue;
      CHECK_NEAR(value[0], time > 15 ? 0.05 * (time - 15) * (time - 15) : 0, 1e-6);
      CHECK_NEAR(value[1], 0, 1e-14);
      CHECK_NEAR(value[2] + value[4], fmin(0.1 * time, 1.5), 1e-6);
      CHECK_NEAR(value[4], value[3], 1e-9);
      assert_true(fabs(value[2]) < 1 + 1e-6 && fabs(value[3]) < 2 && fabs(value[4]) < 0.5 + 1e-6);
    }
    simulated_end(&run);
  }
}

static void bodies_that_are_held_twice_do_not_creep(void **state) {
  (void)state;
  HbgRunOptions options = hbg_run_options();
  options.interval = 50;
  Simulated run = simulated("model Two {\n 1 a; I ma(1.2) start f = 0.8; R fa: e = 0.74*sign(f)\n 1 b; I mb(1.5) start f = -2.6; R fb: e = 0.71*sign(f)\n"
                            " 0 t; 1 r; R rub: e = 0.19*sign(f); C spring(0.8) start q = -0.24\n"
                            " a -> ma; a -> fa; b -> mb; b -> fb; a -> t -> b; t -> r; r -> spring; r -> rub\n stop 500\n}",
                            "spring.q", &options);
  assert_int_equal(run.status, HBG_END);
  const double last = run.rows[run.row_count - 1].values[0];
  for (int row = 0; row < run.row_count; row++)
    if (run.rows[row].row.time >= 50) CHECK_NEAR(run.rows[row].values[0], last, 1e-10);
  simulated_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pushed_rows_of_blocks_rest_and_slide_as_time_stepping_finds),
      cmocka_unit_test(blocks_that_are_held_by_the_floor_and_by_each_other_do_so_too),
      cmocka_unit_test(a_block_that_is_held_twice_is_torn_off_by_both_forces),
      cmocka_unit_test(bodies_that_are_held_twice_do_not_creep),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
