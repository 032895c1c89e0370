/* SPDX-License-Identifier: BSD-3-Clause
 * Models that the tests of the public interface run: short, and with all that can happen in them. */
#ifndef TESTS_SUPPORT_PROGRAMS_H
#define TESTS_SUPPORT_PROGRAMS_H

/* A ball that bounces 9 times in 1 s, with a damper that is not linear. */
#define PROGRAM_BALL                                                                                                   \
  "model Ball(restitution = 0.8) {\n I ball(1 [kg]); 1 motion; Se weight(-9.81); 0 contact by Impact\n"                \
  " MSf rebound(restitution * pre(motion.f)); R air: e = 0.01*f*abs(f)\n"                                              \
  " motion -> ball; weight -> motion; motion -> air; motion -> contact <- rebound\n"                                   \
  " signal height = (integral(motion.f, start = 0.1)) [m]; signal falls = motion.f < 0\n"                              \
  " machine Impact { off free initial; on touching; free -> touching when height <= 0 and motion.f < 0\n"              \
  "  touching -> free when pre(motion.f) > 0 }\n stop 1\n}"

/* Newton's cradle with a rider: one instant with a mythical mode and a pinnacle. */
#define PROGRAM_CRADLE                                                                                                 \
  "model Cradle {\n param v = 1, F_th = 0.3\n I body1(1) start f = v; I body2(1), body3(1); 1 v1, v2, v3\n"            \
  " 0 hit by Hit; 0 stick by Stick\n v1 -> body1; v2 -> body2; v3 -> body3; v1 -> hit -> v3 -> stick -> v2\n"          \
  " signal gap = integral(v3.f - v1.f, start = 0.2)\n"                                                                 \
  " machine Hit { off free initial; on touching; free -> touching when gap <= 0 and v1.f > v3.f\n"                     \
  "  touching -> free when pre(v3.f) >= pre(v1.f) }\n"                                                                 \
  " machine Stick { on stuck initial; off sliding; stuck -> sliding when impulse(abs(stick.e)) > F_th }\n stop 1\n}"

/* A stiff circuit, switched every 0.1 s, with a diode that is not linear. */
#define PROGRAM_STIFF                                                                                                  \
  "model Stiff {\n Se source(10); 1 line by Switch; R wire(1e-3); 0 node; C store(1e-6); R load(10); R diode: f = 1e-6*(exp(e/0.5) - 1)\n" \
  " C slow(0.1); R between(5); 1 path; 0 end\n source -> line -> node -> store; line -> wire; node -> load; node -> path -> end -> slow\n" \
  " path -> between; 0 other; 1 to_diode; R series(2); node -> to_diode -> other -> diode; to_diode -> series; C stray(1e-7); other -> stray\n" \
  " machine Switch { on closed initial; off open; closed -> open when pulse(0.1, 0.1, 0.2) > 0.5; open -> closed when pulse(0.1, 0.1, 0.2) < 0.5 }\n" \
  " stop 0.5\n}"

#endif
