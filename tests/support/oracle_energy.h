/* SPDX-License-Identifier: BSD-3-Clause
 * Energy, as the oracle counts it. */
#ifndef TESTS_SUPPORT_ORACLE_ENERGY_H
#define TESTS_SUPPORT_ORACLE_ENERGY_H

#include "model/model.h"

/* Energy in storages (J), by quadrature of their laws. */
double oracle_energy(const HbgFlatModel *model, double t, const double *x);
/* What sources deliver in an instant: the sum of u Q. */
double oracle_source_energy(const HbgFlatModel *model, const double *z, const double *area);

/* The sum of the magnitudes of u Q. */
double oracle_source_terms(const HbgFlatModel *model, const double *z, const double *area);

#endif
