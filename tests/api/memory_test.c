/* SPDX-License-Identifier: BSD-3-Clause
 * Every allocation may fail: loading and running answer HBG_MEMORY or what they would have answered, and give everything back. */
#include <stdlib.h>
#include <string.h>

#include "hybrsim/hybrsim.h"
#include "support/check.h"
#include "support/meter.h"

static HbgStatus run_through(HbgModel *model, int method) {
  HbgRunOptions options = hbg_run_options();
  HbgRun *run = NULL;
  options.method = method;
  options.step = 0.01;
  HbgStatus status = hbg_run_create(model, &options, &run, NULL);
  if (status != HBG_OK) {
    assert_null(run);
    return status;
  }
  status = hbg_run_add_default_columns(run, HBG_COLUMNS_TRAJECTORY);
  if (status == HBG_OK) status = hbg_run_add_column(run, "time*2 + 1", NULL);
  HbgRow row;
  while (status == HBG_OK) status = hbg_run_next(run, &row);
  // a run that was refused memory stays refused, and can still be asked
  if (status == HBG_MEMORY && hbg_run_column_count(run) > 0) {
    assert_non_null(hbg_run_failure(run));
    assert_true(hbg_run_warning_count(run) >= 0);
  }
  hbg_run_free(run);
  return status;
}

static HbgStatus load_and_run(const char *text, int method, Meter *meter) {
  HbgModelOptions options = hbg_model_options();
  options.allocate = meter_take;
  options.release = meter_give_back;
  options.user = meter;
  HbgModel *model = NULL;
  HbgStatus status = hbg_model_load(text, strlen(text), &options, &model);
  if (status == HBG_OK) {
    const HbgCausality *causality = NULL;
    status = hbg_model_causality(model, "", &causality);
    assert_true((status == HBG_OK) == (causality != NULL));
    hbg_causality_free(causality);
    if (status == HBG_OK) status = run_through(model, method);
  }
  hbg_model_free(model);
  return status;
}

/* Refuses at every place, one after the other, until nothing is refused any more. */
static void fail_everywhere(const char *text, int method, HbgStatus at_the_end) {
  for (long budget = 0;; budget++) {
    Meter meter = {.budget = budget};
    const HbgStatus status = load_and_run(text, method, &meter);
    if (meter.live_blocks || meter.live_bytes)
      fail_msg("%zu bytes in %zu blocks were lost when request %ld was refused", meter.live_bytes, meter.live_blocks, budget);
    if (meter.requests <= budget) {
      assert_int_equal(status, at_the_end);
      assert_true(budget >= 1);
      return;
    }
    if (status != HBG_MEMORY && status != at_the_end) fail_msg("refused at %ld: %s", budget, hbg_status_text(status));
  }
}

static const char *const bullet =
    "model BulletWood {\n I bullet(1) start f = 1; I wood(1); 1 a, b; 0 contact by Contact; a -> bullet; a -> contact -> b -> wood\n"
    " signal gap = integral(b.f) - integral(a.f, start = -0.2)\n"
    " machine Contact { off apart initial; on joined; apart -> joined when gap <= 0 }\n stop 1\n}";

static const char *const pendulum =
    "model Pendulum {\n I x(2), y(2); 1 rotation, horizontal, vertical; MTF lx(cos(angle)); MTF ly(sin(angle)); Se g(-20)\n"
    " rotation -> lx -> horizontal -> x; rotation -> ly -> vertical -> y; g -> vertical\n"
    " signal angle = integral(rotation.f, start = 1)\n stop 1\n}";

static const char *const nonlinear =
    "model Nonlinear {\n C c: e = q + q^3 start q = 1; R r: e = f*abs(f) + f; I l(1); 1 n; n -> c; n -> r; n -> l\n stop 1\n}";

static const char *const loop =
    "model Loop {\n Se s(1); 1 g by M; R r(1); s -> g -> r\n"
    " machine M { off idle initial; on busy; idle -> busy when time >= 0.5; busy -> idle when time >= 0.5 }\n stop 1\n}";

static const char *const chain =
    "model Chain(N = 40) {\n for i in 1..N { I ball[i](1) start f = if i = 1 then 1 else 0; 1 v[i]; v[i] -> ball[i] }\n"
    " for i in 1..N-1 { C s[i](0.1); 0 f[i]; v[i] -> f[i] -> v[i+1]; f[i] -> s[i] }\n stop 0.5\n}";

static void a_bullet_survives_refusal_everywhere(void **state) {
  (void)state;
  fail_everywhere(bullet, HBG_METHOD_DP5, HBG_END);
}

static void a_pendulum_survives_refusal_everywhere(void **state) {
  (void)state;
  fail_everywhere(pendulum, HBG_METHOD_DP5, HBG_END);
}

static void nonlinear_laws_survive_refusal_everywhere(void **state) {
  (void)state;
  fail_everywhere(nonlinear, HBG_METHOD_EULER, HBG_END);
}

static void the_stiff_method_survives_refusal_everywhere(void **state) {
  (void)state;
  fail_everywhere(nonlinear, HBG_METHOD_BDF, HBG_END);
}

static void a_stiff_part_beside_another_survives_refusal_everywhere(void **state) {
  (void)state;
  // it becomes implicit after some explicit steps, and an event beside it comes later
  fail_everywhere("model Stiff {\n C slow(1) start e = 1, fast(1e-4); R link(1), load(1); 0 a, b; 1 w; a -> slow; a -> w -> b; w -> link; b -> fast; b -> load\n"
                  " C spring(1) start q = 1; I mass(1); 1 v; v -> spring; v -> mass; 1 g by M; R r(1); Se s(1); s -> g -> r\n signal x = integral(mass.f)\n"
                  " machine M { off idle initial; on busy; idle -> busy when x < -0.4 }\n stop 1.5\n}",
                  HBG_METHOD_AUTOMATIC, HBG_END);
}

static void a_chain_survives_refusal_everywhere(void **state) {
  (void)state;
  fail_everywhere(chain, HBG_METHOD_AUTOMATIC, HBG_END);
}

static void a_failing_run_survives_refusal_everywhere(void **state) {
  (void)state;
  fail_everywhere(loop, HBG_METHOD_DP5, HBG_STOPPED);
}

static void a_wrong_model_survives_refusal_everywhere(void **state) {
  (void)state;
  fail_everywhere("model Wrong {\n I a(b); 1 c; c -> a -> d\n signal x = y + \n", HBG_METHOD_DP5, HBG_MODEL_WRONG);
}

static void a_long_run_takes_no_more_memory_than_a_short_one(void **state) {
  (void)state;
  size_t peak[2];
  for (int at = 0; at < 2; at++) {
    Meter meter = {.budget = 1000000};
    HbgModelOptions options = hbg_model_options();
    options.allocate = meter_take;
    options.release = meter_give_back;
    options.user = &meter;
    const char *text = "model Train {\n C c(1) start q = 1; R r(1); 0 n; n -> c; n -> r; 1 g by M; Se s(1); s -> g -> n2; 0 n2; R q(1); n2 -> q\n"
                       " machine M { off no initial; on yes; no -> yes when pulse(0.5, 0.5, 1) > 0.5; yes -> no when pulse(0.5, 0.5, 1) < 0.5 }\n}";
    HbgModel *model = NULL;
    assert_int_equal(hbg_model_load(text, strlen(text), &options, &model), HBG_OK);
    HbgRunOptions run_options = hbg_run_options();
    run_options.stop = at ? 1000 : 10;
    run_options.interval = 0.25;
    HbgRun *run = NULL;
    assert_int_equal(hbg_run_create(model, &run_options, &run, NULL), HBG_OK);
    assert_int_equal(hbg_run_add_default_columns(run, HBG_COLUMNS_TRAJECTORY), HBG_OK);
    HbgRow row;
    while (hbg_run_next(run, &row) == HBG_OK) continue;
    peak[at] = meter.live_bytes;
    hbg_run_free(run);
    hbg_model_free(model);
    assert_int_equal(meter.live_blocks, 0);
  }
  assert_int_equal(peak[0], peak[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_bullet_survives_refusal_everywhere),
      cmocka_unit_test(a_pendulum_survives_refusal_everywhere),
      cmocka_unit_test(nonlinear_laws_survive_refusal_everywhere),
      cmocka_unit_test(the_stiff_method_survives_refusal_everywhere),
      cmocka_unit_test(a_stiff_part_beside_another_survives_refusal_everywhere),
      cmocka_unit_test(a_chain_survives_refusal_everywhere),
      cmocka_unit_test(a_failing_run_survives_refusal_everywhere),
      cmocka_unit_test(a_wrong_model_survives_refusal_everywhere),
      cmocka_unit_test(a_long_run_takes_no_more_memory_than_a_short_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
