// SPDX-License-Identifier: BSD-3-Clause
import { describe, expect, it } from 'vitest';
import { Pyramid } from './pyramid';

// the same numbers each time
const random = (seed: number) => () => {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return seed / 2147483648;
};

const extremesByHand = (values: Float64Array, begin: number, end: number) => {
  const part = [...values.subarray(begin, end)].filter(Number.isFinite);
  return part.length === 0 ? null : { least: Math.min(...part), greatest: Math.max(...part) };
};

describe('a pyramid', () => {
  it('never loses an extreme, whatever stretch is asked for', () => {
    const next = random(1);
    for (const count of [0, 1, 15, 16, 17, 128, 129, 1000, 1025, 5000]) {
      const values = Float64Array.from({ length: count }, () => (next() < 0.05 ? NaN : next() < 0.01 ? 1e9 * (next() - 0.5) : next()));
      const pyramid = new Pyramid(values, count);
      for (let trial = 0; trial < 200; trial++) {
        const begin = Math.floor(next() * (count + 1));
        const end = begin + Math.floor(next() * (count + 1 - begin));
        const expected = extremesByHand(values, begin, end);
        const { lowest, highest } = pyramid.extremes(begin, end);
        if (expected === null) expect([lowest, highest]).toEqual([-1, -1]);
        else {
          expect(values[lowest]).toBe(expected.least);
          expect(values[highest]).toBe(expected.greatest);
          expect(lowest >= begin && lowest < end && highest >= begin && highest < end).toBe(true);
        }
      }
    }
  });
  it('finds one row among a million', () => {
    const values = new Float64Array(1_000_000);
    values[765_432] = 1;
    values[123_456] = -1;
    const pyramid = new Pyramid(values, values.length);
    expect(pyramid.extremes(0, 1_000_000)).toEqual({ lowest: 123_456, highest: 765_432 });
    expect(pyramid.extremes(123_457, 765_432)).not.toEqual({ lowest: 123_456, highest: 765_432 });
  });
  it('leaves out rows that are not real', () => {
    const values = Float64Array.from({ length: 100 }, (_, row) => row);
    const pyramid = new Pyramid(values, 100, (row) => row !== 99);
    expect(pyramid.extremes(0, 100).highest).toBe(98);
  });
  it('answers stretches that reach beyond the rows', () => {
    const pyramid = new Pyramid(Float64Array.from([3, 1, 2]), 3);
    expect(pyramid.extremes(-5, 50)).toEqual({ lowest: 1, highest: 0 });
    expect(pyramid.extremes(2, 2)).toEqual({ lowest: -1, highest: -1 });
  });
});
