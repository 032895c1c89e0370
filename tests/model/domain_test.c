/* SPDX-License-Identifier: BSD-3-Clause
 * Physical domains. */
#include "support/check.h"

#include <string.h>

#include "model/domain.h"

static HbgUnit unit_of(const char *text) {
  HbgUnit unit;
  uint32_t begin, end;
  assert_true(hbg_unit_read(text, (uint32_t)strlen(text), &unit, &begin, &end));
  return unit;
}

/* Power is effort times flow, p and q are their integrals, and I, C, R relate them: of the seven units four are not
 * free. */
static void the_units_of_a_domain_fit_each_other(void **state) {
  (void)state;
  for (int domain = 1; domain < HBG_DOMAIN_COUNT; domain++) {
    const char *u[HBG_MEASURE_COUNT];
    for (int measure = 0; measure < HBG_MEASURE_COUNT; measure++) {
      u[measure] = hbg_domain_unit((HbgDomain)domain, (HbgMeasure)measure);
      CHECK_NEAR(unit_of(u[measure]).factor, 1.0, 0.0);
    }
    const struct {
      const char *left, *a, *sign, *b;
    } laws[] = {{domain == HBG_DOMAIN_HEAT ? "W*K" : "W", u[HBG_MEASURE_EFFORT], "*", u[HBG_MEASURE_FLOW]},
                {u[HBG_MEASURE_P], u[HBG_MEASURE_EFFORT], "*", "s"},
                {u[HBG_MEASURE_Q], u[HBG_MEASURE_FLOW], "*", "s"},
                {u[HBG_MEASURE_INERTIA], u[HBG_MEASURE_P], "/", u[HBG_MEASURE_FLOW]},
                {u[HBG_MEASURE_COMPLIANCE], u[HBG_MEASURE_Q], "/", u[HBG_MEASURE_EFFORT]},
                {u[HBG_MEASURE_RESISTANCE], u[HBG_MEASURE_EFFORT], "/", u[HBG_MEASURE_FLOW]},
                {u[HBG_MEASURE_STIFFNESS], u[HBG_MEASURE_EFFORT], "/", u[HBG_MEASURE_Q]}};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
      char right[100];
      snprintf(right, sizeof right, "(%s)%s(%s)", laws[i].a, laws[i].sign, laws[i].b);
      if (!hbg_dimension_equal(unit_of(laws[i].left).dimension, unit_of(right).dimension))
        fail_msg("%s is not %s", laws[i].left, right);
    }
  }
}

static HbgDomain domain_of(HbgMeasure measure, const char *unit) {
  const HbgDomainTable table = hbg_domain_table();
  return hbg_domain_only(hbg_domains_of(&table, measure, unit_of(unit).dimension));
}

static void a_unit_tells_its_domain_and_a_foreign_one_none(void **state) {
  (void)state;
  for (int domain = 1; domain < HBG_DOMAIN_COUNT; domain++)
    for (int measure = 0; measure < HBG_MEASURE_COUNT; measure++) {
      // a temperature alone may be of a true or of a pseudo bond
      const bool is_temperature = (domain == HBG_DOMAIN_THERMAL || domain == HBG_DOMAIN_HEAT) &&
                                  (measure == HBG_MEASURE_EFFORT || measure == HBG_MEASURE_P);
      assert_int_equal(domain_of((HbgMeasure)measure, hbg_domain_unit((HbgDomain)domain, (HbgMeasure)measure)),
                       is_temperature ? HBG_DOMAIN_UNKNOWN : domain);
    }
  assert_int_equal(domain_of(HBG_MEASURE_INERTIA, "g"), HBG_DOMAIN_TRANSLATION);
  assert_int_equal(domain_of(HBG_MEASURE_INERTIA, "V"), HBG_DOMAIN_UNKNOWN);
  assert_null(hbg_domain_unit(HBG_DOMAIN_UNKNOWN, HBG_MEASURE_FLOW));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_units_of_a_domain_fit_each_other),
      cmocka_unit_test(a_unit_tells_its_domain_and_a_foreign_one_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
