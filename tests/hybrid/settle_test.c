/* SPDX-License-Identifier: BSD-3-Clause
 * One instant: what is inferred, what is committed, and in which order (semantics 6 to 9 and 11). */
#include "support/simulated.h"

/* At t = 1 a body of mass 1 and velocity 1 is joined to one at rest: an impulse of 0.5 through `contact`. A second machine
 * watches with `guard`. */
#define WATCHED_IMPACT(guard)                                                                            \
  "model Impact {\n I a(1) start f = 1; I b(1); 1 va, vb; va -> a; vb -> b\n"                            \
  " 0 contact by Contact; va -> contact -> vb\n"                                                         \
  " Se s(1); 1 gate by Watch; R r(1); s -> gate -> r\n"                                                  \
  " machine Contact { off apart initial; on joined; apart -> joined when time >= 1 }\n"                  \
  " machine Watch { off no initial; on yes; no -> yes when " guard " }\n stop 2\n}"

static const char *const unseen = "1: before(-1,0) apart no | continuous(0,0) joined no";
static const char *const inferred = "1: before(-1,0) apart no | mythical(0,0) joined no | continuous(0,1) joined yes";
static const char *const afterwards = "1: before(-1,0) apart no | pinnacle(0,0) joined no | continuous(1,0) joined yes";

static void check_story(const char *text, const char *expected) {
  Simulated run = simulated_events(text);
  CHECK_STORY(&run, expected);
  simulated_end(&run);
}

/* ---- readings ---- */

static void a_plain_reading_takes_an_impulse_for_infinite(void **state) {
  (void)state;
  check_story(WATCHED_IMPACT("contact.e > 1e300"), inferred);
  check_story(WATCHED_IMPACT("-contact.e < -1e300"), inferred);
  check_story(WATCHED_IMPACT("2*contact.e + 7 > 1e300"), inferred);
  check_story(WATCHED_IMPACT("abs(-contact.e) > 1e300"), inferred);
  check_story(WATCHED_IMPACT("contact.e < -1"), unseen);
}

static void a_guard_decided_by_an_impulse_says_so(void **state) {
  (void)state;
  Simulated run = simulated_events(WATCHED_IMPACT("contact.e > 1e6"));
  assert_non_null(strstr(run.rows[2].cause, "by impulse"));
  simulated_end(&run);
}

static void impulse_is_compared_as_a_number(void **state) {
  (void)state;
  check_story(WATCHED_IMPACT("impulse(contact.e) > 0.499"), inferred);
  check_story(WATCHED_IMPACT("impulse(contact.e) > 0.501"), unseen);
  check_story(WATCHED_IMPACT("impulse(3*abs(contact.e)) > 1.499"), inferred);
  check_story(WATCHED_IMPACT("impulse(va.f) > 0 or impulse(va.f) < 0"), unseen);
}

static void finite_ignores_impulses(void **state) {
  (void)state;
  check_story(WATCHED_IMPACT("finite(contact.e) > 1e-6"), unseen);
  check_story(WATCHED_IMPACT("finite(abs(contact.e)) > 1e-6 or impulse(abs(contact.e)) > 0.4"), inferred);
}

static void a_priori_reads_the_last_commit(void **state) {
  (void)state;
  check_story(WATCHED_IMPACT("pre(vb.f) > 0.4"), afterwards);
  check_story(WATCHED_IMPACT("vb.f > 0.4"), inferred);
  check_story(WATCHED_IMPACT("pre(contact.e) > 0"), unseen); // an impulse is over when it is committed
}

static void a_mixed_guard_belongs_to_inference_and_reads_each_side(void **state) {
  (void)state;
  check_story(WATCHED_IMPACT("vb.f > 0.4 and pre(vb.f) < 0.1"), inferred);
  check_story(WATCHED_IMPACT("vb.f > 0.4 and pre(vb.f) > 0.1"), afterwards);
}

static void after_the_commit_guards_are_examined_once_more_without_impulses(void **state) {
  (void)state;
  // e is -infinite during the impact and 0 behind it
  check_story(WATCHED_IMPACT("contact in joined and -contact.e > -1"), afterwards);
}

static void two_impulses_are_compared_by_their_areas(void **state) {
  (void)state;
  check_story(WATCHED_IMPACT("contact.e > 0.9*abs(contact.e)"), inferred);
  check_story(WATCHED_IMPACT("contact.e > 1.1*abs(contact.e)"), unseen);
}

static void a_product_of_impulses_is_warned_of(void **state) {
  (void)state;
  Simulated run = simulated_events(WATCHED_IMPACT("contact.e^2 > 1"));
  assert_true(simulated_warns(&run, "impulse"));
  simulated_end(&run);
}

/* ---- inference ---- */

static const char *const diode =
    "model Diode {\n param i_off = 0\n Se battery(10), ground(0); I coil(0.5); R r(2); 0 u; 1 loop\n"
    " 1 sw by Switch; 1 d by Valve; battery -> sw -> u -> loop -> coil; loop -> r; ground -> d -> u\n"
    " machine Switch { on closed initial; off opened; closed -> opened when time >= 1 }\n"
    " machine Valve { off blocking initial; on conducting; blocking -> conducting when -u.e > 0.6\n"
    "   conducting -> blocking when d.f < i_off }\n stop 1.5\n}";

static void a_mythical_detour_leaves_the_state_bitwise(void **state) {
  (void)state;
  Simulated run = simulated_events(diode);
  CHECK_STORY(&run, "1: before(-1,0) closed blocking | mythical(0,0) opened blocking | continuous(0,1) opened conducting");
  const double before = simulated_value(&run, 0, "coil.p"), inside = simulated_value(&run, 1, "coil.p");
  const double after = simulated_value(&run, 2, "coil.p");
  CHECK_NEAR(inside, 0, 1e-15); // what the inference would have made of it
  assert_memory_equal(&before, &after, sizeof before);
  CHECK_NEAR(before, 2.5 * (1 - exp(-4)), 1e-8);
  simulated_end(&run);
}

static void an_inference_does_not_move_integrals(void **state) {
  (void)state;
  // blocked, the piston would stop; x = integral of its velocity must not know
  Simulated run = simulated(diode, "coil.p; u.e; impulse(u.e); time", NULL);
  for (int at = 0; at < run.row_count; at++) {
    if (run.rows[at].row.kind != HBG_ROW_MYTHICAL) continue;
    CHECK_NEAR(simulated_value(&run, at, "impulse(u.e)"), -2.5 * (1 - exp(-4)), 1e-8);
  }
  simulated_end(&run);
}

static void long_chains_of_inferences_are_legal(void **state) {
  (void)state;
  Simulated run = simulated_events(
      "model Dominoes {\n Se s[0](1); 1 gate[0] by First; R r[0](1); s[0] -> gate[0] -> r[0]\n"
      " for i in 1..40 { Se s[i](1); 1 gate[i] by Next(gate[i-1] in on); R r[i](1); s[i] -> gate[i] -> r[i] }\n"
      " machine First { off no initial; on yes; no -> yes when time >= 1 }\n"
      " machine Next(before) { off no initial; on yes; no -> yes when before }\n stop 2\n}");
  assert_int_equal(run.row_count, 1 + 40 + 1);
  const HbgRow *last = &run.rows[run.row_count - 1].row;
  assert_int_equal(last->n, 40);
  assert_int_equal(last->eps, 0);
  simulated_end(&run);
}

static void all_enabled_machines_fire_together(void **state) {
  (void)state;
  // each of the two bolts would hold if only the other broke first
  check_story("model Bolts {\n I a(1) start f = 1; I b(1); 1 va, vb; va -> a; vb -> b\n 0 contact by Contact; va -> contact -> vb\n"
              " Se s(1); 0 n; s -> n; 1 p by Bolt(q in on); 1 q by Bolt(p in on); R r1(1), r2(1); n -> p -> r1; n -> q -> r2\n"
              " machine Contact { off apart initial; on joined; apart -> joined when time >= 1 }\n"
              " machine Bolt(other) { on whole initial; off broken; whole -> broken when impulse(contact.e) > 0.1 and other }\n stop 2\n}",
              "1: before(-1,0) apart whole whole | mythical(0,0) joined whole whole | continuous(0,1) joined broken broken");
}

static void the_first_transition_in_the_text_wins_with_a_warning(void **state) {
  (void)state;
  Simulated run = simulated_events("model Choice {\n Se s(1); 1 g by M; R r(1); s -> g -> r\n"
                                   " machine M { off no initial; on one, two; no -> two when time >= 1; no -> one when time >= 1 }\n stop 2\n}");
  CHECK_STORY(&run, "1: before(-1,0) no | continuous(0,0) two");
  assert_true(simulated_warns(&run, "both"));
  simulated_end(&run);
}

static void states_of_equal_type_change_without_a_mode(void **state) {
  (void)state;
  check_story("model Latch {\n Se s(1); 1 g by M; R r(1); s -> g -> r\n"
              " machine M { off idle initial; off armed; on fired; idle -> armed when time >= 1; armed -> fired when time >= 2 }\n stop 3\n}",
              "1: before(-1,0) idle | continuous(0,0) armed\n2: before(-1,0) armed | continuous(0,0) fired");
}

static void late_a_priori_tests_do_not_reclose_what_just_broke(void **state) {
  (void)state;
  // semantics 7 point 2: broken by +, with a - guard that holds on the stale side
  check_story("model Late {\n I a(1) start f = 1; I b(1); 1 va, vb; va -> a; vb -> b\n 0 contact by Contact; va -> contact -> vb\n"
              " Se s(1); 1 bond by Bond; R r(1); s -> bond -> r\n"
              " machine Contact { off apart initial; on joined; apart -> joined when time >= 1 }\n"
              " machine Bond { on stuck initial; off broken; stuck -> broken when impulse(contact.e) > 0.1\n"
              "   broken -> stuck when pre(vb.f) < 0.1 }\n stop 2\n}",
              "1: before(-1,0) apart stuck | mythical(0,0) joined stuck | continuous(0,1) joined broken");
}

/* ---- machines ---- */

static void one_machine_switches_several_junctions(void **state) {
  (void)state;
  Simulated run = simulated("model Shared {\n machine key = Key\n Se s(6); 0 n; s -> n; 1 a by key; 1 b by key; R ra(1), rb(2); n -> a -> ra; n -> b -> rb\n"
                            " machine Key { off open initial; on closed; open -> closed when time >= 1 }\n stop 2\n}",
                            "ra.f; rb.f; a; b", NULL);
  CHECK_NEAR(simulated_at(&run, 2, "ra.f"), 6, 1e-14);
  CHECK_NEAR(simulated_at(&run, 2, "rb.f"), 3, 1e-14);
  CHECK_NEAR(simulated_value(&run, 0, "ra.f") + simulated_value(&run, 0, "rb.f"), 0, 0);
  assert_int_equal(simulated_instants(&run), 1);
  simulated_end(&run);
}

static void laws_read_states_of_machines(void **state) {
  (void)state;
  // x' = 2 until x = 1, then x' = -1 until x = 0.5, ...
  Simulated run = simulated("model Sweep {\n machine way = Way(c.q)\n Sf s(if way in up then 2 else -1); 0 n; C c(1); s -> n -> c\n 1 g by way; R r(1); n -> g -> r2; R r2(1e9); Se z(1); 0 m; z -> m; m -> r\n"
                            " machine Way(x) { on up initial; on down; up -> down when x >= 1; down -> up when x <= 0.5 }\n stop 1.9\n}",
                            "c.q; g.state", NULL);
  assert_int_equal(simulated_instants(&run), 4);
  const double expected[] = {0.5, 1, 1.25, 1.75};
  for (int at = 0; at < 4; at++) CHECK_NEAR(simulated_instant(&run, at), expected[at], 1e-8);
  simulated_end(&run);
}

/* ---- inputs ---- */

static void a_tick_that_only_a_guard_reads_is_a_state_event(void **state) {
  (void)state;
  check_story(WATCHED_IMPACT("time >= 1.5"),
              "1: before(-1,0) apart no | continuous(0,0) joined no\n1.5: before(-1,0) joined no | continuous(0,0) joined yes");
}

static void a_jump_of_a_source_shows_the_old_mode_under_the_new_input_first(void **state) {
  (void)state;
  // facts 3.6: the step of the force is (t,0,0) with the bodies still stuck
  check_story("model Step {\n I a(1), b(1); 1 va, vb; va -> a; vb -> b; Se push(3*step(1)); push -> va\n 0 stick by M; va -> stick -> vb\n"
              " machine M { on stuck initial; off sliding; stuck -> sliding when stick.e > 1 }\n stop 2\n}",
              "1: before(-1,0) stuck | mythical(0,0) stuck | continuous(0,1) sliding");
  // not enough to break away: an input jump all the same
  check_story("model Step {\n I a(1), b(1); 1 va, vb; va -> a; vb -> b; Se push(1.9*step(1)); push -> va\n 0 stick by M; va -> stick -> vb\n"
              " machine M { on stuck initial; off sliding; stuck -> sliding when stick.e > 1 }\n stop 2\n}",
              "1: before(-1,0) stuck | continuous(0,0) stuck");
}

static void a_jump_of_a_source_that_fixes_a_storage_jumps_the_storage(void **state) {
  (void)state;
  Simulated run = simulated_events("model Fixed {\n Se s(1 + 2*step(1)); 0 n; C c(3); s -> n -> c\n stop 2\n}");
  // at the start the empty capacitor is charged, too
  CHECK_NEAR(simulated_value(&run, 0, "c.q"), 3, 1e-15);
  CHECK_NEAR(simulated_value(&run, 1, "c.q"), 3, 1e-14);
  CHECK_NEAR(simulated_value(&run, 2, "c.q"), 9, 1e-14);
  assert_true(run.rows[2].row.has_jump);
  simulated_end(&run);
}

/* ---- start ---- */

static void an_inconsistent_start_is_projected_with_a_warning(void **state) {
  (void)state;
  Simulated run = simulated_events("model Start {\n I a(1) start f = 3; I b(2); 1 v; v -> a; v -> b\n stop 1\n}");
  assert_int_equal(run.row_count, 1);
  assert_int_equal(run.rows[0].row.eps, 0);
  CHECK_NEAR(simulated_value(&run, 0, "a.p"), 1, 1e-15);
  CHECK_NEAR(simulated_value(&run, 0, "b.p"), 2, 1e-15);
  assert_true(simulated_warns(&run, "initial state"));
  simulated_end(&run);
}

static void wrong_initial_states_of_machines_are_corrected_by_inference(void **state) {
  (void)state;
  check_story("model Wrong {\n Se s(1); 1 a by M(true); 0 n; R r1(1), r2(1); s -> n; n -> a -> r1\n 1 b by M(a in on); n -> b -> r2\n"
              " machine M(close) { off open initial; on closed; open -> closed when close }\n stop 1\n}",
              "0: mythical(0,0) open open | mythical(0,1) closed open | continuous(0,2) closed closed");
}

static void a_priori_guards_are_examined_after_the_first_commit(void **state) {
  (void)state;
  check_story("model First {\n C c(1) start q = 1; 0 n; n -> c; 1 a by M; R r(1); n -> a -> r\n"
              " machine M { off open initial; on closed; open -> closed when pre(c.q) > 0.5 }\n stop 1\n}",
              "0: pinnacle(0,0) open | continuous(1,0) closed");
}

static void a_quiet_start_has_no_row(void **state) {
  (void)state;
  Simulated run = simulated_events(WATCHED_IMPACT("false"));
  CHECK_NEAR(run.rows[0].row.time, 1, 0);
  simulated_end(&run);
}

static void nothing_needs_to_happen_when_the_stop_is_zero(void **state) {
  (void)state;
  HbgRunOptions options = hbg_run_options();
  options.stop = 0;
  Simulated run = simulated("model Zero {\n C c(1) start q = 1; R r(1); 0 n; n -> c; n -> r\n}", "c.q", &options);
  assert_int_equal(run.row_count, 1);
  CHECK_NEAR(simulated_last(&run, "c.q"), 1, 0);
  simulated_end(&run);
}

/* ---- endless loops ---- */

static void a_loop_of_inferences_is_reported_with_its_cycle(void **state) {
  (void)state;
  Simulated run = simulated_try("model Loop {\n Se s(1); 1 g by M; R r(1); s -> g -> r\n"
                                " machine M { off idle initial; on busy; idle -> busy when time >= 1; busy -> idle when time >= 1 }\n stop 2\n}",
                                NULL, NULL);
  assert_true(simulated_failed_with(&run, "endless loop"));
  assert_true(simulated_failed_with(&run, "g=idle") || simulated_failed_with(&run, "idle"));
  assert_true(simulated_failed_with(&run, "busy"));
  assert_true(simulated_failed_with(&run, "t = 1"));
  assert_true(simulated_failed_with(&run, "time >= 1"));
  simulated_end(&run);
}

static void the_loop_tells_values(void **state) {
  (void)state;
  HbgModelSetting setting = {"i_off", "6"};
  HbgModelOptions options = hbg_model_options();
  options.settings = &setting;
  options.setting_count = 1;
  HbgModel *model = NULL;
  assert_int_equal(hbg_model_load(diode, strlen(diode), &options, &model), HBG_OK);
  Simulated run = simulated_from(model, NULL, NULL);
  assert_true(simulated_failed_with(&run, "endless loop"));
  assert_true(simulated_failed_with(&run, "-u.e > 0.6"));
  assert_true(simulated_failed_with(&run, "d.f < i_off"));
  assert_true(simulated_failed_with(&run, "4.90842"));
  simulated_end(&run);
}

static void a_loop_over_layers_is_reported(void **state) {
  (void)state;
  Simulated run = simulated_try("model Loop {\n Se s(1); 1 g by M; R r(1); s -> g -> r\n signal x = integral(1)\n"
                                " machine M { off idle initial; on busy; idle -> busy when pre(x) >= 1; busy -> idle when pre(x) >= 1 }\n stop 2\n}",
                                NULL, NULL);
  assert_true(simulated_failed_with(&run, "endless loop"));
  assert_true(simulated_failed_with(&run, "pre(x) >= 1"));
  simulated_end(&run);
}

/* N balls that touch; the first comes with velocity 1. */
static const char *const row_of_balls =
    "model Row(N = 5, restitution = 0.5) {\n for i in 1..N { I ball[i](1) start f = if i = 1 then 1 else 0; 1 v[i]; v[i] -> ball[i]; signal x[i] = integral(v[i].f) }\n"
    " for i in 1..N-1 { 0 c[i] by Hit(x[i+1] - x[i], v[i].f - v[i+1].f); Sf b[i](restitution*pre(v[i].f - v[i+1].f)); v[i] -> c[i] -> v[i+1]; b[i] -> c[i] }\n"
    " machine Hit(gap, approach) { off free initial; on touching; free -> touching when gap <= 0 and pre(approach) > 0; touching -> free when pre(approach) < 0 }\n stop 1\n}";

static Simulated balls(const char *count, const char *restitution, const char *columns) {
  const HbgModelSetting settings[] = {{"N", count}, {"restitution", restitution}};
  HbgModelOptions options = hbg_model_options();
  options.settings = settings;
  options.setting_count = 2;
  HbgModel *model = NULL;
  assert_int_equal(hbg_model_load(row_of_balls, strlen(row_of_balls), &options, &model), HBG_OK);
  Simulated run = simulated_from(model, columns, NULL);
  if (run.status != HBG_END) fail_msg("%s", hbg_run_failure(run.run));
  return run;
}

static void an_impact_is_passed_on_from_ball_to_ball_in_one_instant(void **state) {
  (void)state;
  Simulated run = balls("5", "1", "ball[1].p; ball[2].p; ball[3].p; ball[4].p; ball[5].p");
  for (int at = 0; at < 5; at++) CHECK_NEAR(run.rows[run.row_count - 1].values[at], at == 4 ? 1 : 0, 1e-15);
  simulated_end(&run);
  // e = 1/2: a ball keeps 1/4 of what it gets and passes 3/4 on, as long as nobody behind is faster
  run = balls("3", "0.5", "ball[1].p; ball[2].p; ball[3].p");
  CHECK_NEAR(simulated_last(&run, "ball[3].p"), 0.5625, 1e-15);
  simulated_end(&run);
}

static void impacts_that_accumulate_within_the_instant_die_out(void **state) {
  (void)state;
  const char *const counts[] = {"3", "4", "10", "30"}, *const restitutions[] = {"0.05", "0.1", "0.2", "0.5"};
  for (int at = 0; at < 4; at++) {
    Simulated run = balls(counts[at], restitutions[at], NULL);
    const double share = 1 / strtod(counts[at], NULL);
    const int first = simulated_column(&run, "ball[1].p");
    for (int ball = first; ball < run.column_count; ball++) {
      const int row = run.row_count - 1;
      CHECK_NEAR(run.rows[row].values[ball], share, 1e-7); // one body in the end
    }
    assert_true(simulated_warns(&run, "accumulate"));
    simulated_end(&run);
  }
}

static void rows_before_a_failure_are_handed_out(void **state) {
  (void)state;
  Simulated run = simulated_try("model Loop {\n C c(1) start q = 1; R r(1); 0 n; n -> c; n -> r; 1 g by M; R r2(1); n -> g -> r2\n"
                                " machine M { off idle initial; on busy; idle -> busy when time >= 1; busy -> idle when time >= 1 }\n stop 2; interval 0.25\n}",
                                "c.q", NULL);
  assert_int_equal(run.status, HBG_STOPPED);
  CHECK_NEAR(simulated_at(&run, 0.75, "c.q"), exp(-0.75), 1e-7);
  CHECK_NEAR(run.rows[run.row_count - 1].row.time, 1, 0);
  simulated_end(&run);
}

static void a_mode_without_a_consistent_state_is_reported(void **state) {
  (void)state;
  Simulated run = simulated_try("model Fight {\n Se low(1), high(2); 0 a, b; low -> a; high -> b; 1 sw by M; a -> sw -> b\n R r(1); a -> r\n"
                                " machine M { off open initial; on closed; open -> closed when time >= 1 }\n stop 2\n}",
                                NULL, NULL);
  assert_int_equal(run.status, HBG_STOPPED);
  assert_true(simulated_failed_with(&run, "low") || simulated_failed_with(&run, "high"));
  assert_true(simulated_failed_with(&run, "t = 1"));
  simulated_end(&run);
}

static void equal_sources_may_be_joined_with_a_warning(void **state) {
  (void)state;
  Simulated run = simulated("model Share {\n Se one(2), two(2); 0 a, b; one -> a; two -> b; 1 sw by M; a -> sw -> b; R r(1); b -> r\n"
                            " machine M { off open initial; on closed; open -> closed when time >= 1 }\n stop 2\n}",
                            "r.f; sw.f", NULL);
  CHECK_NEAR(simulated_last(&run, "r.f"), 2, 1e-14);
  assert_true(simulated_warns(&run, "does not determine"));
  simulated_end(&run);
}

/* Two bodies that touch, with next to no speed of approach, drawn apart: however small it is, they meet, have one speed, and part. */
static void an_impulse_that_is_too_small_to_count_counts_where_nothing_else_decides(void **state) {
  (void)state;
  for (int power = -6; power >= -13; power--) {
    char text[1500];
    const double approach = pow(10, power);
    snprintf(text, sizeof text,
             "model Touch {\n I l(2) start f = %.17g; I r(2) start f = 1; 1 vl, vr; vl -> l; vr -> r; Se draw(1); draw -> vr\n"
                                 " 0 c by C(gap, vl.f - vr.f, c.e); vl -> c -> vr; signal gap = integral(vr.f - vl.f)\n"
                                 " machine C(gap, approach, force) { off apart initial; on together; apart -> together when gap <= 0 and approach > 0; together -> apart when force < 0 }\n stop 1\n}", 1 + approach);
    Simulated run = simulated_events(text);
    assert_non_null(strstr(simulated_story(&run), "pinnacle"));
    CHECK_NEAR(simulated_last(&run, "l.p"), 2 + approach, 1e-15);
    CHECK_NEAR(simulated_last(&run, "r.p"), 2 + approach, 1e-15);
    assert_string_equal(run.rows[run.row_count - 1].cause, "c: force < 0");
    simulated_end(&run);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_plain_reading_takes_an_impulse_for_infinite),
      cmocka_unit_test(a_guard_decided_by_an_impulse_says_so),
      cmocka_unit_test(impulse_is_compared_as_a_number),
      cmocka_unit_test(finite_ignores_impulses),
      cmocka_unit_test(a_priori_reads_the_last_commit),
      cmocka_unit_test(a_mixed_guard_belongs_to_inference_and_reads_each_side),
      cmocka_unit_test(after_the_commit_guards_are_examined_once_more_without_impulses),
      cmocka_unit_test(two_impulses_are_compared_by_their_areas),
      cmocka_unit_test(a_product_of_impulses_is_warned_of),
      cmocka_unit_test(a_mythical_detour_leaves_the_state_bitwise),
      cmocka_unit_test(an_inference_does_not_move_integrals),
      cmocka_unit_test(long_chains_of_inferences_are_legal),
      cmocka_unit_test(all_enabled_machines_fire_together),
      cmocka_unit_test(the_first_transition_in_the_text_wins_with_a_warning),
      cmocka_unit_test(states_of_equal_type_change_without_a_mode),
      cmocka_unit_test(late_a_priori_tests_do_not_reclose_what_just_broke),
      cmocka_unit_test(one_machine_switches_several_junctions),
      cmocka_unit_test(laws_read_states_of_machines),
      cmocka_unit_test(a_tick_that_only_a_guard_reads_is_a_state_event),
      cmocka_unit_test(a_jump_of_a_source_shows_the_old_mode_under_the_new_input_first),
      cmocka_unit_test(a_jump_of_a_source_that_fixes_a_storage_jumps_the_storage),
      cmocka_unit_test(an_inconsistent_start_is_projected_with_a_warning),
      cmocka_unit_test(wrong_initial_states_of_machines_are_corrected_by_inference),
      cmocka_unit_test(a_priori_guards_are_examined_after_the_first_commit),
      cmocka_unit_test(a_quiet_start_has_no_row),
      cmocka_unit_test(nothing_needs_to_happen_when_the_stop_is_zero),
      cmocka_unit_test(a_loop_of_inferences_is_reported_with_its_cycle),
      cmocka_unit_test(the_loop_tells_values),
      cmocka_unit_test(a_loop_over_layers_is_reported),
      cmocka_unit_test(an_impact_is_passed_on_from_ball_to_ball_in_one_instant),
      cmocka_unit_test(impacts_that_accumulate_within_the_instant_die_out),
      cmocka_unit_test(rows_before_a_failure_are_handed_out),
      cmocka_unit_test(a_mode_without_a_consistent_state_is_reported),
      cmocka_unit_test(equal_sources_may_be_joined_with_a_warning),
      cmocka_unit_test(an_impulse_that_is_too_small_to_count_counts_where_nothing_else_decides),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
