/* SPDX-License-Identifier: BSD-3-Clause
 * Sliding on switching surfaces, against solutions in closed form. */
#include "support/simulated.h"

static Simulated slide(const char *text, const char *columns) {
  HbgRunOptions options = hbg_run_options();
  options.interval = 0.25;
  return simulated(text, columns, &options);
}

static int count_of(const Simulated *run, const char *words) {
  int count = 0;
  for (int at = 0; at < run->row_count; at++)
    if (strstr(run->rows[at].cause, words)) count++;
  return count;
}

/* ---- one surface ---- */

/* x'' = -sign(x + x') from x = 1 at rest reaches the line x + x' = 0 at t = sqrt(3) - 1, and goes along it: x' = -x. */
#define CHAIN(guards)                                                                                      \
  "model Chain {\n signal x = integral(v, start = 1); signal v = integral(u); signal s = x + v\n"          \
  " signal u = if relay in high then -1 else 1\n machine relay = Relay(s)\n machine Relay(s) { on high initial; off low; " guards \
  " }\n stop 4\n}"

static void check_chain(const char *text) {
  Simulated run = slide(text, "x; v; u; s");
  const double start = sqrt(3) - 1;
  CHECK_NEAR(simulated_time_of(&run, "slide entered on relay"), start, 1e-12);
  assert_int_equal(simulated_instants(&run), 1);
  for (int at = 0; at < run.row_count; at++) {
    const double t = run.rows[at].row.time;
    if (t <= start + 1e-9) continue;
    const double x = start * exp(-(t - start));
    CHECK_NEAR(simulated_value(&run, at, "x"), x, 1e-8);
    CHECK_NEAR(simulated_value(&run, at, "v"), -x, 1e-8);
    CHECK_NEAR(simulated_value(&run, at, "s"), 0, 1e-14);
    // the mean of what the relay gives is the equivalent control x'' (Utkin 1992)
    CHECK_NEAR(simulated_value(&run, at, "u"), x, 1e-8);
  }
  simulated_end(&run);
}

static void a_relay_takes_a_chain_of_integrators_along_its_line(void **state) {
  (void)state;
  check_chain(CHAIN("high -> low when s < 0; low -> high when s > 0"));
}

static void guards_may_include_the_surface_itself(void **state) {
  (void)state;
  check_chain(CHAIN("high -> low when s <= 0; low -> high when s >= 0"));
  check_chain(CHAIN("high -> low when s <= 0; low -> high when s > 0"));
  check_chain(CHAIN("high -> low when s < 0; low -> high when s >= 0"));
}

static void the_two_guards_may_be_written_differently(void **state) {
  (void)state;
  check_chain(CHAIN("high -> low when 0 > s; low -> high when s > 0"));
  check_chain(CHAIN("high -> low when s < 0; low -> high when 2*s > 0"));
  check_chain(CHAIN("high -> low when -s > 0; low -> high when x > -v"));
}

/* A block of 1 kg, held by a spring of 1 N/m, on a belt that moves with 0.1 m/s and rubs with 0.5 N. It sticks from when it
 * has the velocity of the belt until the spring is as strong as the friction. */
#define BELT                                                                                                 \
  "model Belt {\n param F = 0.5, belt = 0.1\n I block(1); C spring(1); 1 motion; motion -> block; motion -> spring\n" \
  " Se friction(if contact in forward then F else -F); friction -> motion\n signal rel = belt - motion.f\n"  \
  " machine contact = Contact(rel)\n"                                                                        \
  " machine Contact(v) { on forward initial; off backward; forward -> backward when v < 0; backward -> forward when v > 0 }\n" \
  " stop 10\n}"

static void a_block_on_a_belt_sticks_until_the_spring_is_stronger(void **state) {
  (void)state;
  Simulated run = slide(BELT, "block.f; spring.q; friction.e");
  const double caught = asin(0.2), far = 0.5 * (1 - cos(caught)), released = caught + (0.5 - far) / 0.1;
  CHECK_NEAR(simulated_time_of(&run, "slide entered on contact"), caught, 1e-9);
  CHECK_NEAR(simulated_time_of(&run, "slide left on contact"), released, 1e-9);
  for (int at = 0; at < run.row_count; at++) {
    const double t = run.rows[at].row.time, since = t - released;
    if (t > caught + 1e-6 && t < released - 1e-6) {
      CHECK_NEAR(simulated_value(&run, at, "block.f"), 0.1, 1e-15);
      CHECK_NEAR(simulated_value(&run, at, "friction.e"), simulated_value(&run, at, "spring.q"), 1e-11);
    } else if (since > 1e-6) {
      CHECK_NEAR(simulated_value(&run, at, "spring.q"), 0.5 + 0.1 * sin(since), 1e-7);
      CHECK_NEAR(simulated_value(&run, at, "friction.e"), 0.5, 0);
    }
  }
  simulated_end(&run);
}

static void a_surface_may_move_with_time(void **state) {
  (void)state;
  // x' is 0.5 below sin t and -0.5 above it: they meet where 0.5 t = sin t, and part where sin t falls faster than 0.5
  Simulated run = slide("model Moving {\n signal x = integral(if relay in low then 0.5 else -0.5); signal e = x - sin(time)\n"
                        " machine relay = Relay(e)\n"
                        " machine Relay(s) { on low initial; off high; low -> high when s > 0; high -> low when s < 0 }\n stop 5\n}",
                        "x");
  CHECK_NEAR(simulated_time_of(&run, "slide entered on relay"), 1.895494267033981, 1e-9);
  const double left = acos(-0.5);
  CHECK_NEAR(simulated_time_of(&run, "slide left on relay"), left, 1e-9);
  for (int at = 0; at < run.row_count; at++) {
    const double t = run.rows[at].row.time;
    if (t > 1.9 && t < left) CHECK_NEAR(simulated_value(&run, at, "x"), sin(t), 1e-14);
    if (t > left) CHECK_NEAR(simulated_value(&run, at, "x"), sin(left) - 0.5 * (t - left), 1e-8);
  }
  simulated_end(&run);
}

static void nothing_drifts_off_a_curved_surface(void **state) {
  (void)state;
  // turning about the origin, driven to the unit circle from both sides; thirty times around
  Simulated run = slide("model Circle {\n signal x = integral(-y + a*x, start = 0.5); signal y = integral(x + a*y)\n"
                        " signal a = if side in inside then 1 else -3\n machine side = Side(x^2 + y^2); signal r = hypot(x, y)\n"
                        " machine Side(r) { on inside initial; off outside; inside -> outside when r > 1; outside -> inside when r < 1 }\n"
                        " stop 200\n}",
                        "r; x; a");
  const double start = log(2);
  CHECK_NEAR(simulated_time_of(&run, "slide entered on side"), start, 1e-7);
  for (int at = 0; at < run.row_count; at++) {
    if (run.rows[at].row.time <= start + 1e-6) continue;
    CHECK_NEAR(simulated_value(&run, at, "r"), 1, 1e-14);
    CHECK_NEAR(simulated_value(&run, at, "a"), 0, 1e-9);
  }
  CHECK_NEAR(simulated_value(&run, run.row_count - 1, "x"), cos(200), 1e-5);
  simulated_end(&run);
}

/* ---- how a slide ends ---- */

#define PUSHED(push)                                                                                           \
  "model Pushed {\n signal u = if relay in low then 1 else -1\n signal x = integral(u + " push ", start = -1)\n" \
  " machine relay = Relay(x)\n"                                                                                \
  " machine Relay(s) { on low initial; off high; low -> high when s > 0; high -> low when s < 0 }\n stop 8\n}"

static void it_ends_where_one_side_is_too_weak(void **state) {
  (void)state;
  // from t = 4 on the push is stronger than the relay
  Simulated run = slide(PUSHED("time/4"), "x; u");
  CHECK_NEAR(simulated_time_of(&run, "slide left on relay"), 4, 1e-9);
  CHECK_NEAR(simulated_value(&run, run.row_count - 1, "x"), 2, 1e-7); // (t - 4)^2/8
  simulated_end(&run);
}

static void a_scheduled_push_tears_it_off_at_once_and_it_comes_back(void **state) {
  (void)state;
  Simulated run = slide(PUSHED("2*pulse(3, 1)"), "x; u");
  CHECK_NEAR(simulated_time_of(&run, "slide left on relay"), 3, 0);
  assert_int_equal(count_of(&run, "slide entered on relay"), 2);
  CHECK_NEAR(run.rows[run.row_count - 1].values[0], 0, 1e-15);
  for (int at = 0; at < run.row_count; at++)
    if (fabs(run.rows[at].row.time - 4.5) < 1e-9) CHECK_NEAR(simulated_value(&run, at, "x"), 0.5, 1e-9);
  simulated_end(&run);
}

/* It rests since 1 s, and goes on under a push of 2 N. */
static void a_brake_that_is_let_go_of_lets_its_wheel_go(void **state) {
  (void)state;
  static const char *const brakes[] = {"R brake: e = 5*(1 - step(3))*sign(f)", "R brake: e = if b in free then 0 else 5*sign(f)\n machine b = M; machine M { off held initial; on free; held -> free after 3 }",
                                       "R brake: e = 5*b.hold*sign(f)\n machine b = M; machine M { var hold = 1; off held initial; on free; held -> free after 3 do hold := 0 }"};
  char text[1024];
  for (size_t at = 0; at < sizeof brakes / sizeof *brakes; at++) {
    snprintf(text, sizeof text, "model Brake { 1 w; I wheel(1) start f = 3; Se push(2); push -> w -> wheel; w -> brake\n %s\n stop 5\n}", brakes[at]);
    Simulated run = slide(text, "wheel.f; brake.e");
    for (int row = 0; row < run.row_count; row++) {
      const double t = run.rows[row].row.time;
      if (t > 1.01 && t < 2.99) CHECK_NEAR(simulated_value(&run, row, "brake.e"), 2, 1e-9);
      if (t > 3.01) CHECK_NEAR(simulated_value(&run, row, "wheel.f"), 2 * (t - 3), 1e-9);
    }
    simulated_end(&run);
  }
}

/* By 0.5, as long as that lasts. */
static void a_relay_that_is_switched_off_drifts(void **state) {
  (void)state;
  char text[1024];
  static const char *const relays[] = {"signal x = integral(K*(if x > 0 then -1 else 1) + 0.5, start = 1)",
                                       "signal x = integral((if r in high then -K else K) + 0.5, start = 1)\n machine r = Relay(x)\n"
                                       " machine Relay(x) { on high initial; off low; high -> low when x < 0; low -> high when x > 0 }"};
  for (size_t at = 0; at < sizeof relays / sizeof *relays; at++) {
    snprintf(text, sizeof text, "model Relays { %s\n signal K = if time < 2 or time >= 4 then 2 else 0\n stop 6\n}", relays[at]);
    Simulated run = slide(text, "x");
    for (int row = 0; row < run.row_count; row++) {
      const double t = run.rows[row].row.time;
      if (t > 0.7 && t < 2) CHECK_NEAR(simulated_value(&run, row, "x"), 0, 1e-9);
      if (t > 2 && t < 4) CHECK_NEAR(simulated_value(&run, row, "x"), 0.5 * (t - 2), 1e-9);
      if (t > 4.67) CHECK_NEAR(simulated_value(&run, row, "x"), 0, 1e-9);
    }
    simulated_end(&run);
  }
}

/* Piles are driven for half a minute by hammers that stay on them until they are lifted: the soil holds them within the last digit of the time. */
static void what_stops_within_the_last_digit_of_the_time_slides(void **state) {
  (void)state;
  static const double tolerances[] = {1e-8, 1e-10, 1e-12};
  double depth[3];
  for (int at = 0; at < 3; at++) {
    HbgRunOptions options = hbg_run_options();
    options.tolerance = tolerances[at];
    Simulated run = simulated(
        "model Pile { 1 ham, pil; I hammer(500); I pile(300); Se w1(4905), w2(2943); w1 -> ham -> hammer; w2 -> pil -> pile; R soil: e = 20944*sign(f); pil -> soil\n"
        " 0 hit by Hit(gap, ham.f - pil.f, hit.e); ham -> hit -> pil; 0 hook by winch; MSf lift(1); ham -> hook <- lift; machine winch = Winch\n"
        " signal depth = integral(pil.f), gap = integral(pil.f - ham.f, start = 1)\n"
        " machine Winch { off free initial; on lifting; free -> lifting after 2; lifting -> free after 0.52 }\n"
        " machine Hit(gap, approach, force) { off apart initial; on together; apart -> together when gap <= 0 and approach > 0; together -> apart when force < 0 }\n stop 60\n}",
        "depth", &options);
    depth[at] = simulated_last(&run, "depth");
    simulated_end(&run);
  }
  CHECK_NEAR(depth[0], depth[2], 1e-7);
  CHECK_NEAR(depth[1], depth[2], 1e-9);
}

static void what_else_a_guard_asks_for_ends_it(void **state) {
  (void)state;
  Simulated run = slide("model Until {\n signal x = integral(if relay in low then 0.5 else -0.5, start = -1)\n machine relay = Relay(x)\n"
                        " machine Relay(s) { on low initial; off high; low -> high when s > 0 and time < 3; high -> low when s < 0 }\n"
                        " stop 7\n}",
                        "x");
  CHECK_NEAR(simulated_time_of(&run, "slide left on relay"), 3, 0);
  CHECK_NEAR(simulated_value(&run, run.row_count - 1, "x"), 2, 1e-9);
  simulated_end(&run);
}

static void a_guard_of_either_state_to_a_third_one_ends_it(void **state) {
  (void)state;
  Simulated run = slide("model Third {\n signal x = integral(if relay in low then 0.5 else if relay in high then -0.5 else 2, start = -1)\n"
                        " machine relay = Relay(x)\n machine Relay(s) { on low initial; off high; on third\n"
                        " low -> high when s > 0; high -> low when s < 0; high -> third when time >= 4 }\n stop 7\n}",
                        "x; relay in third");
  CHECK_NEAR(simulated_time_of(&run, "slide left on relay: time >= 4"), 4, 0);
  CHECK_NEAR(simulated_value(&run, run.row_count - 1, "x"), 6, 1e-9);
  simulated_end(&run);
}

static void another_machine_may_act_meanwhile(void **state) {
  (void)state;
  // y adds up the equivalent control: 0 from t = 1 to 3, -0.5 from 3 to 4
  Simulated run = slide("model Other {\n signal u = if relay in low then 1 else -1; signal y = integral(u)\n"
                        " signal x = integral(u + (if kick in on then 0.5 else 0), start = -1)\n"
                        " machine relay = Relay(x); machine kick = Kick()\n"
                        " machine Kick() { off no initial; on yes; off over; no -> yes when time >= 3; yes -> over when time >= 4 }\n"
                        " machine Relay(s) { on low initial; off high; low -> high when s > 0; high -> low when s < 0 }\n stop 5\n}",
                        "x; y; u");
  assert_int_equal(count_of(&run, "slide left"), 0);
  CHECK_NEAR(simulated_value(&run, run.row_count - 1, "x"), 0, 1e-14);
  CHECK_NEAR(simulated_value(&run, run.row_count - 1, "y"), 0.5, 1e-9);
  simulated_end(&run);
}

/* ---- switched junctions ---- */

/* Two machines open and close the two switches of a converter at the same current, which is held. */
static void a_converter_holds_its_current(void **state) {
  (void)state;
  Simulated run = slide("model Buck {\n param wanted = 1\n Se supply(10); 1 upper by Upper(coil.f); 1 lower by Lower(coil.f); Se ground(0)\n"
                        " 0 node, out; 1 line; I coil(1); C capacitor(1); R load(2)\n"
                        " supply -> upper -> node; ground -> lower -> node; node -> line -> out; line -> coil; out -> capacitor; out -> load\n"
                        " machine Upper(i) { on closed initial; off open; closed -> open when i > wanted; open -> closed when i < wanted }\n"
                        " machine Lower(i) { off open initial; on closed; open -> closed when i > wanted; closed -> open when i < wanted }\n"
                        " stop 10\n}",
                        "coil.f; out.e; supply.f; node.e; if upper in on then 1 else 0");
  assert_int_equal(simulated_instants(&run), 1);
  const double start = simulated_time_of(&run, "slide entered on lower, upper");
  double first = (double)NAN;
  for (int at = 0; at < run.row_count; at++) {
    const double t = run.rows[at].row.time;
    if (t <= start && run.rows[at].row.kind == HBG_ROW_BEFORE) first = simulated_value(&run, at, "out.e");
    if (t <= start + 1e-9) continue;
    const double voltage = 2 - (2 - first) * exp(-(t - start) / 2); // the load takes what the coil gives
    CHECK_NEAR(simulated_value(&run, at, "coil.f"), 1, 1e-14);
    CHECK_NEAR(simulated_value(&run, at, "out.e"), voltage, 1e-8);
    CHECK_NEAR(simulated_value(&run, at, "node.e"), voltage, 1e-8);
    CHECK_NEAR(run.rows[at].values[4], voltage / 10, 1e-8);                     // the duty
    CHECK_NEAR(simulated_value(&run, at, "supply.f"), voltage / 10, 1e-8);      // and no power is lost
  }
  simulated_end(&run);
}

static void a_relief_valve_holds_the_pressure(void **state) {
  (void)state;
  Simulated run = slide("model Valve {\n Sf pump(1 + 0.5*sin(time)); 0 tank; C volume(1); 1 line by Relief(tank.e); R pipe(1)\n"
                        " pump -> tank -> volume; tank -> line -> pipe\n"
                        " machine Relief(p) { off shut initial; on open; shut -> open when p > 5; open -> shut when p < 5 }\n stop 10\n}",
                        "volume.e; pipe.f; line; line.state");
  const double start = simulated_time_of(&run, "slide entered on line");
  for (int at = 0; at < run.row_count; at++) {
    const double t = run.rows[at].row.time;
    if (t <= start + 1e-9) continue;
    CHECK_NEAR(simulated_value(&run, at, "volume.e"), 5, 1e-14);
    CHECK_NEAR(simulated_value(&run, at, "pipe.f"), 1 + 0.5 * sin(t), 1e-11);
    CHECK_NEAR(simulated_value(&run, at, "line"), (1 + 0.5 * sin(t)) / 5, 1e-11); // open, it lets 5 through
    assert_string_equal(hbg_run_label(run.run, 3, run.rows[at].values[3]), "sliding");
    assert_string_equal(hbg_run_label(run.run, 2, run.rows[at].values[2]), "on/off");
  }
  simulated_end(&run);
}

/* ---- several surfaces ---- */

#define RELAYS(x, y, start_x, start_y)                                                                     \
  "model Relays {\n signal x = integral(" x ", start = " start_x "); signal y = integral(" y ", start = " start_y ")\n" \
  " signal ux = if rx in plus then 1 else -1; signal uy = if ry in plus then 1 else -1\n"                 \
  " machine rx = Relay(x); machine ry = Relay(y)\n"                                                        \
  " machine Relay(s) { on plus initial; off minus; plus -> minus when s < 0; minus -> plus when s > 0 }\n stop 4\n}"

static void two_relays_that_act_on_each_other_slide_together(void **state) {
  (void)state;
  // 2 ux - uy/2 = t, -ux/2 + 2 uy = 0.2: ux reaches 1 at 1.875 - 0.05
  Simulated run = slide(RELAYS("time - 2*ux + 0.5*uy", "0.2 + 0.5*ux - 2*uy", "0.5", "0.2"), "x; y; ux; uy");
  const double left = 1.825;
  CHECK_NEAR(simulated_time_of(&run, "slide left on rx"), left, 1e-9);
  for (int at = 0; at < run.row_count; at++) {
    const double t = run.rows[at].row.time, since = t - left;
    if (t > 0.9 && t < left) {
      CHECK_NEAR(simulated_value(&run, at, "x"), 0, 1e-14);
      CHECK_NEAR(simulated_value(&run, at, "y"), 0, 1e-14);
      CHECK_NEAR(simulated_value(&run, at, "ux"), (t + 0.05) / 1.875, 1e-10);
      CHECK_NEAR(simulated_value(&run, at, "uy"), 0.1 + (t + 0.05) / 7.5, 1e-10);
    } else if (since > 1e-6) {
      CHECK_NEAR(simulated_value(&run, at, "y"), 0, 1e-14);
      CHECK_NEAR(simulated_value(&run, at, "uy"), 0.35, 1e-10);
      CHECK_NEAR(simulated_value(&run, at, "x"), since * since / 2, 1e-8);
    }
  }
  simulated_end(&run);
}

static void two_surfaces_may_be_reached_at_once(void **state) {
  (void)state;
  Simulated run = slide(RELAYS("0.3 - 2*ux + 0.5*uy", "0.3 + 0.5*ux - 2*uy", "1", "1"), "ux; uy; x");
  assert_int_equal(simulated_instants(&run), 1);
  CHECK_NEAR(simulated_time_of(&run, "slide entered on rx"), 1 / 1.2, 1e-12);
  CHECK_NEAR(simulated_value(&run, run.row_count - 1, "ux"), 0.2, 1e-11);
  CHECK_NEAR(simulated_value(&run, run.row_count - 1, "uy"), 0.2, 1e-11);
  simulated_end(&run);
}

static void of_two_surfaces_reached_at_once_one_may_be_crossed(void **state) {
  (void)state;
  // the relay of y is too weak to hold it
  Simulated run = slide(RELAYS("-ux", "-1 - 0.5*uy", "1", "1.5"), "x; y; uy");
  CHECK_NEAR(simulated_time_of(&run, "slide entered on rx"), 1, 1e-12);
  CHECK_NEAR(simulated_value(&run, run.row_count - 1, "x"), 0, 1e-14);
  CHECK_NEAR(simulated_value(&run, run.row_count - 1, "y"), -0.5 * 3, 1e-9);
  simulated_end(&run);
}

static void a_brake_that_is_not_put_on_leaves_it_to_others_to_hold(void **state) {
  (void)state;
  const char *names[] = {"brake", "z"};
  for (size_t at = 0; at < sizeof names / sizeof *names; at++) {
    char text[1000];
    snprintf(text, sizeof text,
             "model Idle { I a(2) start f = -0.2; 1 m; m -> a; 0 n, k; m -> n; m -> k; R %s: e = level*sign(f); R friction: e = 3*sign(f)\n"
             " n -> %s; k -> friction; signal level = if time < 1 then 0 else 2; Se pull(if time < 1.5 then 2 else -6); pull -> m; stop 2 }",
             names[at], names[at]);
    Simulated run = simulated(text, "a.f", NULL);
    // 2 N and friction of 3 N stop it after 0.2/2.5 s; it holds against 2 N, and not, with the brake, against 6 N
    CHECK_NEAR(simulated_instant(&run, 0), 0.08, 1e-12);
    for (int row = simulated_row_at(&run, 0.0801); row <= simulated_row_at(&run, 1.4999); row++) CHECK_NEAR(simulated_value(&run, row, "a.f"), 0, 1e-14);
    CHECK_NEAR(simulated_last(&run, "a.f"), -(6 - 5) / 2. * 0.5, 1e-12);
    simulated_end(&run);
  }
}

static void what_is_not_determined_is_told(void **state) {
  (void)state;
  Simulated run = simulated_try(RELAYS("0.3 - 2*ux + ux*uy", "0.3 + 0.5*ux - 2*uy", "1", "0.5"), NULL, NULL);
  assert_int_equal(run.status, HBG_STOPPED);
  assert_true(simulated_failed_with(&run, "sliding on two surfaces at once is not determined"));
  assert_true(simulated_failed_with(&run, "rx"));
  assert_true(simulated_failed_with(&run, "ry"));
  simulated_end(&run);
}

/* Four discs that rub on each other, of which the first is turned to and fro and the last hangs on a spring. They were solved by themselves, with all choices
 * of sticking and slipping tried at every change, by extrapolation (Gragg, Bulirsch and Stoer). */
static void a_disc_sticks_while_its_neighbours_do_however_the_crossing_is_located(void **state) {
  (void)state;
  for (int figures = 6; figures <= 12; figures++) {
    HbgRunOptions options = hbg_run_options();
    options.method = HBG_METHOD_DP8;
    options.tolerance = pow(10, -figures);
    options.interval = 100;
    Simulated run = simulated(
        "model Clutches { for i in 1..4 { 1 w[i]; I J[i](1 + 0.3*sin(2.3*i)); w[i] -> J[i] }\n"
        " for i in 1..3 { 0 c[i]; R plate[i]: e = (1 + 0.4*cos(4.6*i))*sign(f); w[i] -> c[i] -> w[i+1]; c[i] -> plate[i] }\n"
        " Se engine(3*sin(1.1*time)); engine -> w[1]; C shaft(0.5); R bearing(0.2); w[4] -> shaft; w[4] -> bearing\n stop 30\n}",
        "w[1].f; w[4].f; shaft.q", &options);
    assert_int_equal(simulated_instants(&run), 49);
    CHECK_NEAR(simulated_value(&run, run.row_count - 1, "w[1].f"), 0.31689229061242985, 1e-9);
    CHECK_NEAR(simulated_value(&run, run.row_count - 1, "w[4].f"), -0.1940901754127223, 1e-9);
    CHECK_NEAR(simulated_value(&run, run.row_count - 1, "shaft.q"), -0.7481876180418839, 1e-9);
    simulated_end(&run);
  }
}

/* Five discs in a row at rest. The first two slides begin at once; then the other two do together, each of which does so only because the other one does. */
static void discs_that_rest_hold_each_other_from_the_start(void **state) {
  (void)state;
  HbgRunOptions options = hbg_run_options();
  options.interval = 100;
  Simulated run = simulated(
      "model Clutches { for i in 1..5 { 1 w[i]; I J[i](1 + 0.3*sin(3.79*i)); w[i] -> J[i] }\n"
      " for i in 1..4 { 0 c[i]; R plate[i]: e = (1 + 0.4*cos(7.58*i))*sign(f); w[i] -> c[i] -> w[i+1]; c[i] -> plate[i] }\n"
      " Se engine(3*sin(1.1*time)); engine -> w[1]; C shaft(0.5); R bearing(0.2); w[5] -> shaft; w[5] -> bearing\n stop 30\n}",
      "w[1].f; w[5].f; shaft.q", &options);
  for (int plate = 1; plate <= 4; plate++) {
    char cause[40];
    snprintf(cause, sizeof cause, "slide entered on plate[%d]", plate);
    CHECK_NEAR(simulated_time_of(&run, cause), 0, 1e-15);
  }
  CHECK_NEAR(simulated_value(&run, run.row_count - 1, "w[1].f"), 0.9175371207892908, 1e-8);
  CHECK_NEAR(simulated_value(&run, run.row_count - 1, "w[5].f"), -0.27760077999929567, 1e-8);
  CHECK_NEAR(simulated_value(&run, run.row_count - 1, "shaft.q"), -0.3137449914654178, 1e-8);
  simulated_end(&run);
}

/* Twenty pendulums with dry friction in their pivots, which is where they all begin. The first of them was solved by itself. */
/* Discs alike, of which the first is turned: all are taken along at first, sin(t) to each as 1 to n, until the first plate would have to carry more than 1. */
static void many_discs_that_rest_begin_together(void **state) {
  (void)state;
  for (int count = 6; count <= 12; count += 3) {
    char text[400];
    snprintf(text, sizeof text,
             "model Clutches { for i in 1..%d { 1 w[i]; I J[i](1); w[i] -> J[i] }\n for i in 1..%d { 0 c[i]; R plate[i]: e = sign(f); w[i] -> c[i] -> w[i+1]\n"
             " c[i] -> plate[i] }\n Se engine(3*sin(time)); engine -> w[1]\n stop 0.5\n}",
             count, count - 1);
    Simulated run = slide(text, "w[1].f; w[2].f");
    const double leaves = asin(count / (3.0 * (count - 1)));
    CHECK_NEAR(simulated_time_of(&run, "slide left on plate[1]"), leaves, 1e-9);
    const double together = 3 * (1 - cos(leaves)) / count;
    CHECK_NEAR(simulated_value(&run, run.row_count - 1, "w[1].f"), together + 3 * (cos(leaves) - cos(0.5)) - (0.5 - leaves), 1e-8);
    CHECK_NEAR(simulated_value(&run, run.row_count - 1, "w[2].f"), together + (0.5 - leaves) / (count - 1), 1e-8);
    simulated_end(&run);
  }
}

/* N blocks rub on one plate, so that each does to all others what they do to it. The last speed of the plate was computed by implicit steps (Moreau), each of
 * which is one equation for the plate. */
static void ten_blocks_rub_on_one_plate(void **state) {
  (void)state;
  Simulated run = slide("model Star { 1 plate; I body(5); Se push(30*sin(time)); push -> plate -> body\n"
                        " for i in 1..10 { 1 w[i]; 0 c[i]; I J[i](1 + 0.01*i); R rub[i]: e = 2*sign(f); plate -> c[i] -> w[i] -> J[i]; c[i] -> rub[i] }\n"
                        " stop 20\n}",
                        "body.f");
  CHECK_NEAR(simulated_value(&run, run.row_count - 1, "body.f"), 1.14196386788, 1e-8);
  simulated_end(&run);
}

static void pendulums_with_dry_friction_begin_at_rest(void **state) {
  (void)state;
  HbgRunOptions options = hbg_run_options();
  options.interval = 100;
  Simulated run = simulated(
      "model Pivots { for i in 1..20 { 1 w[i]; I bob[i](1 + 0.3*sin(0.37*i)); signal a[i] = integral(w[i].f, start = 0.2*i)\n"
      " Se weight[i](-9.81*sin(a[i]) + 2*sin(1.7*time)); R rub[i]: e = 0.8*sign(f) + 0.02*f*abs(f)\n"
      " weight[i] -> w[i] -> bob[i]; w[i] -> rub[i] }\n stop 20\n}",
      "w[1].f; a[1]", &options);
  CHECK_NEAR(simulated_value(&run, run.row_count - 1, "w[1].f"), -0.1837448116601555, 1e-7);
  CHECK_NEAR(simulated_value(&run, run.row_count - 1, "a[1]"), 0.26822759612288055, 1e-7);
  simulated_end(&run);
}

/* Two beads on a string, and a bow that begins to move: at first nothing has moved yet, and the friction bends where it jumps. */
static void a_bow_takes_along_a_string_that_rests(void **state) {
  (void)state;
  Simulated run = slide(
      "model Bow { for i in 1..2 { 1 v[i]; I bead[i](1 + 0.3*sin(i)); R air[i](0.05); v[i] -> bead[i]; v[i] -> air[i] }\n"
      " for i in 0..2 { 0 c[i]; C wire[i](0.05); c[i] -> wire[i] }\n for i in 1..2 { c[i-1] -> v[i] -> c[i] }\n"
      " Sf clamp[1..2](0); clamp[1] -> c[0]; c[2] -> clamp[2]\n"
      " R bow: e = 2*sign(f - 0.3*sin(0.4*time))/(1 + 3*abs(f - 0.3*sin(0.4*time))); v[1] -> bow\n stop 20\n}",
      "v[1].f; wire[2].q");
  CHECK_NEAR(simulated_time_of(&run, "slide entered on bow"), 0, 1e-12);
  CHECK_NEAR(simulated_value(&run, run.row_count - 1, "v[1].f"), -0.17007990173068094, 1e-6);
  CHECK_NEAR(simulated_value(&run, run.row_count - 1, "wire[2].q"), 0.10729603468516023, 1e-6);
  simulated_end(&run);
}

/* Three blocks in a row, small enough to be one island, come to rest on a rough floor: what it gives holds the springs. */
static void slides_that_change_one_island_each_show_their_mean(void **state) {
  (void)state;
  Simulated run = slide("model Three {\n for i in 1..3 { 1 v[i]; I block[i](1) start f = 0.3*i; R floor[i]: e = 0.7*sign(f); v[i] -> block[i]; v[i] -> floor[i] }\n"
                        " for i in 1..2 { 0 f[i]; C s[i](0.5); v[i] -> f[i] -> v[i+1]; f[i] -> s[i] }\n stop 4\n}",
                        "floor[1].e; floor[2].e; floor[3].e; s[1].e; s[2].e");
  const int last = run.row_count - 1;
  const double first = simulated_value(&run, last, "s[1].e"), second = simulated_value(&run, last, "s[2].e");
  assert_true(fabs(first) > 0.1 && fabs(second) > 0.1);
  CHECK_NEAR(simulated_value(&run, last, "floor[1].e"), -first, 1e-12);
  CHECK_NEAR(simulated_value(&run, last, "floor[2].e"), first - second, 1e-12);
  CHECK_NEAR(simulated_value(&run, last, "floor[3].e"), second, 1e-12);
  simulated_end(&run);
}

static void ten_thousand_slide_side_by_side(void **state) {
  (void)state;
  HbgRunOptions options = hbg_run_options();
  options.events_only = true;
  Simulated run = simulated("model Array(N = 10000) {\n for k in 1..N {\n"
                            " signal u[k] = if relay[k] in plus then 1 else -1; signal x[k] = integral(0.5*cos(time) - u[k], start = 1)\n"
                            " machine relay[k] = Relay(x[k]) }\n"
                            " machine Relay(s) { on plus initial; off minus; plus -> minus when s < 0; minus -> plus when s > 0 }\n stop 3\n}",
                            "x[1]; x[5000]; x[10000]; u[7]", &options);
  assert_int_equal(simulated_instants(&run), 1);
  CHECK_NEAR(simulated_time_of(&run, "and 9996 more"), 1.498701165, 1e-6); // t - sin(t)/2 = 1
  CHECK_NEAR(simulated_value(&run, run.row_count - 1, "x[5000]"), 0, 1e-15);
  simulated_end(&run);
}

/* ---- what does not slide ---- */

static void crossing_is_not_sliding(void **state) {
  (void)state;
  // from minus to plus at both speeds
  Simulated run = slide("model Through {\n signal x = integral(if relay in low then 1 else 2, start = -1)\n machine relay = Relay(x)\n"
                        " machine Relay(s) { on low initial; off high; low -> high when s >= 0; high -> low when s <= 0 }\n stop 3\n}",
                        "x");
  assert_int_equal(count_of(&run, "slide"), 0);
  assert_int_equal(simulated_instants(&run), 1);
  CHECK_NEAR(simulated_value(&run, run.row_count - 1, "x"), 4, 1e-9);
  simulated_end(&run);
}

static void an_ideal_diode_does_not_slide(void **state) {
  (void)state;
  Simulated run = slide("model Rectifier {\n Se mains: e = 10*sin(2*pi*time)\n 1 loop; 1 valve by Diode(mains.e - coil_drop.e, loop.f)\n"
                        " R load(1); I coil(0.1); 0 coil_drop\n mains -> valve -> loop -> coil_drop\n coil_drop -> load\n loop -> coil\n"
                        " machine Diode(v, i) { off blocking initial; on conducting; blocking -> conducting when v > 0; conducting -> blocking when i < 0 }\n"
                        " stop 3\n}",
                        "coil.f");
  assert_int_equal(count_of(&run, "slide"), 0);
  simulated_end(&run);
}

static void it_can_be_switched_off(void **state) {
  (void)state;
  HbgRunOptions options = hbg_run_options();
  options.sliding = HBG_SLIDING_OFF;
  Simulated run = simulated_try(BELT, NULL, &options);
  assert_int_equal(run.status, HBG_STOPPED);
  assert_true(simulated_failed_with(&run, "chattering"));
  simulated_end(&run);
}

/* A block of 1 kg under 2 N of dry friction comes to rest from 1 m/s at 0.5 s; from 0.6 s on, and in the other model from the start on, the junction
 * at which it slides is off: its velocity is 0 whatever the friction, and of all frictions that are possible there the least is none. */
static void what_a_junction_holds_fast_slides_without_friction(void **state) {
  (void)state;
  for (int method = HBG_METHOD_AUTOMATIC; method <= HBG_METHOD_DP8; method++) {
    if (method == HBG_METHOD_EULER) continue;
    HbgRunOptions options = hbg_run_options();
    options.method = method;
    options.interval = 0.3;
    Simulated run = simulated("model Held { I block(1) start f = 1; 1 motion by Hold; 1 floor; R friction: e = 2*sign(f)\n"
                              " motion -> block; motion -> floor -> friction; machine Hold { on free initial; off held; free -> held after 0.6 }\n stop 1.2\n}",
                              "friction.e; block.p", &options);
    assert_int_equal(run.row_count > 4, 1);
    for (int at = 0; at < run.row_count; at++) {
      const double t = run.rows[at].row.time;
      if (fabs(t - 0.5) < 1e-6) continue;
      CHECK_NEAR(simulated_value(&run, at, "block.p"), fmax(0, 1 - 2 * t), 1e-9);
      CHECK_NEAR(simulated_value(&run, at, "friction.e"), t < 0.5 ? 2 : 0, 1e-9);
    }
    simulated_end(&run);
  }
}

/* Every 0.2 s a machine pulls for the time of an inference, which would tear the block off, and lets go at once. Friction never drives: its force has
 * the sign of the velocity, on which side of zero round-off may have left that. */
static void who_is_let_go_within_the_instant_sticks_again(void **state) {
  (void)state;
  for (int at = 0; at < 24; at++) {
    char text[700];
    snprintf(text, sizeof text, "model Kicked { I block(0.5) start f = %.2f; C spring(0.1); R friction: e = 0.4*sign(f); Se pull(if kick in on then 3 else 0.1)\n"
             " 1 motion; pull -> motion -> block; motion -> spring; motion -> friction; machine kick = Kick\n"
             " machine Kick { on up; off down initial; down -> up after 0.2; up -> down when motion.f < 100 }\n stop 4\n}", 0.31 + 0.11 * (at / 2));
    HbgRunOptions options = hbg_run_options();
    if (at % 2) options.method = HBG_METHOD_DP5;
    Simulated run = simulated(text, "motion.f; friction.e", &options);
    for (int row = 0; row < run.row_count; row++)
      if (run.rows[row].row.kind != HBG_ROW_MYTHICAL) assert_true(simulated_value(&run, row, "motion.f") * simulated_value(&run, row, "friction.e") > -1e-9);
    CHECK_NEAR(simulated_last(&run, "motion.f"), 0, 1e-12);
    simulated_end(&run);
  }
}

/* A body under dry friction from rest, to which a lever of varying ratio ties another one. The supply drives it with 1.44, by 1.2 of the 1.2 A that go along: less than the
 * friction. With less friction it moves, as it is driven. */
static void check_held(double friction, int method, bool moves) {
  static const char text[] =
      "model Held(friction = 2) {\n 1 v, u, w; 0 n; I a(1), b(0.4); R rub: e = friction*sign(f); R across(0.6), along(0.4), drag(0.8); Sf supply(-2); GY g(1.2)\n"
      " v -> a; v -> rub; supply -> n; n -> across; n -> u; u -> along; u -> g -> v; w -> b; w -> drag\n"
      " signal x = integral(v.f); MTF lever(0.2 + x); w -> lever -> v\n stop 0.5\n}";
  char own[sizeof text + 16];
  const char *value = strstr(text, "2) {");
  snprintf(own, sizeof own, "%.*s%g%s", (int)(value - text), text, friction, value + 1);
  HbgRunOptions options = hbg_run_options();
  options.method = method;
  Simulated run = simulated(own, "v.f; w.f; x", &options);
  if (moves) assert_true(simulated_last(&run, "v.f") < -0.01);
  else
    for (int at = 0; at < run.row_count; at++)
      for (int column = 0; column < 3; column++) CHECK_NEAR(run.rows[at].values[column], 0, 1e-14);
  simulated_end(&run);
}

static void what_friction_holds_from_the_start_stays_whatever_is_tied_to_it(void **state) {
  (void)state;
  static const int methods[] = {HBG_METHOD_AUTOMATIC, HBG_METHOD_DP5, HBG_METHOD_DP8, HBG_METHOD_SDIRK, HBG_METHOD_BDF};
  for (size_t which = 0; which < sizeof methods / sizeof *methods; which++) {
    check_held(2, methods[which], false);
    check_held(0.2, methods[which], true);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(who_is_let_go_within_the_instant_sticks_again),
      cmocka_unit_test(what_a_junction_holds_fast_slides_without_friction),
      cmocka_unit_test(a_relay_takes_a_chain_of_integrators_along_its_line),
      cmocka_unit_test(guards_may_include_the_surface_itself),
      cmocka_unit_test(the_two_guards_may_be_written_differently),
      cmocka_unit_test(a_block_on_a_belt_sticks_until_the_spring_is_stronger),
      cmocka_unit_test(a_surface_may_move_with_time),
      cmocka_unit_test(nothing_drifts_off_a_curved_surface),
      cmocka_unit_test(it_ends_where_one_side_is_too_weak),
      cmocka_unit_test(a_scheduled_push_tears_it_off_at_once_and_it_comes_back),
      cmocka_unit_test(a_brake_that_is_let_go_of_lets_its_wheel_go),
      cmocka_unit_test(a_relay_that_is_switched_off_drifts),
      cmocka_unit_test(what_stops_within_the_last_digit_of_the_time_slides),
      cmocka_unit_test(what_else_a_guard_asks_for_ends_it),
      cmocka_unit_test(a_guard_of_either_state_to_a_third_one_ends_it),
      cmocka_unit_test(another_machine_may_act_meanwhile),
      cmocka_unit_test(a_converter_holds_its_current),
      cmocka_unit_test(a_relief_valve_holds_the_pressure),
      cmocka_unit_test(two_relays_that_act_on_each_other_slide_together),
      cmocka_unit_test(two_surfaces_may_be_reached_at_once),
      cmocka_unit_test(of_two_surfaces_reached_at_once_one_may_be_crossed),
      cmocka_unit_test(a_disc_sticks_while_its_neighbours_do_however_the_crossing_is_located),
      cmocka_unit_test(discs_that_rest_hold_each_other_from_the_start),
      cmocka_unit_test(many_discs_that_rest_begin_together),
      cmocka_unit_test(ten_blocks_rub_on_one_plate),
      cmocka_unit_test(pendulums_with_dry_friction_begin_at_rest),
      cmocka_unit_test(a_bow_takes_along_a_string_that_rests),
      cmocka_unit_test(a_brake_that_is_not_put_on_leaves_it_to_others_to_hold),
      cmocka_unit_test(what_is_not_determined_is_told),
      cmocka_unit_test(slides_that_change_one_island_each_show_their_mean),
      cmocka_unit_test(ten_thousand_slide_side_by_side),
      cmocka_unit_test(crossing_is_not_sliding),
      cmocka_unit_test(an_ideal_diode_does_not_slide),
      cmocka_unit_test(what_friction_holds_from_the_start_stays_whatever_is_tied_to_it),
      cmocka_unit_test(it_can_be_switched_off),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
