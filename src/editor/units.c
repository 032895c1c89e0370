/* SPDX-License-Identifier: BSD-3-Clause
 * Units worth offering. */
#include "editor/units.h"

static const char *const units[] = {
    // of the domains
    "N", "m/s", "N*s", "m", "kg", "m/N", "N*s/m", "N/m",
    "N*m", "rad/s", "N*m*s", "rad", "kg*m^2", "rad/(N*m)", "N*m*s/rad",
    "V", "A", "Wb", "C", "H", "F", "Ohm",
    "Pa", "m^3/s", "Pa*s", "m^3", "Pa*s^2/m^3", "m^3/Pa", "Pa*s/m^3",
    "K", "W", "W/K", "J/K", "K/W", "J", "mol", "mol/s", "J/mol",
    // of time and of all kinds
    "s", "ms", "min", "h", "Hz", "m/s^2", "mm", "km", "km/h", "g", "t", "kN", "kV", "mA", "kOhm", "mF", "uF", "nF", "mH", "uH",
    "bar", "kPa", "MPa", "L", "L/min", "degC", "deg", "rpm", "rev", "kW", "kJ", "kWh", "Ah", "T", "S", "%",
    // customary
    "in", "ft", "yd", "mi", "mph", "kn", "lb", "lbf", "kgf", "hp", "cal", "gal", "atm", "psi", "mmHg", "degF", "eV"};

const char *const *hbg_unit_list(int32_t *count) {
  *count = (int32_t)(sizeof units / sizeof *units);
  return units;
}
