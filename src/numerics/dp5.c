/* SPDX-License-Identifier: BSD-3-Clause
 * Dormand and Prince's pair of order 5(4): "A family of embedded Runge-Kutta formulae", J. Comp. Appl. Math. 6 (1980). The dense
 * output is that of HNW I, II.6. */
#include "numerics/dp5.h"

#include "numerics/runge_kutta.h"

static const HbgStage stages[] = {
    {1. / 5, {1, {1}, {1. / 5}}},
    {3. / 10, {2, {1, 2}, {3. / 40, 9. / 40}}},
    {4. / 5, {3, {1, 2, 3}, {44. / 45, -56. / 15, 32. / 9}}},
    {8. / 9, {4, {1, 2, 3, 4}, {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729}}},
    {1, {5, {1, 2, 3, 4, 5}, {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656}}},
    {1, {5, {1, 3, 4, 5, 6}, {35. / 384, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}}},
};

const HbgPair hbg_pair_dp5 = {
    .stage_count = 6,
    .stages = stages,
    .error_count = 1,
    .errors = {{6, {1, 3, 4, 5, 6, 7}, {71. / 57600, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40}}},
    .exponent = 0.2,
    .memory = 0.04,
    .stability = 3.25,
    .dense_error = 1,
    .middle_count = 1,
    .middles = {{6,
                 {1, 3, 4, 5, 6, 7},
                 {-12715105075. / 11282082432, 87487479700. / 32700410799, -10690763975. / 1880347072,
                  701980252875. / 199316789632, -1453857185. / 822651844, 69997945. / 29380423}}},
};

HbgStepper *hbg_dp5(HbgArena *arena, int32_t n, HbgRightHandSide rhs, void *user) {
  return hbg_runge_kutta(arena, n, rhs, user, &hbg_pair_dp5, NULL);
}

HbgStepper *hbg_dp5_dp8(HbgArena *arena, int32_t n, HbgRightHandSide rhs, void *user) {
  return hbg_runge_kutta(arena, n, rhs, user, &hbg_pair_dp5, &hbg_pair_dp8);
}
