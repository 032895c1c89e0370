// SPDX-License-Identifier: BSD-3-Clause
// What can be placed of block diagrams: one row each. `template` is what stands behind the name's `=`.

export type BlockRow = {
  kind: string; // as a diagram calls it
  title: string;
  description: string;
  stem: string;
  template: string;
  word: 'signal' | 'block'; // a block is drawn by its function
};

const row = (kind: string, title: string, stem: string, word: 'signal' | 'block', template: string, description: string): BlockRow => ({
  kind, title, stem, word, template, description,
});

export const blockRows: BlockRow[] = [
  row('expression', 'Signal', 'x', 'signal', '1', 'Any expression of variables, parameters, time and other signals.'),
  row('integral', 'Integral', 'x', 'signal', 'integral(0)', 'What goes in, added up over time: a velocity becomes a position.'),
  row('sum', 'Sum', 'sum', 'block', 'sum(0)', 'The sum of its inputs, each with its sign.'),
  row('gain', 'Gain', 'gain', 'block', 'gain(0, 1)', 'The input times a constant.'),
  row('constant', 'Constant', 'constant', 'signal', '1', 'A number that stays.'),
  row('step', 'Step', 'step', 'signal', 'step(1)', '0, and 1 from the given time on.'),
  row('pulse', 'Pulse', 'pulse', 'signal', 'pulse(1, 0.1)', '1 from the first time on, for as long as the second says.'),
  row('lag', 'Lag', 'lag', 'block', 'lag(0, 1 [s])', 'Follows the input with the given time constant.'),
  row('limit', 'Limit', 'limit', 'block', 'limit(0, -1, 1)', 'The input, but no less than the first and no more than the second bound.'),
  row('delay', 'Delay', 'delayed', 'block', 'delay(0, 1 [s])', 'The input as it was that long ago.'),
  row('pid', 'PID controller', 'control', 'block', 'pid(0, Kp = 1)', 'A controller with proportional, integral and derivative part.'),
  row('hysteresis', 'Hysteresis', 'relay', 'block', 'hysteresis(0, -1, 1)', 'Becomes 1 at the upper bound, and 0 again at the lower one.'),
];
