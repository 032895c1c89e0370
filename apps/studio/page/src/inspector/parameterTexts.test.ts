// SPDX-License-Identifier: BSD-3-Clause
import { describe, expect, it } from 'vitest';
import { allParameters, parameterTexts, stopText } from './parameterTexts';

describe('what the text says of parameters', () => {
  it('is found with units, lists and descriptions', () => {
    const texts = parameterTexts('model M {\n  param m1 = 1 [kg], v = 0.1^(1/2) [m/s]  // , x = 3\n  param w = [1, 2, 3] [kg] "weights, all"; param b = true\n  I a(m1)\n}');
    expect([...texts]).toEqual([['m1', '1 [kg]'], ['v', '0.1^(1/2) [m/s]'], ['w', '[1, 2, 3] [kg]'], ['b', 'true']]);
  });
  it('is that of the model, not of submodels and inner braces', () => {
    const texts = parameterTexts('submodel S(port a) {\n  param k = 1\n}\nmodel M {\n  param k = 2\n  for i in 1..2 {\n    param z[i] = i\n  }\n}');
    expect([...texts]).toEqual([['k', '2']]);
  });
  it('of a text that is not finished is what can be understood', () => {
    expect([...parameterTexts('model M {\n  param a = 3, b =')]).toEqual([['a', '3'], ['b', '']]);
    expect(parameterTexts('').size).toBe(0);
  });
  it('tells also when the run ends', () => {
    expect(stopText('model M {\n  I a(m1)\n  stop 0.5 [s] // soon\n}')).toBe('0.5 [s]');
    expect(stopText('model M {\n  I stop_it(1)\n}')).toBe('');
  });
  it('is added to what the server knows, which is nothing as long as the model is wrong', () => {
    const known = [{ name: 'a', value: 1, unit: 'kg', description: 'mass' }];
    expect(allParameters(known, new Map([['a', '1 [kg]'], ['b', '2']]))).toEqual([...known, { name: 'b', value: 0, unit: '', description: '' }]);
  });
});
