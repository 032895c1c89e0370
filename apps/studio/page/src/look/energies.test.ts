// SPDX-License-Identifier: BSD-3-Clause
import { describe, expect, it } from 'vitest';
import { barsOf } from './energies';
import { isConserved } from './instant/balance';

const columns = ['energy(a)', 'energy(b)'].map((name) => ({ name, unit: 'J', kind: 'number' as const, states: [], group: 'energy' as const }));

describe('bars of energy', () => {
  it('are shares of the longest, with the sum as the last', () => {
    const bars = barsOf(columns, (name) => (name === 'energy(a)' ? 1 : 3), (name) => (name === 'energy(a)' ? 8 : 0));
    expect(bars.map((bar) => [bar.name, bar.share, bar.ghost])).toEqual([['a', 0.125, 1], ['b', 0.375, 0], ['', 0.5, 1]]);
  });
  it('have no length where there is no energy, or no number', () => {
    expect(barsOf(columns, () => 0, null).map((bar) => bar.share)).toEqual([0, 0, 0]);
    expect(barsOf(columns, () => NaN, null).every((bar) => bar.share === 0 && bar.ghost === null)).toBe(true);
  });
});

describe('a sum', () => {
  it('is conserved up to round-off', () => {
    expect(isConserved({ before: 1, after: 0.9999999999999998 })).toBe(true);
    expect(isConserved({ before: 1, after: 0.9 })).toBe(false);
    expect(isConserved({ before: 0, after: 0 })).toBe(true);
  });
});
