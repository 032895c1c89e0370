/* SPDX-License-Identifier: BSD-3-Clause
 * Events that crowd together: accumulation, with both options, and chattering (semantics 10). */
#include "support/simulated.h"

/* A ball from 1 m; the n-th bounce is at t1 (1 + 2 (e + ... + e^n)), and they accumulate at t1 (1 + e)/(1 - e). */
#define BALL(restitution)                                                                            \
  "model Ball {\n Se gravity(-9.81); I ball(1); 1 motion; 0 contact by Floor\n"                      \
  " Sf rebound(-" restitution "*pre(motion.f)); gravity -> motion -> ball; motion -> contact -> rebound\n" \
  " signal height = integral(motion.f, start = 1)\n"                                                 \
  " machine Floor { off flying initial; on touching\n"                                               \
  "  flying -> touching when height <= 0 and motion.f < 0; touching -> flying when pre(motion.f) > 0 }\n stop 5\n}"

static double first_impact(void) { return sqrt(2 / 9.81); }

static double bounce(int n, double e) { return first_impact() * (1 + 2 * e * (1 - pow(e, n)) / (1 - e)); }

static Simulated drop(const char *text, bool zeno_continue) {
  HbgRunOptions options = hbg_run_options();
  options.zeno_continue = zeno_continue;
  options.interval = 0.05;
  return simulated_try(text, "height; motion.f; contact", &options);
}

static int bounces(const Simulated *run, double e, double tolerance) {
  int count = 0;
  for (int at = 0; at < run->row_count; at++) {
    if (run->rows[at].row.kind != HBG_ROW_PINNACLE) continue;
    if (count < 60) CHECK_NEAR(run->rows[at].row.time, bounce(count, e), tolerance);
    count++;
  }
  return count;
}

/* A number in the failure close to `value`. */
static bool failure_tells(const Simulated *run, double value, double tolerance) {
  for (const char *at = hbg_run_failure(run->run); *at; at++) {
    char *end = NULL;
    const double number = strtod(at, &end);
    if (end != at && fabs(number - value) <= tolerance) return true;
  }
  return false;
}

static void sixty_bounces_are_exact_and_then_the_accumulation_point_is_told(void **state) {
  (void)state;
  Simulated run = drop(BALL("0.8"), false);
  assert_true(bounces(&run, 0.8, 1e-9) >= 60);
  assert_true(simulated_failed_with(&run, "accumulate"));
  assert_true(failure_tells(&run, first_impact() * 9, 1e-6));
  simulated_end(&run);
}

static void other_restitutions_accumulate_elsewhere(void **state) {
  (void)state;
  Simulated run = drop(BALL("0.5"), false);
  assert_true(bounces(&run, 0.5, 1e-9) >= 30);
  assert_true(failure_tells(&run, first_impact() * 3, 1e-6));
  simulated_end(&run);
  run = drop(BALL("0.1"), false);
  assert_int_equal(run.status, HBG_STOPPED);
  assert_true(failure_tells(&run, first_impact() * 1.1 / 0.9, 1e-6));
  simulated_end(&run);
}

static void an_elastic_ball_does_not_accumulate(void **state) {
  (void)state;
  Simulated run = drop(BALL("1"), false);
  assert_int_equal(run.status, HBG_END);
  int count = 0;
  for (int at = 0; at < run.row_count; at++) {
    if (run.rows[at].row.kind != HBG_ROW_PINNACLE) continue;
    CHECK_NEAR(run.rows[at].row.time, first_impact() * (1 + 2 * count), 1e-8);
    count++;
  }
  assert_int_equal(count, 6); // t1 = 0.4515: the sixth is at 4.967
  simulated_end(&run);
}

static void it_may_go_on_behind_the_accumulation_at_rest(void **state) {
  (void)state;
  Simulated run = drop(BALL("0.8"), true);
  assert_int_equal(run.status, HBG_END);
  assert_true(bounces(&run, 0.8, 1e-9) >= 60);
  const int last = run.row_count - 1;
  CHECK_NEAR(run.rows[last].row.time, 5, 0);
  CHECK_NEAR(simulated_value(&run, last, "height"), 0, 1e-9);
  CHECK_NEAR(simulated_value(&run, last, "motion.f"), 0, 1e-9);
  assert_true(simulated_value(&run, last, "contact") > 0.5);
  simulated_end(&run);
}

static void an_accumulation_behind_the_end_is_none(void **state) {
  (void)state;
  HbgRunOptions options = hbg_run_options();
  options.stop = 4;
  Simulated run = simulated(BALL("0.8"), NULL, &options);
  simulated_end(&run);
}

static void chattering_is_told_instead_of_looping_for_ever(void **state) {
  (void)state;
  // dry friction without a state of sticking: v' = -1 above 0 and +1 below
  HbgRunOptions options = hbg_run_options();
  options.sliding = HBG_SLIDING_OFF;
  Simulated run = simulated_try("model Chatter {\n I body(1) start f = 1; 1 v; v -> body; Se f(if g in right then -1 else 1); f -> v\n"
                                " Se s(1); 1 g by M; R r(1); s -> g -> r\n"
                                " machine M { off right initial; on left; right -> left when v.f < 0; left -> right when v.f > 0 }\n stop 2\n}",
                                NULL, &options);
  assert_int_equal(run.status, HBG_STOPPED);
  assert_true(simulated_failed_with(&run, "chattering"));
  assert_true(simulated_failed_with(&run, "g"));
  CHECK_NEAR(run.rows[run.row_count - 1].row.time, 1, 1e-6);
  simulated_end(&run);
}

static void of_a_large_mode_a_failure_tells_what_it_is_about_and_how_much_it_leaves_out(void **state) {
  (void)state;
  // as above: the last of two hundred is the first to come to rest
  HbgRunOptions options = hbg_run_options();
  options.sliding = HBG_SLIDING_OFF;
  Simulated run = simulated_try("model Chatter {\n for i in 1..200 { I body[i](1) start f = 201 - i; 1 v[i]; v[i] -> body[i]; Se f[i](if g[i] in right then -1 else 1); f[i] -> v[i]\n"
                                " Se s[i](1); 1 g[i] by M(v[i].f); R r[i](1); s[i] -> g[i] -> r[i] }\n"
                                " machine M(speed) { off right initial; on left; right -> left when speed < 0; left -> right when speed > 0 }\n stop 2\n}",
                                "v[1].f", &options);
  assert_int_equal(run.status, HBG_STOPPED);
  assert_true(simulated_failed_with(&run, "chattering: g[200] has switched"));
  assert_true(simulated_failed_with(&run, "g[200] o"));
  assert_true(simulated_failed_with(&run, " more}"));
  assert_true(strlen(hbg_run_failure(run.run)) < 1000);
  simulated_end(&run);
}

static void a_steady_rhythm_is_no_accumulation(void **state) {
  (void)state;
  // on and off at every crossing of a sine, 2000 times
  HbgRunOptions options = hbg_run_options();
  options.events_only = true;
  Simulated run = simulated("model Steady {\n Se s(1); 1 g by M; R r(1); s -> g -> r\n"
                            " machine M { off no initial; on yes; no -> yes when pulse(0.5, 0.5, 1) > 0.5; yes -> no when pulse(0.5, 0.5, 1) < 0.5 }\n stop 1000.25\n}",
                            NULL, &options);
  assert_int_equal(simulated_instants(&run), 2000);
  simulated_end(&run);
}

/* Two balls from 1 m and 2 m at once, e = 0.5: both come to rest, each at 3 t1. */
static void two_accumulations_may_happen_at_the_same_time(void **state) {
  (void)state;
  HbgRunOptions options = hbg_run_options();
  options.zeno_continue = true;
  Simulated run = simulated("model Two {\n for k in 1..2 {\n Se weight[k](-9.81); I ball[k](1); 1 motion[k]; 0 contact[k] by Floor(x[k], motion[k].f)\n"
                            " Sf rebound[k](-0.5*pre(motion[k].f)); weight[k] -> motion[k] -> ball[k]; motion[k] -> contact[k] -> rebound[k]\n"
                            " signal x[k] = integral(motion[k].f, start = k) }\n"
                            " machine Floor(x, v) { off flying initial; on touching; flying -> touching when x <= 0 and v < 0; touching -> flying when pre(v) > 0 }\n"
                            " stop 3\n}",
                            "x[1]; x[2]; contact[1]; contact[2]; motion[1].f; motion[2].f", &options);
  double rest[2] = {0, 0};
  for (int at = 0; at < run.row_count; at++)
    for (int ball = 0; ball < 2; ball++)
      if (run.rows[at].values[2 + ball] < 0.5) rest[ball] = run.rows[at].row.time;
  for (int ball = 0; ball < 2; ball++) {
    CHECK_NEAR(rest[ball], 3 * sqrt(2 * (ball + 1) / 9.81), 1e-9);
    CHECK_NEAR(run.rows[run.row_count - 1].values[ball], 0, 1e-15);
    CHECK_NEAR(run.rows[run.row_count - 1].values[4 + ball], 0, 0);
  }
  simulated_end(&run);
}

static void a_contact_at_rest_opens_when_the_force_on_it_turns(void **state) {
  (void)state;
  // from 3 s on it is pulled up with 9.81 (t - 3): stronger than the weight at 4 s, then it rises by 9.81 (t - 4)^3/6
  HbgRunOptions options = hbg_run_options();
  options.zeno_continue = true;
  Simulated run = simulated("model Opens {\n Se weight(-9.81); MSe pull(if time >= 3 then 9.81*(time - 3) else 0); I ball(1); 1 motion; 0 contact by Floor\n"
                            " Sf rebound(-0.5*pre(motion.f)); weight -> motion -> ball; pull -> motion; motion -> contact : link; contact -> rebound\n"
                            " signal height = integral(motion.f, start = 1)\n machine Floor { off flying initial; on touching\n"
                            " flying -> touching when height <= 0 and motion.f < 0; touching -> flying when pre(motion.f) > 0 or pre(link.e) > 0 }\n stop 5\n}",
                            "height; contact", &options);
  const int last = run.row_count - 1;
  int opened = last;
  while (opened && run.rows[opened - 1].values[1] < 0.5) opened--;
  CHECK_NEAR(run.rows[opened].row.time, 4, 1e-12);
  CHECK_NEAR(simulated_value(&run, last, "height"), 9.81 / 6, 1e-8);
  simulated_end(&run);
}

/* On a table that shakes a ball comes to rest, is let go where the table falls as fast as the ball would, and rests again. */
static void rest_and_flight_may_take_turns(void **state) {
  (void)state;
  HbgRunOptions options = hbg_run_options();
  options.zeno_continue = true;
  Simulated run = simulated("model Shaker {\n param A = 1.2, w = 3, e = 0.3, g = 9.81\n signal vt = A*w*cos(w*time); signal yt = A*sin(w*time)\n"
                            " Se weight(-g); I ball(1) start f = 3.6; 1 motion; MSf table(vt); 0 contact by Floor; MSf rebound(e*(pre(motion.f) - pre(vt)))\n"
                            " weight -> motion -> ball; motion -> contact : link; contact <- rebound; contact -> table\n"
                            " signal gap = integral(motion.f, start = 0.5) - yt; signal relative = motion.f - vt\n"
                            " machine Floor { off flying initial; on touching; flying -> touching when gap <= 0 and relative < 0\n"
                            "  touching -> flying when pre(relative) > 0 or pre(link.e) > 0 }\n stop 10\n}",
                            "contact; gap", &options);
  const double pi = acos(-1);
  int flights = 0;
  double since = 0; // it has touched
  for (int at = 1; at < run.row_count; at++) {
    const bool was_on = run.rows[at - 1].values[0] > 0.5, is_on = run.rows[at].values[0] > 0.5;
    if (!was_on && is_on) since = run.rows[at].row.time;
    if (!was_on || is_on || run.rows[at].row.time < since + 0.1) continue;
    CHECK_NEAR(run.rows[at].row.time, (asin(9.81 / 10.8) + 2 * pi * ++flights) / 3, 1e-9);
    CHECK_NEAR(simulated_value(&run, at, "gap"), 0, 1e-9);
  }
  assert_int_equal(flights, 4);
  assert_true(run.row_count < 1000); // while it rests, nothing happens
  simulated_end(&run);
}

static void what_switches_to_and_fro_at_nothing_waits_until_it_is_something(void **state) {
  (void)state;
  // both capacitors begin at nothing, and what flows between them by the root of their difference is as quick as can be there
  Simulated run = simulated_events("model Roots {\n"
                                   " Se u0(2*sin(2.25*time)); 0 n0; u0 -> n0\n"
                                   " 0 n1; R g1(5); C c1: e = 4*q + 1.75*q^3; n1 -> g1; n1 -> c1\n"
                                   " 0 n2; R g2(1); C c2: e = 4*q + 0.5*q^3; n2 -> g2; n2 -> c2\n"
                                   " 0 n3; R g3(3); C c3(0.55); n3 -> g3; n3 -> c3\n"
                                   " 1 b1; R z1: f = 0.2*e + 0.55*tanh(2*e); n0 -> b1 -> n1; b1 -> z1\n"
                                   " 1 s by Switch(pulse(1, 0.45, 1) > 0.5); 0 ys; 1 xs; R zs: f = 0.6*e + tanh(2*e); n0 -> s -> ys -> xs -> n2; xs -> zs\n"
                                   " 1 d by Diode(d.f, n1.e - yd.e); 0 yd; 1 xd; R zd: e = 1.15*f*abs(f); n1 -> d -> yd -> xd -> n2; xd -> zd\n"
                                   " 1 b3; R z3: f = 0.6*e*abs(e) + 0.1*e; n0 -> b3 -> n3; b3 -> z3\n"
                                   " machine Switch(g) { off open initial; on closed; open -> closed when g; closed -> open when not g }\n"
                                   " machine Diode(i, u) { off blocking initial; on conducting; blocking -> conducting when u > 0; conducting -> blocking when i < 0 }\n stop 8\n}");
  assert_true(simulated_instants(&run) < 1000);
  simulated_end(&run);
}

/* A cell that is charged by a current that grows fires at sqrt(2 k): each interval is shorter than the one before, by less and less. */
static void periods_that_shrink_less_and_less_are_no_accumulation(void **state) {
  (void)state;
  static const char text[] =
      "model Ramp {\n 0 cell; C membrane(1); Sf current(time); current -> cell -> membrane\n 1 gate by Spike(cell.e); Se reset(0); cell -> gate -> reset\n"
      " machine Spike(v) { var n = 0\n off rest initial; on fire; rest -> fire when v >= 1 do n := n + 1; fire -> rest when pre(v) < 1 }\n"
      " signal n = gate.n\n stop 50\n}";
  HbgRunOptions options = hbg_run_options();
  options.stop = 50;
  Simulated run = simulated_try(text, "n", &options);
  assert_int_equal(run.status, HBG_END);
  assert_true(run.row_count > 1250);
  CHECK_NEAR(run.rows[run.row_count - 1].values[0], 1250, 0);
  simulated_end(&run);
}

/* Thresholds that come closer and closer, of which the last two are one but for round-off. */
static void a_few_intervals_that_shrink_by_chance_are_no_accumulation(void **state) {
  (void)state;
  Simulated run = simulated("model Thresholds {\n signal x = integral(1)\n"
                            " machine m = Follow(x > 0.35 and x < 0.3719 or x > 0.3732 and x < 0.37323 or x > 0.37323000000002)\n"
                            " machine Follow(s) { off low initial; on high; low -> high when s; high -> low when not s }\n stop 1\n}",
                            "m", NULL);
  assert_int_equal(simulated_instants(&run), 5);
  assert_true(simulated_last(&run, "m") > 0.5);
  simulated_end(&run);
}

/* A body that F presses on a stop and that dry friction brakes: it rises slower by (F + R)/m and falls by (F - R)/m, so that speeds die out by e sqrt((F - R)/(F + R)). Friction
 * turns at the top of each rebound, and the last of these are lower than where the contact begins but for round-off. */
static void rebounds_that_friction_parts_come_to_rest_where_they_should(void **state) {
  (void)state;
  static const double force[] = {5, 5, 3, 2.56, 2, 3.54}, friction[] = {1.1, 2, 1.1, 1.1, 1.87, 3.31}, bounce[] = {0.1, 0.1, 0.1, 0.3, 0.1, 0.05};
  static const int methods[] = {HBG_METHOD_AUTOMATIC, HBG_METHOD_DP5, HBG_METHOD_SDIRK};
  for (size_t at = 0; at < sizeof force / sizeof *force; at++)
    for (size_t which = 0; which < sizeof methods / sizeof *methods; which++) {
      char text[1024];
      snprintf(text, sizeof text,
               "model Pressed {\n 1 motion; 0 contact by Stop; I body(0.4); R rub: e = %g*sign(f); Se push(%g); Sf rebound(%g*pre(motion.f))\n"
               " motion -> body; motion -> rub; push -> motion; motion -> contact; rebound -> contact\n signal gap = integral(-motion.f, start = 0.7)\n"
               " machine Stop { off apart initial; on touching; apart -> touching when gap <= 0 and motion.f > 0\n"
               "  touching -> apart when pre(motion.f) < 0; touching -> apart when contact.e < 0 }\n stop 4\n}",
               friction[at], force[at], bounce[at]);
      HbgRunOptions options = hbg_run_options();
      options.zeno_continue = true;
      options.method = methods[which];
      Simulated run = simulated_try(text, "contact; motion.f", &options);
      assert_int_equal(run.status, HBG_END);
      const double slow = (force[at] - friction[at]) / 0.4, fast = (force[at] + friction[at]) / 0.4, ratio = bounce[at] * sqrt(slow / fast);
      const double speed = bounce[at] * sqrt(2 * 0.7 * slow), rest = sqrt(2 * 0.7 / slow) + speed * (1 / fast + 1 / sqrt(slow * fast)) / (1 - ratio);
      CHECK_NEAR(simulated_since(&run, "contact"), rest, 1e-6);
      CHECK_NEAR(simulated_last(&run, "motion.f"), 0, 1e-12);
      simulated_end(&run);
    }
}

/* The same, 3.7 m from where positions are counted, beside what is stiff: the last rebounds are lower than the round-off of that position, and repeat each other. */
static void rebounds_lower_than_round_off_come_to_rest_beside_what_is_stiff(void **state) {
  (void)state;
  const double force = 4.5690205226459, friction = 0.4167914144418325, bounce = 0.7;
  HbgRunOptions options = hbg_run_options();
  options.zeno_continue = true;
  options.method = HBG_METHOD_SDIRK;
  Simulated run = simulated_try("model Pressed {\n 1 motion; 0 contact by Stop; I body(1); R rub: e = 0.4167914144418325*sign(f); Se push(4.5690205226459); Sf rebound(0.7*pre(motion.f))\n"
                                " motion -> body; motion -> rub; push -> motion; motion -> contact; rebound -> contact\n"
                                " signal x = integral(motion.f, start = 3.7); signal gap = 3.701 - x\n"
                                " I bob(1) start f = 0.5; C law(0.01) start q = 0.03; 1 swing; swing -> bob; swing -> law\n"
                                " machine Stop { off apart initial; on touching; apart -> touching when gap <= 0 and motion.f > 0\n"
                                "  touching -> apart when pre(motion.f) < 0; touching -> apart when contact.e < 0 }\n stop 0.144\n}",
                                "contact; motion.f", &options);
  assert_int_equal(run.status, HBG_END);
  const double slow = force - friction, fast = force + friction, ratio = bounce * sqrt(slow / fast), speed = bounce * sqrt(2 * 0.001 * slow);
  CHECK_NEAR(simulated_since(&run, "contact"), sqrt(2 * 0.001 / slow) + speed * (1 / fast + 1 / sqrt(slow * fast)) / (1 - ratio), 1e-6);
  CHECK_NEAR(simulated_last(&run, "motion.f"), 0, 1e-9);
  simulated_end(&run);
}

/* Three balls at rest beside a wall, some 50 nm apart, and one that arrives after `wait` seconds: 27 collisions within 0.2 us, and between two of them intervals that happen to
 * shrink regularly. Where all are a second later was computed with 40 digits. No energy is lost, so that nothing accumulates, however long nothing has happened before. */
static void elastic_balls_that_are_hit_late_do_not_accumulate(void **state) {
  (void)state;
  static const double wait[] = {0.02, 2, 50}, place[] = {0.09071277074278, 0.36842614798653, 0.44020625100591, 0.55223897671642};
  for (int at = 0; at < 6; at++) {
    char text[2048];
    snprintf(text, sizeof text,
             "model Cluster {\n I a(1.6); I b(0.16); I c(5.2); I h(1.5) start f = -1; 1 ma; 1 mb; 1 mc; 1 mh; ma -> a; mb -> b; mc -> c; mh -> h\n"
             " signal xa = integral(ma.f, start = 2e-8), xb = integral(mb.f, start = 7e-8), xc = integral(mc.f, start = 11e-8), xh = integral(mh.f, start = %g)\n"
             " 0 w by Impact(xa, -ma.f); 0 ab by Impact(xb - xa, ma.f - mb.f); 0 bc by Impact(xc - xb, mb.f - mc.f); 0 ch by Impact(xh - xc, mc.f - mh.f)\n"
             " Sf rw(pre(-ma.f)), rab(pre(ma.f - mb.f)), rbc(pre(mb.f - mc.f)), rch(pre(mc.f - mh.f)); w -> ma -> ab -> mb -> bc -> mc -> ch -> mh\n"
             " rw -> w; rab -> ab; rbc -> bc; rch -> ch\n"
             " signal energy = (1.6*ma.f^2 + 0.16*mb.f^2 + 5.2*mc.f^2 + 1.5*mh.f^2)/2\n"
             " machine Impact(gap, approach) { off free initial; on touching; free -> touching when gap <= 0 and approach > 0; touching -> free when pre(approach) < 0 }\n"
             " stop %g\n}",
             wait[at / 2], wait[at / 2] + 1);
    HbgRunOptions options = hbg_run_options();
    options.stop = wait[at / 2] + 1;
    options.zeno_continue = at % 2;
    Simulated run = simulated_try(text, "xa; xb; xc; xh; energy", &options);
    assert_int_equal(run.status, HBG_END);
    for (int ball = 0; ball < 4; ball++) CHECK_NEAR(run.rows[run.row_count - 1].values[ball], place[ball], 1e-5);
    CHECK_NEAR(simulated_last(&run, "energy"), 0.75, 1e-12);
    simulated_end(&run);
  }
}

/* Balls of different masses above each other on the floor, each impact by parts of the library. Wherever the accumulations of so many contacts fall together,
 * nothing may pass through anything, and all of it lies at rest at the end: the energy of each rebound is less than of the one before. */
static void a_stack_of_balls_comes_to_rest_and_nothing_passes_through(void **state) {
  (void)state;
  static const int balls[] = {5, 5, 6, 10};
  static const double bounces[] = {0.7, 0.9, 0.5, 0.7};
  for (size_t at = 0; at < sizeof balls / sizeof *balls; at++) {
    const int count = balls[at];
    char text[1024], columns[512] = "floor.wall.distance";
    snprintf(text, sizeof text,
             "import \"mechanical.hbg\"\nmodel Stack {\n"
             " for i in 1..%d { I ball[i](1 + 0.5*sin(7*i)); 1 motion[i]; Se weight[i](9.81*(1 + 0.5*sin(7*i))); weight[i] -> motion[i] -> ball[i] }\n"
             " for i in 1..%d { Impact hit[i](gap = 0.5, restitution = %g); motion[i] -> hit[i] -> motion[i+1] }\n"
             " Stop floor(room = 0.5, restitution = %g); motion[%d] -> floor\n stop 20\n}",
             count, count - 1, bounces[at], bounces[at], count);
    for (int ball = 1; ball <= count; ball++) {
      const size_t used = strlen(columns);
      snprintf(columns + used, sizeof columns - used, ball < count ? "; motion[%d].f; hit[%d].distance" : "; motion[%d].f", ball, ball);
    }
    HbgRunOptions options = hbg_run_options();
    options.zeno_continue = true;
    Simulated run = simulated_try(text, columns, &options);
    assert_int_equal(run.status, HBG_END);
    const double *end = run.rows[run.row_count - 1].values;
    for (int column = 0; column < run.column_count; column++) // speeds are the odd ones, distances the even ones
      if (column % 2)
        CHECK_NEAR(end[column], 0, 1e-9);
      else
        CHECK_NEAR(end[column], 0, 1e-7);
    simulated_end(&run);
  }
}

/* ---- two balls above each other ---- */

typedef struct Pair {
  double floor_bounce, bounce, mass, gap; /* of the upper ball; the lower one has 1 kg and falls from 0.3 m */
} Pair;

/* Impact by impact, each by Newton's law for two bodies alone, until both contacts are closed for good: when that is. */
static double time_of_rest(const Pair *pair) {
  long double low = 0.3L, gap = pair->gap, low_speed = 0, speed = 0, t = 0;
  const long double g = 9.81L, mass = pair->mass;
  for (int impact = 0; impact < 100000; impact++) {
    const long double to_floor = (low_speed + sqrtl(low_speed * low_speed + 2 * g * low)) / g;
    const long double parting = speed - low_speed, to_ball = parting < 0 ? -gap / parting : INFINITY;
    const bool is_floor = to_floor <= to_ball;
    const long double flight = is_floor ? to_floor : to_ball;
    t += flight;
    low = is_floor ? 0 : fmaxl(low + low_speed * flight - g / 2 * flight * flight, 0);
    gap = is_floor ? fmaxl(gap + parting * flight, 0) : 0;
    low_speed -= g * flight;
    speed -= g * flight;
    if (is_floor) {
      low_speed *= -(long double)pair->floor_bounce;
    } else {
      const long double impulse = (1 + (long double)pair->bounce) * (low_speed - speed) * mass / (1 + mass);
      low_speed -= impulse;
      speed += impulse / mass;
    }
    if (fmaxl(fabsl(low_speed), fabsl(speed)) < 1e-9L) break;
  }
  return (double)t;
}

static Simulated drop_pair(const Pair *pair, HbgMethod method) {
  char text[700];
  snprintf(text, sizeof text,
           "import \"mechanical.hbg\"\nmodel Two {\n"
           " Impact floor(gap = 0.3, restitution = %g), hit(gap = %g, restitution = %g)\n"
           " I low(1), high(%g); 1 v, w, ground; Fixed earth; Se weight(-9.81), load(-9.81*%g)\n"
           " ground -> earth; ground -> floor -> v -> hit -> w; v -> low; w -> high; weight -> v; load -> w\n stop 2\n}",
           pair->floor_bounce, pair->gap, pair->bounce, pair->mass, pair->mass);
  HbgRunOptions options = hbg_run_options();
  options.zeno_continue = true;
  options.interval = 0.01;
  options.method = method;
  return simulated_try(text, "floor.distance; hit.distance", &options);
}

/* A heavy ball presses a light one to the floor: it goes to and fro between both ever faster, and where time cannot tell its impacts from each other any more it still has
 * a hundredth of its speed, or nothing but round-off. What has just left the floor is not hit by it at the same time: that rebound would lead into the floor. */
static void two_balls_of_which_one_presses_the_other_down_come_to_rest_when_their_impacts_do(void **state) {
  (void)state;
  static const Pair pairs[] = {
      {0.37, 0.02, 5.61, 0.59}, {0.48, 0.04, 3.8, 0.17}, {0.15, 0.07, 2.7, 0.15}, {0.24, 0.01, 10, 0.32}, {0.2, 0.01, 2, 0.3}, // went through the floor
      {0.8, 0.01, 1, 0.5}, {0.44, 0.07, 1.17, 0.47}, {0.58, 0.01, 1.5, 0.27},                                                  // were an endless loop
      {0.3, 0.03, 0.5, 0.71}, {0.53, 0.02, 2.27, 0.65}, {0.68, 0.03, 0.9, 0.52}, {0.66, 0.07, 3.59, 0.63},                     // chattered
  };
  static const HbgMethod methods[] = {HBG_METHOD_AUTOMATIC, HBG_METHOD_DP5};
  for (size_t at = 0; at < sizeof pairs / sizeof *pairs * 2; at++) {
    const Pair *pair = &pairs[at / 2];
    Simulated run = drop_pair(pair, methods[at % 2]);
    assert_int_equal(run.status, HBG_END);
    const double rest = time_of_rest(pair);
    for (int row = 0; row < run.row_count; row++) {
      const double *values = run.rows[row].values;
      assert_true(values[0] > -1e-9 && values[1] > -1e-9);
      if (run.rows[row].row.time < rest + 1e-3) continue;
      CHECK_NEAR(values[0], 0, 1e-9);
      CHECK_NEAR(values[1], 0, 1e-9);
    }
    simulated_end(&run);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sixty_bounces_are_exact_and_then_the_accumulation_point_is_told),
      cmocka_unit_test(other_restitutions_accumulate_elsewhere),
      cmocka_unit_test(an_elastic_ball_does_not_accumulate),
      cmocka_unit_test(it_may_go_on_behind_the_accumulation_at_rest),
      cmocka_unit_test(an_accumulation_behind_the_end_is_none),
      cmocka_unit_test(chattering_is_told_instead_of_looping_for_ever),
      cmocka_unit_test(of_a_large_mode_a_failure_tells_what_it_is_about_and_how_much_it_leaves_out),
      cmocka_unit_test(a_steady_rhythm_is_no_accumulation),
      cmocka_unit_test(two_accumulations_may_happen_at_the_same_time),
      cmocka_unit_test(a_contact_at_rest_opens_when_the_force_on_it_turns),
      cmocka_unit_test(rest_and_flight_may_take_turns),
      cmocka_unit_test(periods_that_shrink_less_and_less_are_no_accumulation),
      cmocka_unit_test(a_few_intervals_that_shrink_by_chance_are_no_accumulation),
      cmocka_unit_test(a_stack_of_balls_comes_to_rest_and_nothing_passes_through),
      cmocka_unit_test(two_balls_of_which_one_presses_the_other_down_come_to_rest_when_their_impacts_do),
      cmocka_unit_test(rebounds_that_friction_parts_come_to_rest_where_they_should),
      cmocka_unit_test(rebounds_lower_than_round_off_come_to_rest_beside_what_is_stiff),
      cmocka_unit_test(elastic_balls_that_are_hit_late_do_not_accumulate),
      cmocka_unit_test(what_switches_to_and_fro_at_nothing_waits_until_it_is_something),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
