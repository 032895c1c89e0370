// SPDX-License-Identifier: BSD-3-Clause
import { describe, expect, it } from 'vitest';
import { numberText, stampText, timeText, unitText, valueText } from './number';

describe('numbers', () => {
  it('have no more digits than count', () => {
    expect(numberText(-0.20000000000000062)).toBe('−0.2');
    expect(numberText(0.6000000000000003)).toBe('0.6');
    expect(numberText(1024)).toBe('1024');
    expect(numberText(0)).toBe('0');
  });
  it('have powers of ten when they are very large or small', () => {
    expect(numberText(-1.5e-7)).toBe('−1.5×10⁻⁷');
    expect(numberText(6.02214e23, 3)).toBe('6.02×10²³');
    expect(numberText(999999.9)).toBe('1×10⁶');
  });
  it('are a dash where there are none', () => {
    expect(numberText(null)).toBe('–');
    expect(numberText(NaN)).toBe('–');
    expect(numberText(-Infinity)).toBe('−∞');
  });
  it('have units as in print', () => {
    expect(valueText(1, 'N*s')).toBe('1 N·s');
    expect(unitText('m/s^2')).toBe('m/s²');
    expect(valueText(3, '')).toBe('3');
  });
});

describe('times', () => {
  it('are exact enough to tell neighbours apart', () => {
    expect(timeText(0.2, 1)).toBe('0.2');
    expect(timeText(1234.56789, 0.001)).toBe('1234.56789');
  });
  it('are written as the theory writes them', () => {
    expect(stampText('t', -1, 0)).toBe('⟨t − ε, 0⟩');
    expect(stampText('t', 0, 1)).toBe('⟨t, 1⟩');
    expect(stampText('t', 1, 0)).toBe('⟨t + ε, 0⟩');
    expect(stampText('t', 3, 0)).toBe('⟨t + 3ε, 0⟩');
  });
});
