/* SPDX-License-Identifier: BSD-3-Clause
 * Physical domains. */
#include "model/domain.h"

#include <string.h>

static const char *const units[HBG_DOMAIN_COUNT][HBG_MEASURE_COUNT] = {
    {0},
#define DOMAIN(domain, name, e, f, p, q, i, c, r, k) {e, f, p, q, i, c, r, k},
#include "model/domains.def"
#undef DOMAIN
};

static const char *const names[HBG_DOMAIN_COUNT] = {
    NULL,
#define DOMAIN(domain, name, e, f, p, q, i, c, r, k) name,
#include "model/domains.def"
#undef DOMAIN
};

const char *hbg_domain_name(HbgDomain domain) { return names[domain]; }

HbgDomain hbg_domain_find(const char *name, uint32_t length) {
  for (int domain = 1; domain < HBG_DOMAIN_COUNT; domain++)
    if (strlen(names[domain]) == length && !memcmp(names[domain], name, length)) return (HbgDomain)domain;
  return HBG_DOMAIN_UNKNOWN;
}

const char *hbg_domain_unit(HbgDomain domain, HbgMeasure measure) { return units[domain][measure]; }

const char *hbg_measure_name(HbgMeasure measure) {
  static const char *const words[HBG_MEASURE_COUNT] = {
      [HBG_MEASURE_EFFORT] = "effort",           [HBG_MEASURE_FLOW] = "flow",
      [HBG_MEASURE_P] = "p",                     [HBG_MEASURE_Q] = "q",
      [HBG_MEASURE_INERTIA] = "inertia I",       [HBG_MEASURE_COMPLIANCE] = "capacity C",
      [HBG_MEASURE_RESISTANCE] = "resistance R", [HBG_MEASURE_STIFFNESS] = "stiffness K",
  };
  return words[measure];
}

HbgDomainTable hbg_domain_table(void) {
  HbgDomainTable table = {0};
  for (int domain = 1; domain < HBG_DOMAIN_COUNT; domain++)
    for (int measure = 0; measure < HBG_MEASURE_COUNT; measure++) {
      const char *text = units[domain][measure];
      HbgUnit unit = {0};
      uint32_t begin, end;
      hbg_unit_read(text, (uint32_t)strlen(text), &unit, &begin, &end);
      table.of[domain][measure] = unit.dimension;
    }
  return table;
}

HbgDomainSet hbg_domains_of(const HbgDomainTable *table, HbgMeasure measure, HbgDimension dimension) {
  HbgDomainSet set = 0;
  for (int domain = 1; domain < HBG_DOMAIN_COUNT; domain++)
    if (hbg_dimension_equal(table->of[domain][measure], dimension)) set |= 1u << domain;
  return set;
}

HbgDomain hbg_domain_only(HbgDomainSet set) {
  int domain = 1;
  while (domain < HBG_DOMAIN_COUNT && set != 1u << domain) domain++;
  return domain < HBG_DOMAIN_COUNT ? (HbgDomain)domain : HBG_DOMAIN_UNKNOWN;
}
