/* SPDX-License-Identifier: BSD-3-Clause
 * The coefficients of ESDIRK5(4)7L[2]SA2: Kennedy and Carpenter, "Diagonally implicit Runge-Kutta methods for stiff ODEs", Appl.
 * Numer. Math. 146, 2019. Seven stages, the first of which is explicit, order 5, L-stable and stiffly accurate; the error
 * estimate is of order 4. Stages one and two have the same weights everywhere, so that their sum does.
 *
 * Dense output of order 4 is ours. The conditions of order 4 (with the simplifying ones of the method there are five) leave one
 * weight open for each power of theta, if those of stages one and two are to be equal, without which dense output would grow
 * with the stiffness. It is taken such that for linear systems dense output has order 5, as the step has. */
#ifndef NUMERICS_SDIRK_TABLE_H
#define NUMERICS_SDIRK_TABLE_H

enum { HBG_SDIRK_STAGES = 7, HBG_SDIRK_DEGREE = 5 };

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
    {1.9967262920878421, -0.5460702870093963, -2.301799496114475, -0.07902006383175497, -0.5417981060210049, 0.4752353688009471},
    {-10.616260606657834, 1.4058161495470505, 18.341293315845153, 0.20837432454762195, 4.859265867706433, -3.582228444330592},
    {17.504735564350653, 5.185641690423473, -33.03006023662111, -3.125403210713365, -12.145083003015843, 8.105433631225546},
    {-11.344924822627874, -11.041268230199298, 22.40426437276611, 7.70384413427533, 11.06813277307671, -7.445123404663104},
    {2.4202575037374734, 5.2685171674884135, -4.981532783355386, -4.355379098044943, -3.4028031425302343, 2.6306828489672025}};

#endif
