/* SPDX-License-Identifier: BSD-3-Clause
 * The coefficients of ESDIRK5(4)7L[2]SA2: Kennedy and Carpenter, "Diagonally implicit Runge-Kutta methods for stiff ODEs", Appl.
 * Numer. Math. 146, 2019. Seven stages, the first of which is explicit, order 5, L-stable and stiffly accurate; the error
 * estimate is of order 4. Stages one and two have the same weights everywhere, so that their sum does.
 *
 * Dense output of order 4 is ours. The conditions of order 4 (with the simplifying ones of the method there are five) leave one
 * weight open for each power of theta, if those of stages one and two are to be equal, without which dense output would grow
 * with the stiffness. It is taken such that what follows its input instantly is followed with order 3, the stages having order 2
 * there: sum of b(theta) A^-1 c^3 = theta^3. */
#ifndef NUMERICS_SDIRK_TABLE_H
#define NUMERICS_SDIRK_TABLE_H

enum { HBG_SDIRK_STAGES = 7, HBG_SDIRK_DEGREE = 4 };

static const double HBG_SDIRK_GAMMA = 0.184;

static const double HBG_SDIRK_NODE[HBG_SDIRK_STAGES] = {
    0, 0.368, 0.6282152954766494, 0.1388101983002833, 0.6999586194045747, 0.9083769633507853, 1};

/* Of stage i, numbered from 0, by k[0] + k[1], k[2], ..., k[i - 1]; by k[i] it is gamma. Stage 1: by k[0]. */
static const double HBG_SDIRK_STAGE[HBG_SDIRK_STAGES][HBG_SDIRK_STAGES - 2] = {
    {0},
    {0.184},
    {0.22210764773832475},
    {-0.014049475381926283, -0.01709085093586415},
    {-0.40838859254931464, 0.16646399821362964, 1.1662718062895745},
    {-0.5392907235588114, -0.242234428845425, 1.4888806111225146, 0.5563122281913184},
    {-0.03946606910974026, 0.27263649025024267, 0.4321651725202882, 0.3524160862328891, -0.16228561078393952}};

/* By k[0] + k[1], k[2], ..., k[6]: the step, the difference to that of order 4, and dense output by powers of theta from 1. */
static const double HBG_SDIRK_STEP[HBG_SDIRK_STAGES - 1] = {
    -0.03946606910974026, 0.27263649025024267, 0.4321651725202882, 0.3524160862328891, -0.16228561078393952, 0.184};

static const double HBG_SDIRK_ERROR[HBG_SDIRK_STAGES - 1] = {0.041223397456907174, 0.08973680563680714,  -0.08484870124594279,
                                                             -0.07418364506956518, -0.05795875281680454, 0.04480749858169103};

static const double HBG_SDIRK_DENSE[HBG_SDIRK_DEGREE][HBG_SDIRK_STAGES - 1] = {
    {1.8277112241122953, -0.9139893145584493, -1.9539215944031731, 0.22513133046351494, -0.3041684308504838, 0.2915255611240009},
    {-9.6300582718278, 3.552622397909284, 16.311426967164955, -1.5663480051750922, 3.472697538118349, -2.5102823543618964},
    {14.542869466644925, -1.2618715842868138, -26.933753111100305, 2.204628685989615, -7.980795835446732, 4.886052911554385},
    {-6.779988488039161, -1.1041250088137784, 13.00841291085881, -0.5109959250451485, 4.649981117394927, -2.4832961183164897}};

#endif
