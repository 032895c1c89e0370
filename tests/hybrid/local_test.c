/* SPDX-License-Identifier: BSD-3-Clause
 * Regions with clocks of their own against the same model as a whole, on random models: a few parts that have nothing to do with each
 * other, or little, declared in a random order. HYBRSIM_SEED chooses them, HYBRSIM_GRAPHS how many. */
#include "hybrid/local_parts.h"
#include "support/ride.h"
#include "support/seeds.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 64, LINE = 600, ALL = RIDE_EVENTS | RIDE_TRAJECTORY };

/* ---- random models ---- */

typedef struct Lines {
  char line[MOST_LINES][LINE];
  int count;
} Lines;

static double between(double from, double to) { return from + (to - from) * (double)rand() / RAND_MAX; }

static char *new_line(Lines *lines) {
  assert_true(lines->count < MOST_LINES);
  return lines->line[lines->count++];
}

#define ADD(...) snprintf(new_line(lines), LINE, __VA_ARGS__)

/* A ball that bounces, and does not come to rest within 1 s. */
static void add_ball(Lines *lines, int n) {
  const double mass = between(0.1, 5);
  ADD("I ball%d(%.3f); 1 v%d; Se weight%d(-%.3f); 0 hit%d by Hit%d; MSf back%d(%.3f * pre(v%d.f))", n, mass, n, n, 10 * mass, n, n, n,
      between(0.6, 0.9), n);
  ADD("v%d -> ball%d; weight%d -> v%d; v%d -> hit%d <- back%d", n, n, n, n, n, n, n);
  ADD("signal height%d = integral(v%d.f, start = %.3f)", n, n, between(0.5, 2));
  ADD("machine Hit%d { off free initial; on touching; free -> touching when height%d <= 0 and v%d.f < 0\n"
      "  touching -> free when pre(v%d.f) > 0 }", n, n, n, n);
}

/* Two bodies that meet and stay together. */
static void add_bodies(Lines *lines, int n) {
  ADD("I a%d(%.3f) start f = %.3f; I b%d(%.3f); 1 va%d, vb%d; 0 joint%d by Joint%d", n, between(0.1, 9), between(1, 4), n, between(0.1, 9), n,
      n, n, n);
  ADD("va%d -> a%d; vb%d -> b%d; va%d -> joint%d -> vb%d", n, n, n, n, n, n, n);
  ADD("signal gap%d = integral(vb%d.f - va%d.f, start = %.3f)", n, n, n, between(0.1, 2));
  ADD("machine Joint%d { off apart initial; on joined; apart -> joined when gap%d <= 0 and vb%d.f < va%d.f }", n, n, n, n);
}

/* A room with a relay: exponentials between two levels. */
static void add_room(Lines *lines, int n) {
  ADD("Se warm%d(1); 1 gate%d by Relay%d; R wall%d(%.3f); 0 room%d; C air%d(%.3f); R leak%d(%.3f)", n, n, n, n, between(0.1, 0.5), n, n,
      between(0.05, 0.2), n, between(1, 2));
  ADD("warm%d -> gate%d -> wall%d; gate%d -> room%d; room%d -> air%d; room%d -> leak%d", n, n, n, n, n, n, n, n, n);
  ADD("machine Relay%d { off cold; on hot initial; cold -> hot when room%d.e < %.3f; hot -> cold when room%d.e > %.3f }", n, n,
      between(0.1, 0.2), n, between(0.3, 0.4));
}

/* A machine that follows a product of states, beside nothing else. */
static void add_product(Lines *lines, int n) {
  ADD("signal x%d = integral(1, start = -%.4f), y%d = integral(2, start = -%.4f)", n, between(0.1, 0.9), n, between(0.2, 1.8));
  ADD("Se p%d(1); 1 on%d by Product%d; R q%d(1); p%d -> on%d -> q%d", n, n, n, n, n, n, n);
  ADD("machine Product%d { off no initial; on yes; no -> yes when x%d * y%d < 0; yes -> no when x%d * y%d > 0 }", n, n, n, n, n);
}

/* A pendulum, which has to be integrated, and what its swings switch. */
static void add_pendulum(Lines *lines, int n) {
  ADD("signal angle%d = integral(turn%d, start = %.3f), turn%d = integral(-%.3f*sin(angle%d))", n, n, between(0.3, 2.5), n, between(50, 200),
      n);
  ADD("Se l%d(1); 1 lamp%d by Side%d; R m%d(1); l%d -> lamp%d -> m%d", n, n, n, n, n, n, n);
  ADD("machine Side%d { off left; on right initial; right -> left when angle%d < 0; left -> right when angle%d > 0 }", n, n, n);
}

/* Charged by the clock, through a switch. */
static void add_pump(Lines *lines, int n) {
  const double period = between(0.05, 0.3);
  ADD("Se push%d(2); 1 valve%d by Valve%d; R pipe%d(%.3f); C tank%d(%.3f); push%d -> valve%d -> pipe%d; valve%d -> tank%d", n, n, n, n,
      between(0.5, 2), n, between(0.1, 1), n, n, n, n, n);
  ADD("signal opens%d = pulse(0, %.4f, %.4f) > 0.5", n, 0.4 * period, period);
  ADD("machine Valve%d { off shut; on open initial; open -> shut when pulse(0, %.4f, %.4f) < 0.5; shut -> open when pulse(0, %.4f, %.4f) > 0.5 }",
      n, 0.4 * period, period, 0.4 * period, period);
}

/* A fuse that blows, and is put back by the clock: most of its beats find it whole. What was wound up is lost with a jump. */
static void add_fuse(Lines *lines, int n) {
  const double period = between(0.1, 0.3);
  ADD("Se feed%d(10); 1 loop%d by Fuse%d; R ohm%d(%.3f); I coil%d(%.3f); feed%d -> loop%d -> ohm%d; loop%d -> coil%d", n, n, n, n,
      between(0.5, 2), n, between(0.2, 1), n, n, n, n, n);
  ADD("signal press%d = pulse(%.3f, 0.02, %.3f)", n, between(0, 0.1), period);
  ADD("machine Fuse%d { on whole initial; off blown; whole -> blown when loop%d.f > %.3f and press%d < 0.5\n"
      "  blown -> whole when press%d > 0.5 }", n, n, between(1, 3), n, n);
}

/* A source that the clock turns, and what the current from it switches. */
static void add_pulsed(Lines *lines, int n) {
  const double period = between(0.05, 0.4);
  ADD("Se tap%d(%.3f + %.3f*pulse(%.4f, %.4f, %.4f)); 1 pipe%d; R narrow%d(%.3f); C vessel%d(%.3f); tap%d -> pipe%d -> narrow%d; pipe%d -> vessel%d",
      n, between(1, 3), between(1, 6), between(0, 0.3), 0.4 * period, period, n, n, between(0.5, 2), n, between(0.05, 0.3), n, n, n, n, n);
  ADD("Se f%d(1); 1 flag%d by Flag%d; R g%d(1); f%d -> flag%d -> g%d", n, n, n, n, n, n, n);
  ADD("machine Flag%d { off low initial; on high; low -> high when narrow%d.e > %.3f; high -> low when narrow%d.e < %.3f }", n, n,
      between(1.5, 3), n, between(0.1, 1.4));
}

/* What its brake holds fast bends when it is let go: the equations of one mode are affine, those of the other not. */
static void add_brake(Lines *lines, int n) {
  const double period = between(0.1, 0.4);
  ADD("I load%d(%.3f); 1 run%d; R air%d: e = %.3f*f + %.3f*f^3; C bend%d(%.3f) start e = 2; TF lever%d(2); 1 shoe%d by Brake%d", n,
      between(0.1, 0.5), n, n, between(0.1, 1), between(0.1, 1), n, between(0.1, 1), n, n, n);
  ADD("run%d -> load%d; run%d -> air%d; run%d -> bend%d; run%d -> lever%d -> shoe%d", n, n, n, n, n, n, n, n, n);
  ADD("machine Brake%d { on free initial; off held; free -> held when pulse(0.05, %.4f, %.4f) > 0.5; held -> free when pulse(0.05, %.4f, %.4f) < 0.5 }",
      n, 0.4 * period, period, 0.4 * period, period);
}

/* Two bodies meet, and the machine that sees it, or feels the blow, joins two others elsewhere, which jump in the same instant. */
static void add_cascade(Lines *lines, int n) {
  static const char *const seen[] = {"meet%d in joined", "impulse(abs(meet%d.e)) > 0.01", "meet%d in joined and time > 0.2"};
  char condition[100];
  const char *const pattern = seen[rand() % 3];
  const size_t behind = (size_t)(strstr(pattern, "%d") - pattern);
  snprintf(condition, sizeof condition, "%.*s%d%s", (int)behind, pattern, n, pattern + behind + 2);
  ADD("I a%d(%.3f) start f = %.3f; I b%d(%.3f); 1 va%d, vb%d; 0 meet%d by Meet%d", n, between(0.5, 2), between(1, 4), n, between(0.5, 2), n, n, n, n);
  ADD("va%d -> a%d; vb%d -> b%d; va%d -> meet%d -> vb%d; signal gap%d = integral(vb%d.f - va%d.f, start = %.3f)", n, n, n, n, n, n, n, n, n, n,
      between(0.1, 1));
  ADD("machine Meet%d { off apart initial; on joined; apart -> joined when gap%d <= 0 and va%d.f > vb%d.f }", n, n, n, n);
  ADD("I c%d(%.3f) start f = %.3f; I d%d(%.3f); 1 vc%d, vd%d; 0 hold%d by Hold%d; vc%d -> c%d; vd%d -> d%d; vc%d -> hold%d -> vd%d", n,
      between(0.5, 2), between(-2, 2), n, between(0.5, 2), n, n, n, n, n, n, n, n, n, n, n);
  ADD("machine Hold%d { off apart initial; on joined; apart -> joined when %s; joined -> apart when time > 0.9 and finite(hold%d.e) > 1 }", n, condition, n);
}

/* Three wheels with a drive, a gear and two clutches: one by the clock, one by speed and load. */
static void add_gearbox(Lines *lines, int n) {
  const double period = between(0.2, 0.5), fast = between(2, 5);
  for (int wheel = 0; wheel < 3; wheel++)
    ADD("I w%d_%d(%.3f) start f = %.3f; R b%d_%d(%.3f); 1 s%d_%d; s%d_%d -> w%d_%d; s%d_%d -> b%d_%d", n, wheel, between(0.2, 2), between(-1, 3), n, wheel,
        between(0.05, 0.5), n, wheel, n, wheel, n, wheel, n, wheel, n, wheel);
  ADD("Se drive%d(%.3f); TF gear%d(%.3f); 0 first%d by First%d, second%d by Second%d", n, between(2, 8), n, between(0.5, 2), n, n, n, n);
  ADD("drive%d -> s%d_0 -> gear%d -> first%d -> s%d_1; s%d_1 -> second%d -> s%d_2", n, n, n, n, n, n, n, n);
  ADD("machine First%d { off open; on locked initial; locked -> open when pulse(0, %.4f, %.4f) < 0.5; open -> locked when pulse(0, %.4f, %.4f) > 0.5 }", n,
      0.4 * period, period, 0.4 * period, period);
  ADD("machine Second%d { off open initial; on locked; open -> locked when s%d_1.f - s%d_2.f > %.3f or s%d_2.f - s%d_1.f > %.3f\n"
      "  locked -> open when finite(abs(second%d.e)) > 20 and first%d in open }", n, n, n, fast, n, n, fast, n, n);
}

/* Vessels on one source that the clock turns, each with a machine of its own: the source is cut off from all of them. */
static void add_rail(Lines *lines, int n) {
  const double period = between(0.1, 0.5);
  ADD("Se main%d(%.3f + %.3f*pulse(%.4f, %.4f, %.4f)); 0 rail%d; main%d -> rail%d", n, between(1, 3), between(2, 6), between(0, 0.3), 0.4 * period,
      period, n, n, n);
  for (int which = 0; which < 2; which++) {
    ADD("1 way%d_%d; R thin%d_%d(%.3f); C jar%d_%d(%.3f); rail%d -> way%d_%d -> thin%d_%d; way%d_%d -> jar%d_%d", n, which, n, which,
        between(0.5, 2), n, which, between(0.05, 0.2), n, n, which, n, which, n, which, n, which);
    ADD("Se h%d_%d(1); 1 full%d_%d by Full%d_%d; R w%d_%d(1); h%d_%d -> full%d_%d -> w%d_%d", n, which, n, which, n, which, n, which, n, which, n,
        which, n, which);
    ADD("machine Full%d_%d { off no initial; on yes; no -> yes when jar%d_%d.e > %.3f; yes -> no when jar%d_%d.e < %.3f }", n, which, n, which,
        between(3, 4), n, which, between(1, 2.9));
  }
}

/* Rectifiers on a sine that they share: a diode that reads the source itself, into a capacitor, or with a coil before it. */
static void add_rectifiers(Lines *lines, int n) {
  ADD("Se mains%d(%.3f*sin(%.3f*time + %.3f)); 0 grid%d; mains%d -> grid%d", n, between(5, 10), between(10, 40), between(-1, 1), n, n, n);
  for (int which = 0; which < 2; which++) {
    ADD("1 diode%d_%d by Diode%d_%d; R into%d_%d(%.3f); 0 out%d_%d; C hold%d_%d(%.3f); R load%d_%d(%.3f)", n, which, n, which, n, which,
        between(0.5, 2), n, which, n, which, between(0.02, 0.2), n, which, between(2, 9));
    ADD("grid%d -> diode%d_%d -> into%d_%d; diode%d_%d -> out%d_%d -> hold%d_%d; out%d_%d -> load%d_%d", n, n, which, n, which, n, which, n, which,
        n, which, n, which, n, which);
    if (which) ADD("I coil%d_%d(%.3f); diode%d_%d -> coil%d_%d", n, which, between(0.01, 0.1), n, which, n, which);
    ADD("machine Diode%d_%d { off blocking initial; on conducting; blocking -> conducting when grid%d.e > out%d_%d.e\n"
        "  conducting -> blocking when diode%d_%d.f < 0 }", n, which, n, n, which, n, which);
  }
}

/* Pulled by what grows, falls with the square of the time, and swings: a mass on a spring, whose guard follows the time as well. */
static void add_pulled(Lines *lines, int n) {
  ADD("I mass%d(%.3f); C spring%d(%.3f); R oil%d(%.3f); 1 move%d; move%d -> mass%d; move%d -> spring%d; move%d -> oil%d", n, between(0.5, 2), n,
      between(0.005, 0.05), n, between(0.1, 1), n, n, n, n, n, n, n);
  ADD("Se pull%d(%.3f*time - %.3f*time^2 + %.3f*cos(%.3f*time)); pull%d -> move%d", n, between(1, 20), between(1, 20), between(1, 9), between(3, 30), n, n);
  ADD("Se s%d(1); 1 sign%d by Sign%d; R t%d(1); s%d -> sign%d -> t%d", n, n, n, n, n, n, n);
  ADD("machine Sign%d { off left; on right initial; right -> left when move%d.f < %.3f*(time - 0.5); left -> right when move%d.f > %.3f }", n, n,
      between(0.1, 1), n, between(0.6, 1));
}

/* How long two swinging lamps have been lit together: an integral of nothing but machines. */
static void add_clock(Lines *lines, int n) {
  for (int which = 0; which < 2; which++) {
    ADD("signal beat%d_%d = integral(pace%d_%d, start = %.3f), pace%d_%d = integral(-%.3f*beat%d_%d)", n, which, n, which, between(0.3, 2.5), n,
        which, between(50, 200), n, which);
    ADD("Se wire%d_%d(1); 1 lit%d_%d by Lit%d_%d; R bulb%d_%d(1); wire%d_%d -> lit%d_%d -> bulb%d_%d", n, which, n, which, n, which, n, which,
        n, which, n, which, n, which);
    ADD("machine Lit%d_%d { off dark; on bright initial; bright -> dark when beat%d_%d < 0; dark -> bright when beat%d_%d > 0 }", n, which, n,
        which, n, which);
  }
  ADD("signal together%d = integral(if lit%d_0 in bright and lit%d_1 in bright then 1 else 0)", n, n, n);
}

/* Clocks of different parts tick together, often or at times. */
static double any_period(void) {
  static const double periods[] = {0.01, 0.02, 0.03, 0.05, 0.1, 0.0173, 0.25};
  return periods[rand() % 7];
}

static double any_offset(double period) { return rand() % 2 ? 0 : rand() % 2 ? period / 2 : 0.37 * period; }

/* A room whose relay sees only samples, of a temperature or of a flow. */
static void add_sampled_room(Lines *lines, int n) {
  const double period = any_period(), offset = any_offset(period);
  ADD("Se warm%d(1); 1 gate%d by Relay%d; R wall%d(%.3f); 0 room%d; C air%d(%.3f); R leak%d(%.3f)", n, n, n, n, between(0.1, 0.5), n, n,
      between(0.02, 0.1), n, between(1, 2));
  ADD("warm%d -> gate%d -> wall%d; gate%d -> room%d; room%d -> air%d; room%d -> leak%d", n, n, n, n, n, n, n, n, n);
  ADD("clock looks%d = every(%.5f, offset = %.5f); signal seen%d = %s(%s%d.%c, looks%d)", n, period, offset, n, rand() % 3 ? "sample" : "previous",
      rand() % 2 ? "room" : "leak", n, 'e', n);
  ADD("machine Relay%d { off cold; on hot initial; cold -> hot when seen%d < %.3f; hot -> cold when seen%d > %.3f }", n, n, between(0.1, 0.2), n,
      between(0.3, 0.4));
}

/* A motor under a controller, and lamps that tell of its speed and of its voltage. */
static void add_controlled_motor(Lines *lines, int n) {
  const double period = any_period();
  ADD("Se volts%d(u%d); 1 circuit%d; R winding%d(%.3f); GY motor%d(%.3f); 1 shaft%d; I rotor%d(%.3f); R bearing%d(%.3f)", n, n, n, n, between(0.3, 1), n,
      between(0.1, 0.3), n, n, between(0.002, 0.01), n, between(0.001, 0.01));
  ADD("volts%d -> circuit%d -> motor%d -> shaft%d -> rotor%d; circuit%d -> winding%d; shaft%d -> bearing%d", n, n, n, n, n, n, n, n, n);
  ADD("clock acts%d = every(%.5f, offset = %.5f); signal wish%d = sample(if time < %.3f then 20 else 5, every(%.5f))", n, period, any_offset(period), n,
      between(0.2, 0.8), any_period());
  ADD("signal u%d = discrete_pid(wish%d - shaft%d.f, acts%d, Kp = 0.2, Ti = 0.1, low = -9, high = 9)", n, n, n, n);
  ADD("Se wire%d(1); 1 lamp%d by Lamp%d; R bulb%d(1); wire%d -> lamp%d -> bulb%d", n, n, n, n, n, n, n);
  ADD("machine Lamp%d { off dark initial; on bright; dark -> bright when shaft%d.f > 0.7*wish%d and u%d > %.3f; bright -> dark when shaft%d.f < %.3f*wish%d }", n, n,
      n, n, between(-3, 3), n, between(0.3, 0.6), n);
}

/* A chopper: the part of each period for which it is on is the integral of what lacks; what it has passed on is counted. */
static void add_chopper(Lines *lines, int n) {
  const double period = any_period();
  ADD("Se battery%d(%.3f); 1 line%d; I coil%d(%.4f); 0 node%d; 0 out%d; C hold%d(%.4f) start e = 1; R load%d(%.3f)", n, between(1, 3), n, n, between(0.005, 0.05), n, n, n,
      between(0.002, 0.01), n, between(1, 4));
  ADD("1 switch%d by Chop%d(pwm(duty%d, %.5f, offset = %.5f) > 0.5); 1 diode%d by Diode%d; Se ground%d(0)", n, n, n, period, any_offset(period), n, n, n);
  ADD("battery%d -> line%d -> node%d -> diode%d -> out%d -> hold%d; line%d -> coil%d; out%d -> load%d; node%d -> switch%d -> ground%d", n, n, n, n, n, n, n, n, n, n,
      n, n, n);
  ADD("signal duty%d = limit(discrete_integral(%.3f - out%d.e, every(%.5f, offset = %.5f), start = 0.4), 0, 0.9)", n, between(2, 4), n, any_period(), any_offset(period));
  ADD("machine Chop%d(gate) { on closed initial; off open; closed -> open when not gate; open -> closed when gate }", n);
  ADD("machine Diode%d { off blocking initial; on conducting; blocking -> conducting when node%d.e > out%d.e; conducting -> blocking when diode%d.f < 0 }", n, n, n, n);
  ADD("signal passed%d = integral(duty%d * switch%d.f)", n, n, n);
}

/* What noise pushes, its law bent by a sample, until a limit that is sampled more seldom. */
static void add_noisy(Lines *lines, int n) {
  const double period = any_period();
  ADD("clock fast%d = every(%.5f); clock slow%d = every(%.5f, offset = %.5f)", n, period, n, any_period(), any_offset(period));
  ADD("Se push%d(%.3f + noise(fast%d, seed = %d, deviation = 2)); 1 walk%d; I body%d(%.3f)", n, between(-1, 1), n, n, n, n, between(0.05, 0.2));
  ADD("R floor%d: e = (%.3f + sample(abs(way%d), slow%d))*f; push%d -> walk%d; walk%d -> body%d; walk%d -> floor%d", n, between(0.1, 1), n, n, n, n, n, n, n, n);
  ADD("signal way%d = integral(walk%d.f + 0.1*uniform_noise(slow%d, seed = %d))", n, n, n, n);
  ADD("signal border%d = sample(0.2*abs(walk%d.f) + 0.05, slow%d, start = 0.05), steps%d = sample(previous(steps%d, fast%d) + (if way%d > 0 then 1 else 0), fast%d)", n, n, n, n, n, n, n,
      n);
  ADD("Se g%d(1); 1 wall%d by Wall%d; R h%d(1); g%d -> wall%d -> h%d", n, n, n, n, n, n, n);
  ADD("machine Wall%d { off no initial; on yes; no -> yes when abs(way%d) > border%d; yes -> no when abs(way%d) < 0.5*border%d and steps%d > 3 }", n, n, n, n, n,
      n);
}

/* Switches that go by the time they have been in a state: two on one tap, whose times fall on one instant now and then, and a valve that waits
 * for a level as well, the longer the fuller its vessel. */
static void add_timed(Lines *lines, int n) {
  const double time = between(0.03, 0.2);
  ADD("Se tap%d(%.3f); 0 rail%d; tap%d -> rail%d", n, between(2, 5), n, n, n);
  for (int which = 0; which < 2; which++) {
    ADD("1 way%d_%d by Way%d_%d; R thin%d_%d(%.3f); C jar%d_%d(%.3f); R leak%d_%d(%.3f); 0 top%d_%d", n, which, n, which, n, which, between(0.5, 2), n,
        which, between(0.05, 0.2), n, which, between(0.5, 2), n, which);
    ADD("rail%d -> way%d_%d -> thin%d_%d; way%d_%d -> top%d_%d -> jar%d_%d; top%d_%d -> leak%d_%d", n, n, which, n, which, n, which, n, which, n, which,
        n, which, n, which);
  }
  ADD("machine Way%d_0 { off shut; on open initial; open -> shut after %.4f; shut -> open after %.4f }", n, time, time);
  ADD("machine Way%d_1 { off shut; on open initial; on wide; open -> shut after %.4f; shut -> open after %.4f; wide -> shut after %.4f\n"
      "  open -> wide when top%d_0.e > %.3f and top%d_1.e > %.3f }", n, 2 * time, rand() % 2 ? time : between(0.02, 0.1), between(0.02, 0.1), n,
      between(0.5, 3), n, between(0.5, 3));
  ADD("Se s%d(1); 1 slow%d by Slow%d; R t%d(1); s%d -> slow%d -> t%d", n, n, n, n, n, n, n);
  ADD("machine Slow%d { off low initial; on high; low -> high after %.4f when top%d_0.e > %.3f; high -> low after 0.01 + 0.05*abs(top%d_1.e) when top%d_0.e < %.3f }", n,
      between(0.01, 0.1), n, between(0.5, 1.5), n, n, between(0.5, 1.5));
}

/* A fall onto a spring that holds on for a while, and is let go by the clock, by its force, or after some time: what comes first. */
static void add_catch(Lines *lines, int n) {
  ADD("I body%d(%.3f) start f = -1; 1 fall%d; Se weight%d(-%.3f); 0 touch%d by Touch%d; C pad%d(%.4f); R damp%d(%.3f); 1 foot%d", n, between(0.5, 2), n, n,
      between(5, 10), n, n, n, between(0.005, 0.03), n, between(2, 5), n);
  ADD("fall%d -> body%d; weight%d -> fall%d; fall%d -> touch%d -> foot%d -> pad%d; foot%d -> damp%d", n, n, n, n, n, n, n, n, n, n);
  ADD("signal way%d = integral(fall%d.f, start = %.3f)", n, n, between(0.1, 0.5));
  ADD("machine Touch%d { off free initial; on held; free -> held when way%d < 0 and fall%d.f < 0; held -> free after %.4f when fall%d.f > 0\n"
      "  held -> free when way%d > 0.1 and pulse(0, 0.1, 0.23) > 0.5; held -> held after %.4f }", n, n, n, between(0.01, 0.3), n, n, between(0.05, 0.3));
}

/* A ball whose ground wears out with each hit; how many there have been is added up. */
static void add_worn(Lines *lines, int n) {
  ADD("I ball%d(1); 1 v%d; Se weight%d(-10); 0 hit%d by Hit%d; MSf back%d((%.3f - 0.02*hit%d.hits) * pre(v%d.f))", n, n, n, n, n, n, between(0.8, 0.9), n, n);
  ADD("v%d -> ball%d; weight%d -> v%d; v%d -> hit%d <- back%d", n, n, n, n, n, n, n);
  ADD("signal height%d = integral(v%d.f, start = %.3f), total%d = integral(hit%d.hits + 0.1*hit%d.hardest)", n, n, between(0.5, 2), n, n, n);
  ADD("machine Hit%d { var hits = 0; var hardest = 0; off free initial; on touching; free -> touching when height%d <= 0 and v%d.f < 0 do hits := hits + 1, hardest := max(hardest, -v%d.f)\n"
      "  touching -> free when pre(v%d.f) > 0 }", n, n, n, n, n);
}

/* A vessel whose levels follow what its machine counts, which calls another one that empties a second vessel, and waits the longer the oftener it
 * was called; every third time it calls back. */
static void add_calls(Lines *lines, int n) {
  ADD("event full%d, back%d; Sf feed%d(%.3f); 0 top%d; C tank%d(%.3f); R leak%d(%.3f); 1 gate%d by Gate%d; R pipe%d(%.3f)", n, n, n, between(1, 3), n, n,
      between(0.05, 0.3), n, between(1, 3), n, n, n, between(0.1, 0.5));
  ADD("feed%d -> top%d -> tank%d; top%d -> leak%d; top%d -> gate%d -> pipe%d", n, n, n, n, n, n, n, n);
  ADD("machine Gate%d { var n = 0; off shut initial; on open; shut -> open when top%d.e > %.3f + 0.05*n do n := n + 1 send full%d\n"
      "  open -> shut when top%d.e < %.3f; open -> open when back%d do n := 0 }", n, n, between(0.3, 0.6), n, n, between(0.1, 0.25), n);
  ADD("Se push%d(2 + calm%d.called); 1 calm%d by Calm%d; R thin%d(1); C vessel%d(%.3f); 0 head%d; R drain%d(%.3f); push%d -> calm%d -> thin%d; calm%d -> head%d -> vessel%d; head%d -> drain%d", n, n,
      n, n, n, n, between(0.1, 0.5), n, n, between(0.5, 2), n, n, n, n, n, n, n, n);
  ADD("machine Calm%d { var called = 0; on quiet initial; off busy; quiet -> busy when full%d and called < 2 do called := called + 1\n"
      "  quiet -> busy when full%d and called >= 2 do called := 0 send back%d; busy -> quiet after 0.01 + 0.02*called }", n, n, n, n);
}

/* A plant whose pump and heater only work in one of its states, and begin anew with it; it is stopped by a level or the clock. */
static void add_plant(Lines *lines, int n) {
  const double period = between(0.3, 0.6);
  ADD("machine plant%d = Plant%d(top%d.e); Sf flow%d(if plant%d.pump in running then %.3f else 0); 0 top%d; C tank%d(%.3f); R leak%d(%.3f)", n, n, n, n, n,
      between(2, 4), n, n, between(0.05, 0.2), n, between(1, 2));
  ADD("flow%d -> top%d -> tank%d; top%d -> leak%d; signal lit%d = integral(if plant%d.lamp in bright then 1 else 0)", n, n, n, n, n, n, n);
  ADD("machine Plant%d(level) { off stopped; on working initial {\n"
      "  region pump { off still initial; on running; still -> running after %.4f; running -> still when level > %.3f }\n"
      "  region lamp { var n = 0; on bright initial; off dark; bright -> dark after 0.02 + 0.01*n do n := n + 1; dark -> bright after 0.03 } }\n"
      "  stopped -> working when level < 0.3 and pulse(0, %.3f, %.3f) > 0.5; working -> stopped after %.4f when level > %.3f; working -> working after %.4f }",
      n, between(0.01, 0.1), between(0.8, 1.2), 0.5 * period, period, between(0.05, 0.2), between(0.3, 0.7), between(0.2, 0.3));
}

static void draw(Lines *lines) {
  static void (*const kinds[])(Lines *, int) = {
      add_ball, add_bodies, add_room, add_product, add_pendulum, add_pump,
      add_fuse, add_pulsed, add_brake, add_cascade, add_gearbox, add_rail, add_clock, add_rectifiers, add_pulled,
      add_sampled_room, add_controlled_motor, add_chopper, add_noisy,
      add_timed, add_catch, add_worn, add_calls, add_plant};
  enum { KINDS = sizeof kinds / sizeof kinds[0] };
  lines->count = 0;
  const int parts = 1 + rand() % 5;
  for (int part = 0; part < parts; part++) kinds[rand() % KINDS](lines, part);
}

static void shuffle(Lines *lines) {
  for (int at = lines->count - 1; at > 0; at--) {
    const int other = rand() % (at + 1);
    char kept[LINE];
    memcpy(kept, lines->line[at], LINE);
    memcpy(lines->line[at], lines->line[other], LINE);
    memcpy(lines->line[other], kept, LINE);
  }
}

static void write_model(const Lines *lines, long seed, char *text, size_t size) {
  size_t used = (size_t)snprintf(text, size, "// seed %ld\nmodel Random {\n", seed);
  for (int at = 0; at < lines->count; at++) used += (size_t)snprintf(text + used, size - used, " %s\n", lines->line[at]);
  snprintf(text + used, size - used, " stop 1\n}\n");
}

/* ---- runs ---- */

static HbgSimOptions options_of(void) {
  return (HbgSimOptions){.stop = 1, .interval = 0.0173205, .tolerance = 1e-10, .method = HBG_METHOD_AUTOMATIC, .sliding = true};
}

/* What is compared: with which options, declared in another order, with columns for every bond. */
typedef struct Trial {
  HbgSimOptions options;
  bool in_other_order, with_bonds;
} Trial;

/* One random model, as a whole and as a trial has it. Answers whether regions had clocks. */
static bool compare(long seed, const Trial *trial) {
  Lines lines;
  static char text[MOST_LINES * LINE], other[MOST_LINES * LINE];
  srand((unsigned)seed);
  draw(&lines);
  write_model(&lines, seed, text, sizeof text);
  if (trial->in_other_order) shuffle(&lines);
  write_model(&lines, seed, other, sizeof other);
  HbgSimOptions whole = trial->options;
  whole.as_a_whole = true;
  const int shows = trial->with_bonds ? ALL | RIDE_BONDS : ALL;
  Ride a, b;
  ride_begin(&a, text, whole, shows);
  ride_begin(&b, other, trial->options, shows);
  assert_false(a.was_local);
  ride_check_same(&a, &b, 1e-6, 1e-6);
  const bool was_local = b.was_local;
  ride_end(&a);
  ride_end(&b);
  return was_local;
}

static void compare_many(Trial trial) {
  const Seeds seeds = seeds_of(60);
  int local = 0;
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) local += compare(seed, &trial);
  assert_true(seeds.count < 10 || 2 * local > seeds.count); // else nothing has been compared
}

static void clocks_of_regions_change_no_row(void **state) {
  (void)state;
  compare_many((Trial){.options = options_of()});
}

static void nor_do_they_without_recipes(void **state) {
  (void)state;
  HbgSimOptions options = options_of();
  options.without_recipes = true;
  compare_many((Trial){.options = options});
}

static void nor_does_the_order_of_declarations(void **state) {
  (void)state;
  compare_many((Trial){.options = options_of(), .in_other_order = true});
}

/* Sources whose ports are off show what their laws say, too. */
static void every_bond_shows_the_same(void **state) {
  (void)state;
  compare_many((Trial){.options = options_of(), .with_bonds = true});
}

/* Where no source may hang, rows with columns for every bond are written by recipes, too. */
static void what_is_no_combination_of_states_is_shown_as_it_is(void **state) {
  (void)state;
  for (int with_recipes = 0; with_recipes < 2; with_recipes++) {
    Lines lines = {.count = 0};
    static char text[MOST_LINES * LINE];
    srand(1);
    add_brake(&lines, 0);
    add_brake(&lines, 1);
    write_model(&lines, 1, text, sizeof text);
    HbgSimOptions options = options_of(), whole = options_of();
    options.without_recipes = !with_recipes;
    whole.as_a_whole = true;
    Ride a, b;
    ride_begin(&a, text, whole, ALL | RIDE_BONDS);
    ride_begin(&b, text, options, ALL | RIDE_BONDS);
    assert_true(b.was_local);
    ride_check_same(&a, &b, 1e-6, 1e-6);
    ride_end(&a);
    ride_end(&b);
  }
}

/* Lights that blink, a lamp that a few of them call, and a line of shops where each waits for the one before. */
static void machines_alone_have_clocks_of_their_own(void **state) {
  (void)state;
  const char *text = "model Machines(N = 6) {\n event call\n"
                     " for i in 1..N { machine light[i] = Light(0.3 + 0.1*i, i, call); signal level[i] = sin(time + i); machine watch[i] = Watch(level[i], 0.1*i)\n"
                     "  machine shop[i] = Shop(0.2 + 0.05*mod(7*i, 5), (i = 1) or shop[if i = 1 then 1 else i-1] in full) }\n machine lamp = Lamp(call)\n"
                     " machine Light(T, first, out) { var n = 0; on lit initial; off dark; lit -> dark after T; dark -> lit after T + 0.1 when n < 1000 do n := n + 1 send out }\n"
                     " machine Lamp(heard) { off quiet initial; on busy; quiet -> busy when heard; busy -> quiet after 0.37 }\n"
                     " machine Watch(level, high) { off low initial; on above; low -> above when level > high; above -> low when level < -high }\n"
                     " machine Shop(T, may) { off empty initial; on works, full; empty -> works when may; works -> full after T; full -> empty after 0.5 }\n stop 20\n}";
  HbgSimOptions options = options_of(), whole = options_of();
  options.stop = whole.stop = 20;
  whole.as_a_whole = true;
  Ride a, b;
  ride_begin(&a, text, whole, RIDE_EVENTS);
  ride_begin(&b, text, options, RIDE_EVENTS);
  assert_true(b.was_local && a.count > 400);
  ride_check_same(&a, &b, 1e-12, 1e-9);
  ride_end(&a);
  ride_end(&b);
}

/* The same rows to the last bit, however many are computed before the first is looked at. */
static void rows_ahead_are_the_same_rows(void **state) {
  (void)state;
  for (long seed = 1; seed <= 20; seed++) {
    Lines lines;
    static char text[MOST_LINES * LINE];
    srand((unsigned)seed);
    draw(&lines);
    write_model(&lines, seed, text, sizeof text);
    HbgSimOptions options = options_of(), ahead = options_of();
    ahead.rows_ahead = 64;
    Ride a, b;
    ride_begin(&a, text, options, ALL);
    ride_begin(&b, text, ahead, ALL);
    ride_check_same(&a, &b, 0, 0);
    ride_end(&a);
    ride_end(&b);
  }
}

/* From 0.5 s on the source gives 10 V: what was left at 4 V reaches 2 V in ln(8.426/2) s. */
static void a_guard_follows_a_source_that_the_clock_turns(void **state) {
  (void)state;
  Ride ride;
  HbgSimOptions options = options_of();
  options.stop = 3;
  ride_begin(&ride,
             "model Turned {\n Se s(4 + 6*pulse(0.5, 10, 20)); 1 j; R r(1); C c(1); s -> j -> r; j -> c\n"
             " Se t(1); 1 k by Fallen(r.e); R q(1); t -> k -> q\n"
             " machine Fallen(x) { off no initial; on yes; no -> yes when x < 2; yes -> no when x > 100 }\n}\n",
             options, ALL);
  double fell = 0;
  for (int32_t at = 0; at < ride.count; at++)
    if (ride.rows[at].eps == 0 && !strcmp(ride.rows[at].cause, "k: x < 2")) fell = ride.rows[at].time;
  assert_true(ride.was_local);
  CHECK_NEAR(fell, 0.5 + log((6 + 4 * exp(-0.5)) / 2), 1e-12);
  ride_end(&ride);
}

/* It is asked for a millisecond at first, and the next time for ten thousand of them: x = 1 - exp(-t) reaches 1 - 2^-20. */
static void a_guard_is_found_however_late_it_comes(void **state) {
  (void)state;
  Ride ride;
  HbgSimOptions options = options_of();
  options.stop = 40;
  options.interval = 1;
  ride_begin(&ride,
             "model Late {\n Se s(1); 1 j; R r(1); C c(1); s -> j -> r; j -> c\n"
             " Se t(1); 1 k by Full(c.e); R q(1); t -> k -> q\n"
             " machine Full(x) { off filling initial; on half; off full\n"
             "  filling -> half when x > 1e-6 and pulse(0.001, 0.001, 100) < 0.5; half -> filling when pulse(0.001, 0.001, 100) > 0.5\n"
             "  half -> full when x > 1 - 1/1048576 }\n}\n",
             options, ALL);
  assert_true(ride.was_local);
  double full = 0;
  for (int32_t at = 0; at < ride.count; at++)
    if (ride.rows[at].eps == 0 && !strcmp(ride.rows[at].cause, "k: x > 1 - 1/1048576")) full = ride.rows[at].time;
  CHECK_NEAR(full, 20 * log(2), 1e-9); // x is known to 1e-16, of 1e-6
  ride_end(&ride);
}

/* While m is off w reads a source that hangs, and regions are tried in vain; the main source switches before they are tried again. */
static void what_a_try_in_vain_has_found_is_not_taken_for_the_present(void **state) {
  (void)state;
  static const char text[] =
      "model Late {\n Se s(4 + 2*pulse(0.02, 0.1, 1)); 0 rail; s -> rail -> j\n 1 j; R r(1.2); 0 o; C c(0.05); R d(2.3)\n"
      " j -> r; j -> o; o -> c; o -> d\n Se e(1); 1 m by M; R y(1); e -> m -> y\n signal w = integral(m.f)\n"
      " machine M { off b initial; on a; b -> a when c.e > 1.7; a -> b when c.e < 1.4 }\n}\n";
  HbgSimOptions options = options_of(), whole = options;
  whole.as_a_whole = true;
  Ride a, b;
  ride_begin(&a, text, whole, ALL);
  ride_begin(&b, text, options, ALL);
  assert_true(b.was_local);
  ride_check_same(&a, &b, 1e-6, 1e-6);
  ride_end(&a);
  ride_end(&b);
}

/* Blocks on a rough floor, pushed by the clock: at times they cross the surface between both directions, at times they stay on it. */
static void to_have_crossed_a_surface_is_no_recipe_for_staying_on_it(void **state) {
  (void)state;
  const char *const text =
      "model Pushed {\n for i in 1..2 { 1 v[i]; I block[i](1) start f = 3*sin(2.3*i); R floor[i]: e = 0.7*sign(f)\n"
      "  Se push[i](2*pulse(0.1*i, 0.3, 1) - 1); push[i] -> v[i]; v[i] -> block[i]; v[i] -> floor[i] }\n"
      " 0 force; C spring(0.5); v[1] -> force -> v[2]; force -> spring\n stop 10\n}";
  HbgSimOptions options = options_of();
  options.stop = 10;
  ride_check_as_a_whole(text, options, ALL);
}

/* A spring that bends is emptied where a junction goes on, and the clock turns the source meanwhile: what comes back by a recipe has another one. */
static void what_comes_back_has_heard_what_the_clock_has_turned(void **state) {
  (void)state;
  const char *const text =
      "model Back {\n I coil(0.1); j1 -> coil; Se source(1.7 - 2*pulse(0.1, 0.3, 0.5)); source -> j1; 1 j1\n"
      " machine Short { on x; off y initial; x -> y when coil.f > 0; y -> x when coil.f < -0.4 }\n"
      " 1 j3 by Short; 0 node; C hold: e = 2.5*(q + 0.2*sin(2*q)); j3 -> node -> j1; node -> hold\n}\n";
  HbgSimOptions options = options_of();
  options.stop = 3;
  ride_check_as_a_whole(text, options, ALL);
}

/* x' = (u - x)/tau with u[k] = 3 (1 - x[k]): x[k + 1] = a x[k] + (1 - a) u[k], a = exp(-T/tau). Flows serve for all ticks and for both parts. */
static void what_a_clock_holds_drives_a_part_as_the_z_domain_has_it(void **state) {
  (void)state;
  const char *const text =
      "model Held {\n for i in 1..2 { Se s[i](u[i]); 1 j[i]; R r[i](2); C c[i](0.25) start e = 0.1*i; s[i] -> j[i]; j[i] -> r[i]; j[i] -> c[i]\n"
      "  signal u[i] = sample(3*(1 - c[i].e), every(0.1))\n"
      "  Se t[i](1); 1 k[i] by Full(c[i].e, u[i]); R q[i](1); t[i] -> k[i] -> q[i] }\n"
      " machine Full(x, u) { off no initial; on yes; no -> yes when x > 0.7 and u > 0 }\n}\n";
  Ride ride;
  HbgSimOptions options = options_of();
  options.stop = 5;
  ride_begin(&ride, text, options, ALL);
  assert_true(ride.was_local);
  const double a = exp(-0.1 / 0.5);
  double x[2] = {0.1, 0.2};
  for (int k = 0; k < 50; k++)
    for (int i = 0; i < 2; i++) x[i] = a * x[i] + (1 - a) * 3 * (1 - x[i]);
  for (int i = 0; i < 2; i++) CHECK_NEAR(ride.sim->now.state[i] / 0.25, x[i], 1e-13);
  assert_true(ride.sim->local->known_motions.count <= 2); // of a hundred ticks and more
  ride_end(&ride);
}

typedef struct Seen {
  int32_t rows, local;
} Seen;

static void note_whether_local(const HbgSim *sim, void *user) {
  Seen *seen = user;
  seen->rows++;
  seen->local += sim->is_local;
}

/* Of a row of equal circuits in which a guard is a product of states each finds that out for itself, when it comes to that: none of them makes all others go as a whole. */
static void who_needs_steps_after_all_takes_them_at_once(void **state) {
  (void)state;
  enum { COUNT = 30 };
  const char text[] =
      "model Scaled(N = 30) {\n Se supply(24); 0 rail; supply -> rail\n for i in 1..N {\n"
      "  signal error[i] = 8*(1 + 0.01*i/N) - output[i].e, duty[i] = (0.3*error[i] + integral(600*error[i]))*(24 - output[i].e)/24\n"
      "  1 switch[i] by Switch(duty[i] > abs(2*mod(time + i*2e-5/N, 2e-5)/2e-5 - 1)); 0 node[i], output[i]; 1 diode[i] by Diode(diode[i].f, -node[i].e)\n"
      "  Se ground[i](0); 1 line[i]; I coil[i](1e-4); C capacitor[i](22e-6); R load[i](4), channel[i](0.01)\n"
      "  switch[i] -> channel[i]; rail -> switch[i] -> node[i] -> line[i] -> output[i] -> capacitor[i]; ground[i] -> diode[i] -> node[i]\n"
      "  line[i] -> coil[i]; output[i] -> load[i] }\n"
      " machine Switch(gate) { on closed; off open initial; closed -> open when not gate; open -> closed when gate }\n"
      " machine Diode(current, voltage) { off blocking initial; on conducting; blocking -> conducting when voltage > 0; conducting -> blocking when current < 0 }\n"
      " stop 3e-4\n}";
  Ride run, whole;
  HbgSimOptions options = {.stop = 3e-4, .interval = 1e-5, .tolerance = 1e-8, .method = HBG_METHOD_AUTOMATIC};
  Seen seen = {0, 0};
  ride_try(&run, text, options, RIDE_TRAJECTORY, note_whether_local, &seen);
  assert_int_equal(run.end, HBG_END);
  assert_true(seen.rows > 10 * COUNT);
  assert_true(seen.local > 0.95 * seen.rows);
  options.as_a_whole = true;
  ride_begin(&whole, text, options, RIDE_TRAJECTORY);
  ride_check_alike(&run, &whole, &(RideWays){"by regions", "as a whole", 1e-7, 1e-5});
  ride_end(&run);
  ride_end(&whole);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(who_needs_steps_after_all_takes_them_at_once),
      cmocka_unit_test(a_guard_follows_a_source_that_the_clock_turns),
      cmocka_unit_test(a_guard_is_found_however_late_it_comes),
      cmocka_unit_test(clocks_of_regions_change_no_row),
      cmocka_unit_test(nor_do_they_without_recipes),
      cmocka_unit_test(nor_does_the_order_of_declarations),
      cmocka_unit_test(every_bond_shows_the_same),
      cmocka_unit_test(what_is_no_combination_of_states_is_shown_as_it_is),
      cmocka_unit_test(what_comes_back_has_heard_what_the_clock_has_turned),
      cmocka_unit_test(what_a_clock_holds_drives_a_part_as_the_z_domain_has_it),
      cmocka_unit_test(what_a_try_in_vain_has_found_is_not_taken_for_the_present),
      cmocka_unit_test(machines_alone_have_clocks_of_their_own),
      cmocka_unit_test(rows_ahead_are_the_same_rows),
      cmocka_unit_test(to_have_crossed_a_surface_is_no_recipe_for_staying_on_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
