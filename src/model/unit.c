/* SPDX-License-Identifier: BSD-3-Clause
 * Units: a table of names, the SI prefixes, and a small reader of products, quotients and powers.
 * The names follow the SI brochure (BIPM, 9th edition, 2019) and, for customary units, NIST SP 811. */
#include "model/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
#define DIMENSION(m, kg, s, A, K, mol, cd, rad) {{m, kg, s, A, K, mol, cd, rad}}

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
    // accepted beside SI
    {"min", false, 60, 0, DIMENSION(0, 0, 1, 0, 0, 0, 0, 0)},
    {"h", false, 3600, 0, DIMENSION(0, 0, 1, 0, 0, 0, 0, 0)},
    {"d", false, 86400, 0, DIMENSION(0, 0, 1, 0, 0, 0, 0, 0)},
    {"deg", false, PI / 180, 0, DIMENSION(0, 0, 0, 0, 0, 0, 0, 1)},
    {"\xC2\xB0", false, PI / 180, 0, DIMENSION(0, 0, 0, 0, 0, 0, 0, 1)}, // degree sign
    {"rev", false, 2 * PI, 0, DIMENSION(0, 0, 0, 0, 0, 0, 0, 1)},
    {"rpm", false, 2 * PI / 60, 0, DIMENSION(0, 0, -1, 0, 0, 0, 0, 1)},
    {"L", true, 1e-3, 0, DIMENSION(3, 0, 0, 0, 0, 0, 0, 0)},
    {"l", true, 1e-3, 0, DIMENSION(3, 0, 0, 0, 0, 0, 0, 0)},
    {"t", true, 1e3, 0, DIMENSION(0, 1, 0, 0, 0, 0, 0, 0)},
    {"bar", true, 1e5, 0, DIMENSION(-1, 1, -2, 0, 0, 0, 0, 0)},
    {"eV", true, 1.602176634e-19, 0, DIMENSION(2, 1, -2, 0, 0, 0, 0, 0)},
    {"Wh", true, 3600, 0, DIMENSION(2, 1, -2, 0, 0, 0, 0, 0)},
    {"Ah", true, 3600, 0, DIMENSION(0, 0, 1, 1, 0, 0, 0, 0)},
    {"degC", false, 1, 273.15, DIMENSION(0, 0, 0, 0, 1, 0, 0, 0)},
    {"\xC2\xB0" "C", false, 1, 273.15, DIMENSION(0, 0, 0, 0, 1, 0, 0, 0)},
    {"%", false, 0.01, 0, DIMENSION(0, 0, 0, 0, 0, 0, 0, 0)},
    // customary
    {"atm", false, 101325, 0, DIMENSION(-1, 1, -2, 0, 0, 0, 0, 0)},
    {"psi", false, 6894.757293168361, 0, DIMENSION(-1, 1, -2, 0, 0, 0, 0, 0)},
    {"mmHg", false, 133.322387415, 0, DIMENSION(-1, 1, -2, 0, 0, 0, 0, 0)},
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
    {"da", 1e1}, {"Y", 1e24}, {"Z", 1e21}, {"E", 1e18}, {"P", 1e15}, {"T", 1e12}, {"G", 1e9},
    {"M", 1e6}, {"k", 1e3}, {"h", 1e2}, {"d", 1e-1}, {"c", 1e-2}, {"m", 1e-3}, {"u", 1e-6},
    {"\xC2\xB5", 1e-6} /* micro sign */, {"\xCE\xBC", 1e-6} /* Greek mu */,
    {"n", 1e-9}, {"p", 1e-12}, {"f", 1e-15}, {"a", 1e-18}, {"z", 1e-21}, {"y", 1e-24},
};

enum { UNIT_NAMES = sizeof unit_names / sizeof *unit_names, PREFIXES = sizeof prefixes / sizeof *prefixes };
enum { DEEPEST = 50, DIMENSIONS = 8, LARGEST_POWER = 12 };

bool hbg_dimension_equal(HbgDimension a, HbgDimension b) {
  // the radian is a name of the number one (SI brochure 5.4.8): it never makes two quantities different
  return !memcmp(a.exponent, b.exponent, DIMENSIONS - 1);
}

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
    if (strlen(unit_names[i].name) == length && !memcmp(unit_names[i].name, name, length)) return &unit_names[i];
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

static bool read_exponent(Reader *reader, int *power) {
  const uint32_t begin = reader->at;
  const bool in_parentheses = take(reader, "(");
  const int sign = take(reader, "-") ? -1 : 1;
  int value = 0, digits = 0;
  for (; peek(reader) >= '0' && peek(reader) <= '9' && digits < 3; digits++, reader->at++)
    value = 10 * value + (peek(reader) - '0');
  if (in_parentheses && !take(reader, ")")) digits = 0;
  if (!digits || value > LARGEST_POWER) return fail(reader, begin, reader->at);
  *power = sign * value;
  return true;
}

static bool multiply(Reader *reader, HbgUnit *product, const HbgUnit *factor, int power, uint32_t begin) {
  product->factor *= pow(factor->factor, power);
  product->offset = factor->offset; /* the caller keeps it only for a unit alone */
  for (int i = 0; i < DIMENSIONS; i++) {
    const int exponent = product->dimension.exponent[i] + factor->dimension.exponent[i] * power;
    if (exponent < -100 || exponent > 100) return fail(reader, begin, reader->at);
    product->dimension.exponent[i] = (int8_t)exponent;
  }
  return true;
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
  *out = (HbgUnit){.factor = strtod(digits, NULL)};
  return out->factor > 0 ? true : fail(reader, reader->at - count, reader->at);
}

/* A name, a number or a parenthesis, with its power. */
static bool read_factor(Reader *reader, HbgUnit *out, int *power) {
  *power = 1;
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
  if (take(reader, "\xC2\xB2")) *power = 2;
  else if (take(reader, "\xC2\xB3")) *power = 3;
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
  int factors = 0, sign = 1, only_power = 1;
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
  if (factors > 1 || only_power != 1) out->offset = 0;
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
