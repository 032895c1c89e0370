// SPDX-License-Identifier: BSD-3-Clause
import { describe, expect, it } from 'vitest';
import { endsWith, positionOf, readNumber, usualEnds, valueAt } from './slider';

describe('a slider', () => {
  it('goes from nothing to twice the value of the text', () => {
    expect(usualEnds(0.95)).toEqual({ least: 0, greatest: 1.9 });
    expect(usualEnds(-0.2)).toEqual({ least: -0.4, greatest: 0 });
    expect(usualEnds(0)).toEqual({ least: -1, greatest: 1 });
  });
  it('gives round numbers', () => {
    expect(valueAt(250, { least: 0, greatest: 2 })).toBe(0.5);
    expect(valueAt(333, { least: 0, greatest: 1.9 })).toBe(0.633);
    expect(valueAt(500, { least: -1, greatest: 1 })).toBe(0);
  });
  it('goes by powers of ten where its ends are far apart', () => {
    const ends = { least: 1e-3, greatest: 1e3 };
    expect(valueAt(500, ends)).toBeCloseTo(1);
    expect(positionOf(1, ends)).toBe(500);
    expect(valueAt(0, { least: 1e-9, greatest: 1 })).toBeCloseTo(1e-9, 12);
  });
  it('comes back to where it was', () => {
    for (const ends of [{ least: 0, greatest: 1.9 }, { least: 1, greatest: 1e6 }, { least: -4, greatest: 0 }])
      for (const position of [0, 1, 250, 777, 1000]) expect(Math.abs(positionOf(valueAt(position, ends), ends) - position)).toBeLessThanOrEqual(1);
  });
  it('moves its ends for a value that was typed', () => {
    expect(endsWith({ least: 0, greatest: 2 }, 7)).toEqual({ least: 0, greatest: 7 });
    expect(endsWith({ least: 0, greatest: 2 }, NaN)).toEqual({ least: 0, greatest: 2 });
  });
  it('stands still where it has no way to go', () => {
    expect(positionOf(1, { least: 1, greatest: 1 })).toBe(0);
  });
});

describe('a number that is typed', () => {
  it('may have a comma and a true minus', () => {
    expect([readNumber(' 1,5 '), readNumber('−2'), readNumber('1e-3'), readNumber('abc'), readNumber('')]).toEqual([1.5, -2, 0.001, null, null]);
  });
});
