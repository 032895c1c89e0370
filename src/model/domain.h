/* SPDX-License-Identifier: BSD-3-Clause
 * Physical domains: what effort, flow and the stored quantities of a bond are measured in. */
#ifndef MODEL_DOMAIN_H
#define MODEL_DOMAIN_H

#include "model/unit.h"

typedef enum HbgDomain {
  HBG_DOMAIN_UNKNOWN,
#define DOMAIN(domain, name, e, f, p, q, i, c, r, k) HBG_DOMAIN_##domain,
#include "model/domains.def"
#undef DOMAIN
  HBG_DOMAIN_COUNT
} HbgDomain;

/* What can be measured of a domain. */
typedef enum HbgMeasure {
  HBG_MEASURE_EFFORT,
  HBG_MEASURE_FLOW,
  HBG_MEASURE_P,
  HBG_MEASURE_Q,
  HBG_MEASURE_INERTIA,
  HBG_MEASURE_COMPLIANCE,
  HBG_MEASURE_RESISTANCE,
  HBG_MEASURE_STIFFNESS,
  HBG_MEASURE_COUNT
} HbgMeasure;

/* Several domains, one bit (1 << domain) each. */
typedef uint32_t HbgDomainSet;

/* The dimensions of all measures, worked out once for a model. */
typedef struct HbgDomainTable {
  HbgDimension of[HBG_DOMAIN_COUNT][HBG_MEASURE_COUNT];
} HbgDomainTable;
HbgDomainTable hbg_domain_table(void);

/* "electrical"; NULL of UNKNOWN. A constant, as all texts here. */
const char *hbg_domain_name(HbgDomain domain);
/* The domain of that name; UNKNOWN when there is none. */
HbgDomain hbg_domain_find(const char *name, uint32_t length);
/* The SI unit; NULL of UNKNOWN. */
const char *hbg_domain_unit(HbgDomain domain, HbgMeasure measure);
/* "effort", "capacity C": for messages. */
const char *hbg_measure_name(HbgMeasure measure);
/* The domains in which `measure` has this dimension. */
HbgDomainSet hbg_domains_of(const HbgDomainTable *table, HbgMeasure measure, HbgDimension dimension);
/* The one domain of the set; UNKNOWN when there are several, or none. */
HbgDomain hbg_domain_only(HbgDomainSet set);

#endif
