/* SPDX-License-Identifier: BSD-3-Clause
 * Models that are damaged at random, for an entry of libFuzzer. To be read first: it asks for the glob() of POSIX. */
#define _POSIX_C_SOURCE 200809L
#ifndef FUZZ_DAMAGE_H
#define FUZZ_DAMAGE_H

#include <glob.h>

#include "fuzz/fuzz.h"
#include "support/check.h"

enum { LONGEST = 1 << 16, ROUNDS = 4000 };

typedef struct Sample {
  char text[LONGEST];
  size_t length;
} Sample;

static const char embedded[] =
    "// A row of balls.\n"
    "model Row(N = 3, m = 1 [kg]) {\n"
    "  param e = 0.8, k = [1, 2, 3] [N/m]; param g = if N > 2 then 9.81 [m/s^2] else -(1 + 2)^-2 [m/s^2]\n"
    "  for i in 1..N { I ball[i](m) start f = v[i]\n 1 v[i] by Relay(x[i], not done); v[i] -> ball[i] : link[i] }\n"
    "  R orifice: e = 2*f*abs(f)\n  C spring: e = k[1]*q  start q = 0.1, soft(2)\n"
    "  a -> b <- c[2] : other /* comment */ -> d\n"
    "  signal x = integral(v[1].f, start = -1e-3), done = (a in on) and (x <= 3 or relay in off) [m]\n"
    "  machine Relay(u, w) { off open initial, far; on closed\n open -> closed when u > 0\n and w\n closed -> open "
    "when\n "
    "pre(u) < 0 }\n"
    "  machine relay = Relay(x, true)\n  stop 1 [s]\n  tolerance 1e-9; method bdf\n}\n";

/* xorshift64*, Vigna 2016. */
static uint64_t next_random(uint64_t *seed) {
  *seed ^= *seed >> 12;
  *seed ^= *seed << 25;
  *seed ^= *seed >> 27;
  return *seed * 2685821657736338717u;
}

static size_t below(uint64_t *seed, size_t limit) { return limit ? (size_t)(next_random(seed) >> 33) % limit : 0; }

static void replace(Sample *sample, size_t begin, size_t count, const char *piece, size_t length) {
  if (sample->length - count + length >= LONGEST) return;
  memmove(sample->text + begin + length, sample->text + begin + count, sample->length - begin - count);
  memcpy(sample->text + begin, piece, length);
  sample->length += length - count;
}

static void damage(Sample *sample, uint64_t *seed) {
  static const char *const pieces[] = {"(",      ")",     "[",      "]",      "{",        "}",         ";",
                                       ",",      ":",     "=",      "==",     "->",       "<-",        "..",
                                       ".",      "\n",    "/*",     "*/",     "//",       "if ",       "then ",
                                       "else ",  "not ",  "and ",   "or ",    "in ",      "when ",     "on ",
                                       "1 ",     "0 ",    "I ",     "param ", "signal ",  "for ",      "machine ",
                                       "model ", "stop ", "start ", "by ",    "initial ", "submodel ", "-",
                                       "^",      "1e",    "\"",     "'",      "\xFF",     "\xCE\xB8",  "\xE2\x88\x92",
                                       "\r\n",   "\t",    "[m/s]",  "x",      "&&",       "<",         "+"};
  const size_t place = below(seed, sample->length + 1), rest = sample->length - place;
  const char *piece = pieces[below(seed, sizeof pieces / sizeof *pieces)];
  char copied[64];
  const size_t length = below(seed, rest < sizeof copied ? rest + 1 : sizeof copied);
  memcpy(copied, sample->text + place, length);
  switch (below(seed, 5)) {
    case 0: replace(sample, place, 0, piece, strlen(piece)); break;
    case 1: replace(sample, place, length, "", 0); break;
    case 2: replace(sample, below(seed, sample->length + 1), 0, copied, length); break;
    case 3: replace(sample, place, length, piece, strlen(piece)); break;
    default:
      if (rest) sample->text[place] = (char)next_random(seed);
  }
}

static Sample *load(const char *path) {
  Sample *sample = test_malloc(sizeof *sample);
  FILE *file = path ? fopen(path, "rb") : NULL;
  sample->length = file ? fread(sample->text, 1, LONGEST / 2, file) : sizeof embedded - 1;
  if (file)
    fclose(file);
  else
    memcpy(sample->text, embedded, sample->length);
  return sample;
}

static void damage_and_check(const Sample *original, uint64_t *seed, int rounds) {
  Sample *sample = test_malloc(sizeof *sample);
  for (int round = 0; round < rounds; round++) {
    *sample = *original;
    for (size_t times = 1 + below(seed, 6); times > 0; times--) damage(sample, seed);
    LLVMFuzzerTestOneInput((const uint8_t *)sample->text, sample->length);
  }
  test_free(sample);
}

/* The sample that is built in, damaged at random; HYBRSIM_SEED chooses another seed than `seed`, which is printed. */
static inline void damage_by_chance(uint64_t seed, int rounds) {
  const char *chosen = getenv("HYBRSIM_SEED");
  if (chosen) seed = strtoull(chosen, NULL, 10);
  print_message("seed %llu (HYBRSIM_SEED chooses another)\n", (unsigned long long)seed);
  Sample *sample = load(NULL);
  LLVMFuzzerTestOneInput((const uint8_t *)sample->text, sample->length);
  damage_and_check(sample, &seed, rounds);
  test_free(sample);
}

/* `visit` for each file of the project that `pattern` names. */
static inline void visit_files(const char *pattern, void (*visit)(const Sample *sample, uint64_t *seed, int rounds), int rounds) {
  uint64_t seed = 42;
  glob_t found = {0};
  if (glob(pattern, 0, NULL, &found) == 0)
    for (size_t i = 0; i < found.gl_pathc; i++) {
      Sample *sample = load(found.gl_pathv[i]);
      visit(sample, &seed, rounds);
      test_free(sample);
    }
  globfree(&found);
}

/* The models of the gallery, each damaged so many times. */
static inline void damage_gallery(int rounds) { visit_files(HBG_SOURCE_FOLDER "/models/*/*.hbg", damage_and_check, rounds); }

#endif
