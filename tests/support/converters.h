/* SPDX-License-Identifier: BSD-3-Clause
 * Boost converters on one source: in each of them a switch follows the clock, and a diode the switch. */
#ifndef TESTS_SUPPORT_CONVERTERS_H
#define TESTS_SUPPORT_CONVERTERS_H

/* So many (a string), each switched so many microseconds behind the one before it (a string). */
#define BOOST_CONVERTERS(N, SHIFT)                                                                                                       \
  "model Converters {\n Se supply(12 [V]); 0 rail; supply -> rail\n"                                                                     \
  " for i in 1.." N " {\n 1 line[i]; I coil[i](47 [uH]); 0 node[i], output[i]; C capacitor[i](47 [uF]); R load[i](400 [Ohm])\n"          \
  "  1 switch[i] by Switch(pulse((i - 1)*" SHIFT " [us], 5 [us], 10 [us]) > 0.5); Se ground[i](0 [V])\n"                                 \
  "  1 diode[i] by Diode(diode[i].f, node[i].e - output[i].e)\n"                                                                         \
  "  rail -> line[i] -> node[i] -> diode[i] -> output[i] -> capacitor[i]\n"                                                              \
  "  line[i] -> coil[i]; node[i] -> switch[i] -> ground[i]; output[i] -> load[i]\n }\n"                                                  \
  " machine Switch(gate) { on closed; off open initial; closed -> open when not gate; open -> closed when gate }\n"                      \
  " machine Diode(current, voltage) { off blocking initial; on conducting\n"                                                             \
  "  blocking -> conducting when voltage > 0; conducting -> blocking when current < 0 }\n stop 2 [ms]\n}\n"

#endif
