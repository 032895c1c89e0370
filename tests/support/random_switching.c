/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/random_switching.h"

#include <math.h>
#include <stdio.h>

static double between(Random *random, double from, double to) { return from + (to - from) * random_real(random); }

static void add_pulse(HbgText *text, Random *random) {
  const double period = between(random, 1, 3);
  hbg_text_add(text, "pulse(%.3g, %.3g, %.3g)", random_real(random), between(random, 0.1, 0.8) * period, period);
}

static void add_force(HbgText *text, Random *random, int32_t i) {
  hbg_text_add(text, " Se f%d(%.3g*", i, between(random, 0.5, 2.5));
  if (random_chance(random, 0.6)) hbg_text_add(text, "sin(%.3g*time)", between(random, 0.5, 4));
  else add_pulse(text, random);
  hbg_text_add(text, "); f%d -> v%d\n", i, i);
}

static void add_mass(HbgText *text, Random *random, int32_t i) {
  hbg_text_add(text, " 1 v%d; I m%d(%.3g) start f = %.3g; v%d -> m%d\n", i, i, between(random, 0.5, 3), between(random, -1, 1), i, i);
}

/* ---- masses in a line ---- */

enum { APART, CLUTCH, SPRING, DAMPED };

static int32_t some_link(Random *random) {
  static const int32_t links[] = {CLUTCH, CLUTCH, CLUTCH, SPRING, SPRING, SPRING, DAMPED, DAMPED, DAMPED, APART};
  return links[random_below(random, 10)];
}

static void add_clutch(HbgText *text, Random *random, const char *name, int32_t i) {
  hbg_text_add(text, " 0 %s%d by Clutch(", name, i);
  add_pulse(text, random);
  hbg_text_add(text, " > 0.5)\n");
}

/* It sticks to a belt until what pulls is more than `most`, and slips against less. */
static void add_grip(HbgText *text, Random *random, int32_t i) {
  const double belt = random_chance(random, 0.5) ? 0 : 0.3, kinetic = between(random, 0.3, 1), most = kinetic * (random_chance(random, 0.5) ? 1.2 : 1.5);
  hbg_text_add(text, " 0 g%d by Grip(pull%d, v%d.f - %g, %.4g); Sf w%d(%g); v%d -> g%d -> w%d\n", i, i, i, belt, most, i, belt, i, i, i);
  hbg_text_add(text, " Se h%d(if g%d in ahead then -%.4g else if g%d in behind then %.4g else 0); h%d -> v%d\n", i, i, kinetic, i, kinetic, i, i);
}

static void add_shaft(HbgText *text, Random *random, int32_t i, int32_t before, int32_t behind) {
  HbgText pull = hbg_text(text->arena);
  add_mass(text, random, i);
  if (random_chance(random, 0.5)) {
    hbg_text_add(text, " R b%d(%.3g); v%d -> b%d\n", i, between(random, 0.05, 0.5), i, i);
    hbg_text_add(&pull, " - b%d.e", i);
  }
  if (random_chance(random, 0.3)) {
    hbg_text_add(text, " C k%d(%.3g); v%d -> k%d\n", i, between(random, 0.2, 2), i, i);
    hbg_text_add(&pull, " - k%d.e", i);
  }
  if (random_chance(random, 0.5)) {
    add_force(text, random, i);
    hbg_text_add(&pull, " + f%d.e", i);
  }
  if (behind == SPRING || behind == DAMPED) hbg_text_add(&pull, " - tension%d", i);
  if (before == SPRING || before == DAMPED) hbg_text_add(&pull, " + tension%d", i - 1);
  if (before != CLUTCH && behind != CLUTCH && pull.length && random_chance(random, 0.5)) {
    hbg_text_add(text, " signal pull%d = 0%s\n", i, pull.bytes);
    add_grip(text, random, i);
  } else if (random_chance(random, 0.3)) {
    add_clutch(text, random, "g", i);
    hbg_text_add(text, " Sf w%d(0); v%d -> g%d -> w%d\n", i, i, i, i); // one ground for all, or they would contradict each other
  }
}

static void add_link(HbgText *text, Random *random, int32_t i, int32_t link) {
  if (link == APART) return;
  if (link == CLUTCH) add_clutch(text, random, "c", i);
  else hbg_text_add(text, " 0 c%d\n", i);
  hbg_text_add(text, " v%d -> c%d -> v%d\n", i, i, i + 1);
  if (link == SPRING) hbg_text_add(text, " C s%d(%.3g); c%d -> s%d; signal tension%d = s%d.e\n", i, between(random, 0.2, 2), i, i, i, i);
  if (link == DAMPED)
    hbg_text_add(text, " 1 l%d; C s%d(%.3g); R d%d(%.3g); c%d -> l%d; l%d -> s%d; l%d -> d%d; signal tension%d = s%d.e + d%d.e\n", i, i, between(random, 0.2, 2),
                 i, between(random, 0.02, 0.5), i, i, i, i, i, i, i, i, i);
}

static void write_shafts(HbgText *text, Random *random, int32_t count) {
  int32_t before = APART;
  for (int32_t i = 1; i <= count; i++) {
    const int32_t behind = i < count ? some_link(random) : APART;
    add_shaft(text, random, i, before, behind);
    add_link(text, random, i, behind);
    before = behind;
  }
  hbg_text_add(text, " machine Clutch(pressed) { off apart initial; on together; apart -> together when pressed; together -> apart when not pressed }\n"
                     " machine Grip(pull, slip, most) { off ahead, behind initial; on stuck\n"
                     "  stuck -> ahead when pull > most; stuck -> behind when pull < -most\n"
                     "  ahead -> stuck when slip < 0 and pull >= -most; ahead -> behind when slip < 0 and pull < -most\n"
                     "  behind -> stuck when slip > 0 and pull <= most; behind -> ahead when slip > 0 and pull > most }\n");
}

/* ---- masses that rub on each other ---- */

static void add_contact(HbgText *text, Random *random, int32_t i) {
  const double kinetic = between(random, 0.2, 1), most = kinetic * (random_chance(random, 0.5) ? 1 : 1.3);
  hbg_text_add(text, " Se h%d(if g%d in ahead then -%.4g else if g%d in behind then %.4g else 0)\n", i, i, kinetic, i, kinetic);
  if (i) hbg_text_add(text, " 0 g%d by Grip(g%d.e, v%d.f - v%d.f, %.4g), q%d; v%d -> g%d -> v%d -> q%d -> v%d; h%d -> q%d\n", i, i, i, i + 1, most, i, i, i, i + 1, i, i, i, i);
  else hbg_text_add(text, " 0 g0 by Grip(-g0.e, v1.f, %.4g); Sf ground(0); ground -> g0 -> v1; h0 -> v1\n", most);
}

static void write_rubbing(HbgText *text, Random *random, int32_t count) {
  for (int32_t i = 1; i <= count; i++) {
    add_mass(text, random, i);
    if (random_chance(random, 0.4)) hbg_text_add(text, " C k%d(%.3g); v%d -> k%d\n", i, between(random, 0.2, 2), i, i);
    if (random_chance(random, 0.4)) hbg_text_add(text, " R b%d(%.3g); v%d -> b%d\n", i, between(random, 0.05, 0.5), i, i);
    add_force(text, random, i);
  }
  for (int32_t i = 0; i < count; i++)
    if (random_chance(random, 0.7)) add_contact(text, random, i);
  hbg_text_add(text, " machine Grip(pull, slip, most) { off ahead initial; off behind; on stuck\n"
                     "  stuck -> ahead when pull > most; stuck -> behind when pull < -most; ahead -> stuck when slip < 0; behind -> stuck when slip > 0 }\n");
}

/* ---- circuits ---- */

static void add_switch_and_diode(HbgText *text) {
  hbg_text_add(text, " machine Switch(gate) { off open initial; on closed; open -> closed when gate; closed -> open when not gate }\n"
                     " machine Diode(i, u) { off blocking initial; on conducting; blocking -> conducting when u > 0; conducting -> blocking when i < 0 }\n");
}

/* A resistor or capacitor; of what is stiff, some are far smaller than others. */
static double some_part(Random *random, bool is_stiff, double least, double most) {
  const double usual = between(random, least, most);
  return is_stiff && random_chance(random, 0.3) ? usual * pow(10, -between(random, 2, 4)) : usual;
}

static void add_branch(HbgText *text, Random *random, bool is_stiff, int32_t k, int32_t from, int32_t to) {
  const int32_t kind = random_below(random, 3); // a switch, a diode, a plain branch
  const bool is_direct = kind < 2 && random_chance(random, 0.4);
  hbg_text_add(text, " 1 b%d", k);
  if (kind == 0) {
    hbg_text_add(text, " by Switch(");
    add_pulse(text, random);
    hbg_text_add(text, " > 0.5)");
  }
  if (kind == 1) hbg_text_add(text, " by Diode(b%d.f, n%d.e - %s%d.e)", k, from, is_direct ? "n" : "y", is_direct ? to : k);
  if (is_direct) {
    hbg_text_add(text, "; n%d -> b%d -> n%d\n", from, k, to);
    return;
  }
  hbg_text_add(text, "; 0 y%d; 1 x%d; R z%d(%.3g); n%d -> b%d -> y%d -> x%d -> n%d; x%d -> z%d\n", k, k, k, some_part(random, is_stiff, 0.05, 2), from, k, k, k, to, k, k);
  if (kind == 2 && random_chance(random, 0.6))
    hbg_text_add(text, " I l%d(%.3g) start f = %.3g; x%d -> l%d\n", k, between(random, 0.1, 1), between(random, -0.5, 0.5), k, k);
}

static void write_circuit(HbgText *text, Random *random, bool is_stiff, int32_t count) {
  hbg_text_add(text, " Se supply(%.3g*sin(%.3g*time)); 0 n0; supply -> n0\n", between(random, 2, 10), between(random, 0.5, 4));
  for (int32_t i = 1; i <= count; i++) {
    hbg_text_add(text, " 0 n%d; R r%d(%.3g); n%d -> r%d\n", i, i, some_part(random, is_stiff, 0.5, 5), i, i);
    hbg_text_add(text, " Sf j%d(%.3g*sin(%.3g*time + %.2g)); j%d -> n%d\n", i, between(random, 0.2, 1), between(random, 0.5, 4), between(random, 0, 6), i, i);
    if (random_chance(random, 0.6)) hbg_text_add(text, " C c%d(%.3g) start e = %.3g; n%d -> c%d\n", i, some_part(random, is_stiff, 0.1, 1), between(random, -1, 1), i, i);
  }
  int32_t k = 0;
  for (int32_t i = 1; i <= count; i++)
    for (int32_t more = 1 + random_below(random, 2); more > 0; more--) {
      const int32_t from = random_below(random, count + 1);
      if (from != i) add_branch(text, random, is_stiff, k++, from, i);
    }
  add_switch_and_diode(text);
}

/* ---- converters ---- */

/* A junction that switches, with a resistance behind it, between two nodes. Random numbers have names here, as arguments come in any order. */
static void add_valve(HbgText *text, const char *name, int32_t i, const char *by, double resistance, const char *from, const char *to) {
  hbg_text_add(text, " 1 %s%d by %s; 0 %sy%d; 1 %sx%d; R %sz%d(%.3g)\n", name, i, by, name, i, name, i, name, i, resistance);
  hbg_text_add(text, " %s%d -> %s%d -> %sy%d -> %sx%d -> %s%d; %sx%d -> %sz%d\n", from, i, name, i, name, i, name, i, to, i, name, i, name, i);
}

static double small_resistance(Random *random) { return between(random, 0.005, 0.1); }

static void add_diode(HbgText *text, Random *random, const char *name, int32_t i, const char *from, const char *to) {
  char by[100];
  snprintf(by, sizeof by, "Diode(%s%d.f, %s%d.e - %sy%d.e)", name, i, from, i, name, i);
  add_valve(text, name, i, by, small_resistance(random), from, to);
}

static void add_switch(HbgText *text, Random *random, int32_t i, const char *from, const char *to) {
  char by[100];
  const double resistance = small_resistance(random), width = between(random, 0.2, 0.7), phase = random_real(random);
  snprintf(by, sizeof by, "Switch(pulse(%.3g, %.3g, 1) > 0.5)", phase, width);
  add_valve(text, "s", i, by, resistance, from, to);
}

static void add_coil(HbgText *text, Random *random, int32_t i, const char *from, const char *to) {
  const double resistance = between(random, 0.01, 0.3), inductance = between(random, 0.05, 1);
  hbg_text_add(text, " 1 l%d; I ll%d(%.3g); R rl%d(%.3g); %s%d -> l%d -> %s%d; l%d -> ll%d; l%d -> rl%d\n", i, i, inductance, i, resistance, from, i, i, to, i, i, i, i, i);
}

/* Four diodes on a wave, behind a choke. */
static void add_rectifier(HbgText *text, Random *random, int32_t i) {
  hbg_text_add(text, " 0 choked%d; 0 minus%d; 0 none%d; Se zero%d(0); zero%d -> none%d\n", i, i, i, i, i, i);
  add_coil(text, random, i, "in", "choked");
  add_diode(text, random, "da", i, "choked", "out");
  add_diode(text, random, "db", i, "none", "out");
  add_diode(text, random, "dc", i, "minus", "choked");
  add_diode(text, random, "dd", i, "minus", "none");
}

static void add_transformer(HbgText *text, Random *random, int32_t i) {
  const double ratio = -between(random, 0.3, 2), inductance = between(random, 0.05, 1);
  hbg_text_add(text, " I lm%d(%.3g); TF ratio%d(%.3g); 0 second%d; mid%d -> lm%d; mid%d -> ratio%d -> second%d\n", i, inductance, i, ratio, i, i, i, i, i, i);
}

/* Across out<i>, or between it and the other side of a rectifier. */
static void add_load(HbgText *text, Random *random, int32_t i, bool is_rectified) {
  const double resistance = between(random, 1, 30), capacity = between(random, 0.05, 1);
  const char *const at = is_rectified ? "rest" : "out";
  hbg_text_add(text, " C store%d(%.3g); R load%d(%.3g)\n", i, capacity, i, resistance);
  if (is_rectified) hbg_text_add(text, " 1 across%d; 0 rest%d; out%d -> across%d -> minus%d; across%d -> rest%d\n", i, i, i, i, i, i, i);
  hbg_text_add(text, " %s%d -> store%d; %s%d -> load%d\n", at, i, i, at, i, i);
}

/* From in<i> to out<i>. */
static void add_converter(HbgText *text, Random *random, int32_t i, bool is_wave) {
  enum { UP, DOWN, THROUGH, KINDS };
  const int32_t kind = is_wave ? KINDS : random_below(random, KINDS);
  if (is_wave) add_rectifier(text, random, i);
  else hbg_text_add(text, " 0 none%d; Se zero%d(0); zero%d -> none%d; 0 mid%d\n", i, i, i, i, i);
  if (kind == UP) {
    add_coil(text, random, i, "in", "mid");
    add_switch(text, random, i, "mid", "none");
    add_diode(text, random, "d", i, "mid", "out");
  } else if (kind == DOWN) {
    add_switch(text, random, i, "in", "mid");
    add_diode(text, random, "d", i, "none", "mid");
    add_coil(text, random, i, "mid", "out");
  } else if (kind == THROUGH) {
    add_switch(text, random, i, "in", "mid");
    add_transformer(text, random, i);
    add_diode(text, random, "d", i, "second", "out");
  }
  add_load(text, random, i, is_wave);
}

static void add_source(HbgText *text, Random *random, int32_t i, bool is_wave) {
  if (is_wave) {
    const double phase = between(random, 0, 6), omega = between(random, 1, 6), amplitude = between(random, 5, 15);
    hbg_text_add(text, " Se u%d(%.3g*sin(%.3g*time + %.3g)); u%d -> in%d\n", i, amplitude, omega, phase, i, i);
  } else {
    hbg_text_add(text, " Se u%d(%.3g); u%d -> in%d\n", i, between(random, 5, 20), i, i);
  }
}

static void write_converters(HbgText *text, Random *random, int32_t count) {
  bool is_fed = false; // by the converter before it
  for (int32_t i = 1; i <= count; i++) {
    const bool is_wave = !is_fed && random_chance(random, 0.4);
    hbg_text_add(text, " 0 in%d; 0 out%d\n", i, i);
    if (is_fed) hbg_text_add(text, " 1 wire%d; out%d -> wire%d -> in%d\n", i, i - 1, i, i);
    else add_source(text, random, i, is_wave);
    add_converter(text, random, i, is_wave);
    is_fed = !is_wave && random_chance(random, 0.6);
  }
  add_switch_and_diode(text);
}

void random_switching_write(RandomSwitching kind, Random *random, int32_t count, HbgText *text) {
  hbg_text_add(text, "model Switching {\n");
  if (kind == RANDOM_SHAFTS) write_shafts(text, random, count);
  else if (kind == RANDOM_RUBBING) write_rubbing(text, random, count);
  else if (kind == RANDOM_CONVERTERS) write_converters(text, random, count);
  else write_circuit(text, random, kind == RANDOM_STIFF_CIRCUIT, count);
  hbg_text_add(text, " stop 20\n}");
}
