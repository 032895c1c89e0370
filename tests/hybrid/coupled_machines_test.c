/* SPDX-License-Identifier: BSD-3-Clause
 * Sets of states with clocks of their own beside machines that wait, count, keep what they have met and call each other: random chains and stars are
 * run in sets and as a whole, and must have the same rows. HYBRSIM_SEED chooses them, HYBRSIM_GRAPHS how many. */
#include "support/numbered.h"
#include "support/sets_many.h"

static const char machines[] =
    " machine Turns(a, b) { on closed initial; off open; closed -> open after a; open -> closed after b }\n"
    " machine Slow(S, slip) { on stuck initial; off ahead; off behind\n"
    "  stuck -> ahead when S > 0.6; stuck -> behind when S < -0.6; ahead -> stuck after 0.07 when slip < 0; behind -> stuck after 0.11 when slip > 0 }\n"
    " machine Counts(x) { var hits = 0; off free initial; on hit; free -> hit when x > 0.3 do hits := hits + 1; hit -> free when x < 0.25 }\n"
    " machine Keeps(x, t) { var most = 0.1; var at = 0; off low initial; on high\n"
    "  low -> high when x > most + 0.02 do most := x, at := t; high -> low when x < most - 0.15 do most := 0.5*most }\n"
    " machine Tires(x) { var n = 0; on open initial; off shut; open -> shut when x > 0.2 + 0.03*n do n := n + 1; shut -> open after 0.05 + 0.02*n }\n";

/* What is on mass i of a chain. Every mass is called when the one before it knocks. */
static void write_mass(HbgText *text, Random *random, int i) {
  const double a = 0.3 + random_real(random), b = random_real(random) - 0.5;
  numbered_add(text, " event knock#; 1 v#; I m#(@) start p = ~; v# -> m#\n", i, 0.5 + random_real(random), random_real(random) - 0.5);
  switch (random_below(random, 9)) {
    case 0: numbered_add(text, " C s#(@) start q = ~; v# -> s#; 0 b# by Turns(0.5*@, 0.3); R r#(~ + 1); v# -> b# -> r#\n", i, a, b); break;
    case 1:
      numbered_add(text, " C s#(@) start q = ~; v# -> s#; 0 g# by Slow(k#.e - s#.e, v#.f - 0.3); Sf ride#(0.3); v# -> g# -> ride#\n"
                         " Se fr#(if g# in ahead then -0.4 else if g# in behind then 0.4 else 0); fr# -> v#\n", i, a, b);
      break;
    case 2: numbered_add(text, " 1 w# by Counts(m#.f); Se stop#(-1 - 0.2*w#.hits); 0 c#; v# -> c#; C s#(@); c# -> s#; stop# -> w#; R rw#(1); w# -> rw#\n", i, a, b); break;
    case 3: numbered_add(text, " C s#(@) start q = ~; v# -> s#; 0 b# by Keeps(m#.f, time); Se back#(-0.3*b#.most - 0.02*b#.at); back# -> v#; R r#(~ + 1); v# -> b# -> r#\n", i, a, b); break;
    case 4: numbered_add(text, " C s#(@); v# -> s#; 0 b# by Tires(m#.f - s#.e); R r#(@ + 1); v# -> b# -> r#\n", i, a, b); break;
    case 5:
      numbered_add(text, " C s#(@); v# -> s#; machine K# = Knock#(m#.f); Se swing#(0.3 - 0.2*mod(K#.n, 3)); 1 far#; R thin#(1); C well#(@)\n"
                         " swing# -> far#; far# -> thin#; far# -> well#; 0 x# by Counts(well#.e + ~); 1 t#; C h#(1); v# -> x# -> t# -> h#\n"
                         " machine Knock#(x) { var n = 0; off low initial; off high; low -> high when x > 0.1 do n := n + 1 send knock#; high -> low when x < 0.05 }\n", i, a, b);
      break;
    case 6: numbered_add(text, " Se push#(~ + 0.3*@*sin(2.1*time)); push# -> v#; C s#(@); v# -> s#; 0 b# by Turns(@, 0.4); R r#(2); v# -> b# -> r#\n", i, a, b); break;
    default: numbered_add(text, " R d#(0.1 + @); v# -> d#; Se push#(~); push# -> v#\n", i, 0.3 * a, b); break;
  }
  if (i < 2) return;
  const double wait = 0.05 + 0.2 * random_real(random);
  switch (random_below(random, 3)) {
    case 0:
      hbg_text_add(text, " 0 q%d by Called%d; R z%d(2); v%d -> q%d -> z%d; machine Called%d { var n = 0; on quiet initial; off busy\n"
                         "  quiet -> busy when knock%d do n := n + 1; busy -> quiet after %.4f + 0.05*n }\n", i, i, i, i, i, i, i, i - 1, wait);
      break;
    default: break;
  }
}

/* What is between mass i and the next one. */
static void write_spring(HbgText *text, Random *random, int i, bool is_last) {
  const double a = 0.5 + random_real(random), wait = 0.2 + random_real(random);
  numbered_add(text, " 0 n#; C k#(@) start q = ~; v# -> n# -> k#\n", i, a, 0.4 * random_real(random) - 0.2);
  if (!is_last) hbg_text_add(text, " n%d -> v%d\n", i, i + 1);
  switch (random_below(random, 6)) {
    case 0: numbered_add(text, " 1 f# by Turns(~, @); R y#(@); n# -> f# -> y#\n", i, a, wait); break;
    case 1: numbered_add(text, " 1 f# by Counts(k#.e); R y#(@ + 0.2*f#.hits); n# -> f# -> y#\n", i, a, 0); break;
    case 2: numbered_add(text, " R y#(@); n# -> y#\n", i, a, 0); break;
    default: break;
  }
}

static void write_chain(HbgText *text, Random *random, long seed) {
  const int count = 2 + random_below(random, 7);
  hbg_text_add(text, "// seed %ld\nmodel Chain {\n%s", seed, machines);
  for (int i = 1; i <= count; i++) {
    write_mass(text, random, i);
    write_spring(text, random, i, i == count);
  }
  hbg_text_add(text, " stop 5\n}");
}

/* ---- stars ---- */

/* What hangs on the one storage in the middle. */
static void write_leaf(HbgText *text, Random *random, int i) {
  const double a = 0.3 + random_real(random), b = random_real(random);
  switch (random_below(random, 5)) {
    case 0: numbered_add(text, " 1 line# by Turns(0.4*@, 0.2 + 0.3*~); R in#(@); C tank#(~ + 0.2); rail -> line#; line# -> in#; line# -> tank#\n", i, a, b); break;
    case 1:
      numbered_add(text, " 1 line#; R in#(@); 0 node#; C tank#(~ + 0.2); 1 lamp# by Counts(0.5*node#.e); R glow#(0.2 + 0.1*lamp#.hits)\n", i, a, b);
      numbered_add(text, " rail -> line# -> node# -> tank#; line# -> in#; node# -> lamp# -> glow#\n", i, a, b);
      break;
    case 2: numbered_add(text, " 1 heat# by Tires(0.3*tank.e); R in#(@ + 2); rail -> heat# -> in#\n", i, a, b); break;
    case 3: numbered_add(text, " 1 line# by Keeps(tank.e, time); I coil#(@); R in#(~ + 0.1); rail -> line#; line# -> coil#; line# -> in#\n", i, a, b); break;
    default: numbered_add(text, " 1 line#; I coil#(@); R in#(~ + 0.1); rail -> line#; line# -> coil#; line# -> in#\n", i, a, b); break;
  }
}

static void write_star(HbgText *text, Random *random, long seed) {
  const int count = 4 + random_below(random, 6);
  hbg_text_add(text, "// seed %ld\nmodel Star {\n%s Se supply(1.5); 1 wire; R resistance(%.6g); 0 rail; C tank(%.6g) start e = 0.5\n", seed, machines,
               0.5 + random_real(random), 0.3 * count);
  hbg_text_add(text, " supply -> wire -> rail -> tank; wire -> resistance\n");
  for (int i = 1; i <= count; i++) write_leaf(text, random, i);
  hbg_text_add(text, " stop 5\n}");
}

/* ---- both ways ---- */

static void compare_many(SetsWrite write, long count) {
  const Seeds seeds = seeds_of(count);
  const SetsMet met = sets_compare_many(write, seeds);
  if (seeds.count > 10) assert_true(met.coupled_rows > 2 * met.events && met.events > 10 * seeds.count); // or it would say nothing
}

static void chains_whose_machines_wait_count_and_call_do_the_same_in_sets(void **state) {
  (void)state;
  compare_many(write_chain, 40);
}

static void stars_whose_machines_wait_and_count_do_the_same_in_sets(void **state) {
  (void)state;
  compare_many(write_star, 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chains_whose_machines_wait_count_and_call_do_the_same_in_sets),
      cmocka_unit_test(stars_whose_machines_wait_and_count_do_the_same_in_sets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
