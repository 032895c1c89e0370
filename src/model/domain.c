/* SPDX-License-Identifier: BSD-3-Clause
 * Physical domains. */
#include "model/domain.h"

#include <string.h>

static const char *const units[HBG_DOMAIN_COUNT][HBG_MEASURE_COUNT] = {
    {0},
#define DOMAIN(domain, e, f, p, q, i, c, r) {e, f, p, q, i, c, r},
#include "model/domains.def"
#undef DOMAIN
};

const char *hbg_domain_unit(HbgDomain domain, HbgMeasure measure) { return units[domain][measure]; }

HbgDomain hbg_domain_of(HbgMeasure measure, HbgDimension dimension) {
  int found = HBG_DOMAIN_UNKNOWN;
  for (int domain = 1; domain < HBG_DOMAIN_COUNT; domain++) {
    const char *text = units[domain][measure];
    HbgUnit unit;
    uint32_t begin, end;
    if (!hbg_unit_read(text, (uint32_t)strlen(text), &unit, &begin, &end)) continue;
    if (!hbg_dimension_equal(unit.dimension, dimension)) continue;
    if (found != HBG_DOMAIN_UNKNOWN) return HBG_DOMAIN_UNKNOWN;
    found = domain;
  }
  return (HbgDomain)found;
}
