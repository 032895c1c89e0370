/* SPDX-License-Identifier: BSD-3-Clause
 * Units: a table of names, the SI prefixes, and a small reader of products, quotients and powers.
 * The names follow the SI brochure (BIPM, 9th edition, 2019) and, for customary units, NIST SP 811. */
#include "model/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"

typedef struct UnitName {
  const char *name;
  bool takes_prefix;
  double factor, offset;
  HbgDimension dimension;
} UnitName;

typedef struct Prefix {
  const char *name;
  double factor;
} Prefix;

#define PI 3.14159265358979323846
#define DIMENSION(m, kg, s, A, K, mol, cd, rad)                                                                        \
  {{(m) * HBG_POWER_ONE, (kg) * HBG_POWER_ONE, (s) * HBG_POWER_ONE, (A) * HBG_POWER_ONE, (K) * HBG_POWER_ONE,            \
    (mol) * HBG_POWER_ONE, (cd) * HBG_POWER_ONE, (rad) * HBG_POWER_ONE}}

static const UnitName unit_names[] = {
    // base units, the gram in place of the kilogram so that prefixes work
    {"m", true, 1, 0, DIMENSION(1, 0, 0, 0, 0, 0, 0, 0)},
    {"g", true, 1e-3, 0, DIMENSION(0, 1, 0, 0, 0, 0, 0, 0)},
    {"s", true, 1, 0, DIMENSION(0, 0, 1, 0, 0, 0, 0, 0)},
    {"A", true, 1, 0, DIMENSION(0, 0, 0, 1, 0, 0, 0, 0)},
    {"K", true, 1, 0, DIMENSION(0, 0, 0, 0, 1, 0, 0, 0)},
    {"mol", true, 1, 0, DIMENSION(0, 0, 0, 0, 0, 1, 0, 0)},
    {"cd", true, 1, 0, DIMENSION(0, 0, 0, 0, 0, 0, 1, 0)},
    // derived units with names of their own
    {"rad", true, 1, 0, DIMENSION(0, 0, 0, 0, 0, 0, 0, 1)},
    {"Hz", true, 1, 0, DIMENSION(0, 0, -1, 0, 0, 0, 0, 0)},
    {"N", true, 1, 0, DIMENSION(1, 1, -2, 0, 0, 0, 0, 0)},
    {"Pa", true, 1, 0, DIMENSION(-1, 1, -2, 0, 0, 0, 0, 0)},
    {"J", true, 1, 0, DIMENSION(2, 1, -2, 0, 0, 0, 0, 0)},
    {"W", true, 1, 0, DIMENSION(2, 1, -3, 0, 0, 0, 0, 0)},
    {"C", true, 1, 0, DIMENSION(0, 0, 1, 1, 0, 0, 0, 0)},
    {"V", true, 1, 0, DIMENSION(2, 1, -3, -1, 0, 0, 0, 0)},
    {"F", true, 1, 0, DIMENSION(-2, -1, 4, 2, 0, 0, 0, 0)},
    {"ohm", true, 1, 0, DIMENSION(2, 1, -3, -2, 0, 0, 0, 0)},
    {"Ohm", true, 1, 0, DIMENSION(2, 1, -3, -2, 0, 0, 0, 0)},
    {"\xCE\xA9", true, 1, 0, DIMENSION(2, 1, -3, -2, 0, 0, 0, 0)},     // Greek omega
    {"\xE2\x84\xA6", true, 1, 0, DIMENSION(2, 1, -3, -2, 0, 0, 0, 0)}, // ohm sign
    {"S", true, 1, 0, DIMENSION(-2, -1, 3, 2, 0, 0, 0, 0)},
    {"Wb", true, 1, 0, DIMENSION(2, 1, -2, -1, 0, 0, 0, 0)},
    {"T", true, 1, 0, DIMENSION(0, 1, -2, -1, 0, 0, 0, 0)},
    {"H", true, 1, 0, DIMENSION(2, 1, -2, -2, 0, 0, 0, 0)},
    {"sr", true, 1, 0, DIMENSION(0, 0, 0, 0, 0, 0, 0, 0)},
    {"lm", true, 1, 0, DIMENSION(0, 0, 0, 0, 0, 0, 1, 0)},
    {"lx", true, 1, 0, DIMENSION(-2, 0, 0, 0, 0, 0, 1, 0)},
    {"Bq", true, 1, 0, DIMENSION(0, 0, -1, 0, 0, 0, 0, 0)},
    {"Gy", true, 1, 0, DIMENSION(2, 0, -2, 0, 0, 0, 0, 0)},
    {"Sv", true, 1, 0, DIMENSION(2, 0, -2, 0, 0, 0, 0, 0)},
    {"kat", true, 1, 0, DIMENSION(0, 0, -1, 0, 0, 1, 0, 0)},
    // accepted beside SI
    {"min", false, 60, 0, DIMENSION(0, 0, 1, 0, 0, 0, 0, 0)},
    {"h", false, 3600, 0, DIMENSION(0, 0, 1, 0, 0, 0, 0, 0)},
    {"d", false, 86400, 0, DIMENSION(0, 0, 1, 0, 0, 0, 0, 0)},
    {"deg", false, PI / 180, 0, DIMENSION(0, 0, 0, 0, 0, 0, 0, 1)},
    {"\xC2\xB0", false, PI / 180, 0, DIMENSION(0, 0, 0, 0, 0, 0, 0, 1)}, // degree sign
    {"arcmin", false, PI / 10800, 0, DIMENSION(0, 0, 0, 0, 0, 0, 0, 1)},
    {"arcsec", true, PI / 648000, 0, DIMENSION(0, 0, 0, 0, 0, 0, 0, 1)},
    {"gon", true, PI / 200, 0, DIMENSION(0, 0, 0, 0, 0, 0, 0, 1)},
    {"rev", false, 2 * PI, 0, DIMENSION(0, 0, 0, 0, 0, 0, 0, 1)},
    {"rpm", false, 2 * PI / 60, 0, DIMENSION(0, 0, -1, 0, 0, 0, 0, 1)},
    {"rps", false, 2 * PI, 0, DIMENSION(0, 0, -1, 0, 0, 0, 0, 1)},
    {"ha", false, 1e4, 0, DIMENSION(2, 0, 0, 0, 0, 0, 0, 0)},
    {"cc", false, 1e-6, 0, DIMENSION(3, 0, 0, 0, 0, 0, 0, 0)},
    {"lpm", false, 1e-3 / 60, 0, DIMENSION(3, 0, -1, 0, 0, 0, 0, 0)},
    {"L", true, 1e-3, 0, DIMENSION(3, 0, 0, 0, 0, 0, 0, 0)},
    {"l", true, 1e-3, 0, DIMENSION(3, 0, 0, 0, 0, 0, 0, 0)},
    {"t", true, 1e3, 0, DIMENSION(0, 1, 0, 0, 0, 0, 0, 0)},
    {"bar", true, 1e5, 0, DIMENSION(-1, 1, -2, 0, 0, 0, 0, 0)},
    {"eV", true, 1.602176634e-19, 0, DIMENSION(2, 1, -2, 0, 0, 0, 0, 0)},
    {"Wh", true, 3600, 0, DIMENSION(2, 1, -2, 0, 0, 0, 0, 0)},
    {"Ws", true, 1, 0, DIMENSION(2, 1, -2, 0, 0, 0, 0, 0)},
    {"VA", true, 1, 0, DIMENSION(2, 1, -3, 0, 0, 0, 0, 0)},
    {"var", true, 1, 0, DIMENSION(2, 1, -3, 0, 0, 0, 0, 0)},
    {"As", true, 1, 0, DIMENSION(0, 0, 1, 1, 0, 0, 0, 0)},
    {"Vs", true, 1, 0, DIMENSION(2, 1, -2, -1, 0, 0, 0, 0)},
    {"Nm", true, 1, 0, DIMENSION(2, 1, -2, 0, 0, 0, 0, 0)},
    {"Ns", true, 1, 0, DIMENSION(1, 1, -1, 0, 0, 0, 0, 0)},
    {"Ah", true, 3600, 0, DIMENSION(0, 0, 1, 1, 0, 0, 0, 0)},
    {"degC", false, 1, 273.15, DIMENSION(0, 0, 0, 0, 1, 0, 0, 0)},
    {"\xC2\xB0" "C", false, 1, 273.15, DIMENSION(0, 0, 0, 0, 1, 0, 0, 0)},
    {"%", false, 0.01, 0, DIMENSION(0, 0, 0, 0, 0, 0, 0, 0)},
    {"ppm", false, 1e-6, 0, DIMENSION(0, 0, 0, 0, 0, 0, 0, 0)},
    // of the centimetre, gram and second
    {"dyn", true, 1e-5, 0, DIMENSION(1, 1, -2, 0, 0, 0, 0, 0)},
    {"erg", true, 1e-7, 0, DIMENSION(2, 1, -2, 0, 0, 0, 0, 0)},
    {"P", true, 0.1, 0, DIMENSION(-1, 1, -1, 0, 0, 0, 0, 0)},
    {"St", true, 1e-4, 0, DIMENSION(2, 0, -1, 0, 0, 0, 0, 0)},
    {"G", true, 1e-4, 0, DIMENSION(0, 1, -2, -1, 0, 0, 0, 0)},
    {"Mx", true, 1e-8, 0, DIMENSION(2, 1, -2, -1, 0, 0, 0, 0)},
    // customary
    {"atm", false, 101325, 0, DIMENSION(-1, 1, -2, 0, 0, 0, 0, 0)},
    {"psi", false, 6894.757293168361, 0, DIMENSION(-1, 1, -2, 0, 0, 0, 0, 0)},
    {"mmHg", false, 133.322387415, 0, DIMENSION(-1, 1, -2, 0, 0, 0, 0, 0)},
    {"torr", true, 101325.0 / 760, 0, DIMENSION(-1, 1, -2, 0, 0, 0, 0, 0)},
    {"Torr", true, 101325.0 / 760, 0, DIMENSION(-1, 1, -2, 0, 0, 0, 0, 0)},
    {"inHg", false, 3386.388640341, 0, DIMENSION(-1, 1, -2, 0, 0, 0, 0, 0)},
    {"ksi", false, 6894757.293168361, 0, DIMENSION(-1, 1, -2, 0, 0, 0, 0, 0)},
    {"mil", false, 2.54e-5, 0, DIMENSION(1, 0, 0, 0, 0, 0, 0, 0)},
    {"nmi", false, 1852, 0, DIMENSION(1, 0, 0, 0, 0, 0, 0, 0)},
    {"kph", false, 1 / 3.6, 0, DIMENSION(1, 0, -1, 0, 0, 0, 0, 0)},
    {"gpm", false, 3.785411784e-3 / 60, 0, DIMENSION(3, 0, -1, 0, 0, 0, 0, 0)},
    {"oz", false, 0.028349523125, 0, DIMENSION(0, 1, 0, 0, 0, 0, 0, 0)},
    {"slug", false, 4.4482216152605 / 0.3048, 0, DIMENSION(0, 1, 0, 0, 0, 0, 0, 0)},
    {"ozf", false, 4.4482216152605 / 16, 0, DIMENSION(1, 1, -2, 0, 0, 0, 0, 0)},
    {"kip", false, 4448.2216152605, 0, DIMENSION(1, 1, -2, 0, 0, 0, 0, 0)},
    {"PS", false, 735.49875, 0, DIMENSION(2, 1, -3, 0, 0, 0, 0, 0)},
    {"Btu", false, 1055.05585262, 0, DIMENSION(2, 1, -2, 0, 0, 0, 0, 0)},
    {"degR", false, 5.0 / 9.0, 0, DIMENSION(0, 0, 0, 0, 1, 0, 0, 0)},
    {"in", false, 0.0254, 0, DIMENSION(1, 0, 0, 0, 0, 0, 0, 0)},
    {"ft", false, 0.3048, 0, DIMENSION(1, 0, 0, 0, 0, 0, 0, 0)},
    {"yd", false, 0.9144, 0, DIMENSION(1, 0, 0, 0, 0, 0, 0, 0)},
    {"mi", false, 1609.344, 0, DIMENSION(1, 0, 0, 0, 0, 0, 0, 0)},
    {"mph", false, 0.44704, 0, DIMENSION(1, 0, -1, 0, 0, 0, 0, 0)},
    {"kn", false, 1852.0 / 3600.0, 0, DIMENSION(1, 0, -1, 0, 0, 0, 0, 0)},
    {"lb", false, 0.45359237, 0, DIMENSION(0, 1, 0, 0, 0, 0, 0, 0)},
    {"lbf", false, 4.4482216152605, 0, DIMENSION(1, 1, -2, 0, 0, 0, 0, 0)},
    {"kgf", false, 9.80665, 0, DIMENSION(1, 1, -2, 0, 0, 0, 0, 0)},
    {"hp", false, 745.6998715822702, 0, DIMENSION(2, 1, -3, 0, 0, 0, 0, 0)},
    {"cal", true, 4.184, 0, DIMENSION(2, 1, -2, 0, 0, 0, 0, 0)},
    {"gal", false, 3.785411784e-3, 0, DIMENSION(3, 0, 0, 0, 0, 0, 0, 0)},
    {"degF", false, 5.0 / 9.0, 459.67 * 5.0 / 9.0, DIMENSION(0, 0, 0, 0, 1, 0, 0, 0)},
};

static const Prefix prefixes[] = {
    {"da", 1e1}, {"Q", 1e30}, {"R", 1e27}, {"Y", 1e24}, {"Z", 1e21}, {"E", 1e18}, {"P", 1e15}, {"T", 1e12}, {"G", 1e9},
    {"M", 1e6}, {"k", 1e3}, {"h", 1e2}, {"d", 1e-1}, {"c", 1e-2}, {"m", 1e-3}, {"u", 1e-6},
    {"\xC2\xB5", 1e-6} /* micro sign */, {"\xCE\xBC", 1e-6} /* Greek mu */,
    {"n", 1e-9}, {"p", 1e-12}, {"f", 1e-15}, {"a", 1e-18}, {"z", 1e-21}, {"y", 1e-24},
    {"r", 1e-27}, {"q", 1e-30},
};

enum { UNIT_NAMES = sizeof unit_names / sizeof *unit_names, PREFIXES = sizeof prefixes / sizeof *prefixes };
enum { DEEPEST = 50, LARGEST_POWER = 12 };

typedef struct Reader {
  const char *text;
  uint32_t length, at;
  uint32_t wrong_begin, wrong_end;
  int depth;
} Reader;

static bool fail(Reader *reader, uint32_t begin, uint32_t end) {
  reader->wrong_begin = begin;
  reader->wrong_end = end > begin ? end : begin + 1;
  return false;
}

static bool at_end(const Reader *reader) { return reader->at >= reader->length; }
static char peek(const Reader *reader) { return at_end(reader) ? '\0' : reader->text[reader->at]; }

static bool skip_blanks(Reader *reader) {
  const uint32_t begin = reader->at;
  while (peek(reader) == ' ' || peek(reader) == '\t') reader->at++;
  return reader->at > begin;
}

static bool take(Reader *reader, const char *word) {
  const uint32_t length = (uint32_t)strlen(word);
  if (reader->length - reader->at < length || memcmp(reader->text + reader->at, word, length) != 0) return false;
  reader->at += length;
  return true;
}

static const UnitName *find_unit(const char *name, uint32_t length) {
  for (int i = 0; i < UNIT_NAMES; i++)
    if (unit_names[i].name[0] == name[0] && strlen(unit_names[i].name) == length &&
        !memcmp(unit_names[i].name, name, length))
      return &unit_names[i];
  return NULL;
}

static bool name_unit(const char *name, uint32_t length, HbgUnit *out) {
  // a whole name goes before a prefix: "min" is a minute, "cd" a candela
  const UnitName *unit = find_unit(name, length);
  double factor = 1;
  for (int i = 0; !unit && i < PREFIXES; i++) {
    const uint32_t prefix = (uint32_t)strlen(prefixes[i].name);
    if (length <= prefix || memcmp(prefixes[i].name, name, prefix) != 0) continue;
    unit = find_unit(name + prefix, length - prefix);
    if (unit && !unit->takes_prefix) unit = NULL;
    factor = prefixes[i].factor;
  }
  if (!unit) return false;
  // the kilogram is the unit of SI, so its factor is exactly one
  const bool is_kilogram = length == 2 && !memcmp(name, "kg", 2);
  *out = (HbgUnit){is_kilogram ? 1 : factor * unit->factor, unit->offset, unit->dimension};
  return true;
}

/* Decimal figures; how many there were. */
static int read_figures(Reader *reader, int *value) {
  int figures = 0;
  for (*value = 0; peek(reader) >= '0' && peek(reader) <= '9' && figures < 3; figures++, reader->at++)
    *value = 10 * *value + (peek(reader) - '0');
  return figures;
}

/* A whole number, a decimal, or a fraction in parentheses: `2`, `-1`, `0.5`, `(3/2)`. In sixtieths. */
static bool read_exponent(Reader *reader, int *power) {
  const uint32_t begin = reader->at;
  const bool in_parentheses = take(reader, "(");
  const int sign = take(reader, "-") ? -1 : 1;
  int value, fraction = 0, denominator = 1;
  bool is_right = read_figures(reader, &value) > 0;
  if (is_right && take(reader, ".")) {
    int figures = read_figures(reader, &fraction);
    is_right = figures > 0;
    while (figures-- > 0) denominator *= 10;
    value = value * denominator + fraction;
  } else if (is_right && in_parentheses && take(reader, "/")) {
    is_right = read_figures(reader, &denominator) > 0 && denominator > 0;
  }
  if (in_parentheses && !take(reader, ")")) is_right = false;
  if (!is_right || value > LARGEST_POWER * denominator || value * HBG_POWER_ONE % denominator)
    return fail(reader, begin, reader->at);
  *power = sign * value * HBG_POWER_ONE / denominator;
  return true;
}

static bool multiply(Reader *reader, HbgUnit *product, const HbgUnit *factor, int power, uint32_t begin) {
  if (power == HBG_POWER_ONE) product->factor *= factor->factor;
  else if (factor->factor != 1) product->factor *= pow(factor->factor, (double)power / HBG_POWER_ONE);
  product->offset = factor->offset; /* the caller keeps it only for a unit alone */
  return hbg_dimension_multiply(product->dimension, factor->dimension, power, &product->dimension) ||
         fail(reader, begin, reader->at);
}

static bool read_product(Reader *reader, HbgUnit *out);

static bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%' || c == '_' || (unsigned char)c >= 0x80;
}

/* Dots and powers written as single characters end a name. */
static bool at_sign(const Reader *reader) {
  const char *at = reader->text + reader->at;
  return reader->length - reader->at >= 2 && at[0] == '\xC2' && (at[1] == '\xB7' || at[1] == '\xB2' || at[1] == '\xB3');
}

static bool read_name(Reader *reader, HbgUnit *out) {
  const uint32_t begin = reader->at;
  while (is_name_byte(peek(reader)) && !at_sign(reader)) reader->at++;
  if (reader->at > begin && name_unit(reader->text + begin, reader->at - begin, out)) return true;
  return fail(reader, begin, reader->at);
}

static bool read_number(Reader *reader, HbgUnit *out) {
  char digits[32] = "";
  uint32_t count = 0;
  while (count < sizeof digits - 1 && ((peek(reader) >= '0' && peek(reader) <= '9')))
    digits[count++] = reader->text[reader->at++];
  *out = (HbgUnit){0};
  if (!hbg_decimal_read(digits, count, &out->factor)) out->factor = strtod(digits, NULL);
  return out->factor > 0 ? true : fail(reader, reader->at - count, reader->at);
}

/* A name, a number or a parenthesis, with its power. */
static bool read_factor(Reader *reader, HbgUnit *out, int *power) {
  *power = HBG_POWER_ONE;
  const uint32_t begin = reader->at;
  if (take(reader, "(")) {
    if (++reader->depth > DEEPEST) return fail(reader, begin, reader->at);
    if (!read_product(reader, out)) return false;
    if (!take(reader, ")")) return fail(reader, begin, reader->at);
    reader->depth--;
  } else if (peek(reader) >= '0' && peek(reader) <= '9') {
    if (!read_number(reader, out)) return false;
  } else if (!read_name(reader, out)) {
    return false;
  }
  if (take(reader, "^")) return read_exponent(reader, power);
  if (take(reader, "\xC2\xB2")) *power = 2 * HBG_POWER_ONE;
  else if (take(reader, "\xC2\xB3")) *power = 3 * HBG_POWER_ONE;
  return true;
}

/* A dot multiplies, but the one of m^1.5 does not. */
static bool take_dot(Reader *reader) {
  const bool before_digit = reader->length - reader->at >= 2 && reader->text[reader->at + 1] >= '0' &&
                            reader->text[reader->at + 1] <= '9';
  return !before_digit && take(reader, ".");
}

/* Factors from left to right: `a/b*c` is `(a/b)*c`. */
static bool read_product(Reader *reader, HbgUnit *out) {
  *out = (HbgUnit){.factor = 1};
  int factors = 0, sign = 1, only_power = HBG_POWER_ONE;
  for (;;) {
    skip_blanks(reader);
    const uint32_t begin = reader->at;
    HbgUnit factor;
    int power;
    if (!read_factor(reader, &factor, &power)) return false;
    if (!multiply(reader, out, &factor, sign * power, begin)) return false;
    factors++;
    only_power = sign * power;
    const bool blank = skip_blanks(reader);
    if (at_end(reader) || peek(reader) == ')') break;
    if (take(reader, "/")) sign = -1;
    else if (take(reader, "*") || take_dot(reader) || take(reader, "\xC2\xB7") || blank) sign = 1;
    else return fail(reader, reader->at, reader->at + 1);
  }
  if (factors > 1 || only_power != HBG_POWER_ONE) out->offset = 0;
  return true;
}

bool hbg_unit_read(const char *text, uint32_t length, HbgUnit *out, uint32_t *begin, uint32_t *end) {
  Reader reader = {.text = text, .length = length};
  while (reader.length > 0 && (text[reader.length - 1] == ' ' || text[reader.length - 1] == '\t')) reader.length--;
  skip_blanks(&reader);
  // "[]", "[-]": a number without dimension
  *out = (HbgUnit){.factor = 1};
  if (at_end(&reader) || (peek(&reader) == '-' && reader.at + 1 == reader.length)) return true;
  if (read_product(&reader, out) && at_end(&reader)) return true;
  if (!reader.wrong_end) fail(&reader, reader.at, reader.length);
  *begin = reader.wrong_begin;
  *end = reader.wrong_end < length ? reader.wrong_end : length;
  return false;
}
