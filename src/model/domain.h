/* SPDX-License-Identifier: BSD-3-Clause
 * Physical domains: what effort, flow and the stored quantities of a bond are measured in. */
#ifndef MODEL_DOMAIN_H
#define MODEL_DOMAIN_H

#include "model/unit.h"

typedef enum HbgDomain {
  HBG_DOMAIN_UNKNOWN,
#define DOMAIN(domain, e, f, p, q, i, c, r) HBG_DOMAIN_##domain,
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
  HBG_MEASURE_COUNT
} HbgMeasure;

/* The SI unit; NULL of UNKNOWN. A constant. */
const char *hbg_domain_unit(HbgDomain domain, HbgMeasure measure);
/* The domain in which `measure` has this dimension; UNKNOWN when there is none, or more than one. */
HbgDomain hbg_domain_of(HbgMeasure measure, HbgDimension dimension);

#endif
