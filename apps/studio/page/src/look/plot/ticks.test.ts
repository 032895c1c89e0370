// SPDX-License-Identifier: BSD-3-Clause
import { describe, expect, it } from 'vitest';
import { roundStep, ticksOf } from './ticks';

describe('ticks', () => {
  it('stand at round numbers', () => {
    expect(ticksOf(-0.25, 1.05, 6).texts).toEqual(['0.0', '0.5', '1.0']);
    expect(ticksOf(0, 1, 10).texts).toEqual(['0.0', '0.1', '0.2', '0.3', '0.4', '0.5', '0.6', '0.7', '0.8', '0.9', '1.0']);
    expect(roundStep(1, 4)).toBe(0.5);
  });
  it('tell small and large numbers with a power of ten', () => {
    const small = ticksOf(0, 4e-6, 4);
    expect(small.factor).toBe('10⁻⁶');
    expect(small.texts).toEqual(['0', '1', '2', '3', '4']);
    expect(ticksOf(-3e6, 3e6, 4).factor).toBe('10⁶');
  });
  it('leave out what is the same in all of them', () => {
    const late = ticksOf(0.2, 0.2 + 1e-9, 4);
    expect(late.offset).toBeCloseTo(0.2);
    expect(new Set(late.texts).size).toBe(late.texts.length);
  });
  it('are none where there is no length', () => {
    expect(ticksOf(1, 1, 4).places).toEqual([]);
    expect(ticksOf(0, Infinity, 4).places).toEqual([]);
    expect(ticksOf(NaN, 1, 4).places).toEqual([]);
  });
  it('know no negative zero', () => {
    expect(ticksOf(-1, 1, 2).texts).toEqual(['−1', '0', '1']);
  });
});
